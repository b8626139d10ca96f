//! Solids that can be switched off.

use crate::ground::{Ground, Play};
use glam::DVec2;
use hangtime_core::{
    geometry::polygon,
    level::{Solid, SurfaceId},
    sim::{Command, EntityId},
};

/// A switchable box, from corner to corner.
pub fn door(name: &str, from: (f64, f64), to: (f64, f64), present: bool) -> Solid {
    let points = [from, (to.0, from.1), to, (from.0, to.1)].map(DVec2::from);
    let outline = polygon::outline(&points).expect("a simple polygon");
    Solid { present: Some(present), ..Solid::new(name.into(), SurfaceId(0), outline) }
}

/// Ground with such solids on it.
pub fn with(mut ground: Ground, doors: impl IntoIterator<Item = Solid>) -> Ground {
    ground.others.extend(doors);
    ground
}

/// Switches a solid by its name, before the next tick.
pub fn switch(play: &mut Play, name: &str, there: bool) {
    let solid = play.stage.level.terrain.solid_named(name);
    let order = Command::Switch(solid.expect("a solid"), there);
    play.world.order(&play.stage, EntityId(1), &order);
}
