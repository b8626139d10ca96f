//! Routes over rest positions.

use crate::ground::{Ground, Play};
use glam::{DVec2, dvec2};
use hangtime_core::models::ballistic::PlanWork;
use hangtime_core::sim::{
    EventKind, Inputs, MOST_ROUTE_WORK, MoveKind, NEAR_GOAL, NativeRules, Route, RouteError, RouteOrder, Stage, World,
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
    let (world, mut work) = (World::new(stage, 1), PlanWork::up_to(MOST_ROUTE_WORK));
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

#[test]
fn a_gap_within_reach_is_jumped_and_a_wider_one_is_not() {
    for hz in [30, 60, 120, 240] {
        for (gap, possible) in [(150.0, true), (900.0, false)] {
            let ground = Ground::none(hz)
                .solid(&[(-400.0, -50.0), (0.0, -50.0), (0.0, 0.0), (-400.0, 0.0)])
                .solid(&[(gap, -50.0), (gap + 300.0, -50.0), (gap + 300.0, 0.0), (gap, 0.0)]);
            let (found, work) = route(&stage(&ground), (-300.0, 19.0), (gap + 200.0, 19.0));
            println!("{hz} Hz, gap {gap}: {work} {found:?}");
            match found {
                Ok(found) if possible => {
                    assert!(kinds(&found).contains(&MoveKind::Jump));
                    check(&ground, &found, &format!("gap {gap} at {hz} Hz"));
                }
                Err(RouteError::Unreachable) if !possible => {}
                other => panic!("{other:?} for {gap} at {hz} Hz"),
            }
        }
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
