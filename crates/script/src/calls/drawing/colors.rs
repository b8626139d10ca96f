//! Colors that scripts name.

use super::super::arg::Arg;
use crate::{Accepted, Allowed, message::names::nearest, refuse};
use hangtime_core::sim::DrawnColor;
use std::fmt::Display;

/// The colors that have names: red, green and blue.
pub const NAMED_COLORS: [(&str, [u8; 3]); 16] = [
    ("white", [255, 255, 255]),
    ("silver", [190, 198, 210]),
    ("gray", [124, 130, 144]),
    ("black", [14, 16, 28]),
    ("red", [232, 72, 72]),
    ("orange", [244, 150, 62]),
    ("gold", [255, 206, 92]),
    ("yellow", [255, 236, 110]),
    ("lime", [150, 240, 90]),
    ("green", [92, 196, 108]),
    ("teal", [64, 178, 170]),
    ("cyan", [120, 220, 255]),
    ("blue", [82, 136, 240]),
    ("purple", [150, 128, 220]),
    ("pink", [255, 140, 196]),
    ("brown", [150, 108, 74]),
];

/// The color that a text names.
///
/// # Errors
/// If there is none.
fn color_named(text: &str) -> Accepted<DrawnColor> {
    if let Some(digits) = text.strip_prefix('#') {
        if let Some(color) = of_digits(digits) {
            return Ok(color);
        }
    } else if let Some((_, [red, green, blue])) = NAMED_COLORS.iter().find(|(name, _)| *name == text) {
        return Ok(DrawnColor([*red, *green, *blue, 255]));
    }
    let names = NAMED_COLORS.map(|(name, _)| name);
    let hint = match nearest(text, names) {
        Some(right) => format!("did you mean `{right}`?"),
        None => format!("a color is `#rrggbb`, `#rrggbbaa` with an opacity, or one of `{}`", names.join("`, `")),
    };
    refuse(format!("there is no color `{text}`; {hint}"))
}

/// The color that a value names, which is an option of a call or a property.
///
/// # Errors
/// If it is not text, or there is no such color.
pub fn color_of(what: impl Display, value: Arg<'_>) -> Accepted<DrawnColor> {
    match value {
        Arg::Text(text) => color_named(text),
        other => other.is_not(what, "text, such as \"gold\" or \"#ffcc00\""),
    }
}

/// A color as a script would write it: its name, or `#rrggbb`.
pub fn color_text(color: DrawnColor) -> String {
    let [red, green, blue, opacity] = color.0;
    let same = |(_, rgb): &&(&str, [u8; 3])| opacity == 255 && *rgb == [red, green, blue];
    if let Some((name, _)) = NAMED_COLORS.iter().find(same) {
        return (*name).into();
    }
    let solid = format!("#{red:02x}{green:02x}{blue:02x}");
    match opacity {
        255 => solid,
        _ => format!("{solid}{opacity:02x}"),
    }
}

/// Checks the name of a color.
///
/// # Errors
/// If there is none of this name.
pub fn check_color(text: &str) -> Allowed {
    color_named(text).map(drop)
}

/// The color of 3, 6 or 8 hexadecimal digits.
fn of_digits(digits: &str) -> Option<DrawnColor> {
    let values: Option<Vec<u8>> = digits.chars().map(|digit| digit.to_digit(16).map(|value| value as u8)).collect();
    let color = match values?[..] {
        [r, g, b] => [17 * r, 17 * g, 17 * b, 255],
        [r, rr, g, gg, b, bb] => [16 * r + rr, 16 * g + gg, 16 * b + bb, 255],
        [r, rr, g, gg, b, bb, a, aa] => [16 * r + rr, 16 * g + gg, 16 * b + bb, 16 * a + aa],
        _ => return None,
    };
    Some(DrawnColor(color))
}
