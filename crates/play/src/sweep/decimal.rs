//! Decimal numbers as floating-point numbers: each is the one nearest to a number of few digits, so that its shortest
//! text has these digits and 0.1 + 0.2 is 0.3.

/// The largest number of decimal places.
pub(super) const MOST_PLACES: i32 = 15;

/// Whole numbers up to this one, 2^53, are exact.
const MOST_UNITS: f64 = 9_007_199_254_740_992.0;

/// Reads a number as in JSON; `None` if it is not one, or has more than about 15 digits.
pub(super) fn decimal(text: &str) -> Option<f64> {
    let number: f64 = serde_json::from_str(text).ok()?;
    // The sum turns -0 into 0.
    places(number).map(|_| number + 0.0)
}

/// The number of decimal places of a number of few digits.
pub(super) fn places(number: f64) -> Option<i32> {
    (0..=MOST_PLACES).find(|places| units(number, *places).is_some_and(|units| of_units(units, *places) == number))
}

/// A number as a whole number of units with this many decimal places; `None` if it is too large.
pub(super) fn units(number: f64, places: i32) -> Option<i64> {
    let units = (number * 10_f64.powi(places)).round();
    (units.abs() <= MOST_UNITS).then_some(units as i64)
}

/// The number that is this many units.
pub(super) fn of_units(units: i64, places: i32) -> f64 {
    // Both are exact, so their quotient is the nearest number.
    units as f64 / 10_f64.powi(places)
}

#[cfg(test)]
mod tests {
    use super::{decimal, of_units, units};

    #[test]
    fn reads_numbers_as_in_json_and_shows_the_shortest_text() {
        for (text, right) in [
            ("0", "0"),
            ("-0.0", "0"),
            ("0.10", "0.1"),
            ("-0.05", "-0.05"),
            ("12.5e1", "125"),
            ("5E-3", "0.005"),
            ("1200e-2", "12"),
            ("1e15", "1000000000000000"),
        ] {
            assert_eq!(decimal(text).map(|x| x.to_string()).as_deref(), Some(right), "{text}");
        }
    }

    #[test]
    fn refuses_what_is_not_a_number_or_has_too_many_digits() {
        for text in [
            "",
            "x",
            "1.",
            ".5",
            "+1",
            "nan",
            "inf",
            "1e400",
            "1e30",
            "1e-30",
            "0x10",
            "1_000",
            "1 2",
            "0.12345678901234567890",
        ] {
            assert_eq!(decimal(text), None, "{text}");
        }
    }

    #[test]
    fn multiples_of_a_step_are_exact() {
        let step = decimal("0.1").and_then(|step| units(step, 1)).expect("a number");
        assert_eq!(of_units(3 * step, 1), 0.3);
        assert_eq!(of_units(3 * step, 1).to_string(), "0.3");
    }
}
