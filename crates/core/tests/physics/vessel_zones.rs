//! A vessel that glides or slides feels zones from their border on, at every tick rate.

use crate::{common::near, ground::Ground};
use glam::DVec2;
use hangtime_core::models::{BodyShape, ModelName};

/// Gravity of a stage without its own, px/s².
const GRAVITY: f64 = 3672.0;

/// The rates of the sweep. 37 and 144 neither divide the others nor are multiples of them.
const ODD_RATES: [u32; 6] = [30, 37, 60, 120, 144, 240];

/// A box 24 px wide and 16 px high that lies on a floor and moves to the right.
fn gliding(hz: u32, speed: f64) -> Ground {
    Ground::floor(hz)
        .model(ModelName::vessel)
        .figure(BodyShape::of_box(24.0, 16.0))
        .at(0.0, 8.0)
        .moving(speed, 0.0)
}

/// Place and speed after `time` of a body that begins at 0 with `speed`, has the acceleration
/// `before` up to `border` and `after` from there on.
fn expected(time: f64, speed: f64, border: f64, before: f64, after: f64) -> (f64, f64) {
    let there = (speed * speed + 2.0 * before * border).sqrt();
    let arrives = if before == 0.0 { border / speed } else { (there - speed) / before };
    assert!(arrives < time, "it gets there");
    let left = time - arrives;
    (border + there * left + 0.5 * after * left * left, there + after * left)
}

/// The number of ticks nearest to this time, as seconds.
fn whole_ticks(hz: u32, seconds: f64) -> f64 {
    (seconds * f64::from(hz)).round() / f64::from(hz)
}

#[test]
fn a_sliding_box_feels_the_gravity_of_a_zone_from_its_border_on() {
    // Friction slows it by 0.8·g.
    for hz in ODD_RATES {
        for border in [11.0, 20.0, 33.3] {
            for scale in [0.5, 1.5] {
                let far = ((border, -50.0), (900.0, 200.0));
                let ground = gliding(hz, 600.0);
                let ground = ground.zone_with("moon", far.0, far.1, |z| z.gravity_scale = scale);
                let now = ground.play().run(0.1).pop().expect("ticks");
                let drag = -0.8 * GRAVITY;
                let time = whole_ticks(hz, 0.1);
                let (x, speed) = expected(time, 600.0, border, drag, drag * scale);
                near(now.vel.x, speed, 1e-4);
                near(now.pos.x, x, 1e-4);
                near(now.pos.y, 8.0, 1e-6);
            }
        }
    }
}

#[test]
fn a_box_that_slides_down_a_slope_feels_the_gravity_of_a_zone_from_its_border_on() {
    for hz in ODD_RATES {
        for degrees in [42.0_f64, 55.0] {
            let down = DVec2::from_angle(-degrees.to_radians());
            let point = |x: f64, y: f64| {
                let at = down * x + down.perp() * y;
                (at.x, at.y)
            };
            let at = down.perp() * 8.0;
            let border = 40.0;
            let mut ground = Ground::none(hz)
                .model(ModelName::vessel)
                .figure(BodyShape::of_box(24.0, 16.0))
                .solid(&[point(-100.0, -100.0), point(3000.0, -100.0), point(3000.0, 0.0), point(-100.0, 0.0)])
                .at(at.x, at.y)
                .moving(100.0 * down.x, 100.0 * down.y)
                .zone_with("moon", (at.x + border * down.x, -2500.0), (3000.0, 300.0), |z| z.gravity_scale = 0.4);
            ground.angle = -degrees.to_radians();
            let now = ground.play().run(0.5).pop().expect("ticks");
            let (sin, cos) = degrees.to_radians().sin_cos();
            let pull = GRAVITY * (sin - 0.8 * cos);
            let time = whole_ticks(hz, 0.5);
            let (along, speed) = expected(time, 100.0, border, pull, 0.4 * pull);
            near((now.pos - at).dot(down), along, 1e-3);
            near(now.vel.dot(down), speed, 1e-3);
        }
    }
}

#[test]
fn a_gliding_box_feels_the_wind_of_a_zone_from_its_border_on() {
    for hz in ODD_RATES {
        for border in [5.0, 47.0, 60.01] {
            let ground = gliding(hz, 300.0).tune("friction", 0.0);
            let far = ((border, -50.0), (900.0, 200.0));
            let wind = DVec2::new(500.0, 0.0);
            let ground = ground.zone_with("wind", far.0, far.1, |z| z.external_accel = wind);
            let now = ground.play().run(0.3).pop().expect("ticks");
            let time = whole_ticks(hz, 0.3);
            let blown = time - border / 300.0;
            // `external' = 500 − 4·external`.
            let gained = 125.0 * (1.0 - (-4.0 * blown).exp());
            near(now.external.x, gained, 1e-4);
        }
    }
}

#[test]
fn a_sliding_box_feels_a_conveyor_from_its_border_on() {
    // Friction slows it by 0.8·g, and then pulls it along with the belt just as much.
    for hz in ODD_RATES {
        for border in [3.0, 20.0, 41.7] {
            let ground = gliding(hz, 600.0);
            let far = ((border, -50.0), (900.0, 200.0));
            let belt = DVec2::new(2000.0, 0.0);
            let ground = ground.zone_with("belt", far.0, far.1, |z| z.conveyor = belt);
            let now = ground.play().run(0.3).pop().expect("ticks");
            let time = whole_ticks(hz, 0.3);
            let (x, speed) = expected(time, 600.0, border, -0.8 * GRAVITY, 0.8 * GRAVITY);
            near(now.vel.x, speed, 1e-4);
            near(now.pos.x, x, 1e-4);
        }
    }
}

#[test]
fn a_sliding_box_on_a_lift_feels_a_zone_from_its_border_on() {
    // The lift rises at 60 px/s and carries it; the zone changes only its friction.
    for hz in ODD_RATES {
        let mut ground = Ground::none(hz)
            .model(ModelName::vessel)
            .figure(BodyShape::of_box(24.0, 16.0))
            .platform(
                &[(-300.0, -20.0), (600.0, -20.0), (600.0, 0.0), (-300.0, 0.0)],
                &[(0.0, 0.0), (0.0, 300.0)],
                60.0,
            )
            .at(0.0, 8.0)
            .moving(600.0, 60.0);
        ground = ground.zone_with("moon", (20.0, -50.0), (900.0, 500.0), |z| {
            z.gravity_scale = 0.5;
        });
        let now = ground.play().run(0.1).pop().expect("ticks");
        let time = whole_ticks(hz, 0.1);
        let drag = -0.8 * GRAVITY;
        let (x, speed) = expected(time, 600.0, 20.0, drag, 0.5 * drag);
        near(now.vel.x, speed, 0.5);
        near(now.pos.x, x, 0.05);
        near(now.pos.y, 8.0 + 60.0 * time, 0.1);
    }
}
