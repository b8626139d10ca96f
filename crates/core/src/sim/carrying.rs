//! Bodies that carry: others stand on them and run into them.
//!
//! In a tick in which any body carries, bodies move one after the other, each through all phases, and meet the others where
//! these are at that moment. So two bodies that meet never get into each other. A body moves after what it stands on, by whose
//! displacement it is carried like by a platform, and after what that also carries and what is in its way. Among bodies at
//! the same height of their stacks, those that move come first, and of these the leading ones. What falls comes last, the
//! lowest first. So the order follows from where bodies are, and from their names where that leaves a choice.

use super::{
    ask::{ask_grabs, ask_snaps},
    mover::Waits,
    pushing::push_apart,
    *,
};
use crate::level::{Bodies, BodyBlock, Carries, Feature, Level, Others, TurnPart};
use std::{cmp::Ordering, ops::Range};

/// What a tick with bodies that carry works with. It is reused in every tick and is not state.
#[derive(Default)]
pub struct CarryBuffers {
    bodies: Bodies,
    /// The entities that `entities` is about.
    ids: Vec<EntityId>,
    /// The index of each body's entity: bodies are in the order of their names.
    entities: Vec<u32>,
    /// The bodies that are in the second one of `levels`.
    shapes: Vec<(Arc<str>, DVec2, f64)>,
    /// The level, and the same with the platforms of bodies.
    levels: Option<[Arc<Level>; 2]>,
    /// Where each body was as the tick began, px.
    starts: Vec<DVec2>,
    /// The body on which each stands.
    carriers: Vec<Option<u16>>,
    /// How far each body has moved since others have looked at it, px.
    late: Vec<DVec2>,
    /// When each body moves.
    turns: Vec<Turn>,
    /// The bodies in the order in which they move, in the last tick until that is known.
    order: Vec<u16>,
    /// Whether the bodies and the level may be the same as in the last tick.
    same: bool,
    calm: Calm,
    /// Bodies whose riders are looked at.
    riders: Vec<u16>,
    /// Bodies that have begun their turns; each but the first one is in the way of the one before it.
    begun: Vec<u16>,
}

/// When a body moves.
#[derive(Clone, Copy, PartialEq)]
struct Turn {
    slot: u16,
    /// How many bodies are under it.
    depth: u32,
    /// If the lowest of these falls: its height and its index.
    falls: Option<(f64, u16)>,
    /// A body that stands still comes last.
    still: bool,
    /// How far it is behind in the direction of its motion, px.
    behind: f64,
    /// Whether it has begun to move in this tick, or has moved.
    begun: bool,
}

impl Turn {
    /// Whether both have the same number of bodies under them, and none of these moves between them.
    fn is_abreast(&self, other: &Self) -> bool {
        self.by_stack(other) == Ordering::Equal
    }

    fn by_stack(&self, other: &Self) -> Ordering {
        let by_fall = match (self.falls, other.falls) {
            (Some((a, i)), Some((b, j))) => a.total_cmp(&b).then(i.cmp(&j)),
            (a, b) => a.is_some().cmp(&b.is_some()),
        };
        by_fall.then(self.depth.cmp(&other.depth))
    }

    fn by_motion(&self, other: &Self) -> Ordering {
        let by_place = || self.behind.total_cmp(&other.behind).then(self.slot.cmp(&other.slot));
        self.still.cmp(&other.still).then_with(by_place)
    }
}

/// How many bodies are under one that has not been counted yet, and under one that is being counted.
const UNKNOWN: u32 = u32::MAX;
const COUNTING: u32 = u32::MAX - 1;

/// A body that moves less than this in a tick does not move others, px.
const LEAST_MOTION: f64 = 1e-9;

/// The features of a body that name what holds it.
pub fn features(body: &mut Body) -> impl Iterator<Item = &mut Feature> {
    let ground = body.ground.as_mut().map(|contact| &mut contact.feature);
    ground.into_iter().chain(body.cling.as_mut().map(|cling| &mut cling.feature))
}

fn feature_of(body: &Body) -> Option<Feature> {
    body.cling.map(|cling| cling.feature).or(body.ground.map(|contact| contact.feature))
}

/// The conditions of a tick in which each body meets the others; `slot` is the one that moves.
fn among<'a>(stage: &'a Stage, now: u64, transit: &'a Transit, bodies: &'a Bodies, slot: u16) -> Surroundings<'a> {
    let others = Some(Others { bodies, slot, part: TurnPart::Moves, free: false });
    Surroundings { others, ..stage.surroundings(now, transit) }
}

/// Lets others meet a body where it is now.
fn place_body(memory: &mut CarryBuffers, slot: u16, to: DVec2, transit: &mut Transit) {
    let from = memory.starts[slot as usize];
    if to != memory.bodies.list[slot as usize].pos {
        memory.calm.shift(&memory.bodies, slot, to);
    }
    if to != from {
        transit.move_body(memory.bodies.platforms_of(slot), from, to);
    }
    memory.bodies.shift(slot, to, to - from);
}

impl World {
    /// Whether any body carries others, or has stood on one when the last tick ended. The traits are those of the stage.
    #[inline]
    pub(super) fn has_carriers(&self, stage: &Stage, traits: ProfileTraits) -> bool {
        let carries = |profile: &Profile| profile.carries != Carries::Nothing;
        traits.carries && {
            let Population { entities, lanes, .. } = &self.population;
            let rides = |e: &Entity| feature_of(lanes.body(e)).is_some_and(|feature| feature.body().is_some());
            entities.iter().any(|e| carries(&stage.profiles[e.slot.index()]) || rides(e))
        }
    }

    /// The stage with the platforms of all bodies, if any of them carries.
    pub(super) fn with_bodies(&mut self, stage: &Stage, traits: ProfileTraits) -> Option<Stage> {
        if !self.has_carriers(stage, traits) {
            return None;
        }
        let Population { entities, lanes, .. } = &self.population;
        let memory = &mut self.aside.buffers.carrying;
        if !memory.ids.iter().eq(entities.iter().map(|entity| &entity.id)) {
            memory.ids.clear();
            memory.ids.extend(entities.iter().map(|entity| entity.id));
            memory.entities.clear();
            memory.entities.extend(0..entities.len() as u32);
            memory.entities.sort_by_key(|index| &entities[*index as usize].name);
            memory.entities.truncate(Bodies::most(stage.level.terrain.platforms().len()));
        }
        let CarryBuffers { bodies, shapes, levels, .. } = memory;
        bodies.list.clear();
        let mut same = shapes.len() == memory.entities.len();
        for (slot, index) in memory.entities.iter().enumerate() {
            let entity = &entities[*index as usize];
            let (body, profile) = (lanes.body(entity), &stage.profiles[entity.slot.index()]);
            let (shape, up) = (profile.loadouts.shape(entity.model), body.up());
            same = same && shapes[slot].0 == entity.name && shapes[slot].1 == shape.half && shapes[slot].2 == up;
            let touch = body.ground.map(|contact| contact.touch);
            bodies.list.push(BodyBlock {
                id: entity.id.0,
                pos: body.pos,
                shape,
                up,
                carries: profile.carries,
                pushes: profile.pushes,
                rigid: entity.model.turns() || entity.id.0 >= Feature::MOST_BODIES,
                mass: profile.mass,
                carrier: None,
                stands: body.cling.is_none() && body.ground.is_some_and(|contact| !contact.is_wedged()),
                leans: touch.filter(|touch| touch.x != 0.0).unwrap_or_default(),
                root: 0,
                step: DVec2::ZERO,
                played: false,
            });
        }
        bodies.sort(stage.level.terrain.platforms().len(), stage.level.view);
        let known = levels.take().filter(|[base, _]| Arc::ptr_eq(base, &stage.level));
        same &= known.is_some();
        let [base, mut level] = known.unwrap_or_else(|| [Arc::clone(&stage.level), Arc::new((*stage.level).clone())]);
        if !same {
            shapes.clear();
            let name = |index: &u32| entities[*index as usize].name.clone();
            let of_bodies = memory.entities.iter().zip(&bodies.list);
            shapes.extend(of_bodies.map(|(index, body)| (name(index), body.shape.half, body.up)));
            Arc::make_mut(&mut level).set_bodies(&base, shapes);
        }
        memory.same = same;
        memory.levels = Some([base, Arc::clone(&level)]);
        let mut extended = stage.clone();
        extended.level = level;
        Some(extended)
    }

    /// Puts the platforms of bodies to their places as a tick begins, and finds out what each body stands on.
    fn place_bodies(&mut self, memory: &mut CarryBuffers, stage: &Stage, transit: &mut Transit) {
        let Some([base, _]) = &memory.levels else { return };
        let Population { entities, lanes, .. } = &mut self.population;
        let (base, terrain) = (&base.terrain, &stage.level.terrain);
        for (slot, block) in (0..).zip(&memory.bodies.list) {
            let platforms = memory.bodies.platforms_of(slot);
            transit.move_body(platforms, block.pos, block.pos);
            let own = terrain.platforms()[usize::from(platforms[0])].edges.start;
            let body = lanes.body_mut(&entities[memory.entities[slot as usize] as usize]);
            let mut holds = true;
            for feature in features(body) {
                let named = terrain.feature_named(base, *feature, &memory.bodies);
                holds &= named.is_some();
                *feature = named.unwrap_or(Feature::Face(own));
            }
            body.sensed &= holds;
        }
        memory.calm.begin(self.tick, memory.same, &memory.bodies, base, transit);
        memory.starts.clear();
        memory.starts.extend(memory.bodies.list.iter().map(|body| body.pos));
        memory.late.clear();
        memory.late.resize(memory.starts.len(), DVec2::ZERO);
        memory.carriers.clear();
        memory.turns.clear();
        for (slot, index) in (0..).zip(&memory.entities) {
            let entity = &entities[*index as usize];
            let body = lanes.body(entity);
            let on = feature_of(body).and_then(|feature| terrain.edge_of(feature).platform);
            let mut carrier = on.and_then(|platform| memory.bodies.body_of(platform)).map(|(slot, _)| slot);
            let mut touches = None;
            if let (Some(platform), Some(_)) = (on, carrier) {
                let around = &among(stage, self.tick, transit, &memory.bodies, slot);
                let holds = lanes.holds_on(entity, stage, around, platform, memory.calm.touches(slot, platform));
                // A body may drop through a line.
                let stands = body.ground.is_some() && body.cling.is_none();
                touches = on.filter(|_| holds && stands && memory.bodies.is_box(platform));
                // A body whose own size has changed looks for its ground.
                let refitted = lanes.scratch(entity).report.refitted;
                lanes.body_mut(entity).sensed = holds && !refitted;
                carrier = carrier.filter(|_| holds);
            }
            memory.calm.note(slot, touches);
            let body = lanes.body(entity);
            let stands = body.stands() || body.cling.is_some() || stage.level.view == View::Top;
            let height = body.pos.y * body.up();
            let turn = Turn {
                slot,
                depth: UNKNOWN,
                falls: (!stands).then_some((height, slot)),
                still: true,
                behind: 0.0,
                begun: false,
            };
            memory.turns.push(turn);
            memory.carriers.push(carrier);
            memory.bodies.list[slot as usize].root = on.unwrap_or(memory.bodies.platforms_of(slot)[0]);
        }
        // All have looked at once: from now on, riders are not in the way of what carries them.
        for (block, carrier) in memory.bodies.list.iter_mut().zip(&memory.carriers) {
            block.carrier = *carrier;
        }
        if stage.level.view == View::Side {
            let scenery = terrain.moved(transit);
            memory.calm.find_free(&memory.bodies, |shape, at| scenery.overlap(shape, at).is_some());
        }
        memory.find_stacks();
    }

    /// Plays the phases from carrying to settling for each body, as others stand on it and run into it.
    pub(super) fn play_among(
        &mut self,
        executor: &dyn Executor,
        stage: &Stage,
        transit: &mut Transit,
        rules: &mut dyn Rules,
    ) {
        let memory = &mut mem::take(&mut self.aside.buffers.carrying);
        self.place_bodies(memory, stage, transit);
        let ProfileTraits { pushes, hooks_entities, .. } = self.aside.overrides.traits;
        let tied = !self.joints.is_empty() || hooks_entities;
        if tied {
            self.pull_among(memory, stage, transit);
        }
        let mut begin = 0;
        while begin < memory.order.len() {
            let turn = |slot: &u16| &memory.turns[*slot as usize];
            let first = turn(&memory.order[begin]);
            let count = memory.order[begin..].iter().take_while(|slot| turn(slot).is_abreast(first)).count();
            let end = begin + count;
            self.sort_by_motion(memory, begin..end, stage, transit);
            for place in begin..end {
                let slot = memory.order[place];
                memory.begin_turn(slot);
                while let Some(slot) = memory.begun.last().copied() {
                    if let Some(first) = memory.in_the_way_of(slot, transit) {
                        memory.begin_turn(first);
                        continue;
                    }
                    memory.begun.pop();
                    self.play_body(memory, slot, (tied, !pushes), stage, transit);
                }
            }
            begin = end;
        }
        memory.late.fill(DVec2::ZERO);
        self.answer(memory, !pushes, stage, transit, rules);
        if tied {
            let around = &among(stage, self.tick, transit, &memory.bodies, Bodies::NO_BODY);
            self.hold_joints(stage, around);
        }
        self.carry_along(memory, stage, transit);
        if pushes {
            let around = &among(stage, self.tick, transit, &memory.bodies, Bodies::NO_BODY);
            if around.rate > 0.0 {
                push_apart(&mut self.population, &mut self.aside.buffers, executor, stage, around);
            }
            self.record(TickPhase::PushApart, stage, around);
            self.carry_along(memory, stage, transit);
            let around = &among(stage, self.tick, transit, &memory.bodies, Bodies::NO_BODY);
            self.population.lanes.settle(executor, stage, around);
            self.record(TickPhase::Settle, stage, around);
            self.carry_along(memory, stage, transit);
        }
        self.aside.buffers.carrying = mem::take(memory);
    }

    /// Sorts bodies that are abreast by how they are about to move.
    fn sort_by_motion(&self, memory: &mut CarryBuffers, places: Range<usize>, stage: &Stage, transit: &Transit) {
        let Population { entities, lanes, .. } = &self.population;
        let seconds = 1.0 / f64::from(stage.hz);
        let CarryBuffers { bodies, entities: indices, turns, order, .. } = memory;
        let order = &mut order[places];
        for slot in &*order {
            if turns[*slot as usize].begun {
                continue;
            }
            let body = lanes.body(&entities[indices[*slot as usize] as usize]);
            let carried = bodies.expect(*slot, transit);
            let by = if carried == DVec2::ZERO {
                (body.vel + body.external) * seconds
            } else {
                carried
            };
            let turn = &mut turns[*slot as usize];
            turn.still = by == DVec2::ZERO;
            turn.behind = -body.pos.dot(by.normalize_or_zero());
        }
        order.sort_unstable_by(|a, b| turns[*a as usize].by_motion(&turns[*b as usize]));
    }

    /// Plays the phases of all bodies up to their velocities, on which their joints then pull: what a rope does depends on both
    /// of its ends.
    fn pull_among(&mut self, memory: &mut CarryBuffers, stage: &Stage, transit: &mut Transit) {
        // A rope may lead to a body that is abreast.
        let CarryBuffers { order, turns, .. } = memory;
        order.sort_unstable_by(|a, b| turns[*a as usize].by_stack(&turns[*b as usize]).then(a.cmp(b)));
        for place in 0..memory.order.len() {
            let slot = memory.order[place];
            let index = memory.entities[slot as usize] as usize;
            memory.bodies.expect(slot, transit);
            let (strained, _) = self.drive_body(memory, slot, stage, transit);
            let Population { entities, lanes, .. } = &mut self.population;
            *lanes.waits(&entities[index]) = if strained { Waits::Rope } else { Waits::Nothing };
            place_body(memory, slot, lanes.body(&entities[index]).pos, transit);
        }
        self.tend_joints(stage, transit);
        let around = &among(stage, self.tick, transit, &memory.bodies, Bodies::NO_BODY);
        if self.aside.overrides.traits.hooks_entities && around.dt > 0.0 {
            self.catch_entities(stage, around);
        }
        self.pull_joints(stage, around);
    }

    /// Carries a body, and finds what it stands on and its velocity. Returns whether its rope may be strained, and where it was
    /// carried.
    fn drive_body(&mut self, memory: &CarryBuffers, slot: u16, stage: &Stage, transit: &Transit) -> (bool, DVec2) {
        let index = memory.entities[slot as usize] as usize;
        let mut around = among(stage, self.tick, transit, &memory.bodies, slot);
        let others = around.others.as_mut();
        others.into_iter().for_each(|others| others.free = memory.calm.is_free(slot));
        self.play_phase(index, TickPhase::Platforms, stage, &around.in_part(TurnPart::Carried));
        let mut carried = self.population.body_at_mut(index).pos;
        let from = memory.bodies.list[slot as usize].pos;
        if carried != from {
            self.stop_with_clingers(memory, slot, (from, carried - from), stage, transit);
            carried = self.population.body_at_mut(index).pos;
        }
        self.aside.buffers.zones.trail.carry_one(self.population.entities[index].id, carried);
        self.play_phase(index, TickPhase::Sense, stage, &around);
        (self.play_phase(index, TickPhase::Drive, stage, &around), carried)
    }

    /// Plays a body's phases until something is asked about it. One that is `driven` has its velocity, and follows what it
    /// stands on.
    fn play_body(
        &mut self,
        memory: &mut CarryBuffers,
        slot: u16,
        (driven, settles): (bool, bool),
        stage: &Stage,
        transit: &mut Transit,
    ) {
        let index = memory.entities[slot as usize] as usize;
        let before = self.population.body_at_mut(index).pos;
        let (strained, carried) = if driven {
            self.follow(memory, slot, stage, transit);
            let Population { entities, lanes, .. } = &mut self.population;
            let entity = &entities[index];
            (*lanes.waits(entity) == Waits::Rope, lanes.body(entity).pos)
        } else {
            self.drive_body(memory, slot, stage, transit)
        };
        let around = among(stage, self.tick, transit, &memory.bodies, slot);
        let waits = if strained {
            Waits::Rope
        } else {
            self.move_body(index, settles, stage, &around)
        };
        let Population { entities, lanes, .. } = &mut self.population;
        *lanes.waits(&entities[index]) = waits;
        self.stop_with_riders(memory, slot, (memory.starts[slot as usize], carried), stage, transit);
        self.end_turn(memory, slot, stage, transit);
        let body = self.population.body_at_mut(index);
        let (to, on) = (body.pos, feature_of(body).and_then(|on| stage.level.terrain.edge_of(on).platform));
        if on.and_then(|on| memory.bodies.body_of(on)).map(|(carrier, _)| carrier)
            != memory.bodies.list[slot as usize].carrier
        {
            // What it has left finds it in its way from now on.
            memory.bodies.list[slot as usize].carrier = None;
        }
        memory.late[slot as usize] = to - before;
        place_body(memory, slot, to, transit);
    }

    /// Moves a body that has its velocity. Returns what it waits for.
    fn move_body(&mut self, index: usize, settles: bool, stage: &Stage, around: &Surroundings) -> Waits {
        if self.play_phase(index, TickPhase::Travel, stage, around) {
            return Waits::Grab;
        }
        if settles {
            self.play_phase(index, TickPhase::Settle, stage, around);
        }
        Waits::Nothing
    }

    fn play_phase(&mut self, index: usize, phase: TickPhase, stage: &Stage, around: &Surroundings) -> bool {
        let Population { entities, lanes, .. } = &mut self.population;
        let entity = &entities[index];
        let found = lanes.play_phase(entity, phase, stage, around);
        let (id, population) = (Some(entity.id), &self.population);
        if !self.aside.why.is_off() {
            self.aside.why.record(phase, id, population, stage, around);
        }
        found
    }

    /// Ends the motions of bodies that wait for the answers of rules.
    fn answer(
        &mut self,
        memory: &mut CarryBuffers,
        settles: bool,
        stage: &Stage,
        transit: &mut Transit,
        rules: &mut dyn Rules,
    ) {
        let waits = |world: &mut Self, memory: &CarryBuffers, slot: u16| {
            let Population { entities, lanes, .. } = &mut world.population;
            let index = memory.entities[slot as usize] as usize;
            (index, *lanes.waits(&entities[index]))
        };
        for kind in [Waits::Rope, Waits::Grab] {
            if !memory.order.iter().any(|slot| waits(self, memory, *slot).1 == kind) {
                continue;
            }
            let around = &among(stage, self.tick, transit, &memory.bodies, Bodies::NO_BODY);
            if kind == Waits::Rope {
                ask_snaps(self, false, stage, around, rules);
            } else {
                ask_grabs(self, stage, around, rules);
            }
            for place in 0..memory.order.len() {
                let slot = memory.order[place];
                let (index, waiting) = waits(self, memory, slot);
                if waiting != kind {
                    continue;
                }
                let around = &among(stage, self.tick, transit, &memory.bodies, slot);
                let mut then = Waits::Nothing;
                if kind == Waits::Rope {
                    then = self.move_body(index, settles, stage, around);
                } else if settles {
                    self.play_phase(index, TickPhase::Settle, stage, around);
                }
                let Population { entities, lanes, .. } = &mut self.population;
                *lanes.waits(&entities[index]) = then;
                let known = memory.bodies.list[slot as usize].pos;
                self.stop_with_riders(memory, slot, (known, known), stage, transit);
                self.end_turn(memory, slot, stage, transit);
                let to = self.population.body_at_mut(index).pos;
                if to != known {
                    memory.late[slot as usize] += to - known;
                    place_body(memory, slot, to, transit);
                }
            }
        }
    }

    /// Stops a body that moves by itself where a ceiling stops what stands on it, or anything stops what leans on it.
    fn stop_with_riders(
        &mut self,
        memory: &mut CarryBuffers,
        slot: u16,
        (from, carried): (DVec2, DVec2),
        stage: &Stage,
        transit: &Transit,
    ) {
        let Population { entities, lanes, .. } = &mut self.population;
        let CarryBuffers { bodies, riders, .. } = memory;
        let entity = &entities[memory.entities[slot as usize] as usize];
        let to = lanes.body(entity).pos;
        let (by, own) = (to - from, to - carried);
        if own.length_squared() <= LEAST_MOTION * LEAST_MOTION {
            return;
        }
        let around = &among(stage, self.tick, transit, bodies, slot);
        let mut stop: Option<(f64, DVec2)> = None;
        riders.clear();
        riders.push(slot);
        while let Some(under) = riders.pop() {
            let without = bodies.platforms_of(under);
            bodies.visit_riders(under, |rider| {
                let BodyBlock { leans, up, stands, .. } = bodies.list[rider as usize];
                if !stands {
                    return;
                }
                riders.push(rider);
                // What stands on it slides off to the side.
                let way = if leans.dot(by) > 0.0 { by.normalize() } else { DVec2::Y * up };
                let own = own.dot(way);
                if own <= LEAST_MOTION {
                    return;
                }
                let entity = &entities[memory.entities[rider as usize] as usize];
                let Some((follows, normal)) = lanes.follows(entity, stage, around, without, by) else { return };
                let share = (follows - (carried - from)).dot(way) / own;
                if share < 1.0 - LEAST_MOTION && stop.is_none_or(|(least, _)| share < least) {
                    stop = Some((share, normal));
                }
            });
        }
        if let Some((share, normal)) = stop {
            lanes.stop_at(entity, stage, around, (carried, own * share.max(0.0)), normal);
        }
    }

    /// Stops a body that is carried where something stops what clings to its front.
    fn stop_with_clingers(
        &mut self,
        memory: &CarryBuffers,
        slot: u16,
        (from, by): (DVec2, DVec2),
        stage: &Stage,
        transit: &Transit,
    ) {
        let Population { entities, lanes, .. } = &mut self.population;
        let entity_of = |slot: u16| &entities[memory.entities[slot as usize] as usize];
        let mut stop: Option<(f64, DVec2)> = None;
        memory.bodies.visit_riders(slot, |other| {
            let entity = entity_of(other);
            let Some(cling) = lanes.body(entity).cling.filter(|cling| cling.normal.dot(by) > LEAST_MOTION) else {
                return;
            };
            let around = &among(stage, self.tick, transit, &memory.bodies, other).in_part(TurnPart::Carried);
            let Some((follows, normal)) = lanes.follows(entity, stage, around, memory.bodies.platforms_of(slot), by)
            else {
                return;
            };
            let share = follows.dot(cling.normal) / by.dot(cling.normal);
            if share < 1.0 - LEAST_MOTION && stop.is_none_or(|(least, _)| share < least) {
                stop = Some((share, normal));
            }
        });
        if let Some((share, normal)) = stop {
            let around = &among(stage, self.tick, transit, &memory.bodies, slot).in_part(TurnPart::Carried);
            lanes.stop_at(entity_of(slot), stage, around, (from, by * share.max(0.0)), normal);
        }
    }

    /// Moves a body out of others into which its turn has led it.
    fn end_turn(&mut self, memory: &CarryBuffers, slot: u16, stage: &Stage, transit: &Transit) {
        let Population { entities, lanes, .. } = &mut self.population;
        let entity = &entities[memory.entities[slot as usize] as usize];
        let rests = || {
            let body = lanes.body(entity);
            body.pos == memory.starts[slot as usize] && !body.crushed
        };
        let rigid = memory.bodies.list[slot as usize].rigid;
        if !(rigid || stage.level.view == View::Top || memory.calm.is_free(slot) && rests()) {
            let around = &among(stage, self.tick, transit, &memory.bodies, slot).in_part(TurnPart::Ended);
            lanes.give_room(entity, stage, around);
        }
    }

    /// Carries a body along with what has moved under it since it was carried.
    fn follow(&mut self, memory: &CarryBuffers, slot: u16, stage: &Stage, transit: &Transit) {
        let Population { entities, lanes, .. } = &mut self.population;
        let entity = &entities[memory.entities[slot as usize] as usize];
        let carrier = memory.bodies.list[slot as usize].carrier;
        let by = carrier.map_or(DVec2::ZERO, |carrier| memory.late[carrier as usize]);
        let holds = |body: &Body| feature_of(body).and_then(|on| stage.level.terrain.edge_of(on).platform);
        if let (true, Some(platform)) = (by != DVec2::ZERO, holds(lanes.body(entity)))
            && memory.bodies.body_of(platform).map(|(slot, _)| slot) == carrier
        {
            let around = &among(stage, self.tick, transit, &memory.bodies, slot);
            lanes.shift(entity, stage, around, platform, by);
        }
    }

    /// Carries bodies along with those that have moved since they were carried.
    fn carry_along(&mut self, memory: &mut CarryBuffers, stage: &Stage, transit: &mut Transit) {
        for place in 0..memory.order.len() {
            let slot = memory.order[place];
            self.follow(memory, slot, stage, transit);
            let index = memory.entities[slot as usize] as usize;
            let known = memory.bodies.list[slot as usize].pos;
            if self.population.body_at_mut(index).pos != known {
                self.end_turn(memory, slot, stage, transit);
            }
            let to = self.population.body_at_mut(index).pos;
            memory.late[slot as usize] += to - known;
            if to != known {
                place_body(memory, slot, to, transit);
            }
        }
        memory.late.fill(DVec2::ZERO);
    }

    /// Names what bodies stand on as it is known between two ticks.
    pub(super) fn name_carriers(&mut self, stage: &Stage) {
        let CarryBuffers { bodies, levels, .. } = &self.aside.buffers.carrying;
        let Some([base, _]) = levels else { return };
        let Population { entities, lanes, .. } = &mut self.population;
        for entity in &*entities {
            for feature in features(lanes.body_mut(entity)) {
                *feature = stage.level.terrain.named_feature(&base.terrain, *feature, bodies);
            }
        }
    }

    /// Lets all bodies find out what they rest on, between two ticks.
    pub(super) fn sense_all(&mut self, stage: &Stage) {
        let extended = self.with_bodies(stage, ProfileTraits::of(&stage.profiles));
        let stage = extended.as_ref().unwrap_or(stage);
        let transit = &mut self.standing(stage);
        let memory = &mut mem::take(&mut self.aside.buffers.carrying);
        if extended.is_some() {
            self.place_bodies(memory, stage, transit);
        }
        let mut around = stage.surroundings(self.tick, transit);
        if extended.is_some() {
            around = among(stage, self.tick, transit, &memory.bodies, Bodies::NO_BODY);
        }
        let lanes = &mut self.population.lanes;
        if around.scaled {
            lanes.find_rates(&around);
        }
        lanes.sense(&Serial, stage, &around);
        if around.scaled {
            lanes.forget_rates();
        }
        self.aside.buffers.carrying = mem::take(memory);
        if extended.is_some() {
            self.name_carriers(stage);
        }
    }
}

impl CarryBuffers {
    /// Begins the turn of a body that has not begun it.
    fn begin_turn(&mut self, slot: u16) {
        let turn = &mut self.turns[slot as usize];
        if !mem::replace(&mut turn.begun, true) {
            self.begun.push(slot);
        }
    }

    /// A body that has not begun its turn, and has to move before another one: what carries that, or what the same carries and
    /// that would run into as it is carried.
    fn in_the_way_of(&mut self, slot: u16, transit: &Transit) -> Option<u16> {
        let Self { bodies, turns, begun, .. } = self;
        let carrier = bodies.list[slot as usize].carrier;
        if carrier.is_some_and(|carrier| !turns[carrier as usize].begun) {
            return carrier;
        }
        if bodies.expect(slot, transit) == DVec2::ZERO {
            return None;
        }
        let under = |slot: &u16| bodies.list[*slot as usize].carrier;
        let waits = |other: u16| {
            let mut below = std::iter::successors(Some(other), under);
            !turns[other as usize].begun && below.all(|under| !begun.contains(&under))
        };
        bodies.ahead_of(slot, waits)
    }

    /// Counts the bodies under each body, and sorts them by that. In a ring of bodies that stand on each other, one stands on
    /// nothing.
    fn find_stacks(&mut self) {
        let Self { bodies: Bodies { list, .. }, turns, order, riders: chain, .. } = self;
        for first in 0..turns.len() as u16 {
            let mut at = first;
            while turns[at as usize].depth == UNKNOWN {
                turns[at as usize].depth = COUNTING;
                chain.push(at);
                let Some(carrier) = list[at as usize].carrier else { break };
                if turns[carrier as usize].depth == COUNTING {
                    list[at as usize].carrier = None;
                    break;
                }
                at = carrier;
            }
            while let Some(slot) = chain.pop() {
                let under = list[slot as usize].carrier;
                if let Some(carrier) = under {
                    list[slot as usize].root = list[carrier as usize].root;
                }
                let below = under.map(|carrier| turns[carrier as usize]);
                let turn = &mut turns[slot as usize];
                turn.depth = below.map_or(0, |below| below.depth + 1);
                turn.falls = below.map_or(turn.falls, |below| below.falls);
            }
        }
        if order.len() != turns.len() {
            order.clear();
            order.extend(0..turns.len() as u16);
        }
        order.sort_unstable_by(|a, b| turns[*a as usize].by_stack(&turns[*b as usize]));
    }
}
