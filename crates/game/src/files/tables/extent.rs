//! How many tables a text of TOML has, found out before it is parsed: parsed, a table takes over a kilobyte, and two bytes of
//! a key with dots make one.

use toml_parser::Source;
use toml_parser::lexer::TokenKind;

/// The most tables of a text, with one for each part of a key with dots.
pub(super) const MOST_TABLES: usize = 100_000;

/// Where a text has more than [`MOST_TABLES`]; none if it does not. `is_file` says that it begins with a key, not a value.
///
/// It counts what may become a table, so a table that several keys or headers name counts each time.
pub(super) fn one_table_too_many(text: &str, is_file: bool) -> Option<usize> {
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
mod tests {
    use super::{MOST_TABLES, one_table_too_many};

    /// The number of tables that this counts in a text.
    fn counted(text: &str, is_file: bool) -> usize {
        // As many tables before it as are needed until it is too much.
        let before = |count: usize| match is_file {
            true => format!("{}\n{text}", "x = {}\n".repeat(count)),
            false => format!("[{}{text}]", "{},".repeat(count)),
        };
        let is_too_much = |count: &usize| one_table_too_many(&before(MOST_TABLES - count), is_file).is_none();
        (0..20).find(is_too_much).expect("a few tables")
    }

    #[test]
    fn tables_are_counted_as_keys_headers_and_braces_make_them() {
        for (text, count) in [
            ("", 0),
            ("a = 1.5", 0),
            ("a.b = 1.5", 1),
            ("0.b.1.2 = -1.5e3 # a.b.c", 3),
            ("\"a.b\".'c.d' = \"x.y\" # {", 1),
            ("[a]\n[[b]]\n[c.d]", 5),
            ("a = [[1.5, 2], [3, 4]]\nb.c = 1", 1),
            ("a = [\n 1.5,\n 2.5 ]\nb.c = 1", 1),
            ("a = { b = 1, c.d = [1.0, { e = 1 }] }\nf.g = 1", 4),
            ("a = \"\"\"\n[b]\nc.d \\\"\"\" = 1\n\"\"\"\nb.c = 1", 1),
            ("a = '''\n[b]\\'''\nb.c = 1", 1),
            ("a = \"\\\"{\"\nb.c = 1", 1),
            ("a = 1979-05-27T07:32:00.999Z", 0),
            // Not TOML, but read up to its end.
            ("a = b.c.d", 2),
            ("a = \"b\nc.d = 1", 1),
        ] {
            assert_eq!(counted(text, true), count, "{text}");
        }
        assert_eq!(counted("{ a = 1.5, b.c = 2 }", false), 2);
        assert_eq!(counted("1.5", false), 0);
    }
}
