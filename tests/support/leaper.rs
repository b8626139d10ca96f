//! A hero that jumps to given destinations.

use crate::ground::{Ground, Play};
use glam::{DVec2, dvec2};
use hangtime_core::{
    models::{
        Intent,
        ballistic::{Aim, Plan, PlanError, PlanWork},
    },
    sim::{
        Command, Decision, EntityView, EventKind, Inputs, Invocation, PlannedJump, Rules, Scene, ScriptId, ViewParts,
    },
};
use std::sync::Arc;

/// A destination.
pub fn aim(x: f64, y: f64, clearance: f64) -> Aim {
    Aim { at: dvec2(x, y), clearance, velocity: None }
}

/// The position of a planned flight after some seconds, by the formula.
pub fn at(plan: &Plan, seconds: f64) -> DVec2 {
    let flight = &plan.flight;
    let fallen = flight.pull * (0.5 * seconds * seconds);
    (flight.origin + flight.velocity * seconds + fallen).truncate()
}

/// The hero's command for the next tick.
#[derive(Default)]
pub struct Orders {
    pub jump: Option<Aim>,
    pub others: Vec<Command>,
    pub answer: Option<Result<Plan, PlanError>>,
}

impl Rules for Orders {
    fn decide(&mut self, scene: &Scene<'_>, invocations: &mut [Invocation], decisions: &mut [Decision]) {
        let (hero, decision) = (&invocations[0], &mut decisions[0]);
        if let Some(aim) = self.jump.take() {
            let standing = scene.world.standing(scene.stage);
            let (mut view, mut intent) = (EntityView::empty(), Intent::default());
            scene.observe(hero.called(), ViewParts::ALL, (&mut view, &mut intent));
            let planned =
                scene
                    .stage
                    .plan_jump(scene.tick, &standing, hero.profile, &view, &aim, &mut PlanWork::up_to(u64::MAX));
            if let Ok(plan) = &planned {
                let flight = plan.flight;
                let jump = Box::new(PlannedJump { aim, flight, work: 1_000_000 });
                decision.commands.push(Command::JumpTo(jump));
            }
            self.answer = Some(planned);
        }
        decision.commands.append(&mut self.others);
    }
}

/// A hero on a stage, with its commands.
pub struct Leaper {
    pub play: Play,
    pub aim: Aim,
    pub orders: Orders,
}

impl Leaper {
    pub fn new(ground: Ground, aim: Aim) -> Self {
        let mut play = ground.play();
        Arc::make_mut(&mut play.stage.profiles)[0].script = Some(ScriptId(0));
        let orders = Orders::default();
        Self { play, aim, orders }
    }

    pub fn tick(&mut self) -> EntityView {
        let play = &mut self.play;
        let inputs = Inputs::of_first(play.input);
        play.world.tick(&play.stage, &inputs, &mut self.orders);
        play.events.extend(play.world.events().iter().cloned());
        play.hero()
    }

    /// Plans the jump and starts it in one tick.
    pub fn attempt(&mut self) -> Result<Plan, PlanError> {
        self.orders.jump = Some(self.aim);
        self.tick();
        self.orders.answer.take().expect("it was asked for")
    }

    /// The same for a jump that must exist.
    #[track_caller]
    pub fn launch(&mut self) -> Plan {
        let plan = self.attempt();
        plan.unwrap_or_else(|why| panic!("{:?} is refused: {why}", self.aim))
    }

    /// Runs until the jump is over; returns the landing speed.
    pub fn until_over(&mut self) -> Option<f64> {
        for _ in 0..10_000 {
            let landed = self.play.events.iter().rev().find_map(|e| match e.kind {
                EventKind::Land { speed, .. } => Some(speed),
                _ => None,
            });
            if landed.is_some() || self.play.hero().model_name() != "ballistic" {
                return landed;
            }
            self.tick();
        }
        None
    }

    /// The offset of a platform from its position in the file, px.
    pub fn platform(&self, index: usize) -> DVec2 {
        self.play.world.standing(&self.play.stage).offsets[index]
    }
}
