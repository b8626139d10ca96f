//! `expect(x)`: assertions of a test.

use crate::messages::refused_name;
use crate::values::{ValueKinds, to_plain, type_name};
use hangtime_script::MOST_NESTING;
use hangtime_script::calls::same_data;
use mlua::{Error, Lua, Result, UserData, UserDataMethods, Value};
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::error;
use std::fmt;
use std::sync::Arc;

/// An expectation that was not met.
#[derive(Clone, Debug)]
pub(crate) struct Missed {
    pub expected: String,
    pub got: String,
    /// The text that the test gave for this case; empty for none.
    pub note: String,
}

impl fmt::Display for Missed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.note.is_empty() {
            write!(f, "{}: ", self.note)?;
        }
        write!(f, "expected {}, got {}", self.expected, self.got)
    }
}

impl error::Error for Missed {}

/// The expectations that have compared nothing yet: their files and lines, by number.
#[derive(Clone, Debug, Default)]
pub(crate) struct Unchecked(Arc<Mutex<Idle>>);

#[derive(Debug, Default)]
struct Idle {
    made: u64,
    idle: BTreeMap<u64, (String, usize)>,
}

impl Unchecked {
    /// The file and line of the first one, after a test.
    pub fn first(&self) -> Option<(String, usize)> {
        self.0.lock().idle.values().next().cloned()
    }
}

/// What `expect` returns.
struct Expectation {
    value: Value,
    kinds: ValueKinds,
    number: u64,
    unchecked: Unchecked,
}

impl Expectation {
    fn check(&self, holds: bool, expected: String, note: Option<String>) -> Result<()> {
        self.unchecked.0.lock().idle.remove(&self.number);
        if holds {
            return Ok(());
        }
        let got = show(&self.value, &self.kinds);
        Err(Error::external(Missed { expected, got, note: note.unwrap_or_default() }))
    }

    fn equals(&self, value: &Value, other: &Value) -> bool {
        let plain = |value| to_plain(value, None, (&self.kinds, MOST_NESTING));
        match (plain(value), plain(other)) {
            (Ok(a), Ok(b)) => same_data(&a, &b),
            _ => false,
        }
    }

    fn contains(&self, part: &Value) -> bool {
        match (&self.value, part) {
            (Value::String(text), Value::String(part)) => match (text.to_str(), part.to_str()) {
                (Ok(text), Ok(part)) => text.contains(&*part),
                _ => false,
            },
            (Value::Table(list), _) => {
                let mut items = list.sequence_values::<Value>();
                items.any(|item| item.is_ok_and(|item| self.equals(&item, part)))
            }
            _ => false,
        }
    }
}

impl UserData for Expectation {
    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        methods.add_method("equals", |_, it, (value, note): (Value, Option<String>)| {
            it.check(it.equals(&it.value, &value), show(&value, &it.kinds), note)
        });
        methods.add_method("near", |_, it, (value, tolerance, note): (f64, f64, Option<String>)| {
            let holds = it.value.as_number().is_some_and(|got| (got - value).abs() <= tolerance);
            it.check(holds, format!("within {tolerance} of {value}"), note)
        });
        methods.add_method("above", |_, it, (bound, note): (f64, Option<String>)| {
            it.check(it.value.as_number().is_some_and(|got| got > bound), format!("above {bound}"), note)
        });
        methods.add_method("below", |_, it, (bound, note): (f64, Option<String>)| {
            it.check(it.value.as_number().is_some_and(|got| got < bound), format!("below {bound}"), note)
        });
        methods.add_method("contains", |_, it, (part, note): (Value, Option<String>)| {
            it.check(it.contains(&part), format!("something that contains {}", show(&part, &it.kinds)), note)
        });
    }
}

/// The function `expect`.
pub(crate) fn expect(lua: &Lua, kinds: &ValueKinds, unchecked: &Unchecked) -> Result<mlua::Function> {
    let (kinds, unchecked) = (kinds.clone(), unchecked.clone());
    lua.create_function(move |lua, values: mlua::MultiValue| {
        let [value] = values.as_slices().0 else {
            return Err(refused_name("expect", format!("`expect` takes 1 argument, not {}", values.len())));
        };
        let place = lua.inspect_stack(1, |caller| {
            let source = caller.source().source.map(|name| name.trim_start_matches('=').to_string());
            Some((source?, caller.current_line()?))
        });
        let number = {
            let mut idle = unchecked.0.lock();
            idle.made += 1;
            let number = idle.made;
            idle.idle.insert(number, place.flatten().unwrap_or_default());
            number
        };
        let value = value.clone();
        lua.create_userdata(Expectation { value, kinds: kinds.clone(), number, unchecked: unchecked.clone() })
    })
}

/// A value as test reports show it: numbers in full precision, text in quotes.
fn show(value: &Value, kinds: &ValueKinds) -> String {
    match value {
        Value::Nil => "nil".into(),
        Value::Boolean(flag) => flag.to_string(),
        Value::Integer(x) => x.to_string(),
        Value::Number(x) => x.to_string(),
        Value::String(text) => format!("{:?}", text.to_string_lossy()),
        Value::Table(table) => match (kinds.read(table), to_plain(value, None, (kinds, MOST_NESTING))) {
            (Some(v), _) => format!("({}, {}, {})", v.x, v.y, v.z),
            (None, Ok(data)) => written(&data),
            (None, Err(_)) => "a table".into(),
        },
        other => type_name(other).into(),
    }
}

/// Plain data as a script writes it.
fn written(value: &hangtime_core::sim::Value) -> String {
    use hangtime_core::sim::Value as Data;
    match value {
        Data::Unit => "nil".into(),
        Data::Bool(flag) => flag.to_string(),
        Data::Int(x) => x.to_string(),
        Data::Float(x) => x.to_string(),
        Data::Text(text) => format!("{text:?}"),
        Data::Vector([x, y, z]) => format!("vec({x}, {y}, {z})"),
        Data::List(list) => format!("{{ {} }}", list.iter().map(written).collect::<Vec<_>>().join(", ")),
        Data::Map(map) => {
            let entries = map.iter().map(|(name, value)| format!("{name} = {}", written(value)));
            format!("{{ {} }}", entries.collect::<Vec<_>>().join(", "))
        }
    }
}
