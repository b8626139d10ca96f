//! The file being compiled, for a thread that waits for it.

use std::cell::RefCell;
use std::sync::{Arc, Mutex, PoisonError};

/// The name of the file that a thread is compiling; clones share it.
#[derive(Clone, Debug, Default)]
pub struct CompileProgress(Arc<Mutex<String>>);

thread_local! {
    static FOLLOWER: RefCell<Option<CompileProgress>> = const { RefCell::new(None) };
}

impl CompileProgress {
    /// Follows what the calling thread compiles from now on.
    pub fn follow(&self) {
        FOLLOWER.set(Some(self.clone()));
    }

    /// The file being compiled, or the last one; empty before the first.
    #[must_use]
    pub fn file(&self) -> String {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Reports the file that the calling thread compiles next.
    pub(in crate::script) fn at(file: &str) {
        FOLLOWER.with_borrow(|follower| {
            if let Some(Self(name)) = follower {
                *name.lock().unwrap_or_else(PoisonError::into_inner) = file.to_string();
            }
        });
    }
}
