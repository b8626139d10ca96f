//! A thread that carries out jobs one after the other.

use crate::script::host::STACK;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Weak};
use std::thread::{Builder, JoinHandle};

/// What a thread does with its state.
pub(super) type Job<S> = Box<dyn FnOnce(&mut S) + Send>;

/// How many jobs may wait before threads that bring more have to wait.
const MOST_WAITING: usize = 256;

/// A thread with a state of type `S` and a stack that is large enough for scripts. It ends, and drops its state, once it
/// has done all jobs that it got before [`end`](Self::end) or before it was dropped. After a panic it does no more, and
/// drops the jobs that wait.
pub(super) struct JobThread<S> {
    jobs: Arc<SyncSender<Job<S>>>,
    thread: JoinHandle<()>,
}

impl<S: 'static> JobThread<S> {
    /// Starts a thread with this name, which makes its state itself.
    ///
    /// # Errors
    /// When the system starts no more threads.
    pub fn start(name: &str, state: impl FnOnce() -> S + Send + 'static) -> io::Result<Self> {
        let (jobs, received) = sync_channel(MOST_WAITING);
        let thread = Builder::new().name(name.into()).stack_size(STACK);
        let thread = thread.spawn(move || work(state(), &received))?;
        let jobs = Arc::new(jobs);
        Ok(Self { jobs, thread })
    }

    /// What brings jobs to the thread.
    pub fn jobs(&self) -> SyncSender<Job<S>> {
        SyncSender::clone(&self.jobs)
    }

    /// What brings jobs to the thread while it is not to end.
    pub fn jobs_until_end(&self) -> Weak<SyncSender<Job<S>>> {
        Arc::downgrade(&self.jobs)
    }

    /// Lets the thread finish its jobs, and waits for it.
    pub fn end(self) {
        drop(self.jobs);
        // A panic has been reported.
        let _ = self.thread.join();
    }
}

fn work<S>(mut state: S, received: &Receiver<Job<S>>) {
    for job in received {
        if catch_unwind(AssertUnwindSafe(|| job(&mut state))).is_err() {
            // The state may be in any state of disorder, and so may dropping it.
            let _ = catch_unwind(AssertUnwindSafe(|| drop(state)));
            return;
        }
    }
}
