//! The progress of a build, for a thread that waits for it and may give it up.

use hangtime_core::geometry::interrupt;
use parking_lot::Mutex;
use std::{
    cell::RefCell,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

#[derive(Debug, Default)]
struct Shared {
    /// The file that is being read or compiled.
    file: Mutex<String>,
    cancelled: AtomicBool,
}

/// The name of the file that a thread is reading or compiling, and whether the thread should stop;
/// clones share both.
#[derive(Clone, Debug, Default)]
pub struct BuildProgress(Arc<Shared>);

thread_local! {
    static FOLLOWER: RefCell<Option<BuildProgress>> = const { RefCell::new(None) };
}

impl BuildProgress {
    /// Follows what the calling thread reads and compiles from now on.
    pub fn follow(&self) {
        FOLLOWER.set(Some(self.clone()));
        interrupt::ask(Self::is_cancelled);
    }

    /// The file being read or compiled, or the last one; empty before the first.
    pub fn file(&self) -> String {
        self.0.file.lock().clone()
    }

    /// Tells the thread that follows to stop. It does so soon, with an incomplete result.
    pub fn cancel(&self) {
        self.0.cancelled.store(true, Ordering::Relaxed);
    }

    /// Whether the calling thread should stop, because its result is no longer wanted.
    pub fn is_cancelled() -> bool {
        FOLLOWER.with_borrow(|follower| {
            let follower = follower.as_ref();
            follower.is_some_and(|progress| progress.0.cancelled.load(Ordering::Relaxed))
        })
    }

    /// Reports the file that the calling thread reads or compiles next.
    pub fn at(file: &str) {
        FOLLOWER.with_borrow(|follower| {
            if let Some(progress) = follower {
                let mut name = progress.0.file.lock();
                file.clone_into(&mut name);
            }
        });
    }
}
