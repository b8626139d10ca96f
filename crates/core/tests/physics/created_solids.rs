//! Solids that scripts create and remove, and ground that they remove.

use crate::{
    common::{RATES, near},
    ground::{BODY, Ground, Play, tried},
};
use glam::{DVec2, dvec2};
use hangtime_core::{
    geometry::polygon,
    level::{CreatedSolid, MOST_CREATED, Path, PathEnd, Solid, SurfaceId},
    models::{Action, BodyShape, ModelName},
    sim::{Anchor, Command, EntityId, Joint, JointEnd, SavedWorld},
};
use proptest::prelude::*;
use serde_json::json;

/// Gravity, px/s².
const GRAVITY: f64 = 3672.0;

fn bar(from: (f64, f64), to: (f64, f64)) -> [(f64, f64); 4] {
    [from, (to.0, from.1), to, (from.0, to.1)]
}

fn created(name: &str, from: (f64, f64), to: (f64, f64)) -> CreatedSolid {
    CreatedSolid {
        name: name.into(),
        surface: SurfaceId(0),
        points: bar(from, to).map(DVec2::from).to_vec(),
        one_way: false,
        top: None,
        speed: None,
        removed: false,
    }
}

fn create(solid: CreatedSolid) -> Command {
    Command::CreateSolid(Box::new(solid))
}

fn order(play: &mut Play, command: &Command) {
    play.world.order(&play.stage, EntityId(1), command);
}

fn remove(play: &mut Play, name: &str) {
    order(play, &Command::RemoveSolid(name.into()));
}

/// Whether the hero is in anything by more than a hundredth of a pixel.
fn is_inside(play: &Play) -> bool {
    let (hero, standing) = (play.hero(), play.world.standing(&play.stage));
    let scenery = play.world.level(&play.stage).terrain.moved(&standing);
    let overlap = scenery.overlap(BODY, hero.pos);
    overlap.is_some_and(|overlap| overlap.to_touch.length() > 0.01)
}

/// Saves the world and reads it again.
fn saved(play: &Play) -> hangtime_core::sim::World {
    let saved = serde_json::to_value(&play.world).expect("it is saved");
    let saved: SavedWorld = serde_json::from_value(saved).expect("it is read");
    saved.check(&play.stage).expect("it is right")
}

#[test]
fn a_body_falls_onto_a_solid_that_is_created_under_it_and_off_one_that_is_removed() {
    use ModelName::{ballistic, platformer, two_velocity};
    for hz in RATES {
        for model in [platformer, two_velocity, ballistic] {
            let high = 60.0;
            let mut play = Ground::floor(hz).model(model).at(0.0, high + 30.0 + BODY.half.y).play();
            order(&mut play, &create(created("step", (-50.0, high - 10.0), (50.0, high))));
            play.run(0.5);
            let from = play.hero().pos.y;
            near(from, high + BODY.half.y, 1e-3);
            assert!(play.hero().grounded && &*play.hero().solid == "step");
            let landings = play.told("land");
            remove(&mut play, "step");
            let lands = ((2.0 * high / GRAVITY).sqrt() * f64::from(hz)).ceil() as u32;
            for tick in 1..lands {
                let hero = play.tick();
                let t = f64::from(tick) / f64::from(hz);
                near(hero.pos.y, from - 0.5 * GRAVITY * t * t, 1e-9);
                assert!(!hero.grounded && play.told("leave_ground") >= 1, "{model:?} at {hz} Hz");
            }
            let hero = play.tick();
            near(hero.pos.y, BODY.half.y, 1e-9);
            assert_eq!(play.told("land"), landings + 1);
            assert_eq!(play.told("crush"), 0);
            assert_eq!(play.world.changes().created_count(), 0);
        }
    }
}

#[test]
fn a_rider_of_a_created_solid_keeps_its_velocity_when_that_is_removed() {
    for hz in RATES {
        for speed in [80.0, 250.0] {
            let mut play = Ground::none(hz).at(0.0, BODY.half.y).tune("max_fall_speed", 1e6).play();
            let raft = CreatedSolid { speed: Some(speed), ..created("raft", (-60.0, -20.0), (60.0, 0.0)) };
            order(&mut play, &create(raft));
            play.tick();
            assert!(play.hero().grounded, "at {hz} Hz");
            let index = play.world.level(&play.stage).terrain.solid_named("raft").expect("it exists");
            order(&mut play, &Command::MoveSolid(index, dvec2(900.0, 0.0)));
            for tick in 1..=hz / 2 {
                near(play.tick().pos.x, speed * f64::from(tick) / f64::from(hz), 1e-5);
            }
            let from = play.hero().pos;
            remove(&mut play, "raft");
            play.tick();
            let hero = play.tick();
            assert!(!hero.grounded);
            // It is carried one last time, and then keeps that velocity as it would after a jump.
            assert!(hero.pos.x > from.x + speed / f64::from(hz), "at {hz} Hz: {} after {}", hero.pos, from);
            near((hero.vel + hero.external).x, speed, 0.2 * speed);
        }
    }
}

#[test]
fn a_body_moves_out_of_a_solid_that_is_created_around_it_and_is_crushed_without_room() {
    for hz in RATES {
        for (x, y) in [(0.0, 0.0), (7.0, 3.0), (-12.0, 20.0)] {
            let mut play = Ground::floor(hz).at(0.0, BODY.half.y).play();
            play.run(0.2);
            order(&mut play, &create(created("block", (x - 15.0, y), (x + 15.0, y + 30.0))));
            play.tick();
            assert!(!is_inside(&play) && play.told("crush") == 0, "at {hz} Hz from ({x}, {y})");
        }
        // In a cell exactly as large as the body, a pillar leaves no room.
        let walls = Ground::floor(hz)
            .solid(&bar((-30.0, 0.0), (-10.0, 60.0)))
            .solid(&bar((10.0, 0.0), (30.0, 60.0)))
            .solid(&bar((-30.0, 38.0), (30.0, 60.0)));
        let mut play = walls.at(0.0, BODY.half.y).play();
        play.run(0.1);
        order(&mut play, &create(created("pillar", (-9.0, 0.0), (9.0, 38.0))));
        play.run(0.1);
        assert_eq!(play.told("crush"), 1, "at {hz} Hz");
    }
}

#[test]
fn a_solid_that_is_created_and_removed_in_the_same_tick_was_never_there() {
    for hz in RATES {
        let (mut play, mut other) = (Ground::floor(hz).at(0.0, 300.0).play(), Ground::floor(hz).at(0.0, 300.0).play());
        for _ in 0..hz {
            order(&mut play, &create(created("ghost", (-50.0, 100.0), (50.0, 400.0))));
            remove(&mut play, "ghost");
            assert_eq!(play.tick().pos, other.tick().pos);
            assert_eq!(play.world.hash(), other.world.hash());
        }
        // Removed and created again, it is another one of that name.
        order(&mut play, &create(created("ghost", (-50.0, 0.0), (50.0, 10.0))));
        play.tick();
        remove(&mut play, "ghost");
        order(&mut play, &create(created("ghost", (-50.0, 0.0), (50.0, 40.0))));
        play.run(0.5);
        near(play.hero().pos.y, 40.0 + BODY.half.y, 1e-3);
        assert_eq!(play.world.changes().created_count(), 1);
    }
}

#[test]
fn ten_thousand_solids_are_at_most_a_thousand_and_names_are_unique() {
    let mut play = Ground::floor(60).at(0.0, BODY.half.y).play();
    for number in 0..10_000 {
        let x = 100.0 + 3.0 * f64::from(number);
        order(&mut play, &create(created(&format!("pin {number}"), (x, 0.0), (x + 1.0, 10.0))));
    }
    order(&mut play, &create(created("solid 1", (-50.0, 100.0), (50.0, 400.0))));
    play.tick();
    assert_eq!(play.world.changes().created_count(), MOST_CREATED);
    assert!(!is_inside(&play));
    for number in 0..10_000 {
        remove(&mut play, &format!("pin {number}"));
        remove(&mut play, &format!("pin {number}"));
    }
    for _ in 0..2 {
        order(&mut play, &create(created("same", (200.0, 0.0), (210.0, 10.0))));
    }
    play.run(0.1);
    assert_eq!(play.world.changes().created_count(), 1);
    let solids = play.world.level(&play.stage).terrain.solids();
    assert_eq!(solids.iter().filter(|solid| !solid.is_gone()).count(), 2);
    remove(&mut play, "same");
    remove(&mut play, "nothing");
    play.run(0.1);
    assert_eq!(saved(&play), play.world);
}

#[test]
fn a_body_falls_where_ground_of_the_level_is_removed_and_others_stay_as_they_are() {
    for hz in RATES {
        let ground = || {
            Ground::none(hz)
                .solid(&bar((-200.0, -20.0), (0.0, 0.0)))
                .solid(&bar((0.0, -20.0), (400.0, 0.0)))
        };
        let mut falls = ground().at(-100.0, BODY.half.y).play();
        let (mut walks, mut alone) = (ground().at(50.0, BODY.half.y).play(), ground().at(50.0, BODY.half.y).play());
        for play in [&mut walks, &mut alone] {
            play.hold(Action::Right);
            play.run(0.2);
        }
        falls.run(0.2);
        remove(&mut falls, "solid 1");
        remove(&mut walks, "solid 1");
        for tick in 1..=hz / 10 {
            let t = f64::from(tick) / f64::from(hz);
            near(falls.tick().pos.y, BODY.half.y - 0.5 * GRAVITY * t * t, 1e-9);
            let (walks, alone) = (walks.tick(), alone.tick());
            assert_eq!((walks.pos, walks.vel, walks.grounded), (alone.pos, alone.vel, alone.grounded));
        }
        assert_eq!((falls.told("leave_ground"), walks.told("leave_ground")), (1, 0));
        assert_eq!(saved(&walks), walks.world);
        // A wall ends where its neighbor was, now that one is gone.
        walks.release(Action::Right).hold(Action::Left);
        walks.run(2.0);
        assert!(walks.hero().pos.x < 0.0 && walks.hero().pos.y < 0.0);
    }
}

#[test]
fn hooks_and_ropes_let_go_of_ground_and_of_created_solids_that_are_removed() {
    for hz in RATES {
        for is_created in [false, true] {
            let ceiling = bar((-100.0, 100.0), (100.0, 140.0));
            let ground = Ground::floor(hz)
                .at(0.0, BODY.half.y)
                .tune("hook_pull_speed", 0.0)
                .tune("hook_grab_distance", 0.0);
            let mut play = if is_created { ground } else { ground.solid(&ceiling) }.play();
            let name = if is_created { "ceiling" } else { "solid 2" };
            if is_created {
                order(&mut play, &create(created(name, ceiling[0], ceiling[2])));
            }
            play.tick();
            play.input.aim = Some(dvec2(0.0, 200.0));
            play.hold(Action::Hook);
            play.run(0.3);
            assert_eq!(play.hero().hook.state, "attached", "at {hz} Hz");
            let on = match play.world.level(&play.stage).terrain.solid_named("ceiling") {
                Some(solid) => JointEnd { on: Anchor::Solid(solid), name: "ceiling".into(), at: dvec2(20.0, 100.0) },
                None => JointEnd { on: Anchor::Level, name: "".into(), at: dvec2(20.0, 100.0) },
            };
            let hero = JointEnd { on: Anchor::Entity(EntityId(0)), name: "hero".into(), at: DVec2::ZERO };
            let free = JointEnd { on: Anchor::Level, name: "".into(), at: dvec2(-40.0, 60.0) };
            for (id, end) in [(1, on), (2, free)] {
                let (length, ends) = (400.0, [hero.clone(), end]);
                let joint =
                    Joint { id, ends, length, spring: None, strength: None, reel: None, tension: 0.0, hook: false };
                order(&mut play, &Command::Join(Box::new(joint)));
            }
            play.tick();
            assert_eq!(play.world.joints().len(), 2);
            remove(&mut play, name);
            play.tick();
            assert_ne!(play.hero().hook.state, "attached", "created: {is_created} at {hz} Hz");
            play.run(0.1);
            assert_eq!((play.told("unhook"), play.told("joint_lost")), (1, 1));
            assert_eq!(play.world.joints().len(), 1);
        }
    }
}

#[test]
fn saved_worlds_with_wrong_created_solids_and_broken_tiles_are_refused() {
    let mut play = Ground::floor(60).at(0.0, BODY.half.y).play();
    order(&mut play, &create(created("step", (200.0, 0.0), (240.0, 20.0))));
    play.tick();
    let right = serde_json::to_value(&play.world).expect("it is saved");
    for (path, value, field) in [
        ("name", json!("solid 1"), "created[0].name"),
        ("surface", json!(7), "created[0].surface"),
        ("points", json!([[0.0, 0.0], [9.0, 0.0]]), "created[0].points"),
        ("points", json!([[0.0, 0.0], [0.0, 9.0], [9.0, 0.0]]), "created[0].points"),
        ("points", json!([[0.0, 0.0], [1e6, 0.0], [0.0, 1e6]]), "created[0].points[0]"),
        ("speed", json!(-1.0), "created[0].speed"),
        ("top", json!(1e9), "created[0].top"),
        ("removed", json!(true), "created[0].removed"),
    ] {
        let mut wrong = right.clone();
        wrong["switches"]["created"][0][path] = value;
        let saved: SavedWorld = serde_json::from_value(wrong).expect("it has all fields");
        let error = saved.check(&play.stage).expect_err("it is refused").to_string();
        assert!(error.starts_with(&format!("`switches.{field}")), "{path}: {error}");
    }
    let mut wrong = right;
    wrong["switches"]["broken"] = json!([{"layer": 0, "cell": [0, 0]}]);
    let saved: SavedWorld = serde_json::from_value(wrong).expect("it has all fields");
    let error = saved.check(&play.stage).expect_err("it is refused").to_string();
    assert!(error.starts_with("`switches.broken[0].layer`"), "{error}");
}

#[test]
fn a_vessel_rests_on_a_created_solid_and_falls_with_it() {
    for hz in RATES {
        let figure = BodyShape::of_box(20.0, 38.0);
        let mut play = Ground::floor(hz).model(ModelName::vessel).figure(figure).at(0.0, 80.0).play();
        order(&mut play, &create(created("pad", (-50.0, 30.0), (50.0, 40.0))));
        play.run(2.0);
        near(play.hero().pos.y, 59.0, 0.1);
        remove(&mut play, "pad");
        play.run(2.0);
        near(play.hero().pos.y, 19.0, 0.1);
        // Ground of the level under a vessel at rest, too.
        remove(&mut play, "solid 1");
        play.run(0.5);
        assert!(play.hero().pos.y < -40.0, "at {hz} Hz: {}", play.hero().pos);
    }
}

#[test]
fn a_top_view_has_created_blocks_with_tops() {
    for hz in RATES {
        let ground = Ground::none(hz)
            .top_view()
            .model(ModelName::topdown)
            .block((200.0, -50.0), (260.0, 50.0), 30.0);
        let mut play = ground.at(0.0, 0.0).play();
        play.run(0.1);
        let wall = CreatedSolid { top: Some(40.0), ..created("wall", (60.0, -50.0), (90.0, 50.0)) };
        order(&mut play, &create(wall));
        play.hold(Action::Right);
        play.run(2.0);
        let hero = play.hero();
        near(hero.pos.x, 60.0 - hero.half.x, 0.1);
        remove(&mut play, "wall");
        remove(&mut play, "block 0");
        play.run(3.0);
        assert!(play.hero().pos.x > 300.0, "at {hz} Hz: {}", play.hero().pos);
        assert_eq!(saved(&play), play.world);
    }
}

/// What happens, and then for how many 60ths of a second the world plays.
#[derive(Clone, Debug)]
enum Step {
    Hold(u8),
    Order(Command),
}

fn step() -> impl Strategy<Value = (Step, u32)> {
    let solid = (0..6_u8, -150.0..150.0_f64, -10.0..120.0_f64, 4.0..90.0_f64, 4.0..60.0_f64, 0..4_u8);
    let solid = solid.prop_map(|(number, x, y, width, height, kind)| {
        let solid = created(&format!("made {number}"), (x, y), (x + width, y + height));
        create(match kind {
            0 => CreatedSolid { speed: Some(90.0), ..solid },
            1 => {
                let points = vec![dvec2(x + width, y), dvec2(x, y)];
                CreatedSolid { one_way: true, points, ..solid }
            }
            _ => solid,
        })
    });
    let names = prop_oneof![
        (0..6_u8).prop_map(|number| format!("made {number}")),
        (1..5_u8).prop_map(|number| format!("solid {number}")),
        Just("door".to_string()),
        Just("lift".to_string()),
    ];
    let order = prop_oneof![
        3 => solid,
        2 => names.prop_map(|name| Command::RemoveSolid(name.into())),
        1 => (0..14_u32, -80.0..80.0_f64, 0.0..80.0_f64).prop_map(|(index, x, y)| Command::MoveSolid(index, dvec2(x, y))),
        1 => (0..14_u32, any::<bool>()).prop_map(|(index, there)| Command::Switch(index, there)),
        1 => (-100.0..100.0_f64, 20.0..200.0_f64).prop_map(|(x, y)| Command::Place(dvec2(x, y), None)),
    ];
    let step = prop_oneof![1 => any::<u8>().prop_map(Step::Hold), 2 => order.prop_map(Step::Order)];
    (step, 0..12_u32)
}

/// A room of four solids, a door and a lift.
fn room(hz: u32, model: ModelName) -> Ground {
    let mut ground = Ground::none(hz)
        .solid(&bar((-220.0, -40.0), (0.0, 0.0)))
        .solid(&bar((0.0, -40.0), (220.0, 0.0)))
        .solid(&bar((-220.0, 0.0), (-180.0, 200.0)))
        .solid(&bar((180.0, -400.0), (220.0, 200.0)))
        .solid(&bar((-400.0, -400.0), (400.0, -300.0)))
        .model(model)
        .at(0.0, 30.0);
    if model == ModelName::vessel {
        ground = ground.figure(BodyShape::of_box(20.0, 38.0));
    }
    let solid = |name: &str, from, to| {
        let outline = polygon::outline(&bar(from, to).map(DVec2::from)).expect("a polygon");
        Solid::new(name.into(), SurfaceId(0), outline)
    };
    let way = [(0.0, 0.0), (0.0, 90.0)].map(DVec2::from).to_vec();
    let lift =
        Solid { path: Some(Path::new(way, 50.0, PathEnd::PingPong)), ..solid("lift", (60.0, 0.0), (110.0, 12.0)) };
    ground.others = vec![Solid { present: Some(true), ..solid("door", (-100.0, 0.0), (-80.0, 60.0)) }, lift];
    ground
}

proptest! {
    #![proptest_config(tried(60))]

    #[test]
    fn a_world_in_which_solids_come_and_go_plays_on_equal_from_every_tick(
        steps in prop::collection::vec(step(), 4..30),
        model in prop_oneof![Just(ModelName::platformer), Just(ModelName::two_velocity), Just(ModelName::vessel)],
        hz in prop::sample::select(&RATES[..]),
    ) {
        let ground = room(hz, model);
        let (mut play, mut twin) = (ground.play(), ground.play());
        for (step, length) in &steps {
            match step {
                Step::Hold(bits) => {
                    let keys = [Action::Left, Action::Right, Action::Up, Action::Jump, Action::Hook];
                    let held = keys.into_iter().enumerate().filter(|(i, _)| bits >> i & 1 == 1);
                    play.input.held = held.map(|(_, key)| key).collect();
                    play.input.aim = Some(dvec2(f64::from(*bits), 150.0));
                    twin.input = play.input;
                }
                Step::Order(command) => {
                    order(&mut play, command);
                    order(&mut twin, command);
                    if *length == 0 {
                        // More orders in the same tick.
                        continue;
                    }
                }
            }
            for _ in 0..(length * hz).div_ceil(60) {
                play.tick();
                twin.tick();
                twin.world = saved(&twin);
                prop_assert_eq!(play.world.hash(), twin.world.hash(), "at {} Hz", hz);
                prop_assert!(play.hero().pos.is_finite());
            }
        }
        play.tick();
        prop_assert_eq!(saved(&play), play.world);
    }
}
