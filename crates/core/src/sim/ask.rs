//! Asking rules within a tick: whether a rope snaps, and whether a body grabs what it ran into.
//!
//! Tuning has an answer already; only scripts that have the hook are asked.

use super::{apply::apply_decision, decide::entity_call, *};

/// Asks whether strained ropes snap, or those of bodies that are `waiting` for that. Those that do not snap pull.
pub fn ask_snaps(world: &mut World, waiting: bool, stage: &Stage, around: &Surroundings, rules: &mut dyn Rules) {
    let mut asked = mem::take(&mut world.aside.buffers.questions);
    world
        .population
        .lanes
        .strains(waiting, stage, around, |id, strain| asked.push((id, Question::Snaps(strain), strain.snaps)));
    ask(world, stage, around, rules, asked);
}

/// Asks whether bodies grab what they ran into, and completes their motions.
pub fn ask_grabs(world: &mut World, stage: &Stage, around: &Surroundings, rules: &mut dyn Rules) {
    let mut asked = mem::take(&mut world.aside.buffers.questions);
    world.population.lanes.grasps(|id, grasp| asked.push((id, Question::Grabs(grasp), true)));
    ask(world, stage, around, rules, asked);
}

/// Replaces tuning's answers with the rules' answers, in entity order, and carries them out. Commands that scripts give
/// meanwhile take effect before.
fn ask(
    world: &mut World,
    stage: &Stage,
    around: &Surroundings,
    rules: &mut dyn Rules,
    mut asked: Vec<(EntityId, Question, bool)>,
) {
    asked.sort_unstable_by_key(|(id, ..)| *id);
    let by_rule = ask_rules(world, stage, rules, &mut asked);
    let World { population, aside, .. } = world;
    for (id, question, answer) in asked.drain(..) {
        let Some(index) = population.index_of(id) else { continue };
        let entity = &population.entities[index];
        if !aside.why.is_off() {
            let layer = by_rule.iter().find(|(ruled, _)| *ruled == id).map(|(_, layer)| layer);
            aside.why.question(entity, stage, &question, answer, layer);
        }
        match question {
            Question::Snaps(_) => population.lanes.pull(entity, answer, stage, around),
            Question::Grabs(_) => population.lanes.grab(entity, answer, stage, around),
        }
    }
    aside.buffers.questions = asked;
}

/// Asks the rules, and returns the entities whose rule had an answer, with the layer that answered.
fn ask_rules(
    world: &mut World,
    stage: &Stage,
    rules: &mut dyn Rules,
    asked: &mut [(EntityId, Question, bool)],
) -> Vec<(EntityId, RuleLayer)> {
    let (mut calls, mut replies) = mem::take(&mut world.aside.buffers.rule_calls);
    calls.clear();
    replies.clear();
    for (id, question, _) in asked.iter() {
        let Some(index) = world.population.index_of(*id) else {
            continue;
        };
        let entity = &world.population.entities[index];
        let script = stage.profiles[entity.slot.index()].script;
        let enabled = !entity.quarantined();
        if let Some(script) = script.filter(|s| enabled && rules.has_rule(*s, question)) {
            let call = calls.add(|| RuleCall { invocation: Invocation::empty(), question: *question });
            call.question = *question;
            let reply = replies.add(RuleReply::default);
            reply.answer = None;
            entity_call(world, index, script, &mut call.invocation, &mut reply.decision);
        }
    }
    let mut by_rule = Vec::new();
    if calls.items().is_empty() {
        world.aside.buffers.rule_calls = (calls, replies);
        return by_rule;
    }
    let scene = Scene { tick: world.tick, time: world.seconds(stage), events: &[], stage, world };
    rules.answer(&scene, calls.items(), replies.items());
    for (RuleCall { invocation, .. }, reply) in calls.items().iter().zip(replies.items()) {
        let id = invocation.entity;
        let place = asked.iter().position(|(asked, ..)| *asked == id);
        if let (Some(place), Some(answer)) = (place, reply.answer) {
            asked[place].2 = answer;
            by_rule.push((id, mem::take(&mut reply.layer)));
        }
        apply_decision(world, stage, invocation, &mut reply.decision, false);
    }
    world.aside.buffers.rule_calls = (calls, replies);
    by_rule
}

impl World {
    /// Asks an entity's script how well the entity does. That is not part of a tick: what the script changes
    /// is dropped, so the simulation is the same whether or not it is asked. Empty for an entity that does not
    /// exist, has no script, or whose script is disabled.
    pub fn judge(&mut self, id: EntityId, stage: &Stage, rules: &mut dyn Rules) -> Judgement {
        let Some(index) = self.population.index_of(id) else {
            return Judgement::default();
        };
        // Overrides of tunables leave the script of the profile as it is.
        let entity = &self.population.entities[index];
        let script = stage.profiles[entity.profile as usize].script;
        let Some(script) = script.filter(|script| !entity.quarantined() && rules.judges(*script)) else {
            return Judgement::default();
        };
        let (vars, state) = (entity.vars.clone(), entity.script_state.clone());
        let changed = self.stage(stage);
        let tuned = self.tuned_stage(&changed);
        let stage = tuned.as_ref().unwrap_or(&changed);
        let (mut invocation, mut decision) = (Invocation::empty(), Decision::default());
        entity_call(self, index, script, &mut invocation, &mut decision);
        let scene = Scene { tick: self.tick, time: self.seconds(stage), events: &[], stage, world: self };
        let judgement = rules.judge(&scene, &mut invocation, &mut decision);
        let entity = &mut self.population.entities[index];
        (entity.vars, entity.script_state) = (vars, state);
        judgement
    }
}
