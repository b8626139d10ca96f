//! What a tick asks rules while entities move, and what rules answer.

use super::*;

/// A question that the tick asks a rule while entities move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Question {
    /// Whether a rope under this strain snaps.
    Snaps(Strain),
    /// Whether the body grabs what it ran into.
    Grabs(Grasp),
}

/// The layer of a script that answered a rule; `None` for the lowest one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RuleLayer(pub Option<Arc<str>>);

/// The answer of a rule.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RuleAnswer {
    /// `model`; `None` leaves the decision to the kind.
    Model(Option<ModelName>),
    /// `jump_windows`; times that are missing are left to tuning.
    JumpWindows(Windows),
    /// `grapple_snaps`.
    GrappleSnaps(bool),
    /// `can_grab`.
    CanGrab(bool),
}

impl RuleAnswer {
    /// The rule's name.
    pub const fn rule(&self) -> &'static str {
        match self {
            Self::Model(_) => "model",
            Self::JumpWindows(_) => "jump_windows",
            Self::GrappleSnaps(_) => "grapple_snaps",
            Self::CanGrab(_) => "can_grab",
        }
    }
}
