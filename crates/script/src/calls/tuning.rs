//! Tuning overrides of a single entity.

use super::*;
use hangtime_core::{
    models::ModelTunings,
    tuning::{Range, SetError, Setting, renamed},
};

/// Operations charged for finding a tunable by its key.
const PER_KEY: u64 = 30;

const KEY: Param = param("key", Type::Name(Names::Tunable), "");
const VALUE: Type = Type::Either(&[Type::Number, Type::Flag, Type::Text]);

/// Adds the topic.
pub fn add(table: &mut CallTable) {
    table.topic(Topic::Tuning);
    add_calls! { table;
        /// Overrides a tuning parameter for this entity only, until `me.untune`. It accepts the same values as the TOML
        /// files.
        of_me tune(KEY, param("value", VALUE, ""));
        r#"me.tune("platformer.jump_speed", 700);"#;
        |moment, args| {
            let key = args.text(0)?;
            let (model, name) = check_tunable(moment.me.view().model, key)?;
            let setting = setting(key, args.get(1))?;
            check_value(model, name, key, &setting)?;
            moment.body(args)?.order(Command::Tune(model, name, setting))
        };

        /// The value of a tuning parameter for this entity: from the files, its kind, or its overrides, including
        /// overrides set in this call.
        of_me tuned(KEY) -> VALUE;
        r#"let higher = me.tuned("platformer.jump_speed") * 1.2;"#;
        tuned;

        /// Removes one override.
        of_me untune(KEY);
        r#"me.untune("platformer.jump_speed");"#;
        |moment, args| {
            let key = args.text(0)?;
            charge(PER_KEY)?;
            let which = check_tunable(moment.me.view().model, key)?;
            moment.body(args)?.order(Command::Untune(Some(which)))
        };

        /// Removes all overrides.
        of_me untune();
        "me.untune();";
        |moment, args| {
        moment.body(args)?.order(Command::Untune(None))
    };
    }
}

/// How many orders are looked through for one operation.
const LOOKED_THROUGH: u64 = 8;

fn tuned<'a>(moment: &'a mut CallMoment, args: Args<'a>) -> Answered<'a> {
    let key = args.text(0)?;
    charge(PER_KEY)?;
    let (model, name) = check_tunable(moment.me.view().model, key)?;
    let (me, world) = moment.both()?;
    let me = me.with_body(args.call())?;
    charge(me.commands.len() as u64 / LOOKED_THROUGH)?;
    // What the script has ordered since the tick began is not in the profile yet.
    let ordered = me.commands.iter().rev().find_map(|order| match order {
        Command::Tune(m, n, value) if (*m, *n) == (model, name) => Some(Some(value)),
        Command::Untune(Some(which)) if *which == (model, name) => Some(None),
        Command::Untune(None) => Some(None),
        _ => None,
    });
    let stage = world.stage()?;
    let profile = match ordered {
        Some(Some(value)) => return Ok(answer_of(value)),
        Some(None) => {
            let view = me.view();
            let start = stage.starts.iter().find(|start| start.name == view.name);
            charge(stage.starts.len() as u64 / LOOKED_THROUGH)?;
            let of_level = start.map(|start| start.profile);
            of_level.or_else(|| stage.kinds.get(&view.kind).copied())
        }
        None => None,
    };
    let loadouts = &stage.profiles[profile.unwrap_or(me.profile)].loadouts;
    let value = loadouts.setting(model, name);
    Ok(value.as_ref().map(answer_of).into())
}

/// The value of a tuning parameter as scripts read it.
fn answer_of<'a>(value: &Setting) -> CallAnswer<'a> {
    match value {
        Setting::Number(x) => CallAnswer::Number(*x),
        Setting::Flag(flag) => CallAnswer::Flag(*flag),
        Setting::Word(word) => CallAnswer::made(word.as_str()),
    }
}

/// The model and the parameter that a key such as `platformer.jump_speed` names. `own` is the model that moves
/// the entity, if there is one; a key without a model most likely means that one.
///
/// # Errors
/// If there is no such parameter.
pub fn check_tunable(own: Option<ModelName>, key: &str) -> Accepted<(ModelName, &'static str)> {
    let Some((model, name)) = key.split_once('.') else {
        let key = renamed(key).unwrap_or(key);
        return refuse(format!("a tuning key has the form `model.parameter`{}", with_model(own, key)));
    };
    let model = any_model(model).or_else(refuse)?;
    let tunables = model.tunables();
    match tunables.iter().find(|t| t.name == name) {
        Some(tunable) => Ok((model, tunable.name)),
        None => {
            let others = ModelName::with_tunable(name);
            let others: Vec<&str> = others.iter().map(|model| model.as_str()).collect();
            let hint = match others.as_slice() {
                [] => suggestion(name, tunables.iter().map(|t| t.name)),
                others => format!("; it belongs to `{}`", others.join("` and `")),
            };
            let model = model.as_str();
            refuse(format!("`{model}` has no tunable `{name}`{hint}"))
        }
    }
}

/// A hint for a key without its model.
fn with_model(own: Option<ModelName>, key: &str) -> String {
    // Outside a running script the entity's model is unknown, and any model with the parameter may be meant.
    let all = ModelName::with_tunable(key);
    let likely: Vec<ModelName> = match own.filter(|own| all.contains(own)) {
        Some(own) => vec![own],
        None => all,
    };
    if likely.is_empty() {
        return ", such as `platformer.jump_speed`".into();
    }
    let keys: Vec<String> = likely.iter().map(|m| format!("{}.{key}", m.as_str())).collect();
    format!("; did you mean `{}`?", keys.join("` or `"))
}

fn setting(key: &str, value: Arg<'_>) -> Accepted<Setting> {
    if let Some(x) = value.number() {
        return if x.is_finite() {
            Ok(Setting::Number(x))
        } else {
            refuse(format!("`{key}` cannot be {x}"))
        };
    }
    match value {
        Arg::Flag(flag) => Ok(Setting::Flag(flag)),
        Arg::Text(word) => Ok(Setting::Word(word.to_string())),
        other => other.is_not(format_args!("`{key}`"), "a number, true or false, or text"),
    }
}

/// Checks a key and its value without an entity.
///
/// # Errors
/// When there is no such parameter, or it does not accept the value.
pub fn check_setting(key: &str, value: Arg<'_>) -> Allowed {
    let (model, name) = check_tunable(None, key)?;
    check_value(model, name, key, &setting(key, value)?)
}

fn check_value(model: ModelName, name: &str, key: &str, setting: &Setting) -> Allowed {
    // The check builds the tunings of all models.
    charge(200)?;
    match ModelTunings::default().set(model, name, setting) {
        Ok(()) => Ok(()),
        Err(SetError::Unknown) => refuse(format!("there is no tunable `{key}`")),
        Err(SetError::Type(right)) => refuse(format!("`{key}` must be {right}, not {setting}")),
        Err(SetError::Range(range, unit)) => {
            let Range { min, max } = range;
            let unit = if unit.is_empty() { String::new() } else { format!(" {unit}") };
            refuse(format!("`{key}` is {setting}; it must be between {min} and {max}{unit}"))
        }
    }
}
