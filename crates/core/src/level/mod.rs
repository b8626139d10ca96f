//! Layer 1: the immutable terrain, queries on it, and motion along it.
//! * [`Terrain`]: solids, joined into outlines whose edges know their neighbors, in a grid.
//! * [`Scenery`]: the terrain with its platforms where they are in one tick. Models query it:
//!   [`sweep`](Scenery::sweep), [`probe`](Scenery::probe), [`cast`](Scenery::cast),
//!   [`overlap`](Scenery::overlap), [`push_out`](Scenery::push_out).
//! * [`Scenery::nearest_rest`], [`Scenery::rest_positions`]: where bodies come to rest.
//! * [`Path`]: the path of a moving platform; [`LevelChanges`]: what scripts have changed about a level;
//!   [`Absent`]: which solids or zones are switched off; [`LevelClock`]: how its time passes.
//! * [`Rotation`]: how a solid rotates; [`Tilt`]: how one lies in one tick.
//! * [`Contact`]: the one record of what a body stands on.
//! * [`slide`](fn@slide): free motion that loses the velocity into each surface it hits.
//! * [`slide_in_tick`]: the same for a body that meets platforms on their way.
//! * [`walk`](fn@walk): motion along the ground that keeps its length over bends.
//! * [`Heights`], [`Floor`]: obstacles and floors by height in a top view.
//! * [`Blocks`]: the solids split into convex parts, for bodies with corners.
//! * [`Bodies`]: bodies that others stand on and run into, as platforms behind those of the level.
//! * [`Zone`], [`Air`]: areas with their own wind, gravity, conveyor or surface.
//! * [`CreatedSolid`]: a solid that a script has created; [`LevelChanges::level`]: the level as scripts have changed it.
//! * [`TileLayer`]: the tiles of a level that is a map.
//! * [`LevelCamera`]: how a level is looked at.
//! * [`Level`]: a terrain with its name, bounds and surfaces.

mod block;
mod bodies;
mod camera;
mod changes;
mod clear;
mod contact;
mod created;
mod density;
mod edge;
mod heights;
mod join;
mod overlap;
mod platform;
mod query;
mod rejoin;
mod rest;
mod rotation;
mod rounding;
mod scenery;
mod slide;
mod terrain;
mod tiles;
mod touchable;
mod walk;
mod zone;

pub use block::{ABREAST, Block, Blocks, MOST_WALLS, Wall, WallLines};
pub use bodies::{Bodies, BodyBlock, Carries, Others, TurnPart};
pub use camera::{CAMERA_ZOOM, CameraAim, CameraSettings, CameraTarget, LOOK_AHEAD, LevelCamera, MOST_TARGETS};
pub use changes::{Absent, CalledPlatform, LEAST_RATE, LevelChanges, LevelClock, MOST_SCALE, rate_of};
pub use contact::{Contact, GroundRule, onto_a_step};
pub use created::{BuiltLevel, CreatedSolid, MOST_CREATED, MOST_CREATED_POINTS};
pub use density::DensestPlace;
pub use edge::{Bend, Edge, EdgeSpan, Feature, Side, SurfaceId};
pub use heights::{Floor, Heights, MOST_HIGHER};
pub use join::MOST_MEETINGS;
pub use platform::{Leg, MOST_MOVED, Path, PathEnd, Platform, TickSpan, Transit};
pub use query::Hit;
pub use rest::{RestPosition, RestQuery, RestRange};
pub use rotation::{
    CalledRotation, MOST_ANGLE, MOST_CORNERS, MOST_REACH, MOST_ROTATING, MOST_TURN, Rotation, RotationLaw, Tilt,
};
pub use scenery::Scenery;
pub use slide::{Bumps, MovingHit, Slide, longer, slide, slide_in_tick, slide_on};
pub use terrain::{Solid, Terrain};
pub use tiles::{BrokenTile, MapCell, TileLayer, blocks_of, chains_of};
pub use walk::{Walk, walk};
pub(crate) use walk::{walk_clear, walk_on};
pub use zone::{Air, Cuts, MOST_ZONES, NearZones, Zone, Zones};

// What several files of this room use: each of them begins with `use super::*`.
use super::*;
use crate::{
    geometry::{
        Grid, Inside,
        grid::CellRange,
        lies_in, polygon,
        separation::Separation,
        sweep::{Face, Touch, sweep_corner, sweep_corner_from_above, sweep_face},
    },
    named::named,
};
use edge::{GridEdge, grid_edge};
use std::sync::OnceLock;
use touchable::{FaceRoom, Touchable, Touchables};

/// Largest coordinate that a level may use, px. Up to here, sums of positions and tolerances are
/// exact enough.
pub const FARTHEST: f64 = 16_384.0;

named! {
    /// The direction from which the level is seen, which decides the models that work in it.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum View, name {
        /// From the side: y points up and gravity pulls along −y.
        Side = "side",
        /// From above: y points north, and z is the height above the ground plane.
        Top = "top",
    }
}

/// A level as it is played: immutable, shared, and replaced as a whole on reload.
#[derive(Clone, Debug)]
pub struct Level {
    /// The level's path relative to the game folder, such as `levels/gap.toml`.
    pub name: Arc<str>,
    /// Side view or top view.
    pub view: View,
    /// The area that bodies may occupy, px. A body that leaves it returns to its start.
    pub bounds: Bounds,
    /// The solids, joined and indexed.
    pub terrain: Terrain,
    /// Obstacles by height, for a top view.
    pub heights: Heights,
    /// Areas with their own wind, gravity, conveyor or surface.
    pub zones: Zones,
    /// Index of the plain ground's surface in a top view.
    pub plain: SurfaceId,
    /// Surface names, indexed by [`SurfaceId`].
    pub surfaces: Vec<Arc<str>>,
    /// How it is looked at.
    pub camera: LevelCamera,
    /// The layers of tiles of a level that is a map.
    pub tiles: Arc<[TileLayer]>,
    /// How many of its solids are in its file. They come first.
    pub own_solids: usize,
}

impl Level {
    /// A level made of these solids, without zones, bounded only by [`FARTHEST`]. `surfaces` are
    /// the names that the solids' surface indices refer to.
    pub fn new(name: &str, view: View, solids: Vec<Solid>, surfaces: Vec<Arc<str>>) -> Self {
        let terrain = Terrain::new(solids);
        let heights = match view {
            View::Side => Heights::default(),
            View::Top => Heights::new(&terrain.solids),
        };
        Self {
            own_solids: terrain.solids.len(),
            tiles: Arc::default(),
            name: name.into(),
            view,
            bounds: Bounds { min: DVec2::splat(-FARTHEST), max: DVec2::splat(FARTHEST) },
            terrain,
            heights,
            zones: Zones::default(),
            plain: SurfaceId(0),
            surfaces,
            camera: LevelCamera::default(),
        }
    }

    /// The same level with other solids.
    fn with_terrain(&self, terrain: Terrain, heights: Heights) -> Self {
        Self {
            name: self.name.clone(),
            view: self.view,
            bounds: self.bounds,
            terrain,
            heights,
            zones: self.zones.clone(),
            plain: self.plain,
            surfaces: self.surfaces.clone(),
            camera: self.camera.clone(),
            tiles: Arc::clone(&self.tiles),
            own_solids: self.own_solids,
        }
    }

    /// The terrain that blocks a body with its feet at height `z`; in a side view the whole
    /// terrain.
    #[inline(always)]
    pub fn terrain_at(&self, z: f64) -> &Terrain {
        self.heights.above(z).unwrap_or(&self.terrain)
    }

    /// The surface of a floor: its solid's, or the plain ground's.
    pub fn floor_surface(&self, floor: Floor) -> SurfaceId {
        floor.solid.map_or(self.plain, |solid| self.terrain.solids()[solid as usize].surface)
    }

    /// The name of a surface.
    pub fn surface_name(&self, id: SurfaceId) -> &Arc<str> {
        &self.surfaces[id.0 as usize]
    }
}
