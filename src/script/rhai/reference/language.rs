//! What the language itself brings: the functions of its packages that are loaded.

use crate::script::host::Limits;
use crate::script::host::api::Room;
use crate::script::rhai::engine::new_engine;
use crate::script::rhai::registered_names;
use rhai::FuncMetadata;
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
    /// The names of its parameters, that on which it is called first; a list for each way to call it.
    pub parameters: Vec<Vec<String>>,
    /// What it does.
    pub doc: String,
}

impl LanguageItem {
    /// How it is written, in one way or several.
    #[must_use]
    pub fn signatures(&self) -> Vec<String> {
        let name = &self.name;
        let ways = self.parameters.iter();
        ways.map(|names| match names.split_first() {
            Some((on, _)) if self.property => format!("{on}.{name}"),
            Some((on, rest)) if self.of != "anything" && !BARE.contains(&name.as_str()) => {
                format!("{on}.{name}({})", rest.join(", "))
            }
            _ => format!("{name}({})", names.join(", ")),
        })
        .collect()
    }
}

/// Functions of numbers and texts that one writes before them.
const BARE: [&str; 5] = ["abs", "sign", "min", "max", "range"];

/// What the engine knows without a package.
const CORE: [(&str, &str, &str); 6] = [
    ("print", "value", "Writes a value to the terminal."),
    (
        "debug",
        "value",
        "Writes a value to the terminal, with file and line, and text in quotes.",
    ),
    (
        "type_of",
        "value",
        "The name of a value's type, such as `\"f64\"`, `\"string\"` or `\"vec\"`.",
    ),
    (
        "Fn",
        "name",
        "The function with this name, to be passed on or called by `call`.",
    ),
    (
        "call",
        "function, …",
        "Calls a function that a variable holds.",
    ),
    (
        "curry",
        "function, …",
        "The same function with its first parameters given.",
    ),
];

/// All of it, by what it is called on and by name.
#[must_use]
pub fn language() -> &'static [LanguageItem] {
    static ITEMS: OnceLock<Vec<LanguageItem>> = OnceLock::new();
    ITEMS.get_or_init(gather)
}

fn gather() -> Vec<LanguageItem> {
    let (engine, _) = new_engine(&Limits::of_tests());
    let ours = registered_names(Room::Both);
    let ours: BTreeSet<&str> = ours.iter().map(|r| r.name.as_str()).collect();
    let mut items: BTreeMap<(&'static str, String), LanguageItem> = BTreeMap::new();
    let found = engine.collect_fn_metadata(None, |info| way(info.metadata), true);
    for (item, written) in found {
        let ours = ours.contains(item.name.as_str()) && ["number", "anything"].contains(&item.of);
        if ours || CORE.iter().any(|(name, ..)| *name == item.name) {
            continue;
        }
        let known = items
            .entry((item.of, item.name.clone()))
            .or_insert_with(|| item.clone());
        if known.doc.is_empty() {
            known.doc = item.doc;
        }
        // What can be read without parentheses need not be shown with them.
        known.property |= item.property;
        if !known.parameters.contains(&written) {
            known.parameters.push(written);
        }
    }
    let mut items: Vec<LanguageItem> = items.into_values().collect();
    for item in &mut items {
        if item.property {
            item.parameters.truncate(1);
        }
        item.parameters
            .sort_by_key(|names| (names.len(), names.clone()));
        item.parameters.dedup_by_key(|names| names.len());
    }
    let core = CORE.map(|(name, parameter, doc)| LanguageItem {
        of: "anything",
        name: name.into(),
        property: false,
        parameters: vec![vec![parameter.into()]],
        doc: doc.into(),
    });
    core.into_iter().chain(items).collect()
}

/// One way to call something, if it is for values that scripts have.
fn way(function: &FuncMetadata) -> Option<(LanguageItem, Vec<String>)> {
    let comment: String = function.comments.join("\n");
    let (property, name) = match function.name.split_once('$') {
        Some(("get", name)) => (true, name),
        Some(_) => return None,
        None => (false, function.name.as_str()),
    };
    let word = name.starts_with(|c: char| c.is_ascii_alphabetic());
    if !word || comment.contains("Deprecated") {
        return None;
    }
    let mut names = Vec::new();
    let mut of = None;
    for parameter in &function.params_info {
        let (name, kind) = parameter.split_once(':').unwrap_or((parameter, ""));
        let kind = kind_of(kind.trim().trim_start_matches("&mut "))?;
        of = of.or(Some(kind));
        // The name of what it is called on, in the words of this page.
        let first = names.is_empty() && kind != "anything";
        names.push(if first {
            kind.to_string()
        } else {
            name.trim().trim_start_matches('_').to_string()
        });
    }
    let item = LanguageItem {
        of: of.unwrap_or("anything"),
        name: name.into(),
        property,
        parameters: Vec::new(),
        doc: shortened(&comment),
    };
    Some((item, names))
}

/// What a type of Rhai's is called here; none for those that scripts have no values of.
fn kind_of(kind: &str) -> Option<&'static str> {
    Some(match kind {
        "INT" | "FLOAT" | "i64" | "f64" => "number",
        "&str" | "ImmutableString" | "String" | "string" | "char" => "text",
        "Array" => "array",
        "Map" => "map",
        "FnPtr" => "function",
        "ExclusiveRange" | "InclusiveRange" => "range",
        "bool" => "flag",
        "Dynamic" => "anything",
        _ => return None,
    })
}

/// The first paragraph of a doc comment.
fn shortened(comment: &str) -> String {
    let lines = comment.lines().map(|l| l.trim_start_matches('/').trim());
    let paragraph: Vec<&str> = lines
        .skip_while(|l| l.is_empty())
        .take_while(|l| !l.is_empty() && !l.starts_with('#') && !l.starts_with('*'))
        .collect();
    paragraph.join(" ").replace('|', "\\|")
}
