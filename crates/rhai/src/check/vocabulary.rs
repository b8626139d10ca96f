//! The names that scripts can call and read: those of hangtime, and those of the language.

use crate::api::{entries, populated_engine};
use crate::engine::packages::load_packages;
use hangtime_script::api::{ApiEntry, ApiSet, EntryKind, Owner};
use rhai::{Dynamic, Engine, FuncInfo};
use std::any::TypeId;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

/// Calls that the language handles itself, with any number of arguments.
const KEYWORDS: [&str; 10] =
    ["Fn", "call", "curry", "debug", "eval", "is_def_fn", "is_def_var", "is_shared", "print", "type_of"];

/// Those of them that take one argument, unless another overload is registered.
const OF_ONE: [&str; 4] = ["Fn", "debug", "print", "type_of"];

/// The first argument of a function, which is the receiver of a method call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Receiver {
    Anything,
    /// A number, text, array or another value of the language itself.
    Plain,
    /// A value whose type has this name; see [`Owner::name`].
    Of(&'static str),
}

/// A function that is called by its bare name or on a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Overload {
    parameters: usize,
    receiver: Receiver,
}

/// All names that are available in an API set.
pub(super) struct Vocabulary {
    pub api_set: ApiSet,
    functions: BTreeMap<String, BTreeSet<Overload>>,
    /// Functions of the language, by name and number of parameters.
    language: BTreeSet<(String, usize)>,
    /// Properties of the language's own values.
    properties: BTreeSet<String>,
}

impl Vocabulary {
    /// The names that behaviors, or tests, can use; built on first use.
    pub fn of(api_set: ApiSet) -> &'static Self {
        static BOTH: OnceLock<[Vocabulary; 2]> = OnceLock::new();
        let both = BOTH.get_or_init(|| [ApiSet::Behavior, ApiSet::Test].map(Self::collect));
        &both[usize::from(api_set == ApiSet::Test)]
    }

    fn collect(api_set: ApiSet) -> Self {
        let (engine, _) = populated_engine(api_set);
        let mut functions: BTreeMap<String, BTreeSet<Overload>> = BTreeMap::new();
        for (name, overload) in overloads(&engine) {
            functions.entry(name).or_default().insert(overload);
        }
        let mut bare = Engine::new_raw();
        load_packages(&mut bare);
        let language = overloads(&bare).into_iter();
        Self {
            api_set,
            functions,
            properties: properties(&bare),
            language: language.map(|(name, o)| (name, o.parameters)).collect(),
        }
    }

    fn any_overload(&self, name: &str, wanted: impl FnMut(&Overload) -> bool) -> bool {
        let mut overloads = self.functions.get(name).into_iter().flatten();
        overloads.any(wanted)
    }

    /// Whether a function has this name.
    pub fn knows(&self, name: &str) -> bool {
        KEYWORDS.contains(&name) || self.functions.contains_key(name)
    }

    /// Whether a function takes this number of arguments.
    pub fn takes(&self, name: &str, arguments: usize) -> bool {
        let keyword = KEYWORDS.contains(&name) && (arguments == 1 || !OF_ONE.contains(&name));
        keyword || self.any_overload(name, |o| o.parameters == arguments)
    }

    /// Whether a function can be called on a value of hangtime.
    pub fn takes_on(&self, name: &str, arguments: usize, owner: Owner) -> bool {
        let fits = |o: &Overload| match o.receiver {
            Receiver::Anything => true,
            Receiver::Plain => false,
            Receiver::Of(other) => other == owner.name(),
        };
        KEYWORDS.contains(&name) || self.any_overload(name, |o| o.parameters == arguments && fits(o))
    }

    /// Whether a function can be called on a value of the language itself.
    pub fn takes_on_plain(&self, name: &str, arguments: usize) -> bool {
        let fits = |o: &Overload| !matches!(o.receiver, Receiver::Of(_));
        KEYWORDS.contains(&name) || self.any_overload(name, |o| o.parameters == arguments && fits(o))
    }

    /// Whether some value of the language itself has this property.
    pub fn has_plain_property(&self, name: &str) -> bool {
        self.properties.contains(name)
    }

    /// Whether the language has no function with this name and number of arguments.
    pub fn only_ours(&self, name: &str, arguments: usize) -> bool {
        !self.language.contains(&(name.to_string(), arguments))
    }

    /// The available entries with this name.
    pub fn entries<'n>(&self, name: &'n str) -> impl Iterator<Item = &'static ApiEntry> + use<'n> {
        let api_set = self.api_set;
        let named = entries().iter().filter(move |e| e.name == name);
        named.filter(move |e| e.api_set.is_in(api_set))
    }

    /// The available functions with this name.
    pub fn calls<'n>(&self, name: &'n str) -> impl Iterator<Item = &'static ApiEntry> + use<'n> {
        self.entries(name).filter(|e| e.kind == EntryKind::Function)
    }

    /// The property with this name that an owner's values have.
    pub fn property(&self, owner: Owner, name: &str) -> Option<&'static ApiEntry> {
        let property = |e: &&ApiEntry| matches!(e.kind, EntryKind::Property(_)) && e.owner == owner;
        self.entries(name).find(property)
    }

    /// The names of an owner's methods and properties.
    pub fn names_of(&self, owner: Owner) -> Vec<&'static str> {
        let api_set = self.api_set;
        let named =
            |e: &&ApiEntry| e.owner == owner && e.api_set.is_in(api_set) && !matches!(e.kind, EntryKind::Operator);
        entries().iter().filter(named).map(|e| e.name).collect()
    }

    /// The names of all functions.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let word = |name: &&str| name.starts_with(|c: char| c.is_alphabetic());
        let functions = self.functions.keys().map(String::as_str);
        functions.filter(word).chain(KEYWORDS)
    }
}

/// All functions and operators of an engine, without the getters and setters of properties.
fn overloads(engine: &Engine) -> Vec<(String, Overload)> {
    let overload = |info: FuncInfo<'_>| {
        let about = info.metadata;
        if !info.namespace.is_empty() || about.name.contains('$') {
            return None;
        }
        let overload = Overload {
            parameters: about.num_params,
            receiver: receiver(engine, about.param_types.first(), about.params_info.first()),
        };
        Some((about.name.to_string(), overload))
    };
    engine.collect_fn_metadata(None, overload, true)
}

/// The names of all properties that an engine reads.
fn properties(engine: &Engine) -> BTreeSet<String> {
    let property = |info: FuncInfo<'_>| Some(info.metadata.name.strip_prefix("get$")?.to_string());
    let names = engine.collect_fn_metadata(None, property, true);
    names.into_iter().collect()
}

fn receiver(engine: &Engine, id: Option<&TypeId>, info: Option<&rhai::Identifier>) -> Receiver {
    if id.is_none_or(|id| *id == TypeId::of::<Dynamic>()) {
        return Receiver::Anything;
    }
    let Some((_, shown)) = info.and_then(|p| p.split_once(": ")) else {
        return Receiver::Anything;
    };
    let shown = engine.map_type_name(shown.trim_start_matches("&mut "));
    let has_name = |o: &&Owner| o.of_type().is_some() && o.name() == shown;
    let owner = Owner::ALL.iter().find(has_name);
    owner.map_or(Receiver::Plain, |o| Receiver::Of(o.name()))
}
