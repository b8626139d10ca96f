//! How joints act: between *drive* and *travel* they change the motions of the bodies that they hold, and after *travel*
//! they pull back what terrain has kept too far away.
//!
//! A tick is cut into steps of the same length at every rate. In each, all joints look for the impulses that take effect
//! along their middle direction (old plus new offset of the ends): such an impulse does exactly the work that the change of
//! length stands for, so a taut rope does none, and an undamped spring returns what it took. Positions follow from the mean
//! of old and new velocity. The search ends early; what is left of its error can only take energy away.
//!
//! The ground, and the walls that bodies touch as the tick begins, take part in that search: they stop what leads into them.
//! So do feet, which push in a step as hard as they do in a step of a run.

use super::{
    lane::{LaneOf, loadout_of},
    pairs::sides_meet,
    pushing::push_body,
    *,
};
use crate::{geometry::TOUCH, level::Contact, models::Tread};
use std::ops::Range;

/// Steps per second.
const STEPS: f64 = 240.0;

/// How often each joint corrects its impulse in a step. Chains take several steps to come to rest.
const MOST_ROUNDS: usize = 8;

/// How often ends that are too far apart are moved together in a step.
const MOST_PULLS: usize = 4;

/// A search ends when all joints are this exact, px.
const EXACT: f64 = 1e-7;

/// A rope is taut if its ends are at most this much closer than its length, px.
const SLACK: f64 = 1e-6;

/// A search begins with the impulse of the last step while the ends of a rope are at most this much closer than its length, px.
/// In a chain at rest, rounding alone makes ropes slack; if they forgot how hard they pull, the chain would fall.
const ALMOST_TAUT: f64 = 1e-2;

/// A search does not begin with the last impulse if that would change the ends' velocity by more than this, px/s: ropes whose
/// lengths contradict each other pull harder and harder.
const WILD: f64 = 2_000.0;

/// How fast a rope pulls ends together that a teleport or a platform has brought too far apart, px/s. The pull gives no
/// velocity.
const PULL_BACK: f64 = 2_400.0;

/// How often joints pull for a first step to find what bodies touch, each time along what is already known.
const MOST_TOUCHES: usize = 4;

/// A body touches what is at most this far away, px.
const NEAR: f64 = 1e-3;

/// How far a body leans into a wall that bears it, px: so its model meets the wall.
const LEAN: f64 = 1e-4;

/// Two surfaces are the same if their normals' scalar product is above this.
const SAME: f64 = 0.999;

/// A surface that leaves a joint less than this share of its effect holds the body.
const FIRM: f64 = 1e-3;

/// A change of speed that shows whether feet hold a body, px/s, and the largest share of an impulse that they seem to take:
/// they may yield to a little more.
const SLIGHT: f64 = 1e-3;
const MOST_TAKEN: f64 = 0.95;

/// No surface.
const NONE: u32 = u32::MAX;

/// Memory for the joints of a tick. It is not state.
#[derive(Default)]
pub struct JointBuffers {
    ends: Vec<End>,
    /// For each end, what the search reads and writes.
    knots: Vec<Knot>,
    links: Vec<Link>,
    bearings: Vec<Bearing>,
    /// The groups of bodies that hang together, the links of each in their order, and its ends.
    groups: Vec<Group>,
    order: Vec<u32>,
    members: Vec<u32>,
    /// The walls that ends touch, with their normals.
    touched: Vec<(u32, DVec2)>,
    /// For each entity, its place among the ends.
    places: Vec<u32>,
    outlines: [Outlines; 2],
    /// For each end, if it leads a group of connected bodies: their kinetic energy, and what may be added to it.
    energies: Vec<[f64; 2]>,
    /// The owners of hooks that attach in this tick, and when, s from its start.
    pub(super) attached: Vec<(EntityId, f64)>,
}

/// What the search for impulses reads and writes of an end.
#[derive(Clone, Copy)]
struct Knot {
    /// Position, px.
    pos: DVec2,
    /// Velocity when the step began and as it ends, px/s.
    vel: DVec2,
    next: DVec2,
    /// One over its mass; 0 for what no joint moves.
    inverse: f64,
    /// The first surface that bears it, or [`NONE`].
    bearing: u32,
    /// Whether a joint has acted on it.
    pulled: bool,
}

/// Bodies that hang together: the ranges of their links and of their ends.
struct Group {
    links: Range<usize>,
    ends: Range<usize>,
    /// Whether there is one link and no surface at its ends, so that each correction is exact at once.
    single: bool,
}

/// What a joint pulls on: a body, or a place. Velocities are in the time of the level.
#[derive(Clone, Copy)]
struct End {
    /// The body, an index into the entities.
    entity: Option<u32>,
    /// The end that leads its group.
    group: u32,
    /// Position when the step began, and when the tick began, px.
    was: DVec2,
    start: DVec2,
    accel: DVec2,
    /// The velocity at the end of the tick without joints, px/s.
    free: DVec2,
    /// How far external velocity and the model's gait move it in addition, in a step and in the whole tick, px.
    drift: DVec2,
    gait: DVec2,
    /// How far ropes have moved it that were too long, px.
    moved: DVec2,
    external: DVec2,
    /// Displacement by external velocity: for each px/s, and by wind, px.
    decay: f64,
    wind: DVec2,
    /// The contact with its ground.
    ground: Option<Contact>,
    /// What its feet do.
    tread: Option<Tread>,
    /// Whether all of its joints are slack ropes.
    loose: bool,
    /// How fast its time passes.
    rate: f64,
    /// Whether its model integrates velocity by itself.
    rigid: bool,
    /// What is added to its velocity after it has traveled, px/s.
    after: DVec2,
}

/// A surface that bears an end.
#[derive(Clone, Copy)]
struct Bearing {
    normal: DVec2,
    /// By how much it has changed the end's velocity in this step, and in the tick, px/s.
    borne: f64,
    held: f64,
    feet: Option<Feet>,
    /// The next one of the same end, or [`NONE`].
    next: u32,
}

/// The feet of a body on its ground.
#[derive(Clone, Copy)]
struct Feet {
    tread: Tread,
    /// The direction of the ground.
    along: DVec2,
    /// By how much they have changed the body's velocity in this step, px/s.
    by: f64,
    /// The share of this step after which joints begin to pull.
    late: f64,
    /// The share of an impulse along the ground that they seem to take.
    takes: f64,
}

impl Feet {
    /// Lets them push in a step of `h` seconds, as far as they have not yet.
    fn walk(&mut self, knot: &mut Knot, h: f64) {
        let (began, speed) = (knot.vel.dot(self.along), knot.next.dot(self.along));
        let (free, pulled) = (speed - self.by, h * (1.0 - self.late));
        let unpulled = self.tread.after(began, 0.0, h - pulled);
        let after = |free: f64| self.tread.after(unpulled, (free - began) / pulled, pulled);
        let (now, slightly) = (after(free), after(free + SLIGHT));
        knot.next += self.along * (now - speed);
        self.by += now - speed;
        self.takes = (1.0 - (slightly - now) / SLIGHT).clamp(0.0, MOST_TAKEN);
    }

    /// The work that they have done in a step on a body of mass 1.
    fn work(&self, knot: &Knot) -> f64 {
        let began = knot.vel.dot(self.along);
        // Where the search is far from its end, the body is not as fast as it seems.
        let work = |ended: f64| 0.5 * self.by * (began + ended);
        work(knot.next.dot(self.along)).min(work(began + self.by))
    }
}

impl End {
    fn fixed(at: DVec2, vel: DVec2) -> (Self, Knot) {
        let end = Self {
            entity: None,
            group: 0,
            was: at,
            start: at,
            accel: DVec2::ZERO,
            free: vel,
            drift: DVec2::ZERO,
            gait: DVec2::ZERO,
            moved: DVec2::ZERO,
            external: DVec2::ZERO,
            decay: 0.0,
            wind: DVec2::ZERO,
            ground: None,
            tread: None,
            loose: false,
            rate: 1.0,
            rigid: false,
            after: DVec2::ZERO,
        };
        (end, Knot { pos: at, vel, next: vel, inverse: 0.0, bearing: NONE, pulled: false })
    }

    /// A body as its model would move it in this tick.
    fn body(entity: &Entity, lanes: &Lanes, stage: &Stage, around: &Surroundings) -> (Self, Knot) {
        match_model!(entity.model, |M| {
            let mover = M::mover(lanes, entity);
            let body = &mover.body;
            if !mover.moves(around) || body.cling.is_some() {
                return Self::fixed(body.pos, DVec2::ZERO);
            }
            if entity.jumping {
                // It follows its path.
                return Self::fixed(body.pos, body.vel);
            }
            let here = mover.here(around);
            let here = here.as_ref().unwrap_or(around);
            let (dt, rate) = (here.dt, here.dt / around.dt);
            let (loadout, motion) = (loadout_of::<M>(mover, stage), lanes.scratch(entity).motion);
            let (start, velocity) = (motion.start, motion.velocity);
            let rigid = M::RIGID.is_some();
            let mut accel = if rigid { DVec2::new(0.0, -motion.pull) } else { (velocity - start) / dt };
            let mut gait = if rigid {
                DVec2::ZERO
            } else {
                motion.displacement - (start + velocity) * (0.5 * dt)
            };
            let mut tread = None;
            if let Some(contact) = body.ground.filter(|_| !rigid) {
                tread = M::tread(body, contact, &mover.intent, loadout, here).map(|tread| tread.at_rate(rate));
                if tread.is_some() {
                    (accel, gait) = (DVec2::ZERO, DVec2::ZERO);
                }
                let weight = -loadout.footing.gravity_scale * here.gravity * contact.normal.y;
                accel += contact.normal * weight.min(0.0);
            }
            let wind = here.air.external_accel;
            let drifts = body.external != DVec2::ZERO || wind != DVec2::ZERO;
            let decay = drifts.then(|| here.decay());
            let wind = body.ground.map_or(wind, |ground| wind - ground.normal * wind.dot(ground.normal));
            let (end, knot) = Self::fixed(body.pos, start * rate);
            let end = Self {
                accel: accel * rate * rate,
                gait,
                external: body.external * rate,
                decay: decay.map_or(0.0, |decay| decay.seconds / rate),
                wind: decay.map_or(DVec2::ZERO, |decay| wind * decay.drift),
                free: if rigid { (start + accel * dt) * rate } else { velocity * rate },
                ground: body.ground,
                tread,
                rate,
                rigid,
                ..end
            };
            (end, Knot { inverse: 1.0 / stage.profiles[entity.slot.index()].mass, ..knot })
        })
    }
}

/// A joint in a tick.
#[derive(Clone, Copy)]
struct Link {
    /// Its joint's id.
    joint: u32,
    ends: [u32; 2],
    /// From the middle of the first end to where it is fixed, and the same for the second one, as one vector, px.
    at: DVec2,
    /// The length when the tick began, and now, px.
    began: f64,
    length: f64,
    /// How much longer it is than its joint, px: bodies that touch get no closer to each other.
    borne: f64,
    /// What its length becomes, and how much of that in a step, px.
    reel: Option<(f64, f64)>,
    /// When it begins to pull, in steps from the start of the tick.
    since: f64,
    /// Whether it gets shorter when its ends come closer, as the rope of a hook does.
    winds: bool,
    /// The angular frequency of a spring, rad/s, and its damping ratio.
    spring: Option<[f64; 2]>,
    /// The inverse masses of both ends together.
    inverse: f64,
    /// The impulse with which it pulls its ends together in a step, also as a vector on the first end.
    pull: f64,
    steady: DVec2,
    /// The impulse of a jerk, and all impulses as a vector.
    jerk: f64,
    impulse: DVec2,
    /// From the first end to the second when the step began, how far that is, and how far they may be at its end, px.
    from: DVec2,
    was: f64,
    limit: f64,
    /// The same offset at the end of the step, if that did not change velocities further, px.
    base: DVec2,
    /// How much the length has shrunk in this step, px.
    wound: f64,
    /// Whether it was taut when the step began.
    taut: bool,
    /// The direction in which a rope is taut as the step ends; 0 if it is not.
    along: DVec2,
    /// The largest impulse in a step.
    most: f64,
}

impl Link {
    fn offset(&self, knots: &[Knot]) -> DVec2 {
        let [a, b] = self.ends.map(|end| knots[end as usize].pos);
        b - a + self.at
    }

    /// The bodies at its ends, if there are two.
    fn pair<'a>(&self, ends: &[End], entities: &'a [Entity]) -> Option<[&'a Entity; 2]> {
        let [a, b] = self.ends.map(|end| ends[end as usize].entity);
        Some([&entities[a? as usize], &entities[b? as usize]])
    }

    /// Pulls bodies that touch along each other, and no closer. Winding waits until they part.
    fn rest(&mut self, normal: DVec2, knots: &[Knot]) {
        let apart = self.offset(knots).dot(normal).abs();
        self.borne = (apart - self.length).max(0.0);
        self.length += self.borne;
        self.reel = None;
    }

    /// Whether it can pull in this step: something moves at one of its ends, and it is attached already.
    fn acts(&self, step: u32) -> bool {
        self.inverse > 0.0 && self.since < f64::from(step) + 1.0
    }

    /// Changes the velocities of its ends. Surfaces bear them at once, and if that takes `h` seconds, feet push.
    fn apply(&self, knots: &mut [Knot], bearings: &mut [Bearing], impulse: DVec2, h: f64) {
        for (end, side) in self.ends.into_iter().zip([1.0, -1.0]) {
            let knot = &mut knots[end as usize];
            knot.next += impulse * (side * knot.inverse);
            knot.pulled |= knot.inverse > 0.0;
            if knot.bearing != NONE {
                bear(knot, bearings, h);
            }
        }
    }

    /// How much an impulse along a unit vector moves the ends toward each other along it: their inverse masses, less what
    /// surfaces take of it, and feet if they push.
    fn yields(&self, knots: &[Knot], bearings: &[Bearing], along: DVec2, push: bool) -> f64 {
        let [a, b] = self.ends.map(|end| &knots[end as usize]);
        if a.bearing == NONE && b.bearing == NONE {
            return self.inverse;
        }
        a.inverse * open_share(a, bearings, along, push) + b.inverse * open_share(b, bearings, along, push)
    }

    /// Begins a step with the impulse of the last one.
    fn begin(&mut self, knots: &mut [Knot], bearings: &mut [Bearing], step: u32, h: f64) {
        let offset = self.offset(knots);
        if self.winds {
            self.length = self.length.min(offset.length());
        }
        let before = self.length;
        if let Some((to, by)) = self.reel {
            let by = by * (f64::from(step) + 1.0 - self.since).min(1.0);
            self.length += (to - self.length).clamp(-by, by);
        }
        (self.from, self.was) = (offset, offset.length());
        self.wound = (before - self.length).max(0.0);
        self.taut = self.spring.is_none() && self.was >= before - SLACK;
        // Ends that are too far apart come no closer by this: that would make them fast.
        self.limit = self.length.max(self.was - self.wound);
        let slack = self.spring.is_none() && self.was < before - ALMOST_TAUT;
        if slack || self.pull.abs() * self.inverse > WILD {
            self.pull = 0.0;
        }
        let [a, b] = self.ends.map(|end| knots[end as usize].vel);
        self.base = offset + (b - a) * (0.5 * h);
        self.jerk = 0.0;
        self.steady = offset.normalize_or_zero() * self.pull;
        self.impulse = self.steady;
        if self.pull != 0.0 {
            self.apply(knots, bearings, self.steady, h);
        }
    }

    /// Corrects the impulse. Returns by how much that moves the ends, px.
    fn solve(&mut self, knots: &mut [Knot], bearings: &mut [Bearing], h: f64) -> f64 {
        let [a, b] = self.ends.map(|end| &knots[end as usize]);
        let after = self.base + (b.next - a.next) * (0.5 * h);
        let squared = after.length_squared();
        let slack = self.spring.is_none() && squared <= self.limit * self.limit;
        if slack && self.pull == 0.0 {
            return 0.0;
        }
        if self.spring.is_none() && a.bearing == NONE && b.bearing == NONE {
            return self.solve_free_rope(knots, bearings, after, h);
        }
        let (then, both) = (squared.sqrt(), self.from + after);
        let sum = self.was + then;
        // Where the ends pass each other, there is no such direction. What is too far then is only pulled back.
        if both.length_squared() <= 0.25 * sum * sum {
            return 0.0;
        }
        let way = both / sum;
        let yields = self.yields(knots, bearings, way, true);
        if yields <= FIRM * self.inverse {
            return 0.0;
        }
        let better = match self.spring {
            None => (self.pull + (then - self.limit) * 2.0 / (h * yields)).max(0.0),
            Some([omega, damping]) => {
                let stretch = 0.5 * sum - self.length;
                let wanted = (h * omega * omega * stretch + 2.0 * damping * omega * (then - self.was)) / self.inverse;
                let stiff = (0.25 * (h * omega) * (h * omega) + damping * omega * h) * yields / self.inverse;
                self.pull + (wanted - self.pull) / (1.0 + stiff)
            }
        };
        let steady = way * better;
        let by = steady - self.steady;
        (self.pull, self.steady) = (better, steady);
        self.impulse += by;
        self.apply(knots, bearings, by, h);
        by.abs().max_element() * h * self.inverse
    }

    /// The same for a rope between ends that no surface bears, exactly: `after` is the offset of its ends with the impulse so
    /// far.
    fn solve_free_rope(&mut self, knots: &mut [Knot], bearings: &mut [Bearing], after: DVec2, h: f64) -> f64 {
        let moves = 0.5 * h * self.inverse;
        // Without an impulse, the offset would be `free`. With an impulse along the middle direction, it is
        // (free − k·from)/(1 + k), which is as long as the limit for a root of a quadratic equation.
        let free = after + self.steady * moves;
        let limit = self.limit * self.limit;
        let over = free.length_squared() - limit;
        let mut steady = DVec2::ZERO;
        let mut pull = 0.0;
        if over > 0.0 {
            let linear = free.dot(self.from) + limit;
            let root = linear * linear - (self.was * self.was - limit) * over;
            let (both, sum) = if linear > 0.0 && root >= 0.0 {
                let k = over / (linear + root.sqrt());
                pull = k / moves;
                (self.from + (free - self.from * k) / (1.0 + k), self.was + self.limit)
            } else {
                (DVec2::ZERO, 1.0)
            };
            // Where the ends pass each other, there is no such direction. What is too far then is only pulled back.
            if both.length_squared() <= 0.25 * sum * sum {
                return 0.0;
            }
            steady = both * pull;
            pull *= sum;
        }
        let by = steady - self.steady;
        (self.pull, self.steady) = (pull, steady);
        self.impulse += by;
        self.apply(knots, bearings, by, h);
        by.abs().max_element() * h * self.inverse
    }

    /// Finds the direction in which a rope is taut.
    fn tighten(&mut self, knots: &[Knot]) {
        self.along = DVec2::ZERO;
        // The ends of one that does nothing may not be there yet.
        if self.spring.is_some() || self.inverse == 0.0 {
            return;
        }
        let offset = self.offset(knots);
        let (squared, least) = (offset.length_squared(), self.length - SLACK);
        if squared > 1e-18 && (least <= 0.0 || squared >= least * least) {
            self.along = offset / squared.sqrt();
        }
    }

    /// Takes the velocity with which the ends of a taut rope leave each other, if it winds in at a speed. One that has just
    /// become taut, or winds in, takes what it has given too much as well: it does not bounce. Returns by how much it changed
    /// that, px/s.
    fn jerk(&mut self, knots: &mut [Knot], bearings: &mut [Bearing], speed: f64) -> f64 {
        let [a, b] = self.ends.map(|end| knots[end as usize].next);
        let out = (b - a).dot(self.along) + speed;
        let struck = self.pull > 0.0 && (!self.taut || speed > 0.0);
        if self.along == DVec2::ZERO || out <= 0.0 && !struck || out == 0.0 {
            return 0.0;
        }
        let yields = self.yields(knots, bearings, self.along, false);
        if yields <= FIRM * self.inverse {
            return 0.0;
        }
        let impulse = self.along * (out / yields);
        self.jerk += out / yields;
        self.impulse += impulse;
        self.apply(knots, bearings, impulse, 0.0);
        out.abs()
    }

    /// Moves ends together that are too far apart, each up to `most` px at a time. Returns by how much.
    fn pull_back(&self, knots: &mut [Knot], bearings: &[Bearing], most: f64) -> f64 {
        let offset = self.offset(knots);
        let length = self.length.max(self.was - most);
        let squared = offset.length_squared();
        if self.spring.is_some() || squared <= (length + EXACT) * (length + EXACT) {
            return 0.0;
        }
        let distance = squared.sqrt();
        let (over, along) = (distance - length, offset / distance);
        let yields = self.yields(knots, bearings, along, false);
        if yields <= FIRM * self.inverse {
            return 0.0;
        }
        for (end, side) in self.ends.into_iter().zip([1.0, -1.0]) {
            let knot = &mut knots[end as usize];
            let by = along * (side * knot.inverse * over / yields);
            // On a surface that is almost in its way, an end would move far.
            knot.pos += if knot.bearing == NONE {
                by
            } else {
                aside(knot, bearings, by).clamp_length_max(most)
            };
            knot.pulled |= knot.inverse > 0.0;
        }
        over
    }
}

/// The surfaces that bear an end.
fn bearings_of(first: u32, bearings: &[Bearing]) -> impl Iterator<Item = &Bearing> {
    let at = |index: u32| bearings.get(index as usize);
    std::iter::successors(at(first), move |bearing| at(bearing.next))
}

/// Lets surfaces stop what leads into them of an end's velocity. If that takes `h` seconds, feet push.
fn bear(knot: &mut Knot, bearings: &mut [Bearing], h: f64) {
    let mut index = knot.bearing;
    while let Some(bearing) = bearings.get_mut(index as usize) {
        let more = (-knot.next.dot(bearing.normal)).max(-bearing.borne);
        bearing.borne += more;
        knot.next += bearing.normal * more;
        if let Some(feet) = bearing.feet.as_mut().filter(|_| h > 0.0) {
            feet.walk(knot, h);
        }
        index = bearing.next;
    }
}

/// A displacement of an end without what leads into its surfaces.
fn aside(knot: &Knot, bearings: &[Bearing], by: DVec2) -> DVec2 {
    let surfaces = bearings_of(knot.bearing, bearings);
    surfaces.fold(by, |by, Bearing { normal, .. }| by - *normal * by.dot(*normal).min(0.0))
}

/// The share of an impulse along a unit vector that surfaces, and feet on them if they `push`, leave an end.
fn open_share(knot: &Knot, bearings: &[Bearing], along: DVec2, push: bool) -> f64 {
    let left = bearings_of(knot.bearing, bearings).fold(along, |left, Bearing { normal, borne, feet, .. }| {
        let into = if *borne > 0.0 { left.dot(*normal) } else { 0.0 };
        let taken = feet
            .filter(|_| push)
            .map_or(DVec2::ZERO, |feet| feet.along * (left.dot(feet.along) * feet.takes));
        left - *normal * into - taken
    });
    left.dot(along)
}

/// Repeats something for all links of a group that act until none of them changes anything.
fn settle(
    (links, order, group): (&mut [Link], &[u32], &Group),
    step: u32,
    rounds: usize,
    exact: f64,
    mut act: impl FnMut(&mut Link) -> f64,
) {
    for _ in 0..rounds {
        let mut changed: f64 = 0.0;
        for index in &order[group.links.clone()] {
            let link = &mut links[*index as usize];
            if link.acts(step) {
                changed = changed.max(act(link));
            }
        }
        if changed <= exact || group.single {
            break;
        }
    }
}

impl JointBuffers {
    /// Finds what the joints pull on.
    fn gather(&mut self, joints: &Joints, population: &Population, stage: &Stage, around: &Surroundings, h: f64) {
        let Self { ends, knots, links, bearings, touched, places, outlines, attached, .. } = self;
        let Population { entities, lanes, .. } = population;
        ends.clear();
        knots.clear();
        links.clear();
        bearings.clear();
        places.clear();
        places.resize(entities.len(), NONE);
        let transit = around.transit;
        let mut push = |(end, knot): (End, Knot)| {
            let place = ends.len() as u32;
            ends.push(End { group: place, ..end });
            knots.push(knot);
            place
        };
        for joint in joints.iter() {
            let mut link_ends = [0; 2];
            let mut at = joint.ends.each_ref().map(|end| end.at);
            let mut here = true;
            for (i, end) in joint.ends.iter().enumerate() {
                let place = match end.on {
                    Anchor::Entity(id) => {
                        let Some(index) = population.index_of(id) else {
                            // It spawns at the end of the tick.
                            here = false;
                            continue;
                        };
                        if places[index] == NONE {
                            let (end, knot) = End::body(&entities[index], lanes, stage, around);
                            places[index] = push((End { entity: Some(index as u32), ..end }, knot));
                        }
                        link_ends[i] = places[index];
                        continue;
                    }
                    Anchor::Level => [end.at, DVec2::ZERO],
                    Anchor::Solid(solid) => {
                        let moved = |platform| {
                            let to = transit.point_of(platform, end.at);
                            let by = transit.step_at(platform, to);
                            [to - by, by / around.dt]
                        };
                        stage.level.terrain.platform_of(solid).map_or([end.at, DVec2::ZERO], moved)
                    }
                };
                at[i] = DVec2::ZERO;
                link_ends[i] = push(End::fixed(place[0], place[1]));
            }
            let attaches = |(owner, _): &&(EntityId, f64)| joint.hook && joint.ends[0].on == Anchor::Entity(*owner);
            links.push(Link {
                joint: joint.id,
                ends: link_ends,
                at: at[1] - at[0],
                began: joint.length,
                length: joint.length,
                borne: 0.0,
                reel: joint.reel.map(|reel| (reel.to, reel.speed * h)),
                since: attached.iter().find(attaches).map_or(0.0, |(_, since)| since / h),
                winds: joint.hook,
                spring: joint.spring.map(|spring| [std::f64::consts::TAU * spring.hertz, spring.damping]),
                // A joint between two ends that nothing moves does nothing.
                inverse: f64::from(u8::from(here)),
                pull: joint.tension * h,
                steady: DVec2::ZERO,
                jerk: 0.0,
                impulse: DVec2::ZERO,
                from: DVec2::ZERO,
                was: 0.0,
                limit: 0.0,
                base: DVec2::ZERO,
                wound: 0.0,
                taut: true,
                along: DVec2::ZERO,
                most: 0.0,
            });
        }
        for link in &mut *links {
            let inverse = link.ends.map(|end| knots.get(end as usize).map_or(0.0, |knot| knot.inverse));
            link.inverse *= inverse[0] + inverse[1];
            // The ends of one that does nothing may not be there yet.
            let Some(pair) = Some(&*link).filter(|it| it.inverse > 0.0).and_then(|it| it.pair(ends, entities)) else {
                continue;
            };
            let ids = pair.map(|entity| entity.id.0);
            let upper = around.others.and_then(|others| others.upper_of(ids));
            let normal = match upper {
                Some(upper) => ends[link.ends[upper] as usize].ground.map(|ground| ground.normal),
                None => sides_meet(pair, lanes, stage, NEAR, outlines),
            };
            if let Some(normal) = normal {
                link.rest(normal, knots);
            }
        }
        // Bodies that hang together share their energy.
        for link in links.iter().filter(|link| link.inverse > 0.0) {
            let [a, b] = link.ends;
            if knots[a as usize].inverse > 0.0 && knots[b as usize].inverse > 0.0 {
                let [a, b] = [a, b].map(|end| leader(ends, end));
                ends[a.max(b) as usize].group = a.min(b);
            }
        }
        for end in 0..ends.len() as u32 {
            ends[end as usize].group = leader(ends, end);
        }
        let grounds = (0..).zip(&*ends).filter_map(|(end, it)| Some((end, it.ground?.normal)));
        for (end, normal) in grounds.chain(touched.iter().copied()) {
            let (End { tread, ground, .. }, knot) = (ends[end as usize], &mut knots[end as usize]);
            if knot.inverse > 0.0 {
                let along = ground.map(|ground| ground.tangent()).unwrap_or_default();
                let feet = tread.map(|tread| Feet { tread, along, by: 0.0, late: 0.0, takes: 0.0 });
                bearings.push(Bearing { normal, borne: 0.0, held: 0.0, feet, next: knot.bearing });
                knot.bearing = bearings.len() as u32 - 1;
            }
        }
        for (end, normal) in touched.iter() {
            if !ends[*end as usize].rigid {
                let knot = &mut knots[*end as usize];
                knot.vel -= *normal * knot.vel.dot(*normal).min(0.0);
            }
        }
        self.group();
    }

    /// Lists the links and the ends of each group.
    fn group(&mut self) {
        let Self { ends, knots, links, groups, order, members, .. } = self;
        let group = |end: u32| ends[end as usize].group;
        let group_of = |link: &Link| {
            let [a, b] = link.ends;
            group(if knots[a as usize].inverse > 0.0 { a } else { b })
        };
        order.clear();
        order.extend((0..links.len() as u32).filter(|link| links[*link as usize].inverse > 0.0));
        order.sort_unstable_by_key(|link| (group_of(&links[*link as usize]), *link));
        members.clear();
        members.extend((0..ends.len() as u32).filter(|end| knots[*end as usize].inverse > 0.0));
        members.sort_unstable_by_key(|end| (group(*end), *end));
        groups.clear();
        let (mut first_end, mut first_link) = (0, 0);
        for ends in members.chunk_by(|a, b| group(*a) == group(*b)) {
            let leader = group(ends[0]);
            let of_group = |link: &&u32| group_of(&links[**link as usize]) == leader;
            let count = order[first_link..].iter().take_while(of_group).count();
            let bare = ends.iter().all(|end| knots[*end as usize].bearing == NONE);
            groups.push(Group {
                links: first_link..first_link + count,
                ends: first_end..first_end + ends.len(),
                single: count == 1 && bare,
            });
            (first_end, first_link) = (first_end + ends.len(), first_link + count);
        }
    }

    /// Begins a tick of some steps: what leads apart the ends of taut ropes is stopped in external velocity and in the models'
    /// own, each by itself, as by terrain.
    fn strike(&mut self, steps: u32) {
        let Self { ends, knots, links, bearings, groups, order, .. } = self;
        links.iter_mut().for_each(|link| link.tighten(knots));
        let mut stop = |knots: &mut [Knot]| {
            for group in groups.iter() {
                settle((links, order, group), 0, MOST_ROUNDS, EXACT, |link| link.jerk(knots, bearings, 0.0));
            }
        };
        if ends.iter().any(|end| end.external != DVec2::ZERO) {
            knots.iter_mut().zip(&*ends).for_each(|(knot, end)| knot.next = end.external);
            stop(knots);
            knots.iter().zip(&mut *ends).for_each(|(knot, end)| end.external = knot.next);
        }
        knots.iter_mut().for_each(|knot| knot.next = knot.vel);
        stop(knots);
        for (knot, end) in knots.iter_mut().zip(ends) {
            knot.vel = knot.next;
            let drift = end.external * end.decay + end.wind + end.gait;
            end.drift = aside(knot, bearings, drift) / f64::from(steps);
        }
    }

    /// Gives bodies whose ropes are all slack the speed at which a run starts at once, as without a rope.
    fn start_runs(&mut self, step: u32) {
        let Self { ends, knots, links, bearings, .. } = self;
        let starts = |bearing: &Bearing| bearing.feet.is_some_and(|feet| feet.tread.start > 0.0);
        if !bearings.iter().any(starts) {
            return;
        }
        ends.iter_mut().for_each(|end| end.loose = true);
        for link in links.iter().filter(|link| link.acts(step)) {
            let slack = link.spring.is_none() && link.offset(knots).length() < link.length - ALMOST_TAUT;
            for end in link.ends {
                ends[end as usize].loose &= slack;
            }
        }
        for (_, knot) in ends.iter().zip(knots).filter(|(end, _)| end.loose) {
            for Feet { tread, along, .. } in bearings_of(knot.bearing, bearings).filter_map(|bearing| bearing.feet) {
                let speed = knot.vel.dot(along) * tread.side;
                if (0.0..tread.start).contains(&speed) {
                    knot.vel += along * (tread.side * (tread.start - speed));
                }
            }
        }
    }

    /// One step of `h` seconds.
    fn step(&mut self, step: u32, h: f64) {
        self.start_runs(step);
        let Self { ends, knots, links, bearings, groups, order, members, .. } = self;
        for (end, knot) in ends.iter_mut().zip(&mut *knots) {
            end.was = knot.pos;
            knot.next = knot.vel + end.accel * h;
        }
        for bearing in &mut *bearings {
            bearing.borne = 0.0;
            bearing.feet.iter_mut().for_each(|feet| (feet.by, feet.late) = (0.0, 0.0));
        }
        let support = |ends: &[u32], knots: &mut [Knot], bearings: &mut [Bearing]| {
            if !bearings.is_empty() {
                ends.iter().for_each(|end| bear(&mut knots[*end as usize], bearings, h));
            }
        };
        if !links.iter().any(|link| link.acts(step)) {
            support(members, knots, bearings);
            advance(ends, knots, h);
            knots.iter_mut().for_each(|knot| knot.vel = knot.next);
            return;
        }
        for group in groups.iter() {
            let (order, members) = (&order[group.links.clone()], &members[group.ends.clone()]);
            for index in order {
                let link = &mut links[*index as usize];
                if !link.acts(step) {
                    continue;
                }
                let late = link.since - f64::from(step);
                if late > 0.0 {
                    for bearing in link.ends.map(|end| knots[end as usize].bearing) {
                        let feet = bearings.get_mut(bearing as usize).and_then(|bearing| bearing.feet.as_mut());
                        feet.into_iter().for_each(|feet| feet.late = late);
                    }
                }
                link.begin(knots, bearings, step, h);
            }
            // There and back, so that a pull gets along a chain.
            for round in 0..=MOST_ROUNDS {
                support(members, knots, bearings);
                if round == MOST_ROUNDS {
                    break;
                }
                let mut changed: f64 = 0.0;
                for i in 0..order.len() {
                    let i = if round % 2 == 0 { i } else { order.len() - 1 - i };
                    let link = &mut links[order[i] as usize];
                    if link.acts(step) {
                        changed = changed.max(link.solve(knots, bearings, h));
                        if group.single && link.spring.is_none() {
                            changed = 0.0;
                        }
                    }
                }
                if changed <= EXACT {
                    break;
                }
            }
        }
        advance(ends, knots, h);
        // Where the search is far from its end, it must not throw bodies away.
        if self.limit_energy(step, h) {
            advance(&self.ends, &mut self.knots, h);
        }
        let Self { ends, knots, links, bearings, groups, order, .. } = self;
        let flown = |end: &End, knot: &Knot| end.was + (knot.vel + knot.next) * (0.5 * h) + end.drift;
        for group in groups.iter() {
            settle((links, order, group), step, MOST_PULLS, EXACT, |link| {
                link.pull_back(knots, bearings, PULL_BACK * h)
            });
        }
        for (end, knot) in ends.iter_mut().zip(&*knots) {
            end.moved += knot.pos - flown(end, knot);
        }
        links.iter_mut().for_each(|link| link.tighten(knots));
        for group in groups.iter() {
            let jerk = |link: &mut Link| link.jerk(knots, bearings, link.wound / h);
            settle((links, order, group), step, MOST_ROUNDS, EXACT / h, jerk);
        }
        knots.iter_mut().for_each(|knot| bear(knot, bearings, 0.0));
        self.limit_energy(step, h);
        let Self { knots, links, bearings, .. } = self;
        knots.iter_mut().for_each(|knot| knot.vel = knot.next);
        bearings.iter_mut().for_each(|bearing| bearing.held += bearing.borne);
        for link in links.iter_mut().filter(|link| link.acts(step)) {
            link.most = link.most.max((link.pull + link.jerk).abs());
        }
    }

    /// Slows down the bodies of each group that would have gained energy in a step of `h` seconds by the error of
    /// the search. Returns whether there are any.
    fn limit_energy(&mut self, step: u32, h: f64) -> bool {
        let Self { ends, knots, links, bearings, energies, .. } = self;
        energies.clear();
        energies.resize(ends.len(), [0.0; 2]);
        for (end, knot) in ends.iter().zip(&*knots).filter(|(_, knot)| knot.inverse > 0.0) {
            let mass = 1.0 / knot.inverse;
            let kinetic = 0.5 * mass * knot.next.length_squared();
            let mut work = mass * end.accel.dot(knot.pos - end.was - end.drift);
            let feet = bearings_of(knot.bearing, bearings).filter_map(|bearing| bearing.feet);
            work += feet.map(|feet| mass * feet.work(knot)).sum::<f64>();
            let [energy, room] = &mut energies[end.group as usize];
            *energy += kinetic;
            *room += 0.5 * mass * knot.vel.length_squared() + work - kinetic;
        }
        for link in links.iter().filter(|link| link.acts(step)) {
            let [a, b] = link.ends.map(|end| (&knots[end as usize], ends[end as usize].group));
            let group = if a.0.inverse > 0.0 { a.1 } else { b.1 };
            let mut work = 0.0;
            // What moves an end by itself does work, and so does a winch.
            for ((knot, _), side) in [(a, -1.0), (b, 1.0)] {
                if knot.inverse == 0.0 {
                    work += side * link.impulse.dot(knot.vel);
                }
            }
            let now = if link.wound > 0.0 || link.spring.is_some() {
                link.offset(knots).length()
            } else {
                link.was
            };
            // A winch whose rope gets no shorter, because terrain holds the body, does none.
            work += (link.pull + link.jerk).max(0.0) * (link.was - now).clamp(0.0, link.wound) / h;
            if let Some([omega, _]) = link.spring {
                let stretch = |length: f64| (length - link.length) * (length - link.length);
                work += 0.5 * omega * omega / link.inverse * (stretch(link.was) - stretch(now));
            }
            energies[group as usize][1] += work;
        }
        let mut any = false;
        for [energy, room] in energies.iter_mut() {
            let gained = *room < -1e-12 * *energy;
            *energy = if gained { ((*energy + *room) / *energy).max(0.0).sqrt() } else { 1.0 };
            any |= gained;
        }
        if any {
            for (end, knot) in ends.iter().zip(knots).filter(|(_, knot)| knot.inverse > 0.0) {
                knot.next *= energies[end.group as usize][0];
            }
        }
        any
    }

    /// Finds walls that bodies touch and that the first step has led into. Returns whether there are any that were not known.
    fn touch(&mut self, population: &Population, stage: &Stage, around: &Surroundings) -> bool {
        let Self { ends, knots, bearings, touched, .. } = self;
        let Population { entities, lanes, .. } = population;
        let known = touched.len();
        for (place, (end, knot)) in (0..).zip(ends.iter().zip(&*knots)) {
            let way = knot.pos - end.start;
            let Some(entity) = end.entity.filter(|_| knot.pulled && end.ground.is_none()) else { continue };
            if way.length_squared() <= EXACT * EXACT {
                continue;
            }
            let found = wall_ahead(&entities[entity as usize], way, lanes, stage, around);
            let is_known = |normal: &DVec2| bearings_of(knot.bearing, bearings).any(|b| b.normal.dot(*normal) > SAME);
            touched.extend(found.filter(|normal| !is_known(normal)).map(|normal| (place, normal)));
        }
        touched.len() > known
    }
}

/// The normal of a wall that a body in the air touches and that is in its way.
fn wall_ahead(entity: &Entity, way: DVec2, lanes: &Lanes, stage: &Stage, around: &Surroundings) -> Option<DVec2> {
    match_model!(entity.model, |M| {
        let mover = M::mover(lanes, entity);
        let here = mover.here(around);
        let (body, loadout) = (&mover.body, loadout_of::<M>(mover, stage));
        let here = here.as_ref().unwrap_or(around);
        let context = MoveContext::new(loadout.shape, &loadout.footing, here, &mover.intent, body);
        if let Some(rigid) = M::RIGID {
            return rigid.blocked(&mover.state, loadout, &context.scenery(), body, way);
        }
        let way = way * (NEAR / way.length()).max(1.0);
        let hit = context.scenery().sweep(loadout.shape, body.pos, way)?;
        let near = -way.dot(hit.normal) * hit.time <= NEAR;
        // It lands on what bears it from below.
        (near && !context.rule().walkable(hit.normal)).then_some(hit.normal)
    })
}

/// Moves all ends through a step.
fn advance(ends: &[End], knots: &mut [Knot], h: f64) {
    for (end, knot) in ends.iter().zip(knots) {
        knot.pos = end.was + (knot.vel + knot.next) * (0.5 * h) + end.drift;
    }
}

/// The end that leads the group of an end.
fn leader(ends: &[End], mut end: u32) -> u32 {
    while ends[end as usize].group != end {
        end = ends[end as usize].group;
    }
    end
}

impl World {
    /// Changes the motions of bodies on joints. Joints that are torn apart snap.
    pub(super) fn pull_joints(&mut self, stage: &Stage, around: &Surroundings) {
        let World { joints, population, journal, aside, tick, .. } = self;
        let buffers = &mut aside.buffers.joints;
        buffers.touched.clear();
        if joints.is_empty() || around.dt <= 0.0 {
            buffers.links.clear();
            buffers.ends.clear();
            buffers.attached.clear();
            return;
        }
        let steps = (around.dt * STEPS - 1e-6).ceil().max(1.0);
        let (h, steps) = (around.dt / steps, steps as u32);
        for touches in 1..=MOST_TOUCHES {
            buffers.gather(joints, population, stage, around, h);
            buffers.strike(steps);
            buffers.step(0, h);
            if touches == MOST_TOUCHES || !buffers.touch(population, stage, around) {
                break;
            }
        }
        for step in 1..steps {
            buffers.step(step, h);
        }
        buffers.attached.clear();
        buffers.hand_back(population, stage, around.dt);
        let mut links = buffers.links.iter();
        joints.list_mut().retain_mut(|joint| {
            let Some(link) = links.next() else { return true };
            joint.length = link.length - link.borne;
            joint.reel = joint.reel.filter(|reel| joint.hook || reel.to != joint.length);
            joint.tension = if link.inverse > 0.0 { link.pull / h + 0.0 } else { 0.0 };
            let snaps = joint.strength.is_some_and(|strength| link.most > strength * h);
            if snaps {
                journal.emit_for_level(*tick + 1, EventKind::JointLost { joint: joint.id, snapped: true });
            }
            !snaps
        });
    }

    /// Pulls bodies back that terrain has kept too far away from the other ends of their ropes. What one end cannot move
    /// is left to the other.
    pub(super) fn hold_joints(&mut self, stage: &Stage, around: &Surroundings) {
        let World { population, aside, joints, .. } = self;
        let JointBuffers { ends, knots, links, outlines, .. } = &mut aside.buffers.joints;
        let Population { lanes, entities, .. } = population;
        for (end, knot) in ends.iter().zip(&*knots).filter(|(end, _)| end.after != DVec2::ZERO) {
            let Some(index) = end.entity else { continue };
            let entity = &entities[index as usize];
            let met = knot.bearing == NONE && lanes.mode(entity) == Mode::Contact;
            let hit = met || lanes.scratch(entity).report.details().hit.is_some();
            let body = lanes.body_mut(entity);
            if !hit && body.ground.is_none() {
                body.vel += end.after;
            }
        }
        for link in links.iter_mut().filter(|link| link.inverse > 0.0 && link.spring.is_none()) {
            let mut most = link.offset(knots).length().max(link.length);
            // A winch stops where its bodies meet, which the search does not know before.
            if let Some(pair) = link.pair(ends, entities).filter(|_| link.reel.is_some())
                && sides_meet(pair, lanes, stage, NEAR, outlines).is_some()
            {
                let [a, b] = pair.map(|entity| lanes.body(entity).pos);
                link.length = (b - a + link.at).length().clamp(link.length, link.began.max(link.length));
                most = most.max(link.length);
                if let Some(joint) = joints.list_mut().iter_mut().find(|joint| joint.id == link.joint) {
                    joint.length = link.length;
                }
            }
            let mut yields = link.ends.map(|end| knots[end as usize].inverse);
            for _ in 0..2 {
                let body = |end: u32| ends[end as usize].entity.map(|index| &entities[index as usize]);
                let bodies = link.ends.map(body);
                let place =
                    |i: usize| bodies[i].map_or(knots[link.ends[i] as usize].pos, |entity| lanes.body(entity).pos);
                let offset = place(1) - place(0) + link.at;
                let over = offset.length() - most;
                let sum = yields[0] + yields[1];
                if over <= TOUCH || sum == 0.0 {
                    break;
                }
                let along = offset.normalize_or_zero();
                for i in 0..2 {
                    let side = if i == 0 { 1.0 } else { -1.0 };
                    let Some(entity) = bodies[i].filter(|_| yields[i] > 0.0) else { continue };
                    if lanes.body(entity).cling.is_some()
                        || pull(entity, along * (side * over * yields[i] / sum), lanes, stage, around)
                    {
                        yields[i] = 0.0;
                    }
                }
                let velocity = |i: usize| bodies[i].map_or(DVec2::ZERO, |entity| lanes.body(entity).vel);
                let (out, sum) = ((velocity(1) - velocity(0)).dot(along), yields[0] + yields[1]);
                if out > 0.0 && sum > 0.0 {
                    for (i, side) in [(0, 1.0), (1, -1.0)] {
                        if let Some(entity) = bodies[i] {
                            lanes.body_mut(entity).vel += along * (side * out * yields[i] / sum);
                        }
                    }
                }
            }
        }
        // The tips of hooks are where they hold.
        for joint in joints.iter().filter(|joint| joint.hook) {
            let [owner, held] = joint.ends.each_ref().map(|end| match end.on {
                Anchor::Entity(id) => id.among(entities),
                _ => None,
            });
            if let (Some(owner), Some(held)) = (owner, held)
                && lanes.winds(&entities[owner], stage).is_some()
            {
                let tip = lanes.body(&entities[held]).pos + joint.ends[1].at;
                lanes.hold_entity(&entities[owner], tip, joint.length);
            }
        }
    }
}

/// How far terrain may move a rigid body aside that is pulled, px.
const ASIDE: f64 = 0.5;

/// Moves a body until terrain stops it. Returns whether terrain was in the way. One that turns moves all the way or not at
/// all.
fn pull(entity: &Entity, by: DVec2, lanes: &mut Lanes, stage: &Stage, around: &Surroundings) -> bool {
    if !entity.model.is_rigid() {
        return push_body(entity, by, lanes, stage, around);
    }
    let mut body = lanes.body(entity).clone();
    let open = around.scenery_at(body.z).cast(body.pos, by).is_none();
    body.pos += by;
    let free = stage
        .fit_entity(around.transit, entity, &body)
        .filter(|at| open && at.distance(body.pos) <= ASIDE);
    if let Some(at) = free {
        let body = lanes.body_mut(entity);
        (body.pos, body.sensed) = (at, false);
    }
    free.is_none()
}

impl JointBuffers {
    /// Makes what the steps of a tick of `seconds` have led to the motion of each body.
    fn hand_back(&mut self, population: &mut Population, stage: &Stage, seconds: f64) {
        let Population { lanes, entities, .. } = population;
        let bearings = &self.bearings;
        for (end, knot) in self.ends.iter_mut().zip(&self.knots) {
            let Some(entity) = end.entity.filter(|_| knot.pulled).map(|index| &entities[index as usize]) else {
                continue;
            };
            let (dt, rate) = (seconds * end.rate, end.rate);
            let drifted = end.external * end.decay + end.wind;
            let displacement = knot.pos - end.start - drifted;
            let velocity = knot.vel / rate;
            let bears = || bearings_of(knot.bearing, bearings);
            let body = lanes.body_mut(entity);
            body.external = end.external / rate;
            if end.rigid {
                // Its model moves it from a velocity alone, and meets the surfaces that bear it by itself. Afterward, its ropes
                // pull it back where they are too long.
                let accel = end.accel / (rate * rate);
                let start = if end.ground.is_some() {
                    body.vel + velocity - end.free / rate
                } else {
                    (displacement - end.moved) / dt - accel * (0.5 * dt)
                };
                let along =
                    |v: DVec2| bears().filter(|by| by.held > 0.0).fold(v, |v, by| v - by.normal * v.dot(by.normal));
                let start = along(start);
                end.after = along(velocity - (start + accel * dt));
                // It wakes up if it rests.
                body.sensed &= start == body.vel;
                body.vel = start;
                continue;
            }
            if end.ground.is_some_and(|ground| velocity.dot(ground.normal) > 1e-6) {
                body.ground = None;
            }
            let leans = |by: &&Bearing| end.ground.is_none() && by.held > 0.0;
            let displacement = bears().filter(leans).fold(displacement, |way, by| way - by.normal * LEAN);
            let scratch = lanes.scratch_mut(entity);
            scratch.report.bound = true;
            // In a top view, gravity pulls out of the plane.
            let pull = if stage.level.view == View::Top { scratch.motion.pull } else { 0.0 };
            scratch.motion = Motion { start: velocity, displacement, velocity, pull, ..scratch.motion };
        }
    }
}
