//! The contents of a picture.

use super::*;
use hangtime_core::level::LevelChanges;

/// Everything a picture shows.
pub struct Picture<'a> {
    /// The level.
    pub level: &'a Level,
    /// Seconds since the level began, which determine the positions of its platforms.
    pub time: f64,
    /// What scripts have changed about it.
    pub changes: &'a LevelChanges,
    /// The bodies at the positions where they are drawn.
    pub bodies: &'a [EntityView],
    /// The status line at the top, such as [`hud_line`](super::hud_line).
    pub hud: &'a str,
    /// An error message that stays until its cause is fixed; empty for none.
    pub banner: &'a str,
    /// Why an entity moves as it does, one reason per line; empty for none.
    pub why: &'a str,
    /// The camera, the effects and the overlays.
    pub show: Show<'a>,
}
