//! What any script language needs: hooks, limits, messages, and the seam to test levels.

pub mod api;
mod diagnostic;
mod fault;
mod hooks;
mod known;
pub mod names;
mod playtest;
mod progress;
mod shapes;
mod why;

pub use diagnostic::{Caller, Diagnostic, Diagnostics, Place, Severity, SourceFile, render_all};
pub use fault::{Fault, Tally};
pub use hooks::{EVENTS, HookKind, RULES, ScriptHook, find_hook, hooks};
pub use known::{GameNames, PLAIN_SURFACE};
pub use playtest::{PlayedLevel, Playtest, PlaytestError, Settings, Snapshot};
pub use progress::CompileProgress;
pub use shapes::{EVENT, SIGNAL_EVENT, TIMER_EVENT, WINDOWS};
pub use why::Reason;

use crate::tuning::ScriptTuning;

/// Most bytes of one script file.
pub const MOST_SOURCE: usize = 64 * 1024;

/// How deep arrays and maps may lie in each other.
pub const MOST_NESTING: usize = 32;

/// What one call of a script may use up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Steps of evaluation.
    pub operations: u64,
    /// Bytes of a string.
    pub string: usize,
    /// Elements of an array.
    pub array: usize,
    /// Entries of a map.
    pub map: usize,
    /// Steps of all calls of one tick together.
    pub tick_operations: u64,
    /// Functions that call each other. Together with the depth of expressions this bounds the
    /// stack; see [`STACK`].
    pub calls: usize,
    /// Values that an entity's variables may hold.
    pub kept_values: usize,
    /// Bytes of text that they may hold.
    pub kept_text: usize,
    /// Whether they come from `[scripts]`, so that a message can say where to raise them.
    pub tuned: bool,
}

/// Stack, in bytes, that a thread needs on which scripts run. A deep recursion on a smaller one
/// ends the process before the limit on calls ends the recursion.
pub const STACK: usize = 16 * 1024 * 1024;

impl Limits {
    /// The limits that `[scripts]` sets for behaviors.
    #[must_use]
    pub fn of(tuning: &ScriptTuning) -> Self {
        Self {
            operations: u64::from(tuning.operations),
            string: tuning.string_length as usize,
            array: tuning.array_length as usize,
            map: tuning.map_entries as usize,
            tick_operations: u64::from(tuning.tick_operations),
            calls: tuning.call_depth as usize,
            kept_values: tuning.kept_values as usize,
            // For Rhai all text in `this` is one text of it, which it lets be twice as long as one alone.
            kept_text: tuning.kept_text.min(tuning.string_length * 2) as usize,
            tuned: true,
        }
    }

    /// The limits of test scripts, which play whole levels and keep what they saw.
    #[must_use]
    pub const fn of_tests() -> Self {
        Self {
            operations: 20_000_000,
            string: 1 << 20,
            array: 1 << 20,
            map: 1 << 16,
            tick_operations: u64::MAX,
            calls: 32,
            kept_values: 1 << 20,
            kept_text: 1 << 24,
            tuned: false,
        }
    }
}
