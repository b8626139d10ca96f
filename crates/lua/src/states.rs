//! State machines: a table with a table of functions for each state, and the name of the current one in `vars.state`, as in
//! `states[vars.state].tick(me)`. Finds names of states and functions that do not exist.

use crate::syntax::{FunctionScope, LuaWord, WordKind, after, begin_with, each_function, name_list, split};
use hangtime_script::{
    Diagnostic, Place, SourceFile,
    names::{did_you_mean, nearest, suggestion},
};
use std::{collections::BTreeSet, sync::Arc};

/// The name of the table with the states of a file, if it has one and nothing is computed about it.
fn table_of<'t>(words: &[LuaWord<'t>]) -> Option<&'t str> {
    let has = |at: usize, signs: &str| words.get(at..).is_some_and(|rest| begin_with(rest, signs));
    let mut tables = (0..words.len())
        .filter(|at| has(*at, "_ [ vars . state ] . _ ("))
        .map(|at| words[at].text);
    let table = tables.next()?;
    let is_computed = |at: usize| {
        let end = after(words, at + 1);
        let guarded = at > 0 && ["if", "elseif", "not", "and", "or"].contains(&words[at - 1].text);
        guarded
            || ["=", "or", "and", "["]
                .iter()
                .any(|sign| words.get(end).is_some_and(|next| next.text == *sign))
    };
    let mut places = (0..words.len()).filter(|at| words[*at].is_name(table) && has(at + 1, "["));
    (tables.all(|other| other == table) && !places.any(is_computed)).then_some(table)
}

/// The states of a file with these words.
pub(crate) fn states_of(words: &[LuaWord<'_>]) -> BTreeSet<String> {
    let Some(table) = table_of(words) else {
        return BTreeSet::new();
    };
    let mut states = BTreeSet::new();
    for at in (0..words.len()).filter(|at| words[*at].is_name(table)) {
        if begin_with(&words[at + 1..], "= {") {
            let end = after(words, at + 2) - 1;
            for field in split(&words[at + 3..end]) {
                if !begin_with(field, "_ =") {
                    return BTreeSet::new();
                }
                states.insert(field[0].text.to_string());
            }
        } else if begin_with(&words[at + 1..], ". _ =") || at > 0 && begin_with(&words[at - 1..], "function _ . _") {
            states.insert(words[at + 2].text.to_string());
        }
    }
    states
}

/// Warnings about states of a file that do not exist, and about functions of states that nothing calls.
pub(crate) fn check_states(file: &Arc<SourceFile>, words: &[LuaWord<'_>]) -> Vec<Diagnostic> {
    let (states, mut found) = (states_of(words), Vec::new());
    let Some(table) = table_of(words).filter(|_| !states.is_empty()) else {
        return found;
    };
    let place = |word: &LuaWord<'_>| Place::new(file, word.at..word.at + word.text.len());
    let mut look = |word: &LuaWord<'_>| {
        if let Some(name) = word.quoted().filter(|name| !states.contains(*name)) {
            let hint = suggestion(name, states.iter().map(String::as_str));
            found.push(Diagnostic::warning(place(word), format!("`{table}` has no state `{name}`{hint}")));
        }
    };
    for at in (0..words.len()).filter(|at| begin_with(&words[*at..], "vars . state = 'text'")) {
        let continues = |next: &LuaWord<'_>| next.kind != WordKind::Name && !next.is_sign(";");
        if !words
            .get(at + 5)
            .is_some_and(|next| continues(next) || ["and", "or"].contains(&next.text))
        {
            look(&words[at + 4]);
        }
    }
    for scope in [FunctionScope::Global, FunctionScope::File] {
        for (from, name, open) in each_function(words, scope) {
            let body = from..after(words, from);
            let open = body.clone().find(|at| words[*at].at == open.at).unwrap_or(from);
            let parameters: Vec<&str> = name_list(words, open + 1).0.iter().map(|(at, _)| words[*at].text).collect();
            let set = body.into_iter().find(|at| begin_with(&words[*at..], "vars . state = _"));
            let Some(place) = set.and_then(|at| parameters.iter().position(|it| words[at + 4].is_name(it))) else {
                continue;
            };
            for at in (1..words.len()).filter(|at| words[*at].is_name(name.text)) {
                let is_call =
                    ![".", ":", "function"].contains(&words[at - 1].text) && begin_with(&words[at + 1..], "(");
                let inside = if is_call { &words[at + 2..after(words, at + 1) - 1] } else { &[] };
                if let Some([word]) = split(inside).nth(place) {
                    look(word);
                }
            }
        }
    }
    // What the states' functions are called by: `states[vars.state].tick(me)`, `next.enter`.
    let declares = |at: usize| {
        at >= 5 && words[at - 5].is_name("function") && words[at - 4].is_name(table) && words[at - 1].is_sign(".")
    };
    let (functions, others): (Vec<usize>, Vec<usize>) = (0..words.len()).partition(|at| declares(*at));
    let others: BTreeSet<&str> = others.into_iter().map(|at| words[at].text).collect();
    let names: BTreeSet<&str> =
        functions.iter().map(|at| words[*at].text).filter(|name| others.contains(name)).collect();
    for word in functions.iter().map(|at| &words[*at]).filter(|word| !names.contains(word.text)) {
        let hint = did_you_mean(nearest(word.text, names.iter().copied()));
        found.push(Diagnostic::warning(place(word), format!("nothing calls `{}` of a state{hint}", word.text)));
    }
    found
}
