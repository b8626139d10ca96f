//! The results of tests.

use hangtime_script::text::cut;
use hangtime_script::{Diagnostic, Failure, KnownFailure, MOST_SHOWN, Place};
use std::collections::BTreeSet;
use std::time::Duration;

/// The outcome of a test.
#[derive(Clone, Debug)]
pub enum TestOutcome {
    /// Every expectation was met.
    Passed,
    /// The test failed, as its `known_failure` says. Counts as passed.
    KnownFailure(Box<KnownFailure>),
    /// An expectation was not met, or a script failed.
    Failed(Box<Failure>),
    /// The file does not compile.
    NotCompiled(Vec<Diagnostic>),
}

/// The files that a test depends on, by path below the game folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum TestFiles {
    /// Not known, so any edit may change its result.
    #[default]
    Any,
    /// Only these.
    Only(BTreeSet<String>),
}

/// The result of running a test.
#[derive(Clone, Debug)]
pub struct TestResult {
    /// The test's name, as in [`TestCase::name`](crate::TestCase::name).
    pub name: String,
    /// Whether and why it failed.
    pub outcome: TestOutcome,
    /// The command line that runs it again.
    pub rerun: String,
    /// The first lines that its script printed, cut to a readable length.
    pub printed: Vec<String>,
    /// The number of printed lines that are left out.
    pub printed_more: usize,
    /// Warnings about what the test did, also if it passed.
    pub warnings: Vec<Diagnostic>,
    /// The time it took.
    pub took: Duration,
    /// The hashes of the worlds at the end of all levels that it played, as one.
    pub hash: u64,
    /// The files that it depends on, if the run asked for them.
    pub files: TestFiles,
    /// For a failed test that was run once more with another result: the difference. Tests are
    /// deterministic, so this is a bug of hangtime.
    pub differs: Option<String>,
    /// For a failed test: the recording of the level that it opened last, by its path below the game folder.
    pub recording: Option<String>,
    /// The command line that replays it.
    pub replay: Option<String>,
}

/// The largest number of characters of a value, or of a printed line, that is kept or shown.
pub(crate) const MOST_SHOWN_TEXT: usize = 4000;

impl TestResult {
    /// Whether the test passed or failed as known.
    pub fn passed(&self) -> bool {
        matches!(self.outcome, TestOutcome::Passed | TestOutcome::KnownFailure(_))
    }

    /// The failure, also a known one.
    pub fn failure(&self) -> Option<&Failure> {
        match &self.outcome {
            TestOutcome::Failed(failure) => Some(failure),
            TestOutcome::KnownFailure(known) => Some(&known.failure),
            TestOutcome::Passed | TestOutcome::NotCompiled(_) => None,
        }
    }

    /// The message of the failure.
    pub fn diagnostic(&self) -> Option<&Diagnostic> {
        match &self.outcome {
            TestOutcome::NotCompiled(wrong) => wrong.first(),
            _ => self.failure().map(|failure| &failure.diagnostic),
        }
    }

    /// Where it failed.
    pub fn place(&self) -> Option<&Place> {
        self.diagnostic().and_then(|wrong| wrong.place.as_ref())
    }

    /// Keeps the first lines that were printed.
    pub(super) fn keep_printed(&mut self, printed: Vec<String>) {
        self.printed_more = printed.len().saturating_sub(MOST_SHOWN);
        let shown = printed.iter().take(MOST_SHOWN);
        self.printed = shown.map(|line| cut(line, MOST_SHOWN_TEXT).into_owned()).collect();
    }

    /// How another run of the same test differs: in its outcome, the state of its levels at their ends, or
    /// its message.
    pub(super) fn difference(&self, again: &Self) -> Option<String> {
        let (one, two) = (self.word(), again.word());
        if one != two {
            return Some(format!("it {one}, and then it {two}"));
        }
        if self.hash != again.hash {
            return Some(format!(
                "its levels ended with the hash {:016x}, and then with {:016x}",
                self.hash, again.hash
            ));
        }
        let message = |result: &Self| {
            let failure = result.failure();
            let values = failure.map(|f| (f.expected.clone(), f.got.clone(), f.tick));
            (result.diagnostic().map(Diagnostic::headline), values)
        };
        let (one, two) = (message(self), message(again));
        (one != two).then(|| {
            let headline = two.0.unwrap_or_default();
            let values = two.1.and_then(|(_, got, tick)| Some((got?, tick)));
            let values = values.map_or_else(String::new, |(got, tick)| {
                let tick = tick.map_or_else(String::new, |tick| format!(" at tick {tick}"));
                format!(" (got {}{tick})", cut(&got, MOST_SHOWN_TEXT))
            });
            format!("its message then was: {headline}{values}")
        })
    }

    fn word(&self) -> &'static str {
        match self.outcome {
            TestOutcome::Passed => "passed",
            TestOutcome::KnownFailure(_) => "failed as known",
            TestOutcome::Failed(_) => "failed",
            TestOutcome::NotCompiled(_) => "did not compile",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{TestFiles, TestOutcome, TestResult};
    use hangtime_script::{Diagnostic, Failure, Place, SourceFile};
    use std::sync::Arc;
    use std::time::Duration;

    fn result(got: Option<&str>, hash: u64) -> TestResult {
        let file = Arc::new(SourceFile { name: "a.rhai".into(), text: "fn test_a() { }".into() });
        let failed = |got: &str| {
            TestOutcome::Failed(Box::new(Failure {
                diagnostic: Diagnostic::error(Place::new(&file, 3..9), "no"),
                expected: Some("3".into()),
                got: Some(got.into()),
                tick: Some(7),
                fault: None,
            }))
        };
        TestResult {
            name: "a.rhai::test_a".into(),
            outcome: got.map_or(TestOutcome::Passed, failed),
            rerun: String::new(),
            printed: Vec::new(),
            printed_more: 0,
            warnings: Vec::new(),
            took: Duration::from_millis(hash),
            hash,
            files: TestFiles::Any,
            differs: None,
            recording: None,
            replay: None,
        }
    }

    #[test]
    fn a_rerun_differs_in_its_outcome_hash_or_message_but_not_in_its_time() {
        let failed = result(Some("4"), 1);
        let again = TestResult { took: Duration::from_secs(9), ..failed.clone() };
        assert_eq!(failed.difference(&again), None);
        let says = |other: &TestResult| failed.difference(other).unwrap_or_default();
        assert_eq!(says(&result(None, 1)), "it failed, and then it passed");
        assert_eq!(
            says(&result(Some("4"), 2)),
            "its levels ended with the hash 0000000000000001, and then with 0000000000000002"
        );
        assert_eq!(says(&result(Some("5"), 1)), "its message then was: a.rhai:1:4: error: no (got 5 at tick 7)");
        let noted = TestResult { differs: Some(says(&result(None, 1))), ..failed.clone() };
        let line = "a rerun differs: it failed, and then it passed; tests are deterministic";
        assert!(noted.report(false).contains(line));
        assert!(noted.recap().contains(line));
    }
}
