//! The vessel: free flight, impulses, feet, bounces and rest, computed from the formulas.

use crate::{
    common::{RATES, near},
    ground::{Ground, Play},
};
use glam::{DVec2, dvec2};
use hangtime_core::models::{
    Action, BodyShape, ModelName, Piece,
    vessel::{Foot, SpringStep},
};

/// A vessel over a floor at y = 0.
fn vessel(hz: u32) -> Ground {
    Ground::floor(hz).model(ModelName::vessel).figure(BodyShape::of_box(24.0, 16.0))
}

/// A vessel without gravity, friction or rest: only impulses act.
fn bare(hz: u32) -> Ground {
    vessel(hz).gravity(0.0).tune("friction", 0.0).tune("rest_rebound_speed", 0.0)
}

fn piece(points: &[(f64, f64)], foot: bool) -> Piece {
    Piece { points: points.iter().map(|p| DVec2::from(*p)).collect(), foot }
}

/// A hull with two thin legs that end at (±1, −1).
fn legs(count: usize) -> BodyShape {
    let hull = piece(&[(-1.5, -0.2), (1.5, -0.2), (1.5, 0.5), (-1.5, 0.5)], false);
    let leg = |x: f64| {
        let (left, right) = (x - 0.1, x + 0.1);
        piece(&[(left, -1.0), (right, -1.0), (right, 0.0), (left, 0.0)], false)
    };
    let mut pieces = vec![hull, leg(1.0)];
    if count == 2 {
        pieces.push(leg(-1.0));
    }
    BodyShape::of_pieces(pieces, DVec2::ZERO)
}

/// Runs until it hits something; returns the vessel after that tick.
fn hit(play: &mut Play) -> hangtime_core::sim::EntityView {
    for _ in 0..10_000 {
        let now = play.tick();
        if play.told("hit") > 0 {
            return now;
        }
    }
    panic!("nothing was hit");
}

#[test]
fn free_flight_is_a_parabola_at_every_rate() {
    for hz in RATES {
        for gravity in [300.0, 3672.0] {
            let (from, thrown) = (dvec2(0.0, 9000.0), dvec2(310.0, 420.0));
            let ground = vessel(hz).gravity(gravity).at(from.x, from.y);
            let mut play = ground.moving(thrown.x, thrown.y).play();
            for tick in 1..=2 * hz {
                let now = play.tick();
                let t = f64::from(tick) / f64::from(hz);
                let expected = from + thrown * t - dvec2(0.0, 0.5 * gravity * t * t);
                near(now.pos.x, expected.x, 1e-6);
                near(now.pos.y, expected.y, 1e-6);
            }
        }
    }
}

#[test]
fn thrust_acts_along_the_vessels_up_axis_and_keys_turn_it() {
    for hz in RATES {
        let mut play = vessel(hz).at(0.0, 5000.0).gravity(0.0).play();
        play.hold(Action::Left);
        let turned = play.run(0.5).pop().expect("ticks");
        // 20 rad/s² for half a second.
        near(turned.spin, 10.0, 1e-9);
        near(turned.angle, 0.5 * 20.0 * 0.25, 1e-9);
        let mut tilted = vessel(hz).at(0.0, 5000.0).gravity(0.0);
        tilted.angle = 0.7;
        let mut play = tilted.play();
        play.hold(Action::Up);
        let pushed = play.run(0.5).pop().expect("ticks");
        // 6000 px/s² for half a second along the body's up axis.
        near(pushed.vel.x, -3000.0 * 0.7_f64.sin(), 1e-6);
        near(pushed.vel.y, 3000.0 * 0.7_f64.cos(), 1e-6);
    }
}

#[test]
fn a_flat_hit_leaves_at_the_rebound_speed() {
    for hz in RATES {
        for rebound in [1.0, 1.2, 1.5, 2.0] {
            let ground = bare(hz).tune("rebound", rebound).at(0.0, 20.0);
            let after = hit(&mut ground.moving(0.0, -10.0).play());
            near(after.vel.y, 10.0 * (rebound - 1.0), 1e-9);
            near(after.spin, 0.0, 1e-9);
        }
    }
}

#[test]
fn an_off_center_hit_turns_it() {
    for hz in RATES {
        for ratio in [0.05, 0.2, 0.7] {
            let ground = bare(hz).figure(legs(1)).tune("inertia_ratio", ratio);
            let after = hit(&mut ground.at(0.0, 3.0).moving(0.0, -10.0).play());
            // r = (1, −1), n = (0, 1): s = 1 + ratio, an impulse of 12/s turns by ratio times itself.
            let impulse = 12.0 / (1.0 + ratio);
            near(after.vel.x, 0.0, 1e-9);
            near(after.vel.y, -10.0 + impulse, 1e-9);
            near(after.spin, ratio * impulse, 1e-9);
        }
    }
}

#[test]
fn two_simultaneous_feet_rebound_once_or_overreact() {
    for hz in RATES {
        for (solver, expected) in [("sequential", 2.0), ("simultaneous", 10.0)] {
            let ground = bare(hz).figure(legs(2)).tune("inertia_ratio", 0.2);
            let ground = ground.tune_word("solver", solver).at(0.0, 3.0);
            let after = hit(&mut ground.moving(0.0, -10.0).play());
            near(after.vel.y, expected, 1e-9);
            near(after.spin, 0.0, 1e-9);
        }
    }
}

#[test]
fn an_elastic_drop_returns_to_its_height() {
    for hz in [30, 60, 120] {
        for (gravity, height) in [(3672.0, 200.0), (900.0, 150.0), (300.0, 80.0)] {
            let ground = vessel(hz).gravity(gravity).tune("rebound", 2.0);
            let ground = ground.tune("friction", 0.0).tune("rest_rebound_speed", 0.0);
            let mut play = ground.at(0.0, 8.0 + height).play();
            let (mut bounces, mut last, mut highest) = (0, -1.0, 0.0_f64);
            while bounces < 11 {
                let now = play.tick();
                if last < 0.0 && now.vel.y > 0.0 {
                    if bounces > 0 {
                        near(highest / height, 1.0, 1e-3);
                    }
                    bounces += 1;
                    highest = 0.0;
                }
                // The top of its parabola.
                let top = now.pos.y - 8.0 + now.vel.y * now.vel.y / (2.0 * gravity);
                highest = highest.max(top);
                last = now.vel.y;
            }
        }
    }
}

#[test]
fn a_foot_follows_its_springs_oscillation() {
    let (k, c) = (16.0_f64, 3.1_f64);
    let w = (k - 0.25 * c * c).sqrt();
    for hz in RATES {
        let dt = 1.0 / f64::from(hz);
        let swing = SpringStep::new(k, c, dt);
        let mut foot = Foot { pos: 1.0, ..Foot::default() };
        let (mut zero, mut lowest) = (None, 0.0_f64);
        for tick in 1..=3 * hz {
            let before = foot.pos;
            foot.spring(&swing);
            let t = f64::from(tick) * dt;
            let exact = (-0.5 * c * t).exp() * ((w * t).cos() + 0.5 * c / w * (w * t).sin());
            near(foot.pos, exact, 1e-12);
            if before > 0.0 && foot.pos <= 0.0 && zero.is_none() {
                zero = Some(t - dt * foot.pos / (foot.pos - before));
            }
            lowest = lowest.min(foot.pos);
        }
        // tan(w·t) = −2w/c, and half a period after the start the rate is 0 again.
        let expected = ((-2.0 * w / c).atan() + std::f64::consts::PI) / w;
        near(zero.expect("it swings through"), expected, 2e-3);
        near(expected, 0.534, 5e-4);
        let under = -(-0.5 * c * std::f64::consts::PI / w).exp();
        near(lowest, under, 2e-3);
        near(under, -0.267, 5e-4);
    }
}

/// A floor that rises to the right by `degrees`, through the origin.
fn slope(hz: u32, degrees: f64) -> Ground {
    let (cos, sin) = (degrees.to_radians().cos(), degrees.to_radians().sin());
    let at = |x: f64, y: f64| (x * cos - y * sin, x * sin + y * cos);
    Ground::none(hz).model(ModelName::vessel).figure(BodyShape::of_box(24.0, 16.0)).solid(&[
        at(-3000.0, -200.0),
        at(3000.0, -200.0),
        at(3000.0, 0.0),
        at(-3000.0, 0.0),
    ])
}

#[test]
fn a_vessel_at_rest_stays_on_slopes_that_friction_holds() {
    for hz in RATES {
        for cap in [0.3_f64, 0.8, 1.0] {
            let steepest = cap.atan().to_degrees() - 2.0;
            for share in [0.0, 0.3, 0.7, 1.0, -1.0] {
                let degrees = steepest * share;
                let ground = slope(hz, degrees).tune("friction_cap", cap);
                let normal = DVec2::from_angle((degrees + 90.0).to_radians());
                let at = normal * 8.0;
                let mut start = ground.at(at.x, at.y);
                start.angle = degrees.to_radians();
                let mut play = start.play();
                let now = play.run(5.0).pop().expect("ticks");
                assert!(now.pos.distance(at) < 0.05, "{hz} Hz, {degrees}°: {:?} {:?}", now.pos, at);
                assert_eq!((now.vel, now.spin), (DVec2::ZERO, 0.0), "{hz} Hz, {degrees}°");
            }
        }
    }
}

#[test]
fn a_box_slides_down_slopes_that_friction_does_not_hold() {
    for hz in RATES {
        let (degrees, cap) = (40.0_f64, 0.4);
        let ground = slope(hz, degrees).tune("friction_cap", cap).gravity(600.0);
        let normal = DVec2::from_angle((degrees + 90.0).to_radians());
        let at = normal * 8.0;
        let mut start = ground.at(at.x, at.y);
        start.angle = degrees.to_radians();
        let now = start.play().run(1.0).pop().expect("ticks");
        let theta = degrees.to_radians();
        let accel = 600.0 * (theta.sin() - cap * theta.cos());
        near(now.vel.length() / accel, 1.0, 0.01);
        near(now.pos.distance(at) / (0.5 * accel), 1.0, 0.01);
    }
}

/// The least distance of the vessel's corners from the line through the origin with this normal, px.
fn before(view: &hangtime_core::sim::EntityView, normal: DVec2) -> f64 {
    let pieces = view.pieces.as_ref().expect("a vessel has pieces");
    let turn = DVec2::from_angle(view.angle);
    let corners = pieces.iter().flat_map(|p| &p.points);
    corners.map(|p| (view.pos + turn.rotate(*p)).dot(normal)).fold(f64::INFINITY, f64::min)
}

#[test]
fn a_vessel_rides_moving_platforms() {
    for hz in RATES {
        for (way, speed) in [((200.0, 0.0), 60.0), ((0.0, 150.0), 60.0), ((120.0, 90.0), 80.0)] {
            let deck = [(-80.0, -20.0), (80.0, -20.0), (80.0, 0.0), (-80.0, 0.0)];
            let ground = Ground::none(hz).model(ModelName::vessel).figure(BodyShape::of_box(24.0, 16.0)).platform(
                &deck,
                &[(0.0, 0.0), way],
                speed,
            );
            let mut play = ground.at(0.0, 8.0).play();
            // It accelerates with the deck, then keeps its place on it.
            let seconds = 1.0;
            play.run(seconds);
            let going = DVec2::from(way).normalize() * speed;
            let started = play.hero().pos - going * seconds;
            for tick in 1..=hz / 2 {
                let now = play.tick();
                let deck_at = going * (seconds + f64::from(tick) / f64::from(hz));
                near(now.pos.x - deck_at.x, started.x, 0.2);
                near(now.pos.y - deck_at.y, 8.0, 0.06);
                assert!(now.grounded, "{hz} Hz: it stands on the deck");
            }
        }
    }
}

#[test]
fn a_fast_platform_pushes_a_vessel_and_never_passes_it() {
    for hz in RATES {
        for speed in [100.0, 600.0, 3000.0, 6000.0] {
            let ram = [(-400.0, -60.0), (-300.0, -60.0), (-300.0, 60.0), (-400.0, 60.0)];
            let ground = Ground::none(hz)
                .model(ModelName::vessel)
                .figure(BodyShape::of_box(24.0, 16.0))
                .gravity(0.0)
                .platform(&ram, &[(0.0, 0.0), (3000.0, 0.0)], speed);
            let mut play = ground.at(0.0, 0.0).play();
            for tick in 1..=hz {
                let now = play.tick();
                let at = (speed * f64::from(tick) / f64::from(hz)).min(3000.0);
                let wall = -300.0 + at;
                assert!(now.pos.x >= wall + 8.0 - 0.1, "{hz} Hz, {speed} px/s: {} is behind {wall}", now.pos.x);
            }
        }
    }
}

#[test]
fn a_vessel_comes_to_rest_in_a_v_shaped_gap() {
    for hz in RATES {
        for half in [20.0_f64, 35.0, 45.0, 60.0, 75.0] {
            let (sin, cos) = (half.to_radians().sin(), half.to_radians().cos());
            // Two walls that rise from the origin at this angle from vertical.
            let (x, y) = (600.0 * sin, 600.0 * cos);
            let left = [(0.0, 0.0), (-x, y), (-x - 50.0, y), (-x - 50.0, -60.0), (0.0, -60.0)];
            let right = [(0.0, 0.0), (0.0, -60.0), (x + 50.0, -60.0), (x + 50.0, y), (x, y)];
            let ground = Ground::none(hz)
                .model(ModelName::vessel)
                .figure(BodyShape::of_box(24.0, 16.0))
                .solid(&left)
                .solid(&right);
            let mut start = ground.at(3.0, 12.0 / sin * 1.2 + 40.0);
            start.angle = 0.4;
            let mut play = start.play();
            let all = play.run(8.0);
            let last = &all[all.len() - 1];
            assert_eq!((last.vel, last.spin), (DVec2::ZERO, 0.0), "{hz} Hz, {half}°");
            for now in &all {
                for normal in [DVec2::new(cos, sin), DVec2::new(-cos, sin)] {
                    let gap = before(now, normal);
                    assert!(gap > -1.0, "{hz} Hz, {half}°: {gap} px at {}", now.pos);
                }
            }
        }
    }
}

#[test]
fn a_wedge_of_tiles_behaves_like_one_floor() {
    // Seams between tiles neither stop nor throw a sliding vessel.
    for hz in RATES {
        let mut ground = Ground::none(hz)
            .model(ModelName::vessel)
            .figure(BodyShape::of_box(24.0, 16.0))
            .tune("friction", 0.0);
        for i in -5..200 {
            let x = f64::from(i) * 16.0;
            ground = ground.solid(&[(x, -16.0), (x + 16.0, -16.0), (x + 16.0, 0.0), (x, 0.0)]);
        }
        let mut play = ground.at(0.0, 8.0).moving(300.0, 0.0).play();
        for _ in 0..5 * hz {
            let now = play.tick();
            near(now.vel.x, 300.0, 1e-6);
            near(now.pos.y, 8.0, 1e-6);
            near(now.angle, 0.0, 1e-9);
        }
    }
}

#[test]
fn splitting_the_tick_at_the_hit_makes_the_bounce_exact() {
    // A tilted box hits with one side first; splitting the tick finds that moment.
    for hz in [30, 60] {
        let fall = |steps: f64, hz: u32| {
            let ground = vessel(hz).gravity(900.0).tune("impact_steps", steps);
            let mut start = ground.tune("friction", 0.0).at(0.0, 120.0);
            start.angle = 0.3;
            hit(&mut start.play())
        };
        let exact = fall(2.0, 240 * 4);
        let error = |steps: f64| (fall(steps, hz).spin - exact.spin).abs();
        assert!(error(2.0) < error(0.0), "{hz} Hz: {} {}", error(2.0), error(0.0));
        assert!(error(2.0) < 0.01 * exact.spin.abs(), "{hz} Hz: {}", error(2.0));
    }
}

#[test]
fn a_resting_vessel_wakes_and_moves() {
    for hz in RATES {
        let mut play = vessel(hz).at(0.0, 8.0).play();
        let rested = play.run(2.0).pop().expect("ticks");
        assert_eq!(rested.vel, DVec2::ZERO);
        play.hold(Action::Up);
        let up = play.run(0.2).pop().expect("ticks");
        // Thrust minus gravity.
        near(up.vel.y, (6000.0 - 3672.0) * 0.2, 1e-6 + 6000.0 / f64::from(hz));
        play.release(Action::Up);
    }
}

#[test]
fn a_compressed_foot_emits_hit_once() {
    for hz in RATES {
        let hull = piece(&[(-14.0, -6.0), (14.0, -6.0), (14.0, 10.0), (-14.0, 10.0)], false);
        let left = piece(&[(-16.0, -14.0), (-8.0, -14.0), (-8.0, -6.0), (-14.0, -6.0)], true);
        let right = piece(&[(8.0, -14.0), (16.0, -14.0), (14.0, -6.0), (8.0, -6.0)], true);
        let figure = BodyShape::of_pieces(vec![hull, left, right], DVec2::ZERO);
        let ground = vessel(hz).figure(figure).gravity(300.0).tune("rebound", 1.0);
        let mut play = ground.at(0.0, 30.0).moving(0.0, -60.0).play();
        play.run(2.0);
        assert_eq!(play.told("hit"), 1, "{hz} Hz");
        assert_eq!(play.told("land"), 1, "{hz} Hz");
    }
}
