//! How much a value weighs: what it costs to copy, compare or print it.

use super::budget::charge;
use super::halt::{IN_USE, stop};
use crate::script::host::MOST_NESTING;
use rhai::{Dynamic, EvalAltResult, FnPtr, Map};

/// The weight that counts as one operation: about as much as can be copied in half a microsecond.
const IN_ONE_OPERATION: u64 = 64;

/// What is heavier than this counts four times as much beyond it, so that a call cannot fill the
/// memory with copies.
const HEAVY: u64 = 512;

/// The weight of a value: 1 for a number, more for what lies in memory of its own.
///
/// # Errors
/// When it is nested too deep.
pub(in crate::script::rhai) fn weight(value: &Dynamic) -> Result<u64, Box<EvalAltResult>> {
    weight_below(value, MOST_NESTING)
}

fn weight_below(value: &Dynamic, levels: usize) -> Result<u64, Box<EvalAltResult>> {
    if value.is_shared() {
        // Rhai sleeps before it says that one is in use; once is enough.
        return match value.read_lock::<Dynamic>() {
            Some(inside) => weight_below(&inside, levels),
            None => Err(stop(IN_USE.into())),
        };
    }
    if let Ok(text) = value.as_immutable_string_ref() {
        return Ok(1 + text.len() as u64 / 8);
    }
    if let Ok(list) = value.as_array_ref() {
        let levels = deeper(levels)?;
        return list
            .iter()
            .try_fold(6, |sum, item| Ok(sum + weight_below(item, levels)?));
    }
    if let Ok(map) = value.as_map_ref() {
        return weight_in_map(&map, levels);
    }
    if let Some(pointer) = value.read_lock::<FnPtr>() {
        let levels = deeper(levels)?;
        let mut bound = pointer.curry().iter().filter(|value| !value.is_shared());
        return bound.try_fold(8, |sum, item| Ok(sum + 2 + weight_below(item, levels)?));
    }
    Ok(1)
}

/// The same of a map.
///
/// # Errors
/// When it is nested too deep.
pub(in crate::script::rhai) fn weight_of_map(map: &Map) -> Result<u64, Box<EvalAltResult>> {
    weight_in_map(map, MOST_NESTING)
}

fn weight_in_map(map: &Map, levels: usize) -> Result<u64, Box<EvalAltResult>> {
    let levels = deeper(levels)?;
    map.values()
        .try_fold(12, |sum, item| Ok(sum + 2 + weight_below(item, levels)?))
}

fn deeper(levels: usize) -> Result<usize, Box<EvalAltResult>> {
    levels
        .checked_sub(1)
        .ok_or_else(|| stop(format!("this is nested more than {MOST_NESTING} deep")))
}

/// Whether a value has a weight worth looking at.
pub(in crate::script::rhai) fn is_heavy(value: &Dynamic) -> bool {
    value.is_array() || value.is_map() || value.is_string() || value.is_shared() || value.is_fnptr()
}

/// Counts the handling of a value.
///
/// # Errors
/// When there are no more operations, or it is nested too deep.
pub(in crate::script::rhai) fn charge_for(value: &Dynamic) -> Result<(), Box<EvalAltResult>> {
    if is_heavy(value) {
        charge_weight(weight(value)?)?;
    }
    Ok(())
}

/// Counts the handling of so much weight.
///
/// # Errors
/// When there are no more operations.
pub(in crate::script::rhai) fn charge_weight(weight: u64) -> Result<(), Box<EvalAltResult>> {
    let beyond = weight.saturating_sub(HEAVY) * 4;
    match weight.saturating_add(beyond) / IN_ONE_OPERATION {
        0 => Ok(()),
        operations => charge(operations),
    }
}
