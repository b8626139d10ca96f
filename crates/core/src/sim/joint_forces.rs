//! How joints act: between *drive* and *travel* they change the motions of the bodies that they hold, and after *travel*
//! they pull back what terrain has kept too far away.
//!
//! A tick is cut into steps of the same length at every rate. In each, all joints look for the impulses that take effect
//! along their middle direction (old plus new offset of the ends): such an impulse does exactly the work that the change of
//! length stands for, so a taut rope does none, and an undamped spring returns what it took. Positions follow from the mean
//! of old and new velocity. The search ends early; what is left of its error can only take energy away.

use super::{
    lane::{LaneOf, loadout_of},
    mover::Waits,
    pushing::push_body,
    *,
};
use crate::geometry::TOUCH;

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

/// A search does not begin with the last impulse if that would change the ends' velocity by more than this, px/s: ropes whose
/// lengths contradict each other pull harder and harder.
const WILD: f64 = 2_000.0;

/// How fast a rope pulls ends together that a teleport or a platform has brought too far apart, px/s. The pull gives no
/// velocity.
const PULL_BACK: f64 = 2_400.0;

/// Memory for the joints of a tick. It is not state.
#[derive(Default)]
pub struct JointBuffers {
    ends: Vec<End>,
    links: Vec<Link>,
    /// For each entity, its place among the ends.
    places: Vec<u32>,
    /// For each end, if it leads a group of connected bodies: their kinetic energy, and what may be added to it.
    energies: Vec<[f64; 2]>,
}

/// What a joint pulls on: a body, or a place. Velocities are in the time of the level.
#[derive(Clone, Copy, Debug)]
struct End {
    /// The body, an index into the entities.
    entity: Option<u32>,
    /// One over its mass; 0 for what no joint moves.
    inverse: f64,
    /// The end that leads its group.
    group: u32,
    /// Position now, when the step began, and when the tick began, px.
    pos: DVec2,
    was: DVec2,
    start: DVec2,
    /// Velocity when the step began and as it ends, px/s.
    vel: DVec2,
    next: DVec2,
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
    /// The normal of its ground, and the impulse with which that bears it.
    ground: Option<DVec2>,
    borne: f64,
    /// How fast its time passes.
    rate: f64,
    /// Whether its model integrates velocity by itself.
    rigid: bool,
    /// Whether a joint has acted on it.
    pulled: bool,
    /// What is added to its velocity after it has traveled, px/s.
    after: DVec2,
}

impl End {
    fn fixed(at: DVec2, vel: DVec2) -> Self {
        Self {
            entity: None,
            inverse: 0.0,
            group: 0,
            pos: at,
            was: at,
            start: at,
            vel,
            next: vel,
            accel: DVec2::ZERO,
            free: vel,
            drift: DVec2::ZERO,
            gait: DVec2::ZERO,
            moved: DVec2::ZERO,
            external: DVec2::ZERO,
            decay: 0.0,
            wind: DVec2::ZERO,
            ground: None,
            borne: 0.0,
            rate: 1.0,
            rigid: false,
            pulled: false,
            after: DVec2::ZERO,
        }
    }

    /// A body as its model would move it in this tick.
    fn body(entity: &Entity, lanes: &Lanes, stage: &Stage, around: &Surroundings) -> Self {
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
            let (loadout, motion) = (loadout_of::<M>(mover, stage), mover.scratch.motion);
            let ground = body.ground.map(|contact| contact.normal);
            let (start, velocity) = (motion.start, motion.velocity);
            let rigid = M::RIGID.is_some();
            let mut accel = if rigid { DVec2::new(0.0, -motion.pull) } else { (velocity - start) / dt };
            let gait = if rigid {
                DVec2::ZERO
            } else {
                motion.displacement - (start + velocity) * (0.5 * dt)
            };
            if let Some(normal) = ground.filter(|_| !rigid) {
                let weight = -loadout.footing.gravity_scale * here.gravity * normal.y;
                accel += normal * weight.min(0.0);
            }
            let wind = here.air.external_accel;
            let drifts = body.external != DVec2::ZERO || wind != DVec2::ZERO;
            let decay = drifts.then(|| here.decay());
            let wind = ground.map_or(wind, |normal| wind - normal * wind.dot(normal));
            Self {
                inverse: 1.0 / stage.profiles[entity.slot.index()].mass,
                accel: accel * rate * rate,
                gait,
                external: body.external * rate,
                decay: decay.map_or(0.0, |decay| decay.seconds / rate),
                wind: decay.map_or(DVec2::ZERO, |decay| wind * decay.drift),
                free: if rigid { (start + accel * dt) * rate } else { velocity * rate },
                ground,
                rate,
                rigid,
                ..Self::fixed(body.pos, start * rate)
            }
        })
    }
}

/// A joint in a tick.
#[derive(Clone, Copy, Debug)]
struct Link {
    ends: [u32; 2],
    /// From the middle of each end to where it is fixed, px.
    at: [DVec2; 2],
    length: f64,
    /// What its length becomes, and how much of that in a step, px.
    reel: Option<(f64, f64)>,
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
    /// How much the length has shrunk in this step, px.
    wound: f64,
    /// Whether it was taut when the step began.
    taut: bool,
    /// The largest impulse in a step.
    most: f64,
}

impl Link {
    fn offset(&self, ends: &[End], of: impl Fn(&End) -> DVec2) -> DVec2 {
        let [a, b] = self.ends.map(|end| of(&ends[end as usize]));
        b + self.at[1] - a - self.at[0]
    }

    fn apply(&self, ends: &mut [End], impulse: DVec2, of: impl Fn(&mut End) -> &mut DVec2) {
        for (end, side) in self.ends.into_iter().zip([1.0, -1.0]) {
            let end = &mut ends[end as usize];
            let by = impulse * (side * end.inverse);
            *of(end) += by;
            end.pulled |= end.inverse > 0.0;
        }
    }

    /// Begins a step with the impulse of the last one.
    fn begin(&mut self, ends: &mut [End]) {
        let offset = self.offset(ends, |end| end.pos);
        if self.winds {
            self.length = self.length.min(offset.length());
        }
        let before = self.length;
        if let Some((to, by)) = self.reel {
            self.length += (to - self.length).clamp(-by, by);
        }
        (self.from, self.was) = (offset, offset.length());
        self.wound = (before - self.length).max(0.0);
        self.taut = self.spring.is_none() && self.was >= before - SLACK;
        // Ends that are too far apart come no closer by this: that would make them fast.
        self.limit = self.length.max(self.was - self.wound);
        if !self.taut && self.spring.is_none() || self.pull.abs() * self.inverse > WILD {
            self.pull = 0.0;
        }
        self.jerk = 0.0;
        self.steady = offset.normalize_or_zero() * self.pull;
        self.impulse = self.steady;
        if self.pull != 0.0 {
            self.apply(ends, self.steady, |end| &mut end.next);
        }
    }

    /// Corrects the impulse. Returns by how much that moves the ends, px.
    fn solve(&mut self, ends: &mut [End], h: f64) -> f64 {
        let [a, b] = self.ends.map(|end| ends[end as usize].vel + ends[end as usize].next);
        let after = self.from + (b - a) * (0.5 * h);
        let (then, both) = (after.length(), self.from + after);
        let sum = self.was + then;
        // Where the ends pass each other, there is no such direction. What is too far then is only pulled back.
        if both.length_squared() <= 0.25 * sum * sum {
            return 0.0;
        }
        let better = match self.spring {
            None => (self.pull + (then - self.limit) * 2.0 / (h * self.inverse)).max(0.0),
            Some([omega, damping]) => {
                let stretch = 0.5 * (self.was + then) - self.length;
                let wanted = (h * omega * omega * stretch + 2.0 * damping * omega * (then - self.was)) / self.inverse;
                let stiff = 1.0 + 0.25 * (h * omega) * (h * omega) + damping * omega * h;
                self.pull + (wanted - self.pull) / stiff
            }
        };
        let steady = both * (better / sum);
        let by = steady - self.steady;
        if by == DVec2::ZERO {
            return 0.0;
        }
        (self.pull, self.steady) = (better, steady);
        self.impulse += by;
        self.apply(ends, by, |end| &mut end.next);
        by.length() * h * self.inverse
    }

    /// Takes the velocity with which the ends of a taut rope leave each other, as of `of`, if it winds in at a speed. One
    /// that has just become taut, or winds in, takes what it has given too much as well: it does not bounce. Returns by
    /// how much it changed that, px/s.
    fn jerk(&mut self, ends: &mut [End], speed: f64, of: impl Fn(&mut End) -> &mut DVec2 + Copy) -> f64 {
        let offset = self.offset(ends, |end| end.pos);
        let distance = offset.length();
        if self.spring.is_some() || distance < self.length - SLACK || distance <= 1e-9 {
            return 0.0;
        }
        let along = offset / distance;
        let [a, b] = self.ends.map(|end| *of(&mut ends[end as usize]));
        let out = (b - a).dot(along) + speed;
        let struck = self.pull > 0.0 && (!self.taut || speed > 0.0);
        if out <= 0.0 && !struck || out == 0.0 {
            return 0.0;
        }
        let impulse = along * (out / self.inverse);
        self.jerk += out / self.inverse;
        self.impulse += impulse;
        self.apply(ends, impulse, of);
        out.abs()
    }

    /// Moves ends together that are too far apart, up to `most` px in a step. Returns by how much.
    fn pull_back(&self, ends: &mut [End], most: f64) -> f64 {
        let offset = self.offset(ends, |end| end.pos);
        let distance = offset.length();
        let over = distance - self.length.max(self.was - most);
        if self.spring.is_some() || over <= EXACT {
            return 0.0;
        }
        let by = offset * (over / (distance * self.inverse));
        self.apply(ends, by, |end| &mut end.pos);
        self.apply(ends, by, |end| &mut end.moved);
        over
    }
}

/// Repeats something for all links until none of them changes anything.
fn settle(links: &mut [Link], rounds: usize, mut act: impl FnMut(&mut Link) -> f64) {
    for _ in 0..rounds {
        let changed = links.iter_mut().map(&mut act).fold(0.0, f64::max);
        if changed <= EXACT {
            break;
        }
    }
}

impl JointBuffers {
    /// Finds what the joints pull on.
    fn gather(&mut self, joints: &Joints, population: &Population, stage: &Stage, around: &Surroundings, h: f64) {
        let Self { ends, links, places, .. } = self;
        let Population { entities, lanes, .. } = population;
        ends.clear();
        links.clear();
        places.clear();
        places.resize(entities.len(), u32::MAX);
        let transit = around.transit;
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
                        if places[index] == u32::MAX {
                            places[index] = ends.len() as u32;
                            let body = End::body(&entities[index], lanes, stage, around);
                            ends.push(End { entity: Some(index as u32), group: places[index], ..body });
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
                link_ends[i] = ends.len() as u32;
                ends.push(End { group: link_ends[i], ..End::fixed(place[0], place[1]) });
            }
            let inverse = link_ends.map(|end| ends.get(end as usize).map_or(0.0, |end| end.inverse));
            links.push(Link {
                ends: link_ends,
                at,
                length: joint.length,
                reel: joint.reel.map(|reel| (reel.to, reel.speed * h)),
                winds: joint.hook,
                spring: joint.spring.map(|spring| [std::f64::consts::TAU * spring.hertz, spring.damping]),
                // A joint between two ends that nothing moves does nothing.
                inverse: if here { inverse[0] + inverse[1] } else { 0.0 },
                pull: joint.tension * h,
                steady: DVec2::ZERO,
                jerk: 0.0,
                impulse: DVec2::ZERO,
                from: DVec2::ZERO,
                was: 0.0,
                limit: 0.0,
                wound: 0.0,
                taut: true,
                most: 0.0,
            });
        }
        // Bodies that hang together share their energy.
        for link in links.iter().filter(|link| link.inverse > 0.0) {
            let [a, b] = link.ends;
            if ends[a as usize].inverse > 0.0 && ends[b as usize].inverse > 0.0 {
                let [a, b] = [a, b].map(|end| leader(ends, end));
                ends[a.max(b) as usize].group = a.min(b);
            }
        }
        for end in 0..ends.len() as u32 {
            ends[end as usize].group = leader(ends, end);
        }
    }

    /// One step of `h` seconds.
    fn step(&mut self, h: f64) {
        let Self { ends, links, energies, .. } = self;
        for end in ends.iter_mut() {
            end.was = end.pos;
            end.next = end.vel + end.accel * h;
            end.borne = 0.0;
        }
        let acting = || links.iter().any(|link| link.inverse > 0.0);
        if !acting() {
            return;
        }
        links.iter_mut().filter(|link| link.inverse > 0.0).for_each(|link| link.begin(ends));
        let act = |link: &Link| link.inverse > 0.0;
        // There and back, so that a pull gets along a chain.
        for round in 0..MOST_ROUNDS {
            let mut changed: f64 = 0.0;
            for i in 0..links.len() {
                let i = if round % 2 == 0 { i } else { links.len() - 1 - i };
                if act(&links[i]) {
                    changed = changed.max(links[i].solve(ends, h));
                }
            }
            ends.iter_mut().for_each(End::bear);
            if changed <= EXACT {
                break;
            }
        }
        ends.iter_mut().for_each(|end| end.advance(h));
        // Where the search is far from its end, it must not throw bodies away.
        if limit_energy(ends, links, energies, h) {
            ends.iter_mut().for_each(|end| end.advance(h));
        }
        settle(links, MOST_PULLS, |link| if act(link) { link.pull_back(ends, PULL_BACK * h) } else { 0.0 });
        settle(links, MOST_ROUNDS, |link| {
            if act(link) {
                link.jerk(ends, link.wound / h, |end| &mut end.next)
            } else {
                0.0
            }
        });
        ends.iter_mut().for_each(End::bear);
        limit_energy(ends, links, energies, h);
        for end in ends.iter_mut() {
            end.vel = end.next;
        }
        for link in links.iter_mut() {
            link.most = link.most.max((link.pull + link.jerk).abs());
        }
    }
}

impl End {
    /// Moves it through a step.
    fn advance(&mut self, h: f64) {
        self.pos = self.was + (self.vel + self.next) * (0.5 * h) + self.drift;
    }

    /// Lets its ground bear the body: it stops what leads into it.
    fn bear(&mut self) {
        if let Some(normal) = self.ground {
            let into = self.next.dot(normal);
            let more = (-into).max(-self.borne);
            self.borne += more;
            self.next += normal * more;
        }
    }
}

/// The end that leads the group of an end.
fn leader(ends: &[End], mut end: u32) -> u32 {
    while ends[end as usize].group != end {
        end = ends[end as usize].group;
    }
    end
}

/// Slows down the bodies of each group that would have gained energy in a step of `h` seconds by the error of
/// the search. Returns whether there are any.
fn limit_energy(ends: &mut [End], links: &[Link], energies: &mut Vec<[f64; 2]>, h: f64) -> bool {
    energies.clear();
    energies.resize(ends.len(), [0.0; 2]);
    for end in ends.iter().filter(|end| end.inverse > 0.0) {
        let mass = 1.0 / end.inverse;
        let kinetic = 0.5 * mass * end.next.length_squared();
        let work = mass * end.accel.dot(end.pos - end.was - end.drift);
        let [energy, room] = &mut energies[end.group as usize];
        *energy += kinetic;
        *room += 0.5 * mass * end.vel.length_squared() + work - kinetic;
    }
    for link in links.iter().filter(|link| link.inverse > 0.0) {
        let [a, b] = link.ends.map(|end| &ends[end as usize]);
        let group = if a.inverse > 0.0 { a.group } else { b.group };
        let mut work = 0.0;
        // What moves an end by itself does work, and so does a winch.
        for (end, side) in [(a, -1.0), (b, 1.0)] {
            if end.inverse == 0.0 {
                work += side * link.impulse.dot(end.vel);
            }
        }
        work += (link.pull + link.jerk).max(0.0) * link.wound / h;
        if let Some([omega, _]) = link.spring {
            let stretch = |length: f64| (length - link.length) * (length - link.length);
            let now = link.offset(ends, |end| end.pos).length();
            work += 0.5 * omega * omega / link.inverse * (stretch(link.was) - stretch(now));
        }
        energies[group as usize][1] += work;
    }
    let mut any = false;
    for [energy, room] in energies.iter_mut() {
        let share = ((*energy + *room) / *energy).max(0.0).sqrt();
        *energy = if *room < -1e-12 * *energy { share } else { 1.0 };
        any |= *energy < 1.0;
    }
    if any {
        for end in ends.iter_mut().filter(|end| end.inverse > 0.0) {
            end.next *= energies[end.group as usize][0];
        }
    }
    any
}

impl World {
    /// Changes the motions of bodies on joints. Joints that are torn apart snap.
    pub(super) fn pull_joints(&mut self, stage: &Stage, around: &Surroundings) {
        let World { joints, population, journal, aside, tick, .. } = self;
        let buffers = &mut aside.buffers.joints;
        if joints.is_empty() || around.dt <= 0.0 {
            buffers.links.clear();
            buffers.ends.clear();
            return;
        }
        let steps = (around.dt * STEPS - 1e-6).ceil().max(1.0);
        let h = around.dt / steps;
        buffers.gather(joints, population, stage, around, h);
        let JointBuffers { ends, links, .. } = buffers;
        // External velocity and the model's own are stopped each by itself, as by terrain.
        let ropes = |link: &Link| link.inverse > 0.0;
        if ends.iter().any(|end| end.external != DVec2::ZERO) {
            settle(
                links,
                MOST_ROUNDS,
                |link| {
                    if ropes(link) { link.jerk(ends, 0.0, |end| &mut end.external) } else { 0.0 }
                },
            );
        }
        settle(links, MOST_ROUNDS, |link| if ropes(link) { link.jerk(ends, 0.0, |end| &mut end.vel) } else { 0.0 });
        for end in ends.iter_mut() {
            end.drift = (end.external * end.decay + end.wind + end.gait) / steps;
        }
        for _ in 0..steps as u32 {
            buffers.step(h);
        }
        buffers.hand_back(population, stage, around.dt);
        let mut links = buffers.links.iter();
        joints.list_mut().retain_mut(|joint| {
            let Some(link) = links.next() else { return true };
            joint.length = link.length;
            joint.reel = joint.reel.filter(|reel| joint.hook || reel.to != link.length);
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
        let JointBuffers { ends, links, .. } = &mut aside.buffers.joints;
        let Population { lanes, entities, .. } = population;
        for end in ends.iter().filter(|end| end.after != DVec2::ZERO) {
            let Some(index) = end.entity else { continue };
            let entity = &entities[index as usize];
            let hit = lanes.scratch(entity).report.details().hit.is_some();
            let body = lanes.body_mut(entity);
            if !hit && body.ground.is_none() {
                body.vel += end.after;
            }
        }
        for link in links.iter().filter(|link| link.inverse > 0.0 && link.spring.is_none()) {
            let most = link.offset(ends, |end| end.pos).length().max(link.length);
            let mut yields = link.ends.map(|end| ends[end as usize].inverse);
            for _ in 0..2 {
                let body = |end: u32| ends[end as usize].entity.map(|index| &entities[index as usize]);
                let bodies = link.ends.map(body);
                let place = |i: usize| {
                    bodies[i].map_or(ends[link.ends[i] as usize].pos, |entity| lanes.body(entity).pos) + link.at[i]
                };
                let offset = place(1) - place(0);
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
                Anchor::Entity(id) => entities.binary_search_by_key(&id, |entity| entity.id).ok(),
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
        for end in &mut self.ends {
            let Some(entity) = end.entity.filter(|_| end.pulled).map(|index| &entities[index as usize]) else {
                continue;
            };
            let (dt, rate) = (seconds * end.rate, end.rate);
            let drifted = end.external * end.decay + end.wind;
            let displacement = end.pos - end.start - drifted;
            let velocity = end.vel / rate;
            let body = lanes.body_mut(entity);
            body.external = end.external / rate;
            if end.rigid {
                // Its model moves it from a velocity alone. Afterward, its ropes pull it back where they are too long.
                let accel = end.accel / (rate * rate);
                let start = if end.ground.is_some() {
                    body.vel + velocity - end.free / rate
                } else {
                    (displacement - end.moved) / dt - accel * (0.5 * dt)
                };
                end.after = velocity - (start + accel * dt);
                // It wakes up if it rests.
                body.sensed &= start == body.vel;
                body.vel = start;
                continue;
            }
            if end.ground.is_some_and(|normal| velocity.dot(normal) > 1e-6) {
                body.ground = None;
            }
            let scratch = lanes.scratch_mut(entity);
            scratch.waits = Waits::Bound;
            // In a top view, gravity pulls out of the plane.
            let pull = if stage.level.view == View::Top { scratch.motion.pull } else { 0.0 };
            scratch.motion = Motion { start: velocity, displacement, velocity, pull, ..scratch.motion };
        }
    }
}
