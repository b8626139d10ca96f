//! The names that scripts can call and read: hangtime's and the language's.

use super::*;

/// Calls that the language handles itself, with any number of arguments.
const KEYWORDS: &str = "Fn call curry debug eval is_def_fn is_def_var is_shared print type_of";

/// The keywords that take one argument, unless another overload is registered.
const OF_ONE: [&str; 4] = ["Fn", "debug", "print", "type_of"];

/// The first argument of a function, which is the receiver of a method call.
#[derive(Clone, Copy, PartialEq)]
pub enum Receiver {
    Anything,
    /// A number, text, array or another value of the language itself.
    Plain,
    /// A value of hangtime.
    Of(Owner),
}

/// All names that are available in an API set.
pub struct Vocabulary {
    pub api_set: ApiSet,
    /// The entries of all API sets.
    pub all: &'static [ApiEntry],
    /// The functions that are called by their bare names or on a value: the number of parameters and the receiver of each.
    functions: BTreeMap<String, Vec<(usize, Receiver)>>,
    /// Properties of the language's own values.
    pub properties: BTreeSet<String>,
}

impl Vocabulary {
    /// The names that behaviors, or tests with some calls, can use; built on first use.
    pub fn of(api_set: ApiSet, foreign: &ForeignCalls) -> &'static Self {
        static BOTH: PerTable<[Vocabulary; 2]> = PerTable::new();
        let both = BOTH.of(foreign, || [ApiSet::Behavior, ApiSet::Test].map(|set| Self::collect(set, foreign)));
        &both[usize::from(api_set == ApiSet::Test)]
    }

    fn collect(api_set: ApiSet, foreign: &ForeignCalls) -> Self {
        let (engine, _) = populated_engine((api_set == ApiSet::Test).then_some(foreign));
        let mut bare = Engine::new_raw();
        load_packages(&mut bare);
        let overload = |info: FuncInfo| {
            let about = info.metadata;
            let bare = info.namespace.is_empty() && !about.name.contains('$');
            bare.then(|| (about.name.to_string(), (about.num_params, receiver(&engine, &info))))
        };
        let mut functions: BTreeMap<String, Vec<_>> = BTreeMap::new();
        for (name, overload) in engine.collect_fn_metadata(None, overload, true) {
            functions.entry(name).or_default().push(overload);
        }
        let property = |info: FuncInfo| Some(info.metadata.name.strip_prefix("get$")?.to_string());
        let properties = bare.collect_fn_metadata(None, property, true).into_iter().collect();
        Self { api_set, all: entries(foreign), functions, properties }
    }

    /// Whether a function has this name.
    pub fn knows(&self, name: &str) -> bool {
        is_among(name, KEYWORDS) || self.functions.contains_key(name)
    }

    /// Whether a function takes this number of arguments, and a receiver that `fits`.
    pub fn takes(&self, name: &str, arguments: usize, fits: impl Fn(Receiver) -> bool) -> bool {
        let keyword = is_among(name, KEYWORDS) && (arguments == 1 || !OF_ONE.contains(&name));
        let mut overloads = self.functions.get(name).into_iter().flatten();
        keyword || overloads.any(|(parameters, receiver)| *parameters == arguments && fits(*receiver))
    }

    /// Whether the language has no function with this name and number of arguments.
    pub fn only_ours(&self, name: &str, arguments: usize) -> bool {
        !behavior_catalog().language.get(name).is_some_and(|counts| counts.contains(&arguments))
    }

    /// The available entries with this name.
    pub fn entries<'n>(&self, name: &'n str) -> impl Iterator<Item = &'static ApiEntry> + use<'n> {
        let api_set = self.api_set;
        let named = self.all.iter().filter(move |e| e.name == name);
        named.filter(move |e| e.api_set.is_in(api_set))
    }

    /// The available functions with this name.
    pub fn calls<'n>(&self, name: &'n str) -> impl Iterator<Item = &'static ApiEntry> + use<'n> {
        self.entries(name).filter(|e| e.kind == EntryKind::Function)
    }

    /// The property with this name that an owner's values have.
    pub fn property(&self, owner: Owner, name: &str) -> Option<&'static ApiEntry> {
        self.entries(name).find(|e| matches!(e.kind, EntryKind::Property(_)) && e.owner == owner)
    }

    /// The names of an owner's methods and properties.
    pub fn names_of(&self, owner: Owner) -> Vec<&'static str> {
        let entries = self.all.iter().filter(|e| e.owner == owner && e.api_set.is_in(self.api_set));
        entries.filter(|e| e.kind != EntryKind::Operator).map(|e| e.name).collect()
    }

    /// The names of all functions.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let functions = self.functions.keys().map(String::as_str);
        functions.filter(|name| name.starts_with(char::is_alphabetic)).chain(KEYWORDS.split(' '))
    }
}

fn receiver(engine: &Engine, info: &FuncInfo) -> Receiver {
    let about = info.metadata;
    if about.param_types.first().is_none_or(|id| *id == TypeId::of::<Dynamic>()) {
        return Receiver::Anything;
    }
    let Some((_, shown)) = about.params_info.first().and_then(|p| p.split_once(": ")) else {
        return Receiver::Anything;
    };
    let shown = engine.map_type_name(shown.trim_start_matches("&mut "));
    let owner = Owner::ALL.into_iter().find(|o| o.of_type().is_some() && o.name() == shown);
    owner.map_or(Receiver::Plain, Receiver::Of)
}
