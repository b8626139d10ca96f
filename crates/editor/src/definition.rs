//! Go to definition: functions, constants, modules, events, states, kinds and scripts.

use super::*;

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
        function
            .or_else(|| constant_in(&words, cursor.word))
            .and_then(|span| location(file.path, file.text, span))
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
    own.filter_map(|span| location(file.path, file.text, span))
        .chain(hooks)
        .chain(kind)
        .collect()
}

/// The span of the name of one of these functions.
fn function_in(functions: Vec<TextFunction<'_>>, name: &str) -> Option<Range<usize>> {
    let function = functions.into_iter().find(|function| function.name == name)?;
    Some(function.at..function.at + name.len())
}

/// The span of the name of a constant.
fn constant_in(words: &Words<'_>, name: &str) -> Option<Range<usize>> {
    let constant = words.file.spelling().constant;
    let pair = words.all.windows(2).find(|pair| pair[0].is(constant) && pair[1].is(name))?;
    Some(pair[1].at..pair[1].end())
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
