//! Throws that are planned for projectiles, and projectiles that follow them.

use crate::{
    common::near,
    ground::{Ground, Play, tried},
};
use glam::{DVec3, dvec2};
use hangtime_core::{
    geometry::Collider,
    level::View,
    models::{
        ModelName,
        ballistic::{Aim, Plan, PlanError, PlanWork, launch},
    },
    sim::{Command, Creation, Decision, EntityId, EntityView, Inputs, Invocation, Rules, Scene, ScriptId},
};
use proptest::prelude::*;
use std::sync::Arc;

const RATES: [u32; 9] = [24, 30, 50, 60, 97, 120, 144, 240, 1000];

/// Half the width and height of a ball, px.
const BALL: f64 = 4.0;

/// A hero that throws a ball, which is of another kind, from its center in the next tick.
struct Thrower {
    play: Play,
    order: Option<Command>,
}

impl Rules for Thrower {
    fn decide(&mut self, _: &Scene<'_>, _: &mut [Invocation], decisions: &mut [Decision]) {
        decisions[0].commands.extend(self.order.take());
    }
}

impl Thrower {
    fn new(ground: Ground) -> Self {
        let ground = ground.model(ModelName::ballistic).figure(Collider::ellipse(BALL, BALL));
        let mut play = ground.play();
        Arc::make_mut(&mut play.stage.profiles)[0].script = Some(ScriptId(0));
        Self { play, order: None }
    }

    fn plan(&self, from: DVec3, aim: &Aim) -> Result<Plan, PlanError> {
        let (stage, world) = (&self.play.stage, &self.play.world);
        stage.plan_throw(world.ticks(), &world.standing(stage), 0, from, aim, &mut PlanWork::up_to(8_000))
    }

    fn throw(&mut self, from: DVec3, plan: &Plan) {
        let velocity = plan.flight.velocity;
        self.order = Some(Command::Create(Box::new(Creation {
            id: EntityId(100),
            name: "ball".into(),
            profile: 0,
            at: from.truncate(),
            z: from.z,
            velocity: velocity.truncate(),
            vel_z: velocity.z,
            facing: 1.0,
            vars: Default::default(),
        })));
        self.tick();
    }

    fn tick(&mut self) {
        let inputs = Inputs::of_first(self.play.input);
        let mut world = self.play.world.clone();
        let stage = self.play.stage.clone();
        world.tick(&stage, &inputs, self);
        self.play
            .events
            .extend(world.events().iter().filter(|event| &*event.name == "ball").cloned());
        self.play.world = world;
    }

    fn ball(&self) -> EntityView {
        self.play.world.view_of(&self.play.stage, "ball").expect("there is a ball")
    }

    /// Throws a ball, and follows it until its last whole tick in the air. It keeps to the formula and hits nothing.
    fn fly(&mut self, from: DVec3, plan: &Plan, case: &str) {
        self.throw(from, plan);
        let hz = f64::from(self.play.stage.hz);
        let ticks = (plan.flight.time * hz).floor() as u64;
        for tick in 0..ticks {
            let seconds = tick as f64 / hz;
            let place = from + plan.flight.velocity * seconds + plan.flight.pull * (0.5 * seconds * seconds);
            // A body that sinks to within half a pixel of ground stands on it.
            if seconds > plan.flight.top() && place.y - plan.flight.to.y < 0.51 && place.z <= plan.flight.to.z {
                break;
            }
            let ball = self.ball();
            let off = ball.pos.extend(ball.z) - place;
            assert!(off.length() < 1e-6, "{off} off in tick {tick} of {ticks}: {case}");
            assert_eq!(self.play.told("hit") + self.play.told("land"), 0, "tick {tick} of {ticks}: {case}");
            self.tick();
        }
    }
}

fn aim(x: f64, y: f64, clearance: f64) -> Aim {
    Aim { at: dvec2(x, y), clearance, velocity: None }
}

#[test]
fn a_thrown_ball_follows_the_formula_and_lands_at_the_target() {
    for hz in RATES {
        for gravity in [900.0, 3672.0] {
            for (x, y, clearance) in
                [(300.0, 0.0, 40.0), (-250.0, 0.0, 0.0), (150.0, 120.0, 25.0), (90.0, -60.0, 300.0)]
            {
                let ground = Ground::none(hz).gravity(gravity).at(0.0, BALL).solid(&[
                    (-9.0, -9.0),
                    (9.0, -9.0),
                    (9.0, 0.0),
                    (-9.0, 0.0),
                ]);
                let ground = ground.solid(&[(x - 40.0, y - 20.0), (x + 40.0, y - 20.0), (x + 40.0, y), (x - 40.0, y)]);
                let mut thrower = Thrower::new(ground);
                let from = DVec3::new(0.0, 30.0, 0.0);
                let case = format!("({x}, {y}) at {hz} Hz with {gravity}");
                let plan = thrower.plan(from, &aim(x, y, clearance)).unwrap_or_else(|why| panic!("{why}: {case}"));
                // The ball's lowest point leaves from 30 − 4 px.
                let by_formula = launch(dvec2(x, 0.0), y + BALL - 30.0, gravity, plan.clearance).expect("a launch");
                near(plan.flight.velocity.x, by_formula.across.x, 1e-9);
                near(plan.flight.velocity.y, by_formula.up, 1e-9);
                near(plan.flight.time, by_formula.time, 1e-12);
                thrower.fly(from, &plan, &case);
                for _ in 0..3 {
                    thrower.tick();
                }
                assert_eq!(thrower.play.told("land"), 1, "{case}");
                // Within a tick it moves straight, up to g·dt²/8 below the parabola, and it lands half a pixel above ground.
                let below = gravity / (8.0 * f64::from(hz).powi(2));
                let fall = (2.0 * gravity * (plan.apex - y)).sqrt();
                let off = (thrower.ball().pos.x - x).abs();
                assert!(off <= (below + 0.5) * plan.flight.velocity.x.abs() / fall + 1e-3, "{off} off: {case}");
            }
        }
    }
}

#[test]
fn a_throw_meets_a_moving_target_from_the_tick_after_it_on() {
    for hz in RATES {
        let tick = 1.0 / f64::from(hz);
        for velocity in [dvec2(100.0, 0.0), dvec2(-60.0, 45.0), dvec2(20.0, -30.0)] {
            let thrower = Thrower::new(Ground::floor(hz).gravity(900.0).at(0.0, BALL));
            let goal = Aim { velocity: Some(velocity), ..aim(150.0, 200.0, 30.0) };
            let plan = thrower.plan(DVec3::new(0.0, 30.0, 0.0), &goal).expect("a throw");
            let there = dvec2(150.0, 200.0 + BALL) + velocity * (plan.flight.time + tick);
            assert!(plan.flight.to.truncate().distance(there) < 1e-6);
        }
        let block = [(200.0, 40.0), (320.0, 40.0), (320.0, 60.0), (200.0, 60.0)];
        for (way, speed) in [((300.0, 0.0), 95.0), ((0.0, 160.0), 60.0), ((-90.0, 200.0), 120.0)] {
            let ground = Ground::floor(hz).gravity(900.0).at(0.0, BALL).platform(&block, &[(0.0, 0.0), way], speed);
            let mut thrower = Thrower::new(ground);
            let from = DVec3::new(0.0, 30.0, 0.0);
            let case = format!("{way:?} at {hz} Hz");
            let plan = thrower.plan(from, &aim(260.0, 60.0, 40.0)).unwrap_or_else(|why| panic!("{why}: {case}"));
            thrower.fly(from, &plan, &case);
            for _ in 0..3 {
                thrower.tick();
            }
            assert_eq!(thrower.play.told("land"), 1, "{case}");
        }
    }
}

#[test]
fn a_throw_follows_the_kinds_tuning_and_refuses_what_cannot_be() {
    for hz in RATES {
        let ground = || Ground::floor(hz).gravity(900.0).at(0.0, BALL).model(ModelName::ballistic);
        let from = DVec3::new(0.0, 30.0, 0.0);
        let why = |ground: Ground, from: DVec3, aim: Aim| {
            Thrower::new(ground).plan(from, &aim).expect_err("refused").to_string()
        };
        let light = Thrower::new(ground().tune("gravity_scale", 0.25));
        let plan = light.plan(from, &aim(200.0, 26.0, 50.0)).expect("a throw");
        near(plan.flight.velocity.y, (2.0 * 225.0 * 50.0_f64).sqrt(), 1e-9);
        let far = aim(200.0, 0.0, 50.0);
        for scale in [0.0, -1.0] {
            assert!(why(ground().tune("gravity_scale", scale), from, far).contains("gravity is 0 here or points up"));
        }
        assert!(why(ground().tune("max_launch_speed", 100.0), from, far).contains("max_launch_speed is 100"));
        assert!(why(ground(), DVec3::new(0.0, -3.0, 0.0), far).contains("no room"));
        assert!(why(ground(), from, aim(200.0, 26.0, 0.0)).contains("clearance above 0"));
        assert!(why(ground(), from, aim(f64::NAN, 26.0, 9.0)).contains("cannot be NaN"));
        assert!(why(ground(), from, aim(1e9, 26.0, 9.0)).contains("leave the level"));
        let wall = ground().solid(&[(100.0, 0.0), (120.0, 0.0), (120.0, 4000.0), (100.0, 4000.0)]);
        assert_eq!(why(wall, from, far), "`solid 2` is in the way");
    }
}

#[test]
fn a_throw_in_a_top_view_passes_over_blocks() {
    for hz in RATES {
        let mut ground = Ground::none(hz).gravity(900.0).at(0.0, 40.0);
        ground.view = View::Top;
        let ground = ground.block((100.0, 0.0), (150.0, 80.0), 60.0).block((260.0, 0.0), (340.0, 80.0), 30.0);
        let mut thrower = Thrower::new(ground);
        let from = DVec3::new(0.0, 40.0, 20.0);
        let case = format!("{hz} Hz");
        let plan = thrower.plan(from, &aim(300.0, 40.0, 5.0)).unwrap_or_else(|why| panic!("{why} at {case}"));
        assert_eq!(plan.flight.to, DVec3::new(300.0, 40.0, 30.0));
        thrower.fly(from, &plan, &case);
        for _ in 0..3 {
            thrower.tick();
        }
        let ball = thrower.ball();
        assert_eq!((ball.z, thrower.play.told("hit"), thrower.play.told("land")), (30.0, 0, 1), "{case}");
        // Where a tick ends after the landing, the ball has moved on in the plane.
        assert!((ball.pos.x - 300.0).abs() <= plan.flight.velocity.x / f64::from(hz) + 1e-9);
    }
}

proptest! {
    #![proptest_config(tried(80))]

    #[test]
    fn a_planned_throw_hits_nothing_on_its_way(
        blocks in prop::collection::vec((-300.0..300.0, 40.0..300.0, 5.0..80.0, 3.0..40.0), 0..7),
        moving in prop::collection::vec((-300.0..300.0, 40.0..300.0, 5.0..80.0, 3.0..40.0), 0..3),
        goal in (-400.0..400.0, 0.0..300.0, 0.0..90.0),
        gravity in prop::sample::select(vec![200.0, 900.0, 3672.0]),
    ) {
        for hz in RATES {
            let corners = |(x, y, w, h): (f64, f64, f64, f64)| [(x - w, y - h), (x + w, y - h), (x + w, y + h), (x - w, y + h)];
            let ground = Ground::floor(hz).gravity(gravity).at(0.0, BALL);
            let ground = blocks.iter().fold(ground, |ground, block| ground.solid(&corners(*block)));
            let ground = moving.iter().fold(ground, |ground, block| {
                ground.platform(&corners(*block), &[(0.0, 0.0), (block.1 - 100.0, 0.7 * block.0)], 80.0)
            });
            let mut thrower = Thrower::new(ground);
            let from = DVec3::new(0.0, 20.0, 0.0);
            if let Ok(plan) = thrower.plan(from, &aim(goal.0, goal.1, goal.2)) {
                thrower.fly(from, &plan, &format!("{hz} Hz"));
            }
        }
    }
}
