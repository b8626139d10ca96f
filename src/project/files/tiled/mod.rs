//! Levels that are maps of the Tiled editor: `levels/NAME.tmx`.
//!
//! The `tiled` crate reads the map from texts that are in memory already; `xml` adds the places of all
//! values, and the exact numbers. `convert` makes of both the table that the level's TOML would be, so
//! that everything is checked, and means the same, as in TOML.

mod collision;
mod convert;
mod files;
mod guard;
mod label;
mod layers;
mod merge;
mod object;
mod property;
mod shape;
mod tile_data;
mod tiles;
mod tileset;
mod xml;

use super::tree::Table;
use crate::script::host::{Diagnostic, Mistakes, SourceFile};
pub(in crate::project) use convert::CLASSES;
use convert::MapConversion;
use files::TiledFiles;
pub(in crate::project) use files::{MOST_REFERENCES, MapSources, referred_files, resolve_name};
use glam::DVec2;
pub(in crate::project) use label::name_objects;
use layers::{items_of, tilesets_of};
use std::sync::Arc;

/// The ending of the names of maps.
pub(in crate::project) const MAP_ENDING: &str = ".tmx";

/// Whether a file is a map, by its name.
pub(in crate::project) fn is_map(name: &str) -> bool {
    name.ends_with(MAP_ENDING)
}

/// Reads a map as the table that the level's TOML would be. Every value has its place in the map or in
/// one of its tilesets and templates. None if the map cannot be read.
pub(in crate::project) fn read_map(
    sources: MapSources<'_>,
    file: &Arc<SourceFile>,
    out: &mut Mistakes,
) -> Option<Table> {
    let files = TiledFiles::read(sources, file, out)?;
    let root = files.map.root();
    let map = match files.load() {
        Ok(map) => map,
        Err(wrong) => {
            let message = format!("this map cannot be read: {wrong}");
            out.push(Diagnostic::error(root.place(), message));
            return None;
        }
    };
    let tilesets = tilesets_of(&files, &map);
    let items = items_of(&files, &map, &tilesets, out);
    let conversion = MapConversion {
        files: &files,
        sources: &tilesets,
        items: &items,
        cell: DVec2::new(map.tile_width.into(), map.tile_height.into()),
        kinds: sources.kinds.iter().map(String::as_str).collect(),
        out,
    };
    Some(conversion.convert())
}
