//! `test`: finds and runs tests.

mod report;
mod watch;

use super::*;
use hangtime_game::LevelCache;
use hangtime_play::{
    CaseOptions, RecordedInput, RunOptions, TestCase, TestFilter, TestObserver, TestPlan, collect, find_cases,
    run_plan, update_golden,
};
use report::{TestOutputs, TestReporter};
use std::collections::{BTreeMap, BTreeSet};
use watch::watch;

/// Arguments of `test`.
#[derive(Args)]
pub struct TestArguments {
    /// Test scripts, input files with golden traces, kinds with contracts, or folders with them [default:
    /// levels/tests and all contracts]
    paths: Vec<String>,
    /// Run only tests whose name contains TEXT, or that are in the file or folder TEXT; "=NAME" is a whole
    /// name, /TEXT/ a regular expression that the name must match; repeatable. --list shows the names
    #[arg(long, value_name = "TEXT")]
    filter: Vec<String>,
    /// Leave out tests; written as for --filter, and it wins; repeatable
    #[arg(long, value_name = "PATTERN")]
    exclude: Vec<String>,
    /// Run only the tests that failed when they last ran
    #[arg(long, conflicts_with_all = ["update", "watch"])]
    last_failed: bool,
    /// Print failures and the last line only
    #[arg(short, long)]
    quiet: bool,
    /// List the tests without running them
    #[arg(long)]
    list: bool,
    /// Format of the list
    #[arg(long, value_enum, requires = "list")]
    format: Option<ListFormat>,
    /// Number of tests that run at the same time [default: the number of processor cores]
    #[arg(short, long, value_name = "N", allow_negative_numbers = true,
          value_parser = whole::<u16>(1, 1024))]
    jobs: Option<u16>,
    /// Run one part of all tests, for several machines: slice:2/7 is the second of seven parts
    #[arg(long, value_name = "slice:K/N", value_parser = Partition::parse)]
    partition: Option<Partition>,
    /// End the run with the first failure
    #[arg(long)]
    fail_fast: bool,
    /// Show what tests print also if they pass
    #[arg(long)]
    show_output: bool,
    /// Write the results as JUnit XML
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Write the results as JSON Lines, one line as soon as each test has ended
    #[arg(long, value_name = "FILE")]
    results: Option<PathBuf>,
    /// Run tests again whenever a file that they depend on is saved
    #[arg(long, conflicts_with_all = ["list", "junit", "results"])]
    watch: bool,
    /// Save and load each level before every tick; a test also fails if that makes a difference
    #[arg(long)]
    heavy: bool,
    /// Make every script call compiled and interpreted; a test also fails if that makes a difference
    #[arg(long, conflicts_with = "interpret")]
    both_ways: bool,
    /// Write the golden traces that are missing or differ; refused if CI is set
    #[arg(long, conflicts_with_all = ["list", "watch"])]
    update: bool,
    /// Make a test of a recording: `--from walk.run walk` writes levels/tests/walk.input and its golden
    /// trace; refused if CI is set
    #[arg(long, value_name = "FILE", conflicts_with_all = ["list", "watch", "update", "junit", "results", "filter", "exclude",
                                                                "last_failed"])]
    from: Option<String>,
    /// With --from: write the test also if the game now plays differently from the recording
    #[arg(long, requires = "from")]
    accept: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum ListFormat {
    /// One name per line
    Text,
    /// A JSON array with one object per test
    Json,
}

/// Runs the command and returns the exit code.
pub fn test(folder: GameFolder, arguments: &TestArguments) -> Exit {
    let folder = with_execution(folder, arguments.both_ways);
    if let Some(recording) = &arguments.from {
        return make_test(folder, recording, arguments);
    }
    if arguments.watch {
        return watch(&folder, arguments);
    }
    let mut found = FoundTests::find(folder, arguments)?;
    if found.plan.total == 0 {
        found.explain_none(arguments);
        return Ok(if arguments.last_failed { SUCCESS } else { NO_TESTS });
    }
    if arguments.list {
        list(&found.plan, arguments.format);
        return Ok(SUCCESS);
    }
    if arguments.update {
        update_goldens(&mut found)?;
    }
    let outputs = TestOutputs::create(&found, arguments)?;
    let interrupt = Interrupt::watch();
    let is_over = || interrupt.arrived();
    let mut reporter = TestReporter::new(&found, arguments, outputs, &is_over);
    let ran = found.run(arguments, false, &mut reporter);
    Ok(reporter.finish(ran))
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

fn list(plan: &TestPlan, format: Option<ListFormat>) {
    let cases = plan.cases.iter().map(|planned| ListedTest {
        name: &planned.case.name,
        file: planned.case.file_name(),
        line: planned.case.line(),
        index: planned.index,
    });
    match format {
        None | Some(ListFormat::Text) => cases.for_each(|case| say(printable_name(case.name))),
        Some(ListFormat::Json) => say_json(&cases.collect::<Vec<_>>()),
    }
}

/// The tests that were found, and what they need to run.
struct FoundTests {
    project: Project,
    cache: Arc<LevelCache>,
    plan: Arc<TestPlan>,
    /// The names of all tests, without filters.
    names: Vec<String>,
}

impl FoundTests {
    /// Finds the tests that the arguments select.
    fn find(folder: GameFolder, arguments: &TestArguments) -> Result<Self, Error> {
        let project = Project::load(folder)?;
        let parse = |option: &str, texts: &[String]| -> Result<Vec<TestFilter>, Error> {
            let parse = |text: &String| TestFilter::parse(project.root(), text).map_err(|why| refused(option, why));
            texts.iter().map(parse).collect()
        };
        let filters = parse("--filter", &arguments.filter)?;
        let excluded = parse("--exclude", &arguments.exclude)?;
        warn(&project.warnings_of_mods());
        let cache = project.level_cache();
        let mut cases = find_cases(&project, &cache, &arguments.paths, job_count(arguments.jobs))?;
        let names: Vec<String> = cases.iter().map(|case| case.name.clone()).collect();
        cases.retain(|case| !excluded.iter().any(|filter| filter.matches(case)));
        if arguments.last_failed {
            let failed = files::last_failed(project.folder());
            cases.retain(|case| failed.contains(&case.name));
        }
        warn_of_left_out(&cases, &filters);
        let mut plan = TestPlan::new(cases, &filters);
        if let Some(partition) = arguments.partition {
            plan = plan.part(partition);
        }
        Ok(Self { project, cache, plan: Arc::new(plan), names })
    }

    /// Runs the tests.
    fn run(&self, arguments: &TestArguments, with_files: bool, observer: &mut dyn TestObserver) -> io::Result<()> {
        let options = RunOptions {
            jobs: job_count(arguments.jobs),
            fail_fast: arguments.fail_fast,
            cases: CaseOptions { heavy: arguments.heavy, with_files, saves: true },
        };
        run_plan(&self.project, &self.cache, &self.plan, options, observer)
    }

    /// Says why there are no tests to run.
    fn explain_none(&self, arguments: &TestArguments) {
        let all = self.names.len();
        if arguments.last_failed {
            return tell("no test has failed when it last ran here");
        }
        let [filter] = arguments.filter.as_slice() else {
            match all {
                0 => tell(
                    "no tests found; a test is a `fn test_…()`, in Lua `function test_…()`, in a script in levels/tests, \
                     or an input file there with a `level` line",
                ),
                _ if arguments.filter.is_empty() => tell(format_args!("--exclude leaves out all {all} tests")),
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

/// Refuses to write golden traces where the variable `CI` is set.
fn refuse_in_ci(option: &str) -> Result<(), Error> {
    let ci = std::env::var("CI").unwrap_or_default();
    if ["", "0", "false"].contains(&ci.as_str()) {
        return Ok(());
    }
    let message = format!("{option} is refused where CI is set: a golden trace that differs has to fail there");
    Err(Diagnostic { file: None, ..Diagnostic::about_file("", message) }.into())
}

/// `--from`: makes a test of a recording.
fn make_test(folder: GameFolder, recording: &str, arguments: &TestArguments) -> Exit {
    refuse_in_ci("--from")?;
    let [name] = arguments.paths.as_slice() else {
        return Err(refused("--from", "name the test, as in `hangtime test --from walk.run walk`"));
    };
    let plain = |c: char| c.is_alphanumeric() || "-_".contains(c);
    if name.is_empty() || !name.chars().all(plain) {
        return Err(refused(name, "a test's name has letters, digits, `_` and `-` only"));
    }
    let project = Project::load(folder)?;
    let path = files::find(project.root(), recording)?;
    let input = RecordedInput::read(RecordingReader::open(&path)?)?;
    let file = format!("levels/tests/{name}.input");
    let script = input.script(&file)?;
    // The level has to be there before anything is written.
    let tests = project.root().join("levels/tests");
    let level = project.find_level_from(&tests, script.level.as_deref().unwrap_or_default())?;
    let revision = project.open(&level, &script.settings)?;
    let track = script.track(revision.stage.hz);
    let mut live = Live::new(Arc::new(revision), script.seed.unwrap_or(0));
    let difference = input.first_tick_that_differs(&mut live, &track);
    if let Some(tick) = difference.filter(|_| !arguments.accept) {
        let message = format!(
            "the game plays differently from the recording from tick {tick} on: its files have changed since then. Nothing \
             was written; to expect how it plays now, add --accept"
        );
        return Err(refused("--from", message));
    }
    let written = project.root().join(&file);
    files::write_new(project.folder(), &written, &input.text)?;
    let found = files::find_tests(project.folder(), &[written.display().to_string()])?;
    for case in collect(&project, &found) {
        let ticks = update_golden(&project, &case).inspect_err(|_| {
            // An input file without its trace would be a test that fails.
            files::remove_new(&written);
        })?;
        let case = printable_name(&case.name).into_owned();
        let trace = case.strip_suffix(".input").unwrap_or(&case);
        match ticks {
            Some(ticks) => tell(format_args!("wrote {case} and {trace}.trace: {ticks} ticks")),
            None => tell(format_args!("wrote {case}; {trace}.trace was right already")),
        }
    }
    if !input.complete {
        tell("warning: the recording was cut; the test ends where the recording ends");
    }
    match difference {
        None => tell("the game plays as it was recorded"),
        Some(tick) => tell(format_args!(
            "the game plays differently from the recording from tick {tick} on; the test expects how it plays now"
        )),
    }
    Ok(SUCCESS)
}
