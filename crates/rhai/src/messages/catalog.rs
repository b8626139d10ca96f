//! The names that messages suggest: hangtime's own entries, and the language's functions.

use hangtime_script::api::{ApiEntry, ApiSet, EntryKind, Owner};
use std::collections::{BTreeMap, BTreeSet};

/// Everything that scripts can call, by name.
pub(crate) struct Catalog {
    /// All registered entries, in the order of the reference.
    pub entries: &'static [ApiEntry],
    /// The language's own functions and how many values each takes.
    pub language: &'static BTreeMap<String, BTreeSet<usize>>,
}

impl Catalog {
    /// The entries that are available in an API set.
    pub fn in_api_set(&self, api_set: ApiSet) -> impl Iterator<Item = &'static ApiEntry> {
        self.entries.iter().filter(move |e| e.api_set.is_in(api_set))
    }

    /// Whether an entry of this name is available in an API set.
    pub fn has(&self, name: &str, api_set: ApiSet) -> bool {
        self.in_api_set(api_set).any(|e| e.name == name && e.kind != EntryKind::Operator)
    }

    /// The names of the language's own functions.
    pub fn language_names(&self) -> impl Iterator<Item = &'static str> {
        self.language.keys().map(String::as_str)
    }

    /// How many values the language's own functions of a name take, the fewest first.
    pub fn language_counts(&self, name: &str) -> Vec<usize> {
        let counts = self.language.get(name);
        counts.into_iter().flatten().copied().collect()
    }

    /// The signatures of a name in an API set: those on values of the type `first` if there are any, else all.
    pub fn signatures_of(&self, name: &str, first: &str, api_set: ApiSet) -> Vec<String> {
        let named: Vec<&ApiEntry> = self.in_api_set(api_set).filter(|e| e.name == name).collect();
        let of_first = |e: &&&ApiEntry| e.owner != Owner::Free && e.owner.name() == first;
        let owned: Vec<&&ApiEntry> = named.iter().filter(of_first).collect();
        let fitting = if owned.is_empty() { named.iter().collect() } else { owned };
        let mut signatures: Vec<String> = Vec::new();
        for entry in fitting {
            let signature = entry.signature();
            if !signatures.contains(&signature) {
                signatures.push(signature);
            }
        }
        signatures
    }
}
