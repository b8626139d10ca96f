//! Worlds that other programs drive in lock-step, and a language server for editors.
//!
//! * A program in the same process uses [`ServedGame`] and [`ServedWorld`]: create, step, observe, fork, save, restore.
//!   They know nothing of messages or sockets; the module for Python is made of them.
//! * Other processes send the messages of `docs/protocol.md` to a [`Service`]: JSON-RPC on stdin and stdout, TCP or
//!   WebSocket. The module `protocol` declares the messages, and `server` carries them out; its page says on which
//!   thread.
//! * [`editor`] answers what a text editor asks for while a game is written, and [`mcp`] has the tools of assistants.
//!
//! The crate knows no windows and no program arguments.
//!
//! A world moves only when it is asked to:
//!
//! ```
//! use hangtime_service::{Column, ColumnReader, ServedGame, ServedWorld, WorldStart};
//! use std::ops::ControlFlow;
//! use std::sync::Arc;
//!
//! let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
//! let game = Arc::new(ServedGame::load(folder)?);
//! let start = WorldStart { level: "playground".into(), seed: 7, ..WorldStart::default() };
//! let mut world = ServedWorld::create(&game, &start)?;
//!
//! // Half a second to the right, a jump, and a copy that plays the same from there.
//! world.queue("30 right\n1 right jump\n29 right\n")?;
//! world.step(31, |_| ControlFlow::<()>::Continue(()));
//! let mut fork = world.fork();
//! for world in [&mut world, &mut fork] {
//!     world.step(29, |_| ControlFlow::<()>::Continue(()));
//! }
//! assert_eq!(world.live().world().hash(), fork.live().world().hash());
//!
//! // Numbers of all entities, for programs that read many.
//! let mut reader = ColumnReader::new(vec![Column::parse("pos.x")?], world.live(), |_| true);
//! let mut numbers = vec![0.0; reader.len()];
//! reader.read(world.live(), &mut numbers);
//! assert!(numbers.iter().all(|x| x.is_finite()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod column;
pub mod editor;
mod error;
mod game;
mod input_queue;
pub mod mcp;
mod protocol;
mod server;
mod snapshot;
mod teleport;
mod variables;
mod world;

pub use column::{Column, ColumnReader};
pub use error::ServiceError;
pub use game::ServedGame;
pub use input_queue::{InputQueue, MOST_INPUT_TEXT};
pub use protocol::{DiagnosticLine, SceneResult, protocol_openrpc, protocol_schema};
pub use server::{SceneTick, Service, ServiceLimits, ServiceOptions, scene_of};
pub use variables::check_variable;
pub use world::{ServedWorld, WorldStart};

use glam::DVec2;
use hangtime_core::sim::{Entity, EntityId, EntityView, Inputs, PlayerInput, Value};
use hangtime_game::{Error, GameFolder, Live, Revision};
use hangtime_play::EventLine;
use hangtime_script::{
    Diagnostic, Settings, SourceFile,
    names::suggestion,
    text::{cut_name, printable_name},
};
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::{
    collections::{BTreeMap, BTreeSet},
    io, mem,
    ops::ControlFlow,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};
