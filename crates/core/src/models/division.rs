//! How a body's tick is divided at the borders of zones.

use super::{Body, MoveContext};

/// How a body's tick may be divided.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Division {
    /// Not at all: it holds on to something, follows a planned path, or divides its tick itself.
    Whole,
    /// Gravity does not act on its motion.
    Supported,
    /// Gravity acts, up to this fall speed, px/s.
    Falling(f64),
}

impl Division {
    /// The division for models whose bodies walk and fall.
    pub fn of_walker(body: &Body, context: &MoveContext<'_>) -> Self {
        if body.cling.is_some() {
            Self::Whole
        } else if body.stands() {
            Self::Supported
        } else {
            Self::Falling(context.footing.max_fall_speed)
        }
    }
}
