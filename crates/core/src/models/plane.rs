//! Standing, falling and landing in a top view, for all models that walk there.
//!
//! A body first moves in the plane, around everything that is higher than its feet. Then its feet
//! move up or down to the highest floor below it. It stands on a block as long as any part of it is
//! above the block.
//!
//! Under inverted gravity nothing holds a body down, and there is no ceiling: it leaves its floor and
//! rises, up to its fall speed limit, until gravity turns back.

use super::{footing::jump_and_fall, *};
use crate::level::slide_on;

/// Finds the floor under a body, and checks whether a push throws the body off it.
pub fn sense(body: &mut Body, context: &MoveContext, pushed: bool, report: &mut Report) {
    let around = context.around;
    // A jump order takes effect even if the body has not sensed its floor yet.
    body.sensed |= context.intent.has_ordered_jump();
    body.ground = None;
    report.stood |= body.floor.is_some();
    if body.inverted != (context.up() < 0.0) {
        turn_over(body, context, report);
    }
    if !body.sensed {
        body.sensed = true;
        let flew = body.floor.take().is_none();
        let floor = floor_below(body, context);
        let thrown = body.vel_z > 0.0 || is_thrown(body, context);
        if body.z <= floor.height + TOUCH && !thrown && !body.inverted {
            stand(body, floor);
            body.surface = Some(around.floor_surface(floor));
            if flew {
                report.details_mut().landed = Some(landing(floor, 0.0, body.pos));
            }
            report.stood = true;
        } else if !flew {
            body.jump.leave_ground(around.now);
        }
    }
    if pushed && body.floor.is_some() && (body.vel_z > 0.0 || is_thrown(body, context)) {
        body.floor = None;
        body.jump.leave_ground(around.now);
    }
    if body.floor.is_some() {
        (body.vel_z, body.external_z) = (0.0, 0.0);
        report.carried += around.air.conveyor;
    }
}

/// Whether external velocity throws a body off its floor: as in a side view, out of the reach of the probe.
fn is_thrown(body: &Body, context: &MoveContext) -> bool {
    body.external_z > 0.0 && body.external_z > context.footing.least_throw(context.around.gravity)
}

/// Takes a body off its floor when gravity has turned upward. A body that rises falls again when
/// gravity has turned back.
#[cold]
pub fn turn_over(body: &mut Body, context: &MoveContext, report: &mut Report) {
    body.turn_to(context.up());
    body.floor = None;
    report.turned = true;
}

fn floor_below(body: &Body, context: &MoveContext) -> Floor {
    context.scenery().floor_below(context.shape, body.pos, body.z)
}

/// Makes a body stand on a floor.
pub fn stand(body: &mut Body, floor: Floor) {
    body.z = floor.height;
    (body.vel_z, body.external_z) = (0.0, 0.0);
    body.floor = Some(floor);
    body.jump.land();
}

/// A landing on a floor.
pub fn landing(floor: Floor, speed: f64, at: DVec2) -> Landing {
    Landing { on: Support::Floor(floor), normal: DVec2::ZERO, speed, at }
}

/// Vertical motion of a tick: none on a floor; in the air, the jump's hold time and then gravity.
pub fn rise_and_fall(
    body: &mut Body,
    intent: &Intent,
    tuning: &JumpTuning,
    footing: &Footing,
    around: &Surroundings,
) -> Stretch {
    if body.floor.is_some() {
        return Stretch { distance: 0.0, velocity: 0.0, left: 0.0 };
    }
    let (speed, stretch) = jump_and_fall(body, body.vel_z, intent, tuning, footing, around);
    body.vel_z = speed;
    stretch
}

/// Moves in the plane, then in height, and lands.
#[inline]
pub fn travel(body: &mut Body, motion: &Motion, context: &MoveContext, report: &mut Report) {
    if body.floor.is_some() {
        drift(body, motion, report.meets, context);
    } else {
        travel_in_air(body, motion, context, report);
    }
}

fn travel_in_air(body: &mut Body, motion: &Motion, context: &MoveContext, report: &mut Report) {
    if body.external_z != 0.0 {
        travel_pushed(body, motion, context, report);
        return;
    }
    if body.vel_z > 0.0 && motion.vel_z <= 0.0 {
        pass_top(body, motion, context, report);
        return;
    }
    drift(body, motion, report.meets, context);
    let floor = floor_below(body, context);
    fall(body, floor, motion, context, report);
}

/// Moves a body in the tick in which it passes the top of its jump. It gets onto whatever is not
/// higher than that, although its feet are lower at both ends of the tick.
#[cold]
fn pass_top(body: &mut Body, motion: &Motion, context: &MoveContext, report: &mut Report) {
    let height = |speed: f64| 0.5 * speed * speed / motion.pull.max(f64::MIN_POSITIVE);
    // A held jump only makes the first of these too low, and a limited fall only the second.
    let before = body.z + height(body.vel_z);
    let after = body.z + motion.rise + height(motion.vel_z);
    let top = before.max(after);
    let floor = floor_passed(body, top, motion, context, report);
    fall(body, floor, motion, context, report);
}

/// Moves a body in the plane, onto whatever is not higher than `top`. Returns the floor below that.
fn floor_passed(body: &mut Body, top: f64, motion: &Motion, context: &MoveContext, report: &Report) -> Floor {
    let there = MoveContext { z: top, ..*context };
    drift(body, motion, report.meets, &there);
    there.scenery().floor_below(context.shape, body.pos, top)
}

/// Moves a body in the air with external velocity that points up or down. That adds to its fall and its jump,
/// and decays.
#[cold]
fn travel_pushed(body: &mut Body, motion: &Motion, context: &MoveContext, report: &mut Report) {
    let (around, pull, up) = (context.around, motion.pull, context.up());
    let (from, start, external) = (body.z, body.vel_z, body.external_z);
    // What gravity has not changed in a jump is due to the key.
    let keyed = body.jump.rising() && pull != 0.0;
    let held = if keyed { around.dt - (start - motion.vel_z) / pull } else { 0.0 }.clamp(0.0, around.dt);
    let path = |time: f64| {
        let most = context.footing.max_fall_speed;
        let own = jump::fall(start * up, held.min(time), pull * up, most, time).along(up);
        let decay = around.lasting(time).decay();
        (from + own.distance + external * decay.seconds, own.velocity + external * decay.kept)
    };
    let (lift, kept) = around.drift_z(external);
    let (end, speed) = (from + motion.rise + lift, motion.vel_z + kept);
    // It gets onto whatever is not higher than the top of its path.
    let passes = start + external > 0.0 && speed <= 0.0;
    let summit = if passes { halve(0.0, around.dt, |time| path(time).1 > 0.0) } else { 0.0 };
    let top = if passes { path(summit).0.max(from) } else { from };
    let floor = floor_passed(body, top, motion, context, report);
    (body.z, body.vel_z, body.external_z) = (end, motion.vel_z, kept);
    if end > floor.height {
        return;
    }
    if speed > 0.0 || pull < 0.0 {
        // The floor takes what pushes the body down, and the body rises by its own velocity.
        (body.z, body.vel_z, body.external_z) = (floor.height, body.vel_z.max(0.0), kept.max(0.0));
        return;
    }
    let landed = halve(summit, around.dt, |time| path(time).0 > floor.height);
    stand(body, floor);
    if !report.stood {
        report.details_mut().landed = Some(landing(floor, (-path(landed).1).max(0.0), body.pos));
    }
}

/// Moves a body in height, and lands it on `floor` if it gets there.
fn fall(body: &mut Body, floor: Floor, motion: &Motion, context: &MoveContext, report: &mut Report) {
    if motion.pull < 0.0 {
        rise_off(body, floor, motion, context);
        return;
    }
    let (above, before) = (body.z - floor.height, body.vel_z);
    body.z += motion.rise;
    body.vel_z = motion.vel_z;
    if body.z > floor.height || body.vel_z > 0.0 {
        return;
    }
    let speed = landing_speed(above, before, floor.height - body.z, motion);
    stand(body, floor);
    if !report.stood {
        report.details_mut().landed = Some(landing(floor, speed, body.pos));
    }
}

/// Moves a body in height under inverted gravity. If it still sinks, a floor stops it.
#[cold]
fn rise_off(body: &mut Body, floor: Floor, motion: &Motion, context: &MoveContext) {
    let (lift, dt) = (-motion.pull, context.around.dt);
    let squared = body.vel_z * body.vel_z - 2.0 * lift * (body.z - floor.height);
    let time = (-body.vel_z - squared.max(0.0).sqrt()) / lift;
    if body.vel_z >= 0.0 || squared <= 0.0 || time >= dt {
        body.z += motion.rise;
        body.vel_z = motion.vel_z;
        return;
    }
    let most = context.footing.max_fall_speed;
    let rise = jump::fall(0.0, 0.0, lift, most, dt - time.max(0.0));
    body.z = floor.height - rise.distance;
    body.vel_z = -rise.velocity;
}

/// The speed at which a body reaches a floor. It began the tick `above` px over the floor with
/// upward speed `before`, and without the floor would end it `below` px under the floor.
fn landing_speed(above: f64, before: f64, below: f64, motion: &Motion) -> f64 {
    let last = motion.vel_z * motion.vel_z;
    let squared = if before > 0.0 {
        // The hold time of a jump may have been part of the tick, but the fall speed limit was not.
        last - 2.0 * motion.pull * below
    } else {
        // The fall may have reached its speed limit below the floor.
        (before * before + 2.0 * motion.pull * above).min(last)
    };
    squared.max(0.0).sqrt()
}

/// Moves in the plane only, sliding along obstacles.
pub fn drift(body: &mut Body, motion: &Motion, meets: bool, context: &MoveContext) {
    let around = context.around;
    let (drift, external) = around.drift(body.external, None);
    let mut displacement = motion.displacement + drift;
    if body.floor.is_some() {
        displacement += around.air.conveyor * around.dt;
    }
    let scenery = &context.scenery();
    if !scenery.has_movers() {
        let (shape, from) = (context.shape, body.pos);
        let Some(hit) = scenery.sweep(shape, from, displacement) else {
            body.pos += displacement;
            (body.vel, body.external) = (motion.velocity, external);
            return;
        };
        let slid = slide_on(scenery, shape, from, displacement, hit, |_, _| false);
        body.pos = slid.pos;
        body.vel = slid.bumps.clip(motion.velocity);
        body.external = slid.bumps.clip(external);
        return;
    }
    (body.vel, body.external) = (motion.velocity, external);
    let free = FreeMotion { motion, rest: displacement, left: 1.0 };
    let slid = meeting::slide(body.pos, &free, meets, context, |_, _| false);
    body.pos = slid.pos;
    meeting::deflect(body, &slid.bumps, &free, false, context);
}

/// Checks whether the floor is still there, and reports take-offs and changes of surface.
pub fn settle(body: &mut Body, context: &MoveContext, report: &mut Report) {
    if body.floor.is_some() {
        let floor = floor_below(body, context);
        body.floor = (floor.height >= body.z - TOUCH).then_some(floor);
    }
    let Some(floor) = body.floor else {
        // The velocity of a platform becomes external velocity when the body leaves it.
        body.external += report.carried;
        report.left_ground = report.stood;
        if report.stood && !report.jumped && !report.turned {
            body.jump.leave_ground(context.around.next());
        }
        return;
    };
    report.note_surface(body, context.around.floor_surface(floor));
}
