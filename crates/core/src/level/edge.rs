//! Edges of the terrain's outlines, and the features that bodies touch.

use crate::geometry::{grid::Bounds, sweep::Face};
use glam::DVec2;
use serde::{Deserialize, Serialize};

/// Index of a surface in [`Level::surfaces`](super::Level::surfaces).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SurfaceId(pub u16);

/// How an outline bends where an edge ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bend {
    /// The next edge continues straight: the two act as one.
    Straight,
    /// Outward: a corner that a body can touch.
    Out,
    /// Inward: a notch whose corner no body can reach.
    In,
}

/// From which sides an edge is solid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The outline of a solid: solid from outside.
    Solid,
    /// A one-way platform: solid from above only, and not at all under inverted gravity.
    OneWay,
    /// The underside of a one-way platform, which closes the line into an outline. Under inverted
    /// gravity it is solid from below; otherwise it is never solid.
    Under,
}

/// One edge of the terrain's outline.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    /// Position, direction, normal and length; for a moving platform, as drawn.
    pub face: Face,
    /// End point, px.
    pub end: DVec2,
    /// The solid it belongs to, as an index into [`Terrain::solids`](super::Terrain::solids).
    pub solid: u32,
    /// Index of the previous edge in the outline.
    pub before: u32,
    /// Index of the next edge in the outline.
    pub after: u32,
    /// How the outline bends at this edge's end.
    pub bend: Bend,
    /// Whether a one-way line ends there and its underside begins, or the other way around.
    pub tip: bool,
    /// From which sides it is solid.
    pub side: Side,
    /// Index of its surface.
    pub surface: SurfaceId,
    /// The platform it belongs to, as an index into
    /// [`Terrain::platforms`](super::Terrain::platforms).
    pub platform: Option<u16>,
}

/// The part of the terrain that a contact touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Feature {
    /// The straight part of the edge with this index.
    Face(u32),
    /// The corner at the end of the edge with this index.
    Corner(u32),
}

impl Feature {
    /// The index of the edge.
    pub const fn edge(self) -> u32 {
        let (Self::Face(edge) | Self::Corner(edge)) = self;
        edge
    }
}

/// The part of an edge that a sweep needs, stored inline in the grid. It fills one cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct GridEdge {
    pub start: DVec2,
    /// Unit vector along the edge.
    pub along: DVec2,
    pub length: f64,
    pub end: DVec2,
    pub index: u32,
    /// Whether the corner at its end can be touched.
    pub corner: bool,
    /// Whether that corner is the end of a one-way line, which belongs to both of its sides.
    pub tip: bool,
    pub side: Side,
}

impl GridEdge {
    /// Unit normal, out of the solid.
    #[inline(always)]
    pub fn normal(&self) -> DVec2 {
        Face::normal_of(self.along)
    }

    /// The edge's position, direction, normal and length.
    #[inline(always)]
    pub fn face(&self) -> Face {
        Face { start: self.start, along: self.along, normal: self.normal(), length: self.length }
    }
}

/// The grid's form of an edge.
pub(super) fn grid_edge((index, edge): (usize, &Edge)) -> (Bounds, GridEdge) {
    let bounds = Bounds::of(edge.face.start, edge.end);
    let near = GridEdge {
        start: edge.face.start,
        along: edge.face.along,
        length: edge.face.length,
        end: edge.end,
        index: index as u32,
        corner: edge.bend == Bend::Out,
        tip: edge.tip,
        side: edge.side,
    };
    (bounds, near)
}
