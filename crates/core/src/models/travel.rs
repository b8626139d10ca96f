//! Moves a body through a tick: along the ground while it stands, else through the air until it
//! lands.

use super::{
    footing::{note_one_way, press, stand},
    steering::{along_slope, along_wall},
    *,
};
use crate::level::{onto_a_step, walk_clear, walk_on};

/// Moves the body by a model's motion and its external velocity. The tick is cut wherever something happens that
/// changes how the body moves: what is left of it follows the new rules, as its [`Steering`] says. In the air, the
/// motion stops at a hit that the body [may grab](Steering::may_grab). The hit is then stored in
/// [`ReportDetails::grasp`](super::ReportDetails::grasp), and [`grab`] or [`pass`] has to end the motion.
#[inline(always)]
pub fn travel(body: &mut Body, motion: &Motion, context: &MoveContext, report: &mut Report, steering: &impl Steering) {
    if body.cling.is_some() {
        body.vel = motion.velocity;
        body.external = context.around.drift(body.external, None).1;
        return;
    }
    let cuts = if report.bound { MOST_CUTS } else { 0 };
    let course = || Course { cuts, ..Course::new(steering) };
    let Some(contact) = body.ground else {
        let mut course = course();
        if body.jump.rising() && !body.stands() {
            let around = context.around;
            course.hold = Hold { ends: began(around) + motion.held(around.dt), speed: motion.start.y };
        }
        course.fly(body, motion, context, report);
        return;
    };
    if motion.turns() {
        course().walk(body, contact, motion, context, report);
        return;
    }
    // Most bodies only walk on, and need no course.
    let external = body.external;
    if let Some(end) = stroll(body, contact, motion, context) {
        course().leave(body, (contact, external), &end, motion, context, report);
    }
}

/// Grabs the surface that a motion stopped at.
pub fn grab(body: &mut Body, grasp: &Grasp, context: &MoveContext, report: &mut Report) {
    if !body.sensed {
        // A script has teleported the body while its rule was asked.
        return;
    }
    meeting::board(body, grasp.feature, grasp.carry, context);
    body.cling = Some(Cling { feature: grasp.feature, normal: grasp.normal });
    body.vel = DVec2::ZERO;
    body.external = DVec2::ZERO;
    body.jump.land();
    report.grabbed = true;
}

/// Continues a motion along a surface that is not grabbed.
pub fn pass(body: &mut Body, motion: &Motion, grasp: &Grasp, context: &MoveContext, report: &mut Report) {
    if !body.sensed {
        // A script has teleported the body while its rule was asked.
        return;
    }
    let free = FreeMotion { motion, rest: grasp.rest, left: grasp.left };
    pass_corner(body, free.rest, context);
    Course::new(&Unsteered).fly_straight(body, &free, context, report);
}

/// When a part of a tick begins, s from the start of the tick.
fn began(around: &Surroundings) -> f64 {
    around.tick_seconds() - around.after - around.dt
}

/// Whether a surface moves.
fn moves(hit: &Hit, context: &MoveContext) -> bool {
    context.scenery().step_under(hit.feature) != DVec2::ZERO
}

/// How far what a body hits moves in this tick, px: 0 if the body finds it at its place at the end.
fn step_of(hit: &Hit, meets: bool, context: &MoveContext) -> DVec2 {
    if meets { context.scenery().step_under(hit.feature) } else { DVec2::ZERO }
}

/// The scenery without what was hit, if that moves.
fn others_than<'a>(hit: &Hit, step: DVec2, context: &MoveContext<'a>) -> Scenery<'a> {
    let scenery = context.scenery();
    match scenery.edge(hit.feature.edge()).platform {
        Some(platform) if step != DVec2::ZERO => scenery.without(platform),
        _ => scenery,
    }
}

/// Whether a body may come to the end of the face that it hit, with its center `at` once that has moved, when it slides
/// along by as much of this motion as leads along. Cheap, and true a little too often.
fn may_pass_end(hit: &Hit, at: DVec2, motion: DVec2, meets: bool, context: &MoveContext) -> bool {
    let Some((face, beyond)) = straight(hit, context) else {
        return false;
    };
    let then = face.along.dot(hit.point(context.shape, at) - face.start + motion);
    // The face moves on, by no more than in the whole tick.
    let step = face.along.dot(step_of(hit, meets, context));
    then < step.max(0.0) - beyond || then > face.length + beyond + step.min(0.0)
}

/// The face along which a body slides after a hit, and how far beyond its ends the middle of the body's side touches it,
/// px. A side touches a corner like a face without a length. `None` for the round part of a body at a corner.
fn straight(hit: &Hit, context: &MoveContext) -> Option<(Face, f64)> {
    let (scenery, beyond) = (context.scenery(), context.shape.spread(hit.normal));
    let face = match hit.feature {
        Feature::Face(index) => scenery.face(index),
        Feature::Corner(_) if beyond <= 0.0 => return None,
        Feature::Corner(edge) => {
            let along = hit.normal.perp();
            Face { start: scenery.face(edge).end(), along, normal: hit.normal, length: 0.0 }
        }
    };
    Some((face, beyond))
}

/// How a walk ended that something happened to.
struct WalkEnd {
    /// The motion of the whole walk, px.
    by: DVec2,
    /// External velocity at the end of the tick, px/s.
    later: DVec2,
    /// The motion left after the ground ended or the walk was blocked, px.
    rest: DVec2,
    blocked: Option<Hit>,
}

/// Walks along the ground by a model's motion and external velocity. Returns how that ended, if the body has left the
/// ground or something was in its way.
#[inline(always)]
fn stroll(body: &mut Body, contact: Contact, motion: &Motion, context: &MoveContext) -> Option<WalkEnd> {
    let around = context.around;
    let (drift, later) = around.drift(body.external, Some(contact.tangent()));
    let by = motion.displacement + drift + around.air.conveyor * around.dt;
    body.vel = motion.velocity;
    body.external = later;
    let (rest, blocked) = go_along(body, contact, by, context)?;
    Some(WalkEnd { by, later, rest, blocked })
}

/// Walks along the ground. Returns what is left of the motion and what was in its way, if it did not come to its end.
fn go_along(
    body: &mut Body,
    contact: Contact,
    displacement: DVec2,
    context: &MoveContext,
) -> Option<(DVec2, Option<Hit>)> {
    let tangent = contact.tangent();
    let distance = displacement.dot(tangent);
    let mut speed = body.vel.dot(tangent);
    let clear = walk_clear(context.terrain(), context.shape, body.pos, &contact, (tangent, distance));
    let walk = || walk_on(&context.scenery(), context.shape, body.pos, &contact, distance, context.rule());
    let walked = match clear.map_or_else(walk, Ok) {
        Ok(to) => {
            body.pos = to;
            body.vel = tangent * speed;
            // It stands there already.
            press(body, &contact);
            return None;
        }
        Err(walked) => walked,
    };
    if let Some(hit) = walked.blocked {
        let mut bump = Bumps::default();
        bump.push(hit);
        body.external = bump.clip(body.external);
        if (tangent * speed).dot(hit.normal) < 0.0 {
            speed = 0.0;
        }
    }
    body.pos = walked.pos;
    body.vel = walked.contact.tangent() * speed;
    if walked.standing {
        stand(body, walked.contact);
    } else {
        body.ground = None;
        note_one_way(body, walked.contact, context);
    }
    let ended = !walked.standing || walked.blocked.is_some();
    ended.then_some((walked.rest, walked.blocked))
}

/// Surfaces that lean less than this against gravity (as a cosine) do not bear a sliding body.
const LEVEL: f64 = 1e-9;

/// A tick is cut at most this often. What is left of it then keeps its motion, and slides along whatever is in its way.
const MOST_CUTS: u32 = 8;

/// A motion whose chord is at most this far from it is straight, px.
const FLAT: f64 = 0.01;

/// The pieces of a motion that is not, as pieces per second.
const PIECES: f64 = 240.0;

/// The steps in which a body slides around a corner, as steps per second.
const ROUNDING: f64 = 480.0;

/// A body has left a corner that it is this far away from, px.
const APART: f64 = 0.1;

/// A body that comes to a surface more slowly than this grazes it, px/s.
const GRAZING: f64 = 1.0;

/// Two normals whose scalar product is less than this belong to different touches.
const ALIKE: f64 = 0.99;

/// How often the time of a touch is refined; each time about doubles its digits.
const MOST_REFINED: u32 = 4;

/// The vertical speed that the jump key holds.
#[derive(Clone, Copy, Default)]
struct Hold {
    /// Until when, s from the start of the tick.
    ends: f64,
    /// px/s.
    speed: f64,
}

impl Hold {
    /// The velocity of a body that this holds and that moves across like this, px/s, on a surface with this unit
    /// normal: where the two lead into the surface, that slows or pushes the body across.
    fn along(&self, across: f64, normal: DVec2) -> DVec2 {
        let into = DVec2::new(across, self.speed).dot(normal) < 0.0;
        let across = if into { -self.speed * normal.y / normal.x } else { across };
        DVec2::new(across, self.speed)
    }
}

/// Surfaces that lean less than this to the side (as a cosine) end the hold of a jump, or bear the body.
const SIDEWAYS: f64 = 0.1;

/// Whether a surface pushes a body to the side whose jump the key holds.
fn pushes(hit: &Hit) -> bool {
    hit.normal.x.abs() > SIDEWAYS && hit.normal.y.abs() > LEVEL
}

/// What a body has met so far on its way through a tick.
struct Course<'s, S> {
    steering: &'s S,
    pit: Pit,
    /// The surfaces that have deflected it in earlier parts.
    bumps: Option<Bumps>,
    /// How often the tick has been cut.
    cuts: u32,
    /// The velocity with which it came to the first surface that did not end its flight, px/s.
    arrival: Option<DVec2>,
    /// The share of the tick that its current part began with.
    left: f64,
    /// External velocity when the current part began, px/s.
    external: DVec2,
    /// What comes after the current piece of a motion, s.
    later: f64,
    /// The speed that a jump keeps.
    hold: Hold,
    /// The face along which the body slides up to its end.
    hugs: Option<Feature>,
    /// Whether the tick is over: a cut in a piece of a motion also cuts everything after it.
    over: bool,
}

impl<'s, S: Steering> Course<'s, S> {
    fn new(steering: &'s S) -> Self {
        Self {
            steering,
            pit: Pit::default(),
            bumps: None,
            cuts: 0,
            arrival: None,
            left: 1.0,
            external: DVec2::ZERO,
            later: 0.0,
            hold: Hold::default(),
            hugs: None,
            over: false,
        }
    }

    /// Whether the tick may be cut here.
    fn cuts(&self) -> bool {
        self.cuts < MOST_CUTS && self.steering.resumes()
    }

    /// What is left of the tick after this many seconds of the current piece.
    fn rest<'a>(&mut self, elapsed: f64, around: &Surroundings<'a>) -> Surroundings<'a> {
        let later = mem::take(&mut self.later);
        let rest = around.lasting(around.dt - elapsed + later);
        self.cuts += 1;
        self.left *= rest.dt / around.dt;
        Surroundings { after: around.after - later, ..rest }
    }

    /// For how long a jump still keeps its speed, s.
    fn held(&self, body: &Body, rest: &Surroundings) -> f64 {
        if body.jump.rising() { (self.hold.ends - began(rest)).max(0.0) } else { 0.0 }
    }

    /// The motion of a body for the rest of the tick.
    fn resume(&self, body: &mut Body, rest: &Surroundings) -> Motion {
        let held = self.held(body, rest);
        if held > 0.0 {
            body.vel.y = self.hold.speed;
        }
        self.steering.resume(body, rest, held)
    }

    /// Continues for the rest of the tick, from the velocity that the body has now.
    #[cold]
    fn proceed(&mut self, body: &mut Body, rest: &Surroundings, context: &MoveContext, report: &mut Report) {
        if rest.dt <= 0.0 {
            return;
        }
        let motion = self.resume(body, rest);
        self.proceed_by(body, &motion, rest, context, report);
    }

    /// Continues for the rest of the tick by this motion.
    fn proceed_by(
        &mut self,
        body: &mut Body,
        motion: &Motion,
        rest: &Surroundings,
        context: &MoveContext,
        report: &mut Report,
    ) {
        let context = &MoveContext { around: rest, ..*context };
        self.over = false;
        match body.ground {
            Some(contact) => self.walk(body, contact, motion, context, report),
            None => self.fly(body, motion, context, report),
        }
        self.over = true;
    }

    /// Walks along the ground, and off its end.
    fn walk(&mut self, body: &mut Body, contact: Contact, motion: &Motion, context: &MoveContext, report: &mut Report) {
        if motion.turns()
            && self.cuts()
            && let Some(seconds) = self.steering.stops(body, contact, context.around)
        {
            self.turn_around(body, contact, motion, seconds, context, report);
            return;
        }
        let external = body.external;
        if let Some(end) = stroll(body, contact, motion, context) {
            self.leave(body, (contact, external), &end, motion, context, report);
        }
    }

    /// Continues after a walk that did not come to its end, from the ground where it began and the external velocity
    /// there.
    #[cold]
    fn leave(
        &mut self,
        body: &mut Body,
        (contact, external): (Contact, DVec2),
        end: &WalkEnd,
        motion: &Motion,
        context: &MoveContext,
        report: &mut Report,
    ) {
        let WalkEnd { by, later, rest, blocked } = *end;
        let around = context.around;
        let (tangent, conveyor) = (contact.tangent(), around.air.conveyor);
        let turns = |hit: &Hit| self.steering.leads_away(hit.normal) && !moves(hit, context);
        let blocked = blocked.filter(|hit| turns(hit) && self.cuts());
        if body.ground.is_some() && blocked.is_none() {
            return;
        }
        let whole = by.dot(tangent).abs().max(f64::MIN_POSITIVE);
        let share = (1.0 - rest.length() / whole).clamp(0.0, 1.0);
        if !self.cuts() {
            let free = FreeMotion { motion, rest, left: 1.0 - share };
            self.external = external;
            self.fly_straight(body, &free, context, report);
            return;
        }
        // Everything that moves the body changes evenly enough in one tick.
        let paced = EvenPace::of(by.dot(tangent), (motion.velocity + later + conveyor).dot(tangent), around.dt);
        let seconds = paced.time_of(share);
        if let Some(hit) = blocked {
            // Its keys lead it back at once.
            let mut bump = Bumps::default();
            bump.push(hit);
            body.external = bump.clip(around.lasting(seconds).drift(external, Some(tangent)).1);
            let rest = self.rest(seconds, around);
            self.proceed(body, &rest, context, report);
            return;
        }
        let heading = body.vel.normalize_or_zero();
        if motion.start != motion.velocity {
            let own = EvenPace::of(motion.displacement.dot(tangent), motion.velocity.dot(tangent), around.dt);
            body.vel = heading * own.at(seconds).abs();
        }
        // It takes the velocity of its ground along for what is left of the tick, in which that no longer carries it.
        let carrier = context.carrier_velocity(body, &contact);
        let left = around.dt - seconds;
        body.external = around.lasting(seconds).drift(external, Some(tangent)).1 + carrier;
        let ridden = (carrier - conveyor) * left;
        if ridden != DVec2::ZERO {
            // The platform that it leaves is not in its way: both go back.
            let scenery = context.scenery();
            let platform = scenery.edge(contact.feature.edge()).platform;
            let others = platform.map_or(scenery, |platform| scenery.without(platform));
            body.pos = slide(&others, context.shape, body.pos, -ridden, |_, _| false).pos;
        }
        report.carried = DVec2::ZERO;
        // From here on, platforms are in its way where they are at that moment.
        report.meets |= riding::may_meet(body, around);
        let rest = self.rest(seconds, around);
        self.proceed(body, &rest, context, report);
    }

    /// Walks until it stops, which is after some seconds, and back.
    #[cold]
    fn turn_around(
        &mut self,
        body: &mut Body,
        contact: Contact,
        motion: &Motion,
        seconds: f64,
        context: &MoveContext,
        report: &mut Report,
    ) {
        let around = context.around;
        let left = around.dt - seconds;
        let part = Motion {
            start: motion.start,
            displacement: contact.tangent() * (0.5 * motion.start.dot(contact.tangent()) * seconds),
            ..Motion::default()
        };
        let here = Surroundings { after: around.after + left, ..around.lasting(seconds) };
        self.later += left;
        self.over = false;
        if seconds > 0.0 {
            self.walk(body, contact, &part, &MoveContext { around: &here, ..*context }, report);
        }
        if !self.over {
            let rest = self.rest(seconds, &here);
            self.proceed(body, &rest, context, report);
            self.over = true;
        }
    }

    /// Moves through the air by a motion and external velocity, and lands on the first walkable surface, or where the
    /// body gets stuck between steep ones, unless it rises in its jump.
    fn fly(&mut self, body: &mut Body, motion: &Motion, context: &MoveContext, report: &mut Report) {
        let around = context.around;
        let external = body.external;
        if let Some(rise) = motion.top(context.footing.max_fall_speed, around.dt).filter(|_| self.cuts()) {
            self.fly_over(body, motion, rise, context, report);
            return;
        }
        let (drift, later) = around.drift(external, None);
        self.external = external;
        body.vel = motion.velocity;
        body.external = later;
        let mut free = FreeMotion { motion, rest: motion.displacement + drift, left: 1.0 };
        if let Some(bumps) = self.bumps {
            free.rest = bumps.clip(free.rest);
        } else {
            pass_corner(body, free.rest, context);
            let bend = motion.pull.abs() * around.dt + (motion.velocity.x - motion.start.x).abs();
            let bend = bend + (later - external).abs().element_sum();
            let sagitta = bend * around.dt / 8.0;
            if sagitta > FLAT && self.cuts() {
                let (scenery, shape) = (context.scenery(), context.shape);
                let hit = if report.meets && scenery.meets_platforms(shape, body.pos, free.rest) {
                    scenery.sweep_in_tick(shape, body.pos, free.rest, meeting::span(around, 1.0))
                } else {
                    scenery.sweep(shape, body.pos, free.rest)
                };
                let Some(hit) = hit else {
                    body.pos += free.rest;
                    return;
                };
                // A wall that it only slides along is at the same place on the chord, and so is what it touches
                // already.
                let at = body.pos + free.rest * hit.time;
                let bends = hit.normal.y.abs() > LEVEL || self.steering.may_grab(&hit, at, context);
                if bends && hit.time * free.rest.length() > TOUCH {
                    self.fly_in_pieces(body, motion, external, context, report);
                    return;
                }
            }
        }
        self.fly_straight(body, &free, context, report);
    }

    /// Flies along the chords of short pieces of a motion.
    #[cold]
    fn fly_in_pieces(
        &mut self,
        body: &mut Body,
        motion: &Motion,
        external: DVec2,
        context: &MoveContext,
        report: &mut Report,
    ) {
        let around = context.around;
        let (whole, began, after) = (around.dt, self.left, self.later);
        let count = (whole * PIECES - 1e-6).ceil().max(1.0);
        let mut last = DVec2::ZERO;
        let mut from = *motion;
        body.external = external;
        for piece in 1..=count as u32 {
            let seconds = whole / count;
            let left = whole - f64::from(piece) * seconds;
            let (moved, velocity) = if left > 0.0 {
                motion.at(whole - left, whole)
            } else {
                (motion.displacement, motion.velocity)
            };
            let part = Motion { displacement: moved - last, velocity, ..from };
            let here = Surroundings { after: around.after + left, ..around.lasting(seconds) };
            let (drift, later) = here.drift(body.external, None);
            self.external = body.external;
            self.left = began * (seconds / whole);
            self.later = after + left;
            (body.vel, body.external) = (velocity, later);
            let free = FreeMotion { motion: &part, rest: part.displacement + drift, left: 1.0 };
            self.fly_straight(body, &free, &MoveContext { around: &here, ..*context }, report);
            if self.over {
                return;
            }
            if let Some(grasp) = report.grasp_mut() {
                // If it does not grab, it moves past for the rest of the tick.
                grasp.left += began * (left / whole);
                grasp.rest += motion.displacement - moved + body.external * left;
                return;
            }
            if body.vel != velocity || body.external != later {
                let rest = self.rest(seconds, &here);
                self.proceed(body, &rest, context, report);
                return;
            }
            (last, from.start) = (moved, velocity);
        }
    }

    /// Flies over the top of a motion, which is `rise` seconds from its start: up to it, and down from it. In each of
    /// the two, a place belongs to one moment.
    #[cold]
    fn fly_over(&mut self, body: &mut Body, motion: &Motion, rise: f64, context: &MoveContext, report: &mut Report) {
        let around = context.around;
        let (up, down) = motion.cut(rise, around.dt);
        let late = around.lasting(around.dt - rise);
        let early = Surroundings { after: around.after + late.dt, ..around.lasting(rise) };
        let (began, after) = (self.left, self.later);
        self.left = began * (rise / around.dt);
        self.later = after + late.dt;
        let undisturbed = around.lasting(rise).drift(body.external, None).1;
        self.fly(body, &up, &MoveContext { around: &early, ..*context }, report);
        if self.over {
            return;
        }
        if let Some(grasp) = report.grasp_mut() {
            // If it does not grab, it moves past for the rest of the tick.
            grasp.left += began * (late.dt / around.dt);
            grasp.rest += down.displacement + body.external * late.dt;
            return;
        }
        (self.left, self.later) = (began, after);
        if body.vel == up.velocity && body.external == undisturbed {
            let context = &MoveContext { around: &late, ..*context };
            self.left *= late.dt / around.dt;
            self.fly(body, &down, context, report);
        } else {
            let rest = self.rest(rise, around);
            self.proceed(body, &rest, context, report);
        }
    }

    /// Flies until the motion ends or something stops it.
    fn fly_straight(&mut self, body: &mut Body, free: &FreeMotion, context: &MoveContext, report: &mut Report) {
        let steering = self.steering;
        let (scenery, rule) = (&context.scenery(), context.rule());
        let (up, meets) = (rule.up, report.meets);
        // A body that passes the top of its jump in this tick may land in it.
        let may_land = !body.jump.rising() || free.motion.velocity.y * up <= 0.0;
        let cuts = self.cuts();
        let (shape, side) = (context.shape, free.rest.x.signum());
        let wind = context.around.air.external_accel;
        // A body that moves across rather than down gets onto the corners of steps as if it walked.
        let steps = cuts && may_land && free.rest.x.abs() > free.rest.y.abs();
        let onto = |hit: &Hit, at: DVec2| onto_a_step(scenery, shape, at, hit, side, rule);
        let from = body.pos;
        let (mut grabs, mut turns, mut round) = (false, false, false);
        let rises = body.jump.rising() && self.held(body, context.around) > 0.0;
        let pit = &mut self.pit;
        let hugs = self.hugs;
        let slid = meeting::slide(body.pos, free, meets, context, |hit, at| {
            let alone = || {
                let others = others_than(hit, step_of(hit, meets, context), context);
                !meets || !others.meets_platforms(shape, from, free.rest)
            };
            round = cuts && straight(hit, context).is_none() && alone();
            if rule.walkable(hit.normal) {
                return may_land || meets && scenery.step_under(hit.feature).y * up > 0.0;
            }
            if steps && onto(hit, at).is_some() {
                return true;
            }
            grabs = steering.may_grab(hit, at, context);
            if grabs || may_land && pit.holds(hit, at, context) {
                return true;
            }
            let leans = hit.normal.y * up;
            let pulled = steering.leads_away(hit.normal) || wind.dot(hit.normal) > 0.0;
            let ends = || hugs != Some(hit.feature) && may_pass_end(hit, at, free.rest, meets, context);
            let holds = || rises && pushes(hit);
            turns = cuts && (may_land && leans > LEVEL || leans < -CEILING || pulled || round || holds() || ends());
            turns
        });
        body.pos = slid.pos;
        report.pressed = longer(report.pressed, slid.pressed);
        meeting::deflect(body, &slid.bumps, free, meets, context);
        let bumps = |hit: &Hit| hit.normal.y * up < -CEILING;
        if slid.bumps.iter().any(bumps) || turns && slid.stopped.is_some_and(|(hit, _)| bumps(&hit)) {
            body.jump.bump_head();
        }
        let Some((met, mut share)) = slid.stopped else {
            return;
        };
        let mut hit = met;
        let around = context.around;
        let (mut elapsed, mut velocity) = free.motion.at_share(share, around.dt);
        if cuts && self.bumps.is_none() && slid.bumps.iter().next().is_none() {
            let found = (elapsed, share * around.dt);
            (elapsed, velocity) = self.touch(body, from, &mut hit, found, free.motion, (meets, context));
            share = elapsed / around.dt;
        }
        if turns {
            // From the velocity that the body has here, gravity and its keys speed it up along the surface, or away
            // from it.
            let bears = may_land && hit.normal.y * up > LEVEL;
            let speed = step_of(&hit, meets, context).dot(hit.normal) * around.pace;
            let external = self.external_after(elapsed, around);
            if speed != 0.0 || meets && slid.bumps.on_platform() {
                self.bumps = None;
                (body.vel, body.external) = meeting::rebound(&slid.bumps, &hit, speed, (velocity, external), around);
            } else {
                let mut bumps = self.bumps.filter(|_| bears).unwrap_or_default();
                slid.bumps.iter().for_each(|bump| bumps.push(*bump));
                bumps.push(hit);
                self.bumps = if bears { Some(bumps) } else { self.bumps };
                body.vel = bumps.clip(velocity);
                body.external = bumps.clip(external);
            }
            if bears {
                self.arrival = self.arrival.or(Some(velocity));
            }
            let rest = self.rest(elapsed, around);
            if rest.dt <= 0.0 {
                return;
            }
            let held = self.held(body, &rest).min(rest.dt);
            let holds = held > 0.0 && speed == 0.0 && pushes(&hit);
            if holds {
                body.vel = self.hold.along(velocity.x, hit.normal);
            }
            if round && self.round(body, &hit, &rest, context, report) {
                return;
            }
            let free = self.resume(body, &rest);
            if holds && DVec2::new(free.velocity.x, self.hold.speed).dot(hit.normal) < 0.0 {
                let motion = Motion::steady(body.vel, rest.dt);
                let end = self.passes_end(body, &hit, &motion, &rest, (meets, context));
                match end.filter(|(seconds, _)| *seconds < held) {
                    Some(end) => self.fly_to_end(body, (&hit, &motion), end, &rest, context, report),
                    None => self.rise_along(body, (&hit, &motion), held, &rest, context, report),
                }
                return;
            }
            let motion = if hit.normal.y.abs() > LEVEL {
                along_slope(&free, (hit.normal, speed), context, rest.dt)
            } else {
                along_wall(&free, (hit.normal, speed), rest.dt)
            };
            match self.passes_end(body, &hit, &motion, &rest, (meets, context)) {
                Some(end) => self.fly_to_end(body, (&hit, &motion), end, &rest, context, report),
                None => self.proceed_by(body, &motion, &rest, context, report),
            }
            return;
        }
        // It lands, or may grab something.
        let pit = &self.pit;
        if let Some((at, contact)) = pit.bottom {
            let sudden = pit.entry.is_some_and(|entry| entry.distance(at) < SUDDEN);
            // Where both sides stop the body at once, it lands with all of its speed.
            let clipped = slid.bumps.clip_at(velocity, around.pace);
            let arrival = self.arrival.unwrap_or(velocity);
            body.vel = if sudden { arrival } else { clipped };
            body.pos = at;
            land(body, contact, context, report);
            (body.vel, body.external) = (DVec2::ZERO, DVec2::ZERO);
            self.over = true;
            return;
        }
        let later = free.left * (1.0 - share);
        let carry = meeting::carried(&hit, later, meets, context);
        if grabs {
            let rest = free.rest * (1.0 - share);
            report.details_mut().grasp = Some(Grasp {
                feature: hit.feature,
                normal: hit.normal,
                roof: false,
                rest: slid.bumps.clip_at(rest, later * around.dt * around.pace),
                left: self.left * later,
                carry,
            });
            return;
        }
        // What just bears it at one place may not do so at another.
        let contact = Contact::of(scenery, &hit, rule).or_else(|| Contact::of(scenery, &met, rule));
        let step = || if steps { onto(&met, slid.pos) } else { None };
        let Some(contact) = contact.or_else(step) else {
            return;
        };
        body.vel = slid.bumps.clip_at(velocity, around.pace);
        report.details_mut().bend = Some(body.pos);
        meeting::board(body, hit.feature, carry, context);
        if cuts {
            body.external = slid.bumps.clip_at(self.external_after(elapsed, around), around.pace);
        }
        land(body, contact, context, report);
        steering.landed(body);
        if cuts {
            // If its ground ends in this tick, it has stood there.
            report.stood = true;
            self.bumps = None;
            let rest = self.rest(elapsed, around);
            self.proceed(body, &rest, context, report);
            return;
        }
        let part = around.lasting((around.dt - elapsed) * free.left);
        let motion = Motion::steady(body.vel, part.dt);
        let rest = motion.displacement + body.external * part.dt;
        let context = &MoveContext { around: &part, ..*context };
        go_along(body, contact, rest, context);
    }

    /// When a body that slides along the face that it has hit comes to its end, s, and the corner there; `None` if it
    /// does not.
    fn passes_end(
        &self,
        body: &Body,
        hit: &Hit,
        motion: &Motion,
        rest: &Surroundings,
        (meets, context): (bool, &MoveContext),
    ) -> Option<(f64, u32)> {
        let (face, beyond) = straight(hit, context)?;
        let (carrier, point) = (step_of(hit, meets, context) * rest.pace, hit.point(context.shape, body.pos));
        let place = |seconds: f64| {
            let (drift, _) = rest.lasting(seconds).drift(body.external, None);
            let start = face.start - carrier * (rest.dt - seconds + rest.after);
            face.along.dot(point + motion.at(seconds, rest.dt).0 + drift - start)
        };
        let then = place(rest.dt);
        let [first, last] = match hit.feature {
            Feature::Face(index) => context.scenery().ends_of(index),
            Feature::Corner(corner) => [Some((0.0, corner)); 2],
        };
        let passes = |end: Option<(f64, u32)>, side: f64| {
            let (at, corner) = end?;
            let at = at + side * beyond;
            let before = |seconds: f64| (place(seconds) - at) * side < 0.0;
            let passes = self.cuts() && (then - at) * side > 0.0;
            passes.then(|| (if before(0.0) { halve(0.0, rest.dt, before) } else { 0.0 }, corner))
        };
        passes(first, -1.0).or_else(|| passes(last, 1.0))
    }

    /// Slides along the face that the body has hit, up to its end, and then around that.
    #[cold]
    fn fly_to_end(
        &mut self,
        body: &mut Body,
        (hit, motion): (&Hit, &Motion),
        (seconds, corner): (f64, u32),
        rest: &Surroundings,
        context: &MoveContext,
        report: &mut Report,
    ) {
        let Some((rest, stayed)) = self.fly_along(body, (hit, motion), seconds, rest, context, report) else {
            return;
        };
        self.bumps = None;
        let hit = Hit { feature: Feature::Corner(corner), ..*hit };
        let round = context.shape.form != ColliderForm::Box && straight(&hit, context).is_none();
        let rounds = round && stayed && rest.dt > 0.0 && self.round(body, &hit, &rest, context, report);
        if !rounds {
            self.proceed(body, &rest, context, report);
        }
        self.over = true;
    }

    /// Rises along a slope for as long as the jump key holds the body's speed, s, and continues from there.
    #[cold]
    fn rise_along(
        &mut self,
        body: &mut Body,
        (hit, motion): (&Hit, &Motion),
        seconds: f64,
        rest: &Surroundings,
        context: &MoveContext,
        report: &mut Report,
    ) {
        if let Some((rest, _)) = self.fly_along(body, (hit, motion), seconds, rest, context, report) {
            self.proceed(body, &rest, context, report);
        }
        self.over = true;
    }

    /// Flies the first seconds of a motion along what the body has hit. Returns what is left of the tick, and whether
    /// nothing has changed the body's velocity; `None` if the tick is over.
    fn fly_along<'a>(
        &mut self,
        body: &mut Body,
        (hit, motion): (&Hit, &Motion),
        seconds: f64,
        rest: &Surroundings<'a>,
        context: &MoveContext,
        report: &mut Report,
    ) -> Option<(Surroundings<'a>, bool)> {
        if seconds <= 0.0 {
            self.cuts += 1;
            return Some((*rest, true));
        }
        let (left, began) = (rest.dt - seconds, self.left);
        let (moved, velocity) = motion.at(seconds, rest.dt);
        let part = Motion { displacement: moved, velocity, ..*motion };
        let here = Surroundings { after: rest.after + left, ..rest.lasting(seconds) };
        let (drift, later) = here.drift(body.external, None);
        self.external = body.external;
        self.left = began * (seconds / rest.dt);
        self.later = left;
        (body.vel, body.external) = (velocity, later);
        let free = FreeMotion { motion: &part, rest: part.displacement + drift, left: 1.0 };
        self.over = false;
        self.hugs = Some(hit.feature);
        self.fly_straight(body, &free, &MoveContext { around: &here, ..*context }, report);
        self.hugs = None;
        if self.over {
            return None;
        }
        if let Some(grasp) = report.grasp_mut() {
            // If it does not grab, it moves past for the rest of the tick.
            grasp.left += began * (left / rest.dt);
            grasp.rest += motion.displacement - moved + body.external * left;
            self.over = true;
            return None;
        }
        let stayed = body.vel == velocity && body.external == later;
        Some((self.rest(seconds, &here), stayed))
    }

    /// Slides around a corner for as long as gravity and keys press the body against it. Where the corner is touched
    /// changes on the way, and so does the direction in which the body slides. Returns false and does nothing if
    /// something else is in the way.
    #[cold]
    fn round(
        &mut self,
        body: &mut Body,
        hit: &Hit,
        rest: &Surroundings,
        context: &MoveContext,
        report: &mut Report,
    ) -> bool {
        let (scenery, half) = (&context.scenery(), context.shape.round());
        // A capsule rounds it with the circle at one of its ends.
        let circle = context.shape.flat_toward(hit.normal);
        let end = scenery.face(hit.feature.edge()).end() + circle;
        let step = step_of(hit, report.meets, context);
        let (carrier, others) = (step * rest.pace, others_than(hit, step, context));
        let own = scenery.edge(hit.feature.edge()).platform.filter(|_| step != DVec2::ZERO);
        let count = (rest.dt * ROUNDING - 1e-6).ceil().max(1.0);
        let seconds = rest.dt / count;
        let (mut normal, mut done) = (hit.normal, 0.0);
        let clip = |v: DVec2, normal: DVec2| v - normal * v.dot(normal).min(0.0);
        while done < count {
            let after = rest.after + rest.dt - (done + 1.0) * seconds;
            let here = Surroundings { after, ..rest.lasting(seconds) };
            let corner = end - carrier * after;
            let holds = self.held(body, &here) > 0.0;
            let motion = self.resume(body, &here);
            let (drift, later) = here.drift(body.external, None);
            let by = motion.displacement + drift;
            let free = (body.pos + by - corner) / half;
            let inside = free.length_squared() - 1.0;
            let leaves = inside >= 0.0;
            // The corner pushes it out, along the normal that it had at the start of the step.
            let out = normal / half;
            let (along, squared) = (free.dot(out), out.length_squared());
            let push = if leaves {
                0.0
            } else {
                ((along * along - squared * inside).sqrt() - along) / squared
            };
            let place = body.pos + by + normal * push;
            let next = ((place - corner) / (half * half)).normalize_or(normal);
            let ends = circle != DVec2::ZERO && next.dot(circle) <= 0.0;
            let steep = scenery.is_at_corner(hit.feature.edge(), next) && !context.rule().walkable(next);
            let rounds = leaves || steep && !ends;
            let itself = |platform| scenery.overlaps_platform(platform, context.shape, place + carrier * after);
            let blocked = others.overlap(context.shape, place).is_some() || own.is_some_and(itself);
            if done == 0.0 && (blocked || !rounds && step != DVec2::ZERO) {
                return false;
            }
            if !rounds || blocked {
                if done == 0.0 {
                    // It is at the end of the corner.
                    let along = by - normal * by.dot(normal).min(0.0);
                    let slid = slide(scenery, context.shape, body.pos, along, |_, _| false);
                    body.pos = slid.pos;
                    body.vel = slid.bumps.clip(clip(motion.velocity, normal));
                    body.external = slid.bumps.clip(clip(later, normal));
                    done = 1.0;
                }
                break;
            }
            body.pos = place;
            (body.vel, body.external) = (motion.velocity, later);
            if !leaves && step == DVec2::ZERO {
                body.vel = if holds && next.x.abs() > SIDEWAYS {
                    self.hold.along(motion.velocity.x, next)
                } else {
                    clip(motion.velocity + normal * (push / seconds), next)
                };
                body.external = clip(later, next);
            } else if !leaves {
                let pushed = motion.velocity + normal * (push / seconds);
                let hit = Hit { normal: next, ..*hit };
                let speed = carrier.dot(next);
                (body.vel, body.external) = meeting::rebound(&Bumps::default(), &hit, speed, (pushed, later), rest);
            }
            normal = next;
            done += 1.0;
            if (free.length() - 1.0) * half.min_element() > APART {
                // By now the chord of a longer motion leads past the corner.
                break;
            }
        }
        self.bumps = None;
        if done < count {
            let left = rest.lasting(rest.dt - done * seconds);
            self.left *= left.dt / rest.dt;
            self.proceed(body, &left, context, report);
        }
        self.over = true;
        true
    }

    /// When a motion that began at `from` comes to what it hit, s, and its velocity then. On a face, moves the body to
    /// its place at that time: the slide has followed the chord of the motion, and the place on it belongs to another
    /// time.
    #[cold]
    fn touch(
        &self,
        body: &mut Body,
        from: DVec2,
        hit: &mut Hit,
        (near, found): (f64, f64),
        motion: &Motion,
        (meets, context): (bool, &MoveContext),
    ) -> (f64, DVec2) {
        let (around, scenery) = (context.around, context.scenery());
        let pos = body.pos;
        let at = |seconds: f64| {
            let (moved, velocity) = motion.at(seconds, around.dt);
            (from + moved + around.lasting(seconds).drift(self.external, None).0 - pos, velocity)
        };
        let step = step_of(hit, meets, context);
        let carrier = step * around.pace;
        let mut seconds = near;
        let Some((mut face, beyond)) = straight(hit, context) else {
            let end = scenery.face(hit.feature.edge()).end() + context.shape.flat_toward(hit.normal);
            let half = context.shape.round();
            let corner = |seconds: f64| end - carrier * (around.dt - seconds + around.after);
            let from_corner = |seconds: f64| pos + at(seconds).0 - corner(seconds);
            for _ in 0..MOST_REFINED {
                let apart = from_corner(seconds);
                let inside = 0.5 * ((apart / half).length_squared() - 1.0);
                let velocity = at(seconds).1 + self.external_after(seconds, around) - carrier;
                let speed = velocity.dot(apart / (half * half));
                if speed < 0.0 {
                    seconds = (seconds - inside / speed).clamp(0.0, around.dt);
                }
            }
            let apart = from_corner(seconds);
            let normal = (apart / (half * half)).normalize_or(hit.normal);
            if normal.dot(hit.normal) < ALIKE || ((apart / half).length() - 1.0).abs() > TOUCH {
                // It does not touch the corner, or another part of it first.
                return (near, at(near).1);
            }
            body.pos = corner(seconds) + apart;
            hit.normal = normal;
            return (seconds, at(seconds).1);
        };
        for _ in 0..MOST_REFINED {
            let (gap, velocity) = at(seconds);
            let gap = gap - carrier * (seconds - found);
            let speed = (velocity + self.external_after(seconds, around) - carrier).dot(hit.normal);
            // What it already slides along has no such time.
            if speed >= -GRAZING {
                break;
            }
            let before = seconds;
            seconds = (seconds - gap.dot(hit.normal) / speed).clamp(0.0, around.dt);
            if seconds == before {
                break;
            }
        }
        let (gap, velocity) = at(seconds);
        let moved = gap - carrier * (seconds - found);
        let along = gap - hit.normal * moved.dot(hit.normal);
        face.start -= step * ((around.dt - seconds + around.after) * around.pace);
        let place = face.along.dot(hit.point(context.shape, body.pos) + along - face.start);
        if !(-beyond..=face.length + beyond).contains(&place) {
            // There the face has ended: what it touches instead is not known.
            return (near, at(near).1);
        }
        if along.length() > TOUCH {
            // It stays on the face, whatever is in the way there.
            let stays = |other: &Hit, _| other.feature != hit.feature;
            let others = others_than(hit, step, context);
            body.pos = slide(&others, context.shape, body.pos, along, stays).pos;
        }
        (seconds, velocity)
    }

    /// External velocity this many seconds after the current part began, px/s.
    fn external_after(&self, seconds: f64, around: &Surroundings) -> DVec2 {
        around.lasting(seconds).drift(self.external, None).1
    }
}

/// A motion along a line whose speed changes evenly.
struct EvenPace {
    /// Its speed at the start, px/s.
    from: f64,
    /// Acceleration, px/s².
    accel: f64,
    distance: f64,
    seconds: f64,
}

impl EvenPace {
    /// The motion over a distance, px, that ends with this speed, px/s, after some seconds.
    fn of(distance: f64, to: f64, seconds: f64) -> Self {
        let from = 2.0 * distance / seconds - to;
        Self { from, accel: (to - from) / seconds, distance, seconds }
    }

    /// When this share of the distance is done, s.
    fn time_of(&self, share: f64) -> f64 {
        let done = share * self.distance;
        let root = (self.from * self.from + 2.0 * self.accel * done).max(0.0).sqrt();
        let speed = self.from + root.copysign(self.distance);
        let seconds = if speed == 0.0 { share * self.seconds } else { 2.0 * done / speed };
        seconds.clamp(0.0, self.seconds)
    }

    /// The speed after some seconds, px/s.
    fn at(&self, seconds: f64) -> f64 {
        self.from + self.accel * seconds
    }
}

/// Step size when looking for a way around a corner, px.
const ASIDE: f64 = 0.5;

/// Moves a body aside that would bump into the end of a ceiling, if that lets it pass.
#[inline(always)]
pub fn pass_corner(body: &mut Body, rest: DVec2, context: &MoveContext) {
    if context.footing.corner_correction > 0.0 {
        look_aside(body, rest, context);
    }
}

fn look_aside(body: &mut Body, rest: DVec2, context: &MoveContext) {
    let MoveContext { shape, footing, .. } = context;
    let (scenery, up) = (context.scenery(), context.up());
    if rest.y * up <= 0.0 {
        return;
    }
    let hit = scenery.sweep(*shape, body.pos, rest);
    let Some(hit) = hit.filter(|hit| hit.normal.y * up < -CEILING) else {
        return;
    };
    let bump = body.pos + rest * hit.time;
    // The whole body has to get past, in this tick or a later one, in the direction of the motion of a 60th of a
    // second.
    let past = rest / (60.0 * context.around.dt);
    let past = DVec2::new(past.x, (past.y * up).max(2.0 * shape.half.y) * up);
    let steps = (footing.corner_correction / ASIDE).floor() as u32;
    for step in 1..=steps {
        // Tries the direction of motion first.
        for side in [1.0, -1.0] {
            let ahead = if rest.x < 0.0 { -side } else { side };
            let aside = DVec2::new(ahead * ASIDE * f64::from(step), 0.0);
            let free = scenery.sweep(*shape, bump, aside).is_none() && scenery.sweep(*shape, body.pos, aside).is_none();
            if free && scenery.sweep(*shape, bump + aside, past).is_none() {
                body.pos += aside;
                return;
            }
        }
    }
}

/// A body that slides less than this between the sides of a pit is stopped by both at once, px.
pub const SUDDEN: f64 = 0.01;

/// The steep surfaces that a motion has touched so far, which may end up holding the body.
#[derive(Default)]
pub struct Pit {
    /// The side of the first one, 1 or −1, and where the body touched it.
    side: f64,
    pub entry: Option<DVec2>,
    /// Where the body is stuck, and its contact there.
    pub bottom: Option<(DVec2, Contact)>,
}

impl Pit {
    /// Whether the body, with its center `at`, is stuck between what it hit and an earlier surface.
    pub fn holds(&mut self, hit: &Hit, at: DVec2, context: &MoveContext) -> bool {
        if self.entry.is_none() {
            (self.side, self.entry) = (hit.normal.x.signum(), Some(at));
            return false;
        }
        if hit.normal.x * self.side >= 0.0 {
            return false;
        }
        let rule = context.rule();
        let reach = rule.probe + TOUCH;
        let wedge = context.scenery().wedge(context.shape, at, reach, rule);
        self.bottom = wedge.filter(|(_, contact)| contact.is_wedged());
        self.bottom.is_some()
    }
}
