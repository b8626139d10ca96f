//! `parse_int` and `parse_float`.

use crate::folder::Folder;

/// The error of a statement in `on_tick`; empty if there is none.
fn said(statement: &str) -> String {
    let mut game = Folder::with_script(&format!("fn on_tick(me) {{ {statement} }}")).game();
    game.ticks(1);
    game.wrong().into_iter().next().unwrap_or_default()
}

/// Asserts that a call returns this value and this type of number.
fn gives(call: &str, expected: &str) {
    let wrong = said(&format!(
        "let got = {call}; if got != {expected} || type_of(got) != type_of({expected}) {{ throw got; }}"
    ));
    assert_eq!(wrong, "", "{call} is not {expected}");
}

#[test]
fn parses_numbers() {
    for (text, expected) in [
        ("\"12\"", "12"),
        ("\" -7\\n\"", "-7"),
        ("\"+3\"", "3"),
        ("\"007\"", "7"),
        ("\"9223372036854775807\"", "9223372036854775807"),
        ("'5'", "5"),
        ("\"5\"[0]", "5"),
    ] {
        gives(&format!("parse_int({text})"), expected);
        gives(&format!("{text}.parse_int()"), expected);
    }
    for (text, expected) in [
        ("\"2.5\"", "2.5"),
        ("\"\\t-0.25 \"", "-0.25"),
        ("\"12\"", "12.0"),
        ("\".5\"", "0.5"),
        ("\"1e3\"", "1000.0"),
        ("\"1E-2\"", "0.01"),
        ("'5'", "5.0"),
    ] {
        gives(&format!("parse_float({text})"), expected);
    }
}

#[test]
fn parses_what_to_string_prints() {
    for number in ["0.1", "-1e300", "2.5e-7", "123456789.125", "1e16", "5e-324"] {
        let there = format!("parse_float(({number}).to_string())");
        // Rhai compares floats approximately, so compare their texts.
        gives(&format!("{there}.to_string()"), &format!("({number}).to_string()"));
    }
}

#[test]
fn rejects_values_that_are_not_numbers() {
    for (call, why) in [
        ("parse_int(\"\")", "parse_int: \"\" is not a whole number such as \"12\""),
        ("parse_int(\"three\")", "\"three\" is not a whole number"),
        ("parse_int(\"2.5\")", "\"2.5\" is not a whole number; use `parse_float`"),
        ("parse_int(\"9223372036854775808\")", "is too large for a whole number"),
        ("parse_int(\"1_000\")", "not a whole number"),
        ("parse_int(\"0x10\")", "not a whole number"),
        ("parse_int(\"1 2\")", "not a whole number"),
        ("parse_float(\"far\")", "parse_float: \"far\" is not a number such as \"2.5\""),
        ("parse_float(\"1.2.3\")", "is not a number"),
        ("parse_float(\"inf\")", "is not a number"),
        ("parse_float(\"NaN\")", "is not a number"),
        ("parse_float(\"-infinity\")", "is not a number"),
        ("parse_float(\"1e999\")", "\"1e999\" is too large"),
        ("parse_float(\"-\")", "is not a number"),
        ("parse_int(())", "`parse_int(text)`"),
        ("parse_int(3)", "`parse_int(text)`"),
    ] {
        let wrong = said(&format!("{call};"));
        assert!(wrong.contains(why), "{call}: {wrong}");
        assert!(wrong.contains("hero.rhai:1:"), "{call} has no place: {wrong}");
    }
    let long = said("let t = \"x\"; t.pad(1000, \"x\"); parse_int(t);");
    assert!(long.contains("xxx\"… is not") && long.len() < 300, "{long}");
}
