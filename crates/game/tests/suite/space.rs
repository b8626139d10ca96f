//! Content of any size and any extent: what it finds is right, and what it takes is bounded.

use crate::{
    cast::{Cast, Member, stage_of},
    common::RATES,
    folder::Folder,
    ground::{Ground, tried},
};
use glam::{DVec2, dvec2};
use hangtime_core::{
    geometry::{
        Collider, Grid, Inside,
        convex::{first_inward_corner, parts},
        grid::{Bounds, Extent},
        polygon::{contains, doubled_area, outline},
    },
    level::{MOST_ZONES, Path, PathEnd, Solid, SurfaceId, Terrain, Transit, Zone, Zones},
    models::ModelName,
    sim::{EventKind, Inputs, NativeRules, SavedWorld, World},
};
use proptest::prelude::*;
use std::collections::BTreeMap;

/// Cell width of the grids, px.
const CELL: f64 = 40.0;

/// A straight edge.
type Line = [DVec2; 2];

fn anywhere(far: f64) -> impl Strategy<Value = DVec2> {
    (-far..far, -far..far).prop_map(DVec2::from)
}

/// A line of any length from 1e-10 to 1e6 px in any direction.
fn line() -> impl Strategy<Value = Line> {
    let far = prop_oneof![Just(50.0), Just(16_384.0), Just(1e6)];
    let from = far.prop_flat_map(anywhere);
    (from, -10.0..6.0_f64, 0..8_u32, 0.0..6.3_f64).prop_map(|(from, size, eighth, angle)| {
        // Half of them are level, upright or diagonal.
        let angle = match eighth {
            0..4 => f64::from(eighth) * std::f64::consts::FRAC_PI_4,
            _ => angle,
        };
        [from, from + DVec2::from_angle(angle) * 10_f64.powf(size)]
    })
}

/// A star with this many points around the origin.
fn star(count: std::ops::Range<usize>) -> impl Strategy<Value = Vec<DVec2>> {
    prop::collection::vec(20.0..300.0_f64, count).prop_map(|radii| {
        let step = std::f64::consts::TAU / radii.len() as f64;
        let point = |(i, radius): (usize, &f64)| DVec2::from_angle(step * i as f64) * *radius;
        radii.iter().enumerate().map(point).collect()
    })
}

/// Enough lines for a tree: a few hundred, some of them many times.
fn lines() -> impl Strategy<Value = Vec<Line>> {
    prop::collection::vec((line(), 1..25_usize), 1..120).prop_map(|list| {
        let again = |(line, times): (Line, usize)| {
            let step = DVec2::new(0.7, 0.3);
            (0..times).map(move |i| line.map(|p| p + step * i as f64))
        };
        list.into_iter().flat_map(again).collect()
    })
}

fn grid_of(lines: &[Line]) -> Grid<u32> {
    let boxes: Vec<(Bounds, u32)> = (0..).zip(lines).map(|(i, [a, b])| (Bounds::of(*a, *b), i)).collect();
    Grid::shaped(&boxes, CELL, |i| Extent::Line(lines[*i as usize]))
}

/// Whether a line meets a box, by cutting it down to the box.
fn meets([from, to]: Line, area: &Bounds) -> bool {
    let way = to - from;
    let (mut first, mut last) = (0.0_f64, 1.0_f64);
    for axis in 0..2 {
        if way[axis] == 0.0 {
            if from[axis] < area.min[axis] || from[axis] > area.max[axis] {
                return false;
            }
            continue;
        }
        let ends = [area.min, area.max].map(|p| (p[axis] - from[axis]) / way[axis]);
        first = first.max(ends[0].min(ends[1]));
        last = last.min(ends[0].max(ends[1]));
    }
    first <= last
}

proptest! {
    #![proptest_config(tried(10))]

    #[test]
    fn a_grid_finds_every_line_that_a_scan_finds(
        lines in lines(),
        picks in prop::collection::vec((any::<prop::sample::Index>(), 0.0..1.0_f64, anywhere(30.0), -4.0..4.0_f64), 20),
    ) {
        let grid = grid_of(&lines);
        for (pick, share, off, size) in picks {
            let [from, to] = lines[pick.index(lines.len())];
            let at = from.lerp(to, share) + off;
            let area = Bounds::of(at, at).grown(DVec2::splat(10_f64.powf(size)));
            let mut found = vec![false; lines.len()];
            grid.visit(&area, |i| found[*i as usize] = true);
            for (line, found) in lines.iter().zip(found) {
                prop_assert!(found || !meets(*line, &area), "{line:?} in {area:?}");
            }
        }
    }

    #[test]
    fn a_point_is_in_each_zone_once_and_in_the_order_of_the_file(
        boxes in prop::collection::vec((anywhere(3000.0), 1.0..4000.0_f64, 1.0..4000.0_f64), 1..400),
        points in prop::collection::vec(anywhere(3000.0), 30),
    ) {
        // Whole numbers put points on the borders of cells.
        let corner = |at: &DVec2| at.round();
        let things: Vec<(Bounds, u32)> = (0..)
            .zip(&boxes)
            .map(|(i, (at, w, h))| {
                let at = corner(at);
                (Bounds::of(at, at + dvec2(w.round(), h.round())), i)
            })
            .collect();
        let grid = Grid::new(&things, CELL);
        for point in points.iter().map(corner).chain(things.iter().map(|(b, _)| b.min)) {
            let mut found = Vec::new();
            grid.visit(&Bounds::of(point, point), |i| {
                if things[*i as usize].0.holds(point) {
                    found.push(*i);
                }
            });
            let all: Vec<u32> = things.iter().filter(|(b, _)| b.holds(point)).map(|(_, i)| *i).collect();
            prop_assert_eq!(found, all);
        }
    }

    #[test]
    fn stripes_say_the_same_of_points_as_all_edges(
        outline in star(64..400),
        points in prop::collection::vec(anywhere(320.0), 50),
    ) {
        let inside = Inside::of(&outline).expect("many edges");
        for point in points {
            prop_assert_eq!(inside.contains(&outline, point), contains(&outline, point));
        }
    }

    #[test]
    fn outlines_with_many_points_split_into_convex_parts_of_the_same_area(
        points in star(300..900),
    ) {
        let parts = parts(&points, 8);
        let area: f64 = parts.iter().map(|part| doubled_area(&part.points)).sum();
        let whole = doubled_area(&points);
        prop_assert!((area - whole).abs() <= 1e-9 * whole, "{area} of {whole}");
        for part in &parts {
            prop_assert!(part.points.len() <= 8);
            prop_assert_eq!(first_inward_corner(&part.points), None);
            prop_assert!(doubled_area(&part.points) > 0.0);
        }
        // Every edge of the outline is the edge of one part.
        let edges: usize = parts.iter().map(|part| part.edges.iter().flatten().count()).sum();
        prop_assert_eq!(edges, points.len());
    }
}

/// Bytes of a grid of slanted lines of this length, crossing each other.
fn bytes_of(count: u32, length: f64) -> usize {
    let lines: Vec<Line> = (0..count)
        .map(|i| {
            let share = f64::from(i) / f64::from(count);
            let way = DVec2::from_angle(share * std::f64::consts::TAU) * 0.5 * length;
            let middle = dvec2(share * 977.0, (share * 31.0).fract() * 977.0);
            [middle - way, middle + way]
        })
        .collect();
    grid_of(&lines).size()
}

#[test]
fn long_edges_do_not_fill_the_grid() {
    for count in [20, 400, 5_000] {
        for length in [1.0, 1e3, 16_384.0, 1e6] {
            // The constants: 65,536 cells, and 8 MB of listed items or a million places in cells with
            // a node for every few of them. For each item: up to 64 cells, a few places, and itself.
            let bytes = bytes_of(count, length);
            let most = 48_000_000 + 1_000 * count as usize;
            assert!(bytes < most, "{count} lines of {length} px take {bytes} bytes");
        }
    }
}

#[test]
fn a_far_solid_does_not_widen_the_cells_of_a_crowded_place() {
    let tile = |i: u32| dvec2(f64::from(i % 100) * 40.0, f64::from(i / 100) * 40.0);
    let mut lines: Vec<Line> = (0..10_000).map(|i| [tile(i), tile(i) + dvec2(32.0, 0.0)]).collect();
    lines.push([DVec2::splat(999_999.0), DVec2::splat(1e6)]);
    let grid = grid_of(&lines);
    let mut visited = 0;
    let area = Bounds::of(tile(5050), tile(5050)).grown(dvec2(10.0, 19.0));
    grid.visit(&area, |_| visited += 1);
    // The body meets one tile, and its cells reach no farther than a few more.
    assert!((1..40).contains(&visited), "{visited} lines visited");
}

#[test]
fn queries_on_long_slivers_are_those_of_each_alone() {
    // Slivers so long that only a tree can hold them: as many as cross a hall side by side.
    let sliver = |i: u32| {
        let x = f64::from(i) * 60.0 - 6_000.0;
        let points = [(x, 300_000.0), (x - 200_000.0, -300_000.0), (x - 199_998.0, -300_000.0)];
        outline(&points.map(DVec2::from)).expect("a sliver")
    };
    let solid = |i: u32| Solid::new(format!("{i}").into(), SurfaceId(0), sliver(i));
    let all = Terrain::new((0..200).map(solid).collect());
    let alone: Vec<Terrain> = (0..200).map(|i| Terrain::new(vec![solid(i)])).collect();
    let body = Collider::ellipse(10.0, 19.0);
    for step in 0..400 {
        let share = f64::from(step) / 400.0;
        let at = dvec2((share * 37.0).fract() * 9_000.0 - 106_000.0, share * 900.0 - 450.0);
        let way = DVec2::from_angle(share * 50.0) * 30.0;
        let first = alone.iter().filter_map(|t| t.still().sweep(body, at, way).map(|hit| hit.time));
        let first = first.reduce(f64::min);
        let hit = all.still().sweep(body, at, way).map(|hit| hit.time);
        assert_eq!(hit, first, "from {at} by {way}");
        let inside = alone.iter().any(|t| t.still().overlap(body, at).is_some());
        assert_eq!(all.still().overlap(body, at).is_some(), inside, "at {at}");
    }
}

#[test]
fn of_many_moving_platforms_those_near_are_found() {
    let mover = |i: u32| {
        let x = f64::from(i) * 50.0;
        let points = [(x, 0.0), (x + 30.0, 0.0), (x + 30.0, 10.0), (x, 10.0)];
        let points = outline(&points.map(DVec2::from)).expect("a box");
        Solid {
            path: Some(Path::new(vec![DVec2::ZERO, dvec2(0.0, 500.0)], 70.0, PathEnd::PingPong)),
            ..Solid::new(format!("{i}").into(), SurfaceId(0), points)
        }
    };
    let many = Terrain::new((0..100).map(mover).collect());
    let body = Collider::ellipse(10.0, 19.0);
    for now in [0, 100, 250, 431] {
        let transit = |terrain: &Terrain| Transit::standing(terrain.platforms(), &Default::default(), now, 60.0);
        let standing = transit(&many);
        for i in 0..100 {
            let single = Terrain::new(vec![mover(i)]);
            let alone = transit(&single);
            let at = dvec2(f64::from(i) * 50.0 + 15.0, 540.0);
            let down = dvec2(0.0, -600.0);
            let hit = many.moved(&standing).sweep(body, at, down).map(|hit| hit.time);
            let expected = single.moved(&alone).sweep(body, at, down).map(|hit| hit.time);
            assert_eq!(hit, expected, "platform {i} at tick {now}");
            assert!(hit.is_some());
        }
    }
}

/// Entities on one spot.
fn crowd(count: usize, pushes: bool, hz: u32) -> (Ground, Vec<Member>) {
    let member = |i: usize| Member {
        pushes,
        ..Member::new(
            Box::leak(format!("member {i:04}").into_boxed_str()),
            ModelName::platformer,
            Collider::ellipse(10.0, 19.0),
            dvec2(0.0, 19.0),
        )
    };
    (Ground::floor(hz), (0..count).map(member).collect())
}

#[test]
fn in_a_crowd_each_entity_touches_a_bounded_number_of_others() {
    for count in [2, 20, 33, 34, 200] {
        let (ground, members) = crowd(count, false, 60);
        let stage = stage_of(&ground, &members);
        let mut world = World::new(&stage, 0);
        world.tick(&stage, &Inputs::none(), &mut NativeRules);
        let mut touches: BTreeMap<String, usize> = BTreeMap::new();
        for event in world.events() {
            if matches!(event.kind, EventKind::Touch { .. }) {
                *touches.entry(event.name.to_string()).or_default() += 1;
            }
        }
        // All are at the same place, so each meets the next 32 in the order of names, and the 32
        // before it meet it.
        for i in 0..count {
            let expected = i.min(32) + (count - 1 - i).min(32);
            let name = format!("member {i:04}");
            assert_eq!(touches.get(&name).copied().unwrap_or(0), expected, "{name} of {count}");
        }
    }
}

#[test]
fn a_crowd_on_one_spot_comes_apart() {
    for hz in RATES {
        let (ground, members) = crowd(16, true, hz);
        // A move to a rest position would undo the last of it.
        let ground = ground.tune("rest_spacing", 0.0);
        let mut cast = Cast::new(&ground, &members);
        cast.run(60.0);
        let mut places: Vec<f64> = (0..members.len()).map(|i| cast.view(i).pos.x).collect();
        places.sort_by(f64::total_cmp);
        // On the ground, bodies 20 px wide end up side by side.
        for pair in places.windows(2) {
            assert!(pair[1] - pair[0] > 19.9, "{pair:?} at {hz} Hz");
        }
    }
}

#[test]
fn a_restored_crowd_plays_on_as_before() {
    for pushes in [false, true] {
        let (ground, members) = crowd(150, pushes, 60);
        let stage = stage_of(&ground, &members);
        let mut world = World::new(&stage, 0);
        for _ in 0..40 {
            let saved = serde_json::to_string(&world).expect("a saved world");
            let loaded: SavedWorld = serde_json::from_str(&saved).expect("a saved world");
            let mut twin = loaded.check(&stage).expect("a restored world");
            for world in [&mut world, &mut twin] {
                world.tick(&stage, &Inputs::none(), &mut NativeRules);
            }
            assert_eq!(world.hash(), twin.hash(), "pushes: {pushes}");
            assert_eq!(world.events(), twin.events());
        }
    }
}

#[test]
fn of_very_many_zones_at_a_point_the_first_count() {
    let zone = |i: usize| Zone {
        present: true,
        name: format!("{i}").into(),
        points: outline(&[(-9.0, -9.0), (9.0, -9.0), (9.0, 9.0), (-9.0, 9.0)].map(DVec2::from)).expect("a box"),
        external_accel: dvec2(1.0, 0.0),
        gravity_scale: 1.0,
        time_scale: 1.0,
        conveyor: DVec2::ZERO,
        surface: None,
    };
    for count in [1, MOST_ZONES, MOST_ZONES + 1, 5_000] {
        let zones = Zones::new((0..count).map(zone).collect());
        let mut found = Vec::new();
        zones.visit(DVec2::ZERO, |index| found.push(index));
        let expected: Vec<u16> = (0..count.min(MOST_ZONES) as u16).collect();
        assert_eq!(found, expected);
    }
}

fn box_at(x: f64, y: f64, size: DVec2) -> Solid {
    let corners = [(x, y), (x + size.x, y), (x + size.x, y + size.y), (x, y + size.y)];
    let points = outline(&corners.map(DVec2::from)).expect("a box");
    Solid::new("box".into(), SurfaceId(0), points)
}

#[test]
fn hundreds_of_solids_on_one_spot_are_joined() {
    let place = |i: u32| (f64::from(i) * 0.618).fract() * 100.0;
    let solids = (0..300).map(|i| box_at(place(i), place(i * 7), DVec2::splat(100.0)));
    assert_eq!(Terrain::new(solids.collect()).tangled(), None);
}

#[test]
fn tiles_are_joined_however_many_there_are() {
    let tile = |i: u32| box_at(f64::from(i % 128) * 32.0, f64::from(i / 128) * 32.0, DVec2::splat(32.0));
    let terrain = Terrain::new((0..16_384).map(tile).collect());
    assert_eq!(terrain.tangled(), None);
    // What is left is the outer border: 128 tiles along each of four sides.
    assert_eq!(terrain.edges().len(), 4 * 128);
}

#[test]
fn outlines_that_meet_in_too_many_places_are_given_up() {
    // 800 bars across 800 others: each crossing is four points on two sides each.
    let bar = |i: u32| {
        let at = f64::from(i / 2) * 4.0;
        match i % 2 {
            0 => box_at(0.0, at, dvec2(3_200.0, 1.0)),
            _ => box_at(at, 0.0, dvec2(1.0, 3_200.0)),
        }
    };
    assert_eq!(Terrain::new((0..200).map(bar).collect()).tangled(), None);
    assert!(Terrain::new((0..1_600).map(bar).collect()).tangled().is_some());
}

#[test]
fn a_terrain_for_each_of_too_many_heights_is_an_error() {
    let block = |i: u32| {
        let (x, y) = (f64::from(i % 40) * 50.0, f64::from(i / 40) * 50.0 + 500.0);
        let (right, upper, top) = (x + 40.0, y + 40.0, f64::from(i) * 0.5);
        format!("[[solid]]\ntop = {top}\npoints = [[{x}, {y}], [{right}, {y}], [{right}, {upper}], [{x}, {upper}]]\n")
    };
    let wrong = |count: u32| {
        let blocks: String = (1..=count).map(block).collect();
        let folder = Folder::with_script("fn on_tick(me) { }");
        folder.write("config/entities/hero.toml", "model = \"topdown\"\n");
        let hero = "[[entity]]\nkind = \"hero\"\nat = [0, 0]\n";
        folder.write("levels/level.toml", &format!("view = \"top\"\n{hero}{blocks}"));
        folder.wrong()
    };
    assert_eq!(wrong(20), Vec::<String>::new());
    // Below the top of block i there are i − 1 tops: 4 · (0 + 1 + … + 549) points exceed 600,000.
    let wrong = wrong(550);
    assert!(wrong[0].contains("too many different `top`s"), "{wrong:?}");
}
