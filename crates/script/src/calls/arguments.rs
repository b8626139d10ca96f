//! Checks of arguments, and the refusals of those that do not fit.

use super::arg::Arg;
use crate::message::names::suggestion;
use crate::{CallRefusal, refuse};
use glam::DVec2;
use hangtime_core::level::View;
use hangtime_core::models::{Action, ModelName, OwnActions};
use hangtime_core::tuning::MOST;
use std::fmt::{self, Display};

/// How messages name a parameter of a call: `` `x` of `push` ``.
#[derive(Clone, Copy, Debug)]
pub struct NamedParameter<'n> {
    call: &'n str,
    name: &'n str,
}

impl Display for NamedParameter<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` of `{}`", self.name, self.call)
    }
}

/// How messages name a parameter of a call.
pub const fn parameter<'n>(call: &'n str, name: &'n str) -> NamedParameter<'n> {
    NamedParameter { call, name }
}

/// The arguments of a call that has this many parameters.
///
/// # Errors
/// If there are more or fewer. A language that finds calls by their number of parameters never sees it.
pub fn exactly<'s, 'a, const N: usize>(args: &'s [Arg<'a>]) -> Result<&'s [Arg<'a>; N], CallRefusal> {
    match args.try_into() {
        Ok(args) => Ok(args),
        Err(_) => refuse(format!("this call has {N} parameters, but there are {} arguments", args.len())),
    }
}

/// The argument as text.
///
/// # Errors
/// If it is not text.
pub fn text<'a>(call: &str, name: &str, value: Arg<'a>) -> Result<&'a str, CallRefusal> {
    match value {
        Arg::Text(text) => Ok(text),
        other => refuse(format!("{} must be text, not {}", parameter(call, name), other.type_name())),
    }
}

/// The argument as true or false.
///
/// # Errors
/// If it is neither.
pub fn flag(call: &str, name: &str, value: Arg<'_>) -> Result<bool, CallRefusal> {
    match value {
        Arg::Flag(flag) => Ok(flag),
        other => refuse(format!("{} must be true or false, not {}", parameter(call, name), other.type_name())),
    }
}

/// The argument as a number, infinities and NaN included. `what` names it in the message: `` `y` of `vec` ``.
///
/// # Errors
/// If it is not a number.
pub fn any_number(what: impl Display, value: Arg<'_>) -> Result<f64, CallRefusal> {
    match value.number() {
        Some(x) => Ok(x),
        None => refuse(format!("{what} must be a number, not {}", value.type_name())),
    }
}

/// The argument as a finite number within the range of valid lengths and speeds.
///
/// # Errors
/// If it is not.
pub fn finite(what: impl Display, value: Arg<'_>) -> Result<f64, CallRefusal> {
    match value.number() {
        Some(x) if x.abs() <= MOST => Ok(x),
        Some(x) if x.is_finite() => refuse(format!("{what} is {x:e}; it must be between -{MOST} and {MOST}")),
        Some(x) => refuse(format!("{what} cannot be {x}")),
        None => any_number(what, value),
    }
}

/// Whole numbers beyond this cannot all be written as floating-point numbers.
const MOST_WHOLE: f64 = 9_007_199_254_740_992.0;

/// The argument as a whole number. A floating-point one without a fraction is as good.
///
/// # Errors
/// If it is not a whole number.
pub fn whole(what: impl Display, value: Arg<'_>) -> Result<i64, CallRefusal> {
    match value {
        Arg::Whole(x) => Ok(x),
        Arg::Number(x) if x.fract() == 0.0 && x.abs() <= MOST_WHOLE => Ok(x as i64),
        other => {
            let x = any_number(&what, other)?;
            refuse(format!("{what} is {x}; it must be a whole number"))
        }
    }
}

/// The arguments `x` and `y` of a call as a point.
///
/// # Errors
/// If one of them is not a finite number.
pub fn point(call: &str, x: Arg<'_>, y: Arg<'_>) -> Result<DVec2, CallRefusal> {
    Ok(DVec2::new(finite(parameter(call, "x"), x)?, finite(parameter(call, "y"), y)?))
}

/// The argument as a finite vec: its part in the plane, and its z. Messages name it as `` `me.vel` `` or
/// `` `velocity` of `jump_to` ``, depending on `call`.
///
/// # Errors
/// If it is not a vec, or a component is not a finite number.
pub fn finite_vector(name: &str, call: Option<&str>, value: Arg<'_>) -> Result<(DVec2, f64), CallRefusal> {
    let what = |name: &str| match call {
        Some(call) => parameter(call, name).to_string(),
        None => format!("`{name}`"),
    };
    let Arg::Vec(v) = value else {
        return refuse(format!("{} must be a vec, such as `vec(0, 100)`, not {}", what(name), value.type_name()));
    };
    for (key, x) in [('x', v.x), ('y', v.y), ('z', v.z)] {
        if x.is_nan() || x.abs() > MOST {
            finite(what(&format!("{name}.{key}")), Arg::Number(x))?;
        }
    }
    Ok((DVec2::new(v.x, v.y), v.z))
}

/// The action with this name: one that every game has, or one of the game's own.
///
/// # Errors
/// If there is none.
pub fn action(name: &str, own: &OwnActions) -> Result<Action, CallRefusal> {
    own.parse(name).map_or_else(
        || {
            let hint = suggestion(name, own.all_names());
            refuse(format!("there is no action `{name}`{hint}"))
        },
        Ok,
    )
}

/// The refusal of an axis other than `move` and `aim`.
///
/// # Errors
/// Always.
pub fn unknown_axis<T>(name: &str) -> Result<T, CallRefusal> {
    refuse(format!("there is no axis `{name}`; it can be `move` or `aim`"))
}

/// The model with this name. One that the level's view does not support is refused when the change is due, without a
/// message.
///
/// # Errors
/// If there is none.
pub fn any_model(name: &str) -> Result<ModelName, String> {
    ModelName::parse(name).ok_or_else(|| {
        let names: Vec<&str> = ModelName::ALL.iter().map(|m| m.as_str()).collect();
        format!("there is no model `{name}`{}", suggestion(name, names))
    })
}

/// Checks the height that an entity is placed at: 0 in a side view, at least 0 in a top view.
///
/// # Errors
/// If it is not.
pub fn check_height(call: &str, view: View, z: f64) -> Result<(), CallRefusal> {
    if z < 0.0 {
        return refuse(format!("`z` of `{call}` is {z}; it must be 0, the ground plane, or more"));
    }
    if z != 0.0 && view == View::Side {
        return refuse("z is always 0 in a side view");
    }
    Ok(())
}
