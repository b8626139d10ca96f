//! The first value in which two worlds differ.

use serde_json::Value;

/// The path to the first value that differs, and both values, cut to a readable length.
pub(super) fn first_value_difference(one: &Value, other: &Value) -> Option<(String, [String; 2])> {
    difference_at(one, other, String::new())
}

fn difference_at(one: &Value, other: &Value, path: String) -> Option<(String, [String; 2])> {
    match (one, other) {
        _ if one == other => None,
        (Value::Object(a), Value::Object(b)) if a.keys().eq(b.keys()) => {
            let dot = if path.is_empty() { "" } else { "." };
            let mut both = a.iter().zip(b.values());
            both.find_map(|((key, a), b)| difference_at(a, b, format!("{path}{dot}{key}")))
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            let mut both = (0..).zip(a.iter().zip(b));
            both.find_map(|(i, (a, b)): (usize, _)| difference_at(a, b, format!("{path}[{i}]")))
        }
        _ => Some((path, [one, other].map(short))),
    }
}

/// A value as JSON, cut to a readable length.
fn short(value: &Value) -> String {
    const MOST: usize = 100;
    let text = value.to_string();
    let cut: String = text.chars().take(MOST).collect();
    if cut.len() < text.len() { cut + "…" } else { cut }
}
