//! The layers of tiles of a level that is a map, over its solids.

use super::*;
use hangtime_core::{
    level::BrokenTile,
    sim::{MapTile, MapTileLook, MapTiles},
};

/// Whether a solid of the level is shown by a layer of tiles, so that it needs no other look.
pub fn shows(picture: &Picture<'_>, solid: u32) -> bool {
    let whole = picture.level.terrain.solids()[solid as usize].part_of.unwrap_or(solid);
    let mut layers = picture.show.art.iter().flat_map(|art| &art.layers);
    layers.any(|layer| layer.solids.contains(&whole))
}

/// The cells of a layer whose tiles scripts have broken, sorted.
fn broken_in(picture: &Picture<'_>, layer: &MapTiles) -> Vec<[i32; 2]> {
    let broken = picture.changes.broken.iter();
    let is_of = |tile: &&BrokenTile| picture.level.tiles[tile.layer as usize].solids == layer.solids;
    broken.filter(is_of).map(|tile| tile.cell).collect()
}

/// Paints all layers, the lowest one first.
pub fn paint(brush: &mut Brush<'_>, picture: &Picture<'_>) {
    let Some(art) = picture.show.art else { return };
    for layer in &art.layers {
        let stamps: Vec<Option<Stamp<'_>>> = layer.looks.iter().map(|look| stamp(art, look)).collect();
        let broken = broken_in(picture, layer);
        for tile in seen(layer, brush.lens).filter(|tile| broken.binary_search(&tile.cell).is_err()) {
            let look = tile.look as usize;
            if let (Some(look), Some(Some(stamp))) = (layer.looks.get(look), stamps.get(look)) {
                paint_tile(brush, stamp, place(layer, tile, look));
            }
        }
    }
}

/// A tile's picture. While a file is changed, its picture may have become smaller.
fn stamp<'a>(art: &'a Artwork, look: &MapTileLook) -> Option<Stamp<'a>> {
    let sheet = art.sheets.get(&look.sheet)?;
    let fits = |axis: usize| look.corner[axis] + look.size[axis] <= sheet.size()[axis];
    if !(fits(0) && fits(1)) {
        return None;
    }
    let mut stamp = Stamp::of_part(sheet, look.corner, look.size);
    let [diagonal, horizontal, vertical] = look.flips;
    stamp.diagonal = diagonal;
    stamp.flip = [horizontal, vertical];
    Some(stamp)
}

/// The tiles of a layer that may be in sight, row by row.
fn seen(layer: &MapTiles, lens: Lens) -> impl Iterator<Item = &MapTile> {
    let cell = layer.cell.max(DVec2::ONE);
    let mut reach = cell;
    for look in &layer.looks {
        reach = reach.max(look.drawn + look.offset.abs());
    }
    let shown = lens.shows().grown(reach);
    let row = |y: f64| ((layer.corner.y - y) / cell.y).floor() as i32;
    let column = |x: f64| ((x - layer.corner.x) / cell.x).floor() as i32;
    let (left, right) = (column(shown.min.x), column(shown.max.x));
    (row(shown.max.y)..=row(shown.min.y)).flat_map(move |row| {
        let from = |column: i32| layer.tiles.partition_point(|it| it.cell < [row, column]);
        layer.tiles[from(left)..from(right.saturating_add(1))].iter()
    })
}

/// The upper left and the lower right corner of a tile in the level, px.
fn place(layer: &MapTiles, tile: &MapTile, look: &MapTileLook) -> [DVec2; 2] {
    let [row, column] = tile.cell.map(f64::from);
    // A tile lies on the lower left corner of its cell.
    let low = layer.corner + dvec2(column, -(row + 1.0)) * layer.cell;
    let low = low + dvec2(look.offset.x, -look.offset.y);
    [low + dvec2(0.0, look.drawn.y), low + dvec2(look.drawn.x, 0.0)]
}

/// Paints a tile between two points of the level. Neighbors meet at whole pixels.
fn paint_tile(brush: &mut Brush<'_>, stamp: &Stamp<'_>, corners: [DVec2; 2]) {
    let [from, to] = corners.map(|at| brush.lens.pixel(at).round());
    let size = to - from;
    if size.x > 0.0 && size.y > 0.0 {
        stamp.paint(brush.canvas, from, size);
    }
}
