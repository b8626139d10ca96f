//! Why a call fails.

use std::fmt;

/// Why a call of the [table](super::calls) fails. Its `Display` is the message for the author of the script, the same
/// in every language.
#[derive(Clone, Debug, PartialEq, Eq)]
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
}

impl fmt::Display for CallRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Message(message) => f.write_str(message),
            Self::Spent { operations, tuned } => f.write_str(&too_long(*operations, *tuned)),
        }
    }
}

/// A refusal with a message.
///
/// # Errors
/// Always.
#[cold]
pub fn refuse<T>(message: impl Into<Box<str>>) -> Result<T, CallRefusal> {
    Err(CallRefusal::Message(message.into()))
}

/// The message for a call that ran out of operations; `tuned` if the budget is from `[scripts]`.
#[must_use]
pub fn too_long(operations: u64, tuned: bool) -> String {
    let hint = if tuned {
        " (`operations` in [scripts] sets the budget)"
    } else {
        ""
    };
    format!("this call was stopped after {operations} operations; is there an infinite loop?{hint}")
}
