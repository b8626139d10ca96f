//! What the test runner learns from a test while it plays.

use crate::{CallRefusal, Diagnostic, Mistakes, refuse};
use std::sync::{Arc, Mutex, MutexGuard};

/// The largest number of ticks that one test can play: more than four hours at 60 Hz.
pub(super) const MAX_TICKS: u64 = 1_000_000;

/// The most memory that the levels and snapshots of one test can hold, in bytes, as they estimate it.
pub(super) const MAX_MEMORY: u64 = 192 << 20;

/// Record of the running test, shared between its calls and the runner.
#[derive(Clone, Debug, Default)]
pub struct TestRecord(Arc<Mutex<Recorded>>);

#[derive(Debug, Default)]
struct Recorded {
    /// Whether tables of cases are being read, before tests run.
    listing: bool,
    tick: Option<u64>,
    played: u64,
    held: u64,
    known_failure: Option<String>,
    unchecked: Option<UncheckedExpectation>,
    warnings: Mistakes,
}

impl TestRecord {
    fn lock(&self) -> MutexGuard<'_, Recorded> {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Clears the record before the next test.
    pub fn clear(&self) {
        let mut record = self.lock();
        // What the last test still holds counts until it is dropped.
        let held = record.held;
        *record = Recorded { held, ..Recorded::default() };
    }

    /// Sets whether tables of cases are being read.
    pub fn set_listing(&self, listing: bool) {
        self.lock().listing = listing;
    }

    /// Whether tables of cases are being read, before tests run.
    pub(super) fn is_listing(&self) -> bool {
        self.lock().listing
    }

    /// The tick of the level that was played last; none before the first `play`.
    pub fn tick(&self) -> Option<u64> {
        self.lock().tick
    }

    /// Sets the tick of the level that was played last.
    pub(super) fn set_tick(&self, tick: u64) {
        self.lock().tick = Some(tick);
    }

    /// The number of ticks that the test has played.
    pub(super) fn played(&self) -> u64 {
        self.lock().played
    }

    /// Counts a tick; false when the test has played as many as it may.
    pub(super) fn count_tick(&self) -> bool {
        let mut record = self.lock();
        record.played += 1;
        record.played <= MAX_TICKS
    }

    /// Begins to count memory that a level or a snapshot holds.
    pub(super) fn hold(&self) -> HeldMemory {
        HeldMemory { record: self.clone(), bytes: 0 }
    }

    /// The reason given to `known_failure`, if the test called it.
    pub fn known_failure(&self) -> Option<String> {
        self.lock().known_failure.clone()
    }

    /// Sets the reason of a known failure; the first one counts.
    pub(super) fn set_known_failure(&self, why: &str) {
        self.lock().known_failure.get_or_insert_with(|| why.to_string());
    }

    /// Adds warnings for the author of the test.
    pub(super) fn warn(&self, warnings: Vec<Diagnostic>) {
        self.lock().warnings.extend(warnings);
    }

    /// Takes the warnings.
    pub fn take_warnings(&self) -> Vec<Diagnostic> {
        std::mem::take(&mut self.lock().warnings).finish()
    }

    /// The first expectation that compared nothing.
    pub fn unchecked(&self) -> Option<UncheckedExpectation> {
        self.lock().unchecked.clone()
    }

    /// Records an expectation that compared nothing; the first one counts.
    pub fn add_unchecked(&self, expectation: &UncheckedExpectation) {
        self.lock().unchecked.get_or_insert_with(|| expectation.clone());
    }
}

/// Memory that a level or a snapshot holds, until it is dropped.
#[derive(Debug)]
pub struct HeldMemory {
    record: TestRecord,
    bytes: u64,
}

impl HeldMemory {
    /// Sets how much it is.
    ///
    /// # Errors
    /// If the test holds too much.
    pub(super) fn set(&mut self, bytes: u64) -> Result<(), CallRefusal> {
        let mut record = self.record.lock();
        record.held = record.held.saturating_sub(self.bytes) + bytes;
        self.bytes = bytes;
        if record.held <= MAX_MEMORY {
            return Ok(());
        }
        refuse(format!(
            "the levels and snapshots that this test holds need more than {} MiB; keep fewer of them \
             in variables, or play for a shorter time",
            MAX_MEMORY >> 20
        ))
    }
}

impl Drop for HeldMemory {
    fn drop(&mut self) {
        let mut record = self.record.lock();
        record.held = record.held.saturating_sub(self.bytes);
    }
}

/// The position of an `expect(…)` without a comparison.
#[derive(Clone, Debug)]
pub struct UncheckedExpectation {
    /// The name of its file, if known.
    pub file: Option<String>,
    /// Its line and column, both from 1, if known.
    pub at: Option<(usize, usize)>,
}
