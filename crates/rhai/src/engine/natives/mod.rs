//! Functions of Rhai's packages that can take long, or much memory, for a single operation.
//!
//! Rhai counts a call of a native function as one operation, however much it handles. Most of these functions are
//! charged by the size of their arguments and then run by Rhai ([`counted`]). Those that could run without a bound, or
//! that drop the errors of the functions they call, are reimplemented here ([`list`], [`sort`], [`text`]). All others
//! stay as they are: they call an operator or a function for each element, and each of these calls counts.

mod changing;
mod counted;
mod list;
mod sort;
mod text;

use crate::engine::{
    budget::charge,
    halt::{Fallible, array_too_large, data_too_large, stop, text_too_large},
    packages::load_packages,
    values::{plain_map, type_name},
    weight::{
        charge_for, charge_for_change, charge_parts, charge_weight, count, parts_of, parts_of_map, place_of, weight,
        weight_of_map, weight_of_text,
    },
};
use changing::*;
use hangtime_core::sim::{InJson, Value};
use hangtime_script::{Limits, elsewhere::is_among};
use rhai::{
    Array, Dynamic, Engine, EvalAltResult, FnPtr, FuncRegistration, GlobalRuntimeState, INT, ImmutableString, Map,
    Module, NativeCallContext, OP_EQUALS, Position, RhaiFunc, RhaiNativeFunc,
};
use std::{any::TypeId, sync::Arc};

/// Replaces functions of the packages. `common` registers the types that arrays can hold besides the language's own.
pub fn register(engine: &mut Engine, limits: &Limits, common: fn(&mut Engine)) {
    counted::register(engine, limits, common);
    list::register(engine);
    sort::register(engine);
    text::register(engine, limits);
}
