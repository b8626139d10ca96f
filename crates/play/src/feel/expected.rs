//! The contracts that describe a kind as it is now.

use super::*;
use hangtime_game::files::ExpectLine;

/// The contracts that hold for the measured numbers, for [`write_expect`]. A range, and a bound to one
/// side, stay as they are as long as they hold; so does the tolerance of a value.
///
/// [`write_expect`]: hangtime_game::files::write_expect
pub fn contracts_for(kind: &KindFile, measured: &ModelMeasure) -> Vec<ExpectLine> {
    let own = kind.model() == measured.model;
    let model = (!own).then_some(measured.model);
    let line = |quantity: FeelQuantity| {
        let mut expectations = kind.expectations.iter();
        let old = expectations.find(|e| e.quantity == quantity && e.model.unwrap_or(kind.model()) == measured.model);
        let home = measured.at_home(quantity)?;
        let all: Vec<Measured> = measured.of(quantity).map(|(_, number)| number).collect();
        let numbers: Vec<f64> = all.into_iter().collect::<Result<_, _>>().ok()?;
        let bound = bound_for(quantity, home, &numbers, old.map(|e| e.bound));
        Some(ExpectLine {
            // A contract may name the kind's own model.
            model: old.map_or(model, |old| old.model),
            quantity,
            bound,
        })
    };
    FeelQuantity::ALL.into_iter().filter_map(line).collect()
}

/// A bound that holds for all numbers, near the one at the game's tick rate.
fn bound_for(quantity: FeelQuantity, home: f64, numbers: &[f64], old: Option<FeelBound>) -> FeelBound {
    if let Some(old) = old.filter(|old| numbers.iter().all(|number| old.holds(*number))) {
        return old;
    }
    if quantity == FeelQuantity::LandingError {
        let worst = numbers.iter().copied().fold(0.0, f64::max);
        return FeelBound::AtMost(round_up(worst).max(quantity.default_tolerance()));
    }
    let decimals = if quantity.unit() == "s" { 1e4 } else { 1e2 };
    let center = (home * decimals).round() / decimals;
    let spread = numbers.iter().map(|number| (number - center).abs());
    let least = match old {
        Some(FeelBound::Near(_, tolerance)) => tolerance,
        _ => quantity.default_tolerance(),
    };
    let tolerance = round_up(spread.fold(0.0, f64::max)).max(least);
    FeelBound::Near(center, tolerance)
}

/// The next larger number with two digits.
fn round_up(x: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    let digits = (x.log10().floor() as i32 - 1).clamp(-9, 9);
    // Divided by a whole power of ten, so that it is written with few digits.
    if digits < 0 {
        let unit = 10_f64.powi(-digits);
        (x * unit).ceil() / unit
    } else {
        let unit = 10_f64.powi(digits);
        (x / unit).ceil() * unit
    }
}
