//! Checks of saved state, before anything relies on it.

use super::*;
use thiserror::Error;

/// Why a saved state cannot be played: its first field that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{field}` of the saved world {problem}")]
pub struct SavedError {
    /// The path to the field, such as `population.entities[2].place`.
    pub field: String,
    /// What is wrong with it, such as `is 7; it must be below 3`.
    pub problem: String,
}

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
    /// The moment on the clock of the body that is checked, or of the level.
    pub clock: ClockTick,
}

/// Names the part of the state that a check is about.
pub trait Within {
    /// The same result, seen from outside the part of the state that contains the field.
    fn within(self, part: impl fmt::Display) -> Self;
}

impl Within for Checked {
    fn within(self, part: impl fmt::Display) -> Self {
        self.map_err(|SavedError { field, problem }| {
            let dot = if field.is_empty() || field.starts_with('[') { "" } else { "." };
            wrong(&format!("{part}{dot}{field}"), problem)
        })
    }
}

/// Checks each entry of a list.
///
/// # Errors
/// The first field that is wrong.
pub fn each<T>(list: &str, entries: impl IntoIterator<Item = T>, mut check: impl FnMut(T) -> Checked) -> Checked {
    let mut entries = entries.into_iter().enumerate();
    entries.try_for_each(|(place, entry)| check(entry).within(format_args!("{list}[{place}]")))
}

/// The error that this field has this problem.
pub fn wrong(field: &str, problem: impl Into<String>) -> SavedError {
    SavedError { field: field.into(), problem: problem.into() }
}

/// Returns the error that a field has a problem, unless a condition holds.
macro_rules! ensure {
    ($holds:expr, $field:expr, $($problem:tt)+) => {
        let holds: bool = $holds;
        if !holds {
            return Err($crate::models::saved::wrong($field, format!($($problem)+)));
        }
    };
}

pub(crate) use ensure;

/// Checks that a number is finite and at most this far from 0.
///
/// # Errors
/// If it is not.
pub fn number(field: &str, x: f64, most: f64) -> Checked {
    between(field, x, -most, most)
}

/// Checks that a number is in a range.
///
/// # Errors
/// If it is not.
pub fn between(field: &str, x: f64, least: f64, most: f64) -> Checked {
    ensure!((least..=most).contains(&x), field, "is {x}; it must be between {least} and {most}");
    Ok(())
}

/// Checks both parts of a vector like [`number`].
///
/// # Errors
/// If one of them is not in range.
pub fn vector(field: &str, v: DVec2, most: f64) -> Checked {
    number(&format!("{field}[0]"), v.x, most)?;
    number(&format!("{field}[1]"), v.y, most)
}

/// Checks that a vector has length 1.
///
/// # Errors
/// If it has not.
pub fn unit(field: &str, v: DVec2) -> Checked {
    ensure!((v.length() - 1.0).abs() <= UNIT_SLACK, field, "is [{}, {}]; it must have length 1", v.x, v.y);
    Ok(())
}

/// Checks that an index is below a count.
///
/// # Errors
/// If it is not.
pub fn index(field: &str, index: usize, count: usize) -> Checked {
    ensure!(index < count, field, "is {index}; it must be below {count}");
    Ok(())
}

/// Checks the length of a list.
///
/// # Errors
/// If the length differs.
pub fn length(field: &str, length: usize, expected: usize) -> Checked {
    ensure!(length == expected, field, "has {length} entries; it must have {expected}");
    Ok(())
}

impl SavedContext<'_> {
    /// Checks that a tick has begun.
    ///
    /// # Errors
    /// If it has not.
    pub fn past(&self, field: &str, tick: u64) -> Checked {
        ensure!(tick <= self.now, field, "is {tick}, later than the tick {} of the world", self.now);
        Ok(())
    }

    /// Checks that a moment has passed on the clock.
    ///
    /// # Errors
    /// If it has not.
    pub fn passed(&self, field: &str, moment: ClockTick) -> Checked {
        let passed = moment.0 >= 0.0 && moment <= self.clock;
        ensure!(passed, field, "is {moment}, but its clock is at {}", self.clock);
        Ok(())
    }

    /// Checks that a height, or its rate of change, is 0 in a side view.
    ///
    /// # Errors
    /// If it is not.
    pub fn height(&self, field: &str, z: f64) -> Checked {
        ensure!(self.level.view == View::Top || z == 0.0, field, "is {z}; it must be 0 in a side view");
        Ok(())
    }

    /// Checks the index of a surface.
    fn surface(&self, surface: SurfaceId) -> Checked {
        index("surface", surface.0.into(), self.level.surfaces.len())
    }

    /// Checks a part of the terrain that is touched, and the normal there.
    fn touched(&self, feature: Feature, normal: DVec2) -> Checked {
        // The world checks those of bodies.
        if feature.body().is_none() {
            index("feature", feature.edge() as usize, self.level.terrain.edges().len())?;
        }
        unit("normal", normal)
    }

    /// Checks an entity's body.
    ///
    /// # Errors
    /// Its first field that is wrong.
    pub fn body(&self, body: &Body) -> Checked {
        vector("pos", body.pos, FARTHEST_SAVED)?;
        vector("vel", body.vel, FASTEST_SAVED)?;
        vector("external", body.external, FASTEST_SAVED)?;
        number("external_z", body.external_z, FASTEST_SAVED)?;
        number("z", body.z, FARTHEST_SAVED)?;
        number("vel_z", body.vel_z, FASTEST_SAVED)?;
        number("angle", body.angle, MOST_TURNED)?;
        number("spin", body.spin, MOST_TURNED)?;
        ensure!(body.facing.abs() == 1.0, "facing", "is {}; it must be 1 or -1", body.facing);
        if let Some(contact) = &body.ground {
            self.touched(contact.feature, contact.normal).within("ground")?;
            if !contact.is_wedged() {
                unit("touch", contact.touch).within("ground")?;
            }
        }
        if let Some(Floor { height, solid }) = body.floor {
            number("floor.height", height, FARTHEST_SAVED)?;
            if let Some(solid) = solid {
                index("floor.solid", solid as usize, self.level.terrain.solids().len())?;
            }
        }
        if let Some(cling) = &body.cling {
            self.touched(cling.feature, cling.normal).within("cling")?;
        }
        // A body has only what bodies have in this view.
        self.height("z", body.z)?;
        self.height("vel_z", body.vel_z)?;
        self.height("external_z", body.external_z)?;
        let (view, other) = match self.level.view {
            View::Side => ("side", [("floor", body.floor.is_some()), ("floor", false)]),
            View::Top => ("top", [("ground", body.ground.is_some()), ("cling", body.cling.is_some())]),
        };
        for (field, there) in other {
            ensure!(!there, field, "must be missing in a {view} view");
        }
        body.surface.map_or(Ok(()), |surface| self.surface(surface))?;
        body.jump.check(self).within("jump")?;
        body.windows.check().within("windows")
    }
}
