//! Platforms that turn within a tick: bodies meet them, ride on them and leave them as at any other time.

use crate::{
    common::near,
    ground::{BODY, Ground, Play},
};
use glam::{DVec2, dvec2};
use hangtime_core::{
    geometry::separation::separation,
    level::{Path, PathEnd},
    models::{Action, ModelName},
    sim::SavedWorld,
};
use proptest::prelude::*;

/// Common tick rates, and odd ones.
const RATES: [u32; 6] = [30, 37, 60, 120, 144, 240];

/// Half the body's width and height, px.
const WIDE: f64 = BODY.half.x;
const TALL: f64 = BODY.half.y;

/// How fast external velocity decays by default, 1/s.
const DAMPING: f64 = 4.0;

/// Ways of platforms whose turns lie in different parts of the ticks, px.
const WAYS: [f64; 5] = [41.3, 50.3, 61.7, 66.9, 73.1];

/// The seconds played so far.
fn now(play: &Play) -> f64 {
    play.world.ticks() as f64 * play.dt()
}

/// Plays until the tick in which the time `then` lies.
fn play_to_tick_of(play: &mut Play, then: f64) {
    while now(play) + play.dt() <= then {
        play.tick();
    }
}

/// Ground on which no body moves to a place to rest.
fn without_rests(ground: Ground) -> Ground {
    match ground.model {
        ModelName::platformer => ground.tune("rest_spacing", 0.0),
        _ => ground,
    }
}

#[test]
fn a_jump_in_the_tick_in_which_its_lift_turns_takes_the_speed_before_the_turn_along() {
    for hz in RATES {
        for way in WAYS {
            for lifted in [240.0, -240.0, 90.0] {
                let lift = [(-90.0, -20.0), (90.0, -20.0), (90.0, 0.0), (-90.0, 0.0)];
                let far = way * f64::signum(lifted);
                let ground = Ground::none(hz).platform(&lift, &[(0.0, 0.0), (0.0, far)], f64::abs(lifted));
                let mut play = ground.play();
                play_to_tick_of(&mut play, way / f64::abs(lifted));
                let (from, began) = (play.hero().pos.y, now(&play));
                near(from, TALL + lifted * began, 1e-6);
                play.hold(Action::Jump);
                while now(&play) - began + play.dt() < 0.2 {
                    let hero = play.tick();
                    let seconds = now(&play) - began;
                    let drifted = (1.0 - (-DAMPING * seconds).exp()) / DAMPING;
                    near(hero.pos.y - from, 540.0 * seconds + lifted * drifted, 1e-6);
                }
            }
        }
    }
}

#[test]
fn a_platform_that_turns_in_a_tick_pushes_a_standing_body_as_far_as_its_turn() {
    let ram = [(-60.0, 1.0), (0.0, 1.0), (0.0, 60.0), (-60.0, 60.0)];
    for hz in RATES {
        for model in [ModelName::platformer, ModelName::two_velocity] {
            for way in WAYS {
                for side in [1.0, -1.0] {
                    let ram = ram.map(|(x, y)| (x * side, y));
                    let ground = Ground::floor(hz)
                        .model(model)
                        .platform(&ram, &[(0.0, 0.0), (way * side, 0.0)], 200.0)
                        .at(side * (WIDE + 5.0), TALL);
                    let mut play = without_rests(ground).play();
                    while now(&play) < way / 200.0 {
                        play.tick();
                    }
                    let turned = play.hero().pos.x * side;
                    assert!((turned - WIDE - way).abs() < 1e-3, "{hz} Hz: at {turned} after a path of {way} px");
                }
            }
        }
    }
}

#[test]
fn a_platform_throws_a_floating_body_that_it_hits_in_the_tick_of_its_turn() {
    let ram = [(-60.0, -40.0), (0.0, -40.0), (0.0, 40.0), (-60.0, 40.0)];
    for hz in RATES {
        for way in WAYS {
            let gap = way - 0.05;
            let ground = Ground::none(hz)
                .gravity(0.0)
                .platform(&ram, &[(0.0, 0.0), (way, 0.0)], 300.0)
                .at(WIDE + gap, 0.0);
            let mut play = ground.play();
            for _ in 0..hz / 2 {
                let hero = play.tick();
                let hit = gap / 300.0;
                near(hero.pos.x, WIDE + gap + 300.0 * (now(&play) - hit).max(0.0), 1e-6);
            }
        }
    }
}

#[test]
fn a_body_that_lands_before_a_platform_turns_rides_there_and_back_from_that_moment() {
    let floor = [(-400.0, -20.0), (400.0, -20.0), (400.0, 0.0), (-400.0, 0.0)];
    for hz in RATES {
        for model in [ModelName::platformer, ModelName::two_velocity] {
            for way in WAYS {
                let (speed, turns) = (150.0, way / 150.0);
                let offset = |seconds: f64| if seconds < turns { speed * seconds } else { 2.0 * way - speed * seconds };
                for before in [0.002, 0.0002] {
                    let lands = turns - before;
                    // It falls without gravity, at a steady speed.
                    let ground = Ground::none(hz)
                        .model(model)
                        .gravity(0.0)
                        .platform(&floor, &[(0.0, 0.0), (way, 0.0)], speed)
                        .at(0.0, TALL + 100.0 * lands)
                        .moving(0.0, -100.0);
                    let mut play = without_rests(ground).play();
                    while now(&play) < turns + 0.1 {
                        let hero = play.tick();
                        let seconds = now(&play);
                        let ridden = if seconds > lands { offset(seconds) - offset(lands) } else { 0.0 };
                        near(hero.pos.x, ridden, 1e-3);
                    }
                }
            }
        }
    }
}

#[test]
fn a_world_whose_platform_has_turned_is_equal_to_itself_after_loading() {
    for hz in RATES {
        let lift = [(-90.0, -20.0), (90.0, -20.0), (90.0, 0.0), (-90.0, 0.0)];
        let ground = Ground::none(hz).platform(&lift, &[(0.0, 0.0), (0.0, 41.3)], 240.0);
        let mut play = ground.play();
        play.run(1.0);
        let text = serde_json::to_string(&play.world).expect("it can be saved");
        let saved: SavedWorld = serde_json::from_str(&text).expect("it can be read");
        assert!(saved.check(&play.stage).expect("a good world") == play.world);
    }
}

/// Where a path leads, and how it ends.
fn paths() -> impl Strategy<Value = Path> {
    let point = (-300.0..300.0_f64, -300.0..300.0_f64).prop_map(|(x, y)| dvec2(x, y));
    let end = prop::sample::select(vec![PathEnd::PingPong, PathEnd::Circle, PathEnd::Once]);
    (prop::collection::vec(point, 2..6), 20.0..2000.0_f64, end)
        .prop_map(|(points, speed, end)| Path::new(points, speed, end))
}

proptest! {
    #[test]
    fn between_two_of_its_turns_a_path_is_straight(path in paths(), from in 0.0..20.0_f64, seconds in 0.001..0.2_f64) {
        // Not more often along the whole path than it counts turns.
        let seconds = seconds.min(7.0 * path.length() / path.speed());
        let mut turns = vec![from];
        let speed = path.speed();
        path.turns([from, from + seconds].map(|time| speed * time), |place| turns.push(place / speed));
        turns.push(from + seconds);
        turns.sort_by(f64::total_cmp);
        for pair in turns.windows(2) {
            let [start, middle, end] = [pair[0], 0.5 * (pair[0] + pair[1]), pair[1]].map(|time| path.offset(speed * time));
            prop_assert!(middle.distance(0.5 * (start + end)) < 1e-6, "not straight between {pair:?}");
        }
    }

    #[test]
    fn at_each_of_its_turns_a_path_changes_its_direction_or_ends(path in paths(), from in 0.0..20.0_f64) {
        let mut turns = vec![];
        let speed = path.speed();
        path.turns([from, from + 0.1].map(|time| speed * time), |place| turns.push(place / speed));
        for turn in turns {
            let tiny = 1e-4;
            let [before, here, after] = [turn - tiny, turn, turn + tiny].map(|time| path.offset(speed * time));
            let [came, goes]: [DVec2; 2] = [here - before, after - here];
            prop_assert!(came.distance(goes) > 0.0, "straight on at {turn}");
        }
    }
}

#[test]
fn a_lift_that_turns_does_not_take_its_rider_into_a_leaning_wall() {
    // The wall's right side leans back, too steep to stand on. The rider is pressed against it.
    let wall = [(-200.0, 0.0), (0.0, 0.0), (-40.0, 80.0), (-200.0, 80.0)];
    let outline = wall.map(|(x, y)| dvec2(x, y));
    let lift = [(-60.0, -40.0), (120.0, -40.0), (120.0, -20.0), (-60.0, -20.0)];
    for hz in RATES {
        for way in WAYS {
            for speed in [90.0, 233.0, 410.0] {
                let ground = Ground::none(hz)
                    .solid(&wall)
                    .platform(&lift, &[(0.0, 0.0), (0.0, way + 50.0)], speed)
                    .at(WIDE + 1.0, TALL - 20.0);
                let mut play = without_rests(ground).play();
                play.hold(Action::Left);
                while now(&play) < 1.2 {
                    let hero = play.tick();
                    let apart = separation(BODY, hero.pos, &outline);
                    let deep = if apart.overlaps() { apart.to_touch.length() } else { 0.0 };
                    assert!(deep < 1e-3, "{hz} Hz, {way} px, {speed} px/s: {deep} px deep at {}", hero.pos);
                }
            }
        }
    }
}
