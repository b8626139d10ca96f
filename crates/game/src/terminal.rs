//! Printing. Every line of the program is printed here.
//!
//! The macros of the standard library panic when the reader of a pipe is gone or a disk is full.
//! Names and texts of a game may have control characters, which would steer the user's terminal.

use hangtime_script::text::{printable, printable_styled};
use std::{
    fmt,
    io::{self, Write as _},
};

/// Prints a message on stderr, with control characters escaped. A message that cannot be printed is
/// lost, and the program continues.
pub fn tell(text: impl fmt::Display) {
    print_message(&printable(&text.to_string()));
}

/// Prints a rendered message on stderr: its colors stay.
pub fn tell_rendered(text: &str) {
    print_message(&printable_styled(text));
}

fn print_message(text: &str) {
    // One write for the whole line, so that lines of several threads do not mix.
    let line = format!("{text}\n");
    let _ = io::stderr().write_all(line.as_bytes());
}

/// Prints a line on stdout. The caller has escaped its control characters.
///
/// # Errors
/// When it cannot be printed.
pub fn print_result(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{text}")?;
    out.flush()
}
