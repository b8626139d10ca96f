//! `world::`: other entities, time, zones, terrain, players, random numbers, and custom events.

mod entities;
mod events;
mod joints;
mod kept;
mod levels;
mod places;
mod players;
mod random;
mod rest;
mod routes;
mod solids;

pub(super) use entities::{SpawnSettings, find_kind};
pub use events::{MAX_EMITTED, MOST_EVENT_DATA, PER_EVENT, event_data};
pub(super) use joints::JointSettings;
pub use kept::{kept_data, kept_name};
pub(super) use solids::SolidSettings;

use super::CallTable;

/// Adds the module, and the handle of other entities.
pub fn add(table: &mut CallTable) {
    entities::add(table);
    places::add(table);
    solids::add(table);
    joints::add(table);
    rest::add(table);
    routes::add(table);
    players::add(table);
    random::add(table);
    events::add(table);
    kept::add(table);
    levels::add(table);
}
