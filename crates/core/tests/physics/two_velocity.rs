//! The two-velocity character's numbers: the recurrence of the published step.

use crate::{
    common::{RATES, near},
    ground::Ground,
};
use hangtime_core::models::{
    Action::{Left, Right},
    ModelName,
};

/// The published example: accel 30, max 6, brake 10, stop 0.1.
fn example(hz: u32, grip: f64) -> Ground {
    Ground::none(hz)
        .surface(grip)
        .solid_of(&[(-9000.0, -100.0), (9000.0, -100.0), (9000.0, 0.0), (-9000.0, 0.0)], 1)
        .model(ModelName::two_velocity)
        .tune("accel", 30.0)
        .tune("max_speed", 6.0)
        .tune("brake", 10.0)
        .tune("stop_speed", 0.1)
}

/// Converts a share per tick at 60 Hz to this rate.
fn share(k: f64, hz: u32) -> f64 {
    1.0 - (1.0 - k).powf(60.0 / f64::from(hz))
}

/// An independent implementation of the recurrence: the next speed.
fn next(speed: f64, side: f64, grip: f64, hz: u32) -> f64 {
    if side == 0.0 {
        let braked = speed * (1.0 - share(10.0 * grip / 60.0, hz));
        return if braked.abs() < 0.1 { 0.0 } else { braked };
    }
    let g = share(grip, hz);
    let gain = 30.0 / f64::from(hz) * grip / g;
    let blended = g * side * (speed.abs() + gain) + (1.0 - g) * speed;
    blended.clamp(-speed.abs().max(6.0), speed.abs().max(6.0))
}

#[test]
fn reaches_full_speed_in_12_ticks_on_stone_and_120_on_ice() {
    for (grip, ticks) in [(1.0, 12), (0.1, 120)] {
        let mut play = example(60, grip).play();
        play.hold(Right);
        for tick in 1..=ticks {
            near(play.tick().vel.x, 6.0 * f64::from(tick) / f64::from(ticks), 1e-9);
        }
        assert_eq!(play.tick().vel.x, 6.0);
    }
}

#[test]
fn follows_the_recurrence_at_every_rate_and_grip() {
    for hz in RATES {
        for grip in [0.03, 0.1, 0.5, 0.9, 1.0] {
            let mut play = example(hz, grip).play();
            let mut speed = 0.0;
            let mut x = 0.0;
            for (key, side) in [(Some(Right), 1.0), (None, 0.0), (Some(Left), -1.0), (Some(Right), 1.0)] {
                play.release(Left).release(Right);
                if let Some(key) = key {
                    play.hold(key);
                }
                for _ in 0..hz / 3 {
                    speed = next(speed, side, grip, hz);
                    x += speed / f64::from(hz);
                    let hero = play.tick();
                    near(hero.vel.x, speed, 1e-9);
                    near(hero.pos.x, x, 1e-9);
                }
            }
        }
    }
}

#[test]
fn brakes_from_6_in_23_ticks_over_half_a_px() {
    let mut play = example(60, 1.0).moving(6.0, 0.0).play();
    let mut speed = 6.0;
    let mut ticks = 0;
    while play.hero().vel.x > 0.0 {
        play.tick();
        speed *= 5.0 / 6.0;
        ticks += 1;
        if speed >= 0.1 {
            near(play.hero().vel.x, speed, 1e-9);
        }
    }
    assert_eq!(ticks, 23);
    near(play.hero().pos.x, 0.491, 5e-4);
}

#[test]
fn reverses_immediately_on_stone_and_slowly_on_ice() {
    let mut stone = example(60, 1.0).moving(6.0, 0.0).play();
    assert_eq!(stone.hold(Left).tick().vel.x, -6.0);
    let mut ice = example(60, 0.1).moving(6.0, 0.0).play();
    ice.hold(Left);
    for expected in [4.75, 3.75, 2.95, 2.31, 1.798, 1.388] {
        near(ice.tick().vel.x, expected, 5e-4);
    }
}

#[test]
fn a_reversal_on_ice_takes_as_long_at_every_rate() {
    for hz in RATES {
        let mut play = example(hz, 0.1).moving(6.0, 0.0).play();
        play.hold(Left);
        let mut ticks = 0;
        while play.hero().vel.x > 0.0 {
            play.tick();
            ticks += 1;
        }
        let seconds = f64::from(ticks) / f64::from(hz);
        assert!((0.22..=0.27).contains(&seconds), "{seconds} s at {hz} Hz");
    }
}

#[test]
fn without_grip_a_body_neither_steers_nor_brakes() {
    let mut play = example(60, 0.0).moving(5.0, 0.0).play();
    for key in [Left, Right] {
        play.release(Left).release(Right).hold(key);
        assert!(play.run(0.5).iter().all(|hero| hero.vel.x == 5.0));
    }
}

#[test]
fn a_stick_held_into_a_wall_does_not_vibrate_and_leaves_without_delay() {
    for hz in RATES {
        let mut play = Ground::floor(hz)
            .model(ModelName::two_velocity)
            .solid(&[(100.0, 0.0), (140.0, 0.0), (140.0, 200.0), (100.0, 200.0)])
            .play();
        play.input.stick.x = 1.0;
        play.run(2.0);
        let pos = play.hero().pos;
        assert!(play.run(10.0).iter().all(|hero| hero.pos == pos && hero.vel.x == 0.0));
        play.input.stick.x = -1.0;
        assert!(play.tick().pos.x < pos.x, "the first tick away moves");
    }
}

#[test]
fn a_stick_inside_its_dead_zone_does_nothing() {
    let mut play = Ground::floor(60).model(ModelName::two_velocity).play();
    play.input.stick.x = 0.14;
    assert_eq!(play.tick().vel.x, 0.0);
    play.input.stick.x = 0.16;
    assert!(play.tick().vel.x > 0.0);
}

#[test]
fn climbing_slows_by_the_tuned_share() {
    let slope = 45.0_f64.to_radians();
    let (x, y) = (6000.0 * slope.cos(), 6000.0 * slope.sin());
    let ramp = [(-x, -y), (x, y), (x, -9000.0), (-x, -9000.0)];
    let mut play = Ground::none(60)
        .solid(&ramp)
        .model(ModelName::two_velocity)
        .tune("slope_slowdown", 0.4)
        .at(0.0, 40.0)
        .play();
    play.run(0.5);
    play.hold(Right);
    play.run(1.0);
    let from = play.hero().pos;
    play.run(1.0);
    near((play.hero().pos - from).length(), 300.0 * 0.6, 1e-6);
    play.release(Right).hold(Left);
    play.run(1.0);
    let from = play.hero().pos;
    play.run(1.0);
    near((play.hero().pos - from).length(), 300.0, 1e-6);
}
