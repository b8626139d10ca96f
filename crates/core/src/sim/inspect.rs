//! What tools show of an entity: things that follow from its script and are hidden from scripts.

use super::entity::Entity;
use super::world::World;
use crate::tuning::Setting;

impl World {
    /// The profile that the files define for an entity, an index into the stage's profiles.
    pub fn profile_of(&self, entity: &Entity) -> usize {
        entity.profile as usize
    }

    /// The tunables that an entity's script has overridden, by model and name:
    /// `platformer.jump_speed`.
    pub fn overrides_of<'a>(&self, entity: &'a Entity) -> impl Iterator<Item = (&'a str, &'a Setting)> + use<'a> {
        let state = entity.script_state.iter();
        state.flat_map(|state| state.overrides.iter().map(|(k, v)| (k.as_str(), v)))
    }

    /// The running timers of an entity: the name of the event, and the ticks until it is emitted.
    pub fn timers_of(&self, entity: &Entity) -> impl Iterator<Item = (&str, u64)> {
        let timers = self.timers.of(entity.id).iter();
        timers.map(|timer| (&*timer.name, (timer.due + 1).saturating_sub(self.tick)))
    }
}
