//! What scripts call: `me`, `world`, vecs, math, and the calls of test scripts.
//!
//! Most of them are made from the table of calls (`script::host::calls`): `table` and `table_tests` register them, and
//! `convert` converts values. The other files have what belongs to Rhai: mathematics, vecs and expectations. Everything
//! is registered through the [`Registry`](registry::Registry) together with its documentation. Nothing reaches an engine
//! any other way, so the reference, the checker, and error messages always know every call.

mod arguments;
mod catalog;
mod convert;
mod entries;
mod expect;
pub(super) mod handles;
pub(super) mod math;
mod native;
mod parse_numbers;
mod register;
mod registry;
mod table;
mod table_tests;
mod vector;

pub(super) use arguments::number;
pub use catalog::{NameUse, RegisteredName, entries, registered_names};
pub(super) use catalog::{catalog, expression_catalog, populated_engine};
pub(super) use convert::{HeldArg, to_value};
pub(super) use register::{new_engine, register_behaviors, register_finished, register_tests};
pub(super) use table_tests::finished_run;
