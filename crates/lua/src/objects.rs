//! Values of the crates above, such as a level that a test plays, as values of Lua.

use crate::binding::{answer, of_count};
use crate::messages::{refused_by, refused_name};
use crate::values::{ValueKinds, of_answer};
use hangtime_script::api::{EntryKind, Type};
use hangtime_script::calls::{Call, Object, refuse_write};
use hangtime_script::names::suggestion;
use mlua::{Function, Lua, LuaString, MetaMethod, MultiValue, Result, UserData, UserDataMethods, Value};

/// A value of a crate above.
pub(crate) struct LuaObject {
    pub object: Object,
    kinds: ValueKinds,
}

impl LuaObject {
    pub fn new(object: Object, kinds: &ValueKinds) -> Self {
        Self { object, kinds: kinds.clone() }
    }

    /// The calls on it with this name.
    fn calls(&self, name: &str) -> Vec<&'static Call<Object>> {
        let own = self.kinds.foreign.iter().filter(|call| call.entry.owner == self.object.owner());
        own.filter(|call| call.entry.name == name).collect()
    }

    fn unknown(&self, name: &str) -> mlua::Error {
        let owner = self.object.owner();
        let own = self.kinds.foreign.iter().filter(|call| call.entry.owner == owner);
        let near = suggestion(name, own.map(|call| call.entry.name));
        refused_name(name, format!("{} has no `{name}`{near}", owner.name()))
    }
}

impl UserData for LuaObject {
    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        methods.add_meta_method(MetaMethod::Index, |lua, it, name: LuaString| {
            let name = name.to_str()?;
            let calls = it.calls(&name);
            match calls.first() {
                None => Err(it.unknown(&name)),
                Some(call) if matches!(call.entry.kind, EntryKind::Property(_)) => {
                    let refused = |refusal| refused_by(&name, refusal);
                    of_answer(lua, &it.kinds, call.answer(&it.object, &[]).map_err(refused)?)
                }
                Some(_) => method(lua, calls, it).map(Value::Function),
            }
        });
        methods.add_meta_method(MetaMethod::NewIndex, |_, it, (name, _): (LuaString, Value)| {
            let name = name.to_str()?;
            match it.calls(&name).first() {
                Some(call) => refuse_write(&call.entry).map_err(|refusal| refused_by(&name, refusal)),
                None => Err(it.unknown(&name)),
            }
        });
    }
}

/// The calls of one name on an object, with a colon or a dot.
fn method(lua: &Lua, calls: Vec<&'static Call<Object>>, of: &LuaObject) -> Result<Function> {
    let (object, kinds) = (of.object.clone(), of.kinds.clone());
    lua.create_function(move |lua, values: MultiValue| {
        let values = values.as_slices().0;
        let is_own = |value: &Value| match value {
            Value::UserData(data) => data.borrow::<LuaObject>().is_ok_and(|it| it.object.owner() == object.owner()),
            _ => false,
        };
        let values = if values.first().is_some_and(is_own) { &values[1..] } else { values };
        call_one_of(lua, &calls, &object, (values, &kinds))
    })
}

/// The function over the calls of one name on the session of a test.
pub(crate) fn session_function(
    lua: &Lua,
    calls: Vec<&'static Call<Object>>,
    session: Object,
    kinds: &ValueKinds,
) -> Result<Function> {
    let kinds = kinds.clone();
    lua.create_function(move |lua, values: MultiValue| {
        call_one_of(lua, &calls, &session, (values.as_slices().0, &kinds))
    })
}

/// Makes the call that takes this many arguments.
fn call_one_of(
    lua: &Lua,
    calls: &[&'static Call<Object>],
    object: &Object,
    (values, kinds): (&[Value], &ValueKinds),
) -> Result<Value> {
    let call = of_count(calls, values.len())?;
    // A test may hold so much memory in levels and snapshots: what it has dropped must not count any more.
    if matches!(call.entry.returns, Type::Test | Type::Snapshot) {
        lua.gc_collect()?;
    }
    let refused = |refusal| refused_by(call.entry.name, refusal);
    answer(call, object, (values, kinds), |answer| of_answer(lua, kinds, answer.map_err(refused)?))
}
