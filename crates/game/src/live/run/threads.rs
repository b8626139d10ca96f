//! Threads that share the ticks of worlds with many bodies.

use hangtime_core::sim::Executor;
use hangtime_script::STACK;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::{io, num::NonZeroUsize};

/// A pool of threads for the ticks of one game. Games that run at the same time need one each.
#[derive(Debug)]
pub struct Threads {
    pool: ThreadPool,
}

impl Threads {
    /// Starts threads, each with the stack that scripts need.
    ///
    /// # Errors
    /// If the system does not start them.
    pub fn new(count: NonZeroUsize) -> io::Result<Self> {
        let builder = ThreadPoolBuilder::new()
            .num_threads(count.get())
            .stack_size(STACK)
            .thread_name(|index| format!("tick {index}"));
        let pool = builder.build().map_err(io::Error::other)?;
        Ok(Self { pool })
    }

    /// Runs a game on one of the threads, and returns or panics as it does. There, a tick passes work to
    /// the others within microseconds and without allocating; on another thread it works, too, but has to
    /// wake one up for each phase.
    pub fn run<R: Send>(&self, game: impl FnOnce() -> R + Send) -> R {
        self.pool.install(game)
    }
}

impl Executor for Threads {
    fn join(&self, left: &mut (dyn FnMut() + Send), right: &mut (dyn FnMut() + Send)) {
        self.pool.join(left, right);
    }
}
