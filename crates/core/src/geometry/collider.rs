//! The shape with which a body collides: an ellipse, a box or a capsule.

use super::*;

/// The form of a [`Collider`] with given half-widths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ColliderForm {
    /// An upright ellipse.
    #[default]
    Ellipse,
    /// An upright rectangle.
    Box,
    /// A rectangle whose shorter sides are half circles.
    Capsule,
}

/// An upright shape around a body's center.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Collider {
    /// Half-widths along x and y, px, both above 0.
    pub half: DVec2,
    /// What fills the box that they span.
    pub form: ColliderForm,
}

/// Sides whose direction differs from the direction of a line by less than this (as a sine) touch that line with their
/// whole length.
const PARALLEL: f64 = 1e-9;

impl Collider {
    /// A shape of this form with these half-widths, px. A capsule that is as wide as it is tall is a circle.
    pub fn new(form: ColliderForm, half: DVec2) -> Self {
        let circle = form == ColliderForm::Capsule && half.x == half.y;
        Self { half, form: if circle { ColliderForm::Ellipse } else { form } }
    }

    /// An ellipse with half-widths `x` and `y` px.
    pub const fn ellipse(x: f64, y: f64) -> Self {
        Self { half: DVec2::new(x, y), form: ColliderForm::Ellipse }
    }

    /// The same form with other full widths, px.
    pub fn sized(self, size: DVec2) -> Self {
        Self::new(self.form, 0.5 * size)
    }

    /// Its full widths, px.
    pub fn size(self) -> DVec2 {
        2.0 * self.half
    }

    /// The same shape, larger by this much on each side, px.
    pub fn grown(&self, by: f64) -> Self {
        Self { half: self.half + by, ..*self }
    }

    /// Whether it is an ellipse, and so touches every line at one point.
    #[inline(always)]
    pub fn is_round(&self) -> bool {
        self.form == ColliderForm::Ellipse
    }

    /// Half-widths of the box around whose points the rest of the shape is round, px: all of a box, the axis of a capsule,
    /// and the center of an ellipse.
    pub fn flat(&self) -> DVec2 {
        match self.form {
            ColliderForm::Ellipse => DVec2::ZERO,
            ColliderForm::Box => self.half,
            ColliderForm::Capsule => self.half - self.half.min_element(),
        }
    }

    /// Half-widths of the ellipse with which the shape rounds the corners of its [flat](Self::flat) part, px; 0 for a box.
    pub fn round(&self) -> DVec2 {
        self.half - self.flat()
    }

    /// An upper bound on how far it reaches in any direction, px.
    #[inline(always)]
    pub fn longest(&self) -> f64 {
        match self.form {
            ColliderForm::Box => self.half.length(),
            _ => self.half.max_element(),
        }
    }

    /// How far it reaches from its center in the direction of the unit vector `normal`, px. For an ellipse, that is
    /// `√((x·nx)² + (y·ny)²)`, and for a box `x·|nx| + y·|ny|`. This is also the distance at which its center rests
    /// from a straight edge with that normal.
    #[inline]
    pub fn reach(&self, normal: DVec2) -> f64 {
        match self.form {
            ColliderForm::Ellipse => {
                let scaled = self.half * normal;
                scaled.dot(scaled).sqrt()
            }
            ColliderForm::Box => self.half.dot(normal.abs()),
            ColliderForm::Capsule => self.flat().dot(normal.abs()) + self.half.min_element() * normal.length(),
        }
    }

    /// The point of the shape farthest in the direction of the unit vector `normal`, relative to its center, px. Where a
    /// whole side is, that is the middle of the side; see [`Self::spread`].
    #[inline]
    pub fn farthest(&self, normal: DVec2) -> DVec2 {
        match self.form {
            ColliderForm::Ellipse => self.half * self.half * normal / self.reach(normal),
            ColliderForm::Box => self.flat_toward(normal),
            ColliderForm::Capsule => self.flat_toward(normal) + normal * self.half.min_element(),
        }
    }

    /// The part of [`Self::farthest`] that its flat part adds, px; for a capsule, the center of one of its circles.
    pub(crate) fn flat_toward(&self, normal: DVec2) -> DVec2 {
        self.flat() * sides(normal)
    }

    /// How far the side that is farthest in the direction of the unit vector `normal` extends from its middle along the
    /// side, px; 0 if only one point is as far as that.
    #[inline]
    pub fn spread(&self, normal: DVec2) -> f64 {
        if self.is_round() {
            0.0
        } else {
            self.flat().dot((DVec2::ONE - sides(normal).abs()).max(DVec2::ZERO))
        }
    }

    /// How far its outline is above its center at `x` px to the side of it; beyond its half-width, as high as there.
    pub fn height_at(&self, x: f64) -> f64 {
        let (flat, round) = (self.flat(), self.round());
        let beyond = (x.abs() - flat.x).max(0.0);
        if self.is_round() {
            let share = x / self.half.x;
            self.half.y * (1.0 - share * share).max(0.0).sqrt()
        } else if beyond <= 0.0 {
            self.half.y
        } else if beyond < round.x {
            let share = beyond / round.x;
            flat.y + round.y * (1.0 - share * share).sqrt()
        } else {
            flat.y
        }
    }

    /// The smallest factor by which the shape, scaled around its center, covers a point at this offset from that.
    pub(crate) fn gauge(&self, offset: DVec2) -> f64 {
        let away = offset.abs();
        match self.form {
            ColliderForm::Ellipse => self.to_unit(offset).length(),
            ColliderForm::Box => (away / self.half).max_element(),
            ColliderForm::Capsule => {
                // Along its axis and across it.
                let upright = self.half.y > self.half.x;
                let (along, across) = if upright { (away.y, away.x) } else { (away.x, away.y) };
                let (axis, radius) = (self.flat().max_element(), self.half.min_element());
                if along * radius <= across * axis {
                    return across / radius;
                }
                // The positive root of (along − t·axis)² + across² = (t·radius)², in a form that does not cancel.
                let (squared, inner) = (along * along + across * across, axis * along);
                let root = (inner * inner + (radius * radius - axis * axis) * squared).max(0.0).sqrt();
                squared / (inner + root)
            }
        }
    }

    /// The unit normal of the shape, scaled around its center, where this offset from the center is on its outline.
    pub(crate) fn normal_at(&self, offset: DVec2) -> DVec2 {
        let unit = self.to_unit(offset);
        match self.form {
            ColliderForm::Ellipse => (unit / self.half).normalize_or_zero(),
            ColliderForm::Box if unit.x.abs() > unit.y.abs() => DVec2::new(unit.x.signum(), 0.0),
            ColliderForm::Box => DVec2::new(0.0, unit.y.signum()),
            ColliderForm::Capsule => {
                let flat = self.flat() * self.gauge(offset);
                (offset - offset.clamp(-flat, flat)).normalize_or_zero()
            }
        }
    }

    /// Converts an offset to the space in which its half-widths are 1.
    pub fn to_unit(&self, offset: DVec2) -> DVec2 {
        offset / self.half
    }
}

/// An ellipse with these half-widths.
impl From<DVec2> for Collider {
    fn from(half: DVec2) -> Self {
        Self { half, form: ColliderForm::Ellipse }
    }
}

/// On which side of the center the farthest point in this direction is, along x and along y: −1, 1, or 0 in the middle.
fn sides(normal: DVec2) -> DVec2 {
    let side = |v: f64| if v.abs() < PARALLEL { 0.0 } else { v.signum() };
    DVec2::new(side(normal.x), side(normal.y))
}
