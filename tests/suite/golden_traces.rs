//! Golden traces: an input file and the trace that its run has to be.

use crate::{
    folder::{Folder, on_large_stack},
    golden_game::{INPUT, TRACE, edit, fails, game, game_with, of_version_1, passes, read, test},
    program::{code, err, out},
};
use hangtime::{
    playtest::{TestOutcome, collect, run_case},
    project::{Project, files},
};
use serde_json::Value;
use std::fmt::Write as _;

#[test]
fn an_input_file_is_a_test_if_it_has_a_level_line() {
    let folder = Folder::with_script("fn on_tick(me) { }");
    folder.write("levels/tests/a.input", "# level level.toml\n3 right\n");
    folder.write("levels/elsewhere.input", "level level.toml\n3 right\n");
    assert_eq!(code(&test(&folder, &["--list"], None)), 4);
    assert_eq!(code(&test(&folder, &["levels/tests/a.input"], None)), 4);
    folder.write("levels/tests/b.input", "# A walk.\n\n  level level.toml # here\n3 right\n");
    folder.write("levels/tests/a.rhai", "fn test_it() { }");
    let list = test(&folder, &["--list"], None);
    assert_eq!(out(&list), "levels/tests/a.rhai::test_it\nlevels/tests/b.input\n");
    // A file outside of levels/tests is one if it is named.
    let list = test(&folder, &["levels/elsewhere.input", "--list"], None);
    assert_eq!(out(&list), "levels/elsewhere.input\n");
    // A mistake in a file with a level line is one failed test.
    folder.write("levels/tests/b.input", "level level.toml\n3 wrong\n");
    let output = test(&folder, &[], None);
    assert_eq!(code(&output), 100);
    assert!(out(&output).contains("levels/tests/b.input:2:3: error: "), "{}", out(&output));
    assert_eq!(out(&output).lines().last(), Some("1 passed, 1 failed"));
}

#[test]
fn a_missing_golden_trace_fails_until_update_writes_it() {
    let folder = Folder::with_script("fn on_tick(me) { this.n += 1; }");
    folder.write(INPUT, "level level.toml\n10 right\n");
    let text = fails(&folder);
    let expected = "levels/tests/walk.input:1:7: error: there is no golden trace levels/tests/walk.trace \
                    yet; `hangtime test levels/tests/walk.input --update` writes it";
    assert!(text.contains(expected), "{text}");
    let updated = test(&folder, &["--update"], None);
    assert_eq!(code(&updated), 0);
    assert_eq!(err(&updated), "wrote levels/tests/walk.trace: 10 ticks\n");
    // A header, tick 0, and one line for each tick.
    assert_eq!(read(&folder).lines().count(), 1 + 1 + 10);
    passes(&folder);
    let before = read(&folder);
    let again = test(&folder, &["--update"], None);
    assert_eq!((code(&again), err(&again)), (0, String::new()));
    assert_eq!(read(&folder), before);
}

#[test]
fn update_is_refused_where_ci_is_set() {
    let folder = game();
    edit(&folder, 5, |line| line["hash"] = "0".into());
    let before = read(&folder);
    for ci in ["true", "1", "yes"] {
        let output = test(&folder, &["--update"], Some(ci));
        assert_eq!(code(&output), 2, "{ci}");
        assert!(err(&output).contains("--update is refused"), "{}", err(&output));
        assert_eq!(out(&output), "");
        assert_eq!(read(&folder), before);
    }
    for ci in ["", "0", "false"] {
        assert_eq!(code(&test(&folder, &["--update"], Some(ci))), 0, "{ci}");
    }
}

#[test]
fn times_the_revision_and_fields_of_other_versions_do_not_matter() {
    let folder = game();
    edit(&folder, 0, |line| line["revision"] = 7.into());
    edit(&folder, 0, |line| line["made_by"] = "a later version".into());
    for tick in [0, 3, 20] {
        edit(&folder, tick + 1, |line| {
            line["time"] = 0.125.into();
            let hero = line["entities"][0].as_object_mut().expect("a hero");
            hero.remove("surface");
            hero.insert("why".into(), serde_json::json!([]));
        });
    }
    // Windows line ends, and no end of the last line.
    let text = read(&folder).replace('\n', "\r\n");
    folder.write(TRACE, text.trim_end());
    passes(&folder);
}

/// A change of a line, and the message about it.
type GoldenEdit = (fn(&mut Value), &'static str);

#[test]
fn a_golden_trace_of_another_run_says_so() {
    let edits: [GoldenEdit; 3] = [
        (
            |line| line["level"] = "levels/other.toml".into(),
            "`level` \"levels/other.toml\", but the run has \"levels/level.toml\"",
        ),
        (|line| line["tick_hz"] = 120.into(), "`tick_hz` 120, but the run has 60"),
        (|line| line["seed"] = 5.into(), "`seed` 5, but the run has 0"),
    ];
    for (change, what) in edits {
        let folder = game();
        edit(&folder, 0, change);
        let text = fails(&folder);
        assert!(text.contains("levels/tests/walk.trace:1:1: error: "), "{text}");
        assert!(text.contains(what), "{text}");
    }
    // Longer and shorter runs.
    let folder = game();
    folder.write(INPUT, "level level.toml\n10\n20 right\n4\n");
    let text = fails(&folder);
    let expected = "the run ends at tick 34, but the golden trace has 1 more lines from \
                    levels/tests/walk.trace:37 on";
    assert!(text.contains(expected), "{text}");
    folder.write(INPUT, "level level.toml\n10\n20 right\n6\n");
    let text = fails(&folder);
    assert!(text.contains("levels/tests/walk.trace:37:"), "{text}");
    assert!(text.contains("ends before tick 36, but the run does not"), "{text}");
}

#[test]
fn a_broken_golden_trace_is_an_error_with_file_and_line() {
    let whole = read(&game());
    let lines: Vec<&str> = whole.split_inclusive('\n').collect();
    for (text, place, what) in [
        (String::new(), "levels/tests/walk.trace:1:1", "is empty"),
        ("garbage\n".into(), "levels/tests/walk.trace:1:1", "not a line of a trace"),
        ("[]\n".into(), "levels/tests/walk.trace:1:1", "not a line of a trace"),
        ("{\"results\":1}\n".into(), "levels/tests/walk.trace:1:1", "not a golden trace"),
        (whole.replace("{\"trace\":2,", "{\"trace\":3,"), "levels/tests/walk.trace:1:1", "not a golden trace"),
        (
            format!("{}{}", lines[..4].concat(), &lines[4][..20]),
            "levels/tests/walk.trace:5:1",
            "not a line of a trace: EOF",
        ),
        ([&lines[..4], &lines[5..]].concat().concat(), "levels/tests/walk.trace:5:1", "must be of tick 3"),
    ] {
        let folder = game();
        folder.write(TRACE, &text);
        let report = fails(&folder);
        assert!(report.contains(&format!("{place}: error: ")), "{report}");
        assert!(report.contains(what), "{report}");
    }
}

#[test]
fn update_does_not_write_over_what_is_no_trace() {
    let folder = game();
    folder.write(TRACE, "my notes\n");
    let output = test(&folder, &["--update"], None);
    assert_eq!(code(&output), 100);
    assert!(out(&output).contains("this is a file of the game"), "{}", out(&output));
    assert_eq!(read(&folder), "my notes\n");
}

#[test]
fn a_script_error_fails_the_test_and_is_no_golden_trace() {
    let folder = game();
    let before = read(&folder);
    folder.write("scripts/hero.rhai", "fn on_tick(me) { this.n += 1; if this.n == 8 { this.x.y = 1; } }");
    let text = fails(&folder);
    assert!(text.contains("scripts/hero.rhai:1:"), "{text}");
    std::fs::remove_file(folder.path(TRACE)).expect("a file");
    let output = test(&folder, &["--update"], None);
    assert_eq!(code(&output), 100, "{}", out(&output));
    assert!(out(&output).contains("scripts/hero.rhai:1:"), "{}", out(&output));
    assert!(!folder.path(TRACE).exists());
    folder.write(TRACE, &before);
}

#[test]
fn a_level_that_does_not_open_is_one_failed_test() {
    let folder = game();
    for (input, what) in [
        ("level levle.toml\n5\n", "did you mean `level.toml`?"),
        ("level level.toml\nset platformer.nonsense=1\n5\n", "unknown key `nonsense`"),
        ("level level.toml\nset scripts.operations=999999999\n5\n", "scripts.operations"),
    ] {
        folder.write(INPUT, input);
        let text = fails(&folder);
        assert!(text.contains(what), "{text}");
    }
}

#[test]
fn settings_seeds_and_odd_lengths_are_those_of_the_input_file() {
    for (header, body, ticks) in [
        ("set simulation.tick_hz=11\n", "1s right\n", 11),
        ("set simulation.tick_hz=1000\n", "0.5s right\n", 500),
        ("seed 18446744073709551615\n", "3 right\n", 3),
        ("", "0 right\n", 0),
        ("", "", 0),
    ] {
        let folder = game_with(&format!("level level.toml\n{header}{body}"));
        assert_eq!(read(&folder).lines().count(), 2 + ticks, "{header}{body}");
        passes(&folder);
    }
}

#[test]
fn golden_traces_hold_in_heavy_mode_and_from_another_folder() {
    let folder = game();
    let heavy = test(&folder, &["--heavy"], None);
    assert_eq!(code(&heavy), 0, "{}", out(&heavy));
    let elsewhere = Folder::empty();
    let root = folder.root().display().to_string();
    edit(&folder, 4, |line| line["hash"] = "0".into());
    let output = test(&elsewhere, &["--root", &root], None);
    assert_eq!(code(&output), 100);
    let rerun = format!("rerun: hangtime --root {root} test levels/tests/walk.input");
    assert!(out(&output).contains(&rerun), "{}", out(&output));
}

#[test]
fn an_endless_input_ends_with_the_golden_trace() {
    let folder = game();
    let mut endless = "level level.toml\n10\n20 right\n5\n".to_string();
    for _ in 0..100 {
        let _ = writeln!(endless, "100000000");
    }
    folder.write(INPUT, &endless);
    assert!(fails(&folder).contains("ends before tick 36"));
    std::fs::remove_file(folder.path(TRACE)).expect("a file");
    let output = test(&folder, &["--update"], None);
    assert_eq!(code(&output), 100);
    let text = out(&output);
    let line = "levels/tests/walk.input:5:1: error: the input takes 10000000035 ticks; the limit for a golden \
                trace is 108000\n";
    assert!(text.contains(line), "{text}");
    assert!(text.contains("\n5 | 100000000\n"), "{text}");
}

#[test]
fn an_input_whose_trace_cannot_be_written_fails_alone() {
    let folder = game();
    std::fs::remove_file(folder.path(TRACE)).expect("a file");
    folder.write("levels/tests/a.input", "level nowhere.toml\n5\n");
    folder.write("levels/tests/b.input", "level level.toml\n200000\n");
    folder.write("levels/tests/c.input", "level level.toml\nfly\n");
    folder.write("levels/tests/z.input", "level level.toml\n5 left\n");
    let output = test(&folder, &["--update", "--junit", "j.xml"], None);
    let text = out(&output);
    assert_eq!(code(&output), 100, "{text}{}", err(&output));
    assert_eq!(text.lines().last(), Some("2 passed, 3 failed"), "{text}");
    for (name, why) in [
        ("a", "levels/tests/a.input:1:7: error: `nowhere.toml`: no such level"),
        ("b", "the limit for a golden trace"),
        ("c", "levels/tests/c.input:2:1: error: "),
    ] {
        assert!(text.contains(&format!("FAILED levels/tests/{name}.input")));
        assert!(text.contains(why), "{text}");
        assert!(!folder.path(&format!("levels/tests/{name}.trace")).exists());
    }
    for name in ["walk", "z"] {
        let wrote = format!("wrote levels/tests/{name}.trace: ");
        assert!(err(&output).contains(&wrote), "{}", err(&output));
        assert!(folder.path(&format!("levels/tests/{name}.trace")).exists());
    }
    assert!(folder.path("j.xml").exists());
}

/// Changes a golden trace in hundreds of ways: the test passes or fails with a place, and never
/// panics.
#[test]
fn no_change_of_a_golden_trace_panics() {
    on_large_stack(|| {
        let folder = game_with("level level.toml\n2\n2 right\n");
        let valid = read(&folder).into_bytes();
        let first = valid.iter().position(|byte| *byte == b'\n').expect("a line");
        let project = Project::load(folder.root()).expect("a game");
        let mut state: u64 = 0x2545_f491_4f6c_dd1d;
        let mut below = |most: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state % most.max(1) as u64) as usize
        };
        let found = files::find_tests(project.root(), &[]).expect("tests");
        let cases = collect(&project, &found);
        let mut failures = 0;
        for _ in 0..300 {
            let mut bytes = valid.clone();
            // The files in the first line are not compared.
            let at = first + below(bytes.len() - first);
            match below(4) {
                0 => bytes[at] = below(128) as u8,
                1 => drop(bytes.drain(at..(at + below(60)).min(valid.len()))),
                2 => bytes.truncate(at),
                _ => drop(bytes.splice(at..at, *b"{[9")),
            }
            folder.write(TRACE, &String::from_utf8_lossy(&bytes));
            let result = run_case(&project, &cases[0]);
            match &result.outcome {
                TestOutcome::Passed => {}
                TestOutcome::Failed(failure) => {
                    failures += 1;
                    let message = failure.diagnostic.headline();
                    assert!(message.starts_with("levels/tests/walk."), "{message}");
                    assert!(!message.contains("report this bug"), "{message}");
                    assert!(!result.report(false).is_empty());
                }
                other => panic!("{other:?}"),
            }
        }
        assert!(failures > 200, "{failures}");
    });
}

#[test]
fn a_golden_trace_of_version_1_is_still_read_and_stays_as_it_is() {
    let folder = game();
    let old = of_version_1(&folder);
    folder.write(TRACE, &old);
    passes(&folder);
    let updated = test(&folder, &["--update"], None);
    assert_eq!((code(&updated), err(&updated)), (0, String::new()));
    assert_eq!(read(&folder), old);
}

#[test]
fn a_golden_trace_holds_only_what_changes() {
    let folder = game();
    let (whole, read) = (of_version_1(&folder), read(&folder));
    let lines = |text: &str| text.lines().map(str::to_string).collect::<Vec<String>>();
    let (whole, read) = (lines(&whole), lines(&read));
    assert_eq!(whole.len(), read.len());
    let sum = |lines: &[String]| lines[2..].iter().map(String::len).sum::<usize>();
    assert!(3 * sum(&read) < sum(&whole), "{} of {} bytes", sum(&read), sum(&whole));
    // The hero stands until tick 10: only the count of its script changes.
    let line: Value = serde_json::from_str(&read[5]).expect("JSON");
    let hash = &serde_json::from_str::<Value>(&whole[5]).expect("JSON")["hash"];
    assert_eq!(line, serde_json::json!({ "tick": 4, "hash": hash, "entities": [{ "id": 1, "set": { "n": 4 } }] }));
}

#[test]
fn a_golden_failure_names_the_files_that_have_changed() {
    let folder = game();
    folder.write("config/models/platformer.toml", "run_accel = 700.0\n");
    folder.write("config/entities/other.toml", "model = \"platformer\"\n");
    let text = fails(&folder);
    let changed = "  changed:  config/models/platformer.toml (added)\n";
    assert!(text.contains(changed), "{text}");
    assert_eq!(code(&test(&folder, &["--update"], None)), 0);
    folder.write("config/models/platformer.toml", "# Faster.\nrun_accel = 710.0\n");
    folder.write("scripts/hero.rhai", "fn on_tick(me) { this.n += 2; }");
    let text = fails(&folder);
    let changed = "  changed:  config/models/platformer.toml (platformer.run_accel 700 → 710), scripts/hero.rhai\n";
    assert!(text.contains(changed), "{text}");
    // A trace of version 1 does not know its files, and fails as before.
    edit(&folder, 5, |line| line["hash"] = "0".into());
    assert!(!fails(&folder).contains("changed:"), "nothing is claimed");
}

#[test]
fn golden_traces_that_fail_for_one_cause_are_reported_once() {
    let folder = game();
    for n in 0..4 {
        folder.write(&format!("levels/tests/w{n}.input"), &format!("level level.toml\n{n}\n20 right\n"));
    }
    assert_eq!(code(&test(&folder, &["--update"], None)), 0);
    folder.write("config/models/platformer.toml", "run_accel = 700.0\n");
    let output = test(&folder, &[], None);
    let text = out(&output);
    assert_eq!(code(&output), 100);
    assert!(text.ends_with("0 passed, 5 failed\n"), "{text}");
    assert_eq!(text.matches("  expected: ").count(), 1, "one is shown in full: {text}");
    assert_eq!(text.matches("changed:  the same as for levels/tests/w0.input").count(), 4, "{text}");
    let recap = text.split("5 failures:").nth(1).expect("a list");
    assert_eq!(recap.matches("rerun: ").count(), 1, "{recap}");
    let names = "levels/tests/w1.input, levels/tests/w2.input, levels/tests/w3.input";
    let named = format!("the same for 4 other golden traces: levels/tests/walk.input, {names}");
    let sorted = format!("the same for 4 other golden traces: {names}, levels/tests/walk.input");
    assert!(recap.contains(&named) || recap.contains(&sorted), "{recap}");
}
