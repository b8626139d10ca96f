//! What the language itself brings: the functions of its packages that are loaded.

use crate::script::host::api::Room;
use crate::script::rhai::engine::load_packages;
use crate::script::rhai::registered_names;
use rhai::{Engine, FuncMetadata};
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
        "to_string",
        "value",
        "A value as text, as `print` writes it.",
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
];

/// All of it, by what it is called on and by name.
#[must_use]
pub fn language() -> &'static [LanguageItem] {
    static ITEMS: OnceLock<Vec<LanguageItem>> = OnceLock::new();
    ITEMS.get_or_init(gather)
}

/// What their own comments do not say.
const DOCS: [(&str, &str, &str); 3] = [
    ("text", "append", "Adds to the end of the text."),
    (
        "number",
        "sign",
        "-1, 0 or 1, as the number is below, at or above 0.",
    ),
    (
        "number",
        "abs",
        "How large the number is, without its sign.",
    ),
];

fn gather() -> Vec<LanguageItem> {
    let mut engine = Engine::new_raw();
    load_packages(&mut engine);
    let ours = registered_names(Room::Both);
    let ours: BTreeSet<&str> = ours.iter().map(|r| r.name.as_str()).collect();
    let mut ways = engine.collect_fn_metadata(None, |info| way(info.metadata), true);
    // The engine tells them in another order in each build.
    ways.sort();
    let mut items: BTreeMap<(&'static str, String), LanguageItem> = BTreeMap::new();
    for way in ways {
        let of_numbers = ["number", "anything"].contains(&way.of);
        let core = CORE.iter().any(|(name, ..)| *name == way.name);
        if core || (of_numbers && ours.contains(way.name.as_str())) {
            continue;
        }
        let key = (way.of, way.name.clone());
        let item = items.entry(key).or_insert_with(|| LanguageItem {
            of: way.of,
            name: way.name.clone(),
            property: way.property,
            parameters: Vec::new(),
            doc: way.doc.clone(),
        });
        // What can be called need not be shown as a property, too.
        let new = item.parameters.iter().all(|p| p.len() != way.names.len());
        if item.property == way.property && new {
            item.parameters.push(way.names);
        }
    }
    for (of, name, doc) in DOCS {
        if let Some(item) = items.get_mut(&(of, name.to_string())) {
            item.doc = doc.into();
        }
    }
    let core = CORE.map(|(name, parameter, doc)| LanguageItem {
        of: "anything",
        name: name.into(),
        property: false,
        parameters: vec![vec![parameter.into()]],
        doc: doc.into(),
    });
    core.into_iter().chain(items.into_values()).collect()
}

/// One way to call something. They are sorted so that those for whole numbers and texts come before those
/// for other numbers and single characters.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct OneWay {
    of: &'static str,
    name: String,
    property: bool,
    rank: usize,
    names: Vec<String>,
    doc: String,
}

/// A function's way to be called, if it is for values that scripts have.
fn way(function: &FuncMetadata) -> Option<OneWay> {
    let comment: String = function.comments.join("\n");
    let (property, name) = match function.name.split_once('$') {
        Some(("get", name)) => (true, name),
        Some(_) => return None,
        None => (false, function.name.as_str()),
    };
    let word = name.starts_with(|c: char| c.is_ascii_alphabetic());
    let shows = ["to_debug", "to_string", "to_blob", "bytes"].contains(&name);
    if !word || shows || comment.contains("Deprecated") {
        return None;
    }
    let (mut names, mut of, mut rank) = (Vec::new(), None, 0);
    for parameter in &function.params_info {
        let (own, kind) = parameter.split_once(':').unwrap_or((parameter, ""));
        let (kind, later) = kind_of(kind.trim().trim_start_matches("&mut "))?;
        rank += later;
        let own = own
            .trim()
            .trim_start_matches("mut ")
            .trim_start_matches('_');
        let first = names.is_empty() && kind != "anything" && !BARE.contains(&name);
        names.push(if first { kind } else { own }.to_string());
        of = of.or(Some(kind));
    }
    Some(OneWay {
        of: of.unwrap_or("anything"),
        name: name.into(),
        property,
        rank,
        names,
        doc: shortened(&comment),
    })
}

/// What a type of Rhai's is called here, and whether another of that kind comes first; none for those that
/// scripts have no values of.
fn kind_of(kind: &str) -> Option<(&'static str, usize)> {
    Some(match kind {
        "INT" | "i64" => ("number", 0),
        "FLOAT" | "f64" => ("number", 1),
        "&str" | "ImmutableString" | "String" | "string" => ("text", 0),
        "char" => ("text", 1),
        "Array" => ("array", 0),
        "Map" => ("map", 0),
        "FnPtr" => ("function", 0),
        "ExclusiveRange" => ("range", 0),
        "InclusiveRange" => ("range", 1),
        "bool" => ("flag", 0),
        "Dynamic" => ("anything", 0),
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
