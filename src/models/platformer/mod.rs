//! `platformer`: run, walk, slow down and jump; momentum in the air.
//!
//! After "Platformer Physics and Trosnoth". On the ground speed along the slope goes through
//! three gaits: *running* with the key and the facing agreeing, *walking* against the facing,
//! *slowing* without a key. In the air a key adds speed up to a soft limit, and what is faster is
//! never cut. A body on the ground is not pulled by gravity, so that it stays on slopes.

mod tuning;

pub use tuning::PlatformerTuning;

use super::motion::{Stretch, approach, reach};
use super::{Body, Intent, Model, Motion, Outfit, Report, Surroundings, footing};
use glam::DVec2;

/// The model.
#[derive(Clone, Debug, PartialEq)]
pub struct Platformer;

impl Model for Platformer {
    const NAME: &'static str = "platformer";
    type State = ();
    type Tuning = PlatformerTuning;

    fn drive(
        _state: &mut (),
        body: &mut Body,
        intent: &Intent,
        outfit: &Outfit<PlatformerTuning>,
        around: &Surroundings<'_>,
        report: &mut Report,
    ) -> Motion {
        let tuning = &outfit.tuning;
        turn(body, intent);
        footing::try_jump(body, intent, &tuning.jump, around, report);
        if let Some(contact) = body.ground {
            let tangent = contact.tangent();
            let along = stride(
                body.vel.dot(tangent),
                intent.side(),
                body.facing,
                tuning,
                around.dt,
            );
            return Motion {
                start: body.vel,
                pull: 0.0,
                displacement: tangent * along.distance,
                velocity: tangent * along.velocity,
            };
        }
        let x = drift(body.vel.x, intent.side(), tuning, around.dt);
        let y = footing::rise_and_fall(body, intent, &tuning.jump, &outfit.footing, around);
        Motion {
            start: body.vel,
            pull: outfit.footing.gravity_scale * around.gravity,
            displacement: DVec2::new(x.distance, y.distance),
            velocity: DVec2::new(x.velocity, y.velocity),
        }
    }

    fn mode(_state: &(), body: &Body) -> &'static str {
        if body.ground.is_some() {
            "ground"
        } else {
            "air"
        }
    }
}

/// Facing is the side of the aim while there is one, else the last direction key.
fn turn(body: &mut Body, intent: &Intent) {
    let wanted = intent.aim.map_or(intent.side(), |aim| aim.x - body.pos.x);
    if wanted != 0.0 {
        body.facing = wanted.signum();
    }
}

/// Motion along the ground, where `speed` counts towards +x and `side` is the key held.
fn stride(speed: f64, side: f64, facing: f64, t: &PlatformerTuning, dt: f64) -> Stretch {
    if side == 0.0 {
        return approach(speed, 0.0, t.ground_decel, dt);
    }
    // Seen in the direction of the key.
    let forward = speed * side;
    let (braking, dt) = if forward < 0.0 {
        let brake = reach(forward, 0.0, t.ground_decel, dt);
        (brake, brake.left)
    } else {
        (
            Stretch {
                distance: 0.0,
                velocity: forward,
                left: dt,
            },
            dt,
        )
    };
    let gait = if braking.velocity < 0.0 {
        Stretch {
            distance: 0.0,
            velocity: braking.velocity,
            left: 0.0,
        }
    } else if side == facing {
        let start = braking.velocity.max(t.run_speed_min);
        approach(start, t.run_speed_max.max(start), t.run_accel, dt)
    } else {
        let start = braking.velocity.max(t.walk_speed_min);
        approach(start, t.walk_speed_min, t.ground_decel, dt)
    };
    Stretch {
        distance: (braking.distance + gait.distance) * side,
        velocity: gait.velocity * side,
        left: 0.0,
    }
}

/// Horizontal motion in the air.
fn drift(speed: f64, side: f64, t: &PlatformerTuning, dt: f64) -> Stretch {
    if side == 0.0 {
        return approach(speed, 0.0, t.air_brake, dt);
    }
    let forward = speed * side;
    let push = approach(forward, t.air_speed_soft.max(forward), t.air_accel, dt);
    Stretch {
        distance: push.distance * side,
        velocity: push.velocity * side,
        left: 0.0,
    }
}
