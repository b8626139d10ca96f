//! From Luau's errors to messages with a place.

use crate::{
    binding::{OWN_CHUNK, in_lua},
    globals::LIBRARIES,
    scopes::KEYWORDS,
    syntax::{LuaWord, WordKind, begin_with, variables, words},
};
use hangtime_script::{
    CallRefusal, Diagnostic, FailedExpectation, Fault, Place, SourceFile, Sources, about_spent, api::Owner,
    elsewhere::found, names::nearest,
};
use mlua::Error;
use std::{error, fmt, sync::Arc};

/// What fails on its way through Luau.
#[derive(Debug)]
enum Failed {
    /// A refusal, and the name in the script that it is about, if the message does not say it.
    Refused(CallRefusal, Option<String>),
    /// A mistake in a file.
    Placed(Diagnostic),
}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(refusal, _) => refusal.fmt(f),
            Self::Placed(wrong) => f.write_str(&wrong.headline()),
        }
    }
}

impl error::Error for Failed {}

/// A refusal as Luau's error.
pub(crate) fn refused(refusal: CallRefusal) -> Error {
    refused_at(refusal, None)
}

fn refused_at(refusal: CallRefusal, about: Option<&str>) -> Error {
    match refusal {
        CallRefusal::Foreign(error) => match error.downcast::<Error>() {
            Ok(error) => *error,
            Err(_) => Error::runtime("a function failed"),
        },
        refusal => Error::external(Failed::Refused(refusal, about.map(str::to_string))),
    }
}

/// A refusal with this message.
pub(crate) fn failed(message: impl Into<String>) -> Error {
    refused(CallRefusal::Message(message.into().into()))
}

/// A refusal by the call with this name.
pub(crate) fn refused_by(name: &str, refusal: CallRefusal) -> Error {
    refused_at(refusal, Some(name))
}

/// A refusal of a name, which its message need not say.
pub(crate) fn refused_name(name: &str, message: impl Into<String>) -> Error {
    refused_by(name, CallRefusal::Message(message.into().into()))
}

/// A mistake in a file as Luau's error.
pub(crate) fn placed(wrong: Diagnostic) -> Error {
    Error::external(Failed::Placed(wrong))
}

/// What an error comes from, if it is of this type.
pub(crate) fn cause<T: error::Error + 'static>(error: &Error) -> Option<&T> {
    error.chain().find_map(|cause| cause.downcast_ref())
}

/// Whether a machine has no memory left.
pub(crate) fn is_out_of_memory(error: &Error) -> bool {
    error.chain().any(|cause| matches!(cause.downcast_ref(), Some(Error::MemoryError(_))))
}

/// The fault of a behavior of the level that a test plays, if it is the cause of an error.
pub(crate) fn failed_behavior(error: &Error) -> Option<Arc<Fault>> {
    match cause(error)? {
        Failed::Refused(CallRefusal::Behavior(failed), _) => Some(failed.0.clone()),
        _ => None,
    }
}

/// What an error says, and where: the line of the file that is nearest to the error.
pub(crate) fn explain(error: &Error, sources: &Sources, otherwise: Place) -> Diagnostic {
    let missed = cause::<FailedExpectation>(error);
    let (is_luaus, about) = match cause(error) {
        Some(Failed::Placed(wrong)) => return wrong.clone(),
        Some(Failed::Refused(_, about)) => (false, about.as_deref()),
        None => (true, missed.map(|missed| missed.by)),
    };
    let (message, trace) = read(error);
    // What Luau says begins with a place. What a call says may begin with the place of something else.
    let (message, begins) = match at_line(&message, sources).filter(|_| is_luaus) {
        Some((file, line, rest)) => (rest.to_string(), Some((file, line))),
        None => (in_lua(without_own_place(&message)), None),
    };
    let place = begins.or_else(|| trace.lines().find_map(|line| at_line(line.trim(), sources).map(|(f, l, _)| (f, l))));
    let plain = in_plain_words(&message);
    let called = place.as_ref().filter(|_| message.starts_with("attempt to call ")).and_then(only_call);
    let missing = place.as_ref().and_then(|place| missing_operand(place, &message));
    let plain = missing
        .as_ref()
        .map_or(plain, |name| format!("{}; `{name}` does not exist or has no value", refused_operator(&message)));
    let about = missing.as_deref().or(about).or(called.as_deref());
    let place = match place {
        Some((file, line)) => {
            let quotes = match failed_behavior(error).is_none() && missed.is_none() {
                true if plain.starts_with('`') => &plain,
                true => &message,
                // What another script or an expectation quotes is not in this line.
                false => "",
            };
            place_in_line(&file, line, (about, quotes))
        }
        None => otherwise,
    };
    let before = &place.file.text[..place.span.start];
    let line = place.file.text[before.rfind('\n').map_or(0, |at| at + 1)..].lines().next();
    // What is missing at the end may be missing anywhere.
    let line = line.filter(|line| !line.is_empty()).unwrap_or(&place.file.text);
    let said = if matches!(error, Error::SyntaxError { .. }) {
        words(line)
    } else {
        Vec::new()
    };
    let is_said = |signs| (0..said.len()).any(|at| begin_with(&said[at..], signs));
    let habit = HABITS.iter().find(|(signs, _)| is_said(signs)).map(|(_, right)| *right);
    let right = habit.or_else(|| found(called.as_deref()?, OF_LISTS));
    let plain = right.map_or(plain.clone(), |right| format!("{plain}; write {right}"));
    let message = with_own_names(plain, &words(&place.file.text));
    about_spent(Diagnostic::error(place, message))
}

/// A message about a name that is declared nowhere: a variable of the file or of a function may have been meant, which only
/// the words of the file tell.
pub(crate) fn with_own_names(message: String, words: &[LuaWord<'_>]) -> String {
    let name = between(&message, "there is no `", "`").filter(|name| message == format!("there is no `{name}`"));
    let near = name.and_then(|name| {
        Some((name, nearest(name, variables(words).filter(|known| *known != name && !KEYWORDS.contains(known)))?))
    });
    near.map(|(name, near)| format!("there is no `{name}`; did you mean `{near}`?"))
        .unwrap_or(message)
}

/// What is called in a line of a file, if that is one thing: Luau does not say what cannot be called.
fn only_call((file, line): &(Arc<SourceFile>, usize)) -> Option<String> {
    let words = words(file.text.lines().nth(line.checked_sub(1)?)?);
    let is_name = |word: &LuaWord<'_>| word.kind == WordKind::Name && !KEYWORDS.contains(&word.text);
    let is_call = |pair: &&[LuaWord<'_>]| is_name(&pair[0]) && pair[1].is_sign("(");
    let mut called = words.windows(2).filter(is_call).map(|pair| pair[0].text);
    called.next().filter(|_| called.next().is_none()).map(str::to_string)
}

/// The operators that a message of Luau is about.
fn operators(message: &str) -> &'static [&'static str] {
    let of = [
        ("attempt to compare", ["<", ">", "<=", ">="].as_slice()),
        ("attempt to perform arithmetic (add)", &["+", "+="]),
        ("attempt to perform arithmetic (sub)", &["-", "-="]),
        ("attempt to perform arithmetic (mul)", &["*", "*="]),
        ("attempt to perform arithmetic (div)", &["/", "/="]),
        ("attempt to perform arithmetic (mod)", &["%", "%="]),
        ("attempt to concatenate", &["..", "..="]),
    ];
    of.into_iter().find(|(said, _)| message.starts_with(said)).map_or(&[], |(_, signs)| signs)
}

/// What of the values that an operator cannot take is nil, if the line has it once: Luau does not say it.
fn missing_operand((file, line): &(Arc<SourceFile>, usize), message: &str) -> Option<String> {
    let words = words(file.text.lines().nth(line.checked_sub(1)?)?);
    let mut signs = (0..words.len()).filter(|at| operators(message).iter().any(|sign| words[*at].is_sign(sign)));
    let sign = signs.next().filter(|_| message.contains("nil") && signs.next().is_none())?;
    let is_name = |at: usize| words.get(at).is_some_and(|it| it.kind == WordKind::Name && !KEYWORDS.contains(&it.text));
    let dotted = |at: usize| words.get(at).is_some_and(|word| word.is_sign("."));
    let (mut begin, mut end) = (sign, sign + 1);
    if begin > 0 && is_name(begin - 1) {
        begin -= 1;
        while begin > 1 && dotted(begin - 1) && is_name(begin - 2) {
            begin -= 2;
        }
    }
    let is_part = begin > 0 && [".", ":"].contains(&words[begin - 1].text);
    while is_name(end) && dotted(end + 1) {
        end += 2;
    }
    let text = |from: usize, to: usize| words[from..to].iter().map(|word| word.text).collect::<String>();
    let left = if is_part { String::new() } else { text(begin, sign) };
    let right = if is_name(end) { text(sign + 1, end + 1) } else { String::new() };
    let is_call = words.get(end + 1).is_some_and(|next| ["(", "[", ":"].contains(&next.text));
    let (before, after) = message.rsplit_once(' ')?;
    let last_is_nil = after.trim() == "nil";
    let first_is_nil = before.contains("nil");
    // Luau turns `>` around.
    let turned = words[sign].text.starts_with('>');
    let (left_is_nil, right_is_nil) = if turned { (last_is_nil, first_is_nil) } else { (first_is_nil, last_is_nil) };
    match (left_is_nil && !left.is_empty(), right_is_nil && !right.is_empty() && !is_call) {
        (true, false) => Some(left),
        (false, true) => Some(right),
        _ => None,
    }
}

/// The message about an operator that does not take nil.
fn refused_operator(message: &str) -> String {
    let what = match operators(message) {
        ["<", ..] => "compare",
        ["..", ..] => "join",
        _ => "compute with",
    };
    format!("cannot {what} nil")
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

/// A message without the place in a function of ours that raised it.
fn without_own_place(message: &str) -> &str {
    let rest = message.strip_prefix(OWN_CHUNK).and_then(|rest| rest.strip_prefix(':'));
    rest.and_then(|rest| rest.split_once(": ")).map_or(message, |(_, message)| message)
}

/// The file and line that a text begins with, as in `scripts/hero.luau:12: why`, and the rest.
fn at_line<'m>(text: &'m str, sources: &Sources) -> Option<(Arc<SourceFile>, usize, &'m str)> {
    let (name, rest) = text.split_once(':')?;
    let file = sources.values().find(|file| file.name == name)?;
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let line = rest[..digits].parse().ok()?;
    Some((file.clone(), line, rest[digits..].trim_start_matches([':', ' '])))
}

/// The place in a line that a message is about: this name, or the first name in quotes in it that is in the line, or else
/// the whole line.
pub(crate) fn place_in_line(file: &Arc<SourceFile>, line: usize, (about, message): (Option<&str>, &str)) -> Place {
    let begin = match line {
        0 | 1 => 0,
        _ => file.text.match_indices('\n').nth(line - 2).map_or(file.text.len(), |(at, _)| at + 1),
    };
    let rest = &file.text[begin..];
    let text = &rest[..rest.find('\n').unwrap_or(rest.len())];
    let words = words(text);
    let quoted = message.split(['`', '\'', '"']).skip(1).step_by(2);
    // What has no such member is named first, and is seldom what is wrong.
    let is_owner =
        |name: &&str| ["me", "vars"].contains(name) || Owner::module(name).is_some() || LIBRARIES.contains(name);
    let (owners, mut names): (Vec<&str>, Vec<&str>) = quoted.partition(is_owner);
    names.extend(about.into_iter().chain(owners));
    let found = names.into_iter().filter(|name| !name.is_empty()).find_map(|name| {
        let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
        // Of `me.x`, the member is meant.
        let member = name.rfind(['.', ':']).map_or(0, |at| at + 1);
        let find = |name: &str| {
            let in_code = words.iter().enumerate().find(|(at, word)| {
                // What has no member is none of these, which are always there.
                let is_given = *at > 1 && [".", ":"].contains(&words[at - 1].text) && is_owner(&words[at - 2].text);
                word.is_name(name) && !(is_given && message.starts_with(NOTHING_THERE))
            });
            let in_text = || {
                text.match_indices(name).find_map(|(at, _)| {
                    let end = at + name.len();
                    let inside = is_part(text[..at].chars().next_back()) || is_part(text[end..].chars().next());
                    (!inside).then_some(at)
                })
            };
            in_code.map(|(_, word)| word.at).or_else(in_text)
        };
        let at = find(name).map(|at| at + member).or_else(|| find(&name[member..]))?;
        Some(at..at + name.len() - member)
    });
    let span = found.unwrap_or_else(|| {
        let first = text.len() - text.trim_start().len();
        first..text.trim_end().len().max(first)
    });
    Place::new(file, begin + span.start..begin + span.end)
}

/// What other languages have and what does not parse in Luau, as in [`begin_with`], with what to write instead.
const HABITS: &[(&str, &str)] = &[
    ("func _", "`function`"),
    ("def _", "`function`"),
    ("fn _", "`function`"),
    ("elif", "`elseif`"),
    ("else if", "`elseif`"),
    ("for (", "`for i = 1, 3 do … end`"),
    ("+ +", "`n += 1`"),
    ("== =", "`==`"),
    ("? _", "`if a then b else c`"),
    ("? 1", "`if a then b else c`"),
    ("? 'text'", "`if a then b else c`"),
    ("= >", "`function(x) … end`"),
    ("switch (", "`if … then … elseif … end`"),
    ("switch _", "`if … then … elseif … end`"),
];

/// What other languages call on lists.
const OF_LISTS: &[(&str, &str)] = &[
    ("len length size count Length Count getLength size_of", "`#list` for the length of a list"),
    ("append push push_back add", "`table.insert(list, value)`"),
    ("forEach foreach for_each map filter", "`for _, value in list do … end`"),
    ("contains includes indexOf", "`table.find(list, value)`"),
    ("format", "`string.format(\"%d\", n)`"),
];

/// Why a table of a file cannot be written to.
pub(crate) const FROZEN: &str = "what a script declares cannot be changed later, as it is not saved; keep it in `vars`";

/// How a message about a member of nil begins.
const NOTHING_THERE: &str = "there is nothing to take";

/// A message of Luau in plain words.
fn in_plain_words(message: &str) -> String {
    if let Some(name) = between(message, "attempt to index nil with '", "'") {
        return format!("{NOTHING_THERE} `{name}` from: the value before it is nil");
    }
    if message.contains("attempt to modify a readonly table") {
        return FROZEN.into();
    }
    if message.contains("stack overflow") {
        return "functions call each other too deeply; does one call itself without an end?".into();
    }
    if let Some(name) = between(message, "attempt to call missing method '", "'") {
        return format!("a table has no `{name}`");
    }
    if message.starts_with("attempt to perform arithmetic (add) on") && message.contains("string") {
        return "`+` adds numbers; texts are joined with `..`, as in `\"n is \" .. n`".into();
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
