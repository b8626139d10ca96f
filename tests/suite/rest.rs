//! Rest positions.

use crate::support::{BODY, Ground, RATES, near};
use glam::{DVec2, dvec2};
use hangtime::level::{Feature, GroundRule, Solid, SurfaceId, Terrain};
use hangtime::models::Action;

fn rule() -> GroundRule {
    GroundRule {
        up: 1.0,
        least_up: 0.5_f64.sqrt(),
        probe: 0.5,
        adherence: 20.0,
        step: 0.0,
    }
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

fn ground_at(ground: &Ground, height: f64) -> crate::support::Play {
    let stage = Ground {
        at: dvec2(30.0, height),
        others: vec![],
        ..ground.clone()
    };
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
                assert!(
                    hero.pos.x + 10.0 <= x + 1e-6,
                    "{} of {x}",
                    hero.pos.x + 10.0
                );
                assert_eq!(hero.vel, DVec2::ZERO);
            }
        }
    }
}

#[test]
fn without_rest_spacing_a_body_rests_anywhere() {
    let mut play = Ground::floor(60)
        .tune("rest_spacing", 0.0)
        .at(1.234, 19.0)
        .play();
    assert_eq!(play.run(1.0).pop().expect("ticks").pos, dvec2(1.234, 19.0));
}

#[test]
fn rest_positions_match_where_bodies_come_to_rest() {
    let square = [
        dvec2(0.0, 0.0),
        dvec2(100.0, 0.0),
        dvec2(100.0, 60.0),
        dvec2(0.0, 60.0),
    ];
    let block = [
        dvec2(40.0, 60.0),
        dvec2(60.0, 60.0),
        dvec2(60.0, 160.0),
        dvec2(40.0, 160.0),
    ];
    let solids = [square, block].map(|p| Solid::new("solid".into(), SurfaceId(0), p.to_vec()));
    let terrain = Terrain::new(solids.to_vec());
    let scenery = terrain.still();
    let positions = scenery.rest_positions(BODY, &rule(), 0.1, 4.0);
    // On the floor to the left of the block its feet are at 0, 4, …, 28; at 30 px from the left end
    // the body touches the block.
    let left = positions.iter().filter(|p| p.at.y == 79.0 && p.at.x < 40.0);
    assert_eq!(
        left.map(|p| p.at.x).collect::<Vec<_>>(),
        [0.0, 4.0, 8.0, 12.0, 16.0, 20.0, 24.0, 28.0]
    );
    for position in &positions {
        assert!(scenery.overlap(BODY, position.at).is_none());
        near(
            scenery.to_rest(position.edge, BODY, position.at, 4.0),
            0.0,
            1e-9,
        );
        let into = -terrain.edge(position.edge).face.normal * 0.5;
        let hit = scenery
            .sweep(BODY, position.at, into)
            .expect("it touches its edge");
        assert!(matches!(hit.feature, Feature::Face(_) | Feature::Corner(_)));
        assert_eq!(hit.time, 0.0);
    }
    // Walls and roofs have rest positions, too.
    assert!(positions.iter().any(|p| p.at.x == 110.0) && positions.iter().any(|p| p.at.y == -19.0));
}
