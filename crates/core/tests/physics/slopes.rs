//! Slopes too steep to stand on, and keys at a landing: the same at every tick rate.

use crate::{
    common::RATES,
    ground::{BODY, Ground, Play},
};
use glam::{DVec2, dvec2};
use hangtime_core::{
    geometry::Collider,
    models::{
        Action::{Jump, Left, Right},
        ModelName,
    },
};

const GRAVITY: f64 = 3672.0;
const FALL: f64 = 700.0;

/// The tick rates of these tests; the last two do not divide a second evenly.
fn rates() -> impl Iterator<Item = u32> {
    RATES.into_iter().chain([37, 144])
}

/// A room drawn for a body that runs to the right under a gravity along −y, or its mirror image.
#[derive(Clone, Copy, Debug)]
struct Mirror {
    side: f64,
    up: f64,
}

const MIRRORS: [Mirror; 3] =
    [Mirror { side: 1.0, up: 1.0 }, Mirror { side: -1.0, up: 1.0 }, Mirror { side: 1.0, up: -1.0 }];

impl Mirror {
    fn of(self, v: DVec2) -> DVec2 {
        dvec2(v.x * self.side, v.y * self.up)
    }

    fn points(self, points: &[(f64, f64)]) -> Vec<(f64, f64)> {
        points.iter().map(|p| (p.0 * self.side, p.1 * self.up)).collect()
    }

    fn ground(self, hz: u32, model: ModelName, shape: Collider, solid: &[(f64, f64)]) -> Ground {
        Ground::none(hz)
            .model(model)
            .figure(shape)
            .tune("gravity_scale", self.up)
            .solid(&self.points(solid))
    }

    fn start(self, ground: Ground, at: DVec2, velocity: DVec2) -> Play {
        let (at, velocity) = (self.of(at), self.of(velocity));
        ground.at(at.x, at.y).moving(velocity.x, velocity.y).play()
    }
}

/// Where a body that slides down a slope is after `time`, px, if it accelerates at `accel` from
/// `speed` up to `most`.
fn slid(speed: f64, accel: f64, most: f64, time: f64) -> f64 {
    let gaining = ((most - speed) / accel).min(time);
    speed * gaining + 0.5 * accel * gaining * gaining + most * (time - gaining)
}

/// A slope that rises to the right at this angle, 1600 px high, with its foot at the origin.
fn steep(angle: f64) -> [(f64, f64); 3] {
    let wide = 1600.0 / angle.tan();
    [(0.0, 0.0), (wide, 0.0), (wide, 1600.0)]
}

#[test]
fn a_key_against_a_steep_slope_does_not_slow_a_slide_below_the_fall_cap() {
    let models = [ModelName::platformer, ModelName::two_velocity];
    for (hz, mirror) in rates().flat_map(|hz| MIRRORS.map(|m| (hz, m))) {
        for (degrees, model) in [50.0, 65.0, 80.0].into_iter().flat_map(|d| models.map(|m| (d, m))) {
            let angle = f64::to_radians(degrees);
            let down = -dvec2(angle.cos(), angle.sin());
            let foot = BODY.farthest(dvec2(-angle.sin(), angle.cos()));
            let top = -down * (1400.0 / angle.sin()) + foot;
            let mut ground = mirror.ground(hz, model, BODY, &steep(angle));
            if model == ModelName::two_velocity {
                // With grip, its feet would brake in the air.
                ground = ground.tune("air_grip", 0.0);
            }
            let mut play = mirror.start(ground, top, DVec2::ZERO);
            let held = model == ModelName::platformer;
            if held {
                play.hold(if mirror.side > 0.0 { Right } else { Left });
            }
            let hero = play.run(1.0).pop().expect("ticks");
            let fall = hero.vel.y * mirror.up;
            let case = format!("{hz} Hz, {degrees}°, {model}, {mirror:?}");
            assert!((fall + FALL).abs() < 1e-6, "{fall} px/s at {case}");
            let key = if held { 2000.0 * angle.cos() } else { 0.0 };
            let way = slid(0.0, GRAVITY * angle.sin() - key, FALL / angle.sin(), 1.0);
            let at = mirror.of(top + down * way);
            let off = hero.pos.distance(at);
            assert!(off < 1e-3, "{off} px from {at} at {case}");
        }
    }
}

#[test]
fn a_body_that_hits_a_steep_slope_keeps_the_speed_of_that_moment() {
    for (hz, mirror) in rates().flat_map(|hz| MIRRORS.map(|m| (hz, m))) {
        for (degrees, height) in [(63.0, 20.0), (63.0, 33.0), (50.0, 41.0), (80.0, 57.0)] {
            let velocity = DVec2::ZERO;
            let angle = f64::to_radians(degrees);
            let normal = dvec2(-angle.sin(), angle.cos());
            let down = -dvec2(angle.cos(), angle.sin());
            let foot = BODY.farthest(normal);
            let start = -down * (1300.0 / angle.sin()) + foot + dvec2(0.0, height);
            // The parabola meets the slope when `normal · (offset from the slope)` is 0.
            let gap = height * normal.y;
            let speed = -velocity.dot(normal);
            let pull = GRAVITY * normal.y;
            let hit = ((speed * speed + 2.0 * pull * gap).sqrt() - speed) / pull;
            let at = start + velocity * hit - dvec2(0.0, 0.5 * GRAVITY * hit * hit);
            let along = (velocity - dvec2(0.0, GRAVITY * hit)).dot(down);
            let ground = mirror.ground(hz, ModelName::platformer, BODY, &steep(angle));
            let mut play = mirror.start(ground, start, velocity);
            for tick in 1..=hz / 2 {
                let hero = play.tick();
                let time = f64::from(tick) / f64::from(hz) - hit;
                if time < 0.0 {
                    continue;
                }
                let way = slid(along, GRAVITY * angle.sin(), FALL / angle.sin(), time);
                let at = mirror.of(at + down * way);
                let off = hero.pos.distance(at);
                assert!(off < 1e-6, "{off} px from {at} at {hz} Hz, {degrees}°, {mirror:?}");
            }
        }
    }
}

/// Speed along the ground, px/s, `time` seconds after a landing at 300 px/s with this key held, and
/// the path since, px. Without a key the body brakes at `ground_decel`; with one along its path it runs
/// from `run_speed_min` on.
fn walked(key: bool, time: f64) -> (f64, f64) {
    if key {
        return (360.0 + 650.0 * time, (360.0 + 325.0 * time) * time);
    }
    let braking = time.min(300.0 / 4000.0);
    let speed = 300.0 - 4000.0 * braking;
    (speed, 0.5 * (300.0 + speed) * braking)
}

#[test]
fn keys_act_from_the_moment_of_a_landing() {
    for (hz, height) in RATES.into_iter().flat_map(|hz| [31.0, 44.0, 58.0].map(|h| (hz, h))) {
        for (key, mirrored) in [(false, false), (true, false), (false, true), (true, true)] {
            let side = if mirrored { -1.0 } else { 1.0 };
            let ground = Ground::floor(hz).model(ModelName::platformer);
            let start = ground.at(0.0, 19.0 + height).moving(300.0 * side, 0.0);
            let mut play = start.play();
            if key {
                play.hold(if mirrored { Left } else { Right });
            }
            // The fall stays below its limit. In the air, the key adds up to the soft limit.
            let landing = (2.0 * height / GRAVITY).sqrt();
            let soft = if key { f64::min(60.0 / 2000.0, landing) } else { 0.0 };
            let flown = 300.0 * landing + 2000.0 * soft * (landing - 0.5 * soft);
            for _ in 0..3 * hz / 30 {
                play.tick();
            }
            let moments: Vec<_> = (4..6).map(|step| (step, play.run(1.0 / 30.0).pop())).collect();
            for (step, hero) in moments {
                let hero = hero.expect("ticks");
                let time = f64::from(step) / 30.0 - landing;
                if time < 0.0 || !key && time > 0.07 {
                    continue;
                }
                let (speed, way) = walked(key, time);
                let case = format!("{hz} Hz, {height} px, key {key}, step {step}");
                let got = hero.vel.x * side;
                // A body lands within reach of the probe, 0.5 px before it touches the floor.
                let early = 0.5 / (GRAVITY * landing);
                let change = if key { 650.0 } else { 4000.0 };
                assert!((got - speed).abs() < change * early + 1e-6, "{got} px/s, not {speed}, at {case}");
                let off = hero.pos.x * side - flown - way;
                // A landing is found on the straight line from the start of its tick to the end. That
                // line is up to this far below the parabola.
                let (dt, fall) = (play.dt(), GRAVITY * landing);
                let gap = GRAVITY * dt * dt / 8.0;
                let slack = 360.0 * gap / (fall - GRAVITY * dt) + change * early * time + 1e-6;
                assert!(off.abs() < slack, "{off} px off at {case}");
            }
        }
    }
}

#[test]
fn a_buffered_jump_keeps_the_speed_of_the_landing() {
    for hz in RATES {
        let ground = Ground::floor(hz).model(ModelName::platformer);
        let mut play = ground.at(0.0, 63.0).moving(300.0, 0.0).play();
        // The landing comes after 0.155 s; the press is remembered for 0.1 s.
        play.run(0.1);
        play.hold(Jump);
        let jumping = play.run(0.1).pop().expect("ticks");
        let case = format!("{hz} Hz: {jumping:?}");
        assert!(jumping.vel.y > 0.0, "no jump at {case}");
        assert!((jumping.vel.x - 300.0).abs() < 1e-9, "braked at {case}");
    }
}
