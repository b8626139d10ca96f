//! Tests of `src/changes.rs`.

use super::{changed_functions, ends_in_comment};

const OLD: &str = "import \"lib/a\" as a;\nconst MOST = 3;\n\n// Counts.\nfn on_tick(me) {\n    \
                   let s = \"} /* \"; /* fn x() { } */ */\n    let m = #{ a: `}${1}` };\n    this.n += 1;\n}\n\n\
                   fn on_land(me) { }\nfn twice(x) { x * 2 }\n";

fn assert_changes(new: &str, parts: &[&str]) {
    assert_eq!(changed_functions(OLD, new), parts, "{new}");
}

#[test]
fn only_functions_that_changed_are_named() {
    assert_changes(&OLD.replace("+= 1", "+= 2"), &["fn on_tick changed"]);
    assert_changes(&OLD.replace("\"} /* \"", "\"}\""), &["fn on_tick changed"]);
    assert_changes(&OLD.replace("fn on_land(me) { }\n", ""), &["fn on_land removed"]);
    assert_changes(&format!("{OLD}fn x() {{ }}"), &["fn x added"]);
    assert_changes(
        &OLD.replace("twice", "double").replace("= 3", "= 4"),
        &["fn double added", "fn twice removed", "constants or imports changed"],
    );
}

#[test]
fn comments_and_spaces_are_not_changes() {
    let new = OLD.replace("// Counts.", "// Counts ticks: fn on_tick(me) { }");
    assert_changes(&new, &[]);
    assert_changes(&OLD.replace("    this.n", "\tthis .n"), &[]);
    assert_changes(&OLD.replace("fn x() { }", "other {{{"), &[]);
}

#[test]
fn a_script_that_ends_in_a_comment_differs_from_one_that_ends_in_code() {
    for text in ["x // a", "x // a\n\n", "x /* a", "x /* a */\n", "x /* /* a */", "//", "/* *"] {
        assert!(ends_in_comment(text), "{text:?}");
    }
    for text in ["", "x", "// a\nx", "/* a */ x", "\"// a\"", "`/* a`", "'/'", "1 / 2"] {
        assert!(!ends_in_comment(text), "{text:?}");
    }
}

#[test]
fn unfinished_texts_and_comments_end_with_the_file() {
    for new in ["fn a() { \"", "/* /*", "fn", "fn a", "`", "é'"] {
        assert!(!changed_functions(OLD, new).is_empty());
    }
}
