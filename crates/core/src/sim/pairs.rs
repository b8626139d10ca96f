//! Pairs of entities that overlap.

use super::crowd::{CrowdTree, Extents};
use super::*;
use crate::geometry::apart::{convex, ellipse_and_polygon, ellipses, ellipses_along, ellipses_meet};
use crate::geometry::{Ellipse, turn, turned};

/// Finds pairs of entities that are close to each other. Its memory is reused in every tick and is
/// not state.
#[derive(Default)]
pub struct PairFinder {
    /// Where each entity is, from left to right. Entities move little from tick to tick, so that the
    /// list stays nearly sorted.
    places: Vec<EntityPlace>,
    /// The indices of entities whose boxes overlap, the lower one first.
    pub pairs: Vec<(u32, u32)>,
    /// The outlines of two entities that are being compared.
    pub outlines: [Outlines; 2],
    /// The indices of entities in the order of their names, and their places in that order.
    names: (Vec<u32>, Vec<u32>),
    /// Finds the pairs of entities that have very many others between their left and right ends.
    crowd: Crowd,
}

/// What [`PairFinder::find_in_crowd`] needs.
#[derive(Default)]
struct Crowd {
    tree: CrowdTree,
    extents: Vec<Extents>,
    /// The ranks of the entities whose pairs the sweep has not found.
    late: Vec<u32>,
}

/// How [`PairFinder::find`] searches.
#[derive(Clone, Copy)]
pub struct PairSearch {
    /// How much larger boxes are than the entities, px.
    pub margin: f64,
    /// In a crowd, each entity is paired with at most this many of those that begin to its right or,
    /// at the same place, have a later name: the leftmost. So the number of pairs grows with
    /// the number of entities and not with its square.
    pub most: usize,
    /// If there are more pairs than this, each entity is paired with fewer of them, at least one.
    pub most_in_all: usize,
    /// Whether only entities that push count.
    pub pushing: bool,
}

/// Where an entity is.
#[derive(Clone, Copy)]
struct EntityPlace {
    extents: Extents,
    index: u32,
    /// Whether the search is for it.
    counts: bool,
}

/// How many swaps for each entity may sort the list before it is sorted from scratch.
const FEW_SWAPS: usize = 16;

/// An entity is compared with this many others one by one. If that is not enough, a tree finds its
/// pairs.
const FEW_COMPARISONS: usize = 192;

impl PairFinder {
    /// Finds the pairs of entities whose bounding boxes overlap.
    pub fn find(&mut self, entities: &[Entity], lanes: &Lanes, stage: &Stage, search: PairSearch) {
        let place = |index: u32| place(index, entities, lanes, stage, search);
        let count = entities.len();
        if self.places.len() != count {
            self.places.clear();
            self.places.extend((0..count as u32).map(place));
        } else {
            for entry in &mut self.places {
                *entry = place(entry.index);
            }
        }
        self.sort(entities);
        self.pairs.clear();
        self.crowd.late.clear();
        for (i, a) in self.places.iter().enumerate() {
            let first = self.pairs.len();
            let after = &self.places[i + 1..];
            for b in &after[..after.len().min(FEW_COMPARISONS)] {
                let found = self.pairs.len() - first;
                if b.extents.area.min.x > a.extents.area.max.x || found == search.most || !a.counts {
                    break;
                }
                if b.counts && a.extents.meets(&b.extents) {
                    if self.pairs.len() == count {
                        // A crowd: from now on there is room for all that can be found.
                        self.pairs.reserve(count * search.most);
                    }
                    self.pairs.push((a.index, b.index));
                }
            }
            if let Some(next) = after.get(FEW_COMPARISONS)
                && next.extents.area.min.x <= a.extents.area.max.x
                && a.counts
                && self.pairs.len() - first < search.most
            {
                self.pairs.truncate(first);
                self.crowd.late.push(i as u32);
            }
        }
        if !self.crowd.late.is_empty() {
            self.find_in_crowd(search.most);
        }
        if self.pairs.len() > search.most_in_all.max(count) {
            self.thin_out(search.most_in_all.max(count));
        }
        for (a, b) in &mut self.pairs {
            (*a, *b) = (*a.min(b), *a.max(b));
        }
        self.pairs.sort_unstable();
    }

    /// Adds the pairs of the entities that the sweep has left out: those that it would have found.
    #[cold]
    fn find_in_crowd(&mut self, most: usize) {
        let Crowd { tree, extents, late } = &mut self.crowd;
        extents.clear();
        extents.extend(self.places.iter().map(|place| place.extents));
        tree.build(extents);
        self.pairs.reserve(self.places.len() * most);
        let mut late = late.iter().rev().peekable();
        for (rank, place) in self.places.iter().enumerate().rev() {
            if late.next_if(|late| **late as usize == rank).is_some() {
                let found = tree.lowest(&place.extents, extents, most).iter();
                let index = |rank: &u32| self.places[*rank as usize].index;
                self.pairs.extend(found.map(|b| (place.index, index(b))));
            }
            if place.counts {
                tree.enter(rank as u32);
            }
        }
    }

    /// Leaves each entity the same number of its pairs, the first ones, so that `most` remain in all;
    /// or one each.
    #[cold]
    fn thin_out(&mut self, most: usize) {
        let mut counts = [0_usize; MOST_EACH];
        let mut nth = Nth::default();
        for (left, _) in &self.pairs {
            counts[nth.next(*left).min(MOST_EACH - 1)] += 1;
        }
        let mut total = counts[0];
        let mut each = 1;
        while each < MOST_EACH && total + counts[each] <= most {
            total += counts[each];
            each += 1;
        }
        let mut nth = Nth::default();
        self.pairs.retain(|(left, _)| nth.next(*left) < each);
    }

    /// Sorts the pairs and the two of each pair by name.
    pub fn sort_by_name(&mut self, entities: &[Entity]) {
        let name = |i: u32| &entities[i as usize].name;
        if self.pairs.len() <= entities.len() {
            for pair in &mut self.pairs {
                if name(pair.1) < name(pair.0) {
                    *pair = (pair.1, pair.0);
                }
            }
            let key = |pair: &(u32, u32)| (name(pair.0), name(pair.1));
            self.pairs.sort_unstable_by(|a, b| key(a).cmp(&key(b)));
            return;
        }
        // In a crowd, comparing numbers pays.
        let (by_name, ranks) = &mut self.names;
        by_name.clear();
        by_name.extend(0..entities.len() as u32);
        by_name.sort_unstable_by(|a, b| name(*a).cmp(name(*b)));
        ranks.clear();
        ranks.resize(entities.len(), 0);
        for (rank, index) in (0..).zip(by_name.iter()) {
            ranks[*index as usize] = rank;
        }
        for (a, b) in &mut self.pairs {
            let pair = [*a, *b].map(|index| ranks[index as usize]);
            (*a, *b) = (pair[0].min(pair[1]), pair[0].max(pair[1]));
        }
        self.pairs.sort_unstable();
        for (a, b) in &mut self.pairs {
            (*a, *b) = (by_name[*a as usize], by_name[*b as usize]);
        }
    }

    /// Sorts the places from left to right; equal ones by name, so that neither the order of creation
    /// nor the order of the last tick decides.
    fn sort(&mut self, entities: &[Entity]) {
        let name = |place: &EntityPlace| (&entities[place.index as usize].name, place.index);
        let is_before = |a: &EntityPlace, b: &EntityPlace| {
            let (x, other) = (a.extents.area.min.x, b.extents.area.min.x);
            x < other || (x == other && name(a) < name(b))
        };
        let places = &mut self.places;
        let mut swaps = FEW_SWAPS * places.len();
        for i in 1..places.len() {
            let mut at = i;
            while at > 0 && is_before(&places[at], &places[at - 1]) {
                places.swap(at - 1, at);
                at -= 1;
            }
            swaps = swaps.saturating_sub(i - at);
            if swaps == 0 {
                places.sort_unstable_by(|a, b| is_before(b, a).cmp(&is_before(a, b)));
                return;
            }
        }
    }
}

/// The most pairs of an entity with others to its right that any search asks for.
const MOST_EACH: usize = 32;

/// Counts the pairs of each entity, whose pairs are next to each other.
#[derive(Default)]
struct Nth {
    left: Option<u32>,
    count: usize,
}

impl Nth {
    /// How many pairs of the same entity came before this one.
    fn next(&mut self, left: u32) -> usize {
        let same = self.left == Some(left);
        self.count = if same { self.count + 1 } else { 0 };
        self.left = Some(left);
        self.count
    }
}

/// Where an entity is, with its bounding box.
fn place(index: u32, entities: &[Entity], lanes: &Lanes, stage: &Stage, search: PairSearch) -> EntityPlace {
    let entity = &entities[index as usize];
    let profile = &stage.profiles[entity.slot.index()];
    let mut half = profile.loadouts.shape(entity.model).half;
    // Bodies are assumed to be as tall as they are wide.
    let (z, tall) = match stage.level.view {
        View::Top => (lanes.body(entity).z, half.max_element()),
        View::Side => (0.0, 1.0),
    };
    if entity.model.turns() {
        half = DVec2::splat(half.length());
    }
    let pos = lanes.body(entity).pos;
    EntityPlace {
        extents: Extents { area: Bounds::of(pos, pos).grown(half + search.margin), z, tall },
        index,
        counts: profile.pushes || !search.pushing,
    }
}

/// The outlines of an entity's pieces, in the world.
#[derive(Default)]
pub struct Outlines {
    corners: Vec<DVec2>,
    /// Where the corners of each piece end, and the box around them.
    pieces: Vec<(usize, Bounds)>,
}

impl Outlines {
    fn place(&mut self, pieces: &[Piece], body: &Body) {
        let turn = turn(body.angle);
        self.corners.clear();
        self.pieces.clear();
        for piece in pieces {
            let first = self.corners.len();
            let points = piece.points.iter();
            self.corners.extend(points.map(|p| body.pos + turned(turn, *p)));
            let area = Bounds::around(&self.corners[first..]);
            self.pieces.push((self.corners.len(), area));
        }
    }

    /// The corners of each piece, and the box around them.
    fn iter(&self) -> impl Iterator<Item = (&[DVec2], &Bounds)> {
        let from = std::iter::once(0).chain(self.pieces.iter().map(|(end, _)| *end));
        from.zip(&self.pieces).map(|(from, (to, area))| (&self.corners[from..*to], area))
    }
}

/// What two entities are compared by.
struct Collider<'a> {
    body: &'a Body,
    shape: Ellipse,
    /// The pieces of a body that turns.
    pieces: Option<Arc<[Piece]>>,
}

impl<'a> Collider<'a> {
    fn of(entity: &Entity, lanes: &'a Lanes, stage: &Stage) -> Self {
        let loadouts = &stage.profiles[entity.slot.index()].loadouts;
        let (shape, pieces) = (loadouts.shape(entity.model), loadouts.pieces(entity.model));
        Self { body: lanes.body(entity), shape, pieces }
    }

    /// Whether one of two is too far above the other to meet it. Bodies are assumed to be as tall as they are wide.
    fn passes(&self, other: &Self, view: View) -> bool {
        let tall = self.shape.half.max_element().max(other.shape.half.max_element());
        view == View::Top && (self.body.z - other.body.z).abs() >= tall
    }

    /// The move that takes its ellipse out of the pieces of another one.
    fn out_of(&self, pieces: &[Piece], other: &Body, outlines: &mut Outlines) -> Option<DVec2> {
        outlines.place(pieces, other);
        let mut outlines = outlines.iter();
        outlines.find_map(|(piece, _)| ellipse_and_polygon(self.shape, self.body.pos, piece))
    }
}

/// A corner of a piece that is grown by a margin reaches at most this many margins far. Corners sharper
/// than 15° would reach farther.
const SHARPEST: f64 = 8.0;

/// Whether two entities are within `margin` px of each other.
pub fn touch(pair: [&Entity; 2], lanes: &Lanes, stage: &Stage, margin: f64, outlines: &mut [Outlines; 2]) -> bool {
    let [mut a, b] = pair.map(|entity| Collider::of(entity, lanes, stage));
    if a.pieces.is_some() || b.pieces.is_some() {
        return overlap(pair, lanes, stage, margin, outlines).is_some();
    }
    a.shape.half += margin;
    !a.passes(&b, stage.level.view) && ellipses_meet(a.shape, a.body.pos, b.shape, b.body.pos)
}

/// The shortest move that separates the first of two entities from the second by `margin` px.
/// `None` if they do not overlap.
pub fn overlap(
    pair: [&Entity; 2],
    lanes: &Lanes,
    stage: &Stage,
    margin: f64,
    outlines: &mut [Outlines; 2],
) -> Option<DVec2> {
    let [mut a, mut b] = pair.map(|entity| Collider::of(entity, lanes, stage));
    if a.passes(&b, stage.level.view) {
        return None;
    }
    let [one, other] = outlines;
    match (&a.pieces, &b.pieces) {
        (None, None) => {
            a.shape.half += margin;
            ellipses(a.shape, a.body.pos, b.shape, b.body.pos)
        }
        (None, Some(pieces)) => {
            a.shape.half += margin;
            a.out_of(pieces, b.body, other)
        }
        (Some(pieces), None) => {
            b.shape.half += margin;
            b.out_of(pieces, a.body, one).map(|apart| -apart)
        }
        (Some(pieces_a), Some(pieces_b)) => {
            one.place(pieces_a, a.body);
            other.place(pieces_b, b.body);
            // Sharp corners reach farther than the margin.
            let reach = DVec2::splat(SHARPEST * margin);
            one.iter().find_map(|(p, area)| {
                let area = area.grown(reach);
                let mut near = other.iter().filter(|(_, b)| area.meets(b));
                near.find_map(|(q, _)| convex(p, q, margin))
            })
        }
    }
}

/// How far the first of two overlapping entities has to move along the unit vector `toward` to leave
/// the second, px, if `apart` is the shortest move that separates them. `None` if that move is at a
/// right angle to `toward`, or nearly.
pub fn overlap_along(pair: [&Entity; 2], lanes: &Lanes, stage: &Stage, apart: DVec2, toward: DVec2) -> Option<f64> {
    let [a, b] = pair.map(|entity| Collider::of(entity, lanes, stage));
    if a.pieces.is_none() && b.pieces.is_none() {
        return ellipses_along(a.shape, a.body.pos, b.shape, b.body.pos, toward);
    }
    let depth = apart.length();
    let along = apart.dot(toward) / depth;
    (along > 1e-3).then(|| depth / along)
}
