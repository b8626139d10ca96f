//! The reference page, `docs/api.md`.

use super::{calls_page::write_topic, hooks_page::write_hooks, language::language, shapes::shapes, text::write_fields};
use hangtime_script::api::{ApiEntry, Names, Topic};
use std::fmt::Write as _;

const HEAD: &str = include_str!("page/head.md");

const LANGUAGE: &str = include_str!("page/language.md");

const DIFFERENCES: &str = include_str!("page/differences.md");

const JSON: &str = include_str!("page/json.md");

/// The whole page.
pub fn markdown(entries: &'static [ApiEntry]) -> String {
    let mut page = String::from(HEAD);
    write_hooks(&mut page);
    for topic in Topic::ALL {
        write_topic(&mut page, topic, entries);
    }
    write_maps(&mut page, entries);
    write_names(&mut page);
    write_language(&mut page);
    page + JSON
}

fn write_maps(page: &mut String, entries: &'static [ApiEntry]) {
    *page += "\n## Maps\n\nMaps with fixed fields that calls and properties return.\n";
    for shape in shapes(entries) {
        let _ = write!(page, "\n### {}\n", shape.name);
        write_fields(page, shape.fields());
    }
}

/// The names that are the same in every game.
fn write_names(page: &mut String) {
    *page += "\n## Names\n\nNames that are the same in every game. [tunables.md](tunables.md) lists the tunables; in a \
              script their names start with the model, as in `platformer.jump_speed`.\n\n| | |\n|---|---|\n";
    for names in [Names::Action, Names::Axis, Names::Model, Names::HookState] {
        let words: Vec<String> = names.fixed().unwrap_or_default();
        let words: Vec<String> = words.iter().map(|w| format!("`\"{w}\"`")).collect();
        let _ = writeln!(page, "| {} | {} |", names.what(), words.join(" "));
    }
    *page += "| a player's action or axis, in tests | the same; `\"p2.jump\"` is the second player's |\n";
}

fn write_language(page: &mut String) {
    *page += LANGUAGE;
    for group in language().chunk_by(|a, b| a.of == b.of) {
        let names: Vec<String> = group.iter().map(|item| format!("`{}`", item.name)).collect();
        let _ = writeln!(page, "| {} | {} |", plural(group[0].of), names.join(" "));
    }
    *page += DIFFERENCES;
}

fn plural(of: &str) -> String {
    match of {
        "anything" => "any value".into(),
        of => format!("{of}s"),
    }
}
