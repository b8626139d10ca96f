//! Tests of `src/files/tables/extent.rs`.

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
