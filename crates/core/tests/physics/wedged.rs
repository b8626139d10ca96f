//! Bodies that are held up although nothing under them is walkable: gaps and pits.

use crate::{
    common::{RATES, loaded, near},
    ground::{Ground, Play, tried},
};
use glam::{DVec2, dvec2};
use hangtime_core::{
    geometry::Collider,
    models::{Action, ModelName},
    sim::Command,
};
use proptest::prelude::*;

const WALKERS: [ModelName; 2] = [ModelName::platformer, ModelName::two_velocity];

/// A floor at y = 0 with a deep gap of this width around x = 0.
fn gap(hz: u32, width: f64) -> Ground {
    let half = width / 2.0;
    let side = |x: f64, end: f64| [(x, -400.0), (end, -400.0), (end, 0.0), (x, 0.0)];
    Ground::none(hz).solid(&side(-600.0, -half)).solid(&side(half, 600.0)).at(0.0, 60.0)
}

/// A pit whose sides rise at these angles from its bottom at (0, 0), 300 px to either side.
fn pit(hz: u32, left: f64, right: f64) -> Ground {
    let rise = |degrees: f64| degrees.to_radians().tan() * 300.0;
    Ground::none(hz)
        .solid(&[(-300.0, -50.0), (0.0, -50.0), (0.0, 0.0), (-300.0, rise(left))])
        .solid(&[(0.0, -50.0), (300.0, -50.0), (300.0, rise(right)), (0.0, 0.0)])
        .at(0.0, 100.0)
}

/// The height of the default body's center when corners at x = ±`half` and y = 0 hold it.
fn height_over_gap(half: f64) -> f64 {
    19.0 * (1.0 - (half / 10.0).powi(2)).sqrt()
}

#[test]
fn a_body_in_a_gap_stands_and_jumps_out() {
    for hz in RATES.into_iter().chain([37, 144]) {
        for model in WALKERS {
            for tenths in [95, 100, 120, 140, 160, 180, 195, 199] {
                let width = f64::from(tenths) / 10.0;
                let about = format!("gap of {width} px at {hz} Hz, {model:?}");
                let mut play = gap(hz, width).model(model).play();
                play.run(1.0);
                let hero = play.hero();
                assert!(hero.grounded && hero.mode == "ground", "{about}");
                assert_eq!(hero.vel, DVec2::ZERO, "{about}");
                let height = height_over_gap(width / 2.0);
                assert!((hero.pos.y - height).abs() < 1e-4, "{about}: {}", hero.pos.y);
                assert_eq!(play.told("land"), 1, "{about}");
                assert_eq!(play.told("leave_ground"), 0, "{about}");
                let rested = hero.pos;
                assert!(play.run(1.0).iter().all(|h| h.pos == rested), "{about}");
                play.hold(Action::Jump);
                let top = play.run(0.6).iter().map(|h| h.pos.y).fold(0.0, f64::max);
                // Apex: 540 · 0.278 + 540² / (2 · 3672).
                assert!((top - height - 189.83).abs() < 3.0, "{about}: {top}");
                assert_eq!(play.told("leave_ground"), 1, "{about}");
            }
        }
    }
}

#[test]
fn a_body_that_falls_into_a_gap_lands_with_its_speed() {
    for hz in RATES {
        for model in WALKERS {
            let mut play = gap(hz, 14.0).model(model).at(0.0, 60.0).play();
            play.run(1.0);
            let fall = 60.0 - height_over_gap(7.0);
            let expected = (2.0 * 3672.0 * fall).sqrt();
            let speeds = play.landings();
            assert_eq!(speeds.len(), 1, "{hz} Hz");
            assert!((speeds[0] - expected).abs() < 0.01 * expected, "{speeds:?}, {expected} at {hz} Hz");
        }
    }
}

#[test]
fn a_body_in_a_steep_pit_stands_and_jumps() {
    for hz in RATES {
        for model in WALKERS {
            for (left, right) in [(46.0, 46.0), (60.0, 60.0), (75.0, 75.0), (50.0, 70.0), (80.0, 47.0)] {
                let about = format!("pit of {left}° and {right}° at {hz} Hz, {model:?}");
                for x in [0.0, -10.0, 15.0] {
                    let mut play = pit(hz, left, right).model(model).at(x, 200.0).play();
                    play.run(2.0);
                    let hero = play.hero();
                    assert!(hero.grounded && hero.mode == "ground", "{about}: {hero:?}");
                    assert_eq!(play.told("land"), 1, "{about}");
                    let rested = hero.pos;
                    assert!(play.run(1.0).iter().all(|h| h.pos == rested && h.grounded), "{about}");
                    play.hold(Action::Jump);
                    let top = play.run(0.5).iter().map(|h| h.pos.y).fold(0.0, f64::max);
                    assert!(top > rested.y + 20.0, "{about}: {top} from {rested}");
                }
            }
        }
    }
}

#[test]
fn a_single_steep_slope_is_slid_down() {
    for hz in RATES {
        for model in WALKERS {
            for degrees in [46.0_f64, 50.0, 60.0, 75.0] {
                let rise = degrees.to_radians().tan() * 400.0;
                let slope = [(-400.0, -rise), (400.0, -rise), (-400.0, rise)];
                let mut play = Ground::none(hz).solid(&slope).model(model).at(-100.0, rise * 0.25 + 100.0).play();
                let seen = play.run(0.5);
                assert!(seen.iter().all(|hero| !hero.grounded), "{degrees}° at {hz} Hz");
                assert!(play.hero().pos.x > -100.0 && play.hero().vel.y < -100.0);
            }
        }
    }
}

#[test]
fn a_body_in_a_gap_walks_out_over_a_step_that_it_can_climb() {
    for hz in RATES {
        for model in WALKERS {
            // Its feet are 19 − 13.57 = 5.43 px below the floor.
            for (step, side) in [(6.0, Action::Right), (6.0, Action::Left), (5.0, Action::Right)] {
                let mut play = gap(hz, 14.0).model(model).tune("step_height", step).play();
                play.run(1.0);
                let rested = play.hero().pos;
                play.hold(side);
                play.run(0.5);
                let hero = play.hero();
                assert!(hero.grounded, "{hz} Hz, {model:?}, {step}: {hero:?}");
                if step < 5.43 {
                    assert_eq!(hero.pos, rested, "{hz} Hz");
                } else {
                    assert!((hero.pos.y - 19.0).abs() < 1e-6 && hero.pos.x.abs() > 50.0, "{hz} Hz");
                }
            }
        }
    }
}

#[test]
fn a_body_runs_over_a_gap_that_it_does_not_fall_into() {
    for hz in RATES {
        // 9 px: the corners hold it with normals that are walkable.
        let mut play = gap(hz, 9.0).at(-100.0, 19.0).play();
        play.run(0.1);
        play.hold(Action::Right);
        play.run(0.6);
        assert!(play.hero().pos.x > 60.0 && play.hero().grounded, "{hz} Hz");
        assert_eq!(play.told("leave_ground"), 0, "{hz} Hz");
    }
}

#[test]
fn a_wedged_body_falls_when_one_side_moves_away() {
    for hz in RATES {
        for model in WALKERS {
            let mut play = Ground::none(hz)
                .solid(&[(-100.0, -300.0), (-7.0, -300.0), (-7.0, 0.0), (-100.0, 0.0)])
                .platform(&[(7.0, -20.0), (100.0, -20.0), (100.0, 0.0), (7.0, 0.0)], &[(0.0, 0.0), (60.0, 0.0)], 30.0)
                .model(model)
                .at(0.0, 40.0)
                .play();
            // The platform moves away, and the body falls.
            let seen = play.run(1.0);
            assert!(play.hero().pos.y < -30.0, "{hz} Hz, {model:?}: {:?}", play.hero().pos);
            let stuck = seen.windows(2).any(|w| !w[0].grounded && w[0].pos == w[1].pos);
            assert!(!stuck, "{hz} Hz");
        }
    }
}

#[test]
fn a_body_between_steep_one_way_platforms_stands_until_it_drops() {
    for hz in RATES {
        for model in WALKERS {
            let mut play = Ground::floor(hz)
                .one_way(&[(-60.0, 304.0), (0.0, 200.0)])
                .one_way(&[(0.0, 200.0), (60.0, 304.0)])
                .model(model)
                .at(3.0, 330.0)
                .play();
            play.run(1.0);
            assert!(play.hero().grounded && play.hero().pos.y > 200.0, "{hz} Hz, {model:?}");
            play.hold(Action::Down);
            play.run(1.0);
            near(play.hero().pos.y, 19.0, 1e-6);
            assert_eq!((play.told("land"), play.told("leave_ground")), (2, 1), "{hz} Hz");
        }
    }
}

#[test]
fn a_wedged_body_rides_and_has_coyote_time() {
    for hz in RATES {
        for model in WALKERS {
            // A platform with a gap, as two posts on one base, that moves sideways.
            let posts = [
                (-60.0, -60.0),
                (60.0, -60.0),
                (60.0, 0.0),
                (7.0, 0.0),
                (7.0, -40.0),
                (-7.0, -40.0),
                (-7.0, 0.0),
                (-60.0, 0.0),
            ];
            let ground = Ground::none(hz).platform(&posts, &[(0.0, 0.0), (300.0, 0.0)], 60.0);
            let mut play = ground.model(model).at(5.7, 30.0).play();
            play.run(2.0);
            let hero = play.hero();
            assert!(hero.grounded, "{hz} Hz, {model:?}");
            near(hero.pos.x, 120.0, 1e-3);
            near(hero.pos.y, height_over_gap(7.0), 1e-3);
            // A push off its place, then a press within the coyote time of 0.1 s.
            let id = hero.id;
            let push = Command::Push(dvec2(0.0, 200.0));
            play.world.order(&play.stage, id, &push);
            play.run(0.05);
            assert!(!play.hero().grounded, "{hz} Hz, {model:?}");
            play.hold(Action::Jump);
            play.tick();
            assert_eq!(play.told("jump"), 1, "{hz} Hz, {model:?}");
        }
    }
}

#[test]
fn a_wedged_body_is_the_same_after_restoring() {
    let ground = gap(60, 14.0);
    let mut play = ground.play();
    play.run(1.0);
    let mut copy = ground.play();
    let saved = serde_json::to_string(&play.world).expect("a world can be saved");
    copy.world = loaded(&saved, &play.stage);
    for _ in 0..60 {
        let (a, b) = (play.tick().pos, copy.tick().pos);
        assert_eq!(a, b);
    }
    play.hold(Action::Jump);
    copy.hold(Action::Jump);
    for _ in 0..60 {
        assert_eq!(play.tick().pos, copy.tick().pos);
    }
}

/// Rocky ground: a jagged line of points between two walls.
fn rocks(hz: u32, steps: &[(f64, f64)]) -> Ground {
    let mut top = vec![(0.0, 0.0)];
    for (along, rise) in steps {
        let (x, y) = top[top.len() - 1];
        top.push((x + along, (y + rise).clamp(-200.0, 200.0)));
    }
    let last = top[top.len() - 1].0;
    top.reverse();
    top.extend([(0.0, -400.0), (last, -400.0)]);
    let wall = |from: f64| [(from, -500.0), (from + 50.0, -500.0), (from + 50.0, 900.0), (from, 900.0)];
    Ground::none(hz).solid(&top).solid(&wall(-50.0)).solid(&wall(last))
}

/// Whether some key moves the body within a second.
fn some_key_moves(play: &Play) -> bool {
    let from = play.hero().pos;
    let keys = [
        [Action::Left, Action::Left],
        [Action::Right, Action::Right],
        [Action::Jump, Action::Jump],
        [Action::Jump, Action::Left],
        [Action::Jump, Action::Right],
    ];
    keys.iter().any(|keys| {
        let mut tried =
            Play { stage: play.stage.clone(), world: play.world.clone(), input: play.input, events: vec![] };
        tried.hold(keys[0]).hold(keys[1]);
        tried.run(1.0).iter().any(|hero| hero.pos.distance(from) > 5.0)
    })
}

proptest! {
    #![proptest_config(tried(120))]

    #[test]
    fn from_any_rest_some_key_moves_a_body(
        steps in prop::collection::vec((2.0..40.0_f64, -60.0..60.0_f64), 24),
        place in 0.1..0.9_f64,
        half in (4.0..16.0_f64, 4.0..24.0_f64),
        rate in 0..RATES.len(),
        slippery in any::<bool>(),
    ) {
        let model = WALKERS[usize::from(slippery)];
        let width: f64 = steps.iter().map(|s| s.0).sum();
        let ground = rocks(RATES[rate], &steps)
            .model(model)
            .figure(Collider::ellipse(half.0, half.1))
            .at(place * width, 300.0);
        let mut play = ground.play();
        play.run(3.0);
        let seen = play.run(1.0);
        let moved = seen.iter().any(|hero| hero.pos.distance(seen[0].pos) > 1e-3);
        prop_assert!(moved || seen.iter().all(|hero| hero.grounded), "hangs at {}", seen[0].pos);
        if !moved {
            prop_assert!(some_key_moves(&play), "locked at {}", seen[0].pos);
        }
    }
}

#[test]
fn the_height_over_a_gap_is_that_of_the_ellipse() {
    let at = dvec2(7.0, -height_over_gap(7.0));
    assert!(((at / dvec2(10.0, 19.0)).length() - 1.0).abs() < 1e-12);
}
