//! Tests of `src/grips.rs`.

use super::{Grip, axes_of, corners, dragged, grip_at};
use glam::{DVec2, dvec2};
use hangtime_core::geometry::polygon;
use hangtime_draw::{EditShape, EditTone};

fn shape(tone: EditTone, points: &[[f64; 2]]) -> EditShape {
    EditShape { tone, points: points.iter().map(|at| DVec2::from(*at)).collect(), path: Vec::new() }
}

fn rectangle(tone: EditTone, [left, bottom, right, top]: [f64; 4]) -> EditShape {
    shape(tone, &[[left, bottom], [right, bottom], [right, top], [left, top]])
}

const REACH: f64 = 8.0;

#[test]
fn corners_edges_and_insides_differ() {
    let shapes = [rectangle(EditTone::Solid, [0.0, 0.0, 200.0, 100.0])];
    let cases = [
        (dvec2(3.0, -3.0), Some(Grip::Corner(0))),
        (dvec2(201.0, 99.0), Some(Grip::Corner(2))),
        (dvec2(100.0, 3.0), Some(Grip::Edge(0))),
        (dvec2(203.0, 50.0), Some(Grip::Edge(1))),
        (dvec2(100.0, 50.0), Some(Grip::Whole)),
        (dvec2(100.0, 120.0), None),
        (dvec2(f64::NAN, 50.0), None),
    ];
    for (at, grip) in cases {
        for selected in [None, Some(0), Some(7)] {
            assert_eq!(grip_at(&shapes, selected, at, REACH), grip.map(|grip| (0, grip)), "{at}");
        }
    }
}

#[test]
fn a_thin_thing_can_be_held_inside() {
    for height in [1.0, 2.0, 5.0, 14.0] {
        for tone in [EditTone::Solid, EditTone::Zone] {
            let shapes = [rectangle(tone, [0.0, 0.0, 300.0, height])];
            let found = grip_at(&shapes, None, dvec2(150.0, height * 0.5), REACH);
            let is_inside = found == Some((0, Grip::Whole));
            assert!(is_inside || height < 2.0, "{height}: {found:?}");
        }
    }
}

#[test]
fn entities_lie_over_solids_and_small_things_over_large_ones() {
    let shapes = [
        rectangle(EditTone::Zone, [-500.0, -500.0, 500.0, 500.0]),
        rectangle(EditTone::Solid, [-300.0, -300.0, 300.0, 0.0]),
        rectangle(EditTone::Solid, [-100.0, -100.0, 100.0, -50.0]),
        rectangle(EditTone::Entity, [-10.0, -5.0, 10.0, 30.0]),
    ];
    assert_eq!(grip_at(&shapes, None, dvec2(0.0, 0.0), REACH), Some((3, Grip::Whole)));
    assert_eq!(grip_at(&shapes, None, dvec2(0.0, -75.0), REACH), Some((2, Grip::Whole)));
    assert_eq!(grip_at(&shapes, None, dvec2(0.0, -200.0), REACH), Some((1, Grip::Whole)));
    assert_eq!(grip_at(&shapes, None, dvec2(0.0, 200.0), REACH), Some((0, Grip::Whole)));
    // The corners of the selected thing come first.
    assert_eq!(grip_at(&shapes, Some(1), dvec2(4.0, 1.0), REACH), Some((1, Grip::Edge(2))));
}

#[test]
fn a_one_way_line_is_held_at_its_ends_and_between_them() {
    let shapes = [shape(EditTone::OneWay, &[[0.0, 50.0], [100.0, 50.0], [180.0, 90.0]])];
    assert_eq!(grip_at(&shapes, None, dvec2(2.0, 51.0), REACH), Some((0, Grip::Corner(0))));
    assert_eq!(grip_at(&shapes, None, dvec2(50.0, 53.0), REACH), Some((0, Grip::Whole)));
    assert_eq!(grip_at(&shapes, None, dvec2(90.0, 75.0), REACH), None, "it has no third edge");
}

#[test]
fn a_rectangle_keeps_its_sides_and_a_size() {
    for order in [[0, 1, 2, 3], [3, 2, 1, 0], [1, 2, 3, 0], [2, 1, 0, 3]] {
        let base = rectangle(EditTone::Solid, [10.0, 20.0, 90.0, 60.0]).points;
        let points: Vec<DVec2> = order.iter().map(|index| base[*index]).collect();
        let area = polygon::doubled_area(&points);
        for grip in (0..4).map(Grip::Corner).chain((0..4).map(Grip::Edge)) {
            for x in -20..=20 {
                for y in -20..=20 {
                    let by = dvec2(f64::from(x) * 11.0, f64::from(y) * 11.0);
                    let new = dragged(&points, grip, by);
                    let [min, max] = corners(&new);
                    assert!((max - min).cmpge(DVec2::ONE).all(), "{grip:?} by {by}: {new:?}");
                    assert!(new.iter().all(|at| (at.x == min.x || at.x == max.x) && (at.y == min.y || at.y == max.y)));
                    assert!(polygon::doubled_area(&new) * area > 0.0, "it is not turned over");
                    assert!(polygon::outline(&new).is_ok());
                    let free = axes_of(&points, grip);
                    for axis in 0..2 {
                        let same = new.iter().zip(&points).all(|(new, old)| new[axis] == old[axis]);
                        assert!(same || free[axis], "{grip:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_small_drag_of_a_corner_goes_all_the_way() {
    let points = rectangle(EditTone::Zone, [0.0, 0.0, 80.0, 40.0]).points;
    assert_eq!(corners(&dragged(&points, Grip::Corner(2), dvec2(8.0, -16.0))), [DVec2::ZERO, dvec2(88.0, 24.0)]);
    assert_eq!(corners(&dragged(&points, Grip::Edge(3), dvec2(-8.0, 99.0))), [dvec2(-8.0, 0.0), dvec2(80.0, 40.0)]);
    assert_eq!(corners(&dragged(&points, Grip::Whole, dvec2(-8.0, 8.0))), [dvec2(-8.0, 8.0), dvec2(72.0, 48.0)]);
}

#[test]
fn points_of_other_outlines_are_dragged_one_by_one() {
    let points = shape(EditTone::Solid, &[[0.0, 0.0], [80.0, 0.0], [100.0, 50.0], [40.0, 90.0], [0.0, 40.0]]).points;
    let by = dvec2(16.0, 8.0);
    for grip in (0..5).map(Grip::Corner).chain((0..5).map(Grip::Edge)) {
        let new = dragged(&points, grip, by);
        let moved: Vec<usize> = (0..5).filter(|index| new[*index] != points[*index]).collect();
        match grip {
            Grip::Corner(corner) => assert_eq!(moved, [corner]),
            Grip::Edge(edge) => assert_eq!(moved.len(), 2, "{edge}"),
            Grip::Whole => {}
        }
    }
}
