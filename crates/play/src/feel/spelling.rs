//! Numbers and lists in messages and tables.

use super::*;
use crate::numbers::with_places;

/// A measured number without its unit: px to hundredths, seconds and small numbers to
/// ten-thousandths.
pub fn spell_number(quantity: FeelQuantity, value: f64) -> String {
    let decimals = if quantity.unit() == "s" || value.abs() < 1.0 { 4 } else { 2 };
    // Without the noise of rounding, numbers halfway between two decimals read the same at each rate.
    with_places(with_places(value, 6), decimals).to_string()
}

/// A measured number with its unit.
pub fn spell_measure(quantity: FeelQuantity, value: f64) -> String {
    format!("{} {}", spell_number(quantity, value), quantity.unit())
}

/// The numbers of a kind under a model, a line each, below a line that names them.
pub fn spell_sheet(kind: &KindFile, model: ModelName, sheet: &FeelSheet, place: &FeelPlace) -> String {
    let (name, view) = (printable_name(&kind.name), kind.view.name());
    let mut lines = vec![format!("{name}, {model}, {view} view, {} Hz{}", sheet.hz, spell_place(place))];
    for quantity in FeelQuantity::ALL {
        let (number, about) = match sheet.values.get(&quantity) {
            Some(Ok(number)) => (spell_measure(quantity, *number), quantity.about().into()),
            Some(Err(why)) => ("-".into(), format!("none: it {why}")),
            None => ("-".into(), quantity.about().into()),
        };
        lines.push(format!("  {:<14} {number:>12}   {about}", quantity.name()));
    }
    lines.join("\n")
}

/// What is special about the ground: `, on ice, 20° uphill`.
pub fn spell_place(place: &FeelPlace) -> String {
    let surface = place.surface.as_ref().map(|surface| format!(", on {}", printable_name(surface)));
    let slope = match place.slope {
        0.0 => String::new(),
        up if up > 0.0 => format!(", {up}° uphill"),
        down => format!(", {}° downhill", -down),
    };
    format!("{}{slope}", surface.unwrap_or_default())
}

/// `a`, `a and b`, `a, b and c`.
pub fn spell_list(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [only] => only.clone(),
        [rest @ .., last] => format!("{} and {last}", rest.join(", ")),
    }
}
