//! The rows of the panel: the tunables of an entity.

use super::facts::EntityFacts;
use super::tuner::{Tuner, TuningKey};
use crate::models::ModelName;
use crate::project::Revision;
use crate::tuning::{Setting, Tunable};

/// The rule that answers some tunables of jumps.
const WINDOWS_RULE: &str = "jump_windows";

/// The tunables that this rule can answer.
const WINDOWS: [&str; 3] = ["coyote_time", "jump_buffer", "jump_hold_time"];

/// One tunable of an entity.
#[derive(Clone, Debug, PartialEq)]
pub struct TuningRow {
    /// Which one it is.
    pub key: TuningKey,
    /// Its declaration.
    pub tunable: Tunable,
    /// The value that the panel sets or the files have.
    pub value: Setting,
    /// Where the files set it: `config/models/platformer.toml:8` or `default`.
    pub origin: String,
    /// Whether it is edited and not saved.
    pub edited: bool,
    /// The value that the files have now, if it was changed there as well.
    pub conflict: Option<Setting>,
    /// What replaces the value while the game runs, such as `3 by me.tune in hero.rhai`; empty if nothing
    /// does.
    pub replaced: String,
}

impl TuningRow {
    /// The name with its model: `platformer.jump_speed`.
    #[must_use]
    pub fn path(&self) -> String {
        format!("{}.{}", self.key.1.as_str(), self.tunable.name)
    }
}

/// The tunables of an entity: those of its current model first, then those of the other models that have an
/// edit or match the search. The search looks for all its words in names, units and descriptions.
#[must_use]
pub fn tuning_rows(tuner: &Tuner, facts: &EntityFacts, search: &str) -> Vec<TuningRow> {
    let words: Vec<String> = search.split_whitespace().map(str::to_lowercase).collect();
    let others = ModelName::ALL.iter().filter(|model| **model != facts.model);
    let mut rows = Vec::new();
    for model in std::iter::once(&facts.model).chain(others) {
        for tunable in model.tunables() {
            let found = matches(&tunable, *model, &words);
            let row = || row(tuner, facts, *model, tunable.clone());
            if found && (*model == facts.model || !words.is_empty()) {
                rows.extend(row());
            } else if *model != facts.model && words.is_empty() {
                rows.extend(row().filter(|row| row.edited));
            }
        }
    }
    rows
}

fn matches(tunable: &Tunable, model: ModelName, words: &[String]) -> bool {
    let text = format!(
        "{}.{} {} {}",
        model.as_str(),
        tunable.name,
        tunable.unit,
        tunable.doc
    );
    let text = text.to_lowercase();
    words.iter().all(|word| text.contains(word.as_str()))
}

fn row(
    tuner: &Tuner,
    facts: &EntityFacts,
    model: ModelName,
    tunable: Tunable,
) -> Option<TuningRow> {
    let base = tuner.base();
    let profile = base.stage.profiles.get(facts.profile)?;
    let home = base.tuning_home(facts.profile, model, tunable.name);
    let key = (home, model, tunable.name);
    let edit = tuner.edit(&key);
    let saved = profile.loadouts.setting(model, tunable.name)?;
    let places = base.provenance.get(facts.profile)?;
    Some(TuningRow {
        value: edit.map_or(saved, |edit| edit.value.clone()),
        origin: places.of_tunable(model, tunable.name),
        edited: edit.is_some(),
        conflict: edit.and_then(|edit| edit.conflict.clone()),
        replaced: replaced(base, facts, model, tunable.name),
        key,
        tunable,
    })
}

/// What replaces a tunable of an entity: an override of its script, or a rule that answers it.
fn replaced(base: &Revision, facts: &EntityFacts, model: ModelName, name: &str) -> String {
    let script = base.stage.profiles[facts.profile].script;
    let script = script.map(|id| base.scripts.get(id));
    let path = format!("{}.{name}", model.as_str());
    if let Some(value) = facts.overrides.get(&path) {
        let by = script.map_or_else(String::new, |script| {
            format!(" in scripts/{}", script.name())
        });
        return format!("{value} by me.tune{by}");
    }
    let rule = script.filter(|_| WINDOWS.contains(&name));
    let Some(place) = rule.and_then(|script| script.place_of(WINDOWS_RULE)) else {
        return String::new();
    };
    // Whether the rule answers this one depends on the moment; whether it can is in its text.
    if !place.file.text.contains(name) {
        return String::new();
    }
    let line = place.position().0;
    format!("set by {WINDOWS_RULE} in {}:{line}", place.file.name)
}
