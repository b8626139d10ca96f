//! How two bodies overlap, and the shortest way apart.

use super::separation::separation;
use super::{Ellipse, TOUCH, turned};
use glam::DVec2;

/// Turns towards the axis of least overlap; near it each doubles the digits.
const TURNS: u32 = 12;

/// Longest turn at first, as the tangent of its angle; one that leads to more overlap is made shorter.
const LONGEST_TURN: f64 = 0.25;

/// The search begins with so many axes of a quarter of all directions, this turn apart.
const BEGINNINGS: u32 = 13;
const TURN: DVec2 = DVec2::new(0.991_444_861_373_810_4, 0.130_526_192_220_051_57);

/// The move that takes the first ellipse out of the second, px; none if they do not overlap.
///
/// Two convex bodies are apart along `n` by `d·n − reach₁(n) − reach₂(n)`, where `d` leads from one
/// centre to the other. Both reach as far along an axis as along its mirror images, so that the
/// largest of these lies in the quarter in which `d` lies. It is found from the best of several axes
/// there, by Newton's way.
#[must_use]
pub fn ellipses(a: Ellipse, at_a: DVec2, b: Ellipse, at_b: DVec2) -> Option<DVec2> {
    let from = at_a - at_b;
    let sum = a.half + b.half;
    if from.abs().cmpge(sum).any() {
        return None;
    }
    let side = DVec2::new(side(from.x), side(from.y));
    let from = from.abs();
    let gap = |axis: DVec2| from.dot(axis) - a.reach(axis) - b.reach(axis);
    let mut axis = from.normalize_or(DVec2::X);
    let mut most = gap(axis);
    let mut beginning = DVec2::X;
    for _ in 0..BEGINNINGS {
        let found = gap(beginning);
        if found > most {
            (axis, most) = (beginning, found);
        }
        beginning = turned(TURN, beginning);
    }
    let mut longest = LONGEST_TURN;
    for _ in 0..TURNS {
        let next = turned_on(a, b, from, axis, longest).abs();
        let found = gap(next);
        if found > most {
            (axis, most) = (next, found);
        } else {
            longest *= 0.25;
        }
    }
    (most < -TOUCH).then(|| axis * side * -most)
}

fn side(v: f64) -> f64 {
    if v < 0.0 { -1.0 } else { 1.0 }
}

/// The axis after one of Newton's steps towards that of least overlap.
fn turned_on(a: Ellipse, b: Ellipse, from: DVec2, axis: DVec2, longest: f64) -> DVec2 {
    let across = axis.perp();
    // First and second derivative of what they are apart, by the angle.
    let (mut slope, mut bend) = (from.dot(across), -from.dot(axis));
    for shape in [a, b] {
        let squared = shape.half * shape.half;
        let reach = shape.reach(axis);
        let first = (squared * axis).dot(across) / reach;
        slope -= first;
        bend -= ((squared * across).dot(across) - reach * reach - first * first) / reach;
    }
    let turn = if bend < 0.0 {
        -slope / bend
    } else {
        slope.signum()
    };
    let turn = turn.clamp(-longest, longest);
    (axis + across * turn).normalize_or(axis)
}

/// The move that takes the first convex polygon out of the second, with `margin` px between them;
/// none if they are so far apart. Both are wound counter-clockwise.
#[must_use]
pub fn convex(a: &[DVec2], b: &[DVec2], margin: f64) -> Option<DVec2> {
    let out_of_b = least_overlap(b, a, margin)?;
    let out_of_a = least_overlap(a, b, margin)?;
    Some(if out_of_b.1 <= out_of_a.1 {
        out_of_b.0 * out_of_b.1
    } else {
        -out_of_a.0 * out_of_a.1
    })
}

/// The normal of `of`, grown by `margin`, along which `other` overlaps it least, and by how much.
fn least_overlap(of: &[DVec2], other: &[DVec2], margin: f64) -> Option<(DVec2, f64)> {
    let mut least = (DVec2::ZERO, f64::INFINITY);
    for (i, &start) in of.iter().enumerate() {
        let along = (of[(i + 1) % of.len()] - start).normalize_or_zero();
        let normal = DVec2::new(along.y, -along.x);
        let depth = other
            .iter()
            .map(|p| -(*p - start).dot(normal))
            .fold(f64::NEG_INFINITY, f64::max)
            + margin;
        if depth <= TOUCH {
            return None;
        }
        if depth < least.1 {
            least = (normal, depth);
        }
    }
    Some(least)
}

/// The move that takes an ellipse out of a polygon, px; none if they do not overlap.
#[must_use]
pub fn ellipse_and_polygon(a: Ellipse, at: DVec2, b: &[DVec2]) -> Option<DVec2> {
    let separation = separation(a, at, b);
    separation.overlaps().then_some(separation.to_touch)
}
