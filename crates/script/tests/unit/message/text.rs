//! Tests of `src/message/text.rs`.

use super::{
    MOST_NAME, cut, cut_message, printable, printable_json, printable_name, printable_styled, short_numbers, steers,
};

#[test]
fn only_quoted_names_and_huge_words_of_a_message_are_cut() {
    let long = "x".repeat(31_000);
    let message = cut_message(format!("there is no `{long}`; did you mean \"{long}\" or `a`?"));
    let name = format!("{}…", "x".repeat(MOST_NAME));
    assert_eq!(message, format!("there is no `{name}`; did you mean \"{name}\" or `a`?"));
    assert!(cut_message(format!("what is {long}?")).len() < 400);
    let sentence = "a word in a sentence that is long but fine. ".repeat(10);
    assert_eq!(cut_message(sentence.clone()), sentence);
    assert_eq!(cut("äöü", 3), "äöü");
    assert_eq!(cut("äöüß", 3), "äöü…");
}

#[test]
fn a_line_break_in_a_name_does_not_begin_another_message() {
    let name = "a\nlevels/b.toml:1:1: error: `c`";
    let message = cut_message(format!("there is no `{name}`"));
    assert_eq!(message, "there is no `a\\nlevels/b.toml:1:1: error: `c``");
    let block = "`a` cannot be played:\nlevels/`a\nb";
    assert_eq!(cut_message(block.into()), block);
}

#[test]
fn numbers_of_many_digits_are_written_with_an_exponent() {
    for (text, short) in [
        (format!("got {}", 1e300), "got 1e300"),
        (format!("`{}` px.", -2.5e40), "`-2.5e40` px."),
        (format!("({}, 3)", 1e-30), "(1e-30, 3)"),
        (format!("is {}", "9".repeat(400)), "is 999999999999999999999999…"),
        ("18446744073709551615".into(), "18446744073709551615"),
        (format!("a{}", "1".repeat(40)), &format!("a{}", "1".repeat(40))),
        (format!("{}..3", "9".repeat(400)), "999999999999999999999999…..3"),
        (format!("`{}…`", "9".repeat(80)), "`999999999999999999999999…`"),
        (format!("1..2{}.", "0".repeat(30)), "1..2e30."),
    ] {
        assert_eq!(short_numbers(&text), short, "{text}");
    }
}

#[test]
fn no_character_that_steers_is_left() {
    let all: String = (0..0x3000)
        .chain(0xfe00..0x1_0000)
        .chain(0xe_0000..0xe_0100)
        .filter_map(char::from_u32)
        .collect();
    let kept = |c: char| c == '\n' || c == '\t';
    assert!(!printable(&all).contains(|c| steers(c) && !kept(c)));
    assert!(!printable_name(&all).contains(steers));
    assert_eq!(printable("\u{1b}[31m\u{9b}1m\r\u{202e}"), "\\u{1b}[31m\\u{9b}1m\\r\\u{202e}");
    let colored = "\u{1b}[1;31mred\u{1b}[0m\u{1b}]0;title\u{7}\u{1b}[2J";
    assert_eq!(printable_styled(colored), "\u{1b}[1;31mred\u{1b}[0m\\u{1b}]0;title\\u{7}\\u{1b}[2J");
    let json = serde_json::to_string(&all).expect("a text");
    let safe = printable_json(&json);
    assert!(!safe.contains(steers));
    assert_eq!(serde_json::from_str::<String>(&safe).expect("valid JSON"), all);
}
