//! Asking an entity's script, between two ticks, how well the entity does.

use super::decide::entity_call;
use super::id::EntityId;
use super::invocation::{Decision, Invocation};
use super::judgement::Judgement;
use super::rules::{Rules, Scene};
use super::stage::Stage;
use super::world::World;

impl World {
    /// Asks an entity's script how well the entity does. That is no part of a tick: whatever the script changes
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
        let tuned = self.tuned_stage(stage);
        let stage = tuned.as_ref().unwrap_or(stage);
        let (mut invocation, mut decision) = (Invocation::empty(), Decision::default());
        let both = (&mut invocation, &mut decision);
        entity_call(self, stage, index, script, both);
        let scene = Scene { tick: self.tick, time: self.seconds(stage), events: &[], stage, world: self };
        let judgement = rules.judge(&scene, &mut invocation, &mut decision);
        let entity = &mut self.population.entities[index];
        (entity.vars, entity.script_state) = (vars, state);
        judgement
    }
}
