//! Recordings as files: the commands that write and read them.

use crate::program::{code, err, game, out, run};

#[test]
fn the_program_records_and_replays() {
    let folder = game();
    folder.write("keys.input", "20\n30 right\n1 right jump\n40 right\n");
    let recorded =
        run(folder.root(), &["run", "level", "--input", "keys.input", "--record", "walk.run", "--seed", "5"]);
    assert_eq!(code(&recorded), 0, "{}", err(&recorded));
    let last = err(&recorded);
    let hash = last.trim().rsplit(' ').next().expect("a hash").to_string();
    for extra in [&[][..], &["--heavy"]] {
        let replayed = run(folder.root(), &[&["replay", "walk.run"][..], extra].concat());
        assert_eq!(code(&replayed), 0, "{}", err(&replayed));
        assert_eq!(out(&replayed).trim(), format!("the same: 91 ticks, 1 revision, hash {hash}"));
    }
    // The folder is not read: neither its files nor what is missing matter.
    std::fs::remove_dir_all(folder.path("levels")).expect("removed");
    folder.write("scripts/hero.rhai", "fn on_tick(me) {");
    assert_eq!(code(&run(folder.root(), &["replay", "walk.run"])), 0);
    let text = folder.read("walk.run");
    folder.write("other.run", &text.replace("right jump", "left jump"));
    let replayed = run(folder.root(), &["replay", "other.run"]);
    assert_eq!(code(&replayed), 1);
    let said = out(&replayed);
    assert!(said.starts_with("different at tick 51: `hero.pos.x`: expected "), "{said}");
    folder.write("cut.run", &text[..text.len() - 20]);
    let replayed = run(folder.root(), &["replay", "cut.run"]);
    assert_eq!(code(&replayed), 0);
    assert!(err(&replayed).contains("the recording was cut"), "{}", err(&replayed));
}

#[test]
fn a_recording_of_another_version_that_plays_differently_names_both_versions() {
    let folder = game();
    folder.write("keys.input", "20\n30 right\n1 right jump\n40 right\n");
    run(folder.root(), &["run", "level", "--input", "keys.input", "--record", "walk.run"]);
    let own = format!("\"hangtime\":\"{}\"", env!("CARGO_PKG_VERSION"));
    let text = folder.read("walk.run");
    assert!(text.contains(&own), "{text}");
    let older = text.replace(&own, "\"hangtime\":\"0.2.0\"");
    let said = "this recording is of hangtime 0.2.0, and this is hangtime ";
    for (text, exit, is_said) in [
        (older.clone(), 0, false),
        (older.replace("right jump", "left jump"), 1, true),
        (text.replace("right jump", "left jump"), 1, false),
        (older.replace("\"tick_hz\":60", "\"tick_hz\":0"), 2, false),
        (older.replace("\"revision\":1", "\"revision\":true"), 2, true),
    ] {
        folder.write("other.run", &text);
        let replayed = run(folder.root(), &["replay", "other.run"]);
        assert_eq!(code(&replayed), exit, "{}", err(&replayed));
        assert_eq!(err(&replayed).contains(said), is_said, "{}", err(&replayed));
    }
}

#[test]
fn what_is_no_recording_is_refused() {
    let folder = game();
    folder.write("empty.run", "");
    folder.write("other.run", "{\"trace\":1}\n");
    folder.write("new.run", "{\"run\":2,\"shape\":\"unknown\"}\n");
    folder.write("short.run", "{\"run\":1}\n");
    let expected = [
        ("empty.run", "this file is empty"),
        ("other.run", "other.run:1:1: error: this is not a recording"),
        ("new.run", "this recording has version 2; this hangtime reads version 1"),
        ("short.run", "short.run:1:9: error: missing field `hangtime`\n  |\n1 | {\"run\":1}\n"),
        ("none.run", "no such file"),
        ("levels", "this is not a file"),
    ];
    for (name, message) in expected {
        let output = run(folder.root(), &["replay", name]);
        assert_eq!(code(&output), 2, "{name}");
        assert!(err(&output).contains(message), "{name}: {}", err(&output));
    }
}

#[test]
fn a_recording_replaces_no_file_of_the_game_and_leaves_nothing_half_written() {
    let folder = game();
    for name in ["levels/level.toml", "scripts/hero.rhai"] {
        let before = std::fs::read(folder.path(name)).expect("a file");
        let output = run(folder.root(), &["run", "level", "--ticks", "5", "--record", name]);
        assert_eq!(code(&output), 2, "{}", err(&output));
        assert_eq!(std::fs::read(folder.path(name)).expect("a file"), before);
    }
    let output = run(folder.root(), &["run", "level", "--ticks", "5", "--record", "a.run"]);
    assert_eq!(code(&output), 0, "{}", err(&output));
    // An earlier recording may be replaced, also one in `levels`.
    let output = run(folder.root(), &["run", "level", "--ticks", "9", "--record", "a.run"]);
    assert_eq!(code(&output), 0, "{}", err(&output));
    let parts = std::fs::read_dir(folder.root()).expect("a folder").flatten();
    let parts = parts.filter(|e| e.file_name().to_string_lossy().contains("part"));
    assert_eq!(parts.count(), 0);
    let full = run(folder.root(), &["run", "level", "--record", "/dev/full"]);
    assert_eq!(code(&full), 2, "{}", err(&full));
}

#[test]
fn a_failing_test_leaves_a_recording_that_replays() {
    let folder = game();
    let script = r#"
fn test_a() {
    let t = play("level.toml");
    t.hold("right");
    t.run(0.5);
    t.tune("platformer.jump_speed", 400);
    t.place("hero", -300, 60);
    let moment = t.snapshot();
    t.run(0.25);
    t.restore(moment);
    t.emit("bell", 3);
    t.press("jump");
    t.run(0.5);
    expect(t.entity("hero").x).equals("far");
}
fn test_b() { expect(play("level.toml").tick).equals(0); }
"#;
    folder.write("levels/tests/a.rhai", script);
    let tested = run(folder.root(), &["test"]);
    assert_eq!(code(&tested), 100, "{}", err(&tested));
    let said = out(&tested);
    let line = said.lines().find(|line| line.contains("replay: "));
    let command = line.expect("a line that replays it");
    let file = command.trim().strip_prefix("replay: hangtime replay ");
    let file = file.expect("a command");
    assert!(file.starts_with(".hangtime/failed/") && file.contains("test_a"), "{file}");
    let replayed = run(folder.root(), &["replay", file]);
    assert_eq!(code(&replayed), 0, "{}{}", out(&replayed), err(&replayed));
    // 0.5 s, 0.25 s and 0.5 s at 60 ticks a second; the level, an edit, a place, and a return with an event.
    assert!(out(&replayed).contains("the same: 75 ticks, 4 revisions"), "{}", out(&replayed));
    assert!(err(&replayed).is_empty(), "the recording is complete: {}", err(&replayed));
    // What is remembered there is not part of the game.
    assert_eq!(code(&run(folder.root(), &["check"])), 0);
}

#[test]
fn a_failing_golden_test_leaves_a_recording_that_replays() {
    for heavy in [false, true] {
        let folder = crate::golden_game::game();
        folder.write("config/models/platformer.toml", "run_accel = 100.0\n");
        let arguments: &[&str] = if heavy { &["test", "--heavy"] } else { &["test"] };
        let tested = run(folder.root(), arguments);
        assert_eq!(code(&tested), 100, "{}", err(&tested));
        let said = out(&tested);
        let command = said.lines().find_map(|line| line.trim().strip_prefix("replay: hangtime "));
        let command = command.unwrap_or_else(|| panic!("no line that replays it: {said}"));
        let words: Vec<&str> = command.split(' ').collect();
        let replayed = run(folder.root(), &words);
        assert_eq!(code(&replayed), 0, "{}{}", out(&replayed), err(&replayed));
        // It ends at the first difference: the hero stands for 10 ticks.
        assert!(out(&replayed).contains("the same: 11 ticks"), "{}", out(&replayed));
    }
}

#[test]
fn a_recording_that_ends_before_until_says_so() {
    let folder = game();
    let arguments = ["run", "level", "--ticks", "70", "--record", "a.run"];
    assert_eq!(code(&run(folder.root(), &arguments)), 0);
    for (until, says) in [("30", None), ("70", None), ("71", Some("70")), ("5000", Some("70"))] {
        let replayed = run(folder.root(), &["replay", "a.run", "--until", until]);
        assert_eq!(code(&replayed), 0);
        let expected = says
            .map_or_else(String::new, |end| format!("warning: --until {until}: the recording ends at tick {end}\n"));
        assert_eq!(err(&replayed), expected, "{until}");
    }
}

#[test]
fn a_test_is_not_made_of_a_recording_where_ci_is_set() {
    let folder = game();
    let arguments = ["run", "level", "--ticks", "9", "--record", "a.run"];
    assert_eq!(code(&run(folder.root(), &arguments)), 0);
    let from = ["--from", "a.run", "walk"];
    for ci in ["true", "1"] {
        let refused = crate::golden_game::test(&folder, &from, Some(ci));
        assert_eq!(code(&refused), 2);
        assert!(err(&refused).contains("--from is refused where CI is set"), "{}", err(&refused));
        assert!(!folder.path("levels/tests/walk.input").exists());
    }
    for ci in [None, Some(""), Some("0"), Some("false")] {
        let _ = std::fs::remove_dir_all(folder.path("levels/tests"));
        let made = crate::golden_game::test(&folder, &from, ci);
        assert_eq!(code(&made), 0, "{ci:?}: {}", err(&made));
    }
}

#[test]
fn a_recording_becomes_a_test() {
    let folder = game();
    folder.write("keys.input", "seed 4\n20\n30 right\n1 right jump\n40 p2.left move=0.5:0.25 aim=3:4\n9\n");
    let recorded = run(
        folder.root(),
        &["run", "level", "--input", "keys.input", "--record", "walk.run", "--set", "platformer.jump_speed=300"],
    );
    assert_eq!(code(&recorded), 0, "{}", err(&recorded));
    let made = run(folder.root(), &["test", "--from", "walk.run", "walk"]);
    assert_eq!(code(&made), 0, "{}", err(&made));
    assert!(err(&made).contains("the game plays as it was recorded"), "{}", err(&made));
    let input = folder.read("levels/tests/walk.input");
    let expected = "level levels/level.toml\nseed 4\nset platformer.jump_speed=300\n20\n30 right\n\
                    1 right jump\n40 move=0.5:0.25 aim=3:4 p2.left\n9\n";
    assert_eq!(input, expected);
    let tested = run(folder.root(), &["test"]);
    assert_eq!(code(&tested), 0, "{}", out(&tested));
    assert!(out(&tested).contains("1 passed, 0 failed"), "{}", out(&tested));
    // Nothing is replaced.
    let again = run(folder.root(), &["test", "--from", "walk.run", "walk"]);
    assert_eq!(code(&again), 2, "{}", err(&again));
    // A changed game plays otherwise: the test fails, and another test made of the recording says so.
    folder.write("config/models/platformer.toml", "run_accel = 100.0\n");
    assert_eq!(code(&run(folder.root(), &["test"])), 100);
    let refused = run(folder.root(), &["test", "--from", "walk.run", "slow"]);
    assert_eq!(code(&refused), 2);
    let why = "the game plays differently from the recording from tick 21 on";
    assert!(err(&refused).contains(why) && err(&refused).contains("add --accept"), "{}", err(&refused));
    assert!(!folder.path("levels/tests/slow.input").exists() && !folder.path("levels/tests/slow.trace").exists());
    let made = run(folder.root(), &["test", "--from", "walk.run", "slow", "--accept"]);
    assert_eq!(code(&made), 0, "{}", err(&made));
    assert!(err(&made).contains(why), "{}", err(&made));
    assert!(folder.path("levels/tests/slow.trace").exists());
    for (name, message) in [("a/b", "letters"), ("", "letters")] {
        let refused = run(folder.root(), &["test", "--from", "walk.run", name]);
        assert_eq!(code(&refused), 2);
        assert!(err(&refused).contains(message), "{}", err(&refused));
    }
}

#[test]
fn a_recording_is_not_parsed_as_a_level() {
    let folder = game();
    assert_eq!(code(&run(folder.root(), &["run", "level", "--ticks", "9", "--record", "a.run"])), 0);
    let refused = run(folder.root(), &["run", "a.run"]);
    assert_eq!(code(&refused), 2);
    let said = err(&refused);
    assert!(said.contains("a.run: error: this is a recording, not a level; `hangtime replay a.run`"), "{said}");
    // Without a display, the window cannot show it either. That is said before anything else is tried.
    let shown = run(folder.root(), &["play", "a.run"]);
    assert_eq!(code(&shown), 2);
    assert!(err(&shown).contains("no window: "), "{}", err(&shown));
    assert!(err(&shown).contains("`hangtime replay a.run --gif FILE.gif`"), "{}", err(&shown));
    let missing = run(folder.root(), &["play", "b.run"]);
    assert_eq!(code(&missing), 2);
    assert!(err(&missing).contains("b.run: error: no such file"), "{}", err(&missing));
}

#[test]
fn a_replay_shows_what_its_run_has_shown() {
    let folder = game();
    folder.write("keys.input", "20\n30 right\n1 right jump\n40 right\n");
    let shown = |name: &str| {
        let file = |ending: &str| format!("{name}.{ending}");
        let options = ["--trace", &file("jsonl"), "--trace-why", "--gif", &file("gif"), "--png", &file("png")];
        [&options[..], &["--why", "hero@51", "--overlays", "trail"]]
            .concat()
            .iter()
            .map(|word| word.to_string())
            .collect()
    };
    let run_with = |words: &[&str], options: Vec<String>| {
        let words: Vec<&str> = words.iter().copied().chain(options.iter().map(String::as_str)).collect();
        let output = run(folder.root(), &words);
        assert_eq!(code(&output), 0, "{}", err(&output));
        out(&output)
    };
    let said = run_with(&["run", "level", "--input", "keys.input", "--record", "walk.run"], shown("run"));
    let replayed = run_with(&["replay", "walk.run"], shown("replay"));
    assert!(said.contains("tick 51  hero"), "{said}");
    assert!(replayed.starts_with(&said) && replayed.contains("the same: 91 ticks"), "{replayed}");
    for ending in ["jsonl", "gif", "png"] {
        let bytes = |name: &str| std::fs::read(folder.path(&format!("{name}.{ending}"))).expect("an output");
        assert!(bytes("run") == bytes("replay"), "{ending}");
    }
    // A trace on stdout has only lines of JSON.
    let printed = run(folder.root(), &["replay", "walk.run", "--trace", "-", "--until", "5"]);
    assert_eq!(out(&printed).lines().count(), 1 + 6, "{}", out(&printed));
    assert!(out(&printed).lines().all(|line| line.starts_with('{')), "{}", out(&printed));
    assert!(err(&printed).contains("the same: 5 ticks"), "{}", err(&printed));
    // Ticks that are not reached are named.
    let late = run(folder.root(), &["replay", "walk.run", "--why", "hero@500"]);
    assert!(err(&late).contains("warning: --why hero@500: the recording ends at tick 91"), "{}", err(&late));
}

#[test]
fn a_replay_of_a_game_that_was_turned_back_shows_every_tick() {
    let folder = game();
    let script = "fn test_a() { let t = play(\"level.toml\"); t.hold(\"right\"); let start = t.snapshot(); t.run(1); \
                  t.restore(start); t.run(1); expect(t.tick).equals(0); }";
    folder.write("levels/tests/a.rhai", script);
    let tested = run(folder.root(), &["test"]);
    let said = out(&tested);
    let file = said.lines().find_map(|line| line.trim().strip_prefix("replay: hangtime replay "));
    let file = file.unwrap_or_else(|| panic!("no recording: {said}"));
    let replayed = run(folder.root(), &["replay", file, "--trace", "-", "--trace-only", "hero", "--gif", "a.gif"]);
    assert_eq!(code(&replayed), 0, "{}", err(&replayed));
    // The header, the start, and two seconds at 60 ticks a second.
    assert_eq!(out(&replayed).lines().count(), 1 + 1 + 120);
    let film = std::fs::read(folder.path("a.gif")).expect("a film");
    let mut reader = gif_frames(&film);
    let hundredths: u64 = reader.by_ref().sum();
    assert!((200..=210).contains(&hundredths), "{hundredths}");
}

/// How long each frame of a GIF is shown, in hundredths of a second.
fn gif_frames(film: &[u8]) -> impl Iterator<Item = u64> + '_ {
    // A graphic control extension: its delay is in bytes 4 and 5.
    let control = film.windows(8).filter(|w| w[..3] == [0x21, 0xf9, 4] && w[7] == 0);
    control.map(|w| u64::from(u16::from_le_bytes([w[4], w[5]])))
}

/// Files that hangtime 0.2 has written, from the game that `hangtime new` made there.
const EARLIER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/earlier");

#[test]
fn a_recording_that_0_2_wrote_replays_or_says_why_not() {
    let folder = game();
    // Where nothing has changed since, each tick is the same.
    let still = run(folder.root(), &["replay", &format!("{EARLIER}/still-0.2.run")]);
    assert_eq!(code(&still), 0, "{}", err(&still));
    let text = std::fs::read_to_string(format!("{EARLIER}/still-0.2.run")).expect("a recording");
    let said = out(&still);
    let hash = said.trim().rsplit(' ').next().expect("a hash");
    assert!(
        said.starts_with("the same: 60 ticks") && text.trim_end().lines().last().is_some_and(|end| end.contains(hash)),
        "{said}"
    );
    // Landings within a tick are exact since then.
    let jump = run(folder.root(), &["replay", &format!("{EARLIER}/jump-0.2.run")]);
    assert_eq!(code(&jump), 1, "{}", out(&jump));
    assert!(out(&jump).starts_with("different at tick "), "{}", out(&jump));
    let versions = format!("this recording is of hangtime 0.2.0, and this is hangtime {}", env!("CARGO_PKG_VERSION"));
    assert!(err(&jump).contains(&versions), "{}", err(&jump));
}
