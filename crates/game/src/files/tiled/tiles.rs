//! The solids of a layer of tiles.

use super::collision::{SolidStyle, TileShape, shapes_of};
use super::layers::TileField;
use super::merge::{TileCell, blocks, chains};
use super::object::up;
use super::property::{number_node, put, table_at};
use super::shape::corners;
use super::tileset::{TileFlips, TileSource};
use crate::files::tables::tree::{Data, Node};
use glam::DVec2;
use hangtime_script::{BuildProgress, Diagnostic, Mistakes, Place};
use std::collections::BTreeMap;
use std::rc::Rc;
use tiled::{LayerTileData, TileLayer, TileRenderSize};

/// The largest number of solids that the tiles of a layer become, and of shapes that are joined to them
/// because they do not fill their cells.
const MOST_SOLIDS: usize = 50_000;
const MOST_SHAPES: usize = 200_000;

/// A tile of a tileset.
type TileNumber = (usize, u32);

/// A collision shape of a tile that is drawn in a layer.
struct TilePiece {
    shape: TileShape,
    /// An index into the styles of the layer.
    style: usize,
    /// Whether it is as large as the tile, however that is flipped.
    is_whole: bool,
}

/// The shapes of a layer that are the same in the game, apart from their places.
struct LayerPart {
    style: SolidStyle,
    /// The first shape that fills its cells, or the first shape of all.
    place: Place,
    /// The first one-way line.
    line_place: Option<Place>,
    /// The cells that are solid as a whole, row by row.
    cells: Vec<TileCell>,
    /// One-way lines, from left to right.
    lines: Vec<Vec<DVec2>>,
}

/// A field of tiles that becomes solids.
struct FieldReader<'f, 'o> {
    field: &'f TileField<'f>,
    sources: &'f [Rc<TileSource<'f>>],
    cell: DVec2,
    shapes: BTreeMap<TileNumber, Rc<Vec<TilePiece>>>,
    styles: BTreeMap<(String, u64), usize>,
    parts: Vec<LayerPart>,
    solids: Vec<Node>,
    /// The number of shapes that do not fill their cells.
    count: usize,
    out: &'o mut Mistakes,
}

/// The solids of a layer of tiles. `cell` is the size of the map's cells, px.
pub(super) fn solids_of<'f>(
    field: &'f TileField<'f>,
    sources: &'f [Rc<TileSource<'f>>],
    cell: DVec2,
    out: &mut Mistakes,
) -> Vec<Node> {
    let mut reader = FieldReader {
        field,
        sources,
        cell,
        shapes: BTreeMap::new(),
        styles: BTreeMap::new(),
        parts: Vec::new(),
        solids: Vec::new(),
        count: 0,
        out,
    };
    for (cell, data) in cells_of(&field.layer) {
        if reader.is_full() || BuildProgress::is_cancelled() {
            break;
        }
        reader.add(cell, data);
    }
    reader.finish()
}

/// The tiles of a layer with their cells, row by row.
pub(super) fn cells_of(layer: &TileLayer<'_>) -> Vec<(TileCell, LayerTileData)> {
    let mut cells = Vec::new();
    match layer {
        TileLayer::Finite(layer) => {
            for row in 0..layer.height() as i32 {
                for column in 0..layer.width() as i32 {
                    let data = layer.get_tile_data(column, row);
                    cells.extend(data.map(|data| ((row, column), *data)));
                }
            }
        }
        TileLayer::Infinite(layer) => {
            let (width, height) = (tiled::ChunkData::WIDTH as i32, tiled::ChunkData::HEIGHT as i32);
            for ((x, y), chunk) in layer.chunk_data() {
                for (row, column) in (0..height).flat_map(|r| (0..width).map(move |c| (r, c))) {
                    let data = chunk.get_tile_data(column, row);
                    let cell = (y * height + row, x * width + column);
                    cells.extend(data.map(|data| (cell, *data)));
                }
            }
            // Chunks have no order.
            cells.sort_by_key(|(cell, _)| *cell);
        }
    }
    cells
}

/// Width and height of a flipped tile in a map with cells of this size, px.
pub(super) fn drawn_size(source: &TileSource<'_>, (flips, size): (TileFlips, DVec2), cell: DVec2) -> DVec2 {
    match source.set.tile_render_size {
        TileRenderSize::Grid => cell,
        TileRenderSize::Tile => flips.flipped(size),
    }
}

impl FieldReader<'_, '_> {
    fn is_full(&self) -> bool {
        self.count > MOST_SHAPES || self.solids.len() > MOST_SOLIDS
    }

    /// The collision shapes of a tile, read once.
    fn shapes(&mut self, number: TileNumber, source: &TileSource<'_>) -> Rc<Vec<TilePiece>> {
        if let Some(known) = self.shapes.get(&number) {
            return Rc::clone(known);
        }
        let size = source.size_of(number.1);
        let mut drawn = Vec::new();
        for shape in shapes_of(source, number.1, &self.field.of_layer, self.out) {
            let next = self.parts.len();
            let style = *self.styles.entry(shape.style.key()).or_insert(next);
            if style == next {
                self.parts.push(LayerPart {
                    style: shape.style.clone(),
                    place: shape.place.clone(),
                    line_place: None,
                    cells: Vec::new(),
                    lines: Vec::new(),
                });
            }
            drawn.push(TilePiece { is_whole: !shape.one_way && is_whole(&shape.points, size), style, shape });
        }
        let drawn = Rc::new(drawn);
        self.shapes.insert(number, Rc::clone(&drawn));
        drawn
    }

    fn add(&mut self, cell: TileCell, data: LayerTileData) {
        let number = (data.tileset_index(), data.id());
        let Some(source) = self.sources.get(number.0).cloned() else {
            return;
        };
        let shapes = self.shapes(number, &source);
        let flips = TileFlips { diagonal: data.flip_d, horizontal: data.flip_h, vertical: data.flip_v };
        let size = source.size_of(number.1);
        let drawn = drawn_size(&source, (flips, size), self.cell);
        // A tile lies on the lower left corner of its cell.
        let (row, column) = cell;
        let corner = DVec2::new(f64::from(column), f64::from(row) + 1.0) * self.cell;
        let at = corner - DVec2::new(0.0, drawn.y) + source.offset();
        let scale = drawn / flips.flipped(size);
        let fills = drawn == self.cell && source.offset() == DVec2::ZERO;
        for drawn in shapes.iter() {
            let shape = &drawn.shape;
            if fills && drawn.is_whole {
                let part = &mut self.parts[drawn.style];
                if part.cells.is_empty() {
                    part.place = shape.place.clone();
                }
                if part.cells.last() != Some(&cell) {
                    part.cells.push(cell);
                }
                continue;
            }
            self.count += 1;
            let points = shape.points.iter().map(|p| flips.apply(*p, size) * scale);
            let mut points: Vec<DVec2> = points.map(|p| self.to_level(at + p)).collect();
            if !shape.one_way {
                let solid = solid(&points, &shape.style, &shape.place, false);
                self.solids.push(solid);
                continue;
            }
            if points.first().map(|p| p.x) > points.last().map(|p| p.x) {
                points.reverse();
            }
            let part = &mut self.parts[drawn.style];
            part.line_place.get_or_insert_with(|| shape.place.clone());
            part.lines.push(points);
        }
    }

    fn to_level(&self, point: DVec2) -> DVec2 {
        up(self.field.offset + point)
    }

    fn finish(mut self) -> Vec<Node> {
        let is_full = self.is_full();
        let mut solids = std::mem::take(&mut self.solids);
        let mut parts = std::mem::take(&mut self.parts);
        for part in &parts {
            for block in blocks(&part.cells) {
                let min = DVec2::new(block.column.into(), block.row.into()) * self.cell;
                let size = DVec2::new(block.columns.into(), block.rows.into()) * self.cell;
                let points = corners(min, size).map(|point| self.to_level(point));
                solids.push(solid(&points, &part.style, &part.place, false));
            }
        }
        for part in &mut parts {
            for line in chains(std::mem::take(&mut part.lines)) {
                let place = part.line_place.as_ref().unwrap_or(&part.place);
                solids.push(solid(&line, &part.style, place, true));
            }
        }
        if is_full || solids.len() > MOST_SOLIDS {
            let message = format!(
                "the tiles of this layer become more than {MOST_SOLIDS} solids; use fewer tiles that are not \
                 solid as a whole"
            );
            let place = self.field.tag.place();
            self.out.push(Diagnostic::error(place, message));
            solids.clear();
        }
        solids
    }
}

/// Whether points are the corners of a whole tile.
fn is_whole(points: &[DVec2], cell: DVec2) -> bool {
    let wanted = corners(DVec2::ZERO, cell);
    points.len() == wanted.len() && wanted.iter().all(|corner| points.contains(corner))
}

/// A `[[solid]]`.
pub(super) fn solid(points: &[DVec2], style: &SolidStyle, place: &Place, one_way: bool) -> Node {
    let mut table = table_at(place);
    let points = points.iter().map(|point| point_node(*point, place)).collect();
    let node = |value| Node { value, place: place.clone() };
    put(&mut table, "points", node(Data::Array(points)));
    if one_way {
        put(&mut table, "one_way", node(Data::Flag(true)));
    }
    for (key, value) in [("surface", &style.surface), ("top", &style.top)] {
        if let Some(value) = value {
            put(&mut table, key, value.clone());
        }
    }
    node(Data::Table(table))
}

/// A point, `[x, y]`.
pub(super) fn point_node(point: DVec2, place: &Place) -> Node {
    Node { value: Data::Array(vec![number_node(point.x, place), number_node(point.y, place)]), place: place.clone() }
}
