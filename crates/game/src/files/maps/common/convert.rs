//! A map as the table that a level's TOML would be. What the values mean and whether they are right is
//! decided by the reader of levels.

use super::{
    looks::drawn_layer,
    object::ELLIPSE_CORNERS,
    tiles::{MadeSolids, point_node, solid, solids_of},
    *,
};

/// The classes that objects can have, apart from the kinds of entities.
pub const CLASSES: [&str; 6] = ["solid", "one_way", "zone", "entity", "path", "bounds"];

/// What an object is in the game.
#[derive(Clone, Debug)]
enum ObjectRole {
    Solid,
    Zone,
    /// An entity, perhaps of the kind that is its class.
    Entity,
    /// The path of a moving platform.
    Path,
    Bounds,
    /// A tile with its collision shapes, which may be none.
    Tile,
    Nothing,
}

/// The paths that objects draw, by number and by name. The last one of a name counts.
struct DrawnPaths<'m> {
    by_id: BTreeMap<u32, &'m MapObject<'m>>,
    by_name: BTreeMap<String, &'m MapObject<'m>>,
    /// The numbers of all objects that are used as paths.
    used: BTreeSet<u32>,
}

/// What a map consists of.
pub enum MapItem<'a> {
    Object(Box<MapObject<'a>>),
    Tiles(TileField),
}

/// A map as its editor draws it.
pub struct DrawnMap<'m> {
    /// The place of its header.
    pub place: Place,
    pub properties: Vec<Property>,
    /// The sets of the tiles in its fields.
    pub sets: Vec<Rc<dyn TileSet + 'm>>,
    /// Its objects and fields of tiles, those in front last.
    pub items: Vec<MapItem<'m>>,
}

impl DrawnMap<'_> {
    /// Converts the map. Objects can name these kinds.
    pub fn convert(&self, kinds: &BTreeSet<String>, out: &mut Mistakes) -> MapLevel {
        MapConversion { map: self, kinds, made: MadeSolids::default(), out }.convert()
    }

    fn objects(&self) -> impl Iterator<Item = &MapObject<'_>> {
        self.items.iter().filter_map(|item| match item {
            MapItem::Object(object) => Some(&**object),
            MapItem::Tiles(_) => None,
        })
    }
}

/// The conversion of a map.
struct MapConversion<'m, 'o> {
    map: &'m DrawnMap<'m>,
    kinds: &'m BTreeSet<String>,
    made: MadeSolids,
    out: &'o mut Mistakes,
}

impl<'m> MapConversion<'m, '_> {
    fn convert(mut self) -> MapLevel {
        let map = self.map;
        let mut table = Table::at(&map.place);
        put_all(&mut table, map.properties.clone(), self.out);
        let is_top = table.text("view") == Some("top");
        let paths = self.paths();
        let mut lists: BTreeMap<&str, Vec<Node>> = BTreeMap::new();
        let (mut drawn, mut layers) = (Vec::new(), Vec::new());
        // The solids of each field, by the index of its item.
        let mut shown: BTreeMap<usize, Range<u32>> = BTreeMap::new();
        for (index, item) in map.items.iter().enumerate() {
            let object = match item {
                MapItem::Tiles(field) => {
                    let list = lists.entry("solid").or_default();
                    let first = list.len() as u32;
                    let (solids, layer) = solids_of(field, &map.sets, first, &mut self.made, self.out);
                    list.extend(solids);
                    layers.extend((!layer.solids.is_empty()).then_some(layer));
                    let own = first..list.len() as u32;
                    let others = field.shows.and_then(|item| shown.get(&item));
                    let solids = others.filter(|_| own.is_empty()).cloned().unwrap_or(own);
                    drawn.extend(drawn_layer(field, &map.sets, solids.clone()));
                    shown.insert(index, solids);
                    continue;
                }
                MapItem::Object(object) => object,
            };
            let (key, found) = match self.role_of(object, &paths) {
                ObjectRole::Bounds => {
                    self.set_bounds(&mut table, object);
                    continue;
                }
                ObjectRole::Path | ObjectRole::Nothing => continue,
                ObjectRole::Tile => {
                    let solids = self.solids_of_tile(object);
                    lists.entry("solid").or_default().extend(solids);
                    continue;
                }
                ObjectRole::Solid => ("solid", self.solid(object, &paths)),
                ObjectRole::Zone => ("zone", self.zone(object)),
                ObjectRole::Entity => ("entity", self.entity(object, is_top)),
            };
            let found = found.map(|found| Node::new(Data::Table(found), &object.place));
            lists.entry(key).or_default().extend(found);
        }
        self.warn_of_unused(&paths);
        for (key, list) in lists {
            table.put(key, Node::new(Data::Array(list), &map.place));
        }
        (table, drawn, layers)
    }

    fn paths(&self) -> DrawnPaths<'m> {
        let mut paths = DrawnPaths { by_id: BTreeMap::new(), by_name: BTreeMap::new(), used: BTreeSet::new() };
        for object in self.map.objects() {
            let is_line = matches!(object.kind, ShapeKind::Polyline | ShapeKind::Polygon);
            if !is_line {
                continue;
            }
            paths.by_id.insert(object.id, object);
            if object.has_class("path")
                && let Some((name, _)) = &object.name
            {
                paths.by_name.insert(name.clone(), object);
            }
        }
        for object in self.map.objects() {
            let used = object.property("path").and_then(|property| paths.find(property));
            paths.used.extend(used.map(|object| object.id));
        }
        paths
    }

    /// What an object is, by its class or else by its shape.
    fn role_of(&mut self, object: &MapObject<'_>, paths: &DrawnPaths<'_>) -> ObjectRole {
        let kind = object.kind;
        if kind == ShapeKind::Text {
            return ObjectRole::Nothing;
        }
        if kind == ShapeKind::Capsule {
            self.out.error(&object.place, "capsules are not read; draw an ellipse or a polygon");
            return ObjectRole::Nothing;
        }
        let Some((class, place)) = &object.class else {
            return self.role_of_shape(object, kind, paths);
        };
        match class.as_str() {
            "solid" | "one_way" => ObjectRole::Solid,
            "zone" => ObjectRole::Zone,
            "entity" => ObjectRole::Entity,
            "path" => ObjectRole::Path,
            "bounds" => ObjectRole::Bounds,
            name if self.kinds.contains(name) => ObjectRole::Entity,
            name => {
                let hint = suggestion(name, CLASSES.into_iter().chain(self.kinds.iter().map(String::as_str)));
                self.out.error(place, format!("there is no class or kind `{name}`{hint}"));
                ObjectRole::Nothing
            }
        }
    }

    fn role_of_shape(&mut self, object: &MapObject<'_>, kind: ShapeKind, paths: &DrawnPaths<'_>) -> ObjectRole {
        if object.property("kind").is_some() {
            return ObjectRole::Entity;
        }
        if paths.used.contains(&object.id) && kind == ShapeKind::Polyline {
            return ObjectRole::Path;
        }
        let message = match kind {
            ShapeKind::Tile => return ObjectRole::Tile,
            ShapeKind::Polyline if !is_one_way(object) => {
                "a line is a one-way platform or a path; set its class to `one_way` or `path`"
            }
            ShapeKind::Point => "a point is an entity; set its class to a kind, or to `entity` with a property `kind`",
            _ => return ObjectRole::Solid,
        };
        self.out.error(&object.place, message);
        ObjectRole::Nothing
    }

    /// The outline of an object in the level. Reports shapes that have none.
    fn outline(&mut self, object: &MapObject<'_>, what: &str, one_way: bool) -> Option<Node> {
        if object.kind == ShapeKind::Ellipse && !self.made.add(ELLIPSE_CORNERS, &object.place, self.out) {
            return None;
        }
        let mut points = object.points();
        match object.kind {
            ShapeKind::Rectangle | ShapeKind::Tile if one_way => points.truncate(2),
            ShapeKind::Polyline if !one_way => {
                let message = format!("{what} is a closed shape; draw a rectangle, a polygon or an ellipse");
                self.out.error(&object.place, message);
                return None;
            }
            ShapeKind::Point => {
                self.out.error(&object.place, format!("{what} cannot be a point"));
                return None;
            }
            _ => {}
        }
        let points = points.iter().map(|(point, place)| point_node(object.to_level(*point), place));
        Some(Node::new(Data::Array(points.collect()), &object.place))
    }

    fn solid(&mut self, object: &MapObject<'_>, paths: &DrawnPaths<'_>) -> Option<Table> {
        let one_way = is_one_way(object);
        let points = self.outline(object, "a solid that is not a one-way platform", one_way)?;
        let mut table = named_table(object);
        table.put("points", points);
        if one_way {
            table.put("one_way", Node::new(Data::Flag(true), &object.place));
        }
        let mut properties = object.properties.clone();
        add_missing(&mut properties, &object.of_layer);
        let path = properties.iter().position(|property| property.key.name == "path");
        if let Some(index) = path
            && properties[index].node.table().is_none()
        {
            match self.path(&properties[index], paths) {
                Some(path) => properties[index].node = path,
                None => drop(properties.remove(index)),
            }
        }
        put_all(&mut table, properties, self.out);
        Some(table)
    }

    /// The table of a path that a property refers to. Reports a property that refers to none.
    fn path(&mut self, property: &Property, paths: &DrawnPaths<'_>) -> Option<Node> {
        let place = &property.node.place;
        let Some(object) = paths.find(property) else {
            let message = match property.node.text() {
                Some(name) => {
                    let hint = suggestion(name, paths.by_name.keys().map(String::as_str));
                    format!("there is no line of the class `path` with the name `{name}`{hint}")
                }
                None => "`path` takes a line of this map: the object, or the name of one of the class `path`".into(),
            };
            self.out.error(place, message);
            return None;
        };
        let points = object.points();
        let first = points.first().map(|(point, _)| *point).unwrap_or_default();
        let offset = |(point, place): &(DVec2, Place)| point_node(up(rotated(*point - first, object.rotation)), place);
        let place = object.place.clone();
        let mut table = Table::at(&place);
        let offsets = points.iter().map(offset).collect();
        table.put("points", Node::new(Data::Array(offsets), &place));
        if object.kind == ShapeKind::Polygon {
            table.put("loop", Node::new(Data::Text("circle".into()), &place));
        }
        put_all(&mut table, object.properties.clone(), self.out);
        Some(Node::new(Data::Table(table), &place))
    }

    fn warn_of_unused(&mut self, paths: &DrawnPaths<'_>) {
        for object in self.map.objects() {
            if object.has_class("path") && !paths.used.contains(&object.id) {
                let message = "no solid uses this path; refer to it by a property `path` of a solid";
                self.out.warn(&object.place, message);
            }
        }
    }

    fn zone(&mut self, object: &MapObject<'_>) -> Option<Table> {
        let points = self.outline(object, "a zone", false)?;
        let mut table = named_table(object);
        table.put("points", points);
        put_all(&mut table, object.properties.clone(), self.out);
        Some(table)
    }

    fn entity(&mut self, object: &MapObject<'_>, is_top: bool) -> Option<Table> {
        let (size, kind) = (object.size, object.kind);
        let center = match kind {
            ShapeKind::Point => DVec2::ZERO,
            ShapeKind::Polygon | ShapeKind::Polyline => {
                let message =
                    "an entity is a point, a tile, a rectangle or an ellipse; its center is where the body starts";
                self.out.error(&object.place, message);
                return None;
            }
            _ => object.corner + size / 2.0,
        };
        let place = object.place.clone();
        let mut table = named_table(object);
        if let Some((class, place)) = &object.class
            && class != "entity"
        {
            table.put("kind", Node::new(Data::Text(class.clone()), place));
        }
        let rotation = object.rotation % 360.0;
        if rotation != 0.0 {
            table.put("angle_deg", Node::new(Data::of_number(-rotation), &place));
        }
        let mut properties = object.properties.clone();
        let mut at = point_node(object.to_level(center), &place);
        let height = properties.iter().position(|property| property.key.name == "z");
        if let (true, Some(index), Data::Array(list)) = (is_top, height, &mut at.value) {
            list.push(properties.remove(index).node);
        }
        table.put("at", at);
        put_all(&mut table, properties, self.out);
        Some(table)
    }

    fn set_bounds(&mut self, table: &mut Table, object: &MapObject<'_>) {
        let place = object.place.clone();
        if object.kind != ShapeKind::Rectangle || object.rotation != 0.0 {
            return self.out.error(&place, "`bounds` is a rectangle that is not rotated");
        }
        if table.get("bounds").is_some() {
            return self.out.error(&place, "`bounds` is set twice");
        }
        let [min, max] = [DVec2::ZERO, object.size].map(|point| object.to_level(point));
        let sides = [min.x, max.y, max.x, min.y].map(|x| Node::new(Data::of_number(x), &place));
        table.put("bounds", Node::new(Data::Array(sides.into()), &place));
    }

    /// The solids of a tile that is an object without a class: its collision shapes.
    fn solids_of_tile(&mut self, object: &MapObject<'_>) -> Vec<Node> {
        let Some(tile) = &object.tile else {
            return Vec::new();
        };
        let size = tile.set.size_of(tile.name.id);
        let (flips, corner) = (tile.name.flips, object.corner);
        let scale = object.size / flips.flipped(size);
        let mut shapes = tile.set.shapes(tile.name.id, &object.of_layer, self.out);
        shapes.retain(|shape| self.made.add(shape.points.len(), &object.place, self.out));
        let solid = |shape: TileShape| {
            let point = |p: &DVec2| object.to_level(corner + flips.apply(*p, size) * scale);
            let points: Vec<DVec2> = shape.points.iter().map(point).collect();
            solid(&points, &shape.style, &object.place, shape.one_way)
        };
        shapes.into_iter().map(solid).collect()
    }
}

impl<'m> DrawnPaths<'m> {
    /// The object that a property `path` refers to.
    fn find(&self, property: &Property) -> Option<&'m MapObject<'m>> {
        match &property.node.value {
            Data::Int(id) if property.is_reference => self.by_id.get(&u32::try_from(*id).ok()?).copied(),
            Data::Text(name) => self.by_name.get(name).copied(),
            _ => None,
        }
    }
}

/// Whether an object is a one-way platform, by its class, its properties or its layer.
fn is_one_way(object: &MapObject<'_>) -> bool {
    let mut all = object.properties.iter().chain(object.of_layer.iter());
    let flag = all.find(|property| property.key.name == "one_way").is_some_and(|p| p.node.is_true());
    flag || object.has_class("one_way")
}

/// A table with the name of an object.
fn named_table(object: &MapObject<'_>) -> Table {
    let mut table = Table::at(&object.place);
    if let Some((name, place)) = &object.name {
        table.put("name", Node::new(Data::Text(name.clone()), place));
    }
    table
}
