//! Routes over rest positions.

use crate::{doors::door, ground::Ground};
use glam::DVec2;
use hangtime_core::{
    models::{ModelName, ballistic::PlanWork},
    sim::{
        Command, EventKind, Inputs, MOST_ROUTE_WORK, MOST_ROUTES, MoveKind, NEAR_GOAL, NativeRules, ROUTE_WORK_OF_TICK,
        Route, RouteError, RouteOrder, SavedWorld, Stage, World,
    },
};
use std::{collections::BTreeMap, sync::Arc};

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
            left |= play
                .world
                .events()
                .iter()
                .any(|event| matches!(event.kind, EventKind::LeaveGround { .. }));
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
            // With a step, there is a route.
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

/// A repeatable sequence of numbers.
struct Numbers(u64);

impl Numbers {
    fn between(&mut self, from: f64, to: f64) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        from + (to - from) * ((self.0 >> 11) as f64 / (1_u64 << 53) as f64)
    }
}

/// A room with ledges, steps, slopes and one-way platforms.
fn room(numbers: &mut Numbers, hz: u32) -> Ground {
    let ground = block(Ground::none(hz), (-40.0, -40.0), (1240.0, 0.0));
    let ground = block(ground, (-40.0, 0.0), (0.0, 900.0));
    let mut ground = block(ground, (1200.0, 0.0), (1240.0, 900.0));
    for place in 0..8 {
        let (x, y) = (numbers.between(0.0, 1100.0).round(), numbers.between(0.0, 600.0).round());
        let (wide, high) = (numbers.between(15.0, 300.0).round(), numbers.between(10.0, 100.0).round());
        ground = match place % 4 {
            0 => ground.one_way(&[(x, y), (x + wide, y)]),
            1 => ground.solid(&[(x, y), (x + wide, y), (x + wide, y + high)]),
            _ => block(ground, (x, y), (x + wide, y + high)),
        };
    }
    ground
}

#[test]
fn the_keys_of_routes_through_random_rooms_lead_where_they_say() {
    let (mut numbers, mut found, mut most) = (Numbers(7), 0, 0);
    for number in 0..160 {
        let hz = [30, 60, 120, 240][number % 4];
        let ground = room(&mut numbers, hz);
        let ends = [0, 1].map(|_| (numbers.between(20.0, 1180.0), numbers.between(19.0, 700.0)));
        let (route, work) = route(&stage(&ground), ends[0], ends[1]);
        most = most.max(work);
        let case = format!("room {number} at {hz} Hz, {ends:?}");
        match route {
            Ok(route) => {
                found += 1;
                check(&ground, &route, &case);
            }
            Err(
                RouteError::Unreachable | RouteError::TooMuchWork | RouteError::NoStart | RouteError::NoDestination,
            ) => {}
            Err(why) => panic!("{why}: {case}"),
        }
    }
    println!("{found} found, work at most {most}");
    assert!(found > 100, "{found}");
}

#[test]
fn a_level_with_thousands_of_ledges_ends_the_search_within_its_bound() {
    let mut numbers = Numbers(1);
    for (hz, wide) in [(60, 12_000.0), (240, 2_000.0)] {
        let mut ground = Ground::none(hz);
        for _ in 0..3_000 {
            let (x, y) = (numbers.between(-wide, wide), numbers.between(-600.0, 600.0));
            ground = block(ground, (x, y), (x + numbers.between(4.0, 90.0), y + 8.0));
        }
        let stage = stage(&ground);
        // Far away, and nowhere.
        for to in [(wide - 100.0, 600.0), (0.0, 12_000.0)] {
            let (found, work) = route(&stage, (-wide + 100.0, 0.0), to);
            let most = MOST_ROUTE_WORK * u64::from(hz.max(60)) / 60;
            assert!(work < most + 500_000, "{work}: {found:?}");
        }
    }
}

#[test]
fn a_top_view_a_model_without_rest_positions_and_ends_in_the_air_have_their_own_errors() {
    let floor = Ground::floor(60);
    let of = |ground: &Ground, from, to| route(&stage(ground), from, to).0.expect_err("no route");
    let (near, far) = ((0.0, 19.0), (300.0, 19.0));
    assert_eq!(of(&floor.clone().top_view(), near, far), RouteError::TopView);
    assert_eq!(of(&floor.clone().model(ModelName::two_velocity), near, far), RouteError::NoRest);
    assert_eq!(of(&floor.clone().tune("rest_spacing", 0.0), near, far), RouteError::NoRest);
    assert_eq!(of(&floor, (0.0, 900.0), far), RouteError::NoStart);
    assert_eq!(of(&floor, near, (300.0, 900.0)), RouteError::NoDestination);
    let unknown = RouteOrder { kind: "nothing".into(), ..order(near, far) };
    let (stage, mut work) = (stage(&floor), PlanWork::up_to(1_000));
    let found = stage.find_route(World::new(&stage, 1).changes(), &unknown, &mut work);
    assert_eq!(found, Err(RouteError::UnknownKind));
    // A search that may do less work than it takes.
    let found = stage.find_route(World::new(&stage, 1).changes(), &order(near, (4000.0, 19.0)), &mut work);
    assert_eq!(found, Err(RouteError::TooMuchWork));
}

#[test]
fn a_start_near_the_destination_needs_no_move() {
    let (found, _) = route(&stage(&Ground::floor(60)), (3.0, 30.0), (13.0, 25.0));
    assert_eq!(found, Ok(Route { from: DVec2::new(4.0, 19.0), to: DVec2::new(12.0, 19.0), moves: vec![] }));
}

/// A gap with a bridge that can be switched off.
fn bridge(hz: u32) -> Ground {
    let ground = block(Ground::none(hz), (-300.0, -50.0), (0.0, 0.0));
    let mut ground = block(ground, (900.0, -50.0), (1200.0, 0.0));
    ground.others.push(door("bridge", (0.0, -20.0), (900.0, 0.0), true));
    ground
}

/// Asks for a route in each tick until it is found, and after how many ticks.
fn asked(stage: &Stage, world: &mut World, order: &RouteOrder) -> (Result<Route, RouteError>, u64) {
    let (hero, begin) = (world.entities()[0].id, world.ticks());
    for _ in 0..1_000 {
        if let Some(found) = world.routes().found(order) {
            return ((**found).clone(), world.ticks() - begin);
        }
        world.order(stage, hero, &Command::FindRoute(Box::new(order.clone())));
        world.tick(stage, &Inputs::default(), &mut NativeRules);
    }
    panic!("it is never found");
}

#[test]
fn a_world_finds_the_same_route_in_several_ticks_also_after_it_was_saved() {
    for hz in [30, 60, 120, 240] {
        let ground = block(Ground::none(hz).at(-300.0, 19.0), (-500.0, -50.0), (500.0, 0.0));
        let ground = block(ground, (100.0, 0.0), (500.0, 230.0));
        let stage = stage(&block(ground, (-100.0, 100.0), (0.0, 110.0)));
        let order = order((-300.0, 19.0), (300.0, 249.0));
        let mut world = World::new(&stage, 1);
        let plain = world.hash();
        let mut work = PlanWork::up_to(u64::MAX);
        let fresh = stage.find_route(world.changes(), &order, &mut work);
        assert!(fresh.is_ok(), "{fresh:?}");
        let mut saving = world.clone();
        let (found, ticks) = asked(&stage, &mut world, &order);
        assert_eq!(found, fresh);
        assert!(ticks > 1 && ticks <= work.done / ROUTE_WORK_OF_TICK + 1, "{ticks} for {}", work.done);
        assert_ne!(world.hash(), plain);
        // Saved and loaded after each tick.
        let hero = saving.entities()[0].id;
        for _ in 0..ticks {
            saving.order(&stage, hero, &Command::FindRoute(Box::new(order.clone())));
            saving.tick(&stage, &Inputs::default(), &mut NativeRules);
            let saved = serde_json::to_string(&saving).expect("it is saved");
            let saved: SavedWorld = serde_json::from_str(&saved).expect("it has all fields");
            saving = saved.check(&stage).expect("it fits");
        }
        assert_eq!(saving, world);
        assert_eq!(saving.hash(), world.hash());
    }
}

#[test]
fn a_solid_that_is_switched_and_a_reload_make_routes_new() {
    let stage = stage(&bridge(60).at(-200.0, 19.0));
    let order = order((-200.0, 19.0), (1100.0, 19.0));
    let mut world = World::new(&stage, 1);
    let hero = world.entities()[0].id;
    let (found, _) = asked(&stage, &mut world, &order);
    assert_eq!(kinds(&found.expect("over the bridge")), [MoveKind::Walk]);
    world.order(&stage, hero, &Command::Switch(2, false));
    world.tick(&stage, &Inputs::default(), &mut NativeRules);
    assert_eq!(asked(&stage, &mut world, &order).0, Err(RouteError::Unreachable));
    world.order(&stage, hero, &Command::Switch(2, true));
    world.tick(&stage, &Inputs::default(), &mut NativeRules);
    assert!(asked(&stage, &mut world, &order).0.is_ok());
    world.adopt(&stage, &stage);
    assert!(world.routes().is_empty());
}

#[test]
fn a_route_that_is_no_longer_asked_for_is_dropped_and_many_questions_keep_the_newest() {
    let stage = stage(&Ground::floor(60));
    let mut world = World::new(&stage, 1);
    let hero = world.entities()[0].id;
    let orders = (0..3 * MOST_ROUTES).map(|n| order((0.0, 19.0), (200.0 + 100.0 * n as f64, 19.0)));
    let orders: Vec<RouteOrder> = orders.collect();
    for order in &orders {
        world.order(&stage, hero, &Command::FindRoute(Box::new(order.clone())));
    }
    for _ in 0..3 * 60 {
        world.tick(&stage, &Inputs::default(), &mut NativeRules);
    }
    let known = orders.iter().filter(|order| world.routes().found(order).is_some()).count();
    assert!((1..=MOST_ROUTES).contains(&known), "{known}");
    assert!(world.routes().found(&orders[0]).is_none());
}

#[test]
fn bodies_that_fall_up_find_their_way_along_ceilings() {
    for hz in [30, 60, 120, 240] {
        let ground = block(Ground::none(hz).tune("gravity_scale", -1.0), (-400.0, 0.0), (0.0, 50.0));
        let ground = block(ground, (150.0, -60.0), (600.0, 50.0));
        let (found, _) = route(&stage(&ground), (-300.0, -19.0), (400.0, -79.0));
        let found = found.unwrap_or_else(|why| panic!("{why} at {hz} Hz"));
        assert!(kinds(&found).contains(&MoveKind::Jump), "{found:?}");
        check(&ground, &found, &format!("a ceiling at {hz} Hz"));
    }
}

#[test]
fn extreme_tunables_and_crowded_places_end_within_the_bound() {
    let mut crowd = Ground::floor(60);
    for place in 0..1_500 {
        let (x, y) = (f64::from(place % 50) * 9.0, f64::from(place / 50) * 9.0);
        crowd = block(crowd, (x, y + 60.0), (x + 5.0, y + 64.0));
    }
    for ground in [
        crowd.clone(),
        crowd.clone().tune("jump_speed", 1e6),
        crowd.clone().tune("air_speed_soft", 1e6).tune("run_speed_max", 1e6),
        crowd.clone().tune("hook_length", 1e6).tune("hook_pull_speed", 1.0),
        crowd.clone().tune("rest_spacing", 0.01),
        crowd.clone().gravity(0.0),
        crowd.tune("jump_hold_time", 60.0),
    ] {
        let (found, work) = route(&stage(&ground), (-300.0, 19.0), (200.0, 400.0));
        assert!(work < MOST_ROUTE_WORK + 500_000, "{work}: {found:?}");
    }
}
