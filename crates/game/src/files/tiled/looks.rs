//! How the tiles of a map look: the pictures of its tilesets.

use super::{files::resolve_name, *};
use hangtime_core::sim::{MapTile, MapTileLook, MapTiles};

/// A layer of tiles as a map draws it. Its pictures have the names of their files in the game folder, and need not exist.
#[derive(Clone, Debug)]
pub struct DrawnLayer {
    pub tiles: MapTiles,
    /// The place that names the picture of each look.
    pub places: Vec<Place>,
}

/// A layer in a map with cells of this size, px; `solids` are those that it has become. None if it is hidden or empty, or a
/// tile has no picture.
pub fn drawn_layer(
    field: &TileField<'_>,
    sources: &[Rc<TileSource<'_>>],
    cell: DVec2,
    solids: Range<u32>,
) -> Option<DrawnLayer> {
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
                let (look, place) = look_of(&sources[name.set], *name, cell)?;
                looks.push(look);
                places.push(place);
                let look = known.len() as u32;
                known.insert(*name, look);
                look
            }
        };
        tiles.push(MapTile { cell: [*row, *column], look });
    }
    Some(DrawnLayer { tiles: MapTiles { corner: up(field.offset), cell, looks, tiles, solids }, places })
}

/// The look of a tile, and the place that names its picture.
fn look_of(source: &TileSource<'_>, name: TileName, cell: DVec2) -> Option<(MapTileLook, Place)> {
    let image = source.image.or_else(|| source.tile(name.id)?.child("image"))?;
    let size = source.size_of(name.id);
    let number = |name| source.tag.number(name).unwrap_or(0.0);
    let columns = source.tag.whole("columns").filter(|columns| *columns > 0 && source.image.is_some());
    let corner = columns.map_or(DVec2::ZERO, |columns| {
        let place = DVec2::new((name.id % columns).into(), (name.id / columns).into());
        number("margin") + place * (size + number("spacing"))
    });
    let flips = [name.flips.diagonal, name.flips.horizontal, name.flips.vertical];
    let look = MapTileLook {
        sheet: resolve_name(&image.file.name, image.get("source")?).into(),
        corner: corner.to_array().map(|side| side as u32),
        size: size.to_array().map(|side| side as u32),
        flips,
        drawn: source.drawn_size(name, cell),
        offset: source.offset,
    };
    Some((look, image.place_of("source")))
}
