//! Short constructors for entries, by owner.

use crate::script::host::api::{ApiEntry, Owner};

/// A method of `me`.
pub(super) const fn of_me(
    name: &'static str,
    doc: &'static str,
    example: &'static str,
) -> ApiEntry {
    ApiEntry::call(Owner::Me, name, doc, example)
}

/// A function of the module `world`.
pub(super) const fn of_world(
    name: &'static str,
    doc: &'static str,
    example: &'static str,
) -> ApiEntry {
    ApiEntry::call(Owner::World, name, doc, example)
}
