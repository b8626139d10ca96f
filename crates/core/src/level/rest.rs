//! Rest positions: evenly spaced places where bodies come to rest along each line.
//!
//! Two bodies that stop within a few px of each other differ only in low-order bits. Path search
//! and the comparison of runs become easier when there are few distinct places to stand: points at
//! a fixed spacing along each walkable edge, wall and roof, counted from the left end of the line,
//! or from the lower end if it is vertical. Edges that form a straight line count as one. A box stands on level ground
//! by its last pixel, and so it has positions up to half its width beyond the ends.
//!
//! A position is computed from the terrain and its number alone, never from the body that moves
//! there. So all bodies that rest at it have the same position, bit for bit.

use super::*;

/// A place where a body can come to rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RestPosition {
    /// The edge that it stands on or clings to.
    pub edge: u32,
    /// The body's center, px.
    pub at: DVec2,
}

/// For which body to look for rest positions.
#[derive(Clone, Copy, Debug)]
pub struct RestQuery<'a> {
    /// Its collider.
    pub shape: Collider,
    /// What it can stand on.
    pub rule: &'a GroundRule,
    /// Sine of the largest angle from vertical of a wall that it can grab.
    pub steepest: f64,
    /// Distance between rest positions, px; 0 if there are none.
    pub spacing: f64,
}

/// Consecutive rest positions along one edge.
#[derive(Clone, Copy, Debug)]
pub struct RestRange {
    edge: u32,
    /// Numbers of the first and the last position.
    numbers: (f64, f64),
}

impl RestRange {
    /// The edge along which they are.
    pub const fn edge(&self) -> u32 {
        self.edge
    }

    /// How many positions there are.
    pub fn count(&self) -> u64 {
        (self.numbers.1 - self.numbers.0 + 1.0).max(0.0) as u64
    }
}

/// The left (else lower) end of an edge and the unit vector along it, at its current position.
struct Rail {
    left: DVec2,
    along: DVec2,
    normal: DVec2,
    length: f64,
}

/// Slack in comparisons of places along a line, px.
const SAME: f64 = 1e-9;

/// The least part of a side of a resting box that touches what holds it, px.
const LEAST_OVER: f64 = 1e-3;

impl Scenery<'_> {
    fn rail(&self, edge: u32) -> Rail {
        let (face, line) = (self.face(edge), self.terrain.span(edge));
        let left = if line.sense > 0.0 { face.start } else { self.end(edge) };
        Rail { left, along: face.along * line.sense, normal: face.normal, length: face.length }
    }

    /// The rest position with this number on the line of `edge`: at `number · spacing` px from its
    /// left (else lower) end. The number is one of [`EdgeSpan::numbers`](super::EdgeSpan::numbers).
    pub fn rest_position(&self, edge: u32, shape: Collider, number: f64, spacing: f64) -> RestPosition {
        let place = number * spacing;
        let mut edge = edge;
        let mut line = self.terrain.span(edge);
        // Where two edges meet, the left one has the position.
        while line.left != edge && line.start >= place - SAME {
            edge = line.left;
            line = self.terrain.span(edge);
        }
        let mut rail = self.rail(edge);
        while line.right != edge && line.start + rail.length < place - SAME {
            edge = line.right;
            line = self.terrain.span(edge);
            rail = self.rail(edge);
        }
        let at = rail.resting(shape, place - line.start);
        RestPosition { edge, at }
    }

    /// The rest position nearest to a body along the line of `edge`.
    pub fn nearest_rest(&self, edge: u32, shape: Collider, at: DVec2, spacing: f64) -> RestPosition {
        let (rail, line) = (self.rail(edge), self.terrain.span(edge));
        let [number, _] = rail.numbers(line, shape, at, spacing);
        if line.left == edge && line.right == edge {
            let at = rail.resting(shape, number * spacing - line.start);
            return RestPosition { edge, at };
        }
        self.rest_position(edge, shape, number, spacing)
    }

    /// The rest positions on either side of a body along the line of `edge`, nearest first. A body
    /// beyond an end of the line has only one.
    pub fn rests_next_to(
        &self,
        edge: u32,
        shape: Collider,
        at: DVec2,
        spacing: f64,
    ) -> impl Iterator<Item = RestPosition> {
        let line = self.terrain.span(edge);
        let rail = self.rail(edge);
        let numbers = rail.numbers(line, shape, at, spacing);
        let [first, last] = line.numbers(spacing, rail.beyond(shape));
        let there = numbers.into_iter().filter(move |number| (first..=last).contains(number));
        there.map(move |number| self.rest_position(edge, shape, number, spacing))
    }

    /// All places in an area where a body can rest with its center there: on walkable edges, on
    /// walls and on roofs, from left to right.
    pub fn rest_positions(&self, query: &RestQuery, area: &Bounds) -> Vec<RestPosition> {
        self.rest_positions_of(query, area, &self.rest_ranges(query, area))
    }

    /// The edges in an area that can hold the body, with the positions along them that may be
    /// places to rest. The work is bounded by the size of the area.
    pub fn rest_ranges(&self, query: &RestQuery, area: &Bounds) -> Vec<RestRange> {
        if query.spacing <= 0.0 {
            return Vec::new();
        }
        let near = area.grown(query.shape.half);
        let mut edges = Vec::new();
        let grid = &self.terrain.grid;
        grid.visit(&near, |edge| edges.push(edge.index));
        self.visit_platforms(&near, |_, platform, _| edges.extend(platform.edges.clone()));
        edges.sort_unstable();
        edges.dedup();
        let ranges = edges.iter().filter_map(|i| self.rest_range(query, area, *i));
        ranges.collect()
    }

    /// The places among `ranges` where the body does not overlap a solid, from left to right.
    pub fn rest_positions_of(&self, query: &RestQuery, area: &Bounds, ranges: &[RestRange]) -> Vec<RestPosition> {
        self.every_rest_position_of(query, area, ranges, 1)
    }

    /// The same, but only the ends of each range, and between them the positions whose numbers are multiples of `every`.
    pub fn every_rest_position_of(
        &self,
        query: &RestQuery,
        area: &Bounds,
        ranges: &[RestRange],
        every: u32,
    ) -> Vec<RestPosition> {
        let every = f64::from(every);
        let mut found = Vec::new();
        for range in ranges {
            let (mut number, last) = range.numbers;
            while number <= last {
                let position = self.rest_position(range.edge, query.shape, number, query.spacing);
                let owned = position.edge == range.edge && area.holds(position.at);
                if owned && self.overlap(query.shape, position.at).is_none() {
                    found.push(position);
                }
                let next = ((number / every).floor() + 1.0) * every;
                number = if number < last { next.min(last) } else { next };
            }
        }
        found.sort_by(|a, b| {
            let by_x = a.at.x.total_cmp(&b.at.x);
            by_x.then(a.at.y.total_cmp(&b.at.y)).then(a.edge.cmp(&b.edge))
        });
        found
    }

    fn rest_range(&self, query: &RestQuery, area: &Bounds, index: u32) -> Option<RestRange> {
        let edge = self.edge(index);
        let rail = self.rail(index);
        let up = rail.normal.y * query.rule.up;
        let clings = up <= query.steepest && edge.side == Side::Solid;
        let holds = query.rule.walkable(rail.normal) || clings;
        if !holds || !self.blocks(edge.side) || !self.is_there(Feature::Face(index)) {
            return None;
        }
        let (from, to) = rail.within(query.shape, area)?;
        let line = self.terrain.span(index);
        let [lowest, highest] = line.numbers(query.spacing, rail.beyond(query.shape));
        let first = ((line.start + from - SAME) / query.spacing).ceil().max(lowest);
        let last = ((line.start + to + SAME) / query.spacing).floor();
        let last = last.min(highest);
        (first <= last).then_some(RestRange { edge: index, numbers: (first, last) })
    }
}

impl Rail {
    /// The number of the rest position nearest to a body along the line of this edge,
    /// and the number of the position on the body's other side, which may not exist.
    fn numbers(&self, line: &EdgeSpan, shape: Collider, at: DVec2, spacing: f64) -> [f64; 2] {
        let foot = at - shape.farthest(self.normal) - self.left;
        let place = (line.start + self.along.dot(foot)) / spacing;
        let [first, last] = line.numbers(spacing, self.beyond(shape));
        let nearest = place.round().clamp(first, last);
        let side = if nearest > place { -1.0 } else { 1.0 };
        [nearest, nearest + side]
    }

    /// How far beyond the ends of the line the middle of a body's side may be, px: some of the side has to touch it.
    fn beyond(&self, shape: Collider) -> f64 {
        (shape.spread(self.normal) - LEAST_OVER).max(0.0)
    }

    /// The center of a body whose point of contact is `place` px from the left end. The coordinate
    /// across the edge is computed from the one along it, so that a body on a level floor is at
    /// exactly its own height above it.
    fn resting(&self, shape: Collider, place: f64) -> DVec2 {
        let (left, n) = (self.left, self.normal);
        let reach = shape.reach(n);
        let mut at = left + self.along * place + shape.farthest(n);
        if n.y.abs() >= n.x.abs() {
            at.y = left.y + (reach - n.x * (at.x - left.x)) / n.y;
        } else {
            at.x = left.x + (reach - n.y * (at.y - left.y)) / n.x;
        }
        at
    }

    /// The part of the edge, px from its left end, along which a resting body's center is in the
    /// area.
    fn within(&self, shape: Collider, area: &Bounds) -> Option<(f64, f64)> {
        let base = self.left + shape.farthest(self.normal);
        let beyond = self.beyond(shape);
        let (mut from, mut to) = (-beyond, self.length + beyond);
        for axis in 0..2 {
            let (along, base) = (self.along[axis], base[axis]);
            let ends = [area.min[axis] - base, area.max[axis] - base];
            if along.abs() < SAME {
                if ends[0] > SAME || ends[1] < -SAME {
                    return None;
                }
                continue;
            }
            let (a, b) = (ends[0] / along, ends[1] / along);
            from = from.max(a.min(b));
            to = to.min(a.max(b));
        }
        (from <= to + SAME).then_some((from, to))
    }
}
