//! Test levels: expectations that compare nothing fail.

use crate::program::{code, game, out, run};

/// Runs one test; returns the exit code and the output.
fn test(body: &str) -> (i32, String) {
    let folder = game();
    folder.write("scripts/lib/far.rhai", "fn far(x) {\n  expect(x > 1000);\n}\n");
    folder.write("levels/tests/a.rhai", body);
    let tested = run(folder.root(), &["test"]);
    (code(&tested), out(&tested))
}

#[test]
fn an_expectation_that_compares_nothing_fails_the_test() {
    for body in [
        "fn test_it() {\n let t = play(\"level.toml\");\n t.ticks(2);\n expect(t.tick > 1000);\n}",
        // A function's last value is not a comparison, either.
        "fn test_it() {\n let t = play(\"level.toml\");\n t.ticks(2);\n expect(t.tick > 1000)\n}",
        "fn test_it() {\n let t = play(\"level.toml\");\n t.ticks(2);\n expect(1);\n expect(2);\n expect(3).equals(3);\n}",
        "fn test_it() {\n let t = play(\"level.toml\");\n t.ticks(2);\n let kept = expect(t.tick > 1000);\n t.run_until(|t| { kept; t.tick > 3 }, 1);\n}",
    ] {
        let (code, printed) = test(body);
        assert_eq!(code, 100, "{printed}");
        let column = if body.contains("kept") { 13 } else { 2 };
        let place = format!("levels/tests/a.rhai:4:{column}: error: this expectation compares nothing");
        assert!(printed.contains(&place), "{place}: {printed}");
    }
}

#[test]
fn an_expectation_compared_later_or_elsewhere_counts() {
    let (code, printed) = test(
        "fn tick_of(t) { expect(t.tick) }\n\
         fn test_it() {\n\
         let t = play(\"level.toml\");\n\
         let two = expect(2);\n\
         t.ticks(2);\n\
         two.equals(t.tick);\n\
         two.above(1);\n\
         tick_of(t).equals(2);\n\
         let copy = expect(3);\n\
         let other = copy;\n\
         other.below(4);\n\
         try { expect(1).equals(2); } catch (missed) { print(missed); }\n\
         for n in 0..100 { expect(n).near(n, 1); }\n}",
    );
    assert_eq!(code, 0, "{printed}");
}

#[test]
fn the_first_failure_is_reported_before_unused_expectations() {
    let (code, printed) = test("fn test_it() {\n expect(1);\n expect(2).equals(3);\n}");
    assert_eq!(code, 100, "{printed}");
    assert!(printed.contains("a.rhai:3:12: error: expected 3, got 2"), "{printed}");
}

#[test]
fn unused_expectations_are_reported_by_their_own_test() {
    let (_, printed) = test(
        "fn test_one() { expect(1); }\n\
         fn test_two() { expect(1).equals(1); }\n\
         fn test_three() { known_failure(\"nothing is compared\"); expect(1); }",
    );
    assert_eq!(printed.lines().last(), Some("2 passed, 1 failed"), "{printed}");
}
