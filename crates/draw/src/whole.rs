//! Rounding to whole pixels. On processors without an instruction for it, `floor` and `ceil` are calls.

/// The largest whole number that is not above a number.
pub(crate) fn floor(number: f32) -> i32 {
    let cut = number as i32;
    cut.saturating_sub(i32::from(cut as f32 > number))
}

/// The smallest whole number that is not below a number.
pub(crate) fn ceil(number: f32) -> i32 {
    let cut = number as i32;
    cut.saturating_add(i32::from((cut as f32) < number))
}

/// The largest whole number that is not above a number.
pub(crate) fn wide_floor(number: f64) -> i64 {
    let cut = number as i64;
    cut.saturating_sub(i64::from(cut as f64 > number))
}

#[cfg(test)]
mod tests {
    use super::{ceil, floor, wide_floor};

    #[test]
    fn numbers_are_rounded_as_the_standard_library_does() {
        let wide = [
            1e9,
            -1e9,
            1e10,
            -1e10,
            1e30,
            f32::INFINITY,
            -f32::INFINITY,
            0.0,
            -0.0,
            0.5,
            -0.5,
            1e-30,
            -1e-30,
            f32::NAN,
        ];
        let near = (-4000..4000).map(|i| i as f32 * 0.037);
        for number in near.chain(wide) {
            assert_eq!(floor(number), number.floor() as i32, "{number}");
            assert_eq!(ceil(number), number.ceil() as i32, "{number}");
            let number = f64::from(number) * 1000.0;
            assert_eq!(wide_floor(number), number.floor() as i64, "{number}");
        }
    }
}
