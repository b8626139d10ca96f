//! The errors that stop a call: a limit that was reached, or a value in use.

use crate::script::host::{Limits, MOST_SOURCE};
use rhai::{EvalAltResult, Position};

/// What a native function returns that can fail. The error is reported at the line of the call.
pub(in crate::script::rhai) type Fallible<T> = Result<T, Box<EvalAltResult>>;

/// The message for a closure that uses a value which the running call has locked.
pub(in crate::script::rhai) const IN_USE: &str = "a closure uses the object that it is passed to: take that as the \
     closure's own parameter, as in `t.run_until(|t| t.tick > 3, 2)`";

/// An error without a position: Rhai fills in that of the call.
pub(in crate::script::rhai) fn stop(why: String) -> Box<EvalAltResult> {
    EvalAltResult::ErrorRuntime(why.into(), Position::NONE).into()
}

/// The message for a call that ran out of operations.
pub(in crate::script::rhai) fn too_long(operations: u64, tuned: bool) -> String {
    format!(
        "this call was stopped after {operations} operations: an endless loop?{}",
        if tuned {
            " (`operations` in [scripts] sets the budget)"
        } else {
            ""
        }
    )
}

/// The message for a recursion that was stopped.
pub(in crate::script::rhai) fn too_deep(limits: &Limits) -> String {
    format!(
        "functions call each other more than {} deep: an endless recursion?",
        limits.calls
    )
}

/// The message for a value that is over a limit: `what` has at most `most`, counted in `of`.
pub(in crate::script::rhai) fn too_large(what: &str, most: usize, of: &str) -> String {
    format!("{what} is over the limit of {most} {of}")
}

/// The same for a kind of value as Rhai names it in `ErrorDataTooLarge`.
pub(in crate::script::rhai) fn data_too_large(what: &str, limits: &Limits) -> String {
    if what.contains("string") {
        too_large("length of string", limits.string, "bytes")
    } else if what.contains("map") {
        too_large("size of map", limits.map, "entries")
    } else {
        too_large("size of array", limits.array, "elements")
    }
}

/// The message for a script file of too many bytes.
pub(in crate::script::rhai) fn source_too_large(bytes: usize) -> String {
    format!("a script may have {MOST_SOURCE} bytes; this has {bytes}")
}
