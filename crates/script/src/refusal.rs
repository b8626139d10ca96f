//! Why a call fails.

use super::{Diagnostic, Fault};
use std::{any::Any, fmt, sync::Arc};

/// Why a call of the [table](super::calls) fails. Its `Display` is the message for the author of the script, the same
/// in every language.
#[derive(Debug)]
pub enum CallRefusal {
    /// What is wrong with the call.
    Message(Box<str>),
    /// The running call has used all operations that it may use.
    Spent {
        /// How many that are.
        operations: u64,
        /// Whether `[scripts]` sets them.
        tuned: bool,
    },
    /// A behavior of the level that a test plays has failed.
    Behavior(BehaviorFailed),
    /// An error of the language itself, from a function that it passed to the call.
    Foreign(Box<dyn Any + Send + Sync>),
}

/// What a call or a check yields, or why it is refused.
pub type Accepted<T> = Result<T, CallRefusal>;

/// What a call or a check has that yields nothing: that it may be made, or why not.
pub type Allowed = Accepted<()>;

impl fmt::Display for CallRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Message(message) => f.write_str(message),
            Self::Spent { operations, tuned } => f.write_str(&too_long(*operations, *tuned)),
            Self::Behavior(failed) => failed.fmt(f),
            Self::Foreign(_) => f.write_str("a function that was passed to the call failed"),
        }
    }
}

/// A fault in a behavior of the level that a test plays, which ends the test.
#[derive(Clone, Debug)]
pub struct BehaviorFailed(pub Arc<Fault>);

impl fmt::Display for BehaviorFailed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a behavior failed: {}", self.0.diagnostic.headline())
    }
}

/// A refusal with a message.
///
/// # Errors
/// Always.
#[cold]
pub fn refuse<T>(message: impl Into<Box<str>>) -> Accepted<T> {
    Err(CallRefusal::Message(message.into()))
}

/// The question that the message about a call without operations asks.
const ENDLESS: &str = "is there an infinite loop?";

/// The message about a call that was stopped, at the place where it was. In a function that visits all entities of a kind, a loop
/// may well end, but costs too much.
pub fn about_spent(wrong: Diagnostic) -> Diagnostic {
    let function = wrong.place.as_ref().map_or("", |place| {
        let (before, after) = place.file.text.split_at(place.span.start);
        let start = before.rfind("fn ").max(before.rfind("function ")).unwrap_or(0);
        let end = after.find("\nfn ").into_iter().chain(after.find("\nfunction ")).min();
        &place.file.text[start..before.len() + end.unwrap_or(after.len())]
    });
    let loops = ["world::", "world."].map(|world| function.matches(&format!("{world}all(")).count());
    let (all, near) = if loops[0] > 0 {
        ("world::all", "world::near")
    } else {
        ("world.all", "world.near")
    };
    if loops == [0, 0] || !wrong.message.contains(ENDLESS) {
        return wrong;
    }
    let instead = format!(
        "this function visits all entities of a kind (`{all}`), and each turn of such a loop costs; `{near}(x, y, radius)` visits \
         only those nearby, and `hangtime run --profile` shows what each hook costs"
    );
    Diagnostic { message: wrong.message.replace(ENDLESS, &instead), ..wrong }
}

/// The message for a call that ran out of operations; `tuned` if the budget is from `[scripts]`.
pub fn too_long(operations: u64, tuned: bool) -> String {
    let hint = if tuned { " (`operations` in [scripts] sets the budget)" } else { "" };
    format!("this call was stopped after {operations} operations; {ENDLESS}{hint}")
}
