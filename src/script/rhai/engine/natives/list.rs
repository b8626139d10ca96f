//! Looking for a value in an array, and adding one.
//!
//! Rhai copies what is looked for once for each element, and forgets where an array grew too long.

use super::changing::changing;
use crate::script::rhai::engine::budget::charge;
use crate::script::rhai::engine::halt::{Fallible, stop, too_large};
use crate::script::rhai::engine::weight::{charge_for, charge_weight, weight};
use rhai::{Array, Dynamic, Engine, EvalAltResult, FnPtr, INT, ImmutableString, Map};
use rhai::{NativeCallContext, OP_EQUALS};

type Context<'a> = NativeCallContext<'a>;

pub(super) fn register(engine: &mut Engine) {
    changing(
        engine,
        "push",
        |context: Context<'_>, list: &mut Array, item: Dynamic| -> Fallible<()> {
            let most = context.engine().max_array_size();
            if most > 0 && list.len() >= most {
                return Err(stop(too_large("size of array", most, "elements")));
            }
            list.push(item);
            Ok(())
        },
    );
    changing(engine, "dedup", |context: Context<'_>, list: &mut Array| {
        dedup(list, |a, b| equal(&context, a, b))
    });
    changing(
        engine,
        "dedup",
        |context: Context<'_>, list: &mut Array, same: FnPtr| {
            dedup(list, |a, b| answers(&context, &same, a, b))
        },
    );
    changing(
        engine,
        "dedup",
        |context: Context<'_>, list: &mut Array, same: ImmutableString| {
            let same = FnPtr::new(same)?;
            dedup(list, |a, b| answers(&context, &same, a, b))
        },
    );
    engine.register_fn(
        "contains",
        |context: Context<'_>, list: &mut Array, value: Dynamic| {
            Ok::<_, Box<EvalAltResult>>(find(&context, list, &value, 0)?.is_some())
        },
    );
    engine.register_fn(
        "index_of",
        |context: Context<'_>, list: &mut Array, value: Dynamic| {
            index_of(&context, list, &value, 0)
        },
    );
    engine.register_fn(
        "index_of",
        |context: Context<'_>, list: &mut Array, value: Dynamic, start: INT| {
            index_of(&context, list, &value, start)
        },
    );
    engine.register_fn("get", |list: &mut Array, index: INT| -> Fallible<Dynamic> {
        let place = place_of(list.len(), index);
        taken(place.and_then(|place| list.get(place)))
    });
    engine.register_fn("get", |map: &mut Map, key: &str| -> Fallible<Dynamic> {
        taken(map.get(key))
    });
}

/// Takes out what is the same as its neighbor. Rhai goes on when the function fails.
fn dedup(
    list: &mut Array,
    mut same: impl FnMut(&Dynamic, &Dynamic) -> Fallible<bool>,
) -> Fallible<()> {
    let mut kept = Array::new();
    for item in list.iter() {
        if let Some(last) = kept.last()
            && same(last, item)?
        {
            continue;
        }
        charge_for(item)?;
        kept.push(item.clone());
    }
    *list = kept;
    Ok(())
}

fn answers(
    context: &Context<'_>,
    same: &FnPtr,
    first: &Dynamic,
    second: &Dynamic,
) -> Fallible<bool> {
    charge_for(first)?;
    charge_for(second)?;
    let answer = same.call_raw(context, None, [first.clone(), second.clone()])?;
    Ok(answer.as_bool().unwrap_or(false))
}

fn equal(context: &Context<'_>, first: &Dynamic, second: &Dynamic) -> Fallible<bool> {
    let both_numbers = is_number(first) && is_number(second);
    if first.type_id() != second.type_id() && !both_numbers {
        charge(1)?;
        return Ok(false);
    }
    charge_for(first)?;
    charge_for(second)?;
    let (mut first, mut second) = (first.clone(), second.clone());
    let equal = context.call_native_fn_raw(OP_EQUALS, true, &mut [&mut first, &mut second])?;
    Ok(equal.as_bool().unwrap_or(false))
}

/// A copy of what was found.
fn taken(found: Option<&Dynamic>) -> Fallible<Dynamic> {
    let Some(value) = found else {
        return Ok(Dynamic::UNIT);
    };
    charge_for(value)?;
    Ok(value.clone())
}

/// Negative places count from the end.
fn place_of(length: usize, index: INT) -> Option<usize> {
    match usize::try_from(index) {
        Ok(place) => Some(place),
        Err(_) => length.checked_sub(usize::try_from(index.unsigned_abs()).ok()?),
    }
}

fn index_of(context: &Context<'_>, list: &mut Array, value: &Dynamic, start: INT) -> Fallible<INT> {
    let start = place_of(list.len(), start).unwrap_or(0);
    let found = find(context, list, value, start)?;
    Ok(found.and_then(|at| INT::try_from(at).ok()).unwrap_or(-1))
}

fn find(
    context: &Context<'_>,
    list: &mut Array,
    value: &Dynamic,
    start: usize,
) -> Fallible<Option<usize>> {
    let heavy = weight(value)?;
    for (at, item) in list.iter_mut().enumerate().skip(start) {
        if item.type_id() != value.type_id() && !(is_number(item) && is_number(value)) {
            charge(1)?;
            continue;
        }
        charge_weight(heavy)?;
        let equal = context.call_native_fn_raw(OP_EQUALS, true, &mut [item, &mut value.clone()])?;
        if equal.as_bool().unwrap_or(false) {
            return Ok(Some(at));
        }
    }
    Ok(None)
}

fn is_number(value: &Dynamic) -> bool {
    value.is_int() || value.is_float()
}
