//! Events to come, and what scripts say to each other.

use super::script_state::{MOST_FAILURES, Timer};
use super::{EntityId, EventKind, Stage, Turn, World};
use std::sync::Arc;

impl World {
    /// Sets an event to come, so many seconds from now and at least one tick.
    pub(super) fn set_timer(
        &mut self,
        stage: &Stage,
        entity: EntityId,
        seconds: f64,
        name: &Arc<str>,
    ) {
        let ticks = (seconds * f64::from(stage.hz)).round().max(1.0) as u64;
        self.timers.push(Timer {
            due: self.tick + ticks,
            entity,
            name: name.clone(),
        });
    }

    /// Forgets the events to come of this name.
    pub(super) fn cancel_timers(&mut self, entity: EntityId, name: &str) {
        self.timers
            .retain(|timer| timer.entity != entity || *timer.name != *name);
    }

    /// Tells of the events whose time has come.
    pub(super) fn ring(&mut self) {
        if !self.timers.iter().any(|timer| timer.due <= self.tick) {
            return;
        }
        let (due, rest) = std::mem::take(&mut self.timers)
            .into_iter()
            .partition::<Vec<_>, _>(|timer| timer.due <= self.tick);
        self.timers = rest;
        for Timer { entity, name, .. } in due {
            self.say(self.tick, entity, EventKind::Timer { name });
        }
    }

    /// Notes something about an entity or the level.
    pub(super) fn say(&mut self, tick: u64, entity: EntityId, happening: EventKind) {
        if entity == EntityId::LEVEL {
            self.note_of_level(tick, happening);
        } else if let Some(index) = self.index_of(entity) {
            self.note(tick, index, happening);
        }
    }

    /// Counts how often a script fails in a row. One that goes on failing is not called any more, and what
    /// it has ruled is forgotten: tuning decides.
    pub(super) fn judge(&mut self, index: usize, failed: bool, decided: bool) {
        let now = self.tick;
        let entity = &mut self.entities[index];
        if !failed
            && entity
                .script_state
                .as_ref()
                .is_none_or(|own| own.failures == 0)
        {
            return;
        }
        if entity.script_state_mut().count(failed, decided, now) {
            entity.ruled_model = None;
            entity.model_due = true;
            self.lanes.body_mut(&self.entities[index]).windows = Default::default();
            self.note(self.tick + 1, index, EventKind::Quarantine);
        }
    }

    /// The same for the level's own script.
    pub(super) fn judge_level(&mut self, turn: &Turn) {
        if turn.called && self.level.script_state.count(turn.failed, true, self.tick) {
            self.note_of_level(self.tick + 1, EventKind::Quarantine);
        }
    }
}

// A u8 counts far enough.
const _: () = assert!(MOST_FAILURES < u8::MAX);
