//! Decimal numbers of few digits, as people write and read them.

/// The largest number of digits of a number that [`decimal`] reads, with a zero before the point.
const MOST_DIGITS: usize = 16;

/// Reads a number as in JSON; `None` if it is not one, or has more than about 15 digits.
pub fn decimal(text: &str) -> Option<f64> {
    // The sum turns -0 into 0.
    let number = serde_json::from_str::<f64>(text).ok()? + 0.0;
    let digits = number.to_string().bytes().filter(u8::is_ascii_digit).count();
    (digits <= MOST_DIGITS).then_some(number)
}

/// The number of decimal places.
pub fn places(number: f64) -> i32 {
    number.to_string().split_once('.').map_or(0, |(_, rest)| rest.len() as i32)
}

/// The nearest number with this many decimal places: its shortest text has no more, and 0.1 + 0.2 is 0.3.
pub fn with_places(number: f64, places: i32) -> f64 {
    let unit = 10_f64.powi(places);
    (number * unit).round() / unit + 0.0
}

/// A number with this many digits, or all of its whole part, without trailing zeros.
pub fn rounded(number: f64, digits: usize) -> String {
    let size = number.abs();
    let shown = if size < 1e-15 {
        0.0
    } else if size >= 10_f64.powi(digits as i32 - 1) {
        number.round()
    } else {
        let last = digits - 1;
        format!("{number:.last$e}").parse().unwrap_or(number)
    };
    shown.to_string()
}
