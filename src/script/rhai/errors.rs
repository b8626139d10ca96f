//! From Rhai's errors to messages that point at the line that failed.

use super::api::{names, signatures_of};
use super::engine::{data_too_large, too_deep, too_long};
use super::likely;
use super::misread::Meant;
use super::resolver::Sources;
use super::weight::weight;
use crate::script::host::api::Room;
use crate::script::host::{Caller, Diagnostic, Fault, Limits, Place, SourceFile};
use rhai::{Dynamic, EvalAltResult, ParseError, ParseErrorType, Position};
use std::sync::Arc;

/// What is said of a closure that uses what is in use.
pub(super) const IN_USE: &str = "a closure uses the object that it is passed to: take that as the \
     closure's own parameter, as in `t.run_until(|t| t.tick > 3, 2)`";

/// What is said of a closure that is called with what it has no parameter for.
const UNTAKEN: &str = "a closure is given a value that it has no parameter for: take it, as in \
     `t.run_until(|t| hero.grounded, 2)`";

/// What is said of a closure that uses `this`, which nobody gives it.
pub(super) const THIS_IN_CLOSURE: &str = "inside a closure `this` is not known: put what it reads into a `let` \
     before it, and what it changes into a `for` or a function that is called as `this.helper()`";

/// What is added of one to which it is the element of a list.
const OF_ELEMENT: &str =
    "; inside this closure `this` is the element: put what it reads into a `let` before it";

/// What a closure is called.
const CLOSURE: &str = "a closure";

/// Most calls that are told; a recursion repeats itself.
const MOST_CALLERS: usize = 8;

/// What is needed to say where and what.
pub(super) struct Explainer<'a> {
    /// The file whose code was called.
    pub file: &'a Arc<SourceFile>,
    /// The files that it may import.
    pub sources: &'a Sources,
    /// The limits that held.
    pub limits: &'a Limits,
    /// Where the file is used, and so what can be read and called there.
    pub room: Room,
}

/// An error when compiling.
pub(super) fn parse_error(file: &Arc<SourceFile>, error: &ParseError) -> Diagnostic {
    let at = error.position();
    let line = at.line().unwrap_or(1);
    let line = file.text.lines().nth(line - 1).unwrap_or("");
    let meant = Meant::of(error.err_type(), line, at.position().unwrap_or(1));
    let text = match error.err_type() {
        _ if let Some(text) = meant.instead => text,
        ParseErrorType::ExprTooDeep => {
            "this is nested too deep for a script; give parts of it names with `let`".into()
        }
        other => lowered(&other.to_string()),
    };
    let line = line.trim_start();
    let hint = if line.starts_with("function ") {
        "; a function begins with `fn`"
    } else if line.starts_with("var ") {
        "; a variable begins with `let`"
    } else if text.contains("'try'") {
        "; it is off in behaviours: a mistake ends the hook and is told"
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
            E::ErrorVariableNotFound(name, _) => {
                likely::variable(name, self.room, &file.text, text_at(file, pos))
            }
            E::ErrorModuleNotFound(name, _) if name == "world" && self.room == Room::Test => {
                likely::no_world()
            }
            // What sorting says of its own accord.
            E::ErrorFunctionNotFound(why, _) if why.ends_with("cannot be sorted") => {
                plain_words(why)
            }
            E::ErrorFunctionNotFound(signature, _) => {
                let before = text_before(file, pos);
                self.no_function(signature, &file.text, before.ends_with('.'))
            }
            E::ErrorFor(_) => {
                "`for` goes through a range, an array or a text's `chars()`, and this is none"
                    .into()
            }
            E::ErrorMismatchDataType(wanted, found, _) if !found.is_empty() => {
                let (wanted, found) = (kind(wanted), kind(found));
                format!("{wanted} is wanted here, and this is {found}")
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
                if let Some(missed) = value.clone().try_cast::<super::api::expect::Missed>() {
                    missed.to_string()
                } else if let Some(failed) = value.clone().try_cast::<BehaviourFailed>() {
                    failed.to_string()
                } else if limits.tuned {
                    thrown(value)
                } else {
                    value.to_string()
                }
            }
            E::ErrorParsing(kind, _) => lowered(&kind.to_string()),
            other => lowered(&without_position(other)),
        }
    }

    /// Of a call that nothing takes; `on_value` says whether it is a method's.
    fn no_function(&self, signature: &str, source: &str, on_value: bool) -> String {
        let name = signature.split([' ', '(']).next().unwrap_or_default();
        if name.starts_with("anon$") {
            return UNTAKEN.into();
        }
        let given = signature.matches(", ").count() + usize::from(!signature.ends_with("()"));
        let first = first_type(signature);
        let known = names(self.room).contains(&name);
        let right = signatures_of(name, first, self.room);
        let shown = plain(signature);
        if known {
            let right = right.join("` or `");
            format!("`{name}` cannot be called as `{shown}`: it is `{right}`")
        } else if let Some(text) = likely::miscounted(name, given, on_value, source, &shown) {
            text
        } else if name.starts_with(|c: char| c.is_alphabetic() || c == '_') {
            let hint = likely::function(name, first, self.room, source);
            format!("there is no function `{shown}`{hint}")
        } else if shown.contains("()") {
            format!(
                "`{shown}` cannot be computed: one side is (); a variable that nobody has given a value is (): \
                 give it one in `vars`"
            )
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
            likely::property(name, kind, self.room, written)
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

/// What a modder calls a value of one of Rhai's types.
fn kind(of: &str) -> &str {
    match of {
        "bool" => "true or false",
        "i64" | "f64" => "a number",
        "string" | "&str" | "ImmutableString" => "text",
        "char" => "a letter",
        "array" => "an array",
        "map" => "a map",
        "vec" => "a vec",
        "entity" => "an entity",
        "Fn" => "a function",
        other => other,
    }
}

/// What a test throws when a behaviour of the level that it plays has failed.
#[derive(Clone, Debug)]
pub(super) struct BehaviourFailed(pub Arc<Fault>);

impl std::fmt::Display for BehaviourFailed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "a behaviour failed: {}", self.0.diagnostic.headline())
    }
}

/// What a script threw, as far as it fits into a message.
fn thrown(value: &Dynamic) -> String {
    const MOST: usize = 400;
    if weight(value).is_err() {
        return "something that is nested too deep to be shown was thrown".into();
    }
    let text = if value.is_unit() {
        "`throw` without a message".to_string()
    } else {
        value.to_string()
    };
    // A message is one line.
    let text = text.replace(|c: char| c.is_control(), " ");
    match text.char_indices().nth(MOST) {
        Some((at, _)) => format!("{} …", &text[..at]),
        None => text,
    }
}

/// The type of the first argument of a call that found no function.
fn first_type(signature: &str) -> &str {
    let arguments = signature.split_once('(').map_or("", |(_, rest)| rest);
    arguments.split([',', ')']).next().unwrap_or_default()
}

/// A sentence of Rhai's in which types have its names.
fn plain_words(text: &str) -> String {
    text.replace("i64", "number").replace("f64", "number")
}

/// A signature with the kinds of values that a modder knows, in place of Rhai's types:
/// `push (me, i64)` is `push(me, number)`.
fn plain(signature: &str) -> String {
    let (name, kinds) = signature.split_once('(').unwrap_or((signature, ""));
    let kinds = kinds
        .trim_end_matches(')')
        .split(", ")
        .map(|kind| match kind {
            "i64" | "f64" => "number",
            "&str | ImmutableString | String" | "string" => "text",
            "(" => "()",
            other => other,
        });
    format!(
        "{}({})",
        name.trim_end(),
        kinds.collect::<Vec<_>>().join(", ")
    )
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

/// A place from Rhai's position; the start of the file where there is none.
pub(super) fn place(file: &Arc<SourceFile>, pos: Position) -> Place {
    Place::at(file, pos.line().unwrap_or(1), pos.position().unwrap_or(1))
}
