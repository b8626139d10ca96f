//! Messages that point into the files that users write.

use super::text::{cut_message, printable, printable_name};
use std::{fmt, ops::Range, sync::Arc};

/// A file, or other text, that a message can point into.
#[derive(Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// Its path below the game folder, or another description of its origin.
    pub name: String,
    /// The whole text.
    pub text: String,
}

/// A range of bytes in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file.
    pub file: Arc<SourceFile>,
    /// The range.
    pub span: Range<usize>,
}

impl Place {
    /// The place of these bytes, cut to the text and widened to whole characters.
    pub fn new(file: &Arc<SourceFile>, span: Range<usize>) -> Self {
        let length = file.text.len();
        let mut start = span.start.min(length);
        while !file.text.is_char_boundary(start) {
            start -= 1;
        }
        let mut end = span.end.clamp(start, length);
        while !file.text.is_char_boundary(end) {
            end += 1;
        }
        Self { file: Arc::clone(file), span: start..end }
    }

    /// The place of the word at this line and column, both from 1. A position in the blank end of a file becomes
    /// the place right after its last character: something is missing there.
    pub fn at(file: &Arc<SourceFile>, line: usize, column: usize) -> Self {
        let text = &file.text;
        let written = text.trim_end().len();
        let line_start = if line <= 1 {
            0
        } else {
            text.match_indices('\n').nth(line - 2).map_or(text.len(), |(at, _)| at + 1)
        };
        if line_start >= written {
            return Self::new(file, written..written);
        }
        let rest = &text[line_start..];
        let rest = &rest[..rest.find('\n').unwrap_or(rest.len())];
        let offset = rest.char_indices().nth(column.saturating_sub(1)).map_or(rest.len(), |(at, _)| at);
        let word = rest[offset..]
            .find(|c: char| !c.is_alphanumeric() && c != '_')
            .unwrap_or(rest.len() - offset)
            .max(rest[offset..].chars().next().map_or(0, char::len_utf8));
        Self::new(file, line_start + offset..line_start + offset + word)
    }

    /// Line and column of the first character, both from 1; columns count characters.
    pub fn position(&self) -> (usize, usize) {
        self.position_of(self.span.start)
    }

    /// Line and column right after the last character.
    pub fn end_position(&self) -> (usize, usize) {
        self.position_of(self.span.end)
    }

    fn position_of(&self, at: usize) -> (usize, usize) {
        let before = &self.file.text[..at];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        (before.bytes().filter(|b| *b == b'\n').count() + 1, before[line_start..].chars().count() + 1)
    }
}

/// Whether a diagnostic is an error or a warning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The file cannot be used as it is.
    Error,
    /// The file can be used, but probably not as intended.
    Warning,
}

impl Severity {
    /// `error` or `warning`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
        }
    }
}

/// A call on the way to the code that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallFrame {
    /// The calling function; empty for the top level of a file.
    pub function: String,
    /// The position of the call in it.
    pub place: Place,
}

/// An error or a warning for the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Error or warning.
    pub severity: Severity,
    /// What is wrong, with the right name or range.
    pub message: String,
    /// Where; none if a whole file is missing or unreadable.
    pub place: Option<Place>,
    /// The file, if there is no place in it.
    pub file: Option<String>,
    /// The calls that led there, innermost first; empty if there were none.
    pub calls: Vec<CallFrame>,
    /// For the last message of a list that was cut, the number of mistakes that are left out; 0 for
    /// all others.
    pub more: usize,
}

impl Diagnostic {
    /// An error at a place.
    pub fn error(place: Place, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Error,
            message: cut_message(message.into()),
            place: Some(place),
            file: None,
            calls: Vec::new(),
            more: 0,
        }
    }

    /// A warning at a place.
    pub fn warning(place: Place, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(place, message) }
    }

    /// An error about a file as a whole.
    pub fn about_file(file: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Error,
            message: cut_message(message.into()),
            place: None,
            file: Some(file.into()),
            calls: Vec::new(),
            more: 0,
        }
    }

    /// The last message of a list that was cut: `and 14,900 more warnings`.
    pub fn left_out(severity: Severity, more: usize) -> Self {
        let plural = if more == 1 { "" } else { "s" };
        let message = format!("and {} more {}{plural}", grouped(more as u64), severity.name());
        Self { severity, file: None, more, ..Self::about_file("", message) }
    }

    /// Whether another one has the same message at the same place.
    pub(super) fn says_the_same(&self, other: &Self) -> bool {
        let span = |d: &Self| d.place.as_ref().map(|p| p.span.clone());
        span(self) == span(other)
            && self.message == other.message
            && self.file_name() == other.file_name()
            && self.severity == other.severity
    }

    /// Whether this is an error.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// The name of the file it is about; empty if there is none.
    pub fn file_name(&self) -> &str {
        self.place.as_ref().map_or_else(|| self.file.as_deref().unwrap_or(""), |p| &p.file.name)
    }

    /// What is wrong and where, as a part of another message.
    pub fn cited(&self) -> String {
        let message = printable(&self.message);
        match &self.place {
            Some(place) => {
                let (line, column) = place.position();
                format!("{message} ({}:{line}:{column})", printable_name(&place.file.name))
            }
            None => message.into_owned(),
        }
    }

    /// `file:line:col: error: message`, on one line; without line and column if it is about a file as a whole.
    /// Control characters are escaped.
    pub fn headline(&self) -> String {
        let message = printable(&self.message);
        if self.more > 0 {
            return message.into_owned();
        }
        let what = format!("{}: {message}", self.severity.name());
        let file = printable_name(self.file_name());
        match &self.place {
            Some(place) => {
                let (line, column) = place.position();
                format!("{file}:{line}:{column}: {what}")
            }
            None if self.file.is_some() => format!("{file}: {what}"),
            None => what,
        }
    }
}

/// The mistakes in a file, as an error. `Display` gives one line for each; use
/// [`render_all`](super::render_all) to show them with their source lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostics(pub Vec<Diagnostic>);

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<String> = self.0.iter().map(Diagnostic::headline).collect();
        f.write_str(&lines.join("\n"))
    }
}

impl std::error::Error for Diagnostics {}

/// A number with a comma between thousands.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
