//! How the tiles of a map look: the pictures of its tilesets.

use super::files::resolve_name;
use super::layers::TileField;
use super::object::up;
use super::tiles::{cells_of, drawn_size};
use super::tileset::{TileFlips, TileSource};
use super::xml::XmlTag;
use glam::DVec2;
use hangtime_core::sim::{MapTile, MapTileLook, MapTiles};
use hangtime_script::Place;
use std::collections::BTreeMap;
use std::rc::Rc;
use tiled::LayerTileData;

/// A picture: its path below `pictures/`, and its width and height.
type FoundSheet = (Box<str>, [u32; 2]);

/// Finds the picture that an element of a tileset names. The first argument is its name in the game folder.
pub(crate) type FindSheet<'f> = dyn FnMut(&str, Place) -> Option<FoundSheet> + 'f;

/// A tile of a tileset with its flips.
type FlippedTile = (usize, u32, [bool; 3]);

/// What the looks of a map's tiles follow from.
pub(super) struct LookReader<'s, 'f> {
    pub sources: &'s [Rc<TileSource<'s>>],
    /// The size of a cell, px.
    pub cell: DVec2,
    pub find: &'s mut FindSheet<'f>,
    /// The pictures that were looked for, by the places of their elements in their files.
    pub found: BTreeMap<(String, usize), Option<FoundSheet>>,
}

impl LookReader<'_, '_> {
    /// A layer; `None` if some of its tiles have no picture, or it is hidden.
    pub fn layer(&mut self, field: &TileField<'_>) -> Option<MapTiles> {
        if field.hidden {
            return None;
        }
        let mut looks = Vec::new();
        let mut known: BTreeMap<FlippedTile, u32> = BTreeMap::new();
        let mut tiles = Vec::new();
        for ((row, column), data) in cells_of(&field.layer) {
            let flips = [data.flip_d, data.flip_h, data.flip_v];
            let key = (data.tileset_index(), data.id(), flips);
            let look = match known.get(&key) {
                Some(look) => *look,
                None => {
                    looks.push(self.look(data, flips)?);
                    let look = looks.len() as u32 - 1;
                    known.insert(key, look);
                    look
                }
            };
            let cell = [row, column];
            tiles.push(MapTile { cell, look });
        }
        (!tiles.is_empty()).then_some(MapTiles {
            corner: up(field.offset),
            cell: self.cell,
            looks,
            tiles,
            solids: 0..0,
        })
    }

    fn look(&mut self, data: LayerTileData, flips: [bool; 3]) -> Option<MapTileLook> {
        let source = Rc::clone(self.sources.get(data.tileset_index())?);
        let set = source.set;
        let size = source.size_of(data.id());
        let whole = set.image.is_some();
        let tag = match whole {
            true => source.tag.child("image"),
            false => source.tile(data.id())?.child("image"),
        };
        let (sheet, sides) = self.sheet(tag?)?;
        let corner = match whole && set.columns > 0 {
            true => {
                let along =
                    |number: u32, side: u32| u64::from(set.margin) + u64::from(number) * u64::from(side + set.spacing);
                let column = along(data.id() % set.columns, set.tile_width);
                [column, along(data.id() / set.columns, set.tile_height)]
            }
            false => [0, 0],
        };
        let sides_of_tile = [size.x as u32, size.y as u32];
        let fits = [0, 1].map(|axis: usize| {
            sides_of_tile[axis] > 0 && corner[axis] + u64::from(sides_of_tile[axis]) <= u64::from(sides[axis])
        });
        let [diagonal, horizontal, vertical] = flips;
        let turns = TileFlips { diagonal, horizontal, vertical };
        (fits == [true; 2]).then(|| MapTileLook {
            sheet,
            corner: corner.map(|side| side as u32),
            size: sides_of_tile,
            flips,
            drawn: drawn_size(&source, (turns, size), self.cell),
            offset: source.offset(),
        })
    }

    /// The picture that an `<image>` names.
    fn sheet(&mut self, image: XmlTag<'_>) -> Option<FoundSheet> {
        let place = image.place_of("source");
        let file = &image.tree.file.name;
        let key = (file.clone(), place.span.start);
        if let Some(known) = self.found.get(&key) {
            return known.clone();
        }
        let name = resolve_name(file, &image.get("source")?);
        let found = (self.find)(&name, place);
        self.found.insert(key, found.clone());
        found
    }
}
