//! The fields of entities and levels as properties.

use super::{definitions::LONGEST_NAME, *};
use hangtime_core::models::ModelName;
use hangtime_script::text::{cut_name, printable_name};

/// The tables whose keys can be fields, such as `path_speed`: the names of fields have no dots. Those of models are others.
const TABLES: [&str; 5] = ["vars", "path", "rotation", "camera", "tiles"];

/// The largest number of items of a field that is an array.
const MOST_ITEMS: usize = 100_000;

#[derive(Deserialize)]
pub struct FieldInstance<'a> {
    #[serde(rename = "__identifier", borrow)]
    identifier: PlacedPart<'a, String>,
    #[serde(rename = "__type", borrow)]
    kind: PlacedPart<'a, String>,
    #[serde(rename = "__value", borrow)]
    value: Raw<'a>,
}

impl FieldInstance<'_> {
    /// Its value, if it is the name of an entity.
    pub fn name(&self) -> Option<String> {
        let name = serde_json::from_str(self.value.get()).ok().filter(|_| self.identifier.value == "name");
        // Each reference to the entity gets a copy.
        name.filter(|name: &String| name.len() <= LONGEST_NAME)
    }
}

/// The cells in which an entity has points.
pub struct PointSpace {
    /// The width and height of a cell, px.
    pub cell: f64,
    /// How far the layer is moved, px.
    pub offset: DVec2,
    /// The cell of the entity.
    pub from: [i32; 2],
}

/// A cell.
#[derive(Clone, Copy, Deserialize)]
struct PointCell {
    cx: i32,
    cy: i32,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct EntityReference {
    entity_iid: String,
    level_iid: String,
}

/// Reads fields.
pub struct PropertyReader<'a> {
    pub file: &'a Arc<SourceFile>,
    pub style: IdentifierStyle,
    /// The iid of the level.
    pub level: &'a str,
    /// The names of its entities, by their iids.
    pub names: BTreeMap<&'a str, Option<String>>,
}

/// A value that is not what its type says, or an item without a value.
struct Mismatch;

impl PropertyReader<'_> {
    /// The property that a field is; none if it has no value.
    pub fn property(
        &self,
        field: &FieldInstance<'_>,
        space: Option<&PointSpace>,
        out: &mut Mistakes,
    ) -> Option<Property> {
        let mut key = TableKey { name: key_of(&field.identifier.value), place: field.identifier.place(self.file) };
        let (kind, text) = (field.kind.value.as_str(), field.value.get());
        let read = match space {
            Some(space) if key.name == "path" && kind == "Array<Point>" => {
                key.name = "path.points".into();
                self.path(text, space)
            }
            _ => match kind.strip_prefix("Array<").and_then(|kind| kind.strip_suffix('>')) {
                None => self.value(&key.name, kind, text, space, out),
                Some(kind) => self.array(&key.name, kind, text, space, out),
            },
        };
        let node = read.unwrap_or_else(|Mismatch| {
            let text = cut_name(text);
            let text = printable_name(&text);
            let message =
                format!("the field `{}` has the type `{kind}`, but its value is {text}", field.identifier.value);
            out.error(&place_in(self.file, field.value.get()), message);
            None
        })?;
        Some(Property { key, node, is_reference: false })
    }

    fn array(
        &self,
        name: &str,
        kind: &str,
        text: &str,
        space: Option<&PointSpace>,
        out: &mut Mistakes,
    ) -> Result<Option<Node>, Mismatch> {
        let items: Vec<Raw<'_>> = parsed(text)?;
        if items.len() > MOST_ITEMS {
            out.error(&place_in(self.file, text), format!("a field can have at most {MOST_ITEMS} items"));
            return Ok(None);
        }
        let items = items.into_iter().map(|item| {
            if item.get() == "null" {
                Err(Mismatch)
            } else {
                self.value(name, kind, item.get(), space, out)
            }
        });
        let items: Vec<Option<Node>> = items.collect::<Result<_, _>>()?;
        // One without a value has a message already, or is for the editor alone.
        let Some(items) = items.into_iter().collect::<Option<Vec<Node>>>() else {
            return Ok(None);
        };
        Ok((!items.is_empty()).then(|| Node::new(Data::Array(items), &place_in(self.file, text))))
    }

    /// A value; none if there is none.
    fn value(
        &self,
        name: &str,
        kind: &str,
        text: &str,
        space: Option<&PointSpace>,
        out: &mut Mistakes,
    ) -> Result<Option<Node>, Mismatch> {
        let place = place_in(self.file, text);
        let data = match kind {
            // For the editor alone.
            _ if text == "null" => return Ok(None),
            "Tile" => return Ok(None),
            "Int" => Data::Int(parsed(text)?),
            "Float" => Data::Float(parsed(text)?),
            "Bool" => Data::Flag(parsed(text)?),
            "String" | "Multilines" => return Ok(Some(text_value(name, &parsed::<String>(text)?, &place, out))),
            "Point" => {
                let Some(space) = space else {
                    out.error(
                        &place,
                        "points are read in fields of entities; write `[x, y]` into a field of the type String",
                    );
                    return Ok(None);
                };
                let PointCell { cx, cy } = parsed(text)?;
                let at = up(space.offset + (DVec2::new(cx.into(), cy.into()) + 0.5) * space.cell);
                let at = point_node(at, &place);
                if !name.starts_with("vars.") {
                    return Ok(Some(at));
                }
                let mut vector = Table::at(&place);
                vector.put("vec", at);
                Data::Table(vector)
            }
            "EntityRef" => {
                let EntityReference { entity_iid, level_iid } = parsed(text)?;
                Data::Text(match self.names.get(entity_iid.as_str()) {
                    Some(Some(name)) => name.clone(),
                    Some(None) => {
                        out.error(&place, "this entity has no name; add a field `name` of the type String to it");
                        return Ok(None);
                    }
                    None if level_iid == self.level => {
                        out.error(&place, format!("no entity of this level has the iid `{}`", cut_name(&entity_iid)));
                        return Ok(None);
                    }
                    None => entity_iid,
                })
            }
            _ if kind.starts_with("LocalEnum.") => Data::Text(self.style.plain(&parsed::<String>(text)?)),
            _ => Data::Text(parsed(text)?),
        };
        Ok(Some(Node::new(data, &place)))
    }

    /// The points of a path as steps from the entity.
    fn path(&self, text: &str, space: &PointSpace) -> Result<Option<Node>, Mismatch> {
        let mut points: Vec<PointCell> = parsed(text)?;
        points.truncate(MOST_ITEMS);
        let [cx, cy] = space.from;
        if points.first().is_some_and(|first| [first.cx, first.cy] != space.from) {
            points.insert(0, PointCell { cx, cy });
        }
        let place = place_in(self.file, text);
        let step = |point: &PointCell| {
            let step =
                [(point.cx, cx), (point.cy, cy)].map(|(to, from)| (f64::from(to) - f64::from(from)) * space.cell);
            point_node(up(step.into()), &place)
        };
        let points: Vec<Node> = points.iter().map(step).collect();
        Ok((!points.is_empty()).then(|| Node::new(Data::Array(points), &place)))
    }
}

fn parsed<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, Mismatch> {
    serde_json::from_str(text).map_err(|_| Mismatch)
}

/// The key that the name of a field means: `path_speed` is `path.speed`.
fn key_of(name: &str) -> String {
    let tables = TABLES.into_iter().chain(ModelName::ALL.iter().map(|model| model.as_str()));
    let found = tables
        .into_iter()
        .find_map(|table| Some((table, name.strip_prefix(table)?.strip_prefix('_')?)));
    found.map_or_else(|| name.into(), |(table, key)| format!("{table}.{key}"))
}
