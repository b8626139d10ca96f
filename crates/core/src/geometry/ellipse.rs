//! The ellipse that represents a body.

use super::*;

/// An upright ellipse around a body's center, given by its half-widths in px.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ellipse {
    /// Half-widths along x and y, px, both above 0.
    pub half: DVec2,
}

impl Ellipse {
    /// An ellipse with half-widths `x` and `y` px.
    pub const fn new(x: f64, y: f64) -> Self {
        Self { half: DVec2::new(x, y) }
    }

    /// The same shape with other full widths, px.
    pub const fn sized(self, size: DVec2) -> Self {
        Self::new(0.5 * size.x, 0.5 * size.y)
    }

    /// Its full widths, px.
    pub const fn size(self) -> DVec2 {
        DVec2::new(2.0 * self.half.x, 2.0 * self.half.y)
    }

    /// How far the ellipse reaches from its center in the direction of the unit vector `normal`,
    /// px: `√((x·nx)² + (y·ny)²)`. This is also the distance at which its center rests from a
    /// straight edge with that normal.
    pub fn reach(&self, normal: DVec2) -> f64 {
        let scaled = self.half * normal;
        scaled.dot(scaled).sqrt()
    }

    /// The point of the ellipse farthest in the direction of the unit vector `normal`, relative to
    /// its center, px.
    pub fn farthest(&self, normal: DVec2) -> DVec2 {
        self.half * self.half * normal / self.reach(normal)
    }

    /// Converts an offset to the space in which this ellipse is the unit circle around the origin.
    pub fn to_unit(&self, offset: DVec2) -> DVec2 {
        offset / self.half
    }
}
