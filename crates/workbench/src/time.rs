//! The time of the session: whether it runs, how fast, and how far keys move it.

use super::*;

/// Seconds after which a held key repeats.
const REPEAT_AFTER: f64 = 0.3;

/// Seconds after which a held key repeats faster.
const FASTER_AFTER: f64 = 2.0;

/// Seconds for which hints are shown while the game runs.
const HINTS_FOR: f64 = 40.0;

/// The slowest speed is 2 to this power, and the fastest.
const SLOWEST: i8 = -4;
const FASTEST: i8 = 2;

/// The ticks that keys ask for in a frame.
#[derive(Clone, Copy, Default)]
pub struct TimeMove {
    /// Those that may make new ticks.
    pub steps: i64,
    /// Those that only go through what was played.
    pub scrub: i64,
}

/// The time of a session.
#[derive(Default)]
pub struct SessionTime {
    pub paused: bool,
    pub speed: GameSpeed,
    wanted: TimeMove,
    /// The time keys that are down, and since when.
    held: Vec<(WindowKey, f64)>,
    /// Seconds since the start of the session.
    now: f64,
    /// When the first frame was, in seconds since the start of the session.
    opened_at: Option<f64>,
}

impl SessionTime {
    pub fn now(&self) -> f64 {
        self.now
    }

    /// A frame begins, which continues what held keys do.
    pub fn begin_frame(&mut self, now: f64) {
        self.now = now;
        self.opened_at.get_or_insert(now);
        for (key, since) in &self.held {
            let held = now - since;
            let scrub = if held >= FASTER_AFTER { 16 } else { 4 };
            if held >= REPEAT_AFTER {
                self.wanted.add(*key, scrub);
            }
        }
    }

    /// Takes the ticks that keys asked for.
    pub fn take_move(&mut self) -> TimeMove {
        mem::take(&mut self.wanted)
    }

    pub fn toggle_pause(&mut self) {
        self.paused = !self.paused;
        self.held.clear();
    }

    /// A key that moves time went down; a first press scrubs a quarter of a second.
    pub fn press(&mut self, key: WindowKey, hz: u32) {
        self.paused = true;
        self.held.retain(|(other, _)| *other != key);
        self.held.push((key, self.now));
        self.wanted.add(key, i64::from(hz / 4).max(1));
    }

    /// Only these keys are still down.
    pub fn hold(&mut self, down: &[WindowKey]) {
        self.held.retain(|(key, _)| down.contains(key));
    }

    /// Whether the session has just begun, or stands still.
    pub fn shows_hints(&self) -> bool {
        self.paused || self.now - self.opened_at.unwrap_or(self.now) <= HINTS_FOR
    }
}

impl TimeMove {
    fn add(&mut self, key: WindowKey, scrub: i64) {
        match key {
            WindowKey::StepBack => self.steps -= 1,
            WindowKey::StepForward => self.steps += 1,
            WindowKey::ScrubBack => self.scrub -= scrub,
            _ => self.scrub += scrub,
        }
    }
}

/// How fast the game runs: 1/16, 1/8, 1/4, 1/2, 1, 2 or 4 times its normal speed.
#[derive(Clone, Copy, Default)]
pub struct GameSpeed {
    exponent: i8,
    /// Frames since the last tick, in slow motion.
    waited: u32,
}

impl GameSpeed {
    /// Doubles the speed this many times, or halves it.
    pub fn change(&mut self, by: i8) {
        self.exponent = (self.exponent + by).clamp(SLOWEST, FASTEST);
    }

    pub fn is_normal(self) -> bool {
        self.exponent == 0
    }

    /// The ticks per frame.
    pub fn factor(self) -> f64 {
        let power = f64::from(1_u32 << self.exponent.unsigned_abs());
        if self.exponent < 0 { 1.0 / power } else { power }
    }

    /// The number of ticks to make in this frame.
    pub fn ticks(&mut self) -> u32 {
        if self.exponent >= 0 {
            return 1 << self.exponent;
        }
        self.waited += 1;
        if self.waited < 1 << self.exponent.unsigned_abs() {
            return 0;
        }
        self.waited = 0;
        1
    }

    /// The speed as it is shown, such as `1/4`; `None` for normal speed.
    pub fn shown(self) -> Option<String> {
        let power = 1_u32 << self.exponent.unsigned_abs();
        match self.exponent {
            0 => None,
            1.. => Some(format!("{power}×")),
            _ => Some(format!("1/{power}")),
        }
    }
}

#[cfg(test)]
#[path = "../tests/unit/time.rs"]
mod tests;
