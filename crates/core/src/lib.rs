//! Gameplay physics: shapes, terrain, five movement models and the tick that moves everything.
//!
//! This crate turns a level, its entities and the players' inputs into the next tick, the same on every target. It does
//! not know files, clocks, threads, windows or scripts. Scripts or native code that decide the rules plug in through the
//! trait [`sim::Rules`].
//!
//! Start with [`sim::World::tick`], which is the whole tick on one page. It reads a [`sim::Stage`] (level and tuning)
//! and [`sim::Inputs`], asks the rules, and changes the [`sim::World`]. Afterward, [`sim::World::events`] lists what
//! happened.
//!
//! A hero falls onto a floor:
//!
//! ```
//! use hangtime_core::geometry::Collider;
//! use hangtime_core::level::{Level, Solid, SurfaceId, View};
//! use hangtime_core::models::{Loadouts, ModelName, ModelTunings};
//! use hangtime_core::sim::{Inputs, NativeRules, Profile, Stage, Start, World};
//! use hangtime_core::tuning::{SimulationTuning, SurfaceTuning};
//!
//! let floor = Solid::rectangle("floor", SurfaceId(0), [-200.0, -40.0], [200.0, 0.0]);
//! let level = Level::new("yard", View::Side, vec![floor], vec!["stone".into()]);
//! let loadouts = Loadouts::new(ModelTunings::default(), |_| Collider::ellipse(11.0, 19.0).into());
//! let profiles = vec![Profile::new("hero", ModelName::platformer, loadouts)];
//! let starts = vec![Start::new("hero", 0, [0.0, 100.0])];
//! let simulation = SimulationTuning::default();
//! let stage = Stage::new(level, &simulation, None, vec![SurfaceTuning::default()], profiles, starts);
//!
//! let mut world = World::new(&stage, 0);
//! for _ in 0..60 {
//!     world.tick(&stage, &Inputs::none(), &mut NativeRules);
//! }
//! let hero = world.entity("hero").expect("it is in the level");
//! println!("{} {}", world.mode(hero), world.body(hero).pos);
//! # assert_eq!((world.body(hero).pos.y, world.mode(hero).as_str()), (19.0, "ground"));
//! ```
//!
//! # Modules
//!
//! A module uses only the modules below it.
//!
//! | module | contents |
//! |---|---|
//! | [`sim`] | world, tick, events, snapshots, hashes |
//! | [`models`] | one module for each movement model |
//! | [`level`], [`tuning`] | terrain and sliding along it; declarations of all tunables |
//! | [`geometry`] | shapes and exact sweeps |
//!
//! # Conventions
//!
//! x points right and y points **up**; in a top view y points north and z is the height above the ground. Lengths are in
//! px, times in s, angles in radians counterclockwise from +x. All quantities are `f64`. A position is a body's center,
//! and normals point out of the solid.

mod digest;
// Files that unit tests share with other tests name the crate as these do.
#[cfg(test)]
extern crate self as hangtime_core;

pub mod geometry;
pub mod level;
pub mod models;
mod named;
pub mod sim;
pub mod tuning;

pub use glam;

use arrayvec::ArrayVec;
use geometry::{
    Collider, ColliderForm, TOUCH,
    grid::{Bounds, Extent},
};
use glam::DVec2;
use level::{Feature, Level, SurfaceId, Transit, View};
use models::saved::{Checked, FARTHEST_SAVED, SavedContext, Within, ensure, vector};
use serde::{Deserialize, Serialize};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt, mem,
    ops::Range,
    sync::Arc,
};
use tuning::{SetError, Setting};
