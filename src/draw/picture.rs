//! The contents of a picture.

use crate::level::{Absent, Level};
use crate::sim::EntityView;

/// Everything that a picture shows.
pub struct Picture<'a> {
    /// The terrain.
    pub level: &'a Level,
    /// Seconds since the level began, which say where its platforms are.
    pub time: f64,
    /// Which of its solids are switched off.
    pub absent: &'a Absent,
    /// The bodies, where they are to be drawn.
    pub bodies: &'a [EntityView],
    /// One line at the top, such as what [`hud_line`] says.
    pub hud: &'a str,
    /// A message that stays until its cause is mended; empty for none.
    pub banner: &'a str,
    /// Why somebody moves as it does, a line for each reason; empty for nothing.
    pub why: &'a str,
}
