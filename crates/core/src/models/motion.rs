//! Exact motion under constant acceleration with limits.
//!
//! A tick is split wherever the acceleration changes (a limit is reached, a velocity becomes 0, a
//! timer ends), so that distances do not depend on the tick rate.

/// A stretch of motion along one axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stretch {
    /// Distance covered, px.
    pub distance: f64,
    /// Velocity at its end, px/s.
    pub velocity: f64,
    /// Remaining time of the tick after the target was reached, s.
    pub left: f64,
}

impl Stretch {
    /// The same motion in the opposite direction if `up` is −1 instead of 1.
    pub fn along(self, up: f64) -> Self {
        Self { distance: self.distance * up, velocity: self.velocity * up, ..self }
    }
}

/// Changes `velocity` toward `target` by `accel` (px/s², at least 0) for `dt` seconds, then
/// keeps it: `x += v·dt + ½·a·dt²` up to the target and `x += target·dt` beyond.
pub fn approach(velocity: f64, target: f64, accel: f64, dt: f64) -> Stretch {
    let reached = reach(velocity, target, accel, dt);
    Stretch { distance: reached.distance + reached.velocity * reached.left, ..reached }
}

/// Like [`approach`], but ends when the target is reached.
pub fn reach(velocity: f64, target: f64, accel: f64, dt: f64) -> Stretch {
    let missing = target - velocity;
    if missing.abs() <= accel * dt && accel > 0.0 {
        let time = missing.abs() / accel;
        let distance = 0.5 * (velocity + target) * time;
        return Stretch { distance, velocity: target, left: dt - time };
    }
    let end = velocity + accel * dt * missing.signum() * f64::from(u8::from(missing != 0.0));
    Stretch { distance: 0.5 * (velocity + end) * dt, velocity: end, left: 0.0 }
}

/// Converts `k`, a share per tick at 60 Hz, to ticks of `dt` seconds: `1 − (1 − k)^(60·dt)`.
pub fn normalized_share(k: f64, dt: f64) -> f64 {
    if k >= 1.0 {
        1.0
    } else if ticks_at_60_hz(dt) {
        k
    } else {
        1.0 - libm::pow(1.0 - k, 60.0 * dt)
    }
}

/// Whether a tick of `dt` seconds is one of 60 Hz, for which per-tick shares are published.
pub fn ticks_at_60_hz(dt: f64) -> bool {
    (60.0 * dt - 1.0).abs() < 1e-12
}
