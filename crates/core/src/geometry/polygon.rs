//! Outlines: which polygons are simple, and which way they are wound.

use super::{interrupt::gives_up, *};
use thiserror::Error;

/// The least that an outline has to be wide or high, px. Joining outlines takes distances of a few
/// millionths of a pixel for none, so bodies would pass through smaller solids.
const SMALLEST: f64 = 1e-4;

/// Why a list of points is not a valid outline. Indices start at 0.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum OutlineError {
    /// Fewer than three points.
    #[error("an outline needs at least three points")]
    TooFew,
    /// The point at this index has a non-finite coordinate.
    #[error("point {} is not a finite number", .0 + 1)]
    NonFinite(usize),
    /// The outline is less than 0.0001 px wide and high.
    #[error("the outline is less than {} px wide and high", SMALLEST)]
    TooSmall,
    /// The point at this index repeats the previous one.
    #[error("point {} repeats the point before it", .0 + 1)]
    Duplicate(usize),
    /// At the point with this index the outline doubles back over itself.
    #[error("the outline doubles back over itself at point {}", .0 + 1)]
    Spike(usize),
    /// The edges that start at these two indices cross or touch.
    #[error("the outline crosses or touches itself: the edges from points {} and {} meet", .0 + 1, .1 + 1)]
    Crossing(usize, usize),
    /// Too many edges lie next to each other to check the outline.
    #[error("too many edges of the outline lie next to each other; use fewer points")]
    TooDense,
    /// The outline has no area.
    #[error("the outline has no area")]
    NoArea,
    /// A one-way line has fewer than two points.
    #[error("a one-way platform needs at least two points")]
    NoLine,
    /// At the point with this index a one-way line is vertical or turns back.
    #[error("a one-way platform must run from one side to the other; point {} turns back or goes straight up", .0 + 1)]
    Overhang(usize),
}

impl OutlineError {
    /// The index of the offending point, if there is a single one.
    pub const fn index(&self) -> Option<usize> {
        match *self {
            Self::NonFinite(i) | Self::Duplicate(i) | Self::Spike(i) | Self::Crossing(_, i) | Self::Overhang(i) => {
                Some(i)
            }
            Self::TooFew | Self::TooSmall | Self::TooDense | Self::NoArea | Self::NoLine => None,
        }
    }
}

/// The sides of a closed outline, each from its start to its end.
pub fn sides(points: &[DVec2]) -> impl Iterator<Item = (DVec2, DVec2)> + Clone {
    (0..points.len()).map(|i| (points[i], points[if i + 1 < points.len() { i + 1 } else { 0 }]))
}

/// Whether `point` lies inside the outline, determined by counting the sides to its right.
pub fn contains(points: &[DVec2], point: DVec2) -> bool {
    let mut inside = false;
    for (a, b) in sides(points) {
        if (a.y > point.y) != (b.y > point.y) {
            let x = a.x + (point.y - a.y) / (b.y - a.y) * (b.x - a.x);
            inside ^= point.x < x;
        }
    }
    inside
}

/// Twice the area of the outline, px²: positive when it is wound counterclockwise.
pub fn doubled_area(points: &[DVec2]) -> f64 {
    let Some(&origin) = points.first() else {
        return 0.0;
    };
    sides(points).map(|(a, b)| (a - origin).perp_dot(b - origin)).sum()
}

/// Validates that `points` form a simple polygon and returns them wound counterclockwise, so that
/// the inside is to the left of every edge.
///
/// # Errors
///
/// The first problem found, in the order of the enum's variants.
pub fn outline(points: &[DVec2]) -> Result<Vec<DVec2>, OutlineError> {
    if points.len() < 3 {
        return Err(OutlineError::TooFew);
    }
    if let Some(i) = points.iter().position(|p| !p.is_finite()) {
        return Err(OutlineError::NonFinite(i));
    }
    let bounds = Bounds::around(points);
    if (bounds.max - bounds.min).max_element() < SMALLEST {
        return Err(OutlineError::TooSmall);
    }
    let count = points.len();
    let at = |i: usize| points[i % count];
    for i in 0..count {
        if (at(i + 1) - at(i)).length_squared() < 1e-18 {
            return Err(OutlineError::Duplicate((i + 1) % count));
        }
    }
    let area = doubled_area(points);
    let size = points.iter().fold(0.0_f64, |m, p| m.max((*p - points[0]).length_squared()));
    if area.abs() <= 1e-12 * size.max(1e-12) {
        // The two halves of a bow tie cancel each other out.
        let from_first = points.iter().map(|p| *p - points[0]);
        let longest = |a: DVec2, b: DVec2| {
            if b.length_squared() > a.length_squared() { b } else { a }
        };
        let along = from_first.clone().fold(DVec2::ZERO, longest);
        let mut aside = from_first.map(|to| along.perp_dot(to).abs());
        let in_line = aside.all(|area| area <= 1e-12 * size.max(1e-12));
        return Err(match crossing(points)? {
            Some((i, j)) if !in_line => OutlineError::Crossing(i, j),
            _ => OutlineError::NoArea,
        });
    }
    for i in 0..count {
        let before = (at(i + 1) - at(i)).normalize_or_zero();
        let after = (at(i + 2) - at(i + 1)).normalize_or_zero();
        if before.perp_dot(after).abs() < 1e-9 && before.dot(after) < 0.0 {
            return Err(OutlineError::Spike((i + 1) % count));
        }
    }
    if let Some((i, j)) = crossing(points)? {
        return Err(OutlineError::Crossing(i, j));
    }
    let mut wound = points.to_vec();
    if area < 0.0 {
        wound.reverse();
    }
    Ok(wound)
}

/// Minimum horizontal distance between consecutive points of a one-way platform, px.
const LEAST_ADVANCE: f64 = 1e-6;

/// Validates the line of a one-way platform and returns it from right to left, so that its normals
/// point up.
///
/// # Errors
///
/// Why the points are not a valid line.
pub fn one_way(points: &[DVec2]) -> Result<Vec<DVec2>, OutlineError> {
    let [first, .., last] = points else {
        return Err(OutlineError::NoLine);
    };
    if let Some(i) = points.iter().position(|p| !p.is_finite()) {
        return Err(OutlineError::NonFinite(i));
    }
    let side = (last.x - first.x).signum();
    for (i, pair) in points.windows(2).enumerate() {
        if (pair[1].x - pair[0].x) * side < LEAST_ADVANCE {
            return Err(OutlineError::Overhang(i + 1));
        }
    }
    let mut line = points.to_vec();
    if side > 0.0 {
        line.reverse();
    }
    Ok(line)
}

/// Outlines with fewer points are checked edge by edge.
const FEW: usize = 64;

/// How many pairs of edges are compared at most: this many, and [`PAIRS_PER_EDGE`] for each edge.
const PAIRS: usize = 1_000_000;
const PAIRS_PER_EDGE: usize = 2_000;

/// The first pair of edges that are not neighbors but share a point.
///
/// # Errors
/// [`OutlineError::TooDense`] if too many edges would have to be compared.
fn crossing(points: &[DVec2]) -> Result<Option<(usize, usize)>, OutlineError> {
    let count = points.len();
    let end = |i: usize| points[(i + 1) % count];
    let boxes: Vec<(Bounds, u32)> = (0..count).map(|i| (Bounds::of(points[i], end(i)), i as u32)).collect();
    let mut found: Option<(usize, usize)> = None;
    let mut left = PAIRS + PAIRS_PER_EDGE * count;
    let mut dense = false;
    let mut compare = |edges: &[u32]| {
        for (place, &one) in edges.iter().enumerate() {
            if gives_up(place) || dense {
                return;
            }
            let pairs = edges.len() - place;
            dense = left < pairs;
            left = left.saturating_sub(pairs);
            for &other in &edges[place + 1..] {
                let pair = (one.min(other) as usize, one.max(other) as usize);
                let (i, j) = pair;
                let neighbors = i + 1 == j || (j + 1) % count == i;
                if !neighbors
                    && found.is_none_or(|found| pair < found)
                    && boxes[i].0.meets(&boxes[j].0)
                    && segments_meet(points[i], end(i), points[j], end(j))
                {
                    found = Some(pair);
                }
            }
        }
    };
    if count < FEW {
        let all: Vec<u32> = (0..count as u32).collect();
        compare(&all);
        return Ok(found);
    }
    // Small cells: those that hold many edges make way for a tree.
    let all = Bounds::around(points);
    let cell = (all.max - all.min).max_element() / (64 * count) as f64;
    let line = |i: &u32| Extent::Line([points[*i as usize], end(*i as usize)]);
    Grid::shaped(&boxes, cell, line).each_cell(compare);
    if dense {
        return Err(OutlineError::TooDense);
    }
    Ok(found)
}

/// Whether the closed segments `a b` and `c d` share a point.
fn segments_meet(a: DVec2, b: DVec2, c: DVec2, d: DVec2) -> bool {
    let side = |p: DVec2, q: DVec2, r: DVec2| (q - p).perp_dot(r - p);
    let (c_side, d_side) = (side(a, b, c), side(a, b, d));
    let (a_side, b_side) = (side(c, d, a), side(c, d, b));
    let within = |p: DVec2, q: DVec2, r: DVec2| r.cmpge(p.min(q)).all() && r.cmple(p.max(q)).all();
    (c_side * d_side < 0.0 && a_side * b_side < 0.0)
        || (c_side == 0.0 && within(a, b, c))
        || (d_side == 0.0 && within(a, b, d))
        || (a_side == 0.0 && within(c, d, a))
        || (b_side == 0.0 && within(c, d, b))
}
