//! `test --watch`: runs the tests again that an edit concerns.

use super::*;
use hangtime_game::GameWatch;
use std::{
    io::IsTerminal as _,
    sync::{
        atomic::{AtomicBool, Ordering},
        mpsc::{Receiver, channel},
    },
};

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
pub struct LastResult {
    pub passed: bool,
    pub files: Option<BTreeSet<String>>,
}

/// Runs tests after every edit until the user quits. Returns the exit code.
pub fn watch(folder: &GameFolder, arguments: &TestArguments) -> Exit {
    let interrupt = Interrupt::watch();
    let quit = Arc::new(AtomicBool::new(false));
    let lines = typed_lines(quit.clone());
    let mut edits = GameWatch::new(folder.clone(), folders_of(folder.path(), arguments));
    let mut session =
        WatchSession { folder, arguments, filter: None, known: BTreeMap::new(), missed: BTreeSet::new(), count: 0 };
    let mut cause = WatchCause::All;
    loop {
        let is_over = || interrupt.arrived() || quit.load(Ordering::Relaxed);
        match session.run(&cause, &is_over) {
            // Written to stdout that is full or closed.
            Ok(SUCCESS | TESTS_FAILED | INTERRUPTED) => {}
            Ok(code) => return Ok(code),
            Err(error) => drop(unusable(&error)),
        }
        session.tell_state(lines.is_some());
        cause = loop {
            if interrupt.arrived() {
                return Ok(INTERRUPTED);
            }
            if quit.load(Ordering::Relaxed) {
                return Ok(session.code());
            }
            if let Some(Ok(line)) = lines.as_ref().map(Receiver::try_recv)
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
    let folder = |name: &String| {
        let path = files::find(root, name).ok()?;
        if path.is_dir() {
            return Some(path);
        }
        let parent = path.parent()?;
        Some(if parent.as_os_str().is_empty() { ".".into() } else { parent.to_path_buf() })
    };
    let folders: BTreeSet<PathBuf> = arguments.paths.iter().filter_map(folder).collect();
    folders.into_iter().collect()
}

/// What was typed: lines, because keys without Enter would take the terminal away from the user. None without a terminal.
fn typed_lines(quit: Arc<AtomicBool>) -> Option<Receiver<String>> {
    if !io::stdin().is_terminal() {
        return None;
    }
    let (send, lines) = channel();
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
    Some(lines)
}

struct WatchSession<'a> {
    folder: &'a GameFolder,
    arguments: &'a TestArguments,
    /// Only tests that match run.
    filter: Option<TestFilter>,
    /// The last results by the names of tests.
    known: BTreeMap<String, LastResult>,
    /// Files that were edited while the tests could not be found: their tests run as soon as that works.
    missed: BTreeSet<String>,
    /// The number of tests that were found last.
    count: usize,
}

impl WatchSession<'_> {
    /// Runs the tests that a cause concerns.
    fn run(&mut self, cause: &WatchCause, is_over: &dyn Fn() -> bool) -> Exit {
        let found = FoundTests::find(self.folder.clone(), self.arguments);
        let mut found = found.inspect_err(|_| self.miss(cause))?;
        if found.plan.total == 0 {
            self.known.clear();
            self.count = 0;
            found.explain_none(self.arguments);
            return Ok(SUCCESS);
        }
        let all: BTreeSet<&String> = found.plan.cases.iter().map(|planned| &planned.case.name).collect();
        self.count = all.len();
        self.known.retain(|name, _| all.contains(name));
        let concerned = self.concerned(&found.plan, cause);
        if !matches!(cause, WatchCause::Failures) {
            self.missed.clear();
        }
        // A test that does not get its turn, because of a filter or of a failure that ends the run, has no
        // result: its last one is of other files.
        let names: BTreeSet<&String> = concerned.iter().map(|case| &case.name).collect();
        self.known.retain(|name, _| !names.contains(name));
        let chosen = concerned.into_iter().filter(|case| self.selects(case));
        let chosen: BTreeSet<String> = chosen.map(|case| case.name.clone()).collect();
        if chosen.is_empty() {
            if let WatchCause::Edit(files) = cause {
                let files: Vec<&str> = files.iter().map(String::as_str).collect();
                tell(format_args!("no test depends on {}", files.join(", ")));
            }
            return Ok(SUCCESS);
        }
        found.plan = Arc::new((*found.plan).clone().only(&chosen));
        let mut reporter = TestReporter::new(&found, self.arguments, TestOutputs::default(), is_over);
        reporter.known = Some(&mut self.known);
        let ran = found.run(self.arguments, true, &mut reporter);
        Ok(reporter.finish(ran))
    }

    /// Remembers a cause for which no test could run.
    fn miss(&mut self, cause: &WatchCause) {
        match cause {
            WatchCause::All => self.known.clear(),
            WatchCause::Failures => {}
            WatchCause::Edit(files) => self.missed.extend(files.iter().cloned()),
        }
    }

    /// Whether the filter that was typed leaves a test.
    fn selects(&self, case: &TestCase) -> bool {
        self.filter.as_ref().is_none_or(|filter| filter.matches(case))
    }

    /// The tests that a cause concerns, also those that the typed filter does not leave.
    fn concerned<'p>(&self, plan: &'p TestPlan, cause: &WatchCause) -> Vec<&'p TestCase> {
        let concerns = |case: &&TestCase| {
            let Some(last) = self.known.get(&case.name) else {
                return true;
            };
            match (cause, &last.files) {
                (WatchCause::All, _) => self.selects(case),
                (WatchCause::Failures, _) => !last.passed,
                (WatchCause::Edit(_), None) => true,
                (WatchCause::Edit(changed), Some(files)) => {
                    !files.is_disjoint(changed) || !files.is_disjoint(&self.missed)
                }
            }
        };
        let cases = plan.cases.iter().map(|planned| &planned.case);
        cases.filter(concerns).collect()
    }

    /// What a line asks for.
    fn cause_of(&mut self, line: &str) -> Option<WatchCause> {
        match line {
            "" => {
                self.filter = None;
                Some(WatchCause::All)
            }
            "f" => {
                if self.failing() == 0 && self.known.len() == self.count {
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
                    tell(why);
                    None
                }
            },
        }
    }

    fn failing(&self) -> usize {
        self.known.values().filter(|last| !last.passed).count()
    }

    fn tell_state(&self, has_keys: bool) {
        let (all, failing) = (self.count, self.failing());
        let left = match all.saturating_sub(self.known.len()) {
            0 => String::new(),
            left => format!(", {left} not run"),
        };
        let keys = if has_keys {
            "; type Enter for all tests, f for those that fail, a part of a name for some, q to quit"
        } else {
            ""
        };
        tell(format_args!("{failing} of {all} tests fail{left}; waiting for an edit{keys}"));
    }

    fn code(&self) -> u8 {
        if self.failing() == 0 { SUCCESS } else { TESTS_FAILED }
    }
}
