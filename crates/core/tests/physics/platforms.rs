//! One-way platforms, and platforms that move.

use crate::{
    common::{RATES, near},
    ground::{BODY, Ground},
};
use hangtime_core::{
    geometry::polygon,
    level::{Solid, SurfaceId},
    models::Action,
};

#[test]
fn one_way_platforms_are_solid_from_above_only() {
    for hz in RATES {
        let ground = Ground::floor(hz).one_way(&[(-60.0, 100.0), (60.0, 100.0)]);
        let mut play = ground.play();
        play.run(0.1);
        play.hold(Action::Jump);
        let mut last = play.hero();
        for hero in play.run(1.2) {
            // Going up changes nothing: a full jump keeps its speed.
            if hero.vel.y > 0.0 && last.vel.y > 0.0 {
                let lost = (last.vel.y - hero.vel.y) * f64::from(hz);
                assert!(lost < 3672.0 + 1e-6, "it was slowed by {lost} px/s² at {}", hero.pos);
            }
            // No tick moves it by more than its speed.
            let moved = (hero.pos.y - last.pos.y).abs() * f64::from(hz);
            assert!(moved < 700.0 + 1e-6, "a pop of {moved} px/s at {}", hero.pos);
            last = hero;
        }
        near(last.pos.y, 119.0, 1e-9);
        assert!(last.grounded);
    }
}

#[test]
fn down_drops_through_one_way_platforms_and_their_slopes_are_walkable() {
    for hz in RATES {
        for rise in [-40.0, 0.0, 40.0] {
            let ground = Ground::floor(hz).one_way(&[(100.0, 100.0 + rise), (-100.0, 100.0 - rise)]).at(0.0, 125.0);
            let mut play = ground.play();
            let steep = f64::atan2(rise, 100.0);
            let reach = f64::hypot(10.0 * steep.sin(), 19.0 * steep.cos());
            let height = 100.0 + reach / steep.cos();
            let rested = play.run(0.3).pop().expect("ticks");
            near(rested.pos.y, height + rested.pos.x * steep.tan(), 1e-6);
            assert!(rested.grounded);
            play.hold(Action::Right);
            let walked = play.run(0.1).pop().expect("ticks");
            assert!(walked.grounded && walked.pos.x > 20.0);
            near(walked.pos.y, height + walked.pos.x * steep.tan(), 1e-6);
            play.release(Action::Right).hold(Action::Down);
            play.run(0.1);
            play.release(Action::Down);
            let fallen = play.run(0.6).pop().expect("ticks");
            near(fallen.pos.y, 19.0, 1e-9);
        }
    }
}

#[test]
fn a_runner_follows_a_curved_one_way_platform() {
    for hz in RATES {
        let curve: Vec<(f64, f64)> = (-20..=20)
            .map(|i| (f64::from(i) * 20.0, 100.0 + 40.0 * (f64::from(i) * 0.15).sin()))
            .collect();
        let mut play = Ground::none(hz).one_way(&curve).at(-300.0, 200.0).play();
        play.run(0.5);
        assert!(play.hero().grounded);
        play.hold(Action::Right);
        while play.hero().pos.x < 300.0 {
            let hero = play.tick();
            assert!(hero.grounded, "it left the curve at {}", hero.pos);
        }
    }
}

#[test]
fn a_body_stands_in_the_corner_of_a_one_way_platform_and_a_wall() {
    for hz in RATES {
        let ground = Ground::floor(hz)
            .solid(&[(50.0, 0.0), (80.0, 0.0), (80.0, 300.0), (50.0, 300.0)])
            .one_way(&[(-50.0, 100.0), (50.0, 100.0)])
            .at(0.0, 130.0);
        let mut play = ground.play();
        play.run(0.3);
        play.hold(Action::Right);
        let heroes = play.run(0.5);
        let last = heroes.last().expect("ticks");
        near(last.pos.x, 40.0, 1e-5);
        near(last.pos.y, 119.0, 1e-9);
        assert!(heroes.iter().all(|h| h.grounded));
    }
}

#[test]
fn passing_the_end_of_a_one_way_platform_changes_no_velocity() {
    for hz in RATES {
        // The end of the platform passes at half the body's height.
        let ground = Ground::none(hz).one_way(&[(0.0, 0.0), (100.0, 0.0)]);
        let mut play = ground.at(-60.0, 0.0).moving(300.0, 0.0).play();
        for hero in play.run(0.1) {
            assert_eq!(hero.vel.x, 300.0);
        }
    }
}

#[test]
fn riders_are_carried_over_slopes_and_round_turns() {
    let slope = [(-80.0, 0.0), (80.0, 0.0), (80.0, 60.0), (-80.0, 20.0)];
    for hz in RATES {
        for (way, speed) in [
            (&[(0.0, 0.0), (200.0, 0.0)], 150.0),
            (&[(0.0, 0.0), (0.0, 120.0)], 60.0),
            (&[(0.0, 0.0), (90.0, 160.0)], 300.0),
        ] {
            let mut play = Ground::none(hz).platform(&slope, way, speed).at(0.0, 70.0).play();
            play.run(0.3);
            let path = hangtime_core::level::Path::new(
                way.iter().map(|p| glam::dvec2(p.0, p.1)).collect(),
                speed,
                hangtime_core::level::PathEnd::PingPong,
            );
            let offset = |tick: u64| path.offset(path.speed() * (tick as f64 / f64::from(hz)));
            let start = play.hero().pos - offset(play.world.ticks());
            for _ in 0..5 * hz {
                let hero = play.tick();
                assert!(hero.grounded, "it fell off at {}", hero.pos);
                let place = hero.pos - offset(play.world.ticks());
                assert!(place.distance(start) < 1e-6, "it slid from {start} to {place}");
            }
        }
    }
}

#[test]
fn a_jump_off_a_platform_keeps_its_velocity_for_a_while() {
    for hz in RATES {
        let top = [(-400.0, -20.0), (400.0, -20.0), (400.0, 0.0), (-400.0, 0.0)];
        let ground = Ground::none(hz).platform(&top, &[(0.0, 0.0), (4000.0, 0.0)], 200.0);
        let mut play = ground.play();
        play.run(0.5);
        play.hold(Action::Jump);
        play.tick();
        near(play.hero().external.x, 200.0 * (-4.0 / f64::from(hz)).exp(), 1e-9);
        // It lands slightly behind: its extra velocity decays at 4 per second.
        play.run(0.9);
        assert!(play.hero().grounded);
        // The platform carries it again.
        near(play.hero().external.x, 0.0, 1e-9);
    }
}

#[test]
fn platforms_push_bodies_and_crush_them_when_there_is_no_room() {
    let ram = [(-40.0, 2.0), (0.0, 2.0), (0.0, 60.0), (-40.0, 60.0)];
    for hz in RATES {
        for speed in [60.0, 600.0, 6000.0] {
            let open = Ground::floor(hz).platform(&ram, &[(-100.0, 0.0), (300.0, 0.0)], speed);
            let mut play = open.play();
            let seconds = 400.0 / speed + 2.0 / f64::from(hz);
            let mut most: f64 = 0.0;
            for hero in play.run(seconds) {
                most = most.max(hero.pos.x);
            }
            assert!(most > 300.0 + 10.0 - 1e-3 - speed / f64::from(hz), "pushed to {most}");
            assert_eq!(play.told("crush"), 0);
        }
        let wall = [(60.0, 0.0), (90.0, 0.0), (90.0, 200.0), (60.0, 200.0)];
        let closed = Ground::floor(hz).solid(&wall).platform(&ram, &[(-100.0, 0.0), (60.0, 0.0)], 100.0);
        let mut play = closed.play();
        play.run(1.5);
        assert_eq!(play.told("crush"), 1);
        assert!(play.hero().pos.is_finite());
    }
}

#[test]
fn a_one_way_platform_that_rises_past_a_falling_body_catches_it() {
    for hz in RATES {
        let line = polygon::one_way(&[glam::dvec2(-50.0, 0.0), glam::dvec2(50.0, 0.0)]).expect("a line");
        let lift = Solid::one_way("lift".into(), SurfaceId(0), line);
        let ground = Ground::none(hz).moving_solid(lift, &[(0.0, -400.0), (0.0, 400.0)], 900.0);
        let mut play = ground.at(0.0, 60.0).play();
        play.run(0.8);
        assert!(play.hero().grounded);
        let top = -400.0 + 900.0 * play.world.ticks() as f64 / f64::from(hz);
        near(play.hero().pos.y, top + BODY.half.y, 1e-6);
    }
}

#[test]
fn a_body_that_grabs_a_moving_platform_moves_with_it() {
    let block = [(-40.0, -400.0), (0.0, -400.0), (0.0, 400.0), (-40.0, 400.0)];
    for hz in RATES {
        let way = [(-30.0, 0.0), (-30.0, 90.0), (-230.0, 40.0)];
        let ground = Ground::none(hz).platform(&block, &way, 120.0).at(-18.0, 0.0);
        let mut play = ground.play();
        play.hold(Action::Left);
        play.run(0.1);
        play.release(Action::Left);
        play.run(0.1);
        let path = hangtime_core::level::Path::new(
            way.iter().map(|p| glam::dvec2(p.0, p.1)).collect(),
            120.0,
            hangtime_core::level::PathEnd::PingPong,
        );
        let offset = |tick: u64| path.offset(path.speed() * (tick as f64 / f64::from(hz)));
        let start = play.hero().pos - offset(play.world.ticks());
        for _ in 0..6 * hz {
            let hero = play.tick();
            assert_eq!(hero.mode, "wall", "at {} Hz, {}", hz, hero.pos);
            let place = hero.pos - offset(play.world.ticks());
            assert!(place.distance(start) < 1e-6, "it slid from {start} to {place}");
        }
        assert_eq!(play.told("drop"), 0);
    }
}
