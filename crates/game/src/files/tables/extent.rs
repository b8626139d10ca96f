//! How many tables a text of TOML has, found out before it is parsed: parsed, a table takes over a kilobyte, and two bytes of
//! a key with dots make one.

use toml_parser::{Source, lexer::TokenKind};

/// The most tables of a text, with one for each part of a key with dots.
pub const MOST_TABLES: usize = 100_000;

/// Where a text has more than [`MOST_TABLES`]; none if it does not. `is_file` says that it begins with a key, not a value.
///
/// It counts what may become a table, so a table that several keys or headers name counts each time.
pub fn one_table_too_many(text: &str, is_file: bool) -> Option<usize> {
    let mut count = 0;
    let mut in_key = is_file;
    // The arrays and inline tables around.
    let mut open: Vec<TokenKind> = Vec::new();
    for token in Source::new(text).lex() {
        let (kind, span) = (token.kind(), token.span());
        let mut is_table = false;
        match kind {
            TokenKind::Equals => in_key = false,
            TokenKind::Comma => in_key = open.last() == Some(&TokenKind::LeftCurlyBracket),
            TokenKind::Newline if open.is_empty() => in_key = is_file,
            // A number has digits after its dot.
            TokenKind::Dot => is_table = in_key || !text[span.end()..].starts_with(|c: char| c.is_ascii_digit()),
            TokenKind::LeftSquareBracket if in_key && open.is_empty() => is_table = true,
            TokenKind::LeftSquareBracket => open.push(kind),
            TokenKind::LeftCurlyBracket => {
                (is_table, in_key) = (true, true);
                open.push(kind);
            }
            TokenKind::RightSquareBracket | TokenKind::RightCurlyBracket if open.pop().is_some() => in_key = false,
            _ => {}
        }
        count += usize::from(is_table);
        if count > MOST_TABLES {
            return Some(span.start());
        }
    }
    None
}

#[cfg(test)]
#[path = "../../../tests/unit/files/tables/extent.rs"]
mod tests;
