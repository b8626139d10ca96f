//! The whole table.

use super::table::{Call, CallTable};
use super::{actions, drawing, input, jumps, own_jumps, play, properties, sounds, timers, tuning, world};
use crate::api::Owner;
use std::sync::OnceLock;

/// Everything that behaviors and level scripts can read and do, in the order of the reference within each topic.
/// Mathematics, vecs and what is done to texts, lists and maps belong to a language.
pub fn behavior_calls() -> &'static [Call] {
    static CALLS: OnceLock<Vec<Call>> = OnceLock::new();
    CALLS.get_or_init(|| {
        let mut table = CallTable::new();
        properties::add_of_me(&mut table);
        input::add(&mut table);
        actions::add(&mut table);
        jumps::add(&mut table);
        own_jumps::add(&mut table);
        timers::add(&mut table);
        tuning::add(&mut table);
        world::add(&mut table);
        drawing::add(&mut table);
        sounds::add(&mut table);
        table.calls
    })
}

/// Everything that test scripts can read and do, except their expectations.
pub fn test_calls() -> &'static [Call] {
    static CALLS: OnceLock<Vec<Call>> = OnceLock::new();
    CALLS.get_or_init(|| {
        let mut table = CallTable::new();
        play::add(&mut table);
        table.calls
    })
}

/// What only expressions about a finished run have.
pub fn finished_calls() -> &'static [Call] {
    static CALLS: OnceLock<Vec<Call>> = OnceLock::new();
    CALLS.get_or_init(|| {
        let mut table = CallTable::new();
        play::add_finished(&mut table);
        table.calls
    })
}

/// The call or property of an owner with this name and number of parameters.
pub fn find_call(owner: Owner, name: &str, parameters: usize) -> Option<&'static Call> {
    behavior_calls().iter().find(|call| {
        let entry = &call.entry;
        entry.owner == owner && entry.name == name && entry.parameters.len() == parameters
    })
}
