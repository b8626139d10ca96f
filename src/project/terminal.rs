//! Messages on stderr. All of them go through here: names and texts of a game may have control
//! characters, which would steer the user's terminal.

use crate::script::host::text::{printable, printable_styled};
use std::fmt;
use std::io::{self, Write as _};

/// Prints a message on stderr, with control characters escaped. A closed stderr is no reason to end a
/// run.
pub fn tell(text: impl fmt::Display) {
    let text = text.to_string();
    let _ = writeln!(io::stderr(), "{}", printable(&text));
}

/// Prints a rendered message on stderr: its colors stay.
pub fn tell_rendered(text: &str) {
    let _ = writeln!(io::stderr(), "{}", printable_styled(text));
}
