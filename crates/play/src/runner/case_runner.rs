//! Runs tests one after the other on one thread.

use super::{filter::short_name, *};
use crate::{
    command_line::{quoted, root_option},
    suite::CaseBody,
    test_script::compile_test,
};
use hangtime_game::files::save_failed_test;
use hangtime_script::{budget::was_interrupted, recording_prints};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// How tests run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CaseOptions {
    /// Heavy mode: levels are saved and loaded before every tick. The test also fails if that makes a
    /// difference.
    pub heavy: bool,
    /// Whether results list the files that their tests depend on.
    pub with_files: bool,
    /// Whether files are written into `.hangtime` of the game folder: recordings of failed tests, and the numbers of kinds
    /// whose contracts hold.
    pub saves: bool,
}

/// Runs tests. Keeps the compiled script of the last one for the next test of the same file; the tests
/// themselves share no state. Scripts need a thread with a stack of
/// [`STACK`](hangtime_script::STACK) bytes.
pub struct CaseRunner {
    project: Project,
    cache: Arc<LevelCache>,
    options: CaseOptions,
    /// The compiled script of the last test, and its file.
    loaded: Option<(Arc<SourceFile>, PlayedScript)>,
    /// Gets the recording of the level that a test has opened last.
    recording: Option<TestRecording>,
    end: RunEnd,
}

/// Whether a run has ended while some of its tests still run. These write no recordings: the program may
/// end at any time.
#[derive(Clone, Debug, Default)]
pub struct RunEnd(Arc<Mutex<bool>>);

impl RunEnd {
    /// From now on nothing is written. Waits until what is being written is complete.
    pub fn arrive(&self) {
        *self.0.lock() = true;
    }

    /// Writes something whole, unless the run has ended.
    fn unless_over<T>(&self, write: impl FnOnce() -> Option<T>) -> Option<T> {
        let is_over = self.0.lock();
        if *is_over { None } else { write() }
    }
}

/// The longest test that is run again if it fails.
const LONGEST_CHECKED: Duration = Duration::from_secs(10);

/// Runs one test.
pub fn run_case(project: &Project, case: &TestCase) -> TestResult {
    run_alone(project, case, CaseOptions::default())
}

/// Runs one test in heavy mode: the levels that it plays are saved and loaded before every tick. The
/// test also fails if that makes a difference.
pub fn run_heavy_case(project: &Project, case: &TestCase) -> TestResult {
    let options = CaseOptions { heavy: true, ..CaseOptions::default() };
    run_alone(project, case, options)
}

fn run_alone(project: &Project, case: &TestCase, options: CaseOptions) -> TestResult {
    let cache = project.level_cache();
    CaseRunner::new(project.clone(), cache, options).run(case)
}

impl CaseRunner {
    /// A runner whose levels are built by this cache.
    pub fn new(project: Project, cache: Arc<LevelCache>, options: CaseOptions) -> Self {
        Self { project, cache, options, loaded: None, recording: None, end: RunEnd::default() }
    }

    /// The same runner in a run that may end before its tests do.
    pub(super) fn until(self, end: RunEnd) -> Self {
        Self { end, ..self }
    }

    /// Runs a test, and one that fails once more, with everything built again from the same files. A
    /// second result that differs is noted in the first one. The second run is recorded: the level that it
    /// opened last is saved in `.hangtime/failed` of the game folder, if the options say so. Tests that take longer than ten seconds are
    /// not run again.
    ///
    /// None if the test was [interrupted](hangtime_script::budget::interruptible): what it found then says nothing. If only the
    /// second run was interrupted, this is the first run's result.
    pub fn run_checked(&mut self, case: &TestCase) -> Option<TestResult> {
        let mut result = self.run(case);
        if was_interrupted() {
            return None;
        }
        let failed = matches!(result.outcome, TestOutcome::Failed(_));
        if result.timed_out || !failed || result.took > LONGEST_CHECKED {
            return Some(result);
        }
        let cache = Arc::new(self.cache.unbuilt());
        let mut fresh = Self::new(self.project.clone(), cache, self.options);
        let (again, bytes) = fresh.run_recorded(case);
        drop(fresh);
        if was_interrupted() {
            return Some(result);
        }
        if self.options.saves && !bytes.is_empty() {
            // Without it, the test has failed all the same.
            let save = || save_failed_test(self.project.folder(), &case.name, &bytes).ok();
            result.recording = self.end.unless_over(save);
            let recording = result.recording.as_deref();
            let command = |file| format!("hangtime{} replay {}", root_option(self.project.folder()), quoted(file));
            result.replay = recording.map(command);
        }
        if !again.timed_out {
            result.differs = result.difference(&again);
        }
        Some(result)
    }

    /// Runs a test. Also returns the recording of the level that it opened last; empty if it opened none.
    fn run_recorded(&mut self, case: &TestCase) -> (TestResult, Vec<u8>) {
        let recording = TestRecording::default();
        self.recording = Some(recording.clone());
        self.loaded = None;
        let ran = self.run(case);
        // Closes its levels, which completes the recording.
        self.loaded = None;
        self.recording = None;
        (ran, recording.take())
    }

    /// Runs a test.
    pub fn run(&mut self, case: &TestCase) -> TestResult {
        let started = now();
        let mut result = TestResult {
            name: case.name.clone(),
            rerun: self.rerun(case),
            hash: fold_hashes([]),
            ..TestResult::default()
        };
        let body = match &case.run {
            Ok(body) => body,
            Err(wrong) => {
                result.outcome = TestOutcome::NotCompiled(wrong.clone());
                return result;
            }
        };
        // A panic would be a bug of hangtime; the other tests should still run.
        let ran = catch_unwind(AssertUnwindSafe(|| match body {
            CaseBody::Function(test) => self.run_function(case, test, &mut result),
            CaseBody::Golden(golden) => {
                let (heavy, recording) = (self.options.heavy, self.recording.as_ref());
                golden.run(&self.project, &self.cache, heavy, recording, &mut result);
            }
            CaseBody::Contract(contract) => result.outcome = contract.check(self.options.saves),
        }));
        if ran.is_err() {
            self.loaded = None;
            let message = "hangtime itself failed here; please report this bug";
            result.outcome = TestOutcome::failed(body.place(), message);
        }
        result.took = match body {
            CaseBody::Contract(contract) => contract.share(),
            _ => now() - started,
        };
        result
    }

    fn run_function(&mut self, case: &TestCase, test: &TestFunction, result: &mut TestResult) {
        let with_files = self.options.with_files;
        let script = match self.load(&case.file) {
            Ok(script) => script,
            Err(error) => {
                result.outcome = TestOutcome::NotCompiled(error.diagnostics());
                result.timed_out = true;
                return;
            }
        };
        script.log.clear(with_files);
        let (ran, printed) = recording_prints(|| script.run(test));
        result.keep_printed(printed.lines);
        result.warnings = script.take_warnings();
        let log = script.log.take();
        result.hash = fold_hashes(log.hashes.iter().copied());
        result.outcome = match (&log.divergence, ran) {
            // It fails the test whatever else this has found.
            (Some(divergence), _) => TestOutcome::failed(test.place.clone(), &divergence.message),
            (None, Ok(None)) => TestOutcome::Passed,
            (None, Ok(Some(known))) => TestOutcome::KnownFailure(Box::new(known)),
            (None, Err(failure)) => TestOutcome::Failed(failure),
        };
        result.timed_out = log.timed_out;
        result.files = self.files_of(&case.file, log);
    }

    fn load(&mut self, file: &Arc<SourceFile>) -> Result<&mut PlayedScript, Error> {
        let script = match self.loaded.take() {
            Some((of, script)) if Arc::ptr_eq(&of, file) => script,
            _ => compile_test(&self.project, &self.cache, file, self.options.heavy, self.recording.as_ref())?,
        };
        Ok(&mut self.loaded.insert((file.clone(), script)).1)
    }

    /// The files that a test depends on.
    fn files_of(&self, file: &SourceFile, log: PlayedLevels) -> Option<BTreeSet<String>> {
        let mut files = log.files.filter(|_| !log.broken)?;
        files.insert(file.name.clone());
        files.extend(self.cache.imports(file));
        Some(files)
    }

    /// The command line that runs a test again.
    fn rerun(&self, case: &TestCase) -> String {
        let root = root_option(self.project.folder());
        let test = case.test_name();
        let filter = match test {
            "" => String::new(),
            test => format!(" --filter {}", quoted(&format!("={}", short_name(test)))),
        };
        let heavy = if self.options.heavy { " --heavy" } else { "" };
        let execution = self.project.folder().execution().option();
        let file = quoted(case.file_name());
        format!("hangtime{root} test {file}{filter}{heavy}{execution}")
    }
}
