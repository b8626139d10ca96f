//! The results of tests.

use super::{open_error::NOT_PLAYED, *};
use hangtime_script::MOST_SHOWN;

/// The outcome of a test.
#[derive(Clone, Debug, Default)]
pub enum TestOutcome {
    /// Every expectation was met.
    #[default]
    Passed,
    /// The test failed, as its `known_failure` says. Counts as passed.
    KnownFailure(Box<KnownFailure>),
    /// An expectation was not met, or a script failed.
    Failed(Box<Failure>),
    /// The file does not compile.
    NotCompiled(Vec<Diagnostic>),
}

impl TestOutcome {
    /// A failure that is not one of the test's own expectations.
    pub(crate) fn failed(place: Place, message: impl Into<String>) -> Self {
        Self::Failed(Box::new(Failure::new(Diagnostic::error(place, message), None)))
    }

    /// The outcome without its reasons.
    pub(crate) fn kind(&self) -> CaseOutcome {
        match self {
            Self::Passed => CaseOutcome::Passed,
            Self::KnownFailure(_) => CaseOutcome::KnownFailure,
            Self::Failed(_) => CaseOutcome::Failed,
            Self::NotCompiled(_) => CaseOutcome::NotCompiled,
        }
    }
}

/// What made a run differ from its golden trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoldenFailure {
    /// The files of the game that have changed since the trace was written, with their first changed values. None if an
    /// earlier version wrote the trace, which does not know them.
    pub moved_by: Option<String>,
    /// The same for all golden traces that fail for the same cause: `moved_by` or, without it, the first difference.
    pub cause: String,
}

/// The result of running a test.
#[derive(Clone, Debug, Default)]
pub struct TestResult {
    /// The test's name, as in [`TestCase::name`](crate::TestCase::name).
    pub name: String,
    /// Whether and why it failed.
    pub outcome: TestOutcome,
    /// For a golden trace that differs: what made it differ.
    pub golden: Option<GoldenFailure>,
    /// The command line that runs it again.
    pub rerun: String,
    /// The first lines that its script printed, cut to a readable length.
    pub printed: Vec<String>,
    /// The number of printed lines that are left out.
    pub printed_more: usize,
    /// Warnings about what the test did, also if it passed.
    pub warnings: Vec<Diagnostic>,
    /// Whether something took longer than it may, which depends on the machine.
    pub timed_out: bool,
    /// The time it took.
    pub took: Duration,
    /// The hashes of the worlds at the end of all levels that it played, as one.
    pub hash: u64,
    /// The files that it depends on, by path below the game folder. None if they are not known, so that any edit may
    /// change its result.
    pub files: Option<BTreeSet<String>>,
    /// For a failed test that was run once more with another result: the difference. Tests are
    /// deterministic, so this is a bug of hangtime.
    pub differs: Option<String>,
    /// For a failed test: the recording of the level that it opened last, by its path below the game folder.
    pub recording: Option<String>,
    /// The command line that replays it.
    pub replay: Option<String>,
}

/// The largest number of characters of a value, or of a printed line, that is kept or shown.
pub const MOST_SHOWN_TEXT: usize = 4000;

impl TestResult {
    /// Whether the test passed or failed as known.
    pub fn passed(&self) -> bool {
        self.outcome.kind().passed()
    }

    /// The failure, also a known one.
    pub fn failure(&self) -> Option<&Failure> {
        match &self.outcome {
            TestOutcome::Failed(failure) => Some(failure),
            TestOutcome::KnownFailure(known) => Some(&known.failure),
            TestOutcome::Passed | TestOutcome::NotCompiled(_) => None,
        }
    }

    /// What other tests may have failed for as well: the cause of a golden trace's failure, or why a level cannot be played.
    pub fn cause(&self) -> Option<&str> {
        let golden = self.golden.as_ref().map(|golden| golden.cause.as_str());
        golden.or_else(|| Some(self.diagnostic()?.message.split_once(NOT_PLAYED)?.1))
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
    pub(crate) fn keep_printed(&mut self, printed: Vec<String>) {
        self.printed_more = printed.len().saturating_sub(MOST_SHOWN);
        let shown = printed.iter().take(MOST_SHOWN);
        self.printed = shown.map(|line| cut(line, MOST_SHOWN_TEXT).into_owned()).collect();
    }

    /// How another run of the same test differs: in its outcome, the state of its levels at their ends, or
    /// its message.
    pub fn difference(&self, again: &Self) -> Option<String> {
        let (one, two) = (self.outcome.kind().words(), again.outcome.kind().words());
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
}
