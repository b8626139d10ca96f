//! Convex parts of outlines, cuts and centers of mass, compared with identities, closed formulas and
//! exact integers.

use crate::{
    common::near,
    ground::{crowded_star, star, tried},
};
use glam::{DVec2, dvec2};
use hangtime_core::geometry::{
    convex::{Clip, ConvexPart, MOST_CLIP, first_inward_corner, mass_center, parts},
    polygon::{contains, doubled_area, outline},
};
use proptest::prelude::*;
use std::f64::consts::TAU;

fn vector(size: f64) -> impl Strategy<Value = DVec2> {
    (-size..size, -size..size).prop_map(|(x, y)| dvec2(x, y))
}

fn direction() -> impl Strategy<Value = DVec2> {
    (0.0..TAU).prop_map(|angle| dvec2(angle.cos(), angle.sin()))
}

/// Columns of integer heights, rotated and far away, with a corner at every column:
/// many corners are collinear.
fn skyline() -> impl Strategy<Value = Vec<DVec2>> {
    let heights = prop::collection::vec(1..5_i32, 2..9);
    (heights, direction(), vector(16_000.0), any::<bool>()).prop_map(|(heights, turn, at, turned)| {
        let mut points: Vec<DVec2> = (0..=heights.len()).map(|x| dvec2(x as f64, 0.0)).collect();
        for (x, height) in heights.iter().enumerate().rev() {
            points.push(dvec2(x as f64 + 1.0, f64::from(*height)));
            points.push(dvec2(x as f64, f64::from(*height)));
        }
        points.dedup();
        if turned {
            points.iter_mut().for_each(|p| *p = turn.rotate(*p) * 7.0 + at);
        }
        points
    })
}

/// Stars with an extra corner in the middle of each edge.
fn straight_star() -> impl Strategy<Value = Vec<DVec2>> {
    crowded_star().prop_map(|star| {
        let next = star.iter().cycle().skip(1);
        let pairs = star.iter().zip(next);
        pairs.flat_map(|(a, b)| [*a, a.midpoint(*b)]).collect()
    })
}

fn any_outline() -> impl Strategy<Value = Vec<DVec2>> {
    prop_oneof![crowded_star(), straight_star(), skyline()]
        .prop_filter_map("an outline", |points| outline(&points).ok())
}

/// A convex outline of at most 16 corners anywhere in the range of levels.
fn convex() -> impl Strategy<Value = Vec<DVec2>> {
    let far = star((-16_000.0..16_000.0, -16_000.0..16_000.0), 8.0..120.0);
    prop_oneof![crowded_star(), far].prop_filter_map("an outline", |points| {
        let all = parts(&outline(&points).ok()?, 16);
        all.into_iter().next().map(|part| part.points)
    })
}

fn clip(points: &[DVec2]) -> Clip {
    Clip::of(points).expect("at most 16 corners")
}

fn area(clip: &Clip) -> f64 {
    clip.area_and_barycenter().map_or(0.0, |(area, _)| area)
}

/// The area of a triangle behind a line, computed from the heights of its corners.
fn area_behind(triangle: [DVec2; 3], start: DVec2, normal: DVec2) -> f64 {
    let area = doubled_area(&triangle) / 2.0;
    let mut heights = triangle.map(|p| normal.dot(p - start));
    heights.sort_by(f64::total_cmp);
    let [low, middle, high] = heights;
    if high <= 0.0 {
        area
    } else if low >= 0.0 {
        0.0
    } else if middle <= 0.0 {
        area * (1.0 - high * high / ((high - low) * (high - middle)))
    } else {
        area * low * low / ((low - middle) * (low - high))
    }
}

fn sides(part: &ConvexPart) -> impl Iterator<Item = (DVec2, DVec2, Option<u32>)> + '_ {
    let next = part.points.iter().cycle().skip(1);
    let pairs = part.points.iter().zip(next);
    pairs.zip(&part.edges).map(|((a, b), edge)| (*a, *b, *edge))
}

/// The distance of a point from the nearest side of an outline, px.
fn distance(points: &[DVec2], at: DVec2) -> f64 {
    let next = points.iter().cycle().skip(1);
    let sides = points.iter().zip(next).map(|(a, b)| {
        let span = *b - *a;
        let share = ((at - *a).dot(span) / span.length_squared()).clamp(0.0, 1.0);
        (*a + span * share).distance(at)
    });
    sides.fold(f64::INFINITY, f64::min)
}

proptest! {
    #![proptest_config(tried(2000))]

    #[test]
    fn parts_cover_exactly_the_outline(
        points in any_outline(),
        most in 3..17_usize,
        shares in prop::collection::vec((0.0..1.0_f64, 0.0..1.0_f64), 20),
    ) {
        let all = parts(&points, most);
        let sum: f64 = all.iter().map(|part| doubled_area(&part.points)).sum();
        let whole = doubled_area(&points);
        prop_assert!((sum - whole).abs() <= 1e-9 * whole, "{sum} of {whole}");
        let (min, max) = points.iter().fold((DVec2::INFINITY, DVec2::NEG_INFINITY), |(a, b), p| {
            (a.min(*p), b.max(*p))
        });
        for (x, y) in shares {
            let at = min + (max - min) * dvec2(x, y);
            if all.iter().any(|part| distance(&part.points, at) < 1e-6) {
                continue;
            }
            let holders = all.iter().filter(|part| contains(&part.points, at)).count();
            prop_assert_eq!(holders, usize::from(contains(&points, at)), "at {}", at);
        }
    }

    #[test]
    fn parts_are_convex_and_have_at_most_the_given_corners(
        points in any_outline(),
        most in 3..17_usize,
    ) {
        for part in parts(&points, most) {
            prop_assert!(part.points.len() >= 3 && part.points.len() <= most);
            prop_assert_eq!(part.points.len(), part.edges.len());
            prop_assert_eq!(first_inward_corner(&part.points), None);
            prop_assert!(area(&clip(&part.points)) > 1e-9, "no thinner than the outline");
            for (a, b, _) in sides(&part) {
                let along = (b - a).normalize();
                for p in &part.points {
                    prop_assert!(along.perp_dot(*p - a) > -1e-6, "{} beyond {} {}", p, a, b);
                }
            }
        }
    }

    #[test]
    fn every_outline_edge_belongs_to_one_part_and_every_cut_to_two(
        points in any_outline(),
        most in 3..17_usize,
    ) {
        let all = parts(&points, most);
        let mut seen = vec![0; points.len()];
        let mut cuts = vec![];
        for (a, b, edge) in all.iter().flat_map(sides) {
            let Some(edge) = edge else {
                cuts.push((a, b));
                continue;
            };
            let edge = edge as usize;
            prop_assert_eq!((a, b), (points[edge], points[(edge + 1) % points.len()]));
            seen[edge] += 1;
        }
        prop_assert_eq!(seen, vec![1; points.len()]);
        for (a, b) in &cuts {
            prop_assert_eq!(cuts.iter().filter(|cut| **cut == (*b, *a)).count(), 1);
        }
        prop_assert_eq!(cuts.len(), 2 * (all.len() - 1));
    }

    #[test]
    fn no_two_parts_could_still_be_merged(points in any_outline(), most in 3..17_usize) {
        let all = parts(&points, most);
        for (i, left) in all.iter().enumerate() {
            for right in &all[i + 1..] {
                let shared = sides(left)
                    .position(|(a, b, _)| sides(right).any(|(c, d, _)| (a, b) == (d, c)));
                let Some(at) = shared else { continue };
                let mut union = left.points.clone();
                union.rotate_left(at + 1);
                let seam = right.points.iter().position(|p| *p == left.points[at]);
                let mut rest = right.points.clone();
                rest.rotate_left(seam.expect("shared"));
                union.extend(&rest[1..rest.len() - 1]);
                prop_assert!(union.len() > most || first_inward_corner(&union).is_some());
            }
        }
    }

    #[test]
    fn a_cut_keeps_the_area_behind_it(
        points in convex(),
        place in vector(90.0),
        normal in direction(),
    ) {
        let middle = points[0].midpoint(points[points.len() / 2]);
        let start = middle + place;
        let whole = clip(&points);
        let (behind, before) = (whole.behind(start, normal), whole.behind(start, -normal));
        let expected: f64 = (1..points.len() - 1)
            .map(|i| area_behind([points[0], points[i], points[i + 1]], start, normal))
            .sum();
        // At this distance heights are exact to about 1e-11 px; a line is about 300 px long.
        prop_assert!((area(&behind) - expected).abs() < 1e-8);
        prop_assert!((area(&behind) + area(&before) - area(&whole)).abs() < 1e-8);
        for p in behind.points() {
            prop_assert!(normal.dot(*p - start) < 1e-10);
        }
        let weight = |clip: &Clip| {
            clip.area_and_barycenter().map_or(DVec2::ZERO, |(area, at)| (at - middle) * area)
        };
        let together = weight(&behind) + weight(&before);
        prop_assert!((together - weight(&whole)).length() < 1e-6, "{}", together);
    }

    #[test]
    fn the_order_of_cuts_does_not_matter(
        points in convex(),
        lines in prop::collection::vec((vector(60.0), direction()), 0..7),
        along in direction(),
    ) {
        let middle = points[0].midpoint(points[points.len() / 2]);
        let cut = |clip: Clip, (place, normal): &(DVec2, DVec2)| clip.behind(middle + *place, *normal);
        let left = lines.iter().fold(clip(&points), cut);
        let right = lines.iter().rev().fold(clip(&points), cut);
        prop_assert!((area(&left) - area(&right)).abs() < 1e-8);
        let mut in_place = clip(&points);
        for (place, normal) in &lines {
            in_place.keep_behind(middle + *place, *normal);
        }
        prop_assert_eq!(in_place.points(), left.points());
        prop_assert!(left.points().len() <= points.len() + lines.len());
        let (least, most) = left.extent(along);
        for p in left.points() {
            prop_assert!(lines.iter().all(|(place, n)| n.dot(*p - middle - *place) < 1e-10));
            prop_assert!(least <= along.dot(*p) && along.dot(*p) <= most);
        }
        if let Some((_, at)) = left.area_and_barycenter() {
            prop_assert!(least - 1e-9 <= along.dot(at) && along.dot(at) <= most + 1e-9);
        }
    }

    #[test]
    fn a_lens_shaped_sliver_has_its_exact_area_and_barycenter(
        (x, y) in (-16_000..16_000_i64, -16_000..16_000_i64),
        along in direction(),
        thickness in 1e-3..1e-2_f64,
    ) {
        // All coordinates are multiples of one unit, so sums are exact.
        let unit = f64::from(1 << 26);
        let at = |share: f64, height: f64| {
            let p = along * (share * 300.0) + along.perp() * (height * thickness);
            ((p.x * unit).round() as i128 + (x << 26) as i128, (p.y * unit).round() as i128 + (y << 26) as i128)
        };
        let below = [-1.0, -0.5, 0.0, 0.5].map(|s| at(s, s * s - 1.0));
        let above = [1.0, 0.5, 0.0, -0.5].map(|s| at(s, 1.0 - s * s));
        let corners = [below, above].concat();
        let (first_x, first_y) = corners[0];
        let (mut doubled, mut sum_x, mut sum_y) = (0_i128, 0_i128, 0_i128);
        for (i, &(ax, ay)) in corners.iter().enumerate() {
            let (bx, by) = corners[(i + 1) % corners.len()];
            let (ax, ay, bx, by) = (ax - first_x, ay - first_y, bx - first_x, by - first_y);
            let cross = ax * by - ay * bx;
            doubled += cross;
            sum_x += (ax + bx) * cross;
            sum_y += (ay + by) * cross;
        }
        let px = |p: &(i128, i128)| dvec2(p.0 as f64 / unit, p.1 as f64 / unit);
        let points: Vec<DVec2> = corners.iter().map(px).collect();
        let (area, barycenter) = clip(&points).area_and_barycenter().expect("thick enough");
        let expected = doubled as f64 / (2.0 * unit * unit);
        prop_assert!((area - expected).abs() < 1e-10 * expected, "{area} {expected}");
        let from_first = dvec2(sum_x as f64, sum_y as f64) / (3.0 * doubled as f64 * unit);
        prop_assert!((barycenter - points[0]).distance(from_first) < 1e-9);
        let (_, center, _) = mass_center(std::slice::from_ref(&points));
        prop_assert!((center - points[0]).distance(from_first) < 1e-9);
    }

    #[test]
    fn a_box_has_the_textbook_moment_of_inertia_anywhere(
        half in (0.5..200.0_f64, 0.5..200.0_f64),
        middle in vector(16_000.0),
        turn in direction(),
    ) {
        let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
            .map(|(x, y)| middle + turn.rotate(dvec2(x * half.0, y * half.1)));
        let (area, center, moment) = mass_center(&[corners.to_vec()]);
        let (w, h) = (2.0 * half.0, 2.0 * half.1);
        prop_assert!((area - w * h).abs() < 1e-11 * (w + h) * 20.0);
        prop_assert!(center.distance(middle) < 1e-9);
        prop_assert!((moment - (w * w + h * h) / 12.0).abs() < 1e-11 * (w + h) * 20.0);
    }

    #[test]
    fn the_mass_of_the_parts_is_that_of_the_whole(points in any_outline(), most in 3..17_usize) {
        let pieces: Vec<Vec<DVec2>> = parts(&points, most).into_iter().map(|p| p.points).collect();
        let (area, center, moment) = mass_center(&pieces);
        let whole = mass_center(std::slice::from_ref(&points));
        prop_assert!((area - whole.0).abs() < 1e-9 * area);
        prop_assert!(center.distance(whole.1) < 1e-9);
        prop_assert!((moment - whole.2).abs() < 1e-9 * moment);
    }
}

fn points(list: &[(f64, f64)]) -> Vec<DVec2> {
    list.iter().map(|p| dvec2(p.0, p.1)).collect()
}

/// Corners on a circle, counterclockwise.
fn regular(count: u32, radius: f64) -> Vec<DVec2> {
    let at = |i: u32| TAU * f64::from(i) / f64::from(count);
    (0..count).map(|i| dvec2(at(i).cos(), at(i).sin()) * radius).collect()
}

#[test]
fn a_convex_outline_is_its_own_part() {
    let straight = points(&[(0.0, 0.0), (2.0, 0.0), (4.0, 0.0), (4.0, 3.0), (0.0, 3.0)]);
    for outline in [regular(3, 9.0), regular(16, 50.0), straight] {
        let edges = (0..outline.len() as u32).map(Some).collect();
        let whole = ConvexPart { points: outline.clone(), edges };
        assert_eq!(parts(&outline, outline.len()), [whole]);
    }
    assert_eq!(parts(&regular(17, 50.0), 16).len(), 2);
    let (few, most) = (parts(&regular(5, 50.0), 0), 3);
    assert!(few.len() == 3 && few.iter().all(|part| part.points.len() == most));
}

#[test]
fn an_l_shape_has_two_parts_and_the_mass_of_its_two_boxes() {
    // 30 by 10 at the bottom, 10 by 20 on its left end.
    let l = points(&[(0.0, 0.0), (30.0, 0.0), (30.0, 10.0), (10.0, 10.0), (10.0, 30.0), (0.0, 30.0)]);
    assert_eq!(first_inward_corner(&l), Some(3));
    assert_eq!(parts(&l, 16).len(), 2);
    let (area, center, moment) = mass_center(&[l]);
    let (foot, stem) = ((300.0, dvec2(15.0, 5.0)), (200.0, dvec2(5.0, 20.0)));
    let middle = (foot.1 * foot.0 + stem.1 * stem.0) / 500.0;
    // Parallel axes: each box about its center, plus its center about the common one.
    let of = |(area, at): (f64, DVec2), w: f64, h: f64| area * ((w * w + h * h) / 12.0 + at.distance_squared(middle));
    let expected = (of(foot, 30.0, 10.0) + of(stem, 10.0, 20.0)) / 500.0;
    near(area, 500.0, 1e-12);
    near(center.distance(middle), 0.0, 1e-12);
    near(moment, expected, 1e-10);
}

#[test]
fn pieces_without_area_have_no_mass() {
    assert_eq!(mass_center(&[]), (0.0, DVec2::ZERO, 0.0));
    let line = points(&[(3.0, 4.0), (9.0, 4.0), (5.0, 4.0)]);
    assert_eq!(mass_center(&[vec![], line]), (0.0, dvec2(3.0, 4.0), 0.0));
}

#[test]
fn a_concave_outline_names_its_first_concave_corner() {
    assert_eq!(first_inward_corner(&regular(40, 1000.0)), None);
    let dent = |y: f64| points(&[(0.0, 0.0), (500.0, y), (1000.0, 0.0), (500.0, 900.0)]);
    assert_eq!(first_inward_corner(&dent(0.0)), None);
    // The sine is twice the height over half the length: 4e-11 and 4e-8.
    assert_eq!(first_inward_corner(&dent(1e-8)), None);
    assert_eq!(first_inward_corner(&dent(1e-5)), Some(1));
}

#[test]
fn a_clip_starts_with_at_most_16_corners() {
    assert!(Clip::of(&regular(17, 10.0)).is_none());
    let whole = regular(16, 10.0);
    assert_eq!(clip(&whole).points(), whole);
    assert_eq!(clip(&[]).points(), []);
    assert_eq!(clip(&[]).area_and_barycenter(), None);
}

#[test]
fn cuts_beyond_the_capacity_only_shrink_the_result() {
    let whole = clip(&regular(16, 100.0));
    for cuts in [16, 17, 40, 97] {
        for radius in [99.0, 98.2, 60.0] {
            let mut left = whole;
            for normal in regular(cuts, 1.0) {
                let next = left.behind(normal * radius, normal);
                assert!(next.points().len() <= MOST_CLIP);
                assert!(area(&next) <= area(&left) + 1e-9);
                assert_eq!(first_inward_corner(next.points()), None);
                left = next;
            }
            for p in left.points() {
                let farthest = regular(cuts, 1.0).iter().map(|n| n.dot(*p)).fold(0.0, f64::max);
                assert!(farthest < radius + 1e-9);
            }
            // The cuts leave the polygon of tangents of this circle, or the whole outline if
            // the circle contains it. Cuts beyond the capacity change little.
            let sides = f64::from(cuts);
            let around = sides * (TAU / 2.0 / sides).tan() * radius * radius;
            assert!(area(&left) > around.min(area(&whole)) * 0.98, "{cuts} {radius}");
        }
    }
}

#[test]
fn a_cut_along_an_edge_keeps_all_or_nothing() {
    let tile = clip(&points(&[(0.0, 0.0), (9.0, 0.0), (9.0, 4.0), (0.0, 4.0)]));
    assert_eq!(tile.behind(dvec2(-7.0, 4.0), DVec2::Y).points(), tile.points());
    let above = tile.behind(dvec2(-7.0, 4.0), -DVec2::Y);
    assert_eq!(above.area_and_barycenter(), None);
    let nothing = tile.behind(dvec2(0.0, -1.0), DVec2::Y);
    assert_eq!(nothing.points(), []);
    assert_eq!(nothing.extent(DVec2::X), (f64::INFINITY, f64::NEG_INFINITY));
    assert_eq!(nothing.behind(DVec2::ZERO, DVec2::X).points(), []);
    assert_eq!(tile.extent(DVec2::NEG_X), (-9.0, 0.0));
}

#[test]
fn a_cut_with_rounding_errors_still_cuts_once() {
    // Corners on both sides of the line y = 4, within rounding errors.
    let e = 1e-13;
    let list = [(0.0, 0.0), (9.0, 0.0), (9.0, 4.0 + e), (6.0, 4.0 - e), (3.0, 4.0 + e), (0.0, 4.0)];
    for turn in 0..list.len() {
        let mut rough = points(&list);
        rough.rotate_left(turn);
        let left = clip(&rough).behind(dvec2(1.0, 4.0), DVec2::Y);
        assert!(left.extent(DVec2::Y).1 <= 4.0);
        near(area(&left), 36.0, 1e-11);
    }
}

#[test]
fn a_sliver_within_rounding_errors_has_no_area() {
    let sliver = |x: f64, thickness: f64| {
        let corners = [(x, 0.0), (x + 1000.0, 0.0), (x + 1000.0, thickness), (x, thickness)];
        clip(&points(&corners)).area_and_barycenter()
    };
    assert_eq!(sliver(15_000.0, 1e-11), None);
    let (area, barycenter) = sliver(15_000.0, 1e-9).expect("thick enough");
    near(area, 1e-6, 1e-18);
    near(barycenter.x, 15_500.0, 1e-9);
}
