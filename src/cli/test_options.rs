//! The arguments of `test`, and the tests that they select.

use crate::playtest::feel::contracts_at;
use crate::playtest::{
    CaseOptions, Partition, RunOptions, TestCase, TestFilter, TestObserver, TestPlan, collect_with,
    run_plan,
};
use crate::project::terminal::tell;
use crate::project::{Error, GameFolder, LevelCache, Project, files};
use crate::script::host::Diagnostic;
use crate::script::host::names::nearest;
use crate::script::host::text::printable_name;
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::sync::Arc;

/// Arguments of `test`.
#[derive(Args)]
pub struct TestArguments {
    /// Test scripts, input files with golden traces, kinds with contracts, or folders with them [default:
    /// levels/tests and all contracts]
    pub(super) paths: Vec<String>,
    /// Run only tests whose name contains TEXT, or matches the regular expression /TEXT/, or that are
    /// in the file or folder TEXT; repeatable. --list shows the names
    #[arg(long, value_name = "TEXT")]
    pub(super) filter: Vec<String>,
    /// List the tests without running them
    #[arg(long)]
    pub(super) list: bool,
    /// Format of the list
    #[arg(long, value_enum, requires = "list")]
    pub(super) format: Option<ListFormat>,
    /// Number of tests that run at the same time [default: the number of processor cores]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Run one part of all tests, for several machines: slice:2/7 is the second of seven parts; env takes
    /// the part from the job's environment
    #[arg(long, value_name = "slice:K/N", value_parser = Partition::from_argument)]
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
            TestFilter::parse(project.root(), text).map_err(|why| wrong_filter(text, &why))
        };
        let filters: Vec<TestFilter> = arguments
            .filter
            .iter()
            .map(parse)
            .collect::<Result<_, _>>()?;
        let (contracts, paths) = contracts_at(&project, &arguments.paths)?;
        let files = match paths.is_empty() && !arguments.paths.is_empty() {
            true => Vec::new(),
            false => files::find_tests(project.folder(), &paths)?,
        };
        let cache = Arc::new(LevelCache::new(project.folder().clone()));
        let mut cases = collect_with(&project, &cache, &files, arguments.job_count());
        cases.extend(contracts.into_iter().map(TestCase::from));
        let names = cases.iter().map(|case| case.name.clone()).collect();
        let plan = TestPlan::new(cases, &filters);
        let plan = match arguments.partition {
            Some(partition) => plan.part(partition),
            None => plan,
        };
        Ok(Self {
            project,
            cache,
            plan: Arc::new(plan),
            names,
        })
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
            cases: CaseOptions {
                heavy: arguments.heavy,
                with_files,
            },
        };
        run_plan(&self.project, &self.cache, &self.plan, options, observer)
    }

    /// Says why there are no tests to run.
    pub fn explain_none(&self, arguments: &TestArguments) {
        let all = self.names.len();
        let filters: Vec<&str> = arguments.filter.iter().map(String::as_str).collect();
        match filters.as_slice() {
            _ if all == 0 => {
                tell(
                    "no tests found; a test is a `fn test_…()` in a script in levels/tests, or an input \
                     file there with a `level` line",
                );
            }
            [filter] => {
                let functions = self.names.iter().filter_map(|name| name.split("::").nth(1));
                let near = nearest(filter, functions);
                let hint = near.map_or_else(
                    || "--list shows the names".into(),
                    |name| format!("did you mean `{}`?", printable_name(name)),
                );
                let filter = printable_name(filter);
                tell(format_args!(
                    "none of the {all} tests has `{filter}` in its name; {hint}"
                ));
            }
            _ => tell(format_args!(
                "none of the {all} tests matches a filter; --list shows the names"
            )),
        }
    }
}

impl TestArguments {
    fn job_count(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        self.jobs.map_or_else(cores, usize::from)
    }

    /// The options that change how tests run, for results files.
    pub(super) fn run_options(&self) -> &'static str {
        if self.heavy { "--heavy" } else { "" }
    }
}

/// The error for a filter that is no regular expression.
fn wrong_filter(text: &str, why: &str) -> Error {
    let message = format!("`{text}` is not a regular expression: {why}");
    Diagnostic::about_file("--filter", message).into()
}

/// Refuses to write golden traces where the variable `CI` is set.
pub(super) fn refuse_in_ci(option: &str) -> Result<(), Error> {
    let ci = std::env::var("CI").unwrap_or_default();
    if ["", "0", "false"].contains(&ci.as_str()) {
        return Ok(());
    }
    let message = format!(
        "{option} is refused where CI is set: a golden trace that differs has to fail there"
    );
    let about = Diagnostic::about_file("", message);
    Err(Diagnostic {
        file: None,
        ..about
    }
    .into())
}
