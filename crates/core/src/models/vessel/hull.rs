//! The pieces of a vessel, with their mass, reach and outlines.

use super::*;
use crate::geometry::{convex::mass_center, polygon::sides, sweep::Face};

/// Maximum number of corners of a piece.
pub const MOST_CORNERS: usize = 12;

/// Sides whose normals differ by less than this lie flat on each other.
const FLAT: f64 = 1e-6;

/// A rigid body in its own frame, around its center of mass.
#[derive(Clone, Debug, PartialEq)]
pub struct Hull {
    /// Its convex pieces.
    pub pieces: Arc<[Piece]>,
    /// The outward unit normal of each edge of each piece.
    normals: Vec<Vec<DVec2>>,
    /// Mass divided by moment of inertia, 1/px².
    pub inertia_ratio: f64,
    /// Distance from the center to the farthest corner, px.
    pub radius: f64,
    /// The smallest width of any piece, px.
    pub least: f64,
    /// Number of pieces that are feet.
    pub feet: usize,
}

impl Hull {
    /// The hull of a body shape. An `inertia_ratio` of 0 is computed from the pieces.
    pub fn new(shape: &BodyShape, inertia_ratio: f64) -> Self {
        let outlines: Vec<Vec<DVec2>> = shape.pieces.iter().map(|p| p.points.clone()).collect();
        let (_, _, inertia) = mass_center(&outlines);
        let computed = if inertia > 0.0 { 1.0 / inertia } else { 1.0 };
        let normal = |(start, end): (DVec2, DVec2)| Face::normal_of((end - start).normalize_or_zero());
        let normals: Vec<Vec<DVec2>> = outlines.iter().map(|o| sides(o).map(normal).collect()).collect();
        let widths = outlines.iter().zip(&normals).map(|(o, n)| width(o, n));
        let corners = outlines.iter().flatten();
        Self {
            pieces: shape.pieces.clone().into(),
            inertia_ratio: if inertia_ratio > 0.0 { inertia_ratio } else { computed },
            radius: corners.map(|p| p.length()).fold(0.0, f64::max),
            least: widths.fold(f64::INFINITY, f64::min),
            feet: shape.pieces.iter().filter(|p| p.foot).count(),
            normals,
        }
    }

    /// Whether any side of it lies flat on a surface with this normal, at this angle.
    pub(super) fn lies(&self, angle: f64, normal: DVec2) -> bool {
        let turn = turn(angle);
        self.normals
            .iter()
            .flatten()
            .any(|own| turned(turn, *own).distance_squared(-normal) < FLAT * FLAT)
    }

    /// Distance from the center down to the lowest point at this rotation (cosine and sine), px.
    pub fn depth(&self, turn: DVec2) -> f64 {
        let corners = self.pieces.iter().flat_map(|piece| &piece.points);
        let heights = corners.map(|p| turned(turn, *p).y);
        -heights.fold(f64::INFINITY, f64::min)
    }
}

/// The smallest width of a convex outline, px.
fn width(outline: &[DVec2], normals: &[DVec2]) -> f64 {
    let across = |(i, n): (usize, &DVec2)| {
        let depths = outline.iter().map(|p| (outline[i] - *p).dot(*n));
        depths.fold(0.0, f64::max)
    };
    let widths = normals.iter().enumerate().map(across);
    widths.fold(f64::INFINITY, f64::min)
}

/// Position and rotation of a vessel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Its center of mass, px.
    pub pos: DVec2,
    /// Cosine and sine of its angle.
    pub turn: DVec2,
}

impl Pose {
    /// Unit vector along the vessel's own up.
    pub fn up(&self) -> DVec2 {
        DVec2::new(-self.turn.y, self.turn.x)
    }
}

/// A piece in world coordinates.
pub struct PlacedPiece {
    points: [DVec2; MOST_CORNERS],
    normals: [DVec2; MOST_CORNERS],
    count: usize,
    /// Its bounding box.
    pub bounds: Bounds,
    /// Its index among the feet; `None` for the hull.
    pub foot: Option<u8>,
    /// Its index among the pieces.
    pub index: u8,
}

impl PlacedPiece {
    /// The corners, px.
    #[inline]
    pub fn points(&self) -> &[DVec2] {
        &self.points[..self.count]
    }

    /// The outward normals of the edges that begin at the corners.
    #[inline]
    pub fn normals(&self) -> &[DVec2] {
        &self.normals[..self.count]
    }
}

impl Hull {
    /// Calls `visit` with every piece in world coordinates, with feet moved in by their
    /// compression.
    #[inline]
    pub(super) fn place(&self, pose: &Pose, feet: &[Foot], foot_travel: f64, mut visit: impl FnMut(&PlacedPiece)) {
        let mut foot = 0;
        let mut placed = PlacedPiece {
            points: [DVec2::ZERO; MOST_CORNERS],
            normals: [DVec2::ZERO; MOST_CORNERS],
            count: 0,
            bounds: Bounds::NONE,
            foot: None,
            index: 0,
        };
        for (piece, normals) in self.pieces.iter().zip(&self.normals) {
            let mut shift = pose.pos;
            (placed.foot, placed.bounds) = (None, Bounds::NONE);
            if piece.foot {
                let pressed = feet.get(foot).map_or(0.0, |f| f.pos);
                shift += pose.up() * (pressed * foot_travel);
                placed.foot = Some(foot as u8);
                foot += 1;
            }
            placed.count = piece.points.len().min(MOST_CORNERS);
            let corners = piece.points.iter().zip(normals).enumerate();
            for (i, (corner, normal)) in corners.take(placed.count) {
                let point = shift + turned(pose.turn, *corner);
                placed.points[i] = point;
                placed.bounds = placed.bounds.joined(&Bounds::of(point, point));
                placed.normals[i] = turned(pose.turn, *normal);
            }
            visit(&placed);
            placed.index += 1;
        }
    }
}
