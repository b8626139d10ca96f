//! What several threads use one at a time, for as long as they like.

use pyo3::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::{Duration, Instant};

/// How long a thread that works in stretches lets others go first.
const WAY: Duration = Duration::from_millis(20);

/// How often it looks whether they have.
const LOOK: Duration = Duration::from_micros(100);

/// Something that one thread uses at a time. A thread with the GIL gives it up while it waits.
#[derive(Debug)]
pub struct Gate<T> {
    inner: Mutex<T>,
    /// How many threads of Python wait.
    waiting: AtomicUsize,
}

impl<T: Send> Gate<T> {
    /// Something that no thread uses yet.
    pub const fn new(inner: T) -> Self {
        Self { inner: Mutex::new(inner), waiting: AtomicUsize::new(0) }
    }

    /// Waits for it. For threads without the GIL.
    pub fn lock(&self) -> MutexGuard<'_, T> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn try_lock(&self) -> Option<MutexGuard<'_, T>> {
        match self.inner.try_lock() {
            Ok(guard) => Some(guard),
            Err(TryLockError::Poisoned(guard)) => Some(guard.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }

    /// Waits for it. For threads with the GIL, which others need in the meantime.
    pub fn enter(&self) -> MutexGuard<'_, T> {
        if let Some(guard) = self.try_lock() {
            return guard;
        }
        self.waiting.fetch_add(1, Ordering::Relaxed);
        let guard = loop {
            // A guard cannot be taken along to where the GIL is held again.
            Python::attach(|py| py.detach(|| drop(self.lock())));
            if let Some(guard) = self.try_lock() {
                break guard;
            }
        };
        self.waiting.fetch_sub(1, Ordering::Relaxed);
        guard
    }

    /// Lets threads of Python that wait go first. A thread that works in stretches calls this between two of them: the
    /// lock alone would be taken again before anyone else wakes up.
    pub fn give_way(&self, py: Python<'_>) {
        if self.waiting.load(Ordering::Relaxed) == 0 {
            return;
        }
        py.detach(|| {
            let until = Instant::now() + WAY;
            while self.waiting.load(Ordering::Relaxed) > 0 && Instant::now() < until {
                std::thread::sleep(LOOK);
            }
        });
    }
}
