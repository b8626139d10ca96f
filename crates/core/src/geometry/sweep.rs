//! When a moving ellipse first touches a straight edge or a corner.
//!
//! Both answers are closed forms. Against an edge with unit normal `n` the ellipse reaches
//! [`Ellipse::reach`] along `n`, so its gap shrinks linearly with time. Against a corner, in the
//! space where the ellipse is a unit circle, the distance to the corner is a quadratic in time.
//!
//! Three rules keep sliding free of snags. A motion that would enter by less than the touching
//! tolerance is not a hit. A body within that tolerance touches already, so an approach from there
//! is a hit at time 0 that does not move it at all. Moving away is never a hit.

use super::*;

/// The first touch of a sweep: when, and with which normal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch {
    /// Fraction of the motion, 0..=1, after which the ellipse touches.
    pub time: f64,
    /// Unit normal at the point of contact, toward the mover.
    pub normal: DVec2,
}

/// A straight edge of a solid's outline, in the form that sweeps need.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Face {
    /// Where the edge begins, px.
    pub start: DVec2,
    /// Unit vector along the edge.
    pub along: DVec2,
    /// Unit normal, out of the solid.
    pub normal: DVec2,
    /// Length, px.
    pub length: f64,
}

impl Face {
    /// The edge from `start` to `end` of an outline with its inside on the left.
    pub fn new(start: DVec2, end: DVec2) -> Self {
        let span = end - start;
        let length = span.length();
        let along = span / length;
        Self { start, along, normal: Self::normal_of(along), length }
    }

    /// The unit normal of an edge along this unit vector.
    #[inline(always)]
    pub fn normal_of(along: DVec2) -> DVec2 {
        DVec2::new(along.y, -along.x)
    }

    /// Where the edge ends, px.
    pub fn end(&self) -> DVec2 {
        self.start + self.along * self.length
    }

    /// The height at which the center of a body rests on the edge's line at `x`, if it reaches `reach` px
    /// toward it.
    #[inline(always)]
    pub fn resting_height(&self, reach: f64, x: f64) -> f64 {
        self.start.y + (reach - self.normal.x * (x - self.start.x)) / self.normal.y
    }
}

/// The first touch of `shape`, moving from `center` by `motion`, with the solid behind `face`.
///
/// Touches beyond the edge's ends are left to [`sweep_corner`]. An edge does not stop a body whose
/// center is behind it.
pub fn sweep_face(shape: Ellipse, center: DVec2, motion: DVec2, face: &Face, one_way: bool) -> Option<Touch> {
    let approach = face.normal.dot(motion);
    if approach >= 0.0 {
        return None;
    }
    let height = face.normal.dot(center - face.start);
    // A bound on the reach that needs no square root.
    if height + approach > shape.half.max_element() {
        return None;
    }
    let reach = shape.reach(face.normal);
    let gap = height - reach;
    if gap + approach >= -TOUCH || height < 0.0 || (one_way && gap < -TOUCH) {
        return None;
    }
    let time = if gap <= TOUCH { 0.0 } else { gap / -approach };
    // The point where the edge's line is nearest in the body's unit space: the point of contact,
    // or, for a body already past the line, the projection of its center onto the line.
    let depth = ((height + approach * time) / reach).min(1.0);
    let farthest = shape.half * shape.half * face.normal * (depth / reach);
    let nearest = center + motion * time - farthest;
    let place = face.along.dot(nearest - face.start);
    (place >= -TOUCH && place <= face.length + TOUCH).then_some(Touch { time, normal: face.normal })
}

/// The first touch of `shape`, moving from `center` by `motion`, with the point `corner`.
pub fn sweep_corner(shape: Ellipse, center: DVec2, motion: DVec2, corner: DVec2) -> Option<Touch> {
    let from = shape.to_unit(center - corner);
    let step = shape.to_unit(motion);
    let approach = from.dot(step);
    if approach >= 0.0 {
        return None;
    }
    let speed_squared = step.dot(step);
    let distance_squared = from.dot(from);
    let inner = 1.0 - TOUCH_SHARE;
    let depth_test = approach * approach - speed_squared * (distance_squared - inner * inner);
    if depth_test <= 0.0 {
        return None;
    }
    let enters = (-approach - depth_test.sqrt()) / speed_squared;
    if enters > 1.0 {
        return None;
    }
    let outer = 1.0 + TOUCH_SHARE;
    let time = if distance_squared <= outer * outer {
        0.0
    } else {
        let touch_test = approach * approach - speed_squared * (distance_squared - 1.0);
        ((-approach - touch_test.sqrt()) / speed_squared).max(0.0)
    };
    Some(Touch { time, normal: ((from + step * time) / shape.half).normalize_or_zero() })
}

/// More than rounding can change in [`may_touch_corner`].
const ROUNDING: f64 = 1e-8;

/// Whether [`sweep_corner`] may find a touch, in the space in which the body is a unit circle: `from` is its center
/// relative to the corner, and `step` its motion. True a little too often, without a root, a quotient or a branch.
#[inline(always)]
pub fn may_touch_corner(from: DVec2, step: DVec2) -> bool {
    let (approach, speed_squared) = (from.dot(step), step.dot(step));
    let distance_squared = from.dot(from);
    let inner = (1.0 - TOUCH_SHARE) * (1.0 - TOUCH_SHARE);
    // Its path passes the corner so closely.
    let meets = approach * approach * (1.0 + ROUNDING) > speed_squared * (distance_squared - inner);
    // It comes that far: at the end it is past the place nearest to the corner, or within reach of it.
    let end = approach + speed_squared;
    let arrives = (end >= -ROUNDING) | (distance_squared + approach + end < 1.0 + ROUNDING);
    (approach < ROUNDING * distance_squared) & meets & arrives
}

/// Minimum upward component of the normal with which the end of a one-way platform can be touched.
/// Flatter normals would stop bodies that fly past it.
pub const ABOVE: f64 = std::f64::consts::FRAC_1_SQRT_2;

/// Like [`sweep_corner`], for a corner of a one-way platform: it stops only a body that was
/// entirely above it, and only from above; from below if `up` is −1 instead of 1.
pub fn sweep_corner_from_above(shape: Ellipse, center: DVec2, motion: DVec2, corner: DVec2, up: f64) -> Option<Touch> {
    let inner = 1.0 - TOUCH_SHARE;
    if shape.to_unit(center - corner).length_squared() < inner * inner {
        return None;
    }
    sweep_corner(shape, center, motion, corner).filter(|touch| touch.normal.y * up >= ABOVE)
}
