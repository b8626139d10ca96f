//! Clocks: how time passes for a body, and moments on a clock.

use super::*;
use crate::level::{MOST_SCALE, rate_of};
use serde::{
    Deserializer, Serializer,
    de::{Error, Visitor},
};

/// A moment on the clock of a body, or of the level: the ticks that have passed, each at full rate. It is the number of a tick as
/// long as time has never run at another rate.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct ClockTick(pub f64);

impl ClockTick {
    /// Feeds the moment into a hash: a whole one like the number of a tick.
    pub fn digest(self, digest: &mut Digest) {
        match self.whole() {
            Some(tick) => digest.word(tick),
            None => digest.number(self.0),
        }
    }

    fn whole(self) -> Option<u64> {
        let tick = self.0 as u64;
        (tick as f64 == self.0).then_some(tick)
    }
}

impl From<u64> for ClockTick {
    fn from(tick: u64) -> Self {
        Self(tick as f64)
    }
}

impl fmt::Display for ClockTick {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

// Whole moments are saved as they were before there were others.
impl Serialize for ClockTick {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.whole() {
            Some(tick) => serializer.serialize_u64(tick),
            None => serializer.serialize_f64(self.0),
        }
    }
}

impl<'de> Deserialize<'de> for ClockTick {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyNumber)
    }
}

struct AnyNumber;

impl Visitor<'_> for AnyNumber {
    type Value = ClockTick;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number of ticks")
    }

    fn visit_u64<E: Error>(self, tick: u64) -> Result<ClockTick, E> {
        Ok(ClockTick::from(tick))
    }

    fn visit_f64<E: Error>(self, tick: f64) -> Result<ClockTick, E> {
        Ok(ClockTick(tick))
    }
}

/// How time passes for a body, in comparison with its level. By default it passes alike.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct BodyClock {
    /// Its own factor. The rate is the product of this, the level's and those of the zones that it is in.
    pub scale: f64,
    /// How far its clock is behind that of the level, in ticks; below 0 if it is ahead.
    pub behind: f64,
}

impl Default for BodyClock {
    fn default() -> Self {
        Self { scale: 1.0, behind: 0.0 }
    }
}

impl BodyClock {
    /// Whether it has always agreed with the level's clock.
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// The moment on this clock at a moment on that of the level.
    pub fn at(&self, level: ClockTick) -> ClockTick {
        ClockTick(level.0 - self.behind)
    }

    /// The rate of its time where the level's is `rate` and zones multiply it by `zones`.
    pub fn rate(&self, rate: f64, zones: f64) -> f64 {
        rate_of(rate * self.scale * zones)
    }

    /// Checks a saved clock.
    ///
    /// # Errors
    /// Its first field that is wrong.
    pub fn check(&self, saved: &SavedContext) -> Checked {
        between("scale", self.scale, 0.0, MOST_SCALE)?;
        let passed = saved.clock.0 >= 0.0 && saved.clock.0 <= MOST_SCALE * saved.now as f64;
        ensure!(
            passed,
            "behind",
            "is {}, so its clock is at {}, but tick {} has begun",
            self.behind,
            saved.clock,
            saved.now
        );
        Ok(())
    }

    /// Feeds the clock into a hash, if it has ever differed from the level's.
    pub fn digest(&self, digest: &mut Digest) {
        if !self.is_default() {
            digest.number(self.scale);
            digest.number(self.behind);
        }
    }
}
