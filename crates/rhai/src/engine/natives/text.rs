//! Functions of text that could run without end, or make a large result from small arguments.

use super::*;

/// Operations charged for asking a text for its size.
const PER_SIZE: u64 = 4;

pub fn register(engine: &mut Engine, limits: &Limits) {
    let most = limits.string;
    changing(engine, "replace", move |text: &mut ImmutableString, find: &str, by: &str| replace(most, text, find, by));
    changing(engine, "replace", move |text: &mut ImmutableString, find: &str, by: char| {
        replace(most, text, find, by.encode_utf8(&mut [0; 4]))
    });
    changing(engine, "replace", move |text: &mut ImmutableString, find: char, by: &str| {
        replace(most, text, find.encode_utf8(&mut [0; 4]), by)
    });
    changing(engine, "replace", move |text: &mut ImmutableString, find: char, by: char| {
        replace(most, text, find.encode_utf8(&mut [0; 4]), by.encode_utf8(&mut [0; 4]))
    });
    changing(engine, "pad", move |text: &mut ImmutableString, length: INT, with: &str| pad(most, text, length, with));
    changing(engine, "pad", move |text: &mut ImmutableString, length: INT, with: char| {
        pad(most, text, length, with.encode_utf8(&mut [0; 4]))
    });
    register_sizes(engine);
    engine.register_fn("to_json", move |map: &mut Map| to_json(most, map));
}

/// The size of a text, whose characters Rhai counts.
fn register_sizes(engine: &mut Engine) {
    let characters = |text: &mut ImmutableString| -> Fallible<INT> {
        charge(PER_SIZE)?;
        charge_weight(weight_of_text(text.len()))?;
        Ok(INT::try_from(text.chars().count()).unwrap_or(INT::MAX))
    };
    let bytes = |text: &mut ImmutableString| -> Fallible<INT> {
        charge(PER_SIZE)?;
        Ok(INT::try_from(text.len()).unwrap_or(INT::MAX))
    };
    let is_empty = |text: &mut ImmutableString| -> Fallible<bool> {
        charge(PER_SIZE)?;
        Ok(text.is_empty())
    };
    engine.register_fn("len", characters);
    engine.register_get("len", characters);
    engine.register_fn("bytes", bytes);
    engine.register_get("bytes", bytes);
    engine.register_fn("is_empty", is_empty);
    engine.register_get("is_empty", is_empty);
}

/// A map as JSON. Rhai's own function follows the variables that closures capture, which can be the map itself.
fn to_json(most: usize, map: &Map) -> Fallible<String> {
    charge_weight(weight_of_map(map)? * TO_MAKE)?;
    let plain =
        plain_map(map).map_err(|wrong| stop(format!("`{}` is {}, which JSON cannot hold", wrong.path, wrong.what)))?;
    let text = serde_json::to_string(&InJson(&Value::Map(plain))).map_err(|e| stop(e.to_string()))?;
    fits(most, text.len())?;
    Ok(text)
}

/// Refuses a text that would be too long, before it is made.
fn fits(most: usize, length: usize) -> Fallible<()> {
    if length > most {
        return Err(stop(text_too_large(most)));
    }
    charge_weight(weight_of_text(length) * TO_MAKE)
}

fn replace(most: usize, text: &mut ImmutableString, find: &str, by: &str) -> Fallible<()> {
    charge_weight(weight_of_text(text.len()) * TO_MAKE)?;
    let times = text.matches(find).count();
    let longer = times.saturating_mul(by.len());
    fits(most, (text.len() - times * find.len()).saturating_add(longer))?;
    *text = text.replace(find, by).into();
    Ok(())
}

/// Fills a text up to `length` characters by repeating `with`; an empty `with` leaves it as it is.
fn pad(most: usize, text: &mut ImmutableString, length: INT, with: &str) -> Fallible<()> {
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
