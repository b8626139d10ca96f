//! The values of Rhai that stand for the moment of a call and for entities.

use hangtime_core::sim::EntityView;
use hangtime_script::calls::CallMoment;
use std::cell::RefCell;
use std::sync::Arc;

thread_local! {
    /// The moment of the call that runs on this thread. Between calls it is one without a world.
    static MOMENT: RefCell<Box<CallMoment>> = RefCell::new(Box::new(CallMoment::outside()));
}

/// `me`. All entities share it: its state is that of the call that runs on this thread.
#[derive(Clone)]
pub(crate) struct Me;

/// The tag of a call: the functions of `world` have a world to read and write. The top level of a file, which is
/// evaluated without a call, has none.
#[derive(Clone)]
pub(crate) struct WorldHandle;

/// Another entity, as of the start of the phase.
#[derive(Clone)]
pub(crate) struct OtherEntity(pub Arc<EntityView>);

/// Lends a moment to Rhai's functions while a call runs. A lock would cost more than most of them.
pub(crate) fn with_lent<R>(moment: &mut Box<CallMoment>, call: impl FnOnce() -> R) -> R {
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
pub(crate) fn with_moment<R>(run: impl FnOnce(&mut CallMoment) -> R) -> R {
    MOMENT.with_borrow_mut(|moment| run(moment))
}
