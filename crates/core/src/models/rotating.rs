//! Platforms that rotate: a body on one is carried along its arc and stays upright, a body in its way is pushed.
//!
//! A tick is divided for each body, so that what is near it moves only a part of its size at once. In each part, the outline
//! is where its angle puts it, a rider moves with the point that it touches, and any other body is moved out of the outline.

use super::{riding::shift, *};
use crate::level::{Solid, Tilt};

/// How far an outline moves in a part of a tick, as a share of the body's smallest half-width.
const PART: f64 = 0.25;

/// The maximum number of parts of a tick. At the highest speed and 60 ticks per second, an arm 300 px long moves 1.2 px in
/// each.
const MOST_PARTS: f64 = 256.0;

/// The maximum number of moves out of an outline in a part of a tick.
const MOST_PUSHES: u32 = 4;

/// Rotates a body along with its carrier, and pushes it out of the way of other platforms that rotate.
#[cold]
pub fn rotate(body: &mut Body, carrier: Option<u16>, context: &MoveContext) {
    let (transit, terrain, shape) = (context.around.transit, context.scenery().terrain, context.shape);
    let turning = transit.tilts.iter().filter(|tilt| tilt.step != 0.0 && transit.is_there(tilt.platform));
    for tilt in turning {
        let (number, carries) = (tilt.platform as usize, carrier == Some(tilt.platform));
        // It rotates where it was when the tick began, and moves along its path afterward.
        let offset = transit.offsets[number] - transit.steps[number];
        let (apart, size) = (body.pos.distance(tilt.pivot + offset), shape.half.length());
        if !carries && apart > tilt.reach + size {
            continue;
        }
        let arc = tilt.step.to_radians().abs() * (apart.min(tilt.reach) + size);
        let parts = (arc / (PART * shape.half.min_element())).ceil().clamp(1.0, MOST_PARTS);
        let platform = &terrain.platforms()[number];
        let solid = &terrain.solids()[platform.solid as usize];
        for part in 1..=parts as u32 {
            let now = tilt.rewound(1.0 - f64::from(part) / parts);
            if carries {
                carry(body, &now, (offset, tilt.turn_in(1.0 / parts)), context);
            }
            // In a top view, what is below its feet is not in its way.
            if !platform.edges.is_empty() {
                push_out(body, &now, solid, offset, context);
            }
        }
        if carries {
            keep_support(body, context);
        }
    }
}

/// Moves a rider with the point that it touches, by this direction, to where the platform is `now`.
fn carry(body: &mut Body, now: &Tilt, (offset, by): (DVec2, DVec2), context: &MoveContext) {
    let shape = context.shape;
    let pivot = now.pivot + offset;
    let rotated = |at: DVec2, by: DVec2| pivot + turned(by, at - pivot);
    let mut to = rotated(body.pos, by);
    let held = body.cling.map(|cling| (cling.feature, cling.normal));
    let stood = body.ground.filter(|contact| !contact.is_wedged());
    match stood.map(|contact| (contact.feature, contact.touch)).or(held) {
        None => body.sensed &= body.ground.is_none(),
        Some((Feature::Face(index), normal)) => {
            let face = now.face(&context.scenery().edge(index).face);
            // A level side touches the face only with its end once that has tilted.
            let foot = |own: DVec2, other: DVec2| shape.farthest(if shape.spread(own) > 0.0 { other } else { own });
            to = rotated(body.pos - foot(normal, face.normal), by) + foot(face.normal, normal);
            to -= face.normal * ((to - face.start - offset).dot(face.normal) - shape.reach(face.normal));
            body.vel = turned(by, body.vel);
            if let Some(contact) = &mut body.ground {
                (contact.normal, contact.touch) = (face.normal, face.normal);
            }
            if let Some(cling) = &mut body.cling {
                cling.normal = face.normal;
            }
        }
        Some((Feature::Corner(index), _)) => {
            let corner = now.point(context.scenery().edge(index).end) + offset;
            to = body.pos + corner - rotated(corner, DVec2::new(by.x, -by.y));
        }
    }
    shift(body, to - body.pos, now.platform, context);
}

/// Finds out what still holds a rider at the new angle of its platform.
fn keep_support(body: &mut Body, context: &MoveContext) {
    let (rule, scenery) = (context.rule(), context.scenery());
    if let Some(contact) = &mut body.ground
        && let Feature::Corner(edge) = contact.feature
        && !contact.is_wedged()
    {
        // It may have come to lie on one of the faces next to the corner.
        let after = scenery.edge(edge).after;
        let [before, next] = [edge, after].map(|index| (index, scenery.face(index).normal));
        let beyond = [before.1.perp_dot(contact.touch) < 0.0, contact.touch.perp_dot(next.1) < 0.0];
        match beyond {
            [true, _] => (contact.feature, contact.touch) = (Feature::Face(before.0), before.1),
            [_, true] => (contact.feature, contact.touch) = (Feature::Face(next.0), next.1),
            _ => {}
        }
        let hit = Hit { time: 0.0, normal: contact.touch, feature: contact.feature };
        match Contact::of(&scenery, &hit, rule) {
            Some(kept) => *contact = kept,
            None => body.sensed = false,
        }
    }
    body.sensed &= body.ground.is_none_or(|contact| rule.walkable(contact.normal));
    if body.cling.is_some_and(|cling| rule.walkable(cling.normal)) {
        (body.cling, body.sensed) = (None, false);
    }
}

/// Moves a body out of a platform that rotates, and gives it the velocity of what pushes it.
fn push_out(body: &mut Body, now: &Tilt, solid: &Solid, offset: DVec2, context: &MoveContext) {
    let shape = context.shape;
    let floats = !body.stands() && body.cling.is_none();
    let side = context.around.level.view == View::Side;
    for _ in 0..MOST_PUSHES {
        let Some(overlap) = now.overlap(solid, shape, body.pos - offset) else {
            return;
        };
        let (from, normal) = (body.pos, overlap.to_touch.normalize_or_zero());
        let sensed = body.sensed;
        shift(body, overlap.to_touch, now.platform, context);
        // What comes up under its feet bears it from now on.
        let throws = floats && !(side && context.rule().walkable(normal));
        body.sensed = sensed && throws;
        let at = body.pos - shape.farthest(normal) - now.pivot - offset;
        let speed = now.step_at(at).dot(normal) * context.around.pace;
        // As with other platforms, one that runs into a standing body only stops it.
        let (external, least) = if throws { (body.external, speed) } else { (DVec2::ZERO, 0.0) };
        let own = (body.vel + external).dot(normal);
        if own < speed.min(least) {
            body.vel += normal * (least - own);
        }
        if body.pos == from {
            return;
        }
    }
}
