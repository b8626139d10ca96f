//! What the cursor is at, from the text around it.

use hangtime_rhai::api_entries;
use hangtime_script::api::{ApiEntry, ApiSet, Owner, Type};
use hangtime_script::{ScriptHook, find_hook};

/// A word of a script, with what precedes it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct CursorWord<'t> {
    /// The names before the word with dots between them, such as `me.vel`; or a module, such as `world`; empty for none.
    pub before: &'t str,
    /// Whether `::` is between the two.
    pub module: bool,
    /// The word, up to the cursor.
    pub start: &'t str,
    /// The whole word.
    pub word: &'t str,
    /// Where the word begins.
    pub at: usize,
}

fn in_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

impl<'t> CursorWord<'t> {
    /// What is at a byte of a text.
    pub fn at(text: &'t str, offset: usize) -> Self {
        let line = text[..offset].rfind('\n').map_or(0, |at| at + 1);
        let head = &text[line..offset];
        let begins = head
            .rfind(|c| !in_word(c))
            .map_or(0, |at| at + head[at..].chars().next().map_or(0, char::len_utf8));
        let at = line + begins;
        let rest = &text[at..];
        let word = &rest[..rest.find(|c| !in_word(c)).unwrap_or(rest.len())];
        let head = &text[line..at];
        let module = head.ends_with("::");
        let owner = head.strip_suffix("::").or_else(|| head.strip_suffix('.'));
        let before = owner.map_or("", |owner| {
            let path = |c: char| in_word(c) || c == '.';
            let from = owner
                .rfind(|c| !path(c))
                .map_or(0, |at| at + owner[at..].chars().next().map_or(0, char::len_utf8));
            &owner[from..]
        });
        Self { before, module, start: &text[at..offset.max(at)], word, at }
    }

    /// Whether something precedes the word, even if it is not known.
    pub fn is_member(&self, text: &str) -> bool {
        self.module || text[..self.at].ends_with('.')
    }
}

/// The text that the cursor is in, and the call whose argument it is.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct QuotedArgument<'t> {
    /// The name of the function.
    pub call: &'t str,
    /// Which argument, from 0.
    pub number: usize,
    /// The text up to the cursor.
    pub start: &'t str,
}

impl<'t> QuotedArgument<'t> {
    /// The text that a byte of a line is in, if it is in an argument of a call.
    pub fn at(text: &'t str, offset: usize) -> Option<Self> {
        let line = text[..offset].rfind('\n').map_or(0, |at| at + 1);
        let head = &text[line..offset];
        if head.matches('"').count().is_multiple_of(2) {
            return None;
        }
        let quote = head.rfind('"')?;
        let start = &head[quote + 1..];
        let (mut depth, mut number) = (0, 0);
        for (at, c) in head[..quote].char_indices().rev() {
            match c {
                ')' | ']' | '}' => depth += 1,
                '(' if depth == 0 => {
                    let name = &head[..at];
                    let from = name.rfind(|c| !in_word(c)).map_or(0, |at| at + 1);
                    let call = name.get(from..).filter(|call| !call.is_empty())?;
                    return Some(Self { call, number, start });
                }
                '(' | '[' | '{' => depth -= 1,
                ',' if depth == 0 => number += 1,
                _ => {}
            }
        }
        None
    }
}

/// The function that a byte of a script is in: its name and parameters.
pub(super) fn function_around(text: &str, offset: usize) -> Option<(&str, Vec<&str>)> {
    let head = &text[..offset];
    let starts = head.rmatch_indices("fn ").map(|(at, _)| at);
    let mut starts = starts.filter(|at| {
        let before = head[..*at].trim_end_matches([' ', '\t']);
        before.is_empty() || before.ends_with(['\n', '}', ';']) || before.ends_with("private")
    });
    let rest = &text[starts.next()? + 3..];
    let (name, rest) = rest.split_once('(')?;
    let (parameters, _) = rest.split_once(')')?;
    let parameters = parameters.split(',').map(str::trim);
    Some((name.trim(), parameters.filter(|p| !p.is_empty()).collect()))
}

/// The hook that a byte of a script is in, and the name of its second parameter.
pub(super) fn hook_around(text: &str, offset: usize) -> Option<(&'static ScriptHook, &str)> {
    let (name, parameters) = function_around(text, offset)?;
    let hook = find_hook(name)?;
    Some((hook, parameters.get(1)?))
}

/// The owner of what follows `path` and a dot in a script, as far as names tell.
pub(super) fn owner_of(path: &str, text: &str, api_set: ApiSet) -> Option<Owner> {
    let in_test = api_set == ApiSet::Test;
    if let Some((_, last)) = path.rsplit_once('.') {
        let named = |e: &&_| is_vec_property(e, last);
        return api_entries().iter().find(named).map(|_| Owner::Vec);
    }
    match path {
        "me" if !in_test => Some(Owner::Me),
        "t" if in_test => Some(Owner::Test),
        _ => {
            let value = declared_as(path, text)?;
            if value.contains("world::entity(") {
                Some(Owner::Entity)
            } else if value.starts_with("t.entity(") {
                Some(Owner::Live)
            } else if value.starts_with("play(") {
                Some(Owner::Test)
            } else if value.starts_with("vec(") {
                Some(Owner::Vec)
            } else {
                let (_, last) = value.trim_end_matches(';').rsplit_once('.')?;
                let named = |e: &&_| is_vec_property(e, last);
                api_entries().iter().find(named).map(|_| Owner::Vec)
            }
        }
    }
}

fn is_vec_property(entry: &ApiEntry, name: &str) -> bool {
    entry.name == name && entry.returns == Type::Vec && entry.parameters.is_empty()
}

/// What a variable is set to where a script declares it.
fn declared_as<'t>(name: &str, text: &'t str) -> Option<&'t str> {
    let declaration = format!("let {name} = ");
    let at = text.find(&declaration)? + declaration.len();
    text[at..].lines().next().map(str::trim)
}
