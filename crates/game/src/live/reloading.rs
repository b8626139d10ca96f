//! Hot reload without a thread or a clock: what [`Reloader`](super::Reloader) runs on its thread, for programs that step it
//! themselves.

pub use super::build::deadline::DEADLINE;
pub use super::reload::calm::{CALM, ContentHashes, LONGEST, SETTLE};
pub use super::reload::half::Files;
pub use super::reload::machine::*;
