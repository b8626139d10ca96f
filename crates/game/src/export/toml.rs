//! A level as TOML.

use crate::files::{Data, Node, Table, tables::spelling::key_text};

/// The keys that hold a list of tables, in the order in which they are written.
pub const LISTS: [&str; 3] = ["solid", "zone", "entity"];

/// Lines of points are at most about this long.
const LINE: usize = 100;

/// The text of a level.
pub fn text_of(level: &Table) -> String {
    let mut out = String::new();
    for (key, node) in &level.entries {
        if !LISTS.contains(&key.name.as_str()) {
            out += &format!("{} = {}\n", key_text(&key.name), node.spelled());
        }
    }
    for list in LISTS {
        for table in level.tables(list) {
            out += &format!("\n[[{list}]]\n");
            for (key, node) in &table.entries {
                let value = match &node.value {
                    Data::Array(items) if key.name == "points" => points_text(items),
                    _ => node.spelled(),
                };
                out += &format!("{} = {value}\n", key_text(&key.name));
            }
        }
    }
    out.trim_start_matches('\n').to_string()
}

/// Many points, on several lines.
fn points_text(points: &[Node]) -> String {
    let all: Vec<String> = points.iter().map(Node::spelled).collect();
    let one_line = format!("[{}]", all.join(", "));
    if one_line.len() <= LINE {
        return one_line;
    }
    let mut out = String::from("[\n");
    let mut line = String::from("   ");
    for point in all {
        if line.len() + point.len() + 2 > LINE {
            out += &format!("{line}\n");
            line = String::from("   ");
        }
        line += &format!(" {point},");
    }
    out + line.as_str() + "\n]"
}
