//! Tests of `src/whole.rs`.

use super::{ceil, floor, wide_floor};

#[test]
fn numbers_are_rounded_as_the_standard_library_does() {
    let wide =
        [1e9, -1e9, 1e10, -1e10, 1e30, f32::INFINITY, -f32::INFINITY, 0.0, -0.0, 0.5, -0.5, 1e-30, -1e-30, f32::NAN];
    let near = (-4000..4000).map(|i| i as f32 * 0.037);
    for number in near.chain(wide) {
        assert_eq!(floor(number), number.floor() as i32, "{number}");
        assert_eq!(ceil(number), number.ceil() as i32, "{number}");
        let number = f64::from(number) * 1000.0;
        assert_eq!(wide_floor(number), number.floor() as i64, "{number}");
    }
}
