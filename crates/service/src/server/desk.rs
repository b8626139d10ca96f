//! `check` and `tests.*`: requests about the game.

use super::*;
use hangtime_game::{CheckReport, GameFolder, LevelCache, Project, check as check_files, within_time};
use hangtime_play::{
    CaseOptions, CaseRecord, PlannedCase, RunOptions, TestFilter, TestObserver, TestPlan, TestResult,
    calls::calls_of_tests, find_cases, record_of, run_plan,
};
use hangtime_script::count_mistakes;

/// The longest time that checking a game may take.
pub const LONGEST_CHECK: Duration = Duration::from_secs(300);

/// The most tests that run at the same time.
const MOST_JOBS: u16 = 64;

/// Carries out a request about the game.
pub fn carry_out(service: &ServiceShared, request: DeskRequest, reply: &Reply) -> RequestResult {
    let game = &*service.game;
    Ok(match request {
        DeskRequest::Check(params) => Answer::of(&check(game, &params)?),
        DeskRequest::TestsList(params) => Answer::of(&list(game, &params)?),
        DeskRequest::TestsRun(params) => Answer::of(&run(game, &params, reply)?),
    })
}

/// Checks files and folders of a game, or without `paths` all of it.
///
/// # Errors
/// If a path does not exist, or the check takes too long.
pub fn check_paths(folder: GameFolder, paths: Vec<String>) -> Result<CheckReport, Error> {
    within_time(LONGEST_CHECK, move || check_files(&folder, &paths, &calls_of_tests()))?
}

fn check(game: &ServedGame, params: &CheckParams) -> Result<CheckAnswer, RpcError> {
    let paths = paths_inside(game, &params.paths)?;
    let report = check_paths(game.project().folder().clone(), paths)?;
    let errors = count_mistakes(report.diagnostics.iter().filter(|d| d.is_error()));
    Ok(CheckAnswer {
        files: report.files,
        errors,
        warnings: count_mistakes(&report.diagnostics) - errors,
        diagnostics: report.diagnostics.iter().map(DiagnosticLine::of).collect(),
    })
}

/// Files and folders of the game, by their paths below it. Clients see none elsewhere.
pub fn paths_inside(game: &ServedGame, names: &[String]) -> Result<Vec<String>, RpcError> {
    let paths = names.iter().map(|name| {
        let path = game.project().path_inside(name)?;
        Ok(path.to_string_lossy().into_owned())
    });
    paths.collect()
}

/// The tests that a client wants, and what runs them.
pub fn plan_tests(
    game: &ServedGame,
    paths: &[String],
    filter: &[String],
) -> Result<(Project, Arc<LevelCache>, TestPlan), RpcError> {
    let project = game.project().clone();
    let parse = |(place, text): (usize, &String)| {
        TestFilter::parse(project.root(), text).map_err(|why| RpcError::parameter(&format!("filter[{place}]"), why))
    };
    let filters = filter.iter().enumerate().map(parse).collect::<Result<Vec<_>, _>>()?;
    let cache = project.level_cache();
    let cases = find_cases(&project, &cache, &paths_inside(game, paths)?, cores())?;
    let plan = TestPlan::new(cases, &filters);
    Ok((project, cache, plan))
}

/// The number of processor cores.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn list(game: &ServedGame, params: &TestListParams) -> Result<TestListResult, RpcError> {
    let (_, _, plan) = plan_tests(game, &params.paths, &params.filter)?;
    let tests = plan.cases.iter().map(|PlannedCase { case, .. }| TestLine {
        name: case.name.clone(),
        file: case.file_name().into(),
        line: case.line(),
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
    let (project, cache, plan) = plan_tests(game, &params.paths, &params.filter)?;
    let cases = CaseOptions { saves: params.save, ..CaseOptions::default() };
    let options = RunOptions { jobs, fail_fast: false, cases };
    let mut collector = ResultCollector { reply, cases: Vec::new() };
    run_plan(&project, &cache, &Arc::new(plan), options, &mut collector)
        .map_err(|error| ErrorKind::Internal.error(error.to_string()))?;
    if reply.is_canceled() {
        return Err(ErrorKind::Canceled.error("the request was canceled"));
    }
    let cases = collector.cases;
    let passed = cases.iter().filter(|case| case.outcome.passed()).count();
    Ok(TestRunResult { passed, failed: cases.len() - passed, cases })
}
