//! Work in the background while the game runs.

use super::*;
use hangtime_game::spawn;
use std::{
    cell::Cell,
    sync::mpsc::{Receiver, Sender, channel},
    thread::JoinHandle,
};

type Work = Box<dyn FnOnce() + Send>;

/// How often results are looked for before work without a thread is done. They are looked for in each tick.
const POSTPONED_BY: u32 = 12;

/// Work of a thread, which sends results. Dropping it cancels the work. Without the feature `disk` there are no threads,
/// and the work is done a few ticks later: the picture of an edit does not wait for its ghosts.
pub struct BackgroundJob<T> {
    results: Receiver<T>,
    canceled: Arc<AtomicBool>,
    /// The thread, if dropping the job waits for its end.
    awaited: Option<JoinHandle<()>>,
    /// Work without a thread, and how often its results are still looked for before it is done.
    postponed: Cell<Option<(Work, u32)>>,
}

impl<T> Drop for BackgroundJob<T> {
    fn drop(&mut self) {
        self.canceled.store(true, Ordering::Relaxed);
        if let Some(thread) = self.awaited.take() {
            // If it panicked, it has printed why.
            let _ = thread.join();
        }
    }
}

impl<T: Send + 'static> BackgroundJob<T> {
    /// Starts to work, on a stack that is large enough for scripts. The work should end early once the flag is set.
    ///
    /// # Errors
    /// If no thread can be started.
    pub fn start(name: &str, work: impl FnOnce(&Sender<T>, &Arc<AtomicBool>) + Send + 'static) -> io::Result<Self> {
        let mut job = Self::start_awaited(name, work)?;
        job.awaited = None;
        Ok(job)
    }

    /// The same, and dropping it waits until the work has ended.
    ///
    /// # Errors
    /// If no thread can be started.
    pub fn start_awaited(
        name: &str,
        work: impl FnOnce(&Sender<T>, &Arc<AtomicBool>) + Send + 'static,
    ) -> io::Result<Self> {
        let (post, results) = channel();
        let canceled = Arc::new(AtomicBool::new(false));
        let stopped = canceled.clone();
        let work = move || work(&post, &stopped);
        let (awaited, postponed) = if cfg!(feature = "disk") {
            (Some(spawn(name, work)?), None)
        } else {
            (None, Some((Box::new(work) as _, POSTPONED_BY)))
        };
        Ok(Self { results, canceled, awaited, postponed: Cell::new(postponed) })
    }

    /// The next result.
    ///
    /// # Errors
    /// If there is none yet, or the work has ended.
    pub fn poll(&self) -> Result<T, TryRecvError> {
        match self.postponed.take() {
            Some((work, 0)) => work(),
            Some((work, left)) => self.postponed.set(Some((work, left - 1))),
            None => {}
        }
        self.results.try_recv()
    }
}
