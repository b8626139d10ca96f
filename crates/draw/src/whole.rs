//! Rounding to whole pixels. On processors without an instruction for it, `floor` and `ceil` are calls.

/// The largest whole number that is not above a number.
pub fn floor(number: f32) -> i32 {
    let cut = number as i32;
    cut.saturating_sub(i32::from(cut as f32 > number))
}

/// The smallest whole number that is not below a number.
pub fn ceil(number: f32) -> i32 {
    let cut = number as i32;
    cut.saturating_add(i32::from((cut as f32) < number))
}

/// The largest whole number that is not above a number.
pub fn wide_floor(number: f64) -> i64 {
    let cut = number as i64;
    cut.saturating_sub(i64::from(cut as f64 > number))
}

#[cfg(test)]
#[path = "../tests/unit/whole.rs"]
mod tests;
