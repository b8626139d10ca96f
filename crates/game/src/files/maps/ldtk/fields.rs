//! The fields of entities and levels as properties.

use super::*;
use hangtime_core::models::ModelName;
use hangtime_script::text::cut_name;

/// The tables whose keys can be fields, such as `path_speed`: the names of fields have no dots. Those of models are others.
const TABLES: [&str; 5] = ["vars", "path", "rotation", "camera", "tiles"];

/// The largest number of items of a field that is an array.
const MOST_ITEMS: usize = 100_000;

/// The cells in which an entity has points.
pub struct PointSpace {
    /// The width and height of a cell, px.
    pub cell: f64,
    /// How far the layer is moved, px.
    pub offset: DVec2,
    /// The cell of the entity.
    pub from: [i64; 2],
}

/// Reads fields.
pub struct PropertyReader {
    pub style: IdentifierStyle,
    /// The iid of the level.
    pub level: String,
    /// The names of its entities, by their iids.
    pub names: BTreeMap<String, Option<String>>,
}

/// The values of a field.
struct FieldValues<'r> {
    reader: &'r PropertyReader,
    /// The key that the name of the field means.
    name: &'r str,
    /// The type of a value.
    kind: &'r str,
    space: Option<&'r PointSpace>,
    out: &'r mut Mistakes,
}

/// A value that is not what its type says, or an item without a value.
struct Mismatch;

impl PropertyReader {
    /// The property that a field is; none if it has no value.
    pub fn property(&self, field: Part<'_>, space: Option<&PointSpace>, out: &mut Mistakes) -> Read<Option<Property>> {
        let field = field.object()?;
        let (identifier, kind) = (field.need("__identifier")?, field.string("__type")?);
        let Some(value) = field.get("__value") else {
            return Ok(None);
        };
        let written = identifier.string()?;
        let mut key = TableKey { name: key_of(&written), place: identifier.place() };
        let item = kind.strip_prefix("Array<").and_then(|kind| kind.strip_suffix('>'));
        let mut values = FieldValues { reader: self, name: &key.name, kind: item.unwrap_or(&kind), space, out };
        let path = space.filter(|_| key.name == "path" && kind == "Array<Point>");
        let read = match (path, item) {
            (Some(space), _) => values.path(value, space),
            (None, Some(_)) => values.array(value),
            (None, None) => values.value(value),
        };
        let node = read.unwrap_or_else(|Mismatch| {
            let message = format!("the field `{written}` has the type `{kind}`, but its value is {}", value.shown());
            out.error(&value.place(), message);
            None
        });
        if path.is_some() {
            key.name = "path.points".into();
        }
        Ok(node.map(|node| Property { key, node, is_reference: false }))
    }
}

impl FieldValues<'_> {
    /// The items of a list; none if there are too many.
    fn items<'a>(&mut self, list: Part<'a>) -> Result<Option<Vec<Part<'a>>>, Mismatch> {
        let mut items = Vec::new();
        let mut add = |item| {
            if items.len() == MOST_ITEMS {
                return Err(list.error(format!("a field can have at most {MOST_ITEMS} items")));
            }
            items.push(item);
            Ok(())
        };
        match list.each(&mut add) {
            Ok(()) => Ok(Some(items)),
            Err(_) if items.is_empty() => Err(Mismatch),
            Err(wrong) => {
                self.out.push(wrong);
                Ok(None)
            }
        }
    }

    fn array(&mut self, list: Part<'_>) -> Result<Option<Node>, Mismatch> {
        let mut nodes = Vec::new();
        for item in self.items(list)?.unwrap_or_default() {
            if item.text == "null" {
                return Err(Mismatch);
            }
            // One without a value has a message already, or is for the editor alone.
            let Some(node) = self.value(item)? else {
                return Ok(None);
            };
            nodes.push(node);
        }
        Ok((!nodes.is_empty()).then(|| Node::new(Data::Array(nodes), &list.place())))
    }

    /// A value; none if there is none.
    fn value(&mut self, value: Part<'_>) -> Result<Option<Node>, Mismatch> {
        let place = value.place();
        let data = match self.kind {
            // For the editor alone.
            "Tile" => return Ok(None),
            "Int" => Data::Int(value.parsed().ok_or(Mismatch)?),
            "Float" => Data::Float(value.parsed().ok_or(Mismatch)?),
            "Bool" => Data::Flag(value.parsed().ok_or(Mismatch)?),
            "Point" => return self.point(value),
            "EntityRef" => {
                let reference = value.object().map_err(|_| Mismatch)?;
                let iid = |key: &str| reference.string(key).map_err(|_| Mismatch);
                let (entity, level) = (iid("entityIid")?, iid("levelIid")?);
                match self.reader.names.get(&entity) {
                    Some(Some(name)) => Data::Text(name.clone()),
                    None if level != self.reader.level => Data::Text(entity),
                    found => {
                        let message = match found {
                            None => format!("no entity of this level has the iid `{}`", cut_name(&entity)),
                            _ => "this entity has no name; add a field `name` of the type String to it".into(),
                        };
                        self.out.error(&place, message);
                        return Ok(None);
                    }
                }
            }
            kind => {
                let text = value.string().map_err(|_| Mismatch)?;
                match kind {
                    "String" | "Multilines" => return Ok(Some(text_value(self.name, &text, &place, self.out))),
                    _ if kind.starts_with("LocalEnum.") => Data::Text(self.reader.style.plain(&text)),
                    _ => Data::Text(text),
                }
            }
        };
        Ok(Some(Node::new(data, &place)))
    }

    fn point(&mut self, value: Part<'_>) -> Result<Option<Node>, Mismatch> {
        let place = value.place();
        let Some(space) = self.space else {
            let message = "points are read in fields of entities; write `[x, y]` into a field of the type String";
            self.out.error(&place, message);
            return Ok(None);
        };
        let cell = DVec2::from(cell_of(value)?.map(|at| at as f64));
        let at = point_node(up(space.offset + (cell + 0.5) * space.cell), &place);
        if !self.name.starts_with("vars.") {
            return Ok(Some(at));
        }
        let mut vector = Table::at(&place);
        vector.put("vec", at);
        Ok(Some(Node::new(Data::Table(vector), &place)))
    }

    /// The points of a path as steps from the entity.
    fn path(&mut self, list: Part<'_>, space: &PointSpace) -> Result<Option<Node>, Mismatch> {
        let place = list.place();
        let items = self.items(list)?.unwrap_or_default();
        let mut cells: Vec<[i64; 2]> = items.into_iter().map(cell_of).collect::<Result<_, _>>()?;
        if cells.first().is_some_and(|first| *first != space.from) {
            cells.insert(0, space.from);
        }
        let [x, y] = space.from;
        let step = |cell: &[i64; 2]| DVec2::new((cell[0] - x) as f64, (cell[1] - y) as f64) * space.cell;
        let points: Vec<Node> = cells.iter().map(|cell| point_node(up(step(cell)), &place)).collect();
        Ok((!points.is_empty()).then(|| Node::new(Data::Array(points), &place)))
    }
}

/// The cell of a point.
fn cell_of(point: Part<'_>) -> Result<[i64; 2], Mismatch> {
    let point = point.object().map_err(|_| Mismatch)?;
    let [x, y] = ["cx", "cy"].map(|key| point.whole(key, WHOLE).map_err(|_| Mismatch));
    Ok([x?, y?])
}

/// The key that the name of a field means: `path_speed` is `path.speed`.
fn key_of(name: &str) -> String {
    let tables = TABLES.into_iter().chain(ModelName::ALL.iter().map(|model| model.as_str()));
    let found = tables
        .into_iter()
        .find_map(|table| Some((table, name.strip_prefix(table)?.strip_prefix('_')?)));
    found.map_or_else(|| name.into(), |(table, key)| format!("{table}.{key}"))
}
