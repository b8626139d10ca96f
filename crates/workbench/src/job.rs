//! Work in the background while the game runs.

use super::*;
use hangtime_game::spawn;
use std::{
    sync::mpsc::{Receiver, Sender, channel},
    thread::JoinHandle,
};

/// Work of a thread, which sends results. Dropping it cancels the work. Without the feature `disk` there are no threads,
/// and the work is done when the job starts.
pub struct BackgroundJob<T> {
    results: Receiver<T>,
    canceled: Arc<AtomicBool>,
    /// The thread, if dropping the job waits for its end.
    awaited: Option<JoinHandle<()>>,
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
    pub fn start(name: &str, work: impl FnOnce(&Sender<T>, &AtomicBool) + Send + 'static) -> io::Result<Self> {
        let mut job = Self::start_awaited(name, work)?;
        job.awaited = None;
        Ok(job)
    }

    /// The same, and dropping it waits until the work has ended.
    ///
    /// # Errors
    /// If no thread can be started.
    pub fn start_awaited(name: &str, work: impl FnOnce(&Sender<T>, &AtomicBool) + Send + 'static) -> io::Result<Self> {
        let (post, results) = channel();
        let canceled = Arc::new(AtomicBool::new(false));
        let stopped = canceled.clone();
        let work = move || work(&post, &stopped);
        let awaited = if cfg!(feature = "disk") {
            Some(spawn(name, work)?)
        } else {
            work();
            None
        };
        Ok(Self { results, canceled, awaited })
    }

    /// The next result.
    ///
    /// # Errors
    /// If there is none yet, or the work has ended.
    pub fn poll(&self) -> Result<T, TryRecvError> {
        self.results.try_recv()
    }
}
