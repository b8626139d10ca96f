//! Go to definition: functions, constants, modules, events, states, kinds and scripts.

use super::completion::imported_path;
use super::cursor::CursorWord;
use hangtime_game::GameCheck;
use hangtime_script::SourceFile;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

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
pub(super) fn in_script(text: &str, offset: usize, path: &Path, game: &GameCheck<'_>) -> Vec<Definition> {
    let here = |span| Definition { path: path.into(), text: None, span };
    if let Some(name) = quoted_at(text, offset) {
        return of_quoted(name, (text, offset), path, game);
    }
    let cursor = CursorWord::at(text, offset);
    let from = game.name_of(path);
    let imported = |module: &str| game.imported(&from, imported_path(module, text)?);
    if cursor.module {
        let file = imported(cursor.before);
        let found = file.and_then(|file| in_file(file, cursor.word, game));
        return found.into_iter().collect();
    }
    if text[..cursor.at + cursor.word.len()].len() < text.len()
        && text[cursor.at + cursor.word.len()..].starts_with("::")
    {
        return start_of(imported(cursor.word), game);
    }
    let function = declared(text, "fn ", cursor.word, &['(']);
    let constant = || declared(text, "const ", cursor.word, &[' ', '=']);
    let found = function.or_else(constant);
    found.map(here).into_iter().collect()
}

/// Where the script or kind is that a TOML file names at a byte.
pub(super) fn in_toml(text: &str, offset: usize, path: &Path, game: &GameCheck<'_>) -> Vec<Definition> {
    let Some(name) = quoted_at(text, offset) else {
        return Vec::new();
    };
    let script = game.named_script(&game.name_of(path), name);
    start_of(script.or_else(|| game.kind_file(name)), game)
}

/// The text in quotes that a byte of a line is in.
fn quoted_at(text: &str, offset: usize) -> Option<&str> {
    let start = text[..offset].rfind('\n').map_or(0, |at| at + 1);
    let head = &text[start..offset];
    let open = head.rfind('"').filter(|_| head.matches('"').count() % 2 == 1)?;
    let rest = &text[start + open + 1..];
    let line = rest.lines().next().unwrap_or_default();
    line.split_once('"').map(|(name, _)| name)
}

/// Where what a text names is defined: a file that is imported, an event's hooks, a state, a function or a kind.
fn of_quoted(name: &str, (text, offset): (&str, usize), path: &Path, game: &GameCheck<'_>) -> Vec<Definition> {
    let line = text[..offset].rfind('\n').map_or(0, |at| at + 1);
    if text[line..].trim_start().starts_with("import") {
        return start_of(game.imported(&game.name_of(path), name), game);
    }
    let own = [format!("state_{name}"), name.to_string()];
    let own = own.iter().filter_map(|name| declared(text, "fn ", name, &['(']));
    let mut found: Vec<Definition> = own.map(|span| Definition { path: path.into(), text: None, span }).collect();
    let scripts = game.scripts().values();
    found.extend(scripts.filter_map(|file| in_file(file, &format!("on_{name}"), game)));
    found.extend(start_of(game.kind_file(name), game));
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

/// A function of a script.
fn in_file(file: &SourceFile, name: &str, game: &GameCheck<'_>) -> Option<Definition> {
    Some(Definition {
        path: game.root().join(&file.name),
        text: Some(file.text.clone()),
        span: declared(&file.text, "fn ", name, &['('])?,
    })
}

/// The start of a file of the game.
fn start_of(file: Option<&Arc<SourceFile>>, game: &GameCheck<'_>) -> Vec<Definition> {
    let start =
        file.map(|file| Definition { path: game.root().join(&file.name), text: Some(String::new()), span: 0..0 });
    start.into_iter().collect()
}
