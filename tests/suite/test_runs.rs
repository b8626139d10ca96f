//! `test`: which tests run, in what order, and what is reported, on any number of threads.

use crate::{
    folder::Folder,
    program::{code, err, game, out, run},
};
use hangtime::{
    playtest::{CaseOutcome, ResultsFile},
    script::host::SourceFile,
};
use regex_lite::Regex;
use std::sync::Arc;

/// A game with three files of 10 tests each. Every seventh test fails.
fn thirty() -> Folder {
    let folder = game();
    for file in ["a", "b", "c"] {
        let test = |i: usize| {
            let expected = if i % 7 == 3 { i + 1 } else { i };
            format!(
                "fn test_{file}{i}() {{ let t = play(\"level.toml\"); t.ticks({i}); \
                 expect(t.tick).equals({expected}); }}\n"
            )
        };
        let text: String = (0..10).map(test).collect();
        folder.write(&format!("levels/tests/{file}.rhai"), &text);
    }
    folder
}

/// Without the durations.
fn timeless(text: &str) -> String {
    let ms = Regex::new(r"\(\d+ ms\)( SLOW)?|.ms.:[0-9.]+").expect("a pattern");
    ms.replace_all(text, "").into_owned()
}

pub fn results(folder: &Folder, name: &str) -> ResultsFile {
    let text = folder.read(name);
    let name = name.into();
    ResultsFile::parse(&Arc::new(SourceFile { name, text })).expect("a results file")
}

#[test]
fn output_and_files_are_the_same_for_any_number_of_threads() {
    let folder = thirty();
    let mut all = Vec::new();
    for jobs in ["1", "2", "7"] {
        let ran = run(folder.root(), &["test", "-j", jobs, "--results", "r.jsonl", "--junit", "j.xml"]);
        assert_eq!(code(&ran), 100, "{}", err(&ran));
        let shown = out(&ran);
        assert_eq!(shown.lines().last(), Some("27 passed, 3 failed"), "{shown}");
        let read = |name| folder.read(name);
        let junit = Regex::new("time=\"[^\"]*\"").expect("a pattern");
        let junit = junit.replace_all(&read("j.xml"), "").into_owned();
        all.push((timeless(&shown), timeless(&read("r.jsonl")), junit));
    }
    assert_eq!(all[0], all[1]);
    assert_eq!(all[0], all[2]);
    let results = results(&folder, "r.jsonl");
    let indexes: Vec<u64> = results.cases.iter().map(|(case, _)| case.index).collect();
    assert_eq!(indexes, (0..30).collect::<Vec<_>>());
}

#[test]
fn the_summary_lists_every_failure_with_its_place_values_tick_and_rerun() {
    let folder = thirty();
    let text = out(&run(folder.root(), &["test"]));
    let summary = text.rsplit("3 failures:\n").next().expect("a list");
    for file in ["a", "b", "c"] {
        for line in [
            format!("  levels/tests/{file}.rhai::test_{file}3\n"),
            format!("    levels/tests/{file}.rhai:4:"),
            format!("    rerun: hangtime test levels/tests/{file}.rhai --filter \"=test_{file}3\"\n"),
        ] {
            assert!(summary.contains(&line), "{line}: {summary}");
        }
    }
    assert!(summary.contains(" error: expected 4, got 3 (tick 3)\n"), "{summary}");
    // A message of several lines still has both values.
    let test = "fn test_z() { expect(1).equals(2, \"one\\ntwo\"); }\n";
    folder.write("levels/tests/z.rhai", test);
    let text = out(&run(folder.root(), &["test"]));
    assert!(text.contains(" error: one two: expected 2, got 1\n    rerun:"), "{text}");
    // One test needs no list.
    let text = out(&run(folder.root(), &["test", "--filter", "test_a3"]));
    assert_eq!(text.matches("rerun:").count(), 1, "{text}");
}

#[test]
fn the_first_failure_in_the_plan_ends_the_run_on_any_number_of_threads() {
    let folder = thirty();
    for jobs in ["1", "5"] {
        let ran = run(folder.root(), &["test", "--fail-fast", "-j", jobs, "--results", "r.jsonl"]);
        assert_eq!(code(&ran), 100);
        let shown = out(&ran);
        assert_eq!(shown.lines().last(), Some("3 passed, 1 failed"), "{shown}");
        assert!(err(&ran).contains("4 of 30 tests ran"), "{}", err(&ran));
        let results = results(&folder, "r.jsonl");
        assert_eq!((results.cases.len(), results.end), (4, None));
    }
}

#[test]
fn filters_are_parts_of_names_regular_expressions_or_paths() {
    let folder = thirty();
    folder.write("levels/tests/more/d.rhai", "fn test_d() { }\n");
    let absolute = folder.path("levels/tests/b.rhai").display().to_string();
    for (filters, count) in [
        (&["test_a"][..], 10),
        (&["a1"], 1),
        (&["a1", "b1"], 2),
        (&["/[ab][12]$/"], 4),
        (&["/::test_.0$/"], 3),
        (&["levels/tests/b.rhai"], 10),
        (&["./levels/tests/b.rhai"], 10),
        (&[absolute.as_str()], 10),
        (&["./levels/tests/more"], 1),
        (&["levels/tests/more/"], 1),
        (&["=test_a1"], 1),
        (&["=levels/tests/a.rhai::test_a1", "=test_d"], 2),
    ] {
        let mut arguments = vec!["test", "--list"];
        for filter in filters {
            arguments.extend(["--filter", filter]);
        }
        let listed = run(folder.root(), &arguments);
        assert_eq!(out(&listed).lines().count(), count, "{filters:?}");
    }
    let wrong = run(folder.root(), &["test", "--filter", "/(/"]);
    assert_eq!(code(&wrong), 2);
    assert!(err(&wrong).contains("--filter: error: `/(/` is not a regular expression"), "{}", err(&wrong));
    let near = run(folder.root(), &["test", "--filter", "tset_d"]);
    assert_eq!(code(&near), 4);
    assert!(err(&near).contains("did you mean `test_d`?"), "{}", err(&near));
}

#[test]
fn parts_of_a_run_have_each_test_once_with_its_place_in_the_whole_run() {
    let folder = thirty();
    let mut seen = Vec::new();
    for part in 1..=4 {
        let slice = format!("slice:{part}/4");
        let ran = run(folder.root(), &["test", "--partition", &slice, "--results", "r.jsonl"]);
        assert!([0, 100].contains(&code(&ran)), "{}", err(&ran));
        let results = results(&folder, "r.jsonl");
        assert_eq!(results.header.cases, 30);
        assert_eq!(results.header.partition.as_deref(), Some(&*slice));
        assert!(results.end.is_some());
        seen.extend(results.cases.into_iter().map(|(case, _)| case.index));
    }
    seen.sort_unstable();
    assert_eq!(seen, (0..30).collect::<Vec<_>>());
    // More parts than tests: some have nothing to do.
    let one = ["test", "--filter", "test_a1", "--partition"];
    for (slice, passed) in [("slice:1/3", 1), ("slice:2/3", 0), ("slice:3/3", 0)] {
        let ran = run(folder.root(), &[&one[..], &[slice]].concat());
        assert_eq!(code(&ran), 0, "{}", err(&ran));
        assert_eq!(out(&ran).lines().last(), Some(&*format!("{passed} passed, 0 failed")));
    }
    for wrong in ["slice:0/3", "slice:4/3", "3", "slice:1/0"] {
        assert_eq!(code(&run(folder.root(), &[&one[..], &[wrong]].concat())), 2, "{wrong}");
    }
}

#[test]
fn a_list_can_be_json() {
    let folder = thirty();
    let arguments = ["test", "--list", "--format", "json", "--partition", "slice:2/10"];
    let listed = run(folder.root(), &arguments);
    let list: serde_json::Value = serde_json::from_str(&out(&listed)).expect("JSON");
    assert_eq!(
        list[0],
        serde_json::json!({
            "name": "levels/tests/a.rhai::test_a1",
            "file": "levels/tests/a.rhai",
            "line": 2,
            "index": 1,
        })
    );
    assert_eq!(list.as_array().map(Vec::len), Some(3));
    assert_eq!(code(&run(folder.root(), &["test", "--format", "json"])), 2);
}

#[test]
fn prints_of_passing_tests_show_on_demand() {
    let folder = game();
    folder.write(
        "levels/tests/a.rhai",
        "fn test_a() { print(\"first\"); }\nfn test_b() { print(\"second\"); expect(1).equals(1); }\n",
    );
    let plain = out(&run(folder.root(), &["test"]));
    assert!(!plain.contains("first"), "{plain}");
    let shown = out(&run(folder.root(), &["test", "--show-output"]));
    for line in ["  printed:  first\n", "  printed:  second\n"] {
        assert!(shown.contains(line), "{shown}");
    }
}

/// What one test could leave for the next: a level and a closure in constants, of the file and of a
/// module, and a constant of a behavior.
const STATEFUL: &str = r#"
import "lib/kept" as kept;
const T = play("level.toml");
fn test_1() { T.ticks(3); expect(T.tick).equals(3); expect(kept::next()).equals(1); seen(1); }
fn test_2() { T.ticks(3); expect(T.tick).equals(3); expect(kept::next()).equals(1); seen(1); }
fn test_3() { T.ticks(3); expect(T.tick).equals(3); expect(kept::next()).equals(1); seen(1); }
fn seen(n) { let t = play("level.toml"); t.ticks(1); expect(t.entity("hero").vars.n).equals(n); }
"#;

#[test]
fn tests_share_no_state() {
    let folder =
        Folder::with_script("const F = { let x = 0; || { x += 1; x } };\nfn on_tick(me) { this.n = F.call(); }");
    folder.write("scripts/lib/kept.rhai", "const F = { let x = 0; || { x += 1; x } };\nfn next() { F.call() }");
    folder.write("levels/tests/a.rhai", STATEFUL);
    for jobs in ["1", "3"] {
        let all = run(folder.root(), &["test", "-j", jobs]);
        assert_eq!(out(&all).lines().last(), Some("3 passed, 0 failed"), "{}", out(&all));
    }
}

#[test]
fn tests_share_no_state_of_what_a_behavior_imports() {
    let folder = Folder::with_script("import \"lib/kept\" as kept;\nfn on_tick(me) { this.n = kept::next(); }");
    folder.write("scripts/lib/kept.rhai", "const F = { let x = 0; || { x += 1; x } };\nfn next() { F.call() }");
    let test = |name: &str| {
        format!(
            "fn {name}() {{ let t = play(\"level.toml\"); t.ticks(1); expect(t.entity(\"hero\").vars.n).equals(1); }}\n"
        )
    };
    folder.write("levels/tests/a.rhai", &[test("test_a"), test("test_b")].concat());
    let all = run(folder.root(), &["test", "-j", "1"]);
    assert_eq!(out(&all).lines().last(), Some("2 passed, 0 failed"), "{}", out(&all));
}

#[test]
fn a_test_that_never_ends_is_stopped_next_to_others() {
    let folder = game();
    folder.write("levels/tests/a.rhai", "fn test_a() { loop { } }\nfn test_b() { }\n");
    folder.write("levels/tests/b.rhai", "fn test_c() { loop { } }\n");
    for jobs in ["1", "3"] {
        let ran = run(folder.root(), &["test", "-j", jobs]);
        assert_eq!(code(&ran), 100);
        let shown = out(&ran);
        assert_eq!(shown.lines().last(), Some("1 passed, 2 failed"), "{shown}");
        assert!(shown.contains("operations"), "{shown}");
        assert!(!shown.contains("a rerun differs"), "{shown}");
    }
}

#[test]
fn results_say_how_each_test_ended() {
    let folder = game();
    folder.write(
        "levels/tests/a.rhai",
        "fn test_good() { play(\"level.toml\").ticks(3); }\n\
         fn test_bad() {\n  let t = play(\"level.toml\");\n  t.ticks(5);\n  expect(t.tick).equals(6);\n}\n\
         fn test_same() { play(\"level.toml\").ticks(3); }\n\
         fn test_known() { known_failure(\"later\"); expect(1).equals(2); }\n\
         fn test_no_level() { }\n",
    );
    folder.write("levels/tests/b.rhai", "fn test_x( {\n");
    let ran = run(folder.root(), &["test", "--results", "r.jsonl"]);
    assert_eq!(code(&ran), 100, "{}", err(&ran));
    let results = results(&folder, "r.jsonl");
    let end = results.end.expect("an end");
    assert_eq!((end.passed, end.failed), (4, 2));
    let outcomes: Vec<CaseOutcome> = results.cases.iter().map(|(case, _)| case.outcome).collect();
    let expected = [
        CaseOutcome::Passed,
        CaseOutcome::Failed,
        CaseOutcome::Passed,
        CaseOutcome::KnownFailure,
        CaseOutcome::Passed,
        CaseOutcome::NotCompiled,
    ];
    assert_eq!(outcomes, expected);
    let case = |i: usize| &results.cases[i].0;
    assert_eq!(case(0).hash, case(2).hash, "they do the same");
    assert_ne!(case(0).hash, case(4).hash);
    assert_ne!(case(0).hash, case(1).hash);
    let bad = case(1);
    assert_eq!(bad.file.as_deref(), Some("levels/tests/a.rhai"));
    assert_eq!((bad.line, bad.tick), (Some(5), Some(5)));
    assert_eq!((bad.expected.as_deref(), bad.got.as_deref()), (Some("6"), Some("5")));
    assert_eq!(case(3).message.as_deref(), Some("later"));
    assert_eq!(case(0).replay, None);
    let replay = bad.replay.as_deref().expect("a command line");
    let replay = replay.replace('"', "");
    let arguments: Vec<&str> = replay.split(' ').skip(1).collect();
    let again = run(folder.root(), &arguments);
    assert_eq!(out(&again).lines().last(), Some("0 passed, 1 failed"));
}
