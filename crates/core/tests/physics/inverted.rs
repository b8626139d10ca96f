//! Inverted gravity: whatever happens below normally happens above, as in a mirror.

use crate::{
    common::{RATES, near},
    ground::{Ground, Play, tried},
};
use glam::{DVec2, dvec2};
use hangtime_core::{
    geometry::polygon,
    level::{Path, PathEnd, Solid, SurfaceId},
    models::{Action, ModelName},
    sim::{Command, EntityView},
    tuning::Setting,
};
use proptest::prelude::*;

const WALKERS: [ModelName; 2] = [ModelName::platformer, ModelName::two_velocity];

/// How gravity is inverted.
#[derive(Clone, Copy, Debug, PartialEq)]
enum By {
    Zone,
    Tuning,
    Level,
}

/// A scene that can be built upside down.
#[derive(Clone, Debug)]
struct Scene {
    solids: Vec<Vec<(f64, f64)>>,
    lines: Vec<Vec<(f64, f64)>>,
    /// Boxes that move up and down.
    lifts: Vec<[f64; 4]>,
    at: (f64, f64),
    tunes: Vec<(&'static str, f64)>,
}

impl Scene {
    fn build(&self, hz: u32, model: ModelName, up: f64, by: By) -> Ground {
        let turn = |points: &[(f64, f64)]| -> Vec<(f64, f64)> { points.iter().map(|p| (p.0, p.1 * up)).collect() };
        let mut ground = Ground::none(hz).model(model).at(self.at.0, self.at.1 * up);
        for points in &self.solids {
            ground = ground.solid(&turn(points));
        }
        for points in &self.lines {
            ground = ground.one_way(&turn(points));
        }
        for [x, y, width, way] in &self.lifts {
            let corners = [(*x, *y), (x + width, *y), (x + width, y - 20.0), (*x, y - 20.0)];
            let points: Vec<DVec2> = turn(&corners).into_iter().map(DVec2::from).collect();
            let outline = polygon::outline(&points).expect("a box");
            let name = format!("lift {}", ground.others.len());
            let path = Path::new(vec![DVec2::ZERO, dvec2(30.0, way * up)], 90.0, PathEnd::PingPong);
            ground
                .others
                .push(Solid { path: Some(path), ..Solid::new(name.into(), SurfaceId(0), outline) });
        }
        for (key, value) in &self.tunes {
            ground = ground.tune(key, *value);
        }
        if model == ModelName::platformer {
            // Rest positions on walls are counted from the lower end, upside down or not.
            ground = ground.tune("rest_spacing", 0.0);
        }
        match by {
            _ if up > 0.0 => ground,
            By::Tuning => ground.tune("gravity_scale", up),
            By::Level => ground.gravity(3672.0 * up),
            By::Zone => ground.zone_with("up", (-9000.0, -9000.0), (9000.0, 9000.0), |zone| {
                zone.gravity_scale = up;
            }),
        }
    }
}

/// Asserts that the second hero is the mirror image of the first.
#[track_caller]
fn mirrors(upright: &EntityView, inverted: &EntityView, about: &str) {
    let flip = dvec2(1.0, -1.0);
    let off = (upright.pos - inverted.pos * flip).length();
    assert!(off < 1e-6, "{about}: {} against {}", upright.pos, inverted.pos);
    let off = (upright.vel - inverted.vel * flip).length();
    assert!(off < 1e-4, "{about}: {} against {}", upright.vel, inverted.vel);
    assert_eq!(upright.grounded, inverted.grounded, "{about}");
    assert_eq!(upright.mode, inverted.mode, "{about}");
    assert_eq!(upright.facing, inverted.facing, "{about}");
}

/// Plays both with the same keys and compares them in every tick.
#[track_caller]
fn play_both(pair: &mut [Play; 2], keys: &[(Option<Action>, bool, bool)], ticks: usize, about: &str) {
    for (side, jump, down) in keys {
        for play in pair.iter_mut() {
            for key in [Action::Left, Action::Right, Action::Jump, Action::Down] {
                play.release(key);
            }
            if let Some(side) = side {
                play.hold(*side);
            }
            if *jump {
                play.hold(Action::Jump);
            }
            if *down {
                play.hold(Action::Down);
            }
        }
        for _ in 0..ticks {
            let [upright, inverted] = pair.each_mut().map(Play::tick);
            assert!(inverted.inverted && !upright.inverted, "{about}");
            mirrors(&upright, &inverted, about);
        }
    }
    for event in ["land", "leave_ground", "jump", "grab", "drop"] {
        assert_eq!(pair[0].told(event), pair[1].told(event), "{about}: {event}");
    }
}

/// A floor from wall to wall with a slope, a step, a pit and one-way platforms over it.
fn course() -> Scene {
    Scene {
        solids: vec![
            vec![(-500.0, -80.0), (500.0, -80.0), (500.0, 0.0), (-500.0, 0.0)],
            vec![(100.0, 0.0), (300.0, 0.0), (300.0, 100.0), (200.0, 70.0)],
            vec![(-300.0, 0.0), (-200.0, 0.0), (-200.0, 6.0), (-300.0, 6.0)],
            vec![(-500.0, 0.0), (-500.0, 500.0), (-540.0, 500.0), (-540.0, -80.0)],
            vec![(500.0, -80.0), (540.0, -80.0), (540.0, 500.0), (500.0, 500.0)],
            vec![(-150.0, 150.0), (-60.0, 150.0), (-60.0, 170.0), (-150.0, 170.0)],
        ],
        lines: vec![vec![(60.0, 60.0), (0.0, 66.0), (-60.0, 60.0)], vec![(60.0, 140.0), (0.0, 128.0), (-40.0, 140.0)]],
        lifts: vec![[-420.0, 40.0, 90.0, 80.0]],
        at: (0.0, 100.0),
        tunes: vec![("step_height", 8.0), ("corner_correction", 4.0)],
    }
}

#[test]
fn a_body_stands_walks_and_jumps_on_ceilings_as_on_floors() {
    let right = Some(Action::Right);
    let left = Some(Action::Left);
    let keys = [
        (None, false, false),
        (right, false, false),
        (right, true, false),
        (left, false, false),
        (left, true, false),
        (None, false, true),
        (left, false, false),
        (left, true, false),
        (None, true, false),
        (right, false, false),
    ];
    for hz in RATES.into_iter().chain([37, 144]) {
        for model in WALKERS {
            for by in [By::Zone, By::Tuning, By::Level] {
                let mut pair = [1.0, -1.0].map(|up| course().build(hz, model, up, by).play());
                let about = format!("{model:?} at {hz} Hz by {by:?}");
                play_both(&mut pair, &keys, hz as usize / 2, &about);
                assert!(pair[0].told("land") > 1, "{about}");
            }
        }
    }
}

proptest! {
    #![proptest_config(tried(60))]

    #[test]
    fn inverted_gravity_mirrors_random_rooms(
        steps in prop::collection::vec((10.0..60.0_f64, -30.0..30.0_f64), 16),
        lines in prop::collection::vec((-300.0..300.0_f64, 60.0..200.0_f64, -20.0..20.0_f64), 4),
        keys in prop::collection::vec((0..3_u8, any::<bool>(), prop::bool::weighted(0.2)), 12),
        rate in 0..RATES.len(),
        slippery in any::<bool>(),
        tuned in any::<bool>(),
    ) {
        let mut top = vec![(-400.0, 0.0)];
        for (along, rise) in &steps {
            let (x, y) = top[top.len() - 1];
            top.push((x + along, y + rise));
        }
        let last = top[top.len() - 1].0;
        top.extend([(last, -600.0), (-400.0, -600.0)]);
        let wall = |x: f64| vec![(x, -700.0), (x + 40.0, -700.0), (x + 40.0, 700.0), (x, 700.0)];
        let line = |(x, y, bow): &(f64, f64, f64)| vec![(x - 50.0, *y), (*x, y + bow), (x + 50.0, *y)];
        let scene = Scene {
            solids: vec![top, wall(-440.0), wall(last)],
            lines: lines.iter().map(line).collect(),
            // Between a platform and the rock, rounding decides where a body gets out.
            lifts: vec![],
            at: (0.0, 500.0),
            tunes: vec![],
        };
        let model = WALKERS[usize::from(slippery)];
        let by = if tuned { By::Tuning } else { By::Zone };
        let hz = RATES[rate];
        let mut pair = [1.0, -1.0].map(|up| scene.build(hz, model, up, by).play());
        let keys: Vec<_> = keys
            .iter()
            .map(|(side, jump, down)| {
                let side = [None, Some(Action::Left), Some(Action::Right)][usize::from(*side)];
                (side, *jump, *down)
            })
            .collect();
        play_both(&mut pair, &keys, hz as usize / 4, &format!("{model:?} at {hz} Hz by {by:?}"));
    }
}

#[test]
fn a_body_at_rest_on_a_ceiling_moves_to_its_rest_position() {
    for hz in RATES {
        for x in [0.5, 1.5, 2.5, 3.9] {
            let ceiling = [(-100.0, 0.0), (100.0, 0.0), (100.0, 50.0), (-100.0, 50.0)];
            let ground = Ground::none(hz).solid(&ceiling).tune("gravity_scale", -1.0);
            let mut play = ground.at(x, -19.0).play();
            play.run(0.5);
            // Positions every 4 px from the left end, at x = −100.
            let expected = ((x + 100.0) / 4.0_f64).round() * 4.0 - 100.0;
            near(play.hero().pos.x, expected, 1e-9);
            near(play.hero().pos.y, -19.0, 1e-9);
            assert!(play.hero().grounded);
        }
    }
}

#[test]
fn only_what_falls_along_gravity_is_capped() {
    for hz in RATES {
        for model in WALKERS {
            for up in [1.0, -1.0] {
                let start = |speed: f64| {
                    let ground = Ground::none(hz).model(model).tune("gravity_scale", up);
                    ground.moving(0.0, speed * up).at(0.0, 0.0).play()
                };
                // From 2000 px/s upward, gravity alone slows it: after t seconds 2000 − g·t.
                let mut play = start(2000.0);
                play.run(0.2);
                near(play.hero().vel.y * up, 2000.0 - 3672.0 * 0.2, 1e-6);
                near(play.hero().pos.y * up, 2000.0 * 0.2 - 0.5 * 3672.0 * 0.04, 1e-6);
                play.run(1.0);
                near(play.hero().vel.y * up, -700.0, 1e-9);
                // What falls faster is not slowed down.
                let mut play = start(-900.0);
                play.run(0.5);
                near(play.hero().vel.y * up, -900.0, 1e-9);
            }
        }
    }
}

#[test]
fn a_body_at_its_fall_cap_turns_in_an_inverted_zone() {
    for hz in RATES.into_iter().chain([37, 144]) {
        for model in WALKERS {
            let ground = Ground::none(hz).model(model).at(0.0, 0.0).moving(0.0, -700.0);
            let ground = ground.zone_with("up", (-900.0, -9000.0), (900.0, 9000.0), |zone| {
                zone.gravity_scale = -1.0;
            });
            let mut play = ground.play();
            let lowest = play.run(0.5).iter().map(|h| h.pos.y).fold(0.0, f64::min);
            // 700² / (2 · 3672), up to the part of a tick between two samples.
            near(lowest, -66.72, 700.0 / f64::from(hz));
            play.run(1.0);
            near(play.hero().vel.y, 700.0, 1e-9);
        }
    }
}

#[test]
fn a_body_between_two_gravities_lands_on_both_sides() {
    for hz in RATES {
        for model in WALKERS {
            // Walks along a floor into an inverted zone, falls to the ceiling 200 px above, walks on.
            let ceiling = [(-600.0, 200.0), (900.0, 200.0), (900.0, 240.0), (-600.0, 240.0)];
            let ground = Ground::floor(hz).solid(&ceiling).model(model).at(0.0, 19.0);
            let ground = ground.zone_with("up", (100.0, -900.0), (500.0, 900.0), |zone| {
                zone.gravity_scale = -1.0;
            });
            let mut play = ground.play();
            play.run(0.2);
            play.hold(Action::Right);
            let mut seen = vec![];
            while play.hero().pos.x < 800.0 {
                seen.push(play.tick());
                assert!(seen.len() < 6000, "{hz} Hz, {model:?}");
            }
            let above = seen.iter().filter(|h| h.grounded && h.inverted);
            for hero in above.clone() {
                near(hero.pos.y, 181.0, 1e-6);
            }
            assert!(above.count() > 2, "{hz} Hz, {model:?}");
            assert_eq!((play.told("land"), play.told("leave_ground")), (2, 2), "{hz} Hz, {model:?}");
        }
    }
}

#[test]
fn a_jump_does_not_survive_a_change_of_gravity() {
    for hz in RATES {
        for model in WALKERS {
            let ground = Ground::floor(hz).model(model).at(0.0, 19.0);
            let ground = ground.zone_with("up", (-900.0, 60.0), (900.0, 9000.0), |zone| {
                zone.gravity_scale = -1.0;
            });
            let mut play = ground.play();
            play.run(0.2);
            play.hold(Action::Jump);
            play.run(1.0);
            // It keeps rising, although the key is down, and never turns back.
            assert!(play.hero().vel.y >= 540.0, "{hz} Hz: {}", play.hero().vel);
            // No second jump, and letting go of the key does not cut its speed.
            play.release(Action::Jump);
            play.tick();
            play.hold(Action::Jump);
            play.run(0.2);
            near(play.hero().vel.y, 700.0, 1e-9);
            assert_eq!(play.told("jump"), 1, "{hz} Hz");
        }
    }
}

#[test]
fn the_ground_left_by_a_change_of_gravity_gives_no_coyote_time() {
    for hz in RATES {
        for model in WALKERS {
            let ground = Ground::floor(hz).model(model).at(0.0, 19.0);
            let ground = ground.zone_with("up", (30.0, -900.0), (9000.0, 900.0), |zone| {
                zone.gravity_scale = -1.0;
            });
            let mut play = ground.play();
            play.run(0.1);
            play.hold(Action::Right);
            while play.hero().grounded {
                play.tick();
                assert!(play.world.ticks() < 6000);
            }
            play.hold(Action::Jump);
            let before = play.hero().vel.y;
            play.run(0.08);
            assert_eq!(play.told("jump"), 0, "{hz} Hz, {model:?}");
            assert!(play.hero().vel.y > before, "{hz} Hz, {model:?}");
        }
    }
}

#[test]
fn a_body_in_a_top_view_rises_under_inverted_gravity_and_lands_after_it() {
    for hz in RATES {
        for model in [ModelName::topdown, ModelName::two_velocity] {
            let ground = Ground::none(hz).top_view().model(model).at(0.0, 0.0);
            let ground = ground.zone_with("up", (50.0, -900.0), (120.0, 900.0), |zone| {
                zone.gravity_scale = -1.0;
            });
            let mut play = ground.play();
            play.run(0.1);
            assert!(play.hero().grounded);
            play.hold(Action::Right);
            let seen = play.run(2.0);
            let fastest = seen.iter().map(|h| h.vel_z).fold(0.0, f64::max);
            assert!(fastest > 500.0 && fastest <= 700.0, "{hz} Hz: {fastest}");
            assert!(seen.iter().all(|h| h.z >= 0.0));
            play.release(Action::Right);
            play.run(2.0);
            assert!(play.hero().grounded && play.hero().z == 0.0, "{hz} Hz, {model:?}");
            assert_eq!((play.told("leave_ground"), play.told("land")), (1, 1));
        }
    }
}

#[test]
fn one_entity_can_be_turned_over_while_it_runs() {
    for hz in RATES {
        for model in WALKERS {
            let ceiling = [(-600.0, 200.0), (600.0, 200.0), (600.0, 240.0), (-600.0, 240.0)];
            let mut play = Ground::floor(hz).solid(&ceiling).model(model).play();
            play.run(0.2);
            for (scale, height) in [(-1.0, 181.0), (1.0, 19.0), (-0.5, 181.0)] {
                let tune = Command::Tune(model, "gravity_scale", Setting::Number(scale));
                let id = play.hero().id;
                play.world.order(&play.stage, id, &tune);
                play.run(1.0);
                near(play.hero().pos.y, height, 1e-9);
                assert!(play.hero().grounded, "{hz} Hz, {model:?}, {scale}");
                assert_eq!(play.hero().inverted, scale < 0.0);
            }
            // 162 px up, at once: √(2 · 3672 · 162) is above the fall speed limit of 700.
            let speeds = play.landings();
            assert_eq!(speeds.len(), 3);
            near(speeds[0], 700.0, 1e-6);
            near(speeds[2], 700.0_f64.min((3672.0_f64 * 162.0).sqrt()), 1e-6);
        }
    }
}

#[test]
fn buffered_and_late_presses_jump_off_ceilings() {
    for hz in RATES {
        for model in WALKERS {
            // Pressed 0.05 s before it lands on the ceiling, after a fall of 100 px.
            let ceiling = [(-600.0, 200.0), (100.0, 200.0), (100.0, 240.0), (-600.0, 240.0)];
            let ground = Ground::none(hz).solid(&ceiling).model(model).at(0.0, 81.0);
            let ground = ground.tune("gravity_scale", -1.0);
            let fall = (2.0 * 100.0 / 3672.0_f64).sqrt();
            let mut play = ground.play();
            play.run(fall - 0.05);
            play.hold(Action::Jump);
            play.run(0.3);
            assert_eq!((play.told("land"), play.told("jump")), (1, 1), "{hz} Hz, {model:?}");
            // And 0.05 s after it ran off the ceiling's end.
            let mut play = ground.at(0.0, 181.0).play();
            play.run(0.1);
            play.hold(Action::Right);
            while play.hero().grounded {
                play.tick();
                assert!(play.world.ticks() < 6000);
            }
            play.run(0.05);
            assert!(play.hero().vel.y > 0.0);
            play.hold(Action::Jump);
            play.tick();
            near(play.hero().vel.y, -540.0, 1e-9);
        }
    }
}
