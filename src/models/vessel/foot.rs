//! Feet: damped springs between the vessel and the ground.

use serde::{Deserialize, Serialize};

/// A foot on its spring.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Foot {
    /// How far it is pressed in: 0 at ease, 1 all the way, −1 all the way out.
    pub pos: f64,
    /// How fast that changes, 1/s.
    pub rate: f64,
    /// Whether it touched something in the last part of a tick.
    pub touching: bool,
}

/// What a spring does in so many seconds, `x'' = −k·x − c·x'` in closed form: a linear map of place
/// and rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Swing {
    place: [f64; 2],
    rate: [f64; 2],
}

impl Swing {
    /// What a spring of stiffness `k` (1/s²) and damping `c` (1/s) does in `dt` seconds.
    #[must_use]
    pub fn new(k: f64, c: f64, dt: f64) -> Self {
        let half = 0.5 * c;
        let squared = k - half * half;
        let decay = libm::exp(-half * dt);
        // The cosine of the swing, and its sine divided by its frequency.
        let (cos, sin) = if squared > 1e-12 {
            let w = squared.sqrt();
            (libm::cos(w * dt), libm::sin(w * dt) / w)
        } else if squared < -1e-12 {
            let w = (-squared).sqrt();
            (libm::cosh(w * dt), libm::sinh(w * dt) / w)
        } else {
            (1.0, dt)
        };
        Self {
            place: [decay * (cos + half * sin), decay * sin],
            rate: [-decay * k * sin, decay * (cos - half * sin)],
        }
    }
}

impl Foot {
    /// Lets the spring act. At either end of its way the foot stops.
    pub fn swing(&mut self, swing: &Swing) {
        let Self { pos, rate, .. } = *self;
        self.pos = swing.place[0] * pos + swing.place[1] * rate;
        self.rate = swing.rate[0] * pos + swing.rate[1] * rate;
        self.hold();
    }

    /// Keeps it within its way.
    pub fn hold(&mut self) {
        if self.pos.abs() > 1.0 {
            self.pos = self.pos.clamp(-1.0, 1.0);
            if self.rate * self.pos > 0.0 {
                self.rate = 0.0;
            }
        }
    }

    /// The share of what acts along the vessel's up that the foot takes: all of it at ease, none when
    /// it is pressed in all the way.
    #[must_use]
    pub fn share(&self) -> f64 {
        let pressed = self.pos.max(0.0);
        1.0 - pressed * pressed
    }
}
