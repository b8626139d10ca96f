//! Checks of variables, and of what games keep, from names and texts alone, so that they are the same in every language.

use crate::{
    Diagnostic, GameNames, Place, SourceFile, Sources,
    function_checks::{is_comment, members, texts_in, words},
    names::{did_you_mean, nearest, suggestion},
    text::quoted_in,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// Whether a script uses all its variables at once, as in `this[name]` or `pairs(vars)`.
fn uses_whole(file: &SourceFile) -> bool {
    let text = &file.text;
    let whole = |word: &'static str| {
        text.match_indices(word).any(|(at, word)| {
            let (before, next) = (&text[..at], &text[at + word.len()..]);
            let is_word = !before.ends_with(|c: char| c.is_alphanumeric() || "_.".contains(c))
                && !next.starts_with(|c: char| c.is_alphanumeric() || c == '_');
            // A setting of a call may have this name.
            let is_key = word == "vars" && [":", "=", "?"].iter().any(|sign| next.trim_start().starts_with(sign));
            is_word && !is_key && !next.starts_with('.') && !is_comment(text, at)
        })
    };
    whole("this") || whole("vars")
}

/// Checks the variables of a behavior or of the script of a level.
pub(crate) fn check_variables(file: &Arc<SourceFile>, sources: &Sources, known: &GameNames) -> Vec<Diagnostic> {
    let own = if file.text.contains("this.") { "this." } else { "vars." };
    if uses_whole(file) || known.unread {
        return Vec::new();
    }
    let mut found = never_held((file, own), sources, known);
    found.extend(never_read((file, own), sources, known));
    found.extend(created_for_nothing(file, sources, known));
    found
}

/// What is done with a variable at one place.
enum Use<'t> {
    /// It is set to this text.
    Text(&'t str),
    /// It is set to something else, or a part of it is.
    Other,
    /// It is compared with a text, which begins here.
    Compared(usize, &'t str),
    Read,
}

/// The text in quotes that a text begins with, and what follows.
fn literal(text: &str) -> Option<(&str, &str)> {
    let quote = text.chars().next().filter(|first| matches!(first, '"' | '\''))?;
    let (inside, rest) = text[1..].split_once(quote)?;
    (!inside.contains(['\\', '\n'])).then_some((inside, rest))
}

/// What a text does with a variable that it begins after.
fn use_of(text: &str) -> Use<'_> {
    let after = text.trim_start();
    let compared = ["==", "!=", "~="].into_iter().find_map(|sign| after.strip_prefix(sign));
    if let Some(other) = compared.map(str::trim_start) {
        return match literal(other) {
            Some((inside, _)) => Use::Compared(text.len() - other.len(), inside),
            None => Use::Read,
        };
    }
    if let Some(value) = after.strip_prefix('=') {
        let ends = |rest: &str| {
            let next = rest.trim_start();
            let line = &rest[..rest.len() - next.len()];
            line.contains('\n') || next.is_empty() || next.starts_with([';', '}']) || next.starts_with("end")
        };
        return match literal(value.trim_start()) {
            Some((inside, rest)) if ends(rest) => Use::Text(inside),
            _ => Use::Other,
        };
    }
    let is_changed = ["+=", "-=", "*=", "/=", "..=", "??=", "%="]
        .into_iter()
        .any(|sign| after.starts_with(sign));
    if is_changed || text.starts_with(['.', '[', ':']) || after.starts_with(',') {
        return Use::Other;
    }
    Use::Read
}

/// Texts with which a variable is compared, and which it never holds: everything that sets it is a text in quotes.
fn never_held((file, own): (&Arc<SourceFile>, &str), sources: &Sources, known: &GameNames) -> Vec<Diagnostic> {
    let text = &file.text;
    // The checker of a language finds the states of a state machine.
    if text.contains("state_") {
        return Vec::new();
    }
    let mut held: BTreeMap<&str, Option<BTreeSet<&str>>> = BTreeMap::new();
    let mut compared: Vec<(&str, usize, &str)> = Vec::new();
    for (at, name) in members(text, own) {
        let end = at + name.len();
        match use_of(&text[end..]) {
            Use::Text(value) => {
                _ = held
                    .entry(name)
                    .or_insert_with(|| Some(BTreeSet::new()))
                    .as_mut()
                    .map(|it| it.insert(value))
            }
            Use::Other => _ = held.insert(name, None),
            Use::Compared(begin, value) => compared.push((name, end + begin, value)),
            Use::Read => {}
        }
        let switched = text[..at].trim_end_matches(own).trim_end().ends_with("switch");
        if switched {
            compared.extend(switch_labels(&text[end..]).into_iter().map(|(begin, value)| (name, end + begin, value)));
        }
    }
    let wrong = compared.into_iter().filter_map(|(name, at, value)| {
        let held = held.get(name)?.as_ref()?;
        let of_files = known.vars.contains(name);
        if held.contains(value) || value.is_empty() || known.words_in_tests.contains(name) {
            return None;
        }
        // An entity that is created may begin with another value.
        let given = |file: &Arc<SourceFile>| {
            file.text.match_indices(name).any(|(at, _)| {
                let next = file.text[at + name.len()..].trim_start();
                let is_own = file.text[..at].ends_with(['.']);
                !is_own && (next.starts_with(':') || next.starts_with('=')) && !next.starts_with("==")
            })
        };
        if of_files && known.texts_in_vars.contains(value) || sources.values().any(given) {
            return None;
        }
        let texts = held
            .iter()
            .copied()
            .chain(known.texts_in_vars.iter().filter(|_| of_files).map(String::as_str));
        let hint = suggestion(value, texts.collect::<Vec<_>>());
        let place = Place::new(file, at + 1..at + 1 + value.len());
        Some(Diagnostic::warning(place, format!("`{own}{name}` is never `{value}`{hint}")))
    });
    wrong.collect()
}

/// The texts that the cases of a `switch` are for, which begins before a text, and where they begin.
pub fn switch_labels(text: &str) -> Vec<(usize, &str)> {
    let (mut found, mut depth, mut at) = (Vec::new(), 0, 0);
    while let Some(next) = text[at..].find(['{', '}', '"']) {
        at += next;
        match &text[at..=at] {
            "{" => depth += 1,
            "}" => depth -= 1,
            _ => {
                let Some((inside, rest)) = literal(&text[at..]) else {
                    return found;
                };
                let next = rest.trim_start();
                if depth == 1 && (next.starts_with("=>") || next.starts_with('|') || next.starts_with("if ")) {
                    found.push((at, inside));
                }
                at += inside.len() + 1;
            }
        }
        if depth <= 0 {
            return found;
        }
        at += 1;
    }
    found
}

/// Variables that are set and that nothing reads, with names that are almost those of others.
fn never_read((file, own): (&Arc<SourceFile>, &str), sources: &Sources, known: &GameNames) -> Vec<Diagnostic> {
    let text = &file.text;
    let (mut set, mut read) = (BTreeMap::<&str, Vec<usize>>::new(), BTreeSet::new());
    for (at, name) in members(text, own) {
        let after = text[at + name.len()..].trim_start();
        match after.starts_with('=') && !after.starts_with("==") {
            true => set.entry(name).or_default().push(at),
            false => _ = read.insert(name),
        }
    }
    // What is read and never set is the misspelled name.
    read.retain(|name| set.contains_key(name) || known.vars.contains(*name));
    let wrong = set.into_iter().filter_map(|(name, places)| {
        let right = nearest(name, read.iter().copied()).filter(|_| !read.contains(name))?;
        let named = || sources.values().flat_map(|file| words(&file.text)).filter(|word| *word == name).count();
        let elsewhere = known.vars.contains(name) || known.words_in_tests.contains(name);
        if elsewhere || named() != places.len() {
            return None;
        }
        let place = Place::new(file, places[0]..places[0] + name.len());
        Some(Diagnostic::warning(place, format!("nothing reads `{own}{name}`; did you mean `{own}{right}`?")))
    });
    wrong.collect()
}

/// Variables that a created entity gets and that no script reads.
fn created_for_nothing(file: &Arc<SourceFile>, sources: &Sources, known: &GameNames) -> Vec<Diagnostic> {
    let text = &file.text;
    if sources.values().any(|file| uses_whole(file)) {
        return Vec::new();
    }
    let maps = ["vars: #{", "vars = {"].into_iter().flat_map(|map| text.match_indices(map));
    let mut found = Vec::new();
    for (at, map) in maps.filter(|(at, _)| !is_comment(text, *at)) {
        let inside = &text[at + map.len()..];
        let end = inside.find('}').unwrap_or(inside.len());
        for part in inside[..end].split(',') {
            let name = words(part.trim_start()).next().unwrap_or_default();
            let named = || sources.values().flat_map(|file| words(&file.text)).filter(|word| *word == name).count();
            let is_key = part.trim_start()[name.len()..].trim_start().starts_with([':', '=']);
            if !name.is_empty() && is_key && !known.words_in_tests.contains(name) && named() == 1 {
                let start = part.as_ptr() as usize - text.as_ptr() as usize + part.len() - part.trim_start().len();
                let hint = did_you_mean(nearest(name, known.vars.iter().map(String::as_str)));
                let place = Place::new(file, start..start + name.len());
                found.push(Diagnostic::warning(place, format!("no script reads `{name}`{hint}")));
            }
        }
    }
    found
}

/// Warns of variables that a test reads, and that no script and no file has.
pub(crate) fn unknown_vars(file: &Arc<SourceFile>, sources: &Sources, known: &GameNames) -> Vec<Diagnostic> {
    let text = &file.text;
    let mut read = text.match_indices(".vars.").filter(|(at, _)| !is_comment(text, *at)).peekable();
    if read.peek().is_none() || known.unread {
        return Vec::new();
    }
    let set: BTreeSet<&str> = sources.values().flat_map(|file| words(&file.text)).collect();
    let unknown = read.filter_map(|(at, vars)| {
        let start = at + vars.len();
        let name = words(&text[start..]).next().filter(|name| !name.is_empty())?;
        // A test may give an entity variables, as in `play(level, #{ … })`.
        let quoted = quoted_in(text).any(|it| it.ends_with(name));
        let is_call = text[start + name.len()..].starts_with('(');
        let is_set = set.contains(name) || known.vars.contains(name) || quoted || is_call;
        let hint = || did_you_mean(nearest(name, known.vars.iter().map(String::as_str)));
        (!is_set).then(|| {
            let place = Place::new(file, start..start + name.len());
            Diagnostic::warning(place, format!("no script has a variable `{name}`{}", hint()))
        })
    });
    unknown.collect()
}

/// Warns of what is read although no script keeps it.
pub(crate) fn never_kept(file: &Arc<SourceFile>, sources: &Sources, known: &GameNames) -> Vec<Diagnostic> {
    let kept = || sources.values().flat_map(|file| texts_in(&file.text, "keep(")).map(|(_, name)| name);
    // A name may be computed.
    let all: usize = sources.values().map(|file| file.text.matches("keep(").count()).sum();
    if all != kept().count() {
        return Vec::new();
    }
    let unknown = texts_in(&file.text, "kept(")
        .filter(|(_, name)| !kept().any(|it| it == *name) && !known.words_in_tests.contains(*name));
    let warning = |(start, name): (usize, &str)| {
        let place = Place::new(file, start - 1..start + name.len() + 1);
        let why = format!("no script keeps `{name}`, so this never has a value{}", did_you_mean(nearest(name, kept())));
        Diagnostic::warning(place, why)
    };
    unknown.map(warning).collect()
}
