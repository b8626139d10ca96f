//! Builds on a separate thread, with a deadline for each file.
//!
//! Compiling a script has no budget that could be counted, and a thread cannot be stopped from
//! outside. So the caller stops waiting and gets an error that names the slow file.

use crate::project::Error;
use crate::script::host::{CompileProgress, STACK};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::Builder;
use std::time::{Duration, Instant};

/// The longest time that a single file may take.
pub(super) const DEADLINE: Duration = Duration::from_secs(5);

/// How often a waiting thread checks which file is being compiled.
const POLL: Duration = Duration::from_millis(50);

/// A build in progress.
pub(super) struct Build<T> {
    result: Receiver<T>,
    progress: CompileProgress,
}

impl<T: Send + 'static> Build<T> {
    /// Starts a build.
    pub fn start(work: impl FnOnce() -> T + Send + 'static) -> Self {
        let (post, result) = channel();
        let progress = CompileProgress::default();
        let followed = progress.clone();
        let thread = Builder::new().name("build".into()).stack_size(STACK);
        // If the thread cannot start, the channel closes, and `wait` reports that.
        let _ = thread.spawn(move || {
            followed.follow();
            // The receiver may have been dropped after a timeout.
            let _ = post.send(work());
        });
        Self { result, progress }
    }

    /// Waits for the result.
    ///
    /// # Errors
    /// [`Error::CompileTimeout`] if one file takes longer than `deadline`; the build continues and
    /// can be waited for again. [`Error::Internal`] if it panicked.
    pub fn wait(&self, deadline: Duration) -> Result<T, Error> {
        let mut file = self.progress.file();
        let mut since = Instant::now();
        loop {
            match self.result.recv_timeout(POLL.min(deadline)) {
                Ok(built) => return Ok(built),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Error::Internal {
                        file: self.progress.file(),
                    });
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
            let now = self.progress.file();
            if now != file {
                (file, since) = (now, Instant::now());
            } else if since.elapsed() >= deadline {
                return Err(Error::CompileTimeout {
                    file,
                    limit: deadline,
                });
            }
        }
    }
}

/// Runs something that compiles scripts on a thread with enough stack and returns its result. Each
/// file may take five seconds.
///
/// # Errors
/// [`Error::CompileTimeout`] if one file takes longer, [`Error::Internal`] if `work` panics.
pub fn within_deadline<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Error> {
    Build::start(work).wait(DEADLINE)
}
