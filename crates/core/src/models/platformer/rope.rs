//! Motion on a rope, in steps short enough that its path does not depend on the tick rate.
//!
//! Positions are relative to the tip of the hook, so a moving anchor is at rest. While the rope is
//! taut, the body moves around the tip, and the rope takes the part of its velocity away from the
//! tip. Each step conserves energy exactly if the rope does not shorten: the change of speed is the
//! work of the forces along the chord. So a free swing neither gains nor loses height.

use super::{
    model::{PlatformerSteering, air_drift},
    *,
};
use crate::models::crossing::may_cross;

/// The longest step on a rope, as steps per second.
pub const STEPS: f64 = 240.0;

/// How often the angle of a step is refined; each time gains about three digits.
const MOST_REFINED: usize = 12;

/// A body on its rope.
#[derive(Clone, Copy)]
struct Bob {
    /// Position of the body, from the tip, px.
    at: DVec2,
    /// Velocity of the body, px/s.
    velocity: DVec2,
}

/// What moves a body in the air during a tick, apart from the rope.
#[derive(Clone, Copy)]
struct AirForces<'a> {
    tuning: &'a PlatformerTuning,
    /// The direction key that steers in the air; `None` if `steady` is the horizontal acceleration.
    side: Option<f64>,
    /// Horizontal acceleration of a body that runs, px/s².
    steady: f64,
    /// Downward acceleration, px/s².
    pull: f64,
    /// Fall speed above which gravity adds nothing, px/s.
    max_fall_speed: f64,
    /// Vertical speed of a jump, px/s, and the time in the tick until which the jump holds it, s.
    jump: (f64, f64),
}

impl AirForces<'_> {
    /// The acceleration at a time of the tick, for a step of `dt` seconds; `soft` is the speed up
    /// to which keys steer. A jump sets the velocity.
    fn act(&self, velocity: &mut DVec2, time: f64, soft: f64, dt: f64) -> DVec2 {
        let x = self.side.map_or(self.steady, |side| {
            (air_drift(velocity.x, side, soft, self.tuning, dt).velocity - velocity.x) / dt
        });
        if self.holds(time, dt) {
            velocity.y = self.jump.0;
            return DVec2::new(x, 0.0);
        }
        let down = -self.pull.signum();
        let falling = velocity.y * down;
        let most = self.max_fall_speed.max(falling);
        let faster = approach(falling, most, self.pull.abs(), dt).velocity;
        DVec2::new(x, (faster - falling) * down / dt)
    }

    /// Displacement and velocity from one time of the tick to another, without a rope.
    fn free(&self, velocity: DVec2, from: f64, to: f64) -> Bob {
        let start = Bob { at: DVec2::ZERO, velocity };
        let soft = self.tuning.air_speed_soft;
        let step = |bob: Bob, accel: DVec2, dt: f64| Bob {
            at: bob.at + (bob.velocity + accel * (0.5 * dt)) * dt,
            velocity: bob.velocity + accel * dt,
        };
        self.in_steps(start, from, to - from, soft, (|bob| bob, step))
    }

    /// Motion on a rope from one time of the tick to another.
    fn swing(&self, bob: Bob, rope: &Rope, from: f64, to: f64) -> Bob {
        let soft = self.tuning.air_speed_soft_hooked;
        self.in_steps(
            bob,
            from,
            to - from,
            soft,
            (|bob| rope.tighten(bob), |bob, accel, dt| rope.advance(bob, accel, dt)),
        )
    }

    /// Each step begins with what the jump key and a rope do to the velocity, as a tick does.
    fn in_steps(
        &self,
        mut bob: Bob,
        from: f64,
        seconds: f64,
        soft: f64,
        (begin, step): (impl Fn(Bob) -> Bob, impl Fn(Bob, DVec2, f64) -> Bob),
    ) -> Bob {
        let count = (seconds * STEPS - 1e-6).ceil().max(1.0);
        let dt = seconds / count;
        if dt <= 0.0 {
            return bob;
        }
        for i in 0..count as u32 {
            let time = from + f64::from(i) * dt;
            if self.holds(time, dt) {
                bob.velocity.y = self.jump.0;
            }
            bob = begin(bob);
            let accel = self.act(&mut bob.velocity, time, soft, dt);
            bob = step(bob, accel, dt);
        }
        bob
    }

    /// Whether a jump keeps its speed in a step.
    fn holds(&self, time: f64, dt: f64) -> bool {
        time + 0.5 * dt < self.jump.1
    }
}

/// A rope in one tick.
#[derive(Clone, Copy)]
pub struct Rope {
    /// The least speed toward the tip, px/s.
    pub pull_speed: f64,
    /// Velocity of the tip, px/s.
    pub tip_velocity: DVec2,
    /// External velocity of the body, px/s. It moves the body but does not count as its velocity.
    pub wind: DVec2,
    /// A body closer to the tip than this is not made to circle faster, px.
    pub hub: f64,
}

impl Rope {
    /// How fast the rope shortens at least, px/s, where `out` points from the tip to the body. It
    /// never grows, so a tip that flees faster than the rope pulls drags the body along.
    fn winding(&self, out: DVec2) -> f64 {
        (self.pull_speed + self.tip_velocity.dot(out)).max(0.0)
    }

    /// Whether the rope pulls the body up to the tip within this time, and if so, the body there.
    fn arrive(&self, bob: Bob, seconds: f64) -> Option<Bob> {
        let out = bob.at.normalize_or_zero();
        let arrives = bob.at.length() <= self.winding(out) * seconds;
        arrives.then(|| Bob { at: DVec2::ZERO, velocity: self.tip_velocity - bob.at / seconds })
    }

    /// The body with the velocity that the rope leaves it: it comes closer at least as fast as the rope is wound in.
    /// Gravity depends on that velocity, which the rope may have changed when it attached.
    fn tighten(&self, bob: Bob) -> Bob {
        let out = bob.at.normalize_or_zero();
        let lags = (bob.velocity - self.tip_velocity).dot(out) + self.winding(out);
        Bob { velocity: bob.velocity - out * lags.max(0.0), ..bob }
    }

    /// One step under a constant acceleration.
    fn advance(&self, bob: Bob, accel: DVec2, dt: f64) -> Bob {
        if let Some(arrived) = self.arrive(bob, dt) {
            return arrived;
        }
        let far = bob.at.length();
        let out = bob.at / far;
        let winding = self.winding(out);
        let near = far - winding * dt;
        let moving = bob.velocity - self.tip_velocity;
        let free = bob.at + (moving + accel * (0.5 * dt) + self.wind) * dt;
        if free.length() <= near {
            return Bob { at: free, velocity: bob.velocity + accel * dt };
        }
        let along = out.perp();
        // Speed around the tip times distance: without forces it stays as it is.
        let spin = moving.dot(along) * far;
        let (mut after, mut turn) = (spin, spin * dt / (far * near));
        let (mut sine, mut cosine) = (0.0, 1.0);
        for _ in 0..MOST_REFINED {
            (sine, cosine) = libm::sincos(0.5 * turn);
            let chord = if turn == 0.0 { 1.0 } else { sine / (0.5 * turn) };
            let force = accel.dot(along * cosine - out * sine) * chord;
            after = spin + 0.5 * (far + near) * force * dt;
            let better = 0.5 * (spin + after) * dt / (far * near);
            let done = (better - turn).abs() <= 4.0 * f64::EPSILON * turn.abs();
            turn = better;
            if done {
                break;
            }
        }
        let (sine, cosine) = (2.0 * sine * cosine, 1.0 - 2.0 * sine * sine);
        let (out, along) = (out * cosine + along * sine, along * cosine - out * sine);
        let around = after / near;
        let most = (spin / far).abs().max((after / self.hub.max(near)).abs());
        let at = out * near + self.wind * dt;
        Bob {
            // Wind does not make the rope longer.
            at: if self.wind == DVec2::ZERO { at } else { at.clamp_length_max(far) },
            velocity: self.tip_velocity + along * around.clamp(-most, most) - out * winding,
        }
    }
}

/// What moves a hooked body in a tick.
pub struct Pull<'a> {
    step: &'a Step<'a, PlatformerTuning>,
    /// The tip at the end of the tick, px.
    tip: DVec2,
    rope: Rope,
    /// Gravity where the body is, px/s².
    gravity: f64,
    /// The velocity of what carries the body, px/s.
    carried: DVec2,
    /// The time in the tick at which the hook attached, s.
    since: f64,
    /// The vertical speed that a jump holds, px/s, and the time in the tick until which it does, s.
    held: (f64, f64),
}

impl<'a> Pull<'a> {
    /// The pull of this hook.
    pub fn of(hook: &GrapplingHook, body: &Body, step: &'a Step<'a, PlatformerTuning>, report: &Report) -> Self {
        let around = step.context.around;
        // A body that stands on a platform has been carried already.
        let carried = velocity_under(body, step.context).unwrap_or_default();
        let rope = hook.rope(carried, body, step);
        let HookNews { since, held, .. } = report.details().hook;
        Self { step, tip: hook.tip, rope, gravity: around.gravity, carried, since, held }
    }

    /// The pull in a part of the tick, for a body that has come to another place.
    fn during(&self, hook: &GrapplingHook, body: &Body, part: &Step<PlatformerTuning>) -> Self {
        // What it has landed on carries it from then on, and has moved it already.
        let carried = velocity_under(body, part.context).unwrap_or(self.carried);
        Self { rope: hook.rope(carried, body, part), gravity: part.context.around.gravity, carried, ..*self }
    }

    /// Where the tip is at a time of the tick, px.
    fn tip_at(&self, time: f64) -> DVec2 {
        self.tip - self.rope.tip_velocity * (self.step.context.around.dt - time)
    }

    /// The motion from one time of the tick to another, s. A body that stands would make this motion without the rope,
    /// apart from gravity.
    pub fn motion(&self, body: &Body, stands: Option<(Contact, Motion)>, from: f64, to: f64) -> Motion {
        let (rope, loadout) = (&self.rope, self.step.loadout);
        let mut forces = AirForces {
            tuning: &loadout.tuning,
            side: Some(self.step.intent.side()),
            steady: 0.0,
            pull: loadout.footing.gravity_scale * self.gravity,
            max_fall_speed: loadout.footing.max_fall_speed,
            jump: if stands.is_some() { (0.0, 0.0) } else { self.held },
        };
        let mut start = body.vel;
        if let Some((_, walk)) = stands {
            // The gait has chosen the speed; it changes evenly, which is enough for the rope.
            let (end, distance) = (walk.velocity.x, walk.displacement.x);
            start = DVec2::new(2.0 * distance / (to - from) - end, walk.start.y);
            forces.side = None;
            forces.steady = (end - start.x) / (to - from);
        }
        let attached = self.since.clamp(from, to);
        // Until then, its ground bears a body that stands.
        let borne = AirForces { pull: if stands.is_some() { 0.0 } else { forces.pull }, ..forces };
        let before = borne.free(start, from, attached);
        let bob = Bob { at: before.at + body.pos + rope.wind * (attached - from) - self.tip_at(attached), ..before };
        if stands.is_some_and(|(contact, _)| rope.pull_speed * bob.at.dot(contact.normal) < 0.0) {
            // Off the ground, keys steer as in the air.
            forces.side = Some(self.step.intent.side());
        }
        let left = to - attached;
        let bob = match rope.arrive(bob, left) {
            _ if left <= 0.0 => bob,
            Some(arrived) => arrived,
            None => forces.swing(bob, rope, attached, to),
        };
        Motion {
            start: bob.velocity,
            displacement: self.tip_at(to) + bob.at - body.pos - rope.wind * (to - from),
            velocity: bob.velocity,
            ..Motion::default()
        }
    }
}

/// The velocity of the platform that a body stands on, px/s.
fn velocity_under(body: &Body, context: &MoveContext) -> Option<DVec2> {
    let terrain = context.scenery().terrain;
    let contact = body.ground?;
    let under = terrain.edge_of(contact.feature).platform?;
    Some(context.around.platform_velocity(Some(under), contact.point(context.shape, body.pos)))
}

/// Moves a hooked body through a tick. In one in which something happens, it moves in parts as long as the steps of a
/// swing, each as if a tick began there: it meets something, stands, gets attached, or comes into another zone.
pub fn travel_on_rope(
    hook: &GrapplingHook,
    body: &mut Body,
    motion: &Motion,
    step: &Step<PlatformerTuning>,
    report: &mut Report,
    steering: &PlatformerSteering,
) {
    let context = step.context;
    if body.cling.is_some() {
        travel::travel(body, motion, context, report, steering);
        return;
    }
    let (around, scenery) = (context.around, context.scenery());
    let count = (around.dt * STEPS - 1e-6).ceil().max(1.0) as u32;
    let by = motion.displacement + around.drift(body.external, None).0;
    let blown = || around.air.external_accel != DVec2::ZERO || may_cross(body, motion, around);
    let happens = count > 1
        && (report.details().hook.since > 0.0
            || !around.zones.list().is_empty() && blown()
            || report.meets && scenery.meets_platforms(context.shape, body.pos, by)
            || scenery.sweep(context.shape, body.pos, by).is_some());
    if happens {
        travel_in_parts(hook, body, count, step, report, steering);
        return;
    }
    // The rope can lift the body off; if it does not, settling finds the ground again.
    body.ground = None;
    travel::travel(body, motion, context, report, steering);
    hook.hold_back(body, context);
}

#[cold]
fn travel_in_parts(
    hook: &GrapplingHook,
    body: &mut Body,
    count: u32,
    step: &Step<PlatformerTuning>,
    report: &mut Report,
    steering: &PlatformerSteering,
) {
    let (around, whole) = (step.context.around, step.context.around.dt);
    let (mut pull, mut hook) = (Pull::of(hook, body, step, report), *hook);
    let zones = !around.zones.list().is_empty();
    let share = 1.0 / f64::from(count);
    for part in 0..count {
        let last = part + 1 == count;
        let from = f64::from(part) * (whole * share);
        let to = if last { whole } else { from + whole * share };
        let here = if zones { around.at(body.pos) } else { *around };
        let around = &Surroundings { after: whole - to, ..here.lasting(to - from) };
        let context = &MoveContext { around, ..*step.context };
        if zones {
            footing::come_into(body, context, report);
        }
        pull = pull.during(&hook, body, &Step { context, ..*step });
        let stands = body.ground.map(|contact| (contact, steering.resume(body, around, 0.0)));
        let motion = pull.motion(body, stands, from, to);
        body.ground = None;
        steering.hook_holds.set(to > pull.since);
        travel::travel(body, &motion, context, report, steering);
        if let Some(grasp) = report.grasp_mut() {
            // If a rule refuses, the body moves past it for the rest of the tick.
            let later = whole - to;
            grasp.left = (grasp.left * around.dt + later) / whole;
            grasp.rest += body.vel * later;
            return;
        }
        if to > pull.since {
            hook.tip = pull.tip_at(to);
            hook.hold_back(body, context);
            hook.length = hook.length.min(hook.tip.distance(body.pos));
        }
        if !last {
            footing::find_ground(body, context, report);
            // If it leaves its ground in this tick, it has stood there.
            report.stood |= body.ground.is_some();
        }
    }
}
