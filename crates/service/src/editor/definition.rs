//! Go to definition: functions, constants, modules, events, states, kinds and scripts.

use super::cursor::EditedFile;
use super::location::line_start;
use hangtime_script::{SourceFile, TextFunction};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

/// A place in a file of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Definition {
    /// The file.
    pub path: PathBuf,
    /// Its text.
    pub text: String,
    /// The bytes of the name.
    pub span: Range<usize>,
}

/// Where the word or text at the cursor is defined.
pub(super) fn definitions(file: &EditedFile<'_>) -> Vec<Definition> {
    if let Some(name) = file.quoted() {
        return of_quoted(file, name);
    }
    if file.is_toml() {
        return Vec::new();
    }
    let cursor = file.word();
    let found = if cursor.module {
        file.imported(cursor.before).and_then(|imported| in_file(file, imported, cursor.word))
    } else if file.text[cursor.at + cursor.word.len()..].starts_with("::") {
        start_of(file, file.imported(cursor.word))
    } else {
        let function = function_in(file.language().functions(file.text), cursor.word);
        function.or_else(|| constant_in(file.text, cursor.word)).map(|span| here(file, span))
    };
    found.into_iter().collect()
}

/// Where what a text names is defined: a script, a file that is imported, an event's hooks, a state, a function or a kind.
fn of_quoted(file: &EditedFile<'_>, name: &str) -> Vec<Definition> {
    let game = file.game;
    if file.is_toml() {
        let script = game.named_script(&file.name(), name);
        return start_of(file, script.or_else(|| game.kind_file(name))).into_iter().collect();
    }
    if file.head().trim_start().starts_with("import") {
        return start_of(file, game.imported(&file.name(), name)).into_iter().collect();
    }
    let state = format!("state_{name}");
    let own = [state.as_str(), name]
        .into_iter()
        .filter_map(|name| function_in(file.language().functions(file.text), name));
    let hooks = game.scripts().values().filter_map(|script| in_file(file, script, &format!("on_{name}")));
    let kind = start_of(file, game.kind_file(name));
    own.map(|span| here(file, span)).chain(hooks).chain(kind).collect()
}

/// The span of the name of one of these functions.
fn function_in(functions: Vec<TextFunction<'_>>, name: &str) -> Option<Range<usize>> {
    let function = functions.into_iter().find(|function| function.name == name)?;
    Some(function.at..function.at + name.len())
}

/// The span of the name of a constant.
fn constant_in(text: &str, name: &str) -> Option<Range<usize>> {
    let keyword = "const ";
    let written = format!("{keyword}{name}");
    let (at, _) = text.match_indices(&written).find(|(at, _)| {
        !text[line_start(text, *at)..*at].contains("//") && text[at + written.len()..].starts_with([' ', '='])
    })?;
    Some(at + keyword.len()..at + written.len())
}

/// A place in the file at the cursor.
fn here(file: &EditedFile<'_>, span: Range<usize>) -> Definition {
    Definition { path: file.path.into(), text: file.text.into(), span }
}

/// A function of a script.
fn in_file(file: &EditedFile<'_>, script: &SourceFile, name: &str) -> Option<Definition> {
    let span = function_in(file.game.functions_of(script), name)?;
    Some(Definition { path: file.game.root().join(&script.name), text: script.text.clone(), span })
}

/// The start of a file of the game.
fn start_of(file: &EditedFile<'_>, found: Option<&Arc<SourceFile>>) -> Option<Definition> {
    Some(Definition { path: file.game.root().join(&found?.name), text: String::new(), span: 0..0 })
}
