//! Jumps that are planned with the keys of the entity's own model, compared with trying all of them.

use crate::ground::{Ground, Play};
use glam::{DVec2, dvec2};
use hangtime_core::{
    models::{Action, ModelName, ballistic::PlanWork},
    sim::{EventKind, OwnAim, OwnJump, OwnJumpError},
};

/// The work that a script may spend on a plan.
const BUDGET: u64 = 16_000;

/// How long the longest of these jumps takes, s.
const LONGEST: f64 = 3.0;

/// Plans a jump of the hero as it is now; also the work that it took.
fn planned(play: &Play, target: DVec2, most: u64) -> (Result<OwnJump, OwnJumpError>, u64) {
    let (stage, world, mut work) = (&play.stage, &play.world, PlanWork::up_to(most));
    let plan = stage.plan_own_jump(
        world.ticks(),
        world.changes(),
        0,
        &play.hero(),
        OwnAim { at: target, run_up: false },
        &mut work,
    );
    (plan, work.done)
}

/// Where the hero lands that holds a direction and jump for this many ticks; `None` if it does not.
fn landing(play: &Play, side: f64, steer: u64, hold: u64) -> Option<DVec2> {
    let mut play = Play { stage: play.stage.clone(), world: play.world.clone(), input: play.input, events: Vec::new() };
    let direction = if side > 0.0 { Action::Right } else { Action::Left };
    for tick in 0..(LONGEST * f64::from(play.stage.hz)) as u64 {
        for (action, ticks) in [(Action::Jump, hold), (direction, steer)] {
            if tick < ticks {
                play.hold(action);
            } else {
                play.release(action);
            }
        }
        play.events.clear();
        if play.tick().pos.y < -400.0 {
            return None;
        }
        for event in &play.events {
            match event.kind {
                EventKind::Land { at, .. } => return Some(at),
                EventKind::FallOut => return None,
                _ => {}
            }
        }
    }
    None
}

/// Whether a landing counts as one on the target.
fn counts(at: DVec2, target: DVec2, half: f64) -> bool {
    (at.x - target.x).abs() <= half && (at.y - target.y).abs() <= 2.0
}

/// A jump that leads there, found by trying every direction, and every duration of both keys up to `ticks`.
fn by_force(play: &Play, target: DVec2, ticks: [u64; 2]) -> Option<(f64, u64, u64)> {
    let half = play.hero().half.x;
    for side in [1.0, -1.0] {
        // A body at rest comes no nearer by moving away.
        if side * target.x < -half {
            continue;
        }
        for hold in 1..=ticks[1] {
            for steer in 0..=ticks[0] {
                if landing(play, side, steer, hold).is_some_and(|at| counts(at, target, half)) {
                    return Some((side, steer, hold));
                }
            }
        }
    }
    None
}

/// Checks that a plan leads where it says, by pressing its keys.
fn check(play: &Play, plan: &OwnJump, target: DVec2, case: &str) {
    let hz = f64::from(play.stage.hz);
    let ticks = |seconds: f64| (seconds * hz).round() as u64;
    let at =
        landing(play, plan.side, ticks(plan.steer), ticks(plan.hold)).unwrap_or_else(|| panic!("no landing: {case}"));
    assert!(at.distance(plan.at) < 1e-6, "{at} is not {}: {case}", plan.at);
    assert!(counts(at, target, play.hero().half.x), "{at} is not {target}: {case}");
}

/// The standing hero after a fifth of a second.
fn standing(ground: &Ground) -> Play {
    let mut play = ground.play();
    play.run(0.2);
    assert!(play.hero().grounded);
    play.events.clear();
    play
}

#[test]
fn a_floor_that_ends_behind_the_target_is_as_good_as_a_long_one() {
    for hz in [30, 37, 50, 60, 120, 144, 240, 1000] {
        for model in [ModelName::platformer, ModelName::two_velocity] {
            let ground = Ground::none(hz)
                .model(model)
                .figure(hangtime_core::geometry::Collider::ellipse(8.0, 14.0));
            let ground = ground.gravity(2500.0).at(0.0, 14.0);
            let play = standing(&ground.solid(&[(-2000.0, -100.0), (85.0, -100.0), (85.0, 0.0), (-2000.0, 0.0)]));
            let target = dvec2(60.0, 0.0);
            // A jump of a second is a thousand ticks at 1000 Hz.
            let (plan, work) = planned(&play, target, if hz <= 240 { BUDGET } else { 4 * BUDGET });
            let plan = plan.unwrap_or_else(|why| panic!("{why} with {model:?} at {hz} Hz after {work}"));
            check(&play, &plan, target, &format!("{model:?} at {hz} Hz"));
        }
    }
}

/// A repeatable sequence of numbers from 0 to 1.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn between(&mut self, from: f64, to: f64) -> f64 {
        from + (to - from) * self.next()
    }
}

#[test]
fn every_jump_between_two_ledges_that_force_finds_is_planned() {
    let mut numbers = Numbers(1);
    let (mut found, mut long, mut most, mut sum, mut missing) = (0, 0, 0, 0, Vec::new());
    for pair in 0..500 {
        let hz = [30, 60, 50, 37][pair % 4];
        let model = [ModelName::platformer, ModelName::two_velocity][pair / 4 % 2];
        let (gap, rise) = (numbers.between(-20.0, 320.0), numbers.between(-150.0, 190.0));
        let (near, far) = (numbers.between(15.0, 200.0), numbers.between(15.0, 120.0));
        let side = if numbers.next() < 0.5 { 1.0 } else { -1.0 };
        let block = |from: f64, to: f64, top: f64, bottom: f64| {
            [(side * from, bottom), (side * to, bottom), (side * to, top), (side * from, top)]
        };
        let gravity = numbers.between(1200.0, 4000.0);
        let ground = Ground::none(hz).model(model).gravity(gravity).solid(&block(-near, near, 0.0, -40.0));
        let from = near + gap.max(if rise < 60.0 && rise > -80.0 { 0.0 } else { -20.0 });
        let ground = ground.solid(&block(from, from + far, rise, rise - 30.0));
        let play = standing(&ground);
        let target = dvec2(side * (from + numbers.next() * far), rise);
        // With the key down it rises at 540 px/s for 0.278 s, and then up to its top. It runs at up to 650 px/s.
        let up = 0.278 + 540.0 / gravity;
        let top = 540.0 * 0.278 + 540.0 * 540.0 / (2.0 * gravity);
        let time = up + (2.0 * (top - rise).max(0.0) / gravity).sqrt();
        let ticks = [time, up].map(|seconds| (seconds * f64::from(hz)).ceil() as u64 + 1);
        let (mut plan, mut work) = planned(&play, target, BUDGET);
        if plan == Err(OwnJumpError::TooMuchWork) {
            (plan, work) = planned(&play, target, 10 * BUDGET);
            long += 1;
        }
        let case = format!("pair {pair}: {model:?} at {hz} Hz, gap {gap:.1}, rise {rise:.1}, target {target}");
        (most, sum) = (work.max(most), sum + work);
        match plan {
            Ok(plan) => {
                check(&play, &plan, target, &case);
                found += 1;
            }
            Err(why) => {
                if rise > top + 1.0 || from - 10.0 > 650.0 * time + 10.0 {
                    continue;
                }
                if let Some(jump) = by_force(&play, target, ticks) {
                    missing.push(format!("{case}: {why} after {work}, but {jump:?}"));
                }
            }
        }
    }
    let work = format!("{found} found, work {} on average, {long} times over the budget, at most {most}", sum / 500);
    assert!(missing.is_empty(), "{work}, not {}: {missing:#?}", missing.len());
    println!("{work}");
    assert!(found > 200 && long < 10 && sum / 500 < 4_000, "{work}");
}

#[test]
fn a_run_up_leads_over_a_gap_that_is_too_wide_from_where_the_body_stands() {
    for hz in [30, 37, 60, 120, 144, 240] {
        for side in [1.0, -1.0] {
            let block =
                |from: f64, to: f64| [(side * from, -50.0), (side * to, -50.0), (side * to, 0.0), (side * from, 0.0)];
            // In the air it is no faster than 360 px/s, or than when it left the ground. A jump from 0 with gravity 2500
            // takes 0.278 + 540/2500 + √(2·208/2500) = 0.902 s, so it leads 325 px; one after a run of up to 200 px more.
            let ground = Ground::none(hz).gravity(2500.0).solid(&block(-100.0, 200.0)).solid(&block(440.0, 800.0));
            let play = standing(&ground);
            let target = dvec2(side * 470.0, 0.0);
            assert_eq!(planned(&play, target, BUDGET).0, Err(OwnJumpError::Unreachable));
            let (stage, world, mut work) = (&play.stage, &play.world, PlanWork::up_to(4 * BUDGET));
            let plan = stage.plan_own_jump(
                world.ticks(),
                world.changes(),
                0,
                &play.hero(),
                OwnAim { at: target, run_up: true },
                &mut work,
            );
            let plan = plan.unwrap_or_else(|why| panic!("{why} at {hz} Hz after {}", work.done));
            let run = plan.run_up.expect("a run");
            assert_eq!(run.side, side);
            let mut play = Play { stage: stage.clone(), world: world.clone(), input: play.input, events: vec![] };
            let start = play.hero().pos.x;
            let action = if side > 0.0 { Action::Right } else { Action::Left };
            play.hold(action);
            play.run(run.seconds);
            assert!(play.hero().grounded);
            assert!(((play.hero().pos.x - start).abs() - run.distance).abs() < 1e-9);
            // It runs at 360 px/s or more, and no farther than to the end of the ground.
            assert!(run.distance >= 360.0 * run.seconds - 13.0 && run.distance < 212.0, "{run:?}");
            play.events.clear();
            check(&play, &plan, target, &format!("{hz} Hz"));
            // A wider gap than the fastest run can clear: 650 px/s for less than a second from the end at 200.
            let far = dvec2(side * 900.0, 0.0);
            let mut work = PlanWork::up_to(4 * BUDGET);
            let standing = standing(&ground);
            let (stage, world) = (&standing.stage, &standing.world);
            let plan = stage.plan_own_jump(
                world.ticks(),
                world.changes(),
                0,
                &standing.hero(),
                OwnAim { at: far, run_up: true },
                &mut work,
            );
            assert_eq!(plan, Err(OwnJumpError::Unreachable));
        }
    }
}
