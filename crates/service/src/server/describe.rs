//! `initialize`: what the service and the game have.

use super::*;
use hangtime_core::models::{Mode, ModelName};

/// What a client learns first.
pub fn describe(shared: &ServiceShared, framing: MessageFraming) -> InitializeResult {
    let (project, limits) = (shared.game.project(), &shared.limits);
    let root = project.root();
    let mut levels = project.levels();
    let mut below = project.all_levels();
    below.retain(|level| !levels.contains(level));
    levels.append(&mut below);
    let levels = levels.iter().map(|level| {
        let name = level.strip_prefix(root).unwrap_or(level);
        name.to_string_lossy().into_owned()
    });
    let keys = project.keys();
    let actions = keys.own_actions();
    let bound = keys.bindings().map(|(key, does, player)| BoundKey { key, does: does.into(), player });
    let methods = METHODS.iter().filter(|method| shared.web || !method.needs_web());
    InitializeResult {
        hangtime: env!("CARGO_PKG_VERSION"),
        protocol: PROTOCOL,
        methods: methods.map(|method| method.name).collect(),
        binary: framing == MessageFraming::WebSocket,
        limits: LimitInfo {
            worlds: limits.worlds,
            memory: limits.memory >> 20,
            message: limits.message,
            ticks: limits.ticks,
            idle: limits.idle.map(|idle| idle.as_secs()),
            waiting: limits.waiting,
        },
        game: GameInfo {
            levels: levels.collect(),
            actions: actions.all_names().map(str::to_string).collect(),
            keys: bound.collect(),
            models: ModelName::ALL.iter().map(|model| model.as_str()).collect(),
            modes: Mode::ALL.iter().map(|mode| mode.as_str()).collect(),
            columns: Column::known().map(|(name, ..)| name).collect(),
        },
    }
}
