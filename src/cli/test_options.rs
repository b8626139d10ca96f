//! The arguments of `test`, and the tests that they select.

use super::output::{warn, whole};
use clap::{Args, ValueEnum};
use hangtime_game::terminal::tell;
use hangtime_game::{Error, GameFolder, LevelCache, Project, files};
use hangtime_play::feel::contracts_at;
use hangtime_play::{
    CaseOptions, Partition, RunOptions, TestCase, TestFilter, TestObserver, TestPlan, collect_with, run_plan,
};
use hangtime_script::Diagnostic;
use hangtime_script::names::nearest;
use hangtime_script::text::{cut_name, printable_name};
use std::path::PathBuf;
use std::sync::Arc;

/// Arguments of `test`.
#[derive(Args)]
pub struct TestArguments {
    /// Test scripts, input files with golden traces, kinds with contracts, or folders with them [default:
    /// levels/tests and all contracts]
    pub(super) paths: Vec<String>,
    /// Run only tests whose name contains TEXT, or that are in the file or folder TEXT; "=NAME" is a whole
    /// name, /TEXT/ a regular expression that the name must match; repeatable. --list shows the names
    #[arg(long, value_name = "TEXT")]
    pub(super) filter: Vec<String>,
    /// List the tests without running them
    #[arg(long)]
    pub(super) list: bool,
    /// Format of the list
    #[arg(long, value_enum, requires = "list")]
    pub(super) format: Option<ListFormat>,
    /// Number of tests that run at the same time [default: the number of processor cores]
    #[arg(short, long, value_name = "N", allow_negative_numbers = true,
          value_parser = whole::<u16>(1, 1024))]
    jobs: Option<u16>,
    /// Run one part of all tests, for several machines: slice:2/7 is the second of seven parts
    #[arg(long, value_name = "slice:K/N", value_parser = Partition::parse)]
    pub(super) partition: Option<Partition>,
    /// End the run with the first failure
    #[arg(long)]
    fail_fast: bool,
    /// Show what tests print also if they pass
    #[arg(long)]
    pub(super) show_output: bool,
    /// Write the results as JUnit XML
    #[arg(long, value_name = "FILE")]
    pub(super) junit: Option<PathBuf>,
    /// Write the results as JSON Lines, one line as soon as each test has ended
    #[arg(long, value_name = "FILE")]
    pub(super) results: Option<PathBuf>,
    /// Run tests again whenever a file that they depend on is saved
    #[arg(long, conflicts_with_all = ["list", "junit", "results"])]
    pub(super) watch: bool,
    /// Save and load each level before every tick; a test also fails if that makes a difference
    #[arg(long)]
    pub(super) heavy: bool,
    /// Make every script call compiled and interpreted; a test also fails if that makes a difference
    #[arg(long, conflicts_with = "interpret")]
    pub(super) both_ways: bool,
    /// Write the golden traces that are missing or differ; refused if CI is set
    #[arg(long, conflicts_with_all = ["list", "watch"])]
    pub(super) update: bool,
    /// Make a test of a recording: `--from walk.run walk` writes levels/tests/walk.input and its golden
    /// trace; refused if CI is set
    #[arg(long, value_name = "FILE", conflicts_with_all = ["list", "watch", "update", "junit", "results", "filter"])]
    pub(super) from: Option<String>,
}

#[derive(Clone, Copy, ValueEnum)]
pub(super) enum ListFormat {
    /// One name per line
    Text,
    /// A JSON array with one object per test
    Json,
}

/// The tests that were found, and what they need to run.
pub(super) struct FoundTests {
    pub project: Project,
    pub cache: Arc<LevelCache>,
    pub plan: Arc<TestPlan>,
    /// The names of all tests, without filters.
    names: Vec<String>,
}

impl FoundTests {
    /// Finds the tests that the arguments select.
    pub fn find(folder: GameFolder, arguments: &TestArguments) -> Result<Self, Error> {
        let project = Project::load(folder)?;
        let parse = |text: &String| {
            let filter = TestFilter::parse(project.root(), text);
            filter.map_err(|why| Diagnostic::about_file("--filter", why))
        };
        let filters: Vec<TestFilter> = arguments.filter.iter().map(parse).collect::<Result<_, _>>()?;
        warn(&project.warnings_of_mods());
        let (contracts, paths) = contracts_at(&project, &arguments.paths)?;
        let files = match paths.is_empty() && !arguments.paths.is_empty() {
            true => Vec::new(),
            false => files::find_tests(project.folder(), &paths)?,
        };
        let cache = Arc::new(LevelCache::new(project.folder().clone()));
        let mut cases = collect_with(&project, &cache, &files, arguments.job_count());
        cases.extend(contracts.into_iter().map(TestCase::from));
        let names = cases.iter().map(|case| case.name.clone()).collect();
        warn_of_left_out(&cases, &filters);
        let plan = TestPlan::new(cases, &filters);
        let plan = match arguments.partition {
            Some(partition) => plan.part(partition),
            None => plan,
        };
        Ok(Self { project, cache, plan: Arc::new(plan), names })
    }

    /// Runs the tests.
    pub fn run(
        &self,
        arguments: &TestArguments,
        with_files: bool,
        observer: &mut dyn TestObserver,
    ) -> std::io::Result<()> {
        let options = RunOptions {
            jobs: arguments.job_count(),
            fail_fast: arguments.fail_fast,
            cases: CaseOptions { heavy: arguments.heavy, with_files },
        };
        run_plan(&self.project, &self.cache, &self.plan, options, observer)
    }

    /// Says why there are no tests to run.
    pub fn explain_none(&self, arguments: &TestArguments) {
        let all = self.names.len();
        let [filter] = arguments.filter.as_slice() else {
            match all {
                0 => tell(
                    "no tests found; a test is a `fn test_…()` in a script in levels/tests, or an input \
                     file there with a `level` line",
                ),
                _ => tell(format_args!("none of the {all} tests matches a filter; --list shows the names")),
            }
            return;
        };
        let wanted = filter.strip_prefix('=').unwrap_or(filter);
        let parts = self.names.iter().flat_map(|name| names_in(name));
        let near = nearest(wanted, parts).map_or_else(
            || "--list shows the names".into(),
            |name| format!("did you mean `{}`?", printable_name(name)),
        );
        let wanted = cut_name(wanted);
        let wanted = printable_name(&wanted);
        let does = match filter.chars().next() {
            Some('=') => format!("is named `{wanted}`"),
            Some('/') if filter.ends_with('/') => format!("matches `{wanted}`"),
            _ => format!("has `{wanted}` in its name"),
        };
        tell(format_args!("none of the {all} tests {does}; {near}"));
    }
}

/// What filters call a test: its function or its whole name in the file, and the file's name.
fn names_in(name: &str) -> impl Iterator<Item = &str> {
    let (file, test) = name.split_once("::").unwrap_or((name, ""));
    let file = file.rsplit('/').next().unwrap_or(file);
    let (function, _) = test.split_once('[').unwrap_or((test, ""));
    let names = [name, file, test, function].into_iter();
    names.filter(|name| !name.is_empty())
}

/// The largest number of files that are named in warnings.
const MOST_LEFT_OUT: usize = 5;

/// Warns of files that do not compile or cannot be read and that the filters leave out: these may have
/// tests that they would select.
fn warn_of_left_out(cases: &[TestCase], filters: &[TestFilter]) {
    if filters.is_empty() {
        return;
    }
    let is_left_out = |case: &&TestCase| !filters.iter().any(|filter| filter.matches(case));
    let wrong = cases.iter().filter(is_left_out);
    let wrong: Vec<&Diagnostic> = wrong.filter_map(TestCase::mistake).collect();
    for mistake in wrong.iter().take(MOST_LEFT_OUT) {
        let headline = mistake.headline();
        let headline = headline.lines().next().unwrap_or_default();
        tell(format_args!("warning: --filter leaves out a file with a mistake: {headline}"));
    }
    if let Some(more) = wrong.len().checked_sub(MOST_LEFT_OUT).filter(|n| *n > 0) {
        tell(format_args!("warning: and {more} more such files"));
    }
}

impl TestArguments {
    fn job_count(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        self.jobs.map_or_else(cores, usize::from)
    }

    /// The options that change how tests run, for results files.
    pub(super) fn run_options(&self) -> &'static str {
        match (self.heavy, self.both_ways) {
            (true, true) => "--heavy --both-ways",
            (true, false) => "--heavy",
            (false, true) => "--both-ways",
            (false, false) => "",
        }
    }
}

/// Refuses to write golden traces where the variable `CI` is set.
pub(super) fn refuse_in_ci(option: &str) -> Result<(), Error> {
    let ci = std::env::var("CI").unwrap_or_default();
    if ["", "0", "false"].contains(&ci.as_str()) {
        return Ok(());
    }
    let message = format!("{option} is refused where CI is set: a golden trace that differs has to fail there");
    let about = Diagnostic::about_file("", message);
    Err(Diagnostic { file: None, ..about }.into())
}
