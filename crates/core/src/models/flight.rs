//! A flight to a destination. Its position at any time follows from the launch alone.

use super::*;

/// The largest gravity on a saved flight, px/s²: gravity and its multipliers in zones and models,
/// each as large as they can be.
const MOST_PULL: f64 = 1e13;

/// The longest saved flight, s. Plans end far earlier.
const LONGEST: f64 = 3600.0;

/// A flight to a destination. A position is the body's center in the plane, with the height of its
/// feet as z (0 in a side view).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Flight {
    /// When the body took off, on its clock.
    pub began: ClockTick,
    /// Position at the launch, px.
    pub origin: DVec3,
    /// Velocity at the launch, px/s.
    pub velocity: DVec3,
    /// Gravity, px/s²: along y in a side view, along z in a top view.
    pub pull: DVec3,
    /// Duration, s.
    pub time: f64,
    /// Destination, px.
    pub to: DVec3,
}

impl Flight {
    /// The position `seconds` after the launch; exactly the destination once the flight is over.
    pub fn at(&self, seconds: f64) -> DVec3 {
        if seconds >= self.time {
            return self.to;
        }
        self.origin + self.velocity * seconds + self.pull * (0.5 * seconds * seconds)
    }

    /// The velocity `seconds` after the launch, px/s.
    pub fn velocity_at(&self, seconds: f64) -> DVec3 {
        self.velocity + self.pull * seconds
    }

    /// When the body is at the top of the flight, in seconds after the launch; below 0 if it sinks from the start.
    pub fn top(&self) -> f64 {
        -self.velocity.dot(self.pull) / self.pull.length_squared()
    }

    /// The part of the flight between two moments on the clock of the body: start and end, in seconds after the launch.
    pub fn span(&self, [from, to]: [ClockTick; 2], hz: f64) -> (f64, f64) {
        let since = |now: ClockTick| ((now.0 - self.began.0).max(0.0) / hz).min(self.time);
        (since(from), since(to))
    }

    /// Splits a vector into its parts in the plane and in height.
    pub fn split(v: DVec3) -> (DVec2, f64) {
        (v.truncate(), v.z)
    }

    /// Checks a saved flight.
    ///
    /// # Errors
    /// Its first field that is wrong.
    pub fn check(&self, saved: &SavedContext) -> Checked {
        saved.passed("began", self.began)?;
        for (field, v, most) in [
            ("origin", self.origin, FARTHEST_SAVED),
            ("velocity", self.velocity, FASTEST_SAVED),
            ("pull", self.pull, MOST_PULL),
            ("to", self.to, FARTHEST_SAVED),
        ] {
            vector(field, v.truncate(), most)?;
            let height = format!("{field}[2]");
            number(&height, v.z, most)?;
            saved.height(&height, v.z)?;
        }
        between("time", self.time, 0.0, LONGEST)
    }

    /// Feeds the flight into a hash.
    pub fn digest(&self, digest: &mut Digest) {
        self.began.digest(digest);
        digest.number(self.time);
        for v in [self.origin, self.velocity, self.pull, self.to] {
            digest.vector(v.truncate());
            digest.number(v.z);
        }
    }
}
