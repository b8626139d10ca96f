//! The Rhai room: compiling, calling hooks, and test functions.
//!
//! [`Scripts`] is what a revision holds: compiled files, immutable and shared. [`ScriptRules`] is
//! what a running game holds: it plays turns with them.

mod calls;
mod check;
mod compile;
mod engine;
mod errors;
mod expect;
mod leap;
mod math;
mod me;
mod outlook;
mod play;
mod resolver;
mod rules;
mod testing;
mod values;
mod vars;
mod vector;
mod world;

pub use compile::{Script, Scripts};
pub use resolver::Sources;
pub use rules::ScriptRules;
pub use testing::{Failure, TestFunction, TestScript};
