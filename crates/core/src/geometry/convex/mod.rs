//! Convex shapes: splitting, clipping and mass properties.
//!
//! A body may have any simple outline, but contacts with terrain are computed on convex parts:
//! [`parts`] makes them when the body is loaded, [`Clip`] cuts them at every contact, and
//! [`mass_center`] finds the body's center of mass.
//!
//! Straight angles count as convex, and so does a corner that bends inward by no more than rounding
//! error. All areas are summed over triangles whose corners are relative to a point of the shape,
//! so they are as exact far from the origin as near it.

mod clip;
mod ears;
mod parts;

pub use clip::{Clip, MOST_CLIP};
pub use parts::{ConvexPart, parts};

use glam::DVec2;

/// Angles with a sine below this are straight up to rounding.
const STRAIGHT: f64 = 1e-9;

/// The index of the first corner of a counterclockwise outline that bends inward by more than
/// rounding error; `None` if the outline is convex.
pub fn first_inward_corner(points: &[DVec2]) -> Option<usize> {
    let count = points.len();
    (0..count).find(|&i| {
        let before = points[(i + count - 1) % count];
        bends_in(before, points[i], points[(i + 1) % count])
    })
}

/// Whether a path that turns at `corner` turns right by more than rounding error.
fn bends_in(before: DVec2, corner: DVec2, after: DVec2) -> bool {
    let (come, go) = (corner - before, after - corner);
    come.perp_dot(go) < -STRAIGHT * (come.length_squared() * go.length_squared()).sqrt()
}

/// Area in px², center of mass, and second moment of area about it divided by the area, px², of
/// non-overlapping pieces of one density.
///
/// The last number times a body's mass is its moment of inertia; for a box of `w` by `h` px it is
/// `(w² + h²) / 12`. The pieces are simple polygons wound counterclockwise. Pieces without area
/// have their first point as the center and a moment of 0.
pub fn mass_center(pieces: &[Vec<DVec2>]) -> (f64, DVec2, f64) {
    let Some(&origin) = pieces.iter().find_map(|piece| piece.first()) else {
        return (0.0, DVec2::ZERO, 0.0);
    };
    let (mut doubled, mut weighted) = (0.0, DVec2::ZERO);
    for_each_triangle(pieces, origin, |u, v, cross| {
        doubled += cross;
        weighted += (u + v) * cross;
    });
    if doubled <= 0.0 {
        return (0.0, origin, 0.0);
    }
    let center = origin + weighted / (3.0 * doubled);
    let mut moment = 0.0;
    for_each_triangle(pieces, center, |u, v, cross| {
        moment += (u.dot(u) + u.dot(v) + v.dot(v)) * cross;
    });
    (doubled / 2.0, center, moment / (6.0 * doubled))
}

/// Calls `visit` with the ends of every edge relative to `origin` and their cross product: twice
/// the signed area of the triangle between the edge and the origin.
fn for_each_triangle(pieces: &[Vec<DVec2>], origin: DVec2, mut visit: impl FnMut(DVec2, DVec2, f64)) {
    for piece in pieces {
        for (i, &start) in piece.iter().enumerate() {
            let (u, v) = (start - origin, piece[(i + 1) % piece.len()] - origin);
            visit(u, v, cross(u, v));
        }
    }
}

/// A cross product smaller than this fraction of its two terms has lost too many digits to
/// cancellation.
const CANCELED: f64 = 1e-4;

/// The cross product of two vectors, exact to its last digits even where they are almost parallel,
/// as in a slanted sliver.
#[inline]
fn cross(u: DVec2, v: DVec2) -> f64 {
    let (plus, minus) = (u.x * v.y, u.y * v.x);
    let difference = plus - minus;
    if difference.abs() >= CANCELED * (plus.abs() + minus.abs()) {
        difference
    } else {
        difference + (product_error(u.x, v.y, plus) - product_error(u.y, v.x, minus))
    }
}

/// The rounding error of a product of two numbers, after Dekker: halves of 26 bits multiply without
/// rounding.
#[inline]
fn product_error(a: f64, b: f64, product: f64) -> f64 {
    let ((a_high, a_low), (b_high, b_low)) = (halves(a), halves(b));
    ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low
}

/// The upper and lower half of a number's mantissa.
#[inline]
fn halves(a: f64) -> (f64, f64) {
    let scaled = a * 134_217_729.0;
    let high = scaled - (scaled - a);
    (high, a - high)
}
