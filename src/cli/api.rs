//! `api`: the script API, generated from the functions that are registered.

use super::*;
use hangtime_script::{ReferenceFormat, ReferenceItem, find_item, search_items};
use std::collections::BTreeSet;

/// Arguments of `api`.
#[derive(Args)]
pub struct ApiArguments {
    /// Print only these: `jump`, `me.jump`, `world::create`, `on_land`, `platformer.jump_speed`
    #[arg(value_name = "NAME", conflicts_with_all = ["search", "format"])]
    names: Vec<String>,
    /// List everything in the reference, the guide and the gallery about these words
    #[arg(long, value_name = "WORD", num_args = 1.., conflicts_with = "format")]
    search: Vec<String>,
    /// Format of the whole reference
    #[arg(long, default_value = "md", value_parser = formats())]
    format: String,
}

/// The formats: those for readers and programs, and the definitions of each language.
fn formats() -> PossibleValuesParser {
    let definitions = LANGUAGES.0.iter().filter(|language| !language.is_missing()).map(|language| {
        let help = format!("Definitions for {}'s language server, for editors", language.name());
        PossibleValue::new(language.ending()).help(help)
    });
    let markdown = PossibleValue::new("md").help("Markdown, for reading");
    let json = PossibleValue::new("json").help("JSON, for programs");
    PossibleValuesParser::new([markdown].into_iter().chain(definitions).chain([json]))
}

/// Runs the command and returns the exit code.
pub fn api(arguments: &ApiArguments) -> Exit {
    if !arguments.search.is_empty() {
        return Ok(search(&arguments.search));
    }
    if !arguments.names.is_empty() {
        return Ok(look_up(&arguments.names));
    }
    let (usual, tests) = (LANGUAGES.first(), calls_of_tests());
    let mut languages = LANGUAGES.0.iter();
    let text = match arguments.format.as_str() {
        "md" => usual.describe(ReferenceFormat::Markdown, &tests),
        "json" => usual.describe(ReferenceFormat::Json, &tests),
        ending => languages
            .find(|language| language.ending() == ending)
            .map_or_else(String::new, |language| language.describe(ReferenceFormat::Definitions, &tests)),
    };
    say(text.trim_end());
    Ok(SUCCESS)
}

/// Prints everything with these names.
fn look_up(names: &[String]) -> u8 {
    let mut code = SUCCESS;
    let mut texts = Vec::new();
    for name in names {
        match find_item(LANGUAGES.first().reference(&calls_of_tests()), name) {
            Ok(found) => texts.extend(found.iter().map(|item| item.text())),
            Err(right) => {
                let hint = match right {
                    Some(right) => format!("did you mean `{right}`?"),
                    None => {
                        let words: Vec<String> = name.split(['_', '.', ':']).map(String::from).collect();
                        let near = search_items(LANGUAGES.first().reference(&calls_of_tests()), &words);
                        let mut seen = BTreeSet::new();
                        let names = near.iter().filter_map(|item| item.names.first()).map(String::as_str);
                        let near: Vec<&str> = names.filter(|name| seen.insert(*name)).take(3).collect();
                        let rest = format!("`hangtime api --search {name}` looks in descriptions, too");
                        if near.is_empty() {
                            rest
                        } else {
                            format!("is it one of `{}`? {rest}", near.join("`, `"))
                        }
                    }
                };
                tell(format_args!("error: scripts have no `{name}`; {hint}"));
                code = UNUSABLE;
            }
        }
    }
    if !texts.is_empty() {
        say(texts.join("\n").trim_end());
    }
    code
}

/// The guide, whose sections and gallery are searched, too.
const GUIDE: &str = include_str!("../../scripts/README.md");

/// The sections of the guide and the behaviors of its gallery, as items to search for.
fn guide_items() -> Vec<ReferenceItem> {
    let item = |title: String, doc: &str, facts: &str| ReferenceItem {
        title,
        doc: doc.into(),
        facts: facts.into(),
        example: "",
        names: Vec::new(),
    };
    let sections = GUIDE.split("\n## ").skip(1).filter_map(|section| {
        let (title, text) = section.split_once('\n')?;
        let mut prose = text.split("```").step_by(2).flat_map(|part| part.split("\n\n"));
        let first = prose.find(|part| part.starts_with(char::is_alphabetic));
        let first = first.unwrap_or_default().replace('\n', " ");
        // Each row of the gallery is an item.
        let text = text.split("\n| ").next().unwrap_or_default();
        Some(item(format!("the guide, scripts/README.md, \"{title}\""), &first, text))
    });
    let behaviors = GUIDE.lines().filter_map(|line| {
        let (name, rest) = line.strip_prefix("| [")?.split_once("](gallery/")?;
        let cells: Vec<&str> = rest.split(" | ").collect();
        let facts = cells.get(3..)?.join(" ");
        Some(item(format!("the gallery, scripts/gallery/{name}.rhai"), cells.get(2)?, &facts))
    });
    behaviors.chain(sections).collect()
}

/// Lists everything that contains all of these words, or most of them.
fn search(words: &[String]) -> u8 {
    let guide = guide_items();
    let items = LANGUAGES.first().reference(&calls_of_tests()).iter().chain(&guide);
    let found = search_items(items, words);
    if found.is_empty() {
        let words = words.join(" ");
        tell(format_args!("error: nothing in the reference, the guide or the gallery contains `{words}`"));
        return UNUSABLE;
    }
    let lines: Vec<String> = found.into_iter().map(ReferenceItem::summary).collect();
    say(lines.join("\n"));
    SUCCESS
}
