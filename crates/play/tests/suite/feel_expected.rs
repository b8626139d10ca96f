//! The contracts that describe a kind as it is now.

use crate::folder::Folder;
use hangtime_core::models::ModelName;
use hangtime_game::{
    Project,
    files::{FeelBound, FeelQuantity},
};
use hangtime_play::feel::{FeelSheet, ModelMeasure, contracts_for};
use std::collections::BTreeMap;

/// The bound for a number that was measured at some tick rates. The game's own rate is 60 Hz. `expect` is what the
/// file of the kind has already.
fn bound(expect: &str, quantity: FeelQuantity, numbers: &[(u32, f64)]) -> FeelBound {
    let folder = Folder::with_script("");
    folder.write("config/entities/hero.toml", &format!("model = \"platformer\"\n[expect]\n{expect}\n"));
    let project = Project::load(folder.root()).expect("a game");
    let kind = project.kind("hero").expect("a kind");
    let sheet = |(hz, number): &(u32, f64)| FeelSheet {
        hz: *hz,
        values: [(quantity, Ok(*number))].into(),
        arcs: None,
        dash: None,
    };
    let measured = ModelMeasure {
        model: ModelName::parse("platformer").expect("a model"),
        game_hz: 60,
        sheets: numbers.iter().map(sheet).collect(),
        tunables: BTreeMap::new(),
        origins: BTreeMap::new(),
        script: String::new(),
        fault: None,
    };
    let lines = contracts_for(&kind, &measured);
    assert_eq!((lines.len(), lines[0].quantity), (1, quantity));
    lines[0].bound
}

#[test]
fn tolerances_cover_all_tick_rates() {
    let stop = FeelQuantity::StopDistance;
    assert_eq!(bound("", stop, &[(30, 17.78), (60, 20.0), (120, 21.12)]), FeelBound::Near(20.0, 2.3));
    assert_eq!(bound("", stop, &[(60, 52.8125)]), FeelBound::Near(52.81, 0.5));
}

#[test]
fn bounds_that_hold_stay() {
    let apex = FeelQuantity::Apex;
    assert_eq!(bound("apex = \"≥ 180\"", apex, &[(60, 189.8)]), FeelBound::AtLeast(180.0));
    assert_eq!(bound("apex = \"189.8 ± 2\"", apex, &[(60, 170.0)]), FeelBound::Near(170.0, 2.0));
}

#[test]
fn rounding_up_keeps_two_digits() {
    // An error is never expected to be below its tolerance.
    for (x, up) in [(0.0, 0.001), (1.234, 1.3), (0.123, 0.13), (45.1, 46.0), (1234.0, 1300.0)] {
        assert_eq!(bound("", FeelQuantity::LandingError, &[(60, x)]), FeelBound::AtMost(up), "{x}");
    }
}
