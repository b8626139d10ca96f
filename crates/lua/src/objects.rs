//! Values that scripts hold and call: other entities, and values of the crates above, such as a level that a test plays.

use crate::{
    binding::{call_one_of, unknown_call},
    messages::{refused, refused_by, refused_name},
    values::{ValueKinds, of_answer},
};
use hangtime_core::sim::EntityView;
use hangtime_script::{
    api::{EntryKind, Owner},
    calls::{Call, CallOwner, Object, behavior_calls, refuse_write},
};
use mlua::{Function, Lua, LuaString, MaybeSend, MetaMethod, MultiValue, Result, UserData, UserDataMethods, Value};
use std::sync::Arc;

/// What a script can hold.
pub(crate) trait LuaHeld: Clone + MaybeSend + 'static {
    /// What its calls are made on.
    type Owner: CallOwner;

    fn lent(&self) -> <Self::Owner as CallOwner>::Lent<'_>;

    /// The calls on it, and others.
    fn calls(&self, kinds: &ValueKinds) -> &'static [Call<Self::Owner>];

    /// The owner of its calls.
    fn owner(&self) -> Owner;

    /// Its text.
    fn text(&self) -> String;

    /// Whether another value is the same one.
    fn is(&self, other: &Self) -> bool;
}

/// Another entity, as of the start of the phase.
impl LuaHeld for Arc<EntityView> {
    type Owner = EntityView;

    fn lent(&self) -> &EntityView {
        self
    }

    fn calls(&self, _: &ValueKinds) -> &'static [Call<EntityView>] {
        &behavior_calls().of_entity
    }

    fn owner(&self) -> Owner {
        Owner::Entity
    }

    fn text(&self) -> String {
        self.name.to_string()
    }

    fn is(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

/// A value of a crate above.
impl LuaHeld for Object {
    type Owner = Self;

    fn lent(&self) -> &Self {
        self
    }

    fn calls(&self, kinds: &ValueKinds) -> &'static [Call<Self>] {
        kinds.foreign
    }

    fn owner(&self) -> Owner {
        Object::owner(self)
    }

    fn text(&self) -> String {
        "an object of the test".into()
    }

    /// Luau asks for the same value only if it holds it twice.
    fn is(&self, _: &Self) -> bool {
        false
    }
}

/// A value that a script holds.
pub(crate) struct LuaHandle<H> {
    pub held: H,
    kinds: ValueKinds,
}

impl<H: LuaHeld> LuaHandle<H> {
    pub fn new(held: H, kinds: &ValueKinds) -> Self {
        Self { held, kinds: kinds.clone() }
    }

    fn all(&self) -> impl Iterator<Item = &'static Call<H::Owner>> {
        self.held.calls(&self.kinds).iter().filter(|call| call.entry.owner == self.held.owner())
    }

    /// The first call with a name.
    fn call(&self, name: &str) -> Result<&'static Call<H::Owner>> {
        let found = self.all().find(|call| call.entry.name == name);
        let names = || self.all().map(|call| call.entry.name).collect::<Vec<_>>();
        found.ok_or_else(|| {
            let owner = self.held.owner();
            let of = if owner == Owner::Entity { "another entity" } else { owner.name() };
            refused_name(name, unknown_call(owner, (of, name), names()))
        })
    }

    /// The function over the calls with a name, with a colon or a dot.
    fn method(&self, lua: &Lua, name: &str) -> Result<Function> {
        let calls: Vec<_> = self.all().filter(|call| call.entry.name == name).collect();
        let (held, kinds) = (self.held.clone(), self.kinds.clone());
        lua.create_function(move |lua, values: MultiValue| {
            let is_own = |value: &Value| match value {
                Value::UserData(data) => data.borrow::<Self>().is_ok_and(|it| it.held.owner() == held.owner()),
                _ => false,
            };
            let values = values.as_slices().0;
            let values = if values.first().is_some_and(is_own) { &values[1..] } else { values };
            call_one_of(lua, &calls, held.lent(), (values, &kinds))
        })
    }
}

impl<H: LuaHeld> UserData for LuaHandle<H> {
    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        methods.add_meta_method(MetaMethod::Index, |lua, it, name: LuaString| {
            let name = name.to_str()?;
            let call = it.call(&name)?;
            match call.entry.kind {
                EntryKind::Property(_) => of_answer(lua, &it.kinds, call.answer(it.held.lent(), &[]).map_err(refused)?),
                _ => it.method(lua, &name).map(Value::Function),
            }
        });
        methods.add_meta_method(MetaMethod::NewIndex, |_, it, (name, _): (LuaString, Value)| {
            let name = name.to_str()?;
            refuse_write(&it.call(&name)?.entry).map_err(|refusal| refused_by(&name, refusal))
        });
        methods.add_meta_method(MetaMethod::Eq, |_, it, other: mlua::UserDataRef<Self>| Ok(it.held.is(&other.held)));
        methods.add_meta_method(MetaMethod::ToString, |_, it, ()| Ok(it.held.text()));
    }
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
