//! What `test` prints and writes while tests run, and its exit code.

use super::output::{INTERRUPTED, SUCCESS, TESTS_FAILED, UNUSABLE};
use super::test_options::{FoundTests, TestArguments};
use hangtime_game::Error;
use hangtime_game::files::{OutputFile, OutputKind, check_distinct, game_hash};
use hangtime_game::terminal::{print_result, tell};
use hangtime_play::{
    JunitReport, PlannedCase, RESULTS_VERSION, ResultsCommand, ResultsHeader, ResultsWriter, TestObserver, TestResult,
    github_annotation, record_of, without_commands,
};
use hangtime_script::text::{printable_name, printable_styled};
use indicatif::{ProgressBar, ProgressStyle};
use std::collections::BTreeSet;
use std::io::{self, IsTerminal as _, Write};
use std::path::PathBuf;
use std::time::Duration;

/// Tests that take longer are marked.
const SLOW: Duration = Duration::from_secs(1);

/// Where nothing shows which tests are running, one that takes longer is named while it runs.
const VERY_SLOW: Duration = Duration::from_secs(10);

/// The largest number of failures that are listed again at the end. The others are counted.
const MOST_LISTED: usize = 200;

/// The files that `test` writes.
#[derive(Default)]
pub(super) struct TestOutputs {
    junit: Option<JunitOutput>,
    results: Option<ResultsWriter>,
}

struct JunitOutput {
    report: JunitReport,
    file: OutputFile,
    out: Box<dyn Write + Send>,
}

impl TestOutputs {
    /// Creates the files, so that a run does not begin if it cannot write them.
    pub fn create(found: &FoundTests, arguments: &TestArguments) -> Result<Self, Error> {
        let root = found.project.root();
        let paths = [&arguments.junit, &arguments.results];
        check_distinct(paths.into_iter().flatten().map(PathBuf::as_path))?;
        let junit = match &arguments.junit {
            None => None,
            Some(path) => {
                let (file, out) = OutputFile::create(root, path, OutputKind::Junit)?;
                Some(JunitOutput { report: JunitReport::default(), file, out })
            }
        };
        let results = match &arguments.results {
            None => None,
            Some(path) => {
                let out = OutputFile::in_place(root, path, OutputKind::Results)?;
                let header = header(found, arguments);
                let writer = ResultsWriter::new(out, &header);
                Some(writer.map_err(|source| Error::Write { file: path.display().to_string(), source })?)
            }
        };
        Ok(Self { junit, results })
    }
}

fn header(found: &FoundTests, arguments: &TestArguments) -> ResultsHeader {
    ResultsHeader {
        results: RESULTS_VERSION,
        command: ResultsCommand::Test,
        hangtime: env!("CARGO_PKG_VERSION").into(),
        game: game_hash(found.project.folder()),
        cases: found.plan.total,
        plan: found.plan.hash.clone(),
        partition: arguments.partition.map(|part| part.to_string()),
        options: arguments.run_options().into(),
    }
}

/// Prints results as they come, writes files, and counts.
pub(super) struct TestReporter<'a> {
    root: PathBuf,
    /// The number of tests to run.
    planned: usize,
    color: bool,
    /// Whether GitHub Actions runs this.
    github: bool,
    show_output: bool,
    outputs: TestOutputs,
    /// Whether the user has asked to end.
    asked: &'a dyn Fn() -> bool,
    progress: Option<ProgressBar>,
    passed: usize,
    failed: usize,
    slow: usize,
    /// The failures, for the end.
    recaps: Vec<String>,
    /// The tests that were named because they take long.
    named: BTreeSet<u64>,
    /// Whether the reader of stdout is gone.
    unread: bool,
}

impl<'a> TestReporter<'a> {
    /// A reporter that ends the run when `asked` returns true.
    pub fn new(
        found: &FoundTests,
        arguments: &TestArguments,
        outputs: TestOutputs,
        asked: &'a dyn Fn() -> bool,
    ) -> Self {
        let planned = found.plan.cases.len();
        Self {
            root: found.project.root().to_path_buf(),
            planned,
            color: io::stdout().is_terminal(),
            github: std::env::var_os("GITHUB_ACTIONS").is_some_and(|value| value == "true"),
            show_output: arguments.show_output,
            outputs,
            asked,
            progress: progress(planned),
            passed: 0,
            failed: 0,
            slow: 0,
            recaps: Vec::new(),
            named: BTreeSet::new(),
            unread: false,
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
            other => other.map_err(|e| io::Error::new(e.kind(), format!("cannot write to stdout: {e}"))),
        }
    }

    fn report(&mut self, result: &TestResult) -> io::Result<()> {
        let paint = |code: &str, word: &str| {
            if self.color {
                format!("\u{1b}[{code}m{word}\u{1b}[0m")
            } else {
                word.to_string()
            }
        };
        let word = if result.passed() { paint("32", "ok") } else { paint("31", "FAILED") };
        let slow = if result.took > SLOW {
            self.slow += 1;
            format!(" {}", paint("33", "SLOW"))
        } else {
            String::new()
        };
        let name = printable_name(&result.name);
        let took = result.took.as_secs_f64() * 1000.0;
        let mut text = format!("{word} {name} ({took:.0} ms){slow}");
        let mut add = |part: &str| {
            if !part.is_empty() {
                text.push('\n');
                text += part;
            }
        };
        add(&result.report(self.color));
        if result.passed() && self.show_output {
            add(&result.report_printed());
        }
        self.say(&text)?;
        if self.github && !result.passed() {
            let annotation = github_annotation(&self.root, result);
            self.print(&annotation)?;
        }
        Ok(())
    }

    /// Prints the summary, completes the files, and returns the exit code.
    pub fn finish(mut self, ran: io::Result<()>) -> u8 {
        if let Some(progress) = self.progress.take() {
            progress.finish_and_clear();
        }
        let written = ran.and_then(|()| self.summarize());
        let count = self.passed + self.failed;
        let is_whole = count == self.planned;
        let written = written.and_then(|()| self.outputs.finish(is_whole));
        if let Err(error) = written {
            tell(format_args!("error: {error}"));
            return UNUSABLE;
        }
        if !is_whole && (self.asked)() {
            tell(format_args!("interrupted: {count} of {} tests ran", self.planned));
            return INTERRUPTED;
        }
        if !is_whole && !self.unread {
            tell(format_args!("ended after the first failure: {count} of {} tests ran", self.planned));
        }
        if self.failed == 0 { SUCCESS } else { TESTS_FAILED }
    }

    /// The failures once more, and the counts.
    fn summarize(&mut self) -> io::Result<()> {
        let (passed, failed) = (self.passed, self.failed);
        if failed > 0 && passed + failed > 1 {
            let plural = if failed == 1 { "" } else { "s" };
            let mut lines = vec![format!("\n{failed} failure{plural}:")];
            lines.append(&mut self.recaps);
            if failed > MOST_LISTED {
                lines.push(format!("  and {} more", failed - MOST_LISTED));
            }
            lines.push(String::new());
            self.say(&lines.join("\n"))?;
        }
        if self.slow > 0 {
            let (slow, seconds) = (self.slow, SLOW.as_secs());
            tell(format_args!("{slow} slow: longer than {seconds} s"));
        }
        self.say(&format!("{passed} passed, {failed} failed"))
    }
}

impl TestObserver for TestReporter<'_> {
    fn finished(&mut self, planned: &PlannedCase, result: &TestResult) -> io::Result<()> {
        if result.passed() {
            self.passed += 1;
        } else {
            self.failed += 1;
            if self.recaps.len() < MOST_LISTED {
                self.recaps.push(result.recap());
            }
        }
        self.outputs.add(planned, result)?;
        self.report(result)?;
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
                let seconds = VERY_SLOW.as_secs();
                let name = printable_name(&planned.case.name);
                tell(format_args!("running for more than {seconds} s: {name}"));
            }
        }
    }

    fn is_over(&mut self) -> bool {
        (self.asked)() || (self.unread && self.outputs.are_none())
    }
}

impl TestOutputs {
    fn are_none(&self) -> bool {
        self.junit.is_none() && self.results.is_none()
    }

    fn add(&mut self, planned: &PlannedCase, result: &TestResult) -> io::Result<()> {
        if let Some(junit) = &mut self.junit {
            junit.report.add(planned, result);
        }
        if let Some(results) = &mut self.results {
            let written = results.case(&record_of(planned, result));
            written.map_err(|e| io::Error::new(e.kind(), format!("cannot write the results: {e}")))?;
        }
        Ok(())
    }

    /// Completes the files. Results of a run that ended early have no last line.
    fn finish(&mut self, is_whole: bool) -> io::Result<()> {
        let results = self.results.take().filter(|_| is_whole);
        let ended = results.map_or(Ok(()), ResultsWriter::end);
        let ended = ended.map_err(|e| io::Error::new(e.kind(), format!("cannot write the results: {e}")));
        let written = self.junit.take().map_or(Ok(()), |junit| {
            let JunitOutput { report, file, mut out } = junit;
            let name = file.path().display().to_string();
            let written = report.write(&mut out).and_then(|()| out.flush());
            drop(out);
            let failed = |e: io::Error| io::Error::new(e.kind(), format!("cannot write {name}: {e}"));
            written.map_err(failed)?;
            file.complete().map_err(io::Error::other)
        });
        ended.and(written)
    }
}

/// A progress bar on a terminal.
fn progress(planned: usize) -> Option<ProgressBar> {
    if planned < 2 || !io::stderr().is_terminal() {
        return None;
    }
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} tests  {wide_msg}");
    let progress = ProgressBar::new(planned as u64).with_style(style.ok()?);
    progress.enable_steady_tick(Duration::from_millis(200));
    Some(progress)
}
