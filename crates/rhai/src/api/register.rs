//! Engines, and the topics that each kind of script gets.

use super::{expect, *};
use crate::engine::setup;

/// An engine with the calls that every script has.
pub fn new_engine(limits: &Limits) -> Engine {
    setup::new_engine(limits, |engine| drop(register_common(engine)))
}

/// An engine with only Rhai itself and with limits on the size of functions.
pub fn bare_engine(limits: &Limits) -> Engine {
    setup::bare_engine(limits, |engine| drop(register_common(engine)))
}

/// Registers the calls available to every script.
pub fn register_common(engine: &mut Engine) -> Vec<ApiEntry> {
    let mut registry = Registry::new(engine);
    math::register(&mut registry);
    parse_numbers::register(&mut registry);
    vector::register(&mut registry);
    registry.finish()
}

/// Registers the calls that only behaviors and level scripts have.
pub fn register_behaviors(engine: &mut Engine) -> Vec<ApiEntry> {
    let mut registry = Registry::new(engine);
    table::register(&mut registry);
    registry.finish()
}

/// Registers the calls that only test scripts have. An expectation that compares nothing goes to `unchecked`.
pub fn register_tests(engine: &mut Engine, foreign: &ForeignCalls, unchecked: &Unchecked) -> Vec<ApiEntry> {
    let mut registry = Registry::new(engine);
    table::register_foreign(&mut registry, foreign);
    expect::register(&mut registry, unchecked);
    registry.finish()
}
