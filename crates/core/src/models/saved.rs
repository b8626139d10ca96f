//! Checks of saved state, before anything relies on it.

use super::*;

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

/// Names the part of the state that a check is about.
pub trait Within {
    /// The same result, seen from outside the part of the state that contains the field.
    fn within(self, part: impl fmt::Display) -> Self;
}

impl Within for Checked {
    fn within(self, part: impl fmt::Display) -> Self {
        self.map_err(|SavedError { field, problem }| {
            let dot = if field.starts_with('[') { "" } else { "." };
            SavedError { field: format!("{part}{dot}{field}"), problem }
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

impl SavedContext<'_> {
    fn ground(&self, contact: &Contact) -> Checked {
        self.feature("feature", contact.feature)?;
        unit("normal", contact.normal)?;
        if contact.is_wedged() {
            return Ok(());
        }
        unit("touch", contact.touch)
    }

    fn floor(&self, floor: &Floor) -> Checked {
        let solids = self.level.terrain.solids().len();
        number("height", floor.height, FARTHEST_SAVED)?;
        floor.solid.map_or(Ok(()), |solid| index("solid", solid as usize, solids))?;
        self.surface("surface", Some(floor.surface))
    }

    fn cling(&self, cling: &Cling) -> Checked {
        self.feature("feature", cling.feature)?;
        unit("normal", cling.normal)
    }

    /// Checks an entity's body.
    ///
    /// # Errors
    /// Its first field that is wrong.
    pub fn body(&self, body: &Body) -> Checked {
        vector("pos", body.pos, FARTHEST_SAVED)?;
        vector("vel", body.vel, FASTEST_SAVED)?;
        vector("external", body.external, FASTEST_SAVED)?;
        number("z", body.z, FARTHEST_SAVED)?;
        number("vel_z", body.vel_z, FASTEST_SAVED)?;
        number("angle", body.angle, MOST_TURNED)?;
        number("spin", body.spin, MOST_TURNED)?;
        ensure(body.facing.abs() == 1.0, "facing", || format!("is {}; it must be 1 or -1", body.facing))?;
        body.ground.map_or(Ok(()), |contact| self.ground(&contact).within("ground"))?;
        body.floor.map_or(Ok(()), |floor| self.floor(&floor).within("floor"))?;
        body.cling.map_or(Ok(()), |cling| self.cling(&cling).within("cling"))?;
        self.view_of_body(body)?;
        self.surface("surface", body.surface)?;
        body.jump.check(self).within("jump")?;
        body.windows.check().within("windows")
    }

    /// Checks that a body has only what bodies have in this view.
    fn view_of_body(&self, body: &Body) -> Checked {
        match self.level.view {
            View::Side => {
                self.height("z", body.z)?;
                self.height("vel_z", body.vel_z)?;
                let none = || "must be missing in a side view".to_string();
                ensure(body.floor.is_none(), "floor", none)
            }
            View::Top => {
                let none = || "must be missing in a top view".to_string();
                ensure(body.ground.is_none(), "ground", none)?;
                ensure(body.cling.is_none(), "cling", none)
            }
        }
    }
}
