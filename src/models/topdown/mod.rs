//! `topdown`: a character in a plane, with a height axis.
//!
//! After "Movement Physics of CrossCode". Acceleration leads to full speed quickly, and friction
//! takes away what does not point where the body wants to go, so that it never fights the player.
//!
//! In a top view the plane is the ground, and feet rise and fall beside it: the body jumps onto
//! blocks and falls off them. In a side view the plane is all there is: the body swims, flies or
//! climbs, without gravity.

mod tuning;

pub use tuning::TopdownTuning;

use super::motion::normalised_share;
use super::{
    Body, Intent, Loadout, Model, Motion, MoveContext, Report, Surroundings, footing, plane,
};
use crate::level::View;
use glam::DVec2;

/// The model.
#[derive(Clone, Debug, PartialEq)]
pub struct Topdown;

impl Model for Topdown {
    const NAME: &'static str = "topdown";
    const MODES: &'static [&'static str] = &["ground", "air", "free"];
    const VIEWS: &'static [View] = &[View::Side, View::Top];
    type State = ();
    type Tuning = TopdownTuning;

    fn sense(
        _state: &mut (),
        body: &mut Body,
        _outfit: &Loadout<TopdownTuning>,
        context: &MoveContext<'_>,
        pushed: bool,
        report: &mut Report,
    ) {
        if context.around.level.view == View::Top {
            plane::feel(body, context, pushed, report);
            return;
        }
        // Who swims or flies stands on nothing.
        report.stood |= body.ground.take().is_some();
        body.sensed = true;
    }

    fn drive(
        _state: &mut (),
        body: &mut Body,
        intent: &Intent,
        loadout: &Loadout<TopdownTuning>,
        around: &Surroundings<'_>,
        report: &mut Report,
    ) -> Motion {
        let tuning = &loadout.tuning;
        let (way, amount) = intent.direction(0.0);
        if way.x != 0.0 {
            body.facing = way.x.signum();
        }
        let top = around.level.view == View::Top;
        if top {
            footing::try_jump(body, intent, &tuning.jump, around, report);
        }
        let friction = friction(body, tuning, around);
        let velocity = pace(body.vel, way, amount, friction, tuning, around.dt);
        let plane = Motion {
            start: velocity,
            displacement: velocity * around.dt,
            velocity,
            ..Motion::default()
        };
        if !top {
            return plane;
        }
        let z = plane::rise_and_fall(body, intent, &tuning.jump, &loadout.footing, around);
        Motion {
            pull: loadout.footing.gravity_scale * around.gravity,
            rise: z.distance,
            vel_z: z.velocity,
            ..plane
        }
    }

    fn travel(
        _state: &mut (),
        body: &mut Body,
        _intent: &Intent,
        motion: &Motion,
        _outfit: &Loadout<TopdownTuning>,
        context: &MoveContext<'_>,
        report: &mut Report,
    ) {
        match context.around.level.view {
            View::Side => plane::drift(body, motion, context),
            View::Top => plane::travel(body, motion, context, report),
        }
    }

    fn settle(
        _state: &mut (),
        body: &mut Body,
        intent: &Intent,
        loadout: &Loadout<TopdownTuning>,
        context: &MoveContext<'_>,
        report: &mut Report,
    ) {
        let now = context.around.now;
        if context.around.level.view == View::Side {
            report.left_ground = report.stood;
            if report.stood {
                body.jump.leave_ground(now + 1);
            }
            return;
        }
        plane::settle(body, context, report);
        let (way, _) = intent.direction(0.0);
        let ran_off = report.left_ground && !report.jumped && way != DVec2::ZERO;
        if loadout.tuning.auto_jump && ran_off {
            body.jump.begin(now + 1, true);
            report.jumped = true;
        }
    }

    fn jumps_in(view: View) -> bool {
        // Who swims or flies jumps off nothing.
        view == View::Top
    }

    fn mode(_state: &(), body: &Body) -> &'static str {
        // In a side view nothing is ever stood on, and height is always 0.
        match body.floor {
            Some(_) => "ground",
            None if body.z == 0.0 && body.vel_z == 0.0 => "free",
            None => "air",
        }
    }
}

/// What acceleration and friction are multiplied by here.
fn friction(body: &Body, tuning: &TopdownTuning, around: &Surroundings<'_>) -> f64 {
    let under = match around.level.view {
        View::Side => around.air.surface,
        View::Top => match body.floor {
            Some(floor) => Some(around.air.surface.unwrap_or(floor.surface)),
            None => return tuning.air_friction,
        },
    };
    under.map_or(1.0, |surface| around.surface(surface).friction) * tuning.friction
}

/// Slack on the comparison of a speed with the limit, as a share: rounding alone would put a speed
/// at the limit above it.
const SLACK: f64 = 1e-6;

/// The next velocity of one who wants to go `way` (a unit vector or 0), with `amount` (0..=1) of full
/// speed, where friction is multiplied by `f`.
fn pace(vel: DVec2, way: DVec2, amount: f64, f: f64, t: &TopdownTuning, dt: f64) -> DVec2 {
    let most = t.max_speed * amount;
    let share = normalised_share((t.friction_gain * f / 60.0).min(1.0), dt);
    let mut lost = vel * share;
    let speed = vel.length();
    // What friction would take from the wanted direction it leaves, unless the body is too fast or
    // goes the other way.
    let along = way.dot(lost);
    if speed <= most * (1.0 + SLACK) && along >= 0.0 {
        lost -= way * along;
    }
    let gain = way * (most * t.accel_gain * f * t.accel_speed * dt);
    let sped = (vel + gain).clamp_length_max(speed.max(most));
    let mut next = sped - lost;
    if way == DVec2::ZERO {
        let stops = next.length_squared() < t.stop_speed * t.stop_speed;
        return if stops { DVec2::ZERO } else { next };
    }
    let least = way.dot(sped).min(most);
    let missing = least - way.dot(next);
    if missing > 0.0 {
        next += way * missing;
    }
    next
}
