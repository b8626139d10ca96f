//! Floor 1: the immutable terrain, its queries, and the ways to move along it.
//!
//! * [`Terrain`]: solids, joined into outlines whose edges know their neighbors, in a grid.
//! * [`Scenery`]: the terrain with its platforms where they are in one tick. Models ask it:
//!   [`sweep`](Scenery::sweep), [`probe`](Scenery::probe), [`cast`](Scenery::cast),
//!   [`overlap`](Scenery::overlap), [`push_out`](Scenery::push_out).
//! * [`Scenery::to_rest`], [`Scenery::rest_positions`]: where bodies come to rest.
//! * [`Path`]: the way of a moving platform; [`Absent`]: which solids are switched off.
//! * [`Contact`]: the one record of what a body stands on.
//! * [`slide`](fn@slide): a free motion that loses what goes into surfaces.
//! * [`walk`](fn@walk): a motion along the ground that keeps its length over bends.
//! * [`Heights`], [`Floor`]: what is in the way at a height in a top view, and what is stood on there.
//! * [`Blocks`]: the solids in convex parts, as bodies with corners meet them.
//! * [`Zone`], [`Air`]: places where something else holds.
//! * [`Level`]: a terrain with its name, bounds and surfaces.

mod absent;
mod block;
mod contact;
mod edge;
mod heights;
mod join;
mod overlap;
mod path;
mod platform;
mod query;
mod rest;
mod scenery;
mod slide;
mod solid;
mod span;
mod terrain;
mod walk;
mod zone;

pub use absent::Absent;
pub use block::{Block, Blocks, MOST_WALLS, Wall};
pub use contact::{Contact, GroundRule};
pub use edge::{Bend, Edge, Feature, Side, SurfaceId};
pub use heights::{Floor, Heights};
pub use path::{Path, PathEnd};
pub use platform::{Platform, Transit};
pub use query::Hit;
pub use rest::RestPosition;
pub use scenery::Scenery;
pub use slide::{Bumps, Slide, slide};
pub use solid::Solid;
pub use span::EdgeSpan;
pub use terrain::Terrain;
pub use walk::{Walk, walk};
pub use zone::{Air, Zone, Zones};

use crate::geometry::grid::Bounds;
use glam::DVec2;
use std::sync::Arc;

/// Farthest coordinate that a level may use, px. Sums of positions and tolerances are exact
/// enough up to here.
pub const FARTHEST: f64 = 16_384.0;

/// From where one looks at the plane, which decides the models that work in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// From the side: y is up and gravity pulls along −y.
    Side,
    /// From above: y points north, and z is the height above the ground plane.
    Top,
}

impl View {
    /// The name in level files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Side => "side",
            Self::Top => "top",
        }
    }
}

/// A level as it is played: immutable, shared, replaced as a whole by a reload.
#[derive(Clone, Debug)]
pub struct Level {
    /// The level's path below the game folder, such as `levels/gap.toml`.
    pub name: Arc<str>,
    /// From where one looks at it.
    pub view: View,
    /// Where bodies may be; one that leaves is returned to its start.
    pub bounds: Bounds,
    /// Its solids.
    pub terrain: Terrain,
    /// What of them is in the way at which height; of a top view.
    pub heights: Heights,
    /// Places where something else holds.
    pub zones: Zones,
    /// What the ground of a top view is made of where no solid is.
    pub plain: SurfaceId,
    /// Surface names; a [`SurfaceId`] is an index into them.
    pub surfaces: Vec<Arc<str>>,
}

impl Level {
    /// A level of these solids, with no zones, bounded only by where coordinates end. Its surfaces
    /// are those of its solids, by their names.
    #[must_use]
    pub fn new(name: &str, view: View, solids: Vec<Solid>, surfaces: Vec<Arc<str>>) -> Self {
        let terrain = Terrain::new(solids);
        let heights = match view {
            View::Side => Heights::default(),
            View::Top => Heights::new(&terrain.solids),
        };
        Self {
            name: name.into(),
            view,
            bounds: Bounds {
                min: DVec2::splat(-FARTHEST),
                max: DVec2::splat(FARTHEST),
            },
            terrain,
            heights,
            zones: Zones::default(),
            plain: SurfaceId(0),
            surfaces,
        }
    }

    /// What is in the way of a body whose feet are at height `z`; all of it in a side view.
    #[must_use]
    pub fn terrain_at(&self, z: f64) -> &Terrain {
        self.heights.above(z).unwrap_or(&self.terrain)
    }

    /// The name of a surface.
    #[must_use]
    pub fn surface_name(&self, id: SurfaceId) -> &Arc<str> {
        &self.surfaces[id.0 as usize]
    }
}
