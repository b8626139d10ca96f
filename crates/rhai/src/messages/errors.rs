//! From Rhai's errors to messages that point at the line that failed.

use super::*;

/// The message for a closure that is called with more values than it has parameters.
const NO_PARAMETER: &str = "a closure is called with a value but has no parameter for it; add one, as in \
     `t.run_until(|t| hero.grounded, 2)`";

/// The message for a closure that uses `this`, which Rhai does not pass on to closures.
pub(crate) const THIS_IN_CLOSURE: &str = "`this` is not available inside a closure; read its variables into a `let` \
     before it; to change them, write a `for` loop or a function called as `this.helper()`";

/// The message for a number with a fraction where a whole number has to be, as in `list[1.0]`.
pub(crate) const NOT_WHOLE: &str =
    "an index must be a whole number, and this one has a decimal point; write `[to_int(…)]`";

/// The hint for a closure in which `this` is the element of a list.
const OF_ELEMENT: &str = "; in this closure `this` is the element: read the script's variable into a `let` before it";

/// How messages call a function without a name.
const CLOSURE: &str = "a closure";

/// The largest number of calls that a message lists; a recursion repeats itself.
const MOST_CALLERS: usize = 8;

/// Explains the errors of one running script.
pub(crate) struct Explainer<'a> {
    /// The file whose code was called.
    pub file: &'a Arc<SourceFile>,
    /// The files that it may import.
    pub sources: &'a Sources,
    /// The limits of the call.
    pub limits: &'a Limits,
    /// Where the file is used, which decides what it can read and call.
    pub api_set: ApiSet,
    /// What is registered; only asked for when a name has to be suggested.
    pub catalog: Box<dyn Fn() -> &'static Catalog + 'a>,
}

/// The message for a file that does not parse.
pub(crate) fn parse_error(file: &Arc<SourceFile>, error: &ParseError) -> Diagnostic {
    let at = error.position().or_else(Position::START);
    let (before, after) = around(file, at);
    let habit = hint(error.err_type(), before, after).unwrap_or_default();
    let text = match error.err_type() {
        _ if let Some(text) = instead(error.err_type(), before, after) => text,
        ParseErrorType::ExprTooDeep => "this expression is nested too deep for a script; split it up with `let`".into(),
        other => unparsed(other),
    };
    let line = line_at(file, at).trim_start();
    let hint = if line.starts_with("function ") {
        "; functions are declared with `fn`"
    } else if line.starts_with("var ") {
        "; variables are declared with `let`"
    } else if text.contains("'try'") {
        "; behaviors have no `try`: an error ends the hook and is reported"
    } else if text.contains("'**'") {
        "; use `pow`"
    } else {
        &habit
    };
    match error.err_type() {
        ParseErrorType::MissingToken(token, _) if token == ";" && hint.is_empty() => {
            let place = after_statement(file, place(file, at));
            Diagnostic::error(place, "a `;` is missing after this statement")
        }
        _ => Diagnostic::error(place(file, at), format!("{text}{hint}")),
    }
}

/// Where a `;` is missing that the parser notices at `found`: if that is on a later line, after the code before it.
fn after_statement(file: &Arc<SourceFile>, found: Place) -> Place {
    let end = code_end(&file.text[..found.span.start]);
    if file.text[end..found.span.start].contains('\n') {
        Place::new(file, end..end)
    } else {
        found
    }
}

/// The first endless loop without a body in the function whose name is at this place: Rhai has no position for its turns.
fn empty_loop(function: &Place) -> Option<Place> {
    let start = function.span.end;
    let text = function.file.text[start..].split("\nfn ").next()?;
    text.match_indices('{').find_map(|(at, _)| {
        let before = text[..at].trim_end();
        let is_part = |rest: &str| rest.ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let is_head = |head: &&str| before.strip_suffix(head).is_some_and(|rest| !is_part(rest));
        let head = ["loop", "while true", "do"].into_iter().find(is_head)?;
        let from = start + before.len() - head.len();
        let is_empty = text[at + 1..].trim_start().starts_with('}');
        is_empty.then(|| Place::new(&function.file, from..from + head.len()))
    })
}

impl Explainer<'_> {
    /// The message for an error of a running script; `fallback` is the place of an error without a position.
    pub fn explain(&self, error: &EvalAltResult, fallback: Place) -> Diagnostic {
        let mut file = self.file.clone();
        let mut outer = Position::NONE;
        let mut inner = error;
        let mut function = String::new();
        let mut calls = Vec::new();
        // The outermost position is the caller's; the line that failed is the innermost.
        loop {
            let (called, next, source, pos) = match inner {
                EvalAltResult::ErrorInFunctionCall(name, source, next, pos) => {
                    (function_name(name), next, source, *pos)
                }
                EvalAltResult::ErrorInModule(source, next, pos) => (String::new(), next, source, *pos),
                _ => break,
            };
            let wraps = matches!(**next, EvalAltResult::ErrorInFunctionCall(..) | EvalAltResult::ErrorInModule(..));
            if !pos.is_none() && next.position().is_none() && !wraps {
                outer = pos;
                inner = next;
                break;
            }
            if !pos.is_none() {
                let caller = CallFrame { function: function.clone(), place: place(&file, pos) };
                // A native function that calls a closure has the position of that call.
                if calls.first().is_none_or(|last: &CallFrame| last.place != caller.place) {
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
        let pos = if inner.position().is_none() { outer } else { inner.position() };
        let place = match inner {
            _ if !pos.is_none() => place(&file, pos),
            EvalAltResult::ErrorTerminated(..) => empty_loop(&fallback).unwrap_or(fallback),
            _ => fallback,
        };
        calls.truncate(MOST_CALLERS);
        let message = self.message(inner, &file, pos, function == CLOSURE);
        about_spent(Diagnostic { calls, ..Diagnostic::error(place, message) })
    }

    fn file_named(&self, source: &str) -> Option<Arc<SourceFile>> {
        if source == self.file.name {
            return Some(self.file.clone());
        }
        self.sources.values().find(|file| file.name == source).cloned()
    }

    fn names<'s>(&self, source: &'s str) -> KnownNames<'s> {
        KnownNames { catalog: (self.catalog)(), api_set: self.api_set, source }
    }

    /// The text for an error at a position of a file; `closed` if the code that failed is a closure.
    fn message(&self, error: &EvalAltResult, file: &SourceFile, pos: Position, closed: bool) -> String {
        use EvalAltResult as E;
        let limits = self.limits;
        match error {
            E::ErrorTerminated(..) | E::ErrorTooManyOperations(..) => too_long(limits.operations, limits.tuned),
            E::ErrorStackOverflow(..) => too_deep(limits),
            E::ErrorDataTooLarge(what, _) => data_too_large(what, limits),
            E::ErrorVariableNotFound(name, _) => self.names(&file.text).variable(name, around(file, pos).1),
            E::ErrorModuleNotFound(name, _) if self.api_set == ApiSet::Test && Owner::module(name).is_some() => {
                likely::no_module(name)
            }
            // Rhai's functions that sort put a whole sentence where a signature is expected.
            E::ErrorFunctionNotFound(why, _) if why.ends_with("cannot be sorted") => plain_words(why),
            E::ErrorFunctionNotFound(signature, _) => self.no_function(signature, &file.text, around(file, pos)),
            E::ErrorFor(_) => "`for` needs a range, an array, a map's `values()` or a text's `chars()`".into(),
            E::ErrorDotExpr(text, _) => {
                let (before, _) = around(file, pos);
                let text = self.no_property(text, before);
                let of_element = closed && before.ends_with("this.");
                let hint = if of_element { OF_ELEMENT } else { "" };
                format!("{text}{hint}")
            }
            E::ErrorNonPureMethodCallOnConstant(name, _) => {
                format!("a constant cannot be changed; copy it with `let` before you call `{name}` on it")
            }
            E::ErrorAssignmentToConstant(name, at) => {
                let name = plain_name(name).to_string();
                lowered(&without_position(&E::ErrorAssignmentToConstant(name, *at)))
            }
            E::ErrorUnboundThis(..) if closed => THIS_IN_CLOSURE.into(),
            E::ErrorUnboundThis(..) => {
                "`this` is not available here; call the helper as `this.helper()` instead of `helper()`".into()
            }
            E::ErrorDataRace(..) => IN_USE.into(),
            E::ErrorRuntime(value, _) => {
                if let Some(missed) = value.read_lock::<FailedExpectation>() {
                    missed.to_string()
                } else if let Some(failed) = value.read_lock::<BehaviorFailed>() {
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

    /// The message for a call that no function takes; `around` is its line, split at the position of the call.
    fn no_function(&self, signature: &str, source: &str, around: (&str, &str)) -> String {
        let on_value = around.0.ends_with('.');
        let name = signature.split([' ', '(']).next().unwrap_or_default();
        if name.starts_with("anon$") {
            return NO_PARAMETER.into();
        }
        let given = signature.matches(", ").count() + usize::from(!signature.ends_with("()"));
        let first = first_type(signature);
        let names = self.names(source);
        let shown = plain(signature);
        let pointed = format!("Fn(\"{name}\")");
        let of_module: Vec<String> = names.of_module(name).into_iter().map(ApiEntry::signature).collect();
        let known = !of_module.is_empty() && !source.contains(&pointed);
        if known || names.has(name) {
            let habit = elsewhere::call(name, first, self.api_set).filter(|_| !first.is_empty());
            let right = if known { of_module } else { names.signatures_of(name, first) };
            likely::cannot_call(name, &shown, likely::arguments(&shown), habit, &right)
        } else if let Some(text) = names.miscounted(name, given, on_value, &shown) {
            text
        } else if begins_name(name) {
            let hint = names.function(name, first);
            format!("there is no function `{shown}`{hint}")
        } else {
            operators::cannot(signature, around)
        }
    }

    /// The message for a property that does not exist; `before` is its line up to the property.
    fn no_property(&self, text: &str, before: &str) -> String {
        // Rhai quotes the property, then the type of the value.
        let mut quoted = text.split('\'').skip(1).step_by(2);
        let name = quoted.next().unwrap_or_default();
        if name.is_empty() {
            return lowered(text);
        }
        let written = text.starts_with("No writable");
        if text.contains("'()'") {
            let does = if written { "set" } else { "read" };
            let why = operators::why_unit(before.strip_suffix('.').unwrap_or_default());
            return format!("cannot {does} `{name}` of `()`; {why}");
        }
        let kind = quoted.next().unwrap_or_default();
        self.names("").property(name, kind, written)
    }
}

/// The line of a position.
fn line_at(file: &SourceFile, pos: Position) -> &str {
    let line = pos.line().and_then(|line| file.text.lines().nth(line - 1));
    line.unwrap_or_default()
}

/// The line of a position, up to the position and from there on.
fn around(file: &SourceFile, pos: Position) -> (&str, &str) {
    let line = line_at(file, pos);
    let at = line.char_indices().nth(pos.position().unwrap_or(1).saturating_sub(1));
    let (before, after) = line.split_at(at.map_or(line.len(), |(at, _)| at));
    (before.trim_end(), after)
}

/// The type of the first argument of a call that found no function.
fn first_type(signature: &str) -> &str {
    let arguments = signature.split_once('(').map_or("", |(_, rest)| rest);
    arguments.split([',', ')']).next().unwrap_or_default()
}

/// How messages call a function; the names of closures are Rhai's own.
fn function_name(name: &str) -> String {
    if name.starts_with("anon$") { CLOSURE.into() } else { format!("`{name}`") }
}

fn without_position(error: &EvalAltResult) -> String {
    let text = error.to_string();
    text.split(" (line ").next().unwrap_or(&text).to_string()
}

/// A sentence from Rhai, changed so that it can follow `error: `.
fn lowered(text: &str) -> String {
    let mut chars = text.chars();
    match (chars.next(), chars.clone().next()) {
        (Some(first), Some(second)) if first.is_uppercase() && second.is_lowercase() => {
            first.to_lowercase().chain(chars).collect()
        }
        _ => text.to_string(),
    }
}

/// The message for a value of the wrong type.
fn mismatched(error: &EvalAltResult) -> Option<String> {
    use EvalAltResult as E;
    match error {
        E::ErrorMismatchDataType(wanted, found, _) if wanted == "i64" && found == "f64" => Some(NOT_WHOLE.into()),
        E::ErrorMismatchDataType(wanted, found, _) if !found.is_empty() => {
            let (wanted, found) = (kind(wanted), kind(found));
            Some(format!("expected {wanted}, found {found}"))
        }
        E::ErrorMismatchOutputType(wanted, found, _) => {
            let (wanted, found) = (kind(wanted), kind(found));
            Some(format!("this must return {wanted}, but it returns {found}"))
        }
        E::ErrorIndexingType(text, _) => {
            let of = kind(text.split(" [").next().unwrap_or_default());
            Some(format!("`[…]` works on arrays, maps and text, not on {of}"))
        }
        _ => None,
    }
}

/// The message for an error of the parser.
fn unparsed(error: &ParseErrorType) -> String {
    match error {
        // The engine allows twice the limit; see `setup`.
        ParseErrorType::LiteralTooLarge(what, most) if what.contains("string") => text_too_large(most / 2),
        ParseErrorType::MismatchedType(wanted, found) => {
            let (wanted, found) = (of_parser(wanted), of_parser(found));
            format!("expected {wanted}, found {found}")
        }
        other => lowered(&other.to_string()),
    }
}

/// A place from Rhai's position; the start of the file where there is none.
pub(crate) fn place(file: &Arc<SourceFile>, pos: Position) -> Place {
    Place::at(file, pos.line().unwrap_or(1), pos.position().unwrap_or(1))
}
