//! Tunables of one's own: what the files say, changed for one entity.

use super::arguments::{Fallible, any_model, wrong};
use super::me::Me;
use super::registry::Registry;
use crate::models::{ModelName, ModelTunings};
use crate::script::host::api::{Entry, Names, Owner, Param, Topic, Type, param};
use crate::script::host::names::suggestion;
use crate::script::rhai::engine::budget::charge;
use crate::script::rhai::engine::values::type_name;
use crate::sim::Command;
use crate::tuning::{Range, SetError, Setting};
use rhai::Dynamic;

const KEY: Param = param("key", Type::Name(Names::Tunable), "");
const VALUE: Type = Type::Either(&[Type::Number, Type::Flag, Type::Text]);

/// Registers them.
pub(in crate::script::rhai) fn register(registry: &mut Registry<'_>) {
    registry.topic(Topic::Tuning);
    registry.add(
        Entry::call(
            Owner::Me,
            "tune",
            "Sets a tunable of a model for this entity alone, until `me.untune`. It takes what the \
             files take.",
            r#"me.tune("platformer.jump_speed", 700);"#,
        )
        .takes(const { &[KEY, param("value", VALUE, "")] }),
        |me: &mut Me, key: &str, value: Dynamic| -> Fallible<()> {
            let (model, name) = tunable(model_of(me), key)?;
            let setting = setting(key, &value)?;
            check(model, name, key, &setting)?;
            let mut moment = me.with_body("tune")?;
            moment.order(Command::Tune(model, name, setting))
        },
    );
    registry.add(
        Entry::call(
            Owner::Me,
            "untune",
            "Gives a tunable back to the files.",
            r#"me.untune("platformer.jump_speed");"#,
        )
        .takes(const { &[KEY] }),
        |me: &mut Me, key: &str| -> Fallible<()> {
            let which = tunable(model_of(me), key)?;
            let mut moment = me.with_body("untune")?;
            moment.order(Command::Untune(Some(which)))
        },
    );
    registry.add(
        Entry::call(
            Owner::Me,
            "untune",
            "Gives all that `me.tune` has set back to the files.",
            "me.untune();",
        ),
        |me: &mut Me| me.with_body("untune")?.order(Command::Untune(None)),
    );
}

/// The model and the tunable that a key names. Where the model is missing it is likely to be `own`, that which
/// moves the entity.
pub(in crate::script::rhai) fn tunable(
    own: Option<ModelName>,
    key: &str,
) -> Fallible<(ModelName, &'static str)> {
    let Some((model, name)) = key.split_once('.') else {
        let has = |m: &&ModelName| m.tunables().iter().any(|t| t.name == key);
        let own = own.filter(|model| has(&model));
        // Without a model of its own, as before the script runs, each that has it may be meant.
        let likely = own.map_or_else(
            || ModelName::ALL.iter().copied().filter(|m| has(&m)).collect(),
            |own| vec![own],
        );
        let likely: Vec<String> = likely
            .iter()
            .map(|m| format!("{}.{key}", m.as_str()))
            .collect();
        let hint = if likely.is_empty() {
            ", such as `platformer.jump_speed`".into()
        } else {
            format!("; did you mean `{}`?", likely.join("` or `"))
        };
        return wrong(format!("a tunable is a model, a dot and a name{hint}"));
    };
    let model = any_model(model).or_else(wrong)?;
    let tunables = model.tunables();
    match tunables.iter().find(|t| t.name == name) {
        Some(tunable) => Ok((model, tunable.name)),
        None => {
            let names: Vec<&str> = tunables.iter().map(|t| t.name).collect();
            let (model, hint) = (model.as_str(), suggestion(name, names));
            wrong(format!("`{model}` has no tunable `{name}`{hint}"))
        }
    }
}

fn model_of(me: &Me) -> Option<ModelName> {
    ModelName::parse(me.lock().view.model)
}

fn setting(key: &str, value: &Dynamic) -> Fallible<Setting> {
    if let Some(x) = super::arguments::number(value) {
        return if x.is_finite() {
            Ok(Setting::Number(x))
        } else {
            wrong(format!("`{key}` cannot be {x}"))
        };
    }
    if let Ok(flag) = value.as_bool() {
        return Ok(Setting::Flag(flag));
    }
    if let Ok(word) = value.as_immutable_string_ref() {
        return Ok(Setting::Word(word.to_string()));
    }
    let got = type_name(value);
    wrong(format!(
        "`{key}` takes a number, true or false, or a word, not {got}"
    ))
}

/// Whether a tunable that is there takes a value.
pub(in crate::script::rhai) fn check_setting(key: &str, value: &Dynamic) -> Fallible<()> {
    let (model, name) = tunable(None, key)?;
    check(model, name, key, &setting(key, value)?)
}

/// Whether the tunable takes it, in the words in which files are told.
fn check(model: ModelName, name: &str, key: &str, setting: &Setting) -> Fallible<()> {
    // All tunables of all models are set up anew for that.
    charge(200)?;
    match ModelTunings::default().set(model, name, setting) {
        Ok(()) => Ok(()),
        Err(SetError::Unknown) => wrong(format!("there is no tunable `{key}`")),
        Err(SetError::Type(right)) => wrong(format!("`{key}` takes {right}, not {setting}")),
        Err(SetError::Range(range, unit)) => {
            let Range { min, max } = range;
            let unit = if unit.is_empty() {
                String::new()
            } else {
                format!(" {unit}")
            };
            wrong(format!(
                "`{key}` is {setting}; it must be {min} to {max}{unit}"
            ))
        }
    }
}
