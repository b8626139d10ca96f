//! The values that decided something, and where they come from.

use super::report::{Cause, Origin};
use crate::models::{Body, ModelName};
use crate::sim::entity::Entity;
use crate::sim::overrides::key as override_key;
use crate::sim::stage::Stage;
use crate::tuning::Setting;

/// Where the choice of `model` for an entity comes from.
pub(in crate::sim) fn cause_of_model(entity: &Entity, model: ModelName) -> Cause {
    let origin = if entity.jumping || entity.set_model.is_some() {
        Origin::Script(None)
    } else if entity.ruled_model.is_some() {
        Origin::Rule("model")
    } else {
        Origin::Kind("model")
    };
    Cause { name: "model", value: model.as_str().into(), origin }
}

/// A tunable of an entity's model; `None` if the model does not have it.
pub(super) fn tunable(stage: &Stage, entity: &Entity, key: &'static str) -> Option<Cause> {
    let loadouts = &stage.profiles[entity.slot.index()].loadouts;
    let value = loadouts.setting(entity.model, key)?;
    Some(Cause { name: key, value: with_unit(entity.model, key, &value), origin: origin(entity, key) })
}

/// Where the value of a tunable of an entity's model comes from.
fn origin(entity: &Entity, key: &'static str) -> Origin {
    let state = entity.script_state.as_ref();
    let overridden = override_key(entity.model, key);
    if state.is_some_and(|state| state.overrides.contains_key(&overridden)) {
        Origin::Override
    } else {
        Origin::Tunable(entity.model, key)
    }
}

/// The seconds of `coyote_time` or `jump_buffer`: the answer of the rule `jump_windows`, else the
/// tunable.
pub(super) fn window(stage: &Stage, entity: &Entity, body: &Body, key: &'static str) -> (f64, Cause) {
    let ruled = match key {
        "coyote_time" => body.windows.coyote_time,
        _ => body.windows.jump_buffer,
    };
    let loadouts = &stage.profiles[entity.slot.index()].loadouts;
    let tuned = match loadouts.setting(entity.model, key) {
        Some(Setting::Number(seconds)) => seconds,
        _ => 0.0,
    };
    let origin = match ruled {
        Some(_) => Origin::Rule("jump_windows"),
        None => origin(entity, key),
    };
    let seconds = ruled.unwrap_or(tuned);
    let cause = Cause { name: key, value: with_unit(entity.model, key, &Setting::Number(seconds)), origin };
    (seconds, cause)
}

fn with_unit(model: ModelName, key: &str, value: &Setting) -> String {
    let tunables = model.tunables();
    match tunables.iter().find(|t| t.name == key).map(|t| t.unit) {
        None | Some("") => value.to_string(),
        Some("°") => format!("{value}°"),
        Some(unit) => format!("{value} {unit}"),
    }
}
