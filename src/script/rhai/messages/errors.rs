//! From Rhai's errors to messages that point at the line that failed.

use super::catalog::Catalog;
use super::likely;
use super::misread::Meant;
use super::thrown::{BehaviorFailed, Missed};
use super::words::{kind, of_parser, plain, plain_words, shown, thrown};
use crate::script::host::api::Room;
use crate::script::host::{Caller, Diagnostic, Limits, Place, SourceFile};
use crate::script::rhai::engine::halt::{IN_USE, data_too_large, too_deep, too_large, too_long};
use crate::script::rhai::engine::resolver::Sources;
use rhai::{EvalAltResult, ParseError, ParseErrorType, Position};
use std::sync::Arc;

/// What is said of a closure that is called with what it has no parameter for.
const UNTAKEN: &str = "a closure is given a value that it has no parameter for: take it, as in \
     `t.run_until(|t| hero.grounded, 2)`";

/// What is said of a closure that uses `this`, which nobody gives it.
pub(in crate::script::rhai) const THIS_IN_CLOSURE: &str = "inside a closure `this` is not known: put what it reads into a `let` \
     before it, and what it changes into a `for` or a function that is called as `this.helper()`";

/// What is added of one to which it is the element of a list.
const OF_ELEMENT: &str =
    "; inside this closure `this` is the element: put what it reads into a `let` before it";

/// What a closure is called.
const CLOSURE: &str = "a closure";

/// Most calls that are told; a recursion repeats itself.
const MOST_CALLERS: usize = 8;

/// What is needed to say where and what.
pub(in crate::script::rhai) struct Explainer<'a> {
    /// The file whose code was called.
    pub file: &'a Arc<SourceFile>,
    /// The files that it may import.
    pub sources: &'a Sources,
    /// The limits that held.
    pub limits: &'a Limits,
    /// Where the file is used, and so what can be read and called there.
    pub room: Room,
    /// What is registered; asked for only when a name has to be suggested.
    pub catalog: fn() -> &'static Catalog,
}

/// An error when compiling.
pub(in crate::script::rhai) fn parse_error(
    file: &Arc<SourceFile>,
    error: &ParseError,
) -> Diagnostic {
    let at = error.position();
    let line = at.line().unwrap_or(1);
    let line = file.text.lines().nth(line - 1).unwrap_or("");
    let meant = Meant::of(error.err_type(), line, at.position().unwrap_or(1));
    let text = match error.err_type() {
        _ if let Some(text) = meant.instead => text,
        ParseErrorType::ExprTooDeep => {
            "this is nested too deep for a script; give parts of it names with `let`".into()
        }
        other => unparsed(other),
    };
    let line = line.trim_start();
    let hint = if line.starts_with("function ") {
        "; a function begins with `fn`"
    } else if line.starts_with("var ") {
        "; a variable begins with `let`"
    } else if text.contains("'try'") {
        "; it is off in behaviors: a mistake ends the hook and is told"
    } else if text.contains("'**'") {
        "; use `pow`"
    } else {
        &meant.hint
    };
    Diagnostic::error(place(file, at), format!("{text}{hint}"))
}

impl Explainer<'_> {
    /// An error when running; one that knows no place of its own is told at `elsewhere`.
    pub fn explain(&self, error: &EvalAltResult, elsewhere: Place) -> Diagnostic {
        let mut file = self.file.clone();
        let mut outer = Position::NONE;
        let mut inner = error;
        let mut function = String::new();
        let mut calls = Vec::new();
        // The outermost position is that of the caller; the line that failed is the innermost.
        loop {
            let (called, next, source, pos) = match inner {
                EvalAltResult::ErrorInFunctionCall(name, source, next, pos) => {
                    (function_name(name), next, source, *pos)
                }
                EvalAltResult::ErrorInModule(source, next, pos) => {
                    (String::new(), next, source, *pos)
                }
                _ => break,
            };
            if !pos.is_none() && next.position().is_none() && !wraps(next) {
                outer = pos;
                inner = next;
                break;
            }
            if !pos.is_none() {
                let caller = Caller {
                    function: function.clone(),
                    place: place(&file, pos),
                };
                // A native function that calls a closure stands where it was called itself.
                if calls
                    .first()
                    .is_none_or(|last: &Caller| last.place != caller.place)
                {
                    calls.insert(0, caller);
                }
                outer = pos;
            }
            if let Some(found) = self.file_named(source) {
                file = found;
            }
            function = called;
            inner = next;
        }
        let pos = if inner.position().is_none() {
            outer
        } else {
            inner.position()
        };
        let place = if pos.is_none() {
            elsewhere
        } else {
            place(&file, pos)
        };
        calls.truncate(MOST_CALLERS);
        Diagnostic {
            calls,
            ..Diagnostic::error(place, self.message(inner, &file, pos, function == CLOSURE))
        }
    }

    fn file_named(&self, source: &str) -> Option<Arc<SourceFile>> {
        if source == self.file.name {
            return Some(self.file.clone());
        }
        self.sources
            .values()
            .find(|file| file.name == source)
            .cloned()
    }

    /// What went wrong; `closed` says whether in a closure.
    fn message(
        &self,
        error: &EvalAltResult,
        file: &SourceFile,
        pos: Position,
        closed: bool,
    ) -> String {
        use EvalAltResult as E;
        let limits = self.limits;
        match error {
            E::ErrorTerminated(..) | E::ErrorTooManyOperations(..) => {
                too_long(limits.operations, limits.tuned)
            }
            E::ErrorStackOverflow(..) => too_deep(limits),
            E::ErrorDataTooLarge(what, _) => data_too_large(what, limits),
            E::ErrorVariableNotFound(name, _) => likely::variable(
                (self.catalog)(),
                name,
                self.room,
                &file.text,
                text_at(file, pos),
            ),
            E::ErrorModuleNotFound(name, _) if name == "world" && self.room == Room::Test => {
                likely::no_world()
            }
            // What sorting says of its own accord.
            E::ErrorFunctionNotFound(why, _) if why.ends_with("cannot be sorted") => {
                plain_words(why)
            }
            E::ErrorFunctionNotFound(signature, _) => {
                let around = (text_before(file, pos), text_at(file, pos));
                self.no_function(signature, &file.text, around)
            }
            E::ErrorFor(_) => {
                "`for` goes through a range, an array or a text's `chars()`, and this is none"
                    .into()
            }
            E::ErrorDotExpr(text, _) => {
                let text = self.no_property(text);
                let of_element = closed && text_before(file, pos).ends_with("this.");
                let hint = if of_element { OF_ELEMENT } else { "" };
                format!("{text}{hint}")
            }
            E::ErrorNonPureMethodCallOnConstant(name, _) => format!(
                "a constant cannot be changed, and `{name}` would: `let` makes a copy that can"
            ),
            E::ErrorUnboundThis(..) if closed => THIS_IN_CLOSURE.into(),
            E::ErrorUnboundThis(..) => "`this` is not known here: in a helper it is bound by \
                 calling `this.helper()` instead of `helper()`"
                .into(),
            E::ErrorDataRace(..) => IN_USE.into(),
            E::ErrorRuntime(value, _) => {
                if let Some(missed) = value.clone().try_cast::<Missed>() {
                    missed.to_string()
                } else if let Some(failed) = value.clone().try_cast::<BehaviorFailed>() {
                    failed.to_string()
                } else if limits.tuned {
                    thrown(value)
                } else {
                    shown(value)
                }
            }
            E::ErrorParsing(kind, _) => unparsed(kind),
            other => mismatched(other).unwrap_or_else(|| lowered(&without_position(other))),
        }
    }

    /// Of a call that nothing takes; `around` are the line up to its place and from there on.
    fn no_function(&self, signature: &str, source: &str, around: (&str, &str)) -> String {
        let on_value = around.0.ends_with('.');
        let name = signature.split([' ', '(']).next().unwrap_or_default();
        if name.starts_with("anon$") {
            return UNTAKEN.into();
        }
        let given = signature.matches(", ").count() + usize::from(!signature.ends_with("()"));
        let first = first_type(signature);
        let catalog = (self.catalog)();
        let known = catalog.has(name, self.room);
        let right = catalog.signatures_of(name, first, self.room);
        let shown = plain(signature);
        if known {
            let right = right.join("` or `");
            let given = first_type(&shown);
            let hint = likely::of_text(name, given);
            format!("`{name}` cannot be called as `{shown}`: it is `{right}`{hint}")
        } else if let Some(text) =
            likely::miscounted(catalog, name, given, on_value, source, &shown)
        {
            text
        } else if name.starts_with(|c: char| c.is_alphabetic() || c == '_') {
            let hint = likely::function(catalog, name, first, self.room, source);
            format!("there is no function `{shown}`{hint}")
        } else if name.starts_with("..") && shown.contains("text") {
            format!(
                "`{shown}` cannot be computed: `{name}` makes a range of numbers; texts are joined with `+`"
            )
        } else if shown.contains("()") {
            let nothing = likely::nothing(&shown, around);
            format!("`{shown}` cannot be computed: {nothing}")
        } else {
            format!("`{shown}` cannot be computed: these do not go together")
        }
    }

    fn no_property(&self, text: &str) -> String {
        // The property, then the type that it was looked for in.
        let mut quoted = text.split('\'').skip(1).step_by(2);
        let name = quoted.next().unwrap_or_default();
        if name.is_empty() {
            lowered(text)
        } else if text.contains("'()'") {
            format!(
                "`{name}` is looked for in (), which is nothing: is there no such entity, or was it never given a \
                 value?"
            )
        } else {
            let kind = quoted.next().unwrap_or_default();
            let written = text.starts_with("No writable");
            likely::property((self.catalog)(), name, kind, self.room, written)
        }
    }
}

/// The rest of the line from a position on.
fn text_at(file: &SourceFile, pos: Position) -> &str {
    let line = pos.line().and_then(|line| file.text.lines().nth(line - 1));
    let line = line.unwrap_or_default();
    let at = line.char_indices().nth(pos.position().unwrap_or(1) - 1);
    &line[at.map_or(line.len(), |(at, _)| at)..]
}

/// The line of a position, up to there.
fn text_before(file: &SourceFile, pos: Position) -> &str {
    let line = pos.line().and_then(|line| file.text.lines().nth(line - 1));
    let line = line.unwrap_or_default();
    let end = line.len() - text_at(file, pos).len();
    line[..end].trim_end()
}

/// The type of the first argument of a call that found no function.
fn first_type(signature: &str) -> &str {
    let arguments = signature.split_once('(').map_or("", |(_, rest)| rest);
    arguments.split([',', ')']).next().unwrap_or_default()
}

/// A function as messages call it; closures have names that nobody wrote.
fn function_name(name: &str) -> String {
    if name.starts_with("anon$") {
        CLOSURE.into()
    } else {
        format!("`{name}`")
    }
}

fn wraps(error: &EvalAltResult) -> bool {
    matches!(
        error,
        EvalAltResult::ErrorInFunctionCall(..) | EvalAltResult::ErrorInModule(..)
    )
}

fn without_position(error: &EvalAltResult) -> String {
    let text = error.to_string();
    text.split(" (line ").next().unwrap_or(&text).to_string()
}

/// Messages go on after a colon.
fn lowered(text: &str) -> String {
    let mut chars = text.chars();
    match (chars.next(), chars.clone().next()) {
        (Some(first), Some(second)) if first.is_uppercase() && second.is_lowercase() => {
            first.to_lowercase().chain(chars).collect()
        }
        _ => text.to_string(),
    }
}

/// Of a value of another type than is wanted.
fn mismatched(error: &EvalAltResult) -> Option<String> {
    use EvalAltResult as E;
    match error {
        E::ErrorMismatchDataType(wanted, found, _) if !found.is_empty() => {
            let (wanted, found) = (kind(wanted), kind(found));
            Some(format!("{wanted} is wanted here, and this is {found}"))
        }
        E::ErrorMismatchOutputType(wanted, found, _) => {
            let (wanted, found) = (kind(wanted), kind(found));
            Some(format!(
                "{wanted} is to be answered here, and this is {found}"
            ))
        }
        E::ErrorIndexingType(text, _) => {
            let of = kind(text.split(" [").next().unwrap_or_default());
            Some(format!(
                "`[…]` is for arrays, maps and text, and this is {of}"
            ))
        }
        _ => None,
    }
}

/// What the parser says of what it cannot read.
fn unparsed(error: &ParseErrorType) -> String {
    match error {
        // An engine lets texts be twice as long as they may be.
        ParseErrorType::LiteralTooLarge(what, most) if what.contains("string") => {
            too_large("length of string", most / 2, "bytes")
        }
        ParseErrorType::MismatchedType(wanted, found) => {
            let (wanted, found) = (of_parser(wanted), of_parser(found));
            format!("{wanted} is wanted here, not {found}")
        }
        other => lowered(&other.to_string()),
    }
}

/// A place from Rhai's position; the start of the file where there is none.
pub(in crate::script::rhai) fn place(file: &Arc<SourceFile>, pos: Position) -> Place {
    Place::at(file, pos.line().unwrap_or(1), pos.position().unwrap_or(1))
}
