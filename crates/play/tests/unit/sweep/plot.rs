//! Tests of `src/sweep/plot.rs`.

use super::ramp;
use plotters::prelude::RGBColor;

#[test]
fn the_ramp_has_all_shares() {
    assert_eq!(ramp(0.0), RGBColor(0x44, 0x01, 0x54));
    assert_eq!(ramp(1.0), RGBColor(0xfd, 0xe7, 0x25));
    assert_eq!(ramp(f64::INFINITY), ramp(1.0));
    assert_eq!(ramp(-1.0), ramp(0.0));
    assert_eq!(ramp(0.2), RGBColor(0x41, 0x44, 0x87));
}
