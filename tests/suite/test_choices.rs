//! `test`: which tests run, and how much is printed.

use crate::{
    folder::Folder,
    program::{code, err, game, out, run},
};

fn tests() -> Folder {
    let folder = game();
    folder.write("levels/tests/a.rhai", "fn test_one() { expect(1).equals(2); }\nfn test_two() { }\n");
    folder.write("levels/tests/b.rhai", "fn test_three() { expect(1).equals(2); }\nfn test_slow_four() { }\n");
    folder
}

fn named(text: &str) -> Vec<&str> {
    let results = text.lines().filter(|line| line.starts_with("ok ") || line.starts_with("FAILED "));
    results.filter_map(|line| line.split(' ').nth(1)).collect()
}

#[test]
fn last_failed_runs_what_failed_when_it_last_ran() {
    let folder = tests();
    // Nothing has run yet.
    let first = run(folder.root(), &["test", "--last-failed"]);
    assert_eq!((code(&first), err(&first).trim()), (0, "no test has failed when it last ran here"));
    assert_eq!(code(&run(folder.root(), &["test"])), 100);
    let again = run(folder.root(), &["test", "--last-failed"]);
    assert_eq!(named(&out(&again)), ["levels/tests/a.rhai::test_one", "levels/tests/b.rhai::test_three"]);
    // One is fixed; the other one stays known although it does not run.
    folder.write("levels/tests/a.rhai", "fn test_one() { }\nfn test_two() { }\n");
    assert_eq!(code(&run(folder.root(), &["test", "levels/tests/a.rhai"])), 0);
    let again = run(folder.root(), &["test", "--last-failed"]);
    assert_eq!(named(&out(&again)), ["levels/tests/b.rhai::test_three"]);
    assert_eq!(code(&again), 100);
    let listed = run(folder.root(), &["test", "--last-failed", "--list"]);
    assert_eq!(out(&listed), "levels/tests/b.rhai::test_three\n");
    folder.write("levels/tests/b.rhai", "fn test_three() { }\n");
    assert_eq!(code(&run(folder.root(), &["test", "--last-failed"])), 0);
    assert_eq!(code(&run(folder.root(), &["test", "--last-failed"])), 0);
}

#[test]
fn exclude_leaves_out_tests_also_those_that_a_filter_selects() {
    let folder = tests();
    for (arguments, expected) in [
        (&["--exclude", "slow"][..], &["a.rhai::test_one", "a.rhai::test_two", "b.rhai::test_three"][..]),
        (&["--exclude", "levels/tests/a.rhai"], &["b.rhai::test_three", "b.rhai::test_slow_four"]),
        (&["--exclude", "=test_one", "--exclude", "/four$/"], &["a.rhai::test_two", "b.rhai::test_three"]),
        (&["--filter", "b.rhai", "--exclude", "slow"], &["b.rhai::test_three"]),
    ] {
        let listed = run(folder.root(), &[&["test", "--list"], arguments].concat());
        let expected: String = expected.iter().map(|name| format!("levels/tests/{name}\n")).collect();
        assert_eq!(out(&listed), expected, "{arguments:?}");
    }
    let none = run(folder.root(), &["test", "--exclude", "test_"]);
    assert_eq!(code(&none), 4);
    assert!(err(&none).contains("--exclude leaves out all 4 tests"), "{}", err(&none));
    let wrong = run(folder.root(), &["test", "--exclude", "/(/"]);
    assert_eq!(code(&wrong), 2);
    assert!(err(&wrong).contains("--exclude"), "{}", err(&wrong));
}

#[test]
fn quiet_prints_failures_and_the_last_line() {
    let folder = tests();
    let output = run(folder.root(), &["test", "-q"]);
    let text = out(&output);
    assert_eq!(named(&text), ["levels/tests/a.rhai::test_one", "levels/tests/b.rhai::test_three"]);
    assert!(text.ends_with("2 passed, 2 failed\n"), "{text}");
    folder.write("levels/tests/a.rhai", "fn test_two() { print(\"a\"); }\n");
    let quiet = run(folder.root(), &["test", "-q", "levels/tests/a.rhai"]);
    assert_eq!(out(&quiet), "1 passed, 0 failed\n");
    // The line before has the time of the whole run.
    let text = String::from_utf8_lossy(&quiet.stdout).into_owned();
    let seconds = text
        .strip_prefix("the tests took ")
        .and_then(|rest| rest.strip_suffix(" s\n1 passed, 0 failed\n"));
    assert!(seconds.is_some_and(|seconds| seconds.parse::<f64>().is_ok()), "{text}");
}
