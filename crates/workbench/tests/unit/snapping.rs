//! Tests of `src/snapping.rs`.

use super::{GRID, SnapRules, snapped};
use glam::{DVec2, dvec2};

const RULES: SnapRules = SnapRules { reach: 6.0, free: false, straight: false, axes: [true; 2] };

#[test]
fn without_other_things_a_drag_ends_at_the_grid() {
    for x in -40..40 {
        let by = dvec2(f64::from(x) * 1.3, f64::from(x) * -2.1);
        for anchor in [DVec2::ZERO, dvec2(3.0, -5.0), dvec2(0.25, 19.0)] {
            let (moved, guides) = snapped((anchor, &[anchor]), by, &[], RULES);
            assert!(guides.is_empty());
            for axis in 0..2 {
                let end = anchor[axis] + moved[axis];
                if by[axis].abs() < RULES.reach * 0.5 {
                    assert_eq!(moved[axis], 0.0, "a hand that is not steady");
                } else {
                    assert_eq!(end.rem_euclid(GRID), 0.0, "{anchor} by {by}");
                    assert!((moved[axis] - by[axis]).abs() <= GRID * 0.5 + 1e-9);
                }
            }
        }
    }
}

#[test]
fn a_line_of_another_thing_wins_over_the_grid() {
    let target = dvec2(101.5, 33.25);
    for off in [-6.0, -2.0, 0.0, 5.9] {
        let held = [DVec2::ZERO, dvec2(200.0, 100.0)];
        // The second corner comes near the target.
        let by = target - held[1] + dvec2(off, off);
        let (moved, guides) = snapped((held[0], &held), by, &[dvec2(-500.0, -500.0), target], RULES);
        assert!((moved + held[1] - target).length() < 1e-9, "{off}");
        assert_eq!(guides.len(), 2);
        assert!(guides.iter().all(|[from, to]| *from == target && (*to - target).length() < 1e-9));
    }
    let by = dvec2(target.x + 6.1, 40.0);
    let (moved, guides) = snapped((DVec2::ZERO, &[DVec2::ZERO]), by, &[target], RULES);
    assert!(guides.is_empty(), "out of reach");
    assert_eq!(moved, dvec2(104.0, 40.0));
}

#[test]
fn of_equally_near_lines_the_nearest_corner_is_touched() {
    let targets = [dvec2(50.0, 900.0), dvec2(50.0, 20.0), dvec2(50.0, -700.0)];
    let (_, guides) = snapped((DVec2::ZERO, &[DVec2::ZERO]), dvec2(48.0, 100.0), &targets, RULES);
    assert_eq!(guides, [[targets[1], dvec2(50.0, 104.0)]]);
}

#[test]
fn modifiers_free_the_drag_or_keep_it_to_an_axis() {
    let target = [dvec2(50.0, 50.0)];
    let free = SnapRules { free: true, ..RULES };
    let (moved, guides) = snapped((dvec2(0.5, 0.0), &[DVec2::ZERO]), dvec2(49.0, 51.2), &target, free);
    assert!(guides.is_empty());
    assert_eq!(moved + dvec2(0.5, 0.0), dvec2(50.0, 51.0), "whole px");
    let straight = SnapRules { straight: true, ..RULES };
    for (by, axis) in [(dvec2(30.0, 29.0), 1), (dvec2(-30.0, 29.0), 1), (dvec2(3.0, -40.0), 0)] {
        let (moved, _) = snapped((DVec2::ZERO, &[DVec2::ZERO]), by, &[], straight);
        assert_eq!(moved[axis], 0.0, "{by}");
        assert_ne!(moved[1 - axis], 0.0, "{by}");
    }
    // The edge of a rectangle moves only away from itself.
    let edge = SnapRules { axes: [false, true], ..straight };
    assert_eq!(snapped((DVec2::ZERO, &[DVec2::ZERO]), dvec2(90.0, 17.0), &[], edge).0, dvec2(0.0, 16.0));
}
