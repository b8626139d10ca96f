//! The calls of tables as Rhai's functions and properties.

use super::{
    handles::{CallReceiver, Me, WorldHandle},
    registry::{native, types_of},
    *,
};
use hangtime_script::calls::{behavior_calls, with_moment};
use std::{any::type_name, array::from_fn};

/// Registers the calls of behaviors.
pub fn register(registry: &mut Registry<'_>) {
    registry.value::<Me>(Owner::Me);
    registry.value::<OtherEntity>(Owner::Entity);
    let table = behavior_calls();
    for entry in &table.entries {
        registry.enter(*entry);
    }
    for call in &table.of_moment {
        match (call.entry.kind, call.entry.owner) {
            (EntryKind::Property(_), _) => {
                let write = |_: &mut Me, value: Dynamic| {
                    if !call.is_writable() {
                        return accept_unchanged::<Me>(call, &Me, &value);
                    }
                    let held = HeldArg::of(&value);
                    with_moment(|moment| call.write(moment, held.arg())).map_err(refused)
                };
                registry.accessors(call.entry.name, |me: &mut Me| read(call, me), write);
            }
            (_, Owner::Me) => method::<Me>(registry, call),
            _ => function(registry, &call.entry, module_function(call)),
        }
    }
    for call in &table.of_entity {
        member::<OtherEntity>(registry, call);
    }
}

/// Registers the calls of a crate above.
pub fn register_foreign(registry: &mut Registry<'_>, foreign: &ForeignCalls) {
    registry.value::<Handle<0>>(Owner::Test);
    registry.value::<Handle<1>>(Owner::Live);
    registry.value::<Handle<2>>(Owner::Snapshot);
    for call in foreign.calls {
        registry.enter(call.entry);
        match call.entry.owner {
            Owner::Test => member::<Handle<0>>(registry, call),
            Owner::Live => member::<Handle<1>>(registry, call),
            Owner::Snapshot => member::<Handle<2>>(registry, call),
            _ => function(registry, &call.entry, session_function(call, foreign.session.clone())),
        }
    }
}

/// Registers a property that cannot be written, or a method.
fn member<V: CallReceiver>(registry: &mut Registry<'_>, call: &'static Call<V::Owner>) {
    match call.entry.kind {
        EntryKind::Property(_) => {
            let write = |it: &mut V, value: Dynamic| accept_unchanged(call, it, &value);
            registry.accessors(call.entry.name, |it: &mut V| read(call, it), write);
        }
        _ => method::<V>(registry, call),
    }
}

fn read<V: CallReceiver>(call: &Call<V::Owner>, it: &V) -> Fallible<Dynamic> {
    it.lend(|owner| call.answer(owner, &[]).map(to_value)).map_err(refused)
}

/// A method call on a read-only property, as in `me.zones.len()`, writes the unchanged value back.
fn accept_unchanged<V: CallReceiver>(call: &Call<V::Owner>, it: &V, value: &Dynamic) -> Fallible<()> {
    let now = it.lend(|owner| call.unpriced(owner, &[]).map(to_value)).map_err(refused)?;
    if same(value, &now) {
        return Ok(());
    }
    refuse_write(&call.entry).map_err(refused)
}

/// Registers a method of this type of values.
fn method<V: CallReceiver>(registry: &mut Registry<'_>, call: &'static Call<V::Owner>) {
    // A function that it is given may use the object, which must not be locked then.
    let calls_back = call.entry.parameters.iter().any(|p| p.takes == Type::Function);
    let run = native(!calls_back, move |context, values| {
        let it = values.first().and_then(|it| it.read_lock::<V>());
        let Some(it) = it else {
            return Err(stop(IN_USE.into()));
        };
        it.lend(|owner| answer(call, owner, context.as_ref(), &values[1..]))
    });
    let types: Vec<TypeId> = [TypeId::of::<V>()].into_iter().chain(types_of(&call.entry)).collect();
    registry.function(&call.entry, &types, Some(type_name::<&mut V>()), run);
}

/// Registers a function that is not a method.
fn function(registry: &mut Registry<'_>, entry: &ApiEntry, run: RhaiFunc) {
    let types: Vec<TypeId> = types_of(entry).collect();
    registry.function(entry, &types, None, run);
}

fn module_function(call: &'static Call<CallMoment>) -> RhaiFunc {
    native(false, move |context, values| {
        let context = context.as_ref();
        let tag = context.and_then(|context| context.tag());
        match tag.and_then(|tag| tag.read_lock::<WorldHandle>()) {
            Some(_) => with_moment(|moment| answer(call, moment, context, values)),
            None => answer(call, &mut CallMoment::outside(), context, values),
        }
    })
}

fn session_function(call: &'static Call<Object>, session: Object) -> RhaiFunc {
    native(false, move |context, values| answer(call, &session, context.as_ref(), values))
}

/// Makes a call with Rhai's values.
fn answer<O: CallOwner>(
    call: &Call<O>,
    owner: O::Lent<'_>,
    context: Option<&NativeCallContext<'_>>,
    values: &[&mut Dynamic],
) -> Fallible<Dynamic> {
    match values.len() {
        0 => answer_of::<0, O>(call, owner, context, values),
        1 => answer_of::<1, O>(call, owner, context, values),
        2 => answer_of::<2, O>(call, owner, context, values),
        3 => answer_of::<3, O>(call, owner, context, values),
        4 => answer_of::<4, O>(call, owner, context, values),
        5 => answer_of::<5, O>(call, owner, context, values),
        _ => answer_of::<6, O>(call, owner, context, values),
    }
}

/// The same with this many values.
fn answer_of<const N: usize, O: CallOwner>(
    call: &Call<O>,
    owner: O::Lent<'_>,
    context: Option<&NativeCallContext<'_>>,
    values: &[&mut Dynamic],
) -> Fallible<Dynamic> {
    let held: [Option<HeldArg<'_>>; N] = from_fn(|i| values.get(i).map(|value| HeldArg::within(value, context)));
    let args: [Arg<'_>; N] = from_fn(|i| held[i].as_ref().map_or(Arg::Nothing, HeldArg::arg));
    call.answer(owner, &args).map(to_value).map_err(refused)
}
