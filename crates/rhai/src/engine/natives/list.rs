//! Finding a value in an array, and adding one.
//!
//! Rhai copies the value to find once for each element, and drops the position at which an array gets too long.

use super::*;

/// Operations charged for comparing two elements, in addition to the call that compares them.
const PER_COMPARISON: u64 = 5;

/// Operations charged for calling a quick function of an array or a map.
const PER_READ: u64 = 3;

pub fn register(engine: &mut Engine) {
    changing(engine, "push", |context: NativeCallContext, list: &mut Array, item: Dynamic| -> Fallible<()> {
        let most = context.engine().max_array_size();
        if most > 0 && list.len() >= most {
            return Err(stop(array_too_large(most)));
        }
        length(list)?;
        list.push(item);
        Ok(())
    });
    changing(engine, "dedup", |context: NativeCallContext, list: &mut Array| dedup(list, |a, b| equal(&context, a, b)));
    changing(engine, "dedup", |context: NativeCallContext, list: &mut Array, same: FnPtr| {
        dedup(list, |a, b| holds(&context, &same, a, b))
    });
    changing(engine, "dedup", |context: NativeCallContext, list: &mut Array, same: ImmutableString| {
        let same = FnPtr::new(same)?;
        dedup(list, |a, b| holds(&context, &same, a, b))
    });
    engine.register_fn("contains", |context: NativeCallContext, list: &mut Array, value: Dynamic| {
        Fallible::Ok(find(&context, list, &value, 0)?.is_some())
    });
    engine.register_fn("index_of", |context: NativeCallContext, list: &mut Array, value: Dynamic| {
        index_of(&context, list, &value, 0)
    });
    engine.register_fn("index_of", |context: NativeCallContext, list: &mut Array, value: Dynamic, start: INT| {
        index_of(&context, list, &value, start)
    });
    register_sizes(engine);
    register_reads(engine);
    register_prints(engine);
}

/// `print` and `debug`, which print the text that `to_debug` returns.
fn register_prints(engine: &mut Engine) {
    for name in ["print", "debug"] {
        engine.register_fn(name, |context: NativeCallContext, list: Array| text_of(&context, list.into()));
        engine.register_fn(name, |context: NativeCallContext, map: Map| text_of(&context, map.into()));
    }
}

fn text_of(context: &NativeCallContext, mut value: Dynamic) -> Fallible<Dynamic> {
    context.call_native_fn_raw("to_debug", true, &mut [&mut value])
}

/// The number of elements.
fn length(list: &mut Array) -> Fallible<INT> {
    charge(PER_READ)?;
    charge_parts(parts_of(list))?;
    Ok(list.len() as INT)
}

/// The number of entries.
fn length_of_map(map: &mut Map) -> Fallible<INT> {
    charge(PER_READ)?;
    charge_parts(parts_of_map(map))?;
    Ok(map.len() as INT)
}

fn register_sizes(engine: &mut Engine) {
    engine.register_fn("len", length).register_get("len", length);
    engine.register_fn("is_empty", |list: &mut Array| Fallible::Ok(length(list)? == 0));
    engine.register_get("is_empty", |list: &mut Array| Fallible::Ok(length(list)? == 0));
    engine.register_fn("len", length_of_map);
    engine.register_fn("is_empty", |map: &mut Map| Fallible::Ok(length_of_map(map)? == 0));
}

fn register_reads(engine: &mut Engine) {
    engine.register_fn("get", |list: &mut Array, index: INT| {
        let length = length(list)? as usize;
        copied(place_of(length, index).and_then(|place| list.get(place)))
    });
    engine.register_fn("get", |map: &mut Map, key: &str| {
        length_of_map(map)?;
        copied(map.get(key))
    });
}

/// Removes elements that equal their predecessor. Rhai's own function ignores the errors of `same`.
fn dedup(list: &mut Array, mut same: impl FnMut(&Dynamic, &Dynamic) -> Fallible<bool>) -> Fallible<()> {
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

fn holds(context: &NativeCallContext, same: &FnPtr, first: &Dynamic, second: &Dynamic) -> Fallible<bool> {
    charge_for(first)?;
    charge_for(second)?;
    let answer = same.call_raw(context, None, [first.clone(), second.clone()])?;
    Ok(answer.as_bool().unwrap_or(false))
}

fn equal(context: &NativeCallContext, first: &Dynamic, second: &Dynamic) -> Fallible<bool> {
    let both_numbers = is_number(first) && is_number(second);
    if first.type_id() != second.type_id() && !both_numbers {
        charge(1)?;
        return Ok(false);
    }
    charge(PER_COMPARISON)?;
    charge_for(first)?;
    charge_for(second)?;
    let (mut first, mut second) = (first.clone(), second.clone());
    let equal = context.call_native_fn_raw(OP_EQUALS, true, &mut [&mut first, &mut second])?;
    Ok(equal.as_bool().unwrap_or(false))
}

/// A copy of an element, `()` if there is none.
fn copied(found: Option<&Dynamic>) -> Fallible<Dynamic> {
    let Some(value) = found else {
        return Ok(Dynamic::UNIT);
    };
    charge_for(value)?;
    Ok(value.clone())
}

fn index_of(context: &NativeCallContext, list: &mut Array, value: &Dynamic, start: INT) -> Fallible<INT> {
    let start = place_of(list.len(), start).unwrap_or(0);
    let found = find(context, list, value, start)?;
    Ok(found.and_then(|at| INT::try_from(at).ok()).unwrap_or(-1))
}

fn find(context: &NativeCallContext, list: &mut Array, value: &Dynamic, start: usize) -> Fallible<Option<usize>> {
    let heavy = weight(value)?;
    for (at, item) in list.iter_mut().enumerate().skip(start) {
        if item.type_id() != value.type_id() && !(is_number(item) && is_number(value)) {
            charge(1)?;
            continue;
        }
        charge(PER_COMPARISON)?;
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
