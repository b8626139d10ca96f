//! Tests of `src/panel/saving.rs`.

use super::SaveJob;
use hangtime_core::{models::ModelName, tuning::Setting};
use hangtime_game::{GameFolder, TuningChange, TuningEdit, TuningHome};
use std::fs;

fn edit(home: TuningHome) -> TuningEdit {
    let value = Setting::Number(500.0);
    let change = TuningChange { home, group: ModelName::platformer.into(), name: "jump_speed", value };
    TuningEdit { change, was: Setting::Number(540.0), written: false }
}

#[test]
fn a_save_names_its_files_and_what_is_in_none_of_them() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir_all(folder.path().join("config/entities")).expect("folders");
    fs::write(folder.path().join("config/entities/hero.toml"), "").expect("a file");
    let mut job = SaveJob::default();
    let edits = vec![edit(TuningHome::Kind("hero".into())), edit(TuningHome::CommandLine)];
    job.start(GameFolder::new(folder.path()), "levels/a.toml".into(), edits);
    let lines = loop {
        let lines = job.poll();
        if !job.is_running() {
            break lines;
        }
    };
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert_eq!(lines[0], "saved in config/entities/hero.toml");
    assert!(lines[1].starts_with("not saved: `platformer.jump_speed` is set on the command line"), "{lines:?}");
    assert!(job.poll().is_empty(), "said once");
}
