//! `test`: finds and runs test levels.

use super::{GOOD, NO_TESTS, TESTS_FAILED, project, say, unusable};
use crate::playtest::{TestCase, collect, run_case};
use crate::project::files;
use clap::Args;
use std::io::IsTerminal as _;
use std::path::PathBuf;

/// Arguments of `test`.
#[derive(Args)]
pub struct TestArguments {
    /// Test scripts, or folders of them; without any, levels/tests
    paths: Vec<String>,
    /// Run only tests whose name, as --list shows it, contains this
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,
    /// List the tests without running them
    #[arg(long)]
    list: bool,
}

/// Runs the command.
pub fn test(root: PathBuf, arguments: &TestArguments) -> u8 {
    let found = project(root).and_then(|project| {
        let files = files::find_tests(project.root(), &arguments.paths)?;
        Ok((collect(&project, &files), project))
    });
    let (mut cases, project) = match found {
        Ok(found) => found,
        Err(wrong) => return unusable(&[wrong]),
    };
    if let Some(filter) = &arguments.filter {
        let all = cases.len();
        cases.retain(|case| case.name.contains(filter.as_str()));
        if cases.is_empty() && all > 0 {
            eprintln!("none of the {all} tests has `{filter}` in its name; --list shows them");
            return NO_TESTS;
        }
    }
    if cases.is_empty() {
        eprintln!("no tests found; a test is a `fn test_…()` in a script below levels/tests");
        return NO_TESTS;
    }
    if arguments.list {
        for case in &cases {
            say(&case.name);
        }
        return GOOD;
    }
    let failed = cases.iter().filter(|case| !passes(&project, case)).count();
    say(format_args!(
        "{} passed, {failed} failed",
        cases.len() - failed
    ));
    if failed == 0 { GOOD } else { TESTS_FAILED }
}

fn passes(project: &crate::project::Project, case: &TestCase) -> bool {
    let result = run_case(project, case);
    let color = std::io::stdout().is_terminal();
    let word = match (result.passed(), color) {
        (true, true) => "\u{1b}[32mok\u{1b}[0m",
        (true, false) => "ok",
        (false, true) => "\u{1b}[31mFAILED\u{1b}[0m",
        (false, false) => "FAILED",
    };
    say(format_args!(
        "{word} {} ({:.0} ms)",
        result.name,
        result.took.as_secs_f64() * 1000.0
    ));
    let report = result.report(color);
    if !report.is_empty() {
        say(report);
    }
    result.passed()
}
