//! A thread that carries out jobs one after the other.

use hangtime_script::STACK;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, JoinHandle};

/// What a thread does with its state.
pub(super) type Job<S> = Box<dyn FnOnce(&mut S) + Send>;

/// A thread with a state of type `S` and a stack that is large enough for scripts. It ends, and drops its state, once it
/// has done all jobs that it got before [`end`](Self::end) or before it was dropped. After a panic it does no more, and
/// drops the jobs that wait.
pub(super) struct JobThread<S> {
    jobs: Arc<JobQueue<S>>,
    thread: JoinHandle<()>,
}

/// Brings jobs to a thread, in order.
pub(super) struct JobQueue<S> {
    sender: Sender<Job<S>>,
    shared: Arc<JobState<S>>,
}

/// What a thread shares with those that bring jobs.
struct JobState<S> {
    /// `None` after a panic.
    state: Mutex<Option<S>>,
    /// The number of jobs that are not done.
    open: AtomicUsize,
}

impl<S: Send + 'static> JobThread<S> {
    /// Starts a thread with this name and state.
    ///
    /// # Errors
    /// When the system starts no more threads.
    pub fn start(name: &str, state: S) -> io::Result<Self> {
        let (sender, received) = channel();
        let shared = Arc::new(JobState { state: Mutex::new(Some(state)), open: AtomicUsize::new(0) });
        let thread = Builder::new().name(name.into()).stack_size(STACK);
        let of_thread = shared.clone();
        let thread = thread.spawn(move || work(&of_thread, &received))?;
        let jobs = Arc::new(JobQueue { sender, shared });
        Ok(Self { jobs, thread })
    }

    /// What brings jobs to the thread.
    pub fn jobs(&self) -> Arc<JobQueue<S>> {
        self.jobs.clone()
    }

    /// Lets the thread finish its jobs, and waits for it.
    pub fn end(self) {
        drop(self.jobs);
        // A panic has been reported.
        let _ = self.thread.join();
    }
}

impl<S> JobQueue<S> {
    /// Brings a job to the thread. Returns whether the thread can do it; if it has failed, the job is dropped.
    pub fn send(&self, job: Job<S>) -> bool {
        self.shared.open.fetch_add(1, Ordering::AcqRel);
        self.sender.send(job).is_ok()
    }

    /// Carries out a job on the thread that calls this, if the job's own thread has nothing to do and `may` agrees: that
    /// saves waking it. Otherwise brings the job to its thread. Returns whether the state was there for it.
    pub fn carry_out(&self, job: Job<S>, may: impl FnOnce(&S) -> bool) -> bool {
        let open = &self.shared.open;
        let is_idle = open.compare_exchange(0, 1, Ordering::AcqRel, Ordering::Relaxed);
        if is_idle.is_err() {
            return self.send(job);
        }
        let mut state = self.shared.lock();
        if state.as_ref().is_some_and(|state| !may(state)) {
            drop(state);
            open.fetch_sub(1, Ordering::AcqRel);
            return self.send(job);
        }
        let is_there = run(&mut state, job);
        open.fetch_sub(1, Ordering::AcqRel);
        is_there
    }
}

impl<S> JobState<S> {
    fn lock(&self) -> MutexGuard<'_, Option<S>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn work<S>(shared: &JobState<S>, received: &Receiver<Job<S>>) {
    for job in received {
        let is_there = run(&mut shared.lock(), job);
        shared.open.fetch_sub(1, Ordering::AcqRel);
        if !is_there {
            return;
        }
    }
    drop(shared.lock().take());
}

/// Carries out a job if there is still a state for it. Returns whether there is one afterwards.
fn run<S>(state: &mut Option<S>, job: Job<S>) -> bool {
    let Some(present) = state else {
        return false;
    };
    if catch_unwind(AssertUnwindSafe(|| job(present))).is_ok() {
        return true;
    }
    // The state may be in any state of disorder, and so may dropping it.
    let _ = catch_unwind(AssertUnwindSafe(|| drop(state.take())));
    false
}

#[cfg(test)]
mod tests {
    use super::JobThread;
    use std::sync::mpsc::channel;
    use std::thread::{ThreadId, current};

    /// The thread that carries out a job.
    fn carrier(thread: &JobThread<i32>, may: bool) -> ThreadId {
        let (to, from) = channel();
        let job = move |_: &mut i32| to.send(current().id()).expect("the test waits");
        assert!(thread.jobs().carry_out(Box::new(job), |_| may));
        from.recv().expect("it is carried out")
    }

    #[test]
    fn an_idle_thread_lends_its_state() {
        let thread = JobThread::start("idle", 0).expect("a thread");
        let own = thread.thread.thread().id();
        assert_eq!(carrier(&thread, true), current().id());
        assert_eq!(carrier(&thread, false), own);
        thread.end();
    }

    #[test]
    fn a_job_never_overtakes_those_before_it() {
        let thread = JobThread::start("busy", Vec::new()).expect("a thread");
        let (go, gone) = channel::<()>();
        let wait = move |_: &mut Vec<i32>| gone.recv().expect("the test continues");
        assert!(thread.jobs().send(Box::new(wait)));
        for number in 0..100 {
            let push = move |all: &mut Vec<i32>| all.push(number);
            assert!(thread.jobs().carry_out(Box::new(push), |_| true));
        }
        go.send(()).expect("it waits");
        let (to, from) = channel();
        let tell = move |all: &mut Vec<i32>| to.send(all.clone()).expect("the test waits");
        assert!(thread.jobs().carry_out(Box::new(tell), |_| true));
        assert_eq!(from.recv().expect("numbers"), (0..100).collect::<Vec<_>>());
        thread.end();
    }

    #[test]
    fn a_panic_on_a_borrowed_state_ends_the_thread_and_not_the_borrower() {
        let thread = JobThread::start("broken", 1).expect("a thread");
        let jobs = thread.jobs();
        let fail = |_: &mut i32| panic!("this panic is part of the test");
        assert!(!jobs.carry_out(Box::new(fail), |_| true));
        assert!(!jobs.carry_out(Box::new(|_| {}), |_| true));
        // The thread notices it with the next job.
        while jobs.send(Box::new(|_| panic!("this is not carried out"))) {
            std::thread::yield_now();
        }
        drop(jobs);
        thread.end();
    }
}
