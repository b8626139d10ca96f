//! `api`: the script API, generated from the functions that are registered.

use super::output::{SUCCESS, UNUSABLE, say};
use clap::{Args, ValueEnum};
use hangtime_game::terminal::tell;
use hangtime_rhai::reference;
use hangtime_rhai::reference::ReferenceItem;

/// Arguments of `api`.
#[derive(Args)]
pub struct ApiArguments {
    /// Print only these: `jump`, `me.jump`, `world::create`, `on_land`, `platformer.jump_speed`
    #[arg(value_name = "NAME", conflicts_with_all = ["search", "format"])]
    names: Vec<String>,
    /// List everything that contains all of these words
    #[arg(long, value_name = "WORD", num_args = 1.., conflicts_with = "format")]
    search: Vec<String>,
    /// Format of the whole reference
    #[arg(long, value_enum, default_value_t = ApiFormat::Md)]
    format: ApiFormat,
}

#[derive(Clone, Copy, ValueEnum)]
enum ApiFormat {
    /// Markdown, for reading
    Md,
    /// Definitions for Rhai's language server, for editors
    Rhai,
    /// JSON, for programs
    Json,
}

/// Runs the command and returns the exit code.
pub fn api(arguments: &ApiArguments) -> u8 {
    if !arguments.search.is_empty() {
        return search(&arguments.search);
    }
    if !arguments.names.is_empty() {
        return look_up(&arguments.names);
    }
    let text = match arguments.format {
        ApiFormat::Md => reference::markdown(),
        ApiFormat::Rhai => reference::definitions(),
        ApiFormat::Json => reference::json(),
    };
    say(text.trim_end());
    SUCCESS
}

/// Prints everything with these names.
fn look_up(names: &[String]) -> u8 {
    let mut code = SUCCESS;
    let mut texts = Vec::new();
    for name in names {
        match reference::find(name) {
            Ok(found) => texts.extend(found.iter().map(|item| item.text())),
            Err(right) => {
                let hint = match right {
                    Some(right) => format!("did you mean `{right}`?"),
                    None => format!("`hangtime api --search {name}` looks in descriptions, too"),
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

/// Lists everything that contains all of these words.
fn search(words: &[String]) -> u8 {
    let found = reference::search(words);
    if found.is_empty() {
        let words = words.join(" ");
        tell(format_args!("error: nothing in the reference contains `{words}`"));
        return UNUSABLE;
    }
    let lines: Vec<String> = found.into_iter().map(ReferenceItem::summary).collect();
    say(lines.join("\n"));
    SUCCESS
}
