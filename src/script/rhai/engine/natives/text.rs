//! Functions of text that could run on for ever, or make much of little.

use super::changing::{TO_MAKE, changing};
use crate::script::host::Limits;
use crate::script::rhai::engine::halt::{Fallible, stop, too_large};
use crate::script::rhai::engine::values::plain_map;
use crate::script::rhai::engine::weight::{charge_weight, weight_of_map};
use crate::sim::{InJson, Value};
use rhai::{Engine, INT, ImmutableString, Map};

type Text = ImmutableString;

pub(super) fn register(engine: &mut Engine, limits: &Limits) {
    let most = limits.string;
    changing(
        engine,
        "replace",
        move |text: &mut Text, find: &str, by: &str| replace(most, text, find, by),
    );
    changing(
        engine,
        "replace",
        move |text: &mut Text, find: &str, by: char| {
            replace(most, text, find, by.encode_utf8(&mut [0; 4]))
        },
    );
    changing(
        engine,
        "replace",
        move |text: &mut Text, find: char, by: &str| {
            replace(most, text, find.encode_utf8(&mut [0; 4]), by)
        },
    );
    changing(
        engine,
        "replace",
        move |text: &mut Text, find: char, by: char| {
            replace(
                most,
                text,
                find.encode_utf8(&mut [0; 4]),
                by.encode_utf8(&mut [0; 4]),
            )
        },
    );
    changing(
        engine,
        "pad",
        move |text: &mut Text, length: INT, with: &str| pad(most, text, length, with),
    );
    changing(
        engine,
        "pad",
        move |text: &mut Text, length: INT, with: char| {
            pad(most, text, length, with.encode_utf8(&mut [0; 4]))
        },
    );
    engine.register_fn("to_json", move |map: &mut Map| to_json(most, map));
}

/// A map as JSON. Rhai's own walks on into what closures have captured, which may be the map itself.
fn to_json(most: usize, map: &Map) -> Fallible<String> {
    charge_weight(weight_of_map(map)? * TO_MAKE)?;
    let plain = plain_map(map).map_err(|wrong| {
        stop(format!(
            "`{}` is {}, which JSON cannot hold",
            wrong.path, wrong.what
        ))
    })?;
    let text =
        serde_json::to_string(&InJson(&Value::Map(plain))).map_err(|e| stop(e.to_string()))?;
    fits(most, text.len())?;
    Ok(text)
}

/// An error before a text is made that would be too long.
fn fits(most: usize, length: usize) -> Fallible<()> {
    if length > most {
        return Err(stop(too_large("length of string", most, "bytes")));
    }
    charge_weight(length as u64 / 8)
}

fn replace(most: usize, text: &mut Text, find: &str, by: &str) -> Fallible<()> {
    charge_weight(text.len() as u64 / 8)?;
    let times = text.matches(find).count();
    let longer = times.saturating_mul(by.len());
    fits(
        most,
        (text.len() - times * find.len()).saturating_add(longer),
    )?;
    *text = text.replace(find, by).into();
    Ok(())
}

/// Fills a text up to so many characters; with nothing there is nothing to fill it with.
fn pad(most: usize, text: &mut Text, length: INT, with: &str) -> Fallible<()> {
    let Ok(length) = usize::try_from(length) else {
        return Ok(());
    };
    let missing = length.saturating_sub(text.chars().count());
    if missing == 0 || with.is_empty() {
        return Ok(());
    }
    fits(most, text.len().saturating_add(missing))?;
    let more: String = with.chars().cycle().take(missing).collect();
    fits(most, text.len() + more.len())?;
    *text = format!("{text}{more}").into();
    Ok(())
}
