//! Edges of the terrain's outlines, and the parts of them that bodies touch.

use crate::geometry::{grid::Bounds, sweep::Face};
use glam::DVec2;
use serde::{Deserialize, Serialize};

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

/// From which sides an edge is solid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The outline of a solid: from outside.
    Solid,
    /// A one-way platform: from above only.
    OneWay,
    /// The lower side of a one-way platform: never. It closes the line into an outline.
    Under,
}

/// One edge of the terrain's outline.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    /// Its place, direction, normal and length; of a moving platform, as drawn.
    pub face: Face,
    /// Where it ends, px.
    pub end: DVec2,
    /// The solid it belongs to, an index into [`Terrain::solids`].
    pub solid: u32,
    /// The edge that ends where this one begins.
    pub before: u32,
    /// The edge that begins where this one ends.
    pub after: u32,
    /// How the outline bends at this edge's end.
    pub bend: Bend,
    /// From which sides it is solid.
    pub side: Side,
    /// What it is made of.
    pub surface: SurfaceId,
    /// The platform that it is part of, an index into [`Terrain::platforms`].
    pub platform: Option<u16>,
}

/// The part of the terrain that something touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Feature {
    /// The straight part of the edge with this index.
    Face(u32),
    /// The corner at the end of the edge with this index.
    Corner(u32),
}

impl Feature {
    /// The index of the edge.
    #[must_use]
    pub const fn edge(self) -> u32 {
        let (Self::Face(edge) | Self::Corner(edge)) = self;
        edge
    }
}

/// What a sweep needs of an edge, stored where the grid finds it.
#[derive(Clone, Copy, Debug)]
pub(super) struct GridEdge {
    pub face: Face,
    pub end: DVec2,
    pub index: u32,
    /// Whether the corner at its end can be touched.
    pub corner: bool,
    pub side: Side,
}

/// The edge as the grid keeps it, if anything of it can be touched.
pub(super) fn grid_edge((index, edge): (usize, &Edge)) -> Option<(Bounds, GridEdge)> {
    let corner = edge.bend == Bend::Out;
    let bounds = match (edge.side, corner) {
        (Side::Under, false) => return None,
        (Side::Under, true) => Bounds::of(edge.end, edge.end),
        _ => Bounds::of(edge.face.start, edge.end),
    };
    let near = GridEdge {
        face: edge.face,
        end: edge.end,
        index: index as u32,
        corner,
        side: edge.side,
    };
    Some((bounds, near))
}
