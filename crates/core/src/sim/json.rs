//! Plain data as JSON.

use super::value::Value;
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

/// Serializes a value as plain JSON, without its type's name. A vector becomes an object of `x`, `y`
/// and `z`.
#[derive(Clone, Copy, Debug)]
pub struct InJson<'a>(pub &'a Value);

impl Serialize for InJson<'_> {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Unit => out.serialize_none(),
            Value::Bool(x) => out.serialize_bool(*x),
            Value::Int(x) => out.serialize_i64(*x),
            Value::Float(x) => out.serialize_f64(*x),
            Value::Text(x) => out.serialize_str(x),
            Value::List(list) => {
                let mut seq = out.serialize_seq(Some(list.len()))?;
                list.iter().try_for_each(|v| seq.serialize_element(&InJson(v)))?;
                seq.end()
            }
            Value::Map(map) => {
                let mut entries = out.serialize_map(Some(map.len()))?;
                map.iter().try_for_each(|(k, v)| entries.serialize_entry(k, &InJson(v)))?;
                entries.end()
            }
            Value::Vector([x, y, z]) => {
                let mut entries = out.serialize_map(Some(3))?;
                entries.serialize_entry("x", x)?;
                entries.serialize_entry("y", y)?;
                entries.serialize_entry("z", z)?;
                entries.end()
            }
        }
    }
}
