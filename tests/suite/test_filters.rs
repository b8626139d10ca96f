//! `--filter`: exact names, and files with mistakes.

use crate::{
    folder::Folder,
    program::{code, err, game, out, run},
};

#[test]
fn a_rerun_line_runs_exactly_the_test_that_failed() {
    let folder = game();
    folder.write(
        "levels/tests/a.rhai",
        "fn test_typo() { expect(1).equals(2); }\nfn test_typo_again() { expect(1).equals(2); }\n",
    );
    let text = out(&run(folder.root(), &["test"]));
    let line = "rerun: hangtime test levels/tests/a.rhai --filter \"=test_typo\"\n";
    assert!(text.contains(line), "{text}");
    let arguments = ["test", "levels/tests/a.rhai", "--filter", "=test_typo"];
    let again = out(&run(folder.root(), &arguments));
    assert_eq!(again.lines().last(), Some("0 passed, 1 failed"), "{again}");
    // Without the `=` it is a part of both names.
    let both = out(&run(folder.root(), &["test", "--filter", "test_typo"]));
    assert_eq!(both.lines().last(), Some("0 passed, 2 failed"), "{both}");
}

#[test]
fn an_exact_filter_that_selects_nothing_says_the_nearest_name() {
    let folder = game();
    folder.write("levels/tests/a.rhai", "fn test_typo() { }\n");
    for (filter, message) in [
        ("=test_tpyo", "is named `test_tpyo`; did you mean `test_typo`?"),
        ("=typo", "is named `typo`; --list shows the names"),
        ("/^typo/", "matches `/^typo/`; --list shows the names"),
        ("b.rhai", "has `b.rhai` in its name; did you mean `a.rhai`?"),
    ] {
        let output = run(folder.root(), &["test", "--filter", filter]);
        assert_eq!(code(&output), 4, "{filter}");
        let said = err(&output);
        assert!(said.contains(message), "{said}");
    }
    let empty = run(folder.root(), &["test", "--filter", "="]);
    assert_eq!(code(&empty), 2);
    assert!(err(&empty).contains("--filter: error: a name must follow the `=`"), "{}", err(&empty));
}

/// A game with a test that passes, a test script and a kind with contracts that have mistakes, and a test
/// script that is not text.
fn broken() -> Folder {
    let folder = game();
    folder.write("levels/tests/good.rhai", "fn test_good() { }\n");
    folder.write("levels/tests/bad.rhai", "fn test_gap() { \n}}\n");
    folder.write("config/entities/ghost.toml", "[expect]\napex = \"tall\"\n[expect.two_velocity]\nrun_up = 3\n");
    std::fs::write(folder.path("levels/tests/raw.rhai"), b"fn \xff").expect("a file");
    folder
}

#[test]
fn files_with_mistakes_fail_if_a_filter_selects_one_of_their_tests() {
    let folder = broken();
    for (filter, file) in [
        ("test_gap", "levels/tests/bad.rhai"),
        ("gap", "levels/tests/bad.rhai"),
        ("=test_gap", "levels/tests/bad.rhai"),
        ("=levels/tests/bad.rhai::test_gap", "levels/tests/bad.rhai"),
        ("test_gap[1:", "levels/tests/bad.rhai"),
        ("=test_gap[1]", "levels/tests/bad.rhai"),
        ("/::test_g.p$/", "levels/tests/bad.rhai"),
        ("levels/tests/bad.rhai", "levels/tests/bad.rhai"),
        ("apex", "config/entities/ghost.toml"),
        ("expect::apex", "config/entities/ghost.toml"),
        ("=expect::apex", "config/entities/ghost.toml"),
        ("expect::two_velocity::run_up", "config/entities/ghost.toml"),
        ("config", "config/entities/ghost.toml"),
        ("raw", "levels/tests/raw.rhai"),
    ] {
        let output = run(folder.root(), &["test", "--filter", filter]);
        let text = out(&output);
        assert_eq!(code(&output), 100, "{filter}: {text}{}", err(&output));
        assert!(text.contains(&format!("FAILED {file} ")), "{filter}: {text}");
        assert_eq!(text.lines().last(), Some("0 passed, 1 failed"), "{filter}");
    }
}

#[test]
fn files_with_mistakes_that_a_filter_leaves_out_are_warnings() {
    let folder = broken();
    let output = run(folder.root(), &["test", "--filter", "test_good"]);
    assert_eq!(code(&output), 0, "{}", out(&output));
    assert_eq!(out(&output).lines().last(), Some("1 passed, 0 failed"));
    let said = err(&output);
    for file in ["levels/tests/bad.rhai:", "levels/tests/raw.rhai:", "config/entities/ghost.toml:"] {
        let warning = format!("warning: --filter leaves out a file with a mistake: {file}");
        assert!(said.contains(&warning), "{said}");
    }
    // Nothing is left: the warnings say where the test may be.
    let output = run(folder.root(), &["test", "--filter", "test_lost"]);
    assert_eq!(code(&output), 4);
    assert!(err(&output).contains("levels/tests/raw.rhai:"), "{}", err(&output));
    // Without a filter all of them fail.
    let output = run(folder.root(), &["test"]);
    assert_eq!(out(&output).lines().last(), Some("1 passed, 3 failed"));
}

#[test]
fn a_kind_that_is_not_text_may_have_contracts_and_fails() {
    let folder = game();
    std::fs::write(folder.path("config/entities/ghost.toml"), b"[expect]\xff").expect("a file");
    let output = run(folder.root(), &["test"]);
    let text = out(&output);
    assert_eq!(code(&output), 100, "{text}");
    assert!(text.contains("config/entities/ghost.toml:1:9: error: this is not UTF-8"), "{text}");
}

#[test]
fn a_first_failure_leaves_no_half_written_recordings() {
    let folder = game();
    let test = |i: u32| {
        format!("fn test_{i}() {{ let t = play(\"level.toml\"); t.ticks({}); expect(1).equals(2); }}\n", 50 * i)
    };
    folder.write("levels/tests/a.rhai", &(0..40).map(test).collect::<String>());
    for _ in 0..3 {
        let output = run(folder.root(), &["test", "--fail-fast", "-j", "8"]);
        assert_eq!(code(&output), 100);
        let failed = std::fs::read_dir(folder.path(".hangtime/failed")).expect("a folder");
        for entry in failed.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            assert!(name.ends_with(".run"), "{name}");
        }
    }
}

#[test]
fn a_call_that_asks_for_too_many_ticks_fails_at_once_with_their_number() {
    let folder = game();
    folder.write(
        "levels/tests/a.rhai",
        "fn test_a() {\n  let t = play(\"level.toml\");\n  t.ticks(4);\n  t.ticks(999997);\n}\n\
         fn test_b() { expect(1e300).equals(2); }\n",
    );
    let text = out(&run(folder.root(), &["test"]));
    let line = "levels/tests/a.rhai:4:5: error: a test can play at most 1000000 ticks; with this call they \
                would be 1000001\n";
    assert!(text.contains(line), "{text}");
    assert!(text.contains("  tick:     4\n"), "{text}");
    assert!(text.contains("  got:      1e300\n"), "{text}");
}
