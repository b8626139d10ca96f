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

/// What the feet of a body do to its speed along the ground, px/s and px/s². On ground that grips, they do it at once, up to
/// a limit, so a pull that is weaker does not move a body that stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tread {
    /// The direction of the key, 1 or −1, in which speeds count as positive.
    pub side: f64,
    /// The speed at which a run starts: up to there, they push as hard as they brake.
    pub start: f64,
    /// The speed that it runs up to; 0 without a key.
    pub most: f64,
    /// Acceleration up to that speed.
    pub push: f64,
    /// Deceleration above it.
    pub over: f64,
    /// Deceleration of a body that moves backward.
    pub brake: f64,
}

impl Tread {
    /// The speed after some seconds, px/s, from `speed`, while something else pulls with this acceleration, px/s².
    pub fn after(&self, speed: f64, pull: f64, seconds: f64) -> f64 {
        let Self { side, start, most, push, over, brake } = *self;
        let (mut speed, pull, mut left) = (speed * side, pull * side, seconds);
        let feet = |starts, slow| match (starts, slow) {
            (true, _) => brake,
            (_, true) => push,
            _ => -over,
        };
        // It passes each of these speeds at most once.
        let speeds = [0.0, start, most];
        for _ in 0..4 {
            let faster = pull + feet(speed < start, speed < most);
            let slower = pull + feet(speed <= start, speed <= most);
            let (accel, limit) = if faster > 0.0 {
                let above = speeds.into_iter().filter(|limit| speed < *limit);
                (faster, above.fold(f64::INFINITY, f64::min))
            } else if slower < 0.0 {
                let below = speeds.into_iter().filter(|limit| speed > *limit);
                (slower, below.fold(f64::NEG_INFINITY, f64::max))
            } else {
                break;
            };
            if (limit - speed).abs() >= accel.abs() * left {
                speed += accel * left;
                break;
            }
            left -= (limit - speed) / accel;
            speed = limit;
        }
        speed * side
    }

    /// The same for a body whose time passes at this rate, in the time of the level.
    pub fn at_rate(self, rate: f64) -> Self {
        let [push, over, brake] = [self.push, self.over, self.brake].map(|accel| accel * rate * rate);
        Self { side: self.side, start: self.start * rate, most: self.most * rate, push, over, brake }
    }
}
