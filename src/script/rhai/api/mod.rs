//! What scripts call: `me`, `world`, vecs, math, and the calls of test scripts.
//!
//! Each file covers one topic and registers its functions through the [`Registry`](registry::Registry) together
//! with their documentation. Nothing reaches an engine any other way, so the reference, the checker, and error
//! messages always know every call.

mod arguments;
mod catalog;
mod convert;
mod entries;
mod expect;
pub(super) mod handles;
mod math;
mod parse_numbers;
mod play;
mod register;
mod registry;
mod table;
pub(super) mod test_record;
mod vector;

pub(super) use arguments::number;
pub use catalog::{NameUse, RegisteredName, entries, registered_names};
pub(super) use catalog::{catalog, expression_catalog, populated_engine};
pub(super) use convert::{arg_of, text_of};
pub(super) use play::{MayEmit, finished_run, register_finished};
pub(super) use register::{new_engine, register_behaviors, register_tests};
