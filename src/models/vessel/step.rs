//! A vessel's way through a tick: free motion, touches, and out of what it has run into.

use super::VesselState;
use super::foot::Swing;
use super::hull::{Hull, Pose};
use super::out::way_out;
use super::solve::{Law, Meeting, Outcome, Speed};
use super::touch::{Site, Touch, Touches};
use super::tuning::VesselTuning;
use crate::geometry::turn;
use crate::models::motion::normalised_share;
use crate::models::{Body, Impact, Locale, Report};
use glam::DVec2;

/// What acts on a vessel in a tick.
pub(super) struct Step<'a> {
    pub tuning: &'a VesselTuning,
    pub hull: &'a Hull,
    pub locale: &'a Locale<'a>,
    /// How hard it falls, px/s².
    pub gravity: f64,
    /// How hard its engine pushes along its own up, px/s².
    pub thrust: f64,
    /// How it starts to turn, rad/s².
    pub torque: f64,
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
}

/// Surfaces whose normals point up by at least this much hold a vessel up.
const LEAST_UP: f64 = 0.5;

/// Most parts of a tick.
const MOST_PARTS: f64 = 8192.0;

/// Cosines of angles between normals above this are one surface.
const ONE_SURFACE: f64 = 0.9998;

impl Step<'_> {
    /// Moves the vessel through the tick.
    pub fn run(&self, body: &mut Body, state: &mut VesselState, report: &mut Report) {
        let around = self.locale.around;
        let (blown, external) = around.blow(body.external, None);
        body.external = external;
        let parts = self.parts(body, blown);
        let dt = around.dt / parts;
        let swing = Swing::new(self.tuning.foot_stiffness, self.tuning.foot_damping, dt);
        let mut course = Course {
            slow: true,
            splits: self.tuning.impact_steps,
            ..Course::default()
        };
        let mut part = 0.0;
        while part < parts {
            part += 1.0;
            let ahead = 1.0 - part / parts;
            for foot in &mut state.feet {
                foot.swing(&swing);
            }
            let mut left = dt;
            while left > 0.0 {
                let blown = blown / parts * (left / dt);
                left = self.part(body, state, left, blown, ahead, &mut course);
            }
        }
        self.conclude(body, state, &course, report);
    }

    /// In how many parts the tick is made, so that nothing is passed in one of them.
    fn parts(&self, body: &Body, blown: DVec2) -> f64 {
        let around = self.locale.around;
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

    fn pose(body: &Body) -> Pose {
        Pose {
            pos: body.pos,
            turn: turn(body.angle),
        }
    }

    /// Free motion for `dt` seconds.
    fn fly(&self, body: &mut Body, dt: f64, blown: DVec2, up: DVec2) {
        let accel = up * self.thrust - DVec2::new(0.0, self.gravity);
        body.pos += body.vel * dt + accel * (0.5 * dt * dt) + blown;
        body.vel += accel * dt;
        body.angle += body.spin * dt + 0.5 * self.torque * dt * dt;
        body.spin += self.torque * dt;
    }

    /// A part of the tick; returns what is left of it where it was split at a hit.
    fn part(
        &self,
        body: &mut Body,
        state: &mut VesselState,
        dt: f64,
        blown: DVec2,
        ahead: f64,
        course: &mut Course,
    ) -> f64 {
        let before = Self::pose(body);
        let start = body.clone();
        self.fly(body, dt, blown, before.up());
        let site = Site {
            scenery: self.locale.scenery,
            ahead: (ahead, &self.locale.around.transit.steps),
            hull: self.hull,
            foot_travel: self.tuning.foot_travel,
            before,
        };
        let mut touches = self.touches(body, state, &site);
        if touches.is_empty() {
            return 0.0;
        }
        let mut left = 0.0;
        if course.splits > 0
            && self.is_hard(body, &touches)
            && let Some(hit) = self.moment_of_hit(&start, state, dt, blown, &site)
        {
            course.splits -= 1;
            *body = start.clone();
            self.fly(body, hit, blown * (hit / dt), before.up());
            touches = self.touches(body, state, &site);
            left = dt - hit;
        }
        if !self.is_hard(body, &touches)
            && dt > FINEST * self.locale.around.dt
            && self.way_out(body, state, &touches).length() > self.far(dt)
        {
            // It rolls or slides farther into something than its weight presses it: half the way first,
            // or it would be moved out on the wrong side.
            *body = start;
            return 0.5 * dt + self.part(body, state, 0.5 * dt, blown * 0.5, ahead, course);
        }
        self.bounce(body, state, (&start, dt - left), &site, &touches, course);
        left
    }

    /// Whether any touch is a hit.
    fn is_hard(&self, body: &Body, touches: &Touches) -> bool {
        let speed = Speed {
            vel: body.vel,
            spin: body.spin,
        };
        let hard = |touch| self.approach(&speed, touch) >= self.slow_speed();
        touches.iter().any(hard)
    }

    /// How fast what touches comes nearer, px/s.
    fn approach(&self, speed: &Speed, touch: &Touch) -> f64 {
        -(speed.at(touch.at) - self.carrier(touch)).dot(touch.normal)
    }

    /// What the vessel touches. What comes fast and is not there yet does not count.
    fn touches(&self, body: &Body, state: &VesselState, site: &Site<'_>) -> Touches {
        let mut touches = site.touches(&Self::pose(body), &state.feet);
        if !touches.iter().all(|touch| touch.depth > 0.0) {
            let speed = Speed {
                vel: body.vel,
                spin: body.spin,
            };
            let slow = self.slow_speed();
            touches.retain(|t| t.depth > 0.0 || self.approach(&speed, t) < slow);
        }
        touches
    }

    /// Halvings by which the moment of a hit is sought.
    const HALVINGS: u32 = 24;

    /// The moment at which free motion first touches something, if it did not when it began.
    fn moment_of_hit(
        &self,
        start: &Body,
        state: &VesselState,
        dt: f64,
        blown: DVec2,
        site: &Site<'_>,
    ) -> Option<f64> {
        let touches_at = |seconds: f64| {
            let mut body = start.clone();
            self.fly(&mut body, seconds, blown * (seconds / dt), site.before.up());
            site.touches(&Self::pose(&body), &state.feet).meet()
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
        let fallen = 2.0 * self.gravity.abs() * self.locale.around.dt;
        self.tuning.rest_rebound_speed.max(fallen)
    }

    /// The velocity of what is touched.
    fn carrier(&self, touch: &Touch) -> DVec2 {
        let around = self.locale.around;
        let step = |p: u16| around.transit.steps[p as usize] * around.hz;
        touch.platform.map_or(DVec2::ZERO, step) + around.air.conveyor
    }

    /// The way out of all touches, less what feet take of it.
    fn way_out(&self, body: &Body, state: &VesselState, touches: &Touches) -> DVec2 {
        let up = Self::pose(body).up();
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
        body: &mut Body,
        state: &mut VesselState,
        (start, dt): (&Body, f64),
        site: &Site<'_>,
        touches: &Touches,
        course: &mut Course,
    ) {
        let around = self.locale.around;
        let up = Self::pose(body).up();
        let out = self.way_out(body, state, touches);
        if self.is_hard(body, touches) {
            self.pay(body, out.y);
        }
        let law = Law {
            tuning: self.tuning,
            ratio: self.hull.inertia_ratio,
            friction: normalised_share(self.tuning.friction, around.dt),
            slow: self.slow_speed(),
            dt,
            up,
        };
        let mut speed = Speed {
            vel: body.vel,
            spin: body.spin,
        };
        let outcome = law.resolve(&mut speed, touches, &mut state.feet, |touch| Meeting {
            touch,
            surface: around.surface(around.air.surface.unwrap_or(touch.surface)),
            carrier: self.carrier(touch),
        });
        (body.vel, body.spin) = (speed.vel, speed.spin);
        let flown = body.pos;
        body.pos += out;
        if outcome.slow && state.touching && is_still(start) && is_still(body) {
            // Gravity alone has moved it, and what holds it up has moved it back, nearly.
            (body.pos, body.angle) = (start.pos, start.angle);
        } else if outcome.slow {
            hold_place(body, start, dt, touches);
        }
        let moved = body.pos.distance(flown);
        if moved > self.far(dt) {
            // Far enough to have been moved into something else.
            let touches = site.touches(&Self::pose(body), &state.feet);
            body.pos += way_out(&touches, |touch| touch.depth);
        }
        for touch in touches.iter() {
            let into = body.external.dot(touch.normal);
            if into < 0.0 {
                body.external -= touch.normal * into;
            }
        }
        self.note(touches, &outcome, course);
    }

    /// Lifting the vessel out of what it is in costs it speed, and pressing it down gives it some:
    /// `v'² = v² − 2·g·height`.
    fn pay(&self, body: &mut Body, height: f64) {
        let squared = body.vel.y * body.vel.y - 2.0 * self.gravity * height;
        if squared >= 0.0 {
            body.vel.y = squared.sqrt().copysign(body.vel.y);
        } else {
            body.vel.y = 0.0;
            let rest = body.vel.x * body.vel.x + squared;
            body.vel.x = rest.max(0.0).sqrt().copysign(body.vel.x);
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
const FINEST: f64 = 0.05;

/// Ways out of up to this, and what gravity makes in a part of a tick, lead into nothing else that
/// matters, px.
const FAR: f64 = 0.05;

/// Slower than this, px/s and rad/s, a vessel is not moving at all.
const STILL: (f64, f64) = (1e-4, 1e-5);

fn is_still(body: &Body) -> bool {
    body.vel.length() < STILL.0 && body.spin.abs() < STILL.1
}

/// Undoes what gravity has moved a vessel along the one surface that it touches slowly: with friction
/// the way along it is that of the mean speed, from rest to rest none at all.
fn hold_place(body: &mut Body, start: &Body, dt: f64, touches: &Touches) {
    let mut all = touches.iter();
    let Some(first) = all.next() else { return };
    if all.any(|touch| touch.normal.dot(first.normal) < ONE_SURFACE) {
        return;
    }
    let tangent = first.tangent();
    let gone = (body.pos - start.pos).dot(tangent);
    let wanted = 0.5 * (start.vel + body.vel).dot(tangent) * dt;
    body.pos += tangent * (wanted - gone);
}
