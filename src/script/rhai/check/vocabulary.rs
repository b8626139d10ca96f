//! The names that an engine knows: what is registered, and what the language brings.

use crate::script::host::Limits;
use crate::script::host::api::{Entry, Kind, Owner, Room};
use crate::script::rhai::api::{entries, furnished};
use crate::script::rhai::engine::packages::load_packages;
use rhai::{Array, Dynamic, Engine, FLOAT, FnPtr, FuncInfo, INT, ImmutableString, Map};
use std::any::TypeId;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

/// What the language itself calls in its own way, with any number of arguments.
const KEYWORDS: [&str; 10] = [
    "Fn",
    "call",
    "curry",
    "debug",
    "eval",
    "is_def_fn",
    "is_def_var",
    "is_shared",
    "print",
    "type_of",
];

/// Those of them that are given one value, unless more is registered.
const OF_ONE: [&str; 4] = ["Fn", "debug", "print", "type_of"];

/// What the first argument of a function has to be.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum First {
    /// Nobody can tell, or whatever it is.
    Anything,
    /// A value of the language's own.
    Plain,
    /// A value that has this owner's names.
    Of(String),
}

/// A function that is called by its bare name or on a value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Overload {
    parameters: usize,
    first: First,
}

/// All that the scripts of a room can name.
pub(super) struct Vocabulary {
    /// The room.
    pub room: Room,
    functions: BTreeMap<String, BTreeSet<Overload>>,
    /// Names and numbers of parameters that the language has, too.
    language: BTreeSet<(String, usize)>,
    /// Properties of the language's own values.
    read: BTreeSet<String>,
}

impl Vocabulary {
    /// That of a room.
    pub fn of(room: Room) -> &'static Self {
        static BOTH: OnceLock<[Vocabulary; 2]> = OnceLock::new();
        let both = BOTH.get_or_init(|| [Room::Behavior, Room::Test].map(Self::read));
        &both[usize::from(room == Room::Test)]
    }

    fn read(room: Room) -> Self {
        let (engine, _) = furnished(room);
        let mut functions: BTreeMap<String, BTreeSet<Overload>> = BTreeMap::new();
        for (name, overload) in overloads(&engine) {
            functions.entry(name).or_default().insert(overload);
        }
        let mut bare = Engine::new_raw();
        load_packages(&mut bare);
        let language = overloads(&bare).into_iter();
        Self {
            room,
            functions,
            read: read(&bare),
            language: language.map(|(name, o)| (name, o.parameters)).collect(),
        }
    }

    /// Whether there is something to be called by this name.
    pub fn knows(&self, name: &str) -> bool {
        KEYWORDS.contains(&name) || self.functions.contains_key(name)
    }

    /// Whether it can be called with so many arguments.
    pub fn takes(&self, name: &str, arguments: usize) -> bool {
        let mut named = self.functions.get(name).into_iter().flatten();
        let keyword = KEYWORDS.contains(&name) && (arguments == 1 || !OF_ONE.contains(&name));
        keyword || named.any(|o| o.parameters == arguments)
    }

    /// Whether it can be called so on a value with this owner's names.
    pub fn takes_on(&self, name: &str, arguments: usize, owner: Owner) -> bool {
        let fits = |o: &Overload| match &o.first {
            First::Anything => true,
            First::Plain => false,
            First::Of(other) => other == owner.name(),
        };
        let mut named = self.functions.get(name).into_iter().flatten();
        KEYWORDS.contains(&name) || named.any(|o| o.parameters == arguments && fits(o))
    }

    /// Whether it can be called so on a value of the language's own.
    pub fn takes_on_plain(&self, name: &str, arguments: usize) -> bool {
        let mut named = self.functions.get(name).into_iter().flatten();
        let fits = |o: &Overload| o.parameters == arguments && !matches!(o.first, First::Of(_));
        KEYWORDS.contains(&name) || named.any(fits)
    }

    /// Whether some value of the language's own has a property of this name.
    pub fn reads(&self, name: &str) -> bool {
        self.read.contains(name)
    }

    /// Whether all functions of this name with so many arguments are hangtime's.
    pub fn only_ours(&self, name: &str, arguments: usize) -> bool {
        !self.language.contains(&(name.to_string(), arguments))
    }

    /// The entries of a room with this name.
    pub fn entries<'n>(&self, name: &'n str) -> impl Iterator<Item = &'static Entry> + use<'n> {
        let room = self.room;
        let of_room = move |e: &&Entry| e.room.is_in(room);
        entries()
            .iter()
            .filter(of_room)
            .filter(move |e| e.name == name)
    }

    /// What an owner's values are called on or read by.
    pub fn names_of(&self, owner: Owner) -> Vec<&'static str> {
        let room = self.room;
        let of_owner = entries()
            .iter()
            .filter(|e| e.owner == owner && e.room.is_in(room));
        let of_owner = of_owner.filter(|e| e.kind != Kind::Operator);
        of_owner.map(|e| e.name).collect()
    }

    /// All names that are called.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let word = |name: &&str| name.starts_with(|c: char| c.is_alphabetic());
        let functions = self.functions.keys().map(String::as_str);
        functions.filter(word).chain(KEYWORDS)
    }
}

/// All functions that are called by bare names, properties left out.
fn overloads(engine: &Engine) -> Vec<(String, Overload)> {
    let told = |info: FuncInfo<'_>| {
        let about = info.metadata;
        if !info.namespace.is_empty() || about.name.contains('$') {
            return None;
        }
        let overload = Overload {
            parameters: about.num_params,
            first: first_of(engine, about.param_types.first(), about.params_info.first()),
        };
        Some((about.name.to_string(), overload))
    };
    engine.collect_fn_metadata(None, told, true)
}

/// The names of all properties that an engine reads.
fn read(engine: &Engine) -> BTreeSet<String> {
    let told = |info: FuncInfo<'_>| Some(info.metadata.name.strip_prefix("get$")?.to_string());
    let told = engine.collect_fn_metadata(None, told, true);
    told.into_iter().collect()
}

fn first_of(engine: &Engine, id: Option<&TypeId>, info: Option<&rhai::Identifier>) -> First {
    let plain = [
        TypeId::of::<Array>(),
        TypeId::of::<Map>(),
        TypeId::of::<ImmutableString>(),
        TypeId::of::<String>(),
        TypeId::of::<&str>(),
        TypeId::of::<INT>(),
        TypeId::of::<FLOAT>(),
        TypeId::of::<bool>(),
        TypeId::of::<char>(),
        TypeId::of::<()>(),
        TypeId::of::<FnPtr>(),
    ];
    let Some(id) = id else {
        return First::Anything;
    };
    if *id == TypeId::of::<Dynamic>() {
        return First::Anything;
    }
    if plain.contains(id) {
        return First::Plain;
    }
    let shown = info.and_then(|p| p.split_once(": ")).map_or("", |(_, t)| t);
    let shown = engine.map_type_name(shown.trim_start_matches("&mut "));
    let of = Owner::ALL
        .iter()
        .find(|o| o.of_type().is_some() && o.name() == shown);
    of.map_or(First::Anything, |o| First::Of(o.name().to_string()))
}

/// An engine that parses what scripts may say, and runs nothing.
pub(super) fn parser() -> Engine {
    crate::script::rhai::api::new_engine(&Limits::of_tests())
}
