//! Short constructors for entries, by owner.

use super::*;

/// A function that any script calls by its bare name.
pub fn free(name: &'static str, doc: &'static str, example: &'static str) -> ApiEntry {
    ApiEntry::call(Owner::Free, name, doc, example)
}

/// A function that test scripts call by its bare name.
pub fn free_in_tests(name: &'static str, doc: &'static str, example: &'static str) -> ApiEntry {
    free(name, doc, example).only_in(ApiSet::Test)
}
