//! The moment of the call that runs on a thread, for functions that a language calls without it.

use super::*;
use std::cell::RefCell;

thread_local! {
    /// The moment of the call that runs on this thread. Between calls it is one without a world.
    static MOMENT: RefCell<Box<CallMoment>> = RefCell::new(Box::new(CallMoment::outside()));
}

/// Lends a moment to the functions of a language while a call runs. A lock would cost more than most of them.
pub fn with_lent<R>(moment: &mut Box<CallMoment>, call: impl FnOnce() -> R) -> R {
    let _lent = LentMoment::of(moment);
    call()
}

/// Returns the moment when it is dropped, even if the call panics.
struct LentMoment<'a>(&'a mut Box<CallMoment>);

impl<'a> LentMoment<'a> {
    fn of(moment: &'a mut Box<CallMoment>) -> Self {
        MOMENT.with_borrow_mut(|running| std::mem::swap(running, moment));
        Self(moment)
    }
}

impl Drop for LentMoment<'_> {
    fn drop(&mut self) {
        MOMENT.with_borrow_mut(|running| std::mem::swap(running, self.0));
    }
}

/// What the running call reads and writes.
#[inline]
pub fn with_moment<R>(run: impl FnOnce(&mut CallMoment) -> R) -> R {
    MOMENT.with_borrow_mut(|moment| run(moment))
}
