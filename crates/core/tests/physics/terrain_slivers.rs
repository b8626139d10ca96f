//! Solids so thin that tools leave them by rounding, next to others.

use crate::{
    common::near,
    terrain::{points, rectangle, terrain_of},
};
use glam::dvec2;
use hangtime_core::geometry::{Collider, polygon};

#[test]
fn the_blunt_end_of_a_sliver_stops_bodies() {
    for thick in [6e-7, 9e-7, 2e-6, 1e-5] {
        let sliver = points(&[(300.0, 10.0), (20.0, 0.0), (20.0, -thick)]);
        let sliver = polygon::outline(&sliver).expect("it has an area");
        let terrain = terrain_of(&[sliver]);
        let hit = terrain.still().sweep(Collider::ellipse(12.0, 12.0), dvec2(-40.0, 0.0), dvec2(80.0, 0.0));
        let hit = hit.expect("its end is in the way");
        near(hit.time * 80.0, 60.0 - 12.0, 1e-4);
    }
}

/// A sliver along the left side of a box, higher than it by a rounding error of a tool that uses `f32`.
#[test]
fn a_sliver_that_sticks_out_of_a_corner_by_a_rounding_error_stops_bodies_there() {
    let shape = Collider::ellipse(12.0, 12.0);
    for thick in [3e-8, 1e-7, 2.7e-7, 5e-7, 1e-6, 1.9e-6, 3e-6] {
        for high in [8.1e-6, 9.7e-6, 1.5e-5, 6e-5, 1e-3] {
            let sliver = rectangle(0.0, -50.0, thick, 50.0 + high);
            let terrain = terrain_of(&[sliver, rectangle(0.0, -100.0, 100.0, 100.0)]);
            for off in [-5.0, 0.5, 5.0, 9.0, 11.5_f64] {
                let reach = (144.0 - off.max(0.0).powi(2)).sqrt();
                let from_the_left = terrain.still().sweep(shape, dvec2(-40.0, off), dvec2(80.0, 0.0));
                let hit = from_the_left.expect("the corner is in the way");
                near(hit.time * 80.0, 40.0 - reach, 1e-2);
                let from_above = terrain.still().sweep(shape, dvec2(-off, 40.0), dvec2(0.0, -80.0));
                let hit = from_above.expect("the corner is in the way");
                near(hit.time * 80.0, 40.0 - reach, 1e-2);
            }
        }
    }
}

/// Parallelograms meet in a corner, off by rounding errors, and another solid far away pulls some of their sides in
/// line with its own: edges of slivers lie between the long ones and turn in any direction.
#[test]
fn slivers_that_turn_the_wrong_way_around_a_corner_do_not_hide_it() {
    let shape = Collider::ellipse(10.0, 19.0);
    for error in [0.0, 0.1, 0.5, 1.0, 1.5, 2.0, 2.8] {
        // Multiples of a millionth of a pixel.
        let e = |millionths: f64| error * millionths * 1e-6;
        let outlines = [
            points(&[(e(-0.301), 0.0), (e(-0.0006), 0.0), (-35.5, 160.0), (-35.5 + e(-0.3), 160.0)]),
            points(&[(e(-2.81), -225.0), (e(-1.89), -225.0), (20.0, -215.0), (20.0 - e(0.93), -215.0)]),
            points(&[(e(-0.312), e(-0.275)), (3.75 + e(-0.312), e(-0.275)), (23.75, 10.0), (20.0 + e(-0.312), 10.0)]),
            points(&[(e(-0.284), e(-0.279)), (10.0, e(-0.279)), (10.0, e(-0.0104)), (e(-0.284), e(-0.0104))]),
        ];
        let outlines: Vec<_> = outlines.iter().flat_map(|o| polygon::outline(o)).collect();
        let terrain = terrain_of(&outlines);
        // Higher up, the long side that leans to the left stops the body first.
        for off in [-18.0, -16.0, -14.0, -11.0, -9.0] {
            let reach = 10.0 * (1.0 - (off / 19.0_f64).powi(2)).sqrt();
            let sweep = |motion| terrain.still().sweep(shape, dvec2(-40.0, off), motion);
            let hit = sweep(dvec2(80.0, 0.0)).expect("the corner is in the way");
            near(hit.time * 80.0, 40.0 - reach, 1e-2);
        }
    }
}

/// A sliver lies along the lower side of a box, off by rounding errors, and other slivers make joining move that side to
/// the other side of it.
#[test]
fn a_sliver_along_a_side_leaves_no_hole_in_it() {
    let shape = Collider::ellipse(10.0, 19.0);
    let terrain = terrain_of(&[
        points(&[
            (-15.000000301365683, -15.0),
            (-15.000000000610362, -15.0),
            (-50.500000000610356, -4.999999727931639),
            (-50.50000030136568, -4.999999727931639),
        ]),
        points(&[
            (-15.00000269642176, -15.000001562066071),
            (-15.000002421911956, -15.000001562066071),
            (-15.000002421911956, -5.000001562067071),
            (-15.00000269642176, -5.000001562067071),
        ]),
        points(&[
            (-15.000004999923705, -14.999998790112153),
            (144.9999950000763, -14.999998790112153),
            (144.9999950000763, -14.999998595864804),
            (-15.000004999923705, -14.999998595864804),
        ]),
        points(&[
            (-15.000000274509803, -15.0),
            (54.9999997254902, -15.0),
            (54.9999997254902, 55.0),
            (-15.000000274509803, 55.0),
        ]),
    ]);
    for x in [-10.0, 5.0, 20.0, 35.0, 50.0, 75.0, 125.0] {
        let sweep = |y: f64, by: f64| terrain.still().sweep(shape, dvec2(x, y), dvec2(0.0, by));
        let hit = sweep(-75.0, 80.0).expect("the lower side is in the way");
        near(hit.time * 80.0, 60.0 - 19.0, 1e-4);
        // Beyond the box the sliver alone is there.
        let top = if x < 55.0 { 55.0 } else { -15.0 };
        let hit = sweep(top + 60.0, -80.0).expect("the upper side is in the way");
        near(hit.time * 80.0, 60.0 - 19.0, 1e-4);
    }
}

/// Slivers around one corner, whose joined edges lead into a circle that does not come back.
#[test]
fn outlines_that_almost_coincide_take_little_memory() {
    let (x, y) = (-15.000_000_274_509_803, -15.000_000_274_509_803);
    let outlines = [
        vec![
            (-14.999_999_531_090_257, -15.000_001),
            (-14.999_999_256_580_454, -15.000_001),
            (-14.999_999_256_580_454, 65.000_008_921_873_81),
            (-14.999_999_531_090_257, 65.000_008_921_873_81),
        ],
        vec![
            (-15.000_002_696_421_76, -15.000_001_562_066_071),
            (-15.000_002_421_911_956, -15.000_001_562_066_071),
            (4.999_997_578_088_045_5, -5.0),
            (4.999_997_303_578_24, -5.0),
        ],
        vec![(x, y), (-15.0, y), (-15.0, -4.999_998_731_670_1), (x, -4.999_998_731_670_1)],
        vec![
            (x, y),
            (-12.500_000_274_509_803, y),
            (-48.000_000_274_509_8, -11.250_000_274_509_803),
            (-50.500_000_274_509_8, -11.250_000_274_509_803),
        ],
    ];
    let outlines = outlines.map(|outline| polygon::outline(&points(&outline)).expect("it has an area"));
    let terrain = terrain_of(&outlines);
    let sides: usize = outlines.iter().map(Vec::len).sum();
    assert!((4..=4 * sides).contains(&terrain.edges().len()));
}

#[test]
fn a_sliver_is_not_turned_inside_out_by_the_solids_around_it() {
    let sliver = points(&[
        (-20.000_008_460_2, -82.500_007_155_5),
        (-82.500_003_058_8, -82.500_001_530_4),
        (-7.500_001_530_4, -82.500_009_882_0),
    ]);
    let sliver = polygon::outline(&sliver).expect("it has an area");
    let terrain = terrain_of(&[sliver, rectangle(-240.0, -240.0, 160.0, 160.0)]);
    let (shape, from) = (Collider::ellipse(31.0, 29.0), dvec2(267.5, -82.5));
    let hit = terrain.still().sweep(shape, from, dvec2(-480.0, 0.0));
    let hit = hit.expect("its tip is in the way");
    near(hit.time * 480.0, 267.5 + 7.5 - 31.0, 1e-3);
}

/// Moving the short side at the tip into line with the long one folds it over that.
#[test]
fn a_tip_that_is_moved_into_line_stops_bodies() {
    let shape = Collider::ellipse(2.34, 36.27);
    for short in [2e-6, 5e-6, 1e-5] {
        for steep in [0.05, 0.4, 0.75] {
            let tip = points(&[
                (-74.9, -42.499),
                (-62.4, -42.500_001),
                (-62.4 - short, -42.500_001 + short * steep),
                (-74.899, -30.0),
            ]);
            let tip = polygon::outline(&tip).expect("it has an area");
            let terrain = terrain_of(&[tip, rectangle(-240.0, -240.0, 160.0, 160.0), rectangle(-15.0, 0.0, 80.0, 4.0)]);
            for off in [-30.0, -1.2, 0.0, 8.0_f64] {
                let reach = 2.34 * (1.0 - (off / 36.27).powi(2)).sqrt();
                let hit = terrain.still().sweep(shape, dvec2(-19.0, -42.5 + off), dvec2(-60.0, 0.0));
                let hit = hit.expect("the tip is in the way");
                near(hit.time * 60.0, 62.4 - 19.0 - reach, 1e-2);
            }
        }
    }
}
