//! What a model contributes while its bodies travel.

use super::*;

/// How a model steers a body through a tick in which it meets something.
pub trait Steering {
    /// Whether the motion stops at this hit, with the body's center `at`, because the body may grab
    /// it.
    fn may_grab(&self, _hit: &Hit, _at: DVec2, _context: &MoveContext) -> bool {
        false
    }

    /// Whether [`resume`](Self::resume) may be asked. If not, the motion of the whole tick counts,
    /// whatever the body meets.
    fn resumes(&self) -> bool;

    /// Whether the keys lead a body away from a surface with this normal that it has just run into.
    fn leads_away(&self, _normal: DVec2) -> bool {
        false
    }

    /// When a body that walks has come to a stop because its keys turn it around, s from now.
    fn stops(&self, _body: &Body, _contact: Contact, _around: &Surroundings) -> Option<f64> {
        None
    }

    /// Changes a body that has just landed within the tick.
    fn landed(&self, _body: &mut Body) {}

    /// The motion of the rest of a tick, which lasts `around.dt`, for a body whose velocity or
    /// ground has changed within the tick. A jump keeps its speed for the first `held` seconds.
    fn resume(&self, body: &Body, around: &Surroundings, held: f64) -> Motion;
}

/// Steering of bodies whose motion counts for the whole tick.
#[derive(Clone, Copy, Debug)]
pub struct Unsteered;

impl Steering for Unsteered {
    fn resumes(&self) -> bool {
        false
    }

    fn resume(&self, _body: &Body, _around: &Surroundings, _held: f64) -> Motion {
        Motion::default()
    }
}

/// Steering of a model whose keys count once per tick: the rest of a tick is fall, or an even
/// motion along the ground.
#[derive(Clone, Copy, Debug)]
pub struct Coasting<'a>(pub &'a Footing);

impl Steering for Coasting<'_> {
    fn resumes(&self) -> bool {
        true
    }

    #[cold]
    fn resume(&self, body: &Body, around: &Surroundings, held: f64) -> Motion {
        if body.ground.is_some() {
            return Motion::steady(body.vel, around.dt);
        }
        let y = falling(body, self.0, around, held);
        Motion {
            start: body.vel,
            displacement: DVec2::new(body.vel.x * around.dt, y.distance),
            velocity: DVec2::new(body.vel.x, y.velocity),
            pull: around.gravity * self.0.gravity_scale,
            ..Motion::default()
        }
    }
}

/// Vertical motion of a body that only gravity moves, after a jump has kept its speed for the first `held` seconds.
pub fn falling(body: &Body, footing: &Footing, around: &Surroundings, held: f64) -> Stretch {
    let up = footing.up(around.gravity);
    let pull = around.gravity * footing.gravity_scale * up;
    let fall = jump::fall(body.vel.y * up, held.min(around.dt), pull, footing.max_fall_speed, around.dt);
    fall.along(up)
}

/// The motion over `seconds` of a body that touches a slope with this unit normal, which moves along it with this
/// speed, px/s, from its motion without the slope. Unless that leads away from the slope, the body slides along it.
/// Gravity then adds no more to its fall than the fastest fall speed.
pub fn along_slope(free: &Motion, (normal, speed): (DVec2, f64), context: &MoveContext, seconds: f64) -> Motion {
    let footing = context.footing;
    let fallen = free.pull * seconds;
    let end = DVec2::new(free.velocity.x, free.start.y - fallen);
    if end.dot(normal) >= speed {
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
    let carried = normal * speed;
    Motion {
        start: tangent * from + carried,
        displacement: tangent * along.distance + carried * seconds,
        velocity: tangent * along.velocity + carried,
        pull: -accel * tangent.y,
        ..*free
    }
}

/// The motion over `seconds` of a body that touches a vertical wall with this unit normal, which moves along it with
/// this speed, px/s, from its motion without the wall. Unless that leads away from the wall, the body slides along it.
pub fn along_wall(free: &Motion, (normal, speed): (DVec2, f64), seconds: f64) -> Motion {
    if free.displacement.dot(normal) >= speed * seconds {
        return *free;
    }
    let along = |v: DVec2, least: f64| v + normal * (least - v.dot(normal));
    Motion {
        start: along(free.start, speed),
        displacement: along(free.displacement, speed * seconds),
        velocity: along(free.velocity, speed),
        ..*free
    }
}
