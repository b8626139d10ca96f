//! The two-velocity character seen from above: the published step in every direction.

use crate::{
    common::{RATES, near},
    ground::{Ground, tried},
};
use glam::{DVec2, dvec2};
use hangtime_core::{
    geometry::Collider,
    level::SurfaceId,
    models::{
        Action::{Left, Right, Up},
        ModelName,
    },
};
use proptest::prelude::*;

/// The published example: accel 30, max 6, brake 10, stop 0.1, on ground with this grip.
fn example(hz: u32, grip: f64) -> Ground {
    let mut ground = Ground::none(hz)
        .top_view()
        .model(ModelName::two_velocity)
        .figure(Collider::ellipse(10.0, 10.0))
        .at(0.0, 0.0)
        .tune("accel", 30.0)
        .tune("max_speed", 6.0)
        .tune("brake", 10.0)
        .tune("stop_speed", 0.1);
    ground.surfaces[0].grip = grip;
    ground
}

/// Converts a share per tick at 60 Hz to this rate.
fn share(k: f64, hz: u32) -> f64 {
    1.0 - (1.0 - k).powf(60.0 / f64::from(hz))
}

/// An independent implementation of the recurrence.
fn next(vel: DVec2, way: DVec2, grip: f64, hz: u32) -> DVec2 {
    if grip == 0.0 {
        return vel;
    }
    if way == DVec2::ZERO {
        let braked = vel * (1.0 - share((10.0 * grip / 60.0).min(1.0), hz));
        return if braked.length() < 0.1 { DVec2::ZERO } else { braked };
    }
    let (g, speed) = (share(grip, hz), vel.length());
    let gain = 30.0 / f64::from(hz) * grip / g;
    let blended = g * way * (speed + gain) + (1.0 - g) * vel;
    blended * (speed.max(6.0) / blended.length()).min(1.0)
}

#[track_caller]
fn near_both(got: DVec2, expected: DVec2, tolerance: f64) {
    near(got.x, expected.x, tolerance);
    near(got.y, expected.y, tolerance);
}

fn towards(degrees: i32) -> DVec2 {
    DVec2::from_angle(f64::from(degrees).to_radians())
}

#[test]
fn reaches_full_speed_in_12_ticks_on_stone_and_120_on_ice_in_every_direction() {
    for (grip, ticks) in [(1.0, 12), (0.1, 120)] {
        for degrees in (0..360).step_by(5) {
            let mut play = example(60, grip).play();
            play.input.stick = towards(degrees);
            for tick in 1..=ticks {
                let speed = 6.0 * f64::from(tick) / f64::from(ticks);
                near_both(play.tick().vel, towards(degrees) * speed, 1e-9);
            }
            near(play.tick().vel.length(), 6.0, 1e-9);
        }
    }
}

#[test]
fn brakes_and_reverses_as_published_in_every_direction() {
    for degrees in (0..360).step_by(7) {
        let way = towards(degrees);
        let start = way * 6.0;
        let mut braking = example(60, 1.0).moving(start.x, start.y).play();
        let (mut speed, mut ticks) = (6.0, 0);
        while braking.hero().vel != DVec2::ZERO {
            speed *= 5.0 / 6.0;
            ticks += 1;
            let vel = braking.tick().vel;
            if speed >= 0.1 {
                near_both(vel, way * speed, 1e-9);
            }
        }
        assert_eq!(ticks, 23);
        near(braking.hero().pos.length(), 0.491, 5e-4);
        let mut ice = example(60, 0.1).moving(start.x, start.y).play();
        ice.input.stick = -way;
        for expected in [4.75, 3.75, 2.95, 2.31, 1.798, 1.388] {
            near(ice.tick().vel.dot(way), expected, 5e-4);
        }
        let mut stone = example(60, 1.0).moving(start.x, start.y).play();
        stone.input.stick = -way;
        near_both(stone.tick().vel, way * -6.0, 1e-9);
    }
}

#[test]
fn a_reversal_on_ice_takes_as_long_at_every_rate() {
    for hz in RATES {
        let mut play = example(hz, 0.1).moving(0.0, 6.0).play();
        play.input.stick = dvec2(0.0, -1.0);
        let mut ticks = 0;
        while play.hero().vel.y > 0.0 {
            play.tick();
            ticks += 1;
        }
        let seconds = f64::from(ticks) / f64::from(hz);
        assert!((0.23..=0.26).contains(&seconds), "{seconds} s at {hz} Hz");
    }
}

proptest! {
    #![proptest_config(tried(64))]

    #[test]
    fn follows_the_recurrence_at_every_rate_and_grip(
        grip in prop_oneof![Just(0.0), Just(1.0), 0.01..1.0_f64],
        start in (-20.0..20.0_f64, -20.0..20.0_f64),
        moves in prop::collection::vec((0..360, 0.0..1.2_f64, 1..20u32), 1..8),
    ) {
        for hz in RATES {
            let mut play = example(hz, grip).moving(start.0, start.1).play();
            let (mut vel, mut pos) = (DVec2::from(start), DVec2::ZERO);
            for (degrees, amount, ticks) in &moves {
                play.input.stick = towards(*degrees) * *amount;
                // Outside of the dead zone any stick counts as full.
                let way = if *amount > 0.15 { towards(*degrees) } else { DVec2::ZERO };
                for _ in 0..*ticks {
                    vel = next(vel, way, grip, hz);
                    pos += vel / f64::from(hz);
                    let hero = play.tick();
                    near_both(hero.vel, vel, 1e-9);
                    near_both(hero.pos, pos, 1e-9);
                }
            }
        }
    }
}

#[test]
fn a_stick_held_into_a_wall_does_not_vibrate_and_leaves_without_delay() {
    let walls =
        [((100.0, -200.0), (140.0, 200.0), dvec2(1.0, 0.0)), ((-200.0, -140.0), (200.0, -100.0), dvec2(0.0, -1.0))];
    for hz in RATES {
        for (from, to, way) in walls {
            let ground = Ground::none(hz).top_view().model(ModelName::two_velocity).block(from, to, 50.0);
            let mut play = ground.at(0.0, 0.0).play();
            play.input.stick = way;
            play.run(2.0);
            let pos = play.hero().pos;
            for hero in play.run(10.0) {
                assert!(hero.pos == pos && hero.vel == DVec2::ZERO);
            }
            play.input.stick = -way;
            assert!(play.tick().pos.dot(way) < pos.dot(way));
        }
        // Then into the corner of both.
        let mut ground = Ground::none(hz).top_view().model(ModelName::two_velocity);
        for (from, to, _) in walls {
            ground = ground.block(from, to, 50.0);
        }
        let mut play = ground.at(0.0, 0.0).play();
        play.input.stick = dvec2(0.6, -0.8);
        play.run(10.0);
        let pos = play.hero().pos;
        assert!(play.run(10.0).iter().all(|hero| hero.pos == pos));
        play.input.stick = dvec2(-0.6, 0.8);
        let hero = play.tick();
        assert!(hero.pos.x < pos.x && hero.pos.y > pos.y);
    }
}

#[test]
fn ice_and_stone_work_as_solids_and_as_zones() {
    for hz in RATES {
        for by_zone in [false, true] {
            let mut ground = example(hz, 1.0).surface(0.1);
            // Level with the start, so the body walks onto them.
            ground = if by_zone {
                ground.zone_with("rink", (2.0, -50.0), (4.0, 50.0), |zone| {
                    zone.surface = Some(SurfaceId(1));
                })
            } else {
                ground.z = 5.0;
                ground
                    .block_of((-500.0, -50.0), (2.0, 50.0), 5.0, 0)
                    .block_of((2.0, -50.0), (500.0, 50.0), 5.0, 1)
            };
            let mut play = ground.play();
            play.hold(Right);
            let (mut vel, mut iced) = (DVec2::ZERO, false);
            for tick in 0..2 * hz {
                let way = if tick < hz { DVec2::X } else { DVec2::NEG_X };
                if tick == hz {
                    play.release(Right).hold(Left);
                }
                let before = play.hero();
                let ice = &*before.surface == "surface 1";
                iced |= ice;
                if by_zone {
                    assert_eq!(ice, (2.0..4.0).contains(&before.pos.x));
                }
                vel = next(vel, way, if ice { 0.1 } else { 1.0 }, hz);
                near_both(play.tick().vel, vel, 1e-9);
            }
            assert!(iced);
        }
    }
}

#[test]
fn two_keys_are_no_faster_than_one_and_air_grip_steers_jumps() {
    for hz in RATES {
        let mut play = example(hz, 1.0).play();
        play.hold(Right).hold(Up);
        let last = play.run(1.0).pop().expect("ticks");
        near_both(last.vel, dvec2(6.0, 6.0) / 2.0_f64.sqrt(), 1e-9);
        let mut ground = example(hz, 1.0).tune("air_grip", 0.3).gravity(10.0);
        ground.z = 100.0;
        let mut play = ground.moving(0.0, 6.0).play();
        play.hold(Right);
        let mut vel = dvec2(0.0, 6.0);
        for hero in play.run(1.0) {
            vel = next(vel, DVec2::X, 0.3, hz);
            near_both(hero.vel, vel, 1e-9);
            assert!(!hero.grounded);
        }
    }
}

#[test]
fn speed_along_a_wall_is_the_intended_speed_along_it() {
    for hz in RATES {
        for degrees in [20.0_f64, 45.0, 70.0] {
            let wall = [(-9000.0, 30.0), (9000.0, 30.0), (9000.0, 90.0), (-9000.0, 90.0)];
            let ground = Ground::none(hz).top_view().model(ModelName::two_velocity).solid(&wall);

            let mut play = ground.at(-4000.0, 0.0).play();
            let (sin, cos) = (degrees.to_radians().sin(), degrees.to_radians().cos());
            play.input.stick = dvec2(cos, sin);
            let now = play.run(3.0).pop().expect("ticks");
            near(now.vel.x, 300.0 * cos, 1e-6);
            near(now.vel.y, 0.0, 1e-9);
        }
    }
}

#[test]
fn the_end_of_a_wall_adds_no_speed() {
    for hz in RATES {
        for grip in [0.02, 0.1, 0.3, 1.0] {
            for degrees in [45.0_f64, 80.0, 88.0, 88.8] {
                let wall = [(-9000.0, 30.0), (60.0, 30.0), (60.0, 90.0), (-9000.0, 90.0)];
                let mut ground = Ground::none(hz).top_view().model(ModelName::two_velocity).solid(&wall);
                ground.surfaces[0].grip = grip;
                let mut play = ground.at(0.0, 11.0).moving(300.0, 0.0).play();
                let (sin, cos) = (degrees.to_radians().sin(), degrees.to_radians().cos());
                play.input.stick = dvec2(cos, sin);
                for now in play.run(2.0) {
                    assert!(now.vel.length() < 300.0 + 1e-6, "{hz} {grip} {degrees}: {}", now.vel);
                }
            }
        }
    }
}
