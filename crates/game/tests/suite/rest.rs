//! Rest positions.

use crate::{
    common::{RATES, near},
    folder::{Folder, on_large_stack},
    ground::{BODY, Ground, crowded_star, tried},
};
use glam::{DVec2, dvec2};
use hangtime_core::{
    geometry::{Collider, grid::Bounds, polygon},
    level::{Feature, GroundRule, RestPosition, RestQuery, Solid, SurfaceId, Terrain},
    models::Action,
    sim::Value,
};
use proptest::prelude::*;
use std::collections::BTreeMap;

fn rule() -> GroundRule {
    GroundRule { up: 1.0, least_up: 0.5_f64.sqrt(), probe: 0.5, adherence: 20.0, step: 0.0 }
}

#[test]
fn a_stopping_body_moves_to_the_nearest_rest_position_exactly() {
    for hz in RATES {
        for degrees in [0.0_f64, 10.0, -30.0, 44.0] {
            let (sin, cos) = degrees.to_radians().sin_cos();
            // A slope through the origin, from 400 px to its left to 400 px to its right.
            let top = |d: f64| (cos * d, sin * d);
            let below = |d: f64| (cos * d + sin * 50.0, sin * d - cos * 50.0);
            let slope = [below(-400.0), below(400.0), top(400.0), top(-400.0)];
            for start in [0.0, 1.3, 2.2, 3.9] {
                let reach = f64::hypot(10.0 * sin, 19.0 * cos);
                let at = dvec2(cos * start - sin * reach, sin * start + cos * reach);
                let mut play = Ground::none(hz).solid(&slope).at(at.x, at.y).play();
                play.hold(Action::Right);
                play.run(0.1);
                play.release(Action::Right);
                let mut last = play.tick();
                while last.vel != DVec2::ZERO {
                    last = play.tick();
                }
                let moved = play.tick();
                assert_eq!(moved.vel, DVec2::ZERO);
                assert!(moved.pos.distance(last.pos) <= 2.0 + 1e-9);
                // The distance of its foot from the slope's left end, along the slope.
                let foot = moved.pos - BODY.farthest(dvec2(-sin, cos));
                let place = foot.dot(dvec2(cos, sin)) + 400.0;
                near(place / 4.0, (place / 4.0).round(), 1e-9);
                for hero in play.run(10.0) {
                    assert_eq!(hero.pos, moved.pos);
                    assert!(hero.grounded);
                }
            }
        }
    }
}

#[test]
fn a_body_on_a_wall_rests_at_positions_counted_from_its_lower_end() {
    for hz in RATES {
        // Two aligned solids form the wall.
        let ground = Ground::floor(hz)
            .solid(&[(50.0, 0.0), (90.0, 0.0), (90.0, 101.5), (50.0, 101.5)])
            .solid(&[(50.0, 101.5), (90.0, 101.5), (90.0, 600.0), (50.0, 600.0)]);
        for height in [203.1, 300.0, 417.7] {
            let mut play = ground_at(&ground, height);
            play.hold(Action::Right);
            play.run(0.5);
            assert_eq!(play.hero().mode, "wall");
            let place = play.hero().pos.y / 4.0;
            near(place, place.round(), 1e-9);
            let still = play.hero().pos;
            assert!(play.run(2.0).iter().all(|hero| hero.pos == still));
        }
    }
}

fn ground_at(ground: &Ground, height: f64) -> crate::ground::Play {
    let stage = Ground { at: dvec2(30.0, height), others: vec![], ..ground.clone() };
    stage.play()
}

#[test]
fn moving_to_a_rest_position_never_enters_a_solid() {
    for hz in RATES {
        for gap in [0.1, 0.9, 1.7, 2.3, 3.1] {
            // A wall that leaves no room at the nearest rest position.
            let x = 10.0 + gap;
            let mut play = Ground::floor(hz)
                .solid(&[(x, 0.0), (x + 50.0, 0.0), (x + 50.0, 90.0), (x, 90.0)])
                .at(gap * 0.9, 19.0)
                .play();
            for hero in play.run(0.5) {
                assert!(hero.pos.x + 10.0 <= x + 1e-6, "{} of {x}", hero.pos.x + 10.0);
                assert_eq!(hero.vel, DVec2::ZERO);
            }
        }
    }
}

#[test]
fn without_rest_spacing_a_body_rests_anywhere() {
    let mut play = Ground::floor(60).tune("rest_spacing", 0.0).at(1.234, 19.0).play();
    assert_eq!(play.run(1.0).pop().expect("ticks").pos, dvec2(1.234, 19.0));
}

#[test]
fn rest_positions_match_where_bodies_come_to_rest() {
    let square = [dvec2(0.0, 0.0), dvec2(100.0, 0.0), dvec2(100.0, 60.0), dvec2(0.0, 60.0)];
    let block = [dvec2(40.0, 60.0), dvec2(60.0, 60.0), dvec2(60.0, 160.0), dvec2(40.0, 160.0)];
    let solids = [square, block].map(|p| Solid::new("solid".into(), SurfaceId(0), p.to_vec()));
    let terrain = Terrain::new(solids.to_vec());
    let scenery = terrain.still();
    let ground = rule();
    let query = RestQuery { shape: BODY, rule: &ground, steepest: 0.1, spacing: 4.0 };
    let everywhere = Bounds::of(DVec2::splat(-1e4), DVec2::splat(1e4));
    let positions = scenery.rest_positions(&query, &everywhere);
    // On the floor to the left of the block its feet are at 0, 4, …, 28; at 30 px from the left end
    // the body touches the block.
    let left = positions.iter().filter(|p| p.at.y == 79.0 && p.at.x < 40.0);
    assert_eq!(left.map(|p| p.at.x).collect::<Vec<_>>(), [0.0, 4.0, 8.0, 12.0, 16.0, 20.0, 24.0, 28.0]);
    for position in &positions {
        assert!(scenery.overlap(BODY, position.at).is_none());
        assert_eq!(scenery.nearest_rest(position.edge, BODY, position.at, 4.0), *position);
        let into = -terrain.edge(position.edge).face.normal * 0.5;
        let hit = scenery.sweep(BODY, position.at, into).expect("it touches its edge");
        assert!(matches!(hit.feature, Feature::Face(_) | Feature::Corner(_)));
        assert_eq!(hit.time, 0.0);
    }
    // Walls and roofs have rest positions, too.
    assert!(positions.iter().any(|p| p.at.x == 110.0) && positions.iter().any(|p| p.at.y == -19.0));
}

/// Half-widths of bodies of several sizes.
const SIZES: [(f64, f64); 3] = [(10.0, 19.0), (3.7, 3.7), (24.0, 13.7)];

fn query(shape: Collider, rule: &GroundRule, spacing: f64) -> RestQuery<'_> {
    RestQuery { shape, rule, steepest: 5.73_f64.to_radians().sin(), spacing }
}

fn everywhere() -> Bounds {
    Bounds::of(DVec2::splat(-1e4), DVec2::splat(1e4))
}

/// Where a body that starts here without any input rests.
fn rests(ground: &Ground, at: DVec2) -> DVec2 {
    let mut play = ground.clone().at(at.x, at.y).play();
    let end = play.run(0.7).pop().expect("ticks").pos;
    assert!(play.run(0.1).iter().all(|hero| hero.pos == end));
    end
}

#[test]
fn all_bodies_in_a_cell_rest_at_the_same_bits() {
    let rule = rule();
    for hz in [30, 60, 240] {
        for (x, y) in SIZES {
            let shape = Collider::ellipse(x, y);
            for spacing in [1.0, 4.0, 7.3, 50.0, 1000.0] {
                for degrees in [0.0_f64, 17.0, -40.0] {
                    let (sin, cos) = degrees.to_radians().sin_cos();
                    let top = |d: f64| (cos * d, sin * d);
                    let below = |d: f64| (cos * d + sin * 80.0, sin * d - cos * 80.0);
                    let slope = [below(-100.3), below(231.1), top(231.1), top(-100.3)];
                    let ground = Ground::none(hz).figure(shape).tune("rest_spacing", spacing).solid(&slope);
                    let stage = ground.stage();
                    let scenery = stage.level.terrain.still();
                    let all = scenery.rest_positions(&query(shape, &rule, spacing), &everywhere());
                    let reach = shape.farthest(dvec2(-sin, cos));
                    let cell = |n: f64| {
                        let place = (n * spacing).min(331.4) - 100.3;
                        let nearest = (((place + 100.3) / spacing).round()).min((331.4_f64 / spacing).floor());
                        let entry = dvec2(cos, sin) * (nearest * spacing - 100.3) + reach;
                        (dvec2(cos, sin) * place + reach, entry)
                    };
                    for n in [0.0, 0.4, 1.3, 1.45, 2.7, 3.2, 900.0] {
                        let (start, entry) = cell(n);
                        let end = rests(&ground, start);
                        assert!(end.distance(entry) < 1e-9, "{end} {entry} {spacing} {degrees}");
                        assert!(all.iter().any(|p| p.at == end), "{end}");
                    }
                    // Each has its place once.
                    for (i, one) in all.iter().enumerate() {
                        let apart = |other: &RestPosition| other.at.distance(one.at) > 1e-6;
                        assert!(all[i + 1..].iter().all(apart), "{one:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_body_past_the_last_rest_position_or_on_an_end_corner_moves_onto_the_line() {
    for hz in RATES {
        for spacing in [4.0, 50.0, 300.0] {
            // The top is 102.7 px long.
            let ground = Ground::none(hz).tune("rest_spacing", spacing).tune("ground_adherence", 0.0).solid(&[
                (0.0, -60.0),
                (102.7, -60.0),
                (102.7, 0.0),
                (0.0, 0.0),
            ]);
            let last = (102.7_f64 / spacing).floor() * spacing;
            for x in [101.0, 102.7, 104.0, 105.5, 107.0] {
                // On the corner, lower the farther it is over the end, and not yet sliding off.
                let over = ((x - 102.7) / 10.0_f64).max(0.0);
                let y = 19.0 * (1.0 - over * over).sqrt();
                let end = rests(&ground, dvec2(x, y + 1e-7));
                assert_eq!(end, dvec2(last, 19.0), "{spacing} from {x} at {hz} Hz");
            }
            for x in [-3.0, 0.0, 0.9] {
                let over = (-x / 10.0_f64).max(0.0);
                let y = 19.0 * (1.0 - over * over).sqrt();
                assert_eq!(rests(&ground, dvec2(x, y + 1e-7)), dvec2(0.0, 19.0));
            }
        }
    }
}

#[test]
fn a_body_next_to_a_wall_moves_to_the_nearest_position_with_room() {
    for hz in RATES {
        for spacing in [4.0, 50.0] {
            for gap in [0.1, 0.9, 1.7, 2.3, 3.1] {
                let x = 200.0 + 10.0 + gap;
                let ground = Ground::none(hz)
                    .tune("rest_spacing", spacing)
                    .solid(&[(0.0, -50.0), (400.0, -50.0), (400.0, 0.0), (0.0, 0.0)])
                    .solid(&[(x, 0.0), (x + 50.0, 0.0), (x + 50.0, 90.0), (x, 90.0)]);
                let room = ((200.0 + gap) / spacing).floor() * spacing;
                assert_eq!(rests(&ground, dvec2(200.0 + gap - 0.05, 19.0)), dvec2(room, 19.0));
            }
        }
    }
}

#[test]
fn tiles_and_one_way_platforms_in_a_line_are_one_line() {
    for hz in [30, 60, 240] {
        for one_way in [false, true] {
            let mut ground = Ground::none(hz).tune("rest_spacing", 7.0);
            for i in 0..30 {
                let (x, next) = (10.3 * f64::from(i), 10.3 * f64::from(i + 1));
                ground = if one_way && i % 3 == 1 {
                    ground.one_way(&[(x, 0.0), (next, 0.0)])
                } else {
                    ground.solid(&[(x, -20.0), (next, -20.0), (next, 0.0), (x, 0.0)])
                };
            }
            for x in [0.1, 3.4, 10.3, 20.6, 24.4, 100.0, 204.9, 308.9] {
                let entry = (x / 7.0_f64).round().min((309.0_f64 / 7.0).floor()) * 7.0;
                let end = rests(&ground, dvec2(x, 19.0));
                near(end.x, entry, 1e-9);
                // A body from the other side of the position has the same bits.
                let other = entry - (x - entry).clamp(-0.4, 0.4);
                assert_eq!(rests(&ground, dvec2(other.max(0.0), 19.0)), end, "{x} {one_way}");
            }
        }
    }
}

#[test]
fn bodies_on_a_moving_platform_rest_at_the_same_bits_in_every_tick() {
    for hz in RATES {
        let points = [(0.0, -20.0), (131.0, -20.0), (131.0, 0.0), (0.0, 0.0)];
        let ground = Ground::none(hz).platform(&points, &[(0.0, 0.0), (313.7, 177.3)], 97.3);
        let mut plays: Vec<_> = [61.1, 59.2, 60.0, 58.3].map(|x| ground.clone().at(x, 19.0).play()).into();
        for play in &mut plays {
            play.run(0.3);
        }
        for _ in 0..hz {
            let ends: Vec<DVec2> = plays.iter_mut().map(|play| play.tick().pos).collect();
            assert!(ends.iter().all(|end| *end == ends[0]), "{ends:?} at {hz} Hz");
        }
        assert!(plays[0].hero().grounded && plays[0].told("leave_ground") == 0);
    }
}

#[test]
fn bodies_on_a_wall_and_its_corner_rest_at_the_same_bits() {
    for hz in RATES {
        let ground = Ground::none(hz).solid(&[(50.0, 1.3), (90.0, 1.3), (90.0, 402.0), (50.0, 402.0)]);
        for start in [120.0, 200.0, 333.3] {
            let mut ends: BTreeMap<i64, DVec2> = BTreeMap::new();
            for i in 0..12 {
                let mut play = ground_at(&ground, start + 0.71 * f64::from(i));
                play.hold(Action::Right);
                play.run(0.4);
                let hero = play.hero();
                assert_eq!(hero.mode, "wall");
                let cell = (hero.pos.y - 1.3) / 4.0;
                near(cell, cell.round(), 1e-9);
                assert_eq!(*ends.entry(cell.round() as i64).or_insert(hero.pos), hero.pos);
            }
        }
    }
}

proptest! {
    #![proptest_config(tried(48))]

    #[test]
    fn a_query_finds_exactly_the_rest_positions_in_its_area(
        stars in prop::collection::vec(crowded_star(), 1..8),
        corners in (-200.0..200.0_f64, -200.0..200.0_f64, -200.0..200.0_f64, -200.0..200.0_f64),
        spacing in 1.0..50.0_f64,
    ) {
        let solids = stars.iter().filter_map(|star| polygon::outline(star).ok());
        let solids = solids.map(|p| Solid::new("star".into(), SurfaceId(0), p)).collect();
        let terrain = Terrain::new(solids);
        let (scenery, rule) = (terrain.still(), rule());
        let query = query(BODY, &rule, spacing);
        let area = Bounds::of(dvec2(corners.0, corners.1), dvec2(corners.2, corners.3));
        let mut all = scenery.rest_positions(&query, &everywhere());
        for position in &all {
            prop_assert!(scenery.overlap(BODY, position.at).is_none());
            let n = terrain.edge(position.edge).face.normal;
            prop_assert!(scenery.sweep(BODY, position.at, -n * 0.5).is_some_and(|hit| hit.time == 0.0));
        }
        all.retain(|position| area.holds(position.at));
        prop_assert_eq!(scenery.rest_positions(&query, &area), all);
    }
}

#[test]
fn scripts_find_the_rest_positions_of_a_kind() {
    on_large_stack(|| {
        let folder = Folder::with_script(
            r#"
            fn on_tick(me) {
                if me.mode != "ground" || me.vel.x != 0.0 { return; }
                let near = world::rest_positions("hero", me.x - 8, me.y - 1, me.x + 8, me.y + 1);
                this.count = near.len();
                this.here = near.filter(|p| p.x == me.x && p.y == me.y).len();
                this.modes = near.filter(|p| p.mode == "ground" && p.solid == "floor" && p.surface == "stone").len();
                this.none = world::rest_positions(me.kind, 0, 500, 10, 600).len();
                if world::tick() == 50 { world::rest_positions("hero", -16000, -9000, 16000, 9000); }
            }
            "#,
        );
        let mut game = folder.game();
        game.input.held.insert(Action::Right);
        game.ticks(11);
        game.input.held.remove(Action::Right);
        game.ticks(30);
        assert_eq!(game.wrong(), [""; 0]);
        // The floor's left end is at -1000; every 4 px from there, from 8 px to the left on.
        assert_eq!(game.var("count"), Value::Int(5));
        assert_eq!(game.var("here"), Value::Int(1));
        assert_eq!(game.var("modes"), Value::Int(5));
        assert_eq!(game.var("none"), Value::Int(0));
        // A call for the whole level would cost too much.
        game.ticks(20);
        assert_eq!(game.wrong().len(), 1, "{:?}", game.wrong());
    });
}
