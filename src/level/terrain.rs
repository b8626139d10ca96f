//! Solids as outlines whose edges know their neighbours.

use crate::geometry::{Grid, grid::Bounds, sweep::Face};
use glam::DVec2;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Which of a level's surfaces something is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SurfaceId(pub u16);

/// How an outline bends where an edge ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bend {
    /// It goes straight on: the two edges act as one.
    Straight,
    /// Outwards: a corner that a body can touch.
    Out,
    /// Inwards: a notch whose corner no body reaches.
    In,
}

/// Sines of angles below this count as straight.
const STRAIGHT: f64 = 1e-9;

/// One edge of a solid's outline.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    /// Its place, direction, normal and length.
    pub face: Face,
    /// The solid it belongs to, an index into [`Terrain::solids`].
    pub solid: u32,
    /// The edge that ends where this one begins.
    pub before: u32,
    /// The edge that begins where this one ends.
    pub after: u32,
    /// How the outline bends at this edge's end.
    pub bend: Bend,
}

/// The part of the terrain that something touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Feature {
    /// The straight part of the edge with this index.
    Face(u32),
    /// The corner at the end of the edge with this index.
    Corner(u32),
}

/// A solid polygon.
#[derive(Clone, Debug)]
pub struct Solid {
    /// Its name, given or made from its place in the file.
    pub name: Arc<str>,
    /// What it is made of.
    pub surface: SurfaceId,
    /// Its outline, px, wound counter-clockwise.
    pub points: Vec<DVec2>,
    /// The box around it.
    pub bounds: Bounds,
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
        }
    }
}

/// All solids of a level, ready for queries.
#[derive(Clone, Debug)]
pub struct Terrain {
    pub(super) solids: Vec<Solid>,
    pub(super) edges: Vec<Edge>,
    pub(super) grid: Grid,
}

/// Width of a grid cell, px: about one character.
const CELL: f64 = 40.0;

impl Terrain {
    /// Builds the terrain of these solids.
    #[must_use]
    pub fn new(solids: Vec<Solid>) -> Self {
        let mut edges: Vec<Edge> = Vec::new();
        for (index, solid) in solids.iter().enumerate() {
            add_outline(&mut edges, index as u32, &solid.points);
        }
        let boxes: Vec<Bounds> = edges
            .iter()
            .map(|e| Bounds::of(e.face.start, e.face.end()))
            .collect();
        Self {
            solids,
            edges,
            grid: Grid::new(&boxes, CELL),
        }
    }

    /// The solids, in the order of the level file.
    #[must_use]
    pub fn solids(&self) -> &[Solid] {
        &self.solids
    }

    /// The edges, in the order of the solids.
    #[must_use]
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// The edge with this index.
    #[must_use]
    pub fn edge(&self, index: u32) -> &Edge {
        &self.edges[index as usize]
    }

    /// The solid that a feature belongs to.
    #[must_use]
    pub fn solid_of(&self, feature: Feature) -> &Solid {
        let (Feature::Face(edge) | Feature::Corner(edge)) = feature;
        &self.solids[self.edge(edge).solid as usize]
    }
}

fn add_outline(edges: &mut Vec<Edge>, solid: u32, points: &[DVec2]) {
    let first = edges.len();
    let count = points.len();
    for i in 0..count {
        let face = Face::new(points[i], points[(i + 1) % count]);
        let next = Face::new(points[(i + 1) % count], points[(i + 2) % count]);
        let turn = face.along.perp_dot(next.along);
        let bend = if turn.abs() < STRAIGHT {
            Bend::Straight
        } else if turn > 0.0 {
            Bend::Out
        } else {
            Bend::In
        };
        edges.push(Edge {
            face,
            solid,
            before: (first + (i + count - 1) % count) as u32,
            after: (first + (i + 1) % count) as u32,
            bend,
        });
    }
}
