//! Standing, falling and landing in a top view, for every model that walks there.
//!
//! A body moves in the plane past what is higher than its feet; then its feet move up or down to
//! the highest floor under it. It stands on a block as long as any of it is above the block.

use super::footing::MoveContext;
use super::{
    Body, Footing, Intent, JumpTuning, Landing, Motion, Report, Support, Surroundings, jump,
    motion::Stretch,
};
use crate::geometry::TOUCH;
use crate::level::{Floor, slide};
use glam::DVec2;

/// Finds out what a body stands on, and whether something throws it up.
pub fn feel(body: &mut Body, context: &MoveContext<'_>, pushed: bool, report: &mut Report) {
    let around = context.around;
    // Who has been told to jump leaves the floor, however new it is to them.
    body.sensed |= report.jumped;
    body.ground = None;
    report.stood |= body.floor.is_some();
    if !body.sensed {
        body.sensed = true;
        let flew = body.floor.take().is_none();
        let floor = floor_below(body, context);
        if body.z <= floor.height + TOUCH && body.vel_z <= 0.0 {
            stand(body, floor);
            body.surface = Some(around.air.surface.unwrap_or(floor.surface));
            if flew {
                report.landed = Some(landing(floor, 0.0));
            }
            report.stood = true;
        } else if !flew {
            body.jump.leave_ground(around.now);
        }
    }
    if pushed && body.floor.is_some() && body.vel_z > 0.0 {
        body.floor = None;
        body.jump.leave_ground(around.now);
    }
    if body.floor.is_some() {
        body.vel_z = 0.0;
        report.carried += around.air.conveyor;
    }
}

fn floor_below(body: &Body, context: &MoveContext<'_>) -> Floor {
    let plain = context.around.level.plain;
    let scenery = &context.scenery;
    scenery.floor_below(context.shape, body.pos, body.z, plain)
}

fn stand(body: &mut Body, floor: Floor) {
    body.z = floor.height;
    body.vel_z = 0.0;
    body.floor = Some(floor);
    body.jump.land();
}

fn landing(floor: Floor, speed: f64) -> Landing {
    Landing {
        on: Support::Floor(floor),
        normal: DVec2::ZERO,
        speed,
    }
}

/// Motion in height of a tick: none on a floor; in the air the jump's hold, then gravity.
pub fn rise_and_fall(
    body: &mut Body,
    intent: &Intent,
    tuning: &JumpTuning,
    footing: &Footing,
    around: &Surroundings<'_>,
) -> Stretch {
    if body.floor.is_some() {
        return Stretch {
            distance: 0.0,
            velocity: 0.0,
            left: 0.0,
        };
    }
    let windows = body.windows;
    let (speed, held) = body.jump.hold(body.vel_z, intent, &windows, tuning, around);
    body.vel_z = speed;
    let gravity = around.gravity * footing.gravity_scale;
    jump::fall(speed, held, gravity, footing.max_fall_speed, around.dt)
}

/// Moves in the plane, then in height, and lands.
pub fn travel(body: &mut Body, motion: &Motion, context: &MoveContext<'_>, report: &mut Report) {
    drift(body, motion, context);
    if body.floor.is_some() {
        return;
    }
    let floor = floor_below(body, context);
    let (above, before) = (body.z - floor.height, body.vel_z);
    body.z += motion.rise;
    body.vel_z = motion.vel_z;
    if body.z > floor.height || body.vel_z > 0.0 {
        return;
    }
    let speed = landing_speed(above, before, floor.height - body.z, motion);
    stand(body, floor);
    if !report.stood {
        report.landed = Some(landing(floor, speed));
    }
}

/// The speed at a floor, not that which the body would have had `below` it by the end of the tick.
/// It was so far `above` the floor with the speed `before` when the tick began.
fn landing_speed(above: f64, before: f64, below: f64, motion: &Motion) -> f64 {
    let last = motion.vel_z * motion.vel_z;
    let squared = if before > 0.0 {
        // A jump's hold may have been part of the tick, but no limit on the fall.
        last - 2.0 * motion.pull * below
    } else {
        // The fall may have come to its limit below the floor.
        (before * before + 2.0 * motion.pull * above).min(last)
    };
    squared.max(0.0).sqrt()
}

/// Moves in the plane alone, past what is in the way.
pub fn drift(body: &mut Body, motion: &Motion, context: &MoveContext<'_>) {
    let around = context.around;
    let (blown, external) = around.blow(body.external, None);
    let mut displacement = motion.displacement + blown;
    if body.floor.is_some() {
        displacement += around.air.conveyor * around.dt;
    }
    let slid = slide(
        &context.scenery,
        context.shape,
        body.pos,
        displacement,
        |_, _| false,
    );
    body.pos = slid.pos;
    body.vel = slid.bumps.clip(motion.velocity);
    body.external = slid.bumps.clip(external);
}

/// Looks whether the floor is still there, and notes what became of one who stood.
pub fn settle(body: &mut Body, context: &MoveContext<'_>, report: &mut Report) {
    if body.floor.is_some() {
        let floor = floor_below(body, context);
        body.floor = (floor.height >= body.z - TOUCH).then_some(floor);
    }
    let Some(floor) = body.floor else {
        // What carried the body goes on to carry it for a while.
        body.external += report.carried;
        report.left_ground = report.stood;
        if report.stood && !report.jumped {
            body.jump.leave_ground(context.around.now + 1);
        }
        return;
    };
    let under = context.around.air.surface.unwrap_or(floor.surface);
    if body.surface != Some(under) {
        report.new_surface = Some(body.surface);
        body.surface = Some(under);
    }
}
