//! `world::`: other entities, time, zones, terrain, random numbers, and custom events.

mod entities;
mod events;
mod levels;
mod places;
mod random;
mod rest;

pub use events::{PER_EVENT, event_data};

use super::table::CallTable;

/// Adds the module, and the handle of other entities.
pub(super) fn add(table: &mut CallTable) {
    entities::add(table);
    places::add(table);
    rest::add(table);
    random::add(table);
    events::add(table);
    levels::add(table);
}
