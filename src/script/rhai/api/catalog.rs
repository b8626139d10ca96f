//! What is registered, looked at from outside.

use super::{bare_engine, new_engine, play, register_behaviors, register_common, register_tests};
use crate::script::host::api::{Entry, Owner, Room};
use crate::script::host::{Limits, PlayedLevel, Playtest, PlaytestError, Settings};
use crate::script::rhai::messages::catalog::Catalog;
use rhai::Engine;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

/// Opens no level: for an engine that is only looked at.
struct NoLevels;

impl Playtest for NoLevels {
    fn play(&self, level: &str, _: &Settings) -> Result<Box<dyn PlayedLevel>, PlaytestError> {
        Err(PlaytestError(format!("`{level}` cannot be played here")))
    }
}

/// The engine of a room as scripts find it, with the entries of what is registered in it.
pub(in crate::script::rhai) fn furnished(room: Room) -> (Engine, Vec<Entry>) {
    let mut engine = new_engine(&Limits::of_tests());
    let mut entries = register_common(&mut Engine::new_raw());
    if room.is_in(Room::Behavior) {
        entries.extend(register_behaviors(&mut engine));
    }
    if room.is_in(Room::Test) {
        let seen = play::Seen::default();
        let told = Arc::new(|_: &str| true);
        entries.extend(register_tests(&mut engine, Arc::new(NoLevels), seen, told));
    }
    (engine, entries)
}

/// Everything that is registered for scripts, in the order of the reference.
#[must_use]
pub fn entries() -> &'static [Entry] {
    static ENTRIES: OnceLock<Vec<Entry>> = OnceLock::new();
    ENTRIES.get_or_init(|| {
        let mut entries = furnished(Room::Behavior).1;
        let more = furnished(Room::Test).1;
        entries.extend(more.into_iter().filter(|e| e.room == Room::Test));
        entries.sort_by_key(|entry| entry.topic);
        entries
    })
}

/// Something that an engine knows by name, as the engine itself tells it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Registered {
    /// The module that it is in; empty for none.
    pub module: String,
    /// The type of its first parameter, if it is one that only hangtime has; else empty.
    pub owner: String,
    /// Its name.
    pub name: String,
    /// Whether it is called, read or written.
    pub access: Way,
    /// How many parameters it has, its object counted.
    pub parameters: usize,
}

/// How something registered is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Way {
    /// By a call or as an operator.
    Called,
    /// As a property that is read.
    Read,
    /// As a property that is written.
    Written,
}

/// All that is registered in the engine of a room, beside what the language brings.
#[must_use]
pub fn registered_names(room: Room) -> BTreeSet<Registered> {
    let (engine, _) = furnished(room);
    let language = names_of(&bare_engine(&Limits::of_tests()), false);
    let told = names_of(&engine, false);
    told.difference(&language).cloned().collect()
}

/// All that an engine has registered, with what comes in the language's packages if `packages` are wanted, too.
fn names_of(engine: &Engine, packages: bool) -> BTreeSet<Registered> {
    let told = engine.collect_fn_metadata(
        None,
        |info| {
            let first = info.metadata.params_info.first();
            let first = first
                .and_then(|p| p.split_once(": "))
                .map_or("", |(_, t)| t);
            let first = engine.map_type_name(first.trim_start_matches("&mut "));
            let ours = Owner::ALL
                .iter()
                .any(|o| o.of_type().is_some() && o.name() == first);
            let full = info.metadata.name.as_str();
            let (access, name) = match full.split_once('$') {
                Some(("get", name)) => (Way::Read, name),
                Some(("set", name)) => (Way::Written, name),
                _ => (Way::Called, full),
            };
            Some(Registered {
                module: info.namespace.to_string(),
                owner: if ours { first } else { "" }.to_string(),
                name: name.to_string(),
                access,
                parameters: info.metadata.num_params,
            })
        },
        packages,
    );
    told.into_iter().collect()
}

/// What messages suggest names from.
pub(in crate::script::rhai) fn catalog() -> &'static Catalog {
    static CATALOG: OnceLock<Catalog> = OnceLock::new();
    CATALOG.get_or_init(|| Catalog {
        entries: entries(),
        language: language_calls(),
    })
}

/// The language's own functions and how many values each takes.
fn language_calls() -> &'static BTreeMap<String, BTreeSet<usize>> {
    static CALLS: OnceLock<BTreeMap<String, BTreeSet<usize>>> = OnceLock::new();
    CALLS.get_or_init(|| {
        let mut calls: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
        let told = names_of(&bare_engine(&Limits::of_tests()), true).into_iter();
        let called = told.filter(|known| known.access == Way::Called);
        for known in called.filter(|known| known.name.starts_with(char::is_alphabetic)) {
            calls
                .entry(known.name)
                .or_default()
                .insert(known.parameters);
        }
        calls
    })
}
