//! Recordings as files: the commands that write and read them.

use crate::program::{code, err, game, out, run};

#[test]
fn the_program_records_and_replays() {
    let folder = game();
    folder.write("keys.input", "20\n30 right\n1 right jump\n40 right\n");
    let recorded = run(
        folder.root(),
        &[
            "run",
            "level",
            "--input",
            "keys.input",
            "--record",
            "walk.run",
            "--seed",
            "5",
        ],
    );
    assert_eq!(code(&recorded), 0, "{}", err(&recorded));
    let last = err(&recorded);
    let hash = last.trim().rsplit(' ').next().expect("a hash").to_string();
    for extra in [&[][..], &["--heavy"]] {
        let replayed = run(
            folder.root(),
            &[&["replay", "walk.run"][..], extra].concat(),
        );
        assert_eq!(code(&replayed), 0, "{}", err(&replayed));
        assert_eq!(
            out(&replayed).trim(),
            format!("the same: 91 ticks, 1 revision, hash {hash}")
        );
    }
    // The folder is not read: neither its files nor what is missing matter.
    std::fs::remove_dir_all(folder.path("levels")).expect("removed");
    folder.write("scripts/hero.rhai", "fn on_tick(me) {");
    assert_eq!(code(&run(folder.root(), &["replay", "walk.run"])), 0);
    let text = std::fs::read_to_string(folder.path("walk.run")).expect("a recording");
    folder.write("other.run", &text.replace("right jump", "left jump"));
    let replayed = run(folder.root(), &["replay", "other.run"]);
    assert_eq!(code(&replayed), 1);
    let said = out(&replayed);
    assert!(
        said.starts_with("different at tick 51: `hero.pos.x`: expected "),
        "{said}"
    );
    folder.write("cut.run", &text[..text.len() - 20]);
    let replayed = run(folder.root(), &["replay", "cut.run"]);
    assert_eq!(code(&replayed), 0);
    assert!(
        err(&replayed).contains("the recording was cut"),
        "{}",
        err(&replayed)
    );
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
        ("other.run", "this is no recording"),
        (
            "new.run",
            "this recording has version 2; this hangtime reads version 1",
        ),
        ("short.run", "line 1: column 9: missing field `hangtime`"),
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
        let output = run(
            folder.root(),
            &["run", "level", "--ticks", "5", "--record", name],
        );
        assert_eq!(code(&output), 2, "{}", err(&output));
        assert_eq!(std::fs::read(folder.path(name)).expect("a file"), before);
    }
    let output = run(
        folder.root(),
        &["run", "level", "--ticks", "5", "--record", "a.run"],
    );
    assert_eq!(code(&output), 0, "{}", err(&output));
    // An earlier recording may be replaced, also one in `levels`.
    let output = run(
        folder.root(),
        &["run", "level", "--ticks", "9", "--record", "a.run"],
    );
    assert_eq!(code(&output), 0, "{}", err(&output));
    let parts = std::fs::read_dir(folder.root())
        .expect("a folder")
        .flatten();
    let parts = parts.filter(|e| e.file_name().to_string_lossy().contains("part"));
    assert_eq!(parts.count(), 0);
    let full = run(folder.root(), &["run", "level", "--record", "/dev/full"]);
    assert_eq!(code(&full), 2, "{}", err(&full));
}
