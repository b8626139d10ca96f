//! Levels that are edited by hand: what edits leave alone, what is written, and what others write meanwhile.

use crate::folder::{Folder, LEVEL};
use glam::{DVec2, dvec2};
use hangtime_game::{Drafts, EditedLevel, GameFolder, LevelText, Project, StartTest, save_start_test};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// All levels of the playground and of its tests, in TOML.
fn levels_of_the_repository() -> Vec<PathBuf> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../../levels")];
    let mut levels = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            match path.is_dir() {
                true => folders.push(path),
                false if path.extension().is_some_and(|ending| ending == "toml") => levels.push(path),
                false => {}
            }
        }
    }
    levels
}

#[test]
fn moving_each_thing_of_each_level_there_and_back_gives_the_same_bytes() {
    let levels = levels_of_the_repository();
    assert!(levels.len() > 40, "{}", levels.len());
    let mut things = 0;
    for path in levels {
        let text = fs::read_to_string(&path).expect("a text");
        let level = LevelText::parse("level.toml", text.clone()).expect("good TOML");
        let headers = ["[[solid]]", "[[entity]]", "[[zone]]"];
        let listed = text.lines().filter(|line| headers.iter().any(|header| line.starts_with(header))).count();
        assert_eq!(level.items().len(), listed, "{}", path.display());
        for (index, item) in level.items().iter().enumerate() {
            things += 1;
            for by in [dvec2(8.0, 0.0), dvec2(-8.0, 8.0), dvec2(1.0, -64.0)] {
                let moved: Vec<DVec2> = item.points.iter().map(|point| point + by).collect();
                let there = level.with_points(index, &moved).expect("as many points");
                let there = LevelText::parse("level.toml", there).expect("good TOML");
                assert_eq!(there.items()[index].points, moved, "{}", path.display());
                assert_eq!(there.with_points(index, &item.points).as_ref(), Some(&text), "{}: {index}", path.display());
            }
            let copied = level.with_copy(index, dvec2(16.0, 0.0)).expect("a thing");
            let copied = LevelText::parse("level.toml", copied).expect("good TOML");
            assert_eq!(copied.items().len(), listed + 1);
            assert_eq!(copied.without(index + 1).as_ref(), Some(&text), "{}: {index}", path.display());
        }
    }
    assert!(things > 200, "{things}");
}

fn opened(folder: &Folder, drafts: &Drafts) -> EditedLevel {
    try_open(folder, "levels/level.toml", drafts).expect("a level file")
}

fn try_open(folder: &Folder, level: &str, drafts: &Drafts) -> Result<EditedLevel, String> {
    let game = GameFolder::new(folder.root());
    let mods = folder.open().expect("a good game").mods;
    EditedLevel::open(&game, &folder.path(level), &mods, drafts)
}

/// Moves a thing by some px.
fn moved(level: &mut EditedLevel, item: usize, by: DVec2) {
    let points: Vec<DVec2> = level.items()[item].points.iter().map(|point| point + by).collect();
    let text = level.level().with_points(item, &points).expect("as many points");
    level.edit(text).expect("good TOML");
}

#[test]
fn a_draft_is_what_the_game_reads_until_it_is_saved() {
    let folder = Folder::with_script("");
    let drafts = Drafts::default();
    let game = GameFolder::new(folder.root()).with_drafts(&drafts);
    let start = || {
        let project = Project::load(&game).expect("a folder");
        let revision = project.open(&folder.path("levels/level.toml"), &[]).expect("good files");
        revision.stage.starts[0].at
    };
    let mut level = opened(&folder, &drafts);
    assert_eq!((start(), level.is_unsaved()), (dvec2(-200.0, 19.0), false));
    moved(&mut level, 0, dvec2(8.0, 16.0));
    assert_eq!((start(), level.is_unsaved()), (dvec2(-192.0, 35.0), true));
    assert_eq!(folder.read("levels/level.toml"), LEVEL, "nothing is written");
    assert!(level.undo());
    assert_eq!((start(), level.is_unsaved()), (dvec2(-200.0, 19.0), false));
    assert!(level.redo() && !level.redo());
    assert_eq!(level.save(), Ok(true));
    assert_eq!(level.save(), Ok(false));
    let wanted = LEVEL.replace("at = [-200, 19]", "at = [-192, 35]");
    assert_eq!(folder.read("levels/level.toml"), wanted);
    assert_eq!(start(), dvec2(-192.0, 35.0));
    // Undo works across a save.
    assert!(level.undo() && !level.undo());
    assert_eq!((start(), level.is_unsaved()), (dvec2(-200.0, 19.0), true));
    assert_eq!(level.save(), Ok(true));
    assert_eq!(folder.read("levels/level.toml"), LEVEL);
}

#[test]
fn what_others_write_meanwhile_is_kept() {
    let folder = Folder::with_script("");
    let mut level = opened(&folder, &Drafts::default());
    moved(&mut level, 0, dvec2(8.0, 0.0));
    let theirs = LEVEL.replace("surface = \"ice\"\n", "# Slippery.\nsurface = \"ice\"\n");
    folder.write("levels/level.toml", &theirs);
    assert_eq!(level.refresh(), Ok(true));
    assert!(level.is_unsaved());
    assert_eq!(level.save(), Ok(true));
    let both = theirs.replace("at = [-200, 19]", "at = [-192, 19]");
    assert_eq!(folder.read("levels/level.toml"), both);
    // The same numbers are changed on both sides: theirs stay in the file, and ours in the window.
    moved(&mut level, 0, dvec2(0.0, 8.0));
    let theirs = both.replace("at = [-192, 19]", "at = [-100, 19]");
    folder.write("levels/level.toml", &theirs);
    let refused = level.save().expect_err("a conflict");
    assert!(refused.contains("levels/level.toml was changed on disk"), "{refused}");
    assert_eq!(folder.read("levels/level.toml"), theirs);
    assert_eq!(level.items()[0].points, [dvec2(-192.0, 27.0)]);
    // Taking the edit back ends the conflict.
    assert!(level.undo());
    assert_eq!(level.refresh(), Ok(true));
    assert_eq!(level.items()[0].points, [dvec2(-100.0, 19.0)]);
    assert!(!level.is_unsaved());
}

#[test]
fn a_file_that_is_broken_or_gone_changes_nothing() {
    let folder = Folder::with_script("");
    let mut level = opened(&folder, &Drafts::default());
    moved(&mut level, 1, dvec2(0.0, 8.0));
    let text = level.level().text().to_string();
    folder.write("levels/level.toml", &format!("{LEVEL}[[solid"));
    assert!(level.refresh().is_err() && level.save().is_err());
    assert_eq!(level.level().text(), text);
    fs::remove_file(folder.path("levels/level.toml")).expect("a file");
    assert!(level.save().expect_err("it is gone").starts_with("levels/level.toml cannot be read"));
    folder.write("levels/level.toml", LEVEL);
    assert_eq!(level.save(), Ok(true));
    assert_eq!(folder.read("levels/level.toml"), text);
    assert!(level.edit("[[".into()).is_err());
    assert_eq!(level.level().text(), text);
}

#[test]
fn bytes_that_are_no_part_of_an_edit_stay() {
    let folder = Folder::with_script("");
    let text = format!("\u{feff}# Größe\r\n{}", LEVEL.trim_start().replace('\n', "\r\n"));
    folder.write("levels/level.toml", &text);
    let mut level = opened(&folder, &Drafts::default());
    moved(&mut level, 2, dvec2(0.0, -8.0));
    assert_eq!(level.save(), Ok(true));
    let rink = ("[[0, -100], [2000, -100], [2000, 0], [0, 0]]", "[[0, -108], [2000, -108], [2000, -8], [0, -8]]");
    assert_eq!(folder.read("levels/level.toml"), text.replace(rink.0, rink.1));
}

#[test]
fn the_number_of_edits_that_can_be_undone_is_bounded() {
    let folder = Folder::with_script("");
    let mut level = opened(&folder, &Drafts::default());
    for _ in 0..600 {
        moved(&mut level, 0, dvec2(1.0, 0.0));
    }
    let undone = std::iter::from_fn(|| level.undo().then_some(())).count();
    assert_eq!(undone, 500);
    assert_eq!(level.items()[0].points, [dvec2(-100.0, 19.0)]);
}

#[test]
fn levels_that_are_not_plain_files_of_the_game_say_where_they_are_edited() {
    let folder = Folder::with_script("");
    let refused = |level: &str| try_open(&folder, level, &Drafts::default()).expect_err("not editable");
    folder.write("levels/map.tmx", "<map/>");
    folder.write("levels/world.ldtk", "{}");
    for map in ["levels/map.tmx", "levels/world.ldtk", "levels/world.ldtk#Cave"] {
        assert!(refused(map).contains("is drawn in the editor that it comes from"), "{map}");
    }
    assert!(refused("levels/none.toml").contains("cannot be found"));
    folder.write("mods/more/mod.toml", "name = \"more\"\nversion = \"1.0.0\"\n");
    folder.write("mods/more/levels/other.toml", LEVEL);
    assert!(refused("mods/more/levels/other.toml").contains("is a file of the mod `more`"));
    folder.write("mods/more/levels/level.toml", "gravity = 900\n");
    assert!(refused("levels/level.toml").contains("the mod `more` changes levels/level.toml"));
}

#[cfg(unix)]
#[test]
fn a_read_only_file_is_refused_and_a_full_folder_keeps_the_edits() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = Folder::with_script("");
    let path = folder.path("levels/level.toml");
    let set = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("permissions");
    let mut level = opened(&folder, &Drafts::default());
    moved(&mut level, 0, dvec2(8.0, 0.0));
    set(&path, 0o444);
    assert!(level.save().expect_err("read-only").contains("levels/level.toml is read-only"));
    assert!(level.is_unsaved());
    assert_eq!(folder.read("levels/level.toml"), LEVEL);
    let refused = try_open(&folder, "levels/level.toml", &Drafts::default()).expect_err("read-only");
    assert_eq!(refused, "levels/level.toml is read-only");
    set(&path, 0o644);
    assert_eq!(level.save(), Ok(true));
}

#[test]
fn start_tests_are_in_the_language_of_the_game_and_get_free_names() {
    let folder = Folder::with_script("");
    let game = GameFolder::new(folder.root());
    let start = StartTest { entity: "the \"{level}\"".into(), at: dvec2(-200.5, 19.0), velocity: dvec2(1e-3, -0.0) };
    let first = save_start_test(&game, "levels/level.toml", &start).expect("a file");
    assert_eq!(first, "levels/tests/level_start_1.rhai");
    let text = folder.read(&first);
    assert!(text.contains("fn test_level_start_1() {"), "{text}");
    assert!(text.contains("play(\"level.toml\")"), "{text}");
    assert!(text.contains(r#"t.place("the \"{level}\"", -200.5, 19, 0.001, -0);"#), "{text}");
    assert_eq!(save_start_test(&game, "levels/level.toml", &start).expect("a file"), "levels/tests/level_start_2.rhai");
    // A level next to the tests would be found first.
    folder.write("levels/tests/level.toml", LEVEL);
    let third = save_start_test(&game, "levels/level.toml", &start).expect("a file");
    assert!(folder.read(third).contains("play(\"levels/level.toml\")"));
    for number in 0..4 {
        folder.write(&format!("levels/tests/other_{number}.luau"), "");
    }
    let in_lua = save_start_test(&game, "levels/tests/Ünter way.toml", &start);
    if cfg!(feature = "lua") {
        let file = in_lua.expect("a file");
        assert_eq!(file, "levels/tests/_nter_way_start_1.luau");
        assert!(folder.read(file).contains("play(\"tests/Ünter way.toml\")"));
    }
}
