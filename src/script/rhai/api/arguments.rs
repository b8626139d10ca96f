//! Checks of arguments for functions that only Rhai has.

use super::convert::arg_of;
use crate::script::host::calls;
use rhai::{Dynamic, FLOAT};
use std::fmt::Display;

pub(in crate::script::rhai) use crate::script::host::calls::parameter;
pub(in crate::script::rhai) use crate::script::rhai::engine::halt::{Fallible, stop};

/// An error without a position; Rhai reports it at the line of the call.
pub(in crate::script::rhai) fn fail<T>(message: String) -> Fallible<T> {
    Err(stop(message))
}

/// The value of a whole or floating-point number.
pub(in crate::script::rhai) fn number(value: &Dynamic) -> Option<FLOAT> {
    value
        .as_float()
        .ok()
        .or_else(|| value.as_int().ok().map(|i| i as FLOAT))
}

/// The argument as a number, infinities and NaN included. `what` names it in the error: `` `y` of `vec` ``.
pub(in crate::script::rhai) fn any_number(what: impl Display, value: &Dynamic) -> Fallible<FLOAT> {
    Ok(calls::any_number(what, arg_of(value, None))?)
}
