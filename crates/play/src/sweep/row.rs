//! What a run of a sweep has found.

use serde_json::{Number, Value};
use std::fmt;

/// The largest number of characters of a text that a run measures.
pub(super) const MOST_TEXT: usize = 200;

/// A measured value.
#[derive(Clone, Debug, PartialEq)]
pub enum SweepCell {
    /// Nothing: the entity is gone, or the expression returned `()`.
    Empty,
    /// True or false.
    Flag(bool),
    /// A whole number.
    Whole(i64),
    /// A finite floating-point number.
    Number(f64),
    /// Text.
    Text(String),
}

/// The number of digits that a table shows of a number.
const TABLE_DIGITS: usize = 6;

impl SweepCell {
    /// The value as a number, if it is one.
    pub fn as_number(&self) -> Option<f64> {
        match self {
            Self::Whole(x) => Some(*x as f64),
            Self::Number(x) => Some(*x),
            _ => None,
        }
    }

    /// The value as plots show it: true is 1, false is 0.
    pub fn on_plot(&self) -> Option<f64> {
        match self {
            Self::Flag(flag) => Some(f64::from(u8::from(*flag))),
            other => other.as_number(),
        }
    }

    /// The value as JSON.
    pub fn as_json(&self) -> Value {
        match self {
            Self::Empty => Value::Null,
            Self::Flag(flag) => Value::Bool(*flag),
            Self::Whole(x) => Value::Number((*x).into()),
            Self::Number(x) => Number::from_f64(*x).map_or(Value::Null, Value::Number),
            Self::Text(text) => Value::String(text.clone()),
        }
    }

    /// The value with six digits, for people.
    pub fn rounded(&self) -> String {
        match self {
            Self::Number(x) => rounded(*x, TABLE_DIGITS),
            other => other.to_string(),
        }
    }
}

/// The whole value; numbers read back bit for bit. Empty for none.
impl fmt::Display for SweepCell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => Ok(()),
            Self::Flag(true) => f.write_str("yes"),
            Self::Flag(false) => f.write_str("no"),
            Self::Whole(x) => write!(f, "{x}"),
            // Never -0.
            Self::Number(x) => write!(f, "{}", x + 0.0),
            Self::Text(text) => f.write_str(text),
        }
    }
}

/// A number with this many digits, without trailing zeros.
pub(crate) fn rounded(x: f64, digits: usize) -> String {
    let whole = format!("{:.0}", x.abs().trunc()).len();
    let mut places = digits.saturating_sub(whole);
    if x.abs() < 1.0 {
        let mut small = x.abs();
        places = digits;
        while small > 0.0 && small < 0.1 && places < 15 {
            small *= 10.0;
            places += 1;
        }
    }
    let text = format!("{x:.places$}");
    without_zeros(&text)
}

/// A decimal number without zeros that say nothing.
pub(super) fn without_zeros(text: &str) -> String {
    let text = match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.'),
        false => text,
    };
    if text == "-0" { "0" } else { text }.into()
}

/// Why a run has no result.
#[derive(Clone, Debug, PartialEq)]
pub struct RunFailure {
    /// The message, with its place.
    pub message: String,
    /// The file of the place; empty for none.
    pub file: String,
    /// The line in it, from 1; 0 for none.
    pub line: usize,
    /// The tick at which the run ended.
    pub tick: u64,
}

/// A run of a sweep.
#[derive(Clone, Debug)]
pub struct SweepRow {
    /// Its place among all runs, from 0.
    pub run: usize,
    /// The measured values, in the order of the sweep's columns.
    pub cells: Vec<SweepCell>,
    /// The value to maximize or minimize.
    pub best: Option<f64>,
    /// Whether it passed; `None` without `--pass`. A run that failed has not passed.
    pub passed: Option<bool>,
    /// Why it has no values, if it failed.
    pub failure: Option<RunFailure>,
    /// The hash of the world at its end.
    pub hash: u64,
    /// The time that it took, ms.
    pub ms: f64,
}

#[cfg(test)]
mod tests {
    use super::{SweepCell, rounded};

    #[test]
    fn tables_show_six_digits() {
        for (x, right) in [
            (0.0, "0"),
            (-0.0, "0"),
            (-1e-30, "0"),
            (1.0, "1"),
            (0.1 + 0.2, "0.3"),
            (1.0 / 3.0, "0.333333"),
            (-2.0 / 3.0, "-0.666667"),
            (1234.5678, "1234.57"),
            (0.000_123_456_7, "0.000123457"),
            (123_456_789.6, "123456790"),
        ] {
            assert_eq!(rounded(x, 6), right);
        }
    }

    #[test]
    fn whole_values_read_back() {
        for x in [0.1, 1.0 / 3.0, 1e300, -5e-324] {
            let text = SweepCell::Number(x).to_string();
            assert_eq!(text.parse::<f64>().map(f64::to_bits), Ok(x.to_bits()));
        }
        assert_eq!(SweepCell::Number(-0.0).to_string(), "0");
    }
}
