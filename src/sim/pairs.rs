//! Pairs of entities that overlap.

use super::entity::Entity;
use super::lane::Lanes;
use super::stage::Stage;
use crate::geometry::apart::{
    convex, ellipse_and_polygon, ellipses, ellipses_along, ellipses_meet,
};
use crate::geometry::grid::Bounds;
use crate::geometry::{Ellipse, turn, turned};
use crate::level::View;
use crate::models::{Body, Piece};
use glam::DVec2;
use std::sync::Arc;

/// Finds pairs of entities that are close to each other. Its memory is reused in every tick and is
/// not state.
#[derive(Clone, Debug, Default)]
pub(super) struct PairFinder {
    /// The bounding box and index of each entity, from left to right. Entities move little from
    /// tick to tick, so that the list stays nearly sorted.
    boxes: Vec<(Bounds, u32)>,
    /// The indices of entities whose boxes overlap, the lower one first.
    pub pairs: Vec<(u32, u32)>,
    /// The outlines of two entities that are being compared.
    pub outlines: [Outlines; 2],
}

impl PartialEq for PairFinder {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl PairFinder {
    /// Finds the pairs of entities whose bounding boxes, grown by `margin` px, overlap.
    pub fn find(&mut self, entities: &[Entity], lanes: &Lanes, stage: &Stage, margin: f64) {
        let bounds = |index: usize| bounds(&entities[index], lanes, stage, margin);
        let count = entities.len();
        if self.boxes.len() != count {
            self.boxes.clear();
            self.boxes.extend((0..count).map(|i| (bounds(i), i as u32)));
        } else {
            for (place, index) in &mut self.boxes {
                *place = bounds(*index as usize);
            }
        }
        for i in 1..self.boxes.len() {
            let mut at = i;
            while at > 0 && self.boxes[at - 1].0.min.x > self.boxes[at].0.min.x {
                self.boxes.swap(at - 1, at);
                at -= 1;
            }
        }
        self.pairs.clear();
        for (i, (a, first)) in self.boxes.iter().enumerate() {
            let following = self.boxes[i + 1..].iter();
            for (b, second) in following.take_while(|(b, _)| b.min.x <= a.max.x) {
                if a.meets(b) {
                    self.pairs.push((*first.min(second), *first.max(second)));
                }
            }
        }
        self.pairs.sort_unstable();
    }
}

/// The bounding box of an entity, grown by `margin` px.
fn bounds(entity: &Entity, lanes: &Lanes, stage: &Stage, margin: f64) -> Bounds {
    let loadouts = &stage.profiles[entity.slot.index()].loadouts;
    let mut half = loadouts.shape(entity.model).half;
    if entity.model.turns() {
        half = DVec2::splat(half.length());
    }
    let pos = lanes.body(entity).pos;
    Bounds::of(pos, pos).grown(half + margin)
}

/// The outlines of an entity's pieces, in the world.
#[derive(Clone, Debug, Default)]
pub(super) struct Outlines {
    corners: Vec<DVec2>,
    /// Where the corners of each piece end.
    ends: Vec<usize>,
}

impl Outlines {
    fn place(&mut self, pieces: &[Piece], body: &Body) {
        let turn = turn(body.angle);
        self.corners.clear();
        self.ends.clear();
        for piece in pieces {
            let points = piece.points.iter();
            self.corners
                .extend(points.map(|p| body.pos + turned(turn, *p)));
            self.ends.push(self.corners.len());
        }
    }

    fn iter(&self) -> impl Iterator<Item = &[DVec2]> {
        let from = std::iter::once(&0).chain(&self.ends);
        from.zip(&self.ends)
            .map(|(from, to)| &self.corners[*from..*to])
    }
}

/// An entity's body, its collider, and the pieces of the collider if the body turns.
fn collider<'a>(
    entity: &Entity,
    lanes: &'a Lanes,
    stage: &Stage,
) -> (&'a Body, Ellipse, Option<Arc<[Piece]>>) {
    let loadouts = &stage.profiles[entity.slot.index()].loadouts;
    let shape = loadouts.shape(entity.model);
    let pieces = loadouts.pieces(entity.model);
    (lanes.body(entity), shape, pieces)
}

/// Whether two entities are within `margin` px of each other.
pub(super) fn touch(
    pair: [&Entity; 2],
    lanes: &Lanes,
    stage: &Stage,
    margin: f64,
    outlines: &mut [Outlines; 2],
) -> bool {
    let [(a, mut shape, pieces_a), (b, other, pieces_b)] = pair.map(|e| collider(e, lanes, stage));
    if stage.level.view == View::Top || pieces_a.is_some() || pieces_b.is_some() {
        return overlap(pair, lanes, stage, margin, outlines).is_some();
    }
    shape.half += margin;
    ellipses_meet(shape, a.pos, other, b.pos)
}

/// The shortest move that separates the first of two entities from the second by `margin` px.
/// `None` if they do not overlap.
pub(super) fn overlap(
    pair: [&Entity; 2],
    lanes: &Lanes,
    stage: &Stage,
    margin: f64,
    outlines: &mut [Outlines; 2],
) -> Option<DVec2> {
    let [
        (body_a, mut shape_a, pieces_a),
        (body_b, mut shape_b, pieces_b),
    ] = pair.map(|entity| collider(entity, lanes, stage));
    if stage.level.view == View::Top {
        // Bodies are assumed to be as tall as they are wide.
        let tall = shape_a.half.max_element().max(shape_b.half.max_element());
        if (body_a.z - body_b.z).abs() >= tall {
            return None;
        }
    }
    let [one, other] = outlines;
    match (pieces_a, pieces_b) {
        (None, None) => {
            shape_a.half += margin;
            ellipses(shape_a, body_a.pos, shape_b, body_b.pos)
        }
        (None, Some(pieces)) => {
            shape_a.half += margin;
            other.place(&pieces, body_b);
            let mut outlines = other.iter();
            outlines.find_map(|piece| ellipse_and_polygon(shape_a, body_a.pos, piece))
        }
        (Some(pieces), None) => {
            shape_b.half += margin;
            one.place(&pieces, body_a);
            let mut outlines = one.iter();
            let apart = outlines.find_map(|piece| ellipse_and_polygon(shape_b, body_b.pos, piece));
            apart.map(|apart| -apart)
        }
        (Some(pieces_a), Some(pieces_b)) => {
            one.place(&pieces_a, body_a);
            other.place(&pieces_b, body_b);
            let against = |p: &[DVec2]| other.iter().find_map(|q| convex(p, q, margin));
            one.iter().find_map(against)
        }
    }
}

/// How far the first of two overlapping entities has to move along the unit vector `toward` to leave
/// the second, px, if `apart` is the shortest move that separates them. `None` if that move is at a
/// right angle to `toward`, or nearly.
pub(super) fn overlap_along(
    pair: [&Entity; 2],
    lanes: &Lanes,
    stage: &Stage,
    apart: DVec2,
    toward: DVec2,
) -> Option<f64> {
    let [(body_a, shape_a, pieces_a), (body_b, shape_b, pieces_b)] =
        pair.map(|entity| collider(entity, lanes, stage));
    if pieces_a.is_none() && pieces_b.is_none() {
        return ellipses_along(shape_a, body_a.pos, shape_b, body_b.pos, toward);
    }
    let depth = apart.length();
    let along = apart.dot(toward) / depth;
    (along > 1e-3).then(|| depth / along)
}
