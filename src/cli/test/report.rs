//! What `test` prints and writes while tests run, and its exit code.

use super::{watch::LastResult, *};
use hangtime_game::{
    files::{game_hash, note_failed},
    terminal::print_result,
};
use hangtime_play::{
    JunitReport, PlannedCase, RESULTS_VERSION, ResultsCommand, ResultsHeader, TestResult, github_annotation, record_of,
    without_commands,
};
use hangtime_script::text::printable_styled;
use std::{
    fmt::Display,
    io::{IsTerminal as _, Write as _},
    time::Instant,
};

/// Tests that take longer are marked.
const SLOW: Duration = Duration::from_secs(1);

/// Where nothing shows which tests are running, one that takes longer is named while it runs.
const VERY_SLOW: Duration = Duration::from_secs(10);

/// The largest number of failures that are listed again at the end. The others are counted.
const MOST_LISTED: usize = 200;

/// The files that `test` writes.
#[derive(Default)]
pub struct TestOutputs {
    junit: Option<JunitOutput>,
    results: Option<ResultsWriter>,
}

struct JunitOutput {
    report: JunitReport,
    file: OutputFile,
    out: Out,
}

impl TestOutputs {
    /// Creates the files, so that a run does not begin if it cannot write them.
    pub fn create(found: &FoundTests, arguments: &TestArguments) -> Result<Self, Error> {
        let root = found.project.root();
        let paths = [&arguments.junit, &arguments.results];
        check_distinct(paths.into_iter().flatten().map(PathBuf::as_path))?;
        let junit = create(root, arguments.junit.as_ref(), OutputKind::Junit)?;
        let header = || header(found, arguments);
        Ok(Self {
            junit: junit.map(|(file, out)| JunitOutput { report: JunitReport::default(), file, out }),
            results: create_results(root, arguments.results.as_ref(), header)?,
        })
    }
}

fn header(found: &FoundTests, arguments: &TestArguments) -> ResultsHeader {
    // The options that change how tests run.
    let options = [(arguments.heavy, "--heavy"), (arguments.both_ways, "--both-ways")];
    let options: Vec<&str> = options.into_iter().filter_map(|(is_on, option)| is_on.then_some(option)).collect();
    ResultsHeader {
        results: RESULTS_VERSION,
        command: ResultsCommand::Test,
        hangtime: env!("CARGO_PKG_VERSION").into(),
        game: game_hash(found.project.folder()),
        cases: found.plan.total,
        plan: found.plan.hash.clone(),
        partition: arguments.partition.map(|part| part.to_string()),
        options: options.join(" "),
    }
}

/// Tests that fail for the same cause.
struct FailureGroup {
    cause: String,
    /// The first one, which is reported in full, and its place among the failures at the end.
    first: String,
    recap: Option<usize>,
    others: Vec<String>,
    /// What they are.
    are: &'static str,
}

/// The largest number of tests that are named with the first one of their group.
const MOST_NAMED: usize = 10;

impl FailureGroup {
    /// The others, for the end of the first one's failure.
    fn recap_of_others(&self) -> String {
        let named = self.others.iter().take(MOST_NAMED).map(|name| printable_name(name));
        let named = named.collect::<Vec<_>>().join(", ");
        let more = self.others.len().saturating_sub(MOST_NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        format!("\n    the same for {}: {named}{more}", counted(self.others.len(), self.are))
    }
}

/// Prints results as they come, writes files, and counts.
pub struct TestReporter<'a> {
    found: &'a FoundTests,
    arguments: &'a TestArguments,
    color: bool,
    /// Whether GitHub Actions runs this.
    github: bool,
    outputs: TestOutputs,
    /// Whether the user has asked to end.
    asked: &'a dyn Fn() -> bool,
    progress: Option<ProgressBar>,
    passed: usize,
    failed: usize,
    slow: usize,
    /// The failures, for the end, and how many others are not listed there.
    recaps: Vec<String>,
    unlisted: usize,
    /// Failures that others may have the same cause as.
    groups: Vec<FailureGroup>,
    /// The tests that were named because they take long.
    named: BTreeSet<u64>,
    /// The tests that have run, and whether they failed.
    ran: Vec<(String, bool)>,
    started: Instant,
    /// Whether the reader of stdout is gone.
    unread: bool,
    /// The last results by the names of tests, for `--watch`.
    pub known: Option<&'a mut BTreeMap<String, LastResult>>,
}

impl<'a> TestReporter<'a> {
    /// A reporter that ends the run when `asked` returns true.
    pub fn new(
        found: &'a FoundTests,
        arguments: &'a TestArguments,
        outputs: TestOutputs,
        asked: &'a dyn Fn() -> bool,
    ) -> Self {
        let progress = progress_bar(found.plan.cases.len() as u64, 2, "{bar:30} {pos}/{len} tests  {wide_msg}");
        if let Some(progress) = &progress {
            progress.enable_steady_tick(Duration::from_millis(200));
        }
        Self {
            found,
            arguments,
            color: io::stdout().is_terminal(),
            github: std::env::var_os("GITHUB_ACTIONS").is_some_and(|value| value == "true"),
            outputs,
            asked,
            progress,
            passed: 0,
            failed: 0,
            slow: 0,
            recaps: Vec::new(),
            unlisted: 0,
            groups: Vec::new(),
            named: BTreeSet::new(),
            ran: Vec::new(),
            started: Instant::now(),
            unread: false,
            known: None,
        }
    }

    /// Prints a line of results. If the reader of a pipe is gone, nothing more is printed.
    fn say(&mut self, text: &str) -> io::Result<()> {
        if self.unread {
            return Ok(());
        }
        let text = printable_styled(text);
        let text = if self.github { without_commands(&text) } else { text };
        self.print(&text)
    }

    /// Prints a text that is safe.
    fn print(&mut self, text: &str) -> io::Result<()> {
        let print = || print_result(text);
        let printed = match &self.progress {
            Some(progress) => progress.suspend(print),
            None => print(),
        };
        match printed {
            Err(e) if e.kind() == io::ErrorKind::BrokenPipe => {
                self.unread = true;
                Ok(())
            }
            other => other.map_err(|e| cannot_write("to stdout", &e)),
        }
    }

    /// Prints a result; `first` is the test whose failure had the same cause.
    fn report(&mut self, result: &TestResult, first: Option<&str>) -> io::Result<()> {
        let paint = |code: &str, word: &str| {
            if self.color {
                format!("\u{1b}[{code}m{word}\u{1b}[0m")
            } else {
                word.to_string()
            }
        };
        let word = if result.passed() { paint("32", "ok") } else { paint("31", "FAILED") };
        let took = result.took.as_secs_f64() * 1000.0;
        let mut text = format!("{word} {} ({took:.0} ms)", printable_name(&result.name));
        if result.took > SLOW {
            text = format!("{text} {}", paint("33", "SLOW"));
            self.slow += 1;
        }
        let printed = if result.passed() && self.arguments.show_output {
            result.report_printed()
        } else {
            String::new()
        };
        let report = match first {
            Some(first) => result.report_as(first),
            None => result.report(self.color),
        };
        if self.arguments.quiet && result.passed() && printed.is_empty() {
            return Ok(());
        }
        for part in [report, printed].iter().filter(|part| !part.is_empty()) {
            text.push('\n');
            text += part;
        }
        self.say(&text)?;
        if self.github && !result.passed() && first.is_none() {
            let annotation = github_annotation(self.found.project.root(), result);
            self.print(&annotation)?;
        }
        Ok(())
    }

    /// The test that has failed for the same cause as this one; it is reported in full. None for the first of them and
    /// for tests whose failures have a cause each.
    fn first_of_group(&mut self, result: &TestResult) -> Option<String> {
        let cause = result.cause()?;
        if let Some(group) = self.groups.iter_mut().find(|group| group.cause == cause) {
            group.others.push(result.name.clone());
            return Some(group.first.clone());
        }
        let recap = (self.recaps.len() < MOST_LISTED).then_some(self.recaps.len());
        let are = if result.golden.is_some() { "other golden trace" } else { "other test" };
        let (cause, first) = (cause.to_string(), result.name.clone());
        self.groups.push(FailureGroup { cause, first, recap, others: Vec::new(), are });
        None
    }

    /// Prints the summary, completes the files, and returns the exit code.
    pub fn finish(mut self, ran: io::Result<()>) -> u8 {
        if let Some(progress) = self.progress.take() {
            progress.finish_and_clear();
        }
        // Without the note, `--last-failed` runs what failed before.
        let ran_tests = self.ran.iter().map(|(name, failed)| (name.as_str(), *failed));
        let _ = note_failed(self.found.project.folder(), ran_tests);
        let written = ran.and_then(|()| self.summarize());
        let (count, planned) = (self.passed + self.failed, self.found.plan.cases.len());
        let is_whole = count == planned;
        let written = written.and_then(|()| self.outputs.finish(is_whole));
        if let Err(error) = written {
            tell(format_args!("error: {error}"));
            return UNUSABLE;
        }
        if !is_whole && (self.asked)() {
            tell(format_args!("interrupted: {count} of {planned} tests ran"));
            return INTERRUPTED;
        }
        if !is_whole && !self.unread {
            tell(format_args!("ended after the first failure: {count} of {planned} tests ran"));
        }
        if self.failed == 0 { SUCCESS } else { TESTS_FAILED }
    }

    /// The failures once more, and the counts.
    fn summarize(&mut self) -> io::Result<()> {
        let (passed, failed) = (self.passed, self.failed);
        if failed > 0 && passed + failed > 1 {
            for group in self.groups.iter().filter(|group| !group.others.is_empty()) {
                if let Some(recap) = group.recap.and_then(|at| self.recaps.get_mut(at)) {
                    *recap += &group.recap_of_others();
                }
            }
            let mut lines = vec![format!("\n{}:", counted(failed, "failure"))];
            lines.append(&mut self.recaps);
            if self.unlisted > 0 {
                lines.push(format!("  and {} more", self.unlisted));
            }
            lines.push(String::new());
            self.say(&lines.join("\n"))?;
        }
        if self.slow > 0 {
            tell(format_args!("{} slow: longer than {} s", self.slow, SLOW.as_secs()));
        }
        let seconds = self.started.elapsed().as_secs_f64();
        self.say(&format!("the tests took {seconds:.1} s\n{passed} passed, {failed} failed"))
    }
}

impl TestObserver for TestReporter<'_> {
    fn finished(&mut self, planned: &PlannedCase, result: &TestResult) -> io::Result<()> {
        let mut first = None;
        if result.passed() {
            self.passed += 1;
        } else {
            self.failed += 1;
            first = self.first_of_group(result);
            if first.is_none() && self.recaps.len() < MOST_LISTED {
                self.recaps.push(result.recap());
            } else if first.is_none() {
                self.unlisted += 1;
            }
        }
        self.ran.push((planned.case.name.clone(), !result.passed()));
        if let Some(known) = &mut self.known {
            let last = LastResult { passed: result.passed(), files: result.files.clone() };
            known.insert(planned.case.name.clone(), last);
        }
        self.outputs.add(planned, result)?;
        self.report(result, first.as_deref())?;
        if let Some(progress) = &self.progress {
            progress.inc(1);
        }
        Ok(())
    }

    fn waiting(&mut self, running: &[(&PlannedCase, Duration)]) {
        let longest = running.iter().max_by_key(|(_, since)| *since);
        let longest = longest.filter(|(_, since)| *since > SLOW);
        if let Some(progress) = &self.progress {
            let message = longest.map_or_else(String::new, |(planned, since)| {
                let name = printable_name(&planned.case.name);
                format!("{} s: {name}", since.as_secs())
            });
            progress.set_message(message);
            return;
        }
        for (planned, since) in running {
            if *since > VERY_SLOW && self.named.insert(planned.index) {
                let name = printable_name(&planned.case.name);
                tell(format_args!("running for more than {} s: {name}", VERY_SLOW.as_secs()));
            }
        }
    }

    fn is_over(&mut self) -> bool {
        (self.asked)() || (self.unread && self.outputs.junit.is_none() && self.outputs.results.is_none())
    }
}

impl TestOutputs {
    fn add(&mut self, planned: &PlannedCase, result: &TestResult) -> io::Result<()> {
        if let Some(junit) = &mut self.junit {
            junit.report.add(planned, result);
        }
        let results = self.results.as_mut();
        let written = results.map_or(Ok(()), |results| results.case(&record_of(planned, result)));
        written.map_err(|e| cannot_write("the results", &e))
    }

    /// Completes the files. Results of a run that ended early have no last line.
    fn finish(&mut self, is_whole: bool) -> io::Result<()> {
        let results = self.results.take().filter(|_| is_whole);
        let ended = results.map_or(Ok(()), ResultsWriter::end).map_err(|e| cannot_write("the results", &e));
        let written = self.junit.take().map_or(Ok(()), |JunitOutput { report, file, mut out }| {
            let written = report.write(&mut out).and_then(|()| out.flush());
            drop(out);
            written.map_err(|e| cannot_write(file.path().display(), &e))?;
            file.complete().map_err(io::Error::other)
        });
        ended.and(written)
    }
}

fn cannot_write(what: impl Display, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("cannot write {what}: {error}"))
}
