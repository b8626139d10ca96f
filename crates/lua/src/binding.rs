//! The table of calls as functions and properties of Lua.

use crate::{
    globals::mathematics,
    messages::{failed, refused, refused_by, refused_name},
    seen::SeenState,
    values::{LuaArg, ValueKinds, of_answer, type_name},
};
use hangtime_script::{
    Vector,
    api::{ApiEntry, ApiSet, EntryKind, Owner, Type},
    calls::{Arg, Call, CallMoment, CallOwner, Object, behavior_calls, refuse_write, with_moment},
    elsewhere,
    names::{nearest, suggestion},
};
use mlua::{Error, Function, Lua, MultiValue, Result, Table, Value};
use std::{array::from_fn, collections::BTreeMap, sync::Arc};

/// At least the largest number of arguments of any call.
const MOST_ARGUMENTS: usize = 8;

/// The name of the chunks that are not of scripts.
pub(crate) const OWN_CHUNK: &str = "prelude";

/// The calls of behaviors, and the words that wait.
pub(crate) fn calls() -> impl Iterator<Item = &'static Call<CallMoment>> + Clone {
    behavior_calls().of_moment.iter().filter(|call| !call.entry.name.starts_with("__"))
}

/// The calls of one name that differ by their numbers of arguments.
type SameName = Vec<&'static Call<CallMoment>>;

/// What scripts call.
pub(crate) struct Bound {
    pub kinds: ValueKinds,
    /// What is here for Luau's side: `prelude.luau` and `limits.luau`.
    pub host: Table,
    /// Makes a vec, with checks.
    pub vec: Function,
    pub math: Table,
    pub me: Table,
    /// `world` and the other modules, in the order of [`Owner::MODULES`].
    pub modules: [Table; Owner::MODULES.len()],
    pub seen: Arc<SeenState>,
    /// Makes a table to be behind `me`, with place for what a call hands over.
    pub behind: Function,
}

/// The function over calls of one name makes the one that takes this many arguments.
pub(crate) fn call_one_of<'o, O: CallOwner>(
    lua: &Lua,
    calls: &[&'static Call<O>],
    owner: O::Lent<'o>,
    (values, kinds): (&[Value], &ValueKinds),
) -> Result<Value> {
    // What is left of `wait` is called `__wait__`.
    let name = calls[0].entry.name.trim_matches('_');
    let found = calls.iter().find(|call| call.entry.parameters.len() == values.len());
    let call = found.ok_or_else(|| refused_name(name, wrong_count(calls, values.len())))?;
    // A test may hold so much memory in levels and snapshots: what it has dropped must not count any more.
    if matches!(call.entry.returns, Type::Test | Type::Snapshot) {
        lua.gc_collect()?;
    }
    let refused = |refusal| refused_by(name, refusal);
    let mut wrong = None;
    let held: [Option<LuaArg<'_>>; MOST_ARGUMENTS] = from_fn(|place| {
        let held = LuaArg::of(values.get(place)?, kinds);
        held.map_err(|refusal| wrong = Some(refusal)).ok()
    });
    if let Some(refusal) = wrong {
        return Err(refused(refusal));
    }
    let args: [Arg<'_>; MOST_ARGUMENTS] = from_fn(|place| held[place].as_ref().map_or(Arg::Nothing, LuaArg::arg));
    of_answer(lua, kinds, call.answer(owner, &args[..values.len()]).map_err(refused)?)
}

/// The message about calls of one name, none of which takes this many arguments.
pub(crate) fn wrong_count<O: CallOwner>(calls: &[&'static Call<O>], count: usize) -> String {
    let name = calls[0].entry.name;
    let counts: Vec<String> = calls.iter().map(|call| call.entry.parameters.len().to_string()).collect();
    let s = if counts == ["1"] { "" } else { "s" };
    format!("`{name}` takes {} argument{s}, not {count}", counts.join(" or "))
}

/// A function over the calls of one name, which may be called with a dot or a colon on their owner.
fn function(
    lua: &Lua,
    calls: SameName,
    (kinds, owner, seen): (&ValueKinds, &Table, &Arc<SeenState>),
) -> Result<Function> {
    let (kinds, owner, seen) = (kinds.clone(), owner.to_pointer() as usize, seen.clone());
    lua.create_function(move |lua, values: MultiValue| {
        let values = values.as_slices().0;
        let own = |value: &Value| matches!(value, Value::Table(table) if table.to_pointer() as usize == owner);
        let values = if values.first().is_some_and(own) { &values[1..] } else { values };
        with_moment(|moment| {
            let answer = call_one_of(lua, &calls, &mut *moment, (values, &kinds));
            seen.refresh(moment)?;
            answer
        })
    })
}

/// A function that reads a property.
fn getter(lua: &Lua, call: &'static Call<CallMoment>, kinds: &ValueKinds) -> Result<Function> {
    let kinds = kinds.clone();
    lua.create_function(move |lua, ()| {
        with_moment(|moment| of_answer(lua, &kinds, call.answer(moment, &[]).map_err(refused)?))
    })
}

fn writer(
    lua: &Lua,
    call: &'static Call<CallMoment>,
    (kinds, seen): (&ValueKinds, &Arc<SeenState>),
) -> Result<Function> {
    let (kinds, seen) = (kinds.clone(), seen.clone());
    lua.create_function(move |_, value: Value| {
        let held = LuaArg::of(&value, &kinds).map_err(refused)?;
        with_moment(|moment| {
            call.write(moment, held.arg()).map_err(refused)?;
            seen.refresh_written(moment);
            Ok(())
        })
    })
}

/// The message about a name that a value or a module does not have.
pub(crate) fn unknown<'n>(of: &str, name: &str, names: impl IntoIterator<Item = &'n str> + Clone) -> String {
    format!("{of} has no `{name}`{}", suggestion(name, names))
}

/// The message about a name that an owner of calls does not have: it may be one of another engine.
pub(crate) fn unknown_call<'n>(
    owner: Owner,
    (of, name): (&str, &str),
    names: impl IntoIterator<Item = &'n str> + Clone,
) -> String {
    let near = nearest(name, names.clone()).is_some();
    let set = if matches!(owner, Owner::Test | Owner::Live | Owner::Snapshot) {
        ApiSet::Test
    } else {
        ApiSet::Behavior
    };
    let call = elsewhere::call(name, owner.name(), set).filter(|_| !near);
    match call.or_else(|| elsewhere::property(name, owner, near)) {
        Some(right) => format!("{of} has no `{name}`; use {}", in_lua(&right)),
        None => unknown(of, name, names),
    }
}

/// What is written for Rhai, in Lua.
pub(crate) fn in_lua(text: &str) -> String {
    let mut text = text
        .replace("`this", "`vars")
        .replace("::", ".")
        .replace("`fn ", "`function ")
        .replace("not ()", "not nil");
    // `#{ a: 1 }`
    while let Some(at) = text.find("`#{") {
        let end = text[at + 1..].find('`').map_or(text.len(), |end| at + 1 + end);
        let table = text[at + 2..end].replace(": ", " = ");
        text.replace_range(at + 1..end, &table);
    }
    text
}

/// The message about a name that `me` or a module does not have.
pub(crate) fn unknown_member(owner: Owner, name: &str) -> String {
    let named = |entry: &ApiEntry| entry.name == name && (entry.owner == Owner::Me || entry.owner.is_module());
    let other = calls().map(|call| &call.entry).find(|entry| named(entry));
    match other.filter(|_| elsewhere::call(name, owner.name(), ApiSet::Behavior).is_none()) {
        Some(other) => format!("`{}` has no `{name}`; use `{}.{name}`", owner.name(), other.owner.name()),
        None => unknown_in(owner, name),
    }
}

/// The same without a look at what the others have.
fn unknown_in(owner: Owner, name: &str) -> String {
    let calls = calls().filter(|call| call.entry.owner == owner);
    unknown_call(owner, (&format!("`{}`", owner.name()), name), calls.map(|call| call.entry.name))
}

/// Refuses to write a name of `me`.
fn not_written(name: &str) -> Error {
    match calls()
        .map(|call| &call.entry)
        .find(|entry| entry.owner == Owner::Me && entry.name == name)
    {
        Some(entry) => refuse_write(entry).map_or_else(refused, |()| failed(name)),
        None => {
            let unknown = unknown_in(Owner::Me, name);
            match unknown.ends_with('?') {
                true => failed(format!("{unknown} Variables are in `vars`, as in `vars.{name} = 1`")),
                false => failed(unknown),
            }
        }
    }
}

/// Binds everything that scripts call; `foreign` has the calls on objects of the crates above.
pub(crate) fn bind(lua: &Lua, foreign: &'static [Call<Object>]) -> Result<Bound> {
    let (host, math) = (lua.create_table()?, mathematics(lua)?);
    let text_of_vec = |_: &Lua, (x, y, z): (f64, f64, f64)| Ok(Vector::new(x, y, z).show());
    let unknown_part = |_: &Lua, (name, known): (Value, Vec<String>)| {
        Ok(unknown("a vec", &name.to_string()?, known.iter().map(String::as_str)))
    };
    let no_member = |_: &Lua, name: Value| Ok(unknown_member(Owner::Me, &name.to_string()?));
    host.raw_set("math", &math)?;
    host.raw_set("show", lua.create_function(|_, value: Value| Ok(type_name(&value)))?)?;
    host.raw_set("text_of_vec", lua.create_function(text_of_vec)?)?;
    host.raw_set("refuse", lua.create_function(|_, why: String| Err::<(), _>(failed(why)))?)?;
    host.raw_set("unknown_part", lua.create_function(unknown_part)?)?;
    host.raw_set("no_member", lua.create_function(no_member)?)?;
    host.raw_set("not_written", lua.create_function(|_, name: Value| Err::<(), _>(not_written(&name.to_string()?)))?)?;
    let [getters, writers, methods] = ["getters", "writers", "methods"].map(|name| {
        let table = lua.create_table()?;
        host.raw_set(name, &table)?;
        Result::Ok(table)
    });
    let (getters, writers, methods) = (getters?, writers?, methods?);
    let seen = Arc::new(SeenState::new(lua, &host)?);
    // Nothing changes the globals of the prelude, so that Luau can call their functions directly.
    lua.globals().set_safeenv(true);
    let prelude = lua.load(include_str!("prelude.luau")).set_name(format!("={OWN_CHUNK}"));
    let (vec, make, of_vecs, of_parts, me): (Function, Function, Table, Table, Table) = prelude.call(&host)?;
    me.set_readonly(true);
    let metatables = [of_vecs, of_parts].map(|meta| meta.to_pointer() as usize);
    let kinds = ValueKinds { make, metatables, foreign };
    let mut named: BTreeMap<(&str, &str), SameName> = BTreeMap::new();
    for call in behavior_calls().of_moment.iter().filter(|call| call.entry.owner != Owner::Free) {
        let entry = &call.entry;
        match entry.kind {
            EntryKind::Property(_) => {
                getters.raw_set(entry.name, getter(lua, call, &kinds)?)?;
                if call.is_writable() {
                    writers.raw_set(entry.name, writer(lua, call, (&kinds, &seen))?)?;
                }
            }
            _ => named.entry((entry.owner.name(), entry.name)).or_default().push(call),
        }
    }
    let modules = [lua.create_table()?, lua.create_table()?, lua.create_table()?];
    for ((owner, name), mut calls) in named {
        calls.sort_by_key(|call| call.entry.parameters.len());
        let place = Owner::MODULES.iter().position(|module| module.name() == owner);
        let (functions, module) = match place {
            Some(place) => (&modules[place], &modules[place]),
            None if name.starts_with("__") => (&host, &me),
            None => (&methods, &me),
        };
        functions.raw_set(name, function(lua, calls, (&kinds, module, &seen))?)?;
    }
    for (owner, module) in Owner::MODULES.into_iter().zip(&modules) {
        let meta = lua.create_table()?;
        let refuse = lua.create_function(move |_, (_, key): (Table, Value)| {
            Err::<(), _>(failed(unknown_member(owner, &key.to_string()?)))
        })?;
        meta.raw_set("__index", refuse)?;
        meta.raw_set("__metatable", owner.name())?;
        module.set_metatable(Some(meta))?;
        module.set_readonly(true);
    }
    let behind = host.raw_get("behind")?;
    Ok(Bound { kinds, host, vec, math, me, modules, seen, behind })
}
