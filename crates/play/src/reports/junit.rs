//! Results as JUnit XML, which most CI systems read.

use super::*;
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use regex_lite::Regex;

/// The largest number of characters of a text in the report.
const MOST_TEXT: usize = 16_000;

/// A report in JUnit's format: a suite for each test file, with a case for each test.
///
/// A known failure is a skipped test with its reason, and a file that does not compile is an error.
#[derive(Debug, Default)]
pub struct JunitReport {
    /// The cases by file, in the order of the plan.
    suites: Vec<(String, TestSuite)>,
    took: Duration,
}

/// A case of a report.
pub struct JunitCase<'a> {
    pub file: &'a str,
    pub name: &'a str,
    /// The line of the test in the file, from 1; 0 if it is not known.
    pub line: usize,
    pub outcome: CaseOutcome,
    pub took: Duration,
    /// Why it failed, unless it passed.
    pub message: Option<String>,
    pub details: String,
    /// What it printed.
    pub printed: String,
}

impl JunitReport {
    /// Adds the result of a test.
    pub fn add(&mut self, planned: &PlannedCase, result: &TestResult) {
        let file = planned.case.file_name();
        let name = planned.case.test_name();
        let mut printed = result.printed.join("\n");
        if result.printed_more > 0 {
            printed += &format!("\nand {} more printed lines", result.printed_more);
        }
        self.push(JunitCase {
            file,
            name: if name.is_empty() { file } else { name },
            line: planned.case.line(),
            outcome: result.outcome.kind(),
            took: result.took,
            message: match &result.outcome {
                TestOutcome::KnownFailure(known) => Some(known.why.clone()),
                _ => result.diagnostic().map(Diagnostic::headline),
            },
            details: result.report(false),
            printed,
        });
    }

    /// Adds a case. The cases of a file follow each other.
    pub(crate) fn push(&mut self, case: JunitCase<'_>) {
        let (mut status, kind) = match case.outcome {
            CaseOutcome::Passed | CaseOutcome::Measured => (TestCaseStatus::success(), ""),
            CaseOutcome::KnownFailure => (TestCaseStatus::skipped(), "known_failure"),
            CaseOutcome::Failed => (TestCaseStatus::non_success(NonSuccessKind::Failure), "failed"),
            CaseOutcome::NotCompiled => (TestCaseStatus::non_success(NonSuccessKind::Error), "not_compiled"),
        };
        if !kind.is_empty() {
            status.set_type(kind);
            // Attributes are on one line.
            status.set_message(text(case.message.as_deref().unwrap_or(kind)).replace('\n', " "));
            status.set_description(text(&case.details));
        }
        let mut added = TestCase::new(text(case.name), status);
        added.set_classname(text(case.file));
        added.set_time(case.took);
        added.extra.insert("file".into(), text(case.file).into());
        if case.line > 0 {
            added.extra.insert("line".into(), case.line.to_string().into());
        }
        if !case.printed.is_empty() {
            added.set_system_out(text(&case.printed));
        }
        if self.suites.last().is_none_or(|(file, _)| file != case.file) {
            self.suites.push((case.file.into(), TestSuite::new(text(case.file))));
        }
        if let Some((_, suite)) = self.suites.last_mut() {
            suite.add_test_case(added);
            suite.set_time(suite.time.unwrap_or_default() + case.took);
        }
        self.took += case.took;
    }

    /// Writes the report.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(self, mut out: impl Write) -> io::Result<()> {
        let mut report = Report::new("hangtime");
        report.set_time(self.took);
        report.add_test_suites(self.suites.into_iter().map(|(_, suite)| suite));
        let text = report.to_string().map_err(io::Error::other)?;
        // Jenkins validates reports, and its schema allows this attribute only for suites.
        let total_of_skipped = Regex::new("(<testsuites[^>]*?) skipped=\"[0-9]+\"").map_err(io::Error::other)?;
        out.write_all(total_of_skipped.replace(&text, "$1").as_bytes())
    }
}

/// A text of the game. XML allows no control characters, so they are written as scripts write them.
fn text(text: &str) -> String {
    let visible = printable(&cut(text, MOST_TEXT)).into_owned();
    // These are the only other characters that XML does not have.
    visible.replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}")
}
