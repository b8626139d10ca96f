//! Behavior that all commands share, and `play` without a display.

use crate::{
    folder::Folder,
    program::{code, command, err, game, out, run},
};
use std::{path::Path, process::Stdio};

#[test]
fn unusable_input_exits_with_2() {
    let folder = game();
    folder.write("bad.input", "30 nowhere\n");
    folder.write("levels/bad.toml", "solid = 5\n");
    for (arguments, what) in [
        (&["run"][..], "LEVEL"),
        (&["run", "levle"], "did you mean `level`?"),
        (&["run", "bad"], "levels/bad.toml:1:9: error:"),
        (&["run", "level", "--input", "none.input"], "no such file"),
        (&["run", "level", "--input", "bad.input"], "bad.input:1:4: error:"),
        (&["run", "level", "--set", "platformer.x=1"], "unknown key `x`"),
        (&["run", "level", "--set", "nonsense"], "KEY=VALUE"),
        (&["run", "level", "--ticks", "many"], "many"),
        (&["run", "level", "--trace-every", "0"], "0"),
        (&["run", "level", "--trace", "no/such/folder/t.jsonl"], "cannot write the file"),
        (&["fly"], "fly"),
        (&["check", "none.toml"], "no such file"),
        (&["test", "none.rhai"], "no such file"),
        (&["--root", "nowhere", "check"], "no such folder"),
    ] {
        let output = run(folder.root(), arguments);
        assert_eq!(code(&output), 2, "{arguments:?}: {}", err(&output));
        assert!(err(&output).contains(what), "{arguments:?}: {}", err(&output));
        assert!(out(&output).is_empty(), "{arguments:?}: {}", out(&output));
    }
}

#[test]
fn help_lists_exactly_the_commands_that_exist() {
    let folder = game();
    let help = run(folder.root(), &["--help"]);
    assert_eq!(code(&help), 0);
    let text = out(&help);
    for command in [
        "play", "run", "test", "replay", "merge", "check", "feel", "sweep", "export", "api", "lsp", "mcp", "mods",
        "saves", "serve", "new", "web",
    ] {
        assert!(text.contains(&format!("  {command}")), "{text}");
    }
    assert!(!text.contains("  watch"), "{text}");
}

#[test]
fn play_without_a_display_saves_ten_seconds_as_a_gif() {
    let folder = game();
    folder.write("levels/playground.toml", &format!("demo = \"d.input\"\n{}", crate::folder::LEVEL));
    folder.write("levels/d.input", "60 right\n");
    let output = run(folder.root(), &["play"]);
    assert_eq!(code(&output), 0, "{}", err(&output));
    assert!(err(&output).contains("no window: "), "{}", err(&output));
    assert_eq!(out(&output), "playground.gif\n");
    let gif = std::fs::read(folder.path("playground.gif")).expect("a film");
    assert_eq!(&gif[..6], b"GIF89a");
}

#[test]
fn play_outside_a_game_folder_opens_the_built_in_playground() {
    let folder = Folder::empty();
    let output = run(folder.root(), &[]);
    assert_eq!(code(&output), 0, "{}", err(&output));
    let text = err(&output);
    let copy = text.lines().find_map(|line| line.split_once("while it runs: ")).expect("a copy").1;
    for file in ["levels/playground.toml", "scripts/hero.rhai", "config/entities/hero.toml"] {
        assert!(Path::new(copy).join(file).is_file(), "{copy}/{file}");
    }
    assert!(folder.path("playground.gif").is_file());
    std::fs::remove_dir_all(copy).expect("the copy goes away");
}

#[test]
fn finds_files_from_the_working_directory_then_from_the_root() {
    let folder = game();
    let elsewhere = Folder::empty();
    let root = folder.root().display().to_string();
    folder.write("there.input", "4 right\n");
    elsewhere.write("here.input", "3 right\n");
    for (input, ticks) in [("here.input", "3 ticks"), ("there.input", "4 ticks")] {
        let output = run(elsewhere.root(), &["--root", &root, "run", "levels/level.toml", "--input", input]);
        assert!(err(&output).contains(ticks), "{}", err(&output));
    }
}

#[test]
fn play_opens_the_only_level_of_a_game() {
    let folder = game();
    let played = run(folder.root(), &["play"]);
    assert_eq!(code(&played), 0, "{}", err(&played));
    assert_eq!(out(&played), "level.gif\n");
}

#[test]
fn a_closed_pipe_ends_the_program_quietly() {
    let folder = game();
    folder.write("levels/tests/a.rhai", "fn test_it() { }\n");
    for arguments in [&["test", "--list"][..], &["test"], &["run", "level", "--trace", "-"]] {
        let mut child = command(folder.root(), arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(code(&output), 0, "{arguments:?} {}", err(&output));
        assert!(!err(&output).contains("panicked"), "{}", err(&output));
    }
}

#[test]
fn wrong_arguments_say_what_is_right_and_show_no_long_numbers() {
    let folder = game();
    let vary = format!("platformer.jump_speed={}..3:1", "9".repeat(310));
    let huge = format!("platformer.jump_speed=1{}", "0".repeat(300));
    for (arguments, message) in [
        (&["run", "level", "--ticks", "x"][..], "'--ticks <N>': write a whole number, 0 or more"),
        (&["run", "level", "--ticks", "-3"], "'-3' for '--ticks <N>': write a whole number, 0 or more"),
        (&["run", "level", "--seed", "1.5"], "write a whole number, 0 or more"),
        (&["run", "level", "--trace-every", "0"], "write a whole number, 1 or more"),
        (&["run", "level", "--gif-fps", "51"], "write a whole number from 1 to 50"),
        (&["test", "-j", "0"], "write a whole number from 1 to 1024"),
        (&["test", "-j", "-1"], "write a whole number from 1 to 1024"),
        (&["feel", "hero", "--hz", "9"], "write a whole number from 10 to 1000"),
        (&["run", "level", "--overlays", "traill"], "there is no overlay `traill`; did you mean `trail`?"),
        (&["run", "level", "--overlays", "qqq"], "there is no overlay `qqq`; there are trail, outlines"),
        (&["sweep", "level", "--vary", &vary], "is not a number of at most 15 digits"),
        (&["run", "level", "--ticks", "1", "--set", &huge], "`jump_speed` is 1e300; it must be between"),
    ] {
        let output = run(folder.root(), arguments);
        assert_eq!(code(&output), 2, "{arguments:?}");
        let said = err(&output);
        assert!(said.contains(message), "{said}");
        assert!(!said.contains(&"9".repeat(150)), "{said}");
    }
    let version = run(folder.root(), &["--version"]);
    assert_eq!(code(&version), 0);
    assert!(out(&version).starts_with("hangtime "), "{}", out(&version));
}
