//! Entities that meet: who touches whom, and who pushes whom aside.

use super::{Entity, EntityId, EventKind, Stage, World};
use crate::geometry::apart::{convex, ellipse_and_polygon, ellipses, ellipses_meet};
use crate::geometry::grid::Bounds;
use crate::geometry::{Ellipse, turn, turned};
use crate::level::{View, slide};
use crate::models::{Body, Piece, Surroundings};
use glam::DVec2;
use std::sync::Arc;

/// Bodies touch when they are this near, px: those that push each other apart go on touching.
const NEAR: f64 = 0.5;

/// What is used again in every tick to find out who meets.
#[derive(Clone, Debug, Default)]
pub(super) struct Meetings {
    /// The box around each entity, with its place in the world's list, from left to right. As they
    /// hardly move from tick to tick, they are hardly ever out of order.
    boxes: Vec<(Bounds, u32)>,
    /// Places of entities whose boxes overlap, the lower one first.
    pairs: Vec<(u32, u32)>,
    /// Who touches in this tick.
    touching: Vec<(EntityId, EntityId)>,
    /// The pieces of two entities, where they are.
    placed: [Placed; 2],
}

/// The pieces of an entity, where they are.
#[derive(Clone, Debug, Default)]
struct Placed {
    corners: Vec<DVec2>,
    /// Where the corners of each piece end.
    ends: Vec<usize>,
}

impl Placed {
    fn put(&mut self, pieces: &[Piece], body: &Body) {
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

    fn outlines(&self) -> impl Iterator<Item = &[DVec2]> {
        let from = std::iter::once(&0).chain(&self.ends);
        from.zip(&self.ends)
            .map(|(from, to)| &self.corners[*from..*to])
    }
}

impl PartialEq for Meetings {
    /// What is used again is no state.
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Meetings {
    /// Finds the pairs of entities whose boxes overlap.
    fn find(&mut self, count: usize, bounds: impl Fn(usize) -> Bounds) {
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
            let beside = self.boxes[i + 1..].iter();
            for (b, second) in beside.take_while(|(b, _)| b.min.x <= a.max.x) {
                if a.meets(b) {
                    self.pairs.push((*first.min(second), *first.max(second)));
                }
            }
        }
        self.pairs.sort_unstable();
    }
}

impl World {
    /// Moves those apart whose kinds push, each as far as the other's share of their mass.
    pub(super) fn push_apart(&mut self, stage: &Stage, around: &Surroundings<'_>) {
        let pushes = |e: &Entity| stage.profiles[e.profile as usize].pushes;
        if !self.entities.iter().any(pushes) {
            return;
        }
        let mut meetings = std::mem::take(&mut self.meetings);
        meetings.find(self.entities.len(), |i| self.bounds_of(stage, i, 0.0));
        // By their names, as it must not show in which order they were created.
        let name = |i: u32| &self.entities[i as usize].name;
        for pair in &mut meetings.pairs {
            if name(pair.1) < name(pair.0) {
                *pair = (pair.1, pair.0);
            }
        }
        let key = |pair: &(u32, u32)| (name(pair.0), name(pair.1));
        meetings.pairs.sort_unstable_by(|a, b| key(a).cmp(&key(b)));
        for (first, second) in &meetings.pairs {
            let (a, b) = (*first as usize, *second as usize);
            if !(pushes(&self.entities[a]) && pushes(&self.entities[b])) {
                continue;
            }
            let Some(apart) = self.overlap(stage, [a, b], 0.0, &mut meetings.placed) else {
                continue;
            };
            let mass = |i: usize| stage.profiles[self.entities[i].profile as usize].mass;
            let share = mass(b) / (mass(a) + mass(b));
            self.push_aside(stage, a, apart * share, around);
            self.push_aside(stage, b, apart * (share - 1.0), around);
        }
        self.meetings = meetings;
    }

    /// Moves an entity aside, as far as the terrain lets it.
    fn push_aside(&mut self, stage: &Stage, index: usize, by: DVec2, around: &Surroundings<'_>) {
        let entity = &self.entities[index];
        let shape = stage.profiles[entity.profile as usize]
            .loadouts
            .shape(entity.model);
        let body = self.lanes.body_mut(entity);
        let scenery = around.scenery_at(body.z);
        body.pos = slide(&scenery, shape, body.pos, by, |_, _| false).pos;
        body.sensed = false;
    }

    /// Notes who touches whom since this tick.
    pub(super) fn meet(&mut self, stage: &Stage) {
        if !stage.touches {
            self.touching.clear();
            return;
        }
        let mut meetings = std::mem::take(&mut self.meetings);
        meetings.find(self.entities.len(), |i| self.bounds_of(stage, i, NEAR));
        meetings.touching.clear();
        let before = std::mem::take(&mut self.touching);
        let mut touched = before.iter().peekable();
        for (first, second) in &meetings.pairs {
            let (a, b) = (*first as usize, *second as usize);
            if !self.touch(stage, [a, b], &mut meetings.placed) {
                continue;
            }
            let pair = (self.entities[a].id, self.entities[b].id);
            meetings.touching.push(pair);
            // Both lists are in the order of the entities.
            while touched.next_if(|before| **before < pair).is_some() {}
            if touched.next_if_eq(&&pair).is_none() {
                for (who, other) in [(a, b), (b, a)] {
                    let other = &self.entities[other];
                    let (other, kind) = (other.name.clone(), other.kind.clone());
                    self.note(self.tick, who, EventKind::Touch { other, kind });
                }
            }
        }
        self.touching = std::mem::replace(&mut meetings.touching, before);
        self.meetings = meetings;
    }

    /// The box around an entity, larger by `margin`.
    fn bounds_of(&self, stage: &Stage, index: usize, margin: f64) -> Bounds {
        let entity = &self.entities[index];
        let loadouts = &stage.profiles[entity.profile as usize].loadouts;
        let mut half = loadouts.shape(entity.model).half;
        if entity.model.turns() {
            half = DVec2::splat(half.length());
        }
        let pos = self.lanes.body(entity).pos;
        Bounds::of(pos, pos).grown(half + margin)
    }

    /// Whether two entities touch.
    fn touch(&self, stage: &Stage, pair: [usize; 2], placed: &mut [Placed; 2]) -> bool {
        let [(a, mut shape, pieces_a), (b, other, pieces_b)] = pair.map(|i| self.figure(stage, i));
        if stage.level.view == View::Top || pieces_a.is_some() || pieces_b.is_some() {
            return self.overlap(stage, pair, NEAR, placed).is_some();
        }
        shape.half += NEAR;
        ellipses_meet(shape, a.pos, other, b.pos)
    }

    /// An entity's body, its collider, and the pieces it consists of if it turns.
    fn figure(&self, stage: &Stage, index: usize) -> (&Body, Ellipse, Option<Arc<[Piece]>>) {
        let entity = &self.entities[index];
        let loadouts = &stage.profiles[entity.profile as usize].loadouts;
        let shape = loadouts.shape(entity.model);
        let pieces = loadouts.pieces(entity.model);
        (self.lanes.body(entity), shape, pieces)
    }

    /// The move that takes the first of two entities out of the second, with `margin` px between
    /// them; none if they do not overlap.
    fn overlap(
        &self,
        stage: &Stage,
        pair: [usize; 2],
        margin: f64,
        placed: &mut [Placed; 2],
    ) -> Option<DVec2> {
        let [
            (body_a, mut shape_a, pieces_a),
            (body_b, mut shape_b, pieces_b),
        ] = pair.map(|index| self.figure(stage, index));
        if stage.level.view == View::Top {
            // Bodies are taken to be as tall as they are wide.
            let tall = shape_a.half.max_element().max(shape_b.half.max_element());
            if (body_a.z - body_b.z).abs() >= tall {
                return None;
            }
        }
        let [one, other] = placed;
        match (pieces_a, pieces_b) {
            (None, None) => {
                shape_a.half += margin;
                ellipses(shape_a, body_a.pos, shape_b, body_b.pos)
            }
            (None, Some(pieces)) => {
                shape_a.half += margin;
                other.put(&pieces, body_b);
                let mut outlines = other.outlines();
                outlines.find_map(|piece| ellipse_and_polygon(shape_a, body_a.pos, piece))
            }
            (Some(pieces), None) => {
                shape_b.half += margin;
                one.put(&pieces, body_a);
                let mut outlines = one.outlines();
                let apart =
                    outlines.find_map(|piece| ellipse_and_polygon(shape_b, body_b.pos, piece));
                apart.map(|apart| -apart)
            }
            (Some(pieces_a), Some(pieces_b)) => {
                one.put(&pieces_a, body_a);
                other.put(&pieces_b, body_b);
                let against = |p: &[DVec2]| other.outlines().find_map(|q| convex(p, q, margin));
                one.outlines().find_map(against)
            }
        }
    }
}
