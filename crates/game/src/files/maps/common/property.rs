//! Custom properties as keys and values of a level.

use super::*;

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

/// Adds the properties whose names are not there yet.
pub fn add_missing(properties: &mut Vec<Property>, others: &[Property]) {
    for other in others {
        if properties.iter().all(|own| own.key.name != other.key.name) {
            properties.push(other.clone());
        }
    }
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

/// The value of a property that is a text: the text, or the value of TOML that it begins like. All of it has the property's
/// place.
pub fn text_value(name: &str, text: &str, place: &Place, out: &mut Mistakes) -> Node {
    if !text.starts_with(['[', '{', '"', '\'']) {
        return Node::new(Data::Text(text.into()), place);
    }
    toml_in(text, place).unwrap_or_else(|| {
        let message = format!(
            "`{name}` starts like a value of TOML, but is none; arrays look like `[1, 2]`, tables like `{{ a = 1 }}`, \
             texts like `\"a\"`"
        );
        out.error(place, message);
        Node::new(Data::Text(String::new()), place)
    })
}

/// A value of TOML that is the text of a property.
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
