//! The values of Rhai that stand for the moment of a call and for entities.

use crate::script::host::calls::{CallMoment, MeState};
use crate::sim::EntityView;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// `me`. All entities share one handle; the state behind it is pointed at each entity before its calls.
#[derive(Clone)]
pub(in crate::script::rhai) struct Me(Arc<Mutex<CallMoment>>);

impl Me {
    /// A handle of this moment.
    pub fn of(moment: &Arc<Mutex<CallMoment>>) -> Self {
        Self(moment.clone())
    }

    /// What calls read and write.
    pub fn moment(&self) -> MutexGuard<'_, CallMoment> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The state of the entity.
    pub fn lock(&self) -> LockedMe<'_> {
        LockedMe(self.moment())
    }
}

/// The state of the entity whose script runs.
pub(in crate::script::rhai) struct LockedMe<'a>(MutexGuard<'a, CallMoment>);

impl Deref for LockedMe<'_> {
    type Target = MeState;
    fn deref(&self) -> &MeState {
        &self.0.me
    }
}

impl DerefMut for LockedMe<'_> {
    fn deref_mut(&mut self) -> &mut MeState {
        &mut self.0.me
    }
}

/// The tag of a call: how the functions of `world` reach what they read and write.
#[derive(Clone)]
pub(in crate::script::rhai) struct WorldHandle(Arc<Mutex<CallMoment>>);

impl WorldHandle {
    /// A handle of this moment.
    pub fn of(moment: &Arc<Mutex<CallMoment>>) -> Self {
        Self(moment.clone())
    }

    /// What calls read and write.
    pub fn moment(&self) -> MutexGuard<'_, CallMoment> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Another entity, as of the start of the phase.
#[derive(Clone)]
pub(in crate::script::rhai) struct OtherEntity(pub Arc<EntityView>);
