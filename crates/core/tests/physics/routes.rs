//! Routes over rest positions.

use crate::ground::Ground;
use glam::DVec2;
use hangtime_core::models::ballistic::PlanWork;
use hangtime_core::sim::{
    EventKind, Inputs, MoveKind, NEAR_GOAL, NativeRules, Route, RouteError, RouteOrder, Stage, World,
};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The stage of a ground, with its hero as a kind.
fn stage(ground: &Ground) -> Stage {
    let mut stage = ground.stage();
    stage.kinds = Arc::new(BTreeMap::from([(Arc::from("hero"), 0)]));
    stage
}

fn order(from: (f64, f64), to: (f64, f64)) -> RouteOrder {
    RouteOrder { kind: "hero".into(), from: from.into(), to: to.into() }
}

/// A route, and the work that it took to find it.
fn route(stage: &Stage, from: (f64, f64), to: (f64, f64)) -> (Result<Route, RouteError>, u64) {
    let (world, mut work) = (World::new(stage, 1), PlanWork::up_to(u64::MAX));
    let found = stage.find_route(world.changes(), &order(from, to), &mut work);
    (found, work.done)
}

/// Presses the keys of a route and checks that each move ends where it says, bit for bit.
fn check(ground: &Ground, route: &Route, case: &str) {
    let mut play = ground.clone().at(route.from.x, route.from.y).play();
    let hz = f64::from(play.stage.hz);
    play.run(0.1);
    assert_eq!(play.hero().pos, route.from, "{case}");
    for (place, step) in route.moves.iter().enumerate() {
        let ticks = (step.time * hz).round() as u64;
        let mut left = false;
        for tick in 0..ticks {
            let inputs = Inputs::of_first(step.input(tick as f64 / hz));
            play.world.tick(&play.stage, &inputs, &mut NativeRules);
            left |= play.world.events().iter().any(|event| matches!(event.kind, EventKind::LeaveGround { .. }));
        }
        let hero = play.hero();
        assert_eq!((hero.pos, hero.vel), (step.at, DVec2::ZERO), "move {place} of {case}: {step:?}");
        assert!(hero.grounded);
        if step.kind == MoveKind::Walk {
            assert!(!left, "move {place} of {case}: {step:?}");
        } else {
            assert!(left, "move {place} of {case}: {step:?}");
        }
    }
    let off = (play.hero().pos - route.to).abs();
    assert!(off.x <= NEAR_GOAL && off.y <= 19.0, "{off} at the end of {case}");
}

fn kinds(route: &Route) -> Vec<MoveKind> {
    route.moves.iter().map(|step| step.kind).collect()
}

/// A box, from corner to corner.
fn block(ground: Ground, from: (f64, f64), to: (f64, f64)) -> Ground {
    ground.solid(&[from, (to.0, from.1), to, (from.0, to.1)])
}

#[test]
fn a_gap_within_reach_is_jumped_and_a_wider_one_is_not() {
    // After a run to 650 px/s a jump that is held takes 0.278 + 540/3672 + √(2·189.8/3672) = 0.747 s on level ground, until
    // it is down again. At 650 px/s that is 485 px, and its feet may be half of its width before and behind the edges.
    for hz in [30, 60, 120, 240] {
        for (gap, possible) in [(150.0, true), (440.0, true), (530.0, false)] {
            let ground = block(Ground::none(hz), (-700.0, -50.0), (0.0, 0.0));
            let ground = block(ground, (gap, -50.0), (gap + 300.0, 0.0));
            let (found, work) = route(&stage(&ground), (-600.0, 19.0), (gap + 200.0, 19.0));
            let case = format!("gap {gap} at {hz} Hz, work {work}");
            match found {
                Ok(found) if possible => {
                    assert!(kinds(&found).contains(&MoveKind::Jump), "{case}");
                    check(&ground, &found, &case);
                }
                Err(RouteError::Unreachable) if !possible => {}
                other => panic!("{other:?}: {case}"),
            }
        }
    }
}

#[test]
fn a_wall_is_climbed_if_a_jump_is_higher_and_gone_around_otherwise() {
    // A jump is 189.8 px high.
    for hz in [30, 60, 120, 240] {
        for (height, possible) in [(150.0, true), (230.0, false)] {
            let ground = block(Ground::none(hz), (-500.0, -50.0), (500.0, 0.0));
            let ground = block(ground, (100.0, 0.0), (500.0, height));
            let to = (300.0, height + 19.0);
            let (found, _) = route(&stage(&ground), (-300.0, 19.0), to);
            let case = format!("height {height} at {hz} Hz");
            match &found {
                Ok(found) if possible => check(&ground, found, &case),
                Err(RouteError::Unreachable) if !possible => {}
                other => panic!("{other:?}: {case}"),
            }
            // With a step, there is a way.
            let ground = block(ground, (-100.0, 100.0), (0.0, 110.0));
            let (found, _) = route(&stage(&ground), (-300.0, 19.0), to);
            check(&ground, &found.unwrap_or_else(|why| panic!("{why}: {case}")), &case);
        }
    }
}

#[test]
fn stairs_are_walked() {
    for hz in [30, 60, 120, 240] {
        let mut ground = block(Ground::none(hz), (-400.0, -50.0), (0.0, 100.0));
        for step in 0..10 {
            let (x, top) = (40.0 * f64::from(step), 90.0 - 10.0 * f64::from(step));
            ground = block(ground, (x, -50.0), (x + 40.0, top));
        }
        let ground = block(ground, (400.0, -50.0), (900.0, 0.0));
        let (found, _) = route(&stage(&ground), (-300.0, 119.0), (700.0, 19.0));
        let found = found.unwrap_or_else(|why| panic!("{why} at {hz} Hz"));
        assert!(kinds(&found).iter().all(|kind| *kind == MoveKind::Walk), "{found:?}");
        check(&ground, &found, &format!("stairs at {hz} Hz"));
    }
}

#[test]
fn a_ledge_is_left_by_falling_off_it_and_a_one_way_platform_by_falling_through() {
    for hz in [30, 60, 120, 240] {
        let floor = block(Ground::none(hz), (-1000.0, -50.0), (1000.0, 0.0));
        let ground = block(floor.clone(), (-200.0, 300.0), (200.0, 310.0));
        let (found, _) = route(&stage(&ground), (0.0, 329.0), (500.0, 19.0));
        let found = found.unwrap_or_else(|why| panic!("{why} at {hz} Hz"));
        assert!(kinds(&found).contains(&MoveKind::Drop), "{found:?}");
        check(&ground, &found, &format!("a ledge at {hz} Hz"));
        // There are walls at its ends.
        let ground = block(floor, (-220.0, 0.0), (-200.0, 900.0));
        let ground = block(ground, (200.0, 0.0), (220.0, 900.0)).one_way(&[(-200.0, 300.0), (200.0, 300.0)]);
        let (found, _) = route(&stage(&ground), (0.0, 319.0), (100.0, 19.0));
        let found = found.unwrap_or_else(|why| panic!("{why} at {hz} Hz"));
        assert!(found.moves.iter().any(|step| step.keys.down > 0.0), "{found:?}");
        check(&ground, &found, &format!("a one-way platform at {hz} Hz"));
    }
}

#[test]
fn a_ledge_that_is_too_high_for_a_jump_is_reached_on_the_rope_of_the_hook() {
    for hz in [30, 60, 120, 240] {
        let ground = block(Ground::none(hz), (-700.0, -50.0), (0.0, 0.0));
        let ground = block(ground, (100.0, -50.0), (600.0, 260.0));
        let to = (400.0, 279.0);
        assert_eq!(route(&stage(&ground), (-300.0, 19.0), to).0, Err(RouteError::Unreachable));
        let roofed = block(ground, (-200.0, 420.0), (400.0, 440.0));
        let (found, work) = route(&stage(&roofed), (-300.0, 19.0), to);
        let found = found.unwrap_or_else(|why| panic!("{why} at {hz} Hz after {work}"));
        assert!(kinds(&found).contains(&MoveKind::Swing), "{found:?}");
        check(&roofed, &found, &format!("a swing at {hz} Hz"));
    }
}

#[test]
fn playground_tmp() {
    for hz in [30, 60, 120, 240] {
        let text = std::fs::read_to_string("../../levels/playground.toml").unwrap();
        let mut ground = Ground::none(hz).surface(0.1);
        for part in text.split("[[solid]]").skip(1) {
            let from = part.find("points = [").unwrap() + 10;
            let numbers: Vec<f64> = part[from..part[from..].find("]]").or(part[from..].find("],\n]")).unwrap() + from]
                .split(|c: char| !(c.is_ascii_digit() || c == '-' || c == '.'))
                .filter_map(|t| t.parse().ok())
                .collect();
            let points: Vec<(f64, f64)> = numbers.chunks(2).map(|c| (c[0], c[1])).collect();
            ground = ground.solid_of(&points, usize::from(part.contains("\"ice\"")));
        }
        let begin = std::time::Instant::now();
        let (found, work) = route(&stage(&ground), (60.0, 19.0), (5200.0, 419.0));
        println!("{hz} Hz: {work} in {:?}", begin.elapsed());
        match found {
            Ok(found) => {
                for step in &found.moves {
                    println!("{:?} {} {} {:?} {:?}", step.kind, step.at, step.time, step.keys, step.run_up);
                }
                println!("{}", found.time());
                check(&ground, &found, "playground");
            }
            Err(e) => println!("{e}"),
        }
    }
}
