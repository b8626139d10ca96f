//! Bodies that carry: others ride on them and run into them.

use crate::{
    cast::{Cast, Member},
    common::{RATES, loaded, near},
    ground::Ground,
};
use glam::{DVec2, dvec2};
use hangtime_core::{
    geometry::{Collider, ColliderForm, apart::colliders},
    level::Carries,
    models::{Action, ModelName},
    sim::{Command, Inputs, NativeRules, PlayerInput, Stance, World},
    tuning::Setting,
};
use std::sync::Arc;

fn rectangle(width: f64, height: f64) -> Collider {
    Collider::new(ColliderForm::Box, dvec2(width, height) / 2.0)
}

/// A box whose feet are at this height, all of whose sides are solid for others.
fn carrier(name: &'static str, size: (f64, f64), x: f64, feet: f64) -> Member {
    let shape = rectangle(size.0, size.1);
    let mut member = Member::new(name, ModelName::two_velocity, shape, dvec2(x, feet + shape.half.y));
    member.carries = Carries::All;
    member
}

/// A crate of 20 by 20 px.
fn block(name: &'static str, x: f64, feet: f64) -> Member {
    carrier(name, (20.0, 20.0), x, feet)
}

/// A stack of blocks on the floor.
fn stack(names: &str, x: f64, count: usize) -> Vec<Member> {
    let name = |i: usize| -> &'static str { Box::leak(format!("{names} {i:03}").into_boxed_str()) };
    (0..count).map(|i| block(name(i), x, 20.0 * i as f64)).collect()
}

fn places(cast: &Cast) -> Vec<DVec2> {
    let world = &cast.world;
    world.entities().iter().map(|entity| world.body(entity).pos).collect()
}

/// How deep two bodies overlap, px; 0 if they do not.
fn depth([a, b]: [DVec2; 2], [shape_a, shape_b]: [Collider; 2]) -> f64 {
    colliders(shape_a, a, shape_b, b).map_or(0.0, DVec2::length)
}

/// The deepest overlap of any two members or of one with the level, px, apart from crushed ones, and of which.
fn deepest(cast: &Cast, members: &[Member]) -> (f64, String) {
    let standing = cast.world.standing(&cast.stage);
    let scenery = cast.stage.level.terrain.moved(&standing);
    let entities = cast.world.entities().iter().map(|entity| cast.world.body(entity));
    let free = entities.zip(members).filter(|(body, _)| !body.crushed);
    let free: Vec<_> = free.map(|(body, member)| (body.pos, member.figure.collider, member.name)).collect();
    let mut worst = (0.0, String::new());
    for (i, (at, shape, name)) in free.iter().enumerate() {
        let level = scenery.overlap(*shape, *at).map(|overlap| (overlap.to_touch.length(), "the level"));
        let others = free[..i].iter().map(|(other, of, name)| (depth([*at, *other], [*shape, *of]), *name));
        for (depth, other) in others.chain(level) {
            if depth > worst.0 {
                worst = (depth, format!("{name} and {other}"));
            }
        }
    }
    worst
}

#[test]
fn a_walking_carrier_takes_its_rider_exactly_along() {
    for hz in RATES {
        for model in [ModelName::platformer, ModelName::two_velocity] {
            let mut hero = carrier("hero", (60.0, 20.0), 0.0, 0.0);
            hero.model = model;
            let mut alone = Cast::led(&Ground::floor(hz), &[hero.clone()]);
            let mut cast = Cast::led(&Ground::floor(hz), &[hero, block("rider", 8.0, 20.0), block("top", 8.0, 40.0)]);
            for cast in [&mut alone, &mut cast] {
                cast.run(0.3);
                cast.input.held.insert(Action::Right);
            }
            let before = places(&cast);
            for _ in 0..hz {
                alone.tick();
                cast.tick();
                let after = places(&cast);
                near(after[0].x, places(&alone)[0].x, 1e-9);
                for rider in [1, 2] {
                    let [was, is] = [&before, &after].map(|all| all[rider] - all[0]);
                    assert!((was - is).length() < 1e-9, "{model} at {hz} Hz: {was} became {is}");
                    assert!(cast.view(rider).grounded);
                }
                assert_eq!([1, 2].map(|who| cast.view(who).solid.to_string()), ["hero", "rider"]);
            }
            assert!(places(&cast)[0].x > 50.0);
        }
    }
}

#[test]
fn a_rider_falls_with_its_carrier_and_stays_on_it() {
    for hz in RATES {
        let ground = Ground::floor(hz).solid(&[(-200.0, 200.0), (100.0, 200.0), (100.0, 210.0), (-200.0, 210.0)]);
        let hero = carrier("hero", (40.0, 20.0), 40.0, 210.0);
        let mut cast = Cast::led(&ground, &[hero, block("rider", 40.0, 230.0)]);
        cast.run(0.1);
        cast.input.held.insert(Action::Right);
        let before = places(&cast);
        let mut fell = false;
        for _ in 0..2 * hz {
            cast.tick();
            let after = places(&cast);
            let [was, is] = [before[1] - before[0], after[1] - after[0]];
            assert!((was - is).length() < 1e-6, "at {hz} Hz: {was} became {is}");
            fell |= !cast.view(0).grounded;
        }
        assert!(fell && cast.view(0).grounded);
        near(places(&cast)[1].y, 30.0, 1e-9);
        assert_eq!(cast.told("rider", "leave_ground"), 0, "at {hz} Hz");
    }
}

#[test]
fn platforms_carry_stacks_of_carriers_exactly() {
    for hz in RATES {
        for way in [(200.0, 0.0), (0.0, 150.0), (120.0, 90.0)] {
            let points = [(-40.0, -20.0), (40.0, -20.0), (40.0, 0.0), (-40.0, 0.0)];
            let ground = Ground::none(hz).platform(&points, &[(0.0, 0.0), way], 70.0);
            // Two stacks next to each other: neither is in the other's way.
            let mut members = stack("left", -10.0, 4);
            members.extend(stack("right", 10.0, 4));
            let mut cast = Cast::led(&ground, &members);
            cast.tick();
            let before = places(&cast);
            // There and back, from the end of the first tick on.
            for _ in 0..7 * hz {
                cast.tick();
                let after = places(&cast);
                let moved = after[0] - before[0];
                for (was, is) in before.iter().zip(&after) {
                    let off = *is - *was - moved;
                    assert!(off.length() < 1e-6, "tick {} at {hz} Hz, {way:?}: {off}", cast.world.ticks());
                }
                near(after[0].y - 10.0, moved.y + before[0].y - 10.0, 1e-9);
            }
        }
    }
}

#[test]
fn a_rider_that_jumps_takes_the_velocity_of_its_carrier() {
    for hz in RATES {
        let hero = carrier("hero", (60.0, 20.0), 0.0, 0.0);
        let mut cast = Cast::led(&Ground::floor(hz), &[hero, block("rider", 0.0, 20.0)]);
        cast.input.held.insert(Action::Right);
        cast.run(1.0);
        let speed = cast.view(0).vel.x;
        assert!(speed > 100.0);
        cast.order(1, Command::Jump);
        cast.tick();
        let rider = cast.view(1);
        assert!(!rider.grounded);
        // External velocity decays by e^(−4·t).
        near(rider.external.x, speed * (-4.0 / f64::from(hz)).exp(), 1e-6 * speed);
    }
}

#[test]
fn a_rider_walks_off_the_end_of_its_carrier() {
    for hz in RATES {
        let hero = block("hero", 0.0, 40.0);
        let mut cast = Cast::led(&Ground::floor(hz), &[hero, carrier("turtle", (80.0, 40.0), 0.0, 0.0)]);
        cast.run(0.1);
        cast.input.held.insert(Action::Right);
        let mut last = 0.0;
        while cast.view(0).grounded {
            last = cast.view(0).pos.x;
            cast.tick();
            assert!(cast.world.ticks() < 10 * u64::from(hz));
        }
        // A box stands by its last pixel: its center gets as far as both half-widths together.
        assert!(last <= 50.0 + 1e-6 && cast.view(0).pos.x > 50.0 - 1e-6, "at {hz} Hz: {last}");
        cast.run(1.0);
        near(cast.view(0).pos.y, 10.0, 1e-9);
    }
}

#[test]
fn sides_stop_walkers_and_tops_alone_do_not() {
    for hz in RATES {
        for (carries, stops) in [(Carries::All, true), (Carries::Top, false), (Carries::Nothing, false)] {
            let mut hero = block("hero", -100.0, 0.0);
            hero.carries = Carries::Nothing;
            let mut wall = block("wall", 0.0, 0.0);
            wall.carries = carries;
            let mut lands = block("lands", 0.0, 100.0);
            lands.carries = Carries::Nothing;
            let mut cast = Cast::led(&Ground::floor(hz), &[hero, wall, lands]);
            cast.run(1.0);
            // What falls on it stands on it.
            let top = if carries == Carries::Nothing { 10.0 } else { 30.0 };
            near(cast.view(2).pos.y, top, 1e-9);
            cast.input.held.insert(Action::Right);
            cast.run(2.0);
            if stops {
                near(cast.view(0).pos.x, -20.0, 1e-6);
            } else {
                assert!(cast.view(0).pos.x > 100.0);
            }
            near(cast.view(1).pos.x, 0.0, 0.0);
        }
    }
}

#[test]
fn a_carrier_pushes_lighter_bodies_and_the_others_stop_it() {
    for hz in RATES {
        for (mass, stops) in [(0.5, false), (1.0, true), (2.0, true)] {
            let hero = carrier("hero", (30.0, 30.0), -100.0, 0.0);
            let mut other = block("other", 0.0, 0.0);
            (other.carries, other.mass) = (Carries::Nothing, mass);
            let mut cast = Cast::led(&Ground::floor(hz), &[hero, other]);
            cast.input.held.insert(Action::Right);
            cast.run(1.5);
            let places = places(&cast);
            if stops {
                near(places[0].x, -25.0, 1e-6);
                near(places[1].x, 0.0, 0.0);
            } else {
                assert!(places[1].x > 20.0);
                near(places[1].x - places[0].x, 25.0, 1e-6);
            }
        }
    }
}

#[test]
fn a_heavier_carrier_crushes_what_cannot_make_way() {
    for hz in RATES {
        let ground = Ground::floor(hz).solid(&[(30.0, 0.0), (60.0, 0.0), (60.0, 200.0), (30.0, 200.0)]);
        let hero = carrier("hero", (60.0, 60.0), -100.0, 0.0);
        let mut other = block("other", 15.0, 0.0);
        (other.carries, other.mass) = (Carries::Nothing, 0.5);
        let mut cast = Cast::led(&ground, &[hero, other]);
        cast.input.held.insert(Action::Right);
        cast.run(2.0);
        assert_eq!(cast.told("other", "crush"), 1, "at {hz} Hz");
    }
}

#[test]
fn a_ceiling_over_the_rider_stops_the_jump_of_its_carrier() {
    for hz in RATES {
        let ground = Ground::floor(hz).solid(&[(-200.0, 90.0), (200.0, 90.0), (200.0, 120.0), (-200.0, 120.0)]);
        let hero = carrier("hero", (40.0, 20.0), 0.0, 0.0);
        let members = [hero, block("rider", 0.0, 20.0), block("top", 0.0, 40.0)];
        let mut cast = Cast::led(&ground, &members);
        cast.run(0.1);
        cast.input.held.insert(Action::Jump);
        let mut highest: f64 = 0.0;
        for _ in 0..hz {
            cast.tick();
            let places = places(&cast);
            highest = highest.max(places[0].y);
            near(places[1].y - places[0].y, 20.0, 1e-6);
            near(places[2].y - places[1].y, 20.0, 1e-6);
        }
        // The top of the stack is 60 px above the feet of its lowest body.
        near(highest, 10.0 + 30.0, 1e-6);
        near(places(&cast)[0].y, 10.0, 1e-9);
        assert_eq!(cast.told("rider", "crush") + cast.told("top", "crush"), 0);
    }
}

#[test]
fn stacks_at_rest_stay_still_to_the_last_bit() {
    for hz in [60, 240] {
        let mut members = stack("first", 0.0, 10);
        members.extend(stack("second", 20.0, 10));
        members.extend(stack("third", 53.0, 10));
        let mut cast = Cast::led(&Ground::floor(hz), &members);
        cast.run(0.5);
        let before = places(&cast);
        for (place, member) in before.iter().zip(&members) {
            near(place.distance(member.at), 0.0, 1e-6);
        }
        for _ in 0..10_000 {
            cast.tick();
        }
        let bits = |all: &[DVec2]| -> Vec<u64> { all.iter().flat_map(|p| p.to_array().map(f64::to_bits)).collect() };
        assert_eq!(bits(&places(&cast)), bits(&before), "at {hz} Hz");
        assert_eq!(cast.events.iter().filter(|event| event.kind.name() == "leave_ground").count(), 0);
    }
}

/// A few bodies that fall on each other while the hero walks and jumps among them.
fn pile() -> Vec<Member> {
    let mut members = stack("a", -60.0, 3);
    members.extend(stack("z", 60.0, 2));
    let mut hero = block("hero", 0.0, 0.0);
    hero.model = ModelName::platformer;
    members.push(hero);
    for (i, name) in ["m", "b", "y", "k", "c"].into_iter().enumerate() {
        let mut falling = carrier(name, (30.0, 14.0), 25.0 * i as f64 - 50.0, 90.0 + 20.0 * i as f64);
        falling.carries = [Carries::All, Carries::Top][i % 2];
        members.push(falling);
    }
    let mut light = block("light", 20.0, 200.0);
    (light.carries, light.mass) = (Carries::Nothing, 0.5);
    members.push(light);
    members
}

/// Keys of the hero in a tick.
fn keys(tick: u64, hz: u32) -> PlayerInput {
    let mut input = PlayerInput::default();
    let phase = tick * 7 / u64::from(hz);
    input.held.insert(if phase.is_multiple_of(3) { Action::Left } else { Action::Right });
    if phase.is_multiple_of(2) {
        input.held.insert(Action::Jump);
    }
    input
}

#[test]
fn the_order_in_which_entities_were_created_does_not_matter() {
    for hz in RATES {
        let members = pile();
        let ground = Ground::floor(hz).platform(
            &[(-90.0, 40.0), (-30.0, 40.0), (-30.0, 50.0), (-90.0, 50.0)],
            &[(0.0, 100.0), (150.0, 100.0)],
            90.0,
        );
        let mut casts: Vec<(Vec<Member>, Cast)> = (0..4)
            .map(|turn| {
                let mut shuffled = members.clone();
                match turn {
                    1 => shuffled.reverse(),
                    2 => shuffled.rotate_left(5),
                    3 => shuffled.sort_by_key(|member| member.name),
                    _ => {}
                }
                let cast = Cast::led(&ground, &shuffled);
                (shuffled, cast)
            })
            .collect();
        for tick in 0..4 * u64::from(hz) {
            for (_, cast) in &mut casts {
                cast.input = keys(tick, hz);
                cast.tick();
            }
            let hashes: Vec<u64> = casts.iter().map(|(_, cast)| cast.world.hash()).collect();
            assert!(hashes.iter().all(|hash| *hash == hashes[0]), "tick {tick} at {hz} Hz: {hashes:?}");
        }
    }
}

#[test]
fn saving_and_loading_in_each_tick_changes_nothing() {
    for hz in [60, 120] {
        let members = pile();
        let mut cast = Cast::led(&Ground::floor(hz), &members);
        let mut saved = Cast::led(&Ground::floor(hz), &members);
        for tick in 0..3 * u64::from(hz) {
            cast.input = keys(tick, hz);
            cast.tick();
            let text = serde_json::to_string(&saved.world).expect("it is saved");
            saved.world = loaded(&text, &saved.stage);
            saved.world.tick(&saved.stage, &Inputs::of_first(keys(tick, hz)), &mut NativeRules);
            assert_eq!(saved.world.hash(), cast.world.hash(), "tick {tick}");
            assert_eq!(places(&saved), places(&cast), "tick {tick}");
        }
    }
}

#[test]
fn without_scripts_bodies_move_the_same() {
    for hz in RATES {
        let members = pile();
        let mut cast = Cast::led(&Ground::floor(hz), &members);
        let mut stage = cast.stage.clone();
        Arc::make_mut(&mut stage.profiles).iter_mut().for_each(|profile| profile.script = None);
        let mut world = World::new(&stage, 0);
        for tick in 0..2 * u64::from(hz) {
            cast.input = keys(tick, hz);
            cast.tick();
            world.tick(&stage, &Inputs::of_first(cast.input), &mut NativeRules);
            let bodies = world.entities().iter().map(|entity| world.body(entity).pos);
            assert!(bodies.eq(places(&cast)), "tick {tick} at {hz} Hz");
        }
    }
}

#[test]
fn a_world_with_a_missing_carrier_is_refused() {
    let cast = Cast::led(&Ground::floor(60), &[block("low", 0.0, 0.0), block("rider", 0.0, 20.0)]);
    let mut saved = serde_json::to_value(&cast.world).expect("it is saved");
    let feature = saved
        .pointer_mut("/population/lanes/two_velocity/movers/1/body/ground/feature")
        .expect("it rides");
    assert_eq!(*feature, serde_json::json!({"Face": 0x8000_000a_u32}));
    *feature = serde_json::json!({"Face": 0x8000_0032_u32});
    let saved: hangtime_core::sim::SavedWorld = serde_json::from_value(saved).expect("it has all fields");
    let error = saved.check(&cast.stage).expect_err("it is refused").to_string();
    assert!(error.contains("stands on the entity 6, which cannot carry it"), "{error}");
}

#[test]
fn a_ring_of_carriers_is_broken() {
    for hz in RATES {
        for names in [["a", "b"], ["b", "a"]] {
            let members = [block(names[0], 0.0, 200.0), block(names[1], 0.0, 220.0)];
            let mut cast = Cast::led(&Ground::floor(hz), &members);
            // Each falls toward the other and stands on it.
            cast.order(0, Command::Tune(ModelName::two_velocity, "gravity_scale", Setting::Number(-1.0)));
            for _ in 0..2 * hz {
                cast.tick();
                assert!(deepest(&cast, &members).0 < 0.05);
                assert!(places(&cast).iter().all(|place| place.is_finite()));
            }
        }
    }
}

#[test]
fn a_rider_falls_when_its_carrier_dies_or_is_teleported() {
    for hz in RATES {
        for command in [Command::Remove, Command::Place(dvec2(500.0, 10.0), None)] {
            let members = [block("low", 0.0, 0.0), block("rider", 0.0, 20.0), block("top", 0.0, 40.0)];
            let mut cast = Cast::led(&Ground::floor(hz), &members);
            cast.run(0.1);
            cast.order(0, command);
            cast.run(1.0);
            let rider = cast.world.entity("rider").expect("it lives");
            let top = cast.world.entity("top").expect("it lives");
            near(cast.world.body(rider).pos.y, 10.0, 1e-9);
            near(cast.world.body(top).pos.y, 30.0, 1e-9);
            assert_eq!(cast.told("rider", "leave_ground"), 1, "at {hz} Hz");
            near(cast.world.body(rider).pos.x, 0.0, 1e-9);
        }
    }
}

#[test]
fn a_rider_stays_on_a_carrier_that_grows_and_shrinks() {
    for hz in RATES {
        let members = [carrier("low", (40.0, 20.0), 0.0, 0.0), block("rider", 0.0, 20.0)];
        let mut cast = Cast::led(&Ground::floor(hz), &members);
        cast.run(0.1);
        for height in [36.0, 12.0, 20.0] {
            cast.order(0, Command::Resize(Some(dvec2(40.0, height))));
            cast.run(0.5);
            near(cast.view(0).pos.y, height / 2.0, 1e-6);
            near(cast.view(1).pos.y, height + 10.0, 1e-6);
            assert!(cast.view(1).grounded, "at {hz} Hz");
            assert_eq!(cast.told("rider", "crush"), 0);
        }
    }
}

/// Between two ticks, what a rider stands on is an entity, and no edge of the level: the rider looked for that edge.
#[test]
fn a_rider_may_change_its_size() {
    for hz in RATES {
        let members = [carrier("low", (40.0, 20.0), 0.0, 0.0), block("rider", 0.0, 20.0)];
        let mut cast = Cast::led(&Ground::floor(hz), &members);
        cast.run(0.1);
        for height in [40.0, 8.0, 20.0] {
            cast.order(1, Command::Resize(Some(dvec2(20.0, height))));
            cast.run(0.5);
            near(cast.view(1).pos.y, 20.0 + height / 2.0, 1e-6);
            assert_eq!(cast.view(1).solid.to_string(), "low", "at {hz} Hz");
        }
    }
}

#[test]
fn a_copy_of_a_world_with_a_rider_could_not_be_reloaded() {
    for hz in RATES {
        let members = [carrier("low", (40.0, 20.0), 0.0, 0.0), block("rider", 0.0, 20.0)];
        let mut cast = Cast::led(&Ground::floor(hz), &members);
        cast.run(0.1);
        let mut copy = cast.world.clone();
        for world in [&mut copy, &mut cast.world] {
            world.adopt(&cast.stage, &cast.stage);
        }
        assert_eq!(copy.hash(), cast.world.hash(), "at {hz} Hz");
    }
}

#[test]
fn a_rider_falls_when_a_reload_lets_nothing_carry_any_more() {
    for hz in RATES {
        let members = [carrier("low", (40.0, 20.0), 0.0, 0.0), block("rider", 0.0, 20.0)];
        let mut cast = Cast::led(&Ground::floor(hz), &members);
        cast.run(0.1);
        let before = cast.stage.clone();
        for profile in Arc::make_mut(&mut cast.stage.profiles) {
            profile.carries = Carries::Nothing;
        }
        cast.world.adopt(&before, &cast.stage);
        cast.run(1.0);
        near(cast.view(1).pos.y, 10.0, 1e-6);
        assert!(cast.view(1).grounded, "at {hz} Hz");
    }
}

#[test]
fn a_rider_follows_the_stance_of_its_carrier() {
    for hz in RATES {
        let mut ground = Ground::floor(hz);
        ground.stances.push(Stance {
            name: "low".into(),
            action: Some(Action::Down),
            size: dvec2(40.0, 12.0),
            tuning: vec![],
        });
        let hero = carrier("hero", (40.0, 30.0), 0.0, 0.0);
        let mut cast = Cast::led(&ground, &[hero, block("rider", 0.0, 30.0)]);
        cast.run(0.1);
        for (down, height) in [(true, 12.0), (false, 30.0)] {
            cast.input = PlayerInput::default();
            if down {
                cast.input.held.insert(Action::Down);
            }
            cast.run(0.5);
            near(cast.view(1).pos.y, height + 10.0, 1e-6);
        }
    }
}

#[test]
fn kinds_that_push_shove_each_other_and_are_stood_on() {
    for hz in RATES {
        let mut hero = block("hero", -60.0, 0.0);
        hero.carries = Carries::Nothing;
        let mut low = block("low", 0.0, 0.0);
        (hero.pushes, low.pushes) = (true, true);
        let mut cast = Cast::led(&Ground::floor(hz), &[hero, low, block("rider", 0.0, 20.0)]);
        cast.run(0.1);
        cast.input.held.insert(Action::Right);
        cast.run(1.0);
        let places = places(&cast);
        assert!(places[1].x > 20.0, "at {hz} Hz: {places:?}");
        // What stands on it comes along.
        near(places[2].x - places[1].x, 0.0, 1e-6);
        near(places[2].y, 30.0, 1e-6);
        near(places[1].x - places[0].x, 20.0, 0.5);
    }
}

#[test]
fn in_a_top_view_carriers_are_walls() {
    for hz in RATES {
        for (carries, stops) in [(Carries::All, true), (Carries::Top, false)] {
            let ground = Ground::none(hz).top_view();
            let mut hero = block("hero", -100.0, 0.0);
            hero.carries = Carries::Nothing;
            let mut wall = block("wall", 0.0, 0.0);
            wall.carries = carries;
            for member in [&mut hero, &mut wall] {
                member.model = ModelName::topdown;
            }
            let mut cast = Cast::led(&ground, &[hero, wall]);
            cast.input.held.insert(Action::Right);
            cast.run(2.0);
            let x = cast.view(0).pos.x;
            assert!(if stops { (x + 20.0).abs() < 1e-6 } else { x > 100.0 }, "at {hz} Hz: {x}");
        }
    }
}

#[test]
fn a_rider_does_not_pass_into_one_on_the_same_carrier_that_something_stops() {
    for hz in RATES {
        for (wide, gap) in [(20.0, 0.0), (20.0, 3.0), (60.0, 0.0), (60.0, 11.0)] {
            // A beam stops the upper one of two in front, over which that overhangs.
            let ground = Ground::floor(hz).solid(&[(80.0, 65.0), (400.0, 65.0), (400.0, 90.0), (80.0, 90.0)]);
            let members = [
                carrier("hero", (140.0, 20.0), -40.0, 0.0),
                carrier("low", (20.0, 10.0), 0.0, 20.0),
                carrier("front", (wide, 50.0), 0.0, 30.0),
                carrier("rear", (20.0, 30.0), -10.0 - gap - wide / 2.0, 20.0),
            ];
            for turn in 0..4 {
                let mut shuffled = members.to_vec();
                shuffled.rotate_left(turn);
                let mut cast = Cast::led(&ground, &shuffled);
                cast.run(0.1);
                cast.input.held.insert(Action::Right);
                for _ in 0..hz {
                    cast.tick();
                    let (overlap, of) = deepest(&cast, &shuffled);
                    assert!(overlap < 1e-5, "{of} overlap by {overlap} px at {hz} Hz, {wide} px wide, {gap} px apart");
                }
                let x = |name: &str| places(&cast)[shuffled.iter().position(|m| m.name == name).expect(name)].x;
                near(x("front"), 80.0 - wide / 2.0, 1e-5);
                near(x("rear"), 80.0 - wide - 10.0, 1e-5);
                assert!(x("hero") > 60.0);
            }
        }
    }
}

/// Plays some seconds and asserts in each tick that no body overlaps another or the level, and that none is crushed.
fn run_apart(cast: &mut Cast, members: &[Member], seconds: f64, hold: &[(usize, Action)]) {
    for tick in 0..(seconds * f64::from(cast.stage.hz)) as u32 {
        for (who, action) in hold {
            cast.order(*who, Command::Hold(*action));
        }
        cast.tick();
        let hz = cast.stage.hz;
        let (overlap, of) = deepest(cast, members);
        assert!(overlap < 1e-4, "{of} overlap by {overlap} px in tick {tick} at {hz} Hz");
        let crushed = cast.events.iter().find(|event| event.kind.name() == "crush");
        assert!(crushed.is_none(), "{crushed:?} in tick {tick} at {hz} Hz");
    }
}

/// The one that clings was in the way of nothing, as it would be carried along.
#[test]
fn a_carried_body_stops_where_a_wall_stops_what_clings_to_its_front() {
    for hz in RATES {
        // The beam is above the hero and in the way of what clings.
        let ground = Ground::floor(hz).solid(&[(80.0, 22.0), (400.0, 22.0), (400.0, 90.0), (80.0, 90.0)]);
        let mut climber = carrier("climber", (10.0, 10.0), 17.0, 45.0);
        climber.model = ModelName::platformer;
        let members = [carrier("hero", (100.0, 20.0), 0.0, 0.0), carrier("crate", (20.0, 60.0), 0.0, 20.0), climber];
        let mut cast = Cast::led(&ground, &members);
        run_apart(&mut cast, &members, 0.3, &[(2, Action::Left)]);
        assert!(cast.world.body(&cast.world.entities()[2]).cling.is_some(), "at {hz} Hz");
        cast.input.held.insert(Action::Right);
        run_apart(&mut cast, &members, 1.0, &[(2, Action::Left)]);
        let places = places(&cast);
        near(places[2].x, 75.0, 1e-4);
        near(places[1].x, 60.0, 1e-4);
        assert!(places[0].x > 70.0, "at {hz} Hz");
    }
}

/// A round body is a box for others, and one that has come to its corner was inside that.
#[test]
fn a_body_in_the_corner_of_the_box_around_a_round_one_runs_into_that() {
    for hz in RATES {
        for form in [ColliderForm::Ellipse, ColliderForm::Capsule] {
            let mut ball = carrier("ball", (40.0, 40.0), 0.0, 0.0);
            ball.figure = Collider::new(form, dvec2(20.0, 20.0)).into();
            let mut members = [carrier("hero", (10.0, 10.0), 26.0, 0.0), ball];
            let mut cast = Cast::led(&Ground::floor(hz), &members);
            cast.input.held.insert(Action::Left);
            cast.run(1.0);
            near(places(&cast)[0].x, 25.0, 1e-4);
            // In the corner of the box, next to the ball: its top is 10 px above the floor.
            members[0].at.x = 24.0;
            let mut cast = Cast::led(&Ground::floor(hz), &members);
            cast.input.held.insert(Action::Left);
            run_apart(&mut cast, &members, 1.0, &[]);
            let x = 20.0 * (1.0 - 0.25_f64).sqrt() + 5.0;
            near(places(&cast)[0].x, x, 1e-3);
        }
    }
}

#[test]
fn a_box_does_not_stand_on_the_lower_corner_of_a_box_in_a_row_with_it() {
    for hz in RATES {
        // The ledge ends before the box on it does.
        let ground = Ground::floor(hz).solid(&[(-100.0, 0.0), (-3.0, 0.0), (-3.0, 50.0), (-100.0, 50.0)]);
        let mut cast = Cast::led(&ground, &[block("low", -10.0, 50.0), block("next", 10.0 - 5e-7, 50.0)]);
        cast.run(1.0);
        near(places(&cast)[0].y, 60.0, 1e-6);
        near(places(&cast)[1].y, 10.0, 1e-6);
    }
}

/// On the straight line between its places, the hero went through the corner of the crate, and pushed it into the wedge.
#[test]
fn a_carrier_that_walks_on_and_then_down_does_not_crush_what_it_has_left() {
    for hz in RATES {
        for start in 0..4 {
            let ground = Ground::floor(hz).solid(&[(40.0, 0.0), (90.0, 0.0), (90.0, 30.0)]);
            let x = 101.0 + 2.0 * f64::from(start);
            let members = [carrier("hero", (40.0, 30.0), x, 30.0), carrier("crate", (48.0, 29.5), 114.0, 0.0)];
            let mut cast = Cast::led(&ground, &members);
            cast.input.held.insert(Action::Left);
            run_apart(&mut cast, &members, 1.0, &[]);
        }
    }
}

/// The beam turned the rider's way down into its carrier.
#[test]
fn a_rider_that_is_carried_against_an_overhang_stops_and_is_not_crushed() {
    for hz in RATES {
        let ground = Ground::floor(hz).solid(&[(45.0, 50.0), (90.0, 14.0), (140.0, 14.0), (140.0, 50.0)]);
        let mut ball = carrier("ball", (20.0, 20.0), 0.0, 10.0);
        ball.figure = Collider::new(ColliderForm::Ellipse, dvec2(10.0, 10.0)).into();
        let members = [carrier("hero", (60.0, 10.0), 0.0, 0.0), ball];
        let mut cast = Cast::led(&ground, &members);
        cast.run(0.1);
        cast.input.held.insert(Action::Right);
        run_apart(&mut cast, &members, 1.0, &[]);
        assert!(places(&cast)[0].x > 120.0 && places(&cast)[1].x < 90.0, "at {hz} Hz: {:?}", places(&cast));
    }
}

/// It stayed crushed until nothing carried any more, and was told only once.
#[test]
fn a_press_in_a_top_view_that_opens_and_closes_again_crushes_again() {
    for hz in RATES {
        let slab = |left: f64, right: f64| [(left, -50.0), (right, -50.0), (right, 50.0), (left, 50.0)];
        // The press has 40 px to the body, and ends 9 px inside of it, after 0.49 s.
        let ground = Ground::none(hz).top_view().solid(&slab(10.0, 60.0));
        let ground = ground.platform(&slab(-90.0, -50.0), &[(0.0, 0.0), (49.0, 0.0)], 100.0);
        let topdown = |name, x| Member { model: ModelName::topdown, ..block(name, x, -10.0) };
        let members = [topdown("hero", 0.0), topdown("crate", 500.0)];
        let mut cast = Cast::new(&ground, &members);
        for times in 1..=2 {
            cast.run(0.9);
            assert_eq!(cast.told("hero", "crush"), times, "at {hz} Hz");
            assert!(!cast.world.body(&cast.world.entities()[0]).crushed, "at {hz} Hz");
            cast.run(0.1);
        }
    }
}

/// A world that was saved in between freed it, and one that was not kept it crushed.
#[test]
fn what_has_crushed_a_body_and_is_taken_away_leaves_it_free() {
    for hz in RATES {
        // The room is as large as the hero.
        let slab =
            |left: f64, right: f64, low: f64, high: f64| [(left, low), (right, low), (right, high), (left, high)];
        let ground = Ground::floor(hz)
            .solid(&slab(-60.0, -10.0, 0.0, 70.0))
            .solid(&slab(10.0, 60.0, 0.0, 70.0));
        let ground = ground.solid(&slab(-10.0, 10.0, 20.0, 70.0));
        let members = [block("hero", 0.0, 0.0), block("crate", 200.0, 0.0)];
        let (mut cast, mut saved) = (Cast::new(&ground, &members), Cast::new(&ground, &members));
        for tick in 0..40 {
            let to = match tick {
                10 => Some(dvec2(0.0, 10.0)),
                20 => Some(dvec2(200.0, 10.0)),
                _ => None,
            };
            for cast in [&mut cast, &mut saved] {
                if let Some(to) = to {
                    cast.order(1, Command::Place(to, None));
                }
                cast.tick();
            }
            let text = serde_json::to_string(&saved.world).expect("it is saved");
            saved.world = loaded(&text, &saved.stage);
            assert_eq!(saved.world.hash(), cast.world.hash(), "tick {tick} at {hz} Hz");
            let crushed = cast.world.body(&cast.world.entities()[0]).crushed;
            assert_eq!(crushed, (10..20).contains(&tick), "tick {tick} at {hz} Hz");
        }
    }
}

/// A small random number generator.
struct Random(u64);

impl Random {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }

    fn between(&mut self, from: f64, to: f64) -> f64 {
        from + (to - from) * self.below(1 << 20) as f64 / f64::from(1 << 20)
    }
}

/// Random stacks among walls, with a hero among them and kicks by scripts: of boxes and of all forms, without lifts and with
/// them. `HANGTIME_STACKS=1000000` sets the number of ticks.
#[test]
fn random_stacks_lose_no_body_and_never_overlap() {
    let ticks = std::env::var("HANGTIME_STACKS").ok().and_then(|n| n.parse().ok()).unwrap_or(12_000_u64);
    const ROUND: u64 = 2_000;
    for round in 0..ticks.div_ceil(ROUND) {
        let random = &mut Random(round);
        let hz = RATES[random.below(4) as usize];
        let (round_forms, lifts) = (round % 2 == 1, round / 2 % 2 == 1);
        let mut ground = Ground::floor(hz)
            .solid(&[(-200.0, 0.0), (-180.0, 0.0), (-180.0, 2000.0), (-200.0, 2000.0)])
            .solid(&[(180.0, 0.0), (200.0, 0.0), (200.0, 2000.0), (180.0, 2000.0)])
            .solid(&[(40.0, 0.0), (90.0, 0.0), (90.0, 30.0)]);
        if lifts {
            let lift = [(-180.0, 0.0), (-60.0, 0.0), (-60.0, 8.0), (-180.0, 8.0)];
            let press = [(-50.0, 170.0), (20.0, 170.0), (20.0, 178.0), (-50.0, 178.0)];
            ground = ground.platform(&lift, &[(0.0, 0.0), (0.0, 120.0)], random.between(40.0, 160.0)).platform(
                &press,
                &[(0.0, 0.0), (90.0, 0.0), (90.0, -120.0)],
                random.between(40.0, 160.0),
            );
        }
        let mut members = Vec::new();
        let mut x = -160.0;
        for column in 0..5 {
            let mut feet = match column {
                3 | 4 => 40.0,
                0 | 1 if lifts => 8.0,
                _ => 0.0,
            };
            for row in 0..random.below(4) + 1 {
                let size = (random.between(10.0, 50.0), random.between(8.0, 40.0));
                let name = Box::leak(format!("{} {column} {row}", random.below(100)).into_boxed_str());
                let mut member = carrier(name, size, x + random.between(-5.0, 5.0), feet);
                member.model = [ModelName::two_velocity, ModelName::platformer][random.below(2) as usize];
                if round_forms {
                    let form =
                        [ColliderForm::Box, ColliderForm::Ellipse, ColliderForm::Capsule][random.below(3) as usize];
                    member.figure = Collider::new(form, DVec2::from(size) / 2.0).into();
                }
                feet += size.1;
                members.push(member);
            }
            x += 70.0;
        }
        members[0].name = "hero";
        let mut cast = Cast::led(&ground, &members);
        let count = members.len();
        for tick in 0..ROUND.min(ticks - round * ROUND) {
            if random.below(12) == 0 {
                cast.input = PlayerInput::default();
                for action in [Action::Left, Action::Right, Action::Jump, Action::Down] {
                    if random.below(3) == 0 {
                        cast.input.held.insert(action);
                    }
                }
            }
            if random.below(20) == 0 {
                let kick = dvec2(random.between(-400.0, 400.0), random.between(-200.0, 700.0));
                cast.order(random.below(count as u64) as usize, Command::Push(kick));
            }
            if random.below(40) == 0 {
                cast.order(random.below(count as u64) as usize, Command::Jump);
            }
            cast.tick();
            let (overlap, of) = deepest(&cast, &members);
            assert!(overlap < 0.05, "{of} overlap by {overlap} px in tick {tick} of round {round} at {hz} Hz");
            let inside = |place: &DVec2| place.x.abs() < 180.0 && place.y > 0.0 && place.y < 3000.0;
            let places = places(&cast);
            assert!(places.len() == count && places.iter().all(inside), "round {round}, tick {tick}: {places:?}");
        }
        cast.events.clear();
    }
}
