//! The layers of a map in their order: objects, and fields of tiles.

use super::{
    object::{ObjectTags, ShownTile},
    tile_data::tile_numbers,
    tileset::{tile_named, unflipped},
    *,
};

/// The properties of a layer, for all solids in it.
const LAYER_KEYS: [&str; 3] = ["surface", "top", "one_way"];

/// The largest number of chunks in all layers together.
const MOST_CHUNKS: usize = 20_000;

/// What groups and layers add to everything in them.
#[derive(Clone, Default)]
pub struct LayerStyle {
    pub offset: DVec2,
    hidden: bool,
    pub class: Option<(String, Place)>,
    pub properties: Rc<Vec<Property>>,
}

/// A walk through the layers of a map.
struct LayerWalk<'a, 'o> {
    files: &'a TiledFiles<'a>,
    sources: &'o [Rc<TileSource<'a>>],
    items: Vec<MapItem<'a>>,
    properties: PropertyCount,
    /// The number of chunks and of tiles of all layers so far.
    chunks: usize,
    tiles: usize,
    out: &'o mut Mistakes,
}

/// Everything in the layers of a map, in their order.
pub fn items_of<'a>(files: &'a TiledFiles<'a>, sources: &[Rc<TileSource<'a>>], out: &mut Mistakes) -> Vec<MapItem<'a>> {
    let mut walk =
        LayerWalk { files, sources, items: Vec::new(), properties: PropertyCount::default(), chunks: 0, tiles: 0, out };
    walk.visit(files.map.root(), &LayerStyle::default());
    walk.items
}

impl<'a> LayerWalk<'a, '_> {
    /// Visits the layers of the map or of a group. The depth of a tree is limited.
    fn visit(&mut self, parent: XmlTag<'a>, outer: &LayerStyle) {
        for tag in parent.children() {
            if !matches!(tag.name(), "layer" | "objectgroup" | "imagelayer" | "group") {
                continue;
            }
            let style = self.style_of(tag, outer);
            match tag.name() {
                "group" => self.visit(tag, &style),
                "objectgroup" => self.visit_objects(tag, &style),
                "layer" => {
                    let tiles = self.tiles_of(tag);
                    let LayerStyle { offset, hidden, properties: of_layer, .. } = style;
                    self.items.push(MapItem::Tiles(TileField {
                        name: tag.get("name").unwrap_or_default().into(),
                        place: tag.place(),
                        cell: self.files.map.root().vector("tilewidth", "tileheight"),
                        tiles,
                        offset,
                        hidden,
                        shows: None,
                        of_layer,
                    }));
                }
                _ => {}
            }
        }
    }

    fn visit_objects(&mut self, layer: XmlTag<'a>, style: &LayerStyle) {
        for tag in layer.all("object") {
            if BuildProgress::is_cancelled() || !self.properties.has_room() {
                return;
            }
            let object = self.object(tag, style);
            self.properties.add(&object, self.out);
            self.items.push(MapItem::Object(Box::new(object)));
        }
    }

    fn style_of(&mut self, tag: XmlTag<'_>, outer: &LayerStyle) -> LayerStyle {
        for name in ["parallaxx", "parallaxy"] {
            if tag.number(name).is_some_and(|factor| factor != 1.0) {
                self.out.warn(&tag.place_of(name), NO_PARALLAX);
            }
        }
        let mut properties = properties_of(tag, self.out);
        for key in properties.iter().map(|p| &p.key).filter(|key| !LAYER_KEYS.contains(&key.name.as_str())) {
            let hint = suggestion(&key.name, LAYER_KEYS);
            self.out.error(&key.place, format!("a layer has no property `{}`{hint}", key.name));
        }
        add_missing(&mut properties, &outer.properties);
        LayerStyle {
            offset: outer.offset + tag.vector("offsetx", "offsety"),
            hidden: outer.hidden || tag.get("visible") == Some("0"),
            class: class_of(tag).or_else(|| outer.class.clone()),
            properties: Rc::new(properties),
        }
    }

    /// The tiles of a layer with their cells, row by row.
    fn tiles_of(&mut self, layer: XmlTag<'a>) -> Vec<(TileCell, TileName)> {
        let Some(data) = layer.child("data") else {
            return Vec::new();
        };
        let is_infinite = self.files.map.root().get("infinite") == Some("1");
        // The element with the tiles, and the one with their place and size.
        let parts: Vec<_> = match is_infinite {
            true => data.all("chunk").map(|chunk| (chunk, chunk)).collect(),
            false => vec![(data, layer)],
        };
        self.chunks += if is_infinite { parts.len() } else { 0 };
        if self.chunks > MOST_CHUNKS {
            let message = format!("the layers of a map can have at most {MOST_CHUNKS} chunks together");
            self.out.error(&layer.place(), message);
            return Vec::new();
        }
        let mut cells = Vec::new();
        for (tiles, area) in parts {
            let [x, y, width, height] = ["x", "y", "width", "height"].map(|name| area.number(name).unwrap_or(0.0));
            let count = (width * height) as usize;
            self.tiles += count;
            if self.tiles > MOST_TILES {
                let message = format!("the layers of a map can have at most {MOST_TILES} tiles together");
                self.out.error(&area.place_of("width"), message);
                return Vec::new();
            }
            match tile_numbers(tiles, data, count) {
                Ok(numbers) => {
                    let (corner, width) = ((y as i32, x as i32), width as usize);
                    let cell = |at: usize| (corner.0 + (at / width) as i32, corner.1 + (at % width) as i32);
                    cells.extend(numbers.into_iter().enumerate().map(|(at, number)| (cell(at), number)));
                }
                Err((attribute, message)) => {
                    let at = if attribute.is_empty() { tiles } else { data };
                    self.out.error(&at.place_of(attribute), message);
                }
            }
        }
        // Chunks have no order. Where they overlap, the last one counts.
        let cells: BTreeMap<TileCell, u32> = cells.into_iter().collect();
        let mut named = Vec::with_capacity(cells.len());
        let mut unknown = Vec::new();
        for (cell, number) in cells {
            match tile_named(self.sources, number) {
                Some(name) => named.push((cell, name)),
                None => unknown.extend(unflipped(number).map(|number| (cell, number))),
            }
        }
        let what = |number| format!("no tileset of this map has a tile with the number {number}");
        report_unknown(&unknown, &data.place_of(""), what, self.out);
        named
    }

    fn object(&mut self, tag: XmlTag<'a>, style: &LayerStyle) -> MapObject<'a> {
        let template = self.files.named_by(tag, "template").map(|tree| tree.root());
        let tile = self.tile_of(tag, template);
        let template = template.and_then(|root| root.child("object"));
        if tile.is_none() && [Some(tag), template].iter().flatten().any(|t| t.get("gid").is_some()) {
            self.out.error(&tag.place_of("gid"), "no tileset of this map has this tile");
        }
        let mut properties = properties_of(tag, self.out);
        let of_tile = tile.as_ref().and_then(|tile: &ShownTile<'_>| tile.source.tile(tile.name.id));
        for tag in [template, of_tile].into_iter().flatten() {
            add_missing(&mut properties, &properties_of(tag, self.out));
        }
        ObjectTags { tag, template }.object(tile, style, properties)
    }

    /// The tile that an object shows: its own, or else its template's.
    fn tile_of(&self, object: XmlTag<'a>, template: Option<XmlTag<'a>>) -> Option<ShownTile<'a>> {
        let own = object.whole("gid").and_then(|number| tile_named(self.sources, number));
        if let Some(name) = own {
            return Some(ShownTile { source: Rc::clone(&self.sources[name.set]), name });
        }
        // In a template, the tileset's first tile has the number 1.
        let set = self.files.named_or_self(template?.child("tileset")?);
        let source = TileSource::new(set, 1);
        let name = source.named(0, template?.child("object")?.whole("gid")?)?;
        Some(ShownTile { source: Rc::new(source), name })
    }
}
