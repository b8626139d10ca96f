//! Mods that override what the game does not have any more.

use crate::{
    folder::Folder,
    mods::{add_mod, game, headlines, names, open},
    program::{code, out, run},
};

/// A game with a wall, a zone and a hero that have names, and a mod with this level over it.
fn over(text: &str) -> Folder {
    let folder = game();
    let level = folder.read("levels/level.toml");
    let square = "points = [[300, 0], [320, 0], [320, 20], [300, 20]]";
    let more = format!(
        "[[solid]]\nname = \"gate\"\n{square}\n[[zone]]\nname = \"wind\"\n{square}\n[[entity]]\nname = \"guard\"\nkind = \"hero\"\nat = [-50, 19]\n"
    );
    folder.write("levels/level.toml", &format!("{level}{more}"));
    add_mod(&folder, "a", "");
    folder.write("mods/a/levels/level.toml", text);
    folder
}

/// Why the mod is left out; empty if it is loaded.
fn why(folder: &Folder) -> String {
    let revision = open(folder);
    let warnings = headlines(&revision.warnings);
    assert_eq!(names(&revision) == ["a"], warnings.is_empty(), "{warnings}");
    warnings
}

const NEW: &str = "points = [[400, 0], [420, 0], [420, 20], [400, 20]]";

#[test]
fn an_override_of_something_that_is_gone_leaves_the_mod_out() {
    for (list, known, near, some, needs) in [
        ("solid", "gate", "gat", "surface = \"plain\"", "points"),
        ("zone", "wind", "wnd", "gravity_scale = 0.5", "points"),
        ("entity", "guard", "gard", "velocity = [1, 0]", "kind"),
    ] {
        let item = |name: &str, more: &str| format!("[[{list}]]\nname = \"{name}\"\n{more}\n");
        assert_eq!(why(&over(&item(known, some))), "", "{list}");
        assert_eq!(why(&over(&item(known, "exists = true"))), "", "{list}");
        let gone = why(&over(&item(near, some)));
        let message = format!(
            "mods/a/levels/level.toml:2:8: warning: `{near}` is not in the game any more: no {list} of this level"
        );
        assert!(gone.contains(&message) && gone.contains(&format!("did you mean `{known}`?")), "{gone}");
        let gone = why(&over(&item("quite_new", some)));
        assert!(gone.contains(&format!("a new one needs `{needs}`")), "{gone}");
    }
}

#[test]
fn what_can_be_added_is_an_error_only_if_the_mod_insists() {
    for (list, whole) in [("solid", NEW), ("zone", NEW), ("entity", "kind = \"hero\"\nat = [-90, 19]")] {
        for (insists, goes) in [("", true), ("exists = false\n", true), ("exists = true\n", false)] {
            let gone = why(&over(&format!("[[{list}]]\nname = \"other\"\n{insists}{whole}\n")));
            assert_eq!(gone.is_empty(), goes, "{list}: {gone}");
        }
    }
}

#[test]
fn a_kind_and_a_level_that_are_gone_are_errors_of_the_mod() {
    for (file, text, message) in [
        ("config/entities/bat.toml", "vars = { rage = 1 }\n", "this kind is not in the game any more"),
        ("config/entities/bat.toml", "exists = true\nmodel = \"ballistic\"\n", "this kind is not in the game any more"),
        ("config/entities/bat.toml", "exists = false\nmodel = \"ballistic\"\n", ""),
        ("config/entities/hero.toml", "exists = true\nvars = { rage = 1 }\n", ""),
    ] {
        let folder = game();
        add_mod(&folder, "a", "");
        folder.write(&format!("mods/a/{file}"), text);
        // No level has this kind any more, so a level is built all the same.
        let checked = out(&run(folder.root(), &["check"]));
        let said = format!("mods/a/{file}:1:1: error: {message}");
        assert_eq!(checked.contains(&said), !message.is_empty(), "{text}: {checked}");
        assert_eq!(checked.contains(": error: "), !message.is_empty(), "{text}: {checked}");
    }
    let folder = game();
    let level = folder.read("levels/level.toml");
    add_mod(&folder, "a", "");
    folder.write("mods/a/levels/cave.toml", &format!("exists = true\n{level}"));
    let checked = run(folder.root(), &["check"]);
    assert_eq!(code(&checked), 1);
    assert!(
        out(&checked).contains("mods/a/levels/cave.toml:1:10: error: this level is not in the game any more"),
        "{}",
        out(&checked)
    );
    folder.write("mods/a/levels/level.toml", "exists = true\ngravity = 900\n");
    assert_eq!(code(&run(folder.root(), &["run", "level", "--ticks", "1"])), 0);
}

#[test]
fn a_game_s_own_files_do_not_insist() {
    let folder = game();
    let level = folder.read("levels/level.toml");
    folder.write("levels/level.toml", &format!("exists = true\n{level}"));
    let checked = run(folder.root(), &["check"]);
    assert!(out(&checked).contains("unknown key `exists`"), "{}", out(&checked));
}

#[test]
fn mods_lists_the_pictures_and_sounds_that_are_replaced() {
    let folder = game();
    for mod_name in ["a", "b"] {
        add_mod(&folder, mod_name, "");
    }
    // What is in them does not matter to the list.
    for file in [
        "pictures/hero.png",
        "mods/a/pictures/hero.png",
        "mods/a/pictures/own.png",
        "mods/b/pictures/own.png",
        "sounds/hit.wav",
        "mods/b/sounds/hit.wav",
    ] {
        folder.write(file, "");
    }
    let listed = out(&run(folder.root(), &["mods"]));
    let lines: Vec<&str> = listed.lines().filter(|line| line.contains("replaces")).collect();
    assert_eq!(lines, ["  replaces pictures/hero.png", "  replaces pictures/own.png, sounds/hit.wav"], "{listed}");
    let json: serde_json::Value = serde_json::from_str(&out(&run(folder.root(), &["mods", "--json"]))).expect("JSON");
    assert_eq!(json["mods"][0]["replaces"], serde_json::json!(["pictures/hero.png"]));
    assert_eq!(json["mods"][1]["replaces"], serde_json::json!(["pictures/own.png", "sounds/hit.wav"]));
}
