//! The shape of a body: an ellipse in models that stay upright, convex pieces in models that turn.

use crate::geometry::Ellipse;
use glam::DVec2;

/// A convex piece of a rigid body.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    /// Outline, px from the body's center, wound counterclockwise.
    pub points: Vec<DVec2>,
    /// Whether it is a sprung foot.
    pub foot: bool,
}

/// A body's shape, as its kind defines it.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyShape {
    /// The collider of upright models; for pieces, the ellipse that fills their bounding box.
    pub ellipse: Ellipse,
    /// The pieces of a rigid body; for an ellipse, one polygon inscribed in it.
    pub pieces: Vec<Piece>,
}

/// Corners of the polygon that replaces an ellipse.
const CORNERS: u32 = 12;

impl BodyShape {
    /// An ellipse; half-widths in px.
    pub fn ellipse(ellipse: Ellipse) -> Self {
        let corner = |i: u32| {
            let angle = std::f64::consts::TAU * f64::from(i) / f64::from(CORNERS);
            ellipse.half * DVec2::new(libm::cos(angle), libm::sin(angle))
        };
        Self { ellipse, pieces: vec![Piece { points: (0..CORNERS).map(corner).collect(), foot: false }] }
    }

    /// A box, full widths in px.
    pub fn of_box(width: f64, height: f64) -> Self {
        let (x, y) = (width * 0.5, height * 0.5);
        let corners = [(-x, -y), (x, -y), (x, y), (-x, y)];
        Self {
            ellipse: Ellipse::new(x, y),
            pieces: vec![Piece { points: corners.into_iter().map(DVec2::from).collect(), foot: false }],
        }
    }

    /// Pieces with valid convex outlines. They are shifted so that `center`, their center of mass,
    /// becomes the body's center.
    pub fn of_pieces(mut pieces: Vec<Piece>, center: DVec2) -> Self {
        let mut half = DVec2::splat(0.1);
        for point in pieces.iter_mut().flat_map(|piece| &mut piece.points) {
            *point -= center;
            half = half.max(point.abs());
        }
        Self { ellipse: Ellipse { half }, pieces }
    }
}

impl From<Ellipse> for BodyShape {
    fn from(ellipse: Ellipse) -> Self {
        Self::ellipse(ellipse)
    }
}
