//! Changed functions and constants of scripts.

use std::collections::BTreeMap;

/// What changed in a script: functions first, in the order of their names, then the rest of the file.
pub fn changed_functions(old: &str, new: &str) -> Vec<String> {
    let (old, new) = (Parts::of(old), Parts::of(new));
    let mut parts = Vec::new();
    let mut names: Vec<&String> = old.functions.keys().chain(new.functions.keys()).collect();
    names.sort();
    names.dedup();
    for name in names {
        let what = match (old.functions.get(name), new.functions.get(name)) {
            (None, _) => "added",
            (_, None) => "removed",
            (Some(was), Some(is)) if was == is => continue,
            _ => "changed",
        };
        parts.push(format!("fn {name} {what}"));
    }
    if old.rest != new.rest {
        parts.push("constants or imports changed".into());
    }
    parts
}

/// A script without comments, cut into its functions.
#[derive(Default)]
struct Parts {
    /// The tokens of each function by its name; several functions with one name are joined.
    functions: BTreeMap<String, Vec<String>>,
    rest: Vec<String>,
}

impl Parts {
    fn of(text: &str) -> Self {
        let mut parts = Self::default();
        let tokens = tokens(text);
        let mut at = 0;
        while at < tokens.len() {
            if tokens[at] == "fn" && at + 1 < tokens.len() {
                let end = end_of_function(&tokens, at);
                let known = parts.functions.entry(tokens[at + 1].clone()).or_default();
                known.extend_from_slice(&tokens[at..end]);
                at = end;
            } else {
                parts.rest.push(tokens[at].clone());
                at += 1;
            }
        }
        parts
    }
}

/// The index after the closing brace of a function.
fn end_of_function(tokens: &[String], start: usize) -> usize {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate().skip(start) {
        match token.as_str() {
            "{" | "#{" => depth += 1,
            "}" if depth == 1 => return at + 1,
            "}" => depth -= 1,
            _ => {}
        }
    }
    tokens.len()
}

/// Whether the last thing in a script is a comment, or a part of one.
pub fn ends_in_comment(text: &str) -> bool {
    pieces(text).last().is_some_and(is_comment)
}

pub fn is_comment(piece: &&str) -> bool {
    piece.starts_with("//") || piece.starts_with("/*")
}

/// Words, texts and signs, without spaces and comments. Text in backticks is one token, whatever is in it.
fn tokens(text: &str) -> Vec<String> {
    let tokens = pieces(text).into_iter().filter(|piece| !is_comment(piece));
    tokens.map(String::from).collect()
}

/// The tokens and the comments of a script.
pub fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = if first.is_whitespace() {
            rest = &rest[first.len_utf8()..];
            continue;
        } else if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            comment_end(rest)
        } else if matches!(first, '"' | '\'' | '`') {
            text_end(rest, first)
        } else if first.is_alphanumeric() || first == '_' {
            let end = |c: char| !c.is_alphanumeric() && c != '_';
            rest.find(end).unwrap_or(rest.len())
        } else if rest.starts_with("#{") {
            2
        } else {
            first.len_utf8()
        };
        pieces.push(&rest[..length]);
        rest = &rest[length..];
    }
    pieces
}

/// The bytes of a comment, which may contain others.
fn comment_end(text: &str) -> usize {
    let mut depth = 0;
    let bytes = text.as_bytes();
    let mut at = 0;
    while at + 1 < bytes.len() {
        match &bytes[at..at + 2] {
            b"/*" => depth += 1,
            b"*/" if depth == 1 => return at + 2,
            b"*/" => depth -= 1,
            _ => {
                at += 1;
                continue;
            }
        }
        at += 2;
    }
    text.len()
}

/// The bytes of a text that begins with this quote.
fn text_end(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        if escaped {
            escaped = false;
        } else if c == '\\' && quote != '`' {
            escaped = true;
        } else if c == quote {
            return at + c.len_utf8();
        }
    }
    text.len()
}

#[cfg(test)]
#[path = "../tests/unit/changes.rs"]
mod tests;
