//! Threads and the clock: the only parts of a system, apart from its disk, that opening and playing games uses.

use hangtime_script::budget::{interruptible, was_interrupted};
use std::{cell::Cell, io, thread::JoinHandle, time::Duration};
#[cfg(feature = "disk")]
use {std::sync::LazyLock, std::time::Instant};

#[cfg(feature = "disk")]
static START: LazyLock<Instant> = LazyLock::new(Instant::now);

/// The time since a fixed moment. Without the feature `disk` there is no clock, and no time passes.
pub fn now() -> Duration {
    #[cfg(feature = "disk")]
    return START.elapsed();
    #[cfg(not(feature = "disk"))]
    Duration::ZERO
}

/// Starts a thread with the stack that scripts need.
///
/// # Errors
/// If the system starts none, as always without the feature `disk`.
pub fn spawn<T: Send + 'static>(name: &str, work: impl FnOnce() -> T + Send + 'static) -> io::Result<JoinHandle<T>> {
    #[cfg(feature = "disk")]
    return std::thread::Builder::new()
        .name(name.into())
        .stack_size(hangtime_script::STACK)
        .spawn(work);
    #[cfg(not(feature = "disk"))]
    {
        drop((name, work));
        Err(io::ErrorKind::Unsupported.into())
    }
}

/// How long scripts may take to end by themselves once they should.
const GRACE: Duration = Duration::from_secs(2);

/// Runs something that ends soon after `asked` returns true. Scripts that have not let it end two seconds later are
/// stopped; then the second value is true, and the world that they belong to is no longer what its files and inputs make.
pub fn ending_scripts<R>(asked: impl Fn() -> bool + 'static, run: impl FnOnce() -> R) -> (R, bool) {
    let since = Cell::new(None);
    let is_over = move || {
        if !asked() {
            return false;
        }
        let began = since.get().unwrap_or_else(now);
        since.set(Some(began));
        now() - began >= GRACE
    };
    interruptible(is_over, run)
}

/// Whether scripts have been stopped in the [`ending_scripts`] that runs.
pub fn scripts_were_stopped() -> bool {
    was_interrupted()
}
