//! The terrain as a body meets it in one tick.

use super::{Edge, Feature, Side, Terrain};
use crate::geometry::sweep::Face;
use glam::DVec2;

/// The terrain with its platforms where they are in this tick, and with its one-way platforms or
/// without them. All queries are asked of it.
#[derive(Clone, Copy, Debug)]
pub struct Scenery<'a> {
    /// The terrain.
    pub terrain: &'a Terrain,
    /// How far each moving platform is from where it is drawn, px.
    pub(super) offsets: &'a [DVec2],
    one_ways: bool,
    /// A platform that is not there.
    pub(super) absent: Option<u16>,
}

impl Terrain {
    /// The terrain as it is at tick 0.
    #[must_use]
    pub fn still(&self) -> Scenery<'_> {
        self.moved(&self.starts)
    }

    /// The terrain with its platforms at these offsets, one for each.
    #[must_use]
    pub fn moved<'a>(&'a self, offsets: &'a [DVec2]) -> Scenery<'a> {
        Scenery {
            terrain: self,
            offsets,
            one_ways: true,
            absent: None,
        }
    }
}

impl Scenery<'_> {
    /// The same without one-way platforms, as those meet it who drop through them.
    #[must_use]
    pub fn dropping(self, drops: bool) -> Self {
        Self {
            one_ways: !drops,
            ..self
        }
    }

    /// The same without one platform, as its rider meets it and who is pushed by it.
    #[must_use]
    pub fn without(self, platform: u16) -> Self {
        Self {
            absent: Some(platform),
            ..self
        }
    }

    /// How far a moving platform is from where it is drawn, px.
    #[must_use]
    pub fn offset_of(&self, platform: u16) -> DVec2 {
        self.offsets[platform as usize]
    }

    /// The edge with this index; its face may lie elsewhere, see [`Self::face`].
    #[must_use]
    pub fn edge(&self, index: u32) -> &Edge {
        self.terrain.edge(index)
    }

    /// How far a moving platform is from where it is drawn, px.
    #[must_use]
    pub fn offset(&self, platform: u16) -> DVec2 {
        self.offsets[platform as usize]
    }

    /// The face of an edge, where it is in this tick.
    #[must_use]
    pub fn face(&self, index: u32) -> Face {
        let edge = self.terrain.edge(index);
        let mut face = edge.face;
        if let Some(platform) = edge.platform {
            face.start += self.offsets[platform as usize];
        }
        face
    }

    /// Whether something of this side is there for the body.
    pub(super) fn has(&self, side: Side) -> bool {
        side == Side::Solid || self.one_ways
    }

    /// Whether a feature is there for the body: all are, but one-way platforms while it drops.
    #[must_use]
    pub fn is_there(&self, feature: Feature) -> bool {
        self.has(self.terrain.edge_of(feature).side)
    }
}
