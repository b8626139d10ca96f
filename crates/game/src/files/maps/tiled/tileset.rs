//! The tilesets of a map, and the numbers by which layers and objects name their tiles.

use super::*;
use glam::dvec2;
use hangtime_core::sim::MapTileLook;
use std::cell::OnceCell;

/// Which point of a tile the position of an object is, as shares of the tile's width and height, by the names of Tiled.
pub const ALIGNMENTS: [(&str, DVec2); 10] = [
    ("unspecified", dvec2(0.0, 1.0)),
    ("topleft", dvec2(0.0, 0.0)),
    ("top", dvec2(0.5, 0.0)),
    ("topright", dvec2(1.0, 0.0)),
    ("left", dvec2(0.0, 0.5)),
    ("center", dvec2(0.5, 0.5)),
    ("right", dvec2(1.0, 0.5)),
    ("bottomleft", dvec2(0.0, 1.0)),
    ("bottom", dvec2(0.5, 1.0)),
    ("bottomright", dvec2(1.0, 1.0)),
];

/// A tileset.
pub struct TileSource<'a> {
    /// The element that describes it.
    pub tag: XmlTag<'a>,
    /// The picture of all its tiles; none if each has its own.
    image: Option<XmlTag<'a>>,
    /// How far pictures of its tiles are moved, px.
    offset: DVec2,
    /// One of [`ALIGNMENTS`].
    pub alignment: DVec2,
    /// Whether its tiles are drawn as large as the cells of the map.
    fills_cells: bool,
    /// The number of its first tile in the map.
    first: u32,
    /// The elements of tiles and their sizes, px. A tile with only a picture may have none.
    tiles: BTreeMap<u32, (XmlTag<'a>, DVec2)>,
    /// The size of all other tiles, px.
    size: DVec2,
    /// The number of its tiles. If the set has no picture of all tiles, tiles may have higher numbers.
    count: Option<u32>,
    /// Its properties, read once for all tiles.
    properties: OnceCell<Vec<Property>>,
}

impl<'a> TileSource<'a> {
    pub fn new(tag: XmlTag<'a>, first: u32) -> Self {
        let image = tag.child("image");
        let size = tag.vector("tilewidth", "tileheight");
        let numbered = tag.all("tile").filter_map(|tile| {
            let own = tile.child("image").filter(|_| image.is_none()).map(|image| {
                let side = |name| tile.number(name).or(image.number(name)).unwrap_or(0.0);
                DVec2::new(side("width"), side("height"))
            });
            Some((tile.whole("id")?, (tile, own.unwrap_or(size))))
        });
        let alignment = tag.get("objectalignment");
        let alignment = ALIGNMENTS.iter().find(|(name, _)| Some(*name) == alignment).unwrap_or(&ALIGNMENTS[0]);
        Self {
            tag,
            image,
            offset: tag.child("tileoffset").map_or(DVec2::ZERO, |offset| offset.vector("x", "y")),
            alignment: alignment.1,
            fills_cells: tag.get("tilerendersize") == Some("grid"),
            first,
            tiles: numbered.collect(),
            size,
            count: tag.whole("tilecount"),
            properties: OnceCell::new(),
        }
    }

    /// Its properties.
    pub fn properties(&self, out: &mut Mistakes) -> &[Property] {
        self.properties.get_or_init(|| properties_of(self.tag, out))
    }

    /// The element of a tile.
    pub fn tile(&self, id: u32) -> Option<XmlTag<'a>> {
        self.tiles.get(&id).map(|(tag, _)| *tag)
    }

    /// The tile of this set with a number of the map, which also has its flips. `set` is the index of the set.
    pub fn named(&self, set: usize, number: u32) -> Option<TileName> {
        let id = (number & !ALL_FLIPS).checked_sub(self.first)?;
        if self.count.is_some_and(|count| id >= count) && !self.tiles.contains_key(&id) {
            return None;
        }
        let [horizontal, vertical, diagonal] = FLIPS.map(|flip| number & flip != 0);
        Some(TileName { set, id, flips: TileFlips { diagonal, horizontal, vertical } })
    }
}

impl TileSet for TileSource<'_> {
    fn shapes(&self, id: u32, of_layer: &Rc<Vec<Property>>, out: &mut Mistakes) -> Vec<TileShape> {
        shapes_of(self, id, of_layer, out)
    }

    fn size_of(&self, id: u32) -> DVec2 {
        self.tiles.get(&id).map_or(self.size, |(_, size)| *size)
    }

    fn drawn_size(&self, tile: TileName, cell: DVec2) -> DVec2 {
        if self.fills_cells { cell } else { tile.flips.flipped(self.size_of(tile.id)) }
    }

    fn offset(&self) -> DVec2 {
        self.offset
    }

    fn look(&self, name: TileName, cell: DVec2) -> Option<(MapTileLook, Place)> {
        let image = self.image.or_else(|| self.tile(name.id)?.child("image"))?;
        let size = self.size_of(name.id);
        let number = |name| self.tag.number(name).unwrap_or(0.0);
        let columns = self.tag.whole("columns").filter(|columns| *columns > 0 && self.image.is_some());
        let corner = columns.map_or(DVec2::ZERO, |columns| {
            let place = DVec2::new((name.id % columns).into(), (name.id / columns).into());
            number("margin") + place * (size + number("spacing"))
        });
        let look = MapTileLook {
            sheet: resolve_name(&image.file.name, image.get("source")?).into(),
            corner: corner.to_array().map(|side| side as u32),
            size: size.to_array().map(|side| side as u32),
            flips: [name.flips.diagonal, name.flips.horizontal, name.flips.vertical],
            drawn: self.drawn_size(name, cell),
            offset: self.offset,
        };
        Some((look, image.place_of("source")))
    }
}

/// The bits of a tile's number that say how it is flipped: horizontally, vertically and over the diagonal.
const FLIPS: [u32; 3] = [0x8000_0000, 0x4000_0000, 0x2000_0000];
const ALL_FLIPS: u32 = FLIPS[0] | FLIPS[1] | FLIPS[2];

/// The number of a tile of the map without its flips; none for 0, an empty place.
pub fn unflipped(number: u32) -> Option<u32> {
    Some(number & !ALL_FLIPS).filter(|gid| *gid != 0)
}

/// The tile with this number in a map with these tilesets; none for 0, an empty place, and if no set has it.
pub fn tile_named(sources: &[Rc<TileSource<'_>>], number: u32) -> Option<TileName> {
    let gid = unflipped(number)?;
    let set = sources.iter().rposition(|source| source.first <= gid)?;
    sources[set].named(set, number)
}
