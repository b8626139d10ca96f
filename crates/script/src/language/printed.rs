//! What scripts print, kept until a host shows it.

use crate::budget::charge;
use std::cell::RefCell;
use std::sync::{Arc, Mutex, MutexGuard};

/// The largest number of lines that are kept. Without a limit, a script that prints in every tick would fill the
/// memory of a host that shows nothing.
const MOST_PRINTED: usize = 1000;

/// What a line costs, in operations, and how many of its bytes are kept for one.
const PER_LINE: u64 = 6;
const BYTES_IN_ONE: u64 = 48;

thread_local! {
    /// What is being printed on this thread, while that is recorded.
    static RECORDED: RefCell<Option<RecordedPrints>> = const { RefCell::new(None) };
}

/// The lines that scripts have printed while that was recorded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordedPrints {
    /// The lines, or the first of very many.
    pub lines: Vec<String>,
    /// How many more there were.
    pub left_out: u64,
}

impl RecordedPrints {
    fn push(&mut self, line: String) {
        match self.lines.len() < MOST_PRINTED {
            true => self.lines.push(line),
            false => self.left_out += 1,
        }
    }

    /// Adds what was printed after these.
    pub fn append(&mut self, later: Self) {
        later.lines.into_iter().for_each(|line| self.push(line));
        self.left_out += later.left_out;
    }
}

/// Runs something and also returns the lines that scripts print in it on this thread.
pub fn recording_prints<R>(run: impl FnOnce() -> R) -> (R, RecordedPrints) {
    let outside = RECORDED.replace(Some(RecordedPrints::default()));
    let result = run();
    let recorded = RECORDED.replace(outside);
    (result, recorded.unwrap_or_default())
}

/// What printing a line costs, in operations.
pub const fn cost_of_line(line: &str) -> u64 {
    PER_LINE + line.len() as u64 / BYTES_IN_ONE
}

/// The lines that scripts have printed and the host has not taken yet.
#[derive(Clone, Debug, Default)]
pub struct Printed(Arc<Mutex<Vec<String>>>);

impl Printed {
    fn lock(&self) -> MutexGuard<'_, Vec<String>> {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Keeps a line, and charges the running call for it.
    pub fn push(&self, line: String) {
        // A script that is out of operations is stopped by its next step.
        let _ = charge(cost_of_line(&line));
        self.keep(line);
    }

    /// Keeps a line that has been charged for.
    pub fn keep(&self, line: String) {
        // Control characters could move the cursor or change colors.
        let line = line.replace(|c: char| c.is_control() && c != '\n' && c != '\t', " ");
        RECORDED.with_borrow_mut(|recorded| {
            if let Some(recorded) = recorded {
                recorded.push(line.clone());
            }
        });
        let mut lines = self.lock();
        if lines.len() < MOST_PRINTED {
            lines.push(line);
        }
    }

    /// Takes the lines printed so far.
    pub fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.lock())
    }
}
