//! Old names in scripts: the keys of tunables in texts, and the keys of the map that `jump_windows` returns.

use super::{Edit, renamed_key};
use crate::languages::WITHOUT_LUA;
use hangtime_core::tuning::{RENAMED, renamed};
use hangtime_script::{Diagnostic, Language, Lexeme, LexemeKind, Place, SourceFile, lexemes};
use std::sync::Arc;

/// The hook whose map has tunables as keys.
const WINDOWS: &str = "jump_windows";

/// The edits of a script.
///
/// # Errors
/// A bracket or a block that is not closed: what is in a text and what is not cannot be known.
pub fn edits(file: &Arc<SourceFile>, language: &dyn Language) -> Result<Vec<Edit>, Diagnostic> {
    let text = &file.text;
    if language.is_missing() {
        let old = RENAMED.iter().find_map(|(old, _)| text.find(old).map(|at| at..at + old.len()));
        return old.map_or(Ok(Vec::new()), |at| Err(Diagnostic::error(Place::new(file, at), WITHOUT_LUA)));
    }
    let spelling = language.spelling();
    let (mut all, is_balanced) = lexemes(text, &spelling);
    if !is_balanced {
        return Err(unbalanced(file, &all));
    }
    all.retain(|lexeme| lexeme.kind != LexemeKind::Comment);
    let functions = language.functions(text);
    let is_windows = |at: usize| {
        let within = functions.iter().rev().find(|function| function.at < at);
        within.is_some_and(|function| function.name == WINDOWS)
    };
    let is_key = |i: usize| {
        let next = all.get(i + 1).map_or("", |next| next.text);
        next == spelling.entry.trim() || next == "]"
    };
    let edit = |(i, lexeme): (usize, &Lexeme<'_>)| {
        let span = match (lexeme.kind, lexeme.inside()) {
            (LexemeKind::Text, Some(inside)) => inside,
            (LexemeKind::Name, _) => lexeme.at..lexeme.end(),
            _ => return None,
        };
        let name = &text[span.clone()];
        match renamed(name) {
            Some(new) => (is_key(i) && is_windows(span.start)).then(|| (span, new.into())),
            None if lexeme.kind == LexemeKind::Text => renamed_key(name, span.start),
            None => None,
        }
    };
    Ok(all.iter().enumerate().filter_map(edit).collect())
}

/// The error about the innermost bracket or block that is open at the end, or else about the file.
fn unbalanced(file: &Arc<SourceFile>, all: &[Lexeme<'_>]) -> Diagnostic {
    let message = "this script cannot be upgraded: a bracket or a block is not closed; `hangtime check` says more";
    let is_open = |(i, it): &(usize, &Lexeme<'_>)| it.opens && all[i + 1..].iter().all(|next| next.depth > it.depth);
    match all.iter().enumerate().rev().find(is_open) {
        Some((_, open)) => Diagnostic::error(Place::new(file, open.at..open.end()), message),
        None => Diagnostic::about_file(&file.name, message),
    }
}
