//! One meaning per type name, and no option of an option.

use crate::source::{Source, crates};
use std::collections::BTreeMap;

/// Names that several types have, with the reason. There are none.
const SHARED: &[(&str, &str)] = &[];

/// The types and traits that a file defines outside of functions and implementations: name and
/// line. Types inside macros count, unless the macro's parameters name them.
fn types(file: &Source) -> Vec<(&str, usize)> {
    let tokens = file.tokens();
    let mut depth = 0;
    let mut found = Vec::new();
    for pair in tokens.windows(2) {
        match pair[0].text {
            "{" => depth += 1,
            "}" => depth -= 1,
            // Types in the blocks of traits and implementations are associated types.
            "type" if depth > 0 => {}
            "struct" | "enum" | "trait" | "union" | "type" if pair[1].is_word() => {
                found.push((pair[1].text, pair[1].line));
            }
            _ => {}
        }
    }
    found
}

/// The names that more than one type has, each with all places.
fn ambiguous(files: &[Source]) -> Vec<String> {
    let mut places: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for file in files {
        for (name, line) in types(file) {
            let place = format!("{}:{line}", file.name);
            places.entry(name).or_default().push(place);
        }
    }
    let shared = |name: &str| SHARED.iter().any(|(shared, _)| *shared == name);
    places
        .iter()
        .filter(|(name, places)| places.len() > 1 && !shared(name))
        .map(|(name, places)| format!("`{name}`: {}", places.join(", ")))
        .collect()
}

/// The lines that have an option of an option.
fn nested_options(file: &Source) -> Vec<String> {
    let texts: Vec<_> = file.tokens();
    texts
        .windows(3)
        .filter(|w| w[0].text == "Option" && w[1].text == "<" && w[2].text == "Option")
        .map(|w| format!("{}:{}", file.name, w[0].line))
        .collect()
}

#[test]
fn each_type_name_has_one_meaning() {
    let found = ambiguous(&crates().concat());
    assert!(found.is_empty(), "names that several types have:\n{}", found.join("\n"));
}

#[test]
fn no_option_holds_an_option() {
    let found: Vec<String> = crates().concat().iter().flat_map(nested_options).collect();
    assert!(found.is_empty(), "an enum says what each of three cases means:\n{}", found.join("\n"));
}

#[test]
fn shared_names_and_nested_options_are_reported() {
    let files = [
        Source::new("a.rs", "pub struct Turn;\nimpl X for Turn { type Out = u8; }"),
        Source::new("b.rs", "trait X {\n    type Out;\n}\n\nenum Turn { A }"),
        Source::new("c.rs", "fn f() -> Option<\n    Option<u8>\n> { None }"),
    ];
    assert_eq!(ambiguous(&files), ["`Turn`: a.rs:1, b.rs:5"]);
    assert_eq!(nested_options(&files[2]), ["c.rs:1"]);
}
