//! Arguments that are plain data: checked for their size before anything is copied.

use super::*;

/// Operations charged for each value in the data.
const PER_VALUE: u64 = 2;
/// How many bytes of text in the data are copied for one operation.
const TEXT_IN_ONE: usize = 32;

/// An argument as plain data, with at most this many values and bytes of text. `what` begins the messages:
/// `event data`.
///
/// # Errors
/// If it is too large or not plain.
pub fn plain_data(data: Arg<'_>, what: &str, (most_values, most_text): (usize, usize)) -> Accepted<Value> {
    let (mut values, mut text) = (most_values, most_text);
    if data.take_size(&mut values, &mut text).is_none() {
        return refuse(format!("{what} can have at most {most_values} values and {most_text} bytes of text"));
    }
    charge((most_values - values) as u64 * PER_VALUE + ((most_text - text) / TEXT_IN_ONE) as u64)?;
    data.to_plain().or_else(|NotPlain { path, what: wrong }| {
        let path = path.trim_start_matches('.');
        let place = if path.is_empty() { String::new() } else { format!(" at `{path}`") };
        refuse(format!("{what} cannot contain {wrong}{place}"))
    })
}

/// Whether plain data is exactly the same. Whole and floating-point numbers can be, and a vec and a map of its parts.
pub fn same_data(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Int(a), Value::Float(b)) | (Value::Float(b), Value::Int(a)) => *a as f64 == *b,
        (Value::List(a), Value::List(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_data(a, b)),
        (Value::Map(a), Value::Map(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|((k, a), (l, b))| k == l && same_data(a, b))
        }
        (Value::Vector(parts), Value::Map(map)) | (Value::Map(map), Value::Vector(parts)) => {
            let keys = ["x", "y", "z"].into_iter().zip(parts);
            let has = |(key, part): (&str, &f64)| {
                let held = map.get(key);
                held.is_some_and(|held| same_data(held, &Value::Float(*part)))
            };
            map.len() == parts.len() && keys.into_iter().all(has)
        }
        _ => a == b,
    }
}
