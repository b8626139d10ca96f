//! `run_tests`.

use super::*;
use hangtime_play::{CaseOptions, PlannedCase, RunOptions, TestObserver, TestResult, run_plan};

/// Arguments of `run_tests`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunGameTestsParams {
    /// Only tests that one of these selects: a part of the name, a file or a folder, `=NAME` for a whole name, or
    /// `/PATTERN/`. Without any, all tests.
    #[serde(default)]
    filter: Vec<String>,
}

/// Collects the results of a run until the call ends.
struct ResultTexts<'a> {
    end: &'a CallEnd,
    passed: BoundedLines,
    failed: BoundedLines,
    counts: [usize; 2],
}

impl TestObserver for ResultTexts<'_> {
    fn finished(&mut self, planned: &PlannedCase, result: &TestResult) -> io::Result<()> {
        let name = printable_name(&planned.case.name);
        match (result.passed(), result.report(false)) {
            (true, report) if report.is_empty() => self.passed.push(&name),
            (true, report) => self.passed.push(&format!("{name}\n{report}")),
            (false, report) => self.failed.push(&format!("{name}\n{report}\n")),
        }
        self.counts[usize::from(!result.passed())] += 1;
        Ok(())
    }

    fn waiting(&mut self, _: &[(&PlannedCase, Duration)]) {}

    fn is_over(&mut self) -> bool {
        self.end.is_here()
    }
}

pub fn run_tests(game: &McpGame, params: RunGameTestsParams, end: &CallEnd) -> ToolResult {
    let (project, cache, plan) = plan_tests(&game.game, &[], &params.filter)?;
    let all = plan.cases.len();
    if all == 0 {
        return Err(ToolError("no test matches; without a `filter`, all tests run".into()));
    }
    let options = RunOptions { jobs: cores(), fail_fast: false, cases: CaseOptions::default() };
    let mut texts =
        ResultTexts { end, passed: BoundedLines::default(), failed: BoundedLines::default(), counts: [0; 2] };
    run_plan(&project, &cache, &Arc::new(plan), options, &mut texts).map_err(|error| ToolError(error.to_string()))?;
    let ResultTexts { passed, failed, counts: [good, bad], .. } = texts;
    let mut text = format!("{good} passed, {bad} failed\n");
    if good + bad < all {
        let seconds = LONGEST_CALL.as_secs();
        text += &format!("{} did not end within {seconds} s; run fewer with a `filter`\n", all - good - bad);
    }
    text += &failed.part("failed", "run them with a `filter`");
    text += &passed.part("passed", "run fewer with a `filter`");
    text_answer(text)
}
