//! Tuning overrides: tunables that scripts set for single entities.
//!
//! Each entity with overrides gets its own profile in a copy of the stage. Zones that scripts have switched off are left
//! out there, too.

use super::*;

/// The stage with the profiles of entities that have overrides. It follows from the overrides and
/// the stage, and is not state.
#[derive(Clone, Default)]
pub struct OverrideCache {
    /// The stage without overrides and with them; `None` until it is derived.
    made: Option<[Stage; 2]>,
    /// The entities whose profiles follow the stage's own, in that order. Which order it is
    /// changes nothing.
    owners: Vec<EntityId>,
    /// The entities whose overrides have changed since.
    changed: Vec<EntityId>,
    /// The zones that are switched off in the derived stage.
    zones_off: Absent,
    /// What its profiles have.
    pub traits: ProfileTraits,
}

impl OverrideCache {
    /// Sets an override of an entity.
    pub fn set(&mut self, entity: &mut Entity, model: ModelName, name: &'static str, value: &Setting) {
        let overrides = &mut entity.script_state_mut().overrides;
        let before = overrides.insert(key(model, name), value.clone());
        if before.as_ref() != Some(value) {
            self.note_change(entity.id);
        }
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
        if overrides.len() != before {
            self.note_change(entity.id);
        }
    }

    /// Takes note that the profile of an entity has to be derived again.
    pub fn note_change(&mut self, id: EntityId) {
        if self.changed.last() != Some(&id) {
            self.changed.push(id);
        }
    }

    /// Forgets what was derived, because the stage has changed.
    pub fn forget(&mut self) {
        *self = Self::default();
    }

    /// The stage with a profile for each entity that has overrides and without the zones that are `off`; `None` if there
    /// are neither. Points entities to their profiles.
    pub fn stage(&mut self, population: &mut Population, stage: &Stage, off: &Absent) -> Option<Stage> {
        let same = |[from, _]: &[Stage; 2]| {
            Arc::ptr_eq(&from.profiles, &stage.profiles) && Arc::ptr_eq(&from.level, &stage.level)
        };
        if !self.made.as_ref().is_some_and(same) {
            self.derive_all(population, stage);
        }
        self.settle(population);
        let all_on = self.zones_off.is_empty() && off.is_empty();
        if !all_on && self.zones_off != *off {
            self.switch_zones(off);
        }
        let differs = !self.owners.is_empty() || !off.is_empty();
        let tuned = self.made.as_ref().filter(|_| differs);
        tuned.map(|[_, tuned]| tuned.clone())
    }

    #[cold]
    fn switch_zones(&mut self, off: &Absent) {
        if let Some([_, tuned]) = &mut self.made {
            tuned.switch_zones(off);
            self.zones_off.clone_from(off);
        }
    }

    /// Derives the profiles of the entities whose overrides have changed since the stage was made.
    pub fn settle(&mut self, population: &mut Population) {
        if !self.changed.is_empty() {
            self.derive_changed(population);
        }
    }

    /// Derives the profiles of all entities: of a world that was just made or loaded, or whose
    /// stage has changed. None of them has new overrides, so everything that bodies know stays right.
    #[cold]
    fn derive_all(&mut self, population: &mut Population, stage: &Stage) {
        self.owners.clear();
        self.changed.clear();
        self.zones_off = Absent::default();
        let mut own_profiles = Vec::new();
        for index in 0..population.entities.len() {
            let entity = &population.entities[index];
            let mut slot = entity.profile;
            if let Some(profile) = own_profile(entity, stage) {
                slot = (stage.profiles.len() + own_profiles.len()) as u32;
                self.owners.push(entity.id);
                own_profiles.push(profile);
            }
            set_slot(population, index, slot);
        }
        let mut tuned = stage.clone();
        if !own_profiles.is_empty() {
            let shared = stage.profiles.iter().cloned();
            tuned.profiles = Arc::new(shared.chain(own_profiles).collect());
        }
        self.traits = ProfileTraits::of(&tuned.profiles);
        self.made = Some([stage.clone(), tuned]);
    }

    /// Derives the profiles of the entities whose overrides have changed, and drops the profiles of
    /// entities that have despawned.
    #[cold]
    fn derive_changed(&mut self, population: &mut Population) {
        let Some([stage, tuned]) = &mut self.made else {
            return;
        };
        let shared = stage.profiles.len();
        let profiles = Arc::make_mut(&mut tuned.profiles);
        for id in self.changed.drain(..) {
            let Some(index) = population.index_of(id) else {
                continue;
            };
            let before = population.entities[index].slot.index();
            let profile = own_profile(&population.entities[index], stage);
            let after = match profile {
                None => population.entities[index].profile as usize,
                Some(_) if before >= shared => before,
                Some(_) => profiles.len(),
            };
            let (was, now) = (&profiles[before], profile.as_ref());
            let now = now.unwrap_or_else(|| &stage.profiles[after]);
            let entity = &population.entities[index];
            population.lanes.retuned(entity, &was.loadouts, &now.loadouts);
            if let Some(profile) = profile {
                if after < profiles.len() {
                    profiles[after] = profile;
                } else {
                    profiles.push(profile);
                    self.owners.push(id);
                }
            }
            set_slot(population, index, after as u32);
        }
        // The profiles of entities that have lost their overrides, or that exist no more.
        for place in (0..self.owners.len()).rev() {
            let slot = |index: usize| population.entities[index].slot.index();
            let found = population.index_of(self.owners[place]);
            if found.is_some_and(|index| slot(index) == shared + place) {
                continue;
            }
            self.owners.swap_remove(place);
            profiles.swap_remove(shared + place);
            let moved = self.owners.get(place);
            if let Some(index) = moved.and_then(|id| population.index_of(*id)) {
                set_slot(population, index, (shared + place) as u32);
            }
        }
        self.traits = ProfileTraits::of(profiles);
    }
}

/// The key of an override: `platformer.jump_speed`.
pub fn key(model: ModelName, name: &str) -> String {
    format!("{}.{name}", model.as_str())
}

fn set_slot(population: &mut Population, index: usize, slot: u32) {
    let entity = &mut population.entities[index];
    entity.slot = Slot::new(slot);
    population.lanes.set_slot(entity);
}

/// The profile of an entity with its size and its overrides; `None` if they are its kind's.
pub fn own_profile(entity: &Entity, stage: &Stage) -> Option<Profile> {
    let state = entity.script_state.as_ref().filter(|state| !state.overrides.is_empty());
    if state.is_none() && entity.posture.is_none() {
        return None;
    }
    let mut own = stage.profiles[entity.profile as usize].clone();
    if let Some(posture) = &entity.posture {
        posture.apply(&mut own);
    }
    for (key, value) in state.into_iter().flat_map(|state| &state.overrides) {
        // Overrides are checked when they are set. One from a saved world whose tunable no longer
        // exists is kept and has no effect.
        let _ = set_override(&mut own.loadouts, key, value);
    }
    Some(own)
}

/// Sets the override with this key.
pub fn set_override(loadouts: &mut Loadouts, key: &str, value: &Setting) -> Result<(), SetError> {
    let (model, name) = key.split_once('.').ok_or(SetError::Unknown)?;
    loadouts.set(ModelName::parse(model).ok_or(SetError::Unknown)?, name, value)
}

/// An entity's profile in a stage that may lack the profiles of overrides; then the one they are
/// applied to.
pub fn profile_of<'a>(stage: &'a Stage, entity: &Entity) -> &'a Profile {
    let own = stage.profiles.get(entity.slot.index());
    own.unwrap_or_else(|| &stage.profiles[entity.profile as usize])
}
