//! Planned jumps are found in time: the same jump at every tick rate, for work that depends on the level alone.

use crate::{
    common::near,
    ground::{BODY, Ground, tried},
    leaper::{Leaper, aim, at},
};
use glam::{DVec2, dvec2};
use hangtime_core::{
    geometry::{Collider, polygon},
    level::{Solid, SurfaceId},
    models::{
        ModelName,
        ballistic::{Aim, Plan, PlanError, PlanWork, launch},
    },
    sim::EventKind,
};
use proptest::prelude::*;

/// Common rates, odd ones, and the ends of their range.
const RATES: [u32; 13] = [10, 24, 30, 37, 50, 60, 97, 120, 144, 165, 240, 500, 1000];

/// The work that a script may spend on a plan.
const BUDGET: u64 = 8_000;

/// Plans within the budget of a script; also the work that it took.
fn within_budget(leaper: &Leaper) -> (Result<Plan, PlanError>, u64) {
    let (play, mut work) = (&leaper.play, PlanWork::up_to(BUDGET));
    let (stage, world) = (&play.stage, &play.world);
    let plan = stage.plan_jump(world.ticks(), &world.standing(stage), 0, &play.hero(), &leaper.aim, &mut work);
    (plan, work.done)
}

/// Flies a planned jump: it follows the formula, and neither touches anything on the way nor enters a solid.
fn fly(leaper: &mut Leaper, plan: &Plan, case: &str) {
    let hz = f64::from(leaper.play.stage.hz);
    let ticks = (plan.flight.time * hz).ceil().max(1.0) as u32;
    for tick in 1..=ticks {
        let hero = leaper.play.hero();
        let stage = &leaper.play.stage;
        let standing = leaper.play.world.standing(stage);
        let scenery = stage.level.terrain_at(hero.z).moved(&standing);
        assert!(scenery.overlap(BODY, hero.pos).is_none(), "inside in tick {tick} of {ticks}: {case}");
        if tick < ticks {
            assert_eq!(hero.model_name(), "ballistic", "over in tick {tick} of {ticks}: {case}");
            assert!(hero.pos.distance(at(plan, f64::from(tick) / hz)) < 1e-6, "{case}");
            leaper.tick();
        }
    }
    let hero = leaper.play.hero();
    assert!(hero.pos.distance(plan.flight.to.truncate()) < 1e-3, "{} is not its destination: {case}", hero.pos);
    let told = |event| leaper.play.told(event);
    assert_eq!(told("hit"), 0, "{case}");
}

/// The launch to a point at the height of the start, over a wall that the body passes if its lowest point is at `height`
/// while the body is within its own half width of the wall: the clearances in steps of 8 px.
fn first_over(distance: f64, wall: [f64; 2], gravity: f64, least: f64, free: impl Fn(DVec2) -> bool) -> f64 {
    let mut clearance = least;
    loop {
        let found = launch(dvec2(distance, 0.0), 0.0, gravity, clearance).expect("a launch");
        let place = |t: f64| dvec2(found.across.x * t, found.up * t - 0.5 * gravity * t * t);
        let [from, to] = wall.map(|x| (x / found.across.x).clamp(0.0, found.time));
        if (0..=2000).all(|i| free(place(from + (to - from) * f64::from(i) / 2000.0))) {
            return clearance;
        }
        clearance += 8.0;
    }
}

#[test]
fn a_jump_over_a_wall_is_the_same_at_every_rate() {
    let mut launches = Vec::new();
    for hz in RATES {
        let wall = [(190.0, 0.0), (210.0, 0.0), (210.0, 140.0), (190.0, 140.0)];
        let ground = Ground::floor(hz).solid(&wall).gravity(900.0);
        let mut leaper = Leaper::new(ground, aim(400.0, 0.0, 10.0));
        leaper.play.run(0.2);
        let start = leaper.play.hero().pos.x;
        // The ellipse around (x, y + 19) is clear of both upper corners of the wall.
        let clear = |feet: DVec2, x: f64| {
            let off = (dvec2(x - start, 140.0) - feet - dvec2(0.0, 19.0)) / BODY.half;
            off.length() > 1.0
        };
        let free = |feet: DVec2| {
            let above = (190.0..=210.0).contains(&(feet.x + start));
            clear(feet, 190.0) && clear(feet, 210.0) && (!above || feet.y > 140.0)
        };
        let expected = first_over(400.0 - start, [170.0 - start, 230.0 - start], 900.0, 10.0, free);
        let (plan, work) = within_budget(&leaper);
        let plan = plan.unwrap_or_else(|why| panic!("{why} at {hz} Hz after {work}"));
        near(plan.clearance, expected, 1e-9);
        launches.push((plan.flight.velocity, plan.flight.time, work));
        leaper.launch();
        fly(&mut leaper, &plan, &format!("{hz} Hz"));
    }
    assert!(launches.iter().all(|launch| *launch == launches[0]), "{launches:?}");
}

#[test]
fn flights_of_up_to_a_minute_are_planned_at_every_rate() {
    for gravity in [5.0, 10.0, 30.0] {
        let mut works = Vec::new();
        for hz in RATES {
            for (seconds, found) in [(59.9, true), (60.1, false)] {
                // Up and down again, each in half of the time.
                let clearance = 0.5 * gravity * (0.5_f64 * seconds).powi(2);
                let mut leaper = Leaper::new(Ground::floor(hz).gravity(gravity), aim(3000.0, 0.0, clearance));
                let (plan, work) = within_budget(&leaper);
                works.push((seconds, work));
                assert!(work < 1000, "{work}");
                if !found {
                    let why = plan.expect_err("too long").to_string();
                    assert_eq!(why, "the flight would take 60 s; the longest allowed is 60 s");
                    continue;
                }
                let plan = plan.unwrap_or_else(|why| panic!("{why} at {hz} Hz"));
                near(plan.flight.time, seconds, 1e-9);
                if hz <= 60 {
                    leaper.launch();
                    fly(&mut leaper, &plan, &format!("{hz} Hz"));
                }
            }
        }
        assert!(works.iter().all(|work| works[..2].contains(work)), "{works:?}");
    }
}

#[test]
fn a_meeting_in_half_a_minute_takes_no_more_work_at_a_high_rate() {
    let block = [(200.0, 40.0), (320.0, 40.0), (320.0, 60.0), (200.0, 60.0)];
    for hz in RATES {
        // Gravity 10: up to the clearance of 1000 px takes √(2·1000/10) s; the platform is at most 60 px higher.
        let ground = Ground::floor(hz).platform(&block, &[(0.0, 0.0), (300.0, 0.0)], 20.0).gravity(10.0);
        let mut leaper = Leaper::new(ground, aim(240.0, 60.0, 1000.0));
        let (plan, work) = within_budget(&leaper);
        let plan = plan.unwrap_or_else(|why| panic!("{why} at {hz} Hz"));
        assert!(work < 3_000, "{work} at {hz} Hz");
        let least = (2.0 * 1060.0 / 10.0_f64).sqrt() + (2.0 * 1000.0 / 10.0_f64).sqrt();
        assert!(plan.flight.time >= least - 1e-9 && plan.flight.time < least + 1.0 / f64::from(hz));
        leaper.launch();
        fly(&mut leaper, &plan, &format!("{hz} Hz"));
        let place = leaper.platform(0);
        near(leaper.play.hero().pos.x, 240.0 + place.x, 1e-3);
    }
}

/// A comb of 2,500 teeth with 10,000 edges along the way.
fn comb(hz: u32, top: f64) -> Ground {
    let mut ground = Ground::none(hz)
        .gravity(900.0)
        .solid(&[(-50.0, -50.0), (10.0, -50.0), (10.0, 0.0), (-50.0, 0.0)]);
    for tooth in 0..2_500 {
        let x = 60.0 + 0.4 * f64::from(tooth);
        let points = [(x, -50.0), (x + 0.2, -50.0), (x + 0.2, top), (x, top)].map(DVec2::from);
        let points = polygon::outline(&points).expect("a tooth");
        ground.others.push(Solid::new("tooth".into(), SurfaceId(0), points));
    }
    ground
}

#[test]
fn a_hostile_level_costs_bounded_work_and_says_what_stopped_the_search() {
    for (top, clearance) in [(-10.0, 200.0), (150.0, 20.0), (150.0, 170.0), (9000.0, 20.0)] {
        let mut answers = Vec::new();
        for hz in [10, 30, 60, 144, 1000] {
            let leaper = Leaper::new(comb(hz, top), aim(1500.0, 0.0, clearance));
            let (plan, work) = within_budget(&leaper);
            // What goes beyond the budget is a single look at the edges around a part of the path.
            assert!(work <= BUDGET + 10_000 / 2, "{work}");
            answers.push((plan.map(|plan| plan.flight.velocity), work));
        }
        assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:?}");
        if let Err(why) = &answers[0].0 {
            assert!(matches!(why, PlanError::TooMuchWork { .. } | PlanError::Blocked { .. }), "{why}");
        }
    }
}

#[test]
fn a_search_that_stops_early_does_not_say_that_there_is_no_jump() {
    let wall = |top: f64| [(100.0, 0.0), (120.0, 0.0), (120.0, top), (100.0, top)];
    for hz in RATES {
        let refused = |top: f64, most: f64, work: u64| {
            let mut ground = Ground::floor(hz).solid(&wall(top));
            ground.tunings.ballistic.clearance_max = most;
            let leaper = Leaper::new(ground, aim(220.0, 0.0, 10.0));
            let (stage, world) = (&leaper.play.stage, &leaper.play.world);
            let standing = world.standing(stage);
            let (hero, mut work) = (leaper.play.hero(), PlanWork::up_to(work));
            let plan = stage.plan_jump(0, &standing, 0, &hero, &leaper.aim, &mut work);
            plan.expect_err("refused").to_string()
        };
        // All clearances were tried.
        assert_eq!(refused(3000.0, 200.0, 100_000), "`solid 2` is in the way");
        // There may be a higher one.
        let more = "`solid 2` is in the way, and planning a higher jump takes too long";
        assert_eq!(refused(3000.0, 5000.0, 2_000), more);
        assert_eq!(refused(3000.0, 15_000.0, u64::MAX), more);
        assert_eq!(refused(3000.0, 200.0, 10), "planning it takes too long");
    }
}

/// A box from its center and half-widths.
type Block = (f64, f64, f64, f64);

fn corners(&(x, y, w, h): &Block) -> [(f64, f64); 4] {
    [(x - w, y - h), (x + w, y - h), (x + w, y + h), (x - w, y + h)]
}

fn blocks(most: usize) -> impl Strategy<Value = Vec<Block>> {
    prop::collection::vec((-300.0..300.0, 60.0..300.0, 5.0..80.0, 3.0..40.0), 0..most)
}

/// Whether a body of this size overlaps a block on its path, by looking at many places of it.
fn overlaps(ground: &Ground, shape: Collider, from: DVec2, plan: [f64; 3], gravity: f64) -> bool {
    let stage = ground.stage();
    let [vx, vy, time] = plan;
    (0..=4000).any(|i| {
        let t = time * f64::from(i) / 4000.0;
        let place = from + dvec2(vx * t, vy * t - 0.5 * gravity * t * t);
        stage.level.terrain.still().overlap(shape, place).is_some()
    })
}

proptest! {
    #![proptest_config(tried(60))]

    #[test]
    fn plans_are_the_same_at_every_rate_and_fly(
        still in blocks(7),
        goal in (-400.0..400.0, 0.0..90.0),
        gravity in prop::sample::select(vec![120.0, 900.0, 3672.0, 20_000.0]),
    ) {
        let goal = aim(goal.0, 0.0, goal.1);
        let build = |ground: Ground| still.iter().fold(ground, |g, block| g.solid(&corners(block))).gravity(gravity);
        let mut first = None;
        for hz in RATES {
            let mut leaper = Leaper::new(build(Ground::floor(hz)), goal);
            let plan = leaper.attempt();
            let answer = plan.as_ref().map(|plan| (plan.flight.velocity, plan.flight.time)).map_err(|w| w.to_string());
            let first = first.get_or_insert_with(|| answer.clone());
            prop_assert_eq!(&*first, &answer);
            if let Ok(plan) = plan {
                fly(&mut leaper, &plan, &format!("{hz} Hz"));
            }
        }
        // A clearance is only skipped if a body that is slightly larger touches a block.
        let only = build(Ground::none(60));
        let large = BODY.grown(0.6);
        let (refused, most) = match first.expect("an answer") {
            Ok((velocity, _)) => (false, velocity.y * velocity.y / (2.0 * gravity)),
            Err(why) => (why.contains("in the way"), 200.0),
        };
        let mut tried = goal.clearance;
        while tried < most - 1e-6 || (refused && tried <= most) {
            let launch = launch(goal.at, 0.0, gravity, tried).expect("a launch");
            let free = !overlaps(&only, large, dvec2(0.0, 19.0), [launch.across.x, launch.up, launch.time], gravity);
            prop_assert!(!free, "{tried} is free");
            tried += 8.0;
        }
    }

    #[test]
    fn jumps_among_moving_platforms_fly_at_every_rate(
        still in blocks(4),
        moving in blocks(4),
        goal in (-400.0..400.0, 0.0..380.0, 0.0..90.0),
        onto in any::<bool>(),
        speed in prop::sample::select(vec![20.0, 90.0, 300.0, 900.0]),
        gravity in prop::sample::select(vec![300.0, 3672.0]),
    ) {
        for hz in RATES {
            let ground = still.iter().fold(Ground::floor(hz), |g, block| g.solid(&corners(block)));
            let ground = moving.iter().fold(ground, |g, block| {
                g.platform(&corners(block), &[(0.0, 0.0), (block.1 - 100.0, 0.7 * block.0)], speed)
            });
            let mut goal = aim(goal.0, goal.1, goal.2);
            if let (Some(&(x, y, w, h)), true) = (moving.first(), onto) {
                goal.at = dvec2(x + 0.5 * w, y + h);
            }
            let mut leaper = Leaper::new(ground.gravity(gravity), goal);
            if let Ok(plan) = leaper.attempt() {
                fly(&mut leaper, &plan, &format!("{hz} Hz"));
            }
        }
    }
}

#[test]
fn a_top_view_plans_the_same_jump_at_every_rate() {
    let mut answers: Vec<Vec<_>> = Vec::new();
    for hz in RATES {
        let mut found = Vec::new();
        for (x, clearance) in [(140.0, 15.0), (260.0, 15.0), (570.0, 3.0), (1000.0, 3.0), (700.0, 15.0)] {
            let mut ground = Ground::none(hz).top_view().model(ModelName::topdown).at(0.0, 40.0).gravity(900.0);
            for (left, top) in [(100.0, 20.0), (220.0, 48.0), (340.0, 90.0), (600.0, f64::INFINITY)] {
                ground = ground.block((left, 0.0), (left + 80.0, 80.0), top);
            }
            let mut leaper = Leaper::new(ground, aim(x, 40.0, clearance));
            let (plan, work) = within_budget(&leaper);
            found.push((plan.clone().map(|plan| plan.flight.velocity), work));
            if let Ok(plan) = plan {
                leaper.launch();
                let mut ticks = 1;
                while leaper.play.hero().model_name() == "ballistic" && leaper.play.told("land") == 0 {
                    leaper.tick();
                    ticks += 1;
                }
                assert_eq!(ticks, (plan.flight.time * f64::from(hz)).ceil() as u32);
                let hero = leaper.play.hero();
                assert_eq!(hero.pos, dvec2(x, 40.0));
                assert_eq!(leaper.play.told("hit"), 0);
            }
        }
        // At x the body is 4·H·s·(1 − s) high, with s = x/570. It is above the block of 90 px until it is 10 px past its
        // end at 420. Jumps to 700 and 1000 meet a wall without a top.
        let share = 430.0 / 570.0;
        let least = 90.0 / (4.0 * share * (1.0 - share));
        let clearance = 3.0 + 8.0 * ((least - 3.0) / 8.0_f64).ceil();
        let (over, _) = &found[2];
        near(over.clone().expect("a jump").z, (2.0 * 900.0 * clearance).sqrt(), 1e-9);
        let ok: Vec<bool> = found.iter().map(|(plan, _)| plan.is_ok()).collect();
        assert_eq!(ok, [true, true, true, false, false], "{found:?}");
        answers.push(found);
    }
    assert!(answers.iter().all(|found| *found == answers[0]), "{answers:?}");
}

#[test]
fn hostile_numbers_are_refused_at_every_rate() {
    for hz in RATES {
        let refused = |aim: Aim, gravity: f64| {
            let leaper = Leaper::new(Ground::floor(hz).gravity(gravity), aim);
            let (plan, work) = within_budget(&leaper);
            assert!(work <= BUDGET, "{work}");
            plan.expect_err("refused").to_string()
        };
        assert!(refused(aim(100.0, 0.0, 0.0), 900.0).contains("clearance above 0"));
        assert!(refused(aim(100.0, 0.0, -1.0), 900.0).contains("between 0 and 1000000"));
        assert!(refused(aim(1e300, 0.0, 10.0), 900.0).contains("leave the level"));
        assert!(refused(aim(100.0, 0.0, 1e6), 900.0).contains("the longest allowed is 60 s"));
        assert!(refused(aim(100.0, 0.0, 1e6), 1e7).contains("leave the level"));
        assert!(refused(aim(100.0, 0.0, 10.0), 0.0).contains("gravity is 0 here or points up"));
        assert!(refused(aim(100.0, 0.0, 10.0), -900.0).contains("gravity is 0 here or points up"));
        assert!(refused(aim(f64::NAN, 0.0, 10.0), 900.0).contains("cannot be NaN"));
        let fast = Aim { velocity: Some(dvec2(0.0, 1e6)), ..aim(100.0, 0.0, 10.0) };
        assert!(refused(fast, 900.0).contains("no jump can meet"));
        // A place where it is already, and one right above.
        let leaper = Leaper::new(Ground::floor(hz).gravity(900.0), aim(0.0, 0.0, 0.0));
        assert_eq!(within_budget(&leaper).0.expect("no way to go").flight.time, 0.0);
    }
}

#[test]
fn a_launch_in_strong_gravity_lands_exactly() {
    for hz in RATES {
        for gravity in [1.0, 3672.0, 1e7] {
            let mut leaper = Leaper::new(Ground::floor(hz).gravity(gravity), aim(300.0, 0.0, 100.0));
            let plan = leaper.launch();
            near(plan.flight.time, 2.0 * (200.0 / gravity).sqrt(), 1e-9);
            if plan.flight.time * f64::from(hz) < 30_000.0 {
                fly(&mut leaper, &plan, &format!("{gravity} at {hz} Hz"));
                assert!(leaper.play.events.iter().any(|event| matches!(event.kind, EventKind::Land { .. })));
            }
        }
    }
}

#[test]
fn a_flight_in_a_top_view_that_would_land_in_the_middle_of_a_floor_on_its_way_is_refused() {
    // Up to 20 px over the plain ground and down to it, over a wide block of height 10: it sinks to the height of the block
    // after a share of the way that follows from the times up and down. Where it is over the block then, it would land there.
    let (above, top, gravity, edge) = (20.0_f64, 10.0_f64, 900.0, 400.0);
    let share = 0.5 * (1.0 + ((above - top) / above).sqrt());
    for hz in RATES {
        for distance in [430.0, 450.0, 470.0, 480.0, 495.0, 510.0, 540.0] {
            let ground = Ground::none(hz).top_view().gravity(gravity).at(0.0, 0.0);
            let ground = ground.block((100.0, -600.0), (edge, 600.0), top);
            let leaper = Leaper::new(ground, aim(distance, 0.0, above));
            let plan = within_budget(&leaper).0.expect("a higher flight leads over the block");
            let lands_on_the_way = share * distance < edge + BODY.half.x;
            let case = format!("{distance} px at {hz} Hz");
            assert_eq!(plan.clearance > above, lands_on_the_way, "{case}: clearance {}", plan.clearance);
        }
    }
}
