//! **hangtime** is a native runtime for gameplay physics. A compiled core moves characters by
//! published movement models; scripts decide the rules, TOML files hold the numbers, and both
//! change while the game runs, without the moment being lost.
//!
//! # Where to start
//!
//! The tick is one page: [`sim::World::tick`]. It reads a [`sim::Stage`] (level and tuning), takes
//! [`sim::Inputs`] and asks [`sim::Rules`]; out come a changed [`sim::World`] and its events.
//!
//! To use the library, open a game folder and step it:
//!
//! ```
//! use hangtime::project::{Live, Project};
//! use hangtime::models::Action;
//! use hangtime::sim::{Inputs, PlayerInput};
//! use std::sync::Arc;
//!
//! # fn main() -> Result<(), String> {
//! let project = Project::load(".").map_err(|e| e.headline())?;
//! let level = project.find_level("playground").map_err(|e| e.headline())?;
//! let revision = project.open(&level, &vec![]).map_err(|e| e[0].headline())?;
//! let mut game = Live::new(Arc::new(revision), 0);
//!
//! let right = PlayerInput { held: [Action::Right].into_iter().collect(), ..Default::default() };
//! for _ in 0..60 {
//!     game.step(&Inputs::of_first(right));
//! }
//! let hero = game.views().next().ok_or("nobody is there")?;
//! assert!(hero.pos.x > 360.0);
//! # Ok(())
//! # }
//! ```
//!
//! Scripts run on the calling thread, which needs a stack of [`script::host::STACK`] bytes.
//!
//! # The house
//!
//! The modules are floors. A file uses its own floor's module and those below, never one above;
//! `tests/tidy` fails with the rule's name when that is broken.
//!
//! | floor | module | what is there |
//! |---|---|---|
//! | 7 | [`cli`] | the commands, one file each |
//! | 6 | [`playtest`], `viewer` | playing without a window, and with one |
//! | 5 | [`project`], [`draw`] | a folder on disk and its revisions; pictures |
//! | 4 | [`script`] | rules in scripts: the host, and the Rhai room |
//! | 3 | [`sim`] | the world, the tick, events, snapshots, hashes |
//! | 2 | [`models`] | the movement models |
//! | 1 | [`level`], [`tuning`] | terrain and motion along it; every tunable, declared once |
//! | 0 | [`geometry`] | shapes and exact sweeps |
//!
//! Floors 0 to 3 know no file, clock, thread, window or script.
//!
//! # Conventions
//!
//! x points right and y points **up** (unlike Godot or LÖVE). Lengths are px, times s, speeds
//! px/s, angles radians counter-clockwise from +x (in files degrees, with names that end in
//! `_deg`). Everything is `f64`. A position is that of a body's center. Normals are unit vectors
//! out of the solid.

pub mod cli;
pub mod draw;
pub mod geometry;
pub mod level;
pub mod models;
pub mod playtest;
pub mod project;
pub mod script;
pub mod sim;
pub mod tuning;
#[cfg(feature = "viewer")]
pub mod viewer;
