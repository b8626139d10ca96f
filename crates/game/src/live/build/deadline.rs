//! Reads and builds on a separate thread, with a deadline for each file and for all together.
//!
//! A thread cannot be stopped from outside. So the caller stops waiting, gets an error that names the
//! slow file, and asks the abandoned thread to stop, which it checks between files and in the loops that
//! grow with a file. Without the feature `disk` there are neither threads nor clocks, so work is done at once.

use super::*;
use std::time::Duration;
#[cfg(feature = "disk")]
use {
    crate::background::{now, spawn},
    hangtime_script::BuildProgress,
    hangtime_script::budget::is_interrupted,
    std::sync::mpsc::{Receiver, RecvTimeoutError, channel},
};

/// The longest time that a single file may take before a running game says so. It is adopted when it is done.
pub const DEADLINE: Duration = Duration::from_secs(5);

/// The longest time that a single file may take where nothing runs yet, so that giving up is final: long enough for a
/// machine on which many other programs run.
#[cfg(feature = "disk")]
const COMMAND_DEADLINE: Duration = Duration::from_secs(20);

/// The longest time that all files of a level may take together.
const WHOLE_DEADLINE: Duration = Duration::from_secs(60);

#[cfg(feature = "disk")]
/// How often a waiting thread checks which file is being read or compiled.
const POLL: Duration = Duration::from_millis(50);

#[cfg(feature = "disk")]
/// A build in progress. Dropping it tells its thread to stop.
pub(crate) struct Build<T> {
    result: Receiver<T>,
    progress: BuildProgress,
    started: Duration,
    longest: Duration,
}

#[cfg(feature = "disk")]
impl<T: Send + 'static> Build<T> {
    /// Starts a build.
    pub fn start(work: impl FnOnce() -> T + Send + 'static) -> Self {
        Self::start_for(WHOLE_DEADLINE, work)
    }

    /// Starts a build that may take this long.
    fn start_for(longest: Duration, work: impl FnOnce() -> T + Send + 'static) -> Self {
        let (post, result) = channel();
        let progress = BuildProgress::default();
        let followed = progress.clone();
        // If the thread cannot start, the channel closes, and `wait` reports that.
        let _ = spawn("build", move || {
            followed.follow();
            // The receiver may have been dropped after a timeout.
            let _ = post.send(work());
        });
        Self { result, progress, started: now(), longest }
    }

    /// Waits for the result.
    ///
    /// # Errors
    /// [`Error::CompileTimeout`] if one file takes longer than `deadline`; the build continues and
    /// can be waited for again. [`Error::BuildTimeout`] if all files together take too long; the build
    /// stops. [`Error::Internal`] if it panicked.
    ///
    /// One of these errors at once when the result is no longer `wanted`.
    pub fn wait_while(&self, deadline: Duration, wanted: impl Fn() -> bool) -> Result<T, Error> {
        let mut file = self.progress.file();
        let mut since = now();
        loop {
            match self.result.recv_timeout(POLL.min(deadline)) {
                Ok(built) => return Ok(built),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Error::Internal { file: self.progress.file() });
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
            let at = self.progress.file();
            if (now() - self.started) >= self.longest {
                self.progress.cancel();
                return Err(Error::BuildTimeout { file: at, limit: self.longest });
            }
            if at != file {
                (file, since) = (at, now());
            } else if (now() - since) >= deadline || !wanted() {
                return Err(Error::CompileTimeout { file, limit: deadline });
            }
        }
    }
}

#[cfg(feature = "disk")]
impl<T> Drop for Build<T> {
    fn drop(&mut self) {
        self.progress.cancel();
    }
}

/// Runs something that reads files and compiles scripts on a thread with enough stack and returns its
/// result. Each file may take twenty seconds, all together a minute. It is not waited for any more once the calling thread
/// is [interrupted](hangtime_script::budget::interruptible).
///
/// # Errors
/// [`Error::CompileTimeout`] or [`Error::BuildTimeout`] if it takes longer, [`Error::Internal`] if
/// `work` panics. After a timeout, `work` should stop soon; see
/// [`BuildProgress::is_cancelled`](hangtime_script::BuildProgress::is_cancelled).
pub fn within_deadline<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Error> {
    within_time(WHOLE_DEADLINE, work)
}

/// The same with another limit for all files together.
///
/// # Errors
/// The same as [`within_deadline`].
pub fn within_time<T: Send + 'static>(
    longest: Duration,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Error> {
    #[cfg(feature = "disk")]
    return Build::start_for(longest, work).wait_while(COMMAND_DEADLINE, || !is_interrupted());
    #[cfg(not(feature = "disk"))]
    {
        let _ = longest;
        Ok(work())
    }
}

#[cfg(feature = "disk")]
#[cfg(test)]
#[path = "../../../tests/unit/live/build/deadline.rs"]
mod tests;
