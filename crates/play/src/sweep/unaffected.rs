//! Keys whose values no entity uses, because a file nearer to it sets the same number.

use super::*;
use hangtime_core::{models::ModelName, tuning::Tunable};
use hangtime_game::TuningGroup;

/// Where the value of a tunable is set if it comes from an option of the command line.
const OF_OPTION: &str = "--set ";

/// Warnings about these keys, as the revision has them.
pub fn unaffected(revision: &Revision, keys: &[VariedKey]) -> Vec<Diagnostic> {
    keys.iter()
        .filter_map(|key| {
            let why = why_unaffected(revision, &key.key)?;
            let mut warning = Diagnostic::about_file("--vary", why);
            warning.severity = hangtime_script::Severity::Warning;
            Some(warning)
        })
        .collect()
}

fn why_unaffected(revision: &Revision, key: &str) -> Option<String> {
    let (model, name) = key.split_once('.')?;
    let model = ModelName::parse(model)?;
    let group = TuningGroup::from(model);
    let stage = &revision.stage;
    let starts = stage.starts.iter().map(|start| start.profile);
    // Only scripts spawn entities.
    let may_spawn = !revision.scripts.all().is_empty();
    let spawned = stage.kinds.values().copied().filter(|_| may_spawn);
    let profiles = starts.chain(spawned);
    let origins: Vec<String> = profiles
        .filter(|profile| stage.profiles[*profile].model == model)
        .map(|profile| revision.tuning_origin(profile, &group, name))
        .collect();
    if origins.is_empty() || origins.iter().any(|origin| origin.starts_with(OF_OPTION)) {
        return None;
    }
    let key = printable_name(key);
    Some(format!("`{key}` changes nothing here: {} sets `{name}` for the entities of this level", origins[0]))
}

/// The unit of the tunable that a key sets; empty if it has none.
pub fn unit_of_key(key: &str) -> &'static str {
    let mut parts: Vec<&str> = key.split('.').collect();
    let Some(name) = parts.pop() else {
        return "";
    };
    let model = parts.last().and_then(|model| ModelName::parse(model));
    let group = match parts.as_slice() {
        ["surfaces", surface] => TuningGroup::Surface((*surface).into()),
        ["simulation" | "level"] => TuningGroup::Simulation,
        _ => match model {
            Some(model) => TuningGroup::Model(model),
            None => return "",
        },
    };
    let is_it = |tunable: &Tunable| tunable.name == name;
    let found = group.tunables().into_iter().find(is_it);
    found.map_or("", |tunable| tunable.unit)
}

#[cfg(test)]
#[path = "../../tests/unit/sweep/unaffected.rs"]
mod tests;
