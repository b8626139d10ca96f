//! Solids that are switched while a body grabs them, rests on them or flies toward them.

use crate::{
    common::{RATES, near},
    doors::{door, switch, with},
    folder::on_large_stack,
    ground::{Ground, Play},
    leaper::{Leaper, aim},
};
use glam::{DVec2, dvec2};
use hangtime_core::{
    level::{Path, PathEnd, Solid},
    models::{Action, BodyShape, Mode, ModelName, ballistic::PlanError},
    sim::EventKind,
};

const GRAVITY: f64 = 3672.0;

#[test]
fn a_body_that_grabs_a_switched_off_wall_drops() {
    for hz in RATES {
        let wall = door("wall", (50.0, 0.0), (90.0, 900.0), true);
        let roof = door("roof", (-100.0, 700.0), (0.0, 720.0), true);
        let ground = with(Ground::floor(hz), [wall, roof]);
        for (name, at, key) in [("wall", (30.0, 500.0), Action::Right), ("roof", (-50.0, 500.0), Action::Hook)] {
            let mut play = ground.clone().at(at.0, at.1).play();
            play.input.aim = Some(dvec2(-50.0, 5000.0));
            play.hold(key);
            play.run(0.6);
            assert_eq!(play.hero().mode, name, "at {hz} Hz");
            play.release(key);
            play.run(0.1);
            let from = play.hero().pos;
            switch(&mut play, name, false);
            for tick in 1..=hz / 10 {
                let hero = play.tick();
                let t = f64::from(tick) / f64::from(hz);
                near(hero.pos.y, from.y - 0.5 * GRAVITY * t * t, 1e-9);
                assert_eq!((play.told("drop"), hero.mode), (1, Mode::Air));
            }
        }
    }
}

/// A hero that hangs by the hook from a solid, which may move.
fn hanging(hz: u32, above: Solid) -> Play {
    let mut play = with(Ground::floor(hz), [above]).at(0.0, 19.0).tune("hook_pull_speed", 0.0).play();
    play.run(0.1);
    play.hold(Action::Hook);
    play.input.aim = Some(dvec2(0.0, 200.0));
    play.run(0.3);
    assert_eq!(play.hero().hook.state, "attached", "at {hz} Hz");
    play
}

#[test]
fn a_hook_detaches_from_a_switched_off_solid_in_the_same_tick() {
    for hz in RATES {
        let still = door("beam", (-60.0, 200.0), (60.0, 220.0), true);
        let moving = Solid {
            path: Some(Path::new(vec![DVec2::ZERO, dvec2(0.0, 20.0)], 10.0, PathEnd::PingPong)),
            ..still.clone()
        };
        for beam in [still, moving] {
            let mut play = hanging(hz, beam);
            switch(&mut play, "beam", false);
            play.tick();
            let unhooked = play.events.iter().filter_map(|e| match e.kind {
                EventKind::Unhook { snapped } => Some(snapped),
                _ => None,
            });
            assert_eq!(unhooked.collect::<Vec<_>>(), [false], "at {hz} Hz");
            assert_eq!(play.hero().hook.state, "returning");
            // Fired again, it flies through where the beam was.
            play.release(Action::Hook);
            play.run(0.5);
            play.hold(Action::Hook);
            play.run(0.3);
            assert_ne!(play.hero().hook.state, "attached");
        }
    }
}

#[test]
fn a_resting_vessel_wakes_when_its_ground_is_switched_off() {
    for hz in RATES {
        // It rests on two supports, and the second is switched off.
        let left = door("left", (-30.0, 0.0), (-4.0, 100.0), true);
        let right = door("right", (4.0, 0.0), (30.0, 100.0), true);
        let ground = with(Ground::floor(hz).model(ModelName::vessel), [left, right]);
        let ground = ground.figure(BodyShape::of_box(40.0, 16.0)).at(0.0, 108.0);
        for gone in ["left", "right"] {
            let mut play = ground.play();
            let rested = play.run(2.0).pop().expect("ticks");
            near(rested.pos.y, 108.0, 0.1);
            assert_eq!(play.tick().pos, rested.pos, "it is at rest");
            switch(&mut play, gone, false);
            let turned = play.run(0.1).pop().expect("ticks");
            let side = if gone == "left" { 1.0 } else { -1.0 };
            assert!(turned.angle * side > 0.02, "{} at {hz} Hz", turned.angle);
        }
        let mut play = ground.play();
        let rested = play.run(2.0).pop().expect("ticks");
        switch(&mut play, "left", false);
        switch(&mut play, "right", false);
        let t = play.dt();
        let fallen = rested.pos.y - play.tick().pos.y;
        near(fallen, 0.5 * GRAVITY * t * t, 1e-9);
        assert_eq!(play.told("leave_ground"), 1);
    }
}

#[test]
fn a_vessel_moves_out_of_a_solid_that_appears() {
    for hz in RATES {
        let post = door("post", (5.0, 0.0), (60.0, 100.0), false);
        let ground = with(Ground::floor(hz).model(ModelName::vessel), [post]);
        let mut play = ground.figure(BodyShape::of_box(40.0, 16.0)).at(0.0, 8.0).play();
        play.run(1.0);
        switch(&mut play, "post", true);
        let hero = play.tick();
        near(hero.pos.x, -15.0, 0.1);
        near(hero.pos.y, 8.0, 0.1);
        assert_eq!(play.told("crush"), 0);
    }
}

/// A hero that can jump over 300 px of floor, with a door in the way.
fn jumper(hz: u32, present: bool) -> Leaper {
    let door = door("door", (140.0, 0.0), (160.0, 400.0), present);
    let ground = with(Ground::floor(hz), [door]).at(0.0, 19.0);
    Leaper::new(ground.tune("rest_spacing", 0.0), aim(300.0, 0.0, 50.0))
}

#[test]
fn a_jump_is_planned_through_an_open_door_only() {
    on_large_stack(|| {
        for hz in RATES {
            let mut open = jumper(hz, false);
            open.tick();
            open.launch();
            open.until_over().expect("it arrives");
            near(open.play.hero().pos.x, 300.0, 1e-6);
            let refused = jumper(hz, true).attempt().expect_err("a door");
            assert_eq!(refused, PlanError::Blocked { by: "door".into() }, "at {hz} Hz");
        }
    });
}

#[test]
fn a_flight_ends_at_a_door_that_closed_during_it() {
    on_large_stack(|| {
        for hz in RATES {
            let mut flying = jumper(hz, false);
            flying.tick();
            let plan = flying.launch();
            let early = (plan.flight.time * 0.2 * f64::from(hz)) as u32;
            (0..early).for_each(|_| drop(flying.tick()));
            switch(&mut flying.play, "door", true);
            flying.until_over();
            let hero = flying.play.hero();
            near(hero.pos.x, 130.0, 1e-3);
            let hits = flying
                .play
                .events
                .iter()
                .filter(|e| matches!(&e.kind, EventKind::Hit { solid, .. } if &**solid == "door"));
            assert_eq!(hits.count(), 1, "at {hz} Hz");
            // A body just passing through moves aside and falls from there.
            let mut passing = jumper(hz, false);
            passing.tick();
            passing.launch();
            while passing.play.hero().pos.x < 135.0 {
                passing.tick();
            }
            switch(&mut passing.play, "door", true);
            let hero = passing.tick();
            let aside = hero.pos.x <= 130.0 + 1e-6 || hero.pos.x >= 170.0 - 1e-6;
            assert!(aside, "{} at {hz} Hz", hero.pos);
            let hero = passing.tick();
            assert_ne!(hero.model_name(), "ballistic");
        }
    });
}
