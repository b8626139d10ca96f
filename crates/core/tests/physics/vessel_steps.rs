//! Near terrain, a vessel moves in steps that do not depend on the tick rate.

use crate::{
    common::{RATES, near},
    ground::Ground,
};
use glam::DVec2;
use hangtime_core::models::{Action, BodyShape, ModelName};

fn vessel(ground: Ground) -> Ground {
    ground.model(ModelName::vessel).figure(BodyShape::of_box(24.0, 16.0))
}

/// Where a vessel is at each thirtieth of a second, and its angle.
fn places(ground: &Ground, hz: u32, seconds: f64) -> Vec<(DVec2, f64)> {
    let mut play = ground.play();
    let keys = [Action::Right, Action::Up, Action::Left];
    let steps = (seconds * 30.0) as u32;
    let step = |step: u32| {
        let key = keys[(step / 10 % 3) as usize];
        play.hold(key);
        let now = (0..hz / 30).map(|_| play.tick()).last().expect("ticks");
        play.release(key);
        (now.pos, now.angle)
    };
    (0..steps).map(step).collect()
}

fn alike(seconds: f64, room: impl Fn(u32) -> Ground) {
    let runs = RATES.map(|hz| places(&room(hz), hz, seconds));
    for (hz, run) in RATES.into_iter().zip(&runs) {
        for (step, (now, fine)) in run.iter().zip(&runs[RATES.len() - 1]).enumerate() {
            let off = now.0.distance(fine.0).max((now.1 - fine.1).abs());
            assert!(off < 1e-3, "{hz} Hz is off by {off} at {step}/30 s: {now:?}, {fine:?}");
        }
    }
}

#[test]
fn a_vessel_that_tumbles_over_a_step_tumbles_alike_at_every_rate() {
    alike(1.5, |hz| {
        let ground = vessel(Ground::floor(hz)).block((100.0, -20.0), (300.0, 30.0), 0.0);
        ground.gravity(900.0).at(0.0, 90.0).moving(120.0, -150.0)
    });
}

#[test]
fn a_fast_vessel_near_a_wall_is_not_divided_by_its_tick() {
    alike(0.8, |hz| {
        let wall = [(200.0, -300.0), (260.0, -300.0), (260.0, 600.0), (200.0, 600.0)];
        vessel(Ground::floor(hz)).solid(&wall).gravity(900.0).at(0.0, 60.0).moving(2500.0, -700.0)
    });
}

#[test]
fn a_vessel_that_drifts_into_a_wall_keeps_the_drift_of_that_moment() {
    // Wind along x leads it into a wall: its external velocity ends there and begins again only from then on.
    alike(0.7, |hz| {
        let wall = [(60.0, -300.0), (90.0, -300.0), (120.0, 600.0), (60.0, 600.0)];
        let ground = vessel(Ground::floor(hz)).solid(&wall).gravity(900.0).at(0.0, 60.0);
        ground.zone_with("wind", (-500.0, -500.0), (500.0, 500.0), |zone| zone.external_accel = DVec2::new(900.0, 0.0))
    });
}

#[test]
fn a_platform_that_turns_within_a_tick_hits_a_vessel_on_its_way() {
    // It turns after 13/240 s and comes 0.5 px farther than the face of a floating box. It gives the box its speed, and the
    // rebound's share of that.
    let (speed, rebound) = (100.0, 1.5);
    let way = speed * 13.0 / 240.0;
    for hz in [30, 50, 60, 120, 144, 240] {
        let left = way - 0.5;
        let mut ground = vessel(Ground::none(hz))
            .platform(&[(-60.0, -40.0), (0.0, -40.0), (0.0, 40.0), (-60.0, 40.0)], &[(0.0, 0.0), (way, 0.0)], speed)
            .at(left + 12.0, 0.0)
            .gravity(0.0)
            .tune("rebound", rebound);
        ground.velocity = DVec2::ZERO;
        let now = ground.play().run(0.2).pop().expect("ticks");
        near(now.vel.x, speed * rebound, 1e-9);
        near(now.spin, 0.0, 1e-9);
    }
}

#[test]
fn a_box_that_slides_flat_in_one_step_a_tick_stops_where_friction_stops_it() {
    // At 0.8 times gravity: `v²/(2·0.8·g)`, and between two ticks as well.
    let (gravity, speed) = (900.0, 310.0);
    let drag = 0.8 * gravity;
    for hz in [30, 50, 60, 120, 144, 240] {
        let mut play = vessel(Ground::floor(hz)).gravity(gravity).at(0.0, 8.0).moving(speed, 0.0).play();
        for tick in 1..=hz {
            let time = (f64::from(tick) / f64::from(hz)).min(speed / drag);
            let now = play.tick();
            near(now.pos.x, speed * time - 0.5 * drag * time * time, 1e-6);
            near(now.pos.y, 8.0, 1e-9);
        }
    }
}

#[test]
fn a_box_that_slides_into_a_step_hits_it_at_its_speed_there() {
    // It slides over 100 px at 0.8 times gravity, and the step takes it back at half of what is left.
    let (gravity, speed) = (900.0_f64, 500.0_f64);
    let drag = 0.8 * gravity;
    let hit = (speed * speed - 2.0 * drag * 100.0).sqrt();
    for hz in [30, 50, 60, 120, 144, 240] {
        let ground = vessel(Ground::floor(hz)).block((112.0, -20.0), (300.0, 60.0), 0.0).gravity(gravity);
        let mut play = ground.at(0.0, 8.0).moving(speed, 0.0).tune("rebound", 1.5).play();
        let least = (0..hz).map(|_| play.tick().vel.x).fold(f64::INFINITY, f64::min);
        // What friction takes within a step and the tick of the hit.
        near(least, -0.5 * hit, 0.5 * drag / 120.0 + drag / f64::from(hz));
    }
}

#[test]
fn a_vessel_glides_over_dust_below_its_floor_as_if_there_were_none() {
    // Within the way of a tick there are more grains than a vessel keeps in view, and the floor comes after them.
    let speed = 100.0;
    for hz in RATES {
        let mut ground = vessel(Ground::none(hz)).tune("friction", 0.0);
        for grain in 0..700 {
            let (x, y) = (1.5 * f64::from(grain % 70) - 30.0, -2.5 - 1.5 * f64::from(grain / 70));
            ground = ground.solid(&[(x, y), (x + 1.0, y), (x + 1.0, y + 1.0), (x, y + 1.0)]);
        }
        let ground = ground.solid(&[(-100.0, -1.0), (200.0, -1.0), (200.0, 0.0), (-100.0, 0.0)]);
        let now = ground.at(0.0, 8.0).moving(speed, 0.0).play().run(0.3).pop().expect("ticks");
        near(now.pos.x, 0.3 * speed, 1e-6);
        near(now.pos.y, 8.0, 1e-6);
    }
}
