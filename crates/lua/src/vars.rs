//! What a call leaves of an entity's variables, which are plain data between calls.

use crate::{
    syntax::{LuaWord, WordKind},
    values::{Plain, ValueKinds, type_name},
};
use hangtime_core::sim::Value;
use hangtime_script::{Limits, MOST_NESTING, budget::charge_tick, calls::NotPlain};
use mlua::{LuaString, Result, Table, Value as LuaValue};
use std::collections::{BTreeMap, BTreeSet};

/// What a call costs in addition to its own operations, and how many values of variables are checked for one.
const CALL_COST: u64 = 8;
const VALUES_PER_OPERATION: u64 = 4;

type Taken = std::result::Result<(), NotPlain>;

/// The members of a table that a text names, as in `vars.n`; none if it uses the table in another way.
pub(crate) fn named_members(words: &[LuaWord<'_>], table: &str) -> Option<BTreeSet<String>> {
    let is_member = |at: usize| at > 0 && (words[at - 1].is_sign(".") || words[at - 1].is_sign(":"));
    let uses = (0..words.len()).filter(|at| words[*at].is_name(table) && !is_member(*at));
    let name = |at: usize| match &words[at + 1..] {
        [dot, name, ..] if dot.is_sign(".") && name.kind == WordKind::Name => Some(name.text.to_string()),
        _ => None,
    };
    uses.map(name).collect()
}

/// Takes what a call has left of all variables.
///
/// # Errors
/// As for [`take`].
pub(crate) fn take_all(vars: &mut BTreeMap<String, Value>, left: &Table, limited: (&ValueKinds, &Limits)) -> Taken {
    let (mut names, mut wrong): (BTreeSet<String>, _) = (vars.keys().cloned().collect(), BTreeSet::new());
    for entry in left.pairs::<LuaValue, LuaValue>() {
        let (key, _) = entry.map_err(|error| NotPlain::itself(error.to_string()))?;
        match key.as_string().map(LuaString::to_str) {
            Some(Ok(name)) => _ = names.insert(name.to_string()),
            Some(Err(_)) => _ = wrong.insert("not UTF-8"),
            None => _ = wrong.insert(type_name(&key)),
        }
    }
    // The same message whatever the order of the keys is.
    if let Some(wrong) = wrong.pop_first() {
        return Err(NotPlain::itself(format!("a variable whose name is {wrong}")));
    }
    take(vars, names.iter().map(|name| (name, left.raw_get(name.as_str()))), limited)
}

/// Takes what a call has left of some variables, in the order of their names.
///
/// # Errors
/// The first variable that is not plain data or exceeds a limit. Then all variables stay as they were before the call.
pub(crate) fn take<'n>(
    vars: &mut BTreeMap<String, Value>,
    left: impl Iterator<Item = (&'n String, Result<LuaValue>)>,
    (kinds, limits): (&ValueKinds, &Limits),
) -> Taken {
    let mut plain = Plain { kinds, left: limits.kept_values };
    let mut changed = Vec::new();
    for (name, now) in left {
        let before = vars.get(name);
        let now = now.map_err(|error| NotPlain::itself(error.to_string()))?;
        let new = match &now {
            LuaValue::Nil if before.is_none_or(Value::is_unit) => continue,
            LuaValue::Nil => None,
            now => match plain.of(now, before, MOST_NESTING) {
                Ok(now) if Some(&now) == before => continue,
                Ok(now) => Some(now),
                Err(_) if plain.left == 0 => return Err(too_much(limits.kept_values, "values", "kept_values")),
                Err(wrong) => return Err(wrong.below(&format!(".{name}"))),
            },
        };
        changed.push((name, new));
    }
    exchange(vars, &mut changed);
    let (mut values, mut text) = (0, 0);
    for (name, value) in &*vars {
        values += value.weight();
        text += name.len() as u64 + value.text();
    }
    let wrong = if values > limits.kept_values as u64 {
        too_much(limits.kept_values, "values", "kept_values")
    } else if text > limits.kept_text as u64 {
        too_much(limits.kept_text, "bytes of text", "kept_text")
    } else {
        charge_tick(CALL_COST + values / VALUES_PER_OPERATION);
        return Ok(());
    };
    exchange(vars, &mut changed);
    Err(wrong)
}

/// Exchanges the values of variables with others; done twice, all is as before.
fn exchange(vars: &mut BTreeMap<String, Value>, others: &mut [(&String, Option<Value>)]) {
    for (name, other) in others {
        match (vars.get_mut(*name), &mut *other) {
            (Some(value), Some(other)) => std::mem::swap(value, other),
            (_, None) => *other = vars.remove(*name),
            (None, Some(_)) => _ = other.take().map(|value| vars.insert((*name).clone(), value)),
        }
    }
}

fn too_much(most: usize, of: &str, key: &str) -> NotPlain {
    let what = format!("more than the {most} {of} that an entity's variables may hold in total (`{key}` in [scripts])");
    NotPlain::itself(what)
}
