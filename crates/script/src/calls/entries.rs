//! Short constructors for entries, by owner.

use crate::api::{ApiEntry, ApiSet, Owner};

/// A method of `me`.
pub(super) const fn of_me(name: &'static str, doc: &'static str, example: &'static str) -> ApiEntry {
    ApiEntry::call(Owner::Me, name, doc, example)
}

/// A function of the module `world`.
pub(super) const fn of_world(name: &'static str, doc: &'static str, example: &'static str) -> ApiEntry {
    ApiEntry::call(Owner::World, name, doc, example)
}

/// A method of `t`, the level that a test plays.
pub(super) const fn of_test(name: &'static str, doc: &'static str, example: &'static str) -> ApiEntry {
    ApiEntry::call(Owner::Test, name, doc, example)
}

/// A function that test scripts call by its bare name.
pub(super) const fn free_in_tests(name: &'static str, doc: &'static str, example: &'static str) -> ApiEntry {
    ApiEntry::call(Owner::Free, name, doc, example).only_in(ApiSet::Test)
}
