//! What hangtime writes by itself stays in the game folder, and closed pipes change no exit code.

use crate::program::{code, command, err, game, out, run};
use std::process::Stdio;

const FAILS: &str = "fn test_a() { let t = play(\"level.toml\"); t.ticks(5); expect(t.tick).equals(6); }\n";

/// The path of the recording that a failed test has left, from its report.
fn recording(report: &str) -> String {
    let line = report.lines().find_map(|line| line.trim().strip_prefix("replay: "));
    let command = line.expect("a line that replays it");
    command.rsplit(' ').next().expect("a path").to_string()
}

#[cfg(unix)]
#[test]
fn a_link_in_the_game_lets_nothing_be_written_outside() {
    let (folder, outside) = (game(), tempfile::tempdir().expect("a folder"));
    let mine = outside.path().join("mine");
    std::fs::write(&mine, "mine").expect("a file");
    folder.write("levels/tests/a.rhai", FAILS);
    let file = recording(&out(&run(folder.root(), &["test"])));
    // The recording of a failed test.
    for target in [mine.clone(), outside.path().join("new")] {
        std::fs::remove_file(folder.path(&file)).expect("removed");
        std::os::unix::fs::symlink(&target, folder.path(&file)).expect("a link");
        let tested = run(folder.root(), &["test"]);
        assert_eq!(code(&tested), 100);
        assert!(!out(&tested).contains("replay: "), "{}", out(&tested));
    }
    // A golden trace.
    folder.write("levels/tests/b.input", "level level.toml\n5 right\n");
    std::os::unix::fs::symlink(&mine, folder.path("levels/tests/b.trace")).expect("a link");
    let updated = run(folder.root(), &["test", "--update"]);
    assert_eq!(code(&updated), 100, "{}", err(&updated));
    assert!(out(&updated).contains("FAILED levels/tests/b.input"), "{}", out(&updated));
    // A folder of tests.
    let recorded = run(folder.root(), &["run", "level", "--ticks", "9", "--record", "walk.run"]);
    assert_eq!(code(&recorded), 0, "{}", err(&recorded));
    std::fs::remove_dir_all(folder.path("levels/tests")).expect("removed");
    std::os::unix::fs::symlink(outside.path(), folder.path("levels/tests")).expect("a link");
    let made = run(folder.root(), &["test", "--from", "walk.run", "walk"]);
    assert_eq!(code(&made), 2, "{}", err(&made));
    assert_eq!(std::fs::read_to_string(&mine).expect("a file"), "mine");
    assert_eq!(std::fs::read_dir(outside.path()).expect("a folder").count(), 1);
}

#[test]
fn the_line_that_replays_a_failed_test_names_the_game_folder() {
    let folder = game();
    folder.write("levels/tests/a.rhai", FAILS);
    let root = folder.root().display().to_string();
    let elsewhere = tempfile::tempdir().expect("a folder");
    let tested = run(elsewhere.path(), &["--root", &root, "test"]);
    let report = out(&tested);
    let line = report.lines().find_map(|line| line.trim().strip_prefix("replay: hangtime "));
    let arguments: Vec<&str> = line.expect("a line that replays it").split(' ').collect();
    let replayed = run(elsewhere.path(), &arguments);
    assert_eq!(code(&replayed), 0, "{}", err(&replayed));
}

#[test]
fn tests_whose_names_look_alike_leave_different_recordings() {
    let folder = game();
    folder.write("levels/tests/a/b.rhai", FAILS);
    folder.write("levels/tests/a-b.rhai", FAILS);
    let long = "x".repeat(150);
    let alike = format!(
        "fn test_{long}1() {{ expect(play(\"level.toml\").tick).equals(1); }}\nfn test_{long}2() {{ expect(play(\"level.toml\").tick).equals(1); }}\n"
    );
    folder.write("levels/tests/c.rhai", &alike);
    let tested = run(folder.root(), &["test"]);
    let report = out(&tested);
    let lines = report.lines().filter_map(|line| line.trim().strip_prefix("replay: "));
    let mut files: Vec<&str> = lines.collect();
    files.sort_unstable();
    files.dedup();
    assert_eq!(files.len(), 4, "{report}");
}

#[test]
fn a_closed_pipe_changes_no_exit_code() {
    let folder = game();
    folder.write("keys.input", "30 right\n");
    let recorded = run(folder.root(), &["run", "level", "--input", "keys.input", "--record", "a.run"]);
    assert_eq!(code(&recorded), 0, "{}", err(&recorded));
    let text = folder.read("a.run");
    folder.write("b.run", &text.replace("right", "left"));
    folder.write("scripts/hero.rhai", "fn on_tick(me) {");
    for (arguments, expected) in [(&["replay", "a.run"][..], 0), (&["replay", "b.run"], 1), (&["check"], 1)] {
        let mut child = command(folder.root(), arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        drop(child.stdout.take());
        let status = child.wait().expect("it ends");
        assert_eq!(status.code(), Some(expected), "{arguments:?}");
    }
}

#[test]
fn a_recording_without_ticks_or_level_is_refused() {
    let folder = game();
    let recorded = run(folder.root(), &["run", "level", "--ticks", "40", "--record", "a.run"]);
    assert_eq!(code(&recorded), 0, "{}", err(&recorded));
    let text = folder.read("a.run");
    let first = text.lines().next().expect("a header").len();
    folder.write("cut.run", &text[..first + 1]);
    folder.write("nolevel.run", &text.replacen("levels/level.toml", "levels/nope.toml", 1));
    folder.write("more.run", &format!("{text}{{\"end\":40,\"hash\":\"0000000000000000\"}}\n"));
    let last = text.trim_end().len() - 3;
    let other = if text.as_bytes()[last] == b'0' { "1" } else { "0" };
    folder.write("hash.run", &format!("{}{other}{}", &text[..last], &text[last + 1..]));
    for (name, message) in [
        ("cut.run", "before its first revision"),
        ("nolevel.run", "levels/nope.toml: error: this recording does not hold the file of its level"),
        ("more.run", "there is something after the end"),
        ("hash.run", "the hash at its end"),
    ] {
        let replayed = run(folder.root(), &["replay", name]);
        assert_eq!(code(&replayed), 2, "{name}: {}", out(&replayed));
        assert!(err(&replayed).contains(message), "{name}: {}", err(&replayed));
    }
    let made = run(folder.root(), &["test", "--from", "cut.run", "cut"]);
    assert_eq!(code(&made), 2, "{}", err(&made));
    assert!(!folder.path("levels/tests/cut.input").exists());
}
