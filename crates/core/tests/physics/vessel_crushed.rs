//! A vessel that a lift presses against a ceiling is crushed: at once, and without being thrown.

use crate::{
    common::RATES,
    ground::{Ground, Play},
};
use glam::DVec2;
use hangtime_core::{
    models::{Action, BodyShape, ModelName},
    sim::EntityView,
};

const CEILING: f64 = 150.0;

/// A body on a lift that rises under a ceiling, higher than the ceiling, and comes back.
fn on_lift(hz: u32, shape: BodyShape, half: f64, speed: f64) -> Play {
    let (left, right) = (-80.0, 90.0);
    let mut ground = Ground::none(hz)
        .model(ModelName::vessel)
        .figure(shape)
        .platform(
            &[(left, -200.0), (right, -200.0), (right, 0.0), (left, 0.0)],
            &[(0.0, 0.0), (0.0, CEILING + 20.0)],
            speed,
        )
        .solid(&[(left, CEILING), (right, CEILING), (right, CEILING + 60.0), (left, CEILING + 60.0)])
        .at(0.0, half);
    ground.velocity = DVec2::new(0.0, speed);
    ground.play()
}

/// Plays until the lift has come back, and checks every tick. `tall` is the height of the body.
fn check(play: &mut Play, tall: f64, speed: f64) {
    let hz = f64::from(play.stage.hz);
    let label = format!("{hz} Hz, {tall} px tall, {speed} px/s");
    // From then on it has no room; it may lack a pixel before it is crushed, plus what the lift
    // covers in two ticks.
    let full = (CEILING - tall) / speed;
    let late = full + 1.0 / speed + 2.0 / hz + 1e-9;
    let back = 2.0 * (CEILING + 20.0) / speed;
    let mut crushed: Option<EntityView> = None;
    for tick in 1..=(back * hz) as u32 {
        let time = f64::from(tick) / hz;
        let now = play.tick();
        assert!(now.pos.x.abs() < 1.0, "{label}: thrown to {} at {time} s", now.pos);
        assert!(now.pos.y + 0.5 * tall < CEILING + 1.0 + speed / hz, "{label}: inside the ceiling at {time} s");
        let told = play.told("crush");
        assert!(time >= full - 1e-9 || told == 0, "{label}: crushed early");
        assert!(time < late || told == 1, "{label}: {told} events at {time} s");
        // Its middle is inside the lift.
        let gap = CEILING - speed * time;
        if told == 1 && gap.abs() < 0.4 * tall {
            assert_eq!((now.vel, now.spin), (DVec2::ZERO, 0.0), "{label}");
            if let Some(first) = &crushed {
                assert_eq!(now.pos, first.pos, "{label}: moves at {time} s");
            }
            crushed = Some(now);
        }
    }
    assert!(crushed.is_some(), "{label}: it is crushed for a while");
    // The lift makes room again.
    let now = play.run(0.2).pop().expect("ticks");
    assert!(now.pos.y < CEILING - 0.5 * tall + 1.0, "{label}: {}", now.pos);
    assert_eq!(play.told("crush"), 1, "{label}");
}

#[test]
fn a_box_between_a_lift_and_a_ceiling_is_crushed_at_once_and_not_thrown() {
    for hz in RATES {
        for (w, h) in [(24.0, 40.0), (40.0, 40.0), (60.0, 20.0)] {
            for speed in [40.0, 100.0, 190.0, 300.0] {
                let mut play = on_lift(hz, BodyShape::of_box(w, h), 0.5 * h, speed);
                check(&mut play, h, speed);
            }
        }
    }
}

#[test]
fn a_turning_ellipse_between_a_lift_and_a_ceiling_is_not_thrown() {
    use hangtime_core::geometry::Collider;
    for hz in [30, 37, 60, 120, 144, 240] {
        let mut ground = Ground::none(hz)
            .model(ModelName::vessel)
            .figure(Collider::ellipse(24.0, 40.0))
            .gravity(3672.0)
            .platform(&[(-14.0, 0.0), (96.0, 0.0), (96.0, 8.5), (-14.0, 8.5)], &[(0.0, 0.0), (17.0, 105.0)], 192.0)
            .solid(&[(-84.0, 95.0), (60.0, 95.0), (60.0, 135.0), (-84.0, 135.0)])
            .at(0.0, 54.9)
            .moving(180.0, 376.0);
        ground.surfaces[0].friction = 0.2;
        let mut play = ground.play();
        play.hold(Action::Left).hold(Action::Up);
        let first = play.hero().pos;
        let mut told = None;
        for tick in 1..=hz / 3 {
            let now = play.tick();
            told = told.or((play.told("crush") > 0).then_some(f64::from(tick) / f64::from(hz)));
            let off = now.pos.distance(first);
            assert!(off < 20.0, "{hz} Hz: thrown to {} in tick {tick}", now.pos);
        }
        // The gap is narrower than the body after 6.5 px of the rise.
        let told = told.expect("it is crushed");
        assert!(told < 0.035 + 1.0 / 190.0 + 2.0 / f64::from(hz), "{hz} Hz: {told} s");
    }
}

#[test]
fn a_vessel_that_has_room_above_a_lift_is_not_crushed() {
    for hz in RATES {
        for speed in [40.0, 100.0, 190.0] {
            // The ceiling leaves twice the height of the body.
            let mut ground = Ground::none(hz)
                .model(ModelName::vessel)
                .figure(BodyShape::of_box(24.0, 40.0))
                .platform(
                    &[(-80.0, -10.0), (80.0, -10.0), (80.0, 0.0), (-80.0, 0.0)],
                    &[(0.0, 0.0), (0.0, 100.0)],
                    speed,
                )
                .solid(&[(-80.0, 180.0), (80.0, 180.0), (80.0, 240.0), (-80.0, 240.0)])
                .at(0.0, 20.0);
            ground.velocity = DVec2::new(0.0, speed);
            let mut play = ground.play();
            let last = play.run(400.0 / speed).pop().expect("ticks");
            assert_eq!(play.told("crush"), 0, "{hz} Hz, {speed}");
            assert!(last.pos.x.abs() < 1.0, "{hz} Hz, {speed}: {}", last.pos);
        }
    }
}
