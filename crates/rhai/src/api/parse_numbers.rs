//! `parse_int` and `parse_float`: numbers written as text.

use super::*;
use crate::engine::weight::{charge_weight, weight_of_text};

const TEXT: Param = param("text", Type::Text, "");

/// How many times as much it costs to read a number as to copy its text.
const TO_READ: u64 = 8;

/// The largest number of characters of the text that a message quotes.
const MAX_QUOTED: usize = 64;

/// Registers both, for text and for single characters such as `text[0]`.
pub fn register(registry: &mut Registry<'_>) {
    registry.topic(Topic::Math);
    add_calls! { registry;
        /// Parses a whole number in decimal digits; surrounding whitespace is ignored. Anything else is an error.
        free parse_int(TEXT) -> Type::Whole;
        "let lives = parse_int(\" 3 \");";
        |text: ImmutableString| parse_int(&text);
    }
    registry.overload(|text: char| parse_int(text.encode_utf8(&mut [0; 4])));
    add_calls! { registry;
        /// Parses a number such as `2.5`, `3`, or `1e3` as a floating-point number; surrounding whitespace is ignored.
        /// Anything else is an error.
        free parse_float(TEXT) -> Type::Number;
        "let seconds = parse_float(\"12.75\");";
        |text: ImmutableString| parse_float(&text);
    }
    registry.overload(|text: char| parse_float(text.encode_utf8(&mut [0; 4])));
}

fn parse_int(text: &str) -> Fallible<INT> {
    let digits = trimmed(text)?;
    let problem = match digits.parse::<INT>() {
        Ok(x) => return Ok(x),
        Err(_) if is_digits(digits) => "is too large for a whole number",
        Err(_) if decimal(digits).is_some() => "is not a whole number; use `parse_float`",
        Err(_) => "is not a whole number such as \"12\"",
    };
    fail(format!("parse_int: {} {problem}", quoted(text)))
}

fn parse_float(text: &str) -> Fallible<FLOAT> {
    let problem = match decimal(trimmed(text)?) {
        Some(x) if x.is_finite() => return Ok(x),
        Some(_) => "is too large",
        None => "is not a number such as \"2.5\"",
    };
    fail(format!("parse_float: {} {problem}", quoted(text)))
}

/// The text without surrounding whitespace; reading it is charged by its length.
fn trimmed(text: &str) -> Fallible<&str> {
    charge_weight(weight_of_text(text.len()) * TO_READ)?;
    Ok(text.trim())
}

/// The number that is written in digits. Rust also parses words such as `inf` and `NaN`; scripts do not.
fn decimal(text: &str) -> Option<FLOAT> {
    let allowed = |c: char| c.is_ascii_digit() || "+-.eE".contains(c);
    text.chars().all(allowed).then(|| text.parse().ok()).flatten()
}

fn is_digits(text: &str) -> bool {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
}

fn quoted(text: &str) -> String {
    let (start, rest) = match text.char_indices().nth(MAX_QUOTED) {
        Some((end, _)) => (&text[..end], "…"),
        None => (text, ""),
    };
    format!("{start:?}{rest}")
}
