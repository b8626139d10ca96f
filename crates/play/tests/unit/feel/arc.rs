//! Tests of `src/feel/arc.rs`.

use super::{FeelSample, reaches};

#[test]
fn a_speed_that_is_there_at_once_needs_no_run_up() {
    let dt = 1.0 / 60.0;
    let at = |x: f64, speed: f64| FeelSample { along: x, pace: speed, ..FeelSample::default() };
    let samples = [at(0.0, 0.0), at(90.0 * dt, 90.0)];
    assert_eq!(reaches(&samples, 89.1, dt), (0.0, 0.0));
    // From rest at 600 px/s², 60 px/s is reached after 0.1 s and 3 px.
    let steady: Vec<FeelSample> = (0..10).map(|i| f64::from(i) * dt).map(|t| at(300.0 * t * t, 600.0 * t)).collect();
    let (time, along) = reaches(&steady, 59.0, dt);
    assert!((time - 59.0 / 600.0).abs() < 1e-9);
    assert!((along - 59.0 * 59.0 / 1200.0).abs() < 1e-9);
}
