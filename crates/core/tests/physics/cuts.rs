//! A tick in which something happens: what comes after it follows the new rules at once, so that motion does not
//! depend on the tick rate.

use crate::{
    common::near,
    ground::{BODY, Ground, Play},
};
use glam::dvec2;
use hangtime_core::models::{Action, ModelName};

/// Common tick rates.
const RATES: [u32; 6] = [30, 50, 60, 120, 144, 240];

/// The default gravity, px/s², and fastest fall, px/s.
const GRAVITY: f64 = 3672.0;
const FASTEST: f64 = 700.0;

/// The decay of external velocity, 1/s.
const DAMPING: f64 = 4.0;

/// Half the body's height, px.
const TALL: f64 = BODY.half.y;

fn now(play: &Play) -> f64 {
    play.world.ticks() as f64 * play.dt()
}

/// How far a body has fallen from rest after this time, px.
fn fallen(seconds: f64) -> f64 {
    let until = FASTEST / GRAVITY;
    if seconds < until {
        0.5 * GRAVITY * seconds * seconds
    } else {
        FASTEST * (seconds - 0.5 * until)
    }
}

/// How long a fall from rest takes, s.
fn fall_time(drop: f64) -> f64 {
    let until = FASTEST / GRAVITY;
    let limit = 0.5 * FASTEST * until;
    if drop < limit {
        (2.0 * drop / GRAVITY).sqrt()
    } else {
        until + (drop - limit) / FASTEST
    }
}

/// How far external velocity of 1 px/s moves a body, px.
fn drifted(seconds: f64) -> f64 {
    (1.0 - (-DAMPING * seconds).exp()) / DAMPING
}

#[test]
fn a_body_falls_from_a_ceiling_in_the_tick_in_which_it_bumps_into_it() {
    for hz in RATES {
        for model in [ModelName::platformer, ModelName::two_velocity] {
            for height in [80.0, 97.0, 138.0, 150.5] {
                // A jump that is held comes to the ceiling at its full speed.
                let ceiling = [(-500.0, height), (500.0, height), (500.0, height + 20.0), (-500.0, height + 20.0)];
                let ground = Ground::floor(hz).solid(&ceiling).model(model);
                let mut play = ground.play();
                let bump = (height - 2.0 * TALL) / 540.0;
                play.hold(Action::Jump);
                while now(&play) < 0.3 {
                    let hero = play.tick();
                    let seconds = now(&play);
                    let free = if seconds < bump {
                        TALL + 540.0 * seconds
                    } else {
                        (height - TALL - fallen(seconds - bump)).max(TALL)
                    };
                    near(hero.pos.y, free, 1e-6);
                }
            }
        }
    }
}

#[test]
fn a_body_that_is_thrown_at_a_ceiling_falls_from_it_at_once() {
    for hz in RATES {
        for speed in [200.0, 613.0, 1500.0] {
            for across in [0.0, 90.0] {
                let ceiling = [(-500.0, 40.0), (500.0, 40.0), (500.0, 60.0), (-500.0, 60.0)];
                let ground = Ground::none(hz).solid(&ceiling).at(0.0, 0.0).moving(across, speed);
                let gap = 40.0 - TALL;
                let root = speed * speed - 2.0 * GRAVITY * gap;
                let mut play = ground.play();
                while now(&play) < 0.25 {
                    let hero = play.tick();
                    let seconds = now(&play);
                    let y = if root < 0.0 {
                        let fall_begins = speed / GRAVITY;
                        if seconds < fall_begins {
                            speed * seconds - 0.5 * GRAVITY * seconds * seconds
                        } else {
                            0.5 * speed * fall_begins - fallen(seconds - fall_begins)
                        }
                    } else {
                        let bump = (speed - root.sqrt()) / GRAVITY;
                        if seconds < bump {
                            speed * seconds - 0.5 * GRAVITY * seconds * seconds
                        } else {
                            gap - fallen(seconds - bump)
                        }
                    };
                    near(hero.pos.y, y, 1e-6);
                    near(hero.pos.x, across * seconds, 1e-6);
                }
            }
        }
    }
}

/// A floor on which a belt carries bodies along.
fn belt(hz: u32, speed: f64) -> Ground {
    Ground::floor(hz).zone_with("belt", (-9000.0, -50.0), (9000.0, 500.0), |zone| zone.conveyor = dvec2(speed, 0.0))
}

#[test]
fn a_jump_off_a_belt_takes_its_speed_along_from_the_first_moment() {
    for hz in RATES {
        for model in [ModelName::platformer, ModelName::two_velocity] {
            for speed in [200.0, -350.0] {
                let mut play = belt(hz, speed).model(model).play();
                play.run(0.5);
                let from = play.hero().pos.x;
                near(from, speed * now(&play), 1e-6);
                let began = now(&play);
                play.hold(Action::Jump);
                for _ in 0..hz / 5 {
                    let hero = play.tick();
                    near(hero.pos.x - from, speed * drifted(now(&play) - began), 1e-6);
                }
            }
        }
    }
}

#[test]
fn a_belt_carries_what_lands_on_it_from_that_moment_on() {
    for hz in RATES {
        for model in [ModelName::platformer, ModelName::two_velocity] {
            for (speed, drop) in [(200.0, 111.0), (200.0, 30.0), (-77.0, 5.0), (0.0, 50.0)] {
                let mut play = belt(hz, speed).model(model).at(0.0, TALL + drop).play();
                let lands = fall_time(drop);
                for _ in 0..hz {
                    let hero = play.tick();
                    near(hero.pos.x, speed * (now(&play) - lands).max(0.0), 1e-6);
                }
            }
        }
    }
}

#[test]
fn a_jump_from_a_lift_takes_its_speed_along_from_the_first_moment() {
    for hz in RATES {
        for lifted in [240.0, -240.0, -300.0, 60.0] {
            let lift = [(-90.0, -20.0), (90.0, -20.0), (90.0, 0.0), (-90.0, 0.0)];
            let ground = Ground::none(hz).platform(&lift, &[(0.0, 0.0), (0.0, lifted * 10.0)], f64::abs(lifted));
            let mut play = ground.play();
            play.run(0.5);
            let (from, began) = (play.hero().pos.y, now(&play));
            near(from, TALL + lifted * began, 1e-6);
            play.hold(Action::Jump);
            while now(&play) - began + play.dt() < 0.278 {
                let hero = play.tick();
                let seconds = now(&play) - began;
                near(hero.pos.y - from, 540.0 * seconds + lifted * drifted(seconds), 1e-6);
            }
        }
    }
}

#[test]
fn a_body_thrown_up_a_steep_slope_slides_up_and_down_by_the_formula() {
    for hz in RATES {
        for degrees in [46.4_f64, 55.0, 63.4, 80.0] {
            let (sin, cos) = degrees.to_radians().sin_cos();
            for side in [1.0, -1.0] {
                for speed in [150.0, 400.0, 777.0] {
                    // The slope rises toward `side` through the origin.
                    let far = 3000.0;
                    let points = [(-far * cos, -far * sin), (far * cos, far * sin), (far * cos, -far * sin)];
                    let points = points.map(|(x, y)| (x * side, y));
                    let normal = dvec2(-sin * side, cos);
                    let at = normal * (BODY.half * normal).length();
                    let ground = Ground::none(hz).solid(&points).at(at.x, at.y).moving(speed * cos * side, speed * sin);
                    let ground = ground.tune("max_fall_speed", 100_000.0).tune("air_brake", 0.0);
                    let mut play = ground.play();
                    for _ in 0..hz * 3 / 4 {
                        let hero = play.tick();
                        let seconds = now(&play);
                        let along = speed * seconds - 0.5 * GRAVITY * sin * seconds * seconds;
                        let moved = (hero.pos - at).dot(dvec2(cos * side, sin));
                        near(moved, along, 1e-4);
                    }
                }
            }
        }
    }
}

#[test]
fn a_brush_against_a_corner_gives_a_coyote_jump_at_every_rate() {
    for hz in RATES {
        for phase in 0..5 {
            // The body passes over the top of a thin post so fast that it stands there for less than a tick.
            let x = 650.0 * fall_time(4.5) - 0.3 - 0.35 * f64::from(phase);
            let post = [(x, -200.0), (x + 2.0, -200.0), (x + 2.0, 0.0), (x, 0.0)];
            let ground = Ground::none(hz).solid(&post).at(0.0, TALL + 4.5).moving(650.0, 0.0);
            let mut play = ground.play();
            while play.told("land") == 0 && now(&play) < 0.3 {
                play.tick();
            }
            assert_eq!(play.told("land"), 1, "{hz} Hz");
            while play.hero().grounded && now(&play) < 0.3 {
                play.tick();
            }
            play.hold(Action::Jump);
            play.tick();
            assert_eq!(play.told("jump"), 1, "{hz} Hz, {phase}");
        }
    }
}

/// Where the center of the default body is, from the corner of a ledge that only just bears it, px.
fn brink() -> glam::DVec2 {
    let steepest = dvec2(0.5_f64.sqrt(), 0.5_f64.sqrt());
    BODY.half * BODY.half * steepest / (BODY.half * steepest).length()
}

/// A hero that runs at one speed.
fn runner(hz: u32, speed: f64) -> Ground {
    Ground::none(hz).tune("run_speed_min", speed).tune("run_speed_max", speed)
}

#[test]
fn a_runner_leaves_a_ledge_where_its_corner_no_longer_bears_it() {
    for hz in RATES {
        for speed in [360.0, 400.0, 650.0, 2000.0] {
            for phase in 0..4 {
                for side in [1.0, -1.0] {
                    let edge = 100.0 + 3.7 * f64::from(phase);
                    let ledge =
                        [(-900.0 * side, -900.0), (edge * side, -900.0), (edge * side, 0.0), (-900.0 * side, 0.0)];
                    let mut play = runner(hz, speed).solid(&ledge).play();
                    play.hold(if side > 0.0 { Action::Right } else { Action::Left });
                    let leaves = (edge + brink().x) / speed;
                    while now(&play) < leaves + 0.2 {
                        let hero = play.tick();
                        near(hero.pos.x * side, speed * now(&play), 1e-4);
                        if now(&play) > leaves {
                            near(hero.pos.y, brink().y - fallen(now(&play) - leaves), 1e-4);
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn a_runner_crosses_a_gap_narrower_than_its_body() {
    // Getting onto the far corner, it follows an arc that is longer than the floor under it.
    let arc = brink().x.hypot(TALL - brink().y) - brink().x;
    for (gap, phase) in [2.0, 6.0, 9.0, 10.0, 12.0, 14.0]
        .into_iter()
        .flat_map(|gap| (0..4).map(move |p| (gap, p)))
    {
        for speed in [360.0, 500.0, 650.0] {
            let mut ends = [f64::INFINITY, f64::NEG_INFINITY];
            for hz in [30, 60, 120, 240, 480, 960] {
                let x = 100.0 + 1.7 * f64::from(phase);
                let ground = runner(hz, speed)
                    .solid(&[(-900.0, -100.0), (x, -100.0), (x, 0.0), (-900.0, 0.0)])
                    .solid(&[(x + gap, -100.0), (x + 900.0, -100.0), (x + 900.0, 0.0), (x + gap, 0.0)]);
                let mut play = ground.play();
                play.hold(Action::Right);
                for hero in play.run(0.5) {
                    assert!(hero.pos.y > 15.0 && hero.pos.y <= TALL + 1e-9, "{hz} Hz, {gap} px: {}", hero.pos);
                }
                let behind = speed * now(&play) - play.hero().pos.x;
                assert!(behind > -1e-6 && behind < 4.0 * arc, "{behind} px behind at {hz} Hz, {gap} px");
                ends = [ends[0].min(behind), ends[1].max(behind)];
            }
            assert!(ends[1] - ends[0] < 1.0, "{ends:?} at {gap} px, {speed} px/s");
        }
    }
}

#[test]
fn a_runner_that_follows_no_falling_ground_falls_from_the_moment_it_leaves_a_ledge() {
    const PROBE: f64 = 0.5;
    // It leaves where its probe no longer reaches the corner: of level ground there, and no later than the corner bears
    // it.
    let first = BODY.half.x * (1.0 - (1.0 - PROBE / TALL).powi(2)).sqrt();
    let until = 0.5;
    for hz in RATES {
        for speed in [360.0, 400.0, 650.0] {
            for phase in 0..4 {
                let edge = speed * 0.4 + 3.7 * f64::from(phase);
                let ledge = [(-900.0, -900.0), (edge, -900.0), (edge, 0.0), (-900.0, 0.0)];
                for adherence in [0.0, 0.25] {
                    let mut play = runner(hz, speed).tune("ground_adherence", adherence).solid(&ledge).play();
                    play.hold(Action::Right);
                    while now(&play) < until - 1e-9 {
                        play.tick();
                    }
                    let left = |past: f64| until - (edge + past) / speed;
                    let highest = TALL - fallen(left(brink().x));
                    let lowest = brink().y - fallen(left(first));
                    let y = play.hero().pos.y;
                    assert!((lowest..=highest).contains(&y), "{y} at {hz} Hz, {speed} px/s, {lowest} to {highest}");
                }
            }
        }
    }
}

#[test]
fn a_body_grabs_a_wall_at_the_height_at_which_it_reaches_it() {
    let wall = [(100.0, -900.0), (200.0, -900.0), (200.0, 900.0), (100.0, 900.0)];
    for hz in RATES {
        for up in [500.0, 130.0, 0.0, -200.0] {
            for gap in [3.0, 11.7, 29.3, 41.9] {
                let from = 100.0 - BODY.half.x - gap;
                let ground = Ground::none(hz).solid(&wall).tune("rest_spacing", 0.0);
                let mut play = ground.at(from, 0.0).moving(360.0, up).play();
                play.hold(Action::Right);
                play.run(0.2);
                // The key adds nothing to this speed. The fall is slower than the fastest.
                let seconds = gap / 360.0;
                assert_eq!(play.hero().mode, "wall");
                near(play.hero().pos.y, up * seconds - 0.5 * GRAVITY * seconds * seconds, 1e-6);
            }
        }
    }
}

#[test]
fn a_body_grabs_a_wall_at_its_height_there_after_it_has_come_into_a_zone() {
    let wall = [(100.0, -900.0), (200.0, -900.0), (200.0, 900.0), (100.0, 900.0)];
    for hz in RATES {
        for (up, scale) in [(500.0, 0.0), (130.0, 2.0), (-200.0, 0.25), (0.0, -1.5)] {
            for (gap, deep) in [(11.7, 10.0), (11.7, 2.3), (29.3, 4.9), (41.9, 30.0)] {
                let (from, border) = (100.0 - BODY.half.x - gap, 100.0 - BODY.half.x - deep);
                let ground = Ground::none(hz).solid(&wall).tune("rest_spacing", 0.0).zone_with(
                    "zone",
                    (border, -900.0),
                    (200.0, 900.0),
                    |zone| zone.gravity_scale = scale,
                );
                let mut play = ground.at(from, 0.0).moving(360.0, up).play();
                play.hold(Action::Right);
                play.run(0.2);
                let (before, inside) = ((gap - deep) / 360.0, deep / 360.0);
                let there = up - GRAVITY * before;
                let risen = up * before - 0.5 * GRAVITY * before * before;
                assert_eq!(play.hero().mode, "wall");
                // A zone acts from a nanosecond past its border on. The fall is slower than the fastest.
                near(play.hero().pos.y, risen + there * inside - 0.5 * scale * GRAVITY * inside * inside, 2e-6);
            }
        }
    }
}

#[test]
fn a_held_jump_rises_along_a_steep_slope_with_the_speed_of_the_jump() {
    let (run, jump, gap) = (360.0, 540.0, 2.0);
    for hz in RATES {
        for degrees in [58.0_f64, 60.0, 66.0, 75.0] {
            for side in [1.0, -1.0] {
                let (sin, cos) = degrees.to_radians().sin_cos();
                let normal = dvec2(-sin, cos);
                // A point of the slope whose line is `gap` away from the body, which begins at x = 0.
                let foot = dvec2(0.0, TALL) - normal * (gap + (BODY.half * normal).length());
                let [low, high] = [-400.0, 4000.0].map(|far| foot + dvec2(cos, sin) * far);
                let slope = [(low.x, low.y), (high.x, low.y), (high.x, high.y)].map(|(x, y)| (x * side, y));
                let mut play = runner(hz, run)
                    .solid(&slope)
                    .solid(&[(-900.0, -50.0), (900.0, -50.0), (900.0, 0.0), (-900.0, 0.0)])
                    .moving(run * side, 0.0)
                    .play();
                play.hold(Action::Jump).hold(if side > 0.0 { Action::Right } else { Action::Left });
                // It comes to the slope, which then lets it move across no faster than along its face.
                let meets = gap / (run * sin - jump * cos);
                while now(&play) + play.dt() < 0.278 {
                    let hero = play.tick();
                    let seconds = now(&play);
                    let along = run * seconds.min(meets) + jump * cos / sin * (seconds - meets).max(0.0);
                    near(hero.pos.y, TALL + jump * seconds, 1e-4);
                    near(hero.pos.x * side, along, 1e-4);
                }
            }
        }
    }
}

#[test]
fn a_runner_gets_over_a_crest_in_the_time_that_its_way_takes() {
    for hz in RATES {
        for degrees in [15.0_f64, 30.0, 44.0] {
            for speed in [360.0, 650.0] {
                for before in [20.0, 23.3, 26.1] {
                    let center = |angle: f64| {
                        let normal = dvec2(-angle.sin(), angle.cos());
                        BODY.half * BODY.half * normal / (BODY.half * normal).length()
                    };
                    let slope = degrees.to_radians();
                    // The center goes around the crest on the arc of an ellipse.
                    let places: Vec<_> = (0..=2000).map(|i| center(slope * (1.0 - f64::from(i) / 2000.0))).collect();
                    let arc: f64 = places.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
                    let from = center(slope) - dvec2(slope.cos(), slope.sin()) * before;
                    let hill = [(-900.0, -900.0 * slope.tan()), (900.0, -900.0), (900.0, 0.0), (0.0, 0.0)];
                    let mut play = runner(hz, speed).solid(&hill).at(from.x, from.y).play();
                    play.hold(Action::Right);
                    play.run(0.2);
                    near(play.hero().pos.y, TALL, 1e-6);
                    near(play.hero().pos.x, speed * now(&play) - before - arc, 0.02);
                }
            }
        }
    }
}

#[test]
fn a_body_that_lets_go_of_a_moving_wall_takes_its_speed_along_from_the_first_moment() {
    let wall = [(15.0, -900.0), (90.0, -900.0), (90.0, 900.0), (15.0, 900.0)];
    for hz in RATES {
        for lifted in [168.0, -240.0, 60.0] {
            let ground = Ground::none(hz).platform(&wall, &[(0.0, 0.0), (0.0, lifted * 10.0)], f64::abs(lifted));
            let mut play = ground.tune("rest_spacing", 0.0).at(0.0, 0.0).moving(300.0, 0.0).play();
            play.hold(Action::Right);
            play.run(0.3);
            assert_eq!(play.hero().mode, "wall");
            let (from, began) = (play.hero().pos.y, now(&play));
            play.release(Action::Right).hold(Action::Down);
            while now(&play) - began < 0.15 {
                let hero = play.tick();
                let seconds = now(&play) - began;
                near(hero.pos.y - from, lifted * drifted(seconds) - fallen(seconds), 1e-6);
            }
        }
    }
}
