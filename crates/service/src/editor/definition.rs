//! Go to definition: functions, constants, modules, events, states, kinds and scripts.

use super::*;
use hangtime_script::{SourceFile, Spelling, TextFunction};
use lsp_types::Location;
use std::ops::Range;

/// Where the word or text at the cursor is defined.
pub fn definitions(file: &EditedFile<'_>) -> Vec<Location> {
    let words = Words::of(file);
    if let Some(i) = words.text_at(file.offset)
        && let Some(inside) = words.all[i].inside()
    {
        return of_quoted(file, &file.text[inside], words.role(i));
    }
    if file.is_toml() {
        return Vec::new();
    }
    let cursor = file.word();
    let found = if cursor.module {
        file.imported(cursor.before).and_then(|imported| in_module(file, imported, cursor.word))
    } else if file.text[cursor.at + cursor.word.len()..].starts_with(file.spelling().scope)
        && file.imported(cursor.word).is_some()
    {
        start_of(file, file.imported(cursor.word))
    } else {
        let function = function_in(file.language().functions(file.text), cursor.word);
        function.or_else(|| constant_in(file, cursor.word)).and_then(|span| here(file, span))
    };
    found.into_iter().collect()
}

/// Where what a text names is defined: a script, a file that is imported, an event's hooks, a state, a function or a kind.
fn of_quoted(file: &EditedFile<'_>, name: &str, role: Option<TextRole>) -> Vec<Location> {
    let game = file.game;
    if file.is_toml() {
        let script = game.named_script(&file.name(), name);
        return start_of(file, script.or_else(|| game.kind_file(name))).into_iter().collect();
    }
    if role == Some(TextRole::Script) {
        return start_of(file, game.imported(&file.name(), name)).into_iter().collect();
    }
    let state = format!("state_{name}");
    let own = [state.as_str(), name]
        .into_iter()
        .filter_map(|name| function_in(file.language().functions(file.text), name));
    let hooks = game.scripts().values().filter_map(|script| in_file(file, script, &format!("on_{name}")));
    let kind = start_of(file, game.kind_file(name));
    own.filter_map(|span| here(file, span)).chain(hooks).chain(kind).collect()
}

/// The span of the name of one of these functions.
fn function_in(functions: Vec<TextFunction<'_>>, name: &str) -> Option<Range<usize>> {
    let function = functions.into_iter().find(|function| function.name == name)?;
    Some(function.at..function.at + name.len())
}

/// The span of the name of a constant.
fn constant_in(file: &EditedFile<'_>, name: &str) -> Option<Range<usize>> {
    let Spelling { constant, comment, .. } = file.spelling();
    let (text, written) = (file.text, format!("{constant} {name}"));
    let (at, _) = text.match_indices(&written).find(|(at, _)| {
        !text[line_start(text, *at)..*at].contains(comment) && text[at + written.len()..].starts_with([' ', '='])
    })?;
    Some(at + constant.len() + 1..at + written.len())
}

/// A place in the file at the cursor.
fn here(file: &EditedFile<'_>, span: Range<usize>) -> Option<Location> {
    location(file.path, file.text, span)
}

/// A function of a script.
fn in_file(file: &EditedFile<'_>, script: &SourceFile, name: &str) -> Option<Location> {
    let span = function_in(file.game.functions_of(script), name)?;
    location(&file.game.root().join(&script.name), &script.text, span)
}

/// A function of a file that this one imports.
fn in_module(file: &EditedFile<'_>, module: &SourceFile, name: &str) -> Option<Location> {
    let span = function_in(file.language().module_functions(&module.text), name)?;
    location(&file.game.root().join(&module.name), &module.text, span)
}

/// The start of a file of the game.
fn start_of(file: &EditedFile<'_>, found: Option<&Arc<SourceFile>>) -> Option<Location> {
    location(&file.game.root().join(&found?.name), "", 0..0)
}

/// A place in a file with this text.
fn location(path: &Path, text: &str, span: Range<usize>) -> Option<Location> {
    Some(Location::new(uri_of(path)?, range_in(text, span)))
}
