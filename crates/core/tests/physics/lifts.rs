//! Bodies that meet moving platforms: when, where and how fast they are hit does not depend on the
//! tick rate.

use crate::{
    common::near,
    ground::{BODY, Ground, Play},
};
use glam::dvec2;
use hangtime_core::{
    geometry::{Collider, separation::separation},
    models::{Action, ModelName},
};

/// Common tick rates, and odd ones.
const RATES: [u32; 6] = [30, 37, 60, 120, 144, 240];

/// The default gravity, px/s², and fastest fall, px/s.
const GRAVITY: f64 = 3672.0;
const FASTEST: f64 = 700.0;

/// The seconds played so far.
fn now(play: &Play) -> f64 {
    play.world.ticks() as f64 * play.dt()
}

/// Half the body's width and height, px.
const WIDE: f64 = BODY.half.x;
const TALL: f64 = BODY.half.y;

#[test]
fn a_body_that_flies_ahead_of_a_platform_is_not_pushed_before_it_is_reached() {
    let ram = [(-60.0, -40.0), (0.0, -40.0), (0.0, 40.0), (-60.0, 40.0)];
    for hz in RATES {
        for speed in [60.0, 290.0, 299.0, 300.0] {
            for side in [1.0, -1.0] {
                let ram = ram.map(|(x, y)| (x * side, y));
                let ground = Ground::none(hz)
                    .gravity(0.0)
                    .platform(&ram, &[(0.0, 0.0), (side * 3000.0, 0.0)], speed)
                    .at(side * (WIDE + 0.5), 0.0)
                    .moving(side * 300.0, 0.0);
                let mut play = ground.play();
                for hero in play.run(1.0) {
                    near(hero.vel.x, side * 300.0, 1e-9);
                }
                let free = WIDE + 0.5 + 300.0 * now(&play);
                near(play.hero().pos.x, side * free, 1e-6);
            }
        }
    }
}

#[test]
fn a_platform_that_catches_up_with_a_flyer_pushes_it_from_then_on() {
    let ram = [(-60.0, -40.0), (0.0, -40.0), (0.0, 40.0), (-60.0, 40.0)];
    for hz in RATES {
        for (own, speed) in [(0.0, 100.0), (200.0, 300.0), (-150.0, 250.0)] {
            let ground = Ground::none(hz)
                .gravity(0.0)
                .platform(&ram, &[(0.0, 0.0), (3000.0, 0.0)], speed)
                .at(WIDE + 7.0, 0.0)
                .moving(own, 0.0);
            let mut play = ground.play();
            for _ in 0..hz {
                let hero = play.tick();
                let free = 7.0 + own * now(&play);
                let face = speed * now(&play);
                near(hero.pos.x, WIDE + free.max(face), 1e-6);
                near(hero.vel.x, if face > free { speed } else { own }, 1e-6);
            }
        }
    }
}

#[test]
fn a_bump_against_the_underside_of_a_lift_leaves_the_body_the_speed_of_the_lift() {
    let gap = 40.0;
    let below = TALL + gap;
    let lift = [(-90.0, below), (90.0, below), (90.0, below + 10.0), (-90.0, below + 10.0)];
    for hz in RATES {
        for (speed, up) in [(190.0, 381.0), (50.0, 500.0), (190.0, 200.0)] {
            for (x, lifted) in [(0.0, speed), (120.0, speed), (0.0, -speed)] {
                let way = [(0.0, 0.0), (x * 10.0, lifted * 10.0)];
                let pace = f64::hypot(x, lifted);
                let ground = Ground::none(hz).gravity(0.0).platform(&lift, &way, pace).at(0.0, 0.0).moving(0.0, up);
                let mut play = ground.play();
                for _ in 0..hz / 3 {
                    let hero = play.tick();
                    let free = up * now(&play);
                    let most = gap + lifted * now(&play);
                    near(hero.pos.y, free.min(most), 1e-6);
                    near(hero.vel.y, if most < free { lifted } else { up }, 1e-6);
                }
            }
        }
    }
}

#[test]
fn gravity_takes_a_body_from_a_lift_that_it_has_bumped_into() {
    let (gap, lifted, up, gravity) = (20.0, 190.0, 420.0, 900.0);
    let below = TALL + gap;
    let lift = [(-90.0, below), (90.0, below), (90.0, below + 10.0), (-90.0, below + 10.0)];
    // The body meets the lift where up·t − gravity·t²/2 = gap + lifted·t.
    let closing: f64 = up - lifted;
    let at_hit = (closing * closing - 2.0 * gravity * gap).sqrt();
    let hit = (closing - at_hit) / gravity;
    for hz in RATES {
        let ground = Ground::none(hz)
            .gravity(gravity)
            .platform(&lift, &[(0.0, 0.0), (0.0, 1900.0)], lifted)
            .at(0.0, 0.0)
            .moving(0.0, up);
        let mut play = ground.play();
        play.run(0.4);
        let since = now(&play) - hit;
        let expected = lifted - gravity * since;
        // A tick's motion is a straight line, which is at most this far from the parabola.
        let bow = gravity * play.dt() * play.dt() / 8.0;
        near(play.hero().vel.y, expected, gravity * bow / at_hit + 1e-6);
        let fallen = gap + lifted * now(&play) - 0.5 * gravity * since * since;
        // The part of the tick after the hit is such a line, too.
        near(play.hero().pos.y, fallen, 5.0 * bow + since * gravity * bow / at_hit);
    }
}

#[test]
fn a_wall_that_moves_away_takes_only_the_speed_relative_to_it() {
    let wall = [(40.0, -60.0), (60.0, -60.0), (60.0, 60.0), (40.0, 60.0)];
    for hz in RATES {
        for speed in [30.0, 120.0, 280.0] {
            let ground = Ground::none(hz)
                .gravity(0.0)
                .platform(&wall, &[(0.0, 0.0), (2000.0, 0.0)], speed)
                .at(0.0, 0.0)
                .moving(300.0, 0.0);
            let mut play = ground.play();
            for _ in 0..2 * hz {
                let hero = play.tick();
                let (free, face) = (300.0 * now(&play), 40.0 - WIDE + speed * now(&play));
                near(hero.pos.x, free.min(face), 1e-6);
                near(hero.vel.x, if face < free { speed } else { 300.0 }, 1e-6);
            }
        }
    }
}

#[test]
fn in_a_top_view_a_walker_keeps_up_with_a_wall_that_moves_away_from_it() {
    let wall = [(40.0, -60.0), (60.0, -60.0), (60.0, 60.0), (40.0, 60.0)];
    for hz in RATES {
        for model in [ModelName::topdown, ModelName::two_velocity] {
            let ground = Ground::none(hz)
                .top_view()
                .model(model)
                .platform(&wall, &[(0.0, 0.0), (2000.0, 0.0)], 100.0)
                .at(0.0, 0.0);
            let mut play = ground.play();
            play.hold(Action::Right);
            play.run(1.0);
            for _ in 0..hz {
                let hero = play.tick();
                near(hero.pos.x, 40.0 - WIDE + 100.0 * now(&play), 1e-6);
            }
        }
    }
}

#[test]
fn a_body_that_lands_on_a_moving_lift_in_mid_tick_is_carried_from_then_on() {
    let lift = [(-200.0, -20.0), (200.0, -20.0), (200.0, 0.0), (-200.0, 0.0)];
    for hz in RATES {
        for way in [(240.0, 0.0), (150.0, 90.0), (-120.0, -60.0), (0.0, 110.0)] {
            let ground = Ground::none(hz)
                .gravity(0.0)
                .platform(&lift, &[(0.0, 0.0), (way.0 * 9.0, way.1 * 9.0)], f64::hypot(way.0, way.1))
                .tune("rest_spacing", 0.0)
                .at(0.0, TALL + 31.0)
                .moving(0.0, -300.0);
            let mut play = ground.play();
            play.run(0.5);
            let hit = 31.0 / (300.0 + way.1);
            // The ground probe reaches half a pixel.
            let early = 0.5 / (300.0 + way.1);
            let carried = way.0 * (now(&play) - hit);
            near(play.hero().pos.x, carried, way.0.abs() * early + 1e-6);
            near(play.hero().pos.y, TALL + way.1 * now(&play), 1e-6);
            assert_eq!(play.told("land"), 1);
            near(play.landings()[0], 300.0 + way.1, 1e-6);
        }
    }
}

#[test]
fn a_body_pushed_into_a_corner_follows_the_platform_along_the_wall() {
    // The ceiling slants; the ram pushes the body along it.
    let ceiling = [(-300.0, 19.0), (600.0, 319.0), (600.0, 400.0), (-300.0, 400.0)];
    let ram = [(-60.0, -90.0), (0.0, -90.0), (0.0, 300.0), (-60.0, 300.0)];
    for hz in RATES {
        let ground = Ground::none(hz)
            .gravity(0.0)
            .solid(&ceiling)
            .platform(&ram, &[(0.0, 0.0), (3000.0, 0.0)], 200.0)
            .at(WIDE + 5.0, 40.0)
            .moving(0.0, 120.0);
        let mut play = ground.play();
        for _ in 0..hz {
            let hero = play.tick();
            let face = 200.0 * now(&play) + WIDE;
            assert!(hero.pos.x > face - 1e-3, "{} of {face} at {hz} Hz", hero.pos);
        }
        assert_eq!(play.told("crush"), 0);
    }
}

#[test]
fn a_body_in_the_air_between_a_platform_and_a_wall_is_crushed_once() {
    let wall = [(60.0, -200.0), (90.0, -200.0), (90.0, 200.0), (60.0, 200.0)];
    let ram = [(-90.0, -200.0), (-40.0, -200.0), (-40.0, 200.0), (-90.0, 200.0)];
    for hz in RATES {
        for own in [-80.0, 0.0, 250.0] {
            let ground = Ground::none(hz)
                .gravity(0.0)
                .solid(&wall)
                .platform(&ram, &[(0.0, 0.0), (100.0, 0.0)], 100.0)
                .at(0.0, 0.0)
                .moving(own, 0.0);
            let mut play = ground.play();
            for _ in 0..hz * 9 / 10 {
                let hero = play.tick();
                let tick = 100.0 / f64::from(hz);
                let face = (100.0 * now(&play) - 40.0).min(60.0 - 2.0 * WIDE);
                assert!(hero.pos.x > face + WIDE - tick, "{} at {hz} Hz", hero.pos);
                assert!(hero.pos.x < 60.0 - WIDE + 1e-3, "{} at {hz} Hz", hero.pos);
            }
            assert_eq!(play.told("crush"), 1, "at {hz} Hz with {own} px/s");
        }
    }
}

#[test]
fn a_lift_that_rises_faster_than_a_jump_catches_the_body() {
    let lift = [(-200.0, -20.0), (200.0, -20.0), (200.0, 0.0), (-200.0, 0.0)];
    for hz in RATES {
        let ground = Ground::none(hz)
            .platform(&lift, &[(0.0, -300.0), (0.0, 2000.0)], 900.0)
            .solid(&[(-300.0, -30.0), (-5.0, -30.0), (-5.0, 0.0), (-300.0, 0.0)])
            .at(0.0, TALL);
        let mut play = ground.play();
        play.run(0.2);
        play.hold(Action::Jump);
        play.run(0.8);
        let hero = play.hero();
        assert!(hero.grounded, "{} at {hz} Hz", hero.pos);
        near(hero.pos.y, TALL - 300.0 + 900.0 * now(&play), 1e-6);
    }
}

#[test]
fn a_landing_on_a_lift_is_as_fast_as_the_two_meet() {
    let (gravity, fastest) = (GRAVITY, FASTEST);
    for hz in RATES {
        for speed in [-300.0_f64, -120.0, 60.0, 240.0, 600.0, 1500.0] {
            for gap in [20.0, 33.3, 45.0] {
                let top = [(-80.0, -40.0), (80.0, -40.0), (80.0, 0.0), (-80.0, 0.0)];
                let way = [(0.0, 0.0), (0.0, speed.signum() * 4000.0)];
                let ground = Ground::none(hz).platform(&top, &way, speed.abs()).at(0.0, TALL + gap);
                let mut play = ground.play();
                play.run(0.6);
                // They meet when the fall and the lift's path add up to the gap, before the fastest fall is reached
                // or after.
                let meets = |seconds: f64| {
                    let until = fastest / gravity;
                    let falls = seconds.min(until);
                    0.5 * gravity * falls * falls + fastest * (seconds - falls) + speed * seconds - gap
                };
                let (mut soon, mut late) = (0.0, 0.6);
                for _ in 0..60 {
                    let middle = 0.5 * (soon + late);
                    if meets(middle) < 0.0 { soon = middle } else { late = middle }
                }
                let expected = (gravity * late).min(fastest) + speed;
                let landings = play.landings();
                let case = format!("{speed} px/s, {gap} px at {hz} Hz: {landings:?} and not {expected}");
                assert!(landings.first().is_some_and(|found| (found - expected).abs() < 0.05), "{case}");
            }
        }
    }
}

/// How far a body has fallen that began with this speed down, px.
fn dropped(speed: f64, seconds: f64) -> f64 {
    let until = ((FASTEST - speed) / GRAVITY).clamp(0.0, seconds);
    let reached = speed + GRAVITY * until;
    0.5 * (speed + reached) * until + reached * (seconds - until)
}

#[test]
fn a_held_jump_ends_at_the_underside_of_a_lift_and_gravity_acts_from_that_moment() {
    for hz in RATES {
        for model in [ModelName::platformer, ModelName::two_velocity] {
            for (across, lifted) in [(0.0, 190.0), (0.0, -190.0), (120.0, 60.0), (-300.0, -40.0), (240.0, 0.0)] {
                for gap in [7.0, 44.3, 61.7, 80.0] {
                    let below = 2.0 * TALL + gap;
                    let lift = [(-150.0, below), (150.0, below), (150.0, below + 10.0), (-150.0, below + 10.0)];
                    let way = [(0.0, 0.0), (across * 10.0, lifted * 10.0)];
                    let ground = Ground::floor(hz).model(model).platform(&lift, &way, f64::hypot(across, lifted));
                    let mut play = ground.play();
                    play.hold(Action::Jump);
                    // Relative to the lift, the body comes to rest there, and takes the velocity of the lift over.
                    let hit = gap / (540.0 - lifted);
                    while now(&play) < f64::min(0.27, hit + 0.12) {
                        let hero = play.tick();
                        let since = now(&play) - hit;
                        let free = TALL + 540.0 * now(&play);
                        let after = TALL + 540.0 * hit - dropped(-lifted, since.max(0.0));
                        near(hero.pos.y, if since > 0.0 { after.max(TALL) } else { free }, 1e-6);
                    }
                }
            }
        }
    }
}

#[test]
fn a_corner_that_moves_turns_a_body_aside_as_one_at_rest_does() {
    let rock = [(-40.0, 60.0), (0.0, 20.0), (40.0, 60.0), (20.0, 100.0)];
    for hz in RATES {
        for carried in [90.0, -210.0, 320.0] {
            for x in [-12.0, -7.0, -2.0, 3.0, 8.0, 13.0] {
                for up in [350.0, 500.0] {
                    let at = |ground: Ground, velocity: f64| {
                        let mut play = ground.at(x, -30.0).moving(velocity, up).play();
                        play.run(0.4).into_iter().map(|hero| hero.pos).collect::<Vec<_>>()
                    };
                    let still = at(Ground::none(hz).solid(&rock), 0.0);
                    let way = [(0.0, 0.0), (carried * 10.0, 0.0)];
                    let moving = at(Ground::none(hz).platform(&rock, &way, f64::abs(carried)), carried);
                    for (tick, (still, moving)) in (1_u32..).zip(still.into_iter().zip(moving)) {
                        let ridden = carried * f64::from(tick) / f64::from(hz);
                        let case = format!("{carried} px/s, from {x} at {up} px/s, tick {tick} at {hz} Hz");
                        near(moving.y, still.y, 1e-5);
                        assert!(
                            (moving.x - ridden - still.x).abs() < 1e-5,
                            "{moving} and not {still} plus {ridden}: {case}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn keys_lead_a_body_away_from_a_moving_wall_from_the_moment_at_which_it_hits() {
    let wall = [(-90.0, -400.0), (-50.0, -400.0), (-50.0, 400.0), (-90.0, 400.0)];
    let (gap, accel, soft) = (50.0 - WIDE, 2000.0, 360.0);
    for hz in RATES {
        for speed in [100.0, -100.0, 250.0] {
            let way = [(0.0, 0.0), (speed * 10.0, 0.0)];
            let ground = Ground::none(hz).gravity(0.0).platform(&wall, &way, f64::abs(speed));
            let mut play = ground.at(0.0, 0.0).moving(-500.0, 0.0).play();
            play.hold(Action::Right);
            // They meet where -500·t + accel·t²/2 = -gap + speed·t.
            let closing: f64 = 500.0 + speed;
            let hit = (closing - (closing * closing - 2.0 * accel * gap).sqrt()) / accel;
            let from = -gap + speed * hit;
            while now(&play) < 0.3 {
                let hero = play.tick();
                let since = now(&play) - hit;
                let until = ((soft - speed) / accel).clamp(0.0, since.max(0.0));
                let pushed = from + speed * until + 0.5 * accel * until * until + soft * (since - until);
                let free = -500.0 * now(&play) + 0.5 * accel * now(&play) * now(&play);
                near(hero.pos.x, if since > 0.0 { pushed } else { free }, 1e-4);
            }
        }
    }
}

#[test]
fn a_rider_goes_over_to_a_platform_that_comes_up_under_it_when_that_gets_there() {
    let block = [(-400.0, -30.0), (400.0, -30.0), (400.0, 0.0), (-400.0, 0.0)];
    for hz in RATES {
        for (first, second) in [
            ((130.0, 0.0), (0.0, 95.0)),
            ((0.0, -80.0), (-210.0, 0.0)),
            ((-90.0, 40.0), (60.0, 110.0)),
            ((150.0, -120.0), (-150.0, 30.0)),
        ] {
            for below in [3.0, 11.7] {
                let lift = |down: f64, (x, y): (f64, f64), ground: Ground| {
                    let block = block.map(|(across, up)| (across, up - down));
                    ground.platform(&block, &[(0.0, 0.0), (x * 5.0, y * 5.0)], f64::hypot(x, y))
                };
                let ground = lift(below, second, lift(0.0, first, Ground::none(hz)));
                let mut play = ground.at(0.0, TALL).tune("rest_spacing", 0.0).play();
                let meets = below / (second.1 - first.1);
                while now(&play) < 0.5 {
                    let hero = play.tick();
                    let (on_first, on_second) = (now(&play).min(meets), (now(&play) - meets).max(0.0));
                    near(hero.pos.x, first.0 * on_first + second.0 * on_second, 1e-5);
                    near(hero.pos.y, TALL + first.1 * on_first + second.1 * on_second, 1e-5);
                }
            }
        }
    }
}

#[test]
fn a_body_that_is_turned_around_between_two_platforms_is_not_carried_into_a_wall() {
    let slope = [(-249.646, -20.0), (-20.428, -20.0), (-20.428, 140.994), (-249.646, 0.0)];
    let outline = slope.map(|(x, y)| dvec2(x, y));
    let block = |(x, y): (f64, f64), (to_x, to_y): (f64, f64)| [(x, y), (to_x, y), (to_x, to_y), (x, to_y)];
    let shape = Collider::ellipse(16.0, 9.0);
    for hz in RATES {
        let ground = Ground::none(hz)
            .solid(&slope)
            .platform(&block((219.839, 68.582), (295.694, 95.398)), &[(0.0, 0.0), (-236.101, 0.0)], 243.112)
            .platform(&block((-12.452, 107.384), (60.943, 135.72)), &[(0.0, 0.0), (113.154, 59.433)], 250.041)
            .figure(shape)
            .tune("rest_spacing", 0.0)
            .at(-171.404, 348.226);
        let mut play = ground.play();
        while now(&play) < 2.0 {
            if now(&play) < 0.966 {
                play.hold(Action::Right);
            } else {
                play.release(Action::Right).hold(Action::Jump);
            }
            let hero = play.tick();
            let apart = separation(shape, hero.pos, &outline);
            let deep = if apart.overlaps() { apart.to_touch.length() } else { 0.0 };
            assert!(deep < 1e-3, "{hz} Hz: {deep} px deep at {}", hero.pos);
        }
    }
}
