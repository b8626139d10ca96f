//! Gameplay physics: shapes, terrain, five movement models and the tick that moves everything.
//!
//! This crate knows no files, clocks, threads, windows or scripts. It turns a level, its entities and the players'
//! inputs into the next tick, the same on every target. Whatever decides the rules plugs in through the trait
//! [`sim::Rules`].
//!
//! # Modules
//!
//! A module uses only those below it.
//!
//! | module | contents |
//! |---|---|
//! | [`sim`] | world, tick, events, snapshots, hashes |
//! | [`models`] | one module for each movement model |
//! | [`level`], [`tuning`] | terrain and sliding along it; declarations of all tunables |
//! | [`geometry`] | shapes and exact sweeps |
//!
//! Start with [`sim::World::tick`], which is the whole tick on one page. It reads a [`sim::Stage`] (level and tuning)
//! and [`sim::Inputs`], asks the rules, and changes the [`sim::World`]. Afterward, [`sim::World::events`] lists what
//! happened.
//!
//! # Conventions
//!
//! x points right and y points **up**; in a top view y points north and z is the height above the ground. Lengths are in
//! px, times in s, angles in radians counterclockwise from +x. All quantities are `f64`. A position is a body's center,
//! and normals point out of the solid.

pub mod geometry;
pub mod level;
pub mod models;
pub mod sim;
pub mod tuning;
