//! No flicker: a body on the ground stays grounded in every tick.

use crate::{
    common::RATES,
    ground::{Ground, tried},
};
use hangtime_core::models::{Action, ModelName};
use proptest::prelude::*;

/// Ground through points of these heights, 40 px apart, between two walls.
fn hills(hz: u32, heights: &[f64]) -> Ground {
    let last = heights.len() as f64 * 40.0;
    let mut top: Vec<(f64, f64)> = heights.iter().enumerate().map(|(i, h)| (i as f64 * 40.0, *h)).collect();
    top.reverse();
    top.extend([(0.0, -900.0), (last + 100.0, -900.0), (last + 100.0, 900.0)]);
    top.extend([(last - 40.0, 900.0)]);
    Ground::none(hz)
        .solid(&top)
        .solid(&[(-100.0, -900.0), (0.0, -900.0), (0.0, 900.0), (-100.0, 900.0)])
}

proptest! {
    #![proptest_config(tried(150))]

    #[test]
    fn a_runner_stays_grounded_over_crests_and_kinks(
        // Slopes of up to 40°, so the sharpest kink turns by 80°.
        steps in prop::collection::vec(-33.0..33.0_f64, 30),
        keys in prop::collection::vec((0..3_u8, 5..60_usize), 12),
        rate in 0..RATES.len(),
        slippery in any::<bool>(),
    ) {
        let mut heights = vec![0.0];
        for step in steps {
            let next = heights[heights.len() - 1] + step;
            heights.push(next);
        }
        let model = if slippery { ModelName::two_velocity } else { ModelName::platformer };
        let mut play = hills(RATES[rate], &heights).model(model).at(600.0, 1200.0).play();
        while !play.hero().grounded {
            play.tick();
            prop_assert!(play.world.ticks() < 10_000);
        }
        for (key, ticks) in keys {
            play.release(Action::Left).release(Action::Right);
            match key {
                0 => { play.hold(Action::Left); }
                1 => { play.hold(Action::Right); }
                _ => {}
            }
            for _ in 0..ticks {
                let hero = play.tick();
                prop_assert!(hero.grounded, "at {} in tick {}", hero.pos, play.world.ticks());
            }
        }
        prop_assert_eq!(play.told("leave_ground"), 0);
    }
}

#[test]
fn a_body_on_a_walkable_slope_does_not_move() {
    for hz in RATES {
        for degrees in 0..=45 {
            let rise = f64::from(degrees).to_radians().tan() * 400.0;
            let slope = [(-400.0, -900.0), (400.0, -900.0), (400.0, rise), (-400.0, -rise)];
            let mut play = Ground::none(hz).solid(&slope).at(0.0, 40.0).play();
            play.run(0.5);
            let rested = play.hero().pos;
            for hero in play.run(2.0) {
                assert!(hero.grounded, "{degrees}° at {hz} Hz");
                assert_eq!(hero.pos, rested, "{degrees}° at {hz} Hz");
            }
        }
    }
}

#[test]
fn a_runner_against_a_wall_does_not_flicker() {
    for hz in RATES {
        for model in [ModelName::platformer, ModelName::two_velocity] {
            let wall = [(100.0, -50.0), (140.0, -50.0), (140.0, 300.0), (100.0, 300.0)];
            let mut play = Ground::floor(hz).solid(&wall).model(model).play();
            play.hold(Action::Right);
            play.run(1.0);
            let before = play.hero().pos;
            for hero in play.run(2.0) {
                assert!(hero.grounded && hero.mode == "ground");
                assert_eq!(hero.pos, before);
            }
        }
    }
}
