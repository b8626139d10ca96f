//! Checks of arguments, and the errors for those that do not fit.

use crate::level::View;
use crate::models::{Action, ModelName};
use crate::script::host::names::suggestion;
use crate::script::rhai::engine::values::type_name;
use crate::script::rhai::engine::vector::Vector;
use crate::tuning::MOST;
use glam::DVec2;
use rhai::{Dynamic, EvalAltResult, FLOAT, Position};

pub(in crate::script::rhai) use crate::script::rhai::engine::halt::Fallible;

/// An error without a position; Rhai reports it at the line of the call.
pub(in crate::script::rhai) fn fail<T>(message: String) -> Fallible<T> {
    Err(EvalAltResult::ErrorRuntime(message.into(), Position::NONE).into())
}

/// The value of a whole or floating-point number.
pub(in crate::script::rhai) fn number(value: &Dynamic) -> Option<FLOAT> {
    value
        .as_float()
        .ok()
        .or_else(|| value.as_int().ok().map(|i| i as FLOAT))
}

/// The argument as a number, infinities and NaN included. `what` names it in the error: `` `y` of `vec` ``.
pub(in crate::script::rhai) fn any_number(what: &str, value: &Dynamic) -> Fallible<FLOAT> {
    match number(value) {
        Some(x) => Ok(x),
        None => fail(format!("{what} must be a number, not {}", type_name(value))),
    }
}

/// The argument as a finite number within the range of valid lengths and speeds.
pub(in crate::script::rhai) fn finite(what: &str, value: &Dynamic) -> Fallible<FLOAT> {
    match any_number(what, value)? {
        x if x.abs() <= MOST => Ok(x),
        x if x.is_finite() => fail(format!(
            "{what} is {x:e}; it must be between -{MOST} and {MOST}"
        )),
        x => fail(format!("{what} cannot be {x}")),
    }
}

/// How messages name a parameter of a call: `` `x` of `push` ``.
pub(in crate::script::rhai) fn parameter(call: &str, name: &str) -> String {
    format!("`{name}` of `{call}`")
}

/// The arguments `x` and `y` of a call as a point.
pub(in crate::script::rhai) fn point(call: &str, x: &Dynamic, y: &Dynamic) -> Fallible<DVec2> {
    Ok(DVec2::new(
        finite(&parameter(call, "x"), x)?,
        finite(&parameter(call, "y"), y)?,
    ))
}

/// The argument as a finite vec: its part in the plane, and its z. Errors name it as `` `me.vel` `` or
/// `` `velocity` of `jump_to` ``, depending on `call`.
pub(in crate::script::rhai) fn finite_vector(
    name: &str,
    call: Option<&str>,
    value: Dynamic,
) -> Fallible<(DVec2, FLOAT)> {
    let what = |name: &str| match call {
        Some(call) => parameter(call, name),
        None => format!("`{name}`"),
    };
    let kind = type_name(&value);
    let Some(v) = value.try_cast::<Vector>() else {
        return fail(format!(
            "{} must be a vec, such as `vec(0, 100)`, not {kind}",
            what(name)
        ));
    };
    let part = |key: char, x: FLOAT| finite(&what(&format!("{name}.{key}")), &x.into());
    let plane = DVec2::new(part('x', v.x)?, part('y', v.y)?);
    Ok((plane, part('z', v.z)?))
}

/// The action with this name.
pub(in crate::script::rhai) fn action(name: &str) -> Fallible<Action> {
    Action::parse(name).map_or_else(
        || {
            let hint = suggestion(name, Action::ALL.map(Action::name));
            fail(format!("there is no action `{name}`{hint}"))
        },
        Ok,
    )
}

/// The error for an axis other than `move` and `aim`.
pub(in crate::script::rhai) fn unknown_axis<T>(name: &str) -> Fallible<T> {
    fail(format!(
        "there is no axis `{name}`; it can be `move` or `aim`"
    ))
}

/// The model with this name. One that the level's view does not support is refused when the change is
/// due, without an error.
pub(in crate::script::rhai) fn any_model(name: &str) -> Result<ModelName, String> {
    ModelName::parse(name).ok_or_else(|| {
        let names: Vec<&str> = ModelName::ALL.iter().map(|m| m.as_str()).collect();
        format!("there is no model `{name}`{}", suggestion(name, names))
    })
}

/// Checks the height that an entity is placed at: 0 in a side view, at least 0 in a top view.
pub(in crate::script::rhai) fn check_height(call: &str, view: View, z: f64) -> Fallible<()> {
    if z < 0.0 {
        return fail(format!(
            "`z` of `{call}` is {z}; it must be 0, the ground plane, or more"
        ));
    }
    if z != 0.0 && view == View::Side {
        return fail("z is always 0 in a side view".into());
    }
    Ok(())
}
