//! What bodies meet in rooms within a tick – walls, corners, platforms, borders – acts from that moment on, at every
//! tick rate.

use crate::{
    common::near,
    ground::{BODY, Ground, Play},
};
use glam::{DVec2, dvec2};
use hangtime_core::{
    geometry::Collider,
    level::SurfaceId,
    models::{Action, ModelName},
};

/// Common tick rates.
const RATES: [u32; 6] = [30, 50, 60, 120, 144, 240];

/// The default gravity, px/s², and what keys add in the air.
const GRAVITY: f64 = 3672.0;
const AIR_ACCEL: f64 = 2000.0;

/// How fast a body on the ground brakes, px/s².
const BRAKES: f64 = 4000.0;

/// Half the body's height, px.
const TALL: f64 = BODY.half.y;

fn now(play: &Play) -> f64 {
    play.world.ticks() as f64 * play.dt()
}

/// A box from its lower left to its upper right corner.
fn block((x, y): (f64, f64), (right, top): (f64, f64)) -> [(f64, f64); 4] {
    [(x, y), (right, y), (right, top), (x, top)]
}

/// A world in which bodies stay where they have come to a stop.
fn space(hz: u32) -> Ground {
    Ground::none(hz).tune("rest_spacing", 0.0)
}

/// The same with a floor at y = 0.
fn floor(hz: u32) -> Ground {
    Ground::floor(hz).tune("rest_spacing", 0.0)
}

/// A hero that runs at one speed.
fn runner(ground: Ground, speed: f64) -> Ground {
    ground.tune("run_speed_min", speed).tune("run_speed_max", speed)
}

#[test]
fn a_body_that_bumps_into_a_wall_is_turned_back_by_its_key_at_once() {
    for hz in RATES {
        for gap in [5.0, 13.3, 21.0] {
            let wall = block((gap + 10.0, -900.0), (gap + 90.0, 900.0));
            let mut play = space(hz).gravity(0.0).solid(&wall).at(0.0, 0.0).moving(400.0, 0.0).play();
            play.hold(Action::Left);
            // The key takes speed away before and after the bump.
            let bump = (400.0 - f64::sqrt(400.0 * 400.0 - 2.0 * AIR_ACCEL * gap)) / AIR_ACCEL;
            while now(&play) < 0.15 {
                let hero = play.tick();
                let seconds = now(&play);
                let x = if seconds < bump {
                    400.0 * seconds - 0.5 * AIR_ACCEL * seconds * seconds
                } else {
                    gap - 0.5 * AIR_ACCEL * (seconds - bump) * (seconds - bump)
                };
                near(hero.pos.x, x, 1e-6);
            }
        }
    }
}

#[test]
fn a_runner_that_bumps_into_a_wall_runs_back_at_once() {
    for hz in RATES {
        for gap in [9.0, 17.7, 30.0] {
            let ground = runner(floor(hz), 500.0).solid(&block((gap + 10.0, -50.0), (gap + 90.0, 200.0)));
            let mut play = ground.at(0.0, TALL).moving(500.0, 0.0).play();
            play.hold(Action::Left);
            let bump = (500.0 - f64::sqrt(500.0 * 500.0 - 2.0 * BRAKES * gap)) / BRAKES;
            while now(&play) < 0.15 {
                let hero = play.tick();
                let seconds = now(&play);
                let x = if seconds < bump {
                    500.0 * seconds - 0.5 * BRAKES * seconds * seconds
                } else {
                    gap - 500.0 * (seconds - bump)
                };
                near(hero.pos.x, x, 1e-4);
            }
        }
    }
}

#[test]
fn a_body_that_rises_past_the_end_of_a_wall_moves_over_it_from_there_on() {
    for hz in RATES {
        for top in [70.0, 83.0, 111.0] {
            // The jump keeps its speed. The key toward the wall does not grab it, because the jump began in front of it.
            let ground = floor(hz).solid(&block((10.0, -50.0), (400.0, top))).at(0.0, TALL);
            let mut play = ground.play();
            play.run(0.2);
            let began = now(&play);
            play.hold(Action::Right).hold(Action::Jump);
            let over = (top - TALL) / 540.0;
            while now(&play) - began + play.dt() < 0.278 {
                let hero = play.tick();
                let seconds = now(&play) - began;
                near(hero.pos.y, TALL + 540.0 * seconds, 1e-6);
                // The key adds speed up to the soft limit of 360 px/s.
                let beyond = (seconds - over).max(0.0);
                let gains = beyond.min(360.0 / AIR_ACCEL);
                near(hero.pos.x, 0.5 * AIR_ACCEL * gains * gains + 360.0 * (beyond - gains), 1e-3);
            }
        }
    }
}

#[test]
fn a_body_that_slides_around_a_corner_loses_no_energy_after_the_hit() {
    for hz in RATES {
        for aside in [7.5, 8.5, 9.3] {
            for drop in [10.0, 40.0] {
                // The corner of a post is hit where the surface of the body is steep.
                let post = block((-100.0, -900.0), (-aside, 0.0));
                let ground = space(hz).solid(&post).at(0.0, 300.0).tune("max_fall_speed", 1e5);
                let from = TALL * f64::sqrt(1.0 - (aside / 10.0) * (aside / 10.0)) + drop;
                let mut play = ground.at(0.0, from).play();
                let normal = (dvec2(aside, from - drop) / (BODY.half * BODY.half)).normalize();
                let left = (2.0 * GRAVITY * drop) * normal.x * normal.x;
                let energy = 0.5 * left + GRAVITY * (from - drop);
                let hit = f64::sqrt(2.0 * drop / GRAVITY);
                while now(&play) < hit + 0.15 {
                    let hero = play.tick();
                    if now(&play) > hit {
                        let has = 0.5 * hero.vel.length_squared() + GRAVITY * hero.pos.y;
                        near(has, energy, 2e-3 * (left + GRAVITY * drop));
                    }
                }
            }
        }
    }
}

#[test]
fn a_body_that_grabs_a_moving_wall_goes_along_from_that_moment() {
    for hz in RATES {
        for lifted in [150.0, -240.0] {
            let wall = block((57.0, -300.0), (90.0, 300.0));
            let ground = space(hz)
                .gravity(0.0)
                .platform(&wall, &[(0.0, 0.0), (0.0, lifted * 10.0)], f64::abs(lifted))
                .at(0.0, 0.0)
                .moving(400.0, 0.0);
            let mut play = ground.play();
            play.hold(Action::Right);
            let grabs = 47.0 / 400.0;
            while now(&play) < 0.3 {
                let hero = play.tick();
                near(hero.pos.x, 400.0 * now(&play).min(grabs), 1e-6);
                near(hero.pos.y, lifted * (now(&play) - grabs).max(0.0), 1e-6);
            }
        }
    }
}

#[test]
fn a_platform_that_comes_up_under_a_standing_body_carries_it_at_once() {
    for hz in RATES {
        let (across, up) = (120.0, 90.0);
        let speed = f64::hypot(across, up);
        let ground = space(hz)
            .one_way(&[(-200.0, 0.0), (200.0, 0.0)])
            .platform(&block((-150.0, -40.0), (100.0, -20.0)), &[(0.0, 0.0), (across * 5.0, up * 5.0)], speed)
            .at(0.0, TALL);
        let mut play = ground.play();
        let meets = 20.0 / up;
        while now(&play) < 0.5 {
            let hero = play.tick();
            let carried = (now(&play) - meets).max(0.0);
            near(hero.pos.x, across * carried, 1e-5);
            near(hero.pos.y, TALL + up * carried, 1e-5);
        }
    }
}

#[test]
fn a_runner_falls_off_a_moving_platform_as_off_a_ledge() {
    let steepest = DVec2::splat(0.5_f64.sqrt());
    let brink = BODY.half * BODY.half * steepest / (BODY.half * steepest).length();
    for hz in RATES {
        for drift in [90.0, -190.0] {
            let edge = 60.0;
            let lift = block((-500.0, -20.0), (edge, 0.0));
            let ground = runner(space(hz), 400.0)
                .platform(&lift, &[(0.0, 0.0), (drift * 10.0, 0.0)], f64::abs(drift))
                .at(0.0, TALL)
                .moving(400.0, 0.0);
            let mut play = ground.play();
            play.hold(Action::Right);
            let leaves = (edge + brink.x) / 400.0;
            while now(&play) < leaves + 0.1 {
                let hero = play.tick();
                let fallen = now(&play) - leaves;
                if fallen > 0.0 {
                    near(hero.pos.y, brink.y - 0.5 * GRAVITY * fallen * fallen, 1e-3);
                }
            }
        }
    }
}

#[test]
fn a_body_that_lands_on_a_rising_platform_brakes_from_that_moment() {
    for hz in RATES {
        for up in [60.0, 250.0] {
            let lift = block((-500.0, -20.0), (500.0, 0.0));
            let ground = space(hz).platform(&lift, &[(0.0, 0.0), (0.0, up * 10.0)], up);
            let mut play = ground.at(0.0, TALL + 40.0).moving(300.0, 0.0).play();
            // 40 − ½·g·t² = up·t
            let lands = (f64::sqrt(up * up + 2.0 * GRAVITY * 40.0) - up) / GRAVITY;
            while now(&play) < 0.3 {
                let hero = play.tick();
                let braking = (now(&play) - lands).clamp(0.0, 300.0 / BRAKES);
                let flown = 300.0 * now(&play).min(lands);
                near(hero.pos.x, flown + 300.0 * braking - 0.5 * BRAKES * braking * braking, 1e-4);
            }
        }
    }
}

#[test]
fn a_sliding_body_has_the_grip_of_a_zone_from_its_border_on() {
    for hz in RATES {
        for border in [20.0, 33.3] {
            let mut ground = floor(hz).surface(0.1);
            ground = ground.zone_with("ice", (border, -50.0), (900.0, 300.0), |zone| zone.surface = Some(SurfaceId(1)));
            let mut play = ground.at(0.0, TALL).moving(600.0, 0.0).play();
            let there = (600.0 - f64::sqrt(600.0 * 600.0 - 2.0 * BRAKES * border)) / BRAKES;
            let speed = 600.0 - BRAKES * there;
            while now(&play) < 0.4 {
                let hero = play.tick();
                let seconds = now(&play);
                let x = if seconds < there {
                    600.0 * seconds - 0.5 * BRAKES * seconds * seconds
                } else {
                    let slides = seconds - there;
                    border + speed * slides - 0.5 * 0.1 * BRAKES * slides * slides
                };
                near(hero.pos.x, x, 1e-4);
            }
        }
    }
}

#[test]
fn a_runner_with_a_key_that_is_reached_within_a_tick_flies_by_the_formula() {
    for hz in RATES {
        // The key adds speed up to the soft limit, which is reached in the middle of a tick.
        let from = 360.0 - AIR_ACCEL * 0.041;
        let mut play = floor(hz).at(0.0, TALL + 60.0).moving(from, 0.0).play();
        play.hold(Action::Right);
        let lands = f64::sqrt(2.0 * 60.0 / GRAVITY);
        while now(&play) < lands {
            let hero = play.tick();
            if now(&play) < lands {
                let gains = now(&play).min(0.041);
                near(hero.pos.x, from * gains + 0.5 * AIR_ACCEL * gains * gains + 360.0 * (now(&play) - gains), 1e-6);
            }
        }
    }
}

#[test]
fn a_vessel_bounces_off_a_slope_in_the_same_way_at_every_rate() {
    // These rates divide into the same steps near terrain.
    let ends = [30, 60, 120, 240].map(|hz| {
        let slope = [(130.0, -20.0), (350.0, -20.0), (350.0, 0.0), (130.0, 135.0)];
        let ground = Ground::floor(hz)
            .solid(&slope)
            .model(ModelName::vessel)
            .figure(Collider::ellipse(10.0, 19.0));
        // The share that friction takes of a hit is converted from 60 Hz.
        let mut play = ground.tune("friction", 0.0).at(222.0, 180.0).moving(30.0, -200.0).play();
        play.run(0.6).pop().expect("ticks")
    });
    for end in &ends[..3] {
        near(end.pos.x, ends[3].pos.x, 1e-3);
        near(end.pos.y, ends[3].pos.y, 1e-3);
        near(end.angle, ends[3].angle, 1e-4);
    }
}

#[test]
fn gravity_acts_on_a_standing_body_only_after_its_hook_has_attached() {
    // The rope pulls across, over the floor. Whatever gravity added before would press the body onto the floor.
    let ends = RATES.map(|hz| {
        let wall = block((300.0, -50.0), (340.0, 400.0));
        let mut play = floor(hz).solid(&wall).at(0.0, TALL).play();
        play.run(0.1);
        play.input.aim = Some(dvec2(300.0, 160.0));
        play.hold(Action::Hook);
        // The tip flies at 3000 px/s, and then the rope shortens by 600 px/s.
        let length = f64::hypot(300.0, 160.0 - TALL);
        let began = now(&play);
        play.run(0.2);
        let flown = now(&play) - began;
        let hero = play.hero();
        (length - hero.pos.distance(dvec2(300.0, 160.0)), 600.0 * (flown - length / 3000.0), hero.pos)
    });
    for (shortened, expected, pos) in ends {
        near(shortened, expected, 0.01);
        near(pos.y, ends[5].2.y, 0.3);
    }
}
