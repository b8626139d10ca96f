//! A level as a map of the Tiled editor.

use super::toml::LISTS;
use crate::files::{
    Data, Node, Table,
    maps::CLASSES,
    tables::spelling::{is_bare, quoted},
};
use glam::DVec2;
use hangtime_script::text::steers;
use std::fmt::Write as _;

/// The size of the map's cells, px. A level has none, but Tiled shows a grid.
const CELL: u32 = 16;

/// A map that is being written.
#[derive(Default)]
struct MapWriter {
    /// The elements of each layer of objects.
    paths: String,
    layers: [String; LISTS.len()],
    objects: u32,
}

/// The text of a level.
pub fn text_of(level: &Table) -> String {
    let mut map = MapWriter::default();
    for (index, list) in LISTS.into_iter().enumerate() {
        for table in level.tables(list) {
            let object = match list {
                "entity" => map.entity(table),
                list => map.outline(table, list),
            };
            map.layers[index] += &object;
        }
    }
    let mut properties = String::new();
    for (key, node) in &level.entries {
        if !LISTS.contains(&key.name.as_str()) {
            write_property(&mut properties, &key.name, node, 2);
        }
    }
    map.finish(&properties)
}

impl MapWriter {
    fn finish(self, properties: &str) -> String {
        let next = self.objects + 1;
        let mut out = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<map version=\"1.10\" tiledversion=\"1.11.2\" \
             orientation=\"orthogonal\" renderorder=\"right-down\" width=\"40\" height=\"24\" tilewidth=\"{CELL}\" \
             tileheight=\"{CELL}\" infinite=\"1\" nextlayerid=\"5\" nextobjectid=\"{next}\">\n"
        );
        if !properties.is_empty() {
            let _ = write!(out, " <properties>\n{properties} </properties>\n");
        }
        let [solids, zones, entities] = self.layers;
        let layers = [("zones", zones), ("solids", solids), ("paths", self.paths), ("entities", entities)];
        for (id, (name, objects)) in (1..).zip(layers) {
            if !objects.is_empty() {
                let _ = write!(out, " <objectgroup id=\"{id}\" name=\"{name}\">\n{objects} </objectgroup>\n");
            }
        }
        out + "</map>\n"
    }

    fn next_id(&mut self) -> u32 {
        self.objects += 1;
        self.objects
    }

    /// A solid or zone.
    fn outline(&mut self, table: &Table, list: &str) -> String {
        let one_way = table.get("one_way").is_some_and(Node::is_true);
        let points = table.get("points").and_then(points_of).unwrap_or_default();
        let id = self.next_id();
        let mut properties = String::new();
        let class = if one_way { "one_way" } else { list };
        for (key, node) in &table.entries {
            match (key.name.as_str(), &node.value) {
                ("name" | "points", _) => {}
                ("one_way", Data::Flag(true)) => {}
                ("path", Data::Table(path)) if self.path(path, id, &points, &mut properties) => {}
                (name, _) => write_property(&mut properties, name, node, 4),
            }
        }
        let element = shape_element(&points, !one_way);
        object(id, table, class, &element, &properties)
    }

    /// Draws the path of a moving platform and refers to it. False if it cannot be drawn.
    fn path(&mut self, path: &Table, solid: u32, points: &[DVec2], properties: &mut String) -> bool {
        let offsets = path.get("points").and_then(points_of).unwrap_or_default();
        let known = path.names().all(|name| ["points", "speed", "loop"].contains(&name));
        if offsets.len() < 2 || offsets[0] != DVec2::ZERO || !known {
            return false;
        }
        let id = self.next_id();
        let mut own = String::new();
        for (key, node) in path.entries.iter().filter(|(key, _)| key.name != "points") {
            write_property(&mut own, &key.name, node, 4);
        }
        let at = flipped(points.first().copied().unwrap_or_default());
        let local: Vec<DVec2> = offsets.iter().map(|offset| flipped(*offset)).collect();
        let element = (format!("x=\"{}\" y=\"{}\"", at.x, at.y), listed("polyline", &local));
        let name = attribute("name", &format!("way of {solid}"));
        self.paths += &element_of(id, &format!("{name} type=\"path\""), &element, &own);
        let _ = writeln!(properties, "    <property name=\"path\" type=\"object\" value=\"{id}\"/>");
        true
    }

    fn entity(&mut self, table: &Table) -> String {
        let id = self.next_id();
        let at = table.get("at").and_then(numbers_of).unwrap_or_default();
        let place = flipped(at.as_chunks::<2>().0.first().copied().unwrap_or_default().into());
        let kind = table.text("kind").unwrap_or_default();
        let has_class = !CLASSES.contains(&kind) && !kind.is_empty();
        let mut properties = String::new();
        for (key, node) in &table.entries {
            match (key.name.as_str(), &node.value) {
                ("name", _) => {}
                ("kind", _) if has_class => {}
                ("at", Data::Array(list)) => {
                    if let Some(z) = list.get(2) {
                        write_property(&mut properties, "z", z, 4);
                    }
                }
                (name, _) => write_property(&mut properties, name, node, 4),
            }
        }
        let class = if has_class { kind } else { "entity" };
        let element = (format!("x=\"{}\" y=\"{}\"", place.x, place.y), "   <point/>\n".into());
        object(id, table, class, &element, &properties)
    }
}

/// The attributes of an object's place and size, and the element of its shape.
type ObjectShape = (String, String);

/// Draws points in a map, as a rectangle if they are one that needs no rotation.
fn shape_element(points: &[DVec2], closed: bool) -> ObjectShape {
    let mut at = flipped(points.first().copied().unwrap_or_default());
    let mut local: Vec<DVec2> = points.iter().map(|point| flipped(*point) - at).collect();
    if !same(at, &local, points) {
        // Sums of such numbers are rounded. From the origin, nothing is added.
        at = DVec2::ZERO;
        local = points.iter().map(|point| flipped(*point)).collect();
    }
    let place = format!("x=\"{}\" y=\"{}\"", at.x, at.y);
    match local.as_slice() {
        [a, b, c, d] if closed && is_rectangle([*a, *b, *c, *d]) => {
            (format!("{place} width=\"{}\" height=\"{}\"", c.x, c.y), String::new())
        }
        _ => (place, listed(if closed { "polygon" } else { "polyline" }, &local)),
    }
}

fn listed(element: &str, points: &[DVec2]) -> String {
    let points: Vec<String> = points.iter().map(|p| format!("{},{}", p.x, p.y)).collect();
    format!("   <{element} points=\"{}\"/>\n", points.join(" "))
}

fn object(id: u32, table: &Table, class: &str, shape: &ObjectShape, properties: &str) -> String {
    let name = table.text("name").map(|name| attribute("name", name)).unwrap_or_default();
    let class = attribute("type", class);
    element_of(id, format!("{name} {class}").trim(), shape, properties)
}

fn element_of(id: u32, attributes: &str, (place, shape): &ObjectShape, properties: &str) -> String {
    let mut out = format!("  <object id=\"{id}\" {attributes} {place}");
    if properties.is_empty() && shape.is_empty() {
        return out + "/>\n";
    }
    out += ">\n";
    if !properties.is_empty() {
        let _ = write!(out, "   <properties>\n{properties}   </properties>\n");
    }
    out + shape.as_str() + "  </object>\n"
}

/// Writes a value as a property, and the values of a table as several ones with dotted names.
fn write_property(out: &mut String, name: &str, node: &Node, indent: usize) {
    let plain = |kind: &str, value: &str| {
        let kind = if kind.is_empty() { String::new() } else { format!(" type=\"{kind}\"") };
        let (name, value) = (attribute("name", name), attribute("value", value));
        format!("{:indent$}<property {name}{kind} {value}/>\n", "")
    };
    match &node.value {
        Data::Table(table) if is_dotted(table) => {
            for (key, node) in &table.entries {
                write_property(out, &format!("{name}.{}", key.name), node, indent);
            }
        }
        Data::Table(_) | Data::Array(_) | Data::Date => *out += &plain("", &node.spelled()),
        Data::Text(text) if is_plain(text) => *out += &plain("", text),
        Data::Text(text) => *out += &plain("", &quoted(text)),
        Data::Flag(x) => *out += &plain("bool", &x.to_string()),
        Data::Int(x) if i32::try_from(*x).is_ok() => *out += &plain("int", &x.to_string()),
        Data::Int(_) | Data::Float(_) => *out += &plain("float", &node.spelled()),
    }
}

/// Whether the values of a table can be properties with dotted names.
fn is_dotted(table: &Table) -> bool {
    let fits = |node: &Node| match &node.value {
        Data::Table(table) => is_dotted(table),
        Data::Int(x) => i32::try_from(*x).is_ok(),
        _ => true,
    };
    let entries = &table.entries;
    !entries.is_empty() && entries.iter().all(|(key, node)| is_bare(&key.name) && fits(node))
}

/// Whether a text is not read as a value of TOML, and has only characters of XML.
fn is_plain(text: &str) -> bool {
    !text.starts_with(['[', '{', '"', '\'']) && !text.contains(char::is_control)
}

/// An attribute with its value escaped.
fn attribute(name: &str, value: &str) -> String {
    let mut out = format!("{name}=\"");
    for c in value.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            c if steers(c) => {
                let _ = write!(out, "&#{};", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out + "\""
}

/// The points of a node; none if it has other values.
fn points_of(node: &Node) -> Option<Vec<DVec2>> {
    let point = |point: &Node| {
        let numbers = numbers_of(point)?;
        Some(DVec2::new(*numbers.first()?, *numbers.get(1)?))
    };
    node.list()?.iter().map(point).collect()
}

/// The numbers of an array; none if it has other values.
fn numbers_of(node: &Node) -> Option<Vec<f64>> {
    node.list()?.iter().map(Node::number).collect()
}

/// A point of a level, where y points up, in a map, where y points down; and the other way around.
fn flipped(point: DVec2) -> DVec2 {
    DVec2::new(point.x, 0.0 - point.y)
}

/// Whether reading these numbers gives these points.
fn same(at: DVec2, local: &[DVec2], points: &[DVec2]) -> bool {
    local.iter().zip(points).all(|(local, point)| flipped(at + *local) == *point)
}

/// Whether points are the corners of a rectangle in the order in which Tiled draws them.
fn is_rectangle([a, b, c, d]: [DVec2; 4]) -> bool {
    a == DVec2::ZERO && b == DVec2::new(c.x, 0.0) && d == DVec2::new(0.0, c.y) && c.min_element() > 0.0
}
