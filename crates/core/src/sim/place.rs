//! Moving an entity and emitting events from outside, between two ticks.

use super::apply::teleport;
use super::event::EventKind;
use super::executor::Serial;
use super::flight::end_flight;
use super::id::EntityId;
use super::stage::Stage;
use super::value::Value;
use super::world::World;
use glam::DVec2;
use std::sync::Arc;

impl World {
    /// Moves an entity to a point, px, out of solids, as a script's `place` does: it keeps its velocity, and
    /// lets go of its hook and of walls. Returns false and does nothing if it does not exist, the point is
    /// not in the level, or there is no room.
    pub fn place(&mut self, stage: &Stage, id: EntityId, at: DVec2) -> bool {
        let Some(index) = self.population.index_of(id) else {
            return false;
        };
        if !stage.level.bounds.holds(at) {
            return false;
        }
        let standing = self.standing(stage);
        let tuned = self.tuned_stage(stage);
        let stage = tuned.as_ref().unwrap_or(stage);
        let place = (at, None);
        let population = &mut self.population;
        if !teleport(population, stage, &standing, index, place, self.tick) {
            return false;
        }
        let entity = &mut population.entities[index];
        if entity.jumping {
            end_flight(entity);
        }
        let around = stage.surroundings(self.tick, &standing);
        population.lanes.sense(&Serial, stage, &around);
        population.lanes.report(|_, _| {});
        true
    }

    /// Emits an event, as a script's `world::emit` does in a tick: in the next one it calls `fn on_NAME`
    /// of every script that has it. It is an event of the level.
    pub fn emit(&mut self, name: Arc<str>, data: Value) {
        let signal = EventKind::Signal { name, data };
        self.journal.emit_for_level(self.tick, signal);
        self.journal.sort();
    }
}
