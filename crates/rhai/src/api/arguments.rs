//! Checks of arguments for functions that only Rhai has.

use super::*;
use std::fmt::Display;

pub(crate) use crate::engine::halt::{Fallible, refused, stop};
pub(crate) use hangtime_script::calls::parameter;

/// An error without a position; Rhai reports it at the line of the call.
pub fn fail<T>(message: String) -> Fallible<T> {
    Err(stop(message))
}

/// The value of a whole or floating-point number.
pub fn number(value: &Dynamic) -> Option<FLOAT> {
    value.as_float().ok().or_else(|| value.as_int().ok().map(|i| i as FLOAT))
}

/// The argument as a number, infinities and NaN included. `what` names it in the error: `` `y` of `vec` ``.
pub fn any_number(what: impl Display, value: &Dynamic) -> Fallible<FLOAT> {
    HeldArg::of(value).arg().any_number(what).map_err(refused)
}
