//! The sizes of what a recording holds. A recorder writes nothing larger, so a reader refuses it.

use super::rows::{MOST_ROWS, ROW_FIELDS};
use crate::files::LARGEST_SET;
pub(crate) use crate::files::content::settings::MOST_SETTINGS;

/// The most ticks of a line: a second at the highest tick rate.
pub const MOST_TICKS: usize = 1000;

/// The most numbers of the tuning panel of a revision.
pub const MOST_CHANGES: usize = 100_000;

/// The largest saved world with which a revision begins, bytes.
pub const MOST_WORLD: usize = 32 << 20;

/// The largest saved world after a stretch of ticks, bytes. A larger one is left out.
pub const MOST_STRETCH_WORLD: usize = 4 << 20;

/// The longest text of a number, with what is around it.
const NUMBER: usize = 26;

/// The longest text of the inputs of a tick.
const MOST_INPUT: usize = 13 << 10;

/// What a line of ticks takes at most without its world, bytes.
const MOST_TICKS_TEXT: usize = MOST_TICKS * (MOST_ROWS * (ROW_FIELDS.len() + 2) * NUMBER + MOST_INPUT + 64);

/// The longest line, bytes, by how it begins.
pub fn longest_line(start: &[u8]) -> u64 {
    match start {
        // JSON writes a line break or a quotation mark of a text as two bytes.
        _ if start.starts_with(REVISION) => 2 * LARGEST_SET + (MOST_WORLD as u64) + (8 << 20),
        _ if start.starts_with(TICKS) => (MOST_TICKS_TEXT + MOST_STRETCH_WORLD + 1024) as u64,
        _ => 64 << 10,
    }
}

/// How lines begin.
pub const REVISION: &[u8] = b"{\"revision\":";
pub const TICKS: &[u8] = b"{\"from\":";

/// No line has to be read further to know how it begins.
pub const LONGEST_START: u64 = REVISION.len() as u64;

#[cfg(test)]
#[path = "../../tests/unit/recording/limits.rs"]
mod tests;
