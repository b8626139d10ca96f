//! Which file is being compiled: for whoever waits for that on another thread.

use std::cell::RefCell;
use std::sync::{Arc, Mutex, PoisonError};

/// The name of the file that a thread is compiling.
#[derive(Clone, Debug, Default)]
pub struct CompileProgress(Arc<Mutex<String>>);

thread_local! {
    static TOLD: RefCell<Option<CompileProgress>> = const { RefCell::new(None) };
}

impl CompileProgress {
    /// Is told from now on what this thread compiles.
    pub fn follow(&self) {
        TOLD.set(Some(self.clone()));
    }

    /// The file that is being compiled, or was last; empty before the first.
    #[must_use]
    pub fn file(&self) -> String {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Says what this thread compiles next.
    pub(in crate::script) fn at(file: &str) {
        TOLD.with_borrow(|told| {
            if let Some(Self(name)) = told {
                *name.lock().unwrap_or_else(PoisonError::into_inner) = file.to_string();
            }
        });
    }
}
