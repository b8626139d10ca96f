//! A game that exists only in memory, as a program without a disk has it.

use crate::folder::{LEVEL, on_large_stack};
use hangtime_core::{models::ModelName, sim::Inputs, tuning::Setting};
use hangtime_game::{
    GameCheck, GameFolder, Live, MemoryFiles, Project, TuningChange, TuningEdit, TuningHome, save_tuning_with,
    unpack_playground,
};
use hangtime_script::calls::ForeignCalls;
use std::{fs, path::Path, sync::Arc};

#[test]
fn a_game_in_memory_is_found_and_built() {
    let mut files = MemoryFiles::new([("game/levels/level.toml", LEVEL)]);
    files.write("game/./config/entities/hero.toml", "script = \"hero.rhai\"\n");
    files.write("game/scripts/hero.rhai", "fn on_tick(me) { this.n += 1; }");
    let project = Project::load(GameFolder::of_files("game", Arc::new(files))).expect("a folder");
    assert_eq!(project.kinds(), ["hero"]);
    let level = project.find_level("level").expect("a level");
    assert_eq!(project.levels(), std::slice::from_ref(&level));
    let revision = project.open(&level, &[]).unwrap_or_else(|wrong| panic!("{wrong}"));
    assert!(revision.hooks().values().flatten().any(|hook| hook == "on_tick"), "{:?}", revision.hooks());
    assert!(project.find_level("other").is_err());
}

#[test]
fn the_built_in_playground_plays_in_memory_as_it_does_unpacked() {
    on_large_stack(|| {
        let unpacked = unpack_playground().expect("a folder");
        let mut files = vec![];
        let mut folders = vec![unpacked.clone()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).expect("a folder") {
                let path = entry.expect("a file").path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    let below = path.strip_prefix(&unpacked).expect("a file of the game");
                    files.push((Path::new("game").join(below), fs::read(&path).expect("a file")));
                }
            }
        }
        let in_memory = GameFolder::of_files("game", Arc::new(MemoryFiles::new(files)));
        let played = [GameFolder::new(unpacked.clone()), in_memory].map(|folder| {
            let project = Project::load(folder).expect("a folder");
            let level = project.find_level("playground").expect("its level");
            let mut live = Live::new(Arc::new(project.open(&level, &[]).expect("good files")), 0);
            for _ in 0..120 {
                live.step(&Inputs::none());
            }
            (project.all_levels().len(), live.world().hash())
        });
        assert_eq!(played[0], played[1]);
        fs::remove_dir_all(unpacked).expect("the copy can be removed");
    });
}

#[test]
fn a_saved_file_is_checked_whichever_kind_it_is_of() {
    on_large_stack(|| {
        let mut files = MemoryFiles::new([("game/levels/level.toml", LEVEL.replace("kind = ", "kin = "))]);
        files.write("game/config/entities/hero.toml", "script = \"hero.rhai\"\n");
        files.write("game/scripts/hero.rhai", "fn on_tick(me) { me.jmup(); }");
        files.write("game/config/models/platformer.toml", "jump_sped = 1.0\n");
        let folder = GameFolder::of_files("game", Arc::new(files));
        let check = GameCheck::new(&folder, &ForeignCalls::none());
        for (file, hint) in [
            ("levels/level.toml", "`kind`"),
            ("scripts/hero.rhai", "`me.jump()`"),
            ("config/models/platformer.toml", "`jump_speed`"),
        ] {
            let found = check.check_saved(&Path::new("game").join(file));
            assert!(found.iter().any(|it| it.file_name() == file && it.message.contains(hint)), "{file}: {found:?}");
        }
    });
}

#[test]
fn numbers_are_saved_in_texts_that_are_on_no_disk() {
    let edit = |home: TuningHome| TuningEdit {
        change: TuningChange {
            home,
            group: ModelName::platformer.into(),
            name: "jump_speed",
            value: Setting::Number(600.0),
        },
        was: Setting::Number(540.0),
        written: true,
    };
    let mut text = "jump_speed = 540.0   # px/s\n".to_string();
    let edits = [edit(TuningHome::Model), edit(TuningHome::CommandLine)];
    let (saved, wrong) = save_tuning_with("levels/a.toml", &edits, |file, change| {
        assert_eq!(file, "config/models/platformer.toml");
        text = change(&text)?;
        Ok(())
    });
    assert_eq!(text, "jump_speed = 600.0   # px/s\n");
    assert_eq!((saved.len(), wrong.len()), (1, 1), "{wrong:?}");
    let (saved, wrong) = save_tuning_with("levels/a.toml", &edits[..1], |_, _| Err("it is gone".into()));
    assert_eq!((saved, wrong), (Vec::new(), vec!["it is gone".to_string()]));
}
