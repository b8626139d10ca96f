//! The launch that leads to a destination, and the reasons why there may be none.

use crate::tuning::MOST;
use glam::DVec2;
use std::fmt;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// A launch and the flight that follows from it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Launch {
    /// Horizontal velocity, px/s: along x in a side view, in the plane in a top view.
    pub across: DVec2,
    /// Upward velocity, px/s.
    pub up: f64,
    /// Duration of the flight, s.
    pub time: f64,
    /// Height of the top of the flight above the launch, px.
    pub apex: f64,
}

/// Why there is no jump to a destination.
#[derive(Clone, Debug, PartialEq)]
pub enum PlanError {
    /// An input is NaN or infinite.
    NotFinite {
        /// Which input.
        what: &'static str,
        /// Its value: NaN or infinite.
        value: f64,
    },
    /// The clearance is outside [`CLEARANCE`].
    ClearanceOutOfRange {
        /// Its value, px.
        clearance: f64,
    },
    /// Gravity is 0 or points up.
    NoGravity,
    /// The flight would have to cover a distance in no time.
    NoTime,
    /// The flight would take too long.
    TooLong {
        /// Its duration, s.
        seconds: f64,
    },
    /// The launch would be faster than `max_launch_speed`.
    TooFast {
        /// Its speed, px/s.
        speed: f64,
        /// The limit, px/s.
        most: f64,
    },
    /// No flight can meet the moving destination.
    Unreachable,
    /// The body has no room where it would start.
    NoRoom,
    /// The flight would leave the level's bounds.
    Outside,
    /// Planning it would take more work than it may.
    TooMuchWork,
    /// Something is in the way.
    Blocked {
        /// The solid's name; empty for the plain ground of a top view.
        by: Arc<str>,
    },
}

impl fmt::Display for PlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFinite { what, value } => write!(f, "{what} cannot be {value}"),
            Self::ClearanceOutOfRange { clearance } => {
                let (least, most) = (CLEARANCE.start(), CLEARANCE.end());
                write!(f, "the clearance is {clearance}; it must be between {least} and {most}")
            }
            Self::NoGravity => f.write_str("gravity is 0 here or points up, so the body would never come down"),
            Self::NoTime => f.write_str("a jump to a destination at the same height needs a clearance above 0"),
            Self::TooLong { seconds } => {
                write!(f, "the flight would take {seconds:.0} s; the longest allowed is {MOST_SECONDS} s")
            }
            Self::TooFast { speed, most } => {
                write!(f, "the launch would need {speed:.0} px/s, max_launch_speed is {most}")
            }
            Self::Unreachable => f.write_str("no jump can meet the moving destination"),
            Self::NoRoom => f.write_str("there is no room for its body"),
            Self::Outside => f.write_str("the flight would leave the level"),
            Self::TooMuchWork => f.write_str("planning it takes too long"),
            Self::Blocked { by } if by.is_empty() => f.write_str("the ground is in the way"),
            Self::Blocked { by } => write!(f, "`{by}` is in the way"),
        }
    }
}

/// The clearances that a jump can have, px.
pub const CLEARANCE: RangeInclusive<f64> = 0.0..=MOST;

/// Longest flight, s.
pub const MOST_SECONDS: f64 = 60.0;

/// Checks that an input is finite.
pub(super) fn finite(what: &'static str, value: f64) -> Result<f64, PlanError> {
    if value.is_finite() {
        Ok(value)
    } else {
        Err(PlanError::NotFinite { what, value })
    }
}

/// The launch to a destination that lies `across` away and `rise` above (px), under `gravity`
/// (px/s²). The top of the flight is `clearance` px above the higher of its two ends.
///
/// # Errors
/// If an input is not finite, the clearance is below 0, gravity is not above 0, or the flight would
/// have to cover a distance in no time.
pub fn launch(across: DVec2, rise: f64, gravity: f64, clearance: f64) -> Result<Launch, PlanError> {
    finite("the destination's x", across.x)?;
    finite("the destination's y", across.y)?;
    finite("the destination's height", rise)?;
    finite("gravity", gravity)?;
    if finite("the clearance", clearance)? < *CLEARANCE.start() {
        return Err(PlanError::ClearanceOutOfRange { clearance });
    }
    if gravity <= 0.0 {
        return Err(PlanError::NoGravity);
    }
    let apex = rise.max(0.0) + clearance;
    let up = (2.0 * gravity * apex).sqrt();
    let time = (2.0 * apex / gravity).sqrt() + (2.0 * (apex - rise).max(0.0) / gravity).sqrt();
    let across = if time > 0.0 {
        across / time
    } else if across == DVec2::ZERO {
        across
    } else {
        return Err(PlanError::NoTime);
    };
    Ok(Launch { across, up, time, apex })
}
