//! The tilesets of a map, each with its element in the file that describes it.

use super::xml::XmlTag;
use glam::DVec2;
use std::collections::BTreeMap;

/// A tileset.
pub(super) struct TileSource<'a> {
    pub set: &'a tiled::Tileset,
    pub tag: XmlTag<'a>,
    tiles: BTreeMap<u32, XmlTag<'a>>,
}

/// How a tile is flipped: over the diagonal first, then over its middle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct TileFlips {
    pub diagonal: bool,
    pub horizontal: bool,
    pub vertical: bool,
}

impl<'a> TileSource<'a> {
    /// A tileset with the element that describes it.
    pub fn new(set: &'a tiled::Tileset, tag: XmlTag<'a>) -> Self {
        let tiles = tag.all("tile");
        let numbered = tiles.filter_map(|tile| Some((tile.raw("id")?.parse().ok()?, tile)));
        Self { set, tag, tiles: numbered.collect() }
    }

    /// The element of a tile; none for a tile with only a picture.
    pub fn tile(&self, id: u32) -> Option<XmlTag<'a>> {
        self.tiles.get(&id).copied()
    }

    /// The size of a tile, px.
    pub fn size_of(&self, id: u32) -> DVec2 {
        let usual = DVec2::new(self.set.tile_width.into(), self.set.tile_height.into());
        if self.set.image.is_some() {
            return usual;
        }
        let tile = self.set.get_tile(id);
        let picture = tile.and_then(|tile| tile.image_rect);
        picture.map_or(usual, |it| DVec2::new(it.width.into(), it.height.into()))
    }

    /// How far pictures of its tiles are moved, px.
    pub fn offset(&self) -> DVec2 {
        DVec2::new(self.set.offset_x.into(), self.set.offset_y.into())
    }
}

impl TileFlips {
    /// Where a point of a tile of this size is once the tile is flipped.
    pub fn apply(self, point: DVec2, size: DVec2) -> DVec2 {
        let (mut at, size) = match self.diagonal {
            true => (DVec2::new(point.y, point.x), self.flipped(size)),
            false => (point, size),
        };
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
        match self.diagonal {
            true => DVec2::new(size.y, size.x),
            false => size,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::TileFlips;
    use glam::dvec2;

    #[test]
    fn flips_move_the_corners_of_a_tile_as_tiled_draws_them() {
        let size = dvec2(16.0, 10.0);
        // Tiled rotates a tile clockwise by flipping it over the diagonal and then horizontally: the top left
        // corner becomes the top right one.
        let clockwise = TileFlips { diagonal: true, horizontal: true, vertical: false };
        assert_eq!(clockwise.apply(dvec2(0.0, 0.0), size), dvec2(10.0, 0.0));
        assert_eq!(clockwise.apply(dvec2(16.0, 0.0), size), dvec2(10.0, 16.0));
        assert_eq!(clockwise.apply(dvec2(16.0, 10.0), size), dvec2(0.0, 16.0));
        let half_turn = TileFlips { diagonal: false, horizontal: true, vertical: true };
        assert_eq!(half_turn.apply(dvec2(3.0, 2.0), size), dvec2(13.0, 8.0));
        assert_eq!(TileFlips::default().apply(dvec2(3.0, 2.0), size), dvec2(3.0, 2.0));
    }
}
