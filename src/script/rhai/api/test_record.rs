//! What the test runner learns from a test while it plays.

use rhai::Position;
use std::sync::{Arc, Mutex, MutexGuard};

/// The largest number of ticks that one test can play: more than four hours at 60 Hz.
pub(super) const MAX_TICKS: u64 = 1_000_000;

/// Record of the running test, shared between its calls and the runner.
#[derive(Clone, Default)]
pub(in crate::script::rhai) struct TestRecord(Arc<Mutex<Recorded>>);

#[derive(Default)]
struct Recorded {
    tick: Option<u64>,
    played: u64,
    known_failure: Option<String>,
    unchecked: Option<UncheckedExpectation>,
}

impl TestRecord {
    fn lock(&self) -> MutexGuard<'_, Recorded> {
        self.0
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Clears the record before the next test.
    pub fn clear(&self) {
        *self.lock() = Recorded::default();
    }

    /// The tick of the level that was played last; none before the first `play`.
    pub fn tick(&self) -> Option<u64> {
        self.lock().tick
    }

    /// Sets the tick of the level that was played last.
    pub(super) fn set_tick(&self, tick: u64) {
        self.lock().tick = Some(tick);
    }

    /// Counts a tick; false when the test has played as many as it may.
    pub(super) fn count_tick(&self) -> bool {
        let mut record = self.lock();
        record.played += 1;
        record.played <= MAX_TICKS
    }

    /// The reason given to `known_failure`, if the test called it.
    pub fn known_failure(&self) -> Option<String> {
        self.lock().known_failure.clone()
    }

    /// Sets the reason of a known failure; the first one counts.
    pub(super) fn set_known_failure(&self, why: &str) {
        self.lock()
            .known_failure
            .get_or_insert_with(|| why.to_string());
    }

    /// The first expectation that compared nothing.
    pub fn unchecked(&self) -> Option<UncheckedExpectation> {
        self.lock().unchecked.clone()
    }

    /// Records an expectation that compared nothing; the first one counts.
    pub(super) fn add_unchecked(&self, expectation: &UncheckedExpectation) {
        self.lock()
            .unchecked
            .get_or_insert_with(|| expectation.clone());
    }
}

/// The position of an `expect(…)` without a comparison.
#[derive(Clone, Debug)]
pub(in crate::script::rhai) struct UncheckedExpectation {
    /// The name of its file, if known.
    pub file: Option<String>,
    pub at: Position,
}
