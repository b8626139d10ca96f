//! Jumps from a press that was let go before the landing.

use crate::{
    common::{loaded, near},
    ground::Ground,
};
use glam::dvec2;
use hangtime_core::{
    geometry::Collider,
    models::{Action::Jump, ModelName},
    sim::EntityView,
};

/// The usual rates and odd ones.
const RATES: [u32; 8] = [20, 30, 37, 60, 75, 120, 144, 240];

const GRAVITY: f64 = 3672.0;
const TAP: f64 = 1.0 / 60.0;

/// Height above the floor that a body has fallen from, px.
const DROP: f64 = 90.0;

fn falling(hz: u32, model: ModelName, top: bool, hold: f64) -> Ground {
    let ground = Ground::floor(hz).model(model).tune("jump_hold_time", hold).at(0.0, 19.0 + DROP);
    if !top {
        return ground;
    }
    let plane = Ground::none(hz)
        .top_view()
        .model(model)
        .tune("jump_hold_time", hold)
        .figure(Collider::ellipse(10.0, 10.0))
        .at(0.0, 0.0);
    Ground { z: DROP, ..plane }
}

fn height(hero: &EntityView, top: bool) -> f64 {
    if top { hero.z } else { hero.pos.y - 19.0 }
}

/// Presses jump in the air and releases it before the landing, `again` ticks after which it is
/// pressed again. Returns the heights after the landing.
fn hop(ground: &Ground, top: bool, again: Option<u32>) -> Vec<f64> {
    let mut before = ground.play();
    while before.told("land") == 0 {
        before.tick();
    }
    let lands = before.world.ticks();
    let hz = u64::from(ground.hz);
    let mut play = ground.play();
    // About 0.08 s before the landing, for a single tick.
    while play.world.ticks() < lands - (hz / 12).max(1) {
        play.tick();
    }
    play.hold(Jump).tick();
    play.release(Jump);
    while play.world.ticks() < lands {
        play.tick();
    }
    assert_eq!((play.told("land"), play.told("jump")), (1, 0));
    let mut heights = vec![];
    for tick in 0..hz / 2 {
        if again.is_some_and(|again| tick >= u64::from(again)) {
            play.hold(Jump);
        }
        heights.push(height(&play.tick(), top));
    }
    assert_eq!(play.told("jump"), 1, "{hz} Hz");
    heights
}

/// Height, px, and speed, px/s, after `time` seconds of a jump whose key is held for a 60th.
fn expected(time: f64, hold: f64) -> f64 {
    let held = hold.min(TAP);
    let rise = |t: f64| {
        let free = (t - held).max(0.0);
        540.0 * t.min(held) + 540.0 * free - 0.5 * GRAVITY * free * free
    };
    if time <= TAP {
        return rise(time);
    }
    let fallen = time - TAP;
    rise(TAP) - 0.5 * GRAVITY * fallen * fallen
}

#[test]
fn a_press_let_go_before_landing_hops_equally_high_at_every_rate() {
    let cases = [
        (ModelName::platformer, false),
        (ModelName::two_velocity, false),
        (ModelName::two_velocity, true),
        (ModelName::topdown, true),
    ];
    for hz in RATES {
        for (model, top) in cases {
            for hold in [0.278, 0.01, 0.0] {
                let heights = hop(&falling(hz, model, top, hold), top, None);
                let mut checked = 0;
                for (tick, height) in heights.iter().enumerate() {
                    let expected = expected((tick + 1) as f64 / f64::from(hz), hold);
                    if expected < 1.0 {
                        break;
                    }
                    near(*height, expected, 1e-9);
                    checked += 1;
                }
                assert!(checked > 0, "{model:?} {hz} Hz");
                let top = heights.iter().copied().fold(0.0, f64::max);
                assert!(top <= 9.0 + 1e-9, "{model:?} {hz} Hz: {top}");
            }
        }
    }
}

#[test]
fn pressing_again_within_the_hop_makes_it_a_full_jump() {
    for hz in RATES {
        // The key is down again before the 60th of a second is over.
        for again in 1..=hz / 60 {
            let ground = falling(hz, ModelName::platformer, false, 0.278);
            let heights = hop(&ground, false, Some(again));
            let top = heights.iter().copied().fold(0.0, f64::max);
            let full = 540.0 * 0.278 + 540.0 * 540.0 / (2.0 * GRAVITY);
            near(top, full, 0.5 * GRAVITY / f64::from(hz * hz));
        }
    }
}

#[test]
fn a_hop_ends_at_a_ceiling_and_survives_a_snapshot() {
    for hz in RATES {
        let ground = falling(hz, ModelName::platformer, false, 0.278).solid(&[
            (-90.0, 134.0),
            (90.0, 134.0),
            (90.0, 150.0),
            (-90.0, 150.0),
        ]);
        let heights = hop(&ground, false, None);
        near(heights[0], expected(1.0 / f64::from(hz), 0.278), 1e-9);
        // A restored world plays on exactly, at any tick of the hop.
        let mut play = falling(hz, ModelName::platformer, false, 0.278).play();
        play.run(0.15);
        play.hold(Jump).tick();
        play.release(Jump);
        for _ in 0..hz / 3 {
            let saved = serde_json::to_string(&play.world).expect("a world");
            let mut copy = falling(hz, ModelName::platformer, false, 0.278).play();
            copy.world = loaded(&saved, &copy.stage);
            assert_eq!(copy.tick().pos, play.tick().pos);
            assert_eq!(copy.world.hash(), play.world.hash());
        }
        assert_eq!(play.hero().pos.x, dvec2(0.0, 0.0).x);
    }
}
