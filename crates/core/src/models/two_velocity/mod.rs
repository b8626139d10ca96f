//! `two_velocity`: an intended velocity, blended by the ground's grip.
//!
//! After Memai's "Character movement in 3D games". The body's own velocity is what its feet intend.
//! The ground's grip is the share of a new intention that takes effect at once: all of it on stone,
//! a tenth on ice, none where grip is 0. Pushes and wind add up to the external velocity, which
//! feet cannot change.
//!
//! The published step blends once per frame. Here that share and the gain are normalized to 60 Hz,
//! so that turning around on ice takes the same time at every tick rate.

mod tuning;

pub use tuning::TwoVelocityTuning;

use super::{travel::travel, *};

/// The `two_velocity` model.
#[derive(Clone, Debug, PartialEq)]
pub struct TwoVelocity;

impl Model for TwoVelocity {
    const MODES: &'static [Mode] = &[Mode::Ground, Mode::Air];
    const VIEWS: &'static [View] = &[View::Side, View::Top];
    const OUTLINE: [u8; 3] = [96, 214, 255];
    type State = WallState;
    type Tuning = TwoVelocityTuning;

    fn drive(
        state: &mut WallState,
        body: &mut Body,
        intent: &Intent,
        loadout: &Loadout<TwoVelocityTuning>,
        around: &Surroundings,
        report: &mut Report,
    ) -> Motion {
        footing::try_jump(body, intent, &loadout.tuning.jump, around, report);
        match around.level.view {
            View::Side => walk(body, intent, loadout, around),
            View::Top => roam(state, body, intent, loadout, around),
        }
    }

    fn travel(
        state: &mut WallState,
        body: &mut Body,
        motion: &Motion,
        step: &Step<TwoVelocityTuning>,
        report: &mut Report,
    ) {
        let context = step.context;
        if context.around.level.view == View::Side {
            travel(body, motion, context, report, &Coasting(context.footing));
            return;
        }
        plane::travel(body, motion, context, report);
        let lost = body.vel - motion.velocity;
        state.wall = (lost != DVec2::ZERO).then(|| lost.normalize_or_zero());
    }

    fn check(state: &WallState, _loadout: &Loadout<TwoVelocityTuning>, _saved: &SavedContext) -> Checked {
        state.check()
    }

    fn digest(state: &WallState, digest: &mut Digest) {
        state.digest(digest);
    }

    fn mode(_state: &WallState, body: &Body) -> Mode {
        if body.stands() { Mode::Ground } else { Mode::Air }
    }
}

/// The motion in a side view: along the ground, or through the air.
fn walk(body: &mut Body, intent: &Intent, loadout: &Loadout<TwoVelocityTuning>, around: &Surroundings) -> Motion {
    let tuning = &loadout.tuning;
    let side = intent.side_beyond(tuning.dead_zone);
    if side != 0.0 {
        body.facing = side;
    }
    let wanted = DVec2::new(side, 0.0);
    if let Some(contact) = body.ground {
        let grip = around.surface(around.surface_of(contact.feature)).grip;
        let tangent = contact.tangent();
        let speed = DVec2::new(body.vel.dot(tangent), 0.0);
        let speed = blend(speed, wanted, grip, tuning, around.dt).x;
        let up = contact.normal.y.signum();
        let steepness = (tangent.y * up * speed.signum()).max(0.0);
        let climb = (steepness / loadout.footing.steepest_climb.max(f64::MIN_POSITIVE)).min(1.0);
        let slowed = 1.0 - tuning.slope_slowdown * climb;
        return Motion {
            start: tangent * speed,
            displacement: tangent * (speed * slowed * around.dt),
            velocity: tangent * speed,
            ..Motion::default()
        };
    }
    let x = DVec2::new(body.vel.x, 0.0);
    let x = blend(x, wanted, tuning.air_grip, tuning, around.dt).x;
    let y = footing::rise_and_fall(body, intent, &tuning.jump, &loadout.footing, around);
    Motion {
        start: DVec2::new(x, body.vel.y),
        pull: loadout.footing.gravity_scale * around.gravity,
        displacement: DVec2::new(x * around.dt, y.distance),
        velocity: DVec2::new(x, y.velocity),
        ..Motion::default()
    }
}

/// The motion in a top view: in the plane, with the feet at some height.
fn roam(
    state: &WallState,
    body: &mut Body,
    intent: &Intent,
    loadout: &Loadout<TwoVelocityTuning>,
    around: &Surroundings,
) -> Motion {
    let tuning = &loadout.tuning;
    let (wanted, _) = intent.direction(tuning.dead_zone);
    if wanted.x != 0.0 {
        body.facing = wanted.x.signum();
    }
    let grip = body
        .floor
        .map_or(tuning.air_grip, |floor| around.surface(around.floor_surface(floor)).grip);
    let most = tuning.max_speed.max(body.vel.length());
    let intended = before_wall(body.vel, wanted, state.wall).clamp_length_max(most);
    let velocity = blend(intended, wanted, grip, tuning, around.dt);
    let z = plane::rise_and_fall(body, intent, &tuning.jump, &loadout.footing, around);
    Motion {
        start: velocity,
        pull: loadout.footing.gravity_scale * around.gravity,
        displacement: velocity * around.dt,
        velocity,
        rise: z.distance,
        vel_z: z.velocity,
    }
}

/// The intended velocity of a body that pushes along a wall: the one that the wall reduced to
/// `vel`. Without this, the wall would take a share of it in every tick, more at higher tick rates.
fn before_wall(vel: DVec2, wanted: DVec2, wall: Option<DVec2>) -> DVec2 {
    let Some(wall) = wall.filter(|wall| wanted.dot(*wall) < 0.0) else {
        return vel;
    };
    let along = wanted - wall * wanted.dot(wall);
    let share = along.length();
    if share < LEAST_SHARE || vel.dot(along) <= 0.0 {
        return vel;
    }
    wanted * (vel.length() / share)
}

/// A body does not slide along a wall if less than this share of its wanted direction points along
/// it.
const LEAST_SHARE: f64 = 0.02;

/// The next intended velocity. With a direction (a unit vector), blends `direction · (|velocity| +
/// gain)` into the velocity, by the share that the grip allows; without one, brakes.
fn blend(velocity: DVec2, direction: DVec2, grip: f64, t: &TwoVelocityTuning, dt: f64) -> DVec2 {
    if grip <= 0.0 {
        return velocity;
    }
    if direction == DVec2::ZERO {
        let share = normalized_share((t.brake * grip / 60.0).min(1.0), dt);
        let braked = velocity - velocity * share;
        return if braked.length_squared() < t.stop_speed * t.stop_speed {
            DVec2::ZERO
        } else {
            braked
        };
    }
    let share = normalized_share(grip, dt);
    if share <= 0.0 {
        // Grip so low that its share rounds to 0.
        return velocity;
    }
    let speed = velocity.length();
    let gain = t.accel * dt * grip / share;
    let wanted = direction * (speed + gain);
    let cap = t.max_speed.max(speed);
    (share * wanted + (1.0 - share) * velocity).clamp_length_max(cap)
}
