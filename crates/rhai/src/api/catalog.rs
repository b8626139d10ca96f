//! All names that scripts can use: hangtime's own entries, and the functions of Rhai itself.

use super::{
    register::{bare_engine, register_common},
    *,
};
use crate::messages::catalog::Catalog;
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::OnceLock,
};

/// What is made once for each table of foreign calls.
pub struct PerTable<T: 'static>(Mutex<Vec<MadeForTable<T>>>);

/// A table of calls, and what was made for it.
type MadeForTable<T> = (&'static [Call<Object>], &'static T);

impl<T> PerTable<T> {
    pub const fn new() -> Self {
        Self(Mutex::new(Vec::new()))
    }

    /// What was made for a table, or is made now.
    pub fn of(&self, foreign: &ForeignCalls, make: impl FnOnce() -> T) -> &'static T {
        let mut all = self.0.lock();
        if let Some((_, made)) = all.iter().find(|(calls, _)| std::ptr::eq(*calls, foreign.calls)) {
            return made;
        }
        let made: &'static T = Box::leak(Box::new(make()));
        all.push((foreign.calls, made));
        made
    }
}

/// An engine with everything registered that behaviors have, or that tests with some calls have, and the entries of it.
pub fn populated_engine(tests: Option<&ForeignCalls>) -> (Engine, Vec<ApiEntry>) {
    let mut engine = new_engine(&Limits::of_tests());
    let mut entries = register_common(&mut Engine::new_raw());
    entries.extend(match tests {
        None => register_behaviors(&mut engine),
        Some(foreign) => register_tests(&mut engine, foreign, &Default::default()),
    });
    (engine, entries)
}

/// Everything that is registered for behaviors.
fn behavior_entries() -> &'static [ApiEntry] {
    static ENTRIES: OnceLock<Vec<ApiEntry>> = OnceLock::new();
    ENTRIES.get_or_init(|| populated_engine(None).1)
}

/// Everything that is registered for scripts, in the order of the reference. Tests have these calls.
pub fn entries(foreign: &ForeignCalls) -> &'static [ApiEntry] {
    static ENTRIES: PerTable<Vec<ApiEntry>> = PerTable::new();
    ENTRIES.of(foreign, || {
        let tests = populated_engine(Some(foreign)).1.into_iter();
        let mut entries = behavior_entries().to_vec();
        entries.extend(tests.filter(|e| e.api_set == ApiSet::Test));
        entries.sort_by_key(|entry| entry.topic);
        entries
    })
}

/// A name as an engine reports it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RegisteredName {
    /// Its module; empty for none.
    pub module: String,
    /// The type of its first parameter, if that is a type of hangtime; else empty.
    pub owner: String,
    /// The name itself.
    pub name: String,
    /// How scripts use it.
    pub usage: NameUse,
    /// Number of parameters, including the object of a method.
    pub parameters: usize,
}

/// How scripts use a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NameUse {
    /// As a call or an operator.
    Call,
    /// As a property to read.
    Get,
    /// As a property to write.
    Set,
}

/// The names that hangtime registers for behaviors, or for tests with some calls, on top of what Rhai has.
pub fn registered_names(tests: Option<&ForeignCalls>) -> BTreeSet<RegisteredName> {
    let (engine, _) = populated_engine(tests);
    let language = names_of(&bare_engine(&Limits::of_tests()), false);
    let all = names_of(&engine, false);
    all.difference(&language).cloned().collect()
}

/// The names registered in an engine, with or without Rhai's packages.
fn names_of(engine: &Engine, packages: bool) -> BTreeSet<RegisteredName> {
    let names = engine.collect_fn_metadata(
        None,
        |info| {
            let first = info.metadata.params_info.first();
            let first = first.and_then(|p| p.split_once(": ")).map_or("", |(_, t)| t);
            let first = engine.map_type_name(first.trim_start_matches("&mut "));
            let ours = Owner::ALL.iter().any(|o| o.of_type().is_some() && o.name() == first);
            let full = info.metadata.name.as_str();
            let (usage, name) = match full.split_once('$') {
                Some(("get", name)) => (NameUse::Get, name),
                Some(("set", name)) => (NameUse::Set, name),
                _ => (NameUse::Call, full),
            };
            // What is left of waits, which scripts do not write.
            if name.starts_with("__") {
                return None;
            }
            Some(RegisteredName {
                module: info.namespace.to_string(),
                owner: if ours { first } else { "" }.to_string(),
                name: name.to_string(),
                usage,
                parameters: info.metadata.num_params,
            })
        },
        packages,
    );
    names.into_iter().collect()
}

/// The names that messages about behaviors suggest.
pub fn behavior_catalog() -> &'static Catalog {
    static CATALOG: OnceLock<Catalog> = OnceLock::new();
    CATALOG.get_or_init(|| Catalog { entries: behavior_entries(), language: language_calls() })
}

/// The names that messages about tests suggest.
pub fn test_catalog(foreign: &ForeignCalls) -> &'static Catalog {
    static CATALOG: PerTable<Catalog> = PerTable::new();
    CATALOG.of(foreign, || Catalog { entries: entries(foreign), language: language_calls() })
}

/// The functions of Rhai itself: name, and the numbers of values that it can be called with, object included.
fn language_calls() -> &'static BTreeMap<String, BTreeSet<usize>> {
    static CALLS: OnceLock<BTreeMap<String, BTreeSet<usize>>> = OnceLock::new();
    CALLS.get_or_init(|| {
        let mut calls: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
        let all = names_of(&bare_engine(&Limits::of_tests()), true).into_iter();
        let called = all.filter(|known| known.usage == NameUse::Call);
        for known in called.filter(|known| known.name.starts_with(char::is_alphabetic)) {
            calls.entry(known.name).or_default().insert(known.parameters);
        }
        calls
    })
}
