//! The state of a platformer.

use super::grapple::GrapplingHook;
use crate::models::{Actions, Intent};
use glam::DVec2;
use serde::{Deserialize, Serialize};

/// State that the model keeps between ticks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PlatformerState {
    /// The grappling hook.
    pub hook: GrapplingHook,
    /// Keys that were held during a grab, or during a jump off a wall; the stick counts as the keys
    /// that it acts as. Until they are released they neither drop nor grab.
    pub(super) consumed: Actions,
    /// Whether what it clings to is a roof rather than a wall.
    pub(super) roof: bool,
}

impl PlatformerState {
    /// The held keys, and those that the stick acts as, without consumed ones.
    pub(super) fn fresh(&self, intent: &Intent) -> Intent {
        Intent { held: intent.directions().without(self.consumed), stick: DVec2::ZERO, ..*intent }
    }
}
