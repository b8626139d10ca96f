//! Surfaces whose own rebound and friction replace a vessel's.

use crate::{common::near, ground::Ground};
use hangtime_core::{
    models::{BodyShape, ModelName},
    tuning::{SetError, Setting, SurfaceTuning, Tunables},
};

const RATES: [u32; 6] = [30, 50, 60, 120, 144, 240];
const GRAVITY: f64 = 1000.0;

/// A box that does not spin, over two floors side by side: the body's own to the left of 0, and one with
/// this surface to the right.
fn ground(hz: u32, change: impl FnOnce(&mut SurfaceTuning)) -> Ground {
    let floor = |from: f64, to: f64| [(from, -100.0), (to, -100.0), (to, 0.0), (from, 0.0)];
    Ground::none(hz)
        .model(ModelName::vessel)
        .gravity(GRAVITY)
        .figure(BodyShape::of_box(20.0, 20.0))
        .tune("inertia_ratio", 1e-12)
        .tune("impact_steps", 2.0)
        .surface_with(change)
        .solid_of(&floor(-8000.0, 0.0), 0)
        .solid_of(&floor(0.0, 8000.0), 1)
}

/// How high a box dropped from `height` at `x` bounces.
fn bounced(ground: &Ground, x: f64, height: f64) -> f64 {
    let mut play = ground.clone().at(x, 10.0 + height).play();
    play.run((2.0 * height / GRAVITY).sqrt() * 1.1);
    let heroes = play.run(2.0);
    // Between two ticks the parabola is higher than at both.
    let tops = heroes.iter().map(|hero| hero.pos.y - 10.0 + hero.vel.y * hero.vel.y / (2.0 * GRAVITY));
    tops.take(4).fold(0.0, f64::max)
}

#[test]
fn a_drop_returns_by_the_rebound_of_the_surface() {
    for (hz, rebound) in RATES.into_iter().flat_map(|hz| [1.25, 1.5, 1.75, 2.0].map(|rebound| (hz, rebound))) {
        let ground = ground(hz, |s| s.own_rebound = Some(rebound)).tune("friction", 0.0);
        for height in [100.0, 200.0] {
            let share = (rebound - 1.0) * (rebound - 1.0);
            near(bounced(&ground, 100.0, height), share * height, 0.01 * height);
            // The other floor has none, so that the body's own rebound of 1.2 counts.
            near(bounced(&ground, -100.0, height), 0.04 * height, 0.01 * height);
        }
    }
}

#[test]
fn a_surface_without_its_own_rebound_multiplies_the_bodys() {
    for hz in RATES {
        let ground = ground(hz, |s| s.rebound = 1.25).tune("friction", 0.0);
        near(bounced(&ground, 100.0, 100.0), 0.25 * 100.0, 1.0);
    }
}

#[test]
fn the_factors_of_a_surface_with_its_own_values_do_not_count() {
    for hz in RATES {
        let plain = ground(hz, |s| s.own_rebound = Some(1.5));
        let other = ground(hz, |s| (s.own_rebound, s.rebound) = (Some(1.5), 0.3));
        assert_eq!(bounced(&plain, 100.0, 100.0), bounced(&other, 100.0, 100.0));
    }
}

/// The distance over which a box stops that slides on the floor at `x`.
fn slid(ground: &Ground, x: f64, speed: f64) -> f64 {
    let mut play = ground.clone().at(x, 10.0).moving(speed, 0.0).play();
    play.run(2.0).last().expect("ticks").pos.x - x
}

#[test]
fn a_surface_with_friction_stops_a_body_without() {
    for hz in RATES {
        let ground = ground(hz, |s| s.own_friction = Some(0.1)).tune("friction", 0.0);
        // The cap is the body's: it slides at 0.8 times gravity.
        near(slid(&ground, 100.0, 400.0), 400.0 * 400.0 / (2.0 * 0.8 * GRAVITY), 400.0 / f64::from(hz));
        near(slid(&ground, -2000.0, 400.0), 800.0, 1e-6);
    }
}

#[test]
fn a_body_with_friction_slides_on_a_surface_without() {
    for hz in RATES {
        let ground = ground(hz, |s| s.own_friction = Some(0.0));
        near(slid(&ground, 100.0, 400.0), 800.0, 1e-6);
        near(slid(&ground, -2000.0, 400.0), 400.0 * 400.0 / (2.0 * 0.8 * GRAVITY), 400.0 / f64::from(hz));
    }
}

#[test]
fn a_hard_hit_takes_the_surfaces_share_of_the_speed() {
    for (hz, share) in RATES.into_iter().flat_map(|hz| [0.0, 0.25, 0.5, 1.0].map(|share| (hz, share))) {
        let ground = ground(hz, |s| s.own_friction = Some(share));
        let mut play = ground.at(100.0, 15.0).moving(100.0, -400.0).play();
        play.run(0.1);
        near(play.hero().vel.x, 100.0 * (1.0 - share), 1e-6);
    }
}

#[test]
fn a_value_of_the_surface_is_a_number_in_range_or_none() {
    let mut surface = SurfaceTuning::default();
    assert_eq!(surface.get("own_rebound"), Some(Setting::Word("none".into())));
    surface.set("own_rebound", &Setting::Number(1.5)).expect("in range");
    assert_eq!((surface.own_rebound, surface.get("own_rebound")), (Some(1.5), Some(Setting::Number(1.5))));
    assert!(matches!(surface.set("own_rebound", &Setting::Number(2.5)), Err(SetError::Range(..))));
    assert!(matches!(surface.set("own_friction", &Setting::Flag(true)), Err(SetError::Type(_))));
    surface.set("own_rebound", &Setting::Word("none".into())).expect("no value");
    assert_eq!(surface, SurfaceTuning::default());
}
