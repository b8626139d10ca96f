//! Joining outlines: which parts of the solids' outlines border on free space.
//!
//! Solids may touch and overlap. Edges inside another solid cannot be touched, and a seam between
//! two tiles is not a corner. Every outline is cut where it meets another; pieces with their outer
//! side inside another solid are dropped; the rest are linked into closed outlines again. Each
//! piece still knows its solid, so surfaces and names survive.

use super::*;
use crate::geometry::{
    interrupt::gives_up,
    polygon::{doubled_area, sides},
};
use std::borrow::Cow;

/// Numbered points that are found by place.
pub struct Points {
    points: Vec<DVec2>,
    grid: Grid<u32>,
    found: Vec<u32>,
}

/// Width of a grid cell, px.
const POINT_CELL: f64 = 16.0;

/// Maximum number of points that are found at one place.
const MOST_NEAR: usize = 256;

impl Points {
    /// Points with their indices as numbers.
    pub fn new(points: Vec<DVec2>) -> Self {
        let numbered = points.iter().zip(0..);
        let boxes: Vec<(Bounds, u32)> = numbered.map(|(p, i)| (Bounds::of(*p, *p), i)).collect();
        Self { grid: Grid::new(&boxes, POINT_CELL), points, found: Vec::new() }
    }

    /// The points in the square of this half-width around a place: from left to right, then upward,
    /// then in the order given. If there are very many, not all are found.
    pub fn near(&mut self, place: DVec2, distance: f64) -> &[u32] {
        let area = Bounds::of(place, place).grown(DVec2::splat(distance));
        let Self { points, grid, found } = self;
        found.clear();
        grid.visit(&area, |i| {
            if found.len() < MOST_NEAR && area.holds(points[*i as usize]) {
                found.push(*i);
            }
        });
        found.sort_unstable_by(|i, j| {
            let (a, b) = (points[*i as usize], points[*j as usize]);
            (a.x.total_cmp(&b.x)).then(a.y.total_cmp(&b.y)).then(i.cmp(j))
        });
        found.dedup();
        found
    }
}

/// Coordinates of corners closer than this are the same coordinate, px. It is more than the
/// distances that joining takes for none: sides of boxes then coincide or are clearly apart, and no
/// side is shorter than the distance at which pieces are linked.
const ALIGNED: f64 = 8e-6;

/// Sides shorter than this may turn around when their corners are moved into line, px.
const FOLD: f64 = 4.0 * ALIGNED;

/// The solids, with corners that are almost in line with others moved into line.
pub fn aligned<'a>(solids: &[&'a Solid]) -> Vec<Cow<'a, Solid>> {
    let columns = Lines::new(solids, |p| p.x);
    let rows = Lines::new(solids, |p| p.y);
    let align = |solid: &&'a Solid| {
        let moved = |p: &DVec2| DVec2::new(columns.nearest_below(p.x), rows.nearest_below(p.y));
        let mut points: Vec<DVec2> = solid.points.iter().map(moved).collect();
        if points != solid.points {
            drop_folds(&mut points);
        }
        // A sliver thinner than that could lose its area or be turned inside out.
        if points == solid.points || doubled_area(&points) <= 0.0 {
            Cow::Borrowed(*solid)
        } else {
            Cow::Owned(Solid::new(solid.name.clone(), solid.surface, points))
        }
    };
    solids.iter().map(align).collect()
}

/// Removes the corners at which an outline turns back along a side that is hardly longer than corners are moved: moving
/// them may have folded it over the side before, and no body could touch such a corner.
fn drop_folds(points: &mut Vec<DVec2>) {
    let mut at = 0;
    while at < points.len() && points.len() > 3 {
        let count = points.len();
        let (before, corner, after) = (points[(at + count - 1) % count], points[at], points[(at + 1) % count]);
        let (to, from) = (corner - before, after - corner);
        let shorter = to.length_squared().min(from.length_squared());
        if to.dot(from) < 0.0 && shorter < FOLD * FOLD {
            points.remove(at);
        } else {
            at += 1;
        }
    }
}

/// The coordinates of all corners along an axis, ascending, each far enough from the one before.
struct Lines(Vec<f64>);

impl Lines {
    fn new(solids: &[&Solid], along: fn(&DVec2) -> f64) -> Self {
        let points = solids.iter().flat_map(|solid| &solid.points);
        let mut all: Vec<f64> = points.map(along).collect();
        all.sort_unstable_by(f64::total_cmp);
        let mut last = f64::NEG_INFINITY;
        all.retain(|at| {
            let is_apart = at - last > ALIGNED;
            if is_apart {
                last = *at;
            }
            is_apart
        });
        Self(all)
    }

    /// The line that a corner's coordinate belongs to.
    fn nearest_below(&self, at: f64) -> f64 {
        let above = self.0.partition_point(|line| *line <= at);
        let below = above.checked_sub(1).map(|index| self.0[index]);
        // What is not a number is in no line.
        below.unwrap_or(at)
    }
}

/// A part of a solid's outline that borders on free space.
#[derive(Clone, Copy)]
pub struct OutlinePiece {
    /// The solid, an index into the list that was joined.
    pub solid: u32,
    /// Where it begins; the solid is to its left.
    pub start: DVec2,
    /// Where it ends.
    pub end: DVec2,
    /// The piece that starts where this one ends.
    pub after: Option<u32>,
}

/// Points closer than this are the same point, px.
const SAME: f64 = TOUCH;

/// Sides closer than this are the same side, px. It is also the distance from a piece at which to
/// test what lies on either side of it. If the two distances differed, a side could be taken for another solid's
/// side over its whole length, though the other side lies along only a part of it.
const SIDE: f64 = 2.0 * TOUCH;

/// How far the end of a piece may be from the start of the next, px.
const GAP: f64 = 2.0 * SIDE;

/// Segments at a smaller angle than this, rad, may be the same side over a length that matters. At larger
/// angles the step between the two would stop bodies that slide past it too late.
const SMALL_ANGLE: f64 = 2e-5;

/// Cell width of the grid that finds nearby outlines, px.
const CELL: f64 = 64.0;

/// Joined outlines.
pub struct Joined {
    /// The pieces, in the order of the solids and of their points; slivers come last.
    pub pieces: Vec<OutlinePiece>,
    /// The solid at which joining was given up because the outlines meet in too many places.
    pub tangled: Option<u32>,
}

/// Joins outlines.
pub fn join(solids: &[&Solid]) -> Joined {
    let count: usize = solids.iter().map(|s| s.points.len()).sum();
    let mut work = JoinWork::new(count);
    let all = (0..solids.len() as u32).map(|i| (i, solids[i as usize]));
    let (slivers, wide): (Vec<_>, Vec<_>) = all.partition(|(_, solid)| is_sliver(solid));
    let which: Vec<u32> = wide.iter().map(|(index, _)| *index).collect();
    let wide: Vec<&Solid> = wide.iter().map(|(_, solid)| *solid).collect();
    let mut pieces = match wide[..] {
        [solid] => alone(solid),
        _ => free_pieces(&aligned(&wide), count, &mut work),
    };
    link(&mut pieces, &mut work);
    for piece in &mut pieces {
        piece.solid = which[piece.solid as usize];
    }
    let tangled = work.exceeded.map(|index| which[index as usize]);
    for (index, sliver) in slivers {
        let first = pieces.len() as u32;
        let mut own = alone(sliver);
        let count = own.len();
        link(&mut own, &mut JoinWork::new(count));
        pieces.extend(own.into_iter().map(|piece| OutlinePiece {
            solid: index,
            after: piece.after.map(|after| first + after),
            ..piece
        }));
    }
    Joined { pieces, tangled }
}

/// Solids thinner than this are slivers, px. It is more than the distances that joining takes for none.
const THIN: f64 = 1e-5;

/// Whether a solid is so thin that its sides could be mistaken for each other and for sides of its neighbors. It is
/// not joined with them, so that it does not leave holes in their outlines.
fn is_sliver(solid: &Solid) -> bool {
    let around: f64 = sides(&solid.points).map(|(a, b)| a.distance(b)).sum();
    doubled_area(&solid.points) < THIN * around
}

/// The sides of a solid that no other one meets.
fn alone(solid: &Solid) -> Vec<OutlinePiece> {
    let long = sides(&solid.points).filter(|(start, end)| end.distance_squared(*start) > SAME * SAME);
    long.map(|(start, end)| OutlinePiece { solid: 0, start, end, after: None }).collect()
}

/// The pieces of all solids that border on free space.
fn free_pieces(solids: &[Cow<Solid>], count: usize, work: &mut JoinWork) -> Vec<OutlinePiece> {
    let mut pieces = Vec::new();
    let cuts = cut(solids, work);
    if work.exceeded.is_some() {
        return pieces;
    }
    let boxes: Vec<(Bounds, usize)> = solids.iter().map(|s| s.bounds).zip(0..).collect();
    let outline = |i: &usize| Extent::Outline(&solids[*i].points);
    let around = Around { solids, grid: Grid::shaped(&boxes, CELL, outline) };
    let mut sides_so_far = 0;
    let mut stops = Vec::new();
    for (index, solid) in solids.iter().enumerate() {
        for (side, (start, end)) in sides(&solid.points).enumerate() {
            if gives_up(side) {
                return pieces;
            }
            stops.clear();
            stops.extend_from_slice(cuts.of(sides_so_far));
            sides_so_far += 1;
            let span = end - start;
            stops.sort_by(|a, b| (*a - start).dot(span).total_cmp(&(*b - start).dot(span)));
            stops.push(end);
            let mut from = start;
            for &stop in &stops {
                if stop.distance_squared(from) <= SAME * SAME {
                    continue;
                }
                if around.is_free(index, from, stop, work) {
                    pieces.push(OutlinePiece { solid: index as u32, start: from, end: stop, after: None });
                }
                from = stop;
            }
            if work.exceeded.is_some() || pieces.len() > PIECES + count {
                work.exceeded.get_or_insert(index as u32);
                return pieces;
            }
        }
    }
    pieces
}

/// A side of a solid: the solid, and the ends.
type SolidSide = (usize, DVec2, DVec2);

/// For each side of each solid, the points where other solids' outlines meet it.
struct SideCuts {
    /// Where each side's points begin; the last entry is where the last side's points end.
    first: Vec<u32>,
    points: Vec<DVec2>,
}

impl SideCuts {
    /// The points of a side.
    fn of(&self, side: usize) -> &[DVec2] {
        let ends = self.first.get(side..side + 2).unwrap_or(&[0, 0]);
        &self.points[ends[0] as usize..ends[1] as usize]
    }
}

/// Finds where sides of different solids meet. Without points if there are too many.
fn cut(solids: &[Cow<Solid>], work: &mut JoinWork) -> SideCuts {
    let mut all: Vec<SolidSide> = Vec::new();
    for (index, solid) in solids.iter().enumerate() {
        all.extend(sides(&solid.points).map(|(a, b)| (index, a, b)));
    }
    let pairs = near_pairs(&all, work);
    // There can be millions of points. Counted first, they take no more memory than they need.
    let mut first = vec![0_u32; all.len() + 1];
    let mut meetings = MOST_MEETINGS + MEETINGS_PER_SIDE * all.len();
    for &pair in &pairs {
        let mut met = 0;
        each_meeting(&all, pair, |side, _| {
            first[side + 1] += 1;
            met += 1;
        });
        meetings = meetings.saturating_sub(met);
        if meetings == 0 {
            work.exceeded.get_or_insert(all[pair.0 as usize].0 as u32);
            return SideCuts { first: Vec::new(), points: Vec::new() };
        }
    }
    for side in 0..all.len() {
        first[side + 1] += first[side];
    }
    let mut next = first.clone();
    let mut points = vec![DVec2::ZERO; first[all.len()] as usize];
    for pair in pairs {
        each_meeting(&all, pair, |side, point| {
            points[next[side] as usize] = point;
            next[side] += 1;
        });
    }
    SideCuts { first, points }
}

/// Calls `found` with each point where two sides meet, and the side that it is on: each of the two has its own.
fn each_meeting(all: &[SolidSide], (i, j): (u32, u32), mut found: impl FnMut(usize, DVec2)) {
    let (i, j) = (i as usize, j as usize);
    let ((_, a, b), (_, c, d)) = (all[i], all[j]);
    let on_first = [c, d].map(|p| lies_on(p, a, b).then_some(p));
    let on_second = [a, b].map(|p| lies_on(p, c, d).then_some(p));
    on_first.iter().flatten().for_each(|p| found(i, *p));
    on_second.iter().flatten().for_each(|p| found(j, *p));
    let touch = on_first.iter().chain(&on_second).any(Option::is_some);
    if let (false, Some(p)) = (touch, crossing(a, b, c, d)) {
        found(i, p);
        found(j, p);
    }
    for (on_first, on_second) in partings(a, b, c, d).into_iter().flatten() {
        found(i, on_first);
        found(j, on_second);
    }
}

/// The pairs of sides of different solids that may meet, in the order of the sides.
fn near_pairs(all: &[SolidSide], work: &mut JoinWork) -> Vec<(u32, u32)> {
    let boxes: Vec<(Bounds, u32)> = all
        .iter()
        .map(|(_, a, b)| Bounds::of(*a, *b).grown(DVec2::splat(SIDE)))
        .zip(0..)
        .collect();
    if is_hopeless(all, &boxes) {
        work.exceeded = all.last().map(|(solid, ..)| *solid as u32);
        return Vec::new();
    }
    let line = |i: &u32| Extent::Line([all[*i as usize].1, all[*i as usize].2]);
    let mut pairs: Vec<(u32, u32)> = Vec::new();
    let mut most = MOST_PAIRS;
    Grid::shaped(&boxes, CELL, line).each_cell(|sides| {
        for (place, &i) in sides.iter().enumerate() {
            let (solid, a, b) = all[i as usize];
            if gives_up(place) || !work.affords(solid as u32, sides.len() - place) {
                return;
            }
            for &j in &sides[place + 1..] {
                let (other, c, d) = all[j as usize];
                if other != solid && boxes[i as usize].0.meets(&boxes[j as usize].0) && !is_clear([a, b], [c, d]) {
                    pairs.push((i.min(j), i.max(j)));
                }
            }
            if pairs.len() > most {
                // Sides that share several cells are found in each.
                pairs.sort_unstable();
                pairs.dedup();
                most = MOST_PAIRS.max(2 * pairs.len());
                if pairs.len() > 4 * MOST_PAIRS {
                    work.exceeded.get_or_insert(solid as u32);
                }
            }
        }
    });
    pairs.sort_unstable();
    pairs.dedup();
    pairs.shrink_to_fit();
    pairs
}

/// Whether a sample of the pairs of sides shows that far more of them meet than are kept. That saves
/// the time until they are found.
fn is_hopeless(all: &[SolidSide], boxes: &[(Bounds, u32)]) -> bool {
    let count = all.len() as u64;
    let pairs = count * count / 2;
    if pairs < HOPELESS as u64 {
        return false;
    }
    let mut state = 1_u64;
    let mut any = || {
        // Knuth's generator: the same sample every time.
        state = state.wrapping_mul(6_364_136_223_846_793_005);
        state = state.wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) % count) as usize
    };
    let mut met = 0;
    for _ in 0..SAMPLE {
        let (i, j) = (any(), any());
        let ((solid, a, b), (other, c, d)) = (all[i], all[j]);
        let near = solid != other && boxes[i].0.meets(&boxes[j].0);
        met += u64::from(near && !is_clear([a, b], [c, d]) && !is_clear([c, d], [a, b]));
    }
    met * (pairs / SAMPLE) > HOPELESS as u64
}

/// Whether a segment is on one side of another's line, out of reach.
fn is_clear([a, b]: [DVec2; 2], [c, d]: [DVec2; 2]) -> bool {
    let way = b - a;
    let off = [c, d].map(|p| way.perp_dot(p - a));
    let reach = 4.0 * SAME * (way.x.abs() + way.y.abs());
    off[0].min(off[1]) > reach || off[0].max(off[1]) < -reach
}

/// Whether a point lies on the line from `a` to `b`.
fn lies_on(p: DVec2, a: DVec2, b: DVec2) -> bool {
    let span = b - a;
    let length = span.length();
    let along = (p - a).dot(span) / length;
    let off = (p - a).perp_dot(span) / length;
    off.abs() <= SIDE && along >= -SIDE && along <= length + SIDE
}

/// Where two segments in almost the same direction stop being the same side: the places on the first
/// and on the second, on both sides of a crossing.
fn partings(a: DVec2, b: DVec2, c: DVec2, d: DVec2) -> [Option<(DVec2, DVec2)>; 2] {
    let (span, other) = (b - a, d - c);
    let (length, turn) = (span.length(), span.perp_dot(other));
    if turn == 0.0 || turn.abs() > SMALL_ANGLE * length * other.length() {
        return [None; 2];
    }
    [SIDE, -SIDE].map(|off| {
        let share = (off * length - span.perp_dot(c - a)) / turn;
        let place = c + other * share;
        let along = (place - a).dot(span) / (length * length);
        let within = |share: f64| (0.0..=1.0).contains(&share);
        (within(share) && within(along)).then(|| (a + span * along, place))
    })
}

/// The point where two segments cross between their ends, if they do.
fn crossing(a: DVec2, b: DVec2, c: DVec2, d: DVec2) -> Option<DVec2> {
    let (first, second) = (b - a, d - c);
    let turn = first.perp_dot(second);
    let t = (c - a).perp_dot(second) / turn;
    let u = (c - a).perp_dot(first) / turn;
    let within = |share: f64| (0.0..=1.0).contains(&share);
    (within(t) && within(u)).then(|| a + first * t)
}

/// All solids, in a grid that finds those at a point.
struct Around<'a> {
    solids: &'a [Cow<'a, Solid>],
    grid: Grid<usize>,
}

impl Around<'_> {
    /// Whether a piece of the outline of `solid` borders on free space and no earlier solid in the
    /// list has the same border.
    fn is_free(&self, solid: usize, start: DVec2, end: DVec2, work: &mut JoinWork) -> bool {
        let along = (end - start).normalize_or_zero();
        let outwards = DVec2::new(along.y, -along.x) * SIDE;
        let middle = start.midpoint(end);
        let (outside, inside) = (middle + outwards, middle - outwards);
        let mut free = true;
        let mut steps = 1;
        self.grid.visit(&Bounds::of(middle, middle), |&other| {
            let near = self.solids[other].bounds.grown(DVec2::splat(SIDE));
            if other == solid || !free || !near.holds(middle) {
                return;
            }
            let other_solid = &self.solids[other];
            steps += 4;
            let covered = other_solid.contains(outside);
            let shared = other < solid && other_solid.contains(inside);
            // Deep inside another solid both sides are covered; on a shared border only the inner
            // side is.
            free = !covered && !shared;
        });
        work.affords(solid as u32, steps) && free
    }
}

/// Links each piece to the one that follows it.
pub fn link(pieces: &mut [OutlinePiece], work: &mut JoinWork) {
    let mut starts = Points::new(pieces.iter().map(|piece| piece.start).collect());
    for i in 0..pieces.len() {
        let OutlinePiece { start, end, .. } = pieces[i];
        let near = starts.near(end, GAP);
        if !work.affords(pieces[i].solid, near.len()) {
            return;
        }
        // Where solids touch in a single point, the outline continues around the free space.
        let turn = |j: u32| {
            let next = pieces[j as usize].end - pieces[j as usize].start;
            let ahead = end - start;
            libm::atan2(ahead.perp_dot(next), ahead.dot(next))
        };
        let apart = |j: &u32| pieces[*j as usize].start.distance(end);
        let least = near.iter().map(apart).fold(f64::INFINITY, f64::min);
        let next = near
            .iter()
            .copied()
            .filter(|j| apart(j) <= least + SAME)
            .min_by(|&a, &b| turn(a).total_cmp(&turn(b)));
        pieces[i].after = next;
    }
}

/// Limits the work on outlines that meet in very many places.
pub struct JoinWork {
    left: usize,
    /// The solid at which there was nothing left.
    pub exceeded: Option<u32>,
}

/// How many steps joining may take: this many, and [`STEPS_PER_SIDE`] for each side of a solid. A
/// step compares two sides that are near each other, or a piece with the side of a solid that may
/// cover it.
const STEPS: usize = 50_000_000;
const STEPS_PER_SIDE: usize = 500;

/// How many pairs of sides are kept before duplicates are removed; four times as many may be left.
const MOST_PAIRS: usize = 1_000_000;

/// How many pairs are looked at to estimate how many sides meet, and at which estimate joining is not
/// tried.
const SAMPLE: u64 = 1 << 16;
const HOPELESS: usize = 8 * MOST_PAIRS;

/// How many points the outlines may meet in: this many, and `MEETINGS_PER_SIDE` more for each side.
pub const MOST_MEETINGS: usize = 2_000_000;
const MEETINGS_PER_SIDE: usize = 16;

/// How many pieces may be left: this many, and one for each side.
const PIECES: usize = 150_000;

impl JoinWork {
    /// What may be done for this many sides.
    pub fn new(sides: usize) -> Self {
        Self { left: STEPS + STEPS_PER_SIDE * sides, exceeded: None }
    }

    /// Whether these steps may still be taken, for this solid.
    fn affords(&mut self, solid: u32, steps: usize) -> bool {
        if self.left < steps && self.exceeded.is_none() {
            self.exceeded = Some(solid);
        }
        self.left = self.left.saturating_sub(steps);
        self.exceeded.is_none()
    }
}
