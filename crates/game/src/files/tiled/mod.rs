//! Levels that are maps of the Tiled editor: `levels/NAME.tmx`.
//!
//! `xml` parses the map, its tilesets and templates once, from texts that are in memory already, into trees whose values
//! know their places. `guard` checks the trees, `layers` walks through them, and `convert` makes the table that the
//! level's TOML would be, so that everything is checked, and means the same, as in TOML.

mod collision;
mod convert;
mod files;
mod guard;
mod layers;
mod looks;
mod object;
mod property;
mod tile_data;
mod tiles;
mod tileset;
mod xml;

use self::{
    collision::{TileShape, shapes_of},
    layers::{TileCell, TileField},
    object::{ELLIPSE_CORNERS, MapObject, ShapeKind, class_of, rotated, up},
    property::{Property, properties_of},
    tileset::{TileName, TileSource},
};
use crate::files::{Data, Node, Table, disk::endings::can_refer};
pub(crate) use convert::CLASSES;
use convert::MapConversion;
use files::TiledFiles;
pub(crate) use files::{MOST_REFERENCES, MapSources, referred_files};
use glam::DVec2;
use hangtime_core::level::TileLayer;
use hangtime_script::{
    BuildProgress, Diagnostic, Mistakes, Place, SourceFile, suggestion,
    text::{cut_name, printable_name},
};
use layers::items_of;
pub(crate) use looks::DrawnLayer;
use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
    path::Path,
    rc::Rc,
    sync::Arc,
};
use tiles::MadeSolids;
use xml::{XmlTag, XmlTree};

/// The ending of the names of maps.
pub(crate) const MAP_ENDING: &str = ".tmx";

/// Whether a file is a map, by its name.
pub(crate) fn is_map(name: &str) -> bool {
    name.ends_with(MAP_ENDING)
}

/// A map as a level: the table that the level's TOML would be, the layers of tiles that it shows, and those that are solid.
pub(crate) type MapLevel = (Table, Vec<DrawnLayer>, Vec<TileLayer>);

/// Reads a map. Every value has its place in the map or in one of its tilesets and templates. None if the map cannot be
/// read.
pub(crate) fn read_map(sources: MapSources<'_>, file: &Arc<SourceFile>, out: &mut Mistakes) -> Option<MapLevel> {
    let files = TiledFiles::read(sources, file, out)?;
    let tilesets = files.tilesets();
    let items = items_of(&files, &tilesets, out);
    let (kinds, made) = (sources.kinds, MadeSolids::default());
    let conversion = MapConversion { files: &files, sources: &tilesets, items: &items, kinds, made, out };
    Some(conversion.convert())
}

/// Adds the number and name of the object to each message about one: `object 12 "gap": …`.
pub(crate) fn name_objects(mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let files = diagnostics.iter().filter_map(|diagnostic| Some(&diagnostic.place.as_ref()?.file));
    let files = files.filter(|file| can_refer(Path::new(&file.name)));
    let files: BTreeMap<String, Arc<SourceFile>> = files.map(|file| (file.name.clone(), Arc::clone(file))).collect();
    let trees: Vec<XmlTree<'_>> = files.values().filter_map(|file| XmlTree::parse(file).ok()).collect();
    for diagnostic in &mut diagnostics {
        let Some(place) = &diagnostic.place else {
            continue;
        };
        let named = |tag: XmlTag<'_>| matches!(tag.name(), "object" | "tile" | "layer" | "objectgroup" | "tileset");
        let tree = trees.iter().find(|tree| tree.file.name == place.file.name);
        let tag = tree.and_then(|tree| tree.innermost(place.span.start, named));
        if let Some(tag) = tag {
            diagnostic.message = format!("{}: {}", title(tag), diagnostic.message);
        }
    }
    diagnostics
}

/// What an element is called in messages: `object 12 "gap"`.
fn title(tag: XmlTag<'_>) -> String {
    let what = match tag.name() {
        "objectgroup" => "layer",
        other => other,
    };
    let short = |name: &str| printable_name(&cut_name(name)).into_owned();
    let number = tag.get("id").map(|id| format!(" {}", short(id))).unwrap_or_default();
    let name = tag
        .get("name")
        .filter(|name| !name.is_empty())
        .map(|name| format!(" \"{}\"", short(name)))
        .unwrap_or_default();
    format!("{what}{number}{name}")
}
