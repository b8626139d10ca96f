//! Tunables that scripts set for single entities: a stage with a profile more for each of them.

use super::{Profile, Stage, World};
use crate::models::ModelName;
use crate::tuning::Setting;
use std::sync::Arc;

/// A stage with the profiles of those who have tunables of their own. It follows from the world and the
/// stage, and is no state.
#[derive(Clone, Debug)]
pub(super) struct Dressing {
    /// The stage that it was made from, and what came of it.
    made: Option<(Stage, Stage)>,
    /// Whether it has to be made anew.
    pub stale: bool,
}

impl Default for Dressing {
    /// One that has to be made: the world may just have been loaded.
    fn default() -> Self {
        Self {
            made: None,
            stale: true,
        }
    }
}

impl PartialEq for Dressing {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

fn key(model: ModelName, name: &str) -> String {
    format!("{}.{name}", model.as_str())
}

impl World {
    /// Sets a tunable for one entity.
    pub(super) fn tune(
        &mut self,
        index: usize,
        model: ModelName,
        name: &'static str,
        value: &Setting,
    ) {
        let tunes = &mut self.entities[index].script_state_mut().tunes;
        let before = tunes.insert(key(model, name), value.clone());
        self.dressing.stale |= before.as_ref() != Some(value);
    }

    /// Gives one tunable of an entity back to the files, or all of them.
    pub(super) fn untune(&mut self, index: usize, which: Option<(ModelName, &'static str)>) {
        let tunes = &mut self.entities[index].script_state_mut().tunes;
        let before = tunes.len();
        match which {
            None => tunes.clear(),
            Some((model, name)) => {
                tunes.remove(&key(model, name));
            }
        }
        self.dressing.stale |= tunes.len() != before;
    }

    /// The stage for those who have tunables of their own; none where nobody has.
    pub(super) fn dress(&mut self, stage: &Stage) -> Option<Stage> {
        let same = |made: &Stage| {
            Arc::ptr_eq(&made.profiles, &stage.profiles) && Arc::ptr_eq(&made.level, &stage.level)
        };
        let fits = match &self.dressing.made {
            Some((from, _)) => same(from),
            None => true,
        };
        if self.dressing.stale || !fits {
            self.dressing = Dressing {
                made: self.make_dressing(stage),
                stale: false,
            };
        }
        self.dressing.made.as_ref().map(|(_, made)| made.clone())
    }

    fn make_dressing(&mut self, stage: &Stage) -> Option<(Stage, Stage)> {
        let mut extra: Vec<Profile> = Vec::new();
        for index in 0..self.entities.len() {
            let Some(own) = &self.entities[index].script_state else {
                continue;
            };
            let mut profile = own.base;
            if !own.tunes.is_empty() {
                let mut dressed = stage.profiles[own.base as usize].clone();
                for (key, value) in &own.tunes {
                    // Checked when it was set; one that a saved world has brought along and that is not
                    // known is left as it is.
                    if let Some((model, name)) = key.split_once('.')
                        && let Some(model) = ModelName::parse(model)
                    {
                        let _ = dressed.loadouts.set(model, name, value);
                    }
                }
                profile = (stage.profiles.len() + extra.len()) as u32;
                extra.push(dressed);
            }
            if profile != self.entities[index].profile {
                self.entities[index].profile = profile;
                self.lanes.set_profile(&self.entities[index], profile);
                self.lanes.body_mut(&self.entities[index]).sensed = false;
            }
        }
        if extra.is_empty() {
            return None;
        }
        let mut profiles = (*stage.profiles).clone();
        profiles.append(&mut extra);
        let mut dressed = stage.clone();
        dressed.profiles = Arc::new(profiles);
        Some((stage.clone(), dressed))
    }

    /// An entity's profile, for those who know only the stage of all.
    pub(super) fn profile_of<'a>(&self, stage: &'a Stage, entity: &super::Entity) -> &'a Profile {
        let own = stage.profiles.get(entity.profile as usize);
        let base = entity.script_state.as_ref().map_or(0, |own| own.base);
        own.unwrap_or_else(|| &stage.profiles[base as usize])
    }
}
