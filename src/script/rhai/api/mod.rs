//! What scripts call: `me`, `world`, vecs, math, and the calls of test scripts.
//!
//! Each file covers one topic and registers its functions through the [`Registry`](registry::Registry) together
//! with their documentation. Nothing reaches an engine any other way, so the reference, the checker, and error
//! messages always know every call.

mod actions;
mod arguments;
mod catalog;
mod entries;
mod event_names;
mod expect;
mod input;
mod jumps;
mod math;
pub(super) mod me;
mod parse_numbers;
mod play;
mod register;
mod registry;
mod setters;
mod state;
pub(super) mod test_record;
mod timers;
mod tuning;
mod vector;
mod world;
pub(super) mod world_view;

pub(super) use arguments::{any_model, number};
pub use catalog::{NameUse, RegisteredName, entries, registered_names};
pub(super) use catalog::{catalog, expression_catalog, populated_engine};
pub(super) use event_names::{check_custom_event, check_event_filter};
pub(super) use play::{MayEmit, finished_run, register_finished};
pub(super) use register::{new_engine, register_behaviors, register_tests};
pub(super) use state::is_level_member;
pub(super) use tuning::{check_setting, check_tunable};
