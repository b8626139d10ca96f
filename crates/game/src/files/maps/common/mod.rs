//! What maps of all editors share: objects and fields of tiles become the table that the level's TOML would be, so that
//! everything is checked, and means the same, as in TOML.
//!
//! A reader of a format makes a [`DrawnMap`] of a file. `convert` decides what its objects are, and `tiles` joins tiles to few
//! solids. In a map y points down; in the table it points up.

mod convert;
mod looks;
mod names;
mod object;
mod property;
mod tile_set;
mod tiles;

use crate::files::{Data, Node, Table, TableKey, parse_value};
pub(crate) use convert::{CLASSES, DrawnMap, MapItem};
use glam::DVec2;
use hangtime_core::level::TileLayer;
use hangtime_script::{BuildProgress, Mistakes, Place, SourceFile, suggestion};
pub(crate) use looks::DrawnLayer;
pub(super) use names::resolve_name;
pub(super) use object::{MapObject, ObjectTile, PlacedPoints, PropertyCount, ShapeKind, corners, rotated, up};
pub(super) use property::{Property, add_missing, put_all, text_value};
use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
    rc::Rc,
    sync::Arc,
};
pub(super) use tile_set::{SolidStyle, TileCell, TileField, TileFlips, TileName, TileSet, TileShape, report_unknown};
pub(super) use tiles::point_node;

/// The largest number of tilesets of a map or project.
pub(super) const MOST_TILESETS: usize = 256;

/// The largest number of tiles and of values of grids in all layers of a level together.
pub(super) const MOST_TILES: usize = 2_000_000;

/// The farthest row or column of a tile.
pub(super) const FARTHEST_TILE: f64 = 1_000_000.0;

/// The longest name that has a meaning, in bytes.
pub(super) const LONGEST_NAME: usize = 256;

/// The warning about layers with parallax.
pub(super) const NO_PARALLAX: &str = "parallax has no effect in a level";

/// The message about a file that a map names by this path.
pub(super) fn no_file(path: &str) -> String {
    format!("there is no file `{path}`; its path starts at the folder of this file")
}

/// A map as a level: the table that the level's TOML would be, the layers of tiles that it shows, and those that are solid.
pub(crate) type MapLevel = (Table, Vec<DrawnLayer>, Vec<TileLayer>);

/// What was read before.
#[derive(Clone, Copy)]
pub struct MapSources<'a> {
    /// The files, by their names.
    pub files: &'a BTreeMap<String, Arc<SourceFile>>,
    /// The names of all kinds.
    pub kinds: &'a BTreeSet<String>,
    /// The names of all surfaces.
    pub surfaces: &'a BTreeSet<String>,
    /// Why others could not be read.
    pub unreadable: &'a [hangtime_script::Diagnostic],
}
