//! Pushing overlapping entities apart.

use super::pairs::{Outlines, overlap, overlap_along};
use super::*;
use crate::level::{slide, walk};

/// A body on the ground makes way for one in the air only if the two then leave each other at this
/// angle to their common tangent or more, about 14° (its sine). Otherwise a heavy body on top would
/// shoot the lower one aside; it is lifted instead.
const LEAST_ASIDE: f64 = 0.25;

/// How many pairs of neighbors make way in a tick, unless there are more entities.
pub const MOST_PUSHES: usize = 4_000;

/// In a crowd, each entity makes way for this many neighbors in a tick; in a very large one for fewer.
const SEARCH: PairSearch = PairSearch { margin: 0.0, most: 8, most_in_all: MOST_PUSHES, pushing: true };

/// Separates overlapping entities whose kinds push, the lighter one farther. The order of pairs follows
/// their names, so that it does not depend on which entity was created first.
pub fn push_apart(
    lanes: &mut Lanes,
    entities: &[Entity],
    finder: &mut PairFinder,
    stage: &Stage,
    around: &Surroundings,
) {
    if entities.len() < 2 {
        return;
    }
    let profile = |e: &Entity| &stage.profiles[e.slot.index()];
    let mut profiles = stage.profiles.iter();
    if !profiles.any(|profile| profile.pushes) || !entities.iter().any(|e| profile(e).pushes) {
        return;
    }
    finder.find(entities, lanes, stage, SEARCH);
    finder.sort_by_name(entities);
    for (first, second) in &finder.pairs {
        let pair = [*first, *second].map(|index| &entities[index as usize]);
        // Each body yields in proportion to the other's mass. What a blocked body cannot move is
        // left to the other one.
        let mut yields = [profile(pair[1]).mass, profile(pair[0]).mass];
        for _ in 0..2 {
            let moves = moves_apart(pair, yields, lanes, stage, around.dt, &mut finder.outlines);
            let Some(moves) = moves else { break };
            let mut blocked = false;
            for i in 0..2 {
                if push(lanes, pair[i], moves[i], stage, around) {
                    yields[i] = 0.0;
                    blocked = true;
                }
            }
            if !blocked || yields == [0.0; 2] || pair.iter().any(|e| e.model.turns()) {
                break;
            }
        }
    }
}

/// The moves that separate two entities, px. Bodies that stand on ground move along it; the others
/// take the shortest way out.
fn moves_apart(
    pair: [&Entity; 2],
    yields: [f64; 2],
    lanes: &Lanes,
    stage: &Stage,
    dt: f64,
    outlines: &mut [Outlines; 2],
) -> Option<[DVec2; 2]> {
    let apart = overlap(pair, lanes, stage, 0.0, outlines)?;
    let tangents = pair.map(|e| tangent(e, lanes));
    let ways = match tangents {
        [None, None] => {
            let share = yields[0] / (yields[0] + yields[1]);
            return Some([apart * share, apart * (share - 1.0)]);
        }
        [Some(a), Some(b)] => {
            // The part of the shortest way that leads into the ground separates nothing.
            // Fast bodies leave on the side they came from, even if their centers have passed.
            let came_from = pair.map(|e| {
                let body = lanes.body(e);
                body.pos - (body.vel + body.external) * dt
            });
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
    let distance = overlap_along(pair, lanes, stage, apart, toward)?;
    let scale = distance / (steps[0] + steps[1]).length();
    Some([steps[0] * scale, steps[1] * -scale])
}

/// The direction of the ground under an upright body, toward +x; `None` if it does not stand.
fn tangent(entity: &Entity, lanes: &Lanes) -> Option<DVec2> {
    let body = lanes.body(entity);
    let ground = body.ground.filter(|_| body.sensed && !entity.model.turns());
    let tangent = ground?.tangent();
    Some(if tangent.x < 0.0 { -tangent } else { tangent })
}

/// Moves an entity as far as the terrain allows, along the ground if it stands. Returns whether the
/// terrain was in the way.
fn push(lanes: &mut Lanes, entity: &Entity, by: DVec2, stage: &Stage, around: &Surroundings) -> bool {
    if by == DVec2::ZERO {
        return false;
    }
    let stands = tangent(entity, lanes).is_some();
    let shape = stage.profiles[entity.slot.index()].loadouts.shape(entity.model);
    let body = lanes.body_mut(entity);
    let scenery = around.scenery_at(body.z);
    body.pushed_aside = true;
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
