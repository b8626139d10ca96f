//! From Lua's values to arguments and plain data, and from answers and plain data to Lua's values.

use crate::{messages::refused, objects::LuaHandle};
use hangtime_core::sim::{EntityView, EventField, Value};
use hangtime_script::{
    About, CallRefusal, MOST_NESTING, Vector,
    budget::charge,
    calls::{
        Arg, Call, CallAnswer, ForeignValue, NotPlain, Object, VisitEntry, VisitItem, fields_of_hook, finite_value,
        vector_value,
    },
    refuse,
    text::cut,
    value_of_field,
};
use mlua::{Function, IntoLua, Lua, Result, Table, Value as LuaValue};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// The largest whole number up to which every number is exact.
const MOST_EXACT: u64 = 1 << 53;

/// The largest number of elements of a list that are looked at to tell it from a map.
const MOST_ELEMENTS: usize = 1 << 20;

type Plainly<T> = std::result::Result<T, NotPlain>;
type Refusable<T> = std::result::Result<T, CallRefusal>;

/// What tells values of hangtime's own from others, and makes them.
#[derive(Clone, Debug)]
pub(crate) struct ValueKinds {
    /// Makes a vec from three numbers.
    pub make: Function,
    /// The addresses of the metatables: of vecs, and of vecs that write through to a property of `me`.
    pub metatables: [usize; 2],
    /// The calls on objects of the crates above.
    pub foreign: &'static [Call<Object>],
}

impl ValueKinds {
    /// The vec that a table is.
    pub fn read(&self, table: &Table) -> Option<Vector> {
        let meta = table.metatable()?.to_pointer() as usize;
        let is_part = self.metatables.iter().position(|known| *known == meta)? == 1;
        let parts = [("x", 1), ("y", 2), ("z", 3)];
        let [x, y, z] = parts.map(|(name, place)| match is_part {
            true => table.raw_get::<f64>(place).ok(),
            false => table.raw_get::<f64>(name).ok(),
        });
        Some(Vector::new(x?, y?, z?))
    }

    pub fn value(&self, v: Vector) -> Result<LuaValue> {
        self.make.call((v.x, v.y, v.z))
    }
}

/// How messages name the type of a value.
pub(crate) fn type_name(value: &LuaValue) -> &'static str {
    match value {
        LuaValue::Nil => "nil",
        LuaValue::Boolean(_) => "true or false",
        LuaValue::Integer(_) | LuaValue::Number(_) => "a number",
        LuaValue::String(_) => "text",
        LuaValue::Table(table) if table.raw_len() > 0 => "an array",
        LuaValue::Table(_) => "a map",
        LuaValue::Function(_) => "a function",
        LuaValue::UserData(data) if data.is::<LuaHandle<Arc<EntityView>>>() => "an entity",
        LuaValue::UserData(data) if data.is::<LuaHandle<Object>>() => "an object of the test",
        _ => "a value of Lua's own",
    }
}

/// A value as text. Tables and functions have no address in it, which differs from run to run.
pub(crate) fn shown(value: &LuaValue) -> Result<String> {
    Ok(match value {
        LuaValue::Table(table) => match table.metatable().map(|meta| meta.raw_get("__tostring")) {
            Some(Ok(LuaValue::Function(_))) => value.to_string()?,
            _ => "a table".into(),
        },
        LuaValue::Function(_) | LuaValue::Thread(_) => type_name(value).into(),
        LuaValue::UserData(_) if type_name(value) != "an entity" => type_name(value).into(),
        other => other.to_string()?,
    })
}

/// A value as `print` shows it: what a table holds, too, if it is plain data.
pub(crate) fn printed(value: &LuaValue, kinds: &ValueKinds) -> Result<String> {
    let text = shown(value)?;
    let is_plain = text == "a table" && matches!(value, LuaValue::Table(_));
    match is_plain.then(|| to_plain(value, None, (kinds, MOST_NESTING))) {
        Some(Ok(data)) => {
            charge(data.count() + data.text() / TEXT_IN_ONE).map_err(refused)?;
            Ok(cut(&written(&data), MOST_PRINTED).into_owned())
        }
        _ => Ok(text),
    }
}

/// How many bytes of text in a table are printed for one operation.
const TEXT_IN_ONE: u64 = 64;

/// The most characters of a table that are printed.
const MOST_PRINTED: usize = 1000;

/// Plain data as a script writes it.
pub(crate) fn written(value: &Value) -> String {
    match value {
        Value::Unit => "nil".into(),
        Value::Bool(flag) => flag.to_string(),
        Value::Int(x) => x.to_string(),
        Value::Float(x) => x.to_string(),
        Value::Text(text) => format!("{text:?}"),
        Value::Vector([x, y, z]) => format!("vec({x}, {y}, {z})"),
        Value::List(list) => format!("{{ {} }}", list.iter().map(written).collect::<Vec<_>>().join(", ")),
        Value::Map(map) => {
            let entries = map.iter().map(|(name, value)| format!("{name} = {}", written(value)));
            format!("{{ {} }}", entries.collect::<Vec<_>>().join(", "))
        }
    }
}

/// A value that is an argument while a call runs.
pub(crate) struct LuaArg<'v> {
    value: &'v LuaValue,
    kinds: &'v ValueKinds,
    text: Option<mlua::BorrowedStr>,
    vec: Option<Vector>,
}

impl<'v> LuaArg<'v> {
    pub fn of(value: &'v LuaValue, kinds: &'v ValueKinds) -> Refusable<Self> {
        let text = match value {
            LuaValue::String(text) => match text.to_str() {
                Ok(text) => Some(text),
                Err(_) => return refuse("text must be UTF-8"),
            },
            _ => None,
        };
        let vec = match value {
            LuaValue::Table(table) => kinds.read(table),
            _ => None,
        };
        Ok(Self { value, kinds, text, vec })
    }

    pub fn arg(&self) -> Arg<'_> {
        match self.value {
            LuaValue::Nil => Arg::Nothing,
            LuaValue::Boolean(flag) => Arg::Flag(*flag),
            LuaValue::Integer(x) if x.unsigned_abs() <= MOST_EXACT => Arg::Whole(*x),
            LuaValue::Integer(x) => Arg::Number(*x as f64),
            LuaValue::Number(x) => Arg::Number(*x),
            LuaValue::String(_) => Arg::Text(self.text.as_deref().unwrap_or_default()),
            _ => self.vec.map_or(Arg::Foreign(self), Arg::Vec),
        }
    }
}

impl ForeignValue for LuaArg<'_> {
    fn type_name(&self) -> &'static str {
        type_name(self.value)
    }

    fn take_size(&self, values: &mut usize, text: &mut usize) -> Option<()> {
        take_size(self.value, values, text)
    }

    fn to_plain(&self) -> Plainly<Value> {
        to_plain(self.value, None, (self.kinds, MOST_NESTING))
    }

    fn each_entry(&self, visit: VisitEntry<'_>) -> Refusable<()> {
        let LuaValue::Table(table) = self.value else {
            return refuse(format!("this must be a map, not {}", self.type_name()));
        };
        let (mut entries, mut wrong) = (Vec::new(), None);
        let visited = table.for_each(|key: LuaValue, value: LuaValue| {
            match key.as_string().map(|key| key.to_str()) {
                Some(Ok(key)) => entries.push((key.to_string(), value)),
                Some(Err(_)) => wrong = wrong.or(Some("text must be UTF-8")),
                None => wrong = Some("every key of this map must be text"),
            }
            Ok(())
        });
        if let Some(wrong) = wrong.or(visited.is_err().then_some("this map cannot be read")) {
            return refuse(wrong);
        }
        entries.sort_by(|a, b| a.0.cmp(&b.0));
        for (key, value) in &entries {
            visit(key, LuaArg::of(value, self.kinds)?.arg())?;
        }
        Ok(())
    }

    fn object(&self) -> Option<Object> {
        match self.value {
            LuaValue::UserData(data) => data.borrow::<LuaHandle<Object>>().ok().map(|it| it.held.clone()),
            _ => None,
        }
    }

    fn holds(&self, of: &Object) -> Refusable<bool> {
        let LuaValue::Function(function) = self.value else {
            return refuse(format!("this must be a function, not {}", self.type_name()));
        };
        let failed = |error: mlua::Error| CallRefusal::Foreign(Box::new(error));
        let lua = function.weak_lua().upgrade();
        let object = lua.create_userdata(LuaHandle::new(of.clone(), self.kinds)).map_err(failed)?;
        match function.call::<LuaValue>(object).map_err(failed)? {
            LuaValue::Boolean(holds) => Ok(holds),
            other => refuse(format!("a condition must return true or false, not {}", type_name(&other))),
        }
    }

    fn each_item(&self, visit: VisitItem<'_>) -> Refusable<()> {
        let LuaValue::Table(table) = self.value else {
            return refuse(format!("this must be an array, not {}", self.type_name()));
        };
        for value in table.sequence_values::<LuaValue>() {
            let Ok(value) = value else {
                return refuse("this array cannot be read");
            };
            visit(LuaArg::of(&value, self.kinds)?.arg())?;
        }
        Ok(())
    }
}

fn take_size(value: &LuaValue, values: &mut usize, text: &mut usize) -> Option<()> {
    *values = values.checked_sub(1)?;
    match value {
        LuaValue::String(words) => *text = text.checked_sub(words.as_bytes().len())?,
        LuaValue::Table(table) => {
            for entry in table.pairs::<LuaValue, LuaValue>() {
                let (key, value) = entry.ok()?;
                if let LuaValue::String(key) = key {
                    *text = text.checked_sub(key.as_bytes().len())?;
                }
                take_size(&value, values, text)?;
            }
        }
        _ => {}
    }
    Some(())
}

/// A value as plain data. Lua has one kind of number: where `before` was a whole or a floating-point number, that is what
/// the number stays, if it can; a new one is whole if its value is.
///
/// # Errors
/// The first part of it that is not plain.
pub(crate) fn to_plain(
    value: &LuaValue,
    before: Option<&Value>,
    (kinds, levels): (&ValueKinds, usize),
) -> Plainly<Value> {
    Plain { kinds, left: MOST_ELEMENTS }.of(value, before, levels)
}

/// Conversion to plain data.
pub(crate) struct Plain<'k> {
    pub kinds: &'k ValueKinds,
    /// How many values it may have: tables that share tables can stand for very many.
    pub left: usize,
}

impl Plain<'_> {
    /// A value as plain data; see [`to_plain`].
    pub fn of(&mut self, value: &LuaValue, before: Option<&Value>, levels: usize) -> Plainly<Value> {
        let Some(left) = self.left.checked_sub(1) else {
            return Err(NotPlain::itself("as many values as this"));
        };
        self.left = left;
        Ok(match value {
            LuaValue::Nil => Value::Unit,
            LuaValue::Boolean(flag) => Value::Bool(*flag),
            LuaValue::Integer(x) => match before {
                Some(Value::Float(_)) => Value::Float(*x as f64),
                _ if x.unsigned_abs() > MOST_EXACT => Value::Float(*x as f64),
                _ => Value::Int(*x),
            },
            // 0 times a negative number is −0, which no whole number is.
            LuaValue::Number(x) if *x == 0.0 && !matches!(before, Some(Value::Float(_))) => Value::Int(0),
            LuaValue::Number(x) => finite_value(*x)?,
            LuaValue::String(text) => match text.to_str() {
                Ok(text) => Value::Text(text.to_string()),
                Err(_) => return Err(NotPlain::itself("text that is not UTF-8")),
            },
            LuaValue::Table(table) => return self.of_table(table, before, levels),
            other => return Err(NotPlain::itself(type_name(other))),
        })
    }

    fn of_table(&mut self, table: &Table, before: Option<&Value>, levels: usize) -> Plainly<Value> {
        let Some(levels) = levels.checked_sub(1) else {
            return Err(NotPlain::itself(format!("values nested more than {MOST_NESTING} levels deep")));
        };
        if let Some(v) = self.kinds.read(table) {
            return vector_value(v);
        }
        if table.has_metatable() {
            return Err(NotPlain::itself("a table with a metatable"));
        }
        let (list, names) = self.entries(table)?;
        if !list.is_empty() && !names.is_empty() {
            return Err(NotPlain::itself("a table with both positions and names"));
        }
        // An empty table says nothing of what it will hold.
        if names.is_empty() && !(list.is_empty() && matches!(before, Some(Value::Map(_)))) {
            let each = (1..).zip(&list).map(|(at, value)| {
                let before = match before {
                    Some(Value::List(list)) => list.get(at - 1),
                    _ => None,
                };
                self.of(value, before, levels).map_err(|wrong| wrong.below(&format!("[{at}]")))
            });
            return Ok(Value::List(each.collect::<Plainly<_>>()?));
        }
        let mut map = BTreeMap::new();
        for (name, value) in names {
            let before = match before {
                Some(Value::Map(map)) => map.get(&name),
                _ => None,
            };
            let value = self.of(&value, before, levels).map_err(|wrong| wrong.below(&format!(".{name}")))?;
            map.insert(name, value);
        }
        Ok(Value::Map(map))
    }

    /// What a table holds by position, and by name. What is wrong does not depend on the order of its keys in Luau.
    fn entries(&mut self, table: &Table) -> Plainly<(Vec<LuaValue>, BTreeMap<String, LuaValue>)> {
        let length = table.raw_len();
        if length > self.left {
            self.left = 0;
            return Err(NotPlain::itself(format!("a list of {length} elements")));
        }
        let (mut list, mut names, mut wrong) = (vec![None; length], BTreeMap::new(), BTreeSet::new());
        let visited = table.for_each(|key: LuaValue, value: LuaValue| {
            match key {
                LuaValue::Integer(at) if (1..=length as i64).contains(&at) => list[at as usize - 1] = Some(value),
                LuaValue::String(name) => match name.to_str() {
                    Ok(name) => _ = names.insert(name.to_string(), value),
                    Err(_) => _ = wrong.insert("a name that is not UTF-8".to_string()),
                },
                LuaValue::Integer(_) | LuaValue::Number(_) => {
                    wrong.insert("a table with a number that is no position as a key".to_string());
                }
                other => _ = wrong.insert(format!("a table with {} as a key", type_name(&other))),
            }
            Ok(())
        });
        visited.map_err(|error| NotPlain::itself(error.to_string()))?;
        match (wrong.pop_first(), list.into_iter().collect()) {
            (Some(wrong), _) => Err(NotPlain::itself(wrong)),
            (None, None) => Err(NotPlain::itself("a list with gaps")),
            (None, Some(list)) => Ok((list, names)),
        }
    }
}

/// Plain data as a value.
pub(crate) fn of_plain(lua: &Lua, kinds: &ValueKinds, value: &Value) -> Result<LuaValue> {
    match value {
        Value::Unit => Ok(LuaValue::Nil),
        Value::Bool(flag) => flag.into_lua(lua),
        Value::Int(x) => Ok(LuaValue::Number(*x as f64)),
        Value::Float(x) => x.into_lua(lua),
        Value::Text(text) => text.as_str().into_lua(lua),
        Value::Vector([x, y, z]) => kinds.value(Vector::new(*x, *y, *z)),
        Value::List(list) => list_of(lua, list.iter().map(|value| of_plain(lua, kinds, value))),
        Value::Map(map) => map_of(lua, kinds, map).map(LuaValue::Table),
    }
}

/// A map as a table.
pub(crate) fn map_of(lua: &Lua, kinds: &ValueKinds, map: &BTreeMap<String, Value>) -> Result<Table> {
    table_of(lua, map.iter().map(|(name, value)| Ok((name.as_str(), of_plain(lua, kinds, value)?))))
}

/// An answer as a value.
pub(crate) fn of_answer(lua: &Lua, kinds: &ValueKinds, answer: CallAnswer<'_>) -> Result<LuaValue> {
    let fields = |fields: &mut dyn Iterator<Item = (&'static str, CallAnswer<'_>)>| {
        table_of(lua, fields.map(|(name, value)| Ok((name, of_answer(lua, kinds, value)?)))).map(LuaValue::Table)
    };
    match answer {
        CallAnswer::Nothing => Ok(LuaValue::Nil),
        CallAnswer::Flag(flag) => flag.into_lua(lua),
        CallAnswer::Whole(x) => Ok(LuaValue::Number(x as f64)),
        CallAnswer::Number(x) => x.into_lua(lua),
        CallAnswer::Text(text) => text.into_lua(lua),
        CallAnswer::Made(text) => (&*text).into_lua(lua),
        CallAnswer::Vec(v) => kinds.value(v),
        CallAnswer::Entity(view) => LuaHandle::new(view.clone(), kinds).into_lua(lua),
        CallAnswer::Entities(..) => {
            list_of(lua, answer.entities().map(|view| LuaHandle::new(view.clone(), kinds).into_lua(lua)))
        }
        CallAnswer::List(list) => list_of(lua, list.into_iter().map(|value| of_answer(lua, kinds, value))),
        CallAnswer::Fields(all) => fields(&mut all.into_iter()),
        CallAnswer::Hook(hook) => fields(&mut fields_of_hook(hook).into_iter()),
        CallAnswer::Data(data) => of_plain(lua, kinds, &data),
        CallAnswer::Object(object) => LuaHandle::new(object, kinds).into_lua(lua),
    }
}

/// What a hook receives in addition to `me`, with the fields that it reads, or all.
pub(crate) fn of_about(
    lua: &Lua,
    kinds: &ValueKinds,
    (about, read): (&About<'_>, Option<&BTreeSet<String>>),
) -> Result<LuaValue> {
    let mut fields = Vec::new();
    about.each_field(|name, field| {
        if read.is_some_and(|read| !read.contains(name)) {
            return;
        }
        let value = match field {
            EventField::Text(text) => text.into_lua(lua),
            EventField::Name(text) => (&**text).into_lua(lua),
            field => of_plain(lua, kinds, &value_of_field(field)),
        };
        fields.push(value.map(|value| (name, value)));
    });
    table_of(lua, fields.into_iter()).map(LuaValue::Table)
}

fn list_of(lua: &Lua, values: impl ExactSizeIterator<Item = Result<LuaValue>>) -> Result<LuaValue> {
    let table = lua.create_table_with_capacity(values.len(), 0)?;
    for (place, value) in (1..).zip(values) {
        table.raw_seti(place, value?)?;
    }
    Ok(LuaValue::Table(table))
}

fn table_of<'n>(lua: &Lua, entries: impl Iterator<Item = Result<(&'n str, LuaValue)>>) -> Result<Table> {
    let mut wrong = Ok(());
    let table = lua.create_table_from(entries.map(|entry| {
        entry.unwrap_or_else(|error| {
            wrong = Err(error);
            ("", LuaValue::Nil)
        })
    }))?;
    wrong.map(|()| table)
}
