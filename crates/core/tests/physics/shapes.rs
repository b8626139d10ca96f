//! Boxes and capsules: exact sweeps and separations, and how bodies of these forms stand, walk, fall and meet others.

use crate::{
    cast::Member,
    common::{RATES, near},
    ground::{Ground, Play, crowded_star, tried},
    leaper::{Leaper, aim, at},
};
use glam::{DVec2, dvec2};
use hangtime_core::{
    geometry::{
        Collider, ColliderForm, apart,
        grid::Bounds,
        polygon::{contains, outline, sides},
        separation::separation,
    },
    level::{Contact, GroundRule, RestQuery, Solid, SurfaceId, Terrain, walk},
    models::{Action, BodyShape, Mode, ModelName},
    sim::{SavedWorld, World},
};
use proptest::prelude::*;

/// Half of the width and height of the box of these tests, px.
const HALF: DVec2 = DVec2::new(10.0, 20.0);
const BOX: Collider = Collider { half: HALF, form: ColliderForm::Box };
const CAPSULE: Collider = Collider { half: HALF, form: ColliderForm::Capsule };
const WALKERS: [ModelName; 2] = [ModelName::platformer, ModelName::two_velocity];

/// How deep a body may be in a solid without being stopped, and how far from one it stops, in units of its size.
const SLACK: f64 = 1e-6;

fn shape() -> impl Strategy<Value = Collider> {
    let form = prop_oneof![Just(ColliderForm::Ellipse), Just(ColliderForm::Box), Just(ColliderForm::Capsule)];
    (form, 2.0..40.0_f64, 2.0..40.0_f64).prop_map(|(form, x, y)| Collider::new(form, dvec2(x, y)))
}

fn vector(size: f64) -> impl Strategy<Value = DVec2> {
    (-size..size, -size..size).prop_map(|(x, y)| dvec2(x, y))
}

/// The least of a convex function between 0 and 1.
fn least(of: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..200 {
        let (left, right) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if of(left) < of(right) { high = right } else { low = left }
    }
    of(0.5 * (low + high)).min(of(0.0)).min(of(1.0))
}

/// Whether a shape around 0, scaled by `scale`, meets the line from `a` to `b`. By definition: a box is where |x| and |y|
/// are small enough, and a capsule is what is close enough to its axis.
fn meets(shape: Collider, scale: f64, a: DVec2, b: DVec2) -> bool {
    let half = shape.half * scale;
    let on = |t: f64| a + (b - a) * t;
    let size = match shape.form {
        ColliderForm::Ellipse => least(|t| (on(t) / half).length()),
        ColliderForm::Box => least(|t| (on(t) / half).abs().max_element()),
        ColliderForm::Capsule => {
            let radius = half.min_element();
            let axis = half - radius;
            least(|t| (on(t) - on(t).clamp(-axis, axis)).length() / radius)
        }
    };
    size < 1.0
}

fn overlaps(shape: Collider, scale: f64, at: DVec2, outlines: &[Vec<DVec2>]) -> bool {
    outlines
        .iter()
        .any(|points| contains(points, at) || sides(points).any(|(a, b)| meets(shape, scale, a - at, b - at)))
}

fn terrain_of(outlines: &[Vec<DVec2>]) -> Terrain {
    let solids = outlines.iter().map(|p| Solid::new("solid".into(), SurfaceId(0), p.clone()));
    Terrain::new(solids.collect())
}

proptest! {
    #![proptest_config(tried(2000))]

    #[test]
    fn a_sweep_of_any_form_stops_at_the_first_touch(
        stars in prop::collection::vec(crowded_star(), 1..4),
        shape in shape(),
        from in vector(300.0),
        motion in prop_oneof![4 => vector(400.0), 1 => vector(400.0).prop_map(|v| dvec2(v.x, 0.0)),
                              1 => vector(400.0).prop_map(|v| dvec2(0.0, v.y)), 1 => vector(6.0)],
    ) {
        let outlines: Vec<Vec<DVec2>> = stars.iter().filter_map(|s| outline(s).ok()).collect();
        if overlaps(shape, 1.0 + SLACK, from, &outlines) {
            return Ok(());
        }
        let terrain = terrain_of(&outlines);
        let hit = terrain.still().sweep(shape, from, motion);
        let free = hit.map_or(1.0, |h| h.time);
        prop_assert!((0.0..=1.0).contains(&free));
        for step in 0..=30 {
            let at = from + motion * free * (f64::from(step) / 30.0);
            prop_assert!(!overlaps(shape, 1.0 - SLACK, at, &outlines), "inside at {step}/30 of {free}: {hit:?}");
        }
        if let Some(hit) = hit {
            prop_assert!(hit.normal.dot(motion) < 0.0, "{hit:?}");
            prop_assert!(overlaps(shape, 1.0 + SLACK, from + motion * free, &outlines), "far away: {hit:?}");
        }
        // A terrain that expects the shape answers the same.
        let expecting = terrain_of(&outlines);
        expecting.expect(shape);
        prop_assert_eq!(expecting.still().sweep(shape, from, motion), hit);
    }

    #[test]
    fn nothing_slips_past_a_corner_at_the_end_of_a_side(
        star in crowded_star(),
        shape in shape(),
        corner in 0..12_usize,
        (left, below) in (any::<bool>(), any::<bool>()),
        aside in (-3.0..3.0_f64, -3.0..3.0_f64),
        nearer in 0..6_i32,
        far in 1.0..30.0_f64,
        upright in any::<bool>(),
    ) {
        let Ok(points) = outline(&star) else { return Ok(()) };
        let corner = points[corner % points.len()];
        let side = dvec2(if left { -1.0 } else { 1.0 }, if below { -1.0 } else { 1.0 });
        // Off by as little as the tolerances, or less.
        let off = DVec2::from(aside) * 1e-6 * 0.1_f64.powi(nearer);
        let from = corner + side * shape.half + off;
        let motion = if upright { dvec2(0.0, -side.y * far) } else { dvec2(-side.x * far, 0.0) };
        let outlines = [points];
        // No sweep ends deeper in a solid than a millionth of a pixel, and the corner of a box is √2 times as deep as its sides.
        if overlaps(shape.grown(-7e-7), 1.0, from, &outlines) {
            return Ok(());
        }
        let terrain = terrain_of(&outlines);
        let free = terrain.still().sweep(shape, from, motion).map_or(1.0, |hit| hit.time);
        for part in 0..=20 {
            let at = from + motion * free * (f64::from(part) / 20.0);
            prop_assert!(!overlaps(shape, 0.999, at, &outlines), "inside after {part}/20 of {free}");
        }
    }

    #[test]
    fn a_separation_of_any_form_ends_an_overlap(star in crowded_star(), shape in shape(), at in vector(250.0)) {
        let Ok(points) = outline(&star) else { return Ok(()) };
        let apart = separation(shape, at, &points);
        let outlines = [points];
        if apart.gap.abs() > SLACK {
            prop_assert_eq!(apart.overlaps(), overlaps(shape, 1.0, at, &outlines), "{:?}", apart);
        }
        if !contains(&outlines[0], at) {
            // It is as far away as the shape has to grow or shrink to touch.
            prop_assert!(overlaps(shape, apart.gap + 1.0 + SLACK, at, &outlines), "{apart:?}");
            prop_assert!(!overlaps(shape, apart.gap + 1.0 - SLACK, at, &outlines), "{apart:?}");
        }
        let free = terrain_of(&outlines).still().push_out(shape, at);
        prop_assert!(free.is_none_or(|free| !overlaps(shape, 1.0 - SLACK, free, &outlines)), "{free:?}");
    }

    #[test]
    fn bodies_of_any_form_separate_by_the_shortest_move(a in shape(), b in shape(), at in vector(60.0)) {
        // Along each axis, the overlap is the sum of how far both reach.
        let axes = 3600;
        let reach = |shape: Collider, axis: DVec2| {
            let directions = (0..720).map(|i| DVec2::from_angle((f64::from(i) + 0.5).to_radians() * 0.5));
            directions.map(|direction| shape.farthest(direction).dot(axis)).fold(0.0, f64::max)
        };
        let slow = (0..axes)
            .map(|i| DVec2::from_angle(f64::from(i) * std::f64::consts::TAU / f64::from(axes)))
            .map(|axis| a.reach(axis) + b.reach(axis) - at.dot(axis))
            .fold(f64::INFINITY, f64::min);
        let axis = at.normalize_or(DVec2::X);
        prop_assert!((a.reach(axis) - reach(a, axis)).abs() < 0.01);
        let found = apart::colliders(a, DVec2::ZERO, b, at);
        prop_assert_eq!(apart::colliders_meet(a, DVec2::ZERO, b, at), found.is_some());
        let Some(away) = found else {
            prop_assert!(slow < 1e-3, "nothing where they overlap by {slow}");
            return Ok(());
        };
        prop_assert!((away.length() - slow).abs() < 1e-3, "{} is not {slow}", away.length());
        prop_assert!(apart::colliders(a, away * (1.0 + 1e-6) + away.normalize() * 1e-5, b, at).is_none());
        for toward in [DVec2::X, DVec2::NEG_Y, away.normalize(), dvec2(0.6, 0.8)] {
            let distance = apart::colliders_along(a, DVec2::ZERO, b, at, toward).expect("they overlap");
            prop_assert!(apart::colliders(a, toward * (distance + 1e-4), b, at).is_none(), "{distance} along {toward}");
            prop_assert!(apart::colliders(a, toward * (distance - 1e-3), b, at).is_some(), "{distance} along {toward}");
        }
    }

    #[test]
    fn walks_of_any_form_never_enter_the_ground_or_float(
        heights in prop::collection::vec(-60.0..60.0_f64, 12),
        distances in prop::collection::vec(-30.0..30.0_f64, 40),
        box_or_capsule in prop_oneof![Just(BOX), Just(CAPSULE)],
        step in prop_oneof![Just(0.0), Just(12.0)],
    ) {
        let shape = box_or_capsule;
        let mut points: Vec<DVec2> =
            heights.iter().enumerate().map(|(i, h)| dvec2(i as f64 * 60.0 - 330.0, *h)).collect();
        points.reverse();
        points.extend([dvec2(-330.0, -500.0), dvec2(330.0, -500.0)]);
        let outlines = [outline(&points).expect("hilly ground")];
        let terrain = terrain_of(&outlines);
        let rule = GroundRule { up: 1.0, least_up: 0.5_f64.sqrt(), probe: 0.5, adherence: 20.0, step };
        let high = dvec2(0.0, 200.0);
        let Some(hit) = terrain.still().probe(shape, high, 400.0) else { return Ok(()) };
        let Some(mut contact) = Contact::of(&terrain.still(), &hit, &rule) else { return Ok(()) };
        let mut at = high - dvec2(0.0, 400.0 * hit.time);
        for distance in distances {
            let walked = walk(&terrain.still(), shape, at, contact, distance, &rule);
            prop_assert!(!overlaps(shape, 1.0 - SLACK, walked.pos, &outlines), "inside at {}", walked.pos);
            if !walked.standing {
                break;
            }
            prop_assert!(overlaps(shape, 1.0 + SLACK, walked.pos, &outlines), "floats at {}", walked.pos);
            let moved = (walked.pos - at).length();
            prop_assert!(moved <= distance.abs() + 21.0 + step, "{} for {}", moved, distance);
            (at, contact) = (walked.pos, walked.contact);
        }
    }
}

/// Two pieces of floor with their tops at 0 and a gap between them, and ground far below.
fn gap(hz: u32, from: f64, to: f64) -> Ground {
    Ground::none(hz)
        .solid(&[(-900.0, -60.0), (from, -60.0), (from, 0.0), (-900.0, 0.0)])
        .solid(&[(to, -60.0), (900.0, -60.0), (900.0, 0.0), (to, 0.0)])
        .solid(&[(-900.0, -600.0), (900.0, -600.0), (900.0, -500.0), (-900.0, -500.0)])
        .figure(BOX)
        .tune("rest_spacing", 0.0)
}

#[test]
fn a_box_that_begins_a_millionth_of_a_pixel_before_a_corner_does_not_slip_past_it() {
    let small = Collider::new(ColliderForm::Box, DVec2::splat(2.0));
    let tolerance = 1e-6;
    for rise in [0.0, 0.01, 0.12, 0.5, 1.0, 3.0] {
        // A wall, and a ramp that begins at its end. Mirrored along the diagonal, the ramp is a wall that leans over.
        let ramp = [(0.0, 0.0), (0.0, -90.0), (90.0, -90.0), (90.0, 90.0 * rise)].map(DVec2::from);
        let mirrored = |v: DVec2| dvec2(-v.y, -v.x);
        for mirror in [|v: DVec2| v, mirrored] {
            let outlines = [outline(&ramp.map(mirror)).expect("a simple polygon")];
            let terrain = terrain_of(&outlines);
            let offsets = (-9..=3).flat_map(|x| (-3..=9).map(move |y| dvec2(f64::from(x), f64::from(y)) * 0.3));
            for from in offsets.map(|off| dvec2(-2.0, 2.0) + mirror(off * tolerance)) {
                if overlaps(small, 1.0 - tolerance / 2.0, from, &outlines) {
                    continue;
                }
                for motion in [(11.0, 0.0), (11.0, 1e-3), (11.0, -1e-6), (11.0, -0.1), (11.0, 0.1), (8.0, -8.0)] {
                    let motion = mirror(motion.into());
                    let hit = terrain.still().sweep(small, from, motion);
                    let end = from + motion * hit.map_or(1.0, |hit| hit.time);
                    assert!(!overlaps(small, 0.999, end, &outlines), "from {from} by {motion} to {end}: {hit:?}");
                }
            }
        }
    }
}

#[test]
fn a_box_stands_on_a_ledge_by_its_last_pixel() {
    for hz in RATES {
        for (over, stands) in [(0.01, true), (5.0, true), (-0.01, false)] {
            for side in [1.0, -1.0] {
                // The floor ends at 0, and this much of the box is over it.
                let ground = gap(hz, -400.0, 0.0).at(side * (over - HALF.x), HALF.y);
                let ground = if side > 0.0 { ground } else { gap(hz, 0.0, 400.0).at(HALF.x - over, HALF.y) };
                let mut play = ground.play();
                let heroes = play.run(0.5);
                assert_eq!(heroes.iter().all(|hero| hero.grounded), stands, "{over} px at {hz} Hz");
                if stands {
                    assert_eq!(play.hero().pos.y, HALF.y);
                }
            }
        }
    }
}

#[test]
fn a_box_walks_off_a_ledge_where_its_side_passes_the_end() {
    for hz in RATES {
        for model in WALKERS {
            let ground = gap(hz, 0.0, 500.0).model(model).at(-60.0, HALF.y);
            let mut play = if model == ModelName::platformer {
                ground.tune("rest_spacing", 0.0)
            } else {
                ground
            }
            .play();
            play.hold(Action::Right);
            let mut last = play.hero();
            for _ in 0..hz {
                let hero = play.tick();
                if !hero.grounded {
                    break;
                }
                last = hero;
            }
            let step = 700.0 / f64::from(hz);
            assert!(last.pos.x <= HALF.x && last.pos.x > HALF.x - step, "{} at {hz} Hz", last.pos.x);
            assert!(!play.hero().grounded && play.hero().pos.x > HALF.x, "at {hz} Hz");
        }
    }
}

#[test]
fn a_box_falls_through_a_gap_exactly_as_wide() {
    for hz in RATES {
        for (aside, falls) in [(0.0, true), (0.01, false), (-0.01, false)] {
            let mut play = gap(hz, -HALF.x, HALF.x).at(aside, 60.0).play();
            play.run(1.0);
            assert_eq!(play.hero().pos.y < -400.0, falls, "{aside} px aside at {hz} Hz: {}", play.hero().pos);
        }
    }
}

#[test]
fn a_box_walks_through_a_corridor_exactly_as_high() {
    for hz in RATES {
        for model in WALKERS {
            let walked = |low: f64| {
                let ceiling = [(100.0, low), (300.0, low), (300.0, low + 80.0), (100.0, low + 80.0)];
                let mut play = Ground::floor(hz).solid(&ceiling).model(model).figure(BOX).at(0.0, HALF.y).play();
                play.hold(Action::Right);
                play.run(1.5);
                play.hero().pos
            };
            assert_eq!(walked(2.0 * HALF.y), walked(500.0), "at {hz} Hz");
            near(walked(2.0 * HALF.y - 0.01).x, 100.0 - HALF.x, 1e-6);
        }
    }
}

#[test]
fn a_box_does_not_climb_a_corner_that_an_ellipse_rolls_over() {
    for hz in RATES {
        let step = [(50.0, -10.0), (400.0, -10.0), (400.0, 2.0), (50.0, 2.0)];
        let mut play = Ground::floor(hz).solid(&step).figure(BOX).at(0.0, HALF.y).play();
        play.hold(Action::Right);
        let heroes = play.run(1.0);
        assert!(heroes.iter().all(|hero| hero.pos.y == HALF.y && hero.grounded));
        near(play.hero().pos.x, 50.0 - HALF.x, 1e-6);
    }
}

#[test]
fn a_box_rests_on_a_slope_with_its_lower_corner() {
    for hz in [60, 240] {
        for degrees in [1.0_f64, 5.0, 15.0, 30.0, 44.0, -10.0, -44.0] {
            let rise = degrees.to_radians().tan() * 400.0;
            let slope = [(-400.0, -900.0), (400.0, -900.0), (400.0, rise), (-400.0, -rise)];
            let mut play = Ground::none(hz).solid(&slope).figure(BOX).at(0.0, 60.0).play();
            play.run(1.0);
            let hero = play.hero();
            assert!(hero.grounded, "{degrees}°");
            let normal = DVec2::from_angle(degrees.to_radians()).perp();
            near(hero.pos.dot(normal), HALF.x * normal.x.abs() + HALF.y * normal.y.abs(), 1e-9);
        }
    }
}

/// How far a body has walked to the right on a level floor after some seconds, px.
fn walked_on_floor(hz: u32, model: ModelName, figure: Collider, seconds: f64) -> f64 {
    let mut play = Ground::floor(hz).model(model).figure(figure).at(0.0, HALF.y).play();
    play.hold(Action::Right);
    play.run(seconds);
    play.hero().pos.x
}

#[test]
fn a_box_walks_up_and_down_ramps_without_losing_ground() {
    let (slope, top) = (30.0_f64.to_radians(), 120.0);
    // Up from x = 100 to a level top, and down from x = 600. The center goes straight up from where the leading corner
    // meets the ramp to where that reaches the top, and down from where the other corner leaves the top.
    let run = top / slope.tan();
    let hill = [(100.0, 0.0), (100.0 + run, top), (600.0, top), (600.0 + run, 0.0), (600.0 + run, -9.0), (100.0, -9.0)];
    let path = [
        dvec2(0.0, 0.0),
        dvec2(100.0 - HALF.x, 0.0),
        dvec2(100.0 - HALF.x + run, top),
        dvec2(600.0 + HALF.x, top),
        dvec2(600.0 + HALF.x + run, 0.0),
        dvec2(9000.0, 0.0),
    ];
    let along = |mut distance: f64| {
        for leg in path.windows(2) {
            let length = leg[0].distance(leg[1]);
            if distance <= length {
                return leg[0] + (leg[1] - leg[0]) * (distance / length);
            }
            distance -= length;
        }
        path[path.len() - 1]
    };
    for hz in RATES {
        for model in WALKERS {
            let mut play = Ground::floor(hz).solid(&hill).model(model).figure(BOX).at(0.0, HALF.y).play();
            play.hold(Action::Right);
            for part in 1..=6 {
                let heroes = play.run(0.5);
                assert!(heroes.iter().all(|hero| hero.grounded), "{model} at {hz} Hz");
                let walked = walked_on_floor(hz, model, BOX, 0.5 * f64::from(part));
                let expected = along(walked) + dvec2(0.0, HALF.y);
                let off = play.hero().pos.distance(expected);
                assert!(off < 1e-3, "{off} px off after {walked} px at {hz} Hz: {}", play.hero().pos);
            }
        }
    }
}

#[test]
fn a_box_whose_corner_ends_a_step_at_the_foot_of_a_steeper_slope_walks_on() {
    for (hz, model) in RATES.into_iter().flat_map(|hz| WALKERS.map(|model| (hz, model))) {
        for (first, second) in [(0.0, 20.0_f64), (18.0, 30.0), (-30.0, 10.0), (-30.0, -10.0), (30.0, 44.0)] {
            let [first, second] = [first, second].map(|degrees: f64| degrees.to_radians().tan());
            let points =
                [(-400.0, -1800.0), (3000.0, -1800.0), (3000.0, 3000.0 * second), (0.0, 0.0), (-400.0, -400.0 * first)];
            for offset in 0..20 {
                // Its lower right corner is on the first slope, or its lower left one on a slope that leads down.
                let x = -200.0 - 0.37 * f64::from(offset);
                let foot = x + if first < 0.0 { -HALF.x } else { HALF.x };
                let ground = Ground::none(hz).solid(&points).model(model).figure(BOX).at(x, foot * first + HALF.y);
                let mut play = ground.play();
                play.hold(Action::Right).run(2.0);
                let at = play.hero().pos;
                assert!(at.x > 50.0, "{model} at {hz} Hz, {first} to {second}: stuck at {at}");
                let foot = at.x + if second < 0.0 { -HALF.x } else { HALF.x };
                near(at.y - HALF.y, foot * second, 1e-6);
            }
        }
    }
}

#[test]
fn a_box_climbs_and_descends_stairs_at_its_full_speed() {
    let height = 6.0;
    for hz in RATES {
        for model in WALKERS {
            for (tuned, climbs) in [(height, true), (height - 0.01, false), (0.0, false)] {
                let mut ground = Ground::floor(hz).model(model).figure(BOX).tune("step_height", tuned).at(0.0, HALF.y);
                for step in 1..6 {
                    let (x, top) = (f64::from(step) * 60.0, f64::from(step) * height);
                    ground = ground.solid(&[(x, -20.0), (700.0 - x, -20.0), (700.0 - x, top), (x, top)]);
                }
                let mut play = ground.play();
                play.hold(Action::Right);
                for part in 1..=4 {
                    let heroes = play.run(0.5);
                    assert!(heroes.iter().all(|hero| hero.grounded), "{model} under {tuned} at {hz} Hz");
                    let walked = walked_on_floor(hz, model, BOX, 0.5 * f64::from(part));
                    let expected = if climbs { walked } else { walked.min(60.0 - HALF.x) };
                    near(play.hero().pos.x, expected, 1e-3);
                }
            }
        }
    }
}

#[test]
fn a_box_in_the_air_does_not_climb_a_step() {
    for hz in RATES {
        for model in WALKERS {
            // Its feet are lower than the top of the wall next to it by much less than a step.
            let (gap, top) = (0.5, 60.0);
            let wall = [(HALF.x + gap, 0.0), (200.0, 0.0), (200.0, top), (HALF.x + gap, top)];
            let ground = Ground::floor(hz).model(model).solid(&wall).figure(BOX).tune("step_height", 12.0);
            let mut play = ground.at(0.0, HALF.y + top - 0.1).play();
            play.hold(Action::Right);
            let mut last = play.hero().pos;
            for hero in play.run(1.0) {
                assert!(hero.pos.y <= last.y && hero.pos.x <= gap + 1e-6, "{model} at {hz} Hz: {}", hero.pos);
                last = hero.pos;
            }
            // One falls down to the floor, the other grabs the wall.
            let end = play.hero().mode;
            assert_eq!(end, if model == ModelName::platformer { Mode::Wall } else { Mode::Ground }, "at {hz} Hz");
        }
    }
}

#[test]
fn a_head_of_a_box_slips_past_the_corner_of_a_ceiling() {
    for (hz, model) in RATES.into_iter().flat_map(|hz| WALKERS.map(|model| (hz, model))) {
        for (under, tuned, passes) in [(3.0, 4.0, true), (6.0, 4.0, false), (3.0, 0.0, false)] {
            let end = -HALF.x + under;
            let block = [(-200.0, 90.0), (end, 90.0), (end, 120.0), (-200.0, 120.0)];
            let ground = Ground::floor(hz)
                .model(model)
                .solid(&block)
                .figure(BOX)
                .tune("corner_correction", tuned)
                .at(0.0, HALF.y);
            let ground = if model == ModelName::platformer {
                ground.tune("rest_spacing", 0.0)
            } else {
                ground
            };
            let mut play = ground.play();
            play.run(0.1);
            play.hold(Action::Jump);
            let highest = play.run(0.6).iter().map(|h| h.pos.y).fold(0.0, f64::max);
            assert_eq!(highest > 70.1, passes, "{model}: {under} px under {tuned} at {hz} Hz: {highest}");
            if !passes {
                // At the end of the tick of the bump it may have fallen for a part of that.
                let fallen = 0.5 * 3672.0 / f64::from(hz * hz);
                assert!(highest <= 70.0 + 1e-6 && highest >= 70.0 - fallen - 1e-6, "{highest} at {hz} Hz");
            }
        }
    }
}

#[test]
fn a_box_jumps_up_through_a_one_way_platform_and_lands_on_it() {
    for hz in RATES {
        for figure in [BOX, CAPSULE] {
            let ground = Ground::floor(hz).one_way(&[(-50.0, 80.0), (5.0, 80.0)]).figure(figure);
            let mut play = ground.at(0.0, HALF.y).play();
            play.run(0.1);
            play.hold(Action::Jump);
            play.run(1.5);
            near(play.hero().pos.y, 80.0 + HALF.y, 1e-6);
            play.release(Action::Jump).hold(Action::Down);
            play.run(0.1);
            play.hold(Action::Jump);
            play.run(1.0);
            near(play.hero().pos.y, HALF.y, 1e-6);
        }
    }
}

#[test]
fn a_box_grabs_a_wall_and_jumps_off_it() {
    for hz in RATES {
        for figure in [BOX, CAPSULE] {
            let wall = [(60.0, -100.0), (120.0, -100.0), (120.0, 900.0), (60.0, 900.0)];
            let mut play = Ground::floor(hz).solid(&wall).figure(figure).at(30.0, HALF.y).play();
            play.run(0.1);
            play.hold(Action::Jump);
            play.run(0.15);
            play.hold(Action::Right);
            play.run(0.5);
            let hero = play.hero();
            assert_eq!(hero.mode.as_str(), "wall", "at {hz} Hz");
            near(hero.pos.x, 60.0 - HALF.x, 1e-9);
        }
    }
}

#[test]
fn a_hooked_box_hangs_and_swings_without_entering_anything() {
    for hz in RATES {
        let mut ground = Ground::none(hz).figure(BOX).tune("hook_grab_distance", 0.0).at(-80.0, -120.0);
        ground = ground.solid(&[(-20.0, 0.0), (20.0, 0.0), (20.0, 20.0), (-20.0, 20.0)]);
        ground = ground.solid(&[(40.0, -300.0), (80.0, -300.0), (80.0, -40.0), (40.0, -40.0)]);
        let mut play = ground.tune("hook_pull_speed", 0.0).play();
        play.input.aim = Some(dvec2(0.0, 1.0));
        play.hold(Action::Hook);
        let mut farthest = f64::NEG_INFINITY;
        for hero in play.run(3.0) {
            assert!(play.stage.level.terrain.still().overlap(BOX, hero.pos).is_none(), "{} at {hz} Hz", hero.pos);
            farthest = farthest.max(hero.pos.x);
        }
        assert!(play.hero().pos.y > -300.0, "the hook does not hold it at {hz} Hz");
        // It swings up to the pillar.
        near(farthest, 40.0 - HALF.x, 0.1);
    }
}

#[test]
fn rest_positions_of_a_box_reach_half_its_width_beyond_the_ends_of_its_ground() {
    let floor = outline(&[dvec2(0.0, -50.0), dvec2(100.0, -50.0), dvec2(100.0, 0.0), dvec2(0.0, 0.0)]);
    let terrain = terrain_of(&[floor.expect("a floor")]);
    let scenery = terrain.still();
    let rule = GroundRule { up: 1.0, least_up: 0.7, probe: 0.5, adherence: 20.0, step: 0.0 };
    let area = Bounds::of(dvec2(-200.0, 0.0), dvec2(300.0, 100.0));
    for (figure, beyond) in [(BOX, 8.0), (CAPSULE, 0.0)] {
        let query = RestQuery { shape: figure, rule: &rule, steepest: 1e-9, spacing: 4.0 };
        let on_floor = scenery.rest_positions(&query, &area).into_iter().filter(|place| place.at.y == HALF.y);
        let places: Vec<f64> = on_floor.map(|place| place.at.x).collect();
        let expected: Vec<f64> = (0..=25 + (beyond / 2.0) as i32).map(|i| f64::from(i) * 4.0 - beyond).collect();
        assert_eq!(places, expected);
        for x in places {
            assert!(scenery.probe(figure, dvec2(x, HALF.y + 0.2), 0.5).is_some(), "nothing bears it at {x}");
        }
    }
}

#[test]
fn a_box_that_stops_beyond_the_end_of_its_ground_stays_there() {
    for hz in RATES {
        let mut play = Ground::none(hz)
            .solid(&[(-300.0, -60.0), (0.0, -60.0), (0.0, 0.0), (-300.0, 0.0)])
            .figure(BOX)
            .at(7.0, HALF.y)
            .play();
        let heroes = play.run(1.0);
        assert!(heroes.iter().all(|hero| hero.grounded), "at {hz} Hz");
        // Positions are 4 px apart, counted from the left end of the floor.
        near(play.hero().pos.x, 8.0, 1e-9);
    }
}

#[test]
fn a_planned_jump_of_a_box_keeps_clear_of_a_niche() {
    for hz in RATES {
        // A niche on a shelf, a little higher than the box.
        let shelf = [(200.0, 0.0), (400.0, 0.0), (400.0, 100.0), (200.0, 100.0)];
        let roof = [(215.0, 142.0), (400.0, 142.0), (400.0, 400.0), (215.0, 400.0)];
        let ground = Ground::floor(hz).solid(&shelf).solid(&roof).gravity(900.0).figure(BOX).at(0.0, HALF.y);
        let mut leaper = Leaper::new(ground, aim(212.0, 100.0, 2.0));
        leaper.play.run(0.2);
        let play = &leaper.play;
        let mut work = hangtime_core::models::ballistic::PlanWork::up_to(1_000_000);
        let standing = play.world.standing(&play.stage);
        let plan = play
            .stage
            .plan_jump(play.world.ticks(), &standing, 0, &play.hero(), &leaper.aim, &mut work);
        let plan = plan.unwrap_or_else(|why| panic!("{why} at {hz} Hz"));
        let solids = [shelf.map(DVec2::from).to_vec(), roof.map(DVec2::from).to_vec()];
        for share in 0..=2000 {
            let place = at(&plan, plan.flight.time * f64::from(share) / 2000.0);
            assert!(!overlaps(BOX, 1.0 - SLACK, place, &solids), "inside at {place}");
        }
        near(plan.flight.to.y, 100.0 + HALF.y, 1e-6);
    }
}

#[test]
fn a_box_slides_along_walls_in_a_top_view_and_stops_at_corners() {
    let square = Collider { half: DVec2::splat(10.0), form: ColliderForm::Box };
    for hz in RATES {
        let wall = [(50.0, -800.0), (90.0, -800.0), (90.0, 800.0), (50.0, 800.0)];
        let start = |ground: Ground| ground.top_view().model(ModelName::topdown).figure(square).at(0.0, 0.0);
        let mut play = start(Ground::none(hz).solid(&wall)).play();
        play.hold(Action::Right).hold(Action::Up);
        play.run(1.0);
        near(play.hero().pos.x, 40.0, 1e-6);
        assert!(play.hero().pos.y > 100.0, "it does not slide along the wall at {hz} Hz");
        // A corner that the last pixel of its side meets.
        let spike = [(50.0, 9.99), (120.0, -300.0), (120.0, 300.0)];
        let mut play = start(Ground::none(hz).solid(&spike)).play();
        play.hold(Action::Right);
        play.run(1.0);
        let hero = play.hero();
        near(hero.pos.x, 40.0, 1e-6);
        assert_eq!(hero.pos.y, 0.0, "the corner pushes it aside at {hz} Hz");
    }
}

#[test]
fn a_box_lands_on_a_floor_in_a_top_view_by_its_last_pixel() {
    let square = Collider { half: DVec2::splat(10.0), form: ColliderForm::Box };
    for (x, on) in [(-9.9, true), (-10.1, false)] {
        let ground = Ground::none(60)
            .block((0.0, -50.0), (100.0, 50.0), 30.0)
            .top_view()
            .model(ModelName::topdown);
        let stage = ground.figure(square).stage();
        let floor = stage.level.terrain.still().floor_below(square, dvec2(x, 0.0), 40.0);
        assert_eq!(floor.height, if on { 30.0 } else { 0.0 });
    }
}

#[test]
fn boxes_push_each_other_apart_side_by_side() {
    for hz in RATES {
        let mut a = Member::new("a", ModelName::platformer, BOX, dvec2(-6.0, HALF.y));
        let mut b = Member::new("b", ModelName::platformer, BOX, dvec2(6.0, HALF.y));
        (a.pushes, b.pushes) = (true, true);
        let mut cast = crate::cast::Cast::new(&Ground::floor(hz).tune("rest_spacing", 0.0), &[a, b]);
        for _ in 0..hz {
            cast.tick();
        }
        let [a, b] = ["a", "b"].map(|name| cast.world.view_of(&cast.stage, name).expect("it is there").pos);
        assert!(b.x - a.x >= 2.0 * HALF.x - 1e-3, "{a} and {b} at {hz} Hz");
        assert_eq!((a.y, b.y), (HALF.y, HALF.y), "at {hz} Hz");
    }
}

#[test]
fn a_moving_platform_carries_and_pushes_a_box() {
    for hz in RATES {
        let lift = [(-40.0, -20.0), (5.0, -20.0), (5.0, 0.0), (-40.0, 0.0)];
        let ground = Ground::none(hz).platform(&lift, &[(0.0, 0.0), (0.0, 200.0)], 100.0).figure(BOX);
        let mut play = ground.tune("rest_spacing", 0.0).at(12.0, HALF.y).play();
        for hero in play.run(1.5) {
            assert!(hero.grounded, "at {hz} Hz");
        }
        near(play.hero().pos.y, HALF.y + 150.0, 1e-6);
        let ram = [(-80.0, 5.0), (-40.0, 5.0), (-40.0, 30.0), (-80.0, 30.0)];
        let ground = Ground::floor(hz).platform(&ram, &[(0.0, 0.0), (200.0, 0.0)], 100.0).figure(BOX);
        let mut play = ground.tune("rest_spacing", 0.0).at(0.0, HALF.y).play();
        play.run(1.5);
        near(play.hero().pos.x, -40.0 + 150.0 + HALF.x, 1e-3);
    }
}

#[test]
fn a_saved_box_continues_as_if_nothing_had_happened() {
    for figure in [BOX, CAPSULE] {
        let ramp = [(100.0, 0.0), (300.0, 90.0), (500.0, 0.0)];
        let mut play = Ground::floor(60).solid(&ramp).figure(figure).at(0.0, HALF.y).play();
        play.hold(Action::Right);
        play.run(0.4);
        let text = serde_json::to_string(&play.world).expect("it is saved");
        let saved: SavedWorld = serde_json::from_str(&text).expect("it has all fields");
        let world: World = saved.check(&play.stage).expect("a valid world");
        let mut other = Play { stage: play.stage.clone(), world, input: play.input, events: vec![] };
        for _ in 0..120 {
            assert_eq!(play.tick(), other.tick());
        }
    }
}

#[test]
fn a_capsule_as_wide_as_it_is_tall_is_a_circle() {
    let circle = Collider::new(ColliderForm::Capsule, dvec2(12.0, 12.0));
    assert_eq!(circle, Collider::ellipse(12.0, 12.0));
}

#[test]
fn the_polygon_of_a_capsule_is_convex_and_as_large() {
    for half in [dvec2(10.0, 20.0), dvec2(30.0, 7.0)] {
        let shape = BodyShape::from(Collider::new(ColliderForm::Capsule, half));
        let points = &shape.pieces[0].points;
        let farthest = points.iter().fold(DVec2::ZERO, |far, p| far.max(p.abs()));
        near(farthest.x, half.x, 1e-9);
        near(farthest.y, half.y, 1e-9);
        assert_eq!(&outline(points).expect("a simple polygon"), points);
        assert_eq!(hangtime_core::geometry::convex::first_inward_corner(points), None);
    }
}
