//! The axis along which a resting ellipse and a polygon are separated, or overlap least.
//!
//! In the space where the ellipse is a unit circle, the separating axes of a circle and a polygon
//! are the normals of its edges and the directions from its corners to the center. The one that
//! counts is that of the nearest feature of the outline; with the center inside, the overlap is
//! what it takes to leave through that feature. For outlines that are not convex this is the way
//! out of the whole solid, where axes of single pieces would point into the next piece.

use super::{Ellipse, polygon};
use glam::DVec2;

/// How an ellipse and an outline lie to each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Separation {
    /// Distance between the two in the ellipse's own space, in units of its size; negative when
    /// they overlap.
    pub gap: f64,
    /// The shortest move (in the ellipse's own space) after which they touch, px.
    pub to_touch: DVec2,
}

impl Separation {
    /// Whether the two overlap by more than the touching tolerance.
    #[must_use]
    pub fn overlaps(&self) -> bool {
        self.gap < -super::TOUCH_SHARE
    }
}

/// The nearest of several edges, in the space where the ellipse is a unit circle around 0.
#[derive(Clone, Copy, Debug)]
pub struct Nearest {
    point: DVec2,
    squared: f64,
    outward: DVec2,
}

impl Default for Nearest {
    fn default() -> Self {
        Self {
            point: DVec2::ZERO,
            squared: f64::INFINITY,
            outward: DVec2::ZERO,
        }
    }
}

impl Nearest {
    /// Considers an edge whose solid lies to its left.
    pub fn consider(&mut self, shape: Ellipse, center: DVec2, start: DVec2, end: DVec2) {
        let (a, b) = (shape.to_unit(start - center), shape.to_unit(end - center));
        let span = b - a;
        let share = (-a.dot(span) / span.dot(span)).clamp(0.0, 1.0);
        let point = a + span * share;
        let squared = point.dot(point);
        if squared < self.squared {
            *self = Self {
                point,
                squared,
                outward: DVec2::new(span.y, -span.x).normalize_or_zero(),
            };
        }
    }

    /// How far the center is from the nearest edge, in units of the body's size; infinite if
    /// there is none.
    #[must_use]
    pub fn distance(&self) -> f64 {
        self.squared.sqrt()
    }

    /// The separation from that edge, for a center inside the outline or outside of it.
    #[must_use]
    pub fn separation(&self, shape: Ellipse, inside: bool) -> Separation {
        let distance = self.distance();
        let signed = if inside { -distance } else { distance };
        // From the feature to the center; on the feature itself only the edge's own normal is
        // left.
        let axis = if distance > 1e-9 {
            -self.point / signed
        } else {
            self.outward
        };
        let gap = signed - 1.0;
        Separation {
            gap,
            to_touch: -axis * gap * shape.half,
        }
    }
}

/// Separates an ellipse at `center` from a simple polygon wound counter-clockwise.
#[must_use]
pub fn separation(shape: Ellipse, center: DVec2, points: &[DVec2]) -> Separation {
    let mut nearest = Nearest::default();
    for (i, &start) in points.iter().enumerate() {
        nearest.consider(shape, center, start, points[(i + 1) % points.len()]);
    }
    nearest.separation(shape, polygon::contains(points, center))
}
