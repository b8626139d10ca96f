//! `expect(x)`: assertions of a test.

use crate::{
    messages::refused_name,
    values::{ValueKinds, to_plain, type_name, written},
};
use hangtime_core::sim::Value as Data;
use hangtime_script::{COMPARISONS, Compared, Comparison, MOST_NESTING, api::Type, names::suggestion};
use mlua::{Error, Function, Lua, LuaString, MetaMethod, MultiValue, Result, UserData, UserDataMethods, Value};
use parking_lot::Mutex;
use std::sync::Arc;

/// The file and the line of an expectation.
type FileAndLine = (String, usize);

/// Where all expectations are, as long as they have compared nothing.
#[derive(Clone, Debug, Default)]
pub(crate) struct IdleExpectations(Arc<Mutex<Vec<Option<FileAndLine>>>>);

impl IdleExpectations {
    /// The file and line of the first one, after a test.
    pub fn first(&self) -> Option<FileAndLine> {
        self.0.lock().iter().flatten().next().cloned()
    }
}

/// What `expect` returns. Copies share the number.
#[derive(Clone)]
struct LuaExpectation {
    value: Value,
    kinds: ValueKinds,
    number: usize,
    unchecked: IdleExpectations,
}

/// A value with what tells its kind.
struct ShownValue<'v>(&'v Value, &'v ValueKinds);

impl Compared for ShownValue<'_> {
    fn plain(&self) -> Option<Data> {
        to_plain(self.0, None, (self.1, MOST_NESTING)).ok()
    }

    fn number(&self) -> Option<f64> {
        self.0.as_number().or_else(|| self.0.as_integer().map(|x| x as f64))
    }

    fn show(&self) -> String {
        match (self.0, self.plain()) {
            (Value::Number(x), _) => x.to_string(),
            (Value::Table(_), Some(Data::Vector([x, y, z]))) => format!("({x}, {y}, {z})"),
            (_, Some(data)) => written(&data),
            (Value::Table(_), None) => "a table".into(),
            (other, None) => type_name(other).into(),
        }
    }
}

impl LuaExpectation {
    /// Makes a comparison with these arguments, the last of which may be a note.
    fn compare(&self, with: &'static Comparison, values: &[Value]) -> Result<()> {
        let (name, takes) = (with.name, with.takes[0]);
        let count = takes.len();
        let refuse = |why: String| Err(refused_name(name, why));
        let note = match values.get(count) {
            _ if values.len() < count || values.len() > count + 1 => {
                return refuse(format!("`{name}` takes {count} or {} arguments, not {}", count + 1, values.len()));
            }
            None => String::new(),
            Some(Value::String(note)) => note.to_string_lossy(),
            Some(other) => return refuse(format!("`note` of `{name}` must be text, not {}", type_name(other))),
        };
        let values: Vec<ShownValue<'_>> = values[..count].iter().map(|value| ShownValue(value, &self.kinds)).collect();
        let is_wrong = |(value, takes): &(&ShownValue<'_>, &hangtime_script::api::Param)| {
            takes.takes == Type::Number && value.number().is_none()
        };
        if let Some((other, _)) = values.iter().zip(takes).find(is_wrong) {
            return refuse(format!("`{name}` compares with a number, not with {}", type_name(other.0)));
        }
        self.unchecked.0.lock()[self.number] = None;
        let values: Vec<&dyn Compared> = values.iter().map(|value| value as &dyn Compared).collect();
        with.compare(&ShownValue(&self.value, &self.kinds), &values, &note)
            .map_err(Error::external)
    }
}

impl UserData for LuaExpectation {
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
pub(crate) fn expect(lua: &Lua, kinds: &ValueKinds, unchecked: &IdleExpectations) -> Result<Function> {
    let (kinds, unchecked) = (kinds.clone(), unchecked.clone());
    lua.create_function(move |lua, values: MultiValue| {
        let [value] = values.as_slices().0 else {
            return Err(refused_name("expect", format!("`expect` takes 1 argument, not {}", values.len())));
        };
        let place = lua.inspect_stack(1, |caller| {
            let source = caller.source().source.map(|name| name.trim_start_matches('=').to_string());
            Some((source?, caller.current_line()?))
        });
        let (value, kinds, mut all) = (value.clone(), kinds.clone(), unchecked.0.lock());
        all.push(Some(place.flatten().unwrap_or_default()));
        lua.create_userdata(LuaExpectation { value, kinds, number: all.len() - 1, unchecked: unchecked.clone() })
    })
}
