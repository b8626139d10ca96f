//! Joining outlines: which parts of the solids' outlines border on free space.
//!
//! Solids may touch and overlap. Edges inside another solid cannot be touched, and a seam between
//! two tiles is not a corner. Every outline is cut where it meets another; pieces with their outer
//! side inside another solid are dropped; the rest are linked into closed outlines again. Each
//! piece still knows its solid, so surfaces and names survive.

use super::Solid;
use crate::geometry::interrupt::gives_up;
use crate::geometry::polygon::contains;
use crate::geometry::{Grid, TOUCH, grid::Bounds};
use glam::DVec2;

/// A part of a solid's outline that borders on free space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct OutlinePiece {
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

/// Distance from a piece at which to test what lies on either side of it, px.
const SIDE_OFFSET: f64 = 2.0 * TOUCH;

/// Cell width of the grid that finds nearby outlines, px.
const CELL: f64 = 64.0;

/// Joins outlines. Pieces keep the order of the solids and of their points.
pub(super) fn join(solids: &[&Solid]) -> Vec<OutlinePiece> {
    let mut pieces = Vec::new();
    let cuts = cut(solids);
    let boxes: Vec<(Bounds, usize)> = solids.iter().map(|s| s.bounds).zip(0..).collect();
    let around = Around {
        solids,
        grid: Grid::new(&boxes, CELL),
    };
    let mut cuts = cuts.into_iter();
    for (index, solid) in solids.iter().enumerate() {
        for (side, (start, end)) in sides(&solid.points).enumerate() {
            if gives_up(side) {
                return pieces;
            }
            let mut stops = cuts.next().unwrap_or_default();
            let span = end - start;
            stops.sort_by(|a, b| (*a - start).dot(span).total_cmp(&(*b - start).dot(span)));
            stops.push(end);
            let mut from = start;
            for stop in stops {
                if stop.distance_squared(from) <= SAME * SAME {
                    continue;
                }
                if around.is_free(index, from, stop) {
                    pieces.push(OutlinePiece {
                        solid: index as u32,
                        start: from,
                        end: stop,
                        after: None,
                    });
                }
                from = stop;
            }
        }
    }
    link(&mut pieces);
    pieces
}

/// The sides of a closed outline.
fn sides(points: &[DVec2]) -> impl Iterator<Item = (DVec2, DVec2)> + '_ {
    (0..points.len()).map(|i| (points[i], points[(i + 1) % points.len()]))
}

/// For each side of each solid, the points where other solids' outlines meet it.
fn cut(solids: &[&Solid]) -> Vec<Vec<DVec2>> {
    let mut all = Vec::new();
    for (index, solid) in solids.iter().enumerate() {
        all.extend(sides(&solid.points).map(|(a, b)| (index, a, b)));
    }
    let boxes: Vec<(Bounds, usize)> = all
        .iter()
        .map(|(_, a, b)| Bounds::of(*a, *b).grown(DVec2::splat(SAME)))
        .zip(0..)
        .collect();
    let grid = Grid::new(&boxes, CELL);
    let mut cuts = vec![Vec::new(); all.len()];
    for (i, &(solid, a, b)) in all.iter().enumerate() {
        if gives_up(i) {
            break;
        }
        let mut near = Vec::new();
        grid.visit(&boxes[i].0, |&j| {
            if j > i && all[j].0 != solid && boxes[i].0.meets(&boxes[j].0) {
                near.push(j);
            }
        });
        near.sort_unstable();
        near.dedup();
        for j in near {
            let (_, c, d) = all[j];
            let on_first = [c, d].map(|p| lies_on(p, a, b).then_some(p));
            let on_second = [a, b].map(|p| lies_on(p, c, d).then_some(p));
            cuts[i].extend(on_first.iter().flatten());
            cuts[j].extend(on_second.iter().flatten());
            let touch = on_first.iter().chain(&on_second).any(Option::is_some);
            if let (false, Some(p)) = (touch, crossing(a, b, c, d)) {
                cuts[i].push(p);
                cuts[j].push(p);
            }
        }
    }
    cuts
}

/// Whether a point lies on the line from `a` to `b`.
fn lies_on(p: DVec2, a: DVec2, b: DVec2) -> bool {
    let span = b - a;
    let length = span.length();
    let along = (p - a).dot(span) / length;
    let off = (p - a).perp_dot(span) / length;
    off.abs() <= SAME && along >= -SAME && along <= length + SAME
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
    solids: &'a [&'a Solid],
    grid: Grid<usize>,
}

impl Around<'_> {
    /// Whether a piece of the outline of `solid` borders on free space and no earlier solid in the
    /// list has the same border.
    fn is_free(&self, solid: usize, start: DVec2, end: DVec2) -> bool {
        let along = (end - start).normalize_or_zero();
        let outwards = DVec2::new(along.y, -along.x) * SIDE_OFFSET;
        let middle = start.midpoint(end);
        let (outside, inside) = (middle + outwards, middle - outwards);
        let mut free = true;
        self.grid.visit(&Bounds::of(middle, middle), |&other| {
            let near = self.solids[other].bounds.grown(DVec2::splat(SIDE_OFFSET));
            if other == solid || !free || !near.holds(middle) {
                return;
            }
            let points = &self.solids[other].points;
            let covered = contains(points, outside);
            let shared = other < solid && contains(points, inside);
            // Deep inside another solid both sides are covered; on a shared border only the inner
            // side is.
            free = !covered && !shared;
        });
        free
    }
}

/// Links each piece to the one that follows it.
fn link(pieces: &mut [OutlinePiece]) {
    let mut starts: Vec<u32> = (0..pieces.len() as u32).collect();
    starts.sort_by(|&i, &j| {
        let (a, b) = (pieces[i as usize].start, pieces[j as usize].start);
        a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y))
    });
    for i in 0..pieces.len() {
        let OutlinePiece { start, end, .. } = pieces[i];
        let first = starts.partition_point(|&j| pieces[j as usize].start.x < end.x - SIDE_OFFSET);
        let near = starts[first..]
            .iter()
            .take_while(|&&j| pieces[j as usize].start.x <= end.x + SIDE_OFFSET)
            .filter(|&&j| (pieces[j as usize].start.y - end.y).abs() <= SIDE_OFFSET);
        // Where solids touch in a single point, the outline continues around the free space.
        let turn = |j: u32| {
            let next = pieces[j as usize].end - pieces[j as usize].start;
            let ahead = end - start;
            libm::atan2(ahead.perp_dot(next), ahead.dot(next))
        };
        let next = near.copied().min_by(|&a, &b| turn(a).total_cmp(&turn(b)));
        pieces[i].after = next;
    }
}
