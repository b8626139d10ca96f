//! Tests with parameters, and the tables of their cases.

use crate::program::{code, err, game, out, run};

const TABLES: &str = r#"
fn cases_gap() {
    [#{ width: 60, passes: true }, #{ passes: false, width: 6000.5 }]
}
fn test_gap(width, passes) {
    expect(width < 1000).equals(passes);
}
fn cases_rate() { [60, 120] }
fn test_rate(hz) {
    let t = play("level.toml", #{ "simulation.tick_hz": hz });
    t.run(0.5);
    expect(t.tick).equals(hz / 2);
}
fn cases_word() { [["a \"b\"", [1, 2]], ["", #{ n: () }]] }
fn test_word(text, list) { expect(list.len() > 0).equals(true); }
fn test_plain() { }
"#;

#[test]
fn each_row_of_a_table_is_a_test() {
    let folder = game();
    folder.write("levels/tests/a.rhai", TABLES);
    let listed = out(&run(folder.root(), &["test", "--list"]));
    let expected = [
        "test_gap[0: width=60, passes=true]",
        "test_gap[1: width=6000.5, passes=false]",
        "test_rate[0: hz=60]",
        "test_rate[1: hz=120]",
        "test_word[0: text=\"a \\\"b\\\"\", list=[1, 2]]",
        "test_word[1: text=\"\", list=#{n: ()}]",
        "test_plain",
    ];
    let expected: Vec<String> = expected.iter().map(|name| format!("levels/tests/a.rhai::{name}")).collect();
    assert_eq!(listed.lines().collect::<Vec<_>>(), expected);
    let ran = run(folder.root(), &["test"]);
    assert_eq!(out(&ran).lines().last(), Some("7 passed, 0 failed"), "{}", out(&ran));
    let one = run(folder.root(), &["test", "--filter", "test_rate[1:"]);
    assert_eq!(out(&one).lines().last(), Some("1 passed, 0 failed"));
    let checked = run(folder.root(), &["check"]);
    assert_eq!(code(&checked), 0, "{}", out(&checked));
}

#[test]
fn a_failing_case_can_be_run_again_alone() {
    let folder = game();
    let cases: Vec<String> = (0..12).map(|i| i.to_string()).collect();
    let test = format!("fn cases_low() {{ [{}] }}\nfn test_low(n) {{ expect(n).below(11); }}\n", cases.join(", "));
    folder.write("levels/tests/a.rhai", &test);
    let ran = out(&run(folder.root(), &["test"]));
    assert!(ran.contains("FAILED levels/tests/a.rhai::test_low[11: n=11] "), "{ran}");
    assert!(ran.contains("rerun: hangtime test levels/tests/a.rhai --filter \"=test_low[11]\""), "{ran}");
    // Case 1 is not case 11.
    for filter in ["test_low[1:", "=test_low[1]", "=test_low[1: n=1]"] {
        let again = run(folder.root(), &["test", "--filter", filter]);
        assert_eq!(out(&again).lines().last(), Some("1 passed, 0 failed"));
    }
    let all = run(folder.root(), &["test", "--filter", "=test_low"]);
    assert_eq!(out(&all).lines().last(), Some("11 passed, 1 failed"));
}

/// Tables for `test_gap(width, passes)`, and what is said about them.
const WRONG: &[(&str, &str)] = &[
    (
        "",
        "1:4: error: `test_gap` has parameters, but there is no table of its cases; add `fn cases_gap() { [#{ width: …, passes: … }] }`",
    ),
    ("fn cases_gpa() { [] }", "; rename `cases_gpa` to `cases_gap`"),
    ("fn cases_gap(x) { [] }", "2:4: error: `cases_gap` cannot have parameters"),
    ("fn cases_gap() { 5 }", "2:4: error: `cases_gap` must return an array of cases, not a number"),
    ("fn cases_gap() { [] }", "`cases_gap` has no cases, so `test_gap` never runs"),
    ("fn cases_gap() { [#{ width: 1 }] }", "case 0 of `cases_gap` has no `passes`"),
    (
        "fn cases_gap() { [[1, true], #{ width: 1, pases: 2 }] }",
        "case 1 of `cases_gap` has `pases`, which is not a parameter of `test_gap`; did you mean `passes`?",
    ),
    ("fn cases_gap() { [[1, 2, 3]] }", "case 0 of `cases_gap` has 3 values; `test_gap` has 2 parameters"),
    ("fn cases_gap() { [5] }", "case 0 of `cases_gap` is a number; write a map"),
    ("fn cases_gap() { [[1, || 2]] }", "case 0 of `cases_gap` has a function for `passes`; cases are plain data"),
    ("fn cases_gap() { [[1, 0.0 / 0.0]] }", "has NaN for `passes`"),
    ("fn cases_gap() { play(\"level.toml\"); [[1, 2]] }", "cannot play levels"),
    ("fn cases_gap() { let x = []; x.pad(10001, [1, 2]); x }", "`cases_gap` is too large"),
    ("fn cases_gap() { [[1, nothing]] }", "nothing"),
    ("fn cases_gap() { loop { } }", "operations"),
    (
        "fn cases_gap() { [[1, 2]] }\nfn cases_plain() { [1] }\nfn test_plain() { }",
        "`test_plain` has no parameters, so `cases_plain` has no effect",
    ),
];

#[test]
fn mistakes_in_tables_are_found_before_any_test_runs() {
    let folder = game();
    let test = "fn test_gap(width, passes) { }\n";
    for (tables, what) in WRONG {
        folder.write("levels/tests/a.rhai", &format!("{test}{tables}\n"));
        for command in ["test", "check"] {
            let ran = run(folder.root(), &[command]);
            let shown = out(&ran);
            assert_eq!(code(&ran), if command == "test" { 100 } else { 1 }, "{shown}");
            assert!(shown.contains(what), "{command} {tables}: {shown}{}", err(&ran));
        }
    }
}

#[test]
fn a_table_of_a_test_that_does_not_exist_is_reported() {
    let folder = game();
    let test = "fn test_gap(width) { }\nfn cases_gap() { common_rows() }\nfn common_rows() { [1, 2] }\n";
    folder.write("levels/tests/a.rhai", &format!("{test}fn cases_g() {{ [1] }}\n"));
    let output = run(folder.root(), &["test"]);
    assert_eq!(code(&output), 100);
    let expected =
        "levels/tests/a.rhai:4:4: error: there is no `test_g`, whose cases these are; did you mean `test_gap`?";
    assert!(out(&output).contains(expected), "{}", out(&output));
    // A function that tables share is one of them, whatever it is called.
    let shared = test.replace("common_rows", "cases_common");
    folder.write("levels/tests/a.rhai", &shared);
    let output = run(folder.root(), &["test"]);
    assert_eq!(code(&output), 0, "{}", out(&output));
}
