//! The tiles that layers and objects show, and which of them are solid.

use super::*;
use hangtime_core::sim::MapTileLook;

/// A cell of a field of tiles: row and column.
pub type TileCell = (i32, i32);

/// A layer of tiles.
pub struct TileField {
    pub name: String,
    /// The place of its header.
    pub place: Place,
    /// Width and height of a cell, px.
    pub cell: DVec2,
    /// The tiles with their cells, row by row.
    pub tiles: Vec<(TileCell, TileName)>,
    /// How far the layer is moved, px.
    pub offset: DVec2,
    /// Whether it, or a group that it is in, is not shown.
    pub hidden: bool,
    /// Of the map's items, the field whose solids it shows if its own tiles are not solid.
    pub shows: Option<usize>,
    pub of_layer: Rc<Vec<Property>>,
}

/// Reports the first tile of a layer that no set has, and counts the others. `what` says which number is unknown.
pub fn report_unknown(unknown: &[(TileCell, u32)], place: &Place, what: impl Fn(u32) -> String, out: &mut Mistakes) {
    if let Some(((row, column), number)) = unknown.first() {
        let others = match unknown.len() - 1 {
            0 => String::new(),
            1 => "; another one in this layer is unknown, too".into(),
            more => format!("; {more} others in this layer are unknown, too"),
        };
        out.error(place, format!("row {row}, column {column}, counted from 0: {}{others}", what(*number)));
    }
}

/// Tiles of the same kind, by their numbers.
pub trait TileSet {
    /// The collision shapes of a tile. A shape that lacks a property gets it from `of_layer`.
    fn shapes(&self, id: u32, of_layer: &Rc<Vec<Property>>, out: &mut Mistakes) -> Vec<TileShape>;

    /// The size of a tile, px.
    fn size_of(&self, id: u32) -> DVec2;

    /// Width and height of a tile in a map with cells of this size, px.
    fn drawn_size(&self, tile: TileName, cell: DVec2) -> DVec2;

    /// How far its tiles are moved from the lower left corners of their cells, px.
    fn offset(&self) -> DVec2;

    /// The look of a tile, and the place that names its picture; none without a picture.
    fn look(&self, tile: TileName, cell: DVec2) -> Option<(MapTileLook, Place)>;
}

/// A collision shape of a tile.
#[derive(Clone)]
pub struct TileShape {
    /// Its points from the top left corner of the tile, px; y points down.
    pub points: Vec<DVec2>,
    /// Whether it is a line, solid from above only.
    pub one_way: bool,
    pub style: SolidStyle,
    pub place: Place,
}

/// What solids of tiles have apart from their points.
#[derive(Clone, Default)]
pub struct SolidStyle {
    pub surface: Option<Node>,
    pub top: Option<Node>,
}

impl SolidStyle {
    /// Equal for styles that are the same in the game.
    pub fn key(&self) -> (String, u64) {
        let surface = self.surface.as_ref().and_then(Node::text).unwrap_or_default();
        let top = self.top.as_ref().and_then(Node::number).unwrap_or(f64::INFINITY);
        (surface.into(), top.to_bits())
    }
}

/// A tile as layers and objects name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TileName {
    /// The index of its tileset.
    pub set: usize,
    /// Its number in the tileset.
    pub id: u32,
    pub flips: TileFlips,
}

/// How a tile is flipped: over the diagonal first, then over its middle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct TileFlips {
    pub diagonal: bool,
    pub horizontal: bool,
    pub vertical: bool,
}

impl TileFlips {
    /// Where a point of a tile of this size is once the tile is flipped.
    pub fn apply(self, point: DVec2, size: DVec2) -> DVec2 {
        let mut at = self.flipped(point);
        let size = self.flipped(size);
        if self.horizontal {
            at.x = size.x - at.x;
        }
        if self.vertical {
            at.y = size.y - at.y;
        }
        at
    }

    /// The size of a flipped tile.
    pub fn flipped(self, size: DVec2) -> DVec2 {
        if self.diagonal { DVec2::new(size.y, size.x) } else { size }
    }
}

#[cfg(test)]
#[path = "../../../../tests/unit/files/maps/common/tile_set.rs"]
mod tests;
