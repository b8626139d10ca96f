//! Many bodies and many edges in one place: what they take is bounded, and nothing is lost by it.

use crate::{
    cast::{Member, stage_of},
    common::RATES,
    folder::Folder,
    ground::{Ground, tried},
};
use glam::{DVec2, dvec2};
use hangtime_core::{
    geometry::{
        Collider, Rim,
        grid::Bounds,
        polygon::{OutlineError, outline},
        separation::separation,
    },
    level::{Path, PathEnd, Scenery, Solid, SurfaceId, Terrain, Transit},
    models::{BodyShape, ModelName},
    sim::{EventKind, Inputs, NativeRules, World},
};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

const BODY: Collider = Collider::ellipse(10.0, 19.0);

/// Entities of one model at these places.
fn crowd(model: ModelName, places: &[DVec2], pushes: bool) -> Vec<Member> {
    let figure: BodyShape = match model {
        ModelName::vessel => BodyShape::of_box(20.0, 38.0),
        _ => BODY.into(),
    };
    let member = |(i, at): (usize, &DVec2)| Member {
        pushes,
        ..Member::new(Box::leak(format!("member {i:04}").into_boxed_str()), model, figure.clone(), *at)
    };
    places.iter().enumerate().map(member).collect()
}

/// How many `touch` events each entity receives in the first tick.
fn touches(ground: &Ground, members: &[Member]) -> BTreeMap<String, usize> {
    let stage = stage_of(ground, members);
    let mut world = World::new(&stage, 0);
    world.tick(&stage, &Inputs::none(), &mut NativeRules);
    let mut touches = BTreeMap::new();
    for event in world.events() {
        if matches!(event.kind, EventKind::Touch { .. }) {
            *touches.entry(event.name.to_string()).or_default() += 1;
        }
    }
    touches
}

#[test]
fn bodies_above_each_other_find_all_that_they_touch() {
    // Centers that are 38.2 px apart, with bodies 38 px tall, are within the 0.5 px of a touch. All of
    // the bodies begin and end at the same x, so a sweep from left to right compares each with all.
    let count = 700;
    for model in [ModelName::topdown, ModelName::vessel] {
        let places: Vec<DVec2> = (0..count).map(|i| dvec2(0.0, f64::from(i) * 38.2)).collect();
        let ground = Ground::none(60).gravity(0.0);
        let touches = touches(&ground, &crowd(model, &places, false));
        for i in 0..count {
            let expected = if i == 0 || i == count - 1 { 1 } else { 2 };
            let name = format!("member {i:04}");
            assert_eq!(touches.get(&name), Some(&expected), "{name}, {model:?}");
        }
    }
}

#[test]
fn bodies_at_different_heights_of_a_top_view_find_all_that_they_touch() {
    // Bodies are as tall as they are wide, 38 px; those 30 px above another touch it.
    let count = 400;
    let places = vec![DVec2::ZERO; count];
    let mut members = crowd(ModelName::topdown, &places, false);
    for (i, member) in members.iter_mut().enumerate() {
        member.figure = Collider::ellipse(19.0, 19.0).into();
        member.z = 15.0 * i as f64;
    }
    let ground = Ground::none(60).top_view().gravity(0.0);
    let touches = touches(&ground, &members);
    for i in 0..count {
        let expected = usize::from(i > 0) + usize::from(i + 1 < count);
        let name = format!("member {i:04}");
        assert_eq!(touches.get(&name), Some(&expected), "{name}");
    }
}

#[test]
fn a_thousand_bodies_on_one_spot_touch_a_bounded_number_in_all() {
    let count = 1_000;
    let places = vec![dvec2(0.0, 19.0); count];
    let ground = Ground::floor(60);
    let touches = touches(&ground, &crowd(ModelName::platformer, &places, false));
    // Each meets the same number of those after it in the order of names, so that there are at most
    // 8,000 pairs; all but the last have that many after them.
    let pairs = |each: usize| (0..count).map(|i| each.min(count - 1 - i)).sum::<usize>();
    let each = (1..32).take_while(|each| pairs(*each) <= 8_000).last().unwrap_or(1);
    for i in 0..count {
        let expected = i.min(each) + (count - 1 - i).min(each);
        let name = format!("member {i:04}");
        assert_eq!(touches.get(&name), Some(&expected), "{name}");
    }
}

#[test]
fn a_large_crowd_plays_the_same_whatever_the_order_of_its_entities() {
    for model in [ModelName::platformer, ModelName::vessel] {
        let places: Vec<DVec2> = (0..260).map(|i| dvec2(f64::from(i % 7), 40.0 + f64::from(i) * 9.0)).collect();
        let members = crowd(model, &places, true);
        let reversed: Vec<Member> = members.iter().rev().cloned().collect();
        let hash = |members: &[Member]| {
            let stage = stage_of(&Ground::floor(60), members);
            let mut world = World::new(&stage, 0);
            for _ in 0..10 {
                world.tick(&stage, &Inputs::none(), &mut NativeRules);
            }
            let mut all: Vec<_> = world
                .entities()
                .iter()
                .map(|entity| {
                    let view = world.view(&stage, entity);
                    (entity.name.clone(), view.pos.x.to_bits(), view.pos.y.to_bits())
                })
                .collect();
            all.sort();
            all
        };
        assert_eq!(hash(&members), hash(&reversed), "{model:?}");
    }
}

/// A floor of teeth 10 px wide and up to 4 px high.
fn teeth(count: usize) -> Vec<DVec2> {
    let half = 5.0 * count as f64;
    let tooth = |i: usize| dvec2(10.0 * i as f64 - half, if i.is_multiple_of(2) { 0.0 } else { 4.0 });
    let bottom = [dvec2(half, -50.0), dvec2(-half, -50.0)];
    outline(&(0..count).map(tooth).chain(bottom).collect::<Vec<_>>()).expect("an outline")
}

fn solid(points: &[DVec2]) -> Solid {
    Solid::new("solid".into(), SurfaceId(0), points.to_vec())
}

fn mover(points: &[DVec2]) -> Solid {
    let way = vec![DVec2::ZERO, dvec2(30.0, 20.0)];
    Solid { path: Some(Path::new(way, 60.0, PathEnd::PingPong)), ..solid(points) }
}

#[test]
fn a_body_looks_only_at_the_edges_near_it_of_a_platform_with_many() {
    for count in [1_000, 4_000] {
        let points = teeth(count);
        let switched = Solid { present: Some(true), ..solid(&points) };
        for apart in [mover(&points), switched] {
            let terrain = Terrain::new(vec![apart]);
            let area = Bounds::of(dvec2(-20.0, -20.0), dvec2(20.0, 20.0));
            let looked_at = terrain.still().crowd(&area);
            // Within two cells of 40 px, and each at most once for each of these cells.
            let wide = area.grown(DVec2::splat(80.0));
            let next = points.iter().cycle().skip(1);
            let near = points.iter().zip(next);
            let near = near.filter(|(a, b)| Bounds::of(**a, **b).meets(&wide)).count() as u64;
            assert!(looked_at > 0 && looked_at <= 9 * near, "{looked_at} of {near}, {count} teeth");
            assert!(9 * near < count as u64);
        }
    }
}

/// What sweeps and overlaps say at many places.
fn answers(scenery: &Scenery<'_>, offset: DVec2) -> Vec<(Option<f64>, Option<DVec2>)> {
    let mut all = Vec::new();
    for i in 0..60 {
        let at = dvec2(f64::from(i) * 37.3 - 1_100.0, f64::from(i % 7) * 8.0 - 20.0);
        let motion = DVec2::from_angle(f64::from(i)) * 70.0;
        let hit = scenery.sweep(BODY, at + offset, motion);
        let overlap = scenery.overlap(BODY, at + offset);
        all.push((hit.map(|hit| hit.time), overlap.map(|o| o.to_touch)));
    }
    all
}

#[test]
fn a_platform_with_many_edges_answers_like_the_same_solid_that_stays() {
    let points = teeth(400);
    let still = Terrain::new(vec![solid(&points)]);
    let expected = answers(&still.still(), DVec2::ZERO);
    assert!(expected.iter().any(|(hit, _)| hit.is_some()));
    assert!(expected.iter().any(|(_, overlap)| overlap.is_some()));
    let moving = Terrain::new(vec![mover(&points)]);
    for now in [0, 7, 50] {
        let there = Transit::standing(moving.platforms(), &Default::default(), now, 60.0);
        let offset = there.offsets[0];
        let found = answers(&moving.moved(&there), offset);
        for (i, (found, expected)) in found.iter().zip(&expected).enumerate() {
            let (Some(a), Some(b)) = (found.0, expected.0) else {
                assert_eq!(found.0, expected.0, "sweep {i} at {now}");
                continue;
            };
            assert!((a - b).abs() < 1e-9, "sweep {i} at {now}: {a}, {b}");
        }
        for (i, (found, expected)) in found.iter().zip(&expected).enumerate() {
            let (Some(a), Some(b)) = (found.1, expected.1) else {
                assert_eq!(found.1.is_some(), expected.1.is_some(), "overlap {i} at {now}");
                continue;
            };
            // Two teeth may be equally near.
            assert!((a.length() - b.length()).abs() < 1e-9, "overlap {i} at {now}: {a}, {b}");
        }
    }
}

#[test]
fn vessels_stand_on_a_platform_with_many_edges_as_on_the_same_solid_that_stays() {
    let points: Vec<(f64, f64)> = teeth(200).iter().map(|p| (p.x, p.y)).collect();
    for hz in RATES {
        let place = |ground: Ground| {
            let mut play = ground.model(ModelName::vessel).figure(BodyShape::of_box(34.0, 20.0)).at(3.0, 60.0).play();
            play.run(1.5).last().expect("a tick").pos
        };
        let still = place(Ground::none(hz).solid(&points));
        let platform = place(Ground::none(hz).platform(&points, &[(0.0, 0.0), (0.0, 0.0)], 0.0));
        assert!(still.y > 0.0, "{still} at {hz} Hz");
        assert!(still.distance(platform) < 1e-6, "{still}, {platform} at {hz} Hz");
    }
}

#[test]
fn of_moving_platforms_in_one_place_all_are_listed_once_and_in_order() {
    let box_at = |x: f64| {
        let corners = [(x, 0.0), (x + 30.0, 0.0), (x + 30.0, 9.0), (x, 9.0)];
        mover(&outline(&corners.map(DVec2::from)).expect("a box"))
    };
    for count in [3_u16, 32, 33, 200] {
        let terrain = Terrain::new((0..count).map(|i| box_at(f64::from(i % 50) * 3.0)).collect());
        let area = Bounds::of(dvec2(0.0, 0.0), dvec2(200.0, 40.0));
        let scenery = terrain.still();
        let (mut last, mut all) = (None, Vec::new());
        loop {
            let movers = scenery.movers_after(last, &area);
            let Some(end) = movers.last() else { break };
            last = Some(*end);
            all.extend(movers);
        }
        assert_eq!(all, (0..count).collect::<Vec<u16>>());
    }
}

fn star_of(count: usize, far: f64, near: f64) -> Vec<DVec2> {
    let step = std::f64::consts::TAU / count as f64;
    let point = |i: usize| DVec2::from_angle(step * i as f64) * if i.is_multiple_of(2) { far } else { near };
    (0..count).map(point).collect()
}

proptest! {
    #![proptest_config(tried(200))]

    #[test]
    fn the_way_out_of_an_outline_is_that_of_all_its_edges(
        radii in prop::collection::vec(20.0..300.0_f64, 32..400),
        at in prop::array::uniform2(-320.0..320.0_f64),
        half in prop::array::uniform2(1.0..60.0_f64),
    ) {
        let step = std::f64::consts::TAU / radii.len() as f64;
        let point = |(i, radius): (usize, &f64)| DVec2::from_angle(step * i as f64) * *radius;
        let points: Vec<DVec2> = radii.iter().enumerate().map(point).collect();
        let (shape, at) = (Collider::ellipse(half[0], half[1]), DVec2::from(at));
        let rim = Rim::of(&points).expect("many edges");
        let expected = Some(separation(shape, at, &points)).filter(|s| s.overlaps());
        let found = rim.overlap(shape, at, &points);
        prop_assert_eq!(found.map(|s| s.gap), expected.map(|s| s.gap));
    }
}

#[test]
fn an_outline_whose_edges_all_lie_next_to_each_other_is_refused() {
    // All edges end within 1 px of the middle, so that each would be compared with all.
    let dense = outline(&star_of(20_000, 16_000.0, 1.0));
    assert_eq!(dense, Err(OutlineError::TooDense));
    assert!(outline(&star_of(1_000, 16_000.0, 160.0)).is_ok());
}

#[test]
fn outlines_that_cross_everywhere_are_given_up_before_the_crossings_are_found() {
    // Each of 3,000 bars crosses 3,000 others.
    let bar = |i: u32| {
        let at = f64::from(i / 2) * 4.0;
        let (x, y, w, h) = if i.is_multiple_of(2) {
            (0.0, at, 12_000.0, 1.0)
        } else {
            (at, 0.0, 1.0, 12_000.0)
        };
        let corners = [(x, y), (x + w, y), (x + w, y + h), (x, y + h)];
        solid(&outline(&corners.map(DVec2::from)).expect("a box"))
    };
    let terrain = Terrain::new((0..6_000).map(bar).collect());
    assert_eq!(terrain.tangled(), Some(5_999));
}

/// A game whose level has this text, and entities without scripts.
fn level(text: &str) -> Folder {
    let folder = Folder::with_script("");
    folder.write("config/entities/hero.toml", "model = \"platformer\"\n");
    folder.write("levels/level.toml", text);
    folder
}

fn heroes(count: usize) -> String {
    let hero = |i: usize| format!("[[entity]]\nkind = \"hero\"\nat = [{}, 50]\n", i % 100);
    (0..count).map(hero).collect()
}

#[test]
fn a_level_with_too_many_entities_is_an_error_that_names_the_key() {
    assert_eq!(level(&heroes(20)).wrong(), Vec::<String>::new());
    let folder = level(&heroes(30));
    folder.write("config/hangtime.toml", "[simulation]\nmax_entities = 29\n");
    let wrong = folder.wrong();
    // The 30th entity, after 29 of 3 lines each.
    assert!(wrong[0].contains("level.toml:88:"), "{wrong:?}");
    assert!(wrong[0].contains("`max_entities`"), "{wrong:?}");
    folder.write("config/hangtime.toml", "[simulation]\nmax_entities = 30\n");
    assert_eq!(folder.wrong(), Vec::<String>::new());
}

fn triangle(table: &str, i: usize) -> String {
    let x = i as f64 * 0.01;
    format!("[[{table}]]\npoints = [[{x}, 0], [{}, 0], [{x}, 40]]\n", x + 400.0)
}

/// Solids that scripts can switch off, so that they are not joined.
fn solids(count: usize) -> String {
    let solid = |i| triangle("solid", i) + "present = true\n";
    (0..count).map(solid).collect()
}

fn zones(count: usize) -> String {
    let zone = |i| triangle("zone", i) + "gravity_scale = 0.5\n";
    (0..count).map(zone).collect()
}

/// Whether a level with `edges`, all in one place, is refused because of this many entities.
fn is_too_dense(edges: &str, entities: usize, kind: &str, script: &str) -> bool {
    let folder = level(&format!("{edges}{}", heroes(entities)));
    folder.write("config/entities/hero.toml", kind);
    if !script.is_empty() {
        folder.write("scripts/hero.rhai", script);
    }
    let wrong = folder.wrong();
    let dense = wrong.iter().any(|w| w.contains("too many edges in one place"));
    let harmless = wrong.iter().all(|w| w.contains(": warning: "));
    assert!(dense || harmless, "{wrong:?}");
    dense
}

#[test]
fn edges_in_one_place_times_entities_are_limited() {
    let walker = "model = \"platformer\"\n";
    let vessel = "model = \"vessel\"\nbody = { box = [20, 38] }\n";
    // Triangles, the most entities that they may meet, and how many entities one counts as.
    for (edges, limit, kind, weight) in [
        (solids(700), 2_000_000, walker, 1),
        (zones(100), 250_000, walker, 1),
        (solids(400), 2_000_000, vessel, 16),
        (zones(40), 250_000, vessel, 16),
    ] {
        let count = edges.matches("points").count() * 3;
        let most = limit / (count * weight);
        assert!(!is_too_dense(&edges, most, kind, ""), "{count} edges, {most} of {kind}");
        assert!(is_too_dense(&edges, most + 1, kind, ""), "{count} edges, {most} + 1 of {kind}");
    }
}

#[test]
fn a_thousand_entities_more_count_where_scripts_can_spawn_them() {
    let kind = "model = \"platformer\"\nscript = \"hero.rhai\"\n";
    let spawns = "fn on_land(me) { world::create(\"hero\", 0, 50); }";
    let most = 2_000_000 / 1_001 / 3;
    for (script, most) in [(spawns, most), ("fn on_land(me) { }", usize::MAX)] {
        assert!(!is_too_dense(&solids(most.min(1_000)), 1, kind, script));
        if most < 1_000 {
            assert!(is_too_dense(&solids(most + 1), 1, kind, script));
        }
    }
}

#[test]
fn a_message_about_too_many_edges_in_one_place_names_them_and_the_limit() {
    for (edges, what, limit) in
        [(solids(700), "2100 edges of solids", "2,000,000"), (zones(100), "300 edges of zones", "250,000")]
    {
        let wrong = level(&format!("{edges}{}", heroes(1_000))).wrong();
        assert!(wrong[0].contains(what), "{wrong:?}");
        assert!(wrong[0].contains("1000 entities") && wrong[0].contains(limit), "{wrong:?}");
    }
}

#[test]
fn many_edges_far_from_each_other_are_no_error_for_a_crowd() {
    let tile = |i: usize| {
        let (x, y) = ((i % 60) * 100, (i / 60) * 100 + 100);
        format!("[[solid]]\npoints = [[{x}, {y}], [{}, {y}], [{}, {}]]\n", x + 32, x + 32, y + 32)
    };
    let tiles: String = (0..1_200).map(tile).collect();
    let names: BTreeSet<String> = level(&format!("{tiles}{}", heroes(1_000)))
        .wrong()
        .into_iter()
        .filter(|w| !w.contains(": warning: "))
        .collect();
    assert_eq!(names, BTreeSet::new());
}
