//! From Luau's errors to messages with a place.

use hangtime_script::{CallRefusal, Diagnostic, Place, SourceFile, Sources};
use mlua::Error;
use std::error;
use std::fmt;
use std::sync::Arc;

/// A refusal on its way through Luau.
#[derive(Debug)]
pub(crate) struct LuaRefusal(pub String);

impl fmt::Display for LuaRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl error::Error for LuaRefusal {}

/// A refusal as Luau's error.
pub(crate) fn refused(refusal: CallRefusal) -> Error {
    Error::external(LuaRefusal(refusal.to_string()))
}

/// What an error says, and where: the line of the file that is nearest to the error.
pub(crate) fn explain(error: &Error, sources: &Sources, otherwise: Place) -> Diagnostic {
    let (message, trace) = read(error);
    let (message, begins) = match at_line(&message, sources) {
        Some((file, line, rest)) => (rest.to_string(), Some((file, line))),
        None => (message, None),
    };
    let place = begins.or_else(|| trace.lines().find_map(|line| at_line(line.trim(), sources).map(|(f, l, _)| (f, l))));
    let place = match place {
        Some((file, line)) => place_in_line(&file, line, &message),
        None => otherwise,
    };
    Diagnostic::error(place, in_plain_words(&message))
}

/// The message of an error and the trace of its calls.
fn read(error: &Error) -> (String, String) {
    match error {
        Error::CallbackError { traceback, cause } => {
            let (message, inner) = read(cause);
            (message, format!("{inner}\n{traceback}"))
        }
        Error::WithContext { cause, .. } => read(cause),
        Error::SyntaxError { message, .. } => (message.clone(), String::new()),
        Error::RuntimeError(text) => match text.split_once("\nstack traceback:") {
            Some((message, trace)) => (message.to_string(), trace.to_string()),
            None => (text.clone(), String::new()),
        },
        Error::MemoryError(_) => ("this script uses too much memory".into(), String::new()),
        Error::ExternalError(inner) => (inner.to_string(), String::new()),
        other => (other.to_string(), String::new()),
    }
}

/// The file and line that a text begins with, as in `scripts/hero.luau:12: why`, and the rest.
fn at_line<'m>(text: &'m str, sources: &Sources) -> Option<(Arc<SourceFile>, usize, &'m str)> {
    let (name, rest) = text.split_once(':')?;
    let file = sources.values().find(|file| file.name == name)?;
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let line = rest[..digits].parse().ok()?;
    Some((file.clone(), line, rest[digits..].trim_start_matches([':', ' '])))
}

/// The place in a line that a message is about: the first name in quotes in it that is in the line, or else its first word.
fn place_in_line(file: &Arc<SourceFile>, line: usize, message: &str) -> Place {
    let begin = match line {
        0 | 1 => 0,
        _ => file.text.match_indices('\n').nth(line - 2).map_or(file.text.len(), |(at, _)| at + 1),
    };
    let rest = &file.text[begin..];
    let text = &rest[..rest.find('\n').unwrap_or(rest.len())];
    let quoted = message.split(['`', '\'', '"']).skip(1).step_by(2);
    let last = |name: &str| name.rsplit(['.', ':']).next().unwrap_or_default().to_string();
    let names = quoted.flat_map(|name| [name.to_string(), last(name)]);
    let found = names.filter(|name| !name.is_empty()).find_map(|name| {
        let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
        text.match_indices(&name).find_map(|(at, _)| {
            let inside = is_part(text[..at].chars().next_back()) || is_part(text[at + name.len()..].chars().next());
            (!inside).then_some(at..at + name.len())
        })
    });
    let span = found.unwrap_or_else(|| {
        let first = text.len() - text.trim_start().len();
        first..text.trim_end().len().max(first)
    });
    Place::new(file, begin + span.start..begin + span.end)
}

/// A message of Luau in plain words.
fn in_plain_words(message: &str) -> String {
    if let Some(name) = between(message, "attempt to index nil with '", "'") {
        return format!("there is nothing to take `{name}` from: the value before it is nil");
    }
    if message.contains("attempt to modify a readonly table") {
        return "what a script declares cannot be changed later, as it is not saved; keep it in `vars`".into();
    }
    if message.contains("stack overflow") {
        return "functions call each other too deeply; does one call itself without an end?".into();
    }
    if let Some(what) = message.strip_prefix("attempt to call ") {
        return format!("this cannot be called: it is {}", what.trim_end_matches(" value"));
    }
    message.to_string()
}

fn between<'m>(text: &'m str, before: &str, after: &str) -> Option<&'m str> {
    let (_, rest) = text.split_once(before)?;
    rest.split_once(after).map(|(inside, _)| inside)
}
