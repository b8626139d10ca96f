//! Mods that break: they are left out, with the reason, and the game runs.

use crate::{
    folder::Folder,
    mods::{add_mod, add_speed, game, headlines, jump_speed, names, open},
    program::{code, err, out, run},
};
use hangtime::project::Revision;
use std::path::Path;

/// The one mod that is left out, and why.
fn left_out(revision: &Revision) -> (String, String) {
    let [left_out] = revision.mods.left_out.as_slice() else {
        panic!("{:?}", revision.mods.left_out);
    };
    (left_out.folder.clone(), headlines(&left_out.why))
}

/// Files below `mods/`, the mod that is left out, and why.
type UnloadableMod = (&'static [(&'static str, &'static str)], &'static str, &'static str);

const UNLOADABLE: &[UnloadableMod] = &[
    (&[("a/mod.toml", "name = \"a\"\n")], "mods/a", "a mod needs `version`"),
    (&[("a/mod.toml", "name = \"A\"\nversion = \"1\"\n")], "mods/a", "`A` is not a name for a mod"),
    (&[("a/mod.toml", "name = \"base\"\nversion = \"1\"\n")], "mods/a", "a mod cannot be named `base`"),
    (&[("a/mod.toml", "name = \"a\"\nversion = \"x\"\n")], "mods/a", "`x` is not a version"),
    (&[("a/mod.toml", "name = \"a\"\nversion = \"1\"\nneed = 1\n")], "mods/a", "did you mean `needs`"),
    (&[("a/mod.toml", "name = \"a\"\nversion = \"1\"\ngame_version = \"new\"\n")], "mods/a", "\">=1.2, <3\" or \"*\""),
    (
        &[("a/mod.toml", "name = \"a\"\nversion = \"1\"\ngame_version = \"*\"\n")],
        "mods/a",
        "`a` works with version * of the game, and config/hangtime.toml says none",
    ),
    (&[("a/mod.toml", "name = [\n")], "mods/a", "mods/a/mod.toml:"),
    (&[("a/readme.md", "A folder.")], "mods/a", "there is no mod.toml"),
    (
        &[("a/mod.toml", "name = \"a\"\nversion = \"1\"\nneeds = { b = \"1\" }\n")],
        "mods/a",
        "`a` needs the mod `b`, which is not loaded",
    ),
    (
        &[("a/mod.toml", "name = \"a\"\nversion = \"1\"\nneeds = { \"../b\" = \"1\" }\n")],
        "mods/a",
        "`../b` is not a name for a mod",
    ),
    (
        &[
            ("a/mod.toml", "name = \"a\"\nversion = \"1\"\nneeds = { b = \"2\" }\n"),
            ("b/mod.toml", "name = \"b\"\nversion = \"1.9.3\"\n"),
        ],
        "mods/a",
        "`a` needs version ^2 of `b`, and mods/b is version 1.9.3",
    ),
    (
        &[("a/mod.toml", "name = \"same\"\nversion = \"1\"\n"), ("b/mod.toml", "name = \"same\"\nversion = \"2\"\n")],
        "mods/b",
        "mods/a is named `same`, too",
    ),
];

#[test]
fn mods_that_cannot_be_loaded_are_left_out_with_the_reason() {
    for (files, mod_folder, message) in UNLOADABLE {
        let folder = game();
        for (name, text) in *files {
            folder.write(&format!("mods/{name}"), text);
        }
        let revision = open(&folder);
        let (left_out, why) = left_out(&revision);
        assert_eq!(left_out, *mod_folder, "{why}");
        assert!(why.contains(message), "{why}");
        let warnings = headlines(&revision.warnings);
        assert!(warnings.contains(&format!("{mod_folder}: warning: this mod is left out: ")), "{warnings}");
        assert_eq!(revision.mods.layers.len(), files.len() - 1);
        let ran = run(folder.root(), &["run", "level", "--ticks", "1"]);
        assert_eq!(code(&ran), 0, "{}", err(&ran));
        assert!(err(&ran).contains(message), "{}", err(&ran));
        let checked = run(folder.root(), &["check"]);
        assert_eq!(code(&checked), 1, "{message}: {}", out(&checked));
        assert!(out(&checked).contains(message), "{}", out(&checked));
    }
}

#[test]
fn mods_that_need_each_other_in_a_circle_are_left_out() {
    for length in 1..=4 {
        let folder = game();
        add_speed(&folder, "fine", "", 555.0);
        add_speed(&folder, "above", "m0 = \"*\"", 600.0);
        for i in 0..length {
            add_speed(&folder, &format!("m{i}"), &format!("m{} = \"*\"", (i + 1) % length), 600.0);
        }
        let revision = open(&folder);
        assert_eq!(names(&revision), ["fine"]);
        assert_eq!(jump_speed(&revision).0, 555.0);
        assert_eq!(revision.mods.left_out.len(), length + 1);
        for left_out in &revision.mods.left_out {
            let why = headlines(&left_out.why);
            assert!(why.contains("mods cannot need each other in a circle"), "{why}");
        }
    }
}

#[test]
fn a_mod_that_breaks_is_left_out_and_the_game_runs() {
    let broken: [(&str, &str, &str); 6] = [
        ("config/models/platformer.toml", "jump_speed = \n", "mods/b/config/models/platformer.toml:1"),
        ("config/models/platformer.toml", "jump_sped = 600\n", "did you mean `jump_speed`"),
        ("config/entities/hero.toml", "scripts = [\"none.rhai\"]\n", "there is no scripts/none.rhai"),
        ("config/entities/hero.toml", "scripts = [\"../../../scripts/hero.rhai\"]\n", "there is no scripts/../"),
        ("config/hangtime.toml", "[scripts]\noperations = 20001\n", "a mod cannot raise `scripts.operations`"),
        // Nothing in the mod's own files is wrong.
        ("config/hangtime.toml", "[simulation]\nmax_entities = 1\n", "max_entities"),
    ];
    for (file, text, message) in broken {
        let folder = game();
        let level = folder.read("levels/level.toml");
        folder.write("levels/level.toml", &format!("{level}[[entity]]\nkind = \"hero\"\nat = [-50, 19]\n"));
        add_speed(&folder, "a", "", 510.0);
        add_mod(&folder, "b", "a = \"1\"");
        folder.write(&format!("mods/b/{file}"), text);
        add_speed(&folder, "c", "", 530.0);
        add_speed(&folder, "d", "b = \"1\"", 540.0);
        let revision = open(&folder);
        assert_eq!(names(&revision), ["a", "c"], "{text}");
        assert_eq!(jump_speed(&revision).0, 530.0);
        let warnings = headlines(&revision.warnings);
        assert!(warnings.contains("mods/b: warning: this mod is left out"), "{warnings}");
        assert!(warnings.contains("mods/d: warning: this mod is left out: `d` needs the mod `b`"), "{warnings}");
        assert!(warnings.contains(message), "{warnings}");
        let ran = run(folder.root(), &["run", "level", "--ticks", "1", "--strict"]);
        assert_eq!(code(&ran), 0, "{}", err(&ran));
    }
}

#[test]
fn a_script_that_does_not_compile_breaks_only_its_mod() {
    let folder = game();
    add_mod(&folder, "a", "");
    folder.write("mods/a/config/entities/hero.toml", "scripts = [\"mine.rhai\"]\n");
    folder.write("mods/a/scripts/mine.rhai", "fn on_tick(me) { this.n += ; }");
    let revision = open(&folder);
    let (_, why) = left_out(&revision);
    assert!(why.starts_with("mods/a/scripts/mine.rhai:1:"), "{why}");
    let scripts: Vec<&str> = revision.scripts.all().iter().map(|script| script.name()).collect();
    assert_eq!(scripts, ["scripts/hero.rhai"]);
}

#[test]
fn a_game_that_is_broken_itself_is_an_error_with_mods_too() {
    let folder = game();
    add_speed(&folder, "a", "", 510.0);
    folder.write("config/models/platformer.toml", "jump_sped = 1\n");
    let wrong = headlines(&folder.open().expect_err("a mistake"));
    assert!(wrong.contains("config/models/platformer.toml:1"), "{wrong}");
}

#[cfg(unix)]
#[test]
fn links_in_a_mod_that_lead_out_leave_it_out() {
    let (folder, other) = (game(), Folder::empty());
    other.write("secret.toml", "jump_speed = 600\n");
    add_speed(&folder, "a", "", 510.0);
    add_mod(&folder, "b", "");
    let link = |from: std::path::PathBuf, to: &Path| {
        std::fs::create_dir_all(from.parent().expect("a folder")).expect("a folder");
        std::os::unix::fs::symlink(to, from).expect("a link");
    };
    link(folder.path("mods/b/config/models/platformer.toml"), &other.path("secret.toml"));
    link(folder.path("mods/c"), other.root());
    let revision = open(&folder);
    assert_eq!(jump_speed(&revision).0, 510.0);
    let left: Vec<&str> = revision.mods.left_out.iter().map(|it| &*it.folder).collect();
    assert_eq!(left, ["mods/b", "mods/c"]);
    let warnings = headlines(&revision.warnings);
    assert_eq!(warnings.matches("leads out of the game folder").count(), 4, "{warnings}");
}

#[test]
fn of_the_warnings_of_a_thousand_mods_the_first_100_are_shown() {
    let folder = game();
    for i in 0..1000 {
        add_mod(&folder, &format!("m{i:03}"), "");
        let wrong: String = (0..50).map(|key| format!("wrong_{key} = 1\n")).collect();
        folder.write(&format!("mods/m{i:03}/mod.toml"), &wrong);
    }
    for command in [&["mods"][..], &["test"], &["run", "level", "--ticks", "1"]] {
        let ran = run(folder.root(), command);
        let said = err(&ran);
        let shown = said.matches("warning: ").count();
        assert!((100..=102).contains(&shown), "{command:?}: {shown} warnings");
        assert!(said.contains("more warnings"), "{command:?}");
        assert!(said.len() < 100_000, "{command:?}: {} bytes", said.len());
    }
}
