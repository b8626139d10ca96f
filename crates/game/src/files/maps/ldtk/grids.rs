//! The layers of a level with grids of values or tiles.

use super::{
    definitions::{CellWords, TileWords},
    entities::EntityInstance,
    *,
};
use hangtime_core::sim::MapTileLook;
use hangtime_script::text::cut_name;

/// The largest number of cells and tiles in all layers together.
const MOST_TILES: usize = 2_000_000;

/// The largest number of layers of a level, where each tile that lies on another one in its cell is in another layer.
const MOST_FIELDS: usize = 1_000;

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
pub enum LayerKind {
    IntGrid,
    Entities,
    Tiles,
    AutoLayer,
}

/// The farthest row or column of a tile, in cells.
const FARTHEST_TILE: i32 = 1_000_000;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Layer<'a> {
    #[serde(rename = "__identifier", borrow)]
    pub identifier: PlacedPart<'a, String>,
    #[serde(rename = "__type")]
    pub kind: LayerKind,
    #[serde(rename = "__cWid")]
    columns: u16,
    #[serde(rename = "__cHei")]
    rows: u16,
    #[serde(rename = "__gridSize")]
    pub grid_size: u16,
    #[serde(rename = "__pxTotalOffsetX", default)]
    offset_x: i32,
    #[serde(rename = "__pxTotalOffsetY", default)]
    offset_y: i32,
    #[serde(rename = "__tilesetDefUid")]
    tileset_uid: Option<i64>,
    layer_def_uid: i64,
    #[serde(default = "shown")]
    visible: bool,
    #[serde(default)]
    int_grid_csv: Vec<u32>,
    #[serde(default)]
    grid_tiles: Vec<TileInstance>,
    #[serde(default)]
    auto_layer_tiles: Vec<TileInstance>,
    #[serde(borrow, default)]
    pub entity_instances: Vec<EntityInstance<'a>>,
}

const fn shown() -> bool {
    true
}

#[derive(Deserialize)]
struct TileInstance {
    /// Its upper left corner in the layer, px.
    px: [i32; 2],
    /// Whether it is flipped horizontally, 1, and vertically, 2.
    f: u8,
    /// Its number in the tileset.
    t: u32,
}

impl Layer<'_> {
    /// How far it is moved, px.
    pub fn offset(&self) -> DVec2 {
        DVec2::new(self.offset_x.into(), self.offset_y.into())
    }

    fn cell(&self) -> DVec2 {
        DVec2::splat(self.grid_size.into())
    }

    fn field(&self, place: &Place, tiles: Vec<(TileCell, TileName)>, shows: Option<usize>) -> TileField {
        TileField {
            name: cut_name(&self.identifier.value).into_owned(),
            place: place.clone(),
            cell: self.cell(),
            tiles,
            offset: self.offset(),
            hidden: !self.visible,
            shows,
            of_layer: Rc::default(),
        }
    }
}

/// The values of an IntGrid as tiles without pictures.
struct GridValues {
    cell: DVec2,
    words: BTreeMap<u32, CellWords>,
}

impl TileSet for GridValues {
    fn shapes(&self, id: u32, _: &Rc<Vec<Property>>, _: &mut Mistakes) -> Vec<TileShape> {
        self.words.get(&id).and_then(|words| words.shape(self.cell)).into_iter().collect()
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
struct PlacedTiles<'a> {
    file: &'a Arc<SourceFile>,
    set: &'a TilesetDefinition<'a>,
    words: Rc<TileWords<'a>>,
    offset: DVec2,
}

impl TileSet for PlacedTiles<'_> {
    fn shapes(&self, id: u32, _: &Rc<Vec<Property>>, _: &mut Mistakes) -> Vec<TileShape> {
        self.words.of(id).shape(self.size_of(id)).into_iter().collect()
    }

    fn size_of(&self, _: u32) -> DVec2 {
        DVec2::splat(self.set.tile_grid_size.into())
    }

    fn drawn_size(&self, tile: TileName, _: DVec2) -> DVec2 {
        self.size_of(tile.id)
    }

    fn offset(&self) -> DVec2 {
        self.offset
    }

    fn look(&self, tile: TileName, _: DVec2) -> Option<(MapTileLook, Place)> {
        let (set, path) = (self.set, self.set.rel_path.as_ref()?);
        let columns = u32::from(set.columns).max(1);
        let step = u32::from(set.tile_grid_size) + u32::from(set.spacing);
        let look = MapTileLook {
            sheet: resolve_name(&self.file.name, &path.value).into(),
            corner: [tile.id % columns, tile.id / columns]
                .map(|at| at.saturating_mul(step).saturating_add(set.padding.into())),
            size: [set.tile_grid_size.into(); 2],
            flips: [false, tile.flips.horizontal, tile.flips.vertical],
            drawn: self.size_of(tile.id),
            offset: self.offset,
        };
        Some((look, path.place(self.file)))
    }
}

/// A walk through the layers with grids.
pub struct GridWalk<'a> {
    definitions: &'a Definitions<'a>,
    /// The file of the level.
    file: &'a Arc<SourceFile>,
    sets: Vec<Rc<dyn TileSet + 'a>>,
    /// Which of these have the tiles of a tileset that lie on a place in their cells, which is in shares of a pixel.
    placed: BTreeMap<(i64, [u64; 2]), usize>,
    words: BTreeMap<i64, Rc<TileWords<'a>>>,
    /// The items with the solids of IntGrids, by the uids of their layers.
    solids: BTreeMap<i64, usize>,
    fields: usize,
}

impl<'a> GridWalk<'a> {
    pub fn new(definitions: &'a Definitions<'a>, file: &'a Arc<SourceFile>) -> Self {
        Self {
            definitions,
            file,
            sets: Vec::new(),
            placed: BTreeMap::new(),
            words: BTreeMap::new(),
            solids: BTreeMap::new(),
            fields: 0,
        }
    }

    /// The sets of all tiles.
    pub fn sets(self) -> Vec<Rc<dyn TileSet + 'a>> {
        self.sets
    }

    /// Checks the layers before they are read. If it returns false, that must not be tried.
    pub fn check(&self, layers: &[Layer<'_>], out: &mut Mistakes) -> bool {
        let (mut fits, mut tiles) = (layers.len() <= MOST_FIELDS, 0);
        if let Some(layer) = layers.get(MOST_FIELDS) {
            let message = format!("a level can have at most {MOST_FIELDS} layers");
            out.error(&layer.identifier.place(self.file), message);
        }
        for layer in layers {
            let place = &layer.identifier.place(self.file);
            let mut refuse = |message: String| {
                out.error(place, message);
                fits = false;
            };
            let (cells, found) = (usize::from(layer.columns) * usize::from(layer.rows), layer.int_grid_csv.len());
            if layer.grid_size == 0 {
                refuse("the cells of a grid are at least 1 px wide and high".into());
            }
            if layer.kind == LayerKind::IntGrid && found != cells {
                let more = if found < cells { "fewer" } else { "more" };
                refuse(format!("there are {more} values, {found}, than the {cells} that fit its width and height"));
            }
            let had_room = tiles <= MOST_TILES;
            tiles += found + layer.grid_tiles.len() + layer.auto_layer_tiles.len();
            if had_room && tiles > MOST_TILES {
                refuse(format!("the layers of a level can have at most {MOST_TILES} cells and tiles together"));
            }
            match self.definitions.layer(layer.layer_def_uid) {
                Some(definition) if [definition.parallax_factor_x, definition.parallax_factor_y] != [0.0; 2] => {
                    out.warn(place, "parallax has no effect in a level");
                }
                Some(_) => {}
                None => refuse(format!("no layer definition has the uid {}", layer.layer_def_uid)),
            }
        }
        fits
    }

    /// The solids of all IntGrids.
    pub fn solids(&mut self, layers: &[Layer<'_>], out: &mut Mistakes) -> Vec<MapItem<'a>> {
        let mut items = Vec::new();
        for layer in layers.iter().filter(|layer| layer.kind == LayerKind::IntGrid) {
            let definition = self.definitions.layer(layer.layer_def_uid).filter(|_| !BuildProgress::is_cancelled());
            let Some(definition) = definition else {
                continue;
            };
            let place = layer.identifier.place(self.file);
            let words = self.definitions.grid_words(definition, out);
            let (mut tiles, mut unknown) = (Vec::new(), Vec::new());
            for (at, value) in layer.int_grid_csv.iter().enumerate().filter(|(_, value)| **value != 0) {
                let columns = usize::from(layer.columns);
                let cell = ((at / columns) as i32, (at % columns) as i32);
                match words.contains_key(value) {
                    true => {
                        tiles.push((cell, TileName { set: self.sets.len(), id: *value, flips: TileFlips::default() }))
                    }
                    false => unknown.push((cell, *value)),
                }
            }
            report_unknown(&unknown, &place, |value| format!("this IntGrid has no value {value}"), out);
            self.sets.push(Rc::new(GridValues { cell: layer.cell(), words }));
            self.solids.insert(layer.layer_def_uid, items.len());
            items.push(MapItem::Tiles(layer.field(&place, tiles, None)));
        }
        items
    }

    /// The tiles of a layer. Tiles on others in the same cell are in another field. `next` items come before them.
    pub fn tiles(&mut self, layer: &Layer<'_>, next: usize, out: &mut Mistakes) -> Vec<MapItem<'a>> {
        let all = layer.grid_tiles.iter().chain(&layer.auto_layer_tiles);
        let place = layer.identifier.place(self.file);
        let Some(definition) = self.definitions.layer(layer.layer_def_uid).filter(|_| all.clone().next().is_some())
        else {
            return Vec::new();
        };
        let set = layer.tileset_uid.map(|uid| (uid, self.definitions.tileset(uid)));
        let Some((uid, Some(set))) = set else {
            let message = match layer.tileset_uid {
                Some(uid) => format!("no tileset of this project has the uid {uid}"),
                None => "this layer has tiles, but no tileset".into(),
            };
            out.error(&place, message);
            return Vec::new();
        };
        let (cell, size) = (i32::from(layer.grid_size), f64::from(set.tile_grid_size));
        let count = u32::from(set.columns) * u32::from(set.rows);
        // A tile that is smaller or larger than its cell; others lie on its lower left corner.
        let spare = f64::from(cell) - size;
        let pivot = DVec2::new(definition.tile_pivot_x, definition.tile_pivot_y) * spare - DVec2::new(0.0, spare);
        let mut stacked: BTreeMap<TileCell, usize> = BTreeMap::new();
        let mut fields: Vec<Vec<(TileCell, TileName)>> = Vec::new();
        let mut unknown = Vec::new();
        for tile in all {
            let [x, y] = tile.px.map(|at| at.div_euclid(cell));
            let rest = tile.px.map(|at| f64::from(at.rem_euclid(cell)));
            let far = [x, y].into_iter().any(|at| at.abs() > FARTHEST_TILE);
            if far {
                out.error(
                    &place,
                    format!("a tile is at {:?} px; tiles are within {FARTHEST_TILE} cells of the corner", tile.px),
                );
                return Vec::new();
            }
            if tile.t >= count {
                unknown.push(((y, x), tile.t));
                continue;
            }
            let flips = TileFlips { diagonal: false, horizontal: tile.f & 1 != 0, vertical: tile.f & 2 != 0 };
            let set = self.set_of((uid, set), pivot + DVec2::from(rest), out);
            let depth = stacked.entry((y, x)).or_default();
            if fields.len() == *depth {
                if self.fields == MOST_FIELDS {
                    let message = format!(
                        "row {y}, column {x}, counted from 0: up to this tile, a level has more than {MOST_FIELDS} layers; \
                         tiles on each other in a cell count as several"
                    );
                    out.error(&place, message);
                    return Vec::new();
                }
                self.fields += 1;
                fields.push(Vec::new());
            }
            fields[*depth].push(((y, x), TileName { set, id: tile.t, flips }));
            *depth += 1;
        }
        let name = &set.identifier.value;
        report_unknown(&unknown, &place, |tile| format!("the tileset `{name}` has no tile {tile}"), out);
        let source = definition.auto_source_layer_def_uid.unwrap_or(layer.layer_def_uid);
        let of_grid = self.solids.get(&source).copied();
        let field = |(depth, mut tiles): (usize, Vec<(TileCell, TileName)>)| {
            tiles.sort_unstable();
            let lowest = (depth > 0).then_some(next);
            MapItem::Tiles(layer.field(&place, tiles, of_grid.or(lowest)))
        };
        fields.into_iter().enumerate().map(field).collect()
    }

    /// The tiles of a tileset that lie on this place in their cells.
    fn set_of(&mut self, (uid, set): (i64, &'a TilesetDefinition<'a>), offset: DVec2, out: &mut Mistakes) -> usize {
        let (definitions, key) = (self.definitions, (uid, offset.to_array().map(f64::to_bits)));
        if let Some(known) = self.placed.get(&key) {
            return *known;
        }
        let words = self.words.entry(uid).or_insert_with(|| Rc::new(definitions.tile_words(set, out)));
        let words = Rc::clone(words);
        self.sets.push(Rc::new(PlacedTiles { file: definitions.file, set, words, offset }));
        self.placed.insert(key, self.sets.len() - 1);
        self.sets.len() - 1
    }
}
