//! Errors and warnings as they are found. Files can have any number of mistakes; only the first of
//! them are kept.

use super::diagnostic::{Diagnostic, Place, Severity};

/// The largest number of errors, and of warnings, that are shown together. The others are counted.
pub const MOST_SHOWN: usize = 100;

/// The mistakes of one severity.
#[derive(Clone, Debug, Default)]
struct Kept {
    shown: Vec<Diagnostic>,
    /// The number of those that are not kept.
    more: usize,
}

impl Kept {
    fn push(&mut self, diagnostic: Diagnostic) {
        if diagnostic.more > 0 {
            self.more += diagnostic.more;
        } else if self.shown.iter().any(|other| other.says_the_same(&diagnostic)) {
            // A mistake in a module is found once for each script that imports it.
        } else if self.shown.len() < MOST_SHOWN {
            self.shown.push(diagnostic);
        } else {
            self.more += 1;
        }
    }

    fn finish(mut self, severity: Severity) -> Vec<Diagnostic> {
        let start = |d: &Diagnostic| d.place.as_ref().map_or(0, |p| p.span.start);
        self.shown.sort_by(|a, b| (a.file_name(), start(a)).cmp(&(b.file_name(), start(b))));
        if self.more > 0 {
            self.shown.push(Diagnostic::left_out(severity, self.more));
        }
        self.shown
    }
}

/// A list of errors and warnings that keeps the first [`MOST_SHOWN`] of each, without duplicates, and
/// counts the others.
#[derive(Clone, Debug, Default)]
pub struct Mistakes {
    errors: Kept,
    warnings: Kept,
}

impl Mistakes {
    /// An empty report.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an error or a warning.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.of(diagnostic.severity).push(diagnostic);
    }

    /// Adds an error at a place.
    pub fn error(&mut self, place: &Place, message: impl Into<String>) {
        self.push(Diagnostic::error(place.clone(), message));
    }

    /// Adds a warning at a place.
    pub fn warn(&mut self, place: &Place, message: impl Into<String>) {
        self.push(Diagnostic::warning(place.clone(), message));
    }

    /// Adds an error whose message takes work. None is done for one that is only counted.
    pub fn push_error(&mut self, explain: impl FnOnce() -> Diagnostic) {
        if self.errors.shown.len() < MOST_SHOWN {
            self.push(explain());
        } else {
            self.errors.more += 1;
        }
    }

    fn of(&mut self, severity: Severity) -> &mut Kept {
        match severity {
            Severity::Error => &mut self.errors,
            Severity::Warning => &mut self.warnings,
        }
    }

    /// The number of errors and warnings, with those that are only counted.
    pub fn count(&self) -> usize {
        let count = |kept: &Kept| kept.shown.len() + kept.more;
        count(&self.errors) + count(&self.warnings)
    }

    /// Whether there is an error.
    pub fn has_errors(&self) -> bool {
        self.errors.shown.len() + self.errors.more > 0
    }

    /// The errors, then the warnings, each sorted by file and place. The last message of each says
    /// how many were left out.
    pub fn finish(mut self) -> Vec<Diagnostic> {
        let Self { errors, warnings } = &mut self;
        // What `check` is sure of may be no more than a warning to a game that runs.
        warnings.shown.retain(|warning| {
            let error = Diagnostic { severity: Severity::Error, ..warning.clone() };
            !errors.shown.iter().any(|other| other.says_the_same(&error))
        });
        let mut all = self.errors.finish(Severity::Error);
        all.append(&mut self.warnings.finish(Severity::Warning));
        all
    }
}

impl Extend<Diagnostic> for Mistakes {
    fn extend<T: IntoIterator<Item = Diagnostic>>(&mut self, diagnostics: T) {
        for diagnostic in diagnostics {
            self.push(diagnostic);
        }
    }
}

/// The number of mistakes that these messages report, with those that are only counted.
pub fn count_mistakes<'a>(diagnostics: impl IntoIterator<Item = &'a Diagnostic>) -> usize {
    diagnostics.into_iter().map(|d| d.more.max(1)).sum()
}
