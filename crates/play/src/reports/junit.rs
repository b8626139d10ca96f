//! Results as JUnit XML, which most CI systems read.

use crate::outcome::{TestOutcome, TestResult};
use crate::runner::PlannedCase;
use hangtime_script::Diagnostic;
use hangtime_script::text::{cut, printable};
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::time::Duration;

/// The largest number of characters of a text in the report.
const MOST_TEXT: usize = 16_000;

/// A report in JUnit's format: a suite for each test file, with a case for each test.
///
/// A known failure is a skipped test with its reason, and a file that does not compile is an error.
#[derive(Debug, Default)]
pub struct JunitReport {
    /// The cases by file, files in the order of the plan.
    suites: Vec<(String, TestSuite)>,
    /// The place of each file in the list.
    places: BTreeMap<String, usize>,
    took: Duration,
}

impl JunitReport {
    /// Adds the result of a test.
    pub fn add(&mut self, planned: &PlannedCase, result: &TestResult) {
        let file = planned.case.file_name();
        let place = *self.places.entry(file.to_string()).or_insert_with(|| {
            self.suites.push((file.to_string(), TestSuite::new(text(file))));
            self.suites.len() - 1
        });
        let (_, suite) = &mut self.suites[place];
        suite.add_test_case(case_of(planned, result));
        let took = suite.time.unwrap_or_default() + result.took;
        suite.set_time(took);
        self.took += result.took;
    }

    /// Writes the report.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(self, mut out: impl Write) -> io::Result<()> {
        let mut report = Report::new("hangtime");
        report.set_time(self.took);
        report.add_test_suites(self.suites.into_iter().map(|(_, suite)| suite));
        let mut text = Vec::new();
        report.serialize(&mut text).map_err(io::Error::other)?;
        out.write_all(without_total_of_skipped(&String::from_utf8_lossy(&text)).as_bytes())
    }
}

/// The report without the attribute `skipped` of its outermost element: Jenkins validates reports, and
/// its schema allows this attribute only for suites.
pub(crate) fn without_total_of_skipped(text: &str) -> String {
    let start = text.find("<testsuites").unwrap_or(text.len());
    let end = text[start..].find('>').map_or(text.len(), |at| start + at);
    let element = &text[start..end];
    let skipped = element.find(" skipped=\"").map(|at| {
        let value = at + " skipped=\"".len();
        let length = element[value..].find('"').map_or(0, |quote| quote + 1);
        start + at..start + value + length
    });
    let Some(skipped) = skipped else {
        return text.into();
    };
    format!("{}{}", &text[..skipped.start], &text[skipped.end..])
}

fn case_of(planned: &PlannedCase, result: &TestResult) -> TestCase {
    let mut status = match &result.outcome {
        TestOutcome::Passed => TestCaseStatus::success(),
        TestOutcome::KnownFailure(_) => TestCaseStatus::skipped(),
        TestOutcome::Failed(_) => TestCaseStatus::non_success(NonSuccessKind::Failure),
        TestOutcome::NotCompiled(_) => TestCaseStatus::non_success(NonSuccessKind::Error),
    };
    let message = match &result.outcome {
        TestOutcome::KnownFailure(known) => Some(known.why.clone()),
        _ => result.diagnostic().map(Diagnostic::headline),
    };
    if let Some(message) = message {
        // Attributes are on one line.
        status.set_message(text(&message).replace('\n', " "));
        status.set_type(match result.outcome {
            TestOutcome::KnownFailure(_) => "known_failure",
            TestOutcome::NotCompiled(_) => "not_compiled",
            _ => "failed",
        });
        status.set_description(text(&result.report(false)));
    }
    let file = planned.case.file_name();
    let name = match planned.case.test_name() {
        "" => file,
        name => name,
    };
    let mut case = TestCase::new(text(name), status);
    case.set_classname(text(file));
    case.set_time(result.took);
    if !result.printed.is_empty() {
        let mut printed = result.printed.join("\n");
        if result.printed_more > 0 {
            printed += &format!("\nand {} more printed lines", result.printed_more);
        }
        case.set_system_out(text(&printed));
    }
    case
}

/// A text of the game. XML allows no control characters, so they are written as scripts write them.
fn text(text: &str) -> String {
    let visible = printable(&cut(text, MOST_TEXT)).into_owned();
    // These are the only other characters that XML does not have.
    visible.replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}")
}
