//! When a moving body first touches a straight edge or a corner.
//!
//! Both answers are closed forms. Against an edge with unit normal `n` the body reaches
//! [`Collider::reach`] along `n`, so its gap shrinks linearly with time. A body with a side along the edge touches it
//! with all of that side. Against a corner, an ellipse is a circle in the space of its half-widths, where the distance
//! to the corner is a quadratic in time. A box meets it with one of its sides, and a capsule with a side or one of its
//! two circles.
//!
//! Three rules keep sliding free of snags. A motion that would enter by less than the touching
//! tolerance is not a hit. A body within that tolerance touches already, so an approach from there
//! is a hit at time 0 that does not move it at all. Moving away is never a hit.

use super::*;

/// The first touch of a sweep: when, and with which normal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch {
    /// Fraction of the motion, 0..=1, after which the body touches.
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
pub fn sweep_face(shape: Collider, center: DVec2, motion: DVec2, face: &Face, one_way: bool) -> Option<Touch> {
    let approach = face.normal.dot(motion);
    if approach >= 0.0 {
        return None;
    }
    let height = face.normal.dot(center - face.start);
    // A bound on the reach that needs no square root for an ellipse.
    if height + approach > shape.longest() {
        return None;
    }
    meet_face(shape, center, motion, face, shape.reach(face.normal), one_way)
}

/// The same if it is known how far the shape reaches toward the face.
#[inline(always)]
pub fn meet_face(
    shape: Collider,
    center: DVec2,
    motion: DVec2,
    face: &Face,
    reach: f64,
    one_way: bool,
) -> Option<Touch> {
    let approach = face.normal.dot(motion);
    let height = face.normal.dot(center - face.start);
    let gap = height - reach;
    if approach >= 0.0 || gap + approach >= -TOUCH || height < 0.0 || (one_way && gap < -TOUCH) {
        return None;
    }
    let time = if gap <= TOUCH { 0.0 } else { gap / -approach };
    // The point where the edge's line is nearest in the body's unit space: the point of contact,
    // or, for a body already past the line, the projection of its center onto the line.
    let depth = ((height + approach * time) / reach).min(1.0);
    let (farthest, beyond) = if shape.is_round() {
        (shape.half * shape.half * face.normal * (depth / reach), TOUCH)
    } else {
        // Within the tolerance, its corner is where it is.
        let depth = ((height + approach * time + TOUCH) / reach).min(1.0);
        (shape.farthest(face.normal) * depth, beyond_end(shape.spread(face.normal) * depth))
    };
    let nearest = center + motion * time - farthest;
    let place = face.along.dot(nearest - face.start);
    if place >= -beyond && place <= face.length + beyond {
        return Some(Touch { time, normal: face.normal });
    }
    if shape.is_round() {
        return None;
    }
    // What touches the edge's line beyond its end may come in front of the edge before it has entered by the tolerance.
    // Later than that, it has met the corner.
    let along = face.along.dot(motion);
    let ahead = if along > 0.0 { -beyond - place } else { place - face.length - beyond };
    let arrives = time + ahead / along.abs();
    (ahead > 0.0 && arrives <= (gap + TOUCH) / -approach).then_some(Touch { time: arrives, normal: face.normal })
}

/// How far beyond the end of an edge the middle of a side may be, px, that extends by `spread` px from there and touches
/// the edge. A point touches the end itself. A side has to be in front of some of the edge, so that a box falls through
/// a gap exactly as wide.
fn beyond_end(spread: f64) -> f64 {
    if spread > SNUG { spread - SNUG } else { TOUCH }
}

/// A side that is over an edge or a corner by less than this passes it, px. Far more than rounding can change, and far
/// less than how far beyond its end an edge stops a body, so that nothing slips in between the two.
const SNUG: f64 = 1e-8;

/// The first touch of `shape`, moving from `center` by `motion`, with the point `corner`.
#[inline]
pub fn sweep_corner(shape: Collider, center: DVec2, motion: DVec2, corner: DVec2) -> Option<Touch> {
    if !shape.is_round() {
        return sweep_corner_with_sides(shape, center - corner, motion);
    }
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

/// The first touch of a box or a capsule, moving by `motion` from this offset from a corner, with the corner: with one of
/// its sides, or with one of the circles at the ends of a capsule.
#[inline(never)]
fn sweep_corner_with_sides(shape: Collider, from: DVec2, motion: DVec2) -> Option<Touch> {
    let normal = shape.normal_at(from);
    let inside = shape.spread(normal) > 0.0 || shape.gauge(from) < 1.0 - TOUCH_SHARE;
    if inside && from.abs().cmplt(shape.half - TOUCH).all() {
        return (normal.dot(motion) < 0.0).then_some(Touch { time: 0.0, normal });
    }
    let flat = shape.flat();
    let sharp = shape.form == ColliderForm::Box;
    let side = |axis: usize| {
        let other = 1 - axis;
        let (out, gap) = (from[axis].signum(), from[axis].abs() - shape.half[axis]);
        let approach = motion[axis] * out;
        if flat[other] <= 0.0 || gap < -TOUCH || gap + approach >= -TOUCH {
            return None;
        }
        let time = if gap <= TOUCH { 0.0 } else { gap / -approach };
        let beyond = |time: f64| (from[other] + motion[other] * time).abs() - flat[other];
        // A box is stopped where the corner would enter it through this side.
        let meets = if sharp {
            beyond((gap + TOUCH) / -approach) < -SNUG
        } else {
            beyond(time) <= TOUCH
        };
        let mut normal = DVec2::ZERO;
        normal[axis] = out;
        meets.then_some(Touch { time, normal })
    };
    let end = |center: DVec2| {
        if sharp {
            return None;
        }
        let radius = shape.half.min_element();
        let touch = sweep_corner(Collider::ellipse(radius, radius), from - center, motion, DVec2::ZERO);
        // The other half of the circle is inside the capsule.
        touch.filter(|touch| touch.normal.dot(center) >= 0.0)
    };
    let touches = [side(0), side(1), end(flat), end(-flat)];
    touches.into_iter().flatten().min_by(|a, b| a.time.total_cmp(&b.time))
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
pub fn sweep_corner_from_above(shape: Collider, center: DVec2, motion: DVec2, corner: DVec2, up: f64) -> Option<Touch> {
    let inner = 1.0 - TOUCH_SHARE;
    let offset = center - corner;
    let overlaps = if shape.is_round() {
        shape.to_unit(offset).length_squared() < inner * inner
    } else {
        shape.gauge(offset) < inner
    };
    if overlaps {
        return None;
    }
    sweep_corner(shape, center, motion, corner).filter(|touch| touch.normal.y * up >= ABOVE)
}
