//! `test`: finds and runs tests.

use super::interrupt::Interrupt;
use super::output::{NO_TESTS, SUCCESS, UNUSABLE, execution, say, unusable};
use super::test_from::make_test;
use super::test_options::{FoundTests, ListFormat, TestArguments, refuse_in_ci};
use super::test_report::{TestOutputs, TestReporter};
use super::test_watch::watch;
use hangtime_game::terminal::tell;
use hangtime_game::{Error, GameFolder};
use hangtime_play::{TestPlan, update_golden};
use hangtime_script::text::{printable_json, printable_name};
use serde::Serialize;
use std::sync::Arc;

/// Runs the command and returns the exit code.
pub fn test(folder: GameFolder, arguments: &TestArguments) -> u8 {
    let execution = execution(&folder, arguments.both_ways);
    let folder = folder.run_scripts(execution);
    if let Some(recording) = &arguments.from {
        return make_test(folder, recording, arguments);
    }
    if arguments.watch {
        return watch(&folder, arguments);
    }
    let mut found = match FoundTests::find(folder, arguments) {
        Ok(found) => found,
        Err(error) => return unusable(&error),
    };
    if found.plan.total == 0 {
        found.explain_none(arguments);
        return NO_TESTS;
    }
    if arguments.list {
        return list(&found.plan, arguments.format);
    }
    if arguments.update
        && let Err(error) = update_goldens(&mut found)
    {
        return unusable(&error);
    }
    let outputs = match TestOutputs::create(&found, arguments) {
        Ok(outputs) => outputs,
        Err(error) => return unusable(&error),
    };
    let interrupt = Interrupt::watch();
    let is_over = || interrupt.arrived();
    let mut reporter = TestReporter::new(&found, arguments, outputs, &is_over);
    let ran = found.run(arguments, false, &mut reporter);
    reporter.finish(ran)
}

/// Writes the golden traces that are missing or differ. The tests then run with them; one whose trace cannot
/// be written fails.
fn update_goldens(found: &mut FoundTests) -> Result<(), Error> {
    refuse_in_ci("--update")?;
    let mut plan = (*found.plan).clone();
    for planned in &mut plan.cases {
        match update_golden(&found.project, &planned.case) {
            Ok(Some(ticks)) => {
                let input = printable_name(&planned.case.name);
                let name = input.strip_suffix(".input").unwrap_or(&input);
                tell(format_args!("wrote {name}.trace: {ticks} ticks"));
            }
            Ok(None) => {}
            Err(error) => planned.case = planned.case.clone().failing(&error),
        }
    }
    found.plan = Arc::new(plan);
    Ok(())
}

#[derive(Serialize)]
struct ListedTest<'a> {
    name: &'a str,
    file: &'a str,
    line: usize,
    /// The place among all tests that the filters select, from 0.
    index: u64,
}

fn list(plan: &TestPlan, format: Option<ListFormat>) -> u8 {
    match format.unwrap_or(ListFormat::Text) {
        ListFormat::Text => {
            for planned in &plan.cases {
                say(printable_name(&planned.case.name));
            }
        }
        ListFormat::Json => {
            let cases = plan.cases.iter().map(|planned| ListedTest {
                name: &planned.case.name,
                file: planned.case.file_name(),
                line: planned.case.line(),
                index: planned.index,
            });
            match serde_json::to_string_pretty(&cases.collect::<Vec<_>>()) {
                Ok(text) => say(printable_json(&text)),
                Err(e) => {
                    tell(format_args!("error: cannot write the list as JSON: {e}"));
                    return UNUSABLE;
                }
            }
        }
    }
    SUCCESS
}
