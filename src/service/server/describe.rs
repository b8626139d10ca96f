//! `initialize`: what the service and the game have.

use super::limits::ServiceLimits;
use super::outbox::MessageFraming;
use crate::models::{Mode, ModelName};
use crate::service::protocol::{GameInfo, InitializeResult, LimitInfo, Method};
use crate::service::{Column, ServedGame};

/// The version of the protocol.
const PROTOCOL: u32 = 1;

/// What a client learns first.
pub(super) fn describe(
    game: &ServedGame,
    limits: &ServiceLimits,
    framing: MessageFraming,
) -> InitializeResult {
    let project = game.project();
    let root = project.root();
    let levels = project.levels();
    let levels = levels.iter().map(|level| {
        let name = level.strip_prefix(root).unwrap_or(level);
        name.to_string_lossy().into_owned()
    });
    let actions = project.own_actions();
    InitializeResult {
        hangtime: env!("CARGO_PKG_VERSION"),
        protocol: PROTOCOL,
        methods: Method::ALL.iter().map(|method| method.name()).collect(),
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
            models: ModelName::ALL.iter().map(|model| model.as_str()).collect(),
            modes: Mode::ALL.iter().map(|mode| mode.as_str()).collect(),
            columns: Column::known().map(|(name, ..)| name).collect(),
        },
    }
}
