//! Where the histories of two peers part.

use crate::Failure;
use serde_json::Value;

/// The first tick in which two histories differ, with the first entity and field.
pub fn first_difference(ours: &str, theirs: &str) -> Result<String, Failure> {
    let read = |text: &str| text.lines().map(serde_json::from_str).collect::<Result<Vec<Value>, _>>();
    let (ours, theirs) = (read(ours)?, read(theirs)?);
    for one in &ours {
        let Some(other) = theirs.iter().find(|other| other["tick"] == one["tick"]) else { continue };
        if one["hash"] != other["hash"] {
            let what = difference("", &one["state"], &other["state"]).unwrap_or_else(|| "only the hash differs".into());
            return Ok(format!("tick {}: {what}", one["tick"]));
        }
    }
    Err("the histories are equal".into())
}

/// The first field at or below a path that differs.
fn difference(path: &str, ours: &Value, theirs: &Value) -> Option<String> {
    let below = |key: &str| if path.is_empty() { key.to_string() } else { format!("{path}.{key}") };
    match (ours, theirs) {
        (Value::Object(a), Value::Object(b)) => {
            let mut keys = a.keys().chain(b.keys().filter(|key| !a.contains_key(*key)));
            keys.find_map(|key| difference(&below(key), &ours[key], &theirs[key]))
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            let mut places = (0..a.len()).map(|i| (i, &a[i], &b[i]));
            places.find_map(|(i, a, b)| difference(&below(&i.to_string()), a, b))
        }
        _ => (ours != theirs).then(|| format!("{path} is {ours} here and {theirs} there")),
    }
}
