//! The axis along which a resting ellipse and a polygon are separated, or overlap least.
//!
//! In the space where the ellipse is a unit circle, the separating axes of a circle and a polygon
//! are the normals of its edges and the directions from its corners to the centre. The one that
//! counts is that of the nearest feature of the outline; with the centre inside, the overlap is
//! what it takes to leave through that feature. For outlines that are not convex this is the way
//! out of the whole solid, where axes of single pieces would point into the next piece.

use super::{Ellipse, polygon};
use glam::DVec2;

/// How an ellipse and a solid lie to each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Separation {
    /// Gap in units of the ellipse's size: positive apart, 0 touching, negative overlapping.
    pub gap: f64,
    /// The motion that makes the two just touch, px.
    pub to_touch: DVec2,
}

impl Separation {
    /// Whether the two overlap by more than a touch.
    #[must_use]
    pub fn overlaps(&self) -> bool {
        self.gap < -super::TOUCH_SHARE
    }
}

/// The separation of `shape` around `centre` from the solid inside the counter-clockwise
/// outline `points`.
#[must_use]
pub fn separation(shape: Ellipse, centre: DVec2, points: &[DVec2]) -> Separation {
    let local = |p: DVec2| shape.to_unit(p - centre);
    let mut nearest = DVec2::ZERO;
    let mut nearest_squared = f64::INFINITY;
    let mut outward = DVec2::ZERO;
    for (i, &a) in points.iter().enumerate() {
        let (a, b) = (local(a), local(points[(i + 1) % points.len()]));
        let span = b - a;
        let share = (-a.dot(span) / span.dot(span)).clamp(0.0, 1.0);
        let point = a + span * share;
        let squared = point.dot(point);
        if squared < nearest_squared {
            nearest_squared = squared;
            nearest = point;
            outward = DVec2::new(span.y, -span.x).normalize_or_zero();
        }
    }
    let distance = nearest_squared.sqrt();
    let inside = polygon::contains(points, centre);
    let signed = if inside { -distance } else { distance };
    // From the feature to the centre; on the feature itself only the edge's own normal is left.
    let axis = if distance > 1e-9 {
        if inside {
            nearest / distance
        } else {
            -nearest / distance
        }
    } else {
        outward
    };
    let gap = signed - 1.0;
    Separation {
        gap,
        to_touch: -axis * gap * shape.half,
    }
}
