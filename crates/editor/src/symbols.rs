//! Symbols: the functions and constants of a script, and the tables of a TOML file.

use super::*;
use lsp_types::SymbolKind;
use serde_json::Value;

/// A part of a file that has a name.
pub struct OutlinePart {
    pub name: String,
    pub kind: SymbolKind,
    /// All of it.
    pub whole: Range<usize>,
    /// Its name.
    pub span: Range<usize>,
}

impl OutlinePart {
    /// It as the editor shows it in the outline of its file.
    pub fn in_document(&self, file: &EditedFile<'_>) -> Value {
        let range = |span: &Range<usize>| range_in(file.text, span.clone());
        let (whole, span) = (range(&self.whole), range(&self.span));
        json!({ "name": self.name, "kind": self.kind, "range": whole, "selectionRange": span })
    }
}

/// The symbols of a file.
pub fn symbols_of_file(file: &EditedFile<'_>) -> Vec<Value> {
    outline(file).iter().map(|part| part.in_document(file)).collect()
}

/// The parts of all files of a game whose names contain a text, and its kinds.
pub fn symbols_of_game(game: &GameCheck<'_>, open: &BTreeMap<PathBuf, String>, query: &str) -> Vec<Value> {
    let query = query.to_lowercase();
    let in_file = |path: PathBuf| {
        let text = open.get(&path).cloned().or_else(|| game.saved(&path)).unwrap_or_default();
        let file = EditedFile::new(&path, &text, game, open);
        let kind =
            game.kind_in(&path)
                .map(|name| OutlinePart { name, kind: SymbolKind::CLASS, whole: 0..0, span: 0..0 });
        let parts = if kind.is_some() || is_of_map(&path) { Vec::new() } else { outline(&file) };
        let fits = |part: &OutlinePart| part.name.to_lowercase().contains(&query);
        let shown = |part: OutlinePart| {
            let location = json!({ "uri": uri_of(&path)?, "range": range_in(&text, part.span) });
            let container = game.name_of(&path);
            Some(json!({ "name": part.name, "kind": part.kind, "location": location, "containerName": container }))
        };
        kind.into_iter().chain(parts).filter(fits).filter_map(shown).collect::<Vec<_>>()
    };
    game.files().into_iter().flat_map(in_file).take(MOST_SYMBOLS).collect()
}

/// The most symbols of a game that are listed.
const MOST_SYMBOLS: usize = 500;

/// The parts of a file, in their order.
pub fn outline(file: &EditedFile<'_>) -> Vec<OutlinePart> {
    let words = Words::of(file);
    let parts = (0..words.all.len()).filter(|i| words.all[*i].depth == 0);
    if file.is_toml() {
        parts.filter_map(|i| table(&words, i)).collect()
    } else {
        parts.filter_map(|i| declaration(&words, i)).collect()
    }
}

fn declaration(words: &Words<'_>, i: usize) -> Option<OutlinePart> {
    let Spelling { function, constant, .. } = words.file.spelling();
    let (keyword, first) = (words.all[i], words.all.get(i + 1)?);
    if first.is(function) || !(keyword.is(function) || keyword.is(constant)) {
        return None;
    }
    let rest = &words.all[i + 1..];
    let (name, end, kind) = if keyword.is(function) {
        // A function of a module has a dot in its name.
        let name = rest.iter().take_while(|it| !it.is("(")).last()?;
        let end = rest.iter().find(|it| (it.is("}") || it.is("end")) && it.depth == 0)?;
        (
            name,
            end,
            if find_hook(first.text).is_some() {
                SymbolKind::EVENT
            } else {
                SymbolKind::FUNCTION
            },
        )
    } else {
        (first, first, SymbolKind::CONSTANT)
    };
    let span = first.at..name.end();
    Some(OutlinePart { name: words.file.text[span.clone()].into(), kind, whole: keyword.at..end.end(), span })
}

/// The table with a header, named after its key `name` or `kind` if it has one.
fn table(words: &Words<'_>, i: usize) -> Option<OutlinePart> {
    let is_header = |it: &Lexeme<'_>| {
        it.is("[") && it.depth == 0 && words.file.text[line_start(words.file.text, it.at)..it.at].trim().is_empty()
    };
    let bracket = words.all[i];
    if !is_header(&bracket) {
        return None;
    }
    let rest = &words.all[i + 1..];
    let close = rest.iter().position(|it| it.depth == 0)?;
    let next = rest.iter().position(is_header).unwrap_or(rest.len());
    let span = bracket.at..rest[close].end();
    let named = |key: &str| {
        let mut values = rest[close..next]
            .windows(3)
            .filter(|it| it[0].is(key) && it[0].depth == 0 && it[1].is("="));
        values.find_map(|it| it[2].inside())
    };
    let header = words.file.text[span.clone()].trim_matches(['[', ']']).trim();
    let name = named("name").or_else(|| named("kind"));
    let name = name.map_or_else(|| header.to_string(), |name| format!("{header} {}", &words.file.text[name]));
    let end = rest[..next].last().map_or(span.end, Lexeme::end);
    Some(OutlinePart { name, kind: SymbolKind::STRUCT, whole: bracket.at..end, span })
}
