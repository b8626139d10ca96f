//! The state of a platformer.

use super::grapple::GrapplingHook;
use crate::models::{Actions, Intent};
use serde::{Deserialize, Serialize};

/// State that the model keeps between ticks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PlatformerState {
    /// The grappling hook.
    pub hook: GrapplingHook,
    /// Keys that were held during a grab, or during a jump off a wall. Until they are released they
    /// neither drop nor grab.
    pub(super) consumed: Actions,
    /// Whether what it clings to is a roof rather than a wall.
    pub(super) roof: bool,
}

impl PlatformerState {
    /// The input without consumed keys.
    pub(super) fn fresh(&self, intent: &Intent) -> Intent {
        Intent {
            held: intent.held.without(self.consumed),
            ..*intent
        }
    }
}
