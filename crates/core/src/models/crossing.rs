//! Crossing the borders of zones inside a tick.
//!
//! Gravity, wind and conveyors change where a body crosses a border, not at the next tick. So its
//! tick is divided there: the first part passes under the old conditions, the rest under the new
//! ones. [`drive`](Model::drive) computes one motion for the whole tick; its parts follow from it,
//! because keys, timers and the surface count once per tick, and only gravity, external velocity
//! and conveyors are computed again.

use super::{
    footing::{is_lifted, turn_over},
    *,
};
use crate::level::{NearZones, TurnPart};

/// A tick is divided at most this often, so that a body that trembles at a border costs no more.
const MOST_CROSSINGS: u32 = 8;

/// How many edges of zones may be looked at for a body, times its crossings: where zones lie close
/// together, a tick is divided less often.
const MOST_EDGES: usize = 256;

/// A part of a tick reaches this far past the border, s, so that rounding does not leave the body
/// before it.
const PAST: f64 = 1e-9;

/// Into how many straight pieces a path is divided to look for borders. A path through a tick bends
/// so little that a piece deviates from it by a few thousandths of a pixel.
const CHORDS: u32 = 8;

/// A part this short, s, means that the body is sent straight back across the border.
const AT_ONCE: f64 = 1e-6;

/// Halvings in the search for the time of a crossing.
const HALVINGS: u32 = 52;

/// How often the tick of a body may be divided: less often where there are many zones.
pub(super) fn most_crossings(body: &Body, around: &Surroundings) -> u32 {
    let edges = around.zones.crowd(body.pos).max(1);
    ((MOST_EDGES / edges) as u32).clamp(1, MOST_CROSSINGS)
}

/// Whether a body may cross the border of a zone in this tick. Cheap, and true a little too often.
pub fn may_cross(body: &Body, motion: &Motion, around: &Surroundings) -> bool {
    let (drift, _) = around.drift(body.external, None);
    let own = motion.displacement.length() + (motion.velocity - motion.start).length() * around.dt;
    let conveyed = around.air.conveyor.length() * around.dt;
    let reach = DVec2::splat(own + drift.length() + conveyed);
    let area = Bounds::of(body.pos, body.pos).grown(reach);
    around.zones.felt_border_near(&area)
}

/// The highest speed that a body may gain in a tick and still meet a platform that turns where that turns, px/s.
const GAINED: f64 = 1000.0;

/// Whether a platform turns in this tick that a body rests on or may meet. Cheap, and true a little too often.
pub fn platform_turns_near(body: &Body, shape: Collider, around: &Surroundings) -> bool {
    let transit = around.transit;
    let reach = (body.vel.length() + body.external.length() + GAINED) * around.dt;
    let area = Bounds::of(body.pos, body.pos).grown(shape.half + DVec2::splat(reach));
    transit.turning.iter().any(|number| {
        let bounds = around.level.terrain.platforms()[*number as usize].bounds;
        transit.legs.iter().any(|leg| {
            let [offset, step] = [&leg.transit.offsets, &leg.transit.steps].map(|all| all[*number as usize]);
            bounds.moved(offset).grown(step.abs()).meets(&area)
        })
    })
}

/// When a body on this path first gets into other conditions than `around`, within `seconds`.
/// `None` if it does not, or only at the very end.
pub(super) fn first_change(around: &Surroundings, seconds: f64, path: impl Fn(f64) -> DVec2) -> Option<f64> {
    let zones = around.zones;
    let same = |at: DVec2| zones.air_at(at).unwrap_or_default().moves_like(&around.air);
    let piece = seconds / f64::from(CHORDS);
    let mut from = path(0.0);
    for chord in 0..CHORDS {
        let began = piece * f64::from(chord);
        let to = path(began + piece);
        let cuts = zones.cuts(from, to);
        let mut before = began;
        for (start, end) in cuts.stretches() {
            let middle = 0.5 * (start + end);
            let then = began + piece * middle;
            if !same(from.lerp(to, middle)) {
                let area = Bounds::of(path(before), path(then)).grown(DVec2::ONE);
                let near = NearZones::of(zones, area);
                let same = |at| near.air_at(at).unwrap_or_default().moves_like(&around.air);
                let change = halve(before, then, |time| same(path(time))) + PAST;
                return (change < seconds - PAST).then_some(change);
            }
            before = then;
        }
        from = to;
    }
    None
}

/// The time at which something ends that holds at `from` and no longer at `to`.
pub(super) fn halve(mut from: f64, mut to: f64, holds: impl Fn(f64) -> bool) -> f64 {
    for _ in 0..HALVINGS {
        let middle = 0.5 * (from + to);
        if holds(middle) {
            from = middle;
        } else {
            to = middle;
        }
    }
    to
}

/// The rest of a motion that is being divided.
struct Remainder {
    /// The motion of a whole tick.
    motion: Motion,
    /// Duration of the tick, s.
    tick: f64,
    /// How much of it is over, s.
    elapsed: f64,
    division: Division,
    /// The direction of a motion along the ground.
    tangent: Option<DVec2>,
    /// Vertical velocity now, px/s, if gravity acts.
    up: f64,
    /// For how long the jump key still keeps it, s.
    held: f64,
}

impl Remainder {
    fn of(body: &Body, motion: &Motion, division: Division, around: &Surroundings) -> Self {
        let (up, then) = match around.level.view {
            View::Side => (motion.start.y, motion.velocity.y),
            View::Top => (body.vel_z, motion.vel_z),
        };
        // What gravity has not changed in a jump is due to the key. Without gravity, a hold that
        // ends in this tick is not known, and counts as over.
        let held = if body.jump.holds() {
            around.dt
        } else if body.jump.rising() && motion.pull != 0.0 {
            around.dt - (up - then) / motion.pull
        } else {
            0.0
        };
        Self {
            motion: *motion,
            tick: around.dt,
            elapsed: 0.0,
            division,
            tangent: body.ground.map(|contact| contact.tangent()),
            up,
            held: held.clamp(0.0, around.dt),
        }
    }

    /// Displacement in the plane from the start of the tick to `time`, and the velocity there. A
    /// parabola, which is exact where the acceleration is steady.
    fn plane(&self, time: f64) -> (DVec2, DVec2) {
        if let Division::Falling(_) = self.division {
            return self.motion.at(time, self.tick);
        }
        let share = time / self.tick;
        let mean = self.motion.displacement / self.tick;
        let bend = self.motion.velocity - mean;
        let moved = mean * time + bend * (time * (share - 1.0));
        (moved, mean + bend * (2.0 * share - 1.0))
    }

    /// Lets what is left of the tick last `more` times as long: its motion takes place earlier or, if that is over, keeps its
    /// last velocity.
    fn stretch(&mut self, more: f64) {
        if more == 1.0 {
            return;
        }
        let was = self.tick - self.elapsed;
        let left = was * more;
        let moved = was.min(left);
        let ((from, start), (to, velocity)) = (self.plane(self.elapsed), self.plane(self.elapsed + moved));
        let displacement = to - from + velocity * (left - moved);
        self.motion = Motion { start, displacement, velocity, ..self.motion };
        (self.tick, self.elapsed) = (left, 0.0);
    }

    /// The motion of the next `seconds`.
    fn next(&self, seconds: f64, body: &Body, context: &MoveContext) -> Motion {
        let around = context.around;
        let ((from, start), (to, velocity)) = (self.plane(self.elapsed), self.plane(self.elapsed + seconds));
        let mut part = Motion { start, displacement: to - from, velocity, ..Motion::default() };
        if let (Some(was), Some(contact)) = (self.tangent, body.ground) {
            let along = contact.tangent();
            for v in [&mut part.start, &mut part.displacement, &mut part.velocity] {
                *v = along * v.dot(was);
            }
        }
        let Division::Falling(most) = self.division else {
            return part;
        };
        part.pull = around.gravity * context.footing.gravity_scale;
        let held = self.held.min(seconds);
        let up = context.up();
        let fall = jump::fall(self.up * up, held, part.pull * up, most, seconds).along(up);
        match around.level.view {
            View::Side => {
                part.start.y = self.up;
                part.displacement.y = fall.distance;
                part.velocity.y = fall.velocity;
            }
            View::Top => (part.rise, part.vel_z) = (fall.distance, fall.velocity),
        }
        part
    }

    /// Where the body is after the next `seconds` if nothing is in its way.
    fn place(&self, seconds: f64, body: &Body, context: &MoveContext) -> DVec2 {
        let around = context.around;
        let tangent = body.ground.map(|contact| contact.tangent());
        let moved = self.next(seconds, body, context).displacement;
        let (drift, _) = around.lasting(seconds).drift(body.external, tangent);
        let mut conveyed = DVec2::ZERO;
        if body.stands() {
            conveyed = around.air.conveyor * seconds;
            conveyed = tangent.map_or(conveyed, |t| t * t.dot(conveyed));
        }
        body.pos + moved + drift + conveyed
    }

    /// Continues after a part of the tick that has moved the body.
    fn advance(&mut self, part: &Motion, seconds: f64, body: &Body, context: &MoveContext) {
        let view = context.around.level.view;
        self.elapsed += seconds;
        self.held = if body.jump.rising() { (self.held - seconds).max(0.0) } else { 0.0 };
        self.up = match view {
            View::Side => body.vel.y,
            View::Top => part.vel_z,
        };
        let falls = matches!(self.division, Division::Falling(_));
        if falls && body.stands() {
            self.division = Division::Supported;
        }
        if let Some(contact) = body.ground.filter(|_| falls) {
            // It has landed, and keeps its speed along the ground.
            self.motion = Motion::steady(body.vel, self.tick);
            self.tangent = Some(contact.tangent());
        } else {
            self.fall_off(body, context);
        }
    }

    /// Continues in the air if the ground of a body has ended.
    fn fall_off(&mut self, body: &Body, context: &MoveContext) {
        if self.tangent.is_none() || body.ground.is_some() {
            return;
        }
        self.motion = Motion::steady(body.vel, self.tick);
        self.division = Division::Falling(context.footing.max_fall_speed);
        self.tangent = None;
        self.up = body.vel.y;
    }

    /// Takes a body off its ground if the conditions that it has come into do.
    fn lift(&mut self, body: &mut Body, context: &MoveContext) {
        let Some(contact) = body.ground else { return };
        if !is_lifted(&contact, context) {
            return;
        }
        body.ground = None;
        body.jump.leave_ground(context.around.now);
        self.division = Division::Falling(context.footing.max_fall_speed);
        self.tangent = None;
        self.held = 0.0;
        self.up = self.plane(self.elapsed).1.y;
    }

    /// Turns a body over whose gravity changes sign: its jump ends.
    fn turn(&mut self, body: &mut Body, context: &MoveContext, report: &mut Report) {
        if body.up() == context.up() {
            return;
        }
        self.held = 0.0;
        match context.around.level.view {
            View::Side => turn_over(body, context, report),
            View::Top => {
                if body.floor.is_some() {
                    self.division = Division::Falling(context.footing.max_fall_speed);
                    self.up = 0.0;
                }
                plane::turn_over(body, context, report);
            }
        }
    }
}

/// Moves a body through a tick that is divided: where it [may cross](may_cross) a border of `zones`, and where
/// platforms near it turn, if its report says so. Platforms carry and push it in each of their legs. Returns how much of its
/// time has passed, s: zones may change its rate.
#[cold]
pub fn travel<M: Model>(
    state: &mut M::State,
    body: &mut Body,
    motion: &Motion,
    step: &Step<M::Tuning>,
    report: &mut Report,
    zones: bool,
) -> f64 {
    let mut around = *step.context.around;
    let whole = around.dt;
    let division = M::division(state, body, step.context);
    if division == Division::Whole {
        ride_on::<M>(state, body, step, report);
        M::travel(state, body, motion, step, report);
        return whole;
    }
    let mut rest = Remainder::of(body, motion, division, &around);
    let most = if zones { most_crossings(body, &around) } else { 0 };
    let change = |rest: &Remainder, body: &Body, here: &Surroundings, seconds: f64| {
        let context = &MoveContext { around: here, ..*step.context };
        first_change(here, seconds, |t| rest.place(t, body, context))
    };
    let divided = report.divided;
    let mut legs = if divided { around.transit.legs.iter() } else { [].iter() };
    let (mut here, mut left) = match legs.next() {
        Some(leg) => (around.during(leg), around.own_seconds(leg)),
        None => (around, around.dt),
    };
    let mut next = zones.then(|| change(&rest, body, &here, left)).flatten();
    if next.is_none() && !report.divided {
        M::travel(state, body, motion, step, report);
        return whole;
    }
    // How much more time has passed because of zones.
    let mut gained = 0.0;
    let saved = (state.clone(), body.clone(), *report);
    let (mut crossings, mut first) = (0, true);
    loop {
        let seconds = next.unwrap_or(left);
        let part_around = Surroundings { after: left - seconds, ..here.lasting(seconds) };
        let context = &MoveContext { around: &part_around, ..*step.context };
        let part = rest.next(seconds, body, context);
        let part_step = Step { context, ..*step };
        if mem::take(&mut first) || report.meets || !is_still(&part, body, &here) {
            M::travel(state, body, &part, &part_step, report);
        }
        if let Some(grasp) = report.grasp_mut().filter(|_| !divided) {
            // If it does not grab, it moves past for the rest of the tick.
            let later = left - seconds;
            grasp.left = (grasp.left * seconds + later) / around.dt;
            grasp.rest += body.vel * later;
            return whole + gained;
        }
        if report.details().grasp.is_some() {
            // Whether it grabs is asked after all platforms have turned, about an undivided motion.
            (*state, *body, *report) = saved;
            ride_on::<M>(state, body, step, report);
            M::travel(state, body, motion, step, report);
            return whole;
        }
        rest.advance(&part, seconds, body, context);
        left -= seconds;
        if next.is_none() {
            let Some(leg) = legs.next() else { return whole + gained };
            (here, left) = (around.during(leg), around.own_seconds(leg));
            let context = &MoveContext { around: &here, ..*step.context };
            ride::<M>(state, body, &Step { context, ..*step }, report);
            rest.fall_off(body, context);
        } else {
            crossings += 1;
        }
        here = here.at(body.pos);
        if here.scaled {
            let rate = here.rate_here();
            let more = rate / here.rate;
            gained += (rest.tick - rest.elapsed) * (more - 1.0);
            if rate == 0.0 {
                // It has come to where time stands still.
                return whole + gained;
            }
            (here, around) = (here.at_rate(rate), around.at_rate(rate));
            left *= more;
            rest.stretch(more);
        }
        let returns = crossings > 2 && seconds < AT_ONCE && !report.divided;
        if let Some(contact) = body.ground.filter(|_| returns) {
            // Conveyors or its own feet send it back from both sides, so it stays at the border.
            let rest = here.lasting(left);
            body.external = rest.drift(body.external, Some(contact.tangent())).1;
            return whole + gained;
        }
        let context = &MoveContext { around: &here, ..*step.context };
        rest.lift(body, context);
        rest.turn(body, context, report);
        let after = rest.tick - rest.elapsed;
        if let Some(motion) = M::resume(state, body, step, &here.lasting(after), rest.held) {
            rest = Remainder {
                motion,
                tick: after,
                elapsed: 0.0,
                tangent: body.ground.map(|contact| contact.tangent()),
                up: motion.start.y,
                ..rest
            };
        }
        next = (crossings < most).then(|| change(&rest, body, &here, left)).flatten();
    }
}

/// Lets platforms carry a body whose tick is not divided through the legs after the first, which has carried it
/// already.
fn ride_on<M: Model>(state: &mut M::State, body: &mut Body, step: &Step<M::Tuning>, report: &mut Report) {
    if !mem::take(&mut report.divided) {
        return;
    }
    let around = step.context.around;
    for leg in around.transit.legs.iter().skip(1) {
        let context = &MoveContext { around: &around.during(leg), ..*step.context };
        ride::<M>(state, body, &Step { context, ..*step }, report);
    }
}

/// Lets platforms carry a body through a leg.
fn ride<M: Model>(state: &mut M::State, body: &mut Body, step: &Step<M::Tuning>, report: &mut Report) {
    report.carried = DVec2::ZERO;
    let around = &step.context.around.in_part(TurnPart::Carried);
    riding::carry(body, true, &MoveContext { around, ..*step.context }, report);
    if !body.sensed {
        // Its platform has not taken it all the way, and may not be under it any more.
        M::sense(state, body, step, false, report);
    } else if body.ground.is_some() {
        report.carried += step.context.around.air.conveyor;
    }
}

/// Whether nothing moves a body in a part of its tick.
fn is_still(part: &Motion, body: &Body, around: &Surroundings) -> bool {
    let air = &around.air;
    body.stands()
        && part.displacement == DVec2::ZERO
        && part.velocity == body.vel
        && body.external == DVec2::ZERO
        && air.external_accel == DVec2::ZERO
        && air.conveyor == DVec2::ZERO
}
