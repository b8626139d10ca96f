//! What a test script plays levels with.

use super::level::MayEmit;
use super::record::TestRecord;
use crate::Playtest;
use std::fmt;
use std::sync::Arc;

/// What the functions of a test script that need no level work with.
#[derive(Clone)]
pub struct TestSession {
    /// Opens levels.
    pub playtest: Arc<dyn Playtest>,
    /// What the test runner learns from the test.
    pub record: TestRecord,
    /// Whether some script of the game may emit a custom event.
    pub may_emit: MayEmit,
}

impl fmt::Debug for TestSession {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TestSession").finish_non_exhaustive()
    }
}
