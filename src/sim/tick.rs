//! One tick, on one page.

use super::why::Phase;
use super::{Inputs, Rules, Scene, Stage, Turn, World};
use crate::models::Intent;

impl World {
    /// Makes one tick: the step from [`World::ticks`] to the next.
    pub fn tick(&mut self, stage: &Stage, inputs: &Inputs, rules: &mut dyn Rules) {
        let shared = stage;
        let dressed = self.dress(shared);
        let stage = dressed.as_ref().unwrap_or(shared);
        // Those who are watched have each phase written down.
        self.begin_why();
        // What players hold and have pressed since the last tick.
        self.latch(inputs);
        // Scripts are told what happened in the last step and decide about this one.
        let turns = self.decide(stage, rules);
        // What they ordered takes effect, in entity order.
        self.apply(stage, turns);
        let dressed = self.dress(shared);
        let stage = dressed.as_ref().unwrap_or(shared);
        // Where platforms are follows from the time alone, which are there from who has switched them.
        let transit = self.step_platforms(stage);
        let around = stage.surroundings(self.tick, &transit);
        self.witness(Phase::Orders, stage, &around);
        // Riders go along with their platforms, those in the way are pushed.
        if !transit.steps.is_empty() {
            self.lanes.carry(stage, &around);
        }
        self.witness(Phase::Platforms, stage, &around);
        // What each body stands on, where that is not known from the last step.
        self.lanes.sense(stage, &around);
        self.witness(Phase::Sense, stage, &around);
        // All velocities first, and what ropes make of them, unless they snap;
        let strained = self.lanes.drive(stage, &around);
        self.witness(Phase::Drive, stage, &around);
        if strained {
            self.ask_snaps(stage, &around, rules);
        }
        self.witness(Phase::Ropes, stage, &around);
        // then all positions, as far as something to grab, and on where it is not grabbed.
        let grasping = self.lanes.travel(stage, &around);
        self.witness(Phase::Travel, stage, &around);
        if grasping {
            self.ask_grabs(stage, &around, rules);
        }
        self.witness(Phase::Grab, stage, &around);
        // Those who ask for it push one another aside.
        self.push_apart(stage, &around);
        self.witness(Phase::PushApart, stage, &around);
        // Bodies in the air look for ground.
        self.lanes.settle(stage, &around);
        self.witness(Phase::Settle, stage, &around);
        // Time goes on. Whom scripts have created comes into the world, and what has happened becomes
        // events: in zones, between bodies, what was set for this time, and to each.
        self.tick += 1;
        self.create_waiting(stage);
        self.cross_zones(stage);
        self.meet(stage);
        self.ring();
        self.tell(stage);
        self.keep_transit(transit);
    }

    fn latch(&mut self, inputs: &Inputs) {
        for entity in &self.entities {
            let input = entity.player.map(|p| inputs.player(p)).unwrap_or_default();
            let (intent, before) = self.lanes.intent_mut(entity);
            *before = intent.held;
            *intent = Intent {
                stick: input.stick,
                aim: input.aim,
                ..Intent::latch(intent.keys, input.held, input.pressed)
            };
        }
    }

    fn decide(&mut self, stage: &Stage, rules: &mut dyn Rules) -> Vec<Turn> {
        rules.begin_tick();
        let mut turns = self.deal_turns(stage, rules);
        if !turns.is_empty() {
            let time = self.tick as f64 / f64::from(stage.hz);
            let scene = Scene {
                tick: self.tick,
                time,
                events: &self.events,
                stage,
                world: self,
            };
            rules.decide(&scene, &mut turns);
        }
        self.hold_back(&turns);
        turns
    }
}
