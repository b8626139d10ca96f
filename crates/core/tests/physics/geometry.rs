//! Sweeps, separations and walks, compared with slow but simple algorithms.

use crate::ground::{crowded_star, tried};
use glam::{DVec2, dvec2};
use hangtime_core::{
    geometry::{
        Collider, Grid,
        grid::Bounds,
        polygon::{OutlineError, contains, outline},
        separation::separation,
    },
    level::{Contact, Feature, GroundRule, Solid, SurfaceId, Terrain, slide, walk},
};
use proptest::prelude::*;

/// How deep a body may enter a solid, in units of its size, without being stopped.
const SLACK: f64 = 3e-7;

fn terrain_of(stars: &[Vec<DVec2>]) -> (Terrain, Vec<Vec<DVec2>>) {
    let outlines: Vec<Vec<DVec2>> = stars.iter().filter_map(|s| outline(s).ok()).collect();
    let solids = outlines.iter().map(|p| Solid::new("solid".into(), SurfaceId(0), p.clone()));
    (Terrain::new(solids.collect()), outlines)
}

/// The gap to the nearest solid, in units of the body's size.
fn gap(shape: Collider, at: DVec2, outlines: &[Vec<DVec2>]) -> f64 {
    outlines.iter().map(|p| separation(shape, at, p).gap).fold(f64::INFINITY, f64::min)
}

fn shape() -> impl Strategy<Value = Collider> {
    (2.0..40.0_f64, 2.0..40.0_f64).prop_map(|(x, y)| Collider::ellipse(x, y))
}

fn vector(size: f64) -> impl Strategy<Value = DVec2> {
    (-size..size, -size..size).prop_map(|(x, y)| dvec2(x, y))
}

proptest! {
    #![proptest_config(tried(3000))]

    #[test]
    fn a_sweep_stops_at_the_first_touch(
        stars in prop::collection::vec(crowded_star(), 1..4),
        shape in shape(),
        from in vector(300.0),
        motion in vector(400.0),
    ) {
        let (terrain, outlines) = terrain_of(&stars);
        if gap(shape, from, &outlines) <= SLACK {
            return Ok(());
        }
        let hit = terrain.still().sweep(shape, from, motion);
        let free = hit.map_or(1.0, |h| h.time);
        prop_assert!((0.0..=1.0).contains(&free));
        for step in 0..=60 {
            let at = from + motion * free * (f64::from(step) / 60.0);
            let gap = gap(shape, at, &outlines);
            prop_assert!(gap > -SLACK, "inside by {gap} at share {step}/60 of {free}");
        }
        if let Some(hit) = hit {
            let touch = gap(shape, from + motion * hit.time, &outlines);
            prop_assert!(touch.abs() < SLACK, "stopped {touch} away");
            prop_assert!(motion.dot(hit.normal) < 0.0);
            prop_assert!((hit.normal.length() - 1.0).abs() < 1e-9);
        }
    }

    #[test]
    fn a_hit_has_a_normal_of_the_outline(
        stars in prop::collection::vec(crowded_star(), 1..4),
        shape in shape(),
        from in vector(300.0),
        motion in vector(400.0),
    ) {
        let (terrain, outlines) = terrain_of(&stars);
        if gap(shape, from, &outlines) <= SLACK {
            return Ok(());
        }
        if let Some(hit) = terrain.still().sweep(shape, from, motion) {
            match hit.feature {
                Feature::Face(edge) => {
                    prop_assert_eq!(hit.normal, terrain.edge(edge).face.normal);
                }
                Feature::Corner(edge) => {
                    let ends = terrain.edge(edge).face.normal;
                    let begins = terrain.edge(terrain.edge(edge).after).face.normal;
                    // The normal is within the counterclockwise cone between the two.
                    prop_assert!(ends.perp_dot(hit.normal) > -1e-6);
                    prop_assert!(hit.normal.perp_dot(begins) > -1e-6);
                }
            }
        }
    }

    #[test]
    fn a_slide_never_ends_inside_a_solid(
        stars in prop::collection::vec(crowded_star(), 1..4),
        shape in shape(),
        from in vector(300.0),
        motion in vector(400.0),
    ) {
        let (terrain, outlines) = terrain_of(&stars);
        if gap(shape, from, &outlines) <= SLACK {
            return Ok(());
        }
        let slid = slide(&terrain.still(), shape, from, motion, |_, _| false);
        let gap = gap(shape, slid.pos, &outlines);
        prop_assert!(gap > -5.0 * SLACK, "inside by {}", gap);
        let clipped = slid.bumps.clip(motion);
        for hit in slid.bumps.iter() {
            prop_assert!(clipped.dot(hit.normal) > -1e-6);
        }
    }

    #[test]
    fn repeated_slides_stay_outside_of_solids(
        stars in prop::collection::vec(crowded_star(), 1..4),
        shape in shape(),
        from in vector(300.0),
        motions in prop::collection::vec(vector(60.0), 40),
    ) {
        let (terrain, outlines) = terrain_of(&stars);
        if gap(shape, from, &outlines) <= SLACK {
            return Ok(());
        }
        let mut at = from;
        for motion in motions {
            at = slide(&terrain.still(), shape, at, motion, |_, _| false).pos;
            let gap = gap(shape, at, &outlines);
            prop_assert!(gap > -5.0 * SLACK, "inside by {}", gap);
        }
    }

    #[test]
    fn push_out_leaves_every_solid(
        stars in prop::collection::vec(crowded_star(), 1..3),
        shape in shape(),
        at in vector(150.0),
    ) {
        let (terrain, outlines) = terrain_of(&stars);
        if let Some(free) = terrain.still().push_out(shape, at) {
            let gap = gap(shape, free, &outlines);
            prop_assert!(gap > -SLACK, "still inside by {}", gap);
        }
    }

    #[test]
    fn separation_is_the_distance_to_move(star in crowded_star(), shape in shape(), at in vector(250.0)) {
        let Ok(points) = outline(&star) else { return Ok(()) };
        let apart = separation(shape, at, &points);
        prop_assert_eq!(apart.overlaps(), apart.gap < -1e-7);
        // Sample the outline's nearest point where the body is a circle.
        let nearest = samples(&points)
            .map(|p| shape.to_unit(p - at).length())
            .fold(f64::INFINITY, f64::min);
        let signed = if contains(&points, at) { -nearest } else { nearest };
        prop_assert!((apart.gap - (signed - 1.0)).abs() < 0.2, "{} {}", apart.gap, signed - 1.0);
        let touching = separation(shape, at + apart.to_touch, &points);
        // One step is exact unless another part of the outline blocks it.
        prop_assert!(touching.gap <= 1e-6);
    }

    #[test]
    fn walking_never_enters_the_ground_or_floats(
        heights in prop::collection::vec(-60.0..60.0_f64, 12),
        distances in prop::collection::vec(-30.0..30.0_f64, 60),
    ) {
        // Hilly ground, partly too steep to walk on.
        let mut points: Vec<DVec2> =
            heights.iter().enumerate().map(|(i, h)| dvec2(i as f64 * 60.0 - 330.0, *h)).collect();
        points.reverse();
        points.extend([dvec2(-330.0, -500.0), dvec2(330.0, -500.0)]);
        let (terrain, outlines) = terrain_of(&[points]);
        let shape = Collider::ellipse(10.0, 19.0);
        let rule = GroundRule { up: 1.0, least_up: 0.5_f64.sqrt(), probe: 0.5, adherence: 20.0, step: 0.0 };
        let high = dvec2(0.0, 200.0);
        let Some(hit) = terrain.still().probe(shape, high, 400.0) else { return Ok(()) };
        let Some(mut contact) = Contact::of(&terrain.still(), &hit, &rule) else { return Ok(()) };
        let mut at = high - dvec2(0.0, 400.0 * hit.time);
        for distance in distances {
            let walked = walk(&terrain.still(), shape, at, contact, distance, &rule);
            let gap = gap(shape, walked.pos, &outlines);
            prop_assert!(gap > -1e-6, "inside by {} at {}", gap, walked.pos);
            if !walked.standing {
                break;
            }
            prop_assert!(gap < 1e-6, "floats by {} at {}", gap, walked.pos);
            let moved = (walked.pos - at).length();
            prop_assert!(moved <= distance.abs() + 21.0, "{} for {}", moved, distance);
            (at, contact) = (walked.pos, walked.contact);
        }
    }

    #[test]
    fn the_grid_finds_every_edge(
        boxes in prop::collection::vec((vector(500.0), vector(80.0)), 1..60),
        area in (vector(600.0), vector(200.0)),
        cell in 5.0..200.0_f64,
    ) {
        let boxes: Vec<(Bounds, usize)> =
            boxes.iter().map(|(a, d)| Bounds::of(*a, *a + *d)).zip(0..).collect();
        let grid = Grid::new(&boxes, cell);
        let area = Bounds::of(area.0, area.0 + area.1);
        let mut seen = vec![false; boxes.len()];
        grid.visit(&area, |i| seen[*i] = true);
        for ((b, _), seen) in boxes.iter().zip(seen) {
            prop_assert!(seen || !b.meets(&area));
        }
    }

    #[test]
    fn the_grid_finds_items_whose_far_end_is_at_the_end_of_a_cell(
        from in vector(50.0),
        cells in (0_u8..60, 0_u8..60),
        off in (-4_i64..=4, -4_i64..=4),
        cell in prop::sample::select(vec![5.0, 8.0, 10.0, 16.0, 20.0, 24.0, 64.0, 160.0]),
    ) {
        let end = |from: f64, cells: u8, off: i64| {
            let end = from + f64::from(cells) * cell;
            f64::from_bits((end.to_bits() as i64 + off) as u64)
        };
        let far = dvec2(end(from.x, cells.0, off.0), end(from.y, cells.1, off.1));
        let boxes = [(Bounds::of(from, from), 0_usize), (Bounds::of(far, far), 1)];
        let grid = Grid::new(&boxes, cell);
        for (bounds, item) in boxes {
            let mut seen = false;
            grid.visit(&bounds, |i| seen |= *i == item);
            prop_assert!(seen, "item {} at {:?}", item, bounds);
        }
    }

    #[test]
    fn outlines_become_counterclockwise(star in crowded_star()) {
        let Ok(points) = outline(&star) else { return Ok(()) };
        let mut reversed = star.clone();
        reversed.reverse();
        let back = outline(&reversed).expect("the same outline");
        prop_assert!(hangtime_core::geometry::polygon::doubled_area(&points) > 0.0);
        prop_assert!(hangtime_core::geometry::polygon::doubled_area(&back) > 0.0);
    }
}

/// Points along an outline, close together.
fn samples(points: &[DVec2]) -> impl Iterator<Item = DVec2> + '_ {
    (0..points.len()).flat_map(move |i| {
        let (a, b) = (points[i], points[(i + 1) % points.len()]);
        (0..200).map(move |k| a.lerp(b, f64::from(k) / 200.0))
    })
}

fn points(list: &[(f64, f64)]) -> Vec<DVec2> {
    list.iter().map(|p| dvec2(p.0, p.1)).collect()
}

#[test]
fn a_bad_outline_names_its_fault() {
    let nan = f64::NAN;
    for (list, fault) in [
        (points(&[(0.0, 0.0), (1.0, 0.0)]), OutlineError::TooFew),
        (points(&[(0.0, 0.0), (1.0, 0.0), (nan, 1.0)]), OutlineError::NonFinite(2)),
        (points(&[(0.0, 0.0), (1.0, 0.0), (1.0, 0.0), (0.0, 1.0)]), OutlineError::Duplicate(2)),
        (points(&[(0.0, 0.0), (1.0, 0.0), (2.0, 0.0)]), OutlineError::NoArea),
        (points(&[(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (4.0, 9.0), (4.0, 4.0), (0.0, 4.0)]), OutlineError::Spike(3)),
        (points(&[(0.0, 0.0), (4.0, 4.0), (4.0, 0.0), (0.0, 3.0)]), OutlineError::Crossing(0, 2)),
        (points(&[(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (2.0, 0.0), (0.0, 4.0)]), OutlineError::Crossing(0, 2)),
    ] {
        assert_eq!(outline(&list), Err(fault), "{list:?}");
    }
}

#[test]
fn sliding_over_aligned_tiles_equals_sliding_over_one_edge() {
    let shape = Collider::ellipse(10.0, 19.0);
    let tile = |x: f64| points(&[(x, -1.0), (x + 1.0, -1.0), (x + 1.0, 0.0), (x, 0.0)]);
    let tiles: Vec<Vec<DVec2>> = (0..400).map(|i| tile(f64::from(i))).collect();
    let (terrain, _) = terrain_of(&tiles);
    for y in [19.0, 19.0 + 1e-9, 19.0 - 1e-9] {
        for motion in [3.7, -3.7] {
            let mut at = dvec2(200.0, y);
            for _ in 0..40 {
                assert_eq!(terrain.still().sweep(shape, at, dvec2(motion, 0.0)), None, "at {at}");
                at.x += motion;
            }
        }
    }
}

#[test]
fn a_body_pushed_against_a_solid_does_not_move() {
    let (terrain, _) = terrain_of(&[points(&[(100.0, -50.0), (140.0, -50.0), (140.0, 50.0), (100.0, 50.0)])]);
    let shape = Collider::ellipse(10.0, 19.0);
    let first = slide(&terrain.still(), shape, dvec2(0.1, 3.0), dvec2(300.0, 0.0), |_, _| false).pos;
    for _ in 0..100 {
        let next = slide(&terrain.still(), shape, first, dvec2(7.3, 0.0), |_, _| false).pos;
        assert_eq!(next, first);
    }
}

#[test]
fn a_body_past_the_end_of_an_edge_is_not_stopped_by_it() {
    // A narrow body passes the end of a slanted edge: it crosses the edge's line only beyond
    // the edge's end.
    let wedge = points(&[(0.0, 0.0), (40.0, 4.0), (40.0, 60.0)]);
    let (terrain, outlines) = terrain_of(&[wedge]);
    for half in [(2.0, 30.0), (30.0, 2.0), (5.0, 19.0)] {
        let shape = Collider::ellipse(half.0, half.1);
        for x in -60..60 {
            for y in -80..100 {
                let at = dvec2(f64::from(x), f64::from(y));
                for motion in [dvec2(0.0, 50.0), dvec2(50.0, 0.0), dvec2(0.0, -50.0), dvec2(31.0, 9.0)] {
                    if gap(shape, at, &outlines) < SLACK {
                        continue;
                    }
                    if let Some(hit) = terrain.still().sweep(shape, at, motion) {
                        let apart = gap(shape, at + motion * hit.time, &outlines);
                        assert!(apart.abs() < SLACK, "{half:?} stopped {apart} away at {at}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_body_wedged_between_two_solids_finds_a_free_place() {
    let ground = points(&[
        (1042.4588, -150.0),
        (982.4588, -150.0),
        (962.4588, -110.6992),
        (900.0, -110.0),
        (900.0, -300.0),
        (1200.0, -300.0),
        (1200.0, -150.0),
    ]);
    let rock = points(&[
        (1021.12, -10.14),
        (987.52, -89.37),
        (1017.40, -114.27),
        (1038.15, -117.11),
        (1061.53, -110.29),
        (1088.90, -70.38),
    ]);
    let (terrain, outlines) = terrain_of(&[ground, rock]);
    let shape = Collider::ellipse(10.0, 19.0);
    let free = terrain.still().push_out(shape, dvec2(1015.58, -129.0)).expect("there is room");
    assert!(gap(shape, free, &outlines) > -SLACK);
    assert!(free.distance(dvec2(1015.58, -129.0)) < 100.0);
}

#[test]
fn a_walk_around_a_corner_is_as_long_as_the_way_of_the_center() {
    // A roof with its ridge at 0, rising and falling by 30°.
    let [up, down] = [1.0, -1.0].map(|side| dvec2(0.75_f64.sqrt(), 0.5 * side));
    let rule = GroundRule { up: 1.0, least_up: 0.5_f64.sqrt(), probe: 0.5, adherence: 20.0, step: 0.0 };
    let terrain = terrain_of(&[vec![up * -200.0, down * 200.0, DVec2::ZERO]]).0;
    for half in [dvec2(10.0, 10.0), dvec2(10.0, 19.0), dvec2(19.0, 10.0)] {
        let shape = Collider::ellipse(half.x, half.y);
        // Around the ridge, its center is on an ellipse, which is cut into short chords.
        let [first, last] = [up, down].map(|along| (half * along.perp()).to_angle());
        let around = |part: u32| half * DVec2::from_angle(first + (last - first) * f64::from(part) / 1e4);
        let way: f64 = (0..10_000).map(|part| around(part).distance(around(part + 1))).sum();
        let from = around(0) - up * 5.0;
        let normal = up.perp();
        for parts in [1, 3, 20] {
            let hit = terrain.still().probe(shape, from, 0.5).expect("it stands on the roof");
            let (mut at, mut contact) = (from, Contact::of(&terrain.still(), &hit, &rule).expect("ground"));
            assert!(contact.normal.distance(normal) < 1e-9);
            for _ in 0..parts {
                let walked = walk(&terrain.still(), shape, at, contact, (5.0 + way + 7.0) / f64::from(parts), &rule);
                assert!(walked.standing && walked.blocked.is_none());
                (at, contact) = (walked.pos, walked.contact);
            }
            let there = around(10_000) + down * 7.0;
            assert!(at.distance(there) < 1e-3, "{half} in {parts}: {at} instead of {there}");
        }
    }
}
