//! A vessel that turns while it thrusts flies one path at every tick rate.

use crate::{common::near, ground::Ground};
use glam::DVec2;
use hangtime_core::models::{Action, BodyShape, ModelName};

/// Gravity of a stage without its own, px/s².
const GRAVITY: f64 = 3672.0;
const THRUST: f64 = 6000.0;
const TURN: f64 = 20.0;

/// The rates of the sweep. 37 and 144 neither divide the others nor are multiples of them.
const ODD_RATES: [u32; 6] = [30, 37, 60, 120, 144, 240];

/// Where a vessel is that thrusts for `seconds` and turns by `turn` rad/s², and its velocity: the
/// equations of motion in a hundred thousand steps.
fn flown(seconds: f64, angle: f64, velocity: DVec2, turn: f64) -> (DVec2, DVec2) {
    const STEPS: u32 = 100_000;
    let dt = seconds / f64::from(STEPS);
    let (mut pos, mut vel) = (DVec2::ZERO, velocity);
    for i in 0..STEPS {
        let t = (f64::from(i) + 0.5) * dt;
        let up = DVec2::from_angle(angle + 0.5 * turn * t * t).perp();
        let accel = up * THRUST - DVec2::new(0.0, GRAVITY);
        pos += vel * dt + accel * (0.5 * dt * dt);
        vel += accel * dt;
    }
    (pos, vel)
}

fn free(hz: u32) -> Ground {
    Ground::none(hz)
        .model(ModelName::vessel)
        .figure(BodyShape::of_box(24.0, 16.0))
        .at(0.0, 0.0)
}

#[test]
fn a_vessel_that_turns_while_it_thrusts_flies_one_path_at_every_rate() {
    for hz in ODD_RATES {
        for (key, turn) in [(Action::Left, TURN), (Action::Right, -TURN)] {
            for (angle, velocity) in
                [(0.0, DVec2::ZERO), (1.2, DVec2::new(300.0, 0.0)), (-2.5, DVec2::new(-80.0, 500.0))]
            {
                let mut ground = free(hz).moving(velocity.x, velocity.y);
                ground.angle = angle;
                let mut play = ground.play();
                let run = play.hold(Action::Up).hold(key).run(1.0);
                let now = run.last().expect("ticks");
                let (pos, vel) = flown(1.0, angle, velocity, turn);
                // The error of Simpson's rule for an arc is its fourth power over 2880; in the last
                // tick, which turns the farthest, a tick turns by `TURN·dt`.
                let arc = TURN / f64::from(hz);
                let off = 1e-3 + THRUST * arc.powi(4) / 2880.0;
                assert!(now.pos.distance(pos) <= off, "{hz} Hz: {} {pos}", now.pos);
                assert!(now.vel.distance(vel) <= off, "{hz} Hz: {} {vel}", now.vel);
                near(now.angle, angle + 0.5 * turn, 1e-9);
            }
        }
    }
}

#[test]
fn thrust_without_turning_stays_on_the_parabola() {
    for hz in ODD_RATES {
        for angle in [0.0_f64, 0.7, -2.0] {
            let mut ground = free(hz).moving(120.0, 40.0);
            ground.angle = angle;
            let mut play = ground.play();
            let accel = DVec2::from_angle(angle).perp() * THRUST - DVec2::new(0.0, GRAVITY);
            for (tick, now) in play.hold(Action::Up).run(1.0).iter().enumerate() {
                let t = (tick + 1) as f64 / f64::from(hz);
                let expected = DVec2::new(120.0, 40.0) * t + accel * (0.5 * t * t);
                near(now.pos.distance(expected), 0.0, 1e-6);
            }
        }
    }
}
