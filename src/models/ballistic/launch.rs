//! The launch that leads to a destination, and why there is none.

use glam::DVec2;
use std::fmt;
use std::sync::Arc;

/// A launch, and what comes of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Launch {
    /// Velocity across, px/s: along x in a side view, in the plane in a top view.
    pub across: DVec2,
    /// Velocity upwards, px/s.
    pub up: f64,
    /// How long the flight takes, s.
    pub time: f64,
    /// How high above its launch the top of the flight is, px.
    pub apex: f64,
}

/// Why there is no jump to a destination.
#[derive(Clone, Debug, PartialEq)]
pub enum PlanError {
    /// A number is none.
    NotFinite {
        /// What it is about.
        what: &'static str,
        /// What it is instead.
        value: f64,
    },
    /// The clearance is below 0.
    NegativeClearance,
    /// Nothing pulls the body down.
    NoGravity,
    /// The flight would take no time, and lead somewhere else.
    NoTime,
    /// The flight would take too long.
    TooLong {
        /// How long, s.
        seconds: f64,
    },
    /// The launch would be faster than `max_launch_speed`.
    TooFast {
        /// How fast, px/s.
        speed: f64,
        /// What is allowed, px/s.
        most: f64,
    },
    /// A destination that moves is never where a flight could meet it.
    Unreachable,
    /// There is no room for the body where it would start.
    NoRoom,
    /// The flight would leave the level's bounds.
    Outside,
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
            Self::NegativeClearance => f.write_str("the clearance cannot be below 0"),
            Self::NoGravity => {
                f.write_str("gravity is 0 here or points up, so that nothing would come down")
            }
            Self::NoTime => f.write_str(
                "there is no way across without time: neither up nor down, it needs a clearance \
                 above 0",
            ),
            Self::TooLong { seconds } => {
                write!(
                    f,
                    "the flight would take {seconds:.0} s, at most {MOST_SECONDS}"
                )
            }
            Self::TooFast { speed, most } => write!(
                f,
                "the launch would need {speed:.0} px/s, max_launch_speed is {most}"
            ),
            Self::Unreachable => f.write_str("the destination is never where a jump could meet it"),
            Self::NoRoom => f.write_str("there is no room for its body"),
            Self::Outside => f.write_str("the way leads out of the level"),
            Self::Blocked { by } if by.is_empty() => f.write_str("the ground is in the way"),
            Self::Blocked { by } => write!(f, "`{by}` is in the way"),
        }
    }
}

/// Longest flight that is planned, s.
pub const MOST_SECONDS: f64 = 60.0;

/// A number of a plan's input, if it is one.
pub(super) fn finite(what: &'static str, value: f64) -> Result<f64, PlanError> {
    if value.is_finite() {
        Ok(value)
    } else {
        Err(PlanError::NotFinite { what, value })
    }
}

/// The launch from 0 to what lies `across` and `rise` above (both px), under `gravity` (px/s²), whose
/// top is `clearance` px above the higher one of both ends.
///
/// # Errors
/// Numbers that are not finite, a clearance below 0, no gravity, and no time to get across in.
pub fn launch(across: DVec2, rise: f64, gravity: f64, clearance: f64) -> Result<Launch, PlanError> {
    finite("the destination's x", across.x)?;
    finite("the destination's y", across.y)?;
    finite("the destination's height", rise)?;
    finite("gravity", gravity)?;
    if finite("the clearance", clearance)? < 0.0 {
        return Err(PlanError::NegativeClearance);
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
    Ok(Launch {
        across,
        up,
        time,
        apex,
    })
}
