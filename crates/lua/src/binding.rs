//! The table of calls as functions and properties of Lua.

use crate::machine::OWN_CHUNK;
use crate::messages::{refused, refused_by, refused_name};
use crate::values::{HeldArg, ValueKinds, of_answer};
use hangtime_core::sim::EntityView;
use hangtime_script::api::{EntryKind, Owner, Type};
use hangtime_script::calls::{
    Answered, Arg, Call, CallMoment, CallOwner, Object, behavior_calls, find_member, refuse_write, with_moment,
};
use hangtime_script::names::suggestion;
use hangtime_script::{CallRefusal, Vector, refuse};
use mlua::{Function, Lua, MetaMethod, MultiValue, Result, Table, UserData, UserDataMethods, Value};
use std::array::from_fn;
use std::collections::BTreeMap;
use std::sync::Arc;

/// At least the largest number of arguments of any call.
const MOST_ARGUMENTS: usize = 8;

/// The calls of one name that differ by their numbers of arguments.
type SameName = Vec<&'static Call<CallMoment>>;

/// What scripts call.
pub(crate) struct Bound {
    pub kinds: ValueKinds,
    /// Makes a vec, with checks.
    pub vec: Function,
    pub me: Table,
    pub world: Table,
    pub hud: Table,
}

/// Another entity, as of the start of the phase.
pub(crate) struct LuaEntity {
    view: Arc<EntityView>,
    kinds: ValueKinds,
}

impl LuaEntity {
    pub fn new(view: Arc<EntityView>, kinds: &ValueKinds) -> Self {
        Self { view, kinds: kinds.clone() }
    }
}

impl UserData for LuaEntity {
    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        methods.add_meta_method(MetaMethod::Index, |lua, it, name: mlua::LuaString| {
            let name = name.to_str()?;
            let Some(call) = find_member(&name) else {
                let names = behavior_calls().of_entity.iter().map(|call| call.entry.name);
                let near = suggestion(&name, names);
                return Err(refused(CallRefusal::Message(format!("another entity has no `{}`{near}", &*name).into())));
            };
            if matches!(call.entry.kind, EntryKind::Property(_)) {
                return of_answer(lua, &it.kinds, call.answer(&it.view, &[]).map_err(refused)?);
            }
            // With a colon or a dot.
            let (view, kinds) = (it.view.clone(), it.kinds.clone());
            let method = lua.create_function(move |lua, _: MultiValue| {
                of_answer(lua, &kinds, call.answer(&view, &[]).map_err(refused)?)
            });
            method.map(Value::Function)
        });
        methods.add_meta_method(MetaMethod::NewIndex, |_, _, (name, _): (mlua::LuaString, Value)| {
            let name = name.to_str()?;
            let refusal = match find_member(&name) {
                Some(call) => refuse_write(&call.entry),
                None => refuse(format!("another entity has no `{}`", &*name)),
            };
            refusal.map_err(refused)
        });
        methods.add_meta_method(MetaMethod::Eq, |_, it, other: mlua::UserDataRef<Self>| {
            Ok(it.view.name == other.view.name)
        });
        methods.add_meta_method(MetaMethod::ToString, |_, it, ()| Ok(it.view.name.to_string()));
    }
}

/// Makes a call with Lua's values.
pub(crate) fn answer<'a, O: CallOwner, R>(
    call: &Call<O>,
    owner: O::Lent<'a>,
    (values, kinds): (&[Value], &ValueKinds),
    read: impl FnOnce(Answered<'_>) -> R,
) -> R {
    let mut wrong = None;
    let held: [Option<HeldArg<'_>>; MOST_ARGUMENTS] = from_fn(|place| {
        let held = HeldArg::of(values.get(place)?, kinds);
        held.map_err(|refusal| wrong.get_or_insert(refusal).to_string()).ok()
    });
    if let Some(refusal) = wrong {
        return read(Err(refusal));
    }
    let args: [Arg<'_>; MOST_ARGUMENTS] = from_fn(|place| held[place].as_ref().map_or(Arg::Nothing, HeldArg::arg));
    read(call.answer(owner, &args[..values.len()]))
}

/// The call among those of one name that takes this many arguments.
pub(crate) fn of_count<O: CallOwner>(calls: &[&'static Call<O>], count: usize) -> Result<&'static Call<O>> {
    let found = calls.iter().copied().find(|call| call.entry.parameters.len() == count);
    found.ok_or_else(|| refused_name(calls[0].entry.name, wrong_count(calls, count)))
}

/// The message about calls of one name, none of which takes this many arguments.
pub(crate) fn wrong_count<O: CallOwner>(calls: &[&'static Call<O>], count: usize) -> String {
    let name = calls[0].entry.name;
    let counts: Vec<String> = calls.iter().map(|call| call.entry.parameters.len().to_string()).collect();
    let s = if counts == ["1"] { "" } else { "s" };
    format!("`{name}` takes {} argument{s}, not {count}", counts.join(" or "))
}

/// A function over the calls of one name, which may be called with a dot or a colon on their owner.
fn function(lua: &Lua, calls: SameName, (kinds, owner): (&ValueKinds, &Table)) -> Result<Function> {
    let (kinds, owner) = (kinds.clone(), owner.to_pointer() as usize);
    lua.create_function(move |lua, values: MultiValue| {
        let values = values.as_slices().0;
        let own = |value: &Value| matches!(value, Value::Table(table) if table.to_pointer() as usize == owner);
        let values = if values.first().is_some_and(own) { &values[1..] } else { values };
        let call = of_count(&calls, values.len())?;
        let refused = |refusal| refused_by(call.entry.name, refusal);
        with_moment(|moment| {
            answer(call, moment, (values, &kinds), |answer| of_answer(lua, &kinds, answer.map_err(refused)?))
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

/// A function that reads a property that is a vec, as three numbers.
fn vec_getter(lua: &Lua, call: &'static Call<CallMoment>) -> Result<Function> {
    lua.create_function(move |_, ()| {
        with_moment(|moment| match call.answer(moment, &[]).map_err(refused)? {
            hangtime_script::calls::CallAnswer::Vec(v) => Ok((v.x, v.y, v.z)),
            _ => Ok((0.0, 0.0, 0.0)),
        })
    })
}

fn writer(lua: &Lua, call: &'static Call<CallMoment>, kinds: &ValueKinds) -> Result<Function> {
    let kinds = kinds.clone();
    lua.create_function(move |_, value: Value| {
        let held = HeldArg::of(&value, &kinds).map_err(refused)?;
        with_moment(|moment| call.write(moment, held.arg())).map_err(refused)
    })
}

/// The message about a name that something does not have.
pub(crate) fn unknown(of: &str, name: &str) -> String {
    let calls = behavior_calls().of_moment.iter();
    let owner = match of {
        "me" => Owner::Me,
        "hud" => Owner::Hud,
        _ => Owner::World,
    };
    let names: Vec<&str> = match of {
        "a vec" => VEC_MEMBERS.to_vec(),
        _ => calls.filter(|call| call.entry.owner == owner).map(|call| call.entry.name).collect(),
    };
    let of = if of == "a vec" { of.into() } else { format!("`{of}`") };
    format!("{of} has no `{name}`{}", suggestion(name, names))
}

const VEC_MEMBERS: [&str; 13] = [
    "x",
    "y",
    "z",
    "length",
    "length_squared",
    "dot",
    "distance",
    "angle",
    "normalized",
    "rotated",
    "lerp",
    "clamped",
    "to_string",
];

/// Binds everything that scripts call; `foreign` has the calls on objects of the crates above.
pub(crate) fn bind(lua: &Lua, foreign: &'static [Call<Object>]) -> Result<Bound> {
    let host = lua.create_table()?;
    let number = |f: fn(f64) -> f64| lua.create_function(move |_, x: f64| Ok(f(x)));
    host.raw_set("sin", number(libm::sin)?)?;
    host.raw_set("cos", number(libm::cos)?)?;
    host.raw_set("atan2", lua.create_function(|_, (y, x): (f64, f64)| Ok(libm::atan2(y, x)))?)?;
    host.raw_set("show", lua.create_function(|_, value: Value| Ok(crate::values::type_name(&value)))?)?;
    host.raw_set("text_of_vec", lua.create_function(|_, (x, y, z): (f64, f64, f64)| Ok(Vector::new(x, y, z).show()))?)?;
    let refuse_with = |_: &Lua, why: String| -> Result<()> { Err(refused(CallRefusal::Message(why.into()))) };
    host.raw_set("refuse", lua.create_function(refuse_with)?)?;
    host.raw_set(
        "unknown",
        lua.create_function(|_, (of, name): (String, Value)| Ok(unknown(&of, &name.to_string()?)))?,
    )?;
    let tables = ["getters", "vec_getters", "parts", "writers", "methods"];
    let tables: BTreeMap<&str, Table> =
        tables.into_iter().map(|name| Ok((name, lua.create_table()?))).collect::<Result<_>>()?;
    for (name, table) in &tables {
        host.raw_set(*name, table)?;
    }
    host.raw_set(
        "not_written",
        lua.create_function(|_, name: Value| -> Result<()> {
            let name = name.to_string()?;
            let all = behavior_calls().of_moment.iter();
            let found = all.map(|call| &call.entry).find(|entry| entry.owner == Owner::Me && entry.name == name);
            let refusal = match found {
                Some(entry) => refuse_write(entry),
                None => refuse(format!("{}; variables are in `vars`, as in `vars.{name} = 1`", unknown("me", &name))),
            };
            refusal.map_err(refused)
        })?,
    )?;
    // Nothing changes the globals of the prelude, so that Luau can call their functions directly.
    lua.globals().set_safeenv(true);
    let prelude = lua.load(include_str!("prelude.luau")).set_name(format!("={OWN_CHUNK}"));
    let (vec, make, of_vecs, of_parts, me): (Function, Function, Table, Table, Table) = prelude.call(host)?;
    me.set_readonly(true);
    let metatables = [of_vecs, of_parts].map(|meta| meta.to_pointer() as usize);
    let kinds = ValueKinds { make, metatables, foreign };
    let mut named: BTreeMap<(&str, &str), SameName> = BTreeMap::new();
    for call in &behavior_calls().of_moment {
        let entry = &call.entry;
        match entry.kind {
            EntryKind::Property(_) => {
                match entry.returns {
                    Type::Vec => tables["vec_getters"].raw_set(entry.name, vec_getter(lua, call)?)?,
                    _ => tables["getters"].raw_set(entry.name, getter(lua, call, &kinds)?)?,
                }
                if call.is_writable() {
                    tables["writers"].raw_set(entry.name, writer(lua, call, &kinds)?)?;
                    tables["parts"].raw_set(entry.name, entry.returns == Type::Vec)?;
                }
            }
            _ => named.entry((entry.owner.name(), entry.name)).or_default().push(call),
        }
    }
    let (world, hud) = (lua.create_table()?, lua.create_table()?);
    for ((owner, name), mut calls) in named {
        calls.sort_by_key(|call| call.entry.parameters.len());
        match owner {
            "me" => tables["methods"].raw_set(name, function(lua, calls, (&kinds, &me))?)?,
            "hud" => hud.raw_set(name, function(lua, calls, (&kinds, &hud))?)?,
            _ => world.raw_set(name, function(lua, calls, (&kinds, &world))?)?,
        }
    }
    for (name, module) in [("world", &world), ("hud", &hud)] {
        let meta = lua.create_table()?;
        let refuse = lua.create_function(move |_, (_, key): (Table, Value)| -> Result<()> {
            Err(refused(CallRefusal::Message(unknown(name, &key.to_string()?).into())))
        })?;
        meta.raw_set("__index", refuse)?;
        meta.raw_set("__metatable", name)?;
        module.set_metatable(Some(meta))?;
        module.set_readonly(true);
    }
    Ok(Bound { kinds, vec, me, world, hud })
}
