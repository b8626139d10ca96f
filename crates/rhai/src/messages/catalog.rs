//! The names that messages suggest: hangtime's own entries, and the language's functions.

use super::*;

/// Everything that scripts can call, by name.
pub(crate) struct Catalog {
    /// All registered entries, in the order of the reference.
    pub entries: &'static [ApiEntry],
    /// The language's own functions and how many values each takes, the object of a method included.
    pub language: &'static BTreeMap<String, BTreeSet<usize>>,
}
