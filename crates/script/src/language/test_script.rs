//! Test scripts: functions that play levels and check expectations.

use crate::{Diagnostic, Fault, MissedNumber, Place};
use hangtime_core::sim::Value;
use std::{cell::Cell, sync::Arc};

thread_local! {
    static READS_TABLES: Cell<bool> = const { Cell::new(false) };
}

/// Reads tables of cases by calling functions of a script. In that time, the script cannot play levels.
pub fn reading_tables<R>(read: impl FnOnce() -> R) -> R {
    READS_TABLES.set(true);
    let rows = read();
    READS_TABLES.set(false);
    rows
}

/// Whether tables of cases are read on this thread.
pub fn reads_tables() -> bool {
    READS_TABLES.get()
}

/// A compiled test script. Its tests share nothing: each evaluates the constants and imports of the file again.
pub trait TestScript: Send {
    /// Its tests, in the order of the file; the cases of a table in its order.
    fn tests(&self) -> &[TestFunction];

    /// Runs a test.
    ///
    /// # Errors
    /// Why it failed, without the tick.
    fn run(&mut self, test: &TestFunction) -> Result<(), Box<Failure>>;

    /// The operations that the last test has used, without the levels that it played.
    fn operations(&self) -> u64;
}

/// A test without parameters, or one case of a test with parameters.
#[derive(Clone, Debug)]
pub struct TestFunction {
    /// Its name, and for a case its place in the table and its arguments:
    /// `test_gap[0: width=60, passes=true]`.
    pub name: String,
    /// The name of the function.
    pub function: String,
    /// The arguments of the call.
    pub arguments: Vec<Value>,
    /// The place of the function's name in the file.
    pub place: Place,
}

/// Why a test failed.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The message and its place.
    pub diagnostic: Diagnostic,
    /// The expected value, if an expectation failed.
    pub expected: Option<String>,
    /// The actual value.
    pub got: Option<String>,
    /// The numbers that the expectation compared, if it did.
    pub missed: Option<MissedNumber>,
    /// The current tick of the last level that the test played, if any.
    pub tick: Option<u64>,
    /// The fault in a behavior of that level, if that was the cause.
    pub fault: Option<Arc<Fault>>,
}

impl Failure {
    /// A failure with only a message, at a tick if a level was played.
    pub fn new(diagnostic: Diagnostic, tick: Option<u64>) -> Self {
        Self { diagnostic, expected: None, got: None, missed: None, tick, fault: None }
    }
}
