//! Rhai, from the bottom up:
//!
//! * `engine`: a Rhai engine with the language and its limits, without anything of the game.
//! * `messages`: from Rhai's errors to messages that name a place and a fix.
//! * `api`: the functions and properties that scripts call.
//! * `bytecode`: functions compiled to steps on plain values.
//! * `check`: finds mistakes in scripts without running them.
//! * `calls`: compiles scripts, calls their hooks and runs test functions.
//! * [`mod@reference`]: the pages of `hangtime api`.
//!
//! A revision holds [`Scripts`]: compiled files, immutable and shared. A running game holds [`ScriptRules`], which call
//! them.

mod api;
mod bytecode;
mod calls;
mod check;
mod engine;
mod messages;
pub mod reference;
pub mod spelling;

pub use api::{NameUse, RegisteredName, entries as api_entries, registered_names};
pub use calls::behavior::{Behavior, BelowScript};
pub use calls::compile::{Script, Scripts};
pub use calls::compiled::CallCounts;
pub use calls::expressions::{ExpressionError, ExpressionValue, Expressions, FinishedRun};
pub use calls::rules::ScriptRules;
pub use calls::test_cases::TestFunction;
pub use calls::testing::{Failure, KnownFailure, TestScript};
pub use check::{AnsweredTunable, Inspector, ScriptRole};
pub use engine::printed::{RecordedPrints, recording_prints};
pub use engine::resolver::{Sources, import_keys};
