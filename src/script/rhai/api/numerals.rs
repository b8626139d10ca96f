//! Reading numbers that are written in text.

use super::arguments::{Fallible, wrong};
use super::registry::Registry;
use crate::script::host::api::{Entry, Owner, Param, Topic, Type, param};
use crate::script::rhai::engine::weight::charge_weight;
use rhai::{FLOAT, INT, ImmutableString};

const TEXT: &[Param] = &[param("text", Type::Text, "")];

/// Most characters of a text that a message shows.
const SHOWN: usize = 64;

/// Registers them, for text and for single characters, as `text[0]` is one.
pub(super) fn register(registry: &mut Registry<'_>) {
    registry.topic(Topic::Mathematics);
    registry.add(
        Entry::call(
            Owner::Free,
            "parse_int",
            "The whole number that a text says in decimal digits; spaces around it do not matter. What is no \
             whole number is an error.",
            "let lives = parse_int(\" 3 \");",
        )
        .takes(TEXT)
        .answers(Type::Whole, ""),
        |text: ImmutableString| whole(&text),
    );
    registry.again(|text: char| whole(text.encode_utf8(&mut [0; 4])));
    registry.add(
        Entry::call(
            Owner::Free,
            "parse_float",
            "The number that a text says in decimal digits, as a floating one, `2.5` or `1e3`; spaces around it do \
             not matter. What is no finite number is an error.",
            "let seconds = parse_float(\"12.75\");",
        )
        .takes(TEXT)
        .answers(Type::Number, ""),
        |text: ImmutableString| floating(&text),
    );
    registry.again(|text: char| floating(text.encode_utf8(&mut [0; 4])));
}

fn whole(text: &str) -> Fallible<INT> {
    let digits = trimmed(text)?;
    match digits.parse::<INT>() {
        Ok(x) => Ok(x),
        Err(_) if is_digits(digits) => wrong(format!(
            "parse_int: {} is too large for a whole number",
            shown(text)
        )),
        Err(_) if number(digits).is_some() => wrong(format!(
            "parse_int: {} is no whole number; `parse_float` reads it",
            shown(text)
        )),
        Err(_) => wrong(format!(
            "parse_int: {} is no whole number, as \"12\" is",
            shown(text)
        )),
    }
}

fn floating(text: &str) -> Fallible<FLOAT> {
    match number(trimmed(text)?) {
        Some(x) if x.is_finite() => Ok(x),
        Some(_) => wrong(format!("parse_float: {} is too large", shown(text))),
        None => wrong(format!(
            "parse_float: {} is no number, as \"2.5\" is",
            shown(text)
        )),
    }
}

/// The text without spaces around it; reading it costs by its length.
fn trimmed(text: &str) -> Fallible<&str> {
    charge_weight(text.len() as u64 / 8)?;
    Ok(text.trim())
}

/// What is written in digits. Words as `inf` and `NaN` are numbers to Rust, not to scripts.
fn number(text: &str) -> Option<FLOAT> {
    let written = |c: char| c.is_ascii_digit() || "+-.eE".contains(c);
    text.chars()
        .all(written)
        .then(|| text.parse().ok())
        .flatten()
}

fn is_digits(text: &str) -> bool {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
}

fn shown(text: &str) -> String {
    let (start, rest) = match text.char_indices().nth(SHOWN) {
        Some((end, _)) => (&text[..end], "…"),
        None => (text, ""),
    };
    format!("{start:?}{rest}")
}
