//! The value that test scripts throw when something they expect goes wrong.

use super::*;

/// An expectation that was not met; thrown, and caught by the test runner.
#[derive(Clone, Debug)]
pub(crate) struct FailedExpectation {
    pub expected: String,
    pub got: String,
    /// The text that the test gave for this case; empty for none.
    pub note: String,
}

impl fmt::Display for FailedExpectation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.note.is_empty() {
            write!(f, "{}: ", self.note)?;
        }
        write!(f, "expected {}, got {}", self.expected, self.got)
    }
}
