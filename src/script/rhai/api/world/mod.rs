//! `world::`: other entities, time, zones, terrain, random numbers, and custom events.

mod entities;
mod events;
mod places;
mod random;
mod rest;

pub(super) use events::{PER_EVENT, event_data};

use super::registry::Registry;

/// Registers the module and the handle of other entities.
pub(super) fn register(registry: &mut Registry<'_>) {
    entities::register(registry);
    places::register(registry);
    rest::register(registry);
    random::register(registry);
    events::register(registry);
}
