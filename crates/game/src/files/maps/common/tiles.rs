//! The solids of a layer of tiles.

use super::*;
use hangtime_core::level::{blocks_of, chains_of};

/// The largest number of solids that tiles and ellipses become, and of their points.
const MOST_SOLIDS: usize = 25_000;
const MOST_POINTS: usize = 100_000;

/// The largest number of points of the one-way lines of a layer, before lines that continue each other are joined.
const MOST_LINE_POINTS: usize = 1_000_000;

/// What has been made of the tiles of all layers and of ellipses: a map says little about them that becomes a lot.
#[derive(Default)]
pub struct MadeSolids {
    solids: usize,
    points: usize,
}

impl MadeSolids {
    fn has_room(&self) -> bool {
        self.solids <= MOST_SOLIDS && self.points <= MOST_POINTS
    }

    /// Counts a solid before it is made. Returns whether it may be; the first one that may not is reported at `place`.
    pub fn add(&mut self, points: usize, place: &Place, out: &mut Mistakes) -> bool {
        let had_room = self.has_room();
        self.solids += 1;
        self.points += points;
        if had_room && !self.has_room() {
            let message = format!(
                "up to here, tiles and ellipses become more than {MOST_SOLIDS} solids, or more than {MOST_POINTS} points of \
                 solids; use fewer tiles that are not solid as a whole, or draw polygons"
            );
            out.error(place, message);
        }
        self.has_room()
    }
}

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
    /// One-way lines, from left to right, with their cells.
    lines: Vec<(TileCell, Vec<DVec2>)>,
}

/// A field of tiles that becomes solids.
struct FieldReader<'f, 'o> {
    field: &'f TileField,
    sets: &'f [Rc<dyn TileSet + 'f>],
    /// By the index of the tileset and the tile's number there.
    shapes: BTreeMap<(usize, u32), Rc<Vec<TilePiece>>>,
    styles: BTreeMap<(String, u64), usize>,
    parts: Vec<LayerPart>,
    solids: Vec<Node>,
    /// Which tiles they are.
    layer: TileLayer,
    /// The number of points of all lines.
    line_points: usize,
    made: &'o mut MadeSolids,
    out: &'o mut Mistakes,
}

/// The solids of a layer of tiles, and which tiles they are. They come after `first` others.
pub fn solids_of<'f>(
    field: &'f TileField,
    sets: &'f [Rc<dyn TileSet + 'f>],
    first: u32,
    made: &mut MadeSolids,
    out: &mut Mistakes,
) -> (Vec<Node>, TileLayer) {
    let layer = TileLayer {
        name: field.name.as_str().into(),
        corner: up(field.offset),
        cell: field.cell,
        solids: first..first,
        ..TileLayer::default()
    };
    let mut reader = FieldReader {
        layer,
        field,
        sets,
        shapes: BTreeMap::new(),
        styles: BTreeMap::new(),
        parts: Vec::new(),
        solids: Vec::new(),
        line_points: 0,
        made,
        out,
    };
    for (cell, name) in &field.tiles {
        if !reader.has_room() || BuildProgress::is_cancelled() {
            break;
        }
        reader.add(*cell, *name);
    }
    reader.finish()
}

impl FieldReader<'_, '_> {
    fn has_room(&self) -> bool {
        self.line_points <= MOST_LINE_POINTS && self.made.has_room()
    }

    /// The collision shapes of a tile, read once.
    fn shapes(&mut self, name: TileName, set: &dyn TileSet) -> Rc<Vec<TilePiece>> {
        if let Some(known) = self.shapes.get(&(name.set, name.id)) {
            return Rc::clone(known);
        }
        let size = set.size_of(name.id);
        let mut drawn = Vec::new();
        for shape in set.shapes(name.id, &self.field.of_layer, self.out) {
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
        self.shapes.insert((name.set, name.id), Rc::clone(&drawn));
        drawn
    }

    fn add(&mut self, cell: TileCell, name: TileName) {
        let (sets, whole) = (self.sets, self.field.cell);
        let set = &*sets[name.set];
        let shapes = self.shapes(name, set);
        let (flips, size) = (name.flips, set.size_of(name.id));
        let drawn = set.drawn_size(name, whole);
        // A tile lies on the lower left corner of its cell.
        let (row, column) = cell;
        let corner = DVec2::new(f64::from(column), f64::from(row) + 1.0) * whole;
        let at = corner - DVec2::new(0.0, drawn.y) + set.offset();
        let scale = drawn / flips.flipped(size);
        let fills = drawn == whole && set.offset() == DVec2::ZERO;
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
            if shape.one_way {
                self.line_points += shape.points.len();
            } else if !self.made.add(shape.points.len(), &self.field.place, self.out) {
                return;
            }
            let points = shape.points.iter().map(|p| flips.apply(*p, size) * scale);
            let mut points: Vec<DVec2> = points.map(|p| up(self.field.offset + at + p)).collect();
            if !shape.one_way {
                let solid = solid(&points, &shape.style, &shape.place, false);
                self.layer.tiles.push((cell.into(), self.layer.solids.start + self.solids.len() as u32));
                self.solids.push(solid);
                continue;
            }
            if points.first().map(|p| p.x) > points.last().map(|p| p.x) {
                points.reverse();
            }
            let part = &mut self.parts[drawn.style];
            part.line_place.get_or_insert_with(|| shape.place.clone());
            part.lines.push((cell, points));
        }
    }

    fn finish(self) -> (Vec<Node>, TileLayer) {
        let Self { field, parts, mut solids, mut layer, line_points, made, out, .. } = self;
        let of_layer = &field.place;
        let none = || (Vec::new(), TileLayer::default());
        let number = |solids: &Vec<Node>| layer.solids.start + solids.len() as u32;
        if line_points > MOST_LINE_POINTS {
            let message =
                format!("the one-way lines of the tiles of this layer have more than {MOST_LINE_POINTS} points");
            out.error(of_layer, message);
            return none();
        }
        if !made.has_room() {
            return none();
        }
        for part in &parts {
            let first = number(&solids);
            let cells: Vec<[i32; 2]> = part.cells.iter().map(|cell| (*cell).into()).collect();
            for block in blocks_of(&cells, MOST_SOLIDS) {
                if !made.add(4, of_layer, out) {
                    return none();
                }
                let index = number(&solids);
                layer.tiles.extend(block.cells().map(|cell| (cell, index)));
                let points = block.corners(field.cell).map(|point| up(field.offset + point));
                solids.push(solid(&points, &part.style, &part.place, false));
            }
            layer.blocks.push(first..number(&solids));
        }
        for part in parts {
            let place = part.line_place.unwrap_or(part.place);
            let lines: Vec<&[DVec2]> = part.lines.iter().map(|(_, line)| &line[..]).collect();
            for (pieces, line) in chains_of(&lines) {
                if !made.add(line.len(), of_layer, out) {
                    return none();
                }
                let index = number(&solids);
                let of_line = pieces.iter().map(|piece| &part.lines[*piece]);
                layer.lines.extend(of_line.map(|(cell, points)| ((*cell).into(), index, points.clone())));
                solids.push(solid(&line, &part.style, &place, true));
            }
        }
        layer.solids.end = number(&solids);
        layer.tiles.sort_unstable();
        layer.lines.sort_by_key(|(cell, solid, _)| (*cell, *solid));
        (solids, layer)
    }
}

/// Whether points are the corners of a whole tile.
fn is_whole(points: &[DVec2], cell: DVec2) -> bool {
    let wanted = corners(DVec2::ZERO, cell);
    points.len() == wanted.len() && wanted.iter().all(|corner| points.contains(corner))
}

/// A `[[solid]]`.
pub fn solid(points: &[DVec2], style: &SolidStyle, place: &Place, one_way: bool) -> Node {
    let mut table = Table::at(place);
    let points = points.iter().map(|point| point_node(*point, place)).collect();
    table.put("points", Node::new(Data::Array(points), place));
    if one_way {
        table.put("one_way", Node::new(Data::Flag(true), place));
    }
    for (key, value) in [("surface", &style.surface), ("top", &style.top)] {
        if let Some(value) = value {
            table.put(key, value.clone());
        }
    }
    Node::new(Data::Table(table), place)
}

/// A point, `[x, y]`.
pub fn point_node(point: DVec2, place: &Place) -> Node {
    let numbers = point.to_array().map(|x| Node::new(Data::of_number(x), place));
    Node::new(Data::Array(numbers.into()), place)
}
