//! The axis that separates a body at rest from a polygon, or along which they overlap least.
//!
//! In the space where the ellipse is a unit circle, the candidate axes are the normals of the
//! polygon's edges and the directions from its corners to the center. The nearest feature of the
//! outline decides. With the center inside, the overlap is the distance needed to leave through
//! that feature. For concave outlines this is the way out of the whole solid, where the axes of
//! individual convex pieces would point into the next piece.
//!
//! Boxes and capsules are measured in their own sizes in the same way: the outline is as far away as the factor by which
//! they have to be scaled to touch it.

use super::{sweep::Face, *};

/// How far the nearest edge is looked for at most, in sizes of the body.
const FARTHEST: f64 = 1e7;

/// How a body and an outline lie relative to each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Separation {
    /// Distance between the two in sizes of the body; negative when they overlap.
    pub gap: f64,
    /// The shortest move, measured in the same way, after which they touch, px.
    pub to_touch: DVec2,
}

impl Separation {
    /// Whether the two overlap by more than the touching tolerance.
    pub fn overlaps(&self) -> bool {
        self.gap < -super::TOUCH_SHARE
    }
}

/// The nearest of several edges, in the space where the body's half-widths are 1 and its center is 0.
#[derive(Clone, Copy, Debug)]
pub struct Nearest {
    /// Where the body has to move away from.
    point: DVec2,
    /// The square of its distance, in sizes of the body.
    squared: f64,
    outward: DVec2,
}

impl Default for Nearest {
    fn default() -> Self {
        Self { point: DVec2::ZERO, squared: f64::INFINITY, outward: DVec2::ZERO }
    }
}

impl Nearest {
    /// Compares an edge, with its solid to the left, to the nearest one so far.
    pub fn consider(&mut self, shape: Collider, center: DVec2, start: DVec2, end: DVec2) {
        if !shape.is_round() {
            return self.consider_with_sides(shape, start - center, end - center);
        }
        let (a, b) = (shape.to_unit(start - center), shape.to_unit(end - center));
        let span = b - a;
        let share = (-a.dot(span) / span.dot(span)).clamp(0.0, 1.0);
        let point = a + span * share;
        let squared = point.dot(point);
        if squared < self.squared {
            *self = Self { point, squared, outward: DVec2::new(span.y, -span.x).normalize_or_zero() };
        }
    }

    /// The same for a box or a capsule, with the ends of the edge relative to its center. It leaves the edge at a right
    /// angle, a corner through its nearest side, and a corner in the round part of a capsule in line with its center.
    fn consider_with_sides(&mut self, shape: Collider, start: DVec2, end: DVec2) {
        let Face { along, normal, length, .. } = Face::new(start, end);
        let (height, reach, farthest) = (-normal.dot(start), shape.reach(normal), shape.farthest(normal));
        let scale = height / reach;
        // The middle of what touches the line of the edge first, while the body grows.
        let place = along.dot(-farthest * scale - start);
        let spread = shape.spread(normal) * scale.abs();
        let (distance, point) = if place + spread >= 0.0 && place - spread <= length {
            (scale.abs(), normal * -height)
        } else {
            let [(to_start, start), (to_end, end)] = [start, end].map(|corner| (shape.gauge(corner), corner));
            let (distance, corner) = if to_start <= to_end { (to_start, start) } else { (to_end, end) };
            let side = shape.normal_at(corner);
            let flat = side.min_element() == 0.0 || side.max_element() == 0.0;
            (distance, if flat { side * side.dot(corner) } else { corner })
        };
        if distance * distance < self.squared {
            let outward = shape.to_unit(normal * reach);
            *self = Self { point: shape.to_unit(point), squared: distance * distance, outward };
        }
    }

    /// Distance from the center to the nearest edge in sizes of the body; infinite if there are no edges.
    pub fn distance(&self) -> f64 {
        self.squared.sqrt()
    }

    /// The separation of a body at `center` from the nearest edge, if it reaches one. `consider` compares the edges in
    /// an area. With the center `inside`, the way out may be longer than the body.
    pub fn search(
        shape: Collider,
        center: DVec2,
        inside: bool,
        consider: impl Fn(&mut Self, &Bounds),
    ) -> Option<Separation> {
        let mut reach = 1.0;
        loop {
            let mut nearest = Self::default();
            consider(&mut nearest, &Bounds::of(center, center).grown(shape.half * reach));
            if nearest.distance() <= reach {
                return Some(nearest.separation(shape, inside));
            }
            if !inside || reach > FARTHEST {
                return None;
            }
            reach *= 2.0;
        }
    }

    /// The separation from the nearest edge, for a center inside or outside the outline.
    pub fn separation(&self, shape: Collider, inside: bool) -> Separation {
        let distance = self.distance();
        let signed = if inside { -distance } else { distance };
        // From the feature to the center. With the center on the feature itself, only the edge's
        // own normal is left.
        let axis = if distance > 1e-9 { -self.point / signed } else { self.outward };
        let gap = signed - 1.0;
        Separation { gap, to_touch: -axis * gap * shape.half }
    }
}

/// The separation of a body at `center` from a simple polygon wound counterclockwise.
pub fn separation(shape: Collider, center: DVec2, points: &[DVec2]) -> Separation {
    let mut nearest = Nearest::default();
    for (start, end) in polygon::sides(points) {
        nearest.consider(shape, center, start, end);
    }
    nearest.separation(shape, polygon::contains(points, center))
}
