//! The contracts that describe a kind as it is now.

use super::kind_measure::ModelMeasure;
use super::lab::Measured;
use hangtime_game::KindFile;
use hangtime_game::files::{ExpectLine, FeelBound, FeelQuantity};

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
        let home = measured.at_home(quantity)?.ok()?;
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

#[cfg(test)]
mod tests {
    use super::{bound_for, round_up};
    use hangtime_game::files::{FeelBound, FeelQuantity};

    #[test]
    fn tolerances_cover_all_tick_rates() {
        let stop = FeelQuantity::StopDistance;
        let bound = bound_for(stop, 20.0, &[17.78, 20.0, 21.12], None);
        assert_eq!(bound, FeelBound::Near(20.0, 2.3));
        let bound = bound_for(stop, 52.8125, &[52.8125], None);
        assert_eq!(bound, FeelBound::Near(52.81, 0.5));
    }

    #[test]
    fn bounds_that_hold_stay() {
        let old = FeelBound::AtLeast(180.0);
        let apex = FeelQuantity::Apex;
        assert_eq!(bound_for(apex, 189.8, &[189.8], Some(old)), old);
        let moved = bound_for(apex, 170.0, &[170.0], Some(FeelBound::Near(189.8, 2.0)));
        assert_eq!(moved, FeelBound::Near(170.0, 2.0));
    }

    #[test]
    fn rounding_up_keeps_two_digits() {
        for (x, up) in [(0.0, 0.0), (1.234, 1.3), (0.123, 0.13), (45.1, 46.0), (1234.0, 1300.0)] {
            assert_eq!(round_up(x), up, "{x}");
        }
    }
}
