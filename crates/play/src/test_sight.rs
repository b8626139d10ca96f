//! What a test sees of the level that it plays.

use glam::DVec2;
use hangtime_core::sim::{Drawn, DrawnBy, DrawnColor, EntityId};
use hangtime_game::Live;
use hangtime_script::{PlaytestError, SolidView};
use std::sync::Arc;

/// The entity with this name.
fn entity(live: &Live, name: &str) -> Option<EntityId> {
    let entities = live.world().entities();
    entities.iter().find(|e| &*e.name == name).map(|e| e.id)
}

/// What the entity with this name has drawn.
fn drawn_by<'l>(live: &'l Live, name: &str) -> Option<&'l DrawnBy> {
    live.world().drawing().of(entity(live, name)?)
}

/// Where a solid is.
pub(super) fn solid(live: &Live, name: &str) -> Option<SolidView> {
    let (world, stage) = (live.world(), &live.revision().stage);
    let index = stage.level.terrain.solid_named(name)?;
    let path = stage.level.terrain.solids()[index as usize].path.as_ref();
    let moved = path.map(|path| world.changes().offset(index, path, world.seconds(stage)));
    Some(SolidView { moved: moved.unwrap_or_default(), present: world.is_present(index) })
}

/// What a script has drawn under a name: that of this entity, or without one the first.
pub(super) fn shown(live: &Live, by: Option<&str>, name: &str) -> Option<Arc<Drawn>> {
    let find = |by: &DrawnBy| by.things().iter().find(|thing| &*thing.name == name).cloned();
    match by {
        Some(by) => find(drawn_by(live, by)?),
        None => live.world().drawing().owners().find_map(|(_, by)| find(by)),
    }
}

/// The color that a script has given to an entity, and whether it is painted.
pub(super) fn looks(live: &Live, name: &str) -> (Option<DrawnColor>, bool) {
    drawn_by(live, name).map_or((None, true), |by| (by.color, !by.hidden))
}

/// The entity with this name, if a test can place it at a point.
pub(super) fn entity_to_place(live: &Live, name: &str, at: DVec2) -> Result<EntityId, PlaytestError> {
    let Some(id) = entity(live, name) else {
        return Err(PlaytestError(format!("there is no entity `{name}`")));
    };
    let bounds = live.revision().stage.level.bounds;
    if bounds.holds(at) {
        return Ok(id);
    }
    let (min, max) = (bounds.min, bounds.max);
    Err(PlaytestError(format!(
        "({}, {}) is outside of the level's bounds, ({}, {}) to ({}, {})",
        at.x, at.y, min.x, min.y, max.x, max.y
    )))
}

/// The random seed that a test has chosen, 0 without one.
///
/// # Errors
/// If it is not a whole number from 0 on.
pub(super) fn seed_of(settings: &[(String, String)]) -> Result<u64, PlaytestError> {
    let Some((_, seed)) = settings.iter().rev().find(|(key, _)| key == SEED) else {
        return Ok(0);
    };
    seed.parse()
        .map_err(|_| PlaytestError(format!("`{SEED}` is {seed}; it must be a whole number from 0 on")))
}

/// The key of the random seed among the settings of `play`.
pub(super) const SEED: &str = "seed";
