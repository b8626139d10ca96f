//! Rhai's values for the moment of a call, for entities and for objects.

use super::*;
use hangtime_core::sim::EntityView;
use hangtime_script::calls::with_moment;

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
