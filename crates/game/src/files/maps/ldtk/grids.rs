//! The layers of a level with grids of values or tiles.

use super::{definitions::CellWords, *};
use hangtime_core::sim::MapTileLook;
use hangtime_script::text::cut_name;

/// The largest number of layers of a level, where each tile that lies on another one in its cell is in another layer.
const MOST_FIELDS: usize = 1_000;

/// The largest number of entities in all layers together.
const MOST_ENTITIES: usize = 100_000;

/// The types of layers. Layers of the first one are the only ones with values.
const TYPES: [&str; 4] = ["IntGrid", "Entities", "Tiles", "AutoLayer"];

/// A layer of a level.
pub struct Layer<'a> {
    name: String,
    place: Place,
    definition: &'a Members<'a>,
    uid: i64,
    columns: usize,
    /// The width and height of a cell, px.
    pub grid_size: f64,
    /// How far it is moved, px.
    pub offset: DVec2,
    tileset: Option<i64>,
    hidden: bool,
    /// The values of an IntGrid; none for other layers.
    values: Option<Vec<u32>>,
    tiles: Vec<TileInstance>,
    pub entities: Vec<Members<'a>>,
}

struct TileInstance {
    /// Its upper left corner in the layer, px.
    at: [i32; 2],
    /// Its number in the tileset.
    id: u32,
    flips: TileFlips,
}

impl TileInstance {
    fn read(tile: Part<'_>) -> Read<Self> {
        let tile = tile.object()?;
        let flips = tile.whole("f", SIDES)?;
        Ok(Self {
            at: tile.need("px")?.pair(|at| at.whole(WHOLE))?.map(|at| at as i32),
            id: tile.whole("t", NUMBERS)? as u32,
            flips: TileFlips { diagonal: false, horizontal: flips & 1 != 0, vertical: flips & 2 != 0 },
        })
    }
}

impl Layer<'_> {
    fn cell(&self) -> DVec2 {
        DVec2::splat(self.grid_size)
    }

    fn field(&self, tiles: Vec<(TileCell, TileName)>, shows: Option<usize>) -> TileField {
        TileField {
            name: cut_name(&self.name).into_owned(),
            place: self.place.clone(),
            cell: self.cell(),
            tiles,
            offset: self.offset,
            hidden: self.hidden,
            shows,
            of_layer: Rc::default(),
        }
    }
}

/// The values of an IntGrid as tiles without pictures.
struct GridValues {
    cell: DVec2,
    words: BTreeMap<i64, CellWords>,
}

impl TileSet for GridValues {
    fn shapes(&self, id: u32, _: &Rc<Vec<Property>>, _: &mut Mistakes) -> Vec<TileShape> {
        self.words.get(&id.into()).and_then(|words| words.shape(self.cell)).into_iter().collect()
    }

    fn size_of(&self, _: u32) -> DVec2 {
        self.cell
    }

    fn drawn_size(&self, _: TileName, _: DVec2) -> DVec2 {
        self.cell
    }

    fn offset(&self) -> DVec2 {
        DVec2::ZERO
    }

    fn look(&self, _: TileName, _: DVec2) -> Option<(MapTileLook, Place)> {
        None
    }
}

/// The tiles of a tileset that lie on the same place in their cells.
struct PlacedTiles {
    set: Rc<Tileset>,
    offset: DVec2,
}

impl TileSet for PlacedTiles {
    fn shapes(&self, id: u32, _: &Rc<Vec<Property>>, _: &mut Mistakes) -> Vec<TileShape> {
        self.set.words_of(id).shape(self.size_of(id)).into_iter().collect()
    }

    fn size_of(&self, _: u32) -> DVec2 {
        DVec2::splat(self.set.size.into())
    }

    fn drawn_size(&self, tile: TileName, _: DVec2) -> DVec2 {
        self.size_of(tile.id)
    }

    fn offset(&self) -> DVec2 {
        self.offset
    }

    fn look(&self, tile: TileName, _: DVec2) -> Option<(MapTileLook, Place)> {
        let set = &*self.set;
        let (path, place) = set.picture.as_ref()?;
        let columns = set.columns.max(1);
        let corner = |at: u32| at.saturating_mul(set.size + set.spacing).saturating_add(set.padding);
        let look = MapTileLook {
            sheet: resolve_name(&place.file.name, path).into(),
            corner: [corner(tile.id % columns), corner(tile.id / columns)],
            size: [set.size; 2],
            flips: [false, tile.flips.horizontal, tile.flips.vertical],
            drawn: self.size_of(tile.id),
            offset: self.offset,
        };
        Some((look, place.clone()))
    }
}

/// A walk through the layers with grids.
pub struct GridWalk<'a> {
    definitions: &'a Definitions<'a>,
    /// The tilesets by their uids; none for unknown ones.
    known: BTreeMap<i64, Option<Rc<Tileset>>>,
    sets: Vec<Rc<dyn TileSet>>,
    /// Which of these have the tiles of a tileset that lie on a place in their cells, which is in shares of a pixel.
    placed: BTreeMap<(i64, [u64; 2]), usize>,
    /// The items with the solids of IntGrids, by the uids of their layers.
    solids: BTreeMap<i64, usize>,
    fields: usize,
    /// The number of values and tiles, and of entities, of all layers so far.
    tiles: usize,
    entities: usize,
}

impl<'a> GridWalk<'a> {
    pub fn new(definitions: &'a Definitions<'a>) -> Self {
        Self {
            definitions,
            known: BTreeMap::new(),
            sets: Vec::new(),
            placed: BTreeMap::new(),
            solids: BTreeMap::new(),
            fields: 0,
            tiles: 0,
            entities: 0,
        }
    }

    /// The sets of all tiles.
    pub fn sets(self) -> Vec<Rc<dyn TileSet>> {
        self.sets
    }

    /// The layers of a level, the first one in front.
    pub fn layers(&mut self, list: Part<'a>, out: &mut Mistakes) -> Read<Vec<Layer<'a>>> {
        let mut layers = Vec::new();
        list.each(&mut |layer| {
            let parts = layer.object()?;
            if layers.len() == MOST_FIELDS {
                let message = format!("a level can have at most {MOST_FIELDS} layers");
                return Err(parts.need("__identifier")?.error(message));
            }
            layers.push(self.layer(&parts, out)?);
            Ok(())
        })?;
        Ok(layers)
    }

    fn layer(&mut self, parts: &Members<'a>, out: &mut Mistakes) -> Read<Layer<'a>> {
        let name = parts.need("__identifier")?;
        let is_int_grid = parts.need("__type")?.one_of(&TYPES)? == 0;
        let (columns, rows) = (parts.whole("__cWid", SIDES)?, parts.whole("__cHei", SIDES)?);
        let grid_size = parts.whole("__gridSize", SIDES)?;
        if grid_size == 0 {
            return Err(name.error("the cells of a grid are at least 1 px wide and high"));
        }
        let uid = parts.whole("layerDefUid", WHOLE)?;
        let Some(definition) = self.definitions.layer(uid) else {
            return Err(name.error(format!("no layer definition has the uid {uid}")));
        };
        let moves = |key: &str| definition.get(key).is_some_and(|factor| factor.parsed() != Some(0.0));
        if moves("parallaxFactorX") || moves("parallaxFactorY") {
            out.warn(&name.place(), NO_PARALLAX);
        }
        let offset = |key: &str| Ok(parts.maybe_whole(key, WHOLE)?.unwrap_or(0) as f64);
        let mut count = || {
            self.tiles += 1;
            if self.tiles > MOST_TILES {
                let message = format!("the layers of a level can have at most {MOST_TILES} cells and tiles together");
                return Err(name.error(message));
            }
            Ok(())
        };
        let mut values = Vec::new();
        parts.each("intGridCsv", &mut |value| {
            count()?;
            values.push(value.whole(NUMBERS)? as u32);
            Ok(())
        })?;
        let (cells, found) = ((columns * rows) as usize, values.len());
        if is_int_grid && found != cells {
            let more = if found < cells { "fewer" } else { "more" };
            let message = format!("there are {more} values, {found}, than the {cells} that fit its width and height");
            return Err(name.error(message));
        }
        let mut tiles = Vec::new();
        for key in ["gridTiles", "autoLayerTiles"] {
            parts.each(key, &mut |tile| {
                count()?;
                tiles.push(TileInstance::read(tile)?);
                Ok(())
            })?;
        }
        let mut entities = Vec::new();
        parts.each("entityInstances", &mut |entity| {
            self.entities += 1;
            if self.entities > MOST_ENTITIES {
                let message = format!("the layers of a level can have at most {MOST_ENTITIES} entities together");
                return Err(name.error(message));
            }
            entities.push(entity.object()?);
            Ok(())
        })?;
        Ok(Layer {
            name: name.string()?,
            place: name.place(),
            definition,
            uid,
            columns: columns as usize,
            grid_size: grid_size as f64,
            offset: DVec2::new(offset("__pxTotalOffsetX")?, offset("__pxTotalOffsetY")?),
            tileset: parts.maybe_whole("__tilesetDefUid", WHOLE)?,
            hidden: parts.get("visible").is_some_and(|visible| visible.text == "false"),
            values: is_int_grid.then_some(values),
            tiles,
            entities,
        })
    }

    /// The solids of all IntGrids.
    pub fn solids(&mut self, layers: &[Layer<'a>], out: &mut Mistakes) -> Read<Vec<MapItem<'a>>> {
        let mut items = Vec::new();
        for layer in layers.iter().filter(|_| !BuildProgress::is_cancelled()) {
            let Some(values) = &layer.values else {
                continue;
            };
            let words = self.definitions.grid_words(layer.definition, out)?;
            let (mut tiles, mut unknown) = (Vec::new(), Vec::new());
            for (at, value) in values.iter().enumerate().filter(|(_, value)| **value != 0) {
                let cell = ((at / layer.columns) as i32, (at % layer.columns) as i32);
                match words.contains_key(&i64::from(*value)) {
                    true => {
                        tiles.push((cell, TileName { set: self.sets.len(), id: *value, flips: TileFlips::default() }))
                    }
                    false => unknown.push((cell, *value)),
                }
            }
            report_unknown(&unknown, &layer.place, |value| format!("this IntGrid has no value {value}"), out);
            self.sets.push(Rc::new(GridValues { cell: layer.cell(), words }));
            self.solids.insert(layer.uid, items.len());
            items.push(MapItem::Tiles(layer.field(tiles, None)));
        }
        Ok(items)
    }

    /// The tiles of a layer. Tiles on others in the same cell are in another field. `next` items come before them.
    pub fn tiles(&mut self, layer: &Layer<'a>, next: usize, out: &mut Mistakes) -> Read<Vec<MapItem<'a>>> {
        if layer.tiles.is_empty() {
            return Ok(Vec::new());
        }
        let place = &layer.place;
        let wrong = |message: String| Err(Diagnostic::error(place.clone(), message));
        let Some(uid) = layer.tileset else {
            return wrong("this layer has tiles, but no tileset".into());
        };
        let Some(set) = self.tileset(uid, out)? else {
            return wrong(format!("no tileset of this project has the uid {uid}"));
        };
        let share = |key: &str| layer.definition.get(key).map_or(Ok(0.0), Part::share);
        let pivot = DVec2::new(share("tilePivotX")?, share("tilePivotY")?);
        // A tile that is smaller or larger than its cell; others lie on its lower left corner.
        let spare = layer.grid_size - f64::from(set.size);
        let pivot = pivot * spare - DVec2::new(0.0, spare);
        let (cell, count) = (layer.grid_size as i32, set.columns * set.rows);
        let mut stacked: BTreeMap<TileCell, usize> = BTreeMap::new();
        let mut fields: Vec<Vec<(TileCell, TileName)>> = Vec::new();
        let mut unknown = Vec::new();
        for tile in &layer.tiles {
            let [x, y] = tile.at.map(|at| at.div_euclid(cell));
            let rest = tile.at.map(|at| f64::from(at.rem_euclid(cell)));
            if [x, y].into_iter().any(|at| f64::from(at).abs() > FARTHEST_TILE) {
                let [x, y] = tile.at;
                let message = format!("a tile is at {x}, {y} px; tiles are within {FARTHEST_TILE} cells of the corner");
                return wrong(message);
            }
            if tile.id >= count {
                unknown.push(((y, x), tile.id));
                continue;
            }
            let name = self.set_of(uid, &set, pivot + DVec2::from(rest));
            let depth = stacked.entry((y, x)).or_default();
            if fields.len() == *depth {
                if self.fields == MOST_FIELDS {
                    return wrong(format!(
                        "row {y}, column {x}, counted from 0: up to this tile, a level has more than {MOST_FIELDS} layers; \
                         tiles on each other in a cell count as several"
                    ));
                }
                self.fields += 1;
                fields.push(Vec::new());
            }
            fields[*depth].push(((y, x), TileName { set: name, id: tile.id, flips: tile.flips }));
            *depth += 1;
        }
        let name = &set.name;
        report_unknown(&unknown, place, |tile| format!("the tileset `{name}` has no tile {tile}"), out);
        let source = layer.definition.maybe_whole("autoSourceLayerDefUid", WHOLE)?;
        let of_grid = self.solids.get(&source.unwrap_or(layer.uid)).copied();
        let field = |(depth, mut tiles): (usize, Vec<(TileCell, TileName)>)| {
            tiles.sort_unstable();
            let lowest = (depth > 0).then_some(next);
            MapItem::Tiles(layer.field(tiles, of_grid.or(lowest)))
        };
        Ok(fields.into_iter().enumerate().map(field).collect())
    }

    /// The tileset with this uid, read once.
    fn tileset(&mut self, uid: i64, out: &mut Mistakes) -> Read<Option<Rc<Tileset>>> {
        if let Some(known) = self.known.get(&uid) {
            return Ok(known.clone());
        }
        let set = self.definitions.tileset(uid, out)?.map(Rc::new);
        self.known.insert(uid, set.clone());
        Ok(set)
    }

    /// The tiles of a tileset that lie on this place in their cells.
    fn set_of(&mut self, uid: i64, set: &Rc<Tileset>, offset: DVec2) -> usize {
        let next = self.sets.len();
        let index = *self.placed.entry((uid, offset.to_array().map(f64::to_bits))).or_insert(next);
        if index == next {
            self.sets.push(Rc::new(PlacedTiles { set: Rc::clone(set), offset }));
        }
        index
    }
}
