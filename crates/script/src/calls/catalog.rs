//! The whole table of behaviors.

use super::*;
use std::sync::OnceLock;

/// Everything that behaviors and level scripts can read and do, in the order of the reference within each topic.
/// Mathematics, vecs and what is done to texts, lists and maps belong to a language.
pub fn behavior_calls() -> &'static CallTable {
    static CALLS: OnceLock<CallTable> = OnceLock::new();
    CALLS.get_or_init(|| {
        let mut table = CallTable::new();
        properties::add_of_me(&mut table);
        input::add(&mut table);
        actions::add(&mut table);
        jumps::add(&mut table);
        own_jumps::add(&mut table);
        throws::add(&mut table);
        timers::add(&mut table);
        sequences::add(&mut table);
        tuning::add(&mut table);
        world::add(&mut table);
        drawing::add(&mut table);
        camera::add(&mut table);
        sounds::add(&mut table);
        table
    })
}

/// The call or property of `me` or of a module with this name and number of parameters.
pub fn find_call(owner: Owner, name: &str, parameters: usize) -> Option<&'static Call<CallMoment>> {
    behavior_calls().of_moment.iter().find(|call| {
        let entry = &call.entry;
        entry.owner == owner && entry.name == name && entry.parameters.len() == parameters
    })
}

/// The member of other entities with this name.
pub fn find_member(name: &str) -> Option<&'static Call<EntityView>> {
    behavior_calls().of_entity.iter().find(|call| call.entry.name == name)
}
