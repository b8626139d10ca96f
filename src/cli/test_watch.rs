//! `test --watch`: runs the tests again that an edit concerns.

use super::interrupt::Interrupt;
use super::output::{INTERRUPTED, SUCCESS, TESTS_FAILED, unusable};
use super::test_options::{FoundTests, TestArguments};
use super::test_report::{TestOutputs, TestReporter};
use crate::playtest::{PlannedCase, TestFiles, TestFilter, TestObserver, TestPlan, TestResult};
use crate::project::terminal::tell;
use crate::project::{Error, GameFolder, GameWatch, files};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, IsTerminal as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// How long to wait for an edit before looking for a key.
const PATIENCE: Duration = Duration::from_millis(100);

/// Why tests run again.
enum WatchCause {
    /// All tests that the name filter leaves.
    All,
    /// Those that failed.
    Failures,
    /// Those that depend on these files.
    Edit(BTreeSet<String>),
}

/// The last result of a test.
struct LastResult {
    passed: bool,
    files: TestFiles,
}

/// Runs tests after every edit until the user quits. Returns the exit code.
pub(super) fn watch(folder: &GameFolder, arguments: &TestArguments) -> u8 {
    let interrupt = Interrupt::watch();
    let keys = WatchKeys::listen();
    let mut edits = GameWatch::new(folder.clone(), folders_of(folder.path(), arguments));
    let mut session = WatchSession {
        folder,
        arguments,
        filter: None,
        known: BTreeMap::new(),
    };
    let mut cause = WatchCause::All;
    loop {
        let is_over = || interrupt.arrived() || keys.quit.load(Ordering::Relaxed);
        match session.run(&cause, &is_over) {
            // Written to stdout that is full or closed.
            Ok(SUCCESS | TESTS_FAILED | INTERRUPTED) => {}
            Ok(code) => return code,
            Err(error) => drop(unusable(&error)),
        }
        session.tell_state(keys.exist);
        cause = loop {
            if interrupt.arrived() {
                return INTERRUPTED;
            }
            if keys.quit.load(Ordering::Relaxed) {
                return session.code();
            }
            if let Ok(line) = keys.lines.try_recv()
                && let Some(cause) = session.cause_of(line.trim())
            {
                break cause;
            }
            let changed = edits.wait(PATIENCE);
            if !changed.is_empty() {
                break WatchCause::Edit(changed);
            }
        };
    }
}

/// The folders of test scripts outside of the game.
fn folders_of(root: &Path, arguments: &TestArguments) -> Vec<PathBuf> {
    let paths = arguments.paths.iter();
    let paths = paths.filter_map(|name| files::find(root, name).ok());
    let folder = |path: PathBuf| {
        if path.is_dir() {
            return Some(path);
        }
        let parent = path.parent()?;
        let here = parent.as_os_str().is_empty();
        Some(if here {
            ".".into()
        } else {
            parent.to_path_buf()
        })
    };
    let mut folders: Vec<PathBuf> = paths.filter_map(folder).collect();
    folders.sort();
    folders.dedup();
    folders
}

/// What was typed: lines, because keys without Enter would take the terminal away from the user.
struct WatchKeys {
    /// Whether someone can type.
    exist: bool,
    lines: Receiver<String>,
    quit: Arc<AtomicBool>,
}

impl WatchKeys {
    /// Reads stdin if it is a terminal.
    fn listen() -> Self {
        let (send, lines) = channel();
        let quit = Arc::new(AtomicBool::new(false));
        let exist = io::stdin().is_terminal();
        if exist {
            let quit = quit.clone();
            // The thread ends with the program.
            let _ = std::thread::Builder::new().spawn(move || {
                for line in io::stdin().lines().map_while(Result::ok) {
                    if line.trim() == "q" {
                        quit.store(true, Ordering::Relaxed);
                    }
                    if send.send(line).is_err() {
                        return;
                    }
                }
            });
        }
        Self { exist, lines, quit }
    }
}

struct WatchSession<'a> {
    folder: &'a GameFolder,
    arguments: &'a TestArguments,
    /// Only tests that match run.
    filter: Option<TestFilter>,
    /// The last results by the names of tests.
    known: BTreeMap<String, LastResult>,
}

impl WatchSession<'_> {
    /// Runs the tests that a cause concerns.
    fn run(&mut self, cause: &WatchCause, is_over: &dyn Fn() -> bool) -> Result<u8, Error> {
        let mut found = FoundTests::find(self.folder.clone(), self.arguments)?;
        if found.plan.total() == 0 {
            self.known.clear();
            found.explain_none(self.arguments);
            return Ok(SUCCESS);
        }
        let all = found.plan.cases.iter().map(|planned| &planned.case.name);
        let all: BTreeSet<&String> = all.collect();
        self.known.retain(|name, _| all.contains(name));
        let chosen = self.chosen(&found.plan, cause);
        if chosen.is_empty() {
            if let WatchCause::Edit(files) = cause {
                let files: Vec<&str> = files.iter().map(String::as_str).collect();
                tell(format_args!("no test depends on {}", files.join(", ")));
            }
            return Ok(SUCCESS);
        }
        found.plan = Arc::new((*found.plan).clone().only(&chosen));
        let outputs = TestOutputs::default();
        let mut reporter = TestReporter::new(&found, self.arguments, outputs, is_over);
        let mut recorder = ResultRecorder {
            reporter: &mut reporter,
            known: &mut self.known,
        };
        let ran = found.run(self.arguments, true, &mut recorder);
        Ok(reporter.finish(ran))
    }

    /// The names of the tests that a cause concerns.
    fn chosen(&self, plan: &TestPlan, cause: &WatchCause) -> BTreeSet<String> {
        let concerns = |planned: &&PlannedCase| {
            if self
                .filter
                .as_ref()
                .is_some_and(|f| !f.matches(&planned.case))
            {
                return false;
            }
            let last = self.known.get(&planned.case.name);
            match (cause, last) {
                (WatchCause::All, _) => true,
                (WatchCause::Failures, last) => last.is_some_and(|last| !last.passed),
                (WatchCause::Edit(_), None) => true,
                (WatchCause::Edit(changed), Some(last)) => match &last.files {
                    TestFiles::Any => true,
                    TestFiles::Only(files) => !files.is_disjoint(changed),
                },
            }
        };
        let chosen = plan.cases.iter().filter(concerns);
        chosen.map(|planned| planned.case.name.clone()).collect()
    }

    /// What a line asks for.
    fn cause_of(&mut self, line: &str) -> Option<WatchCause> {
        match line {
            "" => {
                self.filter = None;
                Some(WatchCause::All)
            }
            "f" => {
                if self.known.values().all(|last| last.passed) {
                    tell("no test has failed");
                    return None;
                }
                Some(WatchCause::Failures)
            }
            "q" => None,
            text => match TestFilter::parse(self.folder.path(), text) {
                Ok(filter) => {
                    self.filter = Some(filter);
                    Some(WatchCause::All)
                }
                Err(why) => {
                    tell(format_args!("`{text}` is not a regular expression: {why}"));
                    None
                }
            },
        }
    }

    fn failing(&self) -> usize {
        self.known.values().filter(|last| !last.passed).count()
    }

    fn tell_state(&self, has_keys: bool) {
        let (all, failing) = (self.known.len(), self.failing());
        let keys = if has_keys {
            "; type Enter for all tests, f for those that fail, a part of a name for some, q to quit"
        } else {
            ""
        };
        tell(format_args!(
            "{failing} of {all} tests fail; waiting for an edit{keys}"
        ));
    }

    fn code(&self) -> u8 {
        if self.failing() == 0 {
            SUCCESS
        } else {
            TESTS_FAILED
        }
    }
}

/// Remembers results and passes them on.
struct ResultRecorder<'a, 'b> {
    reporter: &'a mut TestReporter<'b>,
    known: &'a mut BTreeMap<String, LastResult>,
}

impl TestObserver for ResultRecorder<'_, '_> {
    fn finished(&mut self, planned: &PlannedCase, result: &TestResult) -> io::Result<()> {
        let last = LastResult {
            passed: result.passed(),
            files: result.files.clone(),
        };
        self.known.insert(planned.case.name.clone(), last);
        self.reporter.finished(planned, result)
    }

    fn waiting(&mut self, running: &[(&PlannedCase, Duration)]) {
        self.reporter.waiting(running);
    }

    fn is_over(&mut self) -> bool {
        self.reporter.is_over()
    }
}
