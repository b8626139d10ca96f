//! The functions of Rhai's standard library that scripts have. The Rhai book describes them; this is a list of names.

use crate::{engine::packages::load_packages, registered_names};
use rhai::{Engine, FuncMetadata};
use serde::Serialize;
use std::{collections::BTreeSet, sync::OnceLock};

/// A function or property of Rhai itself.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct LanguageItem {
    /// Type of its first argument: `anything`, `array`, `function`, `map`, `number`, `range`, or `text`.
    pub of: &'static str,
    /// Its name.
    pub name: String,
    /// Whether it is read without parentheses.
    pub property: bool,
}

/// Functions that Rhai's engine has without any package.
const CORE: [&str; 6] = ["Fn", "call", "debug", "print", "to_string", "type_of"];

/// Functions that only convert values for display, which every type has.
const DISPLAY: [&str; 2] = ["to_debug", "to_string"];

/// All of them, sorted by type and name.
pub fn language() -> &'static [LanguageItem] {
    static ITEMS: OnceLock<Vec<LanguageItem>> = OnceLock::new();
    ITEMS.get_or_init(collect)
}

fn collect() -> Vec<LanguageItem> {
    let mut engine = Engine::new_raw();
    load_packages(&mut engine);
    let ours = registered_names(None);
    let replaced =
        |item: &LanguageItem| ["number", "anything"].contains(&item.of) && ours.iter().any(|r| r.name == item.name);
    let packages = engine.collect_fn_metadata(None, |info| item(info.metadata), true);
    let core = CORE.map(|name| LanguageItem { of: "anything", name: name.into(), property: false });
    let mut items: BTreeSet<LanguageItem> = packages
        .into_iter()
        .filter(|item| !replaced(item) && !CORE.contains(&item.name.as_str()))
        .collect();
    items.extend(core);
    // Most getters are methods, too; those are listed as methods only.
    let is_method = |item: &LanguageItem| {
        let method = LanguageItem { property: false, ..item.clone() };
        item.property && items.contains(&method)
    };
    let listed = items.iter().filter(|item| !is_method(item));
    listed.cloned().collect()
}

/// A function of a package, if scripts have values of all its parameter types.
fn item(function: &FuncMetadata) -> Option<LanguageItem> {
    let (property, name) = match function.name.split_once('$') {
        Some(("get", name)) => (true, name),
        Some(_) => return None,
        None => (false, function.name.as_str()),
    };
    let word = name.starts_with(|c: char| c.is_ascii_alphabetic());
    let deprecated = function.comments.iter().any(|c| c.contains("Deprecated"));
    if !word || deprecated || DISPLAY.contains(&name) {
        return None;
    }
    let kinds = function.params_info.iter().map(|parameter| {
        let (_, kind) = parameter.split_once(':').unwrap_or((parameter, ""));
        kind_of(kind.trim().trim_start_matches("&mut "))
    });
    let kinds = kinds.collect::<Option<Vec<_>>>()?;
    match kinds.first() {
        // Scripts have texts of one character instead.
        Some(&"character") => None,
        first => Some(LanguageItem { of: first.unwrap_or(&"anything"), name: name.into(), property }),
    }
}

/// The group of a Rust type in Rhai's metadata; none for types that scripts do not have.
fn kind_of(of: &str) -> Option<&'static str> {
    Some(match of {
        "INT" | "i64" | "FLOAT" | "f64" => "number",
        "&str" | "ImmutableString" | "String" | "string" => "text",
        "char" => "character",
        "Array" => "array",
        "Map" => "map",
        "FnPtr" => "function",
        "ExclusiveRange" | "InclusiveRange" => "range",
        "bool" => "flag",
        "Dynamic" | "()" | "" => "anything",
        _ => return None,
    })
}
