//! Building on a thread of its own, with an eye on the clock.
//!
//! Compiling a script has no budget that could be counted. A thread cannot be stopped from outside
//! either; so who waits for it is told which file takes too long, and goes on without it.

use crate::script::host::{CompileProgress, Diagnostic, STACK};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::Builder;
use std::time::{Duration, Instant};

/// How long a single file may take.
pub(super) const DEADLINE: Duration = Duration::from_secs(5);

/// How often a thread that works is looked at.
const LOOK: Duration = Duration::from_millis(50);

/// Something that is being built.
pub(super) struct Build<T> {
    result: Receiver<T>,
    progress: CompileProgress,
}

impl<T: Send + 'static> Build<T> {
    /// Begins to build.
    pub fn start(work: impl FnOnce() -> T + Send + 'static) -> Self {
        let (post, result) = channel();
        let progress = CompileProgress::default();
        let its = progress.clone();
        let thread = Builder::new().name("build".into()).stack_size(STACK);
        // A thread that cannot be started has no result, which is told as that.
        let _ = thread.spawn(move || {
            its.follow();
            // Nobody may wait for it any more.
            let _ = post.send(work());
        });
        Self { result, progress }
    }

    /// The result, as soon as it is there and as long as no single file takes longer than `deadline`.
    ///
    /// # Errors
    /// About the file that takes too long; what is being built goes on and may be asked again.
    pub fn wait(&self, deadline: Duration) -> Result<T, Diagnostic> {
        let mut file = self.progress.file();
        let mut since = Instant::now();
        loop {
            match self.result.recv_timeout(LOOK.min(deadline)) {
                Ok(built) => return Ok(built),
                Err(RecvTimeoutError::Disconnected) => {
                    let why = "hangtime itself failed here; this is a bug worth reporting";
                    return Err(Diagnostic::about_file(self.progress.file(), why));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
            let now = self.progress.file();
            if now != file {
                (file, since) = (now, Instant::now());
            } else if since.elapsed() >= deadline {
                let seconds = deadline.as_secs_f64();
                let why = format!("compiling this takes longer than {seconds} s");
                return Err(Diagnostic::about_file(file, why));
            }
        }
    }
}

/// Does something that compiles scripts, for as long as no single file takes too long.
///
/// # Errors
/// About the file that does.
pub fn within_deadline<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Diagnostic> {
    Build::start(work).wait(DEADLINE)
}
