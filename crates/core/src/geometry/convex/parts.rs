//! Splits an outline into convex parts.
//!
//! Ears are clipped until only triangles are left, and triangles are merged across their cuts while
//! they stay convex (Hertel and Mehlhorn: at most four times as many parts as needed). An ear has
//! no other point inside it or on its boundary, so no cut passes through a corner, and points on
//! straight lines end up on true edges of parts rather than in triangles without area.

use super::ears::Ears;
use super::{STRAIGHT, bends_in, first_inward_corner};
use glam::DVec2;
use std::collections::BTreeMap;

/// A convex part of an outline, wound counterclockwise.
#[derive(Clone, Debug, PartialEq)]
pub struct ConvexPart {
    /// Its corners, px, each a point of the outline.
    pub points: Vec<DVec2>,
    /// For each edge of the part, the index of the outline's point where that edge starts, or
    /// `None` where the edge is a cut through the inside, which nothing outside can touch.
    pub edges: Vec<Option<u32>>,
}

/// Splits a simple outline, wound counterclockwise, into convex parts with at most `most` corners
/// each (three, if `most` is less). They cover the outline and do not overlap.
pub fn parts(outline: &[DVec2], most: usize) -> Vec<ConvexPart> {
    let pieces = if outline.len() <= most.max(3) && first_inward_corner(outline).is_none() {
        vec![(0..outline.len()).collect()]
    } else {
        merged(outline, triangles(outline), most)
    };
    let part = |piece: Vec<usize>| ConvexPart {
        points: piece.iter().map(|&i| outline[i]).collect(),
        edges: sides(&piece)
            .map(|(from, to)| is_edge(outline, from, to).then_some(from as u32))
            .collect(),
    };
    pieces.into_iter().map(part).collect()
}

/// The sides of a piece, as pairs of corners.
fn sides(piece: &[usize]) -> impl Iterator<Item = (usize, usize)> + '_ {
    let next = piece.iter().cycle().skip(1);
    piece.iter().copied().zip(next.copied())
}

/// Whether the side from one point to another is an edge of the outline rather than a cut.
fn is_edge(outline: &[DVec2], from: usize, to: usize) -> bool {
    (from + 1) % outline.len() == to
}

/// Outlines with more points take any ears instead of the best ones, which would take too long.
const MANY: usize = 256;

/// Splits the outline into triangles, each given by the indices of its corners.
fn triangles(outline: &[DVec2]) -> Vec<Vec<usize>> {
    if outline.len() > MANY {
        return Ears::new(outline).cut();
    }
    let mut left: Vec<usize> = (0..outline.len()).collect();
    let mut found = vec![];
    while left.len() > 3 {
        let at = ear(outline, &left);
        found.push(corner(&left, at).to_vec());
        left.remove(at);
    }
    found.push(left);
    found
}

/// The point at a position in the remaining outline, between its neighbors.
fn corner(left: &[usize], at: usize) -> [usize; 3] {
    let count = left.len();
    [left[(at + count - 1) % count], left[at], left[(at + 1) % count]]
}

/// The position of the best ear of the remaining outline.
fn ear(outline: &[DVec2], left: &[usize]) -> usize {
    // A simple outline always has an ear; an ear from which every other point keeps clear by more
    // than rounding error is better. The last resort handles outlines that are not simple.
    let clear = |margin: f64| best(outline, left, |points| is_clear(outline, left, points, margin));
    clear(STRAIGHT)
        .or_else(|| clear(0.0))
        .or_else(|| best(outline, left, |_| true))
        .unwrap_or(0)
}

/// The position of the thickest triangle that is `good`.
fn best(outline: &[DVec2], left: &[usize], good: impl Fn([usize; 3]) -> bool) -> Option<usize> {
    let mut best = (0.0, None);
    for at in 0..left.len() {
        let points = corner(left, at);
        let thickness = thickness(points.map(|i| outline[i]));
        if thickness > best.0 && good(points) {
            best = (thickness, Some(at));
        }
    }
    best.1
}

/// The thickness of a triangle as a fraction of its longest side; negative if it is wound
/// clockwise.
fn thickness([a, b, c]: [DVec2; 3]) -> f64 {
    let longest = [b - a, c - b, a - c].map(DVec2::length_squared);
    (b - a).perp_dot(c - a) / longest.into_iter().fold(0.0, f64::max)
}

/// Whether no other remaining point lies in a triangle or, within a margin, on its boundary.
fn is_clear(outline: &[DVec2], left: &[usize], corners: [usize; 3], margin: f64) -> bool {
    let [a, b, c] = corners.map(|i| outline[i]);
    let within = |from: DVec2, to: DVec2, point: DVec2| {
        let side = to - from;
        side.perp_dot(point - from) >= -margin * side.length_squared()
    };
    let blocks = |i: &usize| {
        let point = outline[*i];
        within(c, a, point) && within(a, b, point) && within(b, c, point) && !corners.contains(i)
    };
    !left.iter().any(blocks)
}

/// Merges pieces: the two pieces on either side of each cut, longest cut first, become one if the
/// result is convex and has at most `most` corners. A cut that cannot be merged now cannot be
/// merged later either, because other merges only open angles and add corners.
fn merged(outline: &[DVec2], mut pieces: Vec<Vec<usize>>, most: usize) -> Vec<Vec<usize>> {
    let mut cuts: Vec<(usize, usize)> = pieces
        .iter()
        .flat_map(|piece| sides(piece))
        .filter(|&(from, to)| from < to && !is_edge(outline, from, to))
        .collect();
    let length = |&(from, to): &(usize, usize)| (outline[to] - outline[from]).length_squared();
    cuts.sort_by(|a, b| length(b).total_cmp(&length(a)).then(a.cmp(b)));
    let mut owners = BTreeMap::new();
    for (number, piece) in pieces.iter().enumerate() {
        owners.extend(sides(piece).map(|side| (side, number)));
    }
    for (from, to) in cuts {
        let place = |side| {
            let piece = *owners.get(&side)?;
            let at = sides(&pieces[piece]).position(|s| s == side)?;
            Some((piece, at))
        };
        let (Some(left), Some(right)) = (place((from, to)), place((to, from))) else {
            continue;
        };
        if let Some(union) = union(outline, &pieces, left, right, most) {
            owners.extend(sides(&union).map(|side| (side, left.0)));
            pieces[left.0] = union;
            pieces[right.0].clear();
        }
    }
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

/// Two pieces merged across the side they share, if the result is allowed.
fn union(
    outline: &[DVec2],
    pieces: &[Vec<usize>],
    (left, left_at): (usize, usize),
    (right, right_at): (usize, usize),
    most: usize,
) -> Option<Vec<usize>> {
    // Each without its end at the shared side, and rotated to start at the side's other end.
    let from_end = |piece: &[usize], at: usize| {
        let mut all = piece.to_vec();
        all.rotate_left((at + 1) % piece.len());
        all.pop();
        all
    };
    let mut union = from_end(&pieces[left], left_at);
    let seam = union.len();
    union.extend(from_end(&pieces[right], right_at));
    let bends = |at: usize| {
        let [before, here, after] = corner(&union, at).map(|i| outline[i]);
        bends_in(before, here, after)
    };
    (union.len() <= most && !bends(0) && !bends(seam)).then_some(union)
}
