//! The terrain as a body meets it in one tick.

use super::{Edge, Feature, Platform, Side, Terrain, Transit};
use crate::geometry::grid::Bounds;
use crate::geometry::sweep::Face;
use glam::DVec2;

/// The terrain with those of its platforms that are there, where they are in this tick, and with its
/// one-way platforms or without them. All queries are asked of it.
#[derive(Clone, Copy, Debug)]
pub struct Scenery<'a> {
    /// The terrain.
    pub terrain: &'a Terrain,
    transit: &'a Transit,
    one_ways: bool,
    left_out: LeftOut,
}

/// What is left out of the platforms that are there.
#[derive(Clone, Copy, Debug, PartialEq)]
enum LeftOut {
    Nothing,
    One(u16),
    /// Those that have appeared in this tick.
    New,
}

impl Terrain {
    /// The terrain as it is at tick 0.
    #[must_use]
    pub fn still(&self) -> Scenery<'_> {
        self.moved(&self.starts)
    }

    /// The terrain with its platforms as `transit` says.
    #[must_use]
    pub fn moved<'a>(&'a self, transit: &'a Transit) -> Scenery<'a> {
        Scenery {
            terrain: self,
            transit,
            one_ways: true,
            left_out: LeftOut::Nothing,
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
            left_out: LeftOut::One(platform),
            ..self
        }
    }

    /// The same without what was switched on as this tick began.
    #[must_use]
    pub fn as_it_was(self) -> Self {
        Self {
            left_out: LeftOut::New,
            ..self
        }
    }

    /// Whether a platform is there.
    #[must_use]
    pub fn has_platform(&self, platform: u16) -> bool {
        let left_out = match self.left_out {
            LeftOut::Nothing => false,
            LeftOut::One(other) => other == platform,
            LeftOut::New => self.transit.switched.contains(&platform),
        };
        self.transit.is_there(platform) && !left_out
    }

    /// Calls `visit` with the platforms that are there whose boxes meet `area`, their numbers and how
    /// far they are from where they are drawn, px; with some more than once.
    #[inline]
    pub(super) fn visit_platforms(
        &self,
        area: &Bounds,
        mut visit: impl FnMut(u16, &Platform, DVec2),
    ) {
        let terrain = self.terrain;
        let mut consider = |number: u16, offset: DVec2| {
            let platform = &terrain.platforms[number as usize];
            let bounds = &terrain.solids[platform.solid as usize].bounds;
            if self.has_platform(number) && bounds.meets(&area.moved(-offset)) {
                visit(number, platform, offset);
            }
        };
        for &number in &terrain.movers {
            consider(number, self.transit.offsets[number as usize]);
        }
        if let Some(fixtures) = &terrain.fixtures {
            fixtures.visit(area, |number| consider(*number, DVec2::ZERO));
        }
    }

    /// The edge with this index; its face may lie elsewhere, see [`Self::face`].
    #[must_use]
    pub fn edge(&self, index: u32) -> &Edge {
        self.terrain.edge(index)
    }

    /// How far a platform is from where it is drawn, px.
    #[must_use]
    pub fn offset(&self, platform: u16) -> DVec2 {
        self.transit.offsets[platform as usize]
    }

    /// The face of an edge, where it is in this tick.
    #[must_use]
    pub fn face(&self, index: u32) -> Face {
        let edge = self.terrain.edge(index);
        let mut face = edge.face;
        if let Some(platform) = edge.platform {
            face.start += self.offset(platform);
        }
        face
    }

    /// Whether something of this side is there for the body.
    pub(super) fn has(&self, side: Side) -> bool {
        side == Side::Solid || self.one_ways
    }

    /// Whether a feature is there for the body: all are but what is switched off, and one-way platforms
    /// while it drops.
    #[must_use]
    pub fn is_there(&self, feature: Feature) -> bool {
        let edge = self.terrain.edge_of(feature);
        self.has(edge.side) && edge.platform.is_none_or(|p| self.has_platform(p))
    }
}
