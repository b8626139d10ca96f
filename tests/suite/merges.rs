//! `merge`: the results of parts, joined, are the same as from one run.

use crate::{
    folder::Folder,
    program::{code, err, out, run},
    results_files::{case, header, merged, replace, write, write_parts},
};
use hangtime::playtest::{ResultsWriter, plan_hash};

#[test]
fn parts_joined_in_any_order_are_one_run() {
    let folder = Folder::empty();
    for (cases, total) in [(1, 1), (2, 1), (7, 2), (7, 7), (2, 5), (33, 7)] {
        let whole = write(&folder, "whole.jsonl", cases, None);
        let mut files = write_parts(&folder, cases, total);
        let failed = (0..cases).filter(|index| index % 3 == 2).count();
        let expected = if failed == 0 { 0 } else { 100 };
        let last = format!("{} passed, {failed} failed", cases as usize - failed);
        for _ in 0..2 {
            let (code, text, wrong) = merged(&folder, &files, &["--results", "joined.jsonl"]);
            assert_eq!((code, wrong.as_str()), (expected, ""), "{cases} in {total}");
            assert_eq!(text.lines().last(), Some(last.as_str()));
            assert_eq!(text.matches("FAILED ").count(), failed, "{text}");
            assert_eq!(folder.read("joined.jsonl"), folder.read(&whole));
            files.reverse();
        }
        // The whole joined with nothing is the whole.
        assert_eq!(merged(&folder, &[whole], &[]).0, expected);
    }
}

#[test]
fn failures_come_first_with_place_values_tick_and_command() {
    let folder = Folder::empty();
    let files = write_parts(&folder, 4, 2);
    let (code, text, _) = merged(&folder, &files, &[]);
    assert_eq!(code, 100);
    let expected = "FAILED levels/tests/a.rhai::test_2 (0 ms)\n\
                    levels/tests/a.rhai:7: error: expected above 20, got 19\n  \
                    expected: above 20\n  got:      19\n  tick:     30\n  \
                    rerun: hangtime test levels/tests/a.rhai --filter test_2\n\
                    3 passed, 1 failed\n";
    assert_eq!(text, expected);
}

#[test]
fn divisions_may_differ_as_long_as_every_case_is_there_once() {
    let folder = Folder::empty();
    let parts = ["slice:1/2", "slice:2/4", "slice:4/4"];
    let files: Vec<String> = parts
        .iter()
        .enumerate()
        .map(|(i, part)| write(&folder, &format!("{i}.jsonl"), 12, Some(part)))
        .collect();
    assert_eq!(merged(&folder, &files, &[]).0, 100);
}

#[test]
fn the_joined_results_replace_no_part_and_no_file_of_the_game() {
    let folder = Folder::with_script("fn on_tick(me) { }");
    let files = write_parts(&folder, 2, 2);
    let before = folder.read("1.jsonl");
    for target in ["1.jsonl", "./1.jsonl", "levels/level.toml"] {
        let (code, text, wrong) = merged(&folder, &files, &["--results", target]);
        assert_eq!((code, text.as_str()), (2, ""), "{target}: {wrong}");
    }
    assert_eq!(folder.read("1.jsonl"), before);
    let (code, _, wrong) = merged(&folder, &files, &["--results", "no/such/folder.jsonl"]);
    assert_eq!(code, 2);
    assert!(wrong.contains("cannot write the file"), "{wrong}");
}

#[test]
fn unknown_fields_are_kept() {
    let folder = Folder::empty();
    let files = write_parts(&folder, 2, 2);
    replace(&folder, &files[0], "\"ms\":0.5", "\"ms\":0.5,\"zoom\":[1,2.5]");
    let (code, _, wrong) = merged(&folder, &files, &["--results", "joined.jsonl"]);
    assert_eq!(code, 0, "{wrong}");
    assert!(folder.read("joined.jsonl").contains("\"zoom\":[1,2.5]"));
}

#[test]
fn texts_of_results_cannot_steer_the_terminal() {
    let folder = Folder::empty();
    let mut steering = case(2);
    steering.index = 0;
    steering.case = "a\u{1b}[2J".into();
    steering.message = Some("b\u{1b}]0;x\u{7}".into());
    steering.replay = Some("c\u{9b}1m".into());
    let mut head = header(1, None);
    head.plan = plan_hash([steering.case.as_str()]);
    let out = std::fs::File::create(folder.path("1.jsonl")).expect("a file");
    let mut writer = ResultsWriter::new(Box::new(out), &head).expect("a header");
    writer.case(&steering).expect("a line");
    writer.end().expect("the last line");
    let steers = |text: &str| text.contains(|c: char| c.is_control() && c != '\n');
    assert!(!steers(&folder.read("1.jsonl")), "the file can be printed, too");
    let (code, text, _) = merged(&folder, &["1.jsonl".into()], &[]);
    assert_eq!(code, 100);
    assert!(!steers(&text), "{text:?}");
}

#[test]
fn the_joined_results_of_tests_are_written_as_junit_xml() {
    let folder = Folder::empty();
    let files = write_parts(&folder, 7, 3);
    let options = ["--junit", "all.xml", "--results", "all.jsonl"];
    let (code, _, wrong) = merged(&folder, &files, &options);
    assert_eq!((code, wrong.as_str()), (100, ""));
    let xml = folder.read("all.xml");
    assert!(xml.starts_with("<?xml"), "{xml}");
    // Cases 2 and 5 failed.
    for expected in [
        "<testsuites name=\"hangtime\" tests=\"7\" failures=\"2\" errors=\"0\"",
        "<testsuite name=\"levels/tests/a.rhai\" tests=\"7\"",
        "<testcase name=\"test_6\" classname=\"levels/tests/a.rhai\"",
        "message=\"expected above 20, got 19\"",
    ] {
        assert!(xml.contains(expected), "{expected}\n{xml}");
    }
    assert_eq!(xml.matches("<failure ").count(), 2);
    assert!(folder.path("all.jsonl").is_file());
    // Two outputs of one name, and a sweep.
    let (code, _, wrong) = merged(&folder, &files, &["--junit", "x.xml", "--results", "x.xml"]);
    assert_eq!(code, 2);
    assert!(wrong.contains("cannot have the same name"), "{wrong}");
    assert!(!folder.path("x.xml").exists());
}

#[test]
fn parts_of_a_real_run_are_joined_as_one_run() {
    let folder = Folder::with_script("fn on_tick(me) { this.n += 1; }");
    let mut tests = String::new();
    for i in 0..5 {
        let right = if i == 3 { 4 } else { 3 };
        tests +=
            &format!("fn test_{i}() {{ let t = play(\"level.toml\"); t.ticks(3); expect(t.tick).equals({right}); }}\n");
    }
    folder.write("levels/tests/a.rhai", &tests);
    folder.write("levels/tests/b.rhai", "fn test_x( {\n");
    folder.write("levels/tests/c.input", "level level.toml\n3 right\n");
    let plain = |file: &str| {
        let text = folder.read(file);
        let lines = text.lines().map(|line| {
            let mut line: serde_json::Value = serde_json::from_str(line).expect("JSON");
            line.as_object_mut().expect("an object").remove("ms");
            line.to_string()
        });
        lines.collect::<Vec<_>>()
    };
    let whole = run(folder.root(), &["test", "--results", "whole.jsonl"]);
    assert_eq!(code(&whole), 100);
    // One failed test, one file that does not compile, one input without a golden trace.
    assert_eq!(out(&whole).lines().last(), Some("4 passed, 3 failed"));
    for total in [1, 2, 9] {
        let mut files = Vec::new();
        for k in 1..=total {
            let (part, file) = (format!("slice:{k}/{total}"), format!("{k}.jsonl"));
            let arguments = ["test", "--partition", &part, "--results", &file];
            let output = run(folder.root(), &arguments);
            // Of 9 parts, the last two are empty.
            assert!([0, 100].contains(&code(&output)), "{part}: {}", err(&output));
            assert!(k <= 7 || code(&output) == 0);
            files.push(file);
        }
        let (code, text, wrong) = merged(&folder, &files, &["--results", "joined.jsonl"]);
        assert_eq!((code, wrong.as_str()), (100, ""));
        assert_eq!(text.lines().last(), Some("4 passed, 3 failed"));
        assert_eq!(plain("joined.jsonl"), plain("whole.jsonl"));
    }
}
