//! Errors and warnings about the functions of one file.

use super::*;

/// The argument types of all calls to functions of the file.
#[derive(Clone, Default, PartialEq)]
pub struct PassedTypes(pub BTreeMap<FnKey, Vec<Type>>);

impl PassedTypes {
    /// Adds the types of a call.
    pub fn add(&mut self, function: FnKey, types: Vec<Type>) {
        let known = self.0.entry(function).or_insert_with(|| types.clone());
        for (a, b) in known.iter_mut().zip(types) {
            *a = join(*a, b);
        }
    }
}

/// Errors and warnings about one file. The same one may be found several times. Their places are only
/// looked up at the end, for those that are shown.
pub struct Findings {
    file: Arc<SourceFile>,
    found: RefCell<Vec<(Severity, Position, String)>>,
    /// What the functions of the file pass to each other.
    pub passed: RefCell<PassedTypes>,
}

impl Findings {
    pub fn new(file: &Arc<SourceFile>) -> Self {
        Self { file: file.clone(), found: RefCell::default(), passed: RefCell::default() }
    }

    /// Adds a finding at a position.
    pub fn add(&self, severity: Severity, at: Position, message: String) {
        self.found.borrow_mut().push((severity, at, message));
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

    /// The findings in the order of the file, without duplicates: the first errors and warnings, and
    /// how many others there are.
    pub fn finish(self) -> Vec<Diagnostic> {
        let mut found = self.found.take();
        let line = |at: Position| (at.line().unwrap_or(1), at.position().unwrap_or(1));
        found.sort_by_key(|(_, at, _)| line(*at));
        let mut seen = BTreeSet::new();
        found.retain(|(severity, at, message)| seen.insert((line(*at), *severity, message.clone())));
        let mut shown = Vec::new();
        for severity in [Severity::Error, Severity::Warning] {
            let of_severity = found.iter().filter(|(other, ..)| *other == severity);
            let more = of_severity.clone().skip(MOST_SHOWN).count();
            shown.extend(of_severity.take(MOST_SHOWN).map(|(_, at, message)| Diagnostic {
                severity,
                ..Diagnostic::error(self.place(*at), message.as_str())
            }));
            if more > 0 {
                shown.push(Diagnostic::left_out(severity, more));
            }
        }
        shown
    }
}
