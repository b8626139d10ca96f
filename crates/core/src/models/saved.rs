//! Checks of saved state, before anything relies on it.

use crate::level::{Feature, Level, SurfaceId, View};
use glam::{DVec2, DVec3};
use std::fmt;

/// Why a saved state cannot be played: its first field that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedError {
    /// The path to the field, such as `population.entities[2].place`.
    pub field: String,
    /// What is wrong with it, such as `is 7; it must be below 3`.
    pub problem: String,
}

impl fmt::Display for SavedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` of the saved world {}", self.field, self.problem)
    }
}

impl std::error::Error for SavedError {}

/// The result of a check.
pub type Checked = Result<(), SavedError>;

/// Positions may be this far from the origin, px. Nothing gets there: levels end long before.
pub const FARTHEST_SAVED: f64 = 1e8;

/// Velocities may be this large, px/s. Scripts can set a hundredth of it.
pub const FASTEST_SAVED: f64 = 1e8;

/// Angles and spins may be this large, rad and rad/s.
pub const MOST_TURNED: f64 = 1e12;

/// A unit vector may deviate this much from length 1.
const UNIT_SLACK: f64 = 1e-6;

/// What saved states are checked against.
#[derive(Clone, Copy, Debug)]
pub struct SavedContext<'a> {
    /// The level.
    pub level: &'a Level,
    /// The tick of the saved world.
    pub now: u64,
}

/// The error that this field has this problem.
pub fn wrong(field: &str, problem: impl Into<String>) -> SavedError {
    SavedError { field: field.into(), problem: problem.into() }
}

impl SavedError {
    /// The same error, seen from outside the part of the state that contains the field.
    pub fn within(self, part: &str) -> Self {
        let dot = if self.field.starts_with('[') { "" } else { "." };
        Self { field: format!("{part}{dot}{}", self.field), ..self }
    }
}

/// Checks a condition.
///
/// # Errors
/// `field` has `problem` if it does not hold.
pub fn ensure(holds: bool, field: &str, problem: impl FnOnce() -> String) -> Checked {
    if holds { Ok(()) } else { Err(wrong(field, problem())) }
}

/// Checks that a number is finite and at most this far from 0.
///
/// # Errors
/// If it is not.
pub fn number(field: &str, x: f64, most: f64) -> Checked {
    ensure(x.abs() <= most, field, || format!("is {x}; it must be between -{most} and {most}"))
}

/// Checks both parts of a vector like [`number`].
///
/// # Errors
/// If one of them is not in range.
pub fn vector(field: &str, v: DVec2, most: f64) -> Checked {
    number(&format!("{field}[0]"), v.x, most)?;
    number(&format!("{field}[1]"), v.y, most)
}

/// Checks all parts of a vector like [`number`].
///
/// # Errors
/// If one of them is not in range.
pub fn vector_3(field: &str, v: DVec3, most: f64) -> Checked {
    vector(field, v.truncate(), most)?;
    number(&format!("{field}[2]"), v.z, most)
}

/// Checks that a vector has length 1.
///
/// # Errors
/// If it has not.
pub fn unit(field: &str, v: DVec2) -> Checked {
    ensure((v.length() - 1.0).abs() <= UNIT_SLACK, field, || format!("is [{}, {}]; it must have length 1", v.x, v.y))
}

/// Checks that an index is below a count.
///
/// # Errors
/// If it is not.
pub fn index(field: &str, index: usize, count: usize) -> Checked {
    ensure(index < count, field, || format!("is {index}; it must be below {count}"))
}

/// Checks the length of a list.
///
/// # Errors
/// If the length differs.
pub fn length(field: &str, length: usize, expected: usize) -> Checked {
    ensure(length == expected, field, || format!("has {length} entries; it must have {expected}"))
}

impl SavedContext<'_> {
    /// Checks that a tick has begun.
    ///
    /// # Errors
    /// If it has not.
    pub fn past(&self, field: &str, tick: u64) -> Checked {
        let now = self.now;
        ensure(tick <= now, field, || format!("is {tick}, later than the tick {now} of the world"))
    }

    /// Checks the index of a surface.
    ///
    /// # Errors
    /// If the level has no such surface.
    pub fn surface(&self, field: &str, surface: Option<SurfaceId>) -> Checked {
        let count = self.level.surfaces.len();
        surface.map_or(Ok(()), |s| index(field, s.0.into(), count))
    }

    /// Checks a part of the terrain that is touched.
    ///
    /// # Errors
    /// If the level has no such part.
    pub fn feature(&self, field: &str, feature: Feature) -> Checked {
        let edges = self.level.terrain.edges();
        index(field, feature.edge() as usize, edges.len())
    }

    /// Checks that a height, or its rate of change, is 0 in a side view.
    ///
    /// # Errors
    /// If it is not.
    pub fn height(&self, field: &str, z: f64) -> Checked {
        let fits = self.level.view == View::Top || z == 0.0;
        ensure(fits, field, || format!("is {z}; it must be 0 in a side view"))
    }
}
