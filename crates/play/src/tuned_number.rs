//! A number of a body that can be tuned, and revisions with other values of it.

use super::*;
use hangtime_core::{
    models::ModelName,
    tuning::{Range as NumberRange, Setting},
};
use hangtime_game::{TuningGroup, Variants};

/// A number that can be tuned, for one entity.
#[derive(Clone, Debug, PartialEq)]
pub struct TunedNumber {
    /// The setting that changes it for the entity's kind alone, or for everything that moves.
    pub key: String,
    /// Its value.
    pub value: f64,
    /// Its unit; empty for shares.
    pub unit: &'static str,
    range: NumberRange,
    profile: usize,
    group: TuningGroup,
    name: &'static str,
}

impl TunedNumber {
    /// The numbers of an entity under some models, and gravity. Those that are 0 are left out.
    pub fn of(revision: &Revision, entity: &str, models: &BTreeSet<ModelName>) -> Vec<Self> {
        let stage = &revision.stage;
        let Some(start) = stage.starts.iter().find(|start| &*start.name == entity) else { return Vec::new() };
        let (profile, kind) = (start.profile, &stage.profiles[start.profile].kind);
        let groups = models.iter().map(|model| TuningGroup::Model(*model)).chain([TuningGroup::Simulation]);
        let mut numbers = Vec::new();
        for group in groups {
            for tunable in group.tunables() {
                let key = match &group {
                    TuningGroup::Model(model) => format!("entities.{kind}.{model}.{}", tunable.name),
                    _ if tunable.name != "gravity" => continue,
                    _ if revision.places.place(LEVEL_GRAVITY).is_some() => LEVEL_GRAVITY.into(),
                    _ => "simulation.gravity".into(),
                };
                let value = revision.tuning_value(profile, &group, tunable.name);
                if let Some(Setting::Number(value)) = value.filter(|value| *value != Setting::Number(0.0)) {
                    let (range, unit, name) = (tunable.range, tunable.unit, tunable.name);
                    numbers.push(Self { key, value, unit, range, profile, group: group.clone(), name });
                }
            }
        }
        numbers
    }

    /// A revision with another value of the number; `None` if it cannot have that, or something else decides it.
    pub fn with(&self, base: &Revision, variants: &Variants, value: f64) -> Option<Revision> {
        if !(self.range.min..=self.range.max).contains(&value) {
            return None;
        }
        let mut settings = base.settings.clone();
        settings.push((self.key.clone(), format!("{value:?}")));
        let revision = variants.build(&settings).ok()?;
        let takes_effect = revision.tuning_value(self.profile, &self.group, self.name) == Some(Setting::Number(value));
        takes_effect.then_some(revision)
    }
}

const LEVEL_GRAVITY: &str = "level.gravity";
