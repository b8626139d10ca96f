//! Tuning overrides: tunables that scripts set for single entities.
//!
//! Each entity with overrides gets its own profile in a copy of the stage.

use super::entity::Entity;
use super::population::Population;
use super::stage::{Profile, Stage};
use crate::models::ModelName;
use crate::tuning::Setting;
use std::sync::Arc;

/// The stage with the profiles of entities that have overrides. It is derived from the world and
/// the stage and is not state.
#[derive(Clone, Debug)]
pub(super) struct OverrideCache {
    /// The original stage and the one with overrides; `None` if there are no overrides.
    made: Option<(Stage, Stage)>,
    /// Whether it has to be derived again.
    pub stale: bool,
}

impl Default for OverrideCache {
    /// Stale: the world may just have been loaded.
    fn default() -> Self {
        Self {
            made: None,
            stale: true,
        }
    }
}

impl PartialEq for OverrideCache {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl OverrideCache {
    /// Sets an override of an entity.
    pub fn set(
        &mut self,
        entity: &mut Entity,
        model: ModelName,
        name: &'static str,
        value: &Setting,
    ) {
        let overrides = &mut entity.script_state_mut().overrides;
        let before = overrides.insert(key(model, name), value.clone());
        self.stale |= before.as_ref() != Some(value);
    }

    /// Removes one override of an entity, or all of them.
    pub fn unset(&mut self, entity: &mut Entity, which: Option<(ModelName, &'static str)>) {
        let overrides = &mut entity.script_state_mut().overrides;
        let before = overrides.len();
        match which {
            None => overrides.clear(),
            Some((model, name)) => {
                overrides.remove(&key(model, name));
            }
        }
        self.stale |= overrides.len() != before;
    }

    /// The stage with a profile for each entity that has overrides; `None` if no entity has any.
    /// Points entities to their profiles.
    pub fn stage(&mut self, population: &mut Population, stage: &Stage) -> Option<Stage> {
        let same = |made: &Stage| {
            Arc::ptr_eq(&made.profiles, &stage.profiles) && Arc::ptr_eq(&made.level, &stage.level)
        };
        let fits = match &self.made {
            Some((from, _)) => same(from),
            None => true,
        };
        if self.stale || !fits {
            *self = Self {
                made: with_overrides(population, stage),
                stale: false,
            };
        }
        self.made.as_ref().map(|(_, made)| made.clone())
    }
}

/// The key of an override: `platformer.jump_speed`.
pub(super) fn key(model: ModelName, name: &str) -> String {
    format!("{}.{name}", model.as_str())
}

fn with_overrides(population: &mut Population, stage: &Stage) -> Option<(Stage, Stage)> {
    let mut extra: Vec<Profile> = Vec::new();
    for index in 0..population.entities.len() {
        let Some(state) = &population.entities[index].script_state else {
            continue;
        };
        let mut profile = state.base_profile;
        if !state.overrides.is_empty() {
            let mut own = stage.profiles[state.base_profile as usize].clone();
            for (key, value) in &state.overrides {
                // Overrides are checked when they are set. One from a saved world whose tunable no
                // longer exists is kept and has no effect.
                if let Some((model, name)) = key.split_once('.')
                    && let Some(model) = ModelName::parse(model)
                {
                    let _ = own.loadouts.set(model, name, value);
                }
            }
            profile = (stage.profiles.len() + extra.len()) as u32;
            extra.push(own);
        }
        if profile != population.entities[index].profile {
            population.entities[index].profile = profile;
            let entity = &population.entities[index];
            population.lanes.set_profile(entity, profile);
            population.lanes.body_mut(entity).sensed = false;
        }
    }
    if extra.is_empty() {
        return None;
    }
    let mut profiles = (*stage.profiles).clone();
    profiles.append(&mut extra);
    let mut tuned = stage.clone();
    tuned.profiles = Arc::new(profiles);
    Some((stage.clone(), tuned))
}

/// An entity's profile in a stage that may lack the profiles of overrides; then the one they are
/// applied to.
pub(super) fn profile_of<'a>(stage: &'a Stage, entity: &Entity) -> &'a Profile {
    let own = stage.profiles.get(entity.profile as usize);
    let state = entity.script_state.as_ref();
    let base = state.map_or(0, |state| state.base_profile);
    own.unwrap_or_else(|| &stage.profiles[base as usize])
}
