//! Teleporting entities between two ticks, for programs that drive a world from outside.

use super::{apply::teleport, *};

/// Where an entity is teleported to. From a point alone, it keeps its height and velocity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Teleport {
    /// The center, px.
    pub at: DVec2,
    /// The height of the feet in a top view, px, if it changes.
    pub z: Option<f64>,
    /// The model's velocity and, in a top view, its vertical part, px/s, if it changes.
    pub velocity: Option<(DVec2, f64)>,
}

impl From<DVec2> for Teleport {
    fn from(at: DVec2) -> Self {
        Self { at, z: None, velocity: None }
    }
}

impl World {
    /// Moves an entity out of solids, as a script's `place` does: it lets go of its hook and of walls. Returns
    /// false and does nothing if it does not exist, the point is not in the level, or there is no room.
    pub fn place(&mut self, stage: &Stage, id: EntityId, to: impl Into<Teleport>) -> bool {
        let Teleport { at, z, velocity } = to.into();
        let Some(index) = self.population.index_of(id) else {
            return false;
        };
        if !stage.level.bounds.holds(at) {
            return false;
        }
        let changed = self.stage(stage);
        let stage = &*changed;
        let standing = self.standing(stage);
        let tuned = self.tuned_stage(stage);
        let stage = tuned.as_ref().unwrap_or(stage);
        if !teleport(self, stage, &standing, index, at, z) {
            return false;
        }
        let Population { entities, lanes, .. } = &mut self.population;
        let entity = &mut entities[index];
        if entity.jumping {
            end_flight(entity);
            self.aside.settled = false;
        }
        if let Some((velocity, up)) = velocity {
            move_body(lanes, entity, &Command::SetVelocity(velocity, up));
        }
        // The results that a phase leaves for the next are not saved, so they end here.
        self.sense_all(stage);
        self.population.lanes.report(|_, _| {});
        true
    }
}
