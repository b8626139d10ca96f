//! What test scripts can do: the interface between a script language and the headless runner.

use super::{Diagnostic, Fault, Reason};
use glam::DVec2;
use hangtime_core::models::{Action, OwnActions};
use hangtime_core::sim::{Drawn, DrawnColor, EntityView, Event, Value};
use std::any::Any;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Settings as `--set` takes them: dotted keys, and values as text.
pub type Settings = Vec<(String, String)>;

/// Why a test cannot open a level, play an input file, change a setting or restore a snapshot. The
/// text is the whole message for the author of the test.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct PlaytestError(pub String);

/// Opens levels for a test.
pub trait Playtest: Send + Sync {
    /// Opens a level with some settings.
    ///
    /// # Errors
    /// A message for the user, if the level or a setting is wrong.
    fn play(&self, level: &str, settings: &Settings) -> Result<Box<dyn PlayedLevel>, PlaytestError>;
}

/// An input file that plays in a test.
#[derive(Clone, Debug)]
pub struct PlayedInput {
    /// Its length.
    pub ticks: u64,
    /// Warnings about lines that have no effect.
    pub warnings: Vec<Diagnostic>,
}

/// Where a solid is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolidView {
    /// How far its path has taken it from its place in the level's file, px.
    pub moved: DVec2,
    /// Whether it is switched on. Solids without a switch always are.
    pub present: bool,
}

/// A snapshot of a level being played. Only that level can restore it.
#[derive(Clone, Debug)]
pub struct Snapshot(pub Arc<dyn Any + Send + Sync>);

/// A level that a test plays, tick by tick.
pub trait PlayedLevel: Send + Sync {
    /// How many ticks have been played.
    fn tick(&self) -> u64;
    /// Ticks per second.
    fn hz(&self) -> u32;
    /// Plays one tick.
    fn step(&mut self);
    /// The actions that the game defines.
    fn own_actions(&self) -> OwnActions {
        OwnActions::default()
    }
    /// Holds an action down for a player; the first player is 1.
    fn hold(&mut self, player: u8, action: Action);
    /// Releases an action.
    fn release(&mut self, player: u8, action: Action);
    /// Presses an action for the next tick only.
    fn press(&mut self, player: u8, action: Action);
    /// Sets the stick; each axis is -1 to 1.
    fn steer(&mut self, player: u8, stick: DVec2);
    /// Aims at a point, px.
    fn aim(&mut self, player: u8, point: DVec2);
    /// Teleports an entity to a point, px, before the next tick.
    ///
    /// # Errors
    /// A message for the user, if the entity does not exist, the point is outside of the level or there
    /// is no room.
    fn place(&mut self, name: &str, at: DVec2) -> Result<(), PlaytestError>;
    /// Emits an event to all scripts in the next tick.
    ///
    /// # Errors
    /// A message for the user, if very many are waiting.
    fn emit(&mut self, name: &str, data: Value) -> Result<(), PlaytestError>;
    /// Keeps a value beyond the level, from the next tick on; [`Value::Unit`] forgets it.
    ///
    /// # Errors
    /// A message for the user, if very many are kept.
    fn keep(&mut self, name: &str, value: Value) -> Result<(), PlaytestError>;
    /// What is kept under a name; [`Value::Unit`] if nothing is.
    fn kept(&self, name: &str) -> Value;
    /// Plays an input file from the next tick on.
    ///
    /// # Errors
    /// A message for the user, if the file is wrong.
    fn input(&mut self, file: &str) -> Result<PlayedInput, PlaytestError>;
    /// Changes a setting from now on and keeps all state, as a reload would.
    ///
    /// # Errors
    /// A message for the user, if the key or the value is wrong, or if it raises a limit of scripts.
    fn tune(&mut self, key: &str, value: &str) -> Result<(), PlaytestError>;
    /// The current state of an entity; none if no entity has this name.
    fn entity(&self, name: &str) -> Option<EntityView>;
    /// The current variables of an entity; empty if no entity has this name.
    fn vars(&self, name: &str) -> BTreeMap<String, Value>;
    /// What an entity has because of scripts of mods above its own, by the layers' names: a map with `vars` each.
    fn layers(&self, name: &str) -> BTreeMap<String, Value>;
    /// The current variables of the level itself; empty if it has no script.
    fn level_vars(&self) -> BTreeMap<String, Value>;
    /// Where a solid is now; none if no solid has this name.
    fn solid(&self, _name: &str) -> Option<SolidView> {
        None
    }
    /// What a script shows under a name: that of this entity, or without one any script.
    fn shown(&self, _by: Option<&str>, _name: &str) -> Option<Arc<Drawn>> {
        None
    }
    /// The color that a script has given to an entity, and whether the entity is painted.
    fn looks(&self, _name: &str) -> (Option<DrawnColor>, bool) {
        (None, true)
    }
    /// The names of all entities.
    fn names(&self) -> Vec<String>;
    /// The names of all entities of a kind.
    fn of_kind(&self, kind: &str) -> Vec<String>;
    /// How often the sound with this name was heard so far.
    ///
    /// # Errors
    /// A message for the user, if nothing in the level has a sound with this name.
    fn heard(&self, name: &str) -> Result<u64, PlaytestError> {
        let _ = name;
        Ok(0)
    }
    /// All events so far, oldest first.
    fn events(&self) -> &[Event];
    /// The hash of the state, as in traces.
    fn hash(&self) -> u64;
    /// About how much memory the level holds, bytes: its files as they are built, its state, and what
    /// the test has seen so far.
    fn memory(&self) -> u64;
    /// About how much memory a snapshot holds, bytes.
    fn snapshot_memory(&self) -> u64;
    /// Takes a snapshot: state, events, settings and held keys.
    fn snapshot(&self) -> Snapshot;
    /// Restores a snapshot.
    ///
    /// # Errors
    /// If the snapshot is of another level.
    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), PlaytestError>;
    /// The reasons for an entity's motion in the last step.
    fn why(&self, name: &str) -> Vec<Reason>;
    /// The reasons for everything the entity has done besides plain motion, oldest first, along with all other reasons of
    /// the same steps.
    fn why_history(&self, name: &str) -> Vec<Reason>;
    /// The errors of behaviors in the last tick.
    fn take_faults(&mut self) -> Vec<Fault>;
    /// The largest x and y that the center of an entity has had so far, px. None if there was no such
    /// entity, or if the level does not keep this.
    fn reach(&self, _name: &str) -> Option<DVec2> {
        None
    }
}
