//! `two_velocity`: an intended velocity, blended by the ground's grip.
//!
//! After Memai's "Character movement in 3D games". The body's own velocity is what its feet
//! intend; the ground's grip says how much of a new intention takes effect at once: all of it on
//! stone, a tenth on ice, none where grip is 0. What comes from outside is `external` and no foot
//! changes it.
//!
//! The published step blends once per frame. Here its share is normalised to 60 Hz, and the gain
//! with it, so that a reversal on ice takes as long at every tick rate.

mod tuning;

pub use tuning::TwoVelocityTuning;

use super::motion::normalised_share;
use super::{Body, Intent, Model, Motion, Outfit, Report, Surroundings, footing};
use glam::DVec2;

/// The model.
#[derive(Clone, Debug, PartialEq)]
pub struct TwoVelocity;

impl Model for TwoVelocity {
    const NAME: &'static str = "two_velocity";
    type State = ();
    type Tuning = TwoVelocityTuning;

    fn drive(
        _state: &mut (),
        body: &mut Body,
        intent: &Intent,
        outfit: &Outfit<TwoVelocityTuning>,
        around: &Surroundings<'_>,
        report: &mut Report,
    ) -> Motion {
        let tuning = &outfit.tuning;
        let side = intent.side_beyond(tuning.dead_zone);
        if side != 0.0 {
            body.facing = side;
        }
        footing::try_jump(body, intent, &tuning.jump, around, report);
        if let Some(contact) = body.ground {
            let surface = around.level.terrain.edge_of(contact.feature).surface;
            let grip = around.surfaces[surface.0 as usize].grip;
            let tangent = contact.tangent();
            let speed = blend(body.vel.dot(tangent), side, grip, tuning, around.dt);
            let steepness = (tangent.y * speed.signum()).max(0.0);
            let climb = (steepness / outfit.footing.steepest_climb.max(f64::MIN_POSITIVE)).min(1.0);
            let slowed = 1.0 - tuning.slope_slowdown * climb;
            return Motion {
                start: tangent * speed,
                pull: 0.0,
                displacement: tangent * (speed * slowed * around.dt),
                velocity: tangent * speed,
            };
        }
        let x = blend(body.vel.x, side, tuning.air_grip, tuning, around.dt);
        let y = footing::rise_and_fall(body, intent, &tuning.jump, &outfit.footing, around);
        Motion {
            start: DVec2::new(x, body.vel.y),
            pull: outfit.footing.gravity_scale * around.gravity,
            displacement: DVec2::new(x * around.dt, y.distance),
            velocity: DVec2::new(x, y.velocity),
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

/// The next intended speed. With a direction, a share of the grip of what the feet want,
/// `side · (|speed| + gain)`, and the rest of what was; without one, the brake.
fn blend(speed: f64, side: f64, grip: f64, t: &TwoVelocityTuning, dt: f64) -> f64 {
    if grip <= 0.0 {
        return speed;
    }
    if side == 0.0 {
        let share = normalised_share((t.brake * grip / 60.0).min(1.0), dt);
        let braked = speed - speed * share;
        return if braked.abs() < t.stop_speed {
            0.0
        } else {
            braked
        };
    }
    let share = normalised_share(grip, dt);
    if share <= 0.0 {
        // Too little grip to be told from none.
        return speed;
    }
    let gain = t.accel * dt * grip / share;
    let wanted = side * (speed.abs() + gain);
    let cap = t.max_speed.max(speed.abs());
    (share * wanted + (1.0 - share) * speed).clamp(-cap, cap)
}
