//! What there is to see at the end of a tick.

use super::*;

/// What there is to see at the end of a tick.
#[derive(Clone, Copy, Debug)]
pub struct Moment<'a> {
    /// The number of ticks made.
    pub tick: u64,
    /// Length of a tick, s.
    pub dt: f64,
    /// The level.
    pub level: &'a Level,
    /// All bodies.
    pub bodies: &'a [EntityView],
    /// The events of the tick.
    pub events: &'a [Event],
    /// What scripts have drawn.
    pub drawing: &'a Drawing,
    /// The entities to which something was refused in the tick.
    pub refused: &'a [EntityId],
    /// Width and height of the picture, pixels.
    pub size: (u32, u32),
}
