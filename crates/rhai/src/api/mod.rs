//! What scripts call: `me`, `world`, vecs, math, and the calls of test scripts.
//!
//! Most of them are made from tables of calls (`hangtime_script::calls`): `table` registers them, and `convert` converts
//! values. The other files have what belongs to Rhai: mathematics, vecs and expectations. Everything
//! is registered through the [`Registry`](registry::Registry) together with its documentation. Nothing reaches an engine
//! any other way, so the reference, the checker, and error messages always know every call.

mod arguments;
mod catalog;
mod convert;
mod entries;
mod expect;
pub(super) mod handles;
pub(super) mod math;
mod parse_numbers;
mod register;
mod registry;
mod table;
mod vector;

use self::{
    arguments::{Fallible, fail},
    entries::free,
    handles::{Handle, OtherEntity},
    registry::Registry,
};
use crate::engine::{
    halt::{IN_USE, refused, stop},
    values::{same, to_plain},
};
pub(super) use arguments::number;
pub use catalog::{NameUse, RegisteredName, entries, registered_names};
pub(super) use catalog::{PerTable, behavior_catalog, populated_engine, test_catalog};
pub(super) use convert::{HeldArg, to_value};
pub(super) use expect::{Unchecked, UncheckedExpectation};
pub(super) use handles::value_of;
use hangtime_core::sim::Value;
use hangtime_script::{
    Limits, Vector, add_calls,
    api::{Access, ApiEntry, ApiSet, EntryKind, Owner, Param, Topic, Type, param},
    calls::{Arg, Call, CallMoment, CallOwner, ForeignCalls, Object, refuse_write},
    prose,
};
use parking_lot::Mutex;
pub(super) use register::{new_engine, register_behaviors, register_tests};
use rhai::{
    Dynamic, Engine, EvalAltResult, FLOAT, FnPtr, INT, ImmutableString, Map, NativeCallContext, Position, RhaiFunc,
};
use std::{any::TypeId, sync::Arc};
