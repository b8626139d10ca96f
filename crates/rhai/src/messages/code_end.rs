//! Where the code before a position ends: what is missing there belongs behind it, not on the next line.

use crate::changes::{is_comment, pieces};

/// The length of a source up to the end of its last code, without the blanks and comments after it.
pub(crate) fn code_end(source: &str) -> usize {
    let last = pieces(source).into_iter().rfind(|piece| !is_comment(piece));
    last.map_or(0, |piece| piece.as_ptr() as usize - source.as_ptr() as usize + piece.len())
}

#[cfg(test)]
#[path = "../../tests/unit/messages/code_end.rs"]
mod tests;
