//! `check` and `tests.*`: requests about the game.

use super::reply::{Answer, Answered, Reply};
use crate::ServedGame;
use crate::protocol::{
    CheckAnswer, CheckParams, DeskRequest, DiagnosticLine, ErrorKind, RpcError, TestLine, TestListParams,
    TestListResult, TestRunParams, TestRunResult,
};
use hangtime_game::{LevelCache, Project, check as check_files, files, within_time};
use hangtime_play::calls::calls_of_tests;
use hangtime_play::feel::contracts_at;
use hangtime_play::{
    CaseOptions, CaseRecord, PlannedCase, RunOptions, TestCase, TestFilter, TestObserver, TestPlan, TestResult,
    collect_with, record_of, run_plan,
};
use hangtime_script::count_mistakes;
use std::io;
use std::sync::Arc;
use std::time::Duration;

/// The longest time that checking a game may take.
const LONGEST: Duration = Duration::from_secs(300);

/// The most tests that run at the same time.
const MOST_JOBS: u16 = 64;

/// Carries out a request about the game.
pub(super) fn carry_out(game: &ServedGame, request: DeskRequest, reply: &Reply) -> Answered {
    if reply.is_canceled() {
        return Err(canceled());
    }
    Ok(match request {
        DeskRequest::Check(params) => Answer::of(&check(game, &params)?),
        DeskRequest::TestsList(params) => Answer::of(&list(game, &params)?),
        DeskRequest::TestsRun(params) => Answer::of(&run(game, &params, reply)?),
    })
}

fn canceled() -> RpcError {
    RpcError::new(ErrorKind::Canceled, "the request was canceled")
}

fn check(game: &ServedGame, params: &CheckParams) -> Result<CheckAnswer, RpcError> {
    let folder = game.project().folder().clone();
    let paths = paths_inside(game, &params.paths)?;
    let report = within_time(LONGEST, move || check_files(&folder, &paths, &calls_of_tests()))??;
    let errors = count_mistakes(report.diagnostics.iter().filter(|d| d.is_error()));
    Ok(CheckAnswer {
        files: report.files,
        errors,
        warnings: count_mistakes(&report.diagnostics) - errors,
        diagnostics: report.diagnostics.iter().map(DiagnosticLine::of).collect(),
    })
}

/// Files and folders of the game, by their paths below it. Clients see none elsewhere.
fn paths_inside(game: &ServedGame, names: &[String]) -> Result<Vec<String>, RpcError> {
    let paths = names.iter().map(|name| {
        let path = game.project().path_inside(name)?;
        Ok(path.to_string_lossy().into_owned())
    });
    paths.collect()
}

/// The tests that a client wants, and what runs them.
fn plan(
    game: &ServedGame,
    paths: &[String],
    filter: &[String],
) -> Result<(Project, Arc<LevelCache>, TestPlan), RpcError> {
    let project = game.project().clone();
    let parse = |(place, text): (usize, &String)| {
        TestFilter::parse(project.root(), text).map_err(|why| RpcError::parameter(&format!("filter[{place}]"), why))
    };
    let filters = filter.iter().enumerate().map(parse);
    let filters = filters.collect::<Result<Vec<_>, _>>()?;
    let paths = &paths_inside(game, paths)?;
    let (contracts, left) = contracts_at(&project, paths)?;
    let files = match left.is_empty() && !paths.is_empty() {
        true => Vec::new(),
        false => files::find_tests(project.folder(), &left)?,
    };
    let cache = Arc::new(LevelCache::new(project.folder().clone()));
    let mut cases = collect_with(&project, &cache, &files, cores());
    cases.extend(contracts.into_iter().map(TestCase::from));
    let plan = TestPlan::new(cases, &filters);
    Ok((project, cache, plan))
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn list(game: &ServedGame, params: &TestListParams) -> Result<TestListResult, RpcError> {
    let (_, _, plan) = plan(game, &params.paths, &params.filter)?;
    let tests = plan.cases.iter().map(|planned| TestLine {
        name: planned.case.name.clone(),
        file: planned.case.file_name().into(),
        line: planned.case.line(),
    });
    Ok(TestListResult { tests: tests.collect() })
}

/// Collects the results of a run until the client cancels it.
struct ResultCollector<'a> {
    reply: &'a Reply,
    cases: Vec<CaseRecord>,
}

impl TestObserver for ResultCollector<'_> {
    fn finished(&mut self, planned: &PlannedCase, result: &TestResult) -> io::Result<()> {
        self.cases.push(record_of(planned, result));
        Ok(())
    }

    fn waiting(&mut self, _: &[(&PlannedCase, Duration)]) {}

    fn is_over(&mut self) -> bool {
        self.reply.is_canceled()
    }
}

fn run(game: &ServedGame, params: &TestRunParams, reply: &Reply) -> Result<TestRunResult, RpcError> {
    let jobs = match params.jobs {
        None => cores(),
        Some(jobs) if (1..=MOST_JOBS).contains(&jobs) => usize::from(jobs),
        Some(jobs) => {
            let message = format!("is {jobs}; it must be between 1 and {MOST_JOBS}");
            return Err(RpcError::parameter("jobs", message));
        }
    };
    let (project, cache, plan) = plan(game, &params.paths, &params.filter)?;
    let options = RunOptions { jobs, fail_fast: false, cases: CaseOptions { heavy: false, with_files: false } };
    let cases = Vec::new();
    let mut collector = ResultCollector { reply, cases };
    run_plan(&project, &cache, &Arc::new(plan), options, &mut collector)
        .map_err(|error| RpcError::new(ErrorKind::Internal, error.to_string()))?;
    if reply.is_canceled() {
        return Err(canceled());
    }
    let cases = collector.cases;
    let passed = cases.iter().filter(|case| case.outcome.passed()).count();
    Ok(TestRunResult { passed, failed: cases.len() - passed, cases })
}
