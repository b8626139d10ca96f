//! Rhai's values for the moment of a call, for entities and for objects.

use super::*;
use hangtime_core::sim::EntityView;
use std::cell::RefCell;

thread_local! {
    /// The moment of the call that runs on this thread. Between calls it is one without a world.
    static MOMENT: RefCell<Box<CallMoment>> = RefCell::new(Box::new(CallMoment::outside()));
}

/// `me`. All entities share it: its state is the state of the call that runs on this thread.
#[derive(Clone)]
pub(crate) struct Me;

/// The tag of a call: the functions of `world` have a world to read and write. The top level of a file, which is
/// evaluated without a call, has none.
#[derive(Clone)]
pub(crate) struct WorldHandle;

/// Another entity, as of the start of the phase.
#[derive(Clone)]
pub(crate) struct OtherEntity(pub Arc<EntityView>);

/// An object of a crate above. Rhai finds functions by types, so the objects of each owner have a type:
/// [`Owner::Test`], [`Owner::Live`] and [`Owner::Snapshot`].
#[derive(Clone)]
pub(crate) struct Handle<const OWNER: usize>(Object);

/// An object as a value.
pub(crate) fn value_of(object: Object) -> Dynamic {
    match object.owner() {
        Owner::Test => Dynamic::from(Handle::<0>(object)),
        Owner::Live => Dynamic::from(Handle::<1>(object)),
        _ => Dynamic::from(Handle::<2>(object)),
    }
}

/// The object that a value is.
pub(super) fn object_of(value: &Dynamic) -> Option<Object> {
    let test = value.read_lock::<Handle<0>>().map(|handle| handle.0.clone());
    let live = || value.read_lock::<Handle<1>>().map(|handle| handle.0.clone());
    let snapshot = || value.read_lock::<Handle<2>>().map(|handle| handle.0.clone());
    test.or_else(live).or_else(snapshot)
}

/// A value that scripts call something on.
pub(super) trait CallReceiver: Clone + Send + Sync + 'static {
    /// What its calls are made on.
    type Owner: CallOwner;

    /// Lends it to a call.
    fn lend<R>(&self, call: impl FnOnce(<Self::Owner as CallOwner>::Lent<'_>) -> R) -> R;
}

impl CallReceiver for Me {
    type Owner = CallMoment;

    fn lend<R>(&self, call: impl FnOnce(&mut CallMoment) -> R) -> R {
        with_moment(call)
    }
}

impl CallReceiver for OtherEntity {
    type Owner = EntityView;

    fn lend<R>(&self, call: impl FnOnce(&EntityView) -> R) -> R {
        call(&self.0)
    }
}

impl<const OWNER: usize> CallReceiver for Handle<OWNER> {
    type Owner = Object;

    fn lend<R>(&self, call: impl FnOnce(&Object) -> R) -> R {
        call(&self.0)
    }
}

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
