//! The top-down character's numbers: acceleration, and friction that never opposes the player.

use crate::{
    common::{RATES, near},
    ground::{Ground, tried},
};
use glam::{DVec2, dvec2};
use hangtime_core::{
    geometry::Collider,
    models::{
        Action::{Down, Left, Right, Up},
        ModelName,
    },
};
use proptest::prelude::*;

/// Open ground in a top view.
fn plain(hz: u32) -> Ground {
    Ground::none(hz)
        .top_view()
        .model(ModelName::topdown)
        .figure(Collider::ellipse(10.0, 10.0))
        .at(0.0, 0.0)
}

/// The recurrence's parameters: full speed, gain, its factor, loss, and the factor on both.
#[derive(Clone, Copy, Debug)]
struct Tuned {
    max_speed: f64,
    accel_gain: f64,
    accel_speed: f64,
    friction_gain: f64,
    factor: f64,
}

const DEFAULT: Tuned = Tuned { max_speed: 300.0, accel_gain: 10.0, accel_speed: 1.0, friction_gain: 12.0, factor: 1.0 };

/// An independent implementation of the recurrence: the next velocity for this stick.
fn next(vel: DVec2, stick: DVec2, t: &Tuned, hz: u32) -> DVec2 {
    let dt = 1.0 / f64::from(hz);
    let k = stick.length().min(1.0);
    let way = stick.normalize_or_zero();
    let m = t.max_speed * k;
    let a = way * (m * t.accel_gain * t.factor * t.accel_speed * dt);
    let share = (t.friction_gain * t.factor / 60.0).min(1.0);
    let mut lost = vel * (1.0 - (1.0 - share).powf(60.0 * dt));
    let speed = vel.length();
    if speed <= m * (1.0 + 1e-6) && way.dot(lost) >= 0.0 {
        lost -= way * way.dot(lost);
    }
    let mut sped = vel + a;
    let limit = speed.max(m);
    if sped.length() > limit {
        sped *= limit / sped.length();
    }
    let mut then = sped - lost;
    if way != DVec2::ZERO {
        let least = way.dot(sped).min(m);
        if way.dot(then) < least {
            then += way * (least - way.dot(then));
        }
    }
    then
}

#[track_caller]
fn near_both(got: DVec2, expected: DVec2, tolerance: f64) {
    near(got.x, expected.x, tolerance);
    near(got.y, expected.y, tolerance);
}

/// A stick at this angle in degrees, counterclockwise from +x.
fn stick(degrees: f64, amount: f64) -> DVec2 {
    DVec2::from_angle(degrees.to_radians()) * amount
}

#[test]
fn reaches_full_speed_in_six_ticks_and_keeps_it_exactly() {
    let mut play = plain(60).play();
    play.hold(Right);
    for tick in 1..=6 {
        near(play.tick().vel.x, 50.0 * f64::from(tick), 1e-9);
    }
    for hero in play.run(2.0) {
        assert_eq!(hero.vel, dvec2(300.0, 0.0));
    }
}

#[test]
fn glides_20_px_after_release() {
    let mut play = plain(60).moving(300.0, 0.0).tune("stop_speed", 0.0).play();
    let mut speed = 300.0;
    for _ in 0..60 {
        speed *= 0.8;
        near(play.tick().vel.x, speed, 1e-9);
    }
    // (240 + 192 + 153.6 + …) / 60
    let last = play.run(3.0).pop().expect("ticks");
    near(last.pos.x, 240.0 / (1.0 - 0.8) / 60.0, 1e-9);
}

#[test]
fn air_control_is_weak() {
    let mut ground = plain(60).gravity(100.0);
    ground.z = 100.0;
    let mut play = ground.play();
    play.hold(Right);
    for tick in 1..=30 {
        near(play.tick().vel.x, 10.0 * f64::from(tick), 1e-9);
    }
    assert!(!play.hero().grounded);
}

#[test]
fn a_turn_by_90_degrees_follows_the_published_curve() {
    let mut play = plain(60).moving(300.0, 0.0).play();
    play.hold(Up);
    for expected in [(235.918, 49.320), (188.735, 99.320), (150.988, 149.320)] {
        near_both(play.tick().vel, DVec2::from(expected), 5e-4);
    }
}

#[test]
fn holds_its_speed_in_every_direction() {
    for hz in RATES {
        for degrees in 0..360 {
            let mut play = plain(hz).play();
            play.input.stick = stick(f64::from(degrees), 1.0);
            play.run(0.5);
            for hero in play.run(1.0) {
                let speed = hero.vel.length();
                assert!((299.99..300.01).contains(&speed), "{speed} at {degrees}°");
            }
        }
    }
}

#[test]
fn above_full_speed_only_friction_slows() {
    let mut play = plain(60).moving(600.0, 0.0).play();
    play.hold(Right);
    for expected in [480.0, 384.0, 307.2, 300.0, 300.0] {
        near(play.tick().vel.x, expected, 1e-9);
    }
}

#[test]
fn half_a_stick_reaches_half_the_speed_from_above_and_below() {
    for hz in RATES {
        for from in [0.0, 149.0, 151.0, 300.0, 900.0] {
            let mut play = plain(hz).moving(from, 0.0).play();
            play.input.stick = dvec2(0.5, 0.0);
            play.run(1.0);
            for hero in play.run(0.5) {
                near(hero.vel.x, 150.0, 1e-6);
            }
        }
    }
}

#[test]
fn two_keys_are_no_faster_than_one() {
    for hz in RATES {
        for (keys, way) in [([Right, Up], (1.0, 1.0)), ([Left, Up], (-1.0, 1.0)), ([Left, Down], (-1.0, -1.0))] {
            let mut play = plain(hz).play();
            for key in keys {
                play.hold(key);
            }
            let way = DVec2::from(way).normalize();
            let mut vel = DVec2::ZERO;
            for hero in play.run(0.5) {
                vel = next(vel, way, &DEFAULT, hz);
                near_both(hero.vel, vel, 1e-9);
                assert!(hero.vel.length() < 300.0 + 1e-9);
            }
            near(vel.length(), 300.0, 1e-9);
        }
    }
}

fn tuned() -> impl Strategy<Value = Tuned> {
    let rates = (0.0..30.0_f64, 0.0..3.0_f64, 0.0..90.0_f64, 0.0..2.0_f64);
    (20.0..600.0_f64, rates).prop_map(|(max_speed, rates)| Tuned {
        max_speed,
        accel_gain: rates.0,
        accel_speed: rates.1,
        friction_gain: rates.2,
        factor: rates.3,
    })
}

proptest! {
    #![proptest_config(tried(64))]

    #[test]
    fn follows_the_recurrence_at_every_rate(
        tuned in tuned(),
        start in (-700.0..700.0_f64, -700.0..700.0_f64),
        moves in prop::collection::vec((0.0..360.0_f64, 0.0..1.0_f64, 1..20u32), 1..8),
    ) {
        for hz in RATES {
            let mut play = plain(hz)
                .tune("max_speed", tuned.max_speed)
                .tune("accel_gain", tuned.accel_gain)
                .tune("accel_speed", tuned.accel_speed)
                .tune("friction_gain", tuned.friction_gain)
                .tune("friction", tuned.factor)
                .tune("stop_speed", 0.0)
                .moving(start.0, start.1)
                .play();
            let (mut vel, mut pos) = (DVec2::from(start), DVec2::ZERO);
            for (degrees, amount, ticks) in &moves {
                // About every fourth stick is released.
                let amount = (amount * 1.5 - 0.35).max(0.0);
                play.input.stick = stick(*degrees, amount);
                for _ in 0..*ticks {
                    vel = next(vel, play.input.stick, &tuned, hz);
                    pos += vel / f64::from(hz);
                    let hero = play.tick();
                    near_both(hero.vel, vel, 1e-6);
                    near_both(hero.pos, pos, 1e-6);
                }
            }
        }
    }
}

#[test]
fn a_body_slides_along_walls_without_catching_on_seams() {
    for hz in RATES {
        // One wall, and the same wall in pieces of equal and of different heights.
        let solid = f64::INFINITY;
        for tops in [vec![solid], vec![50.0; 12], vec![40.0, 90.0, 20.0, solid, 40.0, 41.0, 7.0, 90.0]] {
            let height = 2000.0 / tops.len() as f64;
            let mut ground = plain(hz);
            for (i, top) in tops.iter().enumerate() {
                let y = -500.0 + height * i as f64;
                ground = ground.block((100.0, y), (150.0, y + height), *top);
            }
            let mut play = ground.at(80.0, -400.0).play();
            play.input.stick = stick(45.0, 1.0);
            let (mut vel, mut pos) = (DVec2::ZERO, dvec2(80.0, -400.0));
            let mut slides = false;
            for hero in play.run(2.0) {
                let free = next(vel, stick(45.0, 1.0), &DEFAULT, hz);
                vel = if slides {
                    // Steps of a 60th of a second along the wall, the last in part.
                    let (mut along, mut left) = (vel.y, 60.0 / f64::from(hz));
                    while left > 1e-9 {
                        let then = next(dvec2(0.0, along), stick(45.0, 1.0), &DEFAULT, 60).y;
                        along += (then - along) * left.min(1.0);
                        left -= 1.0;
                    }
                    dvec2(free.x, along)
                } else {
                    free
                };
                pos += vel / f64::from(hz);
                slides = pos.x > 90.0;
                if slides {
                    (pos.x, vel.x) = (90.0, 0.0);
                }
                near_both(hero.pos, pos, 1e-6);
                near_both(hero.vel, vel, 1e-6);
                assert!(hero.grounded);
            }
            assert!(pos.y > -100.0);
        }
    }
}

#[test]
fn a_body_walks_across_blocks_of_equal_height_without_a_seam() {
    for hz in RATES {
        let mut ground = plain(hz).at(-300.0, 3.0);
        for i in -40..40 {
            let x = 10.0 * f64::from(i);
            ground = ground.block((x, -20.0), (x + 10.0, 20.0), 30.0);
        }
        ground.z = 30.0;
        let mut play = ground.play();
        play.hold(Right);
        let (mut vel, mut x) = (DVec2::ZERO, -300.0);
        for hero in play.run(2.0) {
            vel = next(vel, DVec2::X, &DEFAULT, hz);
            x += vel.x / f64::from(hz);
            near_both(hero.pos, dvec2(x, 3.0), 1e-6);
            assert!(hero.grounded && hero.z == 30.0);
        }
        assert!(x > 200.0);
        assert_eq!(play.told("leave_ground"), 0);
    }
}

#[test]
fn surfaces_and_zones_scale_acceleration_and_friction() {
    for hz in RATES {
        let ground = plain(hz)
            .surface_with(|ice| ice.friction = 0.1)
            .surface_with(|mud| mud.friction = 2.0)
            .block_of((1000.0, -50.0), (3000.0, 50.0), 20.0, 1)
            .zone_with("mud", (-3000.0, -50.0), (-1000.0, 50.0), |zone| {
                zone.surface = Some(hangtime_core::level::SurfaceId(2));
            })
            .zone_with("mud above", (1000.0, -50.0), (3000.0, 0.0), |zone| {
                zone.surface = Some(hangtime_core::level::SurfaceId(2));
            });
        for (at, z, factor, surface) in [
            ((0.0, 0.0), 0.0, 1.0, "surface 0"),
            ((2000.0, 10.0), 20.0, 0.1, "surface 1"),
            ((2000.0, -10.0), 20.0, 2.0, "surface 2"),
            ((-2000.0, 0.0), 0.0, 2.0, "surface 2"),
        ] {
            let mut ground = ground.clone().at(at.0, at.1);
            ground.z = z;
            let mut play = ground.play();
            let tuned = Tuned { factor, ..DEFAULT };
            let mut vel = DVec2::ZERO;
            for side in [1.0, 0.0, -1.0] {
                play.input.stick.x = side;
                for hero in play.run(0.2) {
                    vel = next(vel, dvec2(side, 0.0), &tuned, hz);
                    if side == 0.0 && vel.length() < 0.5 {
                        vel = DVec2::ZERO;
                    }
                    near_both(hero.vel, vel, 1e-9);
                    assert_eq!(&*hero.surface, surface);
                }
            }
        }
    }
}

#[test]
fn it_swims_in_a_side_view() {
    for hz in RATES {
        let ground = Ground::floor(hz).model(ModelName::topdown).at(0.0, 300.0);
        let mut play = ground.play();
        for hero in play.run(1.0) {
            assert_eq!(hero.pos, dvec2(0.0, 300.0), "nothing pulls it down");
        }
        let (mut vel, mut pos) = (DVec2::ZERO, dvec2(0.0, 300.0));
        for degrees in [60.0, 200.0, -90.0, 90.0] {
            play.input.stick = stick(degrees, 1.0);
            for hero in play.run(0.4) {
                vel = next(vel, stick(degrees, 1.0), &DEFAULT, hz);
                pos += vel / f64::from(hz);
                near_both(hero.pos, pos, 1e-6);
                assert!(!hero.grounded && hero.mode == "free");
            }
        }
        // The floor stops it, but it does not stand.
        play.input.stick = DVec2::ZERO;
        play.hold(Down);
        let last = play.run(3.0).pop().expect("ticks");
        near(last.pos.y, 19.0, 1e-5);
        assert!(!last.grounded && last.vel.y == 0.0);
        assert_eq!(play.told("land") + play.told("jump"), 0);
        assert!(play.release(Down).hold(Up).tick().pos.y > last.pos.y);
    }
}
