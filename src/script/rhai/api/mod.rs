//! What scripts call: `me`, `world`, vecs, mathematics, and what test scripts play with.
//!
//! Each file is one topic. What it registers it describes in the same breath, through the
//! [`Registry`](registry::Registry): there is no other way in, so that the reference, the checker and error
//! messages know all that an engine knows.

pub(super) mod arguments;
mod catalog;
mod deeds;
pub(super) mod expect;
mod input;
mod jumps;
pub(super) mod math;
pub(super) mod me;
mod numerals;
pub(super) mod outlook;
pub(super) mod play;
mod reading;
mod registry;
mod timers;
mod tuning;
pub(super) mod vector;
mod world;
mod writing;

pub(super) use arguments::{looked_for, own_event};
pub use catalog::{Registered, Way, entries, registered_names};
pub(super) use catalog::{catalog, furnished};
pub(super) use reading::bodiless;
pub(super) use tuning::{check_setting, tunable as check_tunable};

use crate::script::host::api::Entry;
use crate::script::host::{Limits, Playtest};
use crate::script::rhai::engine::setup;
use registry::Registry;
use rhai::Engine;
use std::sync::Arc;

/// An engine with what every script has.
pub(super) fn new_engine(limits: &Limits) -> Engine {
    setup::new_engine(limits, |engine| drop(register_common(engine)))
}

/// An engine with the language alone, its long functions bounded.
fn bare_engine(limits: &Limits) -> Engine {
    setup::bare_engine(limits, |engine| drop(register_common(engine)))
}

/// Registers what every script has.
pub(super) fn register_common(engine: &mut Engine) -> Vec<Entry> {
    let mut registry = Registry::new(engine);
    math::register(&mut registry);
    numerals::register(&mut registry);
    vector::register(&mut registry);
    registry.finish()
}

/// Registers what behaviors have beside that.
pub(super) fn register_behaviors(engine: &mut Engine) -> Vec<Entry> {
    let mut registry = Registry::new(engine);
    reading::register(&mut registry);
    input::register(&mut registry);
    deeds::register(&mut registry);
    jumps::register(&mut registry);
    timers::register(&mut registry);
    tuning::register(&mut registry);
    world::register(&mut registry);
    registry.finish()
}

/// Registers what test scripts have beside that.
pub(super) fn register_tests(
    engine: &mut Engine,
    playtest: Arc<dyn Playtest>,
    seen: play::Seen,
    told: play::Told,
) -> Vec<Entry> {
    let mut registry = Registry::new(engine);
    play::register(&mut registry, playtest, seen.clone(), told);
    expect::register(&mut registry, seen);
    registry.finish()
}
