//! Solids that are switched off and on: bodies on them fall, and bodies in the way move out.

use crate::{
    common::{RATES, near},
    doors::{door, switch, with},
    ground::{BODY, Ground, Play},
};
use glam::{DVec2, dvec2};
use hangtime_core::{
    geometry::{Collider, polygon},
    level::{Path, PathEnd, Solid, SurfaceId},
    models::{Action, BodyShape, ModelName},
    sim::EntityView,
};

/// Gravity, px/s².
const GRAVITY: f64 = 3672.0;

/// A hero of a model on a switchable platform, `high` px above a floor.
fn on_a_platform(hz: u32, model: ModelName, high: f64) -> Play {
    let platform = door("platform", (-50.0, high - 10.0), (50.0, high), true);
    let mut ground = with(Ground::floor(hz).model(model), [platform]);
    if model == ModelName::vessel {
        ground = ground.figure(BodyShape::of_box(20.0, 38.0));
    }
    let mut play = ground.at(0.0, high + 19.0).play();
    play.run(0.5);
    assert!(play.hero().grounded && play.told("leave_ground") == 0);
    play
}

#[test]
fn a_body_on_a_solid_that_is_switched_off_falls_in_the_same_tick() {
    use ModelName::{ballistic, platformer, two_velocity, vessel};
    for hz in RATES {
        for model in [platformer, two_velocity, ballistic, vessel] {
            let high = 60.0;
            let mut play = on_a_platform(hz, model, high);
            let (from, landings) = (play.hero().pos.y, play.told("land"));
            near(from, 79.0, 1e-3);
            switch(&mut play, "platform", false);
            let lands = ((2.0 * high / GRAVITY).sqrt() * f64::from(hz)).ceil() as u32;
            for tick in 1..lands {
                let hero = play.tick();
                let t = f64::from(tick) / f64::from(hz);
                near(hero.pos.y, from - 0.5 * GRAVITY * t * t, 1e-9);
                assert!(!hero.grounded, "{model:?} at {hz} Hz");
                assert_eq!(play.told("leave_ground"), 1, "{model:?} at {hz} Hz");
            }
            let hero = play.tick();
            if model != vessel {
                near(hero.pos.y, 19.0, 1e-9);
                assert!(hero.grounded && play.told("land") == landings + 1);
                let speed = *play.landings().last().expect("a landing");
                near(speed, (2.0 * GRAVITY * high).sqrt(), 1e-6);
            }
            assert_eq!(play.told("crush"), 0);
        }
    }
}

#[test]
fn a_body_on_a_top_view_block_that_is_switched_off_falls_in_the_same_tick() {
    use ModelName::{ballistic, topdown, two_velocity};
    for hz in RATES {
        for model in [topdown, two_velocity, ballistic] {
            let block = Solid { top: 40.0, ..door("block", (-50.0, -50.0), (50.0, 50.0), true) };
            let mut ground = with(Ground::none(hz).top_view().model(model), [block]);
            ground.z = 40.0;
            let mut play = ground.at(0.0, 0.0).play();
            play.run(0.2);
            assert!(play.hero().grounded && play.hero().z == 40.0);
            switch(&mut play, "block", false);
            let lands = ((80.0 / GRAVITY).sqrt() * f64::from(hz)).ceil() as u32;
            for tick in 1..lands {
                let hero = play.tick();
                let t = f64::from(tick) / f64::from(hz);
                near(hero.z, 40.0 - 0.5 * GRAVITY * t * t, 1e-9);
                assert!(!hero.grounded && play.told("leave_ground") == 1);
            }
            let hero = play.tick();
            assert!(hero.z == 0.0 && hero.grounded, "{model:?} at {hz} Hz");
            // A body at the place where it comes back moves out of it.
            switch(&mut play, "block", true);
            let hero = play.tick();
            near(hero.pos.x.abs(), 50.0 + hero.half.x, 1e-6);
            near(hero.pos.y, 0.0, 1e-6);
        }
    }
}

#[test]
fn coyote_time_starts_when_the_ground_is_switched_off() {
    for hz in RATES {
        let tried = |after: u32| {
            let mut play = on_a_platform(hz, ModelName::platformer, 400.0);
            switch(&mut play, "platform", false);
            (0..after).for_each(|_| drop(play.tick()));
            play.hold(Action::Jump);
            play.tick();
            play.told("jump")
        };
        let window = (0.1 * f64::from(hz)).floor() as u32;
        // As on a ledge, the tick before the fall is the last on the ground.
        assert_eq!([tried(0), tried(1), tried(window)], [1, 1, 1], "{hz} Hz");
        assert_eq!(tried(window + 3), 0, "{hz} Hz");
    }
}

#[test]
fn a_rider_keeps_the_velocity_of_a_switched_off_platform() {
    for hz in RATES {
        for (x, y) in [(90.0, 0.0), (-60.0, 0.0), (0.0, 80.0)] {
            let way = dvec2(x, y);
            let ferry = Solid {
                path: Some(Path::new(vec![DVec2::ZERO, way * 100.0], way.length(), PathEnd::Once)),
                ..door("ferry", (-50.0, 390.0), (50.0, 400.0), true)
            };
            let mut play = with(Ground::floor(hz), [ferry]).at(0.0, 419.0).play();
            play.run(0.5);
            let (before, dt) = (play.hero(), play.dt());
            switch(&mut play, "ferry", false);
            let first = play.tick();
            // It carries the rider for the last time in the tick of the switch.
            let fallen = dvec2(0.0, -0.5 * GRAVITY * dt * dt);
            let off = first.pos - before.pos - way * dt - fallen;
            assert!(off.length() < 1e-9, "{off} at {hz} Hz");
            near((first.external - way).length(), 0.0, 1e-9);
            let second = play.tick();
            let left = (-4.0 * dt).exp();
            near((second.external - way * left).length(), 0.0, 1e-9);
            let gone = second.pos.x - first.pos.x;
            near(gone, way.x * (1.0 - left) / 4.0, 1e-9);
            // It keeps moving while it is off, and comes back at its new position.
            play.run(0.5);
            switch(&mut play, "ferry", true);
            let terrain = &play.stage.level.terrain;
            let standing = play.world.standing(&play.stage);
            let seconds = play.world.ticks() as f64 * dt;
            near((standing.offsets[0] - way * seconds).length(), 0.0, 1e-9);
            let above = dvec2(0.0, 500.0) + way * seconds;
            let down = dvec2(0.0, -400.0);
            let hit = terrain.moved(&standing).cast(above, down);
            near(hit.expect("the ferry").time, 0.25, 1e-4);
        }
    }
}

#[test]
fn a_row_of_switchable_solids_walks_like_one_floor() {
    for hz in RATES {
        let floor = [(-300.0, -40.0), (0.0, -40.0), (0.0, 0.0), (-300.0, 0.0)];
        let tile = |i: i32| {
            let left = 30.0 * f64::from(i);
            door(&format!("tile {i}"), (left, -10.0), (left + 30.0, 0.0), true)
        };
        let tiled = with(Ground::none(hz).solid(&floor), (0..12).map(tile)).at(-200.0, 19.0);
        let mut play = tiled.play();
        let mut plain = Ground::floor(hz).at(-200.0, 19.0).play();
        for walker in [&mut play, &mut plain] {
            walker.hold(Action::Right);
        }
        while plain.hero().pos.x < 330.0 {
            let (hero, expected) = (play.tick(), plain.tick());
            near(hero.pos.distance(expected.pos), 0.0, 1e-6);
            assert!(hero.grounded, "at {} and {hz} Hz", hero.pos);
        }
        // A gap where one of them is missing.
        let mut play = tiled.play();
        switch(&mut play, "tile 3", false);
        switch(&mut play, "tile 4", false);
        switch(&mut play, "tile 5", false);
        play.hold(Action::Right);
        play.run(2.0);
        assert!(play.hero().pos.y < 0.0, "it fell into the gap");
    }
}

#[test]
fn a_body_on_a_seam_keeps_standing_on_the_remaining_solid() {
    for hz in RATES {
        let floor = [(-300.0, -40.0), (0.0, -40.0), (0.0, 0.0), (-300.0, 0.0)];
        let trap = door("trap", (0.0, -10.0), (60.0, 0.0), true);
        for x in [-3.0, 0.0, 1e-7] {
            let ground = with(Ground::none(hz).solid(&floor), [trap.clone()]);
            let mut play = ground.at(x, 19.0).tune("rest_spacing", 0.0).play();
            play.run(0.2);
            switch(&mut play, "trap", false);
            play.run(0.2);
            let hero = play.hero();
            assert!(hero.grounded, "from {x} to {} at {hz} Hz", hero.pos);
            assert_eq!((play.told("leave_ground"), hero.pos.x), (0, x));
        }
    }
}

#[test]
fn a_closed_door_stops_and_an_open_one_does_not() {
    for hz in RATES {
        let ground = with(Ground::floor(hz), [door("door", (100.0, 0.0), (120.0, 90.0), true)]);
        let mut play = ground.play();
        play.hold(Action::Right);
        play.run(1.0);
        near(play.hero().pos.x, 90.0, 1e-5);
        switch(&mut play, "door", false);
        play.run(0.5);
        assert!(play.hero().pos.x > 150.0);
        switch(&mut play, "door", true);
        play.release(Action::Right).hold(Action::Left);
        play.run(1.0);
        near(play.hero().pos.x, 130.0, 1e-5);
    }
}

#[test]
fn switching_there_and_back_in_one_tick_changes_nothing() {
    let mut play = on_a_platform(60, ModelName::platformer, 60.0);
    switch(&mut play, "platform", false);
    switch(&mut play, "platform", true);
    let hero = play.tick();
    assert!(hero.grounded && play.told("leave_ground") == 0);
    near(hero.pos.y, 79.0, 1e-9);
}

/// The position of a body from `at` after a solid appeared, and how often it received `crush`.
fn appears(ground: Ground, at: (f64, f64), solid: Solid) -> (EntityView, usize) {
    let name = solid.name.clone();
    let mut play = with(ground, [solid]).at(at.0, at.1).play();
    play.run(0.1);
    switch(&mut play, &name, true);
    let hero = play.tick();
    (hero, play.told("crush"))
}

#[test]
fn a_body_where_a_solid_appears_moves_out_the_shortest_way() {
    for hz in RATES {
        for model in [ModelName::platformer, ModelName::two_velocity] {
            let mut ground = Ground::floor(hz).model(model);
            if model == ModelName::platformer {
                ground = ground.tune("rest_spacing", 0.0);
            }
            for (from, to, x) in [(-4.0, 40.0, -14.0), (-40.0, 4.0, 14.0)] {
                let door = door("door", (from, 0.0), (to, 90.0), false);
                let (hero, crushed) = appears(ground.clone(), (0.0, 19.0), door);
                near(hero.pos.x, x, 1e-6);
                near(hero.pos.y, 19.0, 1e-9);
                assert!(hero.grounded && crushed == 0);
            }
            // Up onto a low one.
            let slab = door("slab", (-100.0, 0.0), (100.0, 6.0), false);
            let (hero, _) = appears(ground, (0.0, 19.0), slab);
            near(hero.pos.distance(dvec2(0.0, 25.0)), 0.0, 1e-6);
            assert!(hero.grounded);
        }
        let flat = Ground::none(hz).top_view().model(ModelName::topdown);
        let flat = flat.figure(Collider::ellipse(10.0, 10.0));
        let block = door("block", (-40.0, -4.0), (40.0, 60.0), false);
        let (hero, _) = appears(flat, (0.0, 0.0), block);
        near(hero.pos.distance(dvec2(0.0, -14.0)), 0.0, 1e-6);
    }
}

#[test]
fn a_body_at_a_wall_moves_out_past_the_wall_and_not_through_it() {
    for hz in RATES {
        for model in [ModelName::platformer, ModelName::two_velocity] {
            let mut ground = Ground::floor(hz).model(model);
            if model == ModelName::platformer {
                ground = ground.tune("rest_spacing", 0.0);
            }
            // Its lower edge is nearest, but the floor is closer than the body is high.
            for (from, to, out) in [(-15.0, 100.0, -25.0), (-100.0, 15.0, 25.0)] {
                let door = door("door", (from, 5.0), (to, 60.0), false);
                let (hero, crushed) = appears(ground.clone(), (0.0, 19.0), door);
                near(hero.pos.distance(dvec2(out, 19.0)), 0.0, 1e-6);
                assert_eq!(crushed, 0, "{model:?} at {hz} Hz");
            }
        }
        // The same at a wall at each angle: 18 px along the wall lead out, and 24 px away from it.
        for degrees in 0..36 {
            let axis = DVec2::from_angle(f64::from(10 * degrees).to_radians());
            let place = |along: f64, away: f64| axis * along + axis.perp() * away;
            let corners = |[left, low]: [f64; 2], [right, high]: [f64; 2]| {
                [place(left, low), place(right, low), place(right, high), place(left, high)]
            };
            let wall = corners([-200.0, -40.0], [200.0, -10.0]).map(<(f64, f64)>::from);
            let outline = polygon::outline(&corners([-8.0, -6.0], [60.0, 14.0])).expect("a simple polygon");
            let block = Solid { present: Some(false), ..Solid::new("block".into(), SurfaceId(0), outline) };
            let flat = Ground::none(hz).top_view().model(ModelName::topdown).solid(&wall);
            let (hero, _) = appears(flat.figure(Collider::ellipse(10.0, 10.0)), (0.0, 0.0), block);
            near(hero.pos.distance(place(-18.0, 0.0)), 0.0, 1e-5);
        }
    }
}

/// A cell just large enough for the hero, and a block that fills it.
fn cell(hz: u32) -> (Ground, Solid) {
    let ground = Ground::floor(hz)
        .solid(&[(-60.0, 0.0), (-12.0, 0.0), (-12.0, 90.0), (-60.0, 90.0)])
        .solid(&[(12.0, 0.0), (60.0, 0.0), (60.0, 90.0), (12.0, 90.0)])
        .solid(&[(-60.0, 42.0), (60.0, 42.0), (60.0, 90.0), (-60.0, 90.0)]);
    (ground, door("block", (-12.0, 0.0), (12.0, 42.0), false))
}

#[test]
fn a_body_without_room_is_crushed_until_there_is_room() {
    for hz in RATES {
        let (ground, block) = cell(hz);
        for model in [ModelName::platformer, ModelName::vessel] {
            let mut ground = with(ground.clone().model(model), [block.clone()]);
            if model == ModelName::vessel {
                ground = ground.figure(BodyShape::of_box(20.0, 38.0));
            }
            let mut play = ground.play();
            play.run(0.3);
            for round in 1..=2 {
                switch(&mut play, "block", true);
                play.run(0.3);
                assert_eq!(play.told("crush"), round, "{model:?} at {hz} Hz");
                assert!(play.hero().pos.y < 90.0, "the hero left the cell");
                switch(&mut play, "block", false);
                play.run(0.3);
                near(play.hero().pos.y, 19.0, 1e-2);
                assert!(play.hero().pos.x.abs() <= 2.0 + 1e-3);
            }
        }
    }
}

#[test]
fn switching_does_not_affect_bodies_nearby() {
    for model in [ModelName::platformer, ModelName::vessel] {
        let far = door("far", (300.0, 0.0), (340.0, 90.0), true);
        let mut play = with(Ground::floor(60).model(model), [far]).figure(BODY).play();
        // A vessel of this shape topples and rocks before it rests.
        play.run(5.0);
        let before = play.hero();
        for there in [false, true, false] {
            switch(&mut play, "far", there);
            assert_eq!(play.tick().pos, before.pos);
        }
        let events = ["leave_ground", "crush"].map(|e| play.told(e));
        assert_eq!(events, [0, 0]);
    }
}
