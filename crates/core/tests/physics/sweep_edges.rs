//! Sweeps, compared with the same sweep against every edge one by one, of shapes that the terrain expects and of others.

use crate::ground::{crowded_star, tried};
use glam::{DVec2, dvec2};
use hangtime_core::{
    geometry::{
        Collider, polygon,
        sweep::{sweep_corner, sweep_corner_from_above, sweep_face},
        turn,
    },
    level::{Bend, Feature, Hit, Path, PathEnd, Side, Solid, SurfaceId, Terrain},
};
use proptest::prelude::*;

/// Touches whose times differ by less than this are simultaneous.
const TIE: f64 = 1e-9;

/// A sweep of a body.
#[derive(Clone, Copy, Debug)]
struct Motion {
    shape: Collider,
    from: DVec2,
    by: DVec2,
    /// The direction against its gravity.
    up: f64,
    drops: bool,
}

/// All first touches with single faces and corners.
fn touches(terrain: &Terrain, motion: &Motion) -> Vec<Hit> {
    let scenery = terrain.still();
    let Motion { shape, by, up, .. } = *motion;
    let mut all = Vec::new();
    for (edge, index) in terrain.edges().iter().zip(0..) {
        let one_way = edge.side != Side::Solid;
        if one_way && motion.drops {
            continue;
        }
        let offset = edge.platform.map_or(DVec2::ZERO, |p| scenery.offset(p));
        let from = motion.from - offset;
        let passed = if up < 0.0 { Side::OneWay } else { Side::Under };
        let blocks = edge.side != passed;
        let face = sweep_face(shape, from, by, &edge.face, one_way).filter(|_| blocks);
        let corner = match one_way {
            false => sweep_corner(shape, from, by, edge.end),
            true => sweep_corner_from_above(shape, from, by, edge.end, up),
        };
        let can_touch = edge.bend == Bend::Out && (blocks || edge.tip);
        let found = [(face, Feature::Face(index)), (corner.filter(|_| can_touch), Feature::Corner(index))];
        all.extend(
            found.into_iter().filter_map(|(touch, feature)| {
                touch.map(|touch| Hit { time: touch.time, normal: touch.normal, feature })
            }),
        );
    }
    all
}

fn agrees(terrain: &Terrain, motion: &Motion) -> Result<(), TestCaseError> {
    let all = touches(terrain, motion);
    let scenery = terrain.still().dropping(motion.drops).upward(motion.up);
    let found = scenery.sweep(motion.shape, motion.from, motion.by);
    let first = all.iter().map(|hit| hit.time).min_by(f64::total_cmp);
    match (found, first) {
        (None, None) => {}
        (Some(hit), Some(first)) => {
            prop_assert!(all.contains(&hit), "{hit:?} of {motion:?} is not in {all:?}");
            prop_assert!(hit.time <= first + TIE, "{hit:?} of {motion:?} comes after {all:?}");
        }
        _ => prop_assert!(false, "{found:?} of {motion:?} instead of {all:?}"),
    }
    Ok(())
}

/// Whether sweeps find the same, before and after the terrain expects the shape.
fn agrees_either_way(terrain: &Terrain, motion: &Motion) -> Result<(), TestCaseError> {
    let find = || {
        let scenery = terrain.still().dropping(motion.drops).upward(motion.up);
        scenery.sweep(motion.shape, motion.from, motion.by)
    };
    agrees(terrain, motion)?;
    let before = find();
    terrain.expect(motion.shape);
    agrees(terrain, motion)?;
    let (after, first) = (find(), touches(terrain, motion));
    let tied = |hit: &Hit| first.iter().filter(|other| (other.time - hit.time).abs() <= TIE).count() > 1;
    // If there are several hits at the same time, any may be first.
    prop_assert!(before == after || before.as_ref().is_some_and(tied), "{before:?} and {after:?} of {motion:?}");
    Ok(())
}

/// Solids, a one-way platform and a platform on a path.
fn terrain(stars: &[Vec<DVec2>], line: [DVec2; 2]) -> Terrain {
    let outlines = stars.iter().filter_map(|star| polygon::outline(star).ok());
    let solid = |points| Solid::new("solid".into(), SurfaceId(0), points);
    let mut solids: Vec<Solid> = outlines.map(solid).collect();
    if let Some(last) = solids.last_mut().filter(|_| stars.len() > 2) {
        let moved = vec![DVec2::ZERO, dvec2(30.0, 10.0)];
        last.path = Some(Path::new(moved, 40.0, PathEnd::PingPong));
    }
    let [left, right] = if line[0].x < line[1].x { line } else { [line[1], line[0]] };
    if right.x - left.x > 1.0 {
        solids.push(Solid::one_way("line".into(), SurfaceId(0), vec![left, right]));
    }
    Terrain::new(solids)
}

fn vector(size: f64) -> impl Strategy<Value = DVec2> {
    (-size..size, -size..size).prop_map(|(x, y)| dvec2(x, y))
}

/// Motions of a ten thousandth of a pixel to some thousand.
fn step() -> impl Strategy<Value = DVec2> {
    (vector(1.0), -4.0..3.5_f64).prop_map(|(way, size)| way * 10.0_f64.powf(size))
}

/// Shapes from a tenth of a pixel to some hundred.
fn shape() -> impl Strategy<Value = Collider> {
    let usual = (0.1..60.0_f64, 0.1..60.0_f64);
    let any = (-1.0..2.5_f64, -1.0..2.5_f64).prop_map(|(x, y)| (10.0_f64.powf(x), 10.0_f64.powf(y)));
    prop_oneof![3 => usual, 1 => any].prop_map(|(x, y)| Collider::ellipse(x, y))
}

proptest! {
    #![proptest_config(tried(4000))]

    #[test]
    fn a_sweep_finds_the_first_of_all_touches(
        stars in prop::collection::vec(crowded_star(), 1..5),
        line in [vector(150.0), vector(150.0)],
        shape in shape(),
        from in vector(250.0),
        by in step(),
        up in prop::bool::ANY,
        drops in prop::bool::ANY,
    ) {
        let terrain = terrain(&stars, line);
        let up = if up { 1.0 } else { -1.0 };
        agrees_either_way(&terrain, &Motion { shape, from, by, up, drops })?;
    }

    #[test]
    fn a_sweep_of_a_touching_body_finds_the_first_of_all_touches(
        stars in prop::collection::vec(crowded_star(), 1..4),
        shape in shape(),
        edge in prop::sample::Index::arbitrary(),
        share in -0.1..1.1_f64,
        gap in prop::sample::select(vec![-1e-5, -1e-6, -1e-9, 0.0, 1e-9, 5e-7, 1e-6, 1e-5, 1e-3]),
        by in step(),
        along in prop::bool::ANY,
    ) {
        let terrain = terrain(&stars, [DVec2::ZERO; 2]);
        let edges = terrain.edges();
        prop_assume!(!edges.is_empty());
        let face = &edges[edge.index(edges.len())].face;
        let at = face.start + face.along * (face.length * share);
        let from = at + shape.farthest(face.normal) + face.normal * gap;
        let by = if along { face.along * by.x } else { by };
        agrees_either_way(&terrain, &Motion { shape, from, by, up: 1.0, drops: false })?;
    }

    #[test]
    fn what_is_known_of_the_way_along_a_face_is_what_a_sweep_finds(
        stars in prop::collection::vec(crowded_star(), 1..3),
        line in [vector(150.0), vector(150.0)],
        shape in shape(),
        edge in prop::sample::Index::arbitrary(),
        shares in [-0.4..1.4_f64, -0.4..1.4_f64],
        gap in prop::sample::select(vec![0.0, 0.0, -1e-5, -1e-8, -1e-10, 1e-10, 1e-8, 1e-6, 1e-3]),
        drops in prop::bool::ANY,
    ) {
        let terrain = terrain(&stars, line);
        prop_assume!(!terrain.edges().is_empty());
        let edge = edge.index(terrain.edges().len());
        let face = &terrain.edges()[edge].face;
        let off = shape.farthest(face.normal) + face.normal * gap;
        let [from, to] = shares.map(|share| face.start + face.along * (face.length * share) + off);
        terrain.expect(shape);
        let scenery = terrain.still().dropping(drops);
        let found = scenery.sweep(shape, from, to - from);
        prop_assert_eq!(scenery.sweep_along(shape, Feature::Face(edge as u32), from, to - from), found);
    }
}

proptest! {
    // Each level has a grid with many cells.
    #![proptest_config(tried(200))]

    #[test]
    fn a_sweep_finds_the_first_of_all_touches_in_a_vast_level(
        stars in prop::collection::vec(crowded_star(), 1..3),
        shape in shape(),
        far in vector(16_000.0),
        from in vector(250.0),
        there in prop::bool::ANY,
        by in step(),
    ) {
        let moved = |star: &Vec<DVec2>| star.iter().map(|point| *point + far).collect();
        let all: Vec<Vec<DVec2>> = stars.iter().cloned().chain(stars.iter().map(moved)).collect();
        let terrain = terrain(&all, [DVec2::ZERO; 2]);
        let from = if there { from + far } else { from };
        agrees_either_way(&terrain, &Motion { shape, from, by, up: 1.0, drops: false })?;
    }
}

#[test]
fn a_sweep_among_very_many_edges_finds_the_first_touch() {
    let teeth = (0..120).map(|x| dvec2(f64::from(x), f64::from(x % 2)));
    let saw: Vec<DVec2> = [dvec2(119.0, -20.0), dvec2(0.0, -20.0)].into_iter().chain(teeth).rev().collect();
    let terrain = terrain(&[saw], [DVec2::ZERO; 2]);
    assert!(terrain.edges().len() > 100, "the teeth are edges");
    let shape = Collider::ellipse(40.0, 30.0);
    for x in 0..60 {
        let from = dvec2(2.0 * f64::from(x) + 0.3, 33.0);
        for by in [dvec2(0.0, -5.0), dvec2(4.0, -4.0), dvec2(-9.0, -2.5)] {
            agrees_either_way(&terrain, &Motion { shape, from, by, up: 1.0, drops: false }).expect("the first touch");
        }
    }
}

#[test]
fn the_direction_of_an_angle_is_its_cosine_and_sine_bit_for_bit() {
    let mut angle = 1e-9;
    while angle < 1e7 {
        for angle in [angle, -angle] {
            let (cosine, sine) = (libm::cos(angle), libm::sin(angle));
            let turned = turn(angle);
            let bits = |x: f64, y: f64| (x.to_bits(), y.to_bits());
            assert_eq!(bits(turned.x, turned.y), bits(cosine, sine), "{angle}");
        }
        angle *= 1.000_37;
    }
    for angle in [0.0, -0.0, std::f64::consts::FRAC_PI_2, std::f64::consts::PI] {
        assert_eq!(turn(angle).y.to_bits(), libm::sin(angle).to_bits(), "{angle}");
    }
}
