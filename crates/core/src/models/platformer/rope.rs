//! Motion on a rope, in steps short enough that its path does not depend on the tick rate.
//!
//! Positions are relative to the tip of the hook, so a moving anchor is at rest. While the rope is
//! taut, the body moves around the tip, and the rope takes the part of its velocity away from the
//! tip. Each step conserves energy exactly if the rope does not shorten: the change of speed is the
//! work of the forces along the chord. So a free swing neither gains nor loses height.

use super::model::air_drift;
use super::*;

/// The longest step on a rope, as steps per second.
pub const STEPS: f64 = 240.0;

/// How often the angle of a step is refined; each time gains about three digits.
const MOST_REFINED: usize = 12;

/// A body on its rope.
#[derive(Clone, Copy)]
pub struct Bob {
    /// Position of the body, from the tip, px.
    pub at: DVec2,
    /// Velocity of the body, px/s.
    pub velocity: DVec2,
}

/// What moves a body in the air during a tick, apart from the rope.
#[derive(Clone, Copy)]
pub struct AirForces<'a> {
    pub tuning: &'a PlatformerTuning,
    /// The direction key that steers in the air; `None` if `steady` is the horizontal acceleration.
    pub side: Option<f64>,
    /// Horizontal acceleration of a body that runs, px/s².
    pub steady: f64,
    /// Downward acceleration, px/s².
    pub pull: f64,
    /// Fall speed above which gravity adds nothing, px/s.
    pub max_fall_speed: f64,
    /// Vertical speed of a jump, px/s, and the time in the tick until which the jump holds it, s.
    pub jump: (f64, f64),
}

impl AirForces<'_> {
    /// The acceleration at a time of the tick, for a step of `dt` seconds; `soft` is the speed up
    /// to which keys steer. A jump sets the velocity.
    fn act(&self, velocity: &mut DVec2, time: f64, soft: f64, dt: f64) -> DVec2 {
        let x = self.side.map_or(self.steady, |side| {
            (air_drift(velocity.x, side, soft, self.tuning, dt).velocity - velocity.x) / dt
        });
        if time + 0.5 * dt < self.jump.1 {
            velocity.y = self.jump.0;
            return DVec2::new(x, 0.0);
        }
        let down = -self.pull.signum();
        let falling = velocity.y * down;
        let most = self.max_fall_speed.max(falling);
        let faster = approach(falling, most, self.pull.abs(), dt).velocity;
        DVec2::new(x, (faster - falling) * down / dt)
    }

    /// Displacement and velocity after the first `seconds` of a tick, without a rope.
    pub fn free(&self, velocity: DVec2, seconds: f64) -> Bob {
        let start = Bob { at: DVec2::ZERO, velocity };
        let soft = self.tuning.air_speed_soft;
        self.in_steps(start, 0.0, seconds, soft, |bob, accel, dt| Bob {
            at: bob.at + (bob.velocity + accel * (0.5 * dt)) * dt,
            velocity: bob.velocity + accel * dt,
        })
    }

    /// Motion on a rope from one time of the tick to another.
    pub fn swing(&self, bob: Bob, rope: &Rope, from: f64, to: f64) -> Bob {
        let soft = self.tuning.air_speed_soft_hooked;
        self.in_steps(bob, from, to - from, soft, |bob, accel, dt| rope.advance(bob, accel, dt))
    }

    fn in_steps(&self, mut bob: Bob, from: f64, seconds: f64, soft: f64, step: impl Fn(Bob, DVec2, f64) -> Bob) -> Bob {
        let count = (seconds * STEPS - 1e-6).ceil().max(1.0);
        let dt = seconds / count;
        if dt <= 0.0 {
            return bob;
        }
        for i in 0..count as u32 {
            let accel = self.act(&mut bob.velocity, from + f64::from(i) * dt, soft, dt);
            bob = step(bob, accel, dt);
        }
        bob
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
    pub fn arrive(&self, bob: Bob, seconds: f64) -> Option<Bob> {
        let out = bob.at.normalize_or_zero();
        let arrives = bob.at.length() <= self.winding(out) * seconds;
        arrives.then(|| Bob { at: DVec2::ZERO, velocity: self.tip_velocity - bob.at / seconds })
    }

    /// The body with the velocity that the rope leaves it: it comes closer at least as fast as the rope is wound in.
    /// Gravity depends on that velocity, which the rope may have changed when it attached.
    pub fn tighten(&self, bob: Bob) -> Bob {
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

/// In how many parts a hooked body travels; 1 if it meets nothing in this tick.
pub fn parts(hook: &GrapplingHook, body: &Body, motion: &Motion, context: &MoveContext, report: &Report) -> u32 {
    if !hook.is_attached() || body.cling.is_some() {
        return 1;
    }
    let around = context.around;
    let count = (around.dt * STEPS - 1e-6).ceil().max(1.0) as u32;
    // In the tick in which it attaches, and on a platform, the body has not moved evenly.
    let whole = report.details().hook.since > 0.0 || report.carried != DVec2::ZERO;
    if count == 1 || whole {
        return 1;
    }
    let by = motion.displacement + around.drift(body.external, None).0;
    let hit = context.scenery().sweep(context.shape, body.pos, by);
    if hit.is_some() { count } else { 1 }
}

/// Travels in `count` parts. Stops at something to grab, like [`travel::travel`].
#[cold]
pub fn travel_in_parts(
    hook: &GrapplingHook,
    body: &mut Body,
    count: u32,
    step: &Step<PlatformerTuning>,
    report: &mut Report,
    steering: &impl Steering,
) {
    let context = step.context;
    let around = context.around;
    let (loadout, whole) = (step.loadout, around.dt);
    let rope = hook.rope(DVec2::ZERO, body, step);
    let forces = AirForces {
        tuning: &loadout.tuning,
        side: Some(step.intent.side()),
        steady: 0.0,
        pull: loadout.footing.gravity_scale * around.gravity,
        max_fall_speed: loadout.footing.max_fall_speed,
        jump: (0.0, 0.0),
    };
    let share = 1.0 / f64::from(count);
    for part in 0..count {
        let last = part + 1 == count;
        let left = whole - f64::from(part) * (whole * share);
        let around = Surroundings {
            dt: whole * share,
            after: left - whole * share,
            decay: Decay {
                seconds: around.decay.seconds * share,
                kept: if last { around.decay.kept } else { 1.0 },
                drift: around.decay.drift * share,
                ..around.decay
            },
            ..*around
        };
        let context = MoveContext { around: &around, ..*context };
        let motion = if body.ground.is_some() {
            // It has landed. The rest of the tick it glides.
            Motion::steady(body.vel, around.dt)
        } else {
            let tip = hook.tip - rope.tip_velocity * left;
            let bob = Bob { at: body.pos - tip, velocity: body.vel };
            let after = forces.swing(bob, &rope, whole - left, whole - left + around.dt);
            let tip = tip + rope.tip_velocity * around.dt;
            Motion {
                start: after.velocity,
                velocity: after.velocity,
                displacement: tip + after.at - body.pos - rope.wind * around.dt,
                ..Motion::default()
            }
        };
        travel::travel(body, &motion, &context, report, steering);
        if let Some(grasp) = report.grasp_mut() {
            // If a rule refuses, the body moves past it for the rest of the tick.
            let later = left - around.dt;
            grasp.left = (grasp.left * around.dt + later) / whole;
            grasp.rest += body.vel * later;
            return;
        }
    }
}
