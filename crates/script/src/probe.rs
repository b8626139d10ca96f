//! Following the calls of scripts, to measure them.

use super::execution::CallPath;
use hangtime_core::sim::ScriptId;

/// Functions that are called around each call of a script's hook, on the thread that makes it. Nothing that a script does
/// depends on them, and scripts cannot see them. Layers above have clocks; this one has not.
#[derive(Clone, Copy, Debug)]
pub struct CallProbe {
    /// Called before each call.
    pub begin: fn(),
    /// Called after it.
    pub end: fn(&ProbedCall<'_>),
}

/// A call that has ended.
#[derive(Clone, Copy, Debug)]
pub struct ProbedCall<'a> {
    /// The script.
    pub script: ScriptId,
    /// The name of the hook.
    pub hook: &'a str,
    /// The operations that it has taken, with what was done for it: building its event and keeping its variables.
    pub operations: u64,
    /// The way in which it was made.
    pub path: CallPath,
}
