//! What arguments have to be, and what is said of those that are not.

use crate::level::View;
use crate::models::{Action, ModelName};
use crate::script::host::EVENTS;
use crate::script::host::names::{nearest, suggestion};
use crate::script::rhai::engine::values::type_name;
use crate::script::rhai::engine::vector::Vector;
use crate::sim::event_names;
use crate::tuning::MOST;
use glam::DVec2;
use rhai::{Dynamic, EvalAltResult, FLOAT, Position};

pub(in crate::script::rhai) use crate::script::rhai::engine::halt::Fallible;

/// An error that is told at the line which called.
pub(in crate::script::rhai) fn wrong<T>(message: String) -> Fallible<T> {
    Err(EvalAltResult::ErrorRuntime(message.into(), Position::NONE).into())
}

/// A number given as whole or floating.
pub(in crate::script::rhai) fn number(value: &Dynamic) -> Option<FLOAT> {
    value
        .as_float()
        .ok()
        .or_else(|| value.as_int().ok().map(|i| i as FLOAT))
}

/// A number for `what`, whatever it is.
pub(in crate::script::rhai) fn any_number(what: &str, value: &Dynamic) -> Fallible<FLOAT> {
    match number(value) {
        Some(x) => Ok(x),
        None => wrong(format!("{what} takes a number, not {}", type_name(value))),
    }
}

/// A number for `what` that is finite, and no larger than any length or speed may be.
pub(in crate::script::rhai) fn finite(what: &str, value: &Dynamic) -> Fallible<FLOAT> {
    match any_number(what, value)? {
        x if x.abs() <= MOST => Ok(x),
        x if x.is_finite() => wrong(format!("{what} is {x:e}; it must be -{MOST} to {MOST}")),
        x => wrong(format!("{what} cannot be {x}")),
    }
}

/// Two such numbers for the `x` and `y` of a function.
pub(in crate::script::rhai) fn point(call: &str, x: &Dynamic, y: &Dynamic) -> Fallible<DVec2> {
    Ok(DVec2::new(
        finite(&format!("{call}'s x"), x)?,
        finite(&format!("{call}'s y"), y)?,
    ))
}

/// A finite vector for `what`: its part in the plane, and its height.
pub(in crate::script::rhai) fn finite_vector(
    what: &str,
    value: Dynamic,
) -> Fallible<(DVec2, FLOAT)> {
    let kind = type_name(&value);
    let Some(v) = value.try_cast::<Vector>() else {
        return wrong(format!(
            "{what} takes a vec, such as vec(0, 100), not {kind}"
        ));
    };
    let plane = DVec2::new(
        finite(&format!("{what}.x"), &v.x.into())?,
        finite(&format!("{what}.y"), &v.y.into())?,
    );
    Ok((plane, finite(&format!("{what}.z"), &v.z.into())?))
}

/// The action with this name.
pub(in crate::script::rhai) fn action(name: &str) -> Fallible<Action> {
    Action::parse(name).map_or_else(
        || {
            let hint = suggestion(name, Action::ALL.map(Action::name));
            wrong(format!("there is no action `{name}`{hint}"))
        },
        Ok,
    )
}

/// There are two axes.
pub(in crate::script::rhai) fn no_axis<T>(name: &str) -> Fallible<T> {
    wrong(format!(
        "there is no axis `{name}`; it can be `move` or `aim`"
    ))
}

/// The model with this name, if it works in this view.
pub(in crate::script::rhai) fn model(name: &str, view: View) -> Result<ModelName, String> {
    let model = any_model(name)?;
    if model.views().contains(&view) {
        Ok(model)
    } else {
        let view = view.name();
        Err(format!("`{name}` does not work in a {view} view"))
    }
}

/// The model with this name.
pub(in crate::script::rhai) fn any_model(name: &str) -> Result<ModelName, String> {
    ModelName::parse(name).ok_or_else(|| {
        let names: Vec<&str> = ModelName::ALL.iter().map(|m| m.as_str()).collect();
        format!("there is no model `{name}`{}", suggestion(name, names))
    })
}

/// Most characters of the name of an event.
const MOST_NAME: usize = 64;

/// The name of an event of one's own: what `fn on_NAME` can be written with, and none of the engine's.
pub(in crate::script::rhai) fn own_event<'n>(call: &str, name: &'n str) -> Fallible<&'n str> {
    let mut letters = name.chars();
    let starts = letters
        .next()
        .is_some_and(|c| c.is_ascii_lowercase() || c == '_');
    let goes_on = letters.all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
    if !(starts && goes_on) || name.len() > MOST_NAME {
        let shown: String = name.chars().take(MOST_NAME).collect();
        return wrong(format!(
            "`{call}` takes the name of an event: up to {MOST_NAME} of a to z, 0 to 9 and _, not \
             beginning with a digit, not {shown:?}"
        ));
    }
    if name.starts_with("on_") {
        let bare = name.trim_start_matches("on_");
        return wrong(format!(
            "an event's name does not begin with `on_`: write `{bare}`, and `fn on_{bare}` is told"
        ));
    }
    let engines = EVENTS.iter().filter_map(|hook| hook.event());
    if engines.chain(event_names()).any(|own| own == name) {
        return wrong(format!(
            "`{name}` is an event of the engine's own; choose another name"
        ));
    }
    Ok(name)
}

/// What is wrong with the name of an event that a test looks for. A script's own events may have any name;
/// what no script tells and is nearly one of the engine's is taken for that.
pub(in crate::script::rhai) fn looked_for(
    name: &str,
    told: impl FnOnce(&str) -> bool,
) -> Result<(), String> {
    if let Some(bare) = name.strip_prefix("on_") {
        return Err(format!(
            "there is no event `{name}`: the hook has `on_` before its name, the event is `{bare}`"
        ));
    }
    let engines: Vec<&str> = EVENTS.iter().filter_map(|hook| hook.event()).collect();
    match nearest(name, engines.iter().copied()) {
        Some(right) if right != name && !told(name) => Err(format!(
            "there is no event `{name}`; did you mean `{right}`?"
        )),
        _ => Ok(()),
    }
}
