//! The file and line that set each tunable of an entity.

use hangtime_core::models::ModelName;
use hangtime_script::Place;
use std::collections::BTreeMap;

/// The places that set the keys of a kind, or of an entity with overrides. Keys are spelled as in a
/// setting after `entities.KIND.`: `model`, `platformer.coyote_time`.
#[derive(Clone, Debug, Default)]
pub struct Provenance {
    places: BTreeMap<String, Place>,
}

/// The name of the pseudo file that holds a `KEY=VALUE` setting.
pub(crate) const SETTING: &str = "setting";

impl Provenance {
    /// Records that a key was set at a place. The last place wins.
    pub(crate) fn note(&mut self, key: String, place: &Place) {
        self.places.insert(key, place.clone());
    }

    /// Records that a tunable was set at a place.
    pub(crate) fn note_tunable(&mut self, model: ModelName, name: &str, place: &Place) {
        self.note(format!("{model}.{name}"), place);
    }

    /// Where a key was set: `config/entities/hero.toml:14`, `--set KEY=VALUE` or `default`.
    pub fn of(&self, key: &str) -> String {
        self.places.get(key).map_or_else(|| "default".into(), location)
    }

    /// The place that set a key; none for a default.
    pub fn place(&self, key: &str) -> Option<&Place> {
        self.places.get(key)
    }

    /// The file that sets a model's tunable, by its path below the game folder; `None` if none does.
    pub fn file_of(&self, model: ModelName, name: &str) -> Option<&str> {
        let place = self.places.get(&format!("{model}.{name}"))?;
        Some(&place.file.name)
    }

    /// Where a model's tunable was set, in the same form.
    pub fn of_tunable(&self, model: ModelName, name: &str) -> String {
        self.of(&format!("{model}.{name}"))
    }
}

/// A place as `file:line`, or as the option that set it.
pub(crate) fn location(place: &Place) -> String {
    if place.file.name == SETTING {
        return format!("--set {}", place.file.text);
    }
    format!("{}:{}", place.file.name, place.position().0)
}
