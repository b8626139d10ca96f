//! One body's step through a tick.

use super::{Body, Intent, Loadout, ModelTuning, MoveContext, Surroundings};

/// Everything that a model needs to move one body through a tick.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a, T: ModelTuning> {
    /// The body's input.
    pub intent: &'a Intent,
    /// Its tuning and collider.
    pub loadout: &'a Loadout<T>,
    /// The terrain and the other conditions where it is.
    pub context: MoveContext<'a>,
}

impl<'a, T: ModelTuning> Step<'a, T> {
    /// The step of a body with this input and loadout.
    #[inline]
    #[must_use]
    pub fn new(
        intent: &'a Intent,
        loadout: &'a Loadout<T>,
        around: &'a Surroundings<'a>,
        body: &Body,
    ) -> Self {
        let context = MoveContext::new(loadout.shape, &loadout.footing, around, intent, body);
        Self {
            intent,
            loadout,
            context,
        }
    }
}
