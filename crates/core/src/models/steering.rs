//! What a model contributes while its bodies travel.

use super::{Body, Footing, Motion, MoveContext, Surroundings, jump, motion::Stretch};
use crate::level::Hit;
use glam::DVec2;

/// How a model steers a body through a tick in which it meets something.
pub trait Steering {
    /// Whether the motion stops at this hit, with the body's center `at`, because the body may grab
    /// it.
    fn may_grab(&self, _hit: &Hit, _at: DVec2, _context: &MoveContext<'_>) -> bool {
        false
    }

    /// Whether [`resume`](Self::resume) may be asked. If not, the motion of the whole tick counts,
    /// whatever the body meets.
    fn resumes(&self) -> bool;

    /// The motion of the rest of a tick, which lasts `around.dt`, for a body whose velocity or
    /// ground has changed within the tick.
    fn resume(&self, body: &Body, around: &Surroundings<'_>) -> Motion;
}

/// Steering of bodies whose motion counts for the whole tick.
#[derive(Clone, Copy, Debug)]
pub struct Unsteered;

impl Steering for Unsteered {
    fn resumes(&self) -> bool {
        false
    }

    fn resume(&self, _body: &Body, _around: &Surroundings<'_>) -> Motion {
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
    fn resume(&self, body: &Body, around: &Surroundings<'_>) -> Motion {
        if body.ground.is_some() {
            return Motion::steady(body.vel, around.dt);
        }
        let y = falling(body, self.0, around);
        Motion {
            start: body.vel,
            displacement: DVec2::new(body.vel.x * around.dt, y.distance),
            velocity: DVec2::new(body.vel.x, y.velocity),
            pull: around.gravity * self.0.gravity_scale,
            ..Motion::default()
        }
    }
}

/// Vertical motion of a body that only gravity moves.
pub fn falling(body: &Body, footing: &Footing, around: &Surroundings<'_>) -> Stretch {
    let up = footing.up(around.gravity);
    let pull = around.gravity * footing.gravity_scale * up;
    let fall = jump::fall(body.vel.y * up, 0.0, pull, footing.max_fall_speed, around.dt);
    fall.along(up)
}
