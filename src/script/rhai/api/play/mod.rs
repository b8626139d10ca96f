//! `play(level)`, and `t`: how a test script plays a level.

mod finished;
mod input;
mod known_failure;
mod open;
mod outside;
mod queries;
mod settings;
mod snapshots;
mod test_level;
mod time;
mod why;

pub(in crate::script::rhai) use finished::{finished_run, register as register_finished};
pub(in crate::script::rhai) use test_level::MayEmit;

use super::registry::Registry;
use super::test_record::TestRecord;
use crate::script::host::Playtest;
use crate::script::host::api::Topic;
use std::sync::Arc;

/// Registers everything that plays levels.
pub(super) fn register(
    registry: &mut Registry<'_>,
    playtest: Arc<dyn Playtest>,
    record: &TestRecord,
    may_emit: MayEmit,
) {
    known_failure::register(registry, record);
    registry.topic(Topic::Play);
    open::register(registry, playtest, record, may_emit);
    input::register(registry);
    outside::register(registry);
    settings::register(registry);
    time::register(registry);
    snapshots::register(registry);
    queries::register(registry);
    why::register(registry);
}
