//! What test scripts may do: the seam between a script language and the headless runner.

use super::{Fault, Reason};
use crate::models::Action;
use crate::sim::{EntityView, Event, Value};
use glam::DVec2;
use std::any::Any;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Settings as the command line takes them: dotted keys and values as text.
pub type Settings = Vec<(String, String)>;

/// Why a test cannot open a level, play an input file, change a setting or restore a snapshot. The
/// text is the whole message for the author of the test.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct PlaytestError(pub String);

/// Opens levels for a test.
pub trait Playtest: Send + Sync {
    /// Opens a level under some settings.
    ///
    /// # Errors
    /// What is wrong with the level or the settings, as the user should read it.
    fn play(&self, level: &str, settings: &Settings)
    -> Result<Box<dyn PlayedLevel>, PlaytestError>;
}

/// A moment of a level that a test plays. What is in it only the level knows that it was taken from.
#[derive(Clone, Debug)]
pub struct Snapshot(pub Arc<dyn Any + Send + Sync>);

/// A level being played by a test, tick by tick.
pub trait PlayedLevel: Send + Sync {
    /// How many ticks were made.
    fn tick(&self) -> u64;
    /// Ticks a second.
    fn hz(&self) -> u32;
    /// Makes one tick.
    fn step(&mut self);
    /// Holds an action down for a player, from 1.
    fn hold(&mut self, player: u8, action: Action);
    /// Lets it go.
    fn release(&mut self, player: u8, action: Action);
    /// Presses it for the next tick alone.
    fn press(&mut self, player: u8, action: Action);
    /// Moves the stick.
    fn steer(&mut self, player: u8, stick: DVec2);
    /// Aims at a point.
    fn aim(&mut self, player: u8, point: DVec2);
    /// Plays an input file from the next tick on; returns how many ticks it lasts.
    ///
    /// # Errors
    /// What is wrong with the file.
    fn input(&mut self, file: &str) -> Result<u64, PlaytestError>;
    /// Changes a setting from now on, with all state kept, as a change of the file would.
    ///
    /// # Errors
    /// What is wrong with key or value.
    fn tune(&mut self, key: &str, value: &str) -> Result<(), PlaytestError>;
    /// The entity with this name, as it is now.
    fn entity(&self, name: &str) -> Option<EntityView>;
    /// Its variables, as they are now.
    fn vars(&self, name: &str) -> BTreeMap<String, Value>;
    /// The level's own variables, as they are now; none where it has no script.
    fn level_vars(&self) -> BTreeMap<String, Value>;
    /// The names of all entities.
    fn names(&self) -> Vec<String>;
    /// The names of all entities of a kind.
    fn of_kind(&self, kind: &str) -> Vec<String>;
    /// What has happened so far, oldest first.
    fn events(&self) -> &[Event];
    /// The state's hash, as traces show it.
    fn hash(&self) -> u64;
    /// This moment, to go back to: state, events, settings and what is held.
    fn snapshot(&self) -> Snapshot;
    /// Goes back to a moment.
    ///
    /// # Errors
    /// When it is one of another level.
    fn restore(&mut self, moment: &Snapshot) -> Result<(), PlaytestError>;
    /// What moved the entity with this name in the last step.
    fn why(&self, name: &str) -> Vec<Reason>;
    /// What was more than plain motion of the entity with this name so far, oldest first, with what
    /// else moved it in the same steps.
    fn diary(&self, name: &str) -> Vec<Reason>;
    /// Errors of behaviors that nobody has been told of yet.
    fn take_faults(&mut self) -> Vec<Fault>;
}
