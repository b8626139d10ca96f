//! Maps of the Tiled editor: `levels/NAME.tmx`.
//!
//! `xml` parses the map, its tilesets and templates once, from texts that are in memory already, into trees whose values
//! know their places. `guard` checks the trees, and `layers` walks through them.

mod collision;
mod files;
mod guard;
mod layers;
mod object;
mod property;
mod tile_data;
mod tileset;
mod xml;

use self::{
    collision::shapes_of,
    layers::LayerStyle,
    object::{ObjectTags, class_of},
    property::properties_of,
    tileset::TileSource,
};
use super::common::*;
use crate::files::{Data, Node, Table, TableKey};
use files::TiledFiles;
pub(super) use files::named_files;
use glam::DVec2;
use hangtime_script::{
    BuildProgress, Diagnostic, Mistakes, Place, SourceFile, suggestion,
    text::{cut_name, printable_name},
};
use layers::items_of;
use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
    rc::Rc,
    sync::Arc,
};
use xml::{XmlTag, XmlTree};

/// Reads a map. Every value has its place in the map or in one of its tilesets and templates. None if the map cannot be
/// read.
pub(super) fn read_map(sources: MapSources<'_>, file: &Arc<SourceFile>, out: &mut Mistakes) -> Option<MapLevel> {
    let files = TiledFiles::read(sources, file, out)?;
    let tilesets = files.tilesets();
    let items = items_of(&files, &tilesets, out);
    let root = files.map.root();
    let properties = properties_of(root, out);
    let sets = tilesets.iter().map(|set| Rc::clone(set) as Rc<dyn TileSet>).collect();
    Some(DrawnMap { place: root.place(), properties, sets, items }.convert(sources.kinds, out))
}

/// What the objects at these bytes of a file are called in messages.
pub(super) fn titles(file: &Arc<SourceFile>, places: &BTreeSet<usize>) -> BTreeMap<usize, String> {
    let Ok(tree) = XmlTree::parse(file) else {
        return BTreeMap::new();
    };
    let named = |tag: XmlTag<'_>| matches!(tag.name(), "object" | "tile" | "layer" | "objectgroup" | "tileset");
    places.iter().filter_map(|at| Some((*at, title(tree.innermost(*at, named)?)))).collect()
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
