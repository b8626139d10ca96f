//! What a hook shows of itself to those who are no platformer.

use glam::DVec2;

/// How hard the rope of an attached hook is strained in a tick, after all forces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strain {
    /// Speed against the hook's pull: `hook_pull_speed` less the body's speed towards the tip, px/s.
    pub pull_away: f64,
    /// From the body's center to the tip, px.
    pub length: f64,
    /// Where the tip is, px.
    pub tip: DVec2,
    /// Whether the direction key away from the hook is held.
    pub away_held: bool,
    /// Whether it snaps: by tuning, until a rule says otherwise.
    pub snaps: bool,
}

/// What a script orders of a hook.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum HookOrder {
    /// Fire it at a point; it holds until it is released.
    Fire(DVec2),
    /// Let it go.
    Release,
}

/// What can be seen of a hook.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HookView {
    /// `idle`, `firing`, `attached` or `returning`.
    pub state: &'static str,
    /// Where its tip is, px.
    pub tip: DVec2,
    /// How long its rope is, px.
    pub length: f64,
}

impl Default for HookView {
    fn default() -> Self {
        Self {
            state: "idle",
            tip: DVec2::ZERO,
            length: 0.0,
        }
    }
}
