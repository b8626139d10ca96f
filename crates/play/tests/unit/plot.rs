//! Tests of `src/plot.rs`.

use super::{PlotAxis, range_of};

#[test]
fn ticks_are_round_numbers() {
    let ticks = |a: f64, b: f64, most: usize| -> Vec<String> {
        PlotAxis::of_numbers(a..b, most).ticks.into_iter().map(|(_, label)| label).collect()
    };
    assert_eq!(ticks(0.0, 0.2, 5), ["0", "0.05", "0.1", "0.15", "0.2"]);
    assert_eq!(ticks(-1.0, 1.0, 5), ["-1", "-0.5", "0", "0.5", "1"]);
    assert_eq!(ticks(30.0, 240.0, 5), ["50", "100", "150", "200"]);
    assert_eq!(ticks(0.0, 520.0, 6), ["0", "100", "200", "300", "400", "500"]);
    assert!(ticks(-1e300, 1e300, 5).len() < 12);
}

#[test]
fn a_range_has_room_and_is_never_empty() {
    assert_eq!(range_of([].into_iter()), None);
    assert_eq!(range_of([5.0].into_iter()), Some(4.0..6.0));
    assert_eq!(range_of([0.0, 5e-324].into_iter()), Some(-1.0..1.0));
    let range = range_of([0.0, 10.0, 2.0].into_iter()).expect("a range");
    assert!(range.start < 0.0 && range.start > -1.0 && range.end > 10.0 && range.end < 11.0);
}
