//! The names that messages suggest: what is registered for scripts, and what the language brings itself.

use crate::script::host::api::{Entry, Kind, Owner, Room};
use std::collections::{BTreeMap, BTreeSet};

/// Everything that scripts can call, by name.
pub(in crate::script::rhai) struct Catalog {
    /// The entries of all that is registered, in the order of the reference.
    pub entries: &'static [Entry],
    /// The language's own functions and how many values each takes.
    pub language: &'static BTreeMap<String, BTreeSet<usize>>,
}

impl Catalog {
    /// The entries that scripts of a room can use.
    pub fn in_room(&self, room: Room) -> impl Iterator<Item = &'static Entry> {
        self.entries.iter().filter(move |e| e.room.is_in(room))
    }

    /// Whether scripts of a room can call, read or write something of this name.
    pub fn has(&self, name: &str, room: Room) -> bool {
        self.in_room(room)
            .any(|e| e.name == name && e.kind != Kind::Operator)
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

    /// The signatures of a name in a room: those of values of the type `first` if there are any, else all.
    pub fn signatures_of(&self, name: &str, first: &str, room: Room) -> Vec<String> {
        let named: Vec<&Entry> = self.in_room(room).filter(|e| e.name == name).collect();
        let of_first = |e: &&&Entry| e.owner != Owner::Free && e.owner.name() == first;
        let owned: Vec<&&Entry> = named.iter().filter(of_first).collect();
        let fitting = if owned.is_empty() {
            named.iter().collect()
        } else {
            owned
        };
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
