//! Bodies that change their size: stances, and sizes that scripts set.

use crate::{
    common::{RATES, loaded, near},
    ground::{Ground, Play},
};
use glam::{DVec2, dvec2};
use hangtime_core::{
    geometry::Collider,
    level::{Feature, Zone},
    models::{
        Action::{self, Down, Jump, Left, Right},
        ModelName,
    },
    sim::{Command, EntityId, EventKind, Inputs, NativeRules, SavedWorld, World},
    tuning::Setting,
};
use serde_json::json;
use std::sync::Arc;

/// Half the height of the body, standing and crouching, px. Both are 20 px wide.
const TALL: f64 = 19.0;
const LOW: f64 = 12.0;

/// The models that walk in a side view.
const WALKERS: [ModelName; 2] = [ModelName::platformer, ModelName::two_velocity];

const GRAVITY: f64 = 3672.0;

/// A hero who crouches while Down is held.
fn croucher(ground: Ground) -> Ground {
    ground.stance("crouch", (20.0, 2.0 * LOW), Some(Down))
}

fn stance(play: &Play) -> Option<String> {
    play.hero().stance.as_deref().map(String::from)
}

fn resize(play: &mut Play, width: f64, height: f64) {
    order(play, Command::Resize(Some(dvec2(width, height))));
}

fn order(play: &mut Play, command: Command) {
    play.world.order(&play.stage, EntityId(1), &command);
}

/// The lowest point of the hero.
fn feet(play: &Play) -> f64 {
    let hero = play.hero();
    hero.pos.y - hero.depth
}

/// Whether the body overlaps a solid.
fn overlaps(play: &Play) -> bool {
    let hero = play.hero();
    let standing = play.world.standing(&play.stage);
    let scenery = play.stage.level.terrain_at(hero.z).moved(&standing);
    scenery.overlap(Collider::ellipse(hero.half.x, hero.half.y), hero.pos).is_some()
}

#[test]
fn a_crouch_keeps_the_feet_bit_for_bit_and_ends_with_the_key() {
    for hz in RATES {
        for model in WALKERS {
            for floor in [0.0, 33.25, -1024.5] {
                let ground = Ground::none(hz).model(model).solid(&[
                    (-500.0, floor - 50.0),
                    (500.0, floor - 50.0),
                    (500.0, floor),
                    (-500.0, floor),
                ]);
                let mut play = croucher(ground.at(1.0, floor + TALL)).play();
                play.run(0.2);
                let stood = play.hero().pos;
                for _ in 0..3 {
                    play.hold(Down);
                    let hero = play.tick();
                    assert_eq!((hero.half, hero.depth), (dvec2(10.0, LOW), LOW), "{model:?} {hz} Hz");
                    assert_eq!(hero.pos, dvec2(stood.x, floor + LOW));
                    assert!(hero.grounded && hero.resized);
                    assert_eq!(stance(&play).as_deref(), Some("crouch"));
                    play.run(0.1);
                    let hero = play.release(Down).tick();
                    assert_eq!((hero.pos, hero.half), (stood, dvec2(10.0, TALL)), "{model:?} {hz} Hz");
                    assert!(hero.grounded && !hero.resized && hero.stance.is_none());
                    play.run(0.1);
                }
                assert_eq!((play.told("land"), play.told("leave_ground")), (0, 0));
            }
        }
    }
}

#[test]
fn a_body_stands_up_in_the_first_tick_in_which_there_is_room() {
    // A roof that is 30 px above the floor and ends at x = 100: the standing body is in its way while its upper
    // part reaches under it. The ellipse with center (x, 19) touches the corner (100, 30) at
    // x = 100 + 10·√(1 − (11/19)²).
    let corner = 100.0 + 10.0 * (1.0 - (11.0_f64 / TALL).powi(2)).sqrt();
    for hz in RATES {
        for model in WALKERS {
            let roof = [(-200.0, 30.0), (100.0, 30.0), (100.0, 80.0), (-200.0, 80.0)];
            let mut play = croucher(Ground::floor(hz).model(model).solid(&roof).at(-260.0, TALL)).play();
            play.hold(Down).hold(Right);
            while play.hero().pos.x < 0.0 {
                play.tick();
                assert!(!overlaps(&play));
            }
            play.release(Down);
            let mut before = play.hero();
            for _ in 0..4 * hz {
                let hero = play.tick();
                assert!(!overlaps(&play), "{model:?} {hz} Hz at {}", hero.pos);
                // Room counts at the beginning of the tick.
                let room = before.pos.x >= corner - 1e-3;
                assert_eq!(hero.stance.is_none(), room, "{model:?} {hz} Hz at {}", before.pos);
                if room {
                    near(hero.pos.y, TALL, 1e-9);
                } else {
                    near(hero.pos.y, LOW, 1e-9);
                }
                before = hero;
            }
            assert!(before.pos.x > corner);
        }
    }
}

#[test]
fn only_a_crouching_body_gets_through_a_tunnel() {
    for hz in RATES {
        for model in WALKERS {
            let roof = [(0.0, 2.0 * LOW + 0.5), (300.0, 2.0 * LOW + 0.5), (300.0, 200.0), (0.0, 200.0)];
            for crouches in [false, true] {
                let mut play = croucher(Ground::floor(hz).model(model).solid(&roof).at(-60.0, TALL)).play();
                play.hold(Right);
                if crouches {
                    play.hold(Down);
                }
                let end = play.run(3.0).last().expect("some ticks").pos.x;
                assert_eq!(end > 310.0, crouches, "{model:?} {hz} Hz: {end}");
            }
        }
    }
}

#[test]
fn inverted_gravity_keeps_the_highest_point() {
    for hz in RATES {
        for model in WALKERS {
            let ceiling = [(-500.0, 0.0), (5000.0, 0.0), (5000.0, 50.0), (-500.0, 50.0)];
            // Something is 30 px below the ceiling for x < 100.
            let under = [(-500.0, -80.0), (100.0, -80.0), (100.0, -30.0), (-500.0, -30.0)];
            let ground = Ground::none(hz).model(model).gravity(-GRAVITY).solid(&ceiling).solid(&under);
            let mut play = croucher(ground.at(200.0, -TALL)).play();
            play.run(0.1);
            play.hold(Down);
            let hero = play.tick();
            assert_eq!((hero.pos.y, hero.grounded), (-LOW, true), "{model:?} {hz} Hz");
            play.hold(Left);
            while play.hero().pos.x > 0.0 {
                play.tick();
            }
            play.release(Left).release(Down);
            for hero in play.run(0.5) {
                near(hero.pos.y, -LOW, 1e-9);
            }
            play.hold(Right);
            play.run(2.0);
            near(play.hero().pos.y, -TALL, 1e-9);
        }
    }
}

/// A one-way platform high above a floor, with a body on it that crouches with Down.
fn ledge(hz: u32, model: ModelName) -> Play {
    let floor = [(-500.0, -500.0), (500.0, -500.0), (500.0, -400.0), (-500.0, -400.0)];
    let ground = Ground::none(hz).model(model).solid(&floor).one_way(&[(-100.0, 0.0), (100.0, 0.0)]);
    let mut play = croucher(ground.at(0.0, TALL)).play();
    play.run(0.2);
    assert!(play.hero().grounded);
    play
}

#[test]
fn on_a_one_way_platform_down_crouches_and_down_with_jump_drops() {
    for hz in RATES {
        for model in WALKERS {
            let mut play = ledge(hz, model);
            play.hold(Down);
            for hero in play.run(0.5) {
                assert_eq!((hero.pos.y, hero.grounded), (LOW, true), "{model:?} {hz} Hz");
            }
            // A tap of Jump is enough, and is no jump.
            play.hold(Jump).tick();
            play.release(Jump);
            for hero in play.run(0.4) {
                assert!(hero.vel.y <= 0.0);
            }
            assert!(play.hero().pos.y < -100.0, "{model:?} {hz} Hz");
            assert_eq!(play.told("jump"), 0);
            // So is a tap of both.
            let mut play = ledge(hz, model);
            play.hold(Down).hold(Jump).tick();
            play.release(Down).release(Jump);
            play.run(0.4);
            assert!(play.hero().pos.y < -100.0, "{model:?} {hz} Hz");
            assert_eq!(play.told("jump"), 0);
        }
    }
}

#[test]
fn from_solid_ground_a_crouching_body_jumps() {
    for hz in RATES {
        let mut play = croucher(Ground::floor(hz)).play();
        play.hold(Down);
        play.run(0.1);
        play.hold(Jump);
        play.run(0.2);
        assert_eq!(play.told("jump"), 1, "{hz} Hz");
        assert_eq!(stance(&play).as_deref(), Some("crouch"));
    }
}

#[test]
fn a_stance_with_another_action_leaves_down_as_it_was() {
    for hz in RATES {
        let ground = Ground::none(hz).one_way(&[(-100.0, 0.0), (100.0, 0.0)]);
        let mut play = ground.stance("duck", (20.0, 24.0), Some(Action::Up)).at(0.0, TALL).play();
        play.run(0.1);
        play.hold(Down);
        play.run(0.3);
        assert!(play.hero().pos.y < 0.0, "{hz} Hz");
    }
}

#[test]
fn a_body_crouches_on_a_moving_platform_as_on_the_ground() {
    for hz in RATES {
        for model in WALKERS {
            for way in [(900.0, 0.0), (0.0, 900.0), (0.0, -900.0), (500.0, 400.0)] {
                let raft = [(-80.0, -20.0), (80.0, -20.0), (80.0, 0.0), (-80.0, 0.0)];
                let ground = Ground::none(hz).model(model).platform(&raft, &[(0.0, 0.0), way], 90.0);
                let mut play = croucher(ground.at(4.0, TALL)).play();
                play.run(0.3);
                let offset = |play: &Play| {
                    let seconds = play.world.ticks() as f64 * play.dt();
                    dvec2(way.0, way.1).normalize() * 90.0 * seconds
                };
                let x = play.hero().pos.x - offset(&play).x;
                for tick in 0..2 * hz {
                    if tick % (hz / 3) == 0 {
                        play.hold(Down);
                    } else if tick % (hz / 3) == hz / 6 {
                        play.release(Down);
                    }
                    let hero = play.tick();
                    assert!(hero.grounded, "{model:?} {hz} Hz {way:?}");
                    near(feet(&play), offset(&play).y, 1e-6);
                    near(hero.pos.x - offset(&play).x, x, 1e-6);
                }
                assert_eq!(play.told("leave_ground"), 0);
            }
        }
    }
}

#[test]
fn on_slopes_and_at_ledges_a_body_that_crouches_stays_on_its_ground() {
    for hz in RATES {
        for model in WALKERS {
            // A slope of 30°, and the end of a floor at x = 0 over which the center of the body hangs by 4 px.
            let rise = 400.0 * (30.0_f64).to_radians().tan();
            let slope = [(-400.0, 0.0), (400.0, 2.0 * rise), (400.0, -100.0), (-400.0, -100.0)];
            let floor = [(-400.0, -50.0), (0.0, -50.0), (0.0, 0.0), (-400.0, 0.0)];
            for (outline, x, y) in [(&slope, 0.0, rise + 30.0), (&floor, 4.0, 19.0)] {
                let mut play = croucher(Ground::none(hz).model(model).solid(outline).at(x, y)).play();
                play.run(0.6);
                assert!(play.hero().grounded, "{model:?} {hz} Hz");
                let stood = play.hero().pos;
                play.events.clear();
                for _ in 0..4 {
                    for action in [true, false] {
                        if action {
                            play.hold(Down);
                        } else {
                            play.release(Down);
                        }
                        for hero in play.run(0.2) {
                            assert!(hero.grounded, "{model:?} {hz} Hz from {stood}");
                            assert!(!overlaps(&play));
                        }
                    }
                }
                // A rest position is at most half of 4 px away.
                near(play.hero().pos.x, stood.x, 2.1);
                assert_eq!((play.told("land"), play.told("leave_ground")), (0, 0), "{model:?} {hz} Hz");
            }
        }
    }
}

#[test]
fn a_body_grows_next_to_walls_and_never_into_them() {
    for hz in RATES {
        let wall = [(10.0, 0.0), (60.0, 0.0), (60.0, 300.0), (10.0, 300.0)];
        let mut play = Ground::floor(hz).model(ModelName::two_velocity).solid(&wall).at(0.0, TALL).play();
        play.run(0.1);
        resize(&mut play, 40.0, 60.0);
        let hero = play.tick();
        assert_eq!(hero.half, dvec2(20.0, 30.0), "{hz} Hz");
        near(hero.pos.x, -10.0, 0.01);
        near(hero.pos.y, 30.0, 1e-9);
        assert!(hero.grounded && !overlaps(&play));
        // Back to the kind's size, where it is.
        order(&mut play, Command::Resize(None));
        let hero = play.tick();
        assert_eq!((hero.half, hero.resized), (dvec2(10.0, TALL), false));
        near(hero.pos.y, TALL, 1e-9);
    }
}

#[test]
fn a_body_without_room_keeps_its_size() {
    for hz in RATES {
        let roof = [(-50.0, 50.0), (50.0, 50.0), (50.0, 90.0), (-50.0, 90.0)];
        let left = [(-60.0, 0.0), (-14.0, 0.0), (-14.0, 300.0), (-60.0, 300.0)];
        let right = [(14.0, 0.0), (60.0, 0.0), (60.0, 300.0), (14.0, 300.0)];
        for (solids, grows) in [(vec![roof], (20.0, 51.0)), (vec![left, right], (29.0, 38.0))] {
            let ground = solids.iter().fold(Ground::floor(hz), |ground, solid| ground.solid(solid));
            let mut play = ground.play();
            play.run(0.1);
            let before = play.hero();
            resize(&mut play, grows.0, grows.1);
            let after = play.tick();
            assert_eq!((after.pos, after.half), (before.pos, before.half), "{hz} Hz {grows:?}");
            // What fits is taken.
            resize(&mut play, grows.0 - 2.0, grows.1 - 2.0);
            let after = play.tick();
            assert_eq!(after.half, dvec2(grows.0 - 2.0, grows.1 - 2.0) * 0.5);
            assert!(!overlaps(&play));
        }
    }
}

#[test]
fn the_refusal_names_what_is_in_the_way() {
    let roof = [(-50.0, 50.0), (50.0, 50.0), (50.0, 90.0), (-50.0, 90.0)];
    let play = Ground::floor(60).solid(&roof).play();
    let standing = play.world.standing(&play.stage);
    let plan = |size| play.stage.plan_size(&standing, 0, &play.hero(), Some(size));
    let refusal = plan(dvec2(20.0, 60.0)).expect_err("there is a roof").to_string();
    assert_eq!(refusal, "there is no room for 20 by 60 px: `solid 2` is in the way");
    assert_eq!(plan(dvec2(20.0, 48.0)), Ok((dvec2(0.0, 24.0), dvec2(10.0, 24.0))));
    let vessel = Ground::floor(60).model(ModelName::vessel).play();
    let plan = vessel.stage.plan_size(&standing, 0, &vessel.hero(), Some(dvec2(20.0, 60.0)));
    let refusal = plan.expect_err("it turns").to_string();
    assert_eq!(refusal, "a body of the model `vessel` consists of pieces, which have no size");
}

#[test]
fn a_restored_world_with_a_body_that_is_kept_low_plays_on_the_same() {
    for hz in RATES {
        let roof = [(-200.0, 30.0), (100.0, 30.0), (100.0, 80.0), (-200.0, 80.0)];
        let mut play = croucher(Ground::floor(hz).solid(&roof).at(-260.0, TALL)).play();
        play.hold(Down).hold(Right);
        while play.hero().pos.x < 0.0 {
            play.tick();
        }
        // Only the roof keeps it low.
        play.release(Down).tick();
        let saved = serde_json::to_string(&play.world).expect("it is saved");
        assert!(saved.contains("crouch"));
        let mut other = loaded(&saved, &play.stage);
        assert_eq!((other.hash(), &other), (play.world.hash(), &play.world));
        let mut copy = play.world.clone();
        for _ in 0..2 * hz {
            let inputs = Inputs::of_first(play.input);
            play.tick();
            for world in [&mut other, &mut copy] {
                world.tick(&play.stage, &inputs, &mut NativeRules);
                assert_eq!(world.hash(), play.world.hash());
            }
        }
        assert_eq!(stance(&play), None);
    }
}

#[test]
fn a_saved_size_is_checked() {
    let mut play = croucher(Ground::floor(60)).play();
    resize(&mut play, 30.0, 30.0);
    order(&mut play, Command::SetStance(Some("crouch".into())));
    play.tick();
    let saved = serde_json::to_value(&play.world).expect("it is saved");
    let at = "/population/entities/0/posture";
    for (field, value, named) in [
        ("size/0", json!(0.1), "posture.size[0]"),
        ("size/1", json!(1e9), "posture.size[1]"),
        ("stance", json!("crawl"), "posture.stance"),
        ("set", json!("crawl"), "posture.set"),
    ] {
        let mut changed = saved.clone();
        *changed.pointer_mut(&format!("{at}/{field}")).expect("it is there") = value;
        let changed: SavedWorld = serde_json::from_value(changed).expect("it has all fields");
        let error = changed.check(&play.stage).expect_err("it is wrong").to_string();
        assert!(error.contains(&format!("population.entities[0].{named}")), "{error}");
    }
    loaded(&saved.to_string(), &play.stage);
}

#[test]
fn sizes_are_part_of_the_hash_and_worlds_without_any_are_as_before() {
    let plain = Ground::floor(60);
    let run = |ground: &Ground| {
        let mut play = ground.play();
        play.hold(Right);
        play.run(1.0);
        play
    };
    // A kind with a stance that no body takes.
    let (without, with) = (run(&plain), run(&croucher(plain.clone())));
    assert_eq!(without.world.hash(), with.world.hash());
    let text = |world: &World| serde_json::to_value(world).expect("it is saved")["population"]["entities"].clone();
    assert_eq!(text(&without.world), text(&with.world));
    let sized = |size: DVec2| {
        let mut play = run(&plain);
        let before = play.world.hash();
        resize(&mut play, size.x, size.y);
        assert_ne!(play.world.hash(), before);
        play.world.hash()
    };
    assert_ne!(sized(dvec2(20.0, 30.0)), sized(dvec2(20.0, 31.0)));
    // The kind's size leaves nothing behind.
    let mut play = run(&plain);
    resize(&mut play, 20.0, 30.0);
    order(&mut play, Command::Resize(None));
    assert!(!serde_json::to_string(&play.world).expect("it is saved").contains("posture"));
}

#[test]
fn thousands_of_sizes_leave_nothing_behind() {
    for hz in RATES {
        let mut play = Ground::floor(hz)
            .solid(&[(200.0, 0.0), (260.0, 0.0), (260.0, 90.0), (200.0, 90.0)])
            .play();
        play.hold(Right);
        for step in 0..2000 {
            let size = 10.0 + 0.01 * f64::from(step);
            resize(&mut play, size, 1.5 * size);
            let hero = play.tick();
            assert_eq!(hero.half, 0.5 * dvec2(size, 1.5 * size), "{hz} Hz");
            assert!(hero.grounded && !overlaps(&play));
            near(feet(&play), 0.0, 1e-9);
        }
        // It stopped at the wall: its right side is there.
        let hero = play.hero();
        near(hero.pos.x + hero.half.x, 200.0, 0.05);
        // What the terrain and the world know of shapes did not grow with them: a stage has one profile, and a saved world
        // one size.
        assert_eq!(play.stage.profiles.len(), 1);
        let saved = serde_json::to_string(&play.world).expect("it is saved");
        let fresh = serde_json::to_string(&Ground::floor(hz).play().world).expect("it is saved");
        assert!(saved.len() < fresh.len() + 2000, "{} and {}", saved.len(), fresh.len());
    }
}

#[test]
fn a_body_with_a_size_moves_as_a_body_of_a_kind_with_that_size() {
    for hz in RATES {
        for model in WALKERS {
            let block = [(120.0, 0.0), (180.0, 0.0), (180.0, 40.0), (120.0, 40.0)];
            let ground = Ground::floor(hz).model(model).solid(&block);
            let mut native = ground.clone().figure(Collider::ellipse(14.0, 25.0)).at(0.0, 25.0).play();
            let mut sized = ground.at(0.0, TALL).play();
            resize(&mut sized, 28.0, 50.0);
            for tick in 0..4 * hz {
                for play in [&mut native, &mut sized] {
                    play.hold(Right);
                    if tick % hz == hz / 2 {
                        play.hold(Jump);
                    }
                    if tick % hz == hz - 1 {
                        play.release(Jump);
                    }
                }
                assert_eq!(native.tick().pos, sized.tick().pos, "{model:?} {hz} Hz, tick {tick}");
            }
        }
    }
}

#[test]
fn a_stance_carries_tunables_and_overrides_win_over_them() {
    for hz in RATES {
        let mut ground = croucher(Ground::floor(hz));
        let slow = ("run_speed_max".to_string(), Setting::Number(200.0));
        let start = ("run_speed_min".to_string(), Setting::Number(100.0));
        ground.stances[0].tuning = [slow, start].map(|(key, value)| (ModelName::platformer, key, value)).into();
        let mut play = ground.play();
        play.hold(Down).hold(Right);
        play.run(2.0);
        near(play.hero().vel.x, 200.0, 1e-9);
        order(&mut play, Command::Tune(ModelName::platformer, "run_speed_max", Setting::Number(150.0)));
        play.run(0.1);
        near(play.hero().vel.x, 200.0, 1e-9);
        play.release(Right);
        play.run(1.0);
        play.hold(Right);
        play.run(2.0);
        near(play.hero().vel.x, 150.0, 1e-9);
        order(&mut play, Command::Untune(None));
        play.release(Down);
        play.run(2.0);
        near(play.hero().vel.x, 650.0, 1e-9);
    }
}

#[test]
fn the_first_stance_whose_action_is_held_wins_and_scripts_win_over_both() {
    let ground = Ground::floor(60)
        .stance("slide", (40.0, 16.0), Some(Action::Hook))
        .stance("crouch", (20.0, 24.0), Some(Down))
        .stance("ball", (12.0, 12.0), None);
    let mut play = ground.model(ModelName::two_velocity).play();
    play.hold(Down).tick();
    assert_eq!(stance(&play).as_deref(), Some("crouch"));
    play.hold(Action::Hook).tick();
    assert_eq!(stance(&play).as_deref(), Some("slide"));
    order(&mut play, Command::SetStance(Some("ball".into())));
    let hero = play.tick();
    assert_eq!((hero.stance.as_deref(), hero.half), (Some("ball"), dvec2(6.0, 6.0)));
    order(&mut play, Command::SetStance(None));
    play.tick();
    assert_eq!(stance(&play).as_deref(), Some("slide"));
    play.release(Action::Hook).release(Down).tick();
    assert_eq!(stance(&play), None);
    // The stick counts as the key.
    play.input.stick = dvec2(0.0, -1.0);
    play.tick();
    assert_eq!(stance(&play).as_deref(), Some("crouch"));
}

#[test]
fn a_size_that_is_set_in_a_stance_counts_from_its_end_on() {
    let mut play = croucher(Ground::floor(60)).play();
    play.hold(Down).tick();
    resize(&mut play, 30.0, 60.0);
    assert_eq!(play.tick().half, dvec2(10.0, LOW));
    let hero = play.release(Down).tick();
    assert_eq!((hero.half, hero.pos.y), (dvec2(15.0, 30.0), 30.0));
}

#[test]
fn in_a_top_view_a_size_changes_around_the_center() {
    for hz in RATES {
        for model in [ModelName::topdown, ModelName::two_velocity] {
            let ground = Ground::none(hz).top_view().model(model).figure(Collider::ellipse(10.0, 10.0));
            let mut play = ground.clone().stance("small", (12.0, 12.0), Some(Jump)).at(3.0, 4.0).play();
            play.run(0.1);
            let hero = play.hold(Jump).tick();
            assert_eq!((hero.pos, hero.half), (dvec2(3.0, 4.0), dvec2(6.0, 6.0)), "{model:?} {hz} Hz");
            let hero = play.release(Jump).tick();
            assert_eq!((hero.pos, hero.half), (dvec2(3.0, 4.0), dvec2(10.0, 10.0)));
            // Next to a wall it moves aside; between two walls there is no room.
            let wall = ground.at(0.0, 0.0).block((10.0, -50.0), (30.0, 50.0), 60.0);
            let mut play = wall.clone().play();
            resize(&mut play, 30.0, 30.0);
            let hero = play.tick();
            near(hero.pos.x, -5.0, 0.01);
            near(hero.pos.y, 0.0, 0.01);
            assert!(!overlaps(&play));
            let mut play = wall.block((-30.0, -50.0), (-14.0, 50.0), 60.0).play();
            resize(&mut play, 30.0, 30.0);
            assert_eq!(play.tick().half, dvec2(10.0, 10.0));
        }
    }
}

#[test]
fn a_body_that_grows_in_a_top_view_stands_on_what_is_under_its_edge() {
    for hz in RATES {
        // A block as low as the body's floor is not in its way, and bears it when the other ground is gone.
        let ground = Ground::none(hz)
            .top_view()
            .model(ModelName::topdown)
            .figure(Collider::ellipse(10.0, 10.0));
        let mut play = ground.block((15.0, -20.0), (60.0, 20.0), 24.0).at(40.0, 0.0);
        play.z = 24.0;
        let mut play = play.play();
        play.run(0.1);
        resize(&mut play, 40.0, 40.0);
        order(&mut play, Command::Place(dvec2(2.0, 0.0), Some(24.0)));
        let hero = play.tick();
        assert_eq!((hero.z, hero.grounded), (24.0, true), "{hz} Hz");
        // Smaller, it is above nothing, and falls.
        resize(&mut play, 8.0, 8.0);
        play.run(1.0);
        assert_eq!(play.hero().z, 0.0);
    }
}

#[test]
fn a_body_on_a_wall_keeps_its_hold_and_its_feet() {
    for hz in RATES {
        let wall = [(10.0, -500.0), (60.0, -500.0), (60.0, 500.0), (10.0, 500.0)];
        let mut play = Ground::none(hz).solid(&wall).at(-4.0, 0.0).play();
        play.hold(Right);
        play.run(0.2);
        assert_eq!(play.hero().mode.as_str(), "wall", "{hz} Hz");
        let below = feet(&play);
        for (width, height) in [(30.0, 50.0), (10.0, 16.0), (20.0, 38.0)] {
            resize(&mut play, width, height);
            let hero = play.tick();
            assert_eq!(hero.mode.as_str(), "wall", "{hz} Hz {width}");
            near(hero.pos.x + hero.half.x, 10.0, 1e-3);
            // Each time it moves to a rest position, which are 4 px apart.
            near(feet(&play), below, 6.1);
        }
        assert_eq!(play.told("drop"), 0);
    }
}

#[test]
fn a_rope_keeps_its_length_and_is_measured_from_the_center() {
    for hz in RATES {
        let roof = [(-300.0, 300.0), (300.0, 300.0), (300.0, 340.0), (-300.0, 340.0)];
        let mut play = croucher(Ground::floor(hz).solid(&roof)).play();
        play.input.aim = Some(dvec2(0.0, 310.0));
        play.hold(Action::Hook);
        play.run(0.15);
        let rope = play.hero().hook.length;
        assert!(rope > 0.0, "{hz} Hz");
        play.hold(Down);
        for hero in play.run(0.3) {
            // Until it is pulled up, the rope is too short by how far the center has moved.
            assert!(hero.hook.tip.distance(hero.pos) <= rope + TALL - LOW + 1e-6, "{hz} Hz");
        }
        let hero = play.hero();
        assert!(hero.hook.tip.distance(hero.pos) < rope, "{hz} Hz");
    }
}

#[test]
fn a_flying_body_keeps_its_size_until_it_lands() {
    for hz in RATES {
        let mut play = croucher(Ground::floor(hz).model(ModelName::ballistic).at(0.0, 300.0)).play();
        play.hold(Down);
        let hero = play.tick();
        assert_eq!((hero.mode.as_str(), hero.half), ("flying", dvec2(10.0, TALL)), "{hz} Hz");
        resize(&mut play, 30.0, 30.0);
        assert_eq!(play.tick().half, dvec2(10.0, TALL), "{hz} Hz");
        let hero = play.run(1.0).pop().expect("some ticks");
        assert_eq!((hero.mode.as_str(), hero.half), ("landed", dvec2(10.0, LOW)), "{hz} Hz");
        near(hero.pos.y, LOW, 1e-6);
    }
}

#[test]
fn bodies_that_change_their_size_play_the_same_in_a_row_and_in_phases() {
    for hz in RATES {
        let ground = croucher(Ground::floor(hz).solid(&[(0.0, 30.0), (90.0, 30.0), (90.0, 60.0), (0.0, 60.0)]));
        let zone = |ground: Ground| ground.zone_with("far", (9000.0, 0.0), (9010.0, 10.0), |_: &mut Zone| {});
        let [mut plain, mut zoned] = [ground.clone(), zone(ground)].map(|ground| ground.at(-80.0, TALL).play());
        for tick in 0..3 * hz {
            for play in [&mut plain, &mut zoned] {
                play.hold(Right);
                if tick == hz / 4 {
                    play.hold(Down);
                } else if tick == hz {
                    play.release(Down);
                }
            }
            assert_eq!(plain.tick().pos, zoned.tick().pos, "{hz} Hz");
        }
        assert!(plain.hero().pos.x > 90.0);
    }
}

#[test]
fn a_changed_kind_applies_and_a_stance_that_is_gone_ends() {
    for hz in RATES {
        let ground = croucher(Ground::floor(hz));
        let mut play = ground.play();
        play.hold(Down);
        play.run(0.1);
        let old = play.stage.clone();
        let change = |play: &mut Play, ground: Ground| {
            let new = ground.stage();
            play.world.adopt(&old, &new);
            play.stage = new;
        };
        // The same stance with another size.
        change(&mut play, Ground::floor(hz).stance("crouch", (20.0, 30.0), Some(Down)));
        assert_eq!((play.hero().half, play.hero().pos.y), (dvec2(10.0, 15.0), 15.0), "{hz} Hz");
        assert!(play.tick().grounded);
        let old = play.stage.clone();
        let new = Ground::floor(hz).stage();
        play.world.adopt(&old, &new);
        play.stage = new;
        assert_eq!((play.hero().half, play.hero().pos.y), (dvec2(10.0, TALL), TALL), "{hz} Hz");
        assert!(play.hero().stance.is_none() && play.tick().grounded);
    }
}

#[test]
fn a_size_that_a_script_has_set_outlives_a_reload() {
    let ground = Ground::floor(60);
    let mut play = ground.play();
    resize(&mut play, 30.0, 60.0);
    play.run(0.1);
    let (old, new) = (play.stage.clone(), ground.figure(Collider::ellipse(8.0, 8.0)).stage());
    play.world.adopt(&old, &new);
    play.stage = new;
    let hero = play.tick();
    assert_eq!((hero.half, hero.pos.y, hero.grounded), (dvec2(15.0, 30.0), 30.0, true));
    order(&mut play, Command::Resize(None));
    assert_eq!(play.tick().half, dvec2(8.0, 8.0));
}

#[test]
fn a_large_body_is_placed_where_it_has_room() {
    // Both in the tick in which it grows, and later.
    for later in [false, true] {
        let corridor = [(300.0, 50.0), (500.0, 50.0), (500.0, 90.0), (300.0, 90.0)];
        let mut play = Ground::floor(60).solid(&corridor).play();
        resize(&mut play, 40.0, 80.0);
        if later {
            play.tick();
        }
        order(&mut play, Command::Place(dvec2(400.0, 25.0), None));
        play.tick();
        assert!(!overlaps(&play) && play.hero().half == dvec2(20.0, 40.0), "{later}");
    }
}

#[test]
fn a_route_down_through_a_one_way_platform_holds_jump_with_down() {
    let floor = [(-500.0, -100.0), (500.0, -100.0), (500.0, -80.0), (-500.0, -80.0)];
    let ground = Ground::none(60).solid(&floor).one_way(&[(-400.0, 0.0), (400.0, 0.0)]).at(0.0, TALL);
    let mut play = croucher(ground).play();
    play.run(0.3);
    let on = |play: &Play| {
        let contact = play.world.body(&play.world.entities()[0]).ground;
        matches!(contact.map(|contact| contact.feature), Some(Feature::Face(_) | Feature::Corner(_)))
    };
    assert!(on(&play));
    let mut stage = play.stage.clone();
    stage.kinds = Arc::new([(Arc::from("hero"), 0)].into());
    play.stage = stage;
    let order_route =
        hangtime_core::sim::RouteOrder { kind: "hero".into(), from: play.hero().pos, to: dvec2(0.0, -80.0 + TALL) };
    let mut found = None;
    for _ in 0..600 {
        order(&mut play, Command::FindRoute(Box::new(order_route.clone())));
        play.tick();
        found = play.world.routes().found(&order_route).cloned();
        if found.is_some() {
            break;
        }
    }
    let route = found.expect("it is searched for").as_ref().clone().expect("there is a way down");
    let drop = route.moves.iter().find(|step| step.keys.down > 0.0).expect("it drops");
    assert_eq!(drop.keys.hold, drop.keys.down);
    assert!(!play.events.iter().any(|event| matches!(event.kind, EventKind::FallOut)));
}
