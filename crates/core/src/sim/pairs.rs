//! Pairs of entities that overlap.

use super::{
    crowd::{CrowdTree, CrowdWalk, Extents},
    *,
};
use crate::{
    geometry::{
        Collider, ColliderForm,
        apart::{collider_and_polygon, colliders, colliders_along, colliders_meet, convex},
        turn, turned,
    },
    level::Carries,
};

/// Finds pairs of entities that are close to each other. Its memory is reused in every tick and is
/// not state.
#[derive(Default)]
pub struct PairFinder {
    /// Where each entity is, from left to right. Entities move little from tick to tick, so that the
    /// list stays nearly sorted.
    places: Vec<EntityPlace>,
    /// The indices of entities whose boxes overlap.
    pub pairs: Vec<(u32, u32)>,
    /// The outlines of two entities that are being compared, for each piece of the work.
    pub outlines: Vec<[Outlines; 2]>,
    /// Sorts the pairs.
    order: PairOrder,
    /// The order of the entities' names.
    names: NameOrder,
    /// What the search finds in each piece of the list.
    found: Vec<FoundPairs>,
    /// Finds the pairs of entities that have very many others between their left and right ends.
    tree: CrowdTree,
    /// The extents of all places.
    extents: Vec<Extents>,
}

/// The pairs of the entities in a piece of the list.
#[derive(Default)]
struct FoundPairs {
    /// The indices of entities whose boxes overlap, with all partners of one entity next to each other.
    pairs: Vec<(u32, u32)>,
    /// The ranks of the entities whose pairs the sweep has not found.
    late: Vec<u32>,
    walk: CrowdWalk,
    /// How many entities have a first pair, how many a second one, and so forth.
    nth: [u32; MOST_EACH],
}

/// Sorts many pairs by how many there are of each first number.
#[derive(Default)]
struct PairOrder {
    /// Where the pairs of each first number begin.
    begins: Vec<u32>,
    sorted: Vec<(u32, u32)>,
}

/// The order of the entities' names.
#[derive(Default)]
struct NameOrder {
    /// The indices of the entities in that order.
    indices: Vec<u32>,
    /// The place of each entity in that order.
    ranks: Vec<u32>,
}

/// How [`PairFinder::find`] searches.
#[derive(Clone, Copy)]
pub struct PairSearch {
    /// How much larger boxes are than the entities, px.
    pub margin: f64,
    /// In a crowd, each entity is paired with at most this many others: the leftmost that begin to its
    /// right or, at the same place, have a later name. So the number of pairs grows with
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

/// The list of a crowd is cut into this many pieces, which is enough to keep the threads of a processor busy.
pub const PIECES: usize = 16;

/// Work with pairs is divided if there are as many entities as this many chunks have.
const CROWD: usize = 16;

/// Whether there are enough entities that dividing the work with their pairs pays.
pub fn is_crowd(entities: &[Entity], executor: &dyn Executor) -> bool {
    entities.len() >= CROWD.saturating_mul(executor.chunk())
}

impl PairFinder {
    /// Finds the pairs of entities whose bounding boxes overlap: the same with every executor, but perhaps in another
    /// order.
    pub fn find(
        &mut self,
        executor: &dyn Executor,
        entities: &[Entity],
        lanes: &Lanes,
        stage: &Stage,
        search: PairSearch,
    ) {
        let count = entities.len();
        let pieces = if is_crowd(entities, executor) { PIECES } else { 1 };
        let executor = &InPieces { executor, most: count.div_ceil(pieces) };
        let update = |places: &mut [EntityPlace]| {
            for entry in places {
                *entry = place(entry.index, entities, lanes, stage, search);
            }
        };
        if self.places.len() != count {
            let place = |index: u32| place(index, entities, lanes, stage, search);
            self.places.clear();
            self.places.extend((0..count as u32).map(place));
        } else if pieces == 1 {
            update(&mut self.places);
        } else {
            any_chunk(executor, &mut self.places[..], &|places: &mut [EntityPlace]| {
                update(places);
                false
            });
        }
        self.sort(entities);
        let most = search.most_in_all.max(count);
        let Self { places, found, pairs, .. } = self;
        let crowded = if pieces == 1 {
            if found.is_empty() {
                found.push(FoundPairs::default());
            }
            // The list of pairs is lent to the only piece.
            let found = &mut found[0];
            mem::swap(&mut found.pairs, pairs);
            found.sweep(places, 0..count, search.most);
            if found.late.is_empty() && found.pairs.len() <= most {
                mem::swap(&mut found.pairs, pairs);
                return;
            }
            !found.late.is_empty()
        } else {
            in_pieces(executor, count, found, &|ranks, found| {
                // Which piece has how many changes from tick to tick.
                found.pairs.reserve(ranks.len() * search.most);
                found.late.reserve(ranks.len());
                found.sweep(places, ranks, search.most);
                !found.late.is_empty()
            })
        };
        if crowded {
            self.find_in_crowd(executor, search.most);
        }
        self.gather(executor, most);
    }

    /// Adds the pairs that the sweep would have found for the entities that it has left out.
    #[cold]
    fn find_in_crowd(&mut self, executor: &dyn Executor, most: usize) {
        let Self { places, found, tree, extents, .. } = self;
        extents.clear();
        extents.extend(places.iter().map(|place| place.extents));
        tree.build(extents);
        in_pieces(executor, places.len(), found, &|ranks, found| {
            found.find_late(tree, places, extents, ranks, most);
            false
        });
    }

    /// Makes what the pieces have found the list of pairs. If there are more than `most`, each entity keeps the same
    /// number of its pairs, the first ones, so that `most` remain in all; or one each.
    fn gather(&mut self, executor: &dyn Executor, most: usize) {
        let Self { places, pairs, found, .. } = self;
        let total: usize = found.iter().map(|found| found.pairs.len()).sum();
        if total > most {
            // There may have been more pieces before.
            found.iter_mut().for_each(|found| found.nth = [0; MOST_EACH]);
            in_pieces(executor, places.len(), found, &|_, found| {
                found.count();
                false
            });
            let each = pairs_for_each(found, most);
            in_pieces(executor, places.len(), found, &|_, found| {
                found.keep(each);
                false
            });
        }
        pairs.clear();
        pairs.reserve_exact(found.iter().map(|found| found.pairs.capacity()).sum::<usize>().min(most));
        for found in found {
            pairs.append(&mut found.pairs);
        }
    }

    /// Sorts the pairs by the indices of their entities, the lower one first.
    pub fn sort_by_index(&mut self) {
        for (a, b) in &mut self.pairs {
            (*a, *b) = (*a.min(b), *a.max(b));
        }
        self.order.sort(&mut self.pairs, self.places.len());
    }

    /// Sorts the pairs and the two of each pair by name.
    pub fn sort_by_name(&mut self, executor: &dyn Executor, entities: &[Entity]) {
        let name = |i: u32| &entities[i as usize].name;
        let crowd = is_crowd(entities, executor);
        let few = if crowd { entities.len() / NAMES_PER_PAIR } else { entities.len() };
        if self.pairs.len() <= few {
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
        let executor: &dyn Executor = if crowd { executor } else { &Serial };
        self.names.update(executor, entities);
        let NameOrder { indices, ranks } = &self.names;
        for (a, b) in &mut self.pairs {
            let pair = [*a, *b].map(|index| ranks[index as usize]);
            (*a, *b) = (pair[0].min(pair[1]), pair[0].max(pair[1]));
        }
        self.order.sort(&mut self.pairs, entities.len());
        for (a, b) in &mut self.pairs {
            (*a, *b) = (indices[*a as usize], indices[*b as usize]);
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

impl FoundPairs {
    /// Compares the entities in a range of the list with those that follow.
    fn sweep(&mut self, places: &[EntityPlace], ranks: Range<usize>, most: usize) {
        let Self { pairs, late, .. } = self;
        pairs.clear();
        late.clear();
        let count = ranks.len();
        for i in ranks {
            let (a, after) = (&places[i], &places[i + 1..]);
            let first = pairs.len();
            for b in &after[..after.len().min(FEW_COMPARISONS)] {
                let found = pairs.len() - first;
                if b.extents.area.min.x > a.extents.area.max.x || found == most || !a.counts {
                    break;
                }
                if b.counts && a.extents.meets(&b.extents) {
                    if pairs.len() == count {
                        // A crowd: from now on there is room for every pair that can be found.
                        pairs.reserve(count * most);
                    }
                    pairs.push((a.index, b.index));
                }
            }
            if let Some(next) = after.get(FEW_COMPARISONS)
                && next.extents.area.min.x <= a.extents.area.max.x
                && a.counts
                && pairs.len() - first < most
            {
                pairs.truncate(first);
                late.push(i as u32);
            }
        }
    }

    /// Adds up the first pairs of entities, the second ones, and so forth.
    fn count(&mut self) {
        let mut nth = Nth::default();
        for (left, _) in &self.pairs {
            self.nth[nth.next(*left).min(MOST_EACH - 1)] += 1;
        }
    }

    /// Leaves each entity this many of its pairs, the first ones.
    fn keep(&mut self, each: usize) {
        let mut nth = Nth::default();
        self.pairs.retain(|(left, _)| nth.next(*left) < each);
    }

    /// Adds the pairs of the entities in a range of the list that the sweep has left out.
    fn find_late(
        &mut self,
        tree: &CrowdTree,
        places: &[EntityPlace],
        extents: &[Extents],
        ranks: Range<usize>,
        most: usize,
    ) {
        let Self { pairs, late, walk, .. } = self;
        let Some(leftmost) = late.first() else { return };
        pairs.reserve(ranks.len() * most - pairs.len());
        let counts = |rank: u32| places[rank as usize].counts;
        walk.begin(tree, ranks.end, counts);
        let left = *leftmost as usize;
        let mut late = late.iter().rev().peekable();
        for rank in (left..ranks.end).rev() {
            if late.next_if(|late| **late as usize == rank).is_some() {
                let found = walk.lowest(tree, &extents[rank], extents, most, &counts).iter();
                let index = |rank: &u32| places[*rank as usize].index;
                pairs.extend(found.map(|b| (places[rank].index, index(b))));
            }
            walk.pass(tree, places[rank].counts);
        }
    }
}

/// Works with each piece of a list of this length and what was found in it. Returns whether that was true for any of them.
fn in_pieces(
    executor: &dyn Executor,
    length: usize,
    found: &mut Vec<FoundPairs>,
    work: &(impl Fn(Range<usize>, &mut FoundPairs) -> bool + Sync),
) -> bool {
    let of_pieces = OfChunks::new(executor, length, found);
    any_chunk(executor, (0..length, of_pieces), &|(ranks, found): (_, OfChunks<'_, FoundPairs>)| {
        work(ranks, found.of_one())
    })
}

/// How many of its pairs each entity keeps, so that `most` remain in all; at least one.
fn pairs_for_each(found: &[FoundPairs], most: usize) -> usize {
    let count = |nth: usize| found.iter().map(|found| found.nth[nth] as usize).sum::<usize>();
    let mut total = count(0);
    let mut each = 1;
    while each < MOST_EACH && total + count(each) <= most {
        total += count(each);
        each += 1;
    }
    each
}

/// Checking the order of this many names takes about as long as sorting a pair by names.
const NAMES_PER_PAIR: usize = 8;

/// Fewer pairs than this are sorted by comparing them.
const FEW_PAIRS: usize = 1024;

impl PairOrder {
    /// Sorts pairs of numbers below `count`.
    fn sort(&mut self, pairs: &mut Vec<(u32, u32)>, count: usize) {
        if pairs.len() < FEW_PAIRS {
            pairs.sort_unstable();
            return;
        }
        let Self { begins, sorted } = self;
        begins.clear();
        begins.resize(count, 0);
        for (first, _) in pairs.iter() {
            begins[*first as usize] += 1;
        }
        let mut begin = 0;
        for number in &mut *begins {
            (begin, *number) = (begin + *number, begin);
        }
        sorted.clear();
        sorted.reserve_exact(pairs.capacity());
        sorted.resize(pairs.len(), (0, 0));
        for pair in pairs.iter() {
            let place = &mut begins[pair.0 as usize];
            sorted[*place as usize] = *pair;
            *place += 1;
        }
        mem::swap(pairs, sorted);
        for same in pairs.chunk_by_mut(|a, b| a.0 == b.0) {
            if same.len() > 1 {
                same.sort_unstable();
            }
        }
    }
}

impl NameOrder {
    /// Finds the order of these entities. It seldom changes from tick to tick, and comparing each name with the next one
    /// takes less time than sorting.
    fn update(&mut self, executor: &dyn Executor, entities: &[Entity]) {
        let name = |index: u32| &entities[index as usize].name;
        let Self { indices, ranks } = self;
        let count = entities.len();
        let turned = |pair: &[u32]| name(pair[0]) >= name(pair[1]);
        let same = indices.len() == count
            && !any_chunk(executor, 1..count, &|places: Range<usize>| {
                indices[places.start - 1..places.end].windows(2).any(turned)
            });
        if same {
            return;
        }
        indices.clear();
        indices.extend(0..count as u32);
        indices.sort_unstable_by(|a, b| name(*a).cmp(name(*b)));
        ranks.clear();
        ranks.resize(count, 0);
        for (rank, index) in (0..).zip(indices.iter()) {
            ranks[*index as usize] = rank;
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

/// Room for the outlines of usual bodies: corners and pieces.
const ROOM: (usize, usize) = (64, 8);

impl Outlines {
    /// Outlines that do not allocate when the first body is placed.
    fn roomy() -> Self {
        Self { corners: Vec::with_capacity(ROOM.0), pieces: Vec::with_capacity(ROOM.1) }
    }

    /// Outlines of two entities, for work that is not divided.
    pub fn of_one(list: &mut Vec<[Self; 2]>) -> &mut [Self; 2] {
        OfChunks::new(&Serial, 1, list).of_one()
    }

    /// Outlines of two entities for each piece of work with pairs, at most `most` pieces, in a list that is extended if
    /// it is too short.
    pub fn of_pieces<'a>(
        (executor, most): (&dyn Executor, usize),
        length: usize,
        list: &'a mut Vec<[Self; 2]>,
    ) -> OfChunks<'a, [Self; 2]> {
        // Which piece meets the first body that needs them is chance, and so is how many pieces there are.
        list.resize_with(most.max(list.len()), || [Self::roomy(), Self::roomy()]);
        OfChunks::new(executor, length, list)
    }

    fn place(&mut self, pieces: &[Piece], at: &PlacedCollider<'_>) {
        let turn = turn(at.angle);
        self.corners.clear();
        self.pieces.clear();
        for piece in pieces {
            let first = self.corners.len();
            let points = piece.points.iter();
            self.corners.extend(points.map(|p| at.pos + turned(turn, *p)));
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
pub struct PlacedCollider<'a> {
    /// Its center, px.
    pub pos: DVec2,
    /// The height of its feet in a top view, px.
    pub z: f64,
    angle: f64,
    /// What it collides as unless it has pieces, and the size of those.
    pub shape: Collider,
    /// The pieces of a body that turns.
    pieces: Option<&'a [Piece]>,
}

impl<'a> PlacedCollider<'a> {
    #[inline]
    pub fn of(entity: &Entity, body: &Body, stage: &'a Stage) -> Self {
        let loadouts = &stage.profiles[entity.slot.index()].loadouts;
        let (shape, pieces) = (loadouts.shape(entity.model), loadouts.pieces(entity.model));
        Self { pos: body.pos, z: body.z, angle: body.angle, shape, pieces: pieces.map(|pieces| &**pieces) }
    }

    /// A shape at a point, at the height of this body.
    pub fn at_point(&self, pos: DVec2, shape: Collider) -> Self {
        Self { pos, shape, pieces: None, ..*self }
    }

    /// Whether one of two is too far above the other to meet it. Bodies are assumed to be as tall as they are wide.
    fn passes(&self, other: &Self, view: View) -> bool {
        let tall = self.shape.half.max_element().max(other.shape.half.max_element());
        view == View::Top && (self.z - other.z).abs() >= tall
    }

    /// The move that takes its collider, larger by `margin` px, out of the pieces of another one.
    fn out_of(&self, margin: f64, pieces: &[Piece], other: &Self, outlines: &mut Outlines) -> Option<DVec2> {
        outlines.place(pieces, other);
        let (shape, mut outlines) = (self.shape.grown(margin), outlines.iter());
        outlines.find_map(|(piece, _)| collider_and_polygon(shape, self.pos, piece))
    }
}

/// A corner of a piece that is grown by a margin reaches at most this many margins far. Corners sharper
/// than 15° would reach farther.
const SHARPEST: f64 = 8.0;

/// Whether two entities are within `margin` px of each other.
pub fn touch([a, b]: [&PlacedCollider<'_>; 2], view: View, margin: f64, outlines: &mut [Outlines; 2]) -> bool {
    if a.pieces.is_some() || b.pieces.is_some() {
        return overlap([a, b], view, margin, outlines).is_some();
    }
    !a.passes(b, view) && colliders_meet(a.shape.grown(margin), a.pos, b.shape, b.pos)
}

/// The shortest move that separates the first of two entities from the second by `margin` px.
/// `None` if they do not overlap.
pub fn overlap(
    [a, b]: [&PlacedCollider<'_>; 2],
    view: View,
    margin: f64,
    outlines: &mut [Outlines; 2],
) -> Option<DVec2> {
    if a.passes(b, view) {
        return None;
    }
    let [one, other] = outlines;
    match (a.pieces, b.pieces) {
        (None, None) => colliders(a.shape.grown(margin), a.pos, b.shape, b.pos),
        (None, Some(pieces)) => a.out_of(margin, pieces, b, other),
        (Some(pieces), None) => b.out_of(margin, pieces, a, one).map(|apart| -apart),
        (Some(pieces_a), Some(pieces_b)) => {
            one.place(pieces_a, a);
            other.place(pieces_b, b);
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

/// The direction in which two entities keep each other apart by their sides, if those are at most `margin` px from each other:
/// both push, or the sides of one are solid.
pub fn sides_meet(
    pair: [&Entity; 2],
    lanes: &Lanes,
    stage: &Stage,
    margin: f64,
    outlines: &mut [Outlines; 2],
) -> Option<DVec2> {
    let profile = |entity: &Entity| &stage.profiles[entity.slot.index()];
    let solid = pair.map(|entity| profile(entity).carries == Carries::All && !entity.model.is_rigid());
    let push = pair.iter().all(|entity| profile(entity).pushes);
    if !push && solid == [false; 2] {
        return None;
    }
    let mut placed = pair.map(|entity| PlacedCollider::of(entity, lanes.body(entity), stage));
    // What carries is solid as the box around it.
    if let Some(carrier) = solid.iter().position(|solid| *solid && !push) {
        placed[carrier].shape = Collider::new(ColliderForm::Box, placed[carrier].shape.half);
    }
    let apart = overlap(placed.each_ref(), stage.level.view, margin, outlines)?;
    apart.try_normalize()
}

/// How far the first of two overlapping entities has to move along the unit vector `toward` to leave
/// the second, px, if `apart` is the shortest move that separates them. `None` if that move is at a
/// right angle to `toward`, or nearly.
pub fn overlap_along([a, b]: [&PlacedCollider<'_>; 2], apart: DVec2, toward: DVec2) -> Option<f64> {
    if a.pieces.is_none() && b.pieces.is_none() {
        return colliders_along(a.shape, a.pos, b.shape, b.pos, toward);
    }
    let depth = apart.length();
    let along = apart.dot(toward) / depth;
    (along > 1e-3).then(|| depth / along)
}

#[cfg(test)]
#[path = "../../tests/unit/sim/pairs.rs"]
mod tests;
