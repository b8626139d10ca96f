//! Apex and landing of jumps, between two ticks, agree with the formulas.

use crate::ground::tried;
use hangtime_play::feel::{FeelArc, FeelSample};
use proptest::prelude::*;

/// A throw straight up at `speed` under gravity `g`, sampled after every tick.
fn thrown(speed: f64, g: f64, dt: f64) -> FeelArc {
    let at = |tick: usize| {
        let t = tick as f64 * dt;
        FeelSample {
            x: 100.0 * t,
            height: speed * t - 0.5 * g * t * t,
            speed: 100.0,
            rise: speed - g * t,
            ..FeelSample::default()
        }
    };
    let last = (2.0 * speed / g / dt).floor() as usize;
    let mut samples: Vec<FeelSample> = (0..=last).map(at).collect();
    samples.push(FeelSample { landed: Some(speed), stands: true, ..FeelSample::default() });
    FeelArc { samples, dt, released: None }
}

#[test]
fn numbers_between_ticks_follow_from_the_motion() {
    for hz in [30.0, 50.0, 60.0, 240.0] {
        let arc = thrown(400.0, 1000.0, 1.0 / hz);
        let (apex, landing) = (arc.apex().expect("an apex"), arc.landing().expect("a landing"));
        assert!((apex.height - 80.0).abs() < 1e-9, "{apex:?}");
        assert!((apex.time - 0.4).abs() < 1e-9 && (apex.x - 40.0).abs() < 1e-6);
        assert!((landing.time - 0.8).abs() < 1e-9, "{landing:?}");
        assert!((landing.x - 80.0).abs() < 1e-9, "{landing:?}");
    }
}

/// A jump: its speed and hold time, gravity, and the top speed of a fall.
#[derive(Clone, Copy, Debug)]
struct JumpCase {
    speed: f64,
    hold: f64,
    gravity: f64,
    most: f64,
}

impl JumpCase {
    /// Height and velocity at a time after takeoff.
    fn at(&self, time: f64) -> (f64, f64) {
        let Self { speed, hold, gravity, most } = *self;
        if time <= hold {
            return (speed * time, speed);
        }
        let fast = (speed + most) / gravity;
        let free = (time - hold).min(fast);
        let high = speed * hold + speed * free - 0.5 * gravity * free * free;
        let capped = time - hold - free;
        (high - most * capped, speed - gravity * free)
    }

    fn apex(&self) -> (f64, f64) {
        let up = self.speed / self.gravity;
        (self.hold + up, self.speed * (self.hold + 0.5 * up))
    }

    fn air_time(&self) -> f64 {
        let (up, high) = self.apex();
        let capped = high - self.most * self.most / (2.0 * self.gravity);
        if capped > 0.0 {
            up + self.most / self.gravity + capped / self.most
        } else {
            up + (2.0 * high / self.gravity).sqrt()
        }
    }

    fn arc(&self, dt: f64) -> FeelArc {
        let end = self.air_time();
        let mut samples = vec![FeelSample { stands: true, ..FeelSample::default() }];
        let mut tick = 1.0;
        while tick * dt < end {
            let (height, rise) = self.at(tick * dt);
            samples.push(FeelSample { height, rise, ..FeelSample::default() });
            tick += 1.0;
        }
        samples.push(FeelSample { landed: Some(-self.at(end).1), stands: true, ..FeelSample::default() });
        FeelArc { samples, dt, released: None }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { max_global_rejects: 100_000, ..tried(4000) })]

    #[test]
    fn every_apex_and_landing_that_is_found_is_that_of_the_formulas(
        speed in prop_oneof![1e-3..10.0, 10.0..2000.0],
        hold in prop_oneof![Just(0.0), 1e-3..0.6],
        gravity in prop_oneof![10.0..20_000.0, 20_000.0..1e6],
        most in prop_oneof![1.0..100.0, 100.0..5000.0],
        hz in prop_oneof![Just(30.0), Just(60.0), Just(120.0), Just(240.0)],
    ) {
        let case = JumpCase { speed, hold, gravity, most };
        let dt = 1.0 / hz;
        let end = case.air_time();
        // A rise of less than a tick does not leave the ground, or cannot be seen.
        prop_assume!(end > 2.0 * dt && end < 30.0);
        prop_assume!(hold == 0.0 || hold > dt);
        let arc = case.arc(dt);
        let (up, high) = case.apex();
        if let Ok(apex) = arc.apex() {
            prop_assert!((apex.height - high).abs() <= 1e-5 * high.max(1.0), "{} not {high}", apex.height);
            prop_assert!((apex.time - up).abs() <= 1e-5, "{} s not {up} s", apex.time);
        }
        if let Ok(landing) = arc.landing() {
            prop_assert!((landing.time - end).abs() <= 1e-5, "{} s not {end} s", landing.time);
        }
    }
}

#[test]
fn ordinary_jumps_have_an_apex_and_a_landing_at_every_tick_rate() {
    let case = JumpCase { speed: 540.0, hold: 0.278, gravity: 3672.0, most: 700.0 };
    for hz in [10.0, 30.0, 50.0, 60.0, 120.0, 240.0, 1000.0] {
        let arc = case.arc(1.0 / hz);
        assert!(arc.apex().is_ok(), "{hz} Hz");
        assert!(arc.landing().is_ok(), "{hz} Hz");
    }
}
