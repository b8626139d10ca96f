//! The two phases in which rules are asked inside a tick: whether a rope snaps, and whether what a
//! motion has stopped at is grabbed.
//!
//! Tuning has answered already; only entities whose scripts have the hook are asked.

use super::{EntityId, Question, Rules, Scene, Stage, Turn, World};
use crate::models::Surroundings;

/// A question of one entity, with its answer.
#[derive(Debug)]
pub struct Ask {
    /// The entity's turn: its view and variables, and what it orders while it answers.
    pub turn: Turn,
    /// What is asked.
    pub question: Question,
    /// The answer: by tuning, until a rule gives another.
    pub answer: bool,
    /// Whether a rule has given it.
    pub ruled: bool,
}

impl World {
    /// Asks whether ropes snap, and lets them act or snap.
    pub(super) fn ask_snaps(
        &mut self,
        stage: &Stage,
        around: &Surroundings<'_>,
        rules: &mut dyn Rules,
    ) {
        let mut asked = std::mem::take(&mut self.asked);
        self.lanes.strains(stage, |id, strain| {
            asked.push((id, Question::Snaps(strain), strain.snaps));
        });
        let ruled = self.answer(stage, rules, &mut asked);
        self.why_decided(stage, &asked, |id| ruled.contains(&id));
        for (id, _, snaps) in asked.drain(..) {
            if let Some(index) = self.index_of(id) {
                self.lanes.pull(&self.entities[index], snaps, stage, around);
            }
        }
        self.asked = asked;
    }

    /// Asks whether what motions have stopped at is grabbed, and ends those motions.
    pub(super) fn ask_grabs(
        &mut self,
        stage: &Stage,
        around: &Surroundings<'_>,
        rules: &mut dyn Rules,
    ) {
        let mut asked = std::mem::take(&mut self.asked);
        self.lanes
            .grasps(|id, grasp| asked.push((id, Question::Grabs(grasp), true)));
        let ruled = self.answer(stage, rules, &mut asked);
        self.why_decided(stage, &asked, |id| ruled.contains(&id));
        for (id, _, granted) in asked.drain(..) {
            if let Some(index) = self.index_of(id) {
                self.lanes
                    .grab(&self.entities[index], granted, stage, around);
            }
        }
        self.asked = asked;
    }

    /// Lets rules answer in entity order; what they order meanwhile takes effect afterwards. Returns
    /// those of the watched whose rule had an answer.
    fn answer(
        &mut self,
        stage: &Stage,
        rules: &mut dyn Rules,
        asked: &mut [(EntityId, Question, bool)],
    ) -> Vec<EntityId> {
        let mut ruled = Vec::new();
        asked.sort_unstable_by_key(|(id, ..)| *id);
        let mut asks = Vec::new();
        for (id, question, answer) in asked.iter() {
            let Some(index) = self.index_of(*id) else {
                continue;
            };
            let script = stage.profiles[self.entities[index].profile as usize].script;
            let silent = self.entities[index].quarantined();
            if let Some(script) = script.filter(|s| !silent && rules.answers(*s, question)) {
                asks.push(Ask {
                    turn: self.deal(stage, index, script, 0..0),
                    question: *question,
                    answer: *answer,
                    ruled: false,
                });
            }
        }
        if asks.is_empty() {
            return ruled;
        }
        let scene = Scene {
            tick: self.tick,
            time: self.tick as f64 / f64::from(stage.hz),
            events: &[],
            stage,
            world: self,
        };
        rules.answer(&scene, &mut asks);
        for ask in asks {
            if let Some(place) = asked.iter().position(|(id, ..)| *id == ask.turn.entity) {
                asked[place].2 = ask.answer;
            }
            if ask.turn.watched && ask.ruled {
                ruled.push(ask.turn.entity);
            }
            self.apply_turn(stage, ask.turn, false);
        }
        ruled
    }
}
