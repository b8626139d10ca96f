//! Provenance: where each tunable of an entity was set.

use crate::models::ModelName;
use crate::script::host::Place;
use std::collections::BTreeMap;

/// Where the keys of a kind, and of an entity with settings of its own, were set last. Keys are
/// spelled as after `entities.KIND.` in a setting: `model`, `platformer.coyote_time`.
#[derive(Clone, Debug, Default)]
pub struct Provenance {
    places: BTreeMap<String, Place>,
}

/// The name of the text that a setting of the command line is.
const SETTING: &str = "setting";

impl Provenance {
    /// Notes that a key was set at a place, over what was set before.
    pub(super) fn note(&mut self, key: String, place: &Place) {
        self.places.insert(key, place.clone());
    }

    /// Notes that a tunable was set.
    pub(super) fn note_tunable(&mut self, model: ModelName, name: &str, place: &Place) {
        self.note(format!("{}.{name}", model.as_str()), place);
    }

    /// Where a key was set: `config/entities/hero.toml:14`, `--set KEY=VALUE`, or `default`.
    #[must_use]
    pub fn of(&self, key: &str) -> String {
        self.places.get(key).map_or_else(|| "default".into(), line)
    }

    /// Where a tunable was set.
    #[must_use]
    pub fn of_tunable(&self, model: ModelName, name: &str) -> String {
        self.of(&format!("{}.{name}", model.as_str()))
    }
}

/// A place as a line: `config/entities/hero.toml:14`.
pub(super) fn line(place: &Place) -> String {
    if place.file.name == SETTING {
        return format!("--set {}", place.file.text);
    }
    format!("{}:{}", place.file.name, place.position().0)
}
