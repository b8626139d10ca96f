//! Time that passes at another rate, for the level, for a body, or in a zone: paths stay the same and take longer or
//! shorter.

use crate::{
    common::{RATES, loaded, near},
    ground::{BODY, Ground, Play},
};
use glam::dvec2;
use hangtime_core::{
    level::{LEAST_RATE, MOST_SCALE, View, rate_of},
    models::{
        Action, ModelName,
        ballistic::{Aim, PlanWork},
    },
    sim::{Command, EntityView, NativeRules, OwnAim, PlannedJump, World},
};
use std::sync::Arc;

const GRAVITY: f64 = 3672.0;
const JUMP: f64 = 540.0;
const HOLD: f64 = 0.278;
const FALL: f64 = 700.0;

/// Rates of time: some divide a tick evenly and some do not.
const SCALES: [f64; 5] = [0.5, 0.3, 0.07, 1.0, 2.0];

fn order(play: &mut Play, command: &Command) {
    let hero = play.world.entities()[0].id;
    play.world.order(&play.stage, hero, command);
}

/// How a rate is set: for the level, for the body, or by a zone that covers everything.
#[derive(Clone, Copy, Debug, PartialEq)]
enum By {
    World,
    Body,
    Zone,
}

const WAYS: [By; 3] = [By::World, By::Body, By::Zone];

fn slowed(ground: &Ground, by: By, scale: f64) -> Play {
    let far = ((-16_000.0, -16_000.0), (16_000.0, 16_000.0));
    let mut play = match by {
        By::Zone => ground.clone().zone_with("slow", far.0, far.1, |zone| zone.time_scale = scale).play(),
        _ => ground.play(),
    };
    match by {
        By::World => order(&mut play, &Command::SetWorldTimeScale(scale)),
        By::Body => order(&mut play, &Command::SetTimeScale(scale)),
        By::Zone => {}
    }
    play
}

/// The height of a held jump `t` seconds after takeoff: `v·t` while the key is held, then gravity up to the fastest fall.
fn held_jump(t: f64) -> f64 {
    let free = (t - HOLD).max(0.0);
    let apex = HOLD + JUMP / GRAVITY;
    let cap = apex + FALL / GRAVITY;
    if t <= cap {
        JUMP * t.min(HOLD) + JUMP * free - 0.5 * GRAVITY * free * free
    } else {
        JUMP * HOLD + JUMP * JUMP / (2.0 * GRAVITY) - FALL * FALL / (2.0 * GRAVITY) - FALL * (t - cap)
    }
}

/// The time until the jump is back on the ground: `v·h + v²/2g = F²/2g + F·(t − cap)`.
fn jump_time() -> f64 {
    let height = JUMP * HOLD + (JUMP * JUMP - FALL * FALL) / (2.0 * GRAVITY);
    HOLD + JUMP / GRAVITY + FALL / GRAVITY + height / FALL
}

#[test]
fn a_held_jump_has_the_same_path_at_every_rate_of_time() {
    for hz in RATES {
        for scale in SCALES {
            for by in WAYS {
                let mut play = slowed(&Ground::floor(hz), by, scale);
                play.hold(Action::Jump);
                let ticks = (jump_time() / scale * f64::from(hz)).floor() as u32;
                for tick in 1..=ticks {
                    let hero = play.tick();
                    near(hero.age, f64::from(tick) * scale / f64::from(hz), 1e-6);
                    near(hero.pos.y - 19.0, held_jump(hero.age), 1e-8);
                    assert!(!hero.grounded, "{by:?} {scale} at {hz} Hz");
                }
                assert!(play.tick().grounded, "{by:?} {scale} at {hz} Hz");
                let level = if by == By::World { scale } else { 1.0 };
                near(play.world.seconds(&play.stage), level * f64::from(ticks + 1) / f64::from(hz), 1e-6);
            }
        }
    }
}

#[test]
fn a_change_of_the_rate_in_mid_jump_keeps_the_path() {
    for hz in RATES {
        for by in [By::World, By::Body] {
            let mut play = slowed(&Ground::floor(hz), by, 1.0);
            play.hold(Action::Jump).hold(Action::Right);
            let mut t = 0.0;
            for tick in 0..hz {
                let scale = [1.0, 0.25, 0.0, 1.7, 0.3][tick as usize % 5];
                let set = if by == By::World { Command::SetWorldTimeScale } else { Command::SetTimeScale };
                order(&mut play, &set(scale));
                let hero = play.tick();
                t += scale / f64::from(hz);
                if t > 0.75 {
                    break;
                }
                near(hero.age, t, 1e-6);
                near(hero.pos.y - 19.0, held_jump(hero.age), 1e-8);
            }
            assert!(t > 0.5);
        }
    }
}

/// All pairs of a model and a view that it supports.
fn everywhere() -> impl Iterator<Item = (ModelName, View)> {
    let pairs = |model: &'static ModelName| {
        let views = model.views().iter();
        views.map(|view| (*model, *view))
    };
    ModelName::ALL.iter().flat_map(pairs)
}

/// A place with everything that may matter: a floor, a wall, a ledge, a lift that turns, and wind.
fn busy(hz: u32, model: ModelName, view: View) -> Ground {
    let mut ground = match view {
        View::Side => Ground::floor(hz)
            .solid(&[(300.0, 0.0), (340.0, 0.0), (340.0, 400.0), (300.0, 400.0)])
            .platform(
                &[(-260.0, 0.0), (-120.0, 0.0), (-120.0, 12.0), (-260.0, 12.0)],
                &[(0.0, 0.0), (70.0, 90.0)],
                130.0,
            ),
        View::Top => Ground::none(hz).block((300.0, -200.0), (340.0, 200.0), 400.0).top_view(),
    };
    ground = ground
        .model(model)
        .at(0.0, 60.0)
        .zone_with("wind", (40.0, -300.0), (160.0, 300.0), |zone| {
            zone.external_accel = dvec2(-220.0, 90.0);
        });
    if model == ModelName::vessel {
        let feet = hangtime_core::models::BodyShape::of_box(24.0, 30.0);
        ground = ground.figure(feet);
    }
    ground
}

/// Keys that change with the time of the body, in seconds.
fn keys(play: &mut Play, t: f64) {
    use Action::{Jump, Left, Right, Up};
    for key in [Jump, Left, Right, Up] {
        play.release(key);
    }
    let held: &[Action] = match t {
        t if t < 0.3 => &[Right],
        t if t < 0.6 => &[Right, Jump, Up],
        t if t < 0.9 => &[Left],
        t if t < 1.2 => &[Left, Jump, Up],
        t if t < 2.0 => &[Left],
        _ => &[],
    };
    for key in held {
        play.hold(*key);
    }
}

fn same(a: &EntityView, b: &EntityView, what: &str) {
    assert_eq!((a.pos, a.z), (b.pos, b.z), "{what}");
    assert_eq!((a.vel, a.vel_z, a.external), (b.vel, b.vel_z, b.external), "{what}");
    assert_eq!((a.angle, a.spin, a.grounded), (b.angle, b.spin, b.grounded), "{what}");
}

#[test]
fn every_model_at_half_rate_moves_bit_for_bit_as_at_twice_as_many_ticks() {
    for hz in [30, 60, 120] {
        for (model, view) in everywhere() {
            let mut fine = busy(2 * hz, model, view).play();
            let mut slow = slowed(&busy(hz, model, view), By::World, 0.5);
            for tick in 0..6 * hz {
                let t = f64::from(tick) / f64::from(2 * hz);
                keys(&mut fine, t);
                keys(&mut slow, t);
                let (expected, hero) = (fine.tick(), slow.tick());
                same(&hero, &expected, &format!("{model} in a {view} view, tick {tick} at {hz} Hz"));
                near(hero.age, expected.age, 1e-9);
            }
        }
    }
}

#[test]
fn platforms_carry_a_rider_alike_at_every_rate_of_the_world() {
    for hz in RATES {
        for scale in [0.5, 0.3, 2.0] {
            let lift = [(-80.0, -10.0), (80.0, -10.0), (80.0, 0.0), (-80.0, 0.0)];
            let ground = Ground::none(hz).platform(&lift, &[(0.0, 0.0), (120.0, 60.0)], 90.0);
            let mut play = slowed(&ground, By::World, scale);
            let length = 120.0_f64.hypot(60.0);
            for tick in 1..=4 * hz {
                let hero = play.tick();
                // There and back: the distance along the path, folded at its ends.
                near(play.world.seconds(&play.stage), scale * f64::from(tick) / f64::from(hz), 1e-6);
                let traveled = 90.0 * play.world.seconds(&play.stage);
                let lap = traveled % (2.0 * length);
                let share = lap.min(2.0 * length - lap) / length;
                near(hero.pos.y, 19.0 + 60.0 * share, 1e-6);
                near(hero.pos.x, 120.0 * share, 4.5);
                assert!(hero.grounded);
            }
        }
    }
}

#[test]
fn a_slow_body_is_carried_at_the_speed_of_its_platform() {
    for hz in RATES {
        for scale in [0.0, 0.1, 0.5, 2.0] {
            let lift = [(-80.0, -10.0), (80.0, -10.0), (80.0, 0.0), (-80.0, 0.0)];
            let ground =
                Ground::none(hz)
                    .tune("rest_spacing", 0.0)
                    .platform(&lift, &[(0.0, 0.0), (900.0, 300.0)], 100.0);
            let mut play = ground.play();
            play.tick();
            order(&mut play, &Command::SetTimeScale(scale));
            for tick in 2..=2 * hz {
                let hero = play.tick();
                let share = 100.0 * f64::from(tick) / f64::from(hz) / 900.0_f64.hypot(300.0);
                near(hero.pos.x, 900.0 * share, 1e-6);
                near(hero.pos.y, 19.0 + 300.0 * share, 1e-6);
                assert_eq!(hero.vel, dvec2(0.0, 0.0));
            }
        }
    }
}

#[test]
fn a_platform_that_pushes_a_slow_body_gives_it_its_own_speed() {
    let ram = [(-60.0, -40.0), (0.0, -40.0), (0.0, 40.0), (-60.0, 40.0)];
    for hz in RATES {
        for scale in [0.25, 0.5, 2.0] {
            let ground = Ground::none(hz)
                .gravity(0.0)
                .platform(&ram, &[(0.0, 0.0), (3000.0, 0.0)], 100.0)
                .at(BODY.half.x + 7.0, 0.0);
            let mut play = slowed(&ground, By::Body, scale);
            for hero in play.run(1.0) {
                let face = play.world.ticks();
                assert!(face > 0);
                // In a second of the body the ram covers more or less than 100 px.
                let pushed = hero.pos.x > BODY.half.x + 7.0 + 1e-6;
                near(hero.vel.x, if pushed { 100.0 / scale } else { 0.0 }, 1e-6);
            }
            near(play.hero().pos.x, BODY.half.x + 100.0, 1e-6);
        }
    }
}

#[test]
fn a_pause_keeps_everything_and_continues_as_if_it_had_not_been() {
    for hz in RATES {
        for (model, view) in everywhere() {
            for by in [By::World, By::Body] {
                let (mut expected, mut play) = (busy(hz, model, view).play(), busy(hz, model, view).play());
                let set = if by == By::World { Command::SetWorldTimeScale } else { Command::SetTimeScale };
                if by == By::Body {
                    // The lift does not wait for a body that stands still.
                    for play in [&mut expected, &mut play] {
                        play.stage = busy(hz, model, view).stage();
                        order(play, &Command::Place(dvec2(80.0, 200.0), None));
                    }
                }
                for tick in 0..hz {
                    let t = f64::from(tick) / f64::from(hz);
                    keys(&mut expected, t);
                    keys(&mut play, t);
                    same(&play.tick(), &expected.tick(), "before");
                }
                let before = play.hero();
                let events = play.events.len();
                order(&mut play, &set(0.0));
                for _ in 0..hz {
                    let hero = play.tick();
                    same(&hero, &before, &format!("{model} {by:?}"));
                    assert_eq!((hero.age, hero.rate), (before.age, 0.0));
                }
                assert_eq!(play.events.len(), events);
                order(&mut play, &set(1.0));
                if by == By::Body {
                    continue;
                }
                for tick in hz..2 * hz {
                    let t = f64::from(tick) / f64::from(hz);
                    keys(&mut expected, t);
                    keys(&mut play, t);
                    same(&play.tick(), &expected.tick(), &format!("{model} {view} after {tick} at {hz} Hz"));
                }
            }
        }
    }
}

#[test]
fn a_press_in_a_pause_does_nothing_and_a_release_ends_the_jump_after_it() {
    for hz in RATES {
        let mut play = Ground::floor(hz).play();
        play.tick();
        order(&mut play, &Command::SetWorldTimeScale(0.0));
        play.hold(Action::Jump);
        play.run(0.2);
        order(&mut play, &Command::SetWorldTimeScale(1.0));
        play.run(0.2);
        assert_eq!((play.told("jump"), play.hero().grounded), (0, true), "a key that is down is not a press");
        play.release(Action::Jump).tick();
        play.hold(Action::Jump).tick();
        play.tick();
        assert_eq!(play.told("jump"), 1);
        order(&mut play, &Command::SetWorldTimeScale(0.0));
        play.release(Action::Jump).tick();
        let hero = play.hero();
        assert_eq!(hero.vel.y, JUMP);
        order(&mut play, &Command::SetWorldTimeScale(1.0));
        near(play.tick().vel.y, -GRAVITY * play.dt(), 1e-9);
    }
}

#[test]
fn coyote_time_and_buffer_last_as_long_in_the_time_of_the_body() {
    // The window of 0.1 s, seen from outside: the last tick in which a jump starts begins at most 0.1 s of its time after
    // the body left.
    for hz in RATES {
        for scale in [0.5, 0.3, 1.0, 2.0] {
            for by in WAYS {
                let ledge = Ground::none(hz)
                    .solid(&[(-400.0, -50.0), (0.0, -50.0), (0.0, 0.0), (-400.0, 0.0)])
                    .at(-20.0, 19.0);
                let step = rate_of(scale) / f64::from(hz);
                let window = ((0.1 + 1e-9) / step).floor() as usize;
                for (late, jumps) in [(window, true), (window + 1, false)] {
                    let mut play = slowed(&ledge, by, scale);
                    play.hold(Action::Right);
                    while play.tick().grounded {}
                    // It left as that tick ended.
                    for _ in 0..late {
                        play.tick();
                    }
                    play.hold(Action::Jump).tick();
                    assert_eq!(play.told("jump") == 1, jumps, "{late} ticks late, {by:?} {scale} at {hz} Hz");
                }
            }
        }
    }
}

#[test]
fn a_bubble_slows_a_body_inside_and_no_other() {
    for hz in RATES {
        let ground = Ground::none(hz).gravity(0.0).at(-100.0, 0.0).moving(200.0, 0.0);
        let bubble = ground
            .clone()
            .zone_with("bubble", (0.0, -50.0), (100.0, 50.0), |zone| zone.time_scale = 0.25);
        let mut play = bubble.play();
        let mut left = None;
        for tick in 1..=4 * hz {
            let hero = play.tick();
            let t = f64::from(tick) / f64::from(hz);
            // 100 px at 200 px/s, 100 px at 50 px/s, then at 200 px/s: the tick is divided where it crosses.
            let x = match t {
                t if t <= 0.5 => -100.0 + 200.0 * t,
                t if t <= 2.5 => 50.0 * (t - 0.5),
                t => 100.0 + 200.0 * (t - 2.5),
            };
            near(hero.pos.x, x, 1e-3);
            assert_eq!(hero.vel, dvec2(200.0, 0.0));
            let age = if t <= 0.5 {
                t
            } else {
                0.5 + (0.25 * (t - 0.5)).min(0.5) + (t - 2.5).max(0.0)
            };
            near(hero.age, age, 1e-5);
            if hero.zones.is_empty() && x > 0.0 {
                left = left.or(Some(t));
            }
        }
        near(left.expect("it leaves"), 2.5, 1.5 / f64::from(hz));
    }
}

#[test]
fn zones_multiply_with_the_body_and_the_world() {
    for hz in RATES {
        let far = ((-900.0, -900.0), (900.0, 900.0));
        let zone = |ground: Ground, scale: f64| ground.zone_with("z", far.0, far.1, |zone| zone.time_scale = scale);
        let ground = zone(zone(Ground::none(hz).gravity(0.0).moving(100.0, 0.0), 0.5), 0.8);
        let mut play = ground.play();
        order(&mut play, &Command::SetTimeScale(0.5));
        order(&mut play, &Command::SetWorldTimeScale(2.0));
        play.run(1.0);
        near(play.hero().rate, 0.4, 1e-7);
        near(play.hero().pos.x, 40.0, 1e-5);
        near(play.world.seconds(&play.stage), 2.0, 1e-9);
        order(&mut play, &Command::SetTimeScale(MOST_SCALE));
        order(&mut play, &Command::SetWorldTimeScale(MOST_SCALE));
        assert_eq!(play.hero().rate, MOST_SCALE, "the product has the same limit");
        order(&mut play, &Command::SetTimeScale(0.9 * LEAST_RATE));
        order(&mut play, &Command::SetWorldTimeScale(1.0));
        let before = play.hero().pos;
        play.run(0.5);
        assert_eq!((play.hero().pos, play.hero().rate), (before, 0.0), "so slow is still");
    }
}

#[test]
fn a_planned_jump_arrives_on_the_same_point_at_every_rate() {
    for hz in RATES {
        for scale in SCALES {
            for by in WAYS {
                let mut play = slowed(&Ground::floor(hz), by, scale);
                play.tick();
                let aim = Aim { at: dvec2(160.0, 0.0), clearance: 60.0, velocity: None };
                let began = play.hero().age;
                let (view, standing) = (play.hero(), play.world.standing(&play.stage));
                let mut work = PlanWork::up_to(8_000);
                let plan = play
                    .stage
                    .plan_jump(play.world.ticks(), &standing, 0, &view, &aim, &mut work)
                    .expect("a plan");
                // T = 2·√(2H/g)
                near(plan.flight.time, 2.0 * (2.0 * 60.0_f64 / GRAVITY).sqrt(), 1e-9);
                let jump = PlannedJump { aim, flight: plan.flight, work: work.done };
                order(&mut play, &Command::JumpTo(Box::new(jump)));
                let ticks = plan.flight.time / scale * f64::from(hz);
                for tick in 1..=ticks.floor() as u32 {
                    let hero = play.tick();
                    near(hero.age - began, f64::from(tick) * scale / f64::from(hz), 1e-6);
                    near(hero.pos.x, 160.0 * (hero.age - began) / plan.flight.time, 1e-7);
                }
                let hero = play.tick();
                near(hero.pos.x, 160.0, 1e-3);
                assert!(hero.grounded, "{by:?} {scale} at {hz} Hz");
            }
        }
    }
}

#[test]
fn a_planned_jump_meets_a_platform_at_different_rates_of_body_and_world() {
    let lift = [(200.0, 40.0), (320.0, 40.0), (320.0, 50.0), (200.0, 50.0)];
    for hz in RATES {
        for (world, body) in [(1.0, 1.0), (0.5, 1.0), (1.0, 0.5), (0.3, 2.0), (2.0, 0.7)] {
            let ground = Ground::floor(hz).platform(&lift, &[(0.0, 0.0), (80.0, 120.0)], 60.0);
            let mut play = ground.play();
            order(&mut play, &Command::SetWorldTimeScale(world));
            order(&mut play, &Command::SetTimeScale(body));
            play.tick();
            let standing = play.world.standing(&play.stage);
            let at = dvec2(260.0, 50.0) + standing.offsets[0];
            let aim = Aim { at, clearance: 60.0, velocity: None };
            let view = play.hero();
            let mut work = PlanWork::up_to(80_000);
            let plan = play
                .stage
                .plan_jump(play.world.ticks(), &standing, 0, &view, &aim, &mut work)
                .expect("a plan");
            let jump = PlannedJump { aim, flight: plan.flight, work: work.done };
            order(&mut play, &Command::JumpTo(Box::new(jump)));
            for _ in 0..(plan.flight.time / (world * body) * f64::from(hz)).ceil() as u32 {
                play.tick();
            }
            let hero = play.hero();
            assert_eq!(&*hero.solid, "platform 0", "{world} {body} at {hz} Hz: {}", hero.pos);
            let moved = play.world.standing(&play.stage).offsets[0];
            near(hero.pos.x, 260.0 + moved.x, 1e-3);
        }
    }
}

#[test]
fn a_body_that_stands_still_plans_no_jump() {
    let mut play = slowed(&Ground::floor(60), By::World, 0.0);
    play.tick();
    let standing = play.world.standing(&play.stage);
    let aim = Aim { at: dvec2(160.0, 0.0), clearance: 60.0, velocity: None };
    let mut work = PlanWork::up_to(8_000);
    let error = play.stage.plan_jump(play.world.ticks(), &standing, 0, &play.hero(), &aim, &mut work);
    assert_eq!(error.expect_err("refused").to_string(), "its time stands still");
    let aim = OwnAim { at: dvec2(60.0, 0.0), run_up: false };
    let changes = play.world.changes().clone();
    let own = play.stage.plan_own_jump(play.world.ticks(), &changes, 0, &play.hero(), aim, &mut work);
    assert!(own.is_err());
}

#[test]
fn a_jump_with_its_keys_lands_where_it_was_planned() {
    for hz in RATES {
        for (scale, by) in [(0.5, By::World), (0.5, By::Body), (0.3, By::World), (2.0, By::Body)] {
            let step = [(90.0, 0.0), (400.0, 0.0), (400.0, 60.0), (90.0, 60.0)];
            let mut play = slowed(&Ground::floor(hz).tune("rest_spacing", 0.0).solid(&step), by, scale);
            play.tick();
            let aim = OwnAim { at: dvec2(150.0, 60.0), run_up: false };
            let (changes, mut work) = (play.world.changes().clone(), PlanWork::up_to(1_000_000));
            let plan = play.stage.plan_own_jump(play.world.ticks(), &changes, 0, &play.hero(), aim, &mut work);
            let plan = plan.expect("a jump");
            // Keys are held in the time of the body.
            let began = play.hero().age;
            let mut landed = false;
            while !landed {
                let t = play.hero().age - began;
                play.input = Default::default();
                if t < plan.hold - 1e-6 {
                    play.hold(Action::Jump);
                }
                if t < plan.steer - 1e-6 {
                    play.hold(if plan.side > 0.0 { Action::Right } else { Action::Left });
                }
                landed = play.tick().grounded && t > 0.0;
                assert!(t < 3.0);
            }
            let at = play.events.iter().rev().find_map(|event| match event.kind {
                hangtime_core::sim::EventKind::Land { at, .. } => Some(at),
                _ => None,
            });
            let at = at.expect("it has landed");
            near(at.x, plan.at.x, 1e-6);
            near(at.y, plan.at.y, 1e-6);
        }
    }
}

#[test]
fn a_saved_world_plays_on_alike_in_the_midst_of_slow_time() {
    for (model, view) in everywhere() {
        let ground =
            busy(60, model, view).zone_with("slow", (-50.0, -90.0), (60.0, 120.0), |zone| zone.time_scale = 0.4);
        let mut play = ground.play();
        for tick in 0..240_u32 {
            match tick {
                30 => order(&mut play, &Command::SetWorldTimeScale(0.3)),
                45 => order(&mut play, &Command::After(0.4, Arc::from("ring"), hangtime_core::sim::Value::Unit)),
                60 => order(&mut play, &Command::SetTimeScale(1.7)),
                90 => order(&mut play, &Command::SetWorldTimeScale(0.0)),
                100 => order(&mut play, &Command::SetWorldTimeScale(1.9)),
                _ => {}
            }
            keys(&mut play, f64::from(tick) / 60.0);
            play.tick();
            if tick % 16 == 0 {
                let saved = serde_json::to_string(&play.world).expect("it is saved");
                let read = loaded(&saved, &play.stage);
                assert_eq!((&read, read.hash()), (&play.world, play.world.hash()));
                play.world = read;
            }
        }
        let mut whole = ground.play();
        for tick in 0..240_u32 {
            match tick {
                30 => order(&mut whole, &Command::SetWorldTimeScale(0.3)),
                45 => order(&mut whole, &Command::After(0.4, Arc::from("ring"), hangtime_core::sim::Value::Unit)),
                60 => order(&mut whole, &Command::SetTimeScale(1.7)),
                90 => order(&mut whole, &Command::SetWorldTimeScale(0.0)),
                100 => order(&mut whole, &Command::SetWorldTimeScale(1.9)),
                _ => {}
            }
            keys(&mut whole, f64::from(tick) / 60.0);
            whole.tick();
        }
        assert_eq!(whole.world.hash(), play.world.hash(), "{model} in a {view} view");
        assert_eq!((play.told("ring"), whole.told("ring")), (1, 1));
    }
}

#[test]
fn a_rate_of_1_leaves_saved_texts_and_hashes_as_they_are() {
    let (mut plain, mut play) = (Ground::floor(60).play(), Ground::floor(60).play());
    order(&mut play, &Command::SetWorldTimeScale(1.0));
    order(&mut play, &Command::SetTimeScale(1.0));
    for play in [&mut plain, &mut play] {
        play.hold(Action::Jump).hold(Action::Right);
        play.run(0.5);
    }
    let text = |play: &Play| serde_json::to_string(&play.world).expect("it is saved");
    assert_eq!((text(&plain), plain.world.hash()), (text(&play), play.world.hash()));
    assert!(!text(&plain).contains("clock") && text(&plain).contains("\"born\":0,"));
    order(&mut play, &Command::SetWorldTimeScale(0.5));
    assert_ne!(plain.world.hash(), play.world.hash());
}

#[test]
fn timers_follow_the_time_of_their_entity() {
    for hz in RATES {
        for scale in [0.5, 0.3, 2.0, 8.0] {
            for by in WAYS {
                let mut play = slowed(&Ground::floor(hz), by, scale);
                order(&mut play, &Command::After(0.5, Arc::from("ring"), hangtime_core::sim::Value::Unit));
                let mut rang = None;
                for tick in 1..=8 * hz {
                    play.tick();
                    if play.events.iter().any(|event| event.kind.name() == "ring") {
                        rang = Some(f64::from(tick) * scale / f64::from(hz));
                        break;
                    }
                }
                // In the tick that comes closest.
                near(rang.expect("it rings"), 0.5, 0.5 * scale.max(1.0) / f64::from(hz) + 1e-6);
            }
        }
    }
}

#[test]
fn a_reload_and_a_restart_keep_or_end_the_rate() {
    let ground = Ground::floor(60);
    let mut play = slowed(&ground, By::World, 0.25);
    order(&mut play, &Command::SetTimeScale(0.5));
    play.hold(Action::Jump);
    play.run(0.5);
    let (before, rate) = (play.world.seconds(&play.stage), play.hero().rate);
    let stage = ground.stage();
    play.world.adopt(&play.stage, &stage);
    play.stage = stage;
    assert_eq!((play.world.seconds(&play.stage), play.hero().rate, rate), (before, 0.125, 0.125));
    play.run(0.5);
    near(play.world.seconds(&play.stage), 0.25, 1e-9);
    let restart = hangtime_core::sim::LevelOrder { level: None, data: None };
    order(&mut play, &Command::Level(restart));
    play.tick();
    near(play.world.seconds(&play.stage), 1.0 / 60.0, 1e-12);
    assert_eq!((play.hero().rate, play.world.time_scale()), (1.0, 1.0));
    let mut fresh: World = World::new(&play.stage, 0);
    fresh.tick(&play.stage, &hangtime_core::sim::Inputs::none(), &mut NativeRules);
    near(fresh.seconds(&play.stage), play.world.seconds(&play.stage), 1e-12);
}
