//! Tests of `src/panel/colors.rs`.

use super::{PARTED, curve_color};
use hangtime_workbench::panel::MotionCurve;

#[test]
fn no_two_curves_have_colors_that_are_taken_for_each_other() {
    let colors: Vec<_> = MotionCurve::ALL.into_iter().map(curve_color).chain([PARTED]).collect();
    for (index, one) in colors.iter().enumerate() {
        for other in &colors[index + 1..] {
            let apart = |a: u8, b: u8| i32::from(a).abs_diff(i32::from(b));
            let far = apart(one.r(), other.r()) + apart(one.g(), other.g()) + apart(one.b(), other.b());
            assert!(far > 120, "{one:?} {other:?}");
        }
    }
}
