//! How scripts have their entities painted.

use super::*;

/// A body's colors, with the one that its script has chosen.
pub fn chosen(body: &EntityView, drawing: Option<&Drawing>) -> ShapeColors {
    let usual = palette::body(body);
    let by = drawing.and_then(|drawing| drawing.of(body.id));
    match by.and_then(|by| by.color) {
        Some(DrawnColor([red, green, blue, _])) => ShapeColors { fill: Color(red, green, blue), ..usual },
        None => usual,
    }
}

/// The bodies that are shown.
pub fn shown<'a>(bodies: &'a [EntityView], drawing: Option<&'a Drawing>) -> impl Iterator<Item = &'a EntityView> {
    bodies.iter().filter(move |body| !is_hidden(body, drawing))
}

/// Whether the script of an entity hides it.
pub fn is_hidden(body: &EntityView, drawing: Option<&Drawing>) -> bool {
    let by = drawing.and_then(|drawing| drawing.of(body.id));
    by.is_some_and(|by| by.hidden)
}
