//! A level as TOML.

use crate::files::{Data, Node, Table};
use hangtime_script::text::steers;
use toml_edit::Value;

/// The keys that hold a list of tables, in the order in which they are written.
pub(crate) const LISTS: [&str; 3] = ["solid", "zone", "entity"];

/// Lines of points are at most about this long.
const LINE: usize = 100;

/// The text of a level.
pub(crate) fn text_of(level: &Table) -> String {
    let mut out = String::new();
    for (key, node) in &level.entries {
        if !LISTS.contains(&key.name.as_str()) {
            out += &format!("{} = {}\n", key_text(&key.name), value_text(node));
        }
    }
    for list in LISTS {
        for table in level.tables(list) {
            out += &format!("\n[[{list}]]\n");
            for (key, node) in &table.entries {
                let value = match &node.value {
                    Data::Array(items) if key.name == "points" => points_text(items),
                    _ => value_text(node),
                };
                out += &format!("{} = {value}\n", key_text(&key.name));
            }
        }
    }
    out.trim_start_matches('\n').to_string()
}

/// Many points, on several lines.
fn points_text(points: &[Node]) -> String {
    let all: Vec<String> = points.iter().map(value_text).collect();
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

/// A value on one line, except for texts with line breaks.
pub(crate) fn value_text(node: &Node) -> String {
    match &node.value {
        Data::Table(table) => {
            let pairs = table
                .entries
                .iter()
                .map(|(key, node)| format!("{} = {}", key_text(&key.name), value_text(node)));
            match pairs.collect::<Vec<_>>().join(", ") {
                pairs if pairs.is_empty() => "{}".into(),
                pairs => format!("{{ {pairs} }}"),
            }
        }
        Data::Array(items) => {
            let items: Vec<String> = items.iter().map(value_text).collect();
            format!("[{}]", items.join(", "))
        }
        Data::Text(text) => quoted(text),
        Data::Int(x) => x.to_string(),
        Data::Float(x) => Value::from(*x).to_string(),
        Data::Flag(x) => x.to_string(),
        // Nothing in a level takes a date.
        Data::Date => "\"\"".into(),
    }
}

/// A text in quotes, on one line.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out += "\\\"",
            '\\' => out += "\\\\",
            '\n' => out += "\\n",
            '\t' => out += "\\t",
            // Characters that control a terminal are not printed.
            c if steers(c) => out += &format!("\\U{:08X}", u32::from(c)),
            c => out.push(c),
        }
    }
    out + "\""
}

/// A key, in quotes if it needs them.
fn key_text(key: &str) -> String {
    if is_bare(key) { key.into() } else { quoted(key) }
}

/// Whether a key needs no quotes.
pub(crate) fn is_bare(key: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    !key.is_empty() && key.chars().all(plain)
}
