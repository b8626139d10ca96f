//! How bodies leave the crest of a slope, and slide down one too steep to stand on.

use super::{Motion, MoveContext, motion::approach};
use crate::level::{Walk, walk_around};
use glam::DVec2;

/// When a body that walks has made the share `way` of its way, as a share of the tick, and its own
/// speed at that time. `mean` is its mean speed with everything that moves it, px/s.
#[cold]
pub(super) fn pace(motion: &Motion, tangent: DVec2, dt: f64, mean: f64, way: f64) -> (f64, f64) {
    let end = motion.velocity.dot(tangent);
    if motion.start == motion.velocity {
        return (way, end);
    }
    // Under steady acceleration, the last speed less the mean one is half of what the tick adds.
    let half = end - motion.displacement.dot(tangent) / dt;
    let first = mean - half;
    let root = (first * first + 4.0 * half * way * mean).max(0.0).sqrt();
    let share = 2.0 * way * mean / (first + root * mean.signum());
    let share = if share.is_finite() { share } else { way };
    let share = share.clamp(0.0, 1.0);
    (share, end + 2.0 * half * (share - 1.0))
}

/// Decides what a body does at the corner of a ledge. If it is so fast that its flight rises above
/// the rounded corner, it leaves the ground there. Otherwise it follows the corner.
#[cold]
pub(super) fn pass_ledge(
    walked: &mut Walk,
    tangent: DVec2,
    distance: f64,
    motion: &Motion,
    context: &MoveContext<'_>,
) {
    let MoveContext {
        shape,
        footing,
        around,
        ..
    } = context;
    let (scenery, rule) = (&context.scenery(), context.rule());
    let Some(left) = walked.ledge.take() else {
        return;
    };
    let mean = distance / around.dt;
    let (_, own) = pace(
        motion,
        tangent,
        around.dt,
        mean,
        1.0 - left / distance.abs(),
    );
    let speed = own + mean - motion.displacement.dot(tangent) / around.dt;
    let normal = walked.contact.touch;
    let reach = shape.reach(normal);
    let product = shape.half.x * shape.half.y;
    let radius = product * product / (reach * reach * reach);
    let pull = around.gravity * footing.gravity_scale * normal.y;
    if speed * speed > pull * radius {
        walked.standing = false;
        walked.rest = walked.contact.tangent() * left.copysign(distance);
        return;
    }
    let (at, on) = (walked.pos, walked.contact);
    *walked = walk_around(scenery, *shape, at, on, left.copysign(distance), rule);
}

/// The motion over `seconds` of a body that touches a slope with this unit normal, from its motion
/// without the slope. Unless that leads away from the slope, the body slides along it. Gravity then
/// adds no more to its fall than the fastest fall speed.
pub(super) fn along_slope(
    free: &Motion,
    normal: DVec2,
    context: &MoveContext<'_>,
    seconds: f64,
) -> Motion {
    let footing = context.footing;
    let fallen = free.pull * seconds;
    let end = DVec2::new(free.velocity.x, free.start.y - fallen);
    if end.dot(normal) >= 0.0 {
        return *free;
    }
    let tangent = DVec2::new(normal.y, -normal.x);
    let (from, to) = (free.start.dot(tangent), end.dot(tangent));
    let accel = (to - from) / seconds;
    let sinks = accel * tangent.y * context.up() < 0.0;
    let target = if sinks {
        // Something faster than that is not slowed down.
        let most = footing.max_fall_speed / tangent.y.abs();
        accel.signum() * most.max(from * accel.signum())
    } else {
        to
    };
    let along = approach(from, target, accel.abs(), seconds);
    Motion {
        start: tangent * from,
        displacement: tangent * along.distance,
        velocity: tangent * along.velocity,
        pull: -accel * tangent.y,
        ..*free
    }
}
