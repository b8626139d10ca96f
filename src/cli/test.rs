//! `test`: finds and runs tests.

use super::interrupt::Interrupt;
use super::output::{INTERRUPTED, NO_TESTS, SUCCESS, TESTS_FAILED, say, say_rendered, unusable};
use crate::playtest::feel::contracts_at;
use crate::playtest::{TestCase, TestResult, collect, run_case, run_heavy_case};
use crate::project::terminal::tell;
use crate::project::{Error, GameFolder, Project, files};
use crate::script::host::text::printable_name;
use clap::Args;
use std::io::IsTerminal as _;

/// Arguments of `test`.
#[derive(Args)]
pub struct TestArguments {
    /// Test scripts, kinds with contracts, or folders with them [default: levels/tests and all
    /// contracts]
    paths: Vec<String>,
    /// Run only tests whose name contains TEXT; --list shows the names
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,
    /// List the tests without running them
    #[arg(long)]
    list: bool,
    /// Save and load each level before every tick; a test also fails if that makes a difference
    #[arg(long)]
    heavy: bool,
}

/// Runs the command and returns the exit code.
pub fn test(folder: GameFolder, arguments: &TestArguments) -> u8 {
    let (project, mut cases) = match find(folder, arguments) {
        Ok(found) => found,
        Err(error) => return unusable(&error),
    };
    if let Some(filter) = &arguments.filter {
        let all = cases.len();
        cases.retain(|case| case.name.contains(filter.as_str()));
        if cases.is_empty() && all > 0 {
            tell(format_args!(
                "none of the {all} tests has `{filter}` in its name; --list shows the names"
            ));
            return NO_TESTS;
        }
    }
    if cases.is_empty() {
        tell(
            "no tests found; a test is a `fn test_…()` in a script in levels/tests, or a line of \
             `[expect]` in a file of config/entities",
        );
        return NO_TESTS;
    }
    if arguments.list {
        for case in &cases {
            say(printable_name(&case.name));
        }
        return SUCCESS;
    }
    let play = if arguments.heavy {
        run_heavy_case
    } else {
        run_case
    };
    let interrupt = Interrupt::watch();
    let (mut ran, mut failed) = (0, 0);
    for case in &cases {
        if interrupt.arrived() {
            break;
        }
        ran += 1;
        failed += usize::from(!report(&play(&project, case)));
    }
    say(format_args!("{} passed, {failed} failed", ran - failed));
    if interrupt.arrived() {
        tell(format_args!(
            "interrupted: {ran} of {} tests ran",
            cases.len()
        ));
        return INTERRUPTED;
    }
    if failed == 0 { SUCCESS } else { TESTS_FAILED }
}

fn find(folder: GameFolder, arguments: &TestArguments) -> Result<(Project, Vec<TestCase>), Error> {
    let project = Project::load(folder)?;
    let (contracts, paths) = contracts_at(&project, &arguments.paths)?;
    let files = if paths.is_empty() && !arguments.paths.is_empty() {
        Vec::new()
    } else {
        files::find_tests(project.folder(), &paths)?
    };
    let mut cases = collect(&project, &files);
    cases.extend(contracts.into_iter().map(TestCase::from));
    Ok((project, cases))
}

/// Prints the result of a test and returns whether it passed.
fn report(result: &TestResult) -> bool {
    let color = std::io::stdout().is_terminal();
    let word = match (result.passed(), color) {
        (true, true) => "\u{1b}[32mok\u{1b}[0m",
        (true, false) => "ok",
        (false, true) => "\u{1b}[31mFAILED\u{1b}[0m",
        (false, false) => "FAILED",
    };
    let name = printable_name(&result.name);
    let took = result.took.as_secs_f64() * 1000.0;
    say_rendered(&format!("{word} {name} ({took:.0} ms)"));
    let report = result.report(color);
    if !report.is_empty() {
        say_rendered(&report);
    }
    result.passed()
}
