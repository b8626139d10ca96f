//! Functions of text that could run on for ever, or make much of little.

use super::Fallible;
use crate::script::rhai::weight::charge_weight;
use rhai::{Engine, EvalAltResult, INT, ImmutableString, NativeCallContext, Position};

type Context<'a> = NativeCallContext<'a>;
type Text = ImmutableString;

pub(super) fn register(engine: &mut Engine) {
    engine.register_fn(
        "replace",
        |c: Context<'_>, text: &mut Text, find: &str, by: &str| replace(&c, text, find, by),
    );
    engine.register_fn(
        "replace",
        |c: Context<'_>, text: &mut Text, find: &str, by: char| {
            replace(&c, text, find, by.encode_utf8(&mut [0; 4]))
        },
    );
    engine.register_fn(
        "replace",
        |c: Context<'_>, text: &mut Text, find: char, by: &str| {
            replace(&c, text, find.encode_utf8(&mut [0; 4]), by)
        },
    );
    engine.register_fn(
        "replace",
        |c: Context<'_>, text: &mut Text, find: char, by: char| {
            replace(
                &c,
                text,
                find.encode_utf8(&mut [0; 4]),
                by.encode_utf8(&mut [0; 4]),
            )
        },
    );
    engine.register_fn(
        "pad",
        |c: Context<'_>, text: &mut Text, length: INT, with: &str| pad(&c, text, length, with),
    );
    engine.register_fn(
        "pad",
        |c: Context<'_>, text: &mut Text, length: INT, with: char| {
            pad(&c, text, length, with.encode_utf8(&mut [0; 4]))
        },
    );
}

fn too_large() -> Box<EvalAltResult> {
    EvalAltResult::ErrorDataTooLarge("Length of string".into(), Position::NONE).into()
}

/// An error before a text is made that would be too long.
fn fits(context: &Context<'_>, length: usize) -> Fallible<()> {
    charge_weight(length as u64 / 8)?;
    let most = context.engine().max_string_size();
    if most > 0 && length > most {
        return Err(too_large());
    }
    Ok(())
}

fn replace(context: &Context<'_>, text: &mut Text, find: &str, by: &str) -> Fallible<()> {
    charge_weight(text.len() as u64 / 8)?;
    let times = text.matches(find).count();
    let longer = times.saturating_mul(by.len());
    fits(
        context,
        (text.len() - times * find.len()).saturating_add(longer),
    )?;
    *text = text.replace(find, by).into();
    Ok(())
}

/// Fills a text up to so many characters; with nothing there is nothing to fill it with.
fn pad(context: &Context<'_>, text: &mut Text, length: INT, with: &str) -> Fallible<()> {
    let Ok(length) = usize::try_from(length) else {
        return Ok(());
    };
    let missing = length.saturating_sub(text.chars().count());
    if missing == 0 || with.is_empty() {
        return Ok(());
    }
    fits(context, text.len().saturating_add(missing))?;
    let more: String = with.chars().cycle().take(missing).collect();
    fits(context, text.len() + more.len())?;
    *text = format!("{text}{more}").into();
    Ok(())
}
