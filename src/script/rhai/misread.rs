//! What was likely meant by what is no Rhai: habits of other languages, and words that are taken.

use super::likely::word;
use rhai::{LexError, ParseErrorType as E};

/// What is said in place of the language's own words, and what is added to them.
pub(super) struct Meant {
    /// In place of the language's own words.
    pub instead: Option<String>,
    /// Behind them.
    pub hint: String,
}

impl Meant {
    /// What `error` at a column (counted from 1) of a line is likely about.
    pub fn of(error: &E, line: &str, column: usize) -> Self {
        let start = line.char_indices().nth(column.saturating_sub(1));
        let (before, after) = line.split_at(start.map_or(line.len(), |(at, _)| at));
        Self {
            instead: instead(error, word(after)),
            hint: hint(error, before.trim_end(), after).unwrap_or_default(),
        }
    }
}

fn instead(error: &E, here: &str) -> Option<String> {
    let named = here.starts_with(|c: char| c.is_alphabetic() || c == '_');
    match error {
        E::WrongFnDefinition => {
            Some("a `}` is missing above: this function stands inside another block".into())
        }
        E::VariableExpected | E::FnMissingName if named => {
            Some(format!("`{here}` is a reserved word; choose another name"))
        }
        _ => None,
    }
}

fn hint(error: &E, before: &str, after: &str) -> Option<String> {
    match error {
        E::BadInput(LexError::MalformedChar(_)) => {
            return Some("; text stands in double quotes, as in `\"text\"`".into());
        }
        E::BadInput(LexError::UnexpectedInput(what))
            if what.contains(['“', '”', '‘', '’', '„']) =>
        {
            return Some("; text stands in straight double quotes, as in `\"text\"`".into());
        }
        E::Reserved(what) => return reserved(what, before),
        _ => {}
    }
    let last = before.rfind(|c: char| !c.is_alphanumeric() && c != '_');
    let last = last.map_or(before, |at| {
        word(before[at..].trim_start_matches(|c: char| !c.is_alphanumeric()))
    });
    let right = match (word(after), last) {
        ("and", _) => "`&&`",
        ("or", _) => "`||`",
        ("elif" | "elseif" | "elsif", _) => "`else if`",
        (_, "not") => "`!`",
        _ if after.starts_with('?') => "`if a { b } else { c }`",
        _ => return increment(after.get(..2)?, before),
    };
    Some(format!("; write {right}"))
}

/// Of words and signs that the language keeps for itself.
fn reserved(what: &str, before: &str) -> Option<String> {
    let right = match what {
        "?" => "; write `if a { b } else { c }`",
        "null" | "nil" | "void" => "; nothing is `()`",
        "var" => "; a variable begins with `let`",
        "match" | "case" => "; write `switch x { 1 => …, _ => … }`",
        "is" | "===" => "; write `==`",
        "!==" => "; write `!=`",
        word if word.starts_with(|c: char| c.is_alphabetic()) => "; choose another name",
        sign => return increment(sign, before),
    };
    Some(right.into())
}

/// Of `x++` and `x--`.
fn increment(sign: &str, before: &str) -> Option<String> {
    let sign = match sign {
        "++" => '+',
        "--" => '-',
        _ => return None,
    };
    let inside = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    let name = before.rfind(|c: char| !inside(c)).map_or(before, |at| {
        let first = before[at..].chars().next().map_or(0, char::len_utf8);
        &before[at + first..]
    });
    let name = if name.is_empty() { "x" } else { name };
    Some(format!("; write `{name} {sign}= 1`"))
}
