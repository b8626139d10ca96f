//! Tuning overrides of a single entity.

use super::arguments::{Fallible, any_model, fail, number};
use super::entries::of_me;
use super::me::Me;
use super::registry::Registry;
use crate::models::{ModelName, ModelTunings};
use crate::script::host::api::{Names, Param, Topic, Type, param};
use crate::script::host::names::suggestion;
use crate::script::rhai::engine::budget::charge;
use crate::script::rhai::engine::values::type_name;
use crate::sim::Command;
use crate::tuning::{Range, SetError, Setting, renamed};
use rhai::Dynamic;

/// Operations charged for finding a tunable by its key.
const PER_KEY: u64 = 30;

const KEY: Param = param("key", Type::Name(Names::Tunable), "");
const VALUE: Type = Type::Either(&[Type::Number, Type::Flag, Type::Text]);

/// Registers the topic.
pub(super) fn register(registry: &mut Registry<'_>) {
    registry.topic(Topic::Tuning);
    registry.add(
        of_me(
            "tune",
            "Overrides a tuning parameter for this entity only, until `me.untune`. It accepts the same values as the \
             TOML files.",
            r#"me.tune("platformer.jump_speed", 700);"#,
        )
        .takes(const { &[KEY, param("value", VALUE, "")] }),
        |me: &mut Me, key: &str, value: Dynamic| -> Fallible<()> {
            let (model, name) = check_tunable(model_of(me), key)?;
            let setting = setting(key, &value)?;
            check_value(model, name, key, &setting)?;
            let mut state = me.with_body("tune")?;
            state.queue(Command::Tune(model, name, setting))
        },
    );
    registry.add(
        of_me(
            "untune",
            "Removes one override.",
            r#"me.untune("platformer.jump_speed");"#,
        )
        .takes(const { &[KEY] }),
        |me: &mut Me, key: &str| -> Fallible<()> {
            charge(PER_KEY)?;
            let which = check_tunable(model_of(me), key)?;
            let mut state = me.with_body("untune")?;
            state.queue(Command::Untune(Some(which)))
        },
    );
    registry.add(
        of_me("untune", "Removes all overrides.", "me.untune();"),
        |me: &mut Me| me.with_body("untune")?.queue(Command::Untune(None)),
    );
}

/// The model and the parameter that a key such as `platformer.jump_speed` names. `own` is the model that moves
/// the entity, if there is one; a key without a model most likely means that one.
pub(in crate::script::rhai) fn check_tunable(
    own: Option<ModelName>,
    key: &str,
) -> Fallible<(ModelName, &'static str)> {
    let Some((model, name)) = key.split_once('.') else {
        let key = renamed(key).unwrap_or(key);
        return fail(format!(
            "a tuning key has the form `model.parameter`{}",
            with_model(own, key)
        ));
    };
    let model = any_model(model).or_else(fail)?;
    let tunables = model.tunables();
    match tunables.iter().find(|t| t.name == name) {
        Some(tunable) => Ok((model, tunable.name)),
        None => {
            let names: Vec<&str> = tunables.iter().map(|t| t.name).collect();
            let (model, hint) = (model.as_str(), suggestion(name, names));
            fail(format!("`{model}` has no tunable `{name}`{hint}"))
        }
    }
}

/// A hint for a key without its model.
fn with_model(own: Option<ModelName>, key: &str) -> String {
    let has = |m: &ModelName| m.tunables().iter().any(|t| t.name == key);
    // Outside a running script the entity's model is unknown, and any model with the parameter may be meant.
    let likely: Vec<ModelName> = match own.filter(has) {
        Some(own) => vec![own],
        None => ModelName::ALL.iter().copied().filter(has).collect(),
    };
    if likely.is_empty() {
        return ", such as `platformer.jump_speed`".into();
    }
    let keys: Vec<String> = likely
        .iter()
        .map(|m| format!("{}.{key}", m.as_str()))
        .collect();
    format!("; did you mean `{}`?", keys.join("` or `"))
}

fn model_of(me: &Me) -> Option<ModelName> {
    me.lock().view.model
}

fn setting(key: &str, value: &Dynamic) -> Fallible<Setting> {
    if let Some(x) = number(value) {
        return if x.is_finite() {
            Ok(Setting::Number(x))
        } else {
            fail(format!("`{key}` cannot be {x}"))
        };
    }
    if let Ok(flag) = value.as_bool() {
        return Ok(Setting::Flag(flag));
    }
    if let Ok(word) = value.as_immutable_string_ref() {
        return Ok(Setting::Word(word.to_string()));
    }
    let got = type_name(value);
    fail(format!(
        "`{key}` must be a number, true or false, or text, not {got}"
    ))
}

/// Checks a key and its value without an entity.
///
/// # Errors
/// When there is no such parameter, or it does not accept the value.
pub(in crate::script::rhai) fn check_setting(key: &str, value: &Dynamic) -> Fallible<()> {
    let (model, name) = check_tunable(None, key)?;
    check_value(model, name, key, &setting(key, value)?)
}

fn check_value(model: ModelName, name: &str, key: &str, setting: &Setting) -> Fallible<()> {
    // The check builds the tunings of all models.
    charge(200)?;
    match ModelTunings::default().set(model, name, setting) {
        Ok(()) => Ok(()),
        Err(SetError::Unknown) => fail(format!("there is no tunable `{key}`")),
        Err(SetError::Type(right)) => fail(format!("`{key}` must be {right}, not {setting}")),
        Err(SetError::Range(range, unit)) => {
            let Range { min, max } = range;
            let unit = if unit.is_empty() {
                String::new()
            } else {
                format!(" {unit}")
            };
            fail(format!(
                "`{key}` is {setting}; it must be between {min} and {max}{unit}"
            ))
        }
    }
}
