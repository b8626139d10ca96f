//! One tick of a vessel: its forces, its motion, and what happens to it on the way.
//!
//! A contact's approach is compared with a constant speed, so what gravity adds after the vessel has
//! touched the surface does not count. Otherwise a vessel at rest would hit its ground with the speed
//! that it gains in a tick, and would behave differently at every tick rate.

use super::{
    contact::Near,
    model::{Forces, Perch, SinceTick, platform_near},
    room::{crush, way_out},
    zones::{cross_zones, may_cross},
    *,
};

/// The sides on which something touched a vessel: one bit for each of up, down, right and left.
#[derive(Clone, Copy, Default)]
pub struct Sides(u8);

impl Sides {
    /// Adds the side of a contact with this unit normal.
    pub fn add(&mut self, normal: DVec2) {
        let parts = [normal.y, -normal.y, normal.x, -normal.x];
        for (bit, part) in parts.into_iter().enumerate() {
            self.0 |= u8::from(part > 0.5) << bit;
        }
    }

    /// Whether two of them are opposite.
    pub const fn squeeze(self) -> bool {
        self.0 & 0b11 == 0b11 || self.0 & 0b1100 == 0b1100
    }
}

/// The forces on a vessel in one tick.
pub struct VesselStep<'a> {
    pub tuning: &'a VesselTuning,
    pub hull: &'a Hull,
    /// The blocks near it, looked for once in most ticks.
    pub near: &'a RefCell<Near>,
    pub context: &'a MoveContext<'a>,
    /// Gravity, px/s².
    pub gravity: f64,
    /// Acceleration by the engine along the vessel's own up, px/s².
    pub thrust: f64,
    /// Angular acceleration by the pilot, rad/s².
    pub torque: f64,
    /// The shares of the platforms' steps at which it begins and ends.
    pub span: [f64; 2],
}

/// The outcome of a vessel's tick so far.
#[derive(Default)]
pub struct StepResult {
    pub hardest: Option<Impact>,
    /// Whether every contact was slow.
    pub slow: bool,
    /// The contact that supports it best.
    pub ground: Option<Contact>,
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
pub const STILL: (f64, f64) = (1e-2, 1e-3);

/// A change of the engine's acceleration that makes no difference, px/s².
const FAINT: f64 = 1e-9;

/// Maximum number of parts of a step.
const MOST_PARTS: f64 = 8192.0;

/// A way out of up to this length, plus the distance that gravity covers in a part of a tick,
/// cannot lead deep into anything else, px.
const HARMLESS: f64 = 0.2;

/// Pose and velocity of a vessel at one moment of the tick.
#[derive(Clone, Copy)]
pub struct MotionState {
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
    /// Where to look for contacts while this share of the platforms' steps is left. `before` is the previous pose.
    pub fn query(&self, ahead: f64, before: Pose) -> ContactQuery<'_> {
        ContactQuery {
            scenery: self.context.scenery(),
            ahead: (ahead, &self.context.around.transit.steps),
            hull: self.hull,
            near: self.near,
            foot_travel: self.tuning.foot_travel,
            before,
        }
    }

    /// Whether nothing has changed since the vessel stood still through the previous tick. Then it
    /// also stands still in this one, since every calculation would repeat exactly.
    pub fn keeps_standing(&self, body: &Body, state: &VesselState) -> bool {
        state.stood_under == Some(self.forces())
            && body.vel == DVec2::ZERO
            && body.spin == 0.0
            && body.external == DVec2::ZERO
    }

    /// Whether the vessel stands still in this tick as in the previous one.
    fn stands(&self, body: &Body, state: &VesselState) -> bool {
        self.keeps_standing(body, state) && !self.is_carried(body)
    }

    /// Whether wind, a conveyor or a platform may move the vessel although it stands still.
    pub fn is_carried(&self, body: &Body) -> bool {
        let air = &self.context.around.air;
        let wind = air.external_accel != DVec2::ZERO || air.conveyor != DVec2::ZERO;
        wind || platform_near(body, self.hull, self.context)
    }

    /// The forces, to compare them with another tick's.
    pub fn forces(&self) -> Forces {
        Forces::new(self.gravity, self.thrust, self.torque)
    }

    /// Into how many parts a step is split, so that the vessel cannot tunnel through anything.
    pub fn parts(&self, body: &Body, drift: DVec2) -> f64 {
        let around = self.context.around;
        let dt = around.dt;
        let speed = body.vel.length() * dt + drift.length();
        let pull = 0.5 * (self.gravity.abs() + self.thrust) * dt * dt;
        let turn = (body.spin.abs() * dt + 0.5 * self.torque.abs() * dt * dt) * self.hull.radius;
        let transit = around.transit;
        let swept = if transit.swept > 0.0 && platform_near(body, self.hull, self.context) {
            transit.swept
        } else {
            0.0
        };
        let distance = speed + pull + turn + (transit.longest + swept) * (self.span[1] - self.span[0]);
        (distance / (0.5 * self.hull.least)).ceil().clamp(1.0, MOST_PARTS)
    }

    /// The state after free motion for `dt` seconds. External velocity adds `drift`, px.
    pub fn fly(&self, from: &MotionState, dt: f64, drift: DVec2) -> MotionState {
        let turned = from.speed.spin * dt + 0.5 * self.torque * dt * dt;
        if self.steers(&from.speed, dt) {
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

    /// Whether the engine turns with the vessel, and its thrust noticeably so.
    fn steers(&self, speed: &RigidVelocity, dt: f64) -> bool {
        self.thrust * (speed.spin.abs() + 0.5 * self.torque.abs() * dt) * dt > FAINT
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
        around.platform_velocity(contact.platform, contact.center + contact.at) + around.air.conveyor
    }

    /// Velocity of the touched surface as the vessel's own velocity meets it, px/s: what external
    /// velocity leads away from the surface, own velocity may lead back.
    fn met(&self, contact: &Manifold, external: DVec2) -> DVec2 {
        self.carrier(contact) - contact.normal * external.dot(contact.normal).max(0.0)
    }

    /// The longest way out, px, that cannot lead deep into anything else: slightly more than
    /// gravity and the engine cover in `dt` seconds, which the way out takes back.
    pub fn harmless(&self, dt: f64) -> f64 {
        HARMLESS + 0.5 * (self.gravity.abs() + self.thrust) * dt * dt
    }
}

/// A part of a tick.
#[derive(Clone, Copy)]
pub struct SubStep {
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
    /// Displacement by external velocity, px.
    drift: DVec2,
    contacts: &'a ContactSet,
    /// The way out of the overlapping terrain, px.
    out: DVec2,
}

/// A surface supports a vessel if its unit normal points against gravity by at least this much.
const LEAST_UP: f64 = 0.5;

/// Two normals belong to one surface if their cosine is above this.
const ONE_SURFACE: f64 = 0.9998;

/// A part of a step is halved only while it is longer than this share of the step.
const FINEST: f64 = 0.1;

/// A vessel that may touch something moves in steps of at most this, s.
const FINE_STEP: f64 = 1.0 / 240.0;

/// Halvings in the search for the time of an impact.
const HALVINGS: u32 = 24;

impl VesselStep<'_> {
    /// Moves the vessel through the tick. Near terrain it moves in steps that do not depend on the tick rate, each as if it
    /// were a tick, so that it hits the terrain, and its feet are pressed in, in the same way at every rate.
    pub fn pass(&self, body: &mut Body, state: &mut VesselState, report: &mut Report) {
        if self.stands(body, state) && !body.crushed {
            return self.stay(body, state);
        }
        let count = self.steps(body, state);
        if count == 1 {
            return self.step(body, state, report);
        }
        if self.may_glide(body, state) && self.glide(body, state) {
            return;
        }
        let around = self.context.around;
        let mut here = around.lasting(around.dt / f64::from(count));
        // A platform that turns within the tick has been elsewhere than on the straight line to its end.
        let transit = around.transit;
        let bends = !transit.legs.is_empty() && platform_near(body, self.hull, self.context);
        let mut ground = None;
        for i in 0..count {
            if i > 0 && !here.zones.list().is_empty() {
                here = here.at(body.pos);
            }
            let span = [i, i + 1].map(|done| f64::from(done) / f64::from(count));
            if bends {
                let (began, tick) = (transit.changes.seconds(around.tick, around.hz), around.dt / around.lapse);
                let part = transit.part(around.level.terrain.platforms(), span.map(|share| began + share * tick));
                let here = Surroundings { transit: &part, pace: around.pace * f64::from(count), ..here };
                self.under(&here, [0.0, 1.0], |step| step.step(body, state, report));
            } else {
                self.under(&here, span, |step| step.step(body, state, report));
            }
            ground = body.ground.or(ground);
            if state.resting {
                break;
            }
        }
        // A vessel that hops for less than a tick has not left its ground.
        body.ground = ground;
    }

    /// How many steps the vessel takes in the tick.
    fn steps(&self, body: &Body, state: &VesselState) -> u32 {
        let around = self.context.around;
        let count = (around.dt / FINE_STEP - 1e-9).ceil();
        if count <= 1.0 {
            return 1;
        }
        let speed = RigidVelocity { vel: body.vel, spin: body.spin };
        if !state.touching && !self.steers(&speed, around.dt) {
            let (drift, _) = around.drift(body.external, None);
            let start = MotionState::of(body);
            let end = self.fly(&start, around.dt, drift);
            if self.query(0.0, start.pose).is_far(body.pos, end.pose.pos) {
                return 1;
            }
        }
        count as u32
    }

    /// Whether only the ground may act on a vessel, which touches it and does not turn.
    fn may_glide(&self, body: &Body, state: &VesselState) -> bool {
        let air = &self.context.around.air;
        state.touching
            && state.feet.is_empty()
            && (body.spin, self.torque) == (0.0, 0.0)
            && body.ground.is_none_or(|ground| self.hull.lies(body.angle, ground.normal))
            && (body.external, air.external_accel) == (DVec2::ZERO, DVec2::ZERO)
            && !body.crushed
            && !may_cross(self, body)
            && !platform_near(body, self.hull, self.context)
    }

    /// Moves a vessel that slides flat on its ground through the whole tick: its acceleration is constant until friction
    /// stops it, so steps would lead to the same place. Does nothing and returns false if anything else happens to it.
    fn glide(&self, body: &mut Body, state: &mut VesselState) -> bool {
        let (began, dt) = (MotionState::of(body), self.context.around.dt);
        if self.parts(body, DVec2::ZERO) > 1.0 {
            return false;
        }
        let mut now = self.fly(&began, dt, DVec2::ZERO);
        let query = self.query(0.0, began.pose);
        let mut contacts = ContactSet::default();
        query.fill(&now.pose, &state.feet, &mut contacts);
        let Some(normal) = contacts.list.first().map(|contact| contact.normal) else {
            return false;
        };
        let slides = |speed: &RigidVelocity| speed.vel.dot(normal).abs() < STOPPED;
        let is_flat = |t: &Manifold| t.platform.is_none() && t.gaps.iter().all(|gap| *gap < EVEN);
        let same = |t: &Manifold| (t.normal - normal).length_squared() < EVEN * EVEN;
        if !slides(&began.speed) || !contacts.list.iter().all(|t| is_flat(t) && same(t)) {
            return false;
        }
        self.mark(&mut contacts, &now, &SubStep { dt, drift: DVec2::ZERO, ahead: 0.0 }, true);
        if contacts.list.is_empty() || contacts.any_hard() {
            return false;
        }
        let out = self.way_out(&now, state, &contacts);
        let mut result = StepResult { slow: true, touching: true, ..StepResult::default() };
        let collision = Collision { start: began, dt, drift: DVec2::ZERO, contacts: &contacts, out };
        self.bounce(&mut now, state, &collision, &query, &mut result);
        let level = (now.pose.pos - began.pose.pos).dot(normal).abs() < EVEN;
        if !(level && slides(&now.speed) && now.speed.spin == 0.0 && result.slow) {
            return false;
        }
        self.finish(body, state, [&began, &now], &result);
        true
    }

    /// This step under other conditions, from one share of the tick to another.
    pub fn under<T>(&self, around: &Surroundings, span: [f64; 2], run: impl FnOnce(&VesselStep) -> T) -> T {
        let context = &MoveContext { around, ..*self.context };
        run(&VesselStep { context, gravity: around.gravity * self.tuning.gravity_scale, span, ..*self })
    }

    /// Moves the vessel through a step of the tick.
    fn step(&self, body: &mut Body, state: &mut VesselState, report: &mut Report) {
        if body.crushed && self.stays_crushed(body, state) {
            return;
        }
        if self.stands(body, state) {
            self.stay(body, state);
        } else if may_cross(self, body) {
            cross_zones(self, body, state, report);
        } else {
            self.run(body, state, report);
        }
    }

    /// Moves the vessel through a step, or through a part of it under the same conditions.
    pub fn run(&self, body: &mut Body, state: &mut VesselState, report: &mut Report) {
        let around = self.context.around;
        let (drift, external) = around.drift(body.external, None);
        let parts = self.parts(body, drift);
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
        let (mut done, mut crushed) = (0.0, false);
        while done < parts && !crushed {
            done += 1.0;
            let (start, carried) = (now, mem::take(&mut result.carried));
            result.sides = Sides::default();
            if let Some(spring) = &spring {
                state.feet.iter_mut().for_each(|foot| foot.spring(spring));
            }
            let ahead = 1.0 - (self.span[0] + (self.span[1] - self.span[0]) * (done / parts));
            let mut left = dt;
            while left > 0.0 {
                let part = SubStep { dt: left, drift: drift / parts * (left / dt), ahead };
                left = self.part(&mut now, state, part, &mut result);
            }
            if result.carried && result.sides.squeeze() && self.is_squeezed(&now, state, ahead) {
                // A platform that leaves makes room again within the tick.
                crushed = self.is_squeezed(&now, state, 0.0);
                // It stays where it was, since impulses from two sides would throw it anywhere.
                now = MotionState { speed: RigidVelocity::default(), ..start };
            }
            result.carried |= carried;
        }
        if let Some(hit) = result.hardest
            && report.details().hit.is_none_or(|known| hit.speed > known.speed)
        {
            report.details_mut().hit = Some(hit);
        }
        self.finish(body, state, [&began, &now], &result);
        if crushed {
            crush(body, state, report);
        }
    }

    /// Writes the end of a step to the vessel, and lets it rest if it has been calm for long enough.
    fn finish(&self, body: &mut Body, state: &mut VesselState, [began, now]: [&MotionState; 2], result: &StepResult) {
        let around = self.context.around;
        now.write(body);
        body.external = result.external;
        // A vessel that hops for a single step has not left its ground.
        let near = result.touched || state.touching;
        state.touching = result.touched;
        body.ground = result.ground;
        let idle = self.thrust == 0.0 && self.torque == 0.0;
        let undisturbed = near
            && result.slow
            && !result.carried
            && idle
            && body.external == DVec2::ZERO
            && around.air.external_accel == DVec2::ZERO;
        let settled = state.feet.is_empty() || began.pose.pos.distance(body.pos) <= Self::SETTLED * around.dt;
        self.rest(body, state, undisturbed, result.grips, settled);
        let same = began.pose.pos == body.pos && began.angle == body.angle;
        let stands = same && body.vel == DVec2::ZERO && body.spin == 0.0;
        let steady = stands && began.speed == now.speed && state.feet.is_empty();
        let stood = steady && result.slow && !result.carried;
        state.stood_under = stood.then(|| self.forces());
    }

    /// Moves the vessel through a part of the tick. Returns the rest of that part (s) if it was
    /// split at an impact.
    fn part(&self, now: &mut MotionState, state: &mut VesselState, part: SubStep, result: &mut StepResult) -> f64 {
        let (start, SubStep { dt, drift, ahead }) = (*now, part);
        *now = self.fly(&start, dt, drift);
        let query = self.query(ahead, start.pose);
        let mut contacts = ContactSet::default();
        query.fill(&now.pose, &state.feet, &mut contacts);
        self.mark(&mut contacts, now, &part, result.touching);
        if contacts.list.is_empty() {
            state.feet.iter_mut().for_each(|foot| foot.touching = false);
            result.touching = false;
            return 0.0;
        }
        let (mut left, mut hard) = (0.0, contacts.any_hard());
        let mut drifted = drift;
        if result.splits > 0
            && hard
            && let Some(hit) = self.time_of_impact(&start, state, part, &query)
        {
            result.splits -= 1;
            let until = SubStep { dt: hit, drift: drift * (hit / dt), ahead };
            *now = self.fly(&start, hit, until.drift);
            drifted = until.drift;
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
            let carrier = contacts.list.iter().find(|contact| !contact.slow);
            let carrier = carrier.map_or(DVec2::ZERO, |contact| self.carrier(contact));
            now.speed.vel -= carrier;
            self.trade_speed_for_height(now, out.y);
            now.speed.vel += carrier;
        }
        let collision = Collision { start, dt: dt - left, drift: drifted, contacts: &contacts, out };
        self.bounce(now, state, &collision, &query, result);
        left
    }

    /// Marks the slow contacts at the end of a part of a tick. `touched` tells whether the vessel touched anything at its
    /// start. A fast contact that still has a gap does not count.
    fn mark(&self, contacts: &mut ContactSet, now: &MotionState, part: &SubStep, touched: bool) {
        let rest = self.tuning.rest_rebound_speed;
        for contact in &mut contacts.list {
            let met = self.met(contact, part.drift / part.dt);
            let approach = -(now.speed.at(contact.at) - met).dot(contact.normal);
            let turned = contact.at.perp() * self.torque;
            let pull = -(self.accel(&now.pose) + turned).dot(contact.normal);
            // A vessel that stays on its ground falls only until the ground stops it, and a hop ends with
            // the speed it began with.
            let began = approach - pull * part.dt;
            let rocks = pull > 0.5 * self.gravity.abs() && contact.gaps != [0.0; 2];
            let most = if rocks { ROCKING * rest } else { rest };
            contact.slow =
                (touched && began > -rest && began < most) || touch_speed(approach, began, pull, contact, part) < rest;
        }
        if contacts.list.iter().any(|t| t.depth <= 0.0 && !t.slow) {
            contacts.list.retain(|t| t.depth > 0.0 || t.slow);
        }
    }

    /// The time (s) at which free motion first touches something; `None` if it did from the start.
    fn time_of_impact(
        &self,
        start: &MotionState,
        state: &VesselState,
        SubStep { dt, drift, .. }: SubStep,
        query: &ContactQuery,
    ) -> Option<f64> {
        let touches_at = |seconds: f64| {
            let then = self.fly(start, seconds, drift * (seconds / dt));
            query.contacts(&then.pose, &state.feet).list.iter().any(|contact| contact.depth > 0.0)
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
    pub fn way_out(&self, now: &MotionState, state: &VesselState, contacts: &ContactSet) -> DVec2 {
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
        collision: &Collision,
        query: &ContactQuery,
        result: &mut StepResult,
    ) {
        let around = self.context.around;
        let Collision { start, dt, drift, contacts, out } = collision;
        let solver = ImpulseSolver { tuning: self.tuning, ratio: self.hull.inertia_ratio, dt: *dt, up: now.pose.up() };
        let free = now.speed.vel;
        let impulses = solver.resolve(&mut now.speed, contacts, &mut state.feet, |contact| SolverContact {
            contact,
            surface: around.surface(around.air.surface.unwrap_or(contact.surface)),
            carrier: self.met(contact, result.external),
        });
        for (place, foot) in state.feet.iter_mut().enumerate() {
            foot.touching = contacts.list.iter().any(|t| t.foot == Some(place as u8));
        }
        let flown = now.pose.pos;
        let quiet = state.feet.iter().all(|foot| foot.rate.abs() < STILL.1);
        let held = impulses.slow && quiet && state.touching;
        if held && *drift == DVec2::ZERO && start.is_still() && now.is_still() {
            // Gravity has moved it and its support has moved it back, apart from rounding.
            (now.pose, now.angle) = (start.pose, start.angle);
        } else {
            now.pose.pos += *out;
            if impulses.slow {
                self.hold_place(now, collision, free);
            }
            if now.pose.pos.distance_squared(flown) > self.harmless(*dt) * self.harmless(*dt) {
                // It moved so far that it may now overlap something else.
                let contacts = query.contacts(&now.pose, &state.feet);
                now.pose.pos += way_out(&contacts, |contact| contact.depth);
            }
        }
        self.stop_on_feet(now, collision);
        // A contact with a gap does not stop external velocity, which has yet to close the gap.
        for contact in contacts.list.iter().filter(|contact| contact.depth > 0.0) {
            let into = result.external.dot(contact.normal);
            if into < 0.0 {
                result.external -= contact.normal * into;
            }
        }
        self.record(contacts, &impulses, flown, result);
    }

    /// Corrects the distance that a vessel has moved along the only surface that it touches slowly.
    /// That distance follows from its mean speed, so that a vessel at rest does not creep, and from its
    /// external velocity, which no friction slows. `flown` is its velocity without the contacts.
    fn hold_place(&self, now: &mut MotionState, collision: &Collision, flown: DVec2) {
        let Collision { start, dt, drift, contacts, out } = collision;
        let mut all = contacts.list.iter();
        let Some(first) = all.next() else { return };
        if all.any(|contact| contact.normal.dot(first.normal) < ONE_SURFACE) {
            return;
        }
        let (tangent, carrier) = (first.tangent(), self.carrier(first));
        let [began, free, ended] = [start.speed.vel, flown, now.speed.vel].map(|v| (v - carrier).dot(tangent));
        let (mut moving, covered) = (*dt, now.pose.pos - start.pose.pos);
        let touched = first.depth + (covered - *out).dot(first.normal) >= -CONTACT_MARGIN;
        let turns = start.speed.spin.abs().max(now.speed.spin.abs()) > STILL.1;
        if touched && !turns && ended.abs() < STOPPED {
            // Friction has stopped it, perhaps before the end: at its limit it takes this much in the part.
            let surface = self.context.around.surface(self.context.around.air.surface.unwrap_or(first.surface));
            let pressed = (now.speed.vel - flown).dot(first.normal);
            let brakes = self.tuning.friction_cap * surface.friction * pressed - (free - began) * began.signum();
            moving *= (began.abs() / brakes.max(f64::MIN_POSITIVE)).min(1.0);
        }
        let wanted = 0.5 * (began + ended) * moving + carrier.dot(tangent) * *dt + drift.dot(tangent);
        now.pose.pos += tangent * (wanted - covered.dot(tangent));
    }

    /// Removes velocity into the ground that a vessel on its feet has not turned into motion.
    /// Otherwise it would keep the falling speed that its springs push back in every part of a
    /// tick.
    fn stop_on_feet(&self, now: &mut MotionState, collision: &Collision) {
        let Collision { start, dt, drift, contacts, .. } = collision;
        for contact in contacts.list.iter().filter(|contact| contact.foot.is_some()) {
            let away = drift.dot(contact.normal).max(0.0);
            let made = ((now.pose.pos - start.pose.pos).dot(contact.normal) - away) / dt;
            let carried = self.met(contact, *drift / *dt).dot(contact.normal);
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
        for contact in &contacts.list {
            if moves {
                result.sides.add(contact.normal);
            }
            result.carried |= self.carrier(contact) != DVec2::ZERO;
            let best = result.ground.map_or(LEAST_UP, |g| g.normal.y * up);
            if contact.normal.y * up >= best {
                result.ground =
                    Some(Contact { feature: contact.feature, normal: contact.normal, touch: contact.normal });
            }
        }
    }
}

/// Heights that differ by less than this are one, px.
const EVEN: f64 = 1e-9;

/// Along a surface, a vessel slower than this has stopped, px/s.
const STOPPED: f64 = 1e-6;

/// A vessel that rocks on its ground does not bounce up to this multiple of the speed at which others
/// do.
const ROCKING: f64 = 3.0;

/// Approach speed at the moment of touching, px/s: `approach`, that at the end of a part of a tick,
/// less what the acceleration `pull` into the surface has added since then. `began` is the approach
/// at the start of the part.
fn touch_speed(approach: f64, began: f64, pull: f64, contact: &Manifold, part: &SubStep) -> f64 {
    let drifting = (-part.drift.dot(contact.normal) / part.dt).max(0.0);
    let moving = approach + drifting;
    if moving <= 0.0 {
        return approach;
    }
    // `v² − 2·a·depth`, back to the surface, or on to it if there is still a gap.
    let squared = moving * moving - 2.0 * pull * contact.depth;
    let touching = squared.max(0.0).sqrt() - drifting;
    // The earliest it can have touched is at the start.
    if contact.depth <= 0.0 {
        touching
    } else if pull > 0.0 {
        touching.max(began)
    } else {
        touching.min(began)
    }
}

impl VesselStep<'_> {
    /// A vessel that is calm for this long comes to rest, s.
    const CALM: f64 = 0.25;

    /// A vessel that moves slower than this is calm, px/s.
    const CALM_SPEED: f64 = 3.0;

    /// A vessel that spins slower than this is calm, rad/s.
    const CALM_SPIN: f64 = 0.5;

    /// A vessel that moves no farther than this (px, radians) for `PERCH_TIME` comes to rest.
    const PERCH: (f32, f32) = (2.5, 0.15);
    /// How long the vessel has to stay within `PERCH`, s.
    const PERCH_TIME: f64 = 1.0;

    /// Springs whose hull moves slower than this have found their balance, px/s. Until then its
    /// velocity may be 0, since the springs change its place alone.
    const SETTLED: f64 = 0.02;
    /// How long a vessel whose feet do not find their balance has to stay within `PERCH`, s.
    const SETTLING: f64 = 10.0;

    /// Passes a tick in which the vessel stands still.
    pub fn stay(&self, body: &mut Body, state: &mut VesselState) {
        // Nothing moves, so nothing slides either.
        self.rest(body, state, self.thrust == 0.0 && self.torque == 0.0, true, true);
    }

    /// Brings the vessel to rest if it has been calm for long enough, undisturbed. One that nothing
    /// `grips` glides on, however slowly, and one whose feet have not `settled` stands up.
    fn rest(&self, body: &mut Body, state: &mut VesselState, undisturbed: bool, grips: bool, settled: bool) {
        let mut calm = || self.is_calm(body, state, grips, settled) || (grips && self.stays(body, state, settled));
        if undisturbed && calm() {
            state.resting = true;
            (body.vel, body.spin) = (DVec2::ZERO, 0.0);
            for foot in &mut state.feet {
                foot.rate = 0.0;
            }
        } else if !undisturbed {
            state.wake();
        }
    }

    /// Whether the vessel has been slow for long enough.
    fn is_calm(&self, body: &Body, state: &mut VesselState, grips: bool, settled: bool) -> bool {
        let around = self.context.around;
        let calm = if grips { Self::CALM_SPEED } else { STILL.0 };
        let slow = body.vel.length_squared() < calm * calm && body.spin.abs() < Self::CALM_SPIN;
        if !slow || !settled {
            state.calm_since = SinceTick::default();
            return false;
        }
        let ticks = state.calm_since.ticks(around.now);
        f64::from(ticks) / around.hz + 1e-9 >= Self::CALM
    }

    /// Whether the vessel has trembled in one place for so long that it is not going anywhere.
    fn stays(&self, body: &Body, state: &mut VesselState, settled: bool) -> bool {
        let around = self.context.around;
        let pos = [body.pos.x as f32, body.pos.y as f32];
        let angle = body.angle as f32;
        let perch = &mut state.perch;
        let off = (perch.pos[0] - pos[0]).abs().max((perch.pos[1] - pos[1]).abs());
        let left = off > Self::PERCH.0 || (perch.angle - angle).abs() > Self::PERCH.1;
        if left || perch.since == SinceTick::default() {
            *perch = Perch { since: SinceTick(around.now.0 as u64 as u32), pos, angle };
            return false;
        }
        let long = if settled { Self::PERCH_TIME } else { Self::SETTLING };
        f64::from(perch.since.ticks(around.now)) / around.hz >= long
    }
}
