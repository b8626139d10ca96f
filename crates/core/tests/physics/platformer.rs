//! The platformer's numbers, computed from the physics at several tick rates.

use crate::{
    common::{RATES, near},
    ground::{BODY, Ground},
};
use glam::dvec2;
use hangtime_core::models::Action::{Down, Jump, Left, Right};

const GRAVITY: f64 = 3672.0;
const JUMP: f64 = 540.0;
const HOLD: f64 = 0.278;
const FALL: f64 = 700.0;

/// The height of a held jump `t` seconds after takeoff.
fn held_jump(t: f64) -> f64 {
    let free = (t - HOLD).max(0.0);
    let apex = HOLD + JUMP / GRAVITY;
    let cap = apex + FALL / GRAVITY;
    if t <= cap {
        JUMP * t.min(HOLD) + JUMP * free - 0.5 * GRAVITY * free * free
    } else {
        JUMP * HOLD + JUMP * JUMP / (2.0 * GRAVITY) - FALL * FALL / (2.0 * GRAVITY) - FALL * (t - cap)
    }
}

#[test]
fn a_held_jump_follows_its_parabola_at_every_rate() {
    for hz in RATES {
        let mut play = Ground::floor(hz).play();
        play.hold(Jump);
        let duration = 0.4251 + 0.3665;
        let ticks = (duration * f64::from(hz)).floor() as u32;
        for tick in 1..=ticks {
            let hero = play.tick();
            near(hero.pos.y - 19.0, held_jump(f64::from(tick) / f64::from(hz)), 1e-9);
            assert!(!hero.grounded);
        }
        assert!(play.tick().grounded, "lands in the tick after {duration} s at {hz} Hz");
        assert_eq!(play.hero().pos.y, 19.0);
    }
}

#[test]
fn the_published_heights_and_times_of_a_held_jump() {
    let apex = JUMP * HOLD + JUMP * JUMP / (2.0 * GRAVITY);
    near(apex, 189.83, 0.005);
    near(HOLD + JUMP / GRAVITY, 0.4251, 5e-5);
    near(held_jump(0.4251 + 0.3665), 0.0, 0.05);
}

#[test]
fn releasing_the_key_stops_the_rise_once() {
    for hz in RATES {
        for held in [1, 3, hz / 10] {
            let mut play = Ground::floor(hz).play();
            play.hold(Jump);
            for _ in 0..held {
                assert_eq!(play.tick().vel.y, JUMP);
            }
            play.release(Jump);
            let height = play.hero().pos.y;
            let hero = play.tick();
            let dt = play.dt();
            near(hero.pos.y, height - 0.5 * GRAVITY * dt * dt, 1e-9);
            near(hero.vel.y, -GRAVITY * dt, 1e-9);
        }
    }
}

#[test]
fn holding_the_key_through_a_landing_does_not_jump_again() {
    let mut play = Ground::floor(60).play();
    play.hold(Jump);
    play.run(3.0);
    assert_eq!(play.told("jump"), 1);
}

#[test]
fn a_fall_from_rest_reaches_its_cap_at_the_computed_depth() {
    for hz in RATES {
        let mut play = Ground::none(hz).at(0.0, 1000.0).play();
        let reached = FALL / GRAVITY;
        near(reached, 0.1906, 5e-5);
        near(FALL * FALL / (2.0 * GRAVITY), 66.72, 0.005);
        for tick in 1..=hz {
            let t = f64::from(tick) / f64::from(hz);
            let hero = play.tick();
            let fallen = if t < reached {
                0.5 * GRAVITY * t * t
            } else {
                FALL * FALL / (2.0 * GRAVITY) + FALL * (t - reached)
            };
            near(1000.0 - hero.pos.y, fallen, 1e-9);
            near(hero.vel.y, -(GRAVITY * t).min(FALL), 1e-9);
        }
    }
}

#[test]
fn a_run_accelerates_from_360_to_650_over_225_px() {
    for (hz, side) in RATES.into_iter().flat_map(|hz| [(hz, 1.0), (hz, -1.0)]) {
        let mut play = Ground::floor(hz).play();
        play.hold(if side > 0.0 { Right } else { Left });
        let full = (650.0 - 360.0) / 650.0;
        near(full, 0.446, 5e-4);
        near(0.5 * (360.0 + 650.0) * full, 225.3, 0.05);
        for tick in 1..=hz {
            let t = f64::from(tick) / f64::from(hz);
            let hero = play.tick();
            let gaining = t.min(full);
            let run = 360.0 * gaining + 0.5 * 650.0 * gaining * gaining + 650.0 * (t - gaining);
            near(hero.pos.x * side, run, 1e-9);
            near(hero.vel.x * side, (360.0 + 650.0 * t).min(650.0), 1e-9);
            assert_eq!((hero.pos.y, hero.vel.y), (19.0, 0.0));
        }
    }
}

#[test]
fn slowing_from_650_takes_52_8_px() {
    for hz in RATES {
        // Measured before any move to a rest position.
        let ground = Ground::floor(hz).tune("rest_spacing", 0.0);
        let mut play = ground.moving(650.0, 0.0).play();
        let time = 650.0 / 4000.0;
        near(time, 0.1625, 1e-12);
        for tick in 1..=hz {
            let t = (f64::from(tick) / f64::from(hz)).min(time);
            let hero = play.tick();
            near(hero.pos.x, 650.0 * t - 0.5 * 4000.0 * t * t, 1e-9);
            near(hero.vel.x, 650.0 - 4000.0 * t, 1e-9);
        }
        near(play.hero().pos.x, 52.8, 0.02);
        assert_eq!(play.hero().vel.x, 0.0);
    }
}

#[test]
fn turning_around_brakes_to_0_and_starts_at_the_minimum_speed() {
    for hz in RATES {
        let mut play = Ground::floor(hz).moving(400.0, 0.0).play();
        play.hold(Left);
        let brake = 400.0 / 4000.0;
        for tick in 1..=hz / 4 {
            let t = f64::from(tick) / f64::from(hz);
            let hero = play.tick();
            let (x, v) = if t < brake {
                (400.0 * t - 2000.0 * t * t, 400.0 - 4000.0 * t)
            } else {
                let run = t - brake;
                (20.0 - 360.0 * run - 325.0 * run * run, -(360.0 + 650.0 * run))
            };
            near(hero.pos.x, x, 1e-9);
            // In the tick that reaches 0 both speeds are right.
            if (t - brake).abs() > 1e-9 {
                near(hero.vel.x, v, 1e-9);
            }
        }
    }
}

#[test]
fn aiming_backward_while_moving_walks() {
    for hz in RATES {
        let mut play = Ground::floor(hz).moving(500.0, 0.0).play();
        play.hold(Right);
        play.input.aim = Some(dvec2(-1000.0, 0.0));
        let time = (500.0 - 180.0) / 4000.0;
        for tick in 1..=hz / 2 {
            let t = f64::from(tick) / f64::from(hz);
            let hero = play.tick();
            let slowing = t.min(time);
            let x = 500.0 * slowing - 2000.0 * slowing * slowing + 180.0 * (t - slowing);
            near(hero.pos.x, x, 1e-9);
            assert_eq!(hero.facing, -1.0);
        }
        near(play.hero().vel.x, 180.0, 1e-9);
    }
}

#[test]
fn air_control_accelerates_up_to_the_soft_limit() {
    for hz in RATES {
        let mut play = Ground::none(hz).at(0.0, 0.0).play();
        play.hold(Right);
        for tick in 1..=hz / 2 {
            let t = f64::from(tick) / f64::from(hz);
            let hero = play.tick();
            let gaining = t.min(0.18);
            near(hero.vel.x, 2000.0 * gaining, 1e-9);
            near(hero.pos.x, 1000.0 * gaining * gaining + 360.0 * (t - gaining), 1e-9);
        }
    }
}

#[test]
fn air_speed_above_the_soft_limit_is_kept() {
    for held in [None, Some(Right)] {
        let mut play = Ground::none(60).moving(900.0, 0.0).play();
        if let Some(key) = held {
            play.hold(key);
        }
        assert!(play.run(1.0).iter().all(|hero| hero.vel.x == 900.0));
    }
}

#[test]
fn a_body_rests_at_its_reach_above_any_walkable_slope() {
    for degrees in [-45.0_f64, -30.0, -10.0, 0.0, 5.0, 20.0, 44.0, 45.0] {
        let slope = degrees.to_radians();
        let (length, drop) = (2000.0, 4000.0);
        let (x, y) = (length * slope.cos(), length * slope.sin());
        let mut play = Ground::none(60)
            .solid(&[(-x, -y), (x, y), (x, y - drop), (-x, -y - drop)])
            .at(0.0, 60.0)
            .play();
        play.run(2.0);
        let hero = play.hero();
        assert!(hero.grounded, "on {degrees}°");
        let normal = dvec2(-slope.sin(), slope.cos());
        let expected = ((10.0 * slope.sin()).powi(2) + (19.0 * slope.cos()).powi(2)).sqrt();
        near(hero.pos.dot(normal), expected, 1e-9);
        near(BODY.reach(normal), expected, 1e-12);
    }
}

#[test]
fn ground_speed_survives_kinks_and_crests() {
    // Up, over a crest, down into a dip, and up again.
    let hills = [
        (-3000.0, -500.0),
        (16_000.0, -500.0),
        (16_000.0, 0.0),
        (900.0, 0.0),
        (700.0, 100.0),
        (500.0, 0.0),
        (400.0, 0.0),
        (300.0, 30.0),
        (200.0, 0.0),
        (-3000.0, 0.0),
    ];
    for hz in RATES {
        for side in [1.0, -1.0] {
            let hills: Vec<_> = hills.iter().map(|p| (p.0 * side, p.1)).collect();
            let mut play = Ground::none(hz).solid(&hills).moving(650.0 * side, 0.0).play();
            play.hold(if side > 0.0 { Right } else { Left });
            for hero in play.run(2.0) {
                assert!(hero.grounded, "{hz} Hz at {}", hero.pos);
                near(hero.vel.length(), 650.0, 1e-6);
            }
            assert!(play.hero().pos.x * side > 1000.0);
            assert_eq!(play.told("leave_ground"), 0);
        }
    }
}

#[test]
fn a_runner_leaves_ground_that_drops_by_more_than_the_adherence() {
    for hz in RATES {
        let mut play = Ground::none(hz)
            .solid(&[(-1000.0, -500.0), (0.0, -500.0), (0.0, 0.0), (-1000.0, 0.0)])
            .solid(&[(0.0, -500.0), (16_000.0, -500.0), (16_000.0, -30.0), (0.0, -30.0)])
            .at(-200.0, 19.0)
            .play();
        play.hold(Right);
        while play.hero().grounded {
            play.tick();
        }
        let hero = play.hero();
        // It runs off horizontally, and falls from where the corner no longer bears it.
        let half = dvec2(10.0, 19.0);
        let brink = half.y * half.y / (half.x * half.x + half.y * half.y).sqrt();
        near(hero.vel.y, -(2.0 * 3672.0 * (brink - hero.pos.y)).sqrt(), 1e-3);
        assert!(hero.vel.x > 360.0);
        play.run(1.0);
        assert_eq!(play.hero().pos.y, -11.0);
    }
}

#[test]
fn a_runner_follows_steps_down_within_the_adherence() {
    for hz in RATES {
        for step in [2.0, 9.0, 18.0] {
            let mut play = Ground::none(hz)
                .solid(&[(-1000.0, -500.0), (0.0, -500.0), (0.0, 0.0), (-1000.0, 0.0)])
                .solid(&[(0.0, -500.0), (16_000.0, -500.0), (16_000.0, -step), (0.0, -step)])
                .at(-200.0, 19.0)
                .play();
            play.hold(Right);
            for hero in play.run(1.0) {
                assert!(hero.grounded, "{step} px at {hz} Hz, {}", hero.pos);
                assert_eq!(hero.vel.y, 0.0);
            }
            assert_eq!(play.hero().pos.y, 19.0 - step);
        }
    }
}

#[test]
fn coyote_time_lasts_exactly_as_long_as_tuned() {
    for hz in RATES {
        for (window, late) in [(0.1, 0), (0.1, 1), (0.05, 0), (0.0, 0), (0.0, 1)] {
            let mut play = Ground::none(hz)
                .solid(&[(-1000.0, -50.0), (0.0, -50.0), (0.0, 0.0), (-1000.0, 0.0)])
                .at(-100.0, 19.0)
                .tune("coyote_time", window)
                .play();
            play.hold(Right);
            while play.hero().grounded {
                play.tick();
            }
            // The first tick in the air counts as 0 seconds.
            let last = (window * f64::from(hz) + 1e-9).floor() as u32;
            for _ in 0..last + late {
                play.tick();
            }
            play.hold(Jump);
            let rises = play.tick().vel.y > 0.0;
            assert_eq!(rises, late == 0, "window {window}, {late} late, {hz} Hz");
        }
    }
}

#[test]
fn a_jump_uses_up_coyote_time() {
    let mut play = Ground::floor(60).play();
    play.hold(Jump);
    play.tick();
    play.release(Jump);
    play.tick();
    play.hold(Jump);
    assert!(play.tick().vel.y < 0.0);
    assert_eq!(play.told("jump"), 1);
}

#[test]
fn a_press_before_landing_is_buffered_exactly_as_long_as_tuned() {
    for hz in RATES {
        for late in [0_u32, 1] {
            let window = 0.1;
            let remembered = (window * f64::from(hz) + 1e-9).floor() as u32;
            // Find the tick in which a fall from here lands.
            let fall = || Ground::floor(hz).at(0.0, 150.0).play();
            let mut dry = fall();
            let mut lands = 0;
            while !dry.hero().grounded {
                dry.tick();
                lands += 1;
            }
            let mut play = fall();
            for _ in 0..lands - remembered - late {
                play.tick();
            }
            play.hold(Jump);
            play.tick();
            play.release(Jump);
            play.run(0.5);
            assert_eq!(play.told("jump"), usize::from(late == 0), "{hz} Hz, {late} too early");
        }
    }
}

#[test]
fn a_ceiling_ends_a_held_jump() {
    let mut play = Ground::floor(60)
        .solid(&[(-50.0, 60.0), (50.0, 60.0), (50.0, 80.0), (-50.0, 80.0)])
        .play();
    play.hold(Jump);
    let path = play.run(0.2);
    let hit = path.iter().position(|hero| hero.vel.y <= 0.0).expect("bumps its head");
    // From the moment of the bump on, it falls.
    let fallen = (hit + 1) as f64 / 60.0 - (60.0 - 2.0 * 19.0) / 540.0;
    near(path[hit].pos.y, 60.0 - 19.0 - 0.5 * 3672.0 * fallen * fallen, 1e-9);
    near(path[hit].vel.y, -3672.0 * fallen, 1e-9);
}

#[test]
fn a_wall_stops_a_run_without_lifting_the_body() {
    for hz in RATES {
        let mut play = Ground::floor(hz)
            .solid(&[(200.0, 0.0), (240.0, 0.0), (240.0, 200.0), (200.0, 200.0)])
            .play();
        play.hold(Right);
        play.run(1.0);
        let hero = play.hero();
        near(hero.pos.x, 190.0, 1e-6);
        assert_eq!((hero.pos.y, hero.vel.x), (19.0, 0.0));
        assert!(play.run(1.0).iter().all(|h| h.pos == hero.pos && h.grounded));
    }
}

#[test]
fn a_body_slides_down_slopes_above_the_limit() {
    let slope = 47.0_f64.to_radians();
    let (x, y) = (3000.0 * slope.cos(), 3000.0 * slope.sin());
    let mut play = Ground::none(60)
        .solid(&[(-x, -y), (x, y), (x, -9000.0), (-x, -9000.0)])
        .at(0.0, 60.0)
        .play();
    play.run(1.0);
    let hero = play.hero();
    assert!(!hero.grounded && hero.vel.y < -100.0 && hero.vel.x < -100.0);
    let normal = dvec2(-slope.sin(), slope.cos());
    near(hero.pos.dot(normal), BODY.reach(normal), 1e-5);
}

#[test]
fn a_jump_over_a_gap_lands_at_a_run() {
    let mut play = Ground::none(60)
        .solid(&[(-1000.0, -50.0), (0.0, -50.0), (0.0, 0.0), (-1000.0, 0.0)])
        .solid(&[(150.0, -50.0), (3000.0, -50.0), (3000.0, 0.0), (150.0, 0.0)])
        .at(-100.0, 19.0)
        .play();
    play.hold(Right);
    while play.hero().pos.x < -15.0 {
        play.tick();
    }
    play.hold(Jump);
    play.run(1.5);
    let hero = play.hero();
    assert!(hero.grounded && hero.pos.x > 150.0 && hero.vel.x > 360.0);
    assert_eq!(play.told("land"), 1);
}

#[test]
fn down_alone_does_nothing_on_solid_ground() {
    let mut play = Ground::floor(60).play();
    play.hold(Down);
    let before = play.hero().pos;
    assert!(play.run(0.5).iter().all(|hero| hero.pos == before && hero.grounded));
}
