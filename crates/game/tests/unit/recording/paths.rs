//! Tests of `src/recording/paths.rs`.

use super::{GridPoint, KINDS, SYMBOLS, read_path, symbol, value_of, write_path};
use proptest::prelude::*;

/// The largest position of a stick or aim.
const MOST: i32 = 1 << 27;

#[test]
fn every_symbol_has_its_own_number() {
    for number in 0..SYMBOLS {
        assert_eq!(value_of(symbol(number)), Some(number));
        assert!(!" \"\\".contains(symbol(number)));
    }
    assert_eq!(symbol(SYMBOLS - 1), '~');
    assert_eq!([' ', '"', '\\', 'ä', '\u{7f}'].map(value_of), [None; 5]);
}

fn way() -> impl Strategy<Value = Vec<GridPoint>> {
    let step = prop_oneof![
        Just([0, 0]),
        [-4..=4, -4..=4],
        [-13..=13, -13..=13],
        [-5000..=5000, -50..=50],
        [-MOST..=MOST, -MOST..=MOST],
    ];
    proptest::collection::vec((step, 1..200_usize), 0..20).prop_map(|steps| {
        let mut at = [0_i32; 2];
        let mut points = Vec::new();
        for (step, ticks) in steps {
            for axis in 0..2 {
                at[axis] = (at[axis] + step[axis]).clamp(-MOST, MOST);
            }
            points.extend(std::iter::repeat_n(at, ticks));
        }
        points
    })
}

proptest! {
    #[test]
    fn a_path_reads_back_as_it_was_written(
        start in [-MOST..=MOST, -MOST..=MOST],
        points in way(),
    ) {
        let path = write_path(start, &points);
        prop_assert_eq!(read_path(&path, start, points.len()), Some(points.clone()));
        // It has that many ticks, and no others.
        prop_assert_eq!(read_path(&path, start, points.len() + 1), None);
    }

    #[test]
    fn any_text_is_a_path_or_not(text in "[~^][ -~]{0,40}", count in 0..300_usize) {
        if let Some(points) = read_path(&text, [0, 0], count) {
            prop_assert_eq!(points.len(), count);
        }
    }
}

#[test]
fn a_steady_motion_takes_a_character_each_tick() {
    let points: Vec<GridPoint> = (1..=60).map(|i| [i * 30, -i * 7]).collect();
    let path = write_path([0, 0], &points);
    assert!(path.starts_with(KINDS[1]) && path.len() < 10, "{path}");
    let jitter: Vec<GridPoint> = (0..60).map(|i| [100 + i % 2, 0]).collect();
    let path = write_path([100, 0], &jitter);
    assert!(path.starts_with(KINDS[0]) && path.len() <= 61, "{path}");
}
