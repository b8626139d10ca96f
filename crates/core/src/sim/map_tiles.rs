//! Layers of tiles as a map has them, for painters. They are no part of the simulation.

use glam::DVec2;
use std::ops::Range;

/// How a tile of a map looks.
#[derive(Clone, Debug, PartialEq)]
pub struct MapTileLook {
    /// The path of its picture below `pictures/`.
    pub sheet: Box<str>,
    /// The upper left corner of the tile in its picture, and its width and height, px.
    pub corner: [u32; 2],
    /// Width and height in its picture, px.
    pub size: [u32; 2],
    /// Whether it is flipped over its diagonal, and then left and right, and above and below, are exchanged.
    pub flips: [bool; 3],
    /// Its width and height in the level, px.
    pub drawn: DVec2,
    /// How far it is moved to the right and down, px.
    pub offset: DVec2,
}

/// A tile of a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MapTile {
    /// Its row from the top, and its column.
    pub cell: [i32; 2],
    /// How it looks, an index into [`MapTiles::looks`].
    pub look: u32,
}

/// A layer of tiles.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MapTiles {
    /// The upper left corner of the cell in row 0 and column 0, px.
    pub corner: DVec2,
    /// Width and height of a cell, px.
    pub cell: DVec2,
    /// How tiles look.
    pub looks: Vec<MapTileLook>,
    /// The tiles, row by row.
    pub tiles: Vec<MapTile>,
    /// The solids of the level that these tiles are, which need no other look.
    pub solids: Range<u32>,
}
