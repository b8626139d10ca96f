//! `topdown`: a character in a plane, with a height axis.
//!
//! After "Movement Physics of CrossCode". Acceleration reaches full speed quickly, and friction
//! only removes velocity that does not point in the wanted direction, so it never fights the
//! player.
//!
//! In a top view the plane is the ground and the feet have a height: the body jumps onto blocks and
//! falls off them. In a side view there is only the plane: the body swims, flies or climbs, without
//! gravity.

mod tuning;

pub use tuning::TopdownTuning;

use super::{motion::ticks_at_60_hz, *};

/// The `topdown` model.
#[derive(Clone, Debug, PartialEq)]
pub struct Topdown;

impl Model for Topdown {
    const MODES: &'static [Mode] = &[Mode::Ground, Mode::Air, Mode::Free];
    const VIEWS: &'static [View] = &[View::Side, View::Top];
    // A body that swims or flies has nothing to jump off.
    const JUMP_VIEWS: &'static [View] = &[View::Top];
    const MOVES: &'static [(&'static [Action], &'static str)] =
        &[(&[Action::Left, Action::Right, Action::Up, Action::Down], "walk")];
    const OUTLINE: [u8; 3] = [188, 242, 130];
    type State = WallState;
    type Tuning = TopdownTuning;

    fn sense(_state: &mut WallState, body: &mut Body, step: &Step<TopdownTuning>, pushed: bool, report: &mut Report) {
        if step.context.around.level.view == View::Top {
            plane::sense(body, step.context, pushed, report);
            return;
        }
        // A body that swims or flies never stands, and gravity does not act on it.
        body.turn_to(1.0);
        report.stood |= body.ground.take().is_some();
        body.sensed = true;
    }

    fn drive(
        state: &mut WallState,
        body: &mut Body,
        intent: &Intent,
        loadout: &Loadout<TopdownTuning>,
        around: &Surroundings,
        report: &mut Report,
    ) -> Motion {
        let tuning = &loadout.tuning;
        let (direction, amount) = intent.direction(0.0);
        if direction.x != 0.0 {
            body.facing = direction.x.signum();
        }
        let top = around.level.view == View::Top;
        if top {
            footing::try_jump(body, intent, &tuning.jump, around, report);
        }
        let friction = friction(body, tuning, around);
        let stride = Stride { direction, amount, friction };
        let mut velocity = stride.after(body.vel, around.dt, tuning);
        if let Some(wall) = state.wall
            && direction.dot(wall) < 0.0
        {
            velocity = along_wall(wall, body.vel, velocity, 60.0 * around.dt, move |vel| {
                stride.after(vel, 1.0 / 60.0, tuning)
            });
        }
        let plane = Motion { start: velocity, displacement: velocity * around.dt, velocity, ..Motion::default() };
        if !top {
            return plane;
        }
        let z = plane::rise_and_fall(body, intent, &tuning.jump, &loadout.footing, around);
        Motion { pull: loadout.footing.gravity_scale * around.gravity, rise: z.distance, vel_z: z.velocity, ..plane }
    }

    #[inline]
    fn travel(
        state: &mut WallState,
        body: &mut Body,
        motion: &Motion,
        step: &Step<TopdownTuning>,
        report: &mut Report,
    ) {
        match step.context.around.level.view {
            View::Side => plane::drift(body, motion, report.meets, step.context),
            View::Top => plane::travel(body, motion, step.context, report),
        }
        if body.vel == motion.velocity {
            state.wall = None;
            return;
        }
        state.wall = wall_of(body.vel - motion.velocity, step.context.around.dt);
    }

    fn settle(_state: &mut WallState, body: &mut Body, step: &Step<TopdownTuning>, report: &mut Report) {
        let context = step.context;
        let next = context.around.next();
        if context.around.level.view == View::Side {
            report.left_ground = report.stood;
            if report.stood {
                body.jump.leave_ground(next);
            }
            return;
        }
        plane::settle(body, context, report);
        let (direction, _) = step.intent.direction(0.0);
        let left = report.left_ground && !report.jumped && !report.turned;
        let ran_off = left && direction != DVec2::ZERO;
        if step.loadout.tuning.auto_jump && ran_off {
            body.jump.begin(next, true);
            report.jumped = true;
        }
    }

    fn division(_state: &WallState, body: &Body, context: &MoveContext) -> Division {
        match context.around.level.view {
            View::Side => Division::Supported,
            View::Top => Division::of_walker(body, context),
        }
    }

    fn check(state: &WallState, _loadout: &Loadout<TopdownTuning>, _saved: &SavedContext) -> Checked {
        state.check()
    }

    fn digest(state: &WallState, digest: &mut Digest) {
        state.digest(digest);
    }

    fn mode(_state: &WallState, body: &Body) -> Mode {
        // In a side view there is no floor, and the height is always 0.
        match body.floor {
            Some(_) => Mode::Ground,
            None if body.z == 0.0 && body.vel_z == 0.0 => Mode::Free,
            None => Mode::Air,
        }
    }
}

/// The multiplier for acceleration and friction where the body is.
fn friction(body: &Body, tuning: &TopdownTuning, around: &Surroundings) -> f64 {
    let under = match around.level.view {
        View::Side => around.air.surface,
        View::Top => match body.floor {
            Some(floor) => Some(around.floor_surface(floor)),
            None => return tuning.air_friction,
        },
    };
    under.map_or(1.0, |surface| around.surface(surface).friction) * tuning.friction
}

/// The normal of the wall that has changed a body's velocity by `lost` in a tick of `dt` seconds.
#[cold]
fn wall_of(lost: DVec2, dt: f64) -> Option<DVec2> {
    (!ticks_at_60_hz(dt)).then(|| lost.normalize_or_zero())
}

/// A body with more speed than this away from a wall does not slide along it, px/s.
const OFF_WALL: f64 = 1e-6;

/// The next velocity of a body that slides along a wall and would move at `free` without it.
///
/// The limit on the speed and the friction across the wanted direction also count velocity that the
/// wall then takes away. How much that is in one tick depends on the tick's length, so a published
/// step would slide at a different speed at each tick rate. Along the wall the body therefore takes
/// published steps of a 60th of a second: `ticks` of them, the last in part.
#[cold]
fn along_wall(wall: DVec2, vel: DVec2, free: DVec2, ticks: f64, step: impl Fn(DVec2) -> DVec2) -> DVec2 {
    if vel.dot(wall) > OFF_WALL {
        return free;
    }
    let along = wall.perp();
    let mut speed = vel.dot(along);
    let mut left = ticks;
    while left > 1e-9 {
        speed += (step(along * speed).dot(along) - speed) * left.min(1.0);
        left -= 1.0;
    }
    along * speed + wall * free.dot(wall)
}

/// Relative slack when comparing a speed with its limit, since rounding can lift it above the
/// limit.
const SLACK: f64 = 1e-6;

/// What changes a body's velocity.
#[derive(Clone, Copy)]
struct Stride {
    /// The wanted direction, a unit vector or 0.
    direction: DVec2,
    /// The wanted share of full speed, 0..=1.
    amount: f64,
    /// The multiplier for acceleration and friction.
    friction: f64,
}

impl Stride {
    /// The velocity that follows `vel` after `dt` seconds.
    #[inline(always)]
    fn after(self, vel: DVec2, dt: f64, t: &TopdownTuning) -> DVec2 {
        let Self { direction, amount, friction: f } = self;
        let most = t.max_speed * amount;
        let share = normalized_share((t.friction_gain * f / 60.0).min(1.0), dt);
        let mut lost = vel * share;
        let speed = vel.length();
        // Friction does not act in the wanted direction, unless the body is too fast or moves backward.
        let along = direction.dot(lost);
        if speed <= most * (1.0 + SLACK) && along >= 0.0 {
            lost -= direction * along;
        }
        let gain = direction * (most * t.accel_gain * f * t.accel_speed * dt);
        let sped = (vel + gain).clamp_length_max(speed.max(most));
        let mut next = sped - lost;
        if direction == DVec2::ZERO {
            let stops = next.length_squared() < t.stop_speed * t.stop_speed;
            return if stops { DVec2::ZERO } else { next };
        }
        let least = direction.dot(sped).min(most);
        let missing = least - direction.dot(next);
        if missing > 0.0 {
            next += direction * missing;
        }
        next
    }
}
