//! Titles of axes and panels, cut to the room that they have.

use super::axis::text_width;
use crate::sweep::unaffected::unit_of_key;
use crate::sweep::varied::VariedKey;

/// The title of a varied key: with its unit.
pub(super) fn title_of(key: &VariedKey) -> String {
    with_unit(&key.key, unit_of_key(&key.key))
}

/// A name with its unit, if it has one.
pub(super) fn with_unit(name: &str, unit: &str) -> String {
    match unit {
        "" => name.to_string(),
        unit => format!("{name}, {unit}"),
    }
}

/// A text cut to a width, px.
pub(super) fn fitted(text: &str, size: f64, width: f64) -> String {
    if text_width(text, size) <= width {
        return text.into();
    }
    let mut short: String = text.into();
    while !short.is_empty() && text_width(&short, size) + size > width {
        short.pop();
    }
    short.push('…');
    short
}
