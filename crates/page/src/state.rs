//! What the page shows next to the picture.

use super::*;
use hangtime_core::models::Action;
use hangtime_draw::Overlay;
use hangtime_game::KeyUse;
use hangtime_workbench::key_labels;

/// The game at the shown tick.
#[derive(Serialize)]
pub struct GameState<'s> {
    level: &'s str,
    revision: u64,
    hz: u32,
    tick: u64,
    /// The timeline: what is shown, and from where to where it can be seen.
    position: u64,
    begin: u64,
    end: u64,
    paused: bool,
    /// Ticks per frame: 1 at normal speed.
    speed: f64,
    status: &'s str,
    /// Errors to show until they are fixed; empty if there are none.
    banner: &'s str,
    ghosts: usize,
    /// The numbers of the panel that are not in the files.
    unsaved: usize,
    /// The first player's body.
    x: f64,
    y: f64,
    /// Whether the files have errors.
    broken: bool,
}

impl<'s> GameState<'s> {
    pub fn of(session: &'s PageSession) -> Self {
        let bench = &session.bench;
        Self {
            position: bench.position(),
            begin: bench.timeline().begin(),
            end: bench.timeline().end(),
            paused: bench.is_paused(),
            speed: session.frame.bench.speed,
            status: &session.frame.bench.status,
            banner: bench.banner(),
            ghosts: bench.ghosts().len(),
            unsaved: session.tuner.unsaved_count(),
            broken: session.broken,
            ..Self::of_world(bench.live())
        }
    }

    /// Of a world that is watched: it has no other ticks.
    pub fn of_world(live: &'s Live) -> Self {
        let (world, stage) = (live.world(), &live.revision().stage);
        let entities = world.entities();
        let first = entities.iter().find(|it| it.player == Some(1)).or(entities.first());
        let at = first.map(|first| world.body(first).pos).unwrap_or_default();
        let tick = world.ticks();
        Self {
            level: &stage.level.name,
            revision: live.revision().number,
            hz: stage.hz,
            tick,
            position: tick,
            begin: tick,
            end: tick,
            paused: false,
            speed: 1.0,
            status: "",
            banner: "",
            ghosts: 0,
            unsaved: 0,
            x: at.x,
            y: at.y,
            broken: false,
        }
    }
}

/// A key with what it is for.
#[derive(Serialize)]
struct PageKey {
    /// An action, or the name of an effect in `[keys]`.
    name: String,
    words: String,
    /// The names of its keys in `[keys]`.
    codes: Vec<&'static str>,
    /// The keys for people.
    label: String,
}

/// The keys of a game.
#[derive(Serialize)]
pub struct GameKeys {
    /// The first player's actions that the level uses.
    actions: Vec<PageKey>,
    /// What keys do apart from playing.
    effects: Vec<PageKey>,
    overlays: Vec<PageKey>,
    /// All keys that are bound.
    bound: Vec<&'static str>,
}

impl GameKeys {
    pub fn of(revision: &Revision) -> Self {
        let keys = &revision.config.keys;
        let key = |used: KeyUse, name: &str, words: String| PageKey {
            name: name.into(),
            words,
            codes: keys.keys_for(used).collect(),
            label: key_labels(keys, used),
        };
        let own = keys.own_actions();
        let named = |name: &str| {
            let quoted = format!("\"{name}\"");
            let scripts = revision.scripts.all().iter();
            let mut texts = scripts.filter_map(|script| revision.files.get(script.name()));
            texts.any(|file| file.text.contains(&quoted))
        };
        let own_actions = own.names().filter(|name| named(name)).filter_map(|name| own.own(name));
        let actions = Action::ALL.into_iter().chain(own_actions);
        let actions = actions.map(|action| {
            let name = own.name_of(action);
            key(KeyUse::Play(1, action), name, name.to_string())
        });
        let effect = |it: WindowKey| key(KeyUse::from(it), it.name(), it.words());
        let is_overlay = |it: &WindowKey| matches!(it, WindowKey::Overlay(_));
        Self {
            actions: actions.collect(),
            effects: WindowKey::all().filter(|it| !is_overlay(it)).map(effect).collect(),
            overlays: Overlay::ALL.map(WindowKey::Overlay).map(effect).into(),
            bound: keys.bindings().map(|(key, _, _)| key).chain(overlay_keys(keys)).collect(),
        }
    }
}

fn overlay_keys(keys: &hangtime_game::KeyMap) -> impl Iterator<Item = &'static str> {
    Overlay::ALL.into_iter().flat_map(|overlay| keys.keys_for(WindowKey::Overlay(overlay)))
}
