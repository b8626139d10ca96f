//! The errors that stop a call: a limit that was reached, or a value in use.

use hangtime_script::{CallRefusal, Limits, MOST_SOURCE, Place};
use rhai::{Dynamic, EvalAltResult, Position};

pub(crate) use hangtime_script::too_long;

/// What a native function returns that can fail. The error is reported at the line of the call.
pub(crate) type Fallible<T> = Result<T, Box<EvalAltResult>>;

/// The message for a closure that uses a value which the running call has locked.
pub(crate) const IN_USE: &str = "a closure uses the object that it is passed to; take it as the \
     closure's parameter, as in `t.run_until(|t| t.tick > 3, 2)`";

/// A refusal as Rhai's error, without a position: Rhai fills in the position of the call.
pub(crate) fn refused(refusal: CallRefusal) -> Box<EvalAltResult> {
    match refusal {
        CallRefusal::Behavior(failed) => {
            let failed = Dynamic::from(failed);
            EvalAltResult::ErrorRuntime(failed, Position::NONE).into()
        }
        CallRefusal::Foreign(error) => match error.downcast::<Box<EvalAltResult>>() {
            Ok(error) => *error,
            Err(_) => stop("a function failed".into()),
        },
        message => stop(message.to_string()),
    }
}

/// The position of a place, for Rhai.
pub(crate) fn position_of(place: &Place) -> Position {
    let (line, column) = place.position();
    let short = |n: usize| u16::try_from(n).unwrap_or(u16::MAX);
    Position::new(short(line), short(column))
}

/// An error without a position: Rhai fills in the position of the call.
pub(crate) fn stop(why: String) -> Box<EvalAltResult> {
    EvalAltResult::ErrorRuntime(why.into(), Position::NONE).into()
}

/// The message for a recursion that was stopped.
pub(crate) fn too_deep(limits: &Limits) -> String {
    format!("calls are nested more than {} deep; is there an infinite recursion?", limits.calls)
}

/// The message for a text of more than `most` bytes.
pub(crate) fn text_too_large(most: usize) -> String {
    format!("this text is over the limit of {most} bytes")
}

/// The message for an array of more than `most` elements.
pub(crate) fn array_too_large(most: usize) -> String {
    format!("this array is over the limit of {most} elements")
}

/// The message for a kind of value as Rhai names it in `ErrorDataTooLarge`.
pub(crate) fn data_too_large(what: &str, limits: &Limits) -> String {
    if what.contains("string") {
        text_too_large(limits.string)
    } else if what.contains("map") {
        format!("this map is over the limit of {} entries", limits.map)
    } else {
        array_too_large(limits.array)
    }
}

/// The message for a script file of too many bytes.
pub(crate) fn source_too_large(bytes: usize) -> String {
    format!("a script may have at most {MOST_SOURCE} bytes; this one has {bytes}")
}
