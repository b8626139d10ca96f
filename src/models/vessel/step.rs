//! A vessel's way through a tick: free motion, touches, and out of what it has run into.

use super::VesselState;
use super::foot::Swing;
use super::hull::{Hull, Pose};
use super::out::way_out;
use super::solve::{Law, Meeting, Outcome, Speed};
use super::touch::{Site, Touch, Touches};
use super::tuning::VesselTuning;
use crate::geometry::turn;
use crate::models::{Body, Impact, MoveContext, Report};
use glam::DVec2;

/// What acts on a vessel in a tick.
pub(super) struct Step<'a> {
    pub tuning: &'a VesselTuning,
    pub hull: &'a Hull,
    pub context: &'a MoveContext<'a>,
    /// How hard it falls, px/s².
    pub gravity: f64,
    /// How hard its engine pushes along its own up, px/s².
    pub thrust: f64,
    /// How it starts to turn, rad/s².
    pub torque: f64,
    /// The share of tangential speed that a hard touch takes in a tick, on a surface of friction 1.
    pub friction: f64,
}

/// What has come of the tick so far.
#[derive(Default)]
pub(super) struct Course {
    pub hardest: Option<Impact>,
    /// Whether every touch was slow.
    pub slow: bool,
    /// The touch that holds it up best.
    pub ground: Option<Touch>,
    pub touched: bool,
    /// Whether something that moves was touched.
    pub carried: bool,
    /// How often the tick may still be split at a hit.
    splits: u32,
    /// What is left of external velocity, px/s.
    external: DVec2,
}

/// What a bounce starts from.
struct Bounce {
    /// Where the part of the tick began.
    start: Now,
    /// Its length, s.
    dt: f64,
    /// The way out of what was run into, px.
    out: DVec2,
}

/// Surfaces whose normals point up by at least this much hold a vessel up.
const LEAST_UP: f64 = 0.5;

/// Most parts of a tick.
const MOST_PARTS: f64 = 8192.0;

/// Cosines of angles between normals above this are one surface.
const ONE_SURFACE: f64 = 0.9998;

/// How the vessel moves in a moment of the tick.
#[derive(Clone, Copy)]
pub(super) struct Now {
    pub pose: Pose,
    pub angle: f64,
    pub speed: Speed,
}

impl Now {
    fn of(body: &Body) -> Self {
        Self {
            pose: Pose {
                pos: body.pos,
                turn: turn(body.angle),
            },
            angle: body.angle,
            speed: Speed {
                vel: body.vel,
                spin: body.spin,
            },
        }
    }

    fn write(&self, body: &mut Body) {
        (body.pos, body.angle) = (self.pose.pos, self.angle);
        (body.vel, body.spin) = (self.speed.vel, self.speed.spin);
    }

    /// Whether it does not move at all.
    fn is_still(&self) -> bool {
        self.speed.vel.length_squared() < STILL.0 * STILL.0 && self.speed.spin.abs() < STILL.1
    }
}

/// A part of a tick.
#[derive(Clone, Copy)]
struct Part {
    /// Its length, s.
    dt: f64,
    /// What external velocity adds to the way, px.
    blown: DVec2,
    /// How far platforms still have to go after it, as a share of their step.
    ahead: f64,
}

impl Step<'_> {
    /// Moves the vessel through the tick.
    pub fn run(&self, body: &mut Body, state: &mut VesselState, report: &mut Report) {
        let around = self.context.around;
        let (blown, external) = around.blow(body.external, None);
        let parts = self.parts(body, blown);
        let dt = around.dt / parts;
        let mut course = Course {
            slow: true,
            splits: self.tuning.impact_steps,
            external,
            ..Course::default()
        };
        let mut now = Now::of(body);
        let began = now;
        let swing = (!state.feet.is_empty())
            .then(|| Swing::new(self.tuning.foot_stiffness, self.tuning.foot_damping, dt));
        let mut done = 0.0;
        while done < parts {
            done += 1.0;
            if let Some(swing) = &swing {
                state.feet.iter_mut().for_each(|foot| foot.swing(swing));
            }
            let mut left = dt;
            while left > 0.0 {
                let part = Part {
                    dt: left,
                    blown: blown / parts * (left / dt),
                    ahead: 1.0 - done / parts,
                };
                left = self.part(&mut now, state, part, &mut course);
            }
        }
        now.write(body);
        body.external = course.external;
        self.conclude(body, state, &course, report);
        let same = began.pose.pos == body.pos && began.angle == body.angle;
        let stands = same && body.vel == DVec2::ZERO && body.spin == 0.0;
        let steady = stands && began.speed == now.speed && state.feet.is_empty();
        state.standing = if steady && course.slow && !course.carried {
            self.conditions()
        } else {
            0
        };
    }

    /// Whether nothing has changed for a vessel that stood through the last tick: it does in this one,
    /// too, as all of it would come out the same.
    pub fn stands_on(&self, body: &Body, state: &VesselState) -> bool {
        state.standing != 0
            && state.standing == self.conditions()
            && body.vel == DVec2::ZERO
            && body.spin == 0.0
            && body.external == DVec2::ZERO
    }

    /// What acts on the vessel, as one number that is not 0.
    fn conditions(&self) -> u64 {
        let numbers = [self.gravity, self.thrust, self.torque];
        let mix = |key: u64, x: f64| (key ^ x.to_bits()).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        numbers.into_iter().fold(1, mix) | 1
    }

    /// In how many parts the tick is made, so that nothing is passed in one of them.
    fn parts(&self, body: &Body, blown: DVec2) -> f64 {
        let around = self.context.around;
        let dt = around.dt;
        let speed = body.vel.length() * dt + blown.length();
        let pull = 0.5 * (self.gravity.abs() + self.thrust) * dt * dt;
        let turn = (body.spin.abs() * dt + 0.5 * self.torque.abs() * dt * dt) * self.hull.radius;
        let steps = around.transit.steps.iter();
        let platforms = steps.map(|step| step.length()).fold(0.0, f64::max);
        let way = speed + pull + turn + platforms;
        (way / (0.5 * self.hull.least))
            .ceil()
            .clamp(1.0, MOST_PARTS)
    }

    /// Free motion for `dt` seconds.
    fn fly(&self, from: &Now, dt: f64, blown: DVec2) -> Now {
        let accel = from.pose.up() * self.thrust - DVec2::new(0.0, self.gravity);
        let turned = from.speed.spin * dt + 0.5 * self.torque * dt * dt;
        let angle = from.angle + turned;
        Now {
            pose: Pose {
                pos: from.pose.pos + from.speed.vel * dt + accel * (0.5 * dt * dt) + blown,
                turn: if turned == 0.0 {
                    from.pose.turn
                } else {
                    turn(angle)
                },
            },
            angle,
            speed: Speed {
                vel: from.speed.vel + accel * dt,
                spin: from.speed.spin + self.torque * dt,
            },
        }
    }

    /// Makes a part of the tick; returns what is left of it where it was split at a hit.
    fn part(&self, now: &mut Now, state: &mut VesselState, part: Part, course: &mut Course) -> f64 {
        let start = *now;
        let Part { dt, blown, ahead } = part;
        *now = self.fly(&start, dt, blown);
        let site = Site {
            scenery: self.context.scenery,
            ahead: (ahead, &self.context.around.transit.steps),
            hull: self.hull,
            foot_travel: self.tuning.foot_travel,
            before: start.pose,
        };
        let mut touches = self.touches(now, state, &site);
        if touches.is_empty() {
            state.feet.iter_mut().for_each(|foot| foot.touching = false);
            return 0.0;
        }
        let mut left = 0.0;
        let mut hard = self.is_hard(now, &touches);
        if course.splits > 0
            && hard
            && let Some(hit) = self.moment_of_hit(&start, state, part, &site)
        {
            course.splits -= 1;
            *now = self.fly(&start, hit, blown * (hit / dt));
            touches = self.touches(now, state, &site);
            hard = self.is_hard(now, &touches);
            left = dt - hit;
        }
        let out = self.way_out(now, state, &touches);
        let deep = out.length_squared() > self.far(dt) * self.far(dt);
        if !hard && dt > FINEST * self.context.around.dt && deep {
            // It rolls or slides farther into something than its weight presses it: half the way first,
            // or it would be moved out on the wrong side.
            *now = start;
            let half = Part {
                dt: 0.5 * dt,
                blown: blown * 0.5,
                ahead,
            };
            return half.dt + self.part(now, state, half, course);
        }
        if hard {
            self.pay(now, out.y);
        }
        let meeting = Bounce {
            start,
            dt: dt - left,
            out,
        };
        self.bounce(now, state, &meeting, &site, &touches, course);
        left
    }

    /// Whether any touch is a hit.
    fn is_hard(&self, now: &Now, touches: &Touches) -> bool {
        let slow = self.slow_speed();
        touches
            .iter()
            .any(|touch| self.approach(&now.speed, touch) >= slow)
    }

    /// How fast what touches comes nearer, px/s.
    fn approach(&self, speed: &Speed, touch: &Touch) -> f64 {
        -(speed.at(touch.at) - self.carrier(touch)).dot(touch.normal)
    }

    /// What the vessel touches. What comes fast and is not there yet does not count.
    fn touches(&self, now: &Now, state: &VesselState, site: &Site<'_>) -> Touches {
        let mut touches = site.touches(&now.pose, &state.feet);
        if !touches.iter().all(|touch| touch.depth > 0.0) {
            let slow = self.slow_speed();
            touches.retain(|t| t.depth > 0.0 || self.approach(&now.speed, t) < slow);
        }
        touches
    }

    /// Halvings by which the moment of a hit is sought.
    const HALVINGS: u32 = 24;

    /// The moment at which free motion first touches something, if it did not when it began.
    fn moment_of_hit(
        &self,
        start: &Now,
        state: &VesselState,
        Part { dt, blown, .. }: Part,
        site: &Site<'_>,
    ) -> Option<f64> {
        let touches_at = |seconds: f64| {
            let then = self.fly(start, seconds, blown * (seconds / dt));
            site.touches(&then.pose, &state.feet).meet()
        };
        if touches_at(0.0) {
            return None;
        }
        let (mut free, mut hit) = (0.0, dt);
        for _ in 0..Self::HALVINGS {
            let middle = 0.5 * (free + hit);
            if touches_at(middle) {
                hit = middle;
            } else {
                free = middle;
            }
        }
        (hit < dt).then_some(hit)
    }

    fn slow_speed(&self) -> f64 {
        let fallen = 2.0 * self.gravity.abs() * self.context.around.dt;
        self.tuning.rest_rebound_speed.max(fallen)
    }

    /// The velocity of what is touched.
    fn carrier(&self, touch: &Touch) -> DVec2 {
        let around = self.context.around;
        let step = |p: u16| around.transit.steps[p as usize] * around.hz;
        touch.platform.map_or(DVec2::ZERO, step) + around.air.conveyor
    }

    /// The way out of all touches, less what feet take of it.
    fn way_out(&self, now: &Now, state: &VesselState, touches: &Touches) -> DVec2 {
        let up = now.pose.up();
        way_out(touches, |touch| {
            let share = touch.foot.map_or(0.0, |f| state.feet[f as usize].share());
            touch.depth * (1.0 - share * touch.normal.dot(up).max(0.0))
        })
    }

    /// How far a vessel that is only pressed down by its weight is moved in so many seconds, px, and a
    /// little more.
    fn far(&self, dt: f64) -> f64 {
        FAR + 1.1 * self.gravity.abs() * dt * dt
    }

    /// Lets touches act, and moves the vessel out of what it is in.
    fn bounce(
        &self,
        now: &mut Now,
        state: &mut VesselState,
        Bounce { start, dt, out }: &Bounce,
        site: &Site<'_>,
        touches: &Touches,
        course: &mut Course,
    ) {
        let around = self.context.around;
        let law = Law {
            tuning: self.tuning,
            ratio: self.hull.inertia_ratio,
            friction: self.friction,
            slow: self.slow_speed(),
            dt: *dt,
            up: now.pose.up(),
        };
        let outcome = law.resolve(&mut now.speed, touches, &mut state.feet, |touch| Meeting {
            touch,
            surface: around.surface(around.air.surface.unwrap_or(touch.surface)),
            carrier: self.carrier(touch),
        });
        for (place, foot) in state.feet.iter_mut().enumerate() {
            foot.touching = touches.iter().any(|t| t.foot == Some(place as u8));
        }
        let flown = now.pose.pos;
        let quiet = state.feet.iter().all(|foot| foot.rate.abs() < STILL.1);
        let held = outcome.slow && quiet && state.touching;
        if held && start.is_still() && now.is_still() {
            // Gravity alone has moved it, and what holds it up has moved it back, nearly.
            (now.pose, now.angle) = (start.pose, start.angle);
        } else {
            now.pose.pos += *out;
            if outcome.slow {
                hold_place(now, start, *dt, touches);
            }
            if now.pose.pos.distance_squared(flown) > self.far(*dt) * self.far(*dt) {
                // Far enough to have been moved into something else.
                let touches = site.touches(&now.pose, &state.feet);
                now.pose.pos += way_out(&touches, |touch| touch.depth);
            }
        }
        self.stop_on_feet(now, start, *dt, touches);
        for touch in touches.iter() {
            let into = course.external.dot(touch.normal);
            if into < 0.0 {
                course.external -= touch.normal * into;
            }
        }
        self.note(touches, &outcome, course);
    }

    /// Takes the speed from a vessel on its feet that has not made the way for it: what springs push it
    /// back in each part of a tick it does not go on falling with.
    fn stop_on_feet(&self, now: &mut Now, start: &Now, dt: f64, touches: &Touches) {
        for touch in touches.iter().filter(|touch| touch.foot.is_some()) {
            let made = (now.pose.pos - start.pose.pos).dot(touch.normal) / dt;
            let carried = self.carrier(touch).dot(touch.normal);
            let missing = made.min(carried) - now.speed.vel.dot(touch.normal);
            if missing > 0.0 {
                now.speed.vel += touch.normal * missing;
            }
        }
    }

    /// Lifting the vessel out of what it is in costs it speed, and pressing it down gives it some:
    /// `v'² = v² − 2·g·height`.
    fn pay(&self, now: &mut Now, height: f64) {
        let vel = &mut now.speed.vel;
        let squared = vel.y * vel.y - 2.0 * self.gravity * height;
        if squared >= 0.0 {
            vel.y = squared.sqrt().copysign(vel.y);
        } else {
            vel.y = 0.0;
            let rest = vel.x * vel.x + squared;
            vel.x = rest.max(0.0).sqrt().copysign(vel.x);
        }
    }

    fn note(&self, touches: &Touches, outcome: &Outcome, course: &mut Course) {
        course.touched = true;
        course.slow &= outcome.slow;
        if let Some(hit) = outcome.hardest
            && course.hardest.is_none_or(|h| hit.speed > h.speed)
        {
            course.hardest = Some(hit);
        }
        for touch in touches.iter() {
            course.carried |= self.carrier(touch) != DVec2::ZERO;
            let best = course.ground.map_or(LEAST_UP, |g| g.normal.y);
            if touch.normal.y >= best {
                course.ground = Some(*touch);
            }
        }
    }
}

/// The smallest part into which a tick is halved, as a share of it.
const FINEST: f64 = 0.1;

/// Ways out of up to this, and what gravity makes in a part of a tick, lead into nothing else that
/// matters, px.
const FAR: f64 = 0.2;

/// Slower than this, px/s and rad/s, a vessel is not moving at all.
const STILL: (f64, f64) = (1e-2, 1e-3);

/// Undoes what gravity has moved a vessel along the one surface that it touches slowly: with friction
/// the way along it is that of the mean speed, from rest to rest none at all.
fn hold_place(now: &mut Now, start: &Now, dt: f64, touches: &Touches) {
    let mut all = touches.iter();
    let Some(first) = all.next() else { return };
    if all.any(|touch| touch.normal.dot(first.normal) < ONE_SURFACE) {
        return;
    }
    let tangent = first.tangent();
    let gone = (now.pose.pos - start.pose.pos).dot(tangent);
    let wanted = 0.5 * (start.speed.vel + now.speed.vel).dot(tangent) * dt;
    now.pose.pos += tangent * (wanted - gone);
}
