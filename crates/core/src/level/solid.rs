//! Solids: the polygons and one-way lines that a level file lists.

use super::{Path, SurfaceId};
use crate::geometry::grid::Bounds;
use crate::geometry::separation::{Separation, separation};
use crate::geometry::{Ellipse, Inside, Rim, polygon};
use glam::DVec2;
use std::sync::Arc;

/// A solid polygon or a one-way line.
#[derive(Clone, Debug)]
pub struct Solid {
    /// Its name, from the file or derived from its position in it.
    pub name: Arc<str>,
    /// Index of its surface.
    pub surface: SurfaceId,
    /// Its outline, px, wound counterclockwise; for a one-way platform its line, from right to
    /// left.
    pub points: Vec<DVec2>,
    /// Bounding box, px.
    pub bounds: Bounds,
    /// Whether it is a one-way line, solid from above only.
    pub one_way: bool,
    /// Its path, if it moves.
    pub path: Option<Path>,
    /// Whether it is on when the level begins; `None` if it cannot be switched.
    pub present: Option<bool>,
    /// Height of its top in a top view, px; infinite if it has no top.
    pub top: f64,
    /// The edges of its outline by place, if there are many. [`Self::new`] sorts them.
    pub inside: Option<Arc<Inside>>,
    /// The same for the way out of it, if bodies are compared with it alone.
    /// [`Terrain::new`](super::Terrain::new) sorts them.
    pub rim: Option<Arc<Rim>>,
}

impl Solid {
    /// A solid with a validated outline, as returned by [`crate::geometry::polygon::outline`].
    pub fn new(name: Arc<str>, surface: SurfaceId, points: Vec<DVec2>) -> Self {
        let bounds = Bounds::around(&points);
        let inside = Inside::of(&points).map(Arc::new);
        Self {
            inside,
            rim: None,
            name,
            surface,
            points,
            bounds,
            one_way: false,
            path: None,
            present: None,
            top: f64::INFINITY,
        }
    }

    /// A one-way platform with a validated line, as returned by
    /// [`crate::geometry::polygon::one_way`].
    pub fn one_way(name: Arc<str>, surface: SurfaceId, points: Vec<DVec2>) -> Self {
        Self { one_way: true, ..Self::new(name, surface, points) }
    }

    /// Whether a point lies inside its outline.
    pub fn contains(&self, point: DVec2) -> bool {
        self.bounds.holds(point)
            && match &self.inside {
                Some(inside) => inside.contains(&self.points, point),
                None => polygon::contains(&self.points, point),
            }
    }

    /// How a body overlaps its outline; `None` if it does not.
    pub fn overlap(&self, shape: Ellipse, at: DVec2) -> Option<Separation> {
        if let Some(rim) = &self.rim {
            return rim.overlap(shape, at, &self.points);
        }
        Some(separation(shape, at, &self.points)).filter(Separation::overlaps)
    }

    /// Sorts the edges of its outline if bodies are compared with it alone, because it is apart or
    /// has a top to stand on.
    pub(super) fn sort_edges(&mut self) {
        if (self.is_apart() || self.top.is_finite()) && !self.one_way && self.rim.is_none() {
            self.rim = Rim::of(&self.points).map(Arc::new);
        }
    }

    /// Whether it is kept separate rather than joined with others, because it moves or can be
    /// switched off.
    pub fn is_apart(&self) -> bool {
        self.path.is_some() || self.present.is_some()
    }
}
