//! Links and deep folders in a game folder: each real folder is read once, and none outside of the game.

use crate::folder::LEVEL;
use hangtime_game::{GameFolder, LevelCache, Project};
use std::{fs, os::unix::fs::symlink};
use tempfile::TempDir;

/// A game with a level.
fn game() -> TempDir {
    let root = tempfile::tempdir().expect("a temporary folder");
    for folder in ["config", "scripts", "levels"] {
        fs::create_dir(root.path().join(folder)).expect("a folder");
    }
    fs::write(root.path().join("levels/level.toml"), LEVEL).expect("a level");
    root
}

/// What is wrong with the game.
fn wrong(root: &TempDir) -> Vec<String> {
    let project = Project::load(root.path()).expect("a folder");
    let opened = project.open(&root.path().join("levels/level.toml"), &[]);
    let wrong = opened.map_or_else(|error| error.diagnostics(), |revision| revision.warnings);
    let of_config = wrong.iter().filter(|wrong| wrong.file_name().starts_with("config/"));
    of_config.map(|wrong| wrong.headline()).collect()
}

#[test]
fn folders_that_link_to_each_other_are_visited_once() {
    let root = game();
    let kinds = root.path().join("config/entities");
    for i in 0..6 {
        let folder = kinds.join(format!("d{i}"));
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join("a.toml"), "").expect("a file");
        for j in 0..6 {
            symlink(format!("../d{j}"), folder.join(format!("l{j}"))).expect("a link");
        }
    }
    // Each file is known by its own name.
    let own: Vec<String> = (0..6).map(|i| format!("d{i}/a")).collect();
    assert_eq!(Project::load(root.path()).expect("a folder").kinds(), own);
    assert!(wrong(&root).is_empty());
}

#[test]
fn a_link_to_proc_is_not_entered() {
    let root = game();
    symlink("/proc", root.path().join("config/x")).expect("a link");
    let wrong = wrong(&root);
    assert_eq!(wrong.len(), 1, "{wrong:?}");
    assert!(wrong[0].starts_with("config/x: ") && wrong[0].contains("--follow-links"), "{wrong:?}");
}

#[test]
fn links_that_stay_inside_are_followed() {
    let root = game();
    let scripts = root.path().join("scripts");
    fs::create_dir(root.path().join("shared")).expect("a folder");
    fs::write(root.path().join("shared/a.rhai"), "").expect("a file");
    symlink("../shared", scripts.join("lib")).expect("a link");
    symlink("lib/a.rhai", scripts.join("b.rhai")).expect("a link");
    let found = LevelCache::new(GameFolder::new(root.path())).scripts();
    assert_eq!(found.keys().collect::<Vec<_>>(), ["b.rhai", "lib/a.rhai"]);
}

#[test]
fn folders_nested_too_deep_are_reported() {
    let root = game();
    let mut deep = root.path().join("config");
    for _ in 0..100 {
        deep.push("d");
    }
    fs::create_dir_all(&deep).expect("folders");
    assert!(wrong(&root)[0].contains("nested folders"), "{:?}", wrong(&root));
}
