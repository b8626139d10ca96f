//! Engines, and the topics that each kind of script gets.

use super::registry::Registry;
use super::{expect, math, parse_numbers, table, table_tests, vector};
use crate::script::host::Limits;
use crate::script::host::api::ApiEntry;
use crate::script::host::calls::{TestSession, finished_calls, test_calls};
use crate::script::rhai::engine::setup;
use rhai::Engine;

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
    session: &TestSession,
) -> Vec<ApiEntry> {
    let mut registry = Registry::new(engine);
    table_tests::register(&mut registry, test_calls(), session);
    expect::register(&mut registry, &session.record);
    registry.finish()
}

/// Registers what only expressions about a finished run have.
pub(in crate::script::rhai) fn register_finished(
    engine: &mut Engine,
    session: &TestSession,
) -> Vec<ApiEntry> {
    let mut registry = Registry::new(engine);
    table_tests::register(&mut registry, finished_calls(), session);
    registry.finish()
}
