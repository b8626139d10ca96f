//! The values that test scripts throw when something they play or expect goes wrong.

use crate::script::host::Fault;
use std::fmt;
use std::sync::Arc;

/// An expectation that was not met; thrown, and caught by the test runner.
#[derive(Clone, Debug)]
pub(in crate::script::rhai) struct Missed {
    pub expected: String,
    pub got: String,
    /// The text that the test gave for this case; empty for none.
    pub note: String,
}

impl fmt::Display for Missed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.note.is_empty() {
            write!(f, "{}: ", self.note)?;
        }
        write!(f, "expected {}, got {}", self.expected, self.got)
    }
}

/// Thrown when a behavior of the level that a test plays has failed.
#[derive(Clone, Debug)]
pub(in crate::script::rhai) struct BehaviorFailed(pub Arc<Fault>);

impl fmt::Display for BehaviorFailed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a behavior failed: {}", self.0.diagnostic.headline())
    }
}
