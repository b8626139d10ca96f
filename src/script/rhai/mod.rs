//! Rhai, in two rooms: `calls` is what hangtime calls of scripts, `api` what scripts call of hangtime.
//!
//! [`Scripts`] is what a revision holds: compiled files, immutable and shared. [`ScriptRules`] is
//! what a running game holds: it plays turns with them.

mod api;
mod calls;
mod check;
mod engine;
mod messages;
pub mod reference;

pub use api::{Registered, Way, entries as api_entries, registered_names};
pub use calls::compile::{Script, Scripts};
pub use calls::rules::ScriptRules;
pub use calls::testing::{Failure, KnownFailure, TestFunction, TestScript};
pub use check::{Inspector, Role};
pub use engine::resolver::Sources;
