//! Measures of jumps.

use glam::dvec2;
use hangtime_core::level::View;
use hangtime_workbench::{JumpMeasures, JumpPoint, compared};

const HZ: u32 = 60;

/// A jump at 300 px/s under 600 px/s², at 200 px/s sideways, after three ticks on the ground.
fn jump(ticks: u32) -> Vec<JumpPoint> {
    (0..ticks)
        .map(|i| {
            let t = (f64::from(i) - 2.0).max(0.0) / f64::from(HZ);
            let (height, rising) = (300.0 * t - 300.0 * t * t, 300.0 - 600.0 * t);
            let grounded = t == 0.0 || height <= 1e-9;
            let height = height.max(0.0);
            JumpPoint { pos: dvec2(200.0 * t, height), height, rising: if grounded { 0.0 } else { rising }, grounded }
        })
        .collect()
}

#[test]
fn a_jump_measures_what_its_parabola_says() {
    let path = jump(80);
    let found = JumpMeasures::of(&path, HZ, View::Side).expect("a jump");
    // v²/2g = 75 px after v/g = 0.5 s, down after 1 s.
    assert!((found.apex - 75.0).abs() < 1e-9);
    assert!((found.time_to_apex - 0.5).abs() < 1e-9);
    assert!((found.air_time.expect("it lands") - 1.0).abs() < 1e-9);
    assert!((found.distance.expect("it lands") - 200.0).abs() < 1e-9);
    // One tick before the landing: 300 px/s less a tick of gravity.
    let last = 300.0 - 600.0 / f64::from(HZ);
    assert!((found.landing_speed.expect("it lands") - last).abs() < 1e-9);
}

#[test]
fn a_path_that_ends_in_the_air_has_no_landing() {
    let path = jump(40);
    let found = JumpMeasures::of(&path, HZ, View::Side).expect("a jump");
    assert_eq!((found.air_time, found.distance, found.landing_speed), (None, None, None));
    assert!((found.apex - 75.0).abs() < 1e-9);
    assert!(JumpMeasures::of(&path[..3], HZ, View::Side).is_none());
}

#[test]
fn measures_that_changed_show_both_values() {
    let all = jump(80);
    let (whole, cut) = (JumpMeasures::of(&all, HZ, View::Side), JumpMeasures::of(&all[..40], HZ, View::Side));
    let lines = compared(whole.as_ref(), cut.as_ref());
    assert_eq!(lines[0], "apex 75.0 px");
    assert_eq!(lines[2], "air time 1.000 s → not landed");
    assert!(compared(None, None).is_empty());
}
