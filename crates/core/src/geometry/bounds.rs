//! Axis-aligned boxes.

use glam::DVec2;

/// An axis-aligned box, px.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Lower left corner.
    pub min: DVec2,
    /// Upper right corner.
    pub max: DVec2,
}

impl Bounds {
    /// The smallest box around two points.
    pub fn of(a: DVec2, b: DVec2) -> Self {
        Self { min: a.min(b), max: a.max(b) }
    }

    /// The smallest box around a list of points; an inverted box around none.
    pub fn around(points: &[DVec2]) -> Self {
        let start = Self { min: DVec2::INFINITY, max: DVec2::NEG_INFINITY };
        points.iter().fold(start, |b, p| Self { min: b.min.min(*p), max: b.max.max(*p) })
    }

    /// This box, larger by `margin` on every side.
    pub fn grown(self, margin: DVec2) -> Self {
        Self { min: self.min - margin, max: self.max + margin }
    }

    /// The box moved by `offset`.
    pub fn moved(self, offset: DVec2) -> Self {
        Self { min: self.min + offset, max: self.max + offset }
    }

    /// Whether the two boxes share a point.
    pub fn meets(&self, other: &Self) -> bool {
        self.min.cmple(other.max).all() && other.min.cmple(self.max).all()
    }

    /// Whether `point` lies in the box.
    pub fn holds(&self, point: DVec2) -> bool {
        self.min.cmple(point).all() && point.cmple(self.max).all()
    }
}
