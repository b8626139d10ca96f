//! Runs a plan on several threads.
//!
//! Tests start in the order of the plan, and results are handed over in that order, too: they do not
//! depend on the number of threads.

use super::{case_runner::RunEnd, *};
use hangtime_game::spawn;
use hangtime_script::budget::interruptible;
use std::sync::{
    atomic::{AtomicBool, AtomicUsize, Ordering},
    mpsc::{Receiver, RecvTimeoutError, Sender, channel},
};

/// How a plan runs.
#[derive(Clone, Copy, Debug)]
pub struct RunOptions {
    /// The largest number of threads; at least 1.
    pub jobs: usize,
    /// Whether the first failure ends the run.
    pub fail_fast: bool,
    /// How each test runs.
    pub cases: CaseOptions,
}

/// Follows a run.
pub trait TestObserver {
    /// A test has ended, and so have all before it in the plan.
    ///
    /// # Errors
    /// When the result cannot be written, which ends the run.
    fn finished(&mut self, planned: &PlannedCase, result: &TestResult) -> io::Result<()>;

    /// Called every now and then with the tests that are running, first to last, and since when.
    fn waiting(&mut self, running: &[(&PlannedCase, Duration)]);

    /// Whether the run should end. Tests that are running are interrupted, also in the middle of a call, and have no result.
    fn is_over(&mut self) -> bool;
}

/// How long to wait for a result before the observer is called.
const PATIENCE: Duration = Duration::from_millis(50);

/// What the threads of a run share.
struct SharedRun {
    project: Project,
    cache: Arc<LevelCache>,
    plan: Arc<TestPlan>,
    options: RunOptions,
    /// The place of the next test to start.
    next: AtomicUsize,
    /// Whether no further test may start, and those that are running should end.
    is_over: AtomicBool,
    end: RunEnd,
}

/// A message of a thread, with the place of a test in the plan.
enum WorkerMessage {
    Started(usize),
    Ended(usize, Box<TestResult>),
}

/// Runs the tests of a plan and hands their results to `observer`, in the order of the plan.
///
/// When the first failure ends the run, results of later tests are dropped, so they do not depend on the
/// number of threads either. When the observer ends it, the results of all tests that have ended are handed over. Tests
/// that are running then are interrupted.
///
/// # Errors
/// When no thread can be started, or the error of the observer.
pub fn run_plan(
    project: &Project,
    cache: &Arc<LevelCache>,
    plan: &Arc<TestPlan>,
    options: RunOptions,
    observer: &mut dyn TestObserver,
) -> io::Result<()> {
    let shared = Arc::new(SharedRun {
        project: project.clone(),
        cache: cache.clone(),
        plan: plan.clone(),
        options,
        next: AtomicUsize::new(0),
        is_over: AtomicBool::new(false),
        end: RunEnd::default(),
    });
    let (send, received) = channel();
    for started in 0..options.jobs.clamp(1, plan.cases.len().max(1)) {
        let (shared, send) = (shared.clone(), send.clone());
        match spawn("test", move || shared.work(&send)) {
            Ok(_) => {}
            Err(error) if started == 0 => return Err(error),
            // Fewer threads take longer, that is all.
            Err(_) => break,
        }
    }
    drop(send);
    let followed = shared.follow(&received, observer);
    shared.is_over.store(true, Ordering::Relaxed);
    shared.end.arrive();
    followed
}

impl SharedRun {
    /// The work of a thread.
    fn work(self: &Arc<Self>, send: &Sender<WorkerMessage>) {
        let (project, cache) = (self.project.clone(), self.cache.clone());
        let runner = CaseRunner::new(project, cache, self.options.cases);
        let mut runner = runner.until(self.end.clone());
        while !self.is_over.load(Ordering::Relaxed) {
            let place = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(planned) = self.plan.cases.get(place) else {
                return;
            };
            // The receiver is gone when the run has ended early.
            if send.send(WorkerMessage::Started(place)).is_err() {
                return;
            }
            let shared = self.clone();
            let is_over = move || shared.is_over.load(Ordering::Relaxed);
            let (result, _) = interruptible(is_over, || runner.run_checked(&planned.case));
            let Some(result) = result else {
                return;
            };
            if send.send(WorkerMessage::Ended(place, Box::new(result))).is_err() {
                return;
            }
        }
    }

    /// Hands over results until all threads have ended.
    fn follow(&self, received: &Receiver<WorkerMessage>, observer: &mut dyn TestObserver) -> io::Result<()> {
        let cases = &self.plan.cases;
        let mut running: BTreeMap<usize, Duration> = BTreeMap::new();
        let mut ended: BTreeMap<usize, Box<TestResult>> = BTreeMap::new();
        let mut due = 0;
        let mut waited = now();
        loop {
            if observer.is_over() {
                self.is_over.store(true, Ordering::Relaxed);
            }
            match received.recv_timeout(PATIENCE) {
                Ok(WorkerMessage::Started(place)) => {
                    running.insert(place, now());
                }
                Ok(WorkerMessage::Ended(place, result)) => {
                    running.remove(&place);
                    ended.insert(place, result);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) if due < cases.len() && !observer.is_over() => {
                    let message = "a thread that runs tests has failed; please report this bug";
                    return Err(io::Error::other(message));
                }
                // A test that was interrupted has no result, but tests after it may have one.
                Err(RecvTimeoutError::Disconnected) => match ended.keys().next() {
                    Some(next) => due = *next,
                    None => return Ok(()),
                },
            }
            while let Some(result) = ended.remove(&due) {
                observer.finished(&cases[due], &result)?;
                due += 1;
                if self.options.fail_fast && !result.passed() {
                    return Ok(());
                }
            }
            if now() - waited >= PATIENCE {
                waited = now();
                let since = |(place, at): (&usize, &Duration)| (&cases[*place], now() - *at);
                let running: Vec<_> = running.iter().map(since).collect();
                observer.waiting(&running);
            }
        }
    }
}
