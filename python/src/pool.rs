//! Threads with the stack that scripts need.

use crate::errors::{GameError, panic_text};
use crate::gate::Gate;
use corosensei::stack::DefaultStack;
use hangtime::script::host::STACK;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::cell::Cell;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};

thread_local! {
    /// The stack on which this thread runs scripts, once it has.
    static OWN_STACK: Cell<Option<DefaultStack>> = const { Cell::new(None) };
}

/// Does work on the thread that calls, with the GIL released, on a stack that scripts fit into. A step takes about a
/// microsecond; waking another thread and waiting for it takes ten.
pub fn run_here<R: Send>(py: Python<'_>, work: impl FnOnce() -> R + Send) -> PyResult<R> {
    let mut stack = match OWN_STACK.take() {
        Some(stack) => stack,
        None => DefaultStack::new(STACK).map_err(|error| GameError::new_err(error.to_string()))?,
    };
    let done = py.detach(|| {
        let caught = || catch_unwind(AssertUnwindSafe(work)).map_err(|panic| panic_text(&*panic));
        corosensei::on_stack(&mut stack, caught)
    });
    OWN_STACK.set(Some(stack));
    done.map_err(GameError::new_err)
}

/// Threads that are started when they are first needed.
#[derive(Debug)]
pub struct Pool {
    /// How many; `None` for one for each processor.
    count: Option<NonZeroUsize>,
    /// The threads, and the process that has started them.
    started: Mutex<Option<(u32, Arc<ThreadPool>)>>,
}

/// The threads that all games share.
pub static SHARED: Pool = Pool::new(None);

impl Pool {
    /// This many threads; `None` for one for each processor.
    pub const fn new(count: Option<NonZeroUsize>) -> Self {
        Self { count, started: Mutex::new(None) }
    }

    fn threads(&self) -> PyResult<Arc<ThreadPool>> {
        let process = std::process::id();
        let mut started = self.started.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((owner, threads)) = &*started
            && *owner == process
        {
            return Ok(threads.clone());
        }
        // A process that was forked, for example by `multiprocessing`, has none of its parent's threads: ending them
        // would wait forever.
        std::mem::forget(started.take());
        let builder = ThreadPoolBuilder::new()
            .num_threads(self.count.map_or(0, NonZeroUsize::get))
            .stack_size(STACK)
            .thread_name(|index| format!("hangtime {index}"));
        let threads = builder.build();
        let threads = threads.map_err(|error| GameError::new_err(error.to_string()))?;
        let threads = Arc::new(threads);
        *started = Some((process, threads.clone()));
        Ok(threads)
    }

    /// Does work on one of the threads, with the GIL released. The work must not be divided among them while it holds a
    /// lock: a thread that waits for the others takes up other work, which may wait for that lock.
    pub fn run<R: Send>(&self, py: Python<'_>, work: impl FnOnce() -> R + Send) -> PyResult<R> {
        let threads = self.threads()?;
        py.detach(|| run_on(&threads, work))
    }

    /// Does work on the threads, with the GIL released, while something is locked. The lock is held by the thread that
    /// calls, so the work may be divided; no work on these threads may wait for it.
    pub fn run_locked<T: Send, R: Send>(
        &self,
        py: Python<'_>,
        locked: &Gate<T>,
        work: impl FnOnce(&mut T) -> R + Send,
    ) -> PyResult<R> {
        let threads = self.threads()?;
        py.detach(|| {
            let mut guard = locked.lock();
            let locked = &mut *guard;
            run_on(&threads, || work(locked))
        })
    }
}

fn run_on<R: Send>(threads: &ThreadPool, work: impl FnOnce() -> R + Send) -> PyResult<R> {
    let caught = || catch_unwind(AssertUnwindSafe(work)).map_err(|panic| panic_text(&*panic));
    threads.install(caught).map_err(GameError::new_err)
}
