//! An entity of a level that a test plays.

use super::level::TestLevel;
use crate::budget::charge;
use crate::message::names::suggestion;
use crate::{CallRefusal, refuse};
use glam::DVec2;
use hangtime_core::sim::{DrawnColor, EntityId, EntityView, Event, Value};

/// Operations charged for looking at an entity.
const PER_VIEW: u64 = 40;

/// An entity of a level that a test plays; reads return its current state.
#[derive(Clone, Debug)]
pub struct LiveEntity {
    level: TestLevel,
    name: String,
}

impl LiveEntity {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its current state.
    pub(in crate::calls) fn view(&self) -> Result<EntityView, CallRefusal> {
        charge(PER_VIEW)?;
        match self.level.lock().entity(&self.name) {
            Some(view) => Ok(view),
            None => gone(&self.name),
        }
    }

    /// The largest x and y of its center so far.
    pub(super) fn reach(&self) -> Result<DVec2, CallRefusal> {
        charge(PER_VIEW)?;
        match self.level.lock().reach(&self.name) {
            Some(reach) => Ok(reach),
            None => refuse(format!("`{}` was not in this level", self.name)),
        }
    }

    /// Its variables.
    pub(super) fn vars(&self) -> Result<Value, CallRefusal> {
        charge(PER_VIEW)?;
        let level = self.level.lock();
        match level.entity(&self.name) {
            Some(_) => Ok(Value::Map(level.vars(&self.name))),
            None => gone(&self.name),
        }
    }

    /// Its color, unless it has the usual one, and whether it is painted.
    pub(super) fn looks(&self) -> Result<(Option<DrawnColor>, bool), CallRefusal> {
        charge(PER_VIEW)?;
        let level = self.level.lock();
        match level.entity(&self.name) {
            Some(_) => Ok(level.looks(&self.name)),
            None => gone(&self.name),
        }
    }

    /// What it has because of scripts of mods above its own.
    pub(super) fn layers(&self) -> Result<Value, CallRefusal> {
        charge(PER_VIEW)?;
        let level = self.level.lock();
        match level.entity(&self.name) {
            Some(_) => Ok(Value::Map(level.layers(&self.name))),
            None => gone(&self.name),
        }
    }
}

fn gone<T>(name: &str) -> Result<T, CallRefusal> {
    refuse(format!("`{name}` is no longer in the level"))
}

impl TestLevel {
    /// Checks that an entity with this name is in the level.
    pub(super) fn require_entity(&self, name: &str) -> Result<(), CallRefusal> {
        let level = self.lock();
        if level.entity(name).is_some() {
            return Ok(());
        }
        let was = |e: &Event| &*e.name == name && e.entity != EntityId::LEVEL;
        if level.events().iter().any(was) {
            return gone(name);
        }
        let names = level.names();
        let hint = suggestion(name, names.iter().map(String::as_str).collect::<Vec<_>>());
        refuse(format!("there is no entity `{name}` in this level{hint}"))
    }

    /// An entity by its name, whether it is in the level or not.
    pub fn live(&self, name: String) -> LiveEntity {
        LiveEntity { level: self.clone(), name }
    }
}
