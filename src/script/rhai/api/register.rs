//! Engines, and the topics that each kind of script gets.

use super::play::{MayEmit, register as register_play};
use super::registry::Registry;
use super::test_record::TestRecord;
use super::{expect, math, parse_numbers, table, vector};
use crate::script::host::api::ApiEntry;
use crate::script::host::{Limits, Playtest};
use crate::script::rhai::engine::setup;
use rhai::Engine;
use std::sync::Arc;

/// An engine with the calls that every script has.
pub(in crate::script::rhai) fn new_engine(limits: &Limits) -> Engine {
    setup::new_engine(limits, |engine| drop(register_common(engine)))
}

/// An engine with only Rhai itself and with limits on the size of functions.
pub(in crate::script::rhai) fn bare_engine(limits: &Limits) -> Engine {
    setup::bare_engine(limits, |engine| drop(register_common(engine)))
}

/// Registers the calls available to every script.
pub(in crate::script::rhai) fn register_common(engine: &mut Engine) -> Vec<ApiEntry> {
    let mut registry = Registry::new(engine);
    math::register(&mut registry);
    parse_numbers::register(&mut registry);
    vector::register(&mut registry);
    registry.finish()
}

/// Registers the calls that only behaviors and level scripts have.
pub(in crate::script::rhai) fn register_behaviors(engine: &mut Engine) -> Vec<ApiEntry> {
    let mut registry = Registry::new(engine);
    table::register(&mut registry);
    registry.finish()
}

/// Registers the calls that only test scripts have.
pub(in crate::script::rhai) fn register_tests(
    engine: &mut Engine,
    playtest: Arc<dyn Playtest>,
    record: &TestRecord,
    may_emit: MayEmit,
) -> Vec<ApiEntry> {
    let mut registry = Registry::new(engine);
    register_play(&mut registry, playtest, record, may_emit);
    expect::register(&mut registry, record);
    registry.finish()
}
