//! What tests of all kinds use.

use hangtime_core::sim::{SavedWorld, Stage, World};

/// The tick rates at which physics has to give the same results.
pub const RATES: [u32; 4] = [30, 60, 120, 240];

/// Asserts that two numbers differ by no more than `tolerance`.
#[track_caller]
pub fn near(got: f64, expected: f64, tolerance: f64) {
    assert!((got - expected).abs() <= tolerance, "{got} is not within {tolerance} of {expected}");
}

/// A saved world, loaded under its stage.
pub fn loaded(saved: &str, stage: &Stage) -> World {
    let saved: SavedWorld = serde_json::from_str(saved).expect("a saved world");
    saved.check(stage).expect("a world of this stage")
}
