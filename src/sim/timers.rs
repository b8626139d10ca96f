//! Timers: events that scripts have scheduled with `after`.

use super::event::EventKind;
use super::id::EntityId;
use super::journal::Journal;
use super::population::Population;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A scheduled event.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Timer {
    /// The tick at whose end it fires.
    pub due: u64,
    /// The entity that receives the event.
    pub entity: EntityId,
    /// The event's name.
    pub name: Arc<str>,
}

/// All timers, in the order in which they were set.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Timers(pub Vec<Timer>);

impl Timers {
    /// Removes an entity's timers with this name.
    pub fn cancel(&mut self, entity: EntityId, name: &str) {
        self.0
            .retain(|timer| timer.entity != entity || *timer.name != *name);
    }

    /// The timers of an entity or, with [`EntityId::LEVEL`], of the level.
    pub fn of(&self, entity: EntityId) -> impl Iterator<Item = &Timer> {
        self.0.iter().filter(move |timer| timer.entity == entity)
    }

    /// Emits the events that are due at the end of the tick `now`.
    pub fn fire(&mut self, population: &Population, journal: &mut Journal, now: u64) {
        if !self.0.iter().any(|timer| timer.due <= now) {
            return;
        }
        let (due, rest) = std::mem::take(&mut self.0)
            .into_iter()
            .partition::<Vec<_>, _>(|timer| timer.due <= now);
        self.0 = rest;
        for Timer { entity, name, .. } in due {
            journal.emit_for(population, entity, now, EventKind::Timer { name });
        }
    }
}

/// The tick at whose end a timer of this many seconds, set in the tick `now`, fires: rounded to the
/// nearest tick, never the current one.
pub(super) fn due_tick(seconds: f64, now: u64, hz: u32) -> u64 {
    now + (seconds * f64::from(hz)).round().max(1.0) as u64
}
