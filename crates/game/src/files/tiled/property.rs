//! Custom properties as keys and values of a level.

use super::*;
use crate::files::{TableKey, parse_value};

/// The largest number of parts of a dotted name.
const MOST_PARTS: usize = 16;

/// The keys whose two numbers can be a property each, such as `velocity_x`.
const VECTORS: [&str; 3] = ["velocity", "external_accel", "conveyor"];

/// A custom property.
#[derive(Clone)]
pub struct Property {
    pub key: TableKey,
    pub node: Node,
    /// Whether the value is the number of another object.
    pub is_reference: bool,
}

/// The properties of an element.
pub fn properties_of(tag: XmlTag<'_>, out: &mut Mistakes) -> Vec<Property> {
    let lists = tag.all("properties");
    let mut found = Vec::new();
    for tag in lists.flat_map(|list| list.all("property")) {
        let name = tag.get("name").unwrap_or_default().to_owned();
        let place = tag.place_of("name");
        let node = value_of(tag, &name, out);
        let is_reference = tag.get("type") == Some("object");
        found.push(Property { key: TableKey { name, place }, node, is_reference });
    }
    found
}

/// Puts properties into a table. A dotted name is a key of an inner table.
pub fn put_all(table: &mut Table, properties: Vec<Property>, out: &mut Mistakes) {
    for property in properties {
        let TableKey { name, place } = &property.key;
        let parts = name.split('.').map(|part| TableKey { name: part.into(), place: place.clone() });
        let path: Vec<TableKey> = parts.take(MOST_PARTS + 1).collect();
        if path.len() > MOST_PARTS {
            out.error(place, format!("the name of a property can have at most {MOST_PARTS} parts"));
            continue;
        }
        table.set(&path, property.node);
    }
    for key in VECTORS {
        join_vector(table, key);
    }
}

/// Turns `KEY_x` and `KEY_y` into `KEY`.
fn join_vector(table: &mut Table, key: &str) {
    let names = ["x", "y"].map(|axis| format!("{key}_{axis}"));
    let mut keys = names
        .iter()
        .flat_map(|name| table.entries.iter().map(|(key, _)| key).filter(move |k| k.name == *name));
    let Some(place) = keys.next().map(|key| key.place.clone()) else {
        return;
    };
    let parts = names.map(|name| table.take(&name).unwrap_or_else(|| Node::new(Data::Int(0), &place)));
    table.put(key, Node::new(Data::Array(parts.into()), &place));
}

/// The value of a `<property>` or of an `<item>` of a list.
fn value_of(tag: XmlTag<'_>, name: &str, out: &mut Mistakes) -> Node {
    let place = tag.place_of("value");
    let text = tag.get("value").unwrap_or_else(|| tag.text());
    let value = match tag.get("type").unwrap_or("string") {
        // The guard has checked that these are what they say.
        "int" | "object" => text.parse().map_or(Data::Float(f64::NAN), Data::Int),
        "float" => Data::Float(text.parse().unwrap_or(f64::NAN)),
        "bool" => Data::Flag(text == "true"),
        "class" => {
            let mut table = Table::at(&tag.place());
            let inner = properties_of(tag, out);
            put_all(&mut table, inner, out);
            Data::Table(table)
        }
        "list" => Data::Array(tag.all("item").map(|item| value_of(item, name, out)).collect()),
        "string" if text.starts_with(['[', '{', '"', '\'']) => {
            return toml_in(text, &place).unwrap_or_else(|| {
                let message = format!(
                    "`{name}` starts like a value of TOML, but is none; arrays look like `[1, 2]`, tables like `{{ a = 1 }}`, \
                     texts like `\"a\"`"
                );
                out.error(&place, message);
                Node::new(Data::Text(String::new()), &place)
            });
        }
        _ => Data::Text(text.into()),
    };
    Node { value, place }
}

/// A value of TOML that is the text of a property. All of it has the property's place.
fn toml_in(text: &str, place: &Place) -> Option<Node> {
    let file = Arc::new(SourceFile { name: place.file.name.clone(), text: text.trim_end().into() });
    let mut node = parse_value(&file, 0)?;
    relocate(&mut node, place);
    Some(node)
}

fn relocate(node: &mut Node, place: &Place) {
    node.place = place.clone();
    match &mut node.value {
        Data::Array(list) => list.iter_mut().for_each(|item| relocate(item, place)),
        Data::Table(table) => {
            table.place = place.clone();
            for (key, node) in &mut table.entries {
                key.place = place.clone();
                relocate(node, place);
            }
        }
        _ => {}
    }
}
