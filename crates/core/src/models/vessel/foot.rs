//! Feet: damped springs between the vessel and the ground.

use super::*;

/// A foot on its spring.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Foot {
    /// Compression: 0 at rest, 1 fully pressed in, −1 fully out.
    pub pos: f64,
    /// Rate of compression, 1/s.
    pub rate: f64,
    /// Whether it touched anything in the last part of a tick.
    pub touching: bool,
}

/// The motion of a damped spring over a fixed time: `x'' = −k·x − c·x'` in closed form, which is a
/// linear map of position and rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpringStep {
    pos: [f64; 2],
    rate: [f64; 2],
}

impl SpringStep {
    /// The motion over `dt` seconds at stiffness `k` (1/s²) and damping `c` (1/s).
    pub fn new(k: f64, c: f64, dt: f64) -> Self {
        let half = 0.5 * c;
        let squared = k - half * half;
        let decay = libm::exp(-half * dt);
        // The cosine of the oscillation, and its sine divided by its frequency.
        let (cos, sin) = if squared > 1e-12 {
            let w = squared.sqrt();
            (libm::cos(w * dt), libm::sin(w * dt) / w)
        } else if squared < -1e-12 {
            let w = (-squared).sqrt();
            (libm::cosh(w * dt), libm::sinh(w * dt) / w)
        } else {
            (1.0, dt)
        };
        Self { pos: [decay * (cos + half * sin), decay * sin], rate: [-decay * k * sin, decay * (cos - half * sin)] }
    }
}

impl Foot {
    /// Moves the foot by one spring step. It stops at either end of its travel.
    pub fn spring(&mut self, step: &SpringStep) {
        let Self { pos, rate, .. } = *self;
        self.pos = step.pos[0] * pos + step.pos[1] * rate;
        self.rate = step.rate[0] * pos + step.rate[1] * rate;
        self.limit();
    }

    /// Keeps the foot within its travel.
    pub fn limit(&mut self) {
        if self.pos.abs() > 1.0 {
            self.pos = self.pos.clamp(-1.0, 1.0);
            if self.rate * self.pos > 0.0 {
                self.rate = 0.0;
            }
        }
    }

    /// The share of forces along the vessel's up that the foot absorbs: all of it at rest, none when
    /// fully pressed in, and none if its travel (px) is 0.
    pub fn share(&self, travel: f64) -> f64 {
        let pressed = self.pos.max(0.0);
        if travel > 0.0 { 1.0 - pressed * pressed } else { 0.0 }
    }

    /// How much of a depth along the vessel's up (px) the foot absorbs: its share, but no more than
    /// the travel that is left.
    pub fn absorbs(&self, depth: f64, travel: f64) -> f64 {
        (self.share(travel) * depth).clamp(0.0, (1.0 - self.pos) * travel)
    }
}
