//! Layer 6: worlds that other programs drive in lock-step.
//!
//! A program in the same process uses [`ServedGame`] and [`ServedWorld`] directly: create, step, observe, fork, save,
//! restore. Nothing there knows of messages or sockets.

mod column;
mod condition;
mod error;
mod game;
mod input_queue;
mod snapshot;
mod world;

pub use column::{Column, ColumnReader};
pub use condition::{Comparison, Condition};
pub use error::ServiceError;
pub use game::ServedGame;
pub use input_queue::{InputQueue, MOST_INPUT_TEXT};
pub use world::{FileChanges, ServedWorld, WorldStart};
