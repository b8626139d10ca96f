//! What the language itself brings: the functions of its packages that are loaded.

use super::phrases::phrase;
use super::ways::{self, LanguageType, LanguageWay, told};
use crate::script::host::api::Room;
use crate::script::rhai::engine::packages::load_packages;
use crate::script::rhai::registered_names;
use rhai::Engine;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

/// A function or property that the language brings, with all ways to call it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LanguageItem {
    /// What it is called on: `number`, `text`, `array`, `map`, `function`, `range`, `anything`.
    pub of: &'static str,
    /// Its name.
    pub name: String,
    /// Whether it is read without parentheses.
    pub property: bool,
    /// The ways to call it.
    pub ways: Vec<LanguageWay>,
    /// What it does.
    pub doc: String,
    /// Statements that use it; behind `//` what the last of them is worth, if that can be written.
    pub example: &'static str,
}

impl LanguageItem {
    /// How it is written in one of its ways: `array.chop(len)`.
    #[must_use]
    pub fn signature(&self, way: &LanguageWay) -> String {
        self.written(way, |name, _| name.into())
    }

    /// The same with types, where a parameter's name is not that of its type: `array.chop(len: whole)`.
    #[must_use]
    pub fn typed_signature(&self, way: &LanguageWay) -> String {
        self.written(way, |name, takes| match takes.code() {
            code if name == code || name == REST => name.into(),
            code => format!("{name}: {code}"),
        })
    }

    fn written(&self, way: &LanguageWay, one: fn(&str, LanguageType) -> String) -> String {
        let parameters: Vec<String> = way.parameters.iter().map(|(n, t)| one(n, *t)).collect();
        let (name, list) = (&self.name, parameters.join(", "));
        match way.on {
            Some(on) if self.property => format!("{}.{name}", on.of()),
            Some(on) => format!("{}.{name}({list})", on.of()),
            None => format!("{name}({list})"),
        }
    }
}

/// The parameter that stands for as many as one likes.
pub(super) const REST: &str = "…";

/// Functions of numbers and texts that one writes before them.
pub(super) const BARE: [&str; 5] = ["abs", "sign", "min", "max", "range"];

/// What the engine knows without a package: name, parameters, answer, doc.
type Core = (
    &'static str,
    &'static [(&'static str, LanguageType)],
    LanguageType,
    &'static str,
);

const VALUE: &[(&str, LanguageType)] = &[("value", LanguageType::Any)];

const CORE: [Core; 6] = [
    (
        "print",
        VALUE,
        LanguageType::Nothing,
        "Writes a value to the terminal.",
    ),
    (
        "debug",
        VALUE,
        LanguageType::Nothing,
        "Writes a value to the terminal, with file and line, and text in quotes.",
    ),
    (
        "type_of",
        VALUE,
        LanguageType::Text,
        "The name of a value's type, such as `\"f64\"`, `\"string\"` or `\"vec\"`.",
    ),
    (
        "to_string",
        VALUE,
        LanguageType::Text,
        "A value as text, as `print` writes it.",
    ),
    (
        "Fn",
        &[("name", LanguageType::Text)],
        LanguageType::Function,
        "The function with this name, to be passed on or called by `call`.",
    ),
    (
        "call",
        &[
            ("function", LanguageType::Function),
            (REST, LanguageType::Any),
        ],
        LanguageType::Any,
        "Calls a function that a variable holds.",
    ),
];

/// All of it, by what it is called on and by name.
#[must_use]
pub fn language() -> &'static [LanguageItem] {
    static ITEMS: OnceLock<Vec<LanguageItem>> = OnceLock::new();
    ITEMS.get_or_init(gather)
}

fn gather() -> Vec<LanguageItem> {
    let mut engine = Engine::new_raw();
    load_packages(&mut engine);
    let ours = registered_names(Room::Both);
    let ours: BTreeSet<&str> = ours.iter().map(|r| r.name.as_str()).collect();
    let mut functions = engine.collect_fn_metadata(None, |info| told(info.metadata), true);
    // The engine tells them in another order in each build.
    functions.sort();
    let mut items: BTreeMap<(&'static str, String), LanguageItem> = BTreeMap::new();
    for function in functions {
        let of_numbers = ["number", "anything"].contains(&function.of);
        let core = CORE.iter().any(|(name, ..)| *name == function.name);
        if core || (of_numbers && ours.contains(function.name.as_str())) {
            continue;
        }
        let key = (function.of, function.name.clone());
        let item = items.entry(key).or_insert_with(|| LanguageItem {
            property: function.property,
            ..item(function.of, &function.name, &function.doc)
        });
        // What can be called need not be shown as a property, too.
        if item.property == function.property {
            ways::add(&mut item.ways, function.way);
        }
    }
    let core = CORE.map(|(name, parameters, returns, doc)| {
        let parameters = parameters.iter().map(|(n, t)| ((*n).into(), *t));
        let way = LanguageWay {
            on: None,
            parameters: parameters.collect(),
            returns,
        };
        LanguageItem {
            ways: vec![way],
            ..item("anything", name, doc)
        }
    });
    let of_characters = |item: &LanguageItem| {
        let mut ways = item.ways.iter();
        ways.all(|way| way.on == Some(LanguageType::Character))
    };
    // On text, which scripts have instead, such a function fails.
    let items = items.into_values().filter(|item| !of_characters(item));
    core.into_iter().chain(items).collect()
}

/// An item that cannot be called yet, with what is said of it here or else by its own comment.
fn item(of: &'static str, name: &str, comment: &str) -> LanguageItem {
    let (_, doc, example) = phrase(of, name).copied().unwrap_or_default();
    LanguageItem {
        of,
        name: name.into(),
        property: false,
        ways: Vec::new(),
        doc: if doc.is_empty() { comment } else { doc }.into(),
        example,
    }
}
