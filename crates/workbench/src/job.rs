//! Saving something in the background while the game runs.

use hangtime_game::{Error, spawn};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::thread::JoinHandle;

/// A file that is being written by a thread. Dropping this stops the thread, which removes the unfinished
/// file.
pub struct SavingJob {
    result: Receiver<Result<PathBuf, String>>,
    canceled: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Drop for SavingJob {
    fn drop(&mut self) {
        self.canceled.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // If it panicked, it has printed why.
            let _ = thread.join();
        }
    }
}

impl SavingJob {
    /// Starts to save. `save` should end early once the flag is set. `None` if no thread can be started.
    #[must_use]
    pub fn start(
        name: &str,
        save: impl FnOnce(&AtomicBool) -> Result<PathBuf, Error> + Send + 'static,
    ) -> Option<Self> {
        let (post, result) = channel();
        let canceled = Arc::new(AtomicBool::new(false));
        let stopped = canceled.clone();
        let thread = spawn(name, move || {
            let saved = save(&stopped);
            // The window may have been closed.
            let _ = post.send(saved.map_err(|error| error.to_string()));
        });
        Some(Self { result, canceled, thread: Some(thread.ok()?) })
    }

    /// The path of the file or why it could not be written, once that is known.
    pub fn poll(&self) -> Option<Result<PathBuf, String>> {
        match self.result.try_recv() {
            Ok(result) => Some(result),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => Some(Err("saving has failed".into())),
        }
    }
}
