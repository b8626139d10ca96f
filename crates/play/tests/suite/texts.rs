//! Numbers, tables and printed lines as people and CI read them.

use hangtime_game::files::FeelQuantity;
use hangtime_play::{
    CaseRecord, SweepTable, TestOutcome, TestResult, aligned, feel::spell_measure, github_annotation, nanoseconds,
    percent, without_commands,
};
use hangtime_script::Diagnostic;
use serde_json::{Value, json};
use std::path::Path;

#[test]
fn numbers_are_short_and_have_units() {
    for (quantity, value, text) in [
        (FeelQuantity::Apex, 189.826_7, "189.83 px"),
        (FeelQuantity::Apex, 200.0, "200 px"),
        (FeelQuantity::Apex, 0.0, "0 px"),
        (FeelQuantity::LandingError, 1e-13, "0 px"),
        (FeelQuantity::LandingError, -1e-13, "0 px"),
        (FeelQuantity::LandingError, 0.0123, "0.0123 px"),
        (FeelQuantity::AirTime, 0.791_61, "0.7916 s"),
    ] {
        assert_eq!(spell_measure(quantity, value), text);
    }
}

#[test]
fn times_have_the_unit_that_suits_them() {
    let times = [0, 999, 1_000, 12_345, 999_949, 1_000_000, 20_500_000];
    let texts = ["0 ns", "999 ns", "1.0 µs", "12.3 µs", "999.9 µs", "1.0 ms", "20.5 ms"];
    assert_eq!(times.map(nanoseconds), texts);
    assert_eq!([0.0, 0.125, 1.0].map(percent), ["0.0 %", "12.5 %", "100.0 %"]);
}

#[test]
fn printed_lines_are_no_commands() {
    assert_eq!(without_commands("a\n  b"), "a\n  b");
    let text = "printed: x\n::set-output::1\n  ##[error]no\na :: b";
    let safe = "printed: x\n| ::set-output::1\n|   ##[error]no\na :: b";
    assert_eq!(without_commands(text), safe);
}

#[test]
fn cells_are_below_each_other() {
    let rows = || [["µµµ", "c", "20"].map(String::from).to_vec()];
    let titles = ["a", "bb", "1"];
    assert_eq!(aligned(&titles, rows(), |column| column < 2), ["a    bb   1", "µµµ  c   20"]);
    assert_eq!(aligned(&titles, rows(), |column| column == 2), ["  a  bb  1", "µµµ   c  20"]);
    assert_eq!(aligned(&["a", "b"], [vec!["ccc".into()]], |_| false), ["  a  b", "ccc"]);
}

#[test]
fn what_means_something_in_a_command_is_escaped() {
    let wrong = Diagnostic::about_file("", "50 %, a:b\r\nc");
    let outcome = TestOutcome::NotCompiled(vec![wrong]);
    let result = TestResult { name: "a:b, c%\n".into(), outcome, ..TestResult::default() };
    let annotation = github_annotation(Path::new("."), &result);
    // Of a message, the first line.
    assert!(annotation.starts_with("::error title=a%3Ab%2C c%25%0A::50 %25, a:b%0Arerun: "), "{annotation}");
}

/// A run of a sweep with the number 0 that measured a value and has a message.
fn run(x: &Value, message: Option<&str>) -> CaseRecord {
    let measures = json!({ "x": x });
    let case = json!({
        "case": "", "index": 0, "outcome": "measured", "ms": 1.0, "hash": "", "message": message, "measures": measures,
    });
    serde_json::from_value(case).expect("a case")
}

fn csv_row(case: CaseRecord) -> String {
    SweepTable::of_cases(std::slice::from_ref(&case)).csv_row(&case)
}

#[test]
fn fields_of_csv_are_quoted_where_they_must_be() {
    for (text, right) in [
        ("", ""),
        ("1.5", "1.5"),
        ("a b", "a b"),
        (" a", "\" a\""),
        ("a,b", "\"a,b\""),
        ("say \"hi\"", "\"say \"\"hi\"\"\""),
        ("a\nb", "\"a\nb\""),
        ("größe", "größe"),
    ] {
        assert_eq!(csv_row(run(&Value::Null, Some(text))), format!("0,,,{right}\r\n"));
    }
}

#[test]
fn whole_values_of_csv_read_back() {
    for x in [0.1_f64, 1.0 / 3.0, 1e300, -5e-324] {
        let row = csv_row(run(&x.into(), None));
        let text = row.split(',').nth(1).expect("a value");
        assert_eq!(text.parse::<f64>().map(f64::to_bits), Ok(x.to_bits()));
    }
    assert_eq!(csv_row(run(&(-0.0).into(), None)), "0,0,,\r\n");
}

#[test]
fn tables_show_six_digits() {
    for (x, right) in [
        (0.0, "0"),
        (-0.0, "0"),
        (-1e-30, "0"),
        (1.0, "1"),
        (0.1 + 0.2, "0.3"),
        (1.0 / 3.0, "0.333333"),
        (-2.0 / 3.0, "-0.666667"),
        (1234.5678, "1234.57"),
        (0.000_123_456_7, "0.000123457"),
        (123_456_789.6, "123456790"),
    ] {
        let case = run(&x.into(), None);
        let cases = std::slice::from_ref(&case);
        let text = SweepTable::of_cases(cases).text(cases);
        assert_eq!(text.lines().nth(1).map(str::trim), Some(right));
    }
}
