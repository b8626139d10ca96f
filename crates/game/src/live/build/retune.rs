//! Revisions with other values for some tunables, without reading a file.

use super::*;
use crate::files::{TuningGroup, TuningHome, TuningScope, level_file};
use hangtime_core::tuning::SetError;

/// The key of the level's own gravity among the revision's places.
const LEVEL_GRAVITY: &str = "level.gravity";

impl Revision {
    /// Where the value of a tunable comes from, for entities with this profile. The values of surfaces and of
    /// the simulation are the same for all.
    pub fn tuning_home(&self, profile: usize, group: &TuningGroup, name: &str) -> TuningHome {
        match group {
            TuningGroup::Model(model) => self.home_of_model(profile, *model, name),
            TuningGroup::Surface(_) => self.home_of_setting(group, name, TuningHome::Surfaces),
            TuningGroup::Simulation if self.has_own_gravity(name) => {
                self.unless_setting(LEVEL_GRAVITY, TuningHome::Level)
            }
            TuningGroup::Simulation => self.home_of_setting(group, name, TuningHome::Game),
        }
    }

    fn home_of_model(&self, profile: usize, model: ModelName, name: &str) -> TuningHome {
        let Some(file) = self.file_of(profile, model, name) else {
            return self.home_of_kind(profile);
        };
        let local = self.mods.local(file);
        if local.starts_with("config/models/") {
            return self.home_in(file, TuningHome::Model);
        }
        if local.starts_with("config/entities/") {
            return self.home_in(file, self.home_of_kind(profile).in_game().clone());
        }
        let entity = self.stage.starts.iter().find(|s| s.profile == profile);
        match entity.filter(|_| self.hashes.contains_key(file)) {
            Some(entity) => self.home_in(file, TuningHome::Entity(entity.name.to_string())),
            None => TuningHome::CommandLine,
        }
    }

    /// The file that sets a model's tunable for a profile.
    fn file_of(&self, profile: usize, model: ModelName, name: &str) -> Option<&str> {
        self.provenance.get(profile)?.file_of(model, name)
    }

    /// The file of a profile's kind.
    fn home_of_kind(&self, profile: usize) -> TuningHome {
        let profile = self.stage.profiles.get(profile);
        let kind = profile.map_or_else(String::new, |p| p.kind.to_string());
        let file = format!("config/entities/{kind}.toml");
        let home = TuningHome::Kind(kind);
        if self.files.contains_key(&file) {
            return home;
        }
        // The kind may be one of a mod.
        let layers = self.mods.layers.iter();
        let mut of_mods = layers.map(|layer| format!("{}/{file}", layer.folder));
        match of_mods.find(|file| self.files.contains_key(file)) {
            Some(file) => TuningHome::Mod(file, Box::new(home)),
            None => home,
        }
    }

    /// Where the value of a tunable goes that is changed for one kind or for all of a model. What an entity of the level
    /// sets stays with it, and what a kind sets stays with the kind, because the model's file has no effect there. A
    /// model without a file has no other place than the kinds.
    pub fn tuning_home_in(&self, profile: usize, group: &TuningGroup, name: &str, scope: TuningScope) -> TuningHome {
        let home = self.tuning_home(profile, group, name);
        let TuningGroup::Model(model) = group else {
            return home;
        };
        match (scope, home.in_game()) {
            (TuningScope::Kind, TuningHome::Model) => self.home_of_kind(profile),
            (TuningScope::Model, TuningHome::Kind(_))
                if self.file_of(profile, *model, name).is_none()
                    && self.files.contains_key(&format!("config/models/{model}.toml")) =>
            {
                TuningHome::Model
            }
            _ => home,
        }
    }

    /// Whether a change that is written there reaches the entities with this profile.
    fn reaches(&self, home: &TuningHome, profile: usize, group: &TuningGroup, name: &str) -> bool {
        self.tuning_home(profile, group, name) == *home
            || [TuningScope::Kind, TuningScope::Model]
                .iter()
                .any(|scope| self.tuning_home_in(profile, group, name, *scope) == *home)
    }

    /// The home of a value in this file, which may belong to a mod.
    fn home_in(&self, file: &str, home: TuningHome) -> TuningHome {
        match self.mods.layer_of(file) {
            Some(_) if file != level_file(&self.stage.level.name) => TuningHome::Mod(file.into(), Box::new(home)),
            _ => home,
        }
    }

    fn home_of_setting(&self, group: &TuningGroup, name: &str, file: TuningHome) -> TuningHome {
        self.unless_setting(&format!("{group}.{name}"), file)
    }

    /// The home in a file, unless the command line sets the key.
    fn unless_setting(&self, key: &str, file: TuningHome) -> TuningHome {
        match self.places.place(key) {
            Some(place) if !self.hashes.contains_key(&*place.file.name) => TuningHome::CommandLine,
            Some(place) => self.home_in(&place.file.name, file),
            None => file,
        }
    }

    /// Whether a tunable of the simulation is the gravity of a level that sets its own.
    fn has_own_gravity(&self, name: &str) -> bool {
        name == "gravity" && self.places.place(LEVEL_GRAVITY).is_some()
    }

    /// The key under which a revision's places have a tunable of a surface or of the simulation.
    fn place_key(&self, group: &TuningGroup, name: &str) -> String {
        match group {
            TuningGroup::Simulation if self.has_own_gravity(name) => LEVEL_GRAVITY.into(),
            _ => format!("{group}.{name}"),
        }
    }

    /// Where a tunable was set: `config/surfaces.toml:11`, `--set KEY=VALUE` or `default`.
    pub fn tuning_origin(&self, profile: usize, group: &TuningGroup, name: &str) -> String {
        match group {
            TuningGroup::Model(model) => match self.provenance.get(profile) {
                Some(places) => places.of_tunable(*model, name),
                None => "default".into(),
            },
            _ => self.places.of(&self.place_key(group, name)),
        }
    }

    /// The value of a tunable that takes effect for a profile. `None` if the group has no such tunable, or
    /// the level no such surface.
    pub fn tuning_value(&self, profile: usize, group: &TuningGroup, name: &str) -> Option<Setting> {
        match group {
            TuningGroup::Model(model) => {
                let profile = self.stage.profiles.get(profile)?;
                profile.loadouts.setting(*model, name)
            }
            TuningGroup::Surface(surface) => {
                let index = self.surface_index(surface)?;
                self.stage.surfaces.get(index)?.get(name)
            }
            TuningGroup::Simulation if name == "gravity" => Some(Setting::Number(self.stage.gravity)),
            TuningGroup::Simulation => self.config.simulation.get(name),
        }
    }

    fn surface_index(&self, surface: &str) -> Option<usize> {
        let names = &self.stage.level.surfaces;
        names.iter().position(|name| **name == *surface)
    }

    /// The value of a tunable at the place where it is or would be written, and whether a file sets it there. `None` if
    /// nothing in the level takes its value from there, and nothing would.
    pub fn setting_at(&self, home: &TuningHome, group: &TuningGroup, name: &str) -> Option<(Setting, bool)> {
        let profiles = match group {
            TuningGroup::Model(_) => 0..self.stage.profiles.len(),
            _ => 0..1,
        };
        let is_there = |profile: &usize| self.tuning_home(*profile, group, name) == *home;
        let Some(profile) = profiles.clone().find(is_there) else {
            let profile = { profiles }.find(|profile| self.reaches(home, *profile, group, name))?;
            return Some((self.tuning_value(profile, group, name)?, false));
        };
        let value = self.tuning_value(profile, group, name)?;
        let written = match group {
            TuningGroup::Model(model) => self.file_of(profile, *model, name).is_some(),
            _ => self.places.place(&self.place_key(group, name)).is_some(),
        };
        Some((value, written))
    }

    /// Whether a game plays the same under both revisions because only pictures and sounds differ, and the texts of files in
    /// `config/`, not their numbers. So it is after numbers that are in effect have been saved.
    pub fn plays_like(&self, other: &Self) -> bool {
        let is_neutral = |name: &str| {
            let local = self.mods.local(name);
            let folders = ["config/", "pictures/", "sounds/"];
            folders.iter().any(|folder| local.starts_with(folder))
        };
        let text = |revision: &Self, name: &str| revision.hashes.get(name).copied();
        let mut names = self.hashes.keys().chain(other.hashes.keys());
        let (a, b) = (&self.stage, &other.stage);
        let same_profile = |(a, b): (&Profile, &Profile)| {
            (&a.kind, a.script, a.model, a.pushes) == (&b.kind, b.script, b.model, b.pushes)
                && (a.mass, a.carries, a.time_scale) == (b.mass, b.carries, b.time_scale)
                && a.loadouts == b.loadouts
                && a.stances == b.stances
                && a.vars == b.vars
                && a.layers == b.layers
        };
        self.mods == other.mods
            && names.all(|name| is_neutral(name) || text(self, name) == text(other, name))
            && self.config.simulation == other.config.simulation
            && self.config.scripts == other.config.scripts
            && (a.gravity, &a.surfaces) == (b.gravity, &b.surfaces)
            && a.profiles.len() == b.profiles.len()
            && a.profiles.iter().zip(&*b.profiles).all(same_profile)
    }

    /// The same revision with other values and another number.
    ///
    /// # Errors
    /// If a value has the wrong type or is out of range. Nothing is changed then.
    pub fn retuned(&self, number: u64, changes: &[TuningChange]) -> Result<Self, SetError> {
        let mut new = Self { number, changes: [&self.changes, changes].concat(), ..self.clone() };
        let mut gravity = self.has_own_gravity("gravity").then_some(self.stage.gravity);
        for change in changes {
            let TuningChange { group, name, .. } = change;
            match group {
                TuningGroup::Model(model) => self.retune_profiles(&mut new.stage, *model, change)?,
                _ if self.tuning_home(0, group, name) != change.home => {}
                TuningGroup::Surface(surface) => {
                    if let Some(index) = self.surface_index(surface) {
                        let surfaces = Arc::make_mut(&mut new.stage.surfaces);
                        surfaces[index].set(name, &change.value)?;
                    }
                }
                TuningGroup::Simulation => {
                    let mut simulation = new.config.simulation.clone();
                    simulation.set(name, &change.value)?;
                    match &mut gravity {
                        Some(own) if *name == "gravity" => *own = simulation.gravity,
                        _ => new.config.simulation = simulation,
                    }
                }
            }
        }
        // The running game keeps its tick rate.
        new.config.simulation.tick_hz = self.config.simulation.tick_hz;
        new.stage.retune(&new.config.simulation, gravity);
        Ok(new)
    }

    /// Changes a tunable of a model for all entities that take its value from there, or would.
    fn retune_profiles(&self, stage: &mut Stage, model: ModelName, change: &TuningChange) -> Result<(), SetError> {
        let group = TuningGroup::Model(model);
        let affected = |index: &usize| self.reaches(&change.home, *index, &group, change.name);
        let affected: Vec<usize> = (0..stage.profiles.len()).filter(affected).collect();
        for index in affected {
            Arc::make_mut(&mut stage.profiles)[index]
                .loadouts
                .set(model, change.name, &change.value)?;
        }
        Ok(())
    }
}
