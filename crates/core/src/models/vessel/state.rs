//! The state of a vessel.

use super::foot::Foot;
use crate::models::saved::{Checked, FASTEST_SAVED, SavedContext, SavedError, length, number};
use serde::{Deserialize, Serialize};
use std::num::NonZeroU64;

/// State that the model keeps between ticks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct VesselState {
    /// Its feet, in the order of its pieces.
    pub feet: Vec<Foot>,
    /// The tick since which it has been slow without interruption.
    pub(super) calm_since: SinceTick,
    /// The place and angle that it has not left for some time.
    pub(super) perch: Perch,
    /// Whether it is at rest, until something wakes it.
    pub resting: bool,
    /// Whether it touches anything.
    pub touching: bool,
    /// The forces under which it stood still through the previous tick; `None` if it did not.
    pub(super) stood_under: Option<Forces>,
}

impl VesselState {
    /// Checks a saved state of a vessel with this many feet.
    pub(super) fn check(&self, feet: usize, saved: &SavedContext<'_>) -> Checked {
        if !self.feet.is_empty() {
            length("feet", self.feet.len(), feet)?;
        }
        for (place, foot) in self.feet.iter().enumerate() {
            let within = |error: SavedError| error.within(&format!("feet[{place}]"));
            number("pos", foot.pos, 1.0).map_err(within)?;
            number("rate", foot.rate, FASTEST_SAVED).map_err(within)?;
        }
        self.calm_since.check("calm_since", saved)?;
        let Perch { since, pos, angle } = self.perch;
        since.check("perch.since", saved)?;
        let numbers = [("perch.pos[0]", pos[0]), ("perch.pos[1]", pos[1]), ("perch.angle", angle)];
        let mut numbers = numbers.into_iter();
        numbers.try_for_each(|(field, x)| number(field, x.into(), f64::from(f32::MAX)))
    }

    /// Ends a rest.
    pub(super) fn wake(&mut self) {
        self.resting = false;
        self.calm_since = SinceTick::default();
        self.perch = Perch::default();
    }
}

/// The tick since which a condition has held, or never. Kept in 32 bits to save space.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct SinceTick(pub u32);

impl Default for SinceTick {
    fn default() -> Self {
        Self(u32::MAX)
    }
}

impl SinceTick {
    fn check(self, field: &str, saved: &SavedContext<'_>) -> Checked {
        // Ticks beyond 32 bits wrap around.
        if self == Self::default() || saved.now > u64::from(u32::MAX) {
            return Ok(());
        }
        saved.past(field, self.0.into())
    }

    /// For how many ticks the condition has held at tick `now`. If it never held, it does from now
    /// on.
    pub fn ticks(&mut self, now: u64) -> u32 {
        let now = now as u32;
        if *self == Self::default() {
            self.0 = now;
        }
        now.wrapping_sub(self.0)
    }
}

/// A place and angle that a vessel has not left for some time. Kept in single precision to save
/// space.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Perch {
    pub since: SinceTick,
    pub pos: [f32; 2],
    pub angle: f32,
}

/// The forces on a vessel, bit for bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Forces {
    /// The inverted bits, which are never 0 for a finite number, so that `Option<Forces>` needs no
    /// extra space.
    gravity: NonZeroU64,
    thrust: u64,
    torque: u64,
}

impl Forces {
    /// The forces of a tick; all three are finite.
    pub fn new(gravity: f64, thrust: f64, torque: f64) -> Self {
        Self {
            gravity: NonZeroU64::new(!gravity.to_bits()).unwrap_or(NonZeroU64::MIN),
            thrust: thrust.to_bits(),
            torque: torque.to_bits(),
        }
    }
}
