//! A model knows no other model, and what models share knows none of them, except for the one
//! list of all models.

use crate::{
    graph::Graph,
    source::{Source, crates},
};

/// The macro that lists all models.
const LIST: &str = "for_every_model";

/// The file and the lines of the list, and the models in it.
struct List {
    file: String,
    lines: std::ops::RangeInclusive<usize>,
    models: Vec<String>,
}

fn list(files: &[Source]) -> Option<List> {
    files.iter().find_map(|file| {
        let tokens = file.tokens();
        let start = tokens.windows(3).position(|w| w[0].text == "macro_rules" && w[2].text == LIST)?;
        let mut depth = 0;
        let length = tokens[start..].iter().position(|token| {
            depth += i32::from(token.text == "{") - i32::from(token.text == "}");
            token.text == "}" && depth == 0
        })?;
        let body = &tokens[start..=start + length];
        let models = body
            .windows(3)
            .filter(|w| w[0].text == "models" && w[1].text == "::")
            .map(|w| w[2].text.to_string());
        Some(List {
            file: file.name.clone(),
            lines: body[0].line..=body[body.len() - 1].line,
            models: models.collect(),
        })
    })
}

/// The folder of the models.
const MODELS: &str = "crates/core/src/models/";

/// The uses of models in [`MODELS`] by files that must not know them.
fn violations(files: &[Source]) -> Vec<String> {
    let Some(list) = list(files) else {
        return vec![format!("`{LIST}!` was not found")];
    };
    let model_of = |file: &str| {
        let folder = file.strip_prefix(MODELS)?.split('/').next()?;
        let folder = folder.trim_end_matches(".rs");
        list.models.iter().find(|model| *model == folder)
    };
    let uses = Graph::new(files).uses().into_iter();
    uses.filter(|found| found.from.starts_with(MODELS))
        .filter(|found| model_of(&found.to).is_some())
        .filter(|found| model_of(&found.from) != model_of(&found.to))
        .filter(|found| found.from != list.file || !list.lines.contains(&found.line))
        .map(|found| {
            let (from, to) = (&found.from, &found.to);
            format!("{from}:{} uses {} of {to}", found.line, found.item)
        })
        .collect()
}

#[test]
fn models_know_no_other_model() {
    let crates = crates();
    let core = crates
        .iter()
        .find(|files| list(files).is_some())
        .expect("a crate with the list of models");
    let models = list(core).map_or(0, |list| list.models.len());
    assert!(models >= 5, "only {models} models in `{LIST}!`");
    let found = violations(core);
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

#[test]
fn models_that_know_others_are_reported() {
    const ALL: &str = "macro_rules! for_every_model {\n    ($apply:ident) => {\n        $apply! {\n\
        a: $crate::models::a::A,\n b: $crate::models::b::B,\n }\n };\n}\n";
    let with = |more: &[(&str, &str)]| {
        let common = [
            ("lib.rs", "pub mod models;"),
            ("models/mod.rs", ALL),
            ("models/a/mod.rs", "pub struct A;\nmod parts;"),
            ("models/b.rs", "pub struct B;"),
        ];
        let files: Vec<Source> = common
            .iter()
            .chain(more)
            .map(|(name, text)| Source::new(&format!("crates/core/src/{name}"), text))
            .collect();
        violations(&files)
    };
    assert_eq!(with(&[("models/a/parts.rs", "use super::A;")]), [""; 0]);
    assert_eq!(
        with(&[("models/a/parts.rs", "\nuse crate::models::b::B;")]),
        ["crates/core/src/models/a/parts.rs:2 uses B of crates/core/src/models/b.rs"]
    );
    assert_eq!(
        with(&[("models/shared.rs", "fn f(_: super::a::A) {}")]),
        ["crates/core/src/models/shared.rs:1 uses A of crates/core/src/models/a/mod.rs"]
    );
    assert_eq!(with(&[("sim/lane.rs", "use crate::models::a::A;")]), [""; 0]);
}

/// The files outside of the models' folders that may name one model: planned jumps fly as
/// `ballistic`, and something has to be the default.
const MAY_NAME_ONE: &[&str] = &["/entity.rs", "/flight.rs", "/planned_jump.rs", "/kind.rs", "/template.rs"];

#[test]
fn a_new_model_needs_no_change_elsewhere() {
    let files = crates().concat();
    let models = list(&files).map_or(vec![], |list| list.models);
    for file in files.iter().filter(|f| !MAY_NAME_ONE.iter().any(|name| f.name.ends_with(name))) {
        let tokens = file.tokens();
        let named = tokens
            .windows(3)
            .find(|w| w[0].text == "ModelName" && w[1].text == "::" && models.iter().any(|m| m == w[2].text));
        let line = named.map(|w| w[0].line);
        assert_eq!(line, None, "{} names one model", file.name);
    }
}
