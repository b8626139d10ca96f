//! The axis that separates an ellipse at rest from a polygon, or along which they overlap least.
//!
//! In the space where the ellipse is a unit circle, the candidate axes are the normals of the
//! polygon's edges and the directions from its corners to the center. The nearest feature of the
//! outline decides. With the center inside, the overlap is the distance needed to leave through
//! that feature. For concave outlines this is the way out of the whole solid, where the axes of
//! individual convex pieces would point into the next piece.

use super::*;

/// How far the nearest edge is looked for at most, in sizes of the ellipse.
const FARTHEST: f64 = 1e7;

/// How an ellipse and an outline lie relative to each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Separation {
    /// Distance between the two in the ellipse's unit space; negative when they overlap.
    pub gap: f64,
    /// The shortest move, measured in the ellipse's unit space, after which they touch, px.
    pub to_touch: DVec2,
}

impl Separation {
    /// Whether the two overlap by more than the touching tolerance.
    pub fn overlaps(&self) -> bool {
        self.gap < -super::TOUCH_SHARE
    }
}

/// The nearest of several edges, in the space where the ellipse is the unit circle around 0.
#[derive(Clone, Copy, Debug)]
pub struct Nearest {
    point: DVec2,
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
    pub fn consider(&mut self, shape: Ellipse, center: DVec2, start: DVec2, end: DVec2) {
        let (a, b) = (shape.to_unit(start - center), shape.to_unit(end - center));
        let span = b - a;
        let share = (-a.dot(span) / span.dot(span)).clamp(0.0, 1.0);
        let point = a + span * share;
        let squared = point.dot(point);
        if squared < self.squared {
            *self = Self { point, squared, outward: DVec2::new(span.y, -span.x).normalize_or_zero() };
        }
    }

    /// Distance from the center to the nearest edge in the ellipse's unit space; infinite if there
    /// are no edges.
    pub fn distance(&self) -> f64 {
        self.squared.sqrt()
    }

    /// The separation of an ellipse at `center` from the nearest edge, if it reaches one. `consider` compares the edges in
    /// an area. With the center `inside`, the way out may be longer than the ellipse.
    pub fn search(
        shape: Ellipse,
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
    pub fn separation(&self, shape: Ellipse, inside: bool) -> Separation {
        let distance = self.distance();
        let signed = if inside { -distance } else { distance };
        // From the feature to the center. With the center on the feature itself, only the edge's
        // own normal is left.
        let axis = if distance > 1e-9 { -self.point / signed } else { self.outward };
        let gap = signed - 1.0;
        Separation { gap, to_touch: -axis * gap * shape.half }
    }
}

/// The separation of an ellipse at `center` from a simple polygon wound counterclockwise.
pub fn separation(shape: Ellipse, center: DVec2, points: &[DVec2]) -> Separation {
    let mut nearest = Nearest::default();
    for (start, end) in polygon::sides(points) {
        nearest.consider(shape, center, start, end);
    }
    nearest.separation(shape, polygon::contains(points, center))
}
