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
        E::VariableExpected if here == "let" => Some("a name is wanted here, not `let`".into()),
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
        E::Reserved(what) => return reserved(what, before, after),
        _ => {}
    }
    if let Some(right) = of_words(word(after), last_word(before)) {
        return Some(format!("; write {right}"));
    }
    if let Some(right) = of_signs(before, after) {
        return Some(format!("; {right}"));
    }
    increment(after.get(..2)?, before)
}

/// The word that a text ends with.
fn last_word(text: &str) -> &str {
    let inside = |c: char| c.is_alphanumeric() || c == '_';
    text.rfind(|c: char| !inside(c)).map_or(text, |at| {
        let first = text[at..].chars().next().map_or(0, char::len_utf8);
        &text[at + first..]
    })
}

/// What is written in place of words of other languages: where the parser stops, or just before.
fn of_words(here: &str, last: &str) -> Option<&'static str> {
    let right = match (here, last) {
        ("and", _) => "`&&`",
        ("or", _) => "`||`",
        ("elif" | "elseif" | "elsif", _) | (_, "elif" | "elseif" | "elsif") => "`else if`",
        (_, "not") => "`!`",
        ("then", _) => "`if a { b }`",
        ("do", _) => "`while a { b }`",
        ("end", _) => "`}` where a block ends",
        (_, "foreach") => "`for x in list { … }`",
        (_, "def" | "func" | "function") => "`fn`",
        (name, "local" | "int" | "float" | "double" | "string" | "auto") if !name.is_empty() => {
            "`let` before the name of a variable"
        }
        _ => return None,
    };
    Some(right)
}

/// What is said of signs that other languages have.
fn of_signs(before: &str, after: &str) -> Option<&'static str> {
    let name = last_word(before);
    let outside = before[..before.len() - name.len()].trim_end();
    let declared = last_word(outside) == "let";
    let closure = "a function without a name is written `|x| …`";
    let right = match after.chars().next()? {
        '?' => "write `if a { b } else { c }`",
        '=' if after.starts_with("=>") => closure,
        ',' if outside.ends_with('(') && after.contains("=>") => closure,
        '{' if before.ends_with(')') && before.contains("function(") => closure,
        ':' if outside.ends_with('{') => "a map begins with `#{`, as in `#{ a: 1 }`",
        ':' if declared => "variables have no types: write `let x = …`",
        '~' if after.starts_with("~=") => "write `!=`",
        '>' if before.ends_with('<') => "write `!=`",
        _ if outside.ends_with("for (") || before.ends_with("for (") => {
            "write `for i in 0..3 { … }`"
        }
        _ => return None,
    };
    Some(right)
}

/// Of words and signs that the language keeps for itself.
fn reserved(what: &str, before: &str, after: &str) -> Option<String> {
    let begins = before.is_empty() || before.ends_with([';', '{', '}']);
    let right = match what {
        "#" => "; a comment begins with `//`, a map with `#{`",
        "--" if begins && after.starts_with("-- ") => "; a comment begins with `//`",
        "print" => "; it is called with brackets, as in `print(x)`",
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
