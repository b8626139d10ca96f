//! What has decided something, with the value that it had.

use super::{Because, Source};
use crate::models::{Body, ModelName};
use crate::sim::{Entity, Stage};
use crate::tuning::Setting;

/// Who has chosen the model that moves an entity.
pub(super) fn by_model(entity: &Entity) -> Because {
    by_choice_of(entity, entity.model)
}

/// Who has chosen `model` for an entity.
pub(in crate::sim) fn by_choice_of(entity: &Entity, model: ModelName) -> Because {
    let source = if entity.jumping || entity.set_model.is_some() {
        Source::Script
    } else if entity.ruled_model.is_some() {
        Source::Rule("model")
    } else {
        Source::Kind("model")
    };
    Because {
        name: "model",
        value: model.as_str().into(),
        source,
    }
}

/// A tunable of an entity's model; none if the model has no such one.
pub(super) fn tuned(stage: &Stage, entity: &Entity, key: &'static str) -> Vec<Because> {
    let loadouts = &stage.profiles[entity.profile as usize].loadouts;
    let value = loadouts.setting(entity.model, key);
    let because = |value: Setting| Because {
        name: key,
        value: with_unit(entity.model, key, &value),
        source: tuner(entity, key),
    };
    value.map(because).into_iter().collect()
}

/// Who has set a tunable of an entity's model.
fn tuner(entity: &Entity, key: &'static str) -> Source {
    let wanted = format!("{}.{key}", entity.model.as_str());
    let own = entity.script_state.as_ref();
    if own.is_some_and(|own| own.tunes.contains_key(&wanted)) {
        Source::Tuned
    } else {
        Source::Tunable(entity.model, key)
    }
}

/// One of the times of a jump, in seconds: by rule, else as tuned.
pub(super) fn window(
    stage: &Stage,
    entity: &Entity,
    body: &Body,
    key: &'static str,
) -> (f64, Because) {
    let ruled = match key {
        "coyote_time" => body.windows.coyote_time,
        _ => body.windows.jump_buffer,
    };
    let loadouts = &stage.profiles[entity.profile as usize].loadouts;
    let tuned = match loadouts.setting(entity.model, key) {
        Some(Setting::Number(seconds)) => seconds,
        _ => 0.0,
    };
    let source = match ruled {
        Some(_) => Source::Rule("jump_windows"),
        None => tuner(entity, key),
    };
    let seconds = ruled.unwrap_or(tuned);
    let because = Because {
        name: key,
        value: with_unit(entity.model, key, &Setting::Number(seconds)),
        source,
    };
    (seconds, because)
}

fn with_unit(model: ModelName, key: &str, value: &Setting) -> String {
    let tunables = model.tunables();
    match tunables.iter().find(|t| t.name == key).map(|t| t.unit) {
        None | Some("") => value.to_string(),
        Some("°") => format!("{value}°"),
        Some(unit) => format!("{value} {unit}"),
    }
}
