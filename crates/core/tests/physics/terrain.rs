//! Joined outlines, and one-way lines.

use crate::{
    common::{RATES, near},
    ground::{Ground, crowded_star, tried},
};
use glam::{DVec2, dvec2};
use hangtime_core::{
    geometry::{Collider, polygon, polygon::OutlineError, separation::separation},
    level::{Bend, LevelChanges, Path, PathEnd, Side, Solid, SurfaceId, Terrain, TickSpan, Transit, slide_in_tick},
    models::Action,
};
use proptest::prelude::*;

pub fn points(list: &[(f64, f64)]) -> Vec<DVec2> {
    list.iter().map(|p| dvec2(p.0, p.1)).collect()
}

pub fn rectangle(x: f64, y: f64, w: f64, h: f64) -> Vec<DVec2> {
    points(&[(x, y), (x + w, y), (x + w, y + h), (x, y + h)])
}

pub fn terrain_of(outlines: &[Vec<DVec2>]) -> Terrain {
    let solid = |(i, p): (usize, &Vec<DVec2>)| Solid::new(format!("solid {i}").into(), SurfaceId(i as u16), p.clone());
    Terrain::new(outlines.iter().enumerate().map(solid).collect())
}

/// The length of the outline of the union of several solids.
fn outline_length(terrain: &Terrain) -> f64 {
    terrain.edges().iter().map(|e| e.face.length).sum()
}

/// Whether every edge has a successor that starts at its end.
fn is_linked(terrain: &Terrain) -> bool {
    (0..terrain.edges().len() as u32).all(|i| {
        let edge = terrain.edge(i);
        let after = terrain.edge(edge.after);
        after.before == i && after.face.start.distance(edge.end) < 1e-5
    })
}

/// A box between multiples of ten whose corners are off by up to a few millionths of a pixel.
fn almost_aligned_box() -> impl Strategy<Value = Vec<DVec2>> {
    let near_zero = || prop_oneof![Just(0), -40..40].prop_map(|n| f64::from(n) * 1e-7);
    let off = prop::collection::vec((near_zero(), near_zero()), 4);
    let place = (-5..4, -5..4, 1..6, 1..6);
    (place, off, any::<bool>()).prop_map(|((x, y, w, h), off, straight)| {
        let corners = [(x, y), (x + w, y), (x + w, y + h), (x, y + h)];
        let corner =
            |((x, y), (dx, dy)): ((i32, i32), (f64, f64))| dvec2(f64::from(x) * 10.0 + dx, f64::from(y) * 10.0 + dy);
        let [(left, down), (right, up), ..] = off[..] else {
            unreachable!("four corners");
        };
        let straight_off = vec![(left, down), (right, down), (right, up), (left, up)];
        let off = if straight { straight_off } else { off };
        corners.into_iter().zip(off).map(corner).collect()
    })
}

#[test]
fn touching_tiles_have_one_outline() {
    for size in [1.0, 0.1, 3.7] {
        let mut tiles = Vec::new();
        for x in 0..5 {
            for y in 0..3 {
                // Steps that are not exact in binary leave gaps and overlaps of an ulp.
                tiles.push(rectangle(f64::from(x) * size, f64::from(y) * size, size, size));
            }
        }
        let terrain = terrain_of(&tiles);
        near(outline_length(&terrain), 16.0 * size, 1e-5);
        assert!(is_linked(&terrain));
        let corners = terrain.edges().iter().filter(|e| e.bend == Bend::Out).count();
        assert_eq!(corners, 4);
        assert!(terrain.edges().iter().all(|e| e.bend != Bend::In));
    }
}

#[test]
fn overlapping_solids_keep_their_surfaces_along_the_joined_outline() {
    // A cross of two bars.
    let terrain = terrain_of(&[rectangle(-30.0, -10.0, 60.0, 20.0), rectangle(-10.0, -30.0, 20.0, 60.0)]);
    near(outline_length(&terrain), 240.0, 1e-9);
    assert!(is_linked(&terrain));
    let notches = terrain.edges().iter().filter(|e| e.bend == Bend::In).count();
    assert_eq!(notches, 4);
    for edge in terrain.edges() {
        let middle = edge.face.start.midpoint(edge.end);
        let bar = usize::from(middle.x.abs() <= 10.0 && middle.y.abs() > 10.0 - 1e-9);
        assert_eq!(edge.surface, SurfaceId(bar as u16), "at {middle}");
    }
}

#[test]
fn no_side_is_lost_between_boxes_a_millionth_of_a_pixel_apart() {
    for off in (-60..=60).map(|n| f64::from(n) * 1e-7) {
        // The upper box has its left side almost in line with the lower one's; they overlap.
        let lower = rectangle(-30.0 + off, -30.0, 20.0, 20.0);
        let upper = rectangle(-30.0, -29.25, 160.0, 160.0);
        for outlines in [[lower.clone(), upper.clone()], [upper, lower]] {
            let terrain = terrain_of(&outlines);
            assert!(is_linked(&terrain), "{off}");
            near(outline_length(&terrain), 4.0 * 160.0 + 2.0 * 0.75, 1e-4);
        }
    }
}

/// The sides of the notch turn a body around more often than a slide follows.
#[test]
fn a_body_in_a_notch_of_a_moving_platform_is_carried_by_it() {
    let outline = points(&[
        (-60.0, 0.0),
        (-17.0, -60.0),
        (-40.0, 26.0),
        (-40.9, 29.5),
        (-41.4, 31.7),
        (23.4, 140.6),
        (-60.0, 130.0),
    ]);
    let outline = polygon::outline(&outline).expect("a simple polygon");
    for up in [-20.0, -3.0, 0.0, 3.0, 10.0, 25.0] {
        let way = vec![dvec2(0.0, 0.0), dvec2(0.0, up * 600.0)];
        let path = Path::new(way, f64::abs(up) * 60.0, PathEnd::PingPong);
        let solid = Solid::new("notch".into(), SurfaceId(0), outline.clone());
        let path = (up != 0.0).then_some(path);
        let terrain = Terrain::new(vec![Solid { path, ..solid }]);
        let changes = LevelChanges::default();
        for high in [20.0, 30.0, 40.0, 50.0] {
            for fast in [100.0, 480.0, 2000.0] {
                let mut transit = Transit::standing(terrain.platforms(), &changes, 0, 60.0);
                transit.step(terrain.platforms(), &changes, 0, 60.0);
                let scenery = terrain.moved(&transit);
                let span = TickSpan { left: 1.0, length: 1.0 };
                let shape = Collider::ellipse(31.0, 2.0);
                let from = dvec2(90.0, high);
                let slid = slide_in_tick(&scenery, shape, from, dvec2(-fast, 0.0), span, |_, _| false);
                let offset = transit.offsets.first().copied().unwrap_or_default();
                let apart = separation(shape, slid.pos - offset, &outline);
                let depth = -apart.to_touch.length() * apart.gap.signum();
                assert!(depth < 0.01, "{up} px a tick, {fast} px from {high}: {depth} px deep");
            }
        }
    }
}

#[test]
fn bodies_do_not_pass_through_the_smallest_solids() {
    let least = 1.01e-4;
    for size in [least, 1e-3, 0.1] {
        for flat in [1e-3, 0.1, 1.0] {
            for (w, h) in [(size, size * flat), (size * flat, size)] {
                let outline = polygon::outline(&rectangle(135.0, -240.0, w, h)).expect("large enough");
                let far = rectangle(500.0, 0.0, 10.0, 10.0);
                for outlines in [vec![outline.clone()], vec![outline, far]] {
                    let terrain = terrain_of(&outlines);
                    let (shape, from) = (Collider::ellipse(12.0, 12.0), dvec2(100.0, -240.0));
                    let hit = terrain.still().sweep(shape, from, dvec2(30.0, 0.0));
                    let hit = hit.expect("it is in the way");
                    near(hit.time * 30.0, 35.0 - 12.0, 1e-4);
                }
            }
        }
    }
    let small = polygon::outline(&rectangle(135.0, -240.0, 1e-6, 1e-6));
    assert_eq!(small, Err(OutlineError::TooSmall));
}

#[test]
fn duplicate_and_contained_solids_add_no_edges() {
    let big = rectangle(0.0, 0.0, 50.0, 50.0);
    let terrain = terrain_of(&[big.clone(), big, rectangle(10.0, 10.0, 5.0, 5.0), rectangle(0.0, 0.0, 20.0, 20.0)]);
    near(outline_length(&terrain), 200.0, 1e-9);
    assert!(is_linked(&terrain));
    assert!(terrain.edges().iter().all(|e| e.solid == 0));
}

#[test]
fn solids_that_touch_in_a_point_leave_no_gap() {
    let terrain = terrain_of(&[rectangle(0.0, 0.0, 10.0, 10.0), rectangle(10.0, 10.0, 10.0, 10.0)]);
    assert!(is_linked(&terrain));
    let notches = terrain.edges().iter().filter(|e| e.bend == Bend::In).count();
    assert_eq!(notches, 2);
}

proptest! {
    #![proptest_config(tried(2000))]

    #[test]
    fn a_joined_outline_borders_free_space(
        stars in prop::collection::vec(crowded_star(), 1..6),
    ) {
        let outlines: Vec<_> = stars.iter().filter_map(|s| polygon::outline(s).ok()).collect();
        let terrain = terrain_of(&outlines);
        prop_assert!(is_linked(&terrain));
        for edge in terrain.edges() {
            for share in [0.1, 0.5, 0.9] {
                let at = edge.face.start.lerp(edge.end, share) + edge.face.normal * 1e-5;
                let buried = outlines.iter().any(|p| polygon::contains(p, at));
                prop_assert!(!buried || edge.face.length < 1e-3, "{} is inside", at);
            }
        }
        // No border of free space is missing.
        for (i, outline) in outlines.iter().enumerate() {
            for (k, a) in outline.iter().enumerate() {
                let b = outline[(k + 1) % outline.len()];
                let normal = dvec2((b - *a).y, -(b - *a).x).normalize();
                for share in 1..20 {
                    let at = a.lerp(b, f64::from(share) / 20.0);
                    let free = outlines.iter().enumerate().all(|(j, p)| {
                        j == i || !(polygon::contains(p, at + normal * 1e-4) || polygon::contains(p, at - normal * 1e-4))
                    });
                    let there = terrain.edges().iter().any(|e| {
                        let along = (at - e.face.start).dot(e.face.along);
                        (at - e.face.start).dot(e.face.normal).abs() < 1e-6
                            && along > -1e-6 && along < e.face.length + 1e-6
                    });
                    prop_assert!(!free || there, "{} is missing", at);
                }
            }
        }
    }

    #[test]
    fn sides_that_almost_coincide_leave_no_hole_in_the_joined_outline(
        boxes in prop::collection::vec(almost_aligned_box(), 2..5),
    ) {
        let outlines: Vec<_> = boxes.iter().filter_map(|b| polygon::outline(b).ok()).collect();
        let terrain = terrain_of(&outlines);
        prop_assert!(is_linked(&terrain));
        for (x, y) in (-18..18).flat_map(|x| (-18..18).map(move |y| (x, y))) {
            // Away from all sides, which are close to multiples of ten.
            let at = dvec2(f64::from(x) * 3.0 + 1.5, f64::from(y) * 3.0 + 1.5);
            let solid = outlines.iter().any(|outline| polygon::contains(outline, at));
            let turns: f64 = terrain
                .edges()
                .iter()
                .map(|e| (e.face.start - at).angle_to(e.end - at) / std::f64::consts::TAU)
                .sum();
            near(turns, f64::from(u8::from(solid)), 1e-3);
        }
    }

    #[test]
    fn a_sweep_against_the_joined_outline_stops_at_the_first_solid(
        stars in prop::collection::vec(crowded_star(), 2..5),
        half in (2.0..40.0_f64, 2.0..40.0_f64),
        from in (-300.0..300.0_f64, -300.0..300.0_f64),
        motion in (-400.0..400.0_f64, -400.0..400.0_f64),
    ) {
        let outlines: Vec<_> = stars.iter().filter_map(|s| polygon::outline(s).ok()).collect();
        let (shape, from, motion) = (Collider::ellipse(half.0, half.1), DVec2::from(from), DVec2::from(motion));
        let joined = terrain_of(&outlines);
        if joined.still().overlap(shape, from).is_some() {
            return Ok(());
        }
        let each = outlines.iter().filter_map(|outline| {
            let alone = terrain_of(std::slice::from_ref(outline));
            alone.still().sweep(shape, from, motion).map(|hit| hit.time)
        });
        let first = each.fold(f64::INFINITY, f64::min);
        let time = joined.still().sweep(shape, from, motion).map_or(f64::INFINITY, |hit| hit.time);
        prop_assert!(first == time || (first - time).abs() * motion.length() < 1e-5, "{first} {time}");
    }
}

#[test]
fn the_farthest_walls_of_a_level_stop_bodies_wherever_they_are() {
    let shape = Collider::ellipse(12.0, 12.0);
    for size in (1..=60).map(|n| f64::from(n) * 10.0) {
        for offset in (0..200).map(|n| 30.0 + f64::from(n) / 255.0 * 1e-6) {
            let far = offset + size;
            let corners = [(offset, offset), (far, offset), (far, far), (offset, far)];
            let terrain = terrain_of(&[points(&corners)]);
            let along = offset + size / 2.0;
            for (from, motion) in
                [(dvec2(far + 70.0, along), dvec2(-316.9, 0.0)), (dvec2(along, far + 70.0), dvec2(0.0, -316.9))]
            {
                let hit = terrain.still().sweep(shape, from, motion).expect("a wall");
                near(hit.time * 316.9, 70.0 - 12.0, 1e-9);
            }
        }
    }
}

#[test]
fn sliding_over_a_floor_of_tiles_equals_one_edge_bit_for_bit() {
    for hz in RATES {
        let floor = Ground::none(hz).solid(&[(-6000.0, -1.0), (6000.0, -1.0), (6000.0, 0.0), (-6000.0, 0.0)]);
        let mut tiled = Ground::none(hz);
        for x in -6000..6000 {
            let x = f64::from(x);
            tiled = tiled.solid(&[(x, -1.0), (x + 1.0, -1.0), (x + 1.0, 0.0), (x, 0.0)]);
        }
        let (mut one, mut many) = (floor.at(-5000.3, 19.0).play(), tiled.at(-5000.3, 19.0).play());
        one.hold(Action::Right);
        many.hold(Action::Right);
        for _ in 0..16 * hz {
            let (a, b) = (one.tick(), many.tick());
            assert_eq!(b.vel.y, 0.0);
            assert!(b.grounded);
            assert_eq!((a.pos, a.vel), (b.pos, b.vel));
        }
        assert!(one.hero().pos.x > 5000.0, "it has come {} px", one.hero().pos.x + 5000.3);
    }
}

#[test]
fn a_floor_and_a_wall_on_it_form_a_notch() {
    let terrain = terrain_of(&[rectangle(-100.0, -20.0, 200.0, 20.0), rectangle(0.0, 0.0, 20.0, 60.0)]);
    assert!(is_linked(&terrain));
    let floor_under_wall = terrain.edges().iter().any(|e| {
        let middle = e.face.start.midpoint(e.end);
        e.face.normal == DVec2::Y && middle.x > 0.0 && middle.x < 20.0 && middle.y == 0.0
    });
    assert!(!floor_under_wall);
    assert!(terrain.edges().iter().all(|e| e.side == Side::Solid));
}
