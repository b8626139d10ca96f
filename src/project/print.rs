//! Printing. Every line of the program is printed here.
//!
//! The macros of the standard library panic when the reader of a pipe is gone or a disk is full.

use std::fmt;
use std::io::{self, Write as _};

/// Prints a line on stderr. A message that cannot be printed is lost, and the program continues.
pub fn print_message(text: impl fmt::Display) {
    // One write for the whole line, so that lines of several threads do not mix.
    let line = format!("{text}\n");
    let _ = io::stderr().write_all(line.as_bytes());
}

/// Prints a line on stdout.
///
/// # Errors
/// When it cannot be printed.
pub fn print_result(text: impl fmt::Display) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{text}")?;
    out.flush()
}
