//! Conversions between Rhai's values and plain data.

use hangtime_core::sim::Value;
use hangtime_script::{
    Vector,
    calls::{finite_value, vector_value},
};
use rhai::{Array, Dynamic, Map};
use std::collections::BTreeMap;

pub(crate) use hangtime_script::calls::NotPlain;

/// How messages name the type of a value.
pub(crate) fn type_name(value: &Dynamic) -> &'static str {
    if value.is_unit() {
        "()"
    } else if value.is_bool() {
        "true or false"
    } else if value.is_int() || value.is_float() {
        "a number"
    } else if value.is_string() || value.is_char() {
        "text"
    } else if value.is_array() {
        "an array"
    } else if value.is_map() {
        "a map"
    } else if value.is_fnptr() {
        "a function"
    } else if value.is::<Vector>() {
        "a vec"
    } else {
        match value.type_name() {
            name if name.ends_with("::OtherEntity") => "an entity",
            name if name.ends_with("::Me") => "`me`",
            name if name.contains("ops::range::Range") => "a range",
            _ => "an object",
        }
    }
}

/// Plain data as a script's value.
pub(crate) fn to_dynamic(value: &Value) -> Dynamic {
    match value {
        Value::Unit => Dynamic::UNIT,
        Value::Bool(x) => (*x).into(),
        Value::Int(x) => (*x).into(),
        Value::Float(x) => (*x).into(),
        Value::Text(x) => x.as_str().into(),
        Value::List(list) => list.iter().map(to_dynamic).collect::<Array>().into(),
        Value::Map(map) => to_map(map).into(),
        Value::Vector([x, y, z]) => Dynamic::from(Vector::new(*x, *y, *z)),
    }
}

/// A plain map as a script's map.
pub(crate) fn to_map(map: &BTreeMap<String, Value>) -> Map {
    map.iter().map(|(key, value)| (key.as_str().into(), to_dynamic(value))).collect()
}

/// A script's value as plain data.
///
/// # Errors
/// If the value is or contains a function, an object or a number that is not finite.
pub(crate) fn to_plain(value: &Dynamic) -> Result<Value, NotPlain> {
    if value.is_shared() {
        return Err(NotPlain::itself("a variable that a closure has captured"));
    }
    if value.is_unit() {
        Ok(Value::Unit)
    } else if let Ok(x) = value.as_bool() {
        Ok(Value::Bool(x))
    } else if let Ok(x) = value.as_int() {
        Ok(Value::Int(x))
    } else if let Ok(x) = value.as_float() {
        finite_value(x)
    } else if let Ok(x) = value.as_immutable_string_ref() {
        Ok(Value::Text(x.to_string()))
    } else if let Ok(x) = value.as_char() {
        Ok(Value::Text(x.to_string()))
    } else if let Ok(list) = value.as_array_ref() {
        let list = list.iter().enumerate();
        list.map(|(i, v)| to_plain(v).map_err(|e| e.below(&format!("[{i}]"))))
            .collect::<Result<_, _>>()
            .map(Value::List)
    } else if let Ok(map) = value.as_map_ref() {
        plain_map(&map).map(Value::Map)
    } else if let Some(v) = value.read_lock::<Vector>() {
        vector_value(*v)
    } else {
        Err(NotPlain::itself(type_name(value)))
    }
}

/// A script's map as plain data.
pub(crate) fn plain_map(map: &Map) -> Result<BTreeMap<String, Value>, NotPlain> {
    let plain = |(key, value): (&rhai::Identifier, &Dynamic)| {
        let plain = to_plain(value).map_err(|e| e.below(&format!(".{key}")))?;
        Ok((key.to_string(), plain))
    };
    map.iter().map(plain).collect()
}

/// Whether two values are the same plain data.
pub(crate) fn same(a: &Dynamic, b: &Dynamic) -> bool {
    matches!((to_plain(a), to_plain(b)), (Ok(a), Ok(b)) if a == b)
}

/// Subtracts the size of a value from what the limits leave; none if it does not fit.
pub(crate) fn take_size(value: &Dynamic, values: &mut usize, text: &mut usize) -> Option<()> {
    *values = values.checked_sub(1)?;
    if let Ok(words) = value.as_immutable_string_ref() {
        *text = text.checked_sub(words.len())?;
    } else if let Ok(list) = value.as_array_ref() {
        return list.iter().try_for_each(|v| take_size(v, values, text));
    } else if let Ok(map) = value.as_map_ref() {
        return map.iter().try_for_each(|(key, v)| {
            *text = text.checked_sub(key.len())?;
            take_size(v, values, text)
        });
    }
    Some(())
}
