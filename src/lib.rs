//! **hangtime** is a runtime for gameplay physics. A compiled core moves characters by published
//! movement models, Rhai scripts decide the rules, and TOML files hold the numbers. Scripts and
//! numbers can change while the game runs, and the game keeps its state.
//!
//! # A first program
//!
//! Open a game folder, step it, and look at the result:
//!
//! ```
//! use hangtime::models::Action;
//! use hangtime::project::{Live, Project};
//! use hangtime::sim::{Inputs, PlayerInput};
//! use std::sync::Arc;
//!
//! fn main() -> Result<(), hangtime::Error> {
//!     let project = Project::load(".")?;
//!     let level = project.find_level("playground")?;
//!     let revision = project.open(&level, &[])?;
//!     let mut game = Live::new(Arc::new(revision), 0);
//!
//!     let right = PlayerInput { held: [Action::Right].into_iter().collect(), ..Default::default() };
//!     for _ in 0..60 {
//!         game.step(&Inputs::of_first(right));
//!     }
//!     for entity in game.views() {
//!         println!("{} is at {}", entity.name, entity.pos);
//!     }
//! #   let hero = game.views().next().expect("the playground has a hero");
//! #   assert!(hero.pos.x > 360.0);
//!     Ok(())
//! }
//! ```
//!
//! Scripts run on the thread that calls [`Live::step`](project::Live::step). That thread needs a stack
//! of [`STACK`](script::host::STACK) bytes, set with [`std::thread::Builder::stack_size`].
//!
//! # Where to start reading
//!
//! * [`project`] opens a game folder, checks it, runs a level and reloads it. Most programs need only
//!   this module, the inputs and views of [`sim`], [`models::Action`], and [`Error`].
//! * [`sim::World::tick`] is the whole tick on one page. It reads a [`sim::Stage`] (level and tuning)
//!   and [`sim::Inputs`], asks the rules through the trait [`sim::Rules`], and changes the
//!   [`sim::World`]. Afterward, [`sim::World::events`] lists what happened.
//! * [`models`] has one module for each movement model.
//! * [`script::rhai`] implements [`sim::Rules`] for scripts.
//!
//! # Modules
//!
//! The modules are stacked in layers. A file uses its own module and modules in lower layers, never
//! another module in its own layer or above. `tests/tidy` checks that.
//!
//! | layer | module | contents |
//! |---|---|---|
//! | 7 | [`cli`] | the commands of the `hangtime` program, one file each |
//! | 6 | [`playtest`], [`workbench`], `viewer`, [`editor`], [`service`] | playing without a window; time, marks, ghosts and the log; the window; a language server; worlds that other programs drive |
//! | 5 | [`project`], [`draw`] | game folders and their revisions; pictures |
//! | 4 | [`script`] | rules in scripts: a host that works with any language, and Rhai |
//! | 3 | [`sim`] | world, tick, events, snapshots, hashes |
//! | 2 | [`models`] | movement models |
//! | 1 | [`level`], [`tuning`] | terrain and sliding along it; declarations of all tunables |
//! | 0 | [`geometry`] | shapes and exact sweeps |
//!
//! Layers 0 to 3 use no files, clocks, threads, windows or scripts. With the same revision, seed
//! and inputs, every tick has the same [hash](sim::World::hash). `docs/conventions.md` says which
//! targets this is checked on.
//!
//! # Conventions
//!
//! * x points right and y points **up**, unlike in Godot or LÖVE. In a top view, y points north and z is
//!   the height above the ground plane.
//! * Lengths are in px, times in s, speeds in px/s.
//! * Angles are in radians, counterclockwise from +x. Files use degrees where a key ends in `_deg`.
//! * Physical quantities are `f64`.
//! * The position of a body is its center.
//! * Normals have length 1 and point out of the solid.

pub mod cli;
pub mod draw;
pub mod editor;
pub mod geometry;
pub mod level;
pub mod models;
pub mod playtest;
pub mod project;
pub mod script;
pub mod service;
pub mod sim;
pub mod tuning;
#[cfg(feature = "viewer")]
pub mod viewer;
pub mod workbench;

pub use project::Error;
