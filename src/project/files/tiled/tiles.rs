//! The solids of a layer of tiles.

use super::collision::{SolidStyle, TileShape, shapes_of};
use super::layers::TileField;
use super::merge::{Cell, blocks, chains};
use super::object::up;
use super::property::{number_node, put, table_at};
use super::shape::corners;
use super::tileset::{TileFlips, TileSource};
use crate::project::files::tree::{Data, Node};
use crate::script::host::{BuildProgress, Diagnostic, Mistakes, Place};
use glam::DVec2;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use tiled::{LayerTileData, TileLayer, TileRenderSize};

/// The largest number of solids that the tiles of a layer become.
const MOST_SOLIDS: usize = 50_000;

/// A tile of a tileset.
type TileNumber = (usize, u32);

/// The cells that are solid as a whole, by style, with the place of their first shape.
type FullCells = BTreeMap<(String, u64), (SolidStyle, Place, BTreeSet<Cell>)>;

/// The one-way lines, by style, with the place of their first shape.
type OneWayLines = BTreeMap<(String, u64), (SolidStyle, Place, Vec<Vec<DVec2>>)>;

/// A field of tiles that becomes solids.
struct FieldReader<'f, 'o> {
    field: &'f TileField<'f>,
    sources: &'f [Rc<TileSource<'f>>],
    cell: DVec2,
    shapes: BTreeMap<TileNumber, Rc<Vec<TileShape>>>,
    full: FullCells,
    lines: OneWayLines,
    solids: Vec<Node>,
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
        full: BTreeMap::new(),
        lines: BTreeMap::new(),
        solids: Vec::new(),
        out,
    };
    for (cell, data) in cells_of(&field.layer) {
        if BuildProgress::is_cancelled() || reader.solids.len() > MOST_SOLIDS {
            break;
        }
        reader.add(cell, data);
    }
    reader.finish()
}

/// The tiles of a layer by their cells, row by row.
fn cells_of(layer: &TileLayer<'_>) -> BTreeMap<Cell, LayerTileData> {
    let mut cells = BTreeMap::new();
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
            let (width, height) = (
                tiled::ChunkData::WIDTH as i32,
                tiled::ChunkData::HEIGHT as i32,
            );
            for ((x, y), chunk) in layer.chunk_data() {
                for (row, column) in (0..height).flat_map(|r| (0..width).map(move |c| (r, c))) {
                    let data = chunk.get_tile_data(column, row);
                    let cell = (y * height + row, x * width + column);
                    cells.extend(data.map(|data| (cell, *data)));
                }
            }
        }
    }
    cells
}

impl FieldReader<'_, '_> {
    fn add(&mut self, cell: Cell, data: LayerTileData) {
        let number = (data.tileset_index(), data.id());
        let Some(source) = self.sources.get(number.0) else {
            return;
        };
        let (field, out) = (self.field, &mut *self.out);
        let known = self.shapes.entry(number);
        let shapes =
            known.or_insert_with(|| Rc::new(shapes_of(source, number.1, &field.of_layer, out)));
        let shapes = Rc::clone(shapes);
        let flips = TileFlips {
            diagonal: data.flip_d,
            horizontal: data.flip_h,
            vertical: data.flip_v,
        };
        let size = source.size_of(number.1);
        let in_grid = source.set.tile_render_size == TileRenderSize::Grid;
        let drawn = if in_grid {
            self.cell
        } else {
            flips.flipped(size)
        };
        // A tile lies on the lower left corner of its cell.
        let (row, column) = cell;
        let corner = DVec2::new(f64::from(column), f64::from(row) + 1.0) * self.cell;
        let at = corner - DVec2::new(0.0, drawn.y) + source.offset();
        let scale = drawn / flips.flipped(size);
        for shape in shapes.iter() {
            let points = shape.points.iter().map(|p| flips.apply(*p, size) * scale);
            let points: Vec<DVec2> = points.collect();
            let fills = drawn == self.cell && source.offset() == DVec2::ZERO;
            if fills && !shape.one_way && is_whole(&points, self.cell) {
                let full = self.full.entry(shape.style.key());
                let full = full
                    .or_insert_with(|| (shape.style.clone(), shape.place.clone(), BTreeSet::new()));
                full.2.insert(cell);
                continue;
            }
            let mut points: Vec<DVec2> =
                points.into_iter().map(|p| self.to_level(at + p)).collect();
            if !shape.one_way {
                self.solids
                    .push(solid(&points, &shape.style, &shape.place, false));
                continue;
            }
            if points.first().map(|p| p.x) > points.last().map(|p| p.x) {
                points.reverse();
            }
            let lines = self.lines.entry(shape.style.key());
            let lines =
                lines.or_insert_with(|| (shape.style.clone(), shape.place.clone(), Vec::new()));
            lines.2.push(points);
        }
    }

    fn to_level(&self, point: DVec2) -> DVec2 {
        up(self.field.offset + point)
    }

    fn finish(mut self) -> Vec<Node> {
        let mut solids = std::mem::take(&mut self.solids);
        for (style, place, cells) in self.full.values() {
            for block in blocks(cells) {
                let min = DVec2::new(block.column.into(), block.row.into()) * self.cell;
                let size = DVec2::new(block.columns.into(), block.rows.into()) * self.cell;
                let points = corners(min, size).map(|point| self.to_level(point));
                solids.push(solid(&points, style, place, false));
            }
        }
        for (style, place, lines) in std::mem::take(&mut self.lines).into_values() {
            for line in chains(lines) {
                solids.push(solid(&line, &style, &place, true));
            }
        }
        if solids.len() > MOST_SOLIDS {
            let message = format!(
                "the tiles of this layer become more than {MOST_SOLIDS} solids; use fewer tiles that are not solid as a whole"
            );
            self.out
                .push(Diagnostic::error(self.field.tag.place(), message));
            solids.clear();
        }
        solids
    }
}

/// Whether points are the corners of a whole cell.
fn is_whole(points: &[DVec2], cell: DVec2) -> bool {
    let wanted = corners(DVec2::ZERO, cell);
    points.len() == wanted.len() && wanted.iter().all(|corner| points.contains(corner))
}

/// A `[[solid]]`.
pub(super) fn solid(points: &[DVec2], style: &SolidStyle, place: &Place, one_way: bool) -> Node {
    let mut table = table_at(place);
    let points = points
        .iter()
        .map(|point| point_node(*point, place))
        .collect();
    let node = |value| Node {
        value,
        place: place.clone(),
    };
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
    Node {
        value: Data::Array(vec![
            number_node(point.x, place),
            number_node(point.y, place),
        ]),
        place: place.clone(),
    }
}
