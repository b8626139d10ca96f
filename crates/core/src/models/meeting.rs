//! Bodies that meet moving platforms on their way through a tick.
//!
//! A body that nothing carries meets each platform where it is at that moment, so that when, where
//! and how fast it is hit does not depend on the tick rate. Bodies that stand when the tick begins
//! find the platforms at their places at its end; see [`riding`](super::riding).

use super::{riding::shift, *};
use crate::level::{MovingHit, slide as slide_at_end};

/// The airborne part of a tick.
pub struct FreeMotion<'a> {
    /// The motion of the whole tick.
    pub motion: &'a Motion,
    /// Remaining displacement of the tick, px.
    pub rest: DVec2,
    /// Remaining share of the tick.
    pub left: f64,
}

/// The part of a tick that lasts this share of these surroundings.
pub fn span(around: &Surroundings, share: f64) -> TickSpan {
    let length = share * around.dt * around.pace;
    TickSpan { left: length + around.after * around.pace, length }
}

/// Slides along what is in the way. `stop` may end the motion at a hit, given the center as what was
/// hit carries it until the end of the tick.
#[inline]
pub fn slide(
    from: DVec2,
    free: &FreeMotion,
    meets: bool,
    context: &MoveContext,
    stop: impl FnMut(&Hit, DVec2) -> bool,
) -> Slide {
    let (scenery, shape, around) = (&context.scenery(), context.shape, context.around);
    if meets && scenery.meets_platforms(shape, from, free.rest) {
        return slide_in_tick(scenery, shape, from, free.rest, span(around, free.left), stop);
    }
    let mut slid = slide_at_end(scenery, shape, from, free.rest, stop);
    if scenery.has_movers() {
        slid.bumps.note_platforms(scenery);
    }
    slid
}

/// Removes the velocity into what the body hit, relative to the platforms among it.
#[inline]
pub fn deflect(body: &mut Body, bumps: &Bumps, free: &FreeMotion, throws: bool, context: &MoveContext) {
    if bumps.on_platform() {
        deflect_off_platforms(body, bumps, free, throws, context.around.pace);
    } else {
        body.vel = bumps.clip(body.vel);
        body.external = bumps.clip(body.external);
    }
}

/// Each hit changes the velocity of its moment; what the motion adds later comes on top.
#[cold]
fn deflect_off_platforms(body: &mut Body, bumps: &Bumps, free: &FreeMotion, throws: bool, per_second: f64) {
    let Motion { start, velocity, .. } = *free.motion;
    let mut change = DVec2::ZERO;
    for hit in bumps.among_platforms() {
        let then = start.lerp(velocity, 1.0 - free.left * (1.0 - hit.time)) + change;
        let (vel, external) = bounce(then, body.external, &hit, throws, per_second);
        change += vel - then;
        body.external = external;
    }
    body.vel = velocity + change;
    for hit in bumps.among_platforms() {
        (body.vel, body.external) = bounce(body.vel, body.external, &hit, throws, per_second);
    }
    // Between surfaces that close in on it, nothing is left.
    let stuck = |v: DVec2, hit: &MovingHit| v.dot(hit.normal) < hit.pace.min(0.0) * per_second - 1e-6;
    for v in [&mut body.vel, &mut body.external] {
        if bumps.among_platforms().any(|hit| stuck(*v, &hit)) {
            *v = DVec2::ZERO;
        }
    }
}

/// Velocity and external velocity after a hit: their sum does not lead into the surface. A surface
/// that recedes leaves the body its own speed; one that comes and `throws` gives it that speed.
fn bounce(vel: DVec2, external: DVec2, hit: &MovingHit, throws: bool, per_second: f64) -> (DVec2, DVec2) {
    let (normal, speed) = (hit.normal, hit.pace * per_second);
    let raised = |v: DVec2, least: f64| v + normal * (least - v.dot(normal)).max(0.0);
    let recedes = speed.min(0.0);
    let vel = raised(vel, recedes);
    let external = raised(external, recedes - vel.dot(normal).min(0.0));
    if !throws {
        return (vel, external);
    }
    (raised(vel, speed - external.dot(normal)), external)
}

/// Velocity and external velocity of a body after it ran into all of this in a tick, from its velocities before. The
/// last surface moves along its normal with this speed, px/s.
#[cold]
pub fn rebound(
    bumps: &Bumps,
    last: &Hit,
    speed: f64,
    (mut vel, mut external): (DVec2, DVec2),
    around: &Surroundings,
) -> (DVec2, DVec2) {
    let last = MovingHit { normal: last.normal, pace: speed / around.pace, time: 1.0 };
    for hit in bumps.among_platforms().chain([last]) {
        (vel, external) = bounce(vel, external, &hit, true, around.pace);
    }
    let stuck = |v: DVec2, hit: &MovingHit| v.dot(hit.normal) < hit.pace.min(0.0) * around.pace - 1e-6;
    for v in [&mut vel, &mut external] {
        if bumps.among_platforms().chain([last]).any(|hit| stuck(*v, &hit)) {
            *v = DVec2::ZERO;
        }
    }
    (vel, external)
}

/// How far what the body hit moves until the end of the tick, px, when this share of its motion's time
/// is `left`.
pub fn carried(hit: &Hit, left: f64, meets: bool, context: &MoveContext) -> DVec2 {
    let around = context.around;
    if !meets {
        return DVec2::ZERO;
    }
    context.scenery().step_under(hit.feature) * ((left * around.dt + around.after) * around.pace)
}

/// Moves a body that has landed in the middle of a tick along with what it stands on or clings to.
pub fn board(body: &mut Body, feature: Feature, carry: DVec2, context: &MoveContext) {
    let platform = context.scenery().edge(feature.edge()).platform;
    if let Some(platform) = platform.filter(|_| carry != DVec2::ZERO) {
        shift(body, carry, platform, context);
    }
}
