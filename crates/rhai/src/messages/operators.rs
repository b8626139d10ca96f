//! Messages for operators whose operands have the wrong types.

use super::*;

/// The message for an operator that does not take these types; `around` is its line, split at the operator.
pub(super) fn cannot(signature: &str, around: (&str, &str)) -> String {
    let (operator, types) = types(signature);
    let kinds: Vec<&str> = types.into_iter().map(kind).collect();
    let text = cannot_apply(operator, &kinds);
    if operator.starts_with("..") && kinds.iter().all(|kind| *kind == "a number") {
        NO_RANGE.into()
    } else if operator.starts_with("..") && kinds.contains(&"text") {
        text + JOINED
    } else if operator == "!" && around.1.contains(" in ") {
        NOT_IN.into()
    } else if kinds.contains(&UNIT) {
        text + cause(&kinds, around).as_str()
    } else {
        text
    }
}

/// The sentence about an operator and the kinds of its operands.
pub(crate) fn cannot_apply(operator: &str, kinds: &[&str]) -> String {
    match (operator.trim_end_matches('='), kinds) {
        ("+", [left, right]) => format!("cannot add {right} to {left}"),
        ("-", [left, right]) => format!("cannot subtract {right} from {left}"),
        ("*", [left, right]) => format!("cannot multiply {left} by {right}"),
        ("/", [left, right]) => format!("cannot divide {left} by {right}"),
        ("..", [left, right]) => format!("cannot make a range from {left} to {right}"),
        ("-", [only]) => format!("cannot negate {only}"),
        (_, [left, right]) => format!("cannot apply `{operator}` to {left} and {right}"),
        _ => format!("cannot apply `{operator}` to {}", kinds.join(", ")),
    }
}

/// The message for a range between numbers that are not whole.
pub(crate) const NO_RANGE: &str = "a range needs whole numbers; write `to_int(…)`";

/// The message for `!a in list`, which negates `a`.
pub(crate) const NOT_IN: &str = "`!` negates what follows it alone; write `a !in list`";

/// The hint for `..` between texts, which joins them in Lua.
pub(crate) const JOINED: &str = "; join text with `+`, or write `${a} and ${b}` in backquotes";

/// How messages name the value of a variable that was never set.
const UNIT: &str = "`()`";

/// Why an operand is `()`: names it, if it is a variable.
fn cause(kinds: &[&str], (before, after): (&str, &str)) -> String {
    let sign = |c: char| "+-*/%=<>!&|^".contains(c);
    let right = after.trim_start_matches(sign).trim_start();
    let kept = match kinds {
        [UNIT, _] => kept_before(before),
        _ => kept_at(right),
    };
    if let Some(call) = kept {
        return format!("; nothing is kept under this name yet: write `({call} ?? 0)`");
    }
    let right = path_at(right);
    let operand = match kinds {
        [UNIT, _] => path_before(before),
        [_, _] | [_] => right,
        _ => None,
    };
    match operand {
        Some(path) if path.starts_with("this.") => {
            format!("; `{path}` was never set: give it an initial value in `vars`")
        }
        Some(path) => format!("; `{path}` does not exist or has no value"),
        None => "; a variable that was never set is `()`: give it an initial value in `vars`".into(),
    }
}

/// What returns `()` as long as nothing is kept.
const KEPT: &str = "world::kept(";

/// The call of `world::kept` that a text begins with.
fn kept_at(text: &str) -> Option<&str> {
    let rest = text.strip_prefix(KEPT)?;
    let end = KEPT.len() + rest.find(')')? + 1;
    Some(&text[..end])
}

/// The call of `world::kept` that a text ends with.
fn kept_before(text: &str) -> Option<&str> {
    let text = text.trim_end();
    let call = &text[text.rfind(KEPT)?..];
    kept_at(call).filter(|found| found.len() == call.len())
}

/// Why the value that a text ends with is `()`.
pub(super) fn why_unit(text: &str) -> String {
    match path_before(text) {
        Some(path) if path.starts_with("this.") => format!("`{path}` was never set"),
        Some(path) => format!("`{path}` has no value, or its entity does not exist"),
        None => "the entity does not exist, or the variable was never set".into(),
    }
}

/// Whether a text is a name, or names with dots between them.
fn is_path(text: &str) -> bool {
    text.split('.').all(begins_name)
}

/// Whether a character can be part of names with dots between them.
pub(super) fn in_path(c: char) -> bool {
    in_word(c) || c == '.'
}

/// The path that a text begins with, unless something after it is called or looked up.
fn path_at(text: &str) -> Option<&str> {
    let after = text.trim_start_matches(in_path);
    let path = &text[..text.len() - after.len()];
    (is_path(path) && !after.trim_start().starts_with(['(', '[', '?', ':', '!'])).then_some(path)
}

/// The path that a text ends with, unless it belongs to something before it.
fn path_before(text: &str) -> Option<&str> {
    let text = text.trim_end();
    let before = text.trim_end_matches(in_path);
    let path = text[before.len()..].rsplit("..").next().unwrap_or_default();
    (is_path(path) && !before.ends_with([':', '?', ')', ']'])).then_some(path)
}
