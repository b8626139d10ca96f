//! A flight to a destination: where it is at which time follows from its launch alone.

use glam::{DVec2, DVec3};
use serde::{Deserialize, Serialize};

/// A flight to a destination. Places are those of the body's center in the plane, with the height
/// of its feet as z, which is 0 in a side view.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Flight {
    /// The tick at which it began.
    pub began: u64,
    /// Where it began, px.
    pub origin: DVec3,
    /// Velocity at the launch, px/s.
    pub velocity: DVec3,
    /// What pulls the body down, px/s²: along y in a side view, along z in a top view.
    pub pull: DVec3,
    /// How long it takes, s.
    pub time: f64,
    /// Where it ends, px.
    pub to: DVec3,
}

impl Flight {
    /// Where the body is so many seconds after the launch; at the end of the flight exactly on its
    /// destination.
    #[must_use]
    pub fn at(&self, seconds: f64) -> DVec3 {
        if seconds >= self.time {
            return self.to;
        }
        self.origin + self.velocity * seconds + self.pull * (0.5 * seconds * seconds)
    }

    /// The velocity so many seconds after the launch, px/s.
    #[must_use]
    pub fn velocity_at(&self, seconds: f64) -> DVec3 {
        self.velocity + self.pull * seconds
    }

    /// The part of the flight that lies in the step from tick `now` to the next: from when to when,
    /// seconds after the launch.
    #[must_use]
    pub fn span(&self, now: u64, hz: f64) -> (f64, f64) {
        let since = |tick: u64| (tick.saturating_sub(self.began) as f64 / hz).min(self.time);
        (since(now), since(now + 1))
    }

    /// The parts in the plane and in height.
    #[must_use]
    pub fn split(v: DVec3) -> (DVec2, f64) {
        (v.truncate(), v.z)
    }

    /// Feeds the flight into a hash.
    pub fn digest(&self, feed: &mut dyn FnMut(u64)) {
        feed(self.began);
        feed(self.time.to_bits());
        for v in [self.origin, self.velocity, self.pull, self.to] {
            v.to_array().into_iter().for_each(|x| feed(x.to_bits()));
        }
    }
}
