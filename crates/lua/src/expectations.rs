//! `expect(x)`: assertions of a test.

use crate::messages::{Missed, refused_name};
use crate::values::{ValueKinds, to_plain, type_name};
use hangtime_script::MOST_NESTING;
use hangtime_script::calls::same_data;
use hangtime_script::names::suggestion;
use mlua::{Error, Lua, LuaString, MetaMethod, MultiValue, Result, UserData, UserDataMethods, Value};
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::sync::Arc;

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

/// What `expect` returns. Copies share the number.
#[derive(Clone)]
struct Expectation {
    value: Value,
    kinds: ValueKinds,
    number: u64,
    unchecked: Unchecked,
}

/// A comparison, which also takes a note as its last argument.
struct Comparison {
    name: &'static str,
    /// How many arguments it takes without a note.
    count: usize,
    /// Whether they are numbers.
    of_numbers: bool,
    /// Whether it holds for the value of an expectation.
    holds: fn(&Expectation, &[Value]) -> bool,
    /// What reports say was expected of these arguments.
    expected: fn(&[String]) -> String,
}

const COMPARISONS: [Comparison; 5] = [
    Comparison {
        name: "equals",
        count: 1,
        of_numbers: false,
        holds: |it, to| it.equals(&it.value, &to[0]),
        expected: |to| to[0].clone(),
    },
    Comparison {
        name: "near",
        count: 2,
        of_numbers: true,
        holds: |it, to| match (number(&it.value), number(&to[0]), number(&to[1])) {
            (Some(got), Some(value), Some(tolerance)) => (got - value).abs() <= tolerance,
            _ => false,
        },
        expected: |to| format!("within {} of {}", to[1], to[0]),
    },
    Comparison {
        name: "above",
        count: 1,
        of_numbers: true,
        holds: |it, to| matches!((number(&it.value), number(&to[0])), (Some(got), Some(bound)) if got > bound),
        expected: |to| format!("above {}", to[0]),
    },
    Comparison {
        name: "below",
        count: 1,
        of_numbers: true,
        holds: |it, to| matches!((number(&it.value), number(&to[0])), (Some(got), Some(bound)) if got < bound),
        expected: |to| format!("below {}", to[0]),
    },
    Comparison {
        name: "contains",
        count: 1,
        of_numbers: false,
        holds: |it, to| it.contains(&to[0]),
        expected: |to| format!("something that contains {}", to[0]),
    },
];

fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Integer(x) => Some(*x as f64),
        Value::Number(x) => Some(*x),
        _ => None,
    }
}

impl Expectation {
    /// Makes a comparison with these arguments, the last of which may be a note.
    fn compare(&self, with: &'static Comparison, values: &[Value]) -> Result<()> {
        let Comparison { name, count, .. } = *with;
        let refuse = |why: String| Err(refused_name(name, why));
        let note = match values.get(count) {
            _ if values.len() < count || values.len() > count + 1 => {
                return refuse(format!("`{name}` takes {count} or {} arguments, not {}", count + 1, values.len()));
            }
            None => String::new(),
            Some(Value::String(note)) => note.to_string_lossy(),
            Some(other) => return refuse(format!("`note` of `{name}` must be text, not {}", type_name(other))),
        };
        let values = &values[..count];
        if let Some(other) = values.iter().find(|value| with.of_numbers && number(value).is_none()) {
            return refuse(format!("`{name}` compares with a number, not with {}", type_name(other)));
        }
        self.unchecked.0.lock().idle.remove(&self.number);
        if (with.holds)(self, values) {
            return Ok(());
        }
        let texts: Vec<String> = values.iter().map(|value| show(value, &self.kinds)).collect();
        let (expected, got) = ((with.expected)(&texts), show(&self.value, &self.kinds));
        Err(Error::external(Missed { expected, got, note, by: name }))
    }

    fn equals(&self, value: &Value, other: &Value) -> bool {
        let plain = |value| to_plain(value, None, (&self.kinds, MOST_NESTING));
        match (plain(value), plain(other)) {
            (Ok(a), Ok(b)) => same_data(&a, &b),
            // Infinities and NaN are no plain data.
            _ => number(value).is_some() && number(value) == number(other),
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
        methods.add_meta_method(MetaMethod::Index, |lua, it, name: LuaString| {
            let name = name.to_str()?;
            let Some(with) = COMPARISONS.iter().find(|known| known.name == &*name) else {
                let near = suggestion(&name, COMPARISONS.iter().map(|known| known.name));
                return Err(refused_name(&name, format!("an expectation has no `{}`{near}", &*name)));
            };
            let it = it.clone();
            // With a colon or a dot.
            lua.create_function(move |_, values: MultiValue| match values.as_slices().0 {
                [Value::UserData(own), values @ ..] if own.is::<Self>() => it.compare(with, values),
                values => it.compare(with, values),
            })
        });
    }
}

/// The function `expect`.
pub(crate) fn expect(lua: &Lua, kinds: &ValueKinds, unchecked: &Unchecked) -> Result<mlua::Function> {
    let (kinds, unchecked) = (kinds.clone(), unchecked.clone());
    lua.create_function(move |lua, values: MultiValue| {
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
