//! A platformer on surfaces of any grip, computed from the physics at several tick rates.

use crate::{common::near, ground::Ground};
use glam::dvec2;
use hangtime_core::{
    level::SurfaceId,
    models::Action::{self, Left, Right},
};

const RATES: [u32; 6] = [30, 50, 60, 120, 144, 240];
const GRIPS: [f64; 6] = [0.0, 0.05, 0.1, 0.5, 0.9, 1.0];
const RUN: f64 = 650.0;
const ACCEL: f64 = 650.0;
const DECEL: f64 = 4000.0;

/// A floor of this grip, without rest positions, which would move a body that has stopped.
fn floor(hz: u32, grip: f64) -> Ground {
    let mut ground = Ground::floor(hz).tune("rest_spacing", 0.0);
    ground.surfaces[0].grip = grip;
    ground
}

/// The distance and speed after `t` seconds of a change from `from` to `to` at `accel`.
fn change(from: f64, to: f64, accel: f64, t: f64) -> (f64, f64) {
    let accel = accel * (to - from).signum();
    let time = if accel == 0.0 { f64::INFINITY } else { (to - from) / accel };
    let before = t.min(time);
    let at = from + accel * before;
    (from * before + 0.5 * accel * before * before + at * (t - before), at)
}

/// Plays for `seconds` at each rate and grip, and compares each tick with `expected(grip, time)`: a
/// distance and a speed.
fn compare(speed: f64, key: Option<Action>, backward: bool, seconds: f64, expected: impl Fn(f64, f64) -> (f64, f64)) {
    for (hz, grip) in RATES.into_iter().flat_map(|hz| GRIPS.map(|grip| (hz, grip))) {
        let mut play = floor(hz, grip).moving(speed, 0.0).play();
        if let Some(key) = key {
            play.hold(key);
        }
        if backward {
            play.input.aim = Some(dvec2(-15_000.0, 0.0));
        }
        for (tick, hero) in play.run(seconds).iter().enumerate() {
            let (x, v) = expected(grip, (tick + 1) as f64 / f64::from(hz));
            near(hero.pos.x, x, 1e-8);
            near(hero.vel.x, v, 1e-8);
        }
    }
}

#[test]
fn slowing_takes_the_longer_the_less_grip_there_is() {
    compare(400.0, None, false, 2.5, |grip, t| change(400.0, 0.0, DECEL * grip, t));
    for (hz, grip) in RATES.into_iter().flat_map(|hz| [0.1, 0.5, 1.0].map(|grip| (hz, grip))) {
        let stopped = floor(hz, grip).moving(400.0, 0.0).play().run(1.5).pop().expect("ticks");
        near(stopped.pos.x, 400.0 * 400.0 / (2.0 * DECEL * grip), 1e-9);
        assert_eq!(stopped.vel.x, 0.0);
    }
}

#[test]
fn a_run_starts_at_its_lowest_speed_only_with_full_grip() {
    compare(0.0, Some(Right), false, 2.5, |grip, t| change(if grip < 1.0 { 0.0 } else { 360.0 }, RUN, ACCEL * grip, t));
}

#[test]
fn turning_around_on_ice_brakes_and_then_runs() {
    compare(310.0, Some(Left), false, 2.5, |grip, t| {
        let brake = if grip > 0.0 { 310.0 / (DECEL * grip) } else { f64::INFINITY };
        let (braked, speed) = change(310.0, 0.0, DECEL * grip, t.min(brake));
        if t < brake {
            return (braked, speed);
        }
        let start = if grip < 1.0 { 0.0 } else { 360.0 };
        let (run, speed) = change(start, RUN, ACCEL * grip, t - brake);
        (braked - run, -speed)
    });
}

#[test]
fn walking_gains_and_loses_speed_by_the_grip() {
    compare(500.0, Some(Right), true, 2.5, |grip, t| change(500.0, 180.0, DECEL * grip, t));
    compare(0.0, Some(Right), true, 2.5, |grip, t| {
        change(if grip < 1.0 { 0.0 } else { 180.0 }, 180.0, ACCEL * grip, t)
    });
}

#[test]
fn without_grip_a_body_neither_steers_nor_brakes() {
    for hz in RATES {
        for key in [None, Some(Left), Some(Right)] {
            let mut play = floor(hz, 0.0).moving(250.0, 0.0).play();
            if let Some(key) = key {
                play.hold(key);
            }
            assert!(play.run(1.0).iter().all(|hero| hero.vel.x == 250.0));
        }
    }
}

#[test]
fn a_landing_within_a_tick_brakes_for_the_rest_of_it() {
    for (hz, grip) in RATES.into_iter().flat_map(|hz| GRIPS.map(|grip| (hz, grip))) {
        // It falls as fast as it can, on a straight line, and lands in the middle of a tick.
        let fall = (f64::from(hz / 14) + 0.5) / f64::from(hz);
        let mut play = floor(hz, grip).at(0.0, 19.0 + 700.0 * fall).moving(400.0, -700.0).play();
        for (tick, hero) in play.run(1.0).iter().enumerate() {
            let t = (tick + 1) as f64 / f64::from(hz);
            let (slid, speed) = change(400.0, 0.0, DECEL * grip, (t - fall).max(0.0));
            near(hero.pos.x, 400.0 * t.min(fall) + slid, 1e-9);
            near(hero.vel.x, speed, 1e-9);
        }
    }
}

#[test]
fn the_surface_of_a_zone_counts_instead_of_the_ground() {
    for hz in RATES {
        let ground = Ground::floor(hz).tune("rest_spacing", 0.0).surface(0.2);
        let ice = |zone: &mut hangtime_core::level::Zone| zone.surface = Some(SurfaceId(1));
        let ground = ground.zone_with("ice", (-500.0, -50.0), (500.0, 50.0), ice);
        let stopped = ground.moving(400.0, 0.0).play().run(1.0).pop().expect("ticks");
        near(stopped.pos.x, 100.0, 1e-9);
    }
}

#[test]
fn solids_next_to_each_other_have_their_own_grip() {
    for hz in RATES {
        let mut ground = Ground::none(hz).tune("rest_spacing", 0.0).surface(0.1);
        ground = ground.solid_of(&[(-8000.0, -50.0), (0.0, -50.0), (0.0, 0.0), (-8000.0, 0.0)], 0);
        ground = ground.solid_of(&[(0.0, -50.0), (8000.0, -50.0), (8000.0, 0.0), (0.0, 0.0)], 1);
        let slide = |from: f64| {
            let stopped = ground.clone().at(from, 19.0).moving(400.0, 0.0).play().run(1.5);
            stopped.last().expect("ticks").pos.x - from
        };
        near(slide(-1000.0), 20.0, 1e-9);
        near(slide(100.0), 200.0, 1e-9);
    }
}

#[test]
fn the_least_grip_of_a_body_replaces_a_lower_one() {
    for (hz, least) in RATES.into_iter().flat_map(|hz| [0.05, 0.4, 1.0].map(|least| (hz, least))) {
        let ground = floor(hz, 0.2).tune("least_grip", least).moving(400.0, 0.0);
        let stopped = ground.play().run(1.0).pop().expect("ticks");
        near(stopped.pos.x, 20.0 / f64::max(least, 0.2), 1e-9);
    }
}

#[test]
fn a_body_has_the_grip_of_each_ground_for_as_long_as_it_is_there() {
    let far = 8000.0;
    let floor = |from: f64, to: f64| [(from, -50.0), (to, -50.0), (to, 0.0), (from, 0.0)];
    for (hz, side) in RATES.into_iter().flat_map(|hz| [(hz, 1.0), (hz, -1.0)]) {
        let ground = Ground::none(hz).tune("rest_spacing", 0.0).surface(0.1);
        let (stone, ice) = if side > 0.0 {
            (floor(-far, 0.0), floor(0.0, far))
        } else {
            (floor(0.0, far), floor(-far, 0.0))
        };
        let ground = ground.solid_of(&stone, 0).solid_of(&ice, 1);
        for before in [3.0, 7.0, 11.0] {
            // From stone onto ice.
            let mut play = ground.clone().at(-side * before, 19.0).moving(side * 400.0, 0.0).play();
            let left = 400.0 * 400.0 - 2.0 * DECEL * before;
            near(side * play.run(2.0).last().expect("ticks").pos.x, left / (2.0 * 0.1 * DECEL), 1e-6);
            // From ice onto stone.
            let mut play = ground.clone().at(side * before, 19.0).moving(-side * 400.0, 0.0).play();
            let left = 400.0 * 400.0 - 2.0 * 0.1 * DECEL * before;
            near(-side * play.run(2.0).last().expect("ticks").pos.x, left / (2.0 * DECEL), 1e-6);
        }
        // A run from ice onto stone has its lowest speed there at once.
        let mut play = ground.clone().at(side * 5.0, 19.0).play();
        play.hold(if side > 0.0 { Left } else { Right });
        let time = (2.0 * 5.0 / (0.1 * ACCEL)).sqrt();
        let (run, _) = change(360.0, RUN, ACCEL, 1.0 - time);
        near(-side * play.run(1.0).last().expect("ticks").pos.x, run, 1e-6);
    }
}
