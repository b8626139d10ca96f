//! Why a call fails.

use super::{Fault, spent::too_long};
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
