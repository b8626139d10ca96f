//! One tick of a vessel: its forces, its motion, and what happens to it on the way.

use super::contact::Manifold;
use super::hull::{Hull, Pose};
use super::sides::Sides;
use super::state::{Forces, VesselState};
use super::tuning::VesselTuning;
use super::velocity::RigidVelocity;
use crate::geometry::turn;
use crate::models::{Body, Impact, MoveContext};
use glam::DVec2;

/// The forces on a vessel in one tick.
pub(super) struct VesselStep<'a> {
    pub tuning: &'a VesselTuning,
    pub hull: &'a Hull,
    pub context: &'a MoveContext<'a>,
    /// Gravity, px/s².
    pub gravity: f64,
    /// Acceleration by the engine along the vessel's own up, px/s².
    pub thrust: f64,
    /// Angular acceleration by the pilot, rad/s².
    pub torque: f64,
    /// Share of tangential speed that a hard contact removes per tick on a surface of friction 1.
    pub friction: f64,
    /// The shares of the tick at which it begins and ends: 0 and 1, unless zones divide the tick.
    pub span: [f64; 2],
}

/// The outcome of a vessel's tick so far.
#[derive(Default)]
pub(super) struct StepResult {
    pub hardest: Option<Impact>,
    /// Whether every contact was slow.
    pub slow: bool,
    /// The contact that supports it best.
    pub ground: Option<Manifold>,
    pub touched: bool,
    /// Whether it touched anything in the last part.
    pub touching: bool,
    /// Whether friction held it at any slow contact.
    pub grips: bool,
    /// Whether it touched anything that moves.
    pub carried: bool,
    /// Where anything touched it, if there are platforms.
    pub sides: Sides,
    /// How often the tick may still be split at an impact.
    pub splits: u32,
    /// Remaining external velocity, px/s.
    pub external: DVec2,
}

/// Below this speed, px/s and rad/s, a vessel counts as not moving.
pub(super) const STILL: (f64, f64) = (1e-2, 1e-3);

/// Maximum number of parts of a tick.
const MOST_PARTS: f64 = 8192.0;

/// A way out of up to this length, plus the distance that gravity covers in a part of a tick,
/// cannot lead deep into anything else, px.
const HARMLESS: f64 = 0.2;

/// Pose and velocity of a vessel at one moment of the tick.
#[derive(Clone, Copy)]
pub(super) struct MotionState {
    pub pose: Pose,
    pub angle: f64,
    pub speed: RigidVelocity,
}

impl MotionState {
    pub fn of(body: &Body) -> Self {
        Self {
            pose: Pose { pos: body.pos, turn: turn(body.angle) },
            angle: body.angle,
            speed: RigidVelocity { vel: body.vel, spin: body.spin },
        }
    }

    pub fn write(&self, body: &mut Body) {
        (body.pos, body.angle) = (self.pose.pos, self.angle);
        (body.vel, body.spin) = (self.speed.vel, self.speed.spin);
    }

    /// Whether the vessel is slower than [`STILL`].
    pub fn is_still(&self) -> bool {
        self.speed.vel.length_squared() < STILL.0 * STILL.0 && self.speed.spin.abs() < STILL.1
    }
}

impl VesselStep<'_> {
    /// Whether nothing has changed since the vessel stood still through the previous tick. Then it
    /// also stands still in this one, since every calculation would repeat exactly.
    pub fn keeps_standing(&self, body: &Body, state: &VesselState) -> bool {
        state.stood_under == Some(self.forces())
            && body.vel == DVec2::ZERO
            && body.spin == 0.0
            && body.external == DVec2::ZERO
    }

    /// The forces, for comparison with those of another tick.
    pub fn forces(&self) -> Forces {
        Forces::new(self.gravity, self.thrust, self.torque)
    }

    /// Into how many parts the tick is split, so that the vessel cannot tunnel through anything.
    pub fn parts(&self, body: &Body, drift: DVec2) -> f64 {
        let around = self.context.around;
        let dt = around.dt;
        let speed = body.vel.length() * dt + drift.length();
        let pull = 0.5 * (self.gravity.abs() + self.thrust) * dt * dt;
        let turn = (body.spin.abs() * dt + 0.5 * self.torque.abs() * dt * dt) * self.hull.radius;
        let steps = around.transit.steps.iter();
        let platforms = steps.map(|step| step.length()).fold(0.0, f64::max);
        let distance = speed + pull + turn + platforms;
        (distance / (0.5 * self.hull.least)).ceil().clamp(1.0, MOST_PARTS)
    }

    /// The state after free motion for `dt` seconds. External velocity adds `drift`, px.
    pub fn fly(&self, from: &MotionState, dt: f64, drift: DVec2) -> MotionState {
        let turned = from.speed.spin * dt + 0.5 * self.torque * dt * dt;
        if turned != 0.0 && self.thrust != 0.0 {
            return self.fly_turning(from, dt, drift);
        }
        let accel = self.accel(&from.pose);
        let angle = from.angle + turned;
        MotionState {
            pose: Pose {
                pos: from.pose.pos + from.speed.vel * dt + accel * (0.5 * dt * dt) + drift,
                turn: if turned == 0.0 { from.pose.turn } else { turn(angle) },
            },
            angle,
            speed: RigidVelocity { vel: from.speed.vel + accel * dt, spin: from.speed.spin + self.torque * dt },
        }
    }

    /// [`fly`](Self::fly) for a vessel whose thrust turns with it. The direction of the thrust is
    /// integrated by Simpson's rule; at half a turn per second and 30 ticks per second, that is
    /// off by less than a millionth of the thrust.
    #[cold]
    fn fly_turning(&self, from: &MotionState, dt: f64, drift: DVec2) -> MotionState {
        let MotionState { pose, angle, speed } = *from;
        let half = 0.5 * dt;
        let turned = |t: f64| turn(angle + speed.spin * t + 0.5 * self.torque * t * t);
        let (middle, end) = (turned(half), turned(dt));
        let up = |turn: DVec2| Pose { turn, ..pose }.up();
        let (before, between, after) = (pose.up(), up(middle), up(end));
        let fall = DVec2::new(0.0, -self.gravity);
        let gained = (before + between * 4.0 + after) * (self.thrust * dt / 6.0);
        let moved = (before + between * 2.0) * (self.thrust * dt * dt / 6.0);
        MotionState {
            pose: Pose { pos: pose.pos + speed.vel * dt + moved + fall * (0.5 * dt * dt) + drift, turn: end },
            angle: angle + speed.spin * dt + 0.5 * self.torque * dt * dt,
            speed: RigidVelocity { vel: speed.vel + gained + fall * dt, spin: speed.spin + self.torque * dt },
        }
    }

    /// Acceleration by gravity and the engine in this pose, px/s².
    pub fn accel(&self, pose: &Pose) -> DVec2 {
        pose.up() * self.thrust - DVec2::new(0.0, self.gravity)
    }

    /// Velocity of the touched surface, px/s.
    pub fn carrier(&self, contact: &Manifold) -> DVec2 {
        let around = self.context.around;
        let step = |p: u16| around.transit.steps[p as usize] * around.hz;
        contact.platform.map_or(DVec2::ZERO, step) + around.air.conveyor
    }

    /// Approach speed of a contact, px/s.
    pub fn approach(&self, speed: &RigidVelocity, contact: &Manifold) -> f64 {
        -(speed.at(contact.at) - self.carrier(contact)).dot(contact.normal)
    }

    /// The longest way out, px, that cannot lead deep into anything else: slightly more than
    /// gravity and the engine cover in `dt` seconds, which the way out takes back.
    pub fn harmless(&self, dt: f64) -> f64 {
        HARMLESS + 0.5 * (self.gravity.abs() + self.thrust) * dt * dt
    }
}
