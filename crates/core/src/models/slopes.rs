//! How bodies slide down slopes that are too steep to stand on.

use super::{Motion, MoveContext, motion::approach};
use glam::DVec2;

/// The motion over `seconds` of a body that touches a slope with this unit normal, from its motion
/// without the slope. Unless that leads away from the slope, the body slides along it. Gravity then
/// adds no more to its fall than the fastest fall speed.
pub(super) fn along_slope(free: &Motion, normal: DVec2, context: &MoveContext<'_>, seconds: f64) -> Motion {
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
