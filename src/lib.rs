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
//! This library only gathers the crates of the workspace under one name. A program that needs less depends on
//! one of them alone:
//!
//! | module | crate | contents |
//! |---|---|---|
//! | [`geometry`], [`level`], [`tuning`], [`models`], [`sim`] | `hangtime-core` | shapes, terrain, movement models and the tick; no files, clocks, threads or scripts |
//! | [`script::host`] | `hangtime-script` | what any script language needs: messages, the table of calls, limits, the traits of a language |
//! | [`script::rhai`] | `hangtime-rhai` | Rhai: engine, compiler, checker |
//! | [`project`] | `hangtime-game` | a game folder and its revisions; mods, maps of Tiled and LDtk, recordings, reload |
//! | [`draw`] | `hangtime-draw` | state in, pixels or SVG out |
//! | [`playtest`] | `hangtime-play` | headless runs, tests, goldens, sweeps |
//! | [`workbench`] | `hangtime-workbench` | time, marks, ghosts, panel and keys, without a window |
//! | `viewer` | `hangtime-window` | the window (feature `viewer`) |
//! | [`service`], [`editor`] | `hangtime-service` | worlds that other programs drive; a language server |
//!
//! [`sim::World::tick`] is the whole tick on one page. With the same revision, seed and inputs, every tick has the
//! same [hash](sim::World::hash). `docs/conventions.md` says which targets this is checked on.
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

pub use hangtime_core::{geometry, level, models, sim, tuning};
pub use hangtime_draw as draw;
pub use hangtime_game as project;
pub use hangtime_game::Error;
pub use hangtime_play as playtest;
pub use hangtime_service as service;
pub use hangtime_service::editor;
#[cfg(feature = "viewer")]
pub use hangtime_window as viewer;
pub use hangtime_workbench as workbench;

/// Rules written in scripts.
pub mod script {
    pub use hangtime_rhai as rhai;
    pub use hangtime_script as host;
}
