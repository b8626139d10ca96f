//! Where a body moves.

use super::{Body, Footing, Intent, Surroundings};
use crate::geometry::Ellipse;
use crate::level::{GroundRule, Scenery, Terrain, View};

/// Where a body moves: its collider and footing, and the terrain and conditions around it.
#[derive(Clone, Copy, Debug)]
pub struct MoveContext<'a> {
    /// The body's collider.
    pub shape: Ellipse,
    /// How the body stands and falls.
    pub footing: &'a Footing,
    /// Tick, gravity, zones and level.
    pub around: &'a Surroundings<'a>,
    /// The body's input.
    pub intent: &'a Intent,
    /// Height of the body's feet, px. It decides which part of a top view's terrain blocks the body.
    pub z: f64,
}

impl<'a> MoveContext<'a> {
    /// The context of a body with this collider and input, at its current position.
    #[inline(always)]
    pub fn new(
        shape: Ellipse,
        footing: &'a Footing,
        around: &'a Surroundings<'a>,
        intent: &'a Intent,
        body: &Body,
    ) -> Self {
        Self { shape, footing, around, intent, z: body.z }
    }

    /// The direction against gravity along y, 1 or −1.
    #[inline(always)]
    pub fn up(&self) -> f64 {
        self.footing.up(self.around.gravity)
    }

    /// Which contacts count as ground, and in which direction the ground is.
    #[inline(always)]
    pub fn rule(&self) -> &'a GroundRule {
        self.footing.rule_for(self.up())
    }

    /// The terrain of [`scenery`](Self::scenery), with everything in it.
    #[inline(always)]
    pub fn terrain(&self) -> &'a Terrain {
        match self.around.level.view {
            View::Side => &self.around.level.terrain,
            View::Top => self.around.level.terrain_at(self.z),
        }
    }

    /// The terrain that can block the body. While Down is held it has no one-way platforms, which only
    /// side views have.
    #[inline]
    pub fn scenery(&self) -> Scenery<'a> {
        match self.around.level.view {
            View::Side => {
                let scenery = self.around.scenery();
                scenery.dropping(self.intent.down()).upward(self.up())
            }
            View::Top => self.around.scenery_at(self.z),
        }
    }
}
