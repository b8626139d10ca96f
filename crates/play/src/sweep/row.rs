//! What a run of a sweep has found.

use super::*;

/// The largest number of characters of a text that a run measures.
pub const MOST_TEXT: usize = 200;

/// The number of digits that a table shows of a number.
const TABLE_DIGITS: usize = 6;

/// A measured value as plots show it: true is 1, false is 0.
pub fn on_plot(measured: &Value) -> Option<f64> {
    match measured {
        Value::Bool(flag) => Some(f64::from(u8::from(*flag))),
        other => other.as_f64(),
    }
}

/// A measured value for people.
pub fn short_text(measured: &Value) -> String {
    match measured {
        Value::Bool(true) => "yes".into(),
        Value::Bool(false) => "no".into(),
        Value::Number(number) if number.is_f64() => rounded(number.as_f64().unwrap_or(0.0), TABLE_DIGITS),
        other => whole_text(other),
    }
}

/// A measured value; numbers read back bit for bit. Empty for none.
pub fn whole_text(measured: &Value) -> String {
    match measured {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        // Without `.0` for whole numbers, and never -0.
        Value::Number(number) if number.is_f64() => number.as_f64().map_or_else(String::new, |x| (x + 0.0).to_string()),
        other => other.to_string(),
    }
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
    /// The measured values, in the order of the sweep's columns: numbers, flags, texts, or null if the entity is gone or
    /// the expression returned `()`.
    pub cells: Vec<Value>,
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
