//! One body's step through a tick.

use super::{Intent, Loadout, ModelTuning, MoveContext};

/// Everything that a model needs to move one body through a tick.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a, T: ModelTuning> {
    /// The body's input.
    pub intent: &'a Intent,
    /// Its tuning and collider.
    pub loadout: &'a Loadout<T>,
    /// The terrain and the other conditions where it is.
    pub context: &'a MoveContext<'a>,
}
