//! How two bodies overlap, and the shortest way apart.

use super::separation::separation;
use super::{Ellipse, TOUCH};
use glam::DVec2;

/// Turns towards the axis of least overlap; each gains about a digit.
const TURNS: u32 = 12;

/// The move that takes the first ellipse out of the second, px; none if they do not overlap.
///
/// Two convex bodies are apart along `n` by `d·n − reach₁(n) − reach₂(n)`, where `d` leads from one
/// centre to the other. The axis along which that is largest satisfies `n ∝ d / (h₁²/reach₁ +
/// h₂²/reach₂)`, part by part, which is solved by iteration.
#[must_use]
pub fn ellipses(a: Ellipse, at_a: DVec2, b: Ellipse, at_b: DVec2) -> Option<DVec2> {
    let from = at_a - at_b;
    let sum = a.half + b.half;
    if from.abs().cmpge(sum).any() {
        return None;
    }
    let mut axis = from.normalize_or(DVec2::X);
    for _ in 0..TURNS {
        let spread = a.half * a.half / a.reach(axis) + b.half * b.half / b.reach(axis);
        let next = (from / spread).normalize_or(axis);
        if next == axis {
            break;
        }
        axis = next;
    }
    let gap = |axis: DVec2| from.dot(axis) - a.reach(axis) - b.reach(axis);
    // Deep inside, the iteration finds a saddle; the axes themselves are never worse by much.
    let side = |v: f64| if v < 0.0 { -1.0 } else { 1.0 };
    let upright = [
        axis,
        DVec2::new(side(from.x), 0.0),
        DVec2::new(0.0, side(from.y)),
    ];
    let best = upright
        .into_iter()
        .max_by(|a, b| gap(*a).total_cmp(&gap(*b)))
        .unwrap_or(axis);
    (gap(best) < -TOUCH).then(|| best * -gap(best))
}

/// The move that takes the first convex polygon out of the second, px; none if they do not overlap.
/// Both are wound counter-clockwise.
#[must_use]
pub fn convex(a: &[DVec2], b: &[DVec2]) -> Option<DVec2> {
    let out_of_b = least_overlap(b, a)?;
    let out_of_a = least_overlap(a, b)?;
    Some(if out_of_b.1 <= out_of_a.1 {
        out_of_b.0 * out_of_b.1
    } else {
        -out_of_a.0 * out_of_a.1
    })
}

/// The normal of `of` along which `other` overlaps it least, and by how much.
fn least_overlap(of: &[DVec2], other: &[DVec2]) -> Option<(DVec2, f64)> {
    let mut least = (DVec2::ZERO, f64::INFINITY);
    for (i, &start) in of.iter().enumerate() {
        let along = (of[(i + 1) % of.len()] - start).normalize_or_zero();
        let normal = DVec2::new(along.y, -along.x);
        let depth = other
            .iter()
            .map(|p| -(*p - start).dot(normal))
            .fold(f64::NEG_INFINITY, f64::max);
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
