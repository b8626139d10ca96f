//! Decimal numbers that are counted exactly, so that 0.1 + 0.2 is 0.3.

use std::fmt;

/// The largest number of decimal places.
const MOST_PLACES: u32 = 15;

/// The largest number of units. With all places of another number it still fits into 128 bits.
const MOST_UNITS: i128 = 1_000_000_000_000_000_000;

/// A decimal number. Displays as the shortest text of its value, without an exponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decimal {
    /// The value is this many units of `0.1` to the power of `places`.
    units: i128,
    places: u32,
}

impl Decimal {
    /// A whole number of units with this many decimal places; none if it is too large.
    #[must_use]
    pub(super) fn of_units(units: i128, places: u32) -> Option<Self> {
        let (mut units, mut places) = (units, places);
        while places > 0 && units % 10 == 0 {
            units /= 10;
            places -= 1;
        }
        (places <= MOST_PLACES && units.abs() <= MOST_UNITS).then_some(Self { units, places })
    }

    /// Reads a number as in JSON. None if it is not one, or has too many digits.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        serde_json::from_str::<f64>(text).ok().filter(|x| x.is_finite())?;
        let (digits, exponent) = match text.split_once(['e', 'E']) {
            Some((digits, exponent)) => (digits, exponent.parse::<i64>().ok()?),
            None => (text, 0),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let fraction = fraction.trim_end_matches('0');
        let units: i128 = format!("{whole}{fraction}").parse().ok()?;
        if units == 0 {
            return Self::of_units(0, 0);
        }
        let places = i64::try_from(fraction.len()).ok()?.checked_sub(exponent)?;
        match u32::try_from(places) {
            // Trailing zeros of the whole part may still be dropped.
            Ok(places) if places <= 3 * MOST_PLACES => Self::of_units(units, places),
            Ok(_) => None,
            Err(_) => {
                let zeros = u32::try_from(places.unsigned_abs()).ok()?;
                let factor = 10_i128.checked_pow(zeros)?;
                Self::of_units(units.checked_mul(factor)?, 0)
            }
        }
    }

    /// The number of decimal places.
    pub(super) const fn places(self) -> u32 {
        self.places
    }

    /// The value in units with more decimal places.
    pub(super) fn units_at(self, places: u32) -> i128 {
        self.units * 10_i128.pow(places.saturating_sub(self.places))
    }

    /// The nearest floating-point number.
    #[must_use]
    pub fn number(self) -> f64 {
        self.to_string().parse().unwrap_or(f64::NAN)
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.units < 0 { "-" } else { "" };
        let digits = self.units.unsigned_abs().to_string();
        let places = self.places as usize;
        if places == 0 {
            return write!(f, "{sign}{digits}");
        }
        let digits = format!("{digits:0>width$}", width = places + 1);
        let (whole, fraction) = digits.split_at(digits.len() - places);
        write!(f, "{sign}{whole}.{fraction}")
    }
}

#[cfg(test)]
mod tests {
    use super::Decimal;

    fn shown(text: &str) -> Option<String> {
        Decimal::parse(text).map(|decimal| decimal.to_string())
    }

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
            assert_eq!(shown(text).as_deref(), Some(right), "{text}");
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
            assert_eq!(shown(text), None, "{text}");
        }
    }

    #[test]
    fn is_exact_where_floating_point_is_not() {
        let step = Decimal::parse("0.1").expect("a number");
        let third = Decimal::of_units(3 * step.units_at(1), 1).expect("a number");
        assert_eq!(third.to_string(), "0.3");
        assert_eq!(third.number(), 0.3);
    }
}
