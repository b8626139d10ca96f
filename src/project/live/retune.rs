//! Revisions with other values for some tunables, without reading a file.

use super::revision::Revision;
use crate::models::ModelName;
use crate::project::files::{TuningChange, TuningHome};
use crate::tuning::{SetError, Setting};
use std::sync::Arc;

impl Revision {
    /// Where the value of a tunable comes from for a profile of the stage.
    #[must_use]
    pub fn tuning_home(&self, profile: usize, model: ModelName, name: &str) -> TuningHome {
        let places = self.provenance.get(profile);
        let kind = || {
            let profile = self.stage.profiles.get(profile);
            TuningHome::Kind(profile.map_or_else(String::new, |p| p.kind.to_string()))
        };
        let Some(file) = places.and_then(|places| places.file_of(model, name)) else {
            return kind();
        };
        if file.starts_with("config/models/") {
            return TuningHome::Model;
        }
        if file.starts_with("config/entities/") {
            return kind();
        }
        let entity = self.stage.starts.iter().find(|s| s.profile == profile);
        match entity.filter(|_| self.hashes.contains_key(file)) {
            Some(entity) => TuningHome::Entity(entity.name.to_string()),
            None => TuningHome::CommandLine,
        }
    }

    /// The value of a tunable at the place where it is written, and whether a file sets it. `None` if no
    /// entity of the level takes its value from there.
    #[must_use]
    pub fn setting_at(
        &self,
        home: &TuningHome,
        model: ModelName,
        name: &str,
    ) -> Option<(Setting, bool)> {
        let mut profiles = 0..self.stage.profiles.len();
        let profile = profiles.find(|p| self.tuning_home(*p, model, name) == *home)?;
        let value = self.stage.profiles[profile].loadouts.setting(model, name)?;
        let written = self.provenance.get(profile)?.file_of(model, name).is_some();
        Some((value, written))
    }

    /// The same revision with other values and another number.
    ///
    /// # Errors
    /// If a value has the wrong type or is out of range. Nothing is changed then.
    pub fn retuned(&self, number: u64, changes: &[TuningChange]) -> Result<Self, SetError> {
        let mut stage = self.stage.clone();
        if !changes.is_empty() {
            let profiles = Arc::make_mut(&mut stage.profiles);
            for (index, profile) in profiles.iter_mut().enumerate() {
                for change in changes {
                    let TuningChange { home, model, .. } = change;
                    if self.tuning_home(index, *model, change.name) == *home {
                        profile.loadouts.set(*model, change.name, &change.value)?;
                    }
                }
            }
        }
        Ok(Self {
            number,
            stage,
            scripts: self.scripts.clone(),
            config: self.config.clone(),
            provenance: self.provenance.clone(),
            demo: self.demo.clone(),
            warnings: self.warnings.clone(),
            hashes: self.hashes.clone(),
            files: self.files.clone(),
        })
    }
}
