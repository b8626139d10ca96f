//! An entity kind's tuning and collider for one model.

use super::{BodyShape, Footing, FootingTuning};
use crate::geometry::Ellipse;
use crate::tuning::{SetError, Setting, Tunables};
use std::sync::Arc;

/// The tunables of a model.
pub trait ModelTuning: Tunables {
    /// Values that the model computes once from tuning and body shape, besides
    /// [`Loadout::footing`].
    type Derived: Clone + PartialEq + std::fmt::Debug + Send + Sync;

    /// How bodies stand and fall; the defaults for a model in which they do neither.
    fn footing(&self) -> FootingTuning;

    /// Computes [`Loadout::derived`].
    fn derived(&self, shape: &BodyShape) -> Self::Derived;
}

/// An entity kind's tuning and collider for one model, and the values that follow from them.
#[derive(Clone, Debug, PartialEq)]
pub struct Loadout<T: ModelTuning> {
    /// The model's tunables.
    pub tuning: T,
    /// The collider; for a rigid body, the ellipse around it.
    pub shape: Ellipse,
    /// How the body stands on ground.
    pub footing: Footing,
    /// Other values that the model computes from tuning and body shape.
    pub derived: T::Derived,
    /// Kept to recompute the other fields when a tunable changes.
    body_shape: Arc<BodyShape>,
}

impl<T: ModelTuning> Loadout<T> {
    /// Combines a tuning with a body shape.
    pub fn new(tuning: T, body_shape: &BodyShape) -> Self {
        Self {
            footing: Footing::new(&tuning.footing()),
            derived: tuning.derived(body_shape),
            shape: body_shape.ellipse,
            body_shape: Arc::new(body_shape.clone()),
            tuning,
        }
    }

    /// Sets one tunable and recomputes the values that follow from it.
    ///
    /// # Errors
    /// As [`Tunables::set`].
    pub fn set(&mut self, name: &str, value: &Setting) -> Result<(), SetError> {
        let mut tuning = self.tuning.clone();
        tuning.set(name, value)?;
        *self = Self::new(tuning, &self.body_shape);
        Ok(())
    }
}
