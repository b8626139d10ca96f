//! Pushing overlapping entities apart.

use super::{
    pairs::{overlap, overlap_along},
    *,
};
use crate::level::{Contact, slide, walk};

/// A body on the ground makes way for one in the air only if the two then leave each other at this
/// angle to their common tangent or more, about 14° (its sine). Otherwise a heavy body on top would
/// shoot the lower one aside; it is lifted instead.
const LEAST_ASIDE: f64 = 0.25;

/// How many pairs of neighbors make way in a tick, unless there are more entities.
pub const MOST_PUSHES: usize = 4_000;

/// In a crowd, each entity makes way for this many neighbors in a tick; in a very large one for fewer.
const SEARCH: PairSearch = PairSearch { margin: 0.0, most: 8, most_in_all: MOST_PUSHES, pushing: true };

/// A pair takes about as long as this many bodies in another phase, so that a piece has a part of a chunk.
const WORK: usize = 4;

/// How many pieces of a wave are pushed at the same time at most. Where to is kept until all of them are known.
const BLOCK: usize = 64;

/// Pieces grow with the executor's chunk up to this size. Blocks are then about as large as the fastest memory.
const LARGEST_CHUNK: usize = 64;

/// More pairs than [`MOST_PUSHES`] keep the order of their names only if the waves have this many pairs on average. In a
/// row whose names are in order from one end to the other, each pair would wait for the one before.
const LEAST_WAVE: usize = 32;

/// Memory that [`push_apart`] reuses.
#[derive(Default)]
pub struct PushBuffers {
    waves: Waves,
    /// Where the pairs of a block are pushed to.
    pushed: Vec<Option<[Pushed; 2]>>,
}

/// Separates overlapping entities whose kinds push, the lighter one farther. The order of pairs follows
/// their names, so that it does not depend on which entity was created first; where more than [`MOST_PUSHES`] form chains in
/// that order, it follows their colors.
pub fn push_apart(
    population: &mut Population,
    buffers: &mut TickBuffers,
    executor: &dyn Executor,
    stage: &Stage,
    around: &Surroundings,
) {
    let Population { lanes, entities, .. } = population;
    if entities.len() < 2 {
        return;
    }
    let pushes = |e: &Entity| stage.profiles[e.slot.index()].pushes;
    if !entities.iter().any(pushes) {
        return;
    }
    let TickBuffers { pairs: finder, pushes: PushBuffers { waves, pushed }, .. } = buffers;
    finder.find(executor, entities, lanes, stage, SEARCH);
    finder.sort_by_name(executor, entities);
    let PairFinder { pairs, outlines, .. } = finder;
    if pairs.len() <= MOST_PUSHES && !is_crowd(entities, executor) {
        push_in_order(pairs, lanes, entities, stage, around, Outlines::of_one(outlines));
        return;
    }
    let count = waves.keep_order(pairs, entities.len());
    if pairs.len() > MOST_PUSHES && pairs.len() < count * LEAST_WAVE {
        waves.color(pairs, entities.len());
    }
    waves.sort(pairs);
    let most = executor.chunk().min(LARGEST_CHUNK).div_ceil(WORK).max(1);
    let pieces = &InPieces { executor, most };
    for wave in waves.of(pairs) {
        for block in wave.chunks(BLOCK * most) {
            // Few pairs are not worth passing on.
            if block.len() <= most {
                push_in_order(block, lanes, entities, stage, around, Outlines::of_one(outlines));
                continue;
            }
            pushed.reserve(BLOCK * most);
            pushed.resize_with(block.len(), || None);
            let of_pieces = Outlines::of_pieces((pieces, BLOCK), block.len(), outlines);
            let all = (block, (&mut pushed[..], of_pieces));
            let bodies = &*lanes;
            any_chunk(pieces, all, &|(pairs, (pushed, outlines)): PushPiece<'_>| {
                let outlines = outlines.of_one();
                for (pair, pushed) in pairs.iter().zip(pushed) {
                    *pushed = push_pair(pair_of(entities, *pair), bodies, stage, around, outlines);
                }
                false
            });
            for (pair, pushed) in block.iter().zip(pushed.iter()) {
                if let Some(pushed) = pushed {
                    set_pushed(&pair_of(entities, *pair), pushed, lanes);
                }
            }
        }
    }
}

/// Pairs, where they are pushed to, and memory for their outlines.
type PushPiece<'a> = (&'a [(u32, u32)], (&'a mut [Option<[Pushed; 2]>], OfChunks<'a, [Outlines; 2]>));

/// Pushes one pair after the other.
fn push_in_order(
    pairs: &[(u32, u32)],
    lanes: &mut Lanes,
    entities: &[Entity],
    stage: &Stage,
    around: &Surroundings,
    outlines: &mut [Outlines; 2],
) {
    for pair in pairs {
        let pair = pair_of(entities, *pair);
        if let Some(pushed) = push_pair(pair, lanes, stage, around, outlines) {
            set_pushed(&pair, &pushed, lanes);
        }
    }
}

fn pair_of(entities: &[Entity], (first, second): (u32, u32)) -> [&Entity; 2] {
    [first, second].map(|index| &entities[index as usize])
}

/// Moves the body of an entity until terrain stops it, along the ground if it stands. Returns whether terrain was in the
/// way.
pub fn push_body(entity: &Entity, by: DVec2, lanes: &mut Lanes, stage: &Stage, around: &Surroundings) -> bool {
    let body = lanes.body(entity);
    let (mut pushed, collider) = (Pushed::of(body), PlacedCollider::of(entity, body, stage));
    let blocked = push(entity, &mut pushed, by, &collider, stage, around);
    set_pushed(&[entity], &[pushed], lanes);
    blocked
}

/// The part of a body that others change when they push it.
#[derive(Clone, Copy)]
struct Pushed {
    pos: DVec2,
    vel: DVec2,
    ground: Option<Contact>,
    sensed: bool,
    aside: bool,
}

impl Pushed {
    fn of(body: &Body) -> Self {
        Self { pos: body.pos, vel: body.vel, ground: body.ground, sensed: body.sensed, aside: body.pushed_aside }
    }

    /// The direction of the ground under an upright body, toward +x; `None` if it does not stand.
    fn tangent(&self, entity: &Entity) -> Option<DVec2> {
        let ground = self.ground.filter(|_| self.sensed && !entity.model.turns());
        let tangent = ground?.tangent();
        Some(if tangent.x < 0.0 { -tangent } else { tangent })
    }
}

fn set_pushed(entities: &[&Entity], pushed: &[Pushed], lanes: &mut Lanes) {
    for (entity, pushed) in entities.iter().zip(pushed) {
        let body = lanes.body_mut(entity);
        (body.pos, body.vel, body.ground) = (pushed.pos, pushed.vel, pushed.ground);
        (body.sensed, body.pushed_aside) = (pushed.sensed, pushed.aside);
    }
}

/// Where two entities are pushed to; `None` if they do not overlap or cannot make way.
fn push_pair(
    pair: [&Entity; 2],
    lanes: &Lanes,
    stage: &Stage,
    around: &Surroundings,
    outlines: &mut [Outlines; 2],
) -> Option<[Pushed; 2]> {
    if around
        .others
        .is_some_and(|others| others.upper_of(pair.map(|entity| entity.id.0)).is_some())
    {
        return None;
    }
    let bodies = pair.map(|entity| lanes.body(entity));
    let mut colliders = [0, 1].map(|i| PlacedCollider::of(pair[i], bodies[i], stage));
    let view = stage.level.view;
    let mut apart = overlap(colliders.each_ref(), view, 0.0, outlines)?;
    let mut pushed = bodies.map(Pushed::of);
    // Each body yields in proportion to the other's mass. What a blocked body cannot move is
    // left to the other one.
    let mass = |entity: &Entity| stage.profiles[entity.slot.index()].mass;
    let mut yields = [mass(pair[1]), mass(pair[0])];
    for again in [false, true] {
        if again {
            let Some(left) = overlap(colliders.each_ref(), view, 0.0, outlines) else { break };
            apart = left;
        }
        let Some(moves) = moves_apart(pair, bodies, &pushed, &colliders, yields, apart, around.dt) else { break };
        let mut blocked = false;
        for i in 0..2 {
            if push(pair[i], &mut pushed[i], moves[i], &colliders[i], stage, around) {
                yields[i] = 0.0;
                blocked = true;
            }
            colliders[i].pos = pushed[i].pos;
        }
        if !blocked || yields == [0.0; 2] || pair.iter().any(|e| e.model.turns()) {
            break;
        }
    }
    Some(pushed)
}

/// The moves that separate two entities, px. `apart` is the shortest move. Bodies that stand on ground move along it;
/// the others take the shortest way out.
fn moves_apart(
    pair: [&Entity; 2],
    bodies: [&Body; 2],
    pushed: &[Pushed; 2],
    colliders: &[PlacedCollider<'_>; 2],
    yields: [f64; 2],
    apart: DVec2,
    dt: f64,
) -> Option<[DVec2; 2]> {
    let tangents = [0, 1].map(|i| pushed[i].tangent(pair[i]));
    let ways = match tangents {
        [None, None] => {
            let share = yields[0] / (yields[0] + yields[1]);
            return Some([apart * share, apart * (share - 1.0)]);
        }
        [Some(a), Some(b)] => {
            // The part of the shortest way that leads into the ground separates nothing.
            // Fast bodies leave on the side they came from, even if their centers have passed.
            let came_from = [0, 1].map(|i| pushed[i].pos - (pushed[i].vel + bodies[i].external) * dt);
            let behind = (came_from[0] - came_from[1]).dot(a + b) < 0.0;
            let side = if behind { -1.0 } else { 1.0 };
            [a * side, b * side]
        }
        _ => {
            let out = apart.normalize();
            tangents.map(|t| t.map_or(out, |t| t * t.dot(out)))
        }
    };
    let mut steps = [ways[0] * yields[0], ways[1] * yields[1]];
    let aside = |steps: [DVec2; 2]| (steps[0] + steps[1]).normalize_or_zero();
    if tangents.contains(&None) && aside(steps).dot(apart) < LEAST_ASIDE * apart.length() {
        for (step, tangent) in steps.iter_mut().zip(tangents) {
            if tangent.is_some() {
                *step = DVec2::ZERO;
            }
        }
    }
    let toward = aside(steps);
    if toward == DVec2::ZERO {
        return None;
    }
    let distance = overlap_along(colliders.each_ref(), apart, toward)?;
    let scale = distance / (steps[0] + steps[1]).length();
    Some([steps[0] * scale, steps[1] * -scale])
}

/// Moves a body until terrain stops it, along the ground if it stands. Returns whether terrain was in the way.
fn push(
    entity: &Entity,
    body: &mut Pushed,
    by: DVec2,
    collider: &PlacedCollider<'_>,
    stage: &Stage,
    around: &Surroundings,
) -> bool {
    if by == DVec2::ZERO {
        return false;
    }
    let stands = body.tangent(entity).is_some();
    let others = around.others.map(|others| others.of(entity.id.0));
    let (shape, scenery) = (collider.shape, around.scenery_at(collider.z).among(others));
    body.aside = true;
    let mut free = by;
    if let Some(contact) = body.ground.filter(|_| stands) {
        let along = contact.tangent();
        let loadouts = &stage.profiles[entity.slot.index()].loadouts;
        let rule = match_model!(entity.model, |M| &M::loadout(loadouts).footing.rule);
        let walked = walk(&scenery, shape, body.pos, contact, by.dot(along), rule);
        body.pos = walked.pos;
        if walked.standing {
            if walked.contact.normal != contact.normal {
                body.vel = walked.contact.tangent() * body.vel.dot(along);
            }
            body.ground = Some(walked.contact);
            return walked.blocked.is_some();
        }
        body.ground = None;
        free = walked.rest;
    }
    let slid = slide(&scenery, shape, body.pos, free, |_, _| false);
    body.pos = slid.pos;
    body.sensed = stands;
    slid.bumps.iter().next().is_some()
}
