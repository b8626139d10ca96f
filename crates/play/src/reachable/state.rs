//! Which states of a game count as one place.

use super::*;
use hangtime_core::sim::{Digest, Value};

/// A moving solid this near to a body makes a difference, px, and how far it has to move for that.
const NEAR: f64 = 400.0;
const PHASE: f64 = 48.0;

/// What tells two bodies in the same place apart: the model, the stance, the flags and texts among the script's
/// variables and the level's, the solids and zones that are switched off, created or broken, and where moving solids
/// near it are. All else is left out: numbers of scripts, other entities, timers.
pub fn state_of(stage: &Stage, world: &World, entity: &Entity) -> u64 {
    let changes = world.changes();
    let mut text = format!("{} {:?} {:?} {:?}", entity.model, entity.stance(), changes.absent, changes.zones_off);
    if !changes.created.is_empty() || !changes.broken.is_empty() {
        text += &format!("{:?} {:?}", changes.created, changes.broken);
    }
    let level = world.level_vars().map(|vars| vars.0.to_plain());
    for vars in [Some(entity.vars.0.to_plain()), level].into_iter().flatten() {
        for (name, value) in vars {
            if matches!(value, Value::Bool(_) | Value::Text(_)) {
                text += &format!(" {name}={value:?}");
            }
        }
    }
    let terrain = &world.level(stage).terrain;
    let (at, seconds) = (world.body(entity).pos, world.seconds(stage));
    for mover in terrain.movers() {
        let index = terrain.platforms()[usize::from(*mover)].solid;
        let solid = &terrain.solids()[index as usize];
        let moved = solid.path.as_ref().map(|path| changes.offset(index, path, seconds)).unwrap_or_default();
        if solid.bounds.moved(moved).grown(DVec2::splat(NEAR)).holds(at) {
            let angle = changes.tilt(index, solid, seconds).map_or(0.0, |tilt| tilt.angle());
            let phase = [moved.x / PHASE, moved.y / PHASE, angle / 15.0].map(|part| part.round() as i64);
            text += &format!(" {index}:{phase:?}");
        }
    }
    Digest::of(&text)
}
