//! Solids: the polygons and one-way lines that a level file lists.

use super::{Path, SurfaceId};
use crate::geometry::grid::Bounds;
use glam::DVec2;
use std::sync::Arc;

/// A solid polygon, or a one-way line.
#[derive(Clone, Debug)]
pub struct Solid {
    /// Its name, given or made from its place in the file.
    pub name: Arc<str>,
    /// What it is made of.
    pub surface: SurfaceId,
    /// Its outline, px, wound counter-clockwise; of a one-way platform its line, from right to
    /// left.
    pub points: Vec<DVec2>,
    /// The box around it.
    pub bounds: Bounds,
    /// Whether it is a line that is solid from above only.
    pub one_way: bool,
    /// Its way, if it moves.
    pub path: Option<Path>,
    /// Whether it is there when the level begins, of one that can be switched on and off.
    pub present: Option<bool>,
    /// How high it stands in a top view, px; infinite where nothing is higher.
    pub top: f64,
}

impl Solid {
    /// A solid from a checked outline, as [`crate::geometry::polygon::outline`] returns it.
    #[must_use]
    pub fn new(name: Arc<str>, surface: SurfaceId, points: Vec<DVec2>) -> Self {
        let bounds = Bounds::around(&points);
        Self {
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

    /// A one-way platform from a checked line, as [`crate::geometry::polygon::one_way`] returns it.
    #[must_use]
    pub fn one_way(name: Arc<str>, surface: SurfaceId, points: Vec<DVec2>) -> Self {
        Self {
            one_way: true,
            ..Self::new(name, surface, points)
        }
    }

    /// Whether it is a part of its own, which is not joined with others: it moves, or it can be
    /// switched off.
    #[must_use]
    pub fn is_apart(&self) -> bool {
        self.path.is_some() || self.present.is_some()
    }
}
