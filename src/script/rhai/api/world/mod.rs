//! `world::`: the other entities, the time, the zones and the terrain, chance, and what scripts tell each
//! other.

mod chance;
mod entities;
mod places;
mod signals;

use super::registry::Registry;
use crate::script::host::api::{Entry, Owner};

/// Registers the module and its handles.
pub(in crate::script::rhai) fn register(registry: &mut Registry<'_>) {
    entities::register(registry);
    places::register(registry);
    chance::register(registry);
    signals::register(registry);
}

fn world(name: &'static str, doc: &'static str, example: &'static str) -> Entry {
    Entry::call(Owner::World, name, doc, example)
}
