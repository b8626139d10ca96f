//! Comfort tunables: slipping past ceiling corners and climbing steps. Off by default.

use crate::{
    common::{RATES, near},
    ground::Ground,
};
use hangtime_core::models::{Action, ModelName};

/// A floor with stairs to the right, each of this height.
fn stairs(hz: u32, height: f64) -> Ground {
    let mut ground = Ground::floor(hz);
    for step in 1..6 {
        let (x, top) = (f64::from(step) * 60.0, f64::from(step) * height);
        ground = ground.solid(&[(x, -20.0), (x + 2000.0, -20.0), (x + 2000.0, top), (x, top)]);
    }
    ground
}

#[test]
fn a_body_climbs_steps_up_to_step_height_and_no_higher() {
    for hz in RATES {
        for model in [ModelName::platformer, ModelName::two_velocity] {
            for (height, tuned, climbs) in [(6.0, 8.0, true), (12.0, 12.5, true), (9.0, 8.0, false), (6.0, 0.0, false)]
            {
                let ground = stairs(hz, height).model(model).tune("step_height", tuned);
                let mut play = ground.play();
                play.hold(Action::Right);
                let heroes = play.run(2.0);
                let last = heroes.last().expect("ticks");
                assert_eq!(last.pos.x > 400.0, climbs, "{height} px under {tuned} at {hz} Hz: {}", last.pos);
                assert!(heroes.iter().all(|h| h.grounded), "{height} px at {hz} Hz");
                if climbs {
                    near(last.pos.y, 5.0 * height + 19.0, 1e-9);
                }
            }
        }
    }
}

#[test]
fn a_head_slips_past_the_corner_of_a_ceiling() {
    for hz in RATES {
        for (under, tuned, passes) in [(3.0, 4.0, true), (-4.0, 4.0, true), (6.0, 4.0, false), (3.0, 0.0, false)] {
            // The body's left or right side overlaps a block above by this much.
            let block = if under > 0.0 {
                [(-200.0, 90.0), (-10.0 + under, 90.0), (-10.0 + under, 120.0), (-200.0, 120.0)]
            } else {
                [(10.0 + under, 90.0), (200.0, 90.0), (200.0, 120.0), (10.0 + under, 120.0)]
            };
            let mut play = Ground::floor(hz)
                .solid(&block)
                .tune("corner_correction", tuned)
                .tune("rest_spacing", 0.0)
                .play();
            play.run(0.1);
            play.hold(Action::Jump);
            let heroes = play.run(0.6);
            let highest = heroes.iter().map(|h| h.pos.y).fold(0.0, f64::max);
            assert_eq!(highest > 200.0, passes, "{under} px under {tuned} at {hz} Hz: {highest}");
            if passes {
                assert!(heroes.iter().all(|h| h.pos.x.abs() <= tuned));
                // The jump keeps its full height.
                near(highest, 19.0 + 189.83, 0.2 + 0.125 * 3672.0 / f64::from(hz * hz));
            }
        }
    }
}

#[test]
fn a_moving_head_slips_as_far_aside_at_every_rate() {
    let aside = |hz: u32, under: f64| {
        // It comes to the height of the block after 52 px at 540 px/s.
        let end = 360.0 * 52.0 / 540.0 - 10.0 + under;
        let block = [(-200.0, 90.0), (end, 90.0), (end, 120.0), (-200.0, 120.0)];
        let ground = Ground::floor(hz).solid(&block).tune("corner_correction", 8.0).tune("rest_spacing", 0.0);
        let mut play = ground.moving(360.0, 0.0).play();
        play.hold(Action::Jump).hold(Action::Right);
        play.run(0.2);
        play.hero().pos.x - 360.0 * 0.2
    };
    // Under less its round head slips past by itself, and under more the correction does not reach.
    for under in [7.0, 8.0, 9.0, 10.0] {
        let finest = aside(240, under);
        assert!(finest > 0.0, "it does not slip aside under {under} px");
        for hz in RATES {
            near(aside(hz, under), finest, 1e-6);
        }
    }
}
