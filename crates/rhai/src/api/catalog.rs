//! All names that scripts can use: hangtime's own entries, and the functions of Rhai itself.

use super::register::{bare_engine, new_engine, register_behaviors, register_common, register_tests};
use crate::messages::catalog::Catalog;
use hangtime_script::api::{ApiEntry, ApiSet, Owner};
use hangtime_script::calls::{TestRecord, TestSession, finished_calls};
use hangtime_script::{Limits, PlayedLevel, Playtest, PlaytestError, Settings};
use rhai::Engine;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

/// Opens no level, for engines that run no tests.
struct NoLevels;

impl Playtest for NoLevels {
    fn play(&self, level: &str, _: &Settings) -> Result<Box<dyn PlayedLevel>, PlaytestError> {
        Err(PlaytestError(format!("`{level}` cannot be played here")))
    }
}

/// An engine with everything registered that scripts of a set have, and the entries of it.
pub(crate) fn populated_engine(set: ApiSet) -> (Engine, Vec<ApiEntry>) {
    let mut engine = new_engine(&Limits::of_tests());
    let mut entries = register_common(&mut Engine::new_raw());
    if set.is_in(ApiSet::Behavior) {
        entries.extend(register_behaviors(&mut engine));
    }
    if set.is_in(ApiSet::Test) {
        let session = TestSession {
            playtest: Arc::new(NoLevels),
            record: TestRecord::default(),
            may_emit: Arc::new(|_: &str| true),
        };
        entries.extend(register_tests(&mut engine, &session));
    }
    (engine, entries)
}

/// Everything that is registered for scripts, in the order of the reference.
pub fn entries() -> &'static [ApiEntry] {
    static ENTRIES: OnceLock<Vec<ApiEntry>> = OnceLock::new();
    ENTRIES.get_or_init(|| {
        let mut entries = populated_engine(ApiSet::Behavior).1;
        let more = populated_engine(ApiSet::Test).1;
        entries.extend(more.into_iter().filter(|e| e.api_set == ApiSet::Test));
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

/// The names that hangtime registers in an engine, on top of what Rhai has.
pub fn registered_names(set: ApiSet) -> BTreeSet<RegisteredName> {
    let (engine, _) = populated_engine(set);
    let language = names_of(&bare_engine(&Limits::of_tests()), false);
    let all = names_of(&engine, false);
    all.difference(&language).cloned().collect()
}

/// The names registered in an engine, with or without those of Rhai's packages.
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

/// The names that messages suggest.
pub(crate) fn catalog() -> &'static Catalog {
    static CATALOG: OnceLock<Catalog> = OnceLock::new();
    CATALOG.get_or_init(|| Catalog { entries: entries(), language: language_calls() })
}

/// The names that messages about expressions suggest.
pub(crate) fn expression_catalog() -> &'static Catalog {
    static CATALOG: OnceLock<Catalog> = OnceLock::new();
    static ENTRIES: OnceLock<Vec<ApiEntry>> = OnceLock::new();
    CATALOG.get_or_init(|| {
        let entries = ENTRIES.get_or_init(|| {
            let own = finished_calls().iter().map(|call| call.entry);
            entries().iter().copied().chain(own).collect()
        });
        Catalog { entries, language: language_calls() }
    })
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
