//! How many tables a text of TOML has, found out before it is parsed: parsed, a table takes over a kilobyte, and two bytes of
//! a key with dots make one.

/// The most tables of a text, with one for each part of a key with dots.
pub(super) const MOST_TABLES: usize = 100_000;

/// Where a text has more than [`MOST_TABLES`]; none if it does not. `is_file` says that it begins with a key, not a value.
///
/// It counts what may become a table, so a table that several keys or headers name counts each time.
pub(super) fn one_table_too_many(text: &str, is_file: bool) -> Option<usize> {
    let bytes = text.as_bytes();
    let (mut at, mut count) = (0, 0);
    let mut in_key = is_file;
    // The arrays and inline tables around.
    let mut open: Vec<u8> = Vec::new();
    while let Some(&byte) = bytes.get(at) {
        let mut is_table = false;
        match byte {
            b'#' => {
                at = line_end(bytes, at);
                continue;
            }
            b'"' | b'\'' => {
                at = text_end(bytes, at);
                continue;
            }
            b'=' => in_key = false,
            b',' => in_key = open.last() == Some(&b'{'),
            b'\n' if open.is_empty() => in_key = is_file,
            // A number has digits after its dot.
            b'.' => is_table = in_key || !bytes.get(at + 1).is_some_and(u8::is_ascii_digit),
            b'[' if in_key && open.is_empty() => is_table = true,
            b'[' => open.push(byte),
            b'{' => {
                (is_table, in_key) = (true, true);
                open.push(byte);
            }
            b']' | b'}' if open.pop().is_some() => in_key = false,
            _ => {}
        }
        count += usize::from(is_table);
        if count > MOST_TABLES {
            return Some(at);
        }
        at += 1;
    }
    None
}

/// The end of a line.
fn line_end(bytes: &[u8], from: usize) -> usize {
    bytes[from..]
        .iter()
        .position(|byte| *byte == b'\n')
        .map_or(bytes.len(), |length| from + length)
}

/// The end of a text in quotes, which may go over lines with three of them.
fn text_end(bytes: &[u8], from: usize) -> usize {
    let quote = bytes[from];
    let is_long = bytes[from..].starts_with(&[quote; 3]);
    let mut at = from + if is_long { 3 } else { 1 };
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' if quote == b'"' => at += 1,
            b'\n' if !is_long => return at,
            _ if byte != quote => {}
            _ if !is_long => return at + 1,
            _ if bytes[at..].starts_with(&[quote; 3]) => return at + 3,
            _ => {}
        }
        at += 1;
    }
    bytes.len()
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
