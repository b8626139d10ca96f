//! Moves a vessel through a tick: free motion, impulses, and out of overlapping terrain.

use super::contact::ContactSet;
use super::foot::SpringStep;
use super::out::way_out;
use super::query::ContactQuery;
use super::solve::{ImpulseResult, ImpulseSolver, SolverContact};
use super::state::VesselState;
use super::step::{MotionState, STILL, StepResult, VesselStep};
use crate::level::Feature;
use crate::models::{Body, Impact, Report};
use glam::DVec2;

/// A part of a tick.
#[derive(Clone, Copy)]
pub(super) struct SubStep {
    /// Duration, s.
    pub dt: f64,
    /// Displacement by external velocity, px.
    pub drift: DVec2,
    /// Remaining share of the platforms' steps at its end.
    pub ahead: f64,
}

/// A collision in a part of a tick.
struct Collision<'a> {
    /// The state at the start of the part.
    start: MotionState,
    /// Duration of the part, s.
    dt: f64,
    contacts: &'a ContactSet,
    /// The way out of the overlapping terrain, px.
    out: DVec2,
}

/// A surface supports a vessel if its unit normal points against gravity by at least this much.
const LEAST_UP: f64 = 0.5;

/// Two normals belong to one surface if their cosine is above this.
const ONE_SURFACE: f64 = 0.9998;

/// A part of a tick is halved only while it is longer than this share of the tick.
const FINEST: f64 = 0.1;

/// Feet that may touch something move in steps of at most this, s.
const FOOT_STEP: f64 = 1.0 / 240.0;

/// Halvings in the search for the time of an impact.
const HALVINGS: u32 = 24;

impl VesselStep<'_> {
    /// Moves the vessel through the tick.
    pub fn run(&self, body: &mut Body, state: &mut VesselState, report: &mut Report) {
        let around = self.context.around;
        let (drift, external) = around.drift(body.external, None);
        let parts = self.parts(body, drift);
        let parts = if state.feet.is_empty() || self.tuning.foot_travel <= 0.0 {
            parts
        } else {
            // A multiple, so that fast vessels are divided alike, too.
            let fine = self.foot_parts(body, state, drift);
            fine * (parts / fine).ceil()
        };
        let dt = around.dt / parts;
        let mut result = StepResult {
            slow: true,
            touching: state.touching,
            splits: self.tuning.impact_steps,
            external,
            ..StepResult::default()
        };
        let mut now = MotionState::of(body);
        let began = now;
        let spring =
            (!state.feet.is_empty()).then(|| SpringStep::new(self.tuning.foot_stiffness, self.tuning.foot_damping, dt));
        let mut done = 0.0;
        while done < parts {
            done += 1.0;
            if let Some(spring) = &spring {
                state.feet.iter_mut().for_each(|foot| foot.spring(spring));
            }
            let mut left = dt;
            while left > 0.0 {
                let part = SubStep {
                    dt: left,
                    drift: drift / parts * (left / dt),
                    ahead: 1.0 - (self.span[0] + (self.span[1] - self.span[0]) * (done / parts)),
                };
                left = self.part(&mut now, state, part, &mut result);
            }
        }
        now.write(body);
        body.external = result.external;
        self.conclude(body, state, &result, report);
        let same = began.pose.pos == body.pos && began.angle == body.angle;
        let stands = same && body.vel == DVec2::ZERO && body.spin == 0.0;
        let steady = stands && began.speed == now.speed && state.feet.is_empty();
        let stood = steady && result.slow && !result.carried;
        state.stood_under = stood.then(|| self.forces());
        if result.carried && result.sides.squeeze() {
            self.check_room(&began, body, state, report);
        }
    }

    /// Into how many parts a tick near terrain is split for the feet, so that they are pressed in the
    /// same way at every tick rate.
    #[cold]
    fn foot_parts(&self, body: &Body, state: &VesselState, drift: DVec2) -> f64 {
        let around = self.context.around;
        let query = ContactQuery {
            scenery: self.context.scenery(),
            ahead: (0.0, &around.transit.steps),
            hull: self.hull,
            foot_travel: self.tuning.foot_travel,
            before: MotionState::of(body).pose,
        };
        let end = self.fly(&MotionState::of(body), around.dt, drift);
        if !state.touching && query.is_far(body.pos, end.pose.pos) {
            return 1.0;
        }
        (around.dt / FOOT_STEP - 1e-9).ceil()
    }

    /// Moves the vessel through a part of the tick. Returns the rest of that part (s) if it was
    /// split at an impact.
    fn part(&self, now: &mut MotionState, state: &mut VesselState, part: SubStep, result: &mut StepResult) -> f64 {
        let (start, SubStep { dt, drift, ahead }) = (*now, part);
        *now = self.fly(&start, dt, drift);
        let query = ContactQuery {
            scenery: self.context.scenery(),
            ahead: (ahead, &self.context.around.transit.steps),
            hull: self.hull,
            foot_travel: self.tuning.foot_travel,
            before: start.pose,
        };
        let mut contacts = ContactSet::default();
        query.fill(&now.pose, &state.feet, &mut contacts);
        self.mark(&mut contacts, now, &part, result.touching);
        if contacts.is_empty() {
            state.feet.iter_mut().for_each(|foot| foot.touching = false);
            result.touching = false;
            return 0.0;
        }
        let (mut left, mut hard) = (0.0, contacts.any_hard());
        if result.splits > 0
            && hard
            && let Some(hit) = self.time_of_impact(&start, state, part, &query)
        {
            result.splits -= 1;
            let until = SubStep { dt: hit, drift: drift * (hit / dt), ahead };
            *now = self.fly(&start, hit, until.drift);
            query.fill(&now.pose, &state.feet, &mut contacts);
            self.mark(&mut contacts, now, &until, false);
            hard = contacts.any_hard();
            left = dt - hit;
        }
        let out = self.way_out(now, state, &contacts);
        let deep = out.length_squared() > self.harmless(dt) * self.harmless(dt);
        if !hard && dt > FINEST * self.context.around.dt && deep {
            // It rolls or slides deeper into something than its weight explains. Moving only half
            // the way first keeps it from being moved out on the wrong side.
            *now = start;
            let half = SubStep { dt: 0.5 * dt, drift: drift * 0.5, ahead };
            return half.dt + self.part(now, state, half, result);
        }
        if hard {
            let carrier = contacts.iter().find(|contact| !contact.slow);
            let carrier = carrier.map_or(DVec2::ZERO, |contact| self.carrier(contact));
            now.speed.vel -= carrier;
            self.trade_speed_for_height(now, out.y);
            now.speed.vel += carrier;
        }
        let collision = Collision { start, dt: dt - left, contacts: &contacts, out };
        self.bounce(now, state, &collision, &query, result);
        left
    }

    /// Marks the slow contacts. A fast contact that still has a gap does not count.
    fn mark(&self, contacts: &mut ContactSet, now: &MotionState, part: &SubStep, touched: bool) {
        self.mark_slow(now, contacts, part, touched);
        if contacts.iter().any(|t| t.depth <= 0.0 && !t.slow) {
            contacts.retain(|t| t.depth > 0.0 || t.slow);
        }
    }

    /// The time (s) at which free motion first touches something; `None` if it did from the start.
    fn time_of_impact(
        &self,
        start: &MotionState,
        state: &VesselState,
        SubStep { dt, drift, .. }: SubStep,
        query: &ContactQuery<'_>,
    ) -> Option<f64> {
        let touches_at = |seconds: f64| {
            let then = self.fly(start, seconds, drift * (seconds / dt));
            query.contacts(&then.pose, &state.feet).penetrate()
        };
        if touches_at(0.0) {
            return None;
        }
        let (mut free, mut hit) = (0.0, dt);
        for _ in 0..HALVINGS {
            let middle = 0.5 * (free + hit);
            if touches_at(middle) {
                hit = middle;
            } else {
                free = middle;
            }
        }
        (hit < dt).then_some(hit)
    }

    /// The way out of all contacts, minus the part that feet absorb.
    pub(super) fn way_out(&self, now: &MotionState, state: &VesselState, contacts: &ContactSet) -> DVec2 {
        let up = now.pose.up();
        way_out(contacts, |contact| {
            let lift = contact.normal.dot(up).max(0.0);
            let foot = contact.foot.map(|f| &state.feet[f as usize]);
            let absorbed = foot.map_or(0.0, |foot| foot.absorbs(lift * contact.depth, self.tuning.foot_travel));
            contact.depth - absorbed
        })
    }

    /// Applies the impulses of a collision, and moves the vessel out of the terrain.
    fn bounce(
        &self,
        now: &mut MotionState,
        state: &mut VesselState,
        collision: &Collision<'_>,
        query: &ContactQuery<'_>,
        result: &mut StepResult,
    ) {
        let around = self.context.around;
        let Collision { start, dt, contacts, out } = collision;
        let solver = ImpulseSolver {
            tuning: self.tuning,
            ratio: self.hull.inertia_ratio,
            friction: self.friction,
            dt: *dt,
            up: now.pose.up(),
        };
        let impulses = solver.resolve(&mut now.speed, contacts, &mut state.feet, |contact| SolverContact {
            contact,
            surface: around.surface(around.air.surface.unwrap_or(contact.surface)),
            carrier: self.carrier(contact),
        });
        for (place, foot) in state.feet.iter_mut().enumerate() {
            foot.touching = contacts.iter().any(|t| t.foot == Some(place as u8));
        }
        let flown = now.pose.pos;
        let quiet = state.feet.iter().all(|foot| foot.rate.abs() < STILL.1);
        let held = impulses.slow && quiet && state.touching;
        if held && start.is_still() && now.is_still() {
            // Gravity has moved it and its support has moved it back, apart from rounding.
            (now.pose, now.angle) = (start.pose, start.angle);
        } else {
            now.pose.pos += *out;
            if impulses.slow {
                hold_place(now, start, *dt, contacts);
            }
            if now.pose.pos.distance_squared(flown) > self.harmless(*dt) * self.harmless(*dt) {
                // It moved so far that it may now overlap something else.
                let contacts = query.contacts(&now.pose, &state.feet);
                now.pose.pos += way_out(&contacts, |contact| contact.depth);
            }
        }
        self.stop_on_feet(now, start, *dt, contacts);
        for contact in contacts.iter() {
            let into = result.external.dot(contact.normal);
            if into < 0.0 {
                result.external -= contact.normal * into;
            }
        }
        self.record(contacts, &impulses, flown, result);
    }

    /// Removes velocity into the ground that a vessel on its feet has not turned into motion.
    /// Otherwise it would keep the falling speed that its springs push back in every part of a
    /// tick.
    fn stop_on_feet(&self, now: &mut MotionState, start: &MotionState, dt: f64, contacts: &ContactSet) {
        for contact in contacts.iter().filter(|contact| contact.foot.is_some()) {
            let made = (now.pose.pos - start.pose.pos).dot(contact.normal) / dt;
            let carried = self.carrier(contact).dot(contact.normal);
            let missing = made.min(carried) - now.speed.vel.dot(contact.normal);
            if missing > 0.0 {
                now.speed.vel += contact.normal * missing;
            }
        }
    }

    /// Takes the energy that lifts the vessel out of the terrain from its speed, and gives it back
    /// if the vessel is pressed down: `v'² = v² − 2·g·height`.
    fn trade_speed_for_height(&self, now: &mut MotionState, height: f64) {
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

    /// The point of a touched face or corner that is nearest to one inside of the solid: contacts lie in the middle of
    /// what overlaps.
    fn on_surface(&self, feature: Feature, inside: DVec2) -> DVec2 {
        let face = self.context.scenery().face(feature.edge());
        match feature {
            Feature::Face(_) => inside + face.normal * (face.start - inside).dot(face.normal),
            Feature::Corner(_) => face.start + face.along * face.length,
        }
    }

    /// Adds the contacts of a collision with the vessel's center at `at` to the result.
    fn record(&self, contacts: &ContactSet, impulses: &ImpulseResult, at: DVec2, result: &mut StepResult) {
        (result.touched, result.touching) = (true, true);
        result.slow &= impulses.slow;
        result.grips |= impulses.grips;
        if let Some(hit) = impulses.hardest
            && result.hardest.is_none_or(|h| hit.speed > h.speed)
        {
            result.hardest = Some(Impact { at: self.on_surface(hit.feature, at + hit.at), ..hit });
        }
        let up = if self.gravity < 0.0 { -1.0 } else { 1.0 };
        let moves = !self.context.around.transit.steps.is_empty();
        for contact in contacts.iter() {
            if moves {
                result.sides.add(contact.normal);
            }
            result.carried |= self.carrier(contact) != DVec2::ZERO;
            let best = result.ground.map_or(LEAST_UP, |g| g.normal.y * up);
            if contact.normal.y * up >= best {
                result.ground = Some(*contact);
            }
        }
    }
}

/// Corrects the distance that a vessel has moved along the only surface that it touches slowly.
/// With friction that distance follows from the mean speed, so a vessel at rest does not creep.
fn hold_place(now: &mut MotionState, start: &MotionState, dt: f64, contacts: &ContactSet) {
    let mut all = contacts.iter();
    let Some(first) = all.next() else { return };
    if all.any(|contact| contact.normal.dot(first.normal) < ONE_SURFACE) {
        return;
    }
    let tangent = first.tangent();
    let covered = (now.pose.pos - start.pose.pos).dot(tangent);
    let wanted = 0.5 * (start.speed.vel + now.speed.vel).dot(tangent) * dt;
    now.pose.pos += tangent * (wanted - covered);
}
