//! The joined results of tests as JUnit XML.

use super::MergedResults;
use crate::reports::without_total_of_skipped;
use crate::results::{CaseOutcome, CaseRecord};
use hangtime_script::text::{cut, printable};
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use std::io::{self, Write};
use std::time::Duration;

/// The largest number of characters of a text in the report.
const MOST_TEXT: usize = 16_000;

/// The longest time in a report, in seconds: files may have any number.
const LONGEST: f64 = 1e9;

impl MergedResults {
    /// Writes a report as `hangtime test --junit` does: a suite for each test file, with a case for each
    /// test. Results files do not have what tests print.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write_junit(&self, mut out: impl Write) -> io::Result<()> {
        let mut report = Report::new("hangtime");
        let mut suites: Vec<(&str, TestSuite)> = Vec::new();
        let mut took = Duration::ZERO;
        for case in &self.cases {
            // The cases of a file follow each other.
            let (file, _) = parts_of(case);
            if suites.last().is_none_or(|(name, _)| *name != file) {
                suites.push((file, TestSuite::new(text(file))));
            }
            if let Some((_, suite)) = suites.last_mut() {
                suite.add_test_case(case_of(case));
                let time = suite.time.unwrap_or_default() + time_of(case);
                suite.set_time(time);
            }
            took += time_of(case);
        }
        report.set_time(took);
        report.add_test_suites(suites.into_iter().map(|(_, suite)| suite));
        let mut text = Vec::new();
        report.serialize(&mut text).map_err(io::Error::other)?;
        out.write_all(without_total_of_skipped(&String::from_utf8_lossy(&text)).as_bytes())
    }
}

/// The file of a test, and its name in there; both are the file if it has no functions.
fn parts_of(case: &CaseRecord) -> (&str, &str) {
    case.case.split_once("::").unwrap_or((&case.case, &case.case))
}

fn time_of(case: &CaseRecord) -> Duration {
    Duration::from_secs_f64((case.ms / 1000.0).clamp(0.0, LONGEST))
}

fn case_of(record: &CaseRecord) -> TestCase {
    let (mut status, kind) = match record.outcome {
        CaseOutcome::Passed | CaseOutcome::Measured => (TestCaseStatus::success(), ""),
        CaseOutcome::KnownFailure => (TestCaseStatus::skipped(), "known_failure"),
        CaseOutcome::Failed => (TestCaseStatus::non_success(NonSuccessKind::Failure), "failed"),
        CaseOutcome::NotCompiled => (TestCaseStatus::non_success(NonSuccessKind::Error), "not_compiled"),
    };
    if !kind.is_empty() {
        status.set_type(kind);
        status.set_message(text(record.message.as_deref().unwrap_or(kind)));
        status.set_description(text(&record.details()));
    }
    let (file, name) = parts_of(record);
    let mut case = TestCase::new(text(name), status);
    case.set_classname(text(file));
    case.set_time(time_of(record));
    case
}

/// A text of the game. XML allows no control characters, so they are written as scripts write them.
fn text(text: &str) -> String {
    let visible = printable(&cut(text, MOST_TEXT)).into_owned();
    // These are the only other characters that XML does not have.
    visible.replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}")
}
