//! The calls of the table as Rhai's functions and properties.

use super::arguments::Fallible;
use super::convert::{HeldArg, to_value};
use super::handles::{Me, OtherEntity, WorldHandle, with_moment};
use super::native::native;
use super::registry::Registry;
use crate::engine::halt::{IN_USE, refused, stop};
use crate::engine::values::same;
use hangtime_script::api::{EntryKind, Owner, Type};
use hangtime_script::calls::{Arg, Call, CallMoment, behavior_calls, refuse_write};
use rhai::{Dynamic, NativeCallContext, RhaiFunc};
use std::any::{TypeId, type_name};
use std::array::from_fn;

/// Registers the whole table.
pub(super) fn register(registry: &mut Registry<'_>) {
    registry.value::<Me>(Owner::Me);
    registry.value::<OtherEntity>(Owner::Entity);
    for call in behavior_calls() {
        registry.topic(call.entry.topic);
        registry.push(call.entry);
        match (call.entry.kind, call.entry.owner) {
            (EntryKind::Property(_), Owner::Me) => register_own(registry, call),
            (EntryKind::Property(_), _) => register_seen(registry, call),
            _ => register_function(registry, call),
        }
    }
}

/// Registers a property of `me`.
fn register_own(registry: &mut Registry<'_>, call: &'static Call) {
    let read = |_: &mut Me| -> Fallible<Dynamic> {
        with_moment(|moment| call.answer(moment, &[]).map(to_value)).map_err(refused)
    };
    let write = |_: &mut Me, value: Dynamic| -> Fallible<()> {
        if !call.is_writable() {
            let now = with_moment(|moment| call.answer_again(moment, &[]).map(to_value)).map_err(refused)?;
            return accept_unchanged(call, &value, &now);
        }
        let held = HeldArg::of(&value);
        with_moment(|moment| call.write(moment, held.arg())).map_err(refused)
    };
    registry.accessors(call.entry.name, read, write);
}

/// Registers a property of other entities.
fn register_seen(registry: &mut Registry<'_>, call: &'static Call) {
    let read = |other: &mut OtherEntity| -> Fallible<Dynamic> { call.see(&other.0).map(to_value).map_err(refused) };
    let write = |other: &mut OtherEntity, value: Dynamic| {
        let now = call.see_again(&other.0).map(to_value).map_err(refused)?;
        accept_unchanged(call, &value, &now)
    };
    registry.accessors(call.entry.name, read, write);
}

/// A method call on a read-only property, as in `me.zones.len()`, writes the unchanged value back.
pub(super) fn accept_unchanged(call: &Call, value: &Dynamic, now: &Dynamic) -> Fallible<()> {
    if same(value, now) {
        return Ok(());
    }
    refuse_write(&call.entry).map_err(refused)
}

/// Registers a function or a method.
fn register_function(registry: &mut Registry<'_>, call: &'static Call) {
    let owner = match call.entry.owner {
        Owner::Me => Some((TypeId::of::<Me>(), type_name::<&mut Me>())),
        Owner::Entity => Some((TypeId::of::<OtherEntity>(), type_name::<&mut OtherEntity>())),
        _ => None,
    };
    let takes = call.entry.parameters.iter().map(|p| type_id(p.takes));
    let types: Vec<TypeId> = owner.map(|(id, _)| id).into_iter().chain(takes).collect();
    let names = types.iter().skip(1).map(|_| "_");
    let names = owner.map(|(_, name)| name).into_iter().chain(names);
    let function = match call.entry.parameters.len() {
        0 => function::<0>(call),
        1 => function::<1>(call),
        2 => function::<2>(call),
        3 => function::<3>(call),
        4 => function::<4>(call),
        5 => function::<5>(call),
        _ => function::<6>(call),
    };
    registry.function(&call.entry, (&types, names), function);
}

/// The type by which Rhai finds a function: it takes numbers of both types, so that is for the call to check.
pub(super) fn type_id(takes: Type) -> TypeId {
    match takes {
        Type::Text | Type::Name(_) => TypeId::of::<&str>(),
        Type::Flag => TypeId::of::<bool>(),
        _ => TypeId::of::<Dynamic>(),
    }
}

/// A call with this many parameters.
fn function<const N: usize>(call: &'static Call) -> RhaiFunc {
    match call.entry.owner {
        owner if owner.is_module() => native(false, |context, values| of_module::<N>(call, context, values)),
        _ => native(true, |_, values| of_entity::<N>(call, values)),
    }
}

fn of_module<const N: usize>(
    call: &Call,
    context: Option<&NativeCallContext<'_>>,
    values: &[&mut Dynamic],
) -> Fallible<Dynamic> {
    let tag = context.and_then(|context| context.tag());
    let handle = tag.and_then(|tag| tag.read_lock::<WorldHandle>());
    match handle {
        Some(_) => with_moment(|moment| answer::<N>(call, moment, values)),
        None => answer::<N>(call, &mut CallMoment::outside(), values),
    }
}

fn of_entity<const N: usize>(call: &Call, values: &[&mut Dynamic]) -> Fallible<Dynamic> {
    let [owner, values @ ..] = values else {
        return Err(stop(IN_USE.into()));
    };
    if owner.read_lock::<Me>().is_some() {
        return with_moment(|moment| answer::<N>(call, moment, values));
    }
    match owner.read_lock::<OtherEntity>() {
        Some(other) => call.see(&other.0).map(to_value).map_err(refused),
        None => Err(stop(IN_USE.into())),
    }
}

#[inline]
fn answer<const N: usize>(call: &Call, moment: &mut CallMoment, values: &[&mut Dynamic]) -> Fallible<Dynamic> {
    let held: [Option<HeldArg<'_>>; N] = from_fn(|i| values.get(i).map(|value| HeldArg::of(value)));
    let args: [Arg<'_>; N] = from_fn(|i| held[i].as_ref().map_or(Arg::Nothing, HeldArg::arg));
    call.answer(moment, &args).map(to_value).map_err(refused)
}
