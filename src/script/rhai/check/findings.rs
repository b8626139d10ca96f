//! The list of everything that a check has found in one file.

use crate::script::host::{Diagnostic, Place, SourceFile};
use crate::script::rhai::messages::errors::place;
use rhai::Position;
use std::cell::RefCell;
use std::sync::Arc;

/// Errors and warnings about one file.
pub(super) struct Findings {
    file: Arc<SourceFile>,
    found: RefCell<Vec<Diagnostic>>,
}

impl Findings {
    pub fn new(file: &Arc<SourceFile>) -> Self {
        let (file, found) = (file.clone(), RefCell::default());
        Self { file, found }
    }

    /// Adds an error at a position.
    pub fn error(&self, at: Position, message: impl Into<String>) {
        let place = self.place(at);
        self.found
            .borrow_mut()
            .push(Diagnostic::error(place, message));
    }

    /// Adds a warning at a position.
    pub fn warn(&self, at: Position, message: impl Into<String>) {
        let place = self.place(at);
        self.found
            .borrow_mut()
            .push(Diagnostic::warning(place, message));
    }

    /// Adds a diagnostic that has its place already.
    pub fn add(&self, diagnostic: Diagnostic) {
        self.found.borrow_mut().push(diagnostic);
    }

    /// The span of the word, or of the quoted text, at a position.
    fn place(&self, at: Position) -> Place {
        let word = place(&self.file, at);
        let start = word.span.start;
        let quoted = self.file.text[start..].strip_prefix('"');
        match quoted.and_then(|rest| rest.find('"')) {
            Some(length) => Place::new(&self.file, start..start + length + 2),
            None => word,
        }
    }

    /// The number of findings so far.
    pub fn count(&self) -> usize {
        self.found.borrow().len()
    }

    /// Drops all findings after the first `count`.
    pub fn truncate(&self, count: usize) {
        self.found.borrow_mut().truncate(count);
    }

    /// All findings in the order of the file, without duplicates.
    pub fn finish(self) -> Vec<Diagnostic> {
        let mut found = self.found.into_inner();
        found.sort_by_key(|d| d.place.as_ref().map_or(0, |p| p.span.start));
        found.dedup();
        found
    }
}
