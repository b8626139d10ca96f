//! How the tiles of a map look: the pictures of its tilesets.

use super::*;
use hangtime_core::sim::{MapTile, MapTiles};

/// The longest path of a picture, in bytes: each look gets a copy.
const LONGEST_PATH: usize = 4_096;

/// A layer of tiles as a map draws it. Its pictures have the names of their files in the game folder, and need not exist.
#[derive(Clone, Debug)]
pub struct DrawnLayer {
    pub tiles: MapTiles,
    /// The place that names the picture of each look.
    pub places: Vec<Place>,
}

/// A layer of a map; `solids` are those that it shows. None if it is hidden or empty, or a tile has no picture.
pub fn drawn_layer(field: &TileField, sets: &[Rc<dyn TileSet + '_>], solids: Range<u32>) -> Option<DrawnLayer> {
    if field.hidden || field.tiles.is_empty() {
        return None;
    }
    let (mut looks, mut places) = (Vec::new(), Vec::new());
    let mut known: BTreeMap<TileName, u32> = BTreeMap::new();
    let mut tiles = Vec::new();
    for ((row, column), name) in &field.tiles {
        let look = match known.get(name) {
            Some(look) => *look,
            None => {
                let look = sets[name.set].look(*name, field.cell);
                let (look, place) = look.filter(|(look, _)| look.sheet.len() <= LONGEST_PATH)?;
                looks.push(look);
                places.push(place);
                let look = known.len() as u32;
                known.insert(*name, look);
                look
            }
        };
        tiles.push(MapTile { cell: [*row, *column], look });
    }
    Some(DrawnLayer { tiles: MapTiles { corner: up(field.offset), cell: field.cell, looks, tiles, solids }, places })
}
