//! Numbers and lists in messages and tables.

use hangtime_game::files::FeelQuantity;

/// A measured number without its unit: px to hundredths, seconds and small numbers to
/// ten-thousandths.
pub fn spell_number(quantity: FeelQuantity, value: f64) -> String {
    let decimals = if quantity.unit() == "s" || value.abs() < 1.0 { 4 } else { 2 };
    // Without the noise of rounding, numbers halfway between two decimals read the same at each rate.
    let value = (value * 1e6).round() / 1e6;
    let text = format!("{value:.decimals$}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    match text {
        "" | "-0" => "0".into(),
        text => text.into(),
    }
}

/// A measured number with its unit.
pub fn spell_measure(quantity: FeelQuantity, value: f64) -> String {
    format!("{} {}", spell_number(quantity, value), quantity.unit())
}

/// `a`, `a and b`, `a, b and c`.
pub fn spell_list(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [only] => only.clone(),
        [rest @ .., last] => format!("{} and {last}", rest.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::spell_measure;
    use hangtime_game::files::FeelQuantity;

    #[test]
    fn numbers_are_short_and_have_units() {
        for (quantity, value, text) in [
            (FeelQuantity::Apex, 189.826_7, "189.83 px"),
            (FeelQuantity::Apex, 200.0, "200 px"),
            (FeelQuantity::Apex, 0.0, "0 px"),
            (FeelQuantity::LandingError, 1e-13, "0 px"),
            (FeelQuantity::LandingError, -1e-13, "0 px"),
            (FeelQuantity::LandingError, 0.0123, "0.0123 px"),
            (FeelQuantity::AirTime, 0.791_61, "0.7916 s"),
        ] {
            assert_eq!(spell_measure(quantity, value), text);
        }
    }
}
