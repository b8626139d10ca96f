//! What a call leaves of an entity's variables, which are plain data between calls.

use crate::values::{Plain, ValueKinds, type_name};
use hangtime_core::sim::Value;
use hangtime_script::{Limits, MOST_NESTING, budget::charge_tick, calls::NotPlain};
use mlua::{LuaString, Table, Value as LuaValue};
use std::collections::{BTreeMap, BTreeSet};

/// What a call costs in addition to its own operations, and how many values of variables are checked for one.
const CALL_COST: u64 = 8;
const VALUES_PER_OPERATION: u64 = 4;

/// Takes what a call has left of its variables.
///
/// # Errors
/// The first variable that is not plain data or exceeds a limit. Then all variables stay as they were before the call.
pub(crate) fn take(
    vars: &mut BTreeMap<String, Value>,
    left: &Table,
    limited: (&ValueKinds, &Limits),
) -> Result<(), NotPlain> {
    let values = match with_same_names(vars, left, limited) {
        Some((all, values)) => {
            vars.values_mut().zip(all).for_each(|(before, now)| *before = now);
            values
        }
        None => {
            let (all, values) = in_order(vars, left, limited)?;
            *vars = all;
            values
        }
    };
    charge_tick(CALL_COST + values / VALUES_PER_OPERATION);
    Ok(())
}

/// The values of all variables in the order of their names, and their weight, if they have the names that they had and
/// nothing is wrong with them: most calls only change values.
fn with_same_names(
    vars: &BTreeMap<String, Value>,
    left: &Table,
    (kinds, limits): (&ValueKinds, &Limits),
) -> Option<(Vec<Value>, u64)> {
    let mut others = 0_usize;
    // As flags, names and values are only counted.
    left.for_each(|_: bool, _: bool| {
        others += 1;
        Ok(())
    })
    .ok()?;
    let mut plain = Plain { kinds, left: limits.kept_values };
    let (mut all, mut values, mut text) = (Vec::with_capacity(vars.len()), 0, 0);
    for (name, before) in vars {
        let now: LuaValue = left.raw_get(name.as_str()).ok()?;
        // A variable without a value is in no table.
        if now.is_nil() != before.is_unit() {
            return None;
        }
        others -= usize::from(!now.is_nil());
        let now = plain.of(&now, Some(before), MOST_NESTING).ok()?;
        values += now.weight();
        text += name.len() as u64 + now.text();
        all.push(now);
    }
    let fits = values <= limits.kept_values as u64 && text <= limits.kept_text as u64;
    (others == 0 && fits).then_some((all, values))
}

/// All variables that a call has left, which are looked at in the order of their names, and their weight.
fn in_order(
    vars: &BTreeMap<String, Value>,
    left: &Table,
    (kinds, limits): (&ValueKinds, &Limits),
) -> Result<(BTreeMap<String, Value>, u64), NotPlain> {
    let (mut named, mut wrong) = (BTreeMap::new(), BTreeSet::new());
    for entry in left.pairs::<LuaValue, LuaValue>() {
        let (key, now) = entry.map_err(|error| NotPlain::itself(error.to_string()))?;
        match key.as_string().map(LuaString::to_str) {
            Some(Ok(name)) => _ = named.insert(name.to_string(), now),
            Some(Err(_)) => _ = wrong.insert("not UTF-8"),
            None => _ = wrong.insert(type_name(&key)),
        }
    }
    // The same message whatever the order of the keys is.
    if let Some(wrong) = wrong.pop_first() {
        return Err(NotPlain::itself(format!("a variable whose name is {wrong}")));
    }
    let mut plain = Plain { kinds, left: limits.kept_values };
    // A variable without a value is in no table.
    let empty = vars.iter().filter(|(_, value)| value.is_unit());
    let mut all: BTreeMap<String, Value> = empty.map(|(name, _)| (name.clone(), Value::Unit)).collect();
    for (name, now) in named {
        let value = match plain.of(&now, vars.get(&name), MOST_NESTING) {
            Err(_) if plain.left == 0 => return Err(too_much(limits.kept_values, "values", "kept_values")),
            value => value.map_err(|wrong| wrong.below(&format!(".{name}")))?,
        };
        all.insert(name, value);
    }
    let values: u64 = all.values().map(Value::weight).sum();
    let text: u64 = all.iter().map(|(name, value)| name.len() as u64 + value.text()).sum();
    if values > limits.kept_values as u64 {
        return Err(too_much(limits.kept_values, "values", "kept_values"));
    }
    if text > limits.kept_text as u64 {
        return Err(too_much(limits.kept_text, "bytes of text", "kept_text"));
    }
    Ok((all, values))
}

fn too_much(most: usize, of: &str, key: &str) -> NotPlain {
    let what = format!("more than the {most} {of} that an entity's variables may hold in total (`{key}` in [scripts])");
    NotPlain::itself(what)
}
