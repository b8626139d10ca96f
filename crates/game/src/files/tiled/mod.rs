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
mod looks;
mod merge;
mod object;
mod property;
mod shape;
mod tile_data;
mod tiles;
mod tileset;
mod xml;

use crate::files::tables::tree::Table;
pub(crate) use convert::CLASSES;
use convert::MapConversion;
use files::TiledFiles;
pub(crate) use files::{MOST_REFERENCES, MapSources, referred_files, resolve_name};
use glam::DVec2;
use hangtime_core::sim::MapTiles;
use hangtime_script::{Diagnostic, Mistakes, SourceFile};
pub(crate) use label::name_objects;
use layers::{MapItem, items_of, tilesets_of};
use looks::{FindSheet, LookReader};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The ending of the names of maps.
pub(crate) const MAP_ENDING: &str = ".tmx";

/// Whether a file is a map, by its name.
pub(crate) fn is_map(name: &str) -> bool {
    name.ends_with(MAP_ENDING)
}

/// Reads a map as the table that the level's TOML would be. Every value has its place in the map or in
/// one of its tilesets and templates. None if the map cannot be read.
pub(crate) fn read_map(sources: MapSources<'_>, file: &Arc<SourceFile>, out: &mut Mistakes) -> Option<Table> {
    with_map(sources, file, out, |conversion| conversion.convert().0)
}

/// The layers of tiles that a map shows. `find` finds the pictures of its tilesets. What is wrong with the map is not
/// reported: reading it as a table does that.
pub(crate) fn map_tiles(sources: MapSources<'_>, file: &Arc<SourceFile>, find: &mut FindSheet<'_>) -> Vec<MapTiles> {
    let shown = |conversion: MapConversion<'_, '_>| {
        let (tilesets, items) = (conversion.sources, conversion.items);
        let cell = conversion.cell;
        let solids = conversion.convert().1;
        let mut looks = LookReader { sources: tilesets, cell, find, found: BTreeMap::new() };
        let fields = items.iter().filter_map(|item| match item {
            MapItem::Tiles(field) => Some(field),
            MapItem::Object(_) => None,
        });
        let layers = fields.zip(solids).filter_map(|(field, solids)| {
            let layer = looks.layer(field)?;
            Some(MapTiles { solids, ..layer })
        });
        layers.collect()
    };
    with_map(sources, file, &mut Mistakes::new(), shown).unwrap_or_default()
}

/// Reads a map and does something with what it consists of. None if the map cannot be read.
fn with_map<R>(
    sources: MapSources<'_>,
    file: &Arc<SourceFile>,
    out: &mut Mistakes,
    with: impl FnOnce(MapConversion<'_, '_>) -> R,
) -> Option<R> {
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
    Some(with(MapConversion {
        files: &files,
        sources: &tilesets,
        items: &items,
        cell: DVec2::new(map.tile_width.into(), map.tile_height.into()),
        kinds: sources.kinds.iter().map(String::as_str).collect(),
        out,
    }))
}
