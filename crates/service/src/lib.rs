//! Layer 6: worlds that other programs drive in lock-step.
//!
//! A program in the same process uses [`ServedGame`] and [`ServedWorld`] directly: create, step, observe, fork, save,
//! restore. Nothing there knows of messages or sockets.
//!
//! Other processes send the messages of `docs/protocol.md` to a [`Service`]: JSON-RPC on stdin and stdout, TCP or
//! WebSocket. `protocol` has their types, `server` carries them out.

mod column;
pub mod editor;
mod error;
mod game;
mod input_queue;
mod protocol;
mod server;
mod snapshot;
mod world;

pub use column::{Column, ColumnReader};
pub use error::ServiceError;
pub use game::ServedGame;
pub use input_queue::{InputQueue, MOST_INPUT_TEXT};
pub use protocol::{DiagnosticLine, EXAMPLE_RULES, protocol_page, protocol_schema};
pub use server::{Service, ServiceLimits, ServiceOptions};
pub use world::{ServedWorld, WorldStart};
