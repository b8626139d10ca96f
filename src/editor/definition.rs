//! Go to definition: functions, constants, modules, events, states, kinds and scripts.

use super::completion::imported_path;
use super::cursor::{CursorWord, QuotedArgument};
use crate::project::GameCheck;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// A place in a file of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Definition {
    /// The file.
    pub path: PathBuf,
    /// Its text, if it is not the file at the cursor.
    pub text: Option<String>,
    /// The bytes of the name.
    pub span: Range<usize>,
}

/// Where the word or text at a byte of a script is defined.
pub(super) fn in_script(
    text: &str,
    offset: usize,
    path: &Path,
    game: &GameCheck<'_>,
) -> Vec<Definition> {
    let here = |span| Definition {
        path: path.into(),
        text: None,
        span,
    };
    if QuotedArgument::at(text, offset).is_some() || is_quoted(text, offset) {
        return of_quoted(text, offset, path, game);
    }
    let cursor = CursorWord::at(text, offset);
    if cursor.module {
        let file = imported_path(cursor.before, text);
        return in_file(file.as_deref(), cursor.word, game);
    }
    if text[..cursor.at + cursor.word.len()].len() < text.len()
        && text[cursor.at + cursor.word.len()..].starts_with("::")
    {
        return file_of(imported_path(cursor.word, text).as_deref(), game);
    }
    let function = declared(text, "fn ", cursor.word, &['(']);
    let constant = || declared(text, "const ", cursor.word, &[' ', '=']);
    let found = function.or_else(constant);
    found.map(here).into_iter().collect()
}

/// Where the script or kind is that a TOML file names at a byte.
pub(super) fn in_toml(text: &str, offset: usize, game: &GameCheck<'_>) -> Vec<Definition> {
    let Some(name) = quoted_at(text, offset) else {
        return Vec::new();
    };
    let script = file_of(Some(name), game);
    if script.is_empty() {
        return kind(name, game);
    }
    script
}

fn is_quoted(text: &str, offset: usize) -> bool {
    quoted_at(text, offset).is_some()
}

/// The text in quotes that a byte of a line is in.
fn quoted_at(text: &str, offset: usize) -> Option<&str> {
    let start = text[..offset].rfind('\n').map_or(0, |at| at + 1);
    let head = &text[start..offset];
    let open = head
        .rfind('"')
        .filter(|_| head.matches('"').count() % 2 == 1)?;
    let rest = &text[start + open + 1..];
    let line = rest.lines().next().unwrap_or_default();
    line.split_once('"').map(|(name, _)| name)
}

/// Where what a text names is defined: a file that is imported, an event's hooks, a state, a function or a kind.
fn of_quoted(text: &str, offset: usize, path: &Path, game: &GameCheck<'_>) -> Vec<Definition> {
    let Some(name) = quoted_at(text, offset) else {
        return Vec::new();
    };
    let line = text[..offset].rfind('\n').map_or(0, |at| at + 1);
    if text[line..].trim_start().starts_with("import") {
        return file_of(
            Some(&format!("{}.rhai", name.trim_end_matches(".rhai"))),
            game,
        );
    }
    let own = [format!("state_{name}"), name.to_string()];
    let own = own
        .iter()
        .filter_map(|name| declared(text, "fn ", name, &['(']));
    let mut found: Vec<Definition> = own
        .map(|span| Definition {
            path: path.into(),
            text: None,
            span,
        })
        .collect();
    for below in game.scripts().keys() {
        found.extend(in_file(Some(below), &format!("on_{name}"), game));
    }
    found.extend(kind(name, game));
    found
}

/// The span of a name that a text declares after `keyword`.
fn declared(text: &str, keyword: &str, name: &str, ends: &[char]) -> Option<Range<usize>> {
    if name.is_empty() {
        return None;
    }
    let written = format!("{keyword}{name}");
    let mut found = text.match_indices(&written);
    let (at, _) = found.find(|(at, _)| {
        let line = text[..*at].rfind('\n').map_or(0, |line| line + 1);
        !text[line..*at].contains("//") && text[at + written.len()..].starts_with(ends)
    })?;
    let start = at + keyword.len();
    Some(start..start + name.len())
}

/// A function of a script below `scripts/`.
fn in_file(below: Option<&str>, name: &str, game: &GameCheck<'_>) -> Vec<Definition> {
    let file = below.and_then(|below| Some((below, game.scripts().get(below)?)));
    let found = file.and_then(|(below, file)| {
        Some(Definition {
            path: game.root().join("scripts").join(below),
            text: Some(file.text.clone()),
            span: declared(&file.text, "fn ", name, &['('])?,
        })
    });
    found.into_iter().collect()
}

/// The start of a script below `scripts/`.
fn file_of(below: Option<&str>, game: &GameCheck<'_>) -> Vec<Definition> {
    let known = below.filter(|below| game.scripts().contains_key(*below));
    let start = known.map(|below| Definition {
        path: game.root().join("scripts").join(below),
        text: Some(String::new()),
        span: 0..0,
    });
    start.into_iter().collect()
}

/// The start of a kind's file.
fn kind(name: &str, game: &GameCheck<'_>) -> Vec<Definition> {
    let file = format!("config/entities/{name}.toml");
    let known = game.known().kinds.contains(name);
    let start = known.then(|| Definition {
        path: game.root().join(file),
        text: Some(String::new()),
        span: 0..0,
    });
    start.into_iter().collect()
}
