//! Speed along the ground and through the air.

use super::tuning::PlatformerTuning;
use crate::models::motion::{Stretch, approach, reach};

/// Motion along the ground. `speed` is positive toward +x, and `side` is the held direction key.
pub(super) fn stride(speed: f64, side: f64, facing: f64, t: &PlatformerTuning, dt: f64) -> Stretch {
    if side == 0.0 {
        return approach(speed, 0.0, t.ground_decel, dt);
    }
    // From here on, positive is the direction of the key.
    let forward = speed * side;
    let (braking, dt) = if forward < 0.0 {
        let brake = reach(forward, 0.0, t.ground_decel, dt);
        (brake, brake.left)
    } else {
        (Stretch { distance: 0.0, velocity: forward, left: dt }, dt)
    };
    let gait = if braking.velocity < 0.0 {
        Stretch { distance: 0.0, velocity: braking.velocity, left: 0.0 }
    } else if side == facing {
        let start = braking.velocity.max(t.run_speed_min);
        approach(start, t.run_speed_max.max(start), t.run_accel, dt)
    } else {
        let start = braking.velocity.max(t.walk_speed_min);
        approach(start, t.walk_speed_min, t.ground_decel, dt)
    };
    Stretch { distance: (braking.distance + gait.distance) * side, velocity: gait.velocity * side, left: 0.0 }
}

/// Horizontal motion in the air: a key adds speed up to the `soft` limit.
pub(super) fn air_drift(speed: f64, side: f64, soft: f64, t: &PlatformerTuning, dt: f64) -> Stretch {
    if side == 0.0 {
        return approach(speed, 0.0, t.air_brake, dt);
    }
    let forward = speed * side;
    let push = approach(forward, soft.max(forward), t.air_accel, dt);
    Stretch { distance: push.distance * side, velocity: push.velocity * side, left: 0.0 }
}
