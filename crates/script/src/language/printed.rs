//! What scripts print.

use crate::{budget::charge, text::printable};
use std::cell::RefCell;

/// The largest number of lines that are recorded. Without a limit, a script could fill the memory with them.
const MOST_PRINTED: usize = 1000;

/// The most bytes of them as a terminal gets them: a character that steers it takes up to nine.
const MOST_PRINTED_BYTES: usize = 64 << 10;

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
    /// The bytes of the lines as a terminal gets them.
    bytes: usize,
}

impl RecordedPrints {
    fn push(&mut self, line: String) {
        let bytes = self.bytes + printable(&line).len();
        if self.left_out > 0 || self.lines.len() >= MOST_PRINTED || bytes > MOST_PRINTED_BYTES {
            self.left_out += 1;
            return;
        }
        self.bytes = bytes;
        self.lines.push(line);
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

/// Records a line that a script prints, and charges the running call for it.
pub fn print_line(line: &str) {
    // A script that is out of operations is stopped by its next step.
    let _ = charge(cost_of_line(line));
    record_line(line);
}

/// Records a line that has been charged for.
pub fn record_line(line: &str) {
    RECORDED.with_borrow_mut(|recorded| {
        if let Some(recorded) = recorded {
            // Control characters could move the cursor or change colors.
            recorded.push(line.replace(|c: char| c.is_control() && c != '\n' && c != '\t', " "));
        }
    });
}

#[cfg(test)]
#[path = "../../tests/unit/language/printed.rs"]
mod tests;
