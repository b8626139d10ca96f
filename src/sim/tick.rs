//! One tick, on one page.

use super::{Happening, Inputs, Rules, Scene, Stage, Turn, World};
use crate::models::{Intent, Report};

impl World {
    /// Makes one tick: the step from [`World::ticks`] to the next.
    pub fn tick(&mut self, stage: &Stage, inputs: &Inputs, rules: &mut dyn Rules) {
        let around = stage.surroundings(self.tick);
        // What players hold and have pressed since the last tick.
        self.latch(inputs);
        // Scripts are told what happened in the last step and decide about this one.
        let turns = self.decide(stage, rules);
        // What they ordered takes effect, in entity order.
        self.apply(stage, turns);
        // What each body stands on, where that is not known from the last step.
        self.lanes.sense(stage, &around);
        // All velocities first,
        self.lanes.drive(stage, &around);
        // then all positions: sweep and slide, or walk.
        self.lanes.travel(stage, &around);
        // Bodies in the air look for ground.
        self.lanes.settle(stage, &around);
        // Time goes on, and what happened becomes events.
        self.tick += 1;
        self.tell(stage);
    }

    fn latch(&mut self, inputs: &Inputs) {
        for entity in &self.entities {
            let input = entity.player.map(|p| inputs.player(p)).unwrap_or_default();
            let (intent, before) = self.lanes.intent_mut(entity);
            *before = intent.held;
            *intent = Intent {
                stick: input.stick,
                aim: input.aim,
                ..Intent::latch(*before, input.held, input.pressed)
            };
        }
    }

    fn decide(&mut self, stage: &Stage, rules: &mut dyn Rules) -> Vec<Turn> {
        let mut turns = self.deal_turns(stage);
        if !turns.is_empty() {
            let time = self.tick as f64 / f64::from(stage.hz);
            let scene = Scene {
                tick: self.tick,
                time,
                events: &self.events,
            };
            rules.decide(&scene, &mut turns);
        }
        self.events.clear();
        turns
    }

    fn tell(&mut self, stage: &Stage) {
        let mut reports: Vec<(usize, Report)> = Vec::new();
        let entities = &self.entities;
        self.lanes.report(|id, _, report| {
            if report.is_eventful()
                && let Ok(index) = entities.binary_search_by_key(&id, |e| e.id)
            {
                reports.push((index, *report));
            }
        });
        for (index, report) in reports {
            self.tell_report(stage, index, &report);
        }
        self.note_fall_outs(stage);
        self.events.sort_by_key(|event| event.entity);
    }

    fn note_fall_outs(&mut self, stage: &Stage) {
        for index in 0..self.entities.len() {
            let pos = self.lanes.body(&self.entities[index]).pos;
            let outside = !stage.level.bounds.holds(pos);
            if outside && !self.entities[index].outside {
                self.note(self.tick, index, Happening::FallOut);
            }
            self.entities[index].outside = outside;
        }
    }
}
