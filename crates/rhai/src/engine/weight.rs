//! The weight of a value: how much it costs to copy, compare or print it.

use super::{
    budget::charge,
    halt::{Fallible, IN_USE, stop},
};
use hangtime_script::MOST_NESTING;
use rhai::{Array, Dynamic, FnPtr, Map};

/// The weight that counts as one operation: about as much as can be copied and dropped in 50 ns.
pub(crate) const IN_ONE_OPERATION: u64 = 3;

/// The number of bytes of text that weigh as much as a number.
const BYTES_IN_ONE: u64 = 10;

/// How many values are looked at for one operation.
pub(crate) const PARTS_IN_ONE: u64 = 16;

/// How many parts an array or a map counts as in addition to what is in it, and an entry of a map in addition to its value:
/// each is elsewhere in memory.
pub(crate) const PARTS_OF_OWNER: u64 = 3;
pub(crate) const PARTS_OF_ENTRY: u64 = 4;

/// The weight of a vec, or of another value that Rhai allocates memory for, in an array or a map.
pub(crate) const BOXED: u64 = 6;

/// The weight of a map's entry, in addition to its value.
const ENTRY: u64 = 5;

/// Rhai stores keys up to this length in bytes without allocating memory.
const SHORT_KEY: usize = 23;

/// The weight of the memory that a longer key owns, and how many of its bytes weigh as much as a number.
/// Unlike a text, which its copies share, a key is copied.
const LONG_KEY: u64 = 6;
const KEY_BYTES_IN_ONE: u64 = 32;

/// The weight of a value: 1 for a number, more for a value that owns memory.
///
/// # Errors
/// If it is nested too deep.
pub(crate) fn weight(value: &Dynamic) -> Fallible<u64> {
    weight_below(value, MOST_NESTING)
}

fn weight_below(value: &Dynamic, levels: usize) -> Fallible<u64> {
    if !is_heavy(value) {
        return Ok(if value.is_variant() { BOXED } else { 1 });
    }
    if value.is_shared() {
        // Rhai sleeps before it reports a locked value; once is enough.
        return match value.read_lock::<Dynamic>() {
            Some(inside) => weight_below(&inside, levels),
            None => Err(stop(IN_USE.into())),
        };
    }
    if let Ok(text) = value.as_immutable_string_ref() {
        return Ok(weight_of_text(text.len()));
    }
    if let Ok(list) = value.as_array_ref() {
        let levels = deeper(levels)?;
        let mut sum = 6;
        for item in list.iter() {
            // Most lists are of numbers.
            sum += if item.is_int() || item.is_float() { 1 } else { weight_below(item, levels)? };
        }
        return Ok(sum);
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

/// The weight of a text of this many bytes.
pub(crate) const fn weight_of_text(bytes: usize) -> u64 {
    1 + bytes as u64 / BYTES_IN_ONE
}

/// The weight of a map: its keys count, too.
///
/// # Errors
/// If it is nested too deep.
pub(crate) fn weight_of_map(map: &Map) -> Fallible<u64> {
    weight_in_map(map, MOST_NESTING)
}

/// Charges the running call for looking at every part of a value after it has been changed.
///
/// # Errors
/// If the call is out of operations.
pub(crate) fn charge_for_change(value: &Dynamic) -> Fallible<()> {
    charge_parts(parts(value))
}

/// Charges the running call for looking at this many values. Rhai looks at every part of a value after a method has
/// been called on it, to compare its size with the limits.
///
/// # Errors
/// If the call is out of operations.
pub(crate) fn charge_parts(parts: u64) -> Fallible<()> {
    match parts / PARTS_IN_ONE {
        0 => Ok(()),
        operations => charge(operations),
    }
}

/// The parts of an array: its elements with theirs.
pub(crate) fn parts_of(list: &Array) -> u64 {
    list.iter().map(parts).sum()
}

/// The parts of a value that Rhai looks at, itself included.
pub(crate) fn parts(value: &Dynamic) -> u64 {
    if !has_parts(value) {
        return 1;
    }
    if let Ok(list) = value.as_array_ref() {
        return PARTS_OF_OWNER + parts_of(&list);
    }
    value.as_map_ref().map_or(1, |map| PARTS_OF_OWNER + parts_of_map(&map))
}

/// Whether a value has parts. Most have none, which is found out without looking at their contents.
fn has_parts(value: &Dynamic) -> bool {
    !value.is_shared() && (value.is_array() || value.is_map())
}

/// The parts of a map: its entries with theirs.
pub(crate) fn parts_of_map(map: &Map) -> u64 {
    map.values().map(|value| PARTS_OF_ENTRY + parts(value)).sum()
}

/// The number of values in a value, itself included, for functions that handle each by an operator or another function.
pub(crate) fn count(value: &Dynamic) -> u64 {
    if !has_parts(value) {
        return 1;
    }
    if let Ok(list) = value.as_array_ref() {
        return list.iter().fold(1, |sum, item| sum + count(item));
    }
    value
        .as_map_ref()
        .map_or(1, |map| map.values().fold(1, |sum, item| sum + 1 + count(item)))
}

fn weight_in_map(map: &Map, levels: usize) -> Fallible<u64> {
    let levels = deeper(levels)?;
    map.iter()
        .try_fold(12, |sum, (key, item)| Ok(sum + weight_of_key(key) + weight_below(item, levels)?))
}

/// Whether a key owns memory.
pub(crate) fn is_long_key(key: &str) -> bool {
    key.len() > SHORT_KEY
}

/// The weight of a map's entry with this key, in addition to its value.
pub(crate) fn weight_of_key(key: &str) -> u64 {
    if !is_long_key(key) {
        return ENTRY;
    }
    ENTRY + LONG_KEY + key.len() as u64 / KEY_BYTES_IN_ONE
}

fn deeper(levels: usize) -> Fallible<usize> {
    let deeper = levels.checked_sub(1);
    deeper.ok_or_else(|| stop(format!("this value is nested more than {MOST_NESTING} deep")))
}

/// Whether a value can weigh more than 1.
pub(crate) fn is_heavy(value: &Dynamic) -> bool {
    value.is_array() || value.is_map() || value.is_string() || value.is_shared() || value.is_fnptr()
}

/// Charges the running call for handling a value.
///
/// # Errors
/// If the call is out of operations, or the value is nested too deep.
pub(crate) fn charge_for(value: &Dynamic) -> Fallible<()> {
    if is_heavy(value) {
        charge_weight(weight(value)?)?;
    }
    Ok(())
}

/// Charges the running call for handling a weight.
///
/// # Errors
/// If the call is out of operations.
pub(crate) fn charge_weight(weight: u64) -> Fallible<()> {
    match weight / IN_ONE_OPERATION {
        0 => Ok(()),
        operations => charge(operations),
    }
}

/// The place of an index in an array of this length: it counts from the end if it is negative.
pub(crate) fn place_of(length: usize, index: i64) -> Option<usize> {
    match usize::try_from(index) {
        Ok(place) => Some(place),
        Err(_) => length.checked_sub(usize::try_from(index.unsigned_abs()).ok()?),
    }
}
