//! Changed numbers are saved in the files that hold them; everything else in these stays.

use hangtime_core::{models::ModelName, tuning::Setting};
use hangtime_game::{GameFolder, TuningChange, TuningEdit, TuningHome, save_tuning};
use std::fs;
use tempfile::TempDir;

const MODEL: &str = "# Numbers of the model.\n\njump_speed = 540.0         # px/s: rising\n\
    run_accel = 650            # px/s²\n";
const KIND: &str = "script = \"hero.rhai\"   # rules\nbody = { ellipse = [10.0, 19.0] }\n";
const LEVEL: &str = "solid = []\n\n# The heavy one.\n[[entity]]\nname = \"rock\" # a name\n\
    platformer = { jump_speed = 300.0, run_accel = 1.0 }\n";

fn game() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let files =
        [("config/models/platformer.toml", MODEL), ("config/entities/hero.toml", KIND), ("levels/a.toml", LEVEL)];
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

fn edit(home: TuningHome, was: f64, written: bool, value: f64) -> TuningEdit {
    let change =
        TuningChange { home, group: ModelName::platformer.into(), name: "jump_speed", value: Setting::Number(value) };
    TuningEdit { change, was: Setting::Number(was), written }
}

fn save(folder: &TempDir, edits: &[TuningEdit]) -> (Vec<String>, Vec<String>) {
    save_tuning(&GameFolder::new(folder.path()), "levels/a.toml", edits)
}

fn read(folder: &TempDir, name: &str) -> String {
    fs::read_to_string(folder.path().join(name)).unwrap()
}

#[test]
fn only_the_number_changes_in_a_file() {
    let folder = game();
    let (saved, wrong) = save(&folder, &[edit(TuningHome::Model, 540.0, true, 560.5)]);
    assert!(wrong.is_empty(), "{wrong:?}");
    assert_eq!(saved, ["config/models/platformer.toml"]);
    let text = read(&folder, "config/models/platformer.toml");
    assert_eq!(text, MODEL.replace("540.0", "560.5"));
}

#[test]
fn whole_numbers_stay_as_they_are_written() {
    let folder = game();
    let mut whole = edit(TuningHome::Model, 650.0, true, 700.0);
    whole.change.name = "run_accel";
    let speed = edit(TuningHome::Model, 540.0, true, 600.0);
    let (_, wrong) = save(&folder, &[whole, speed]);
    assert!(wrong.is_empty(), "{wrong:?}");
    let text = read(&folder, "config/models/platformer.toml");
    let expected = MODEL.replace("650 ", "700 ").replace("540.0", "600.0");
    assert_eq!(text, expected);
}

#[test]
fn a_default_is_written_into_the_file_of_the_kind() {
    let folder = game();
    let home = TuningHome::Kind("hero".into());
    let (_, wrong) = save(&folder, &[edit(home, 540.0, false, 600.0)]);
    assert!(wrong.is_empty(), "{wrong:?}");
    let text = read(&folder, "config/entities/hero.toml");
    assert_eq!(text, format!("{KIND}\n[platformer]\njump_speed = 600.0\n"));
}

#[test]
fn an_entity_of_a_level_keeps_its_own_value() {
    let folder = game();
    let home = TuningHome::Entity("rock".into());
    let (_, wrong) = save(&folder, &[edit(home, 300.0, true, 250.0)]);
    assert!(wrong.is_empty(), "{wrong:?}");
    assert_eq!(read(&folder, "levels/a.toml"), LEVEL.replace("300.0", "250.0"));
    let missing = TuningHome::Entity("stone".into());
    let (_, wrong) = save(&folder, &[edit(missing, 300.0, true, 250.0)]);
    assert!(wrong[0].contains("no place"), "{wrong:?}");
}

#[test]
fn an_edit_on_disk_is_never_overwritten() {
    let folder = game();
    let path = folder.path().join("config/models/platformer.toml");
    let edited = MODEL.replace("540.0", "555.0");
    fs::write(&path, &edited).unwrap();
    let (saved, wrong) = save(&folder, &[edit(TuningHome::Model, 540.0, true, 560.0)]);
    assert!(saved.is_empty() && wrong[0].contains("555.0"), "{wrong:?}");
    assert_eq!(fs::read_to_string(&path).unwrap(), edited);
    // Edits of other lines are kept, and do not keep this one from being saved.
    fs::write(&path, MODEL.replace("650 ", "651 ")).unwrap();
    let (saved, _) = save(&folder, &[edit(TuningHome::Model, 540.0, true, 560.0)]);
    assert_eq!(saved.len(), 1);
    let expected = MODEL.replace("650 ", "651 ").replace("540.0", "560.0");
    assert_eq!(fs::read_to_string(&path).unwrap(), expected);
    // A removed key is an edit, too.
    fs::write(&path, "# empty\n").unwrap();
    let (_, wrong) = save(&folder, &[edit(TuningHome::Model, 560.0, true, 570.0)]);
    assert!(wrong[0].contains("nothing"), "{wrong:?}");
}

#[test]
fn one_file_with_a_mistake_does_not_keep_others_from_being_saved() {
    let folder = game();
    let path = folder.path().join("config/entities/hero.toml");
    fs::write(&path, "script = \n").unwrap();
    let kind = edit(TuningHome::Kind("hero".into()), 540.0, false, 600.0);
    let model = edit(TuningHome::Model, 540.0, true, 560.0);
    let line = edit(TuningHome::CommandLine, 540.0, true, 560.0);
    let (saved, wrong) = save(&folder, &[kind, model, line]);
    assert_eq!(saved, ["config/models/platformer.toml"]);
    assert_eq!(wrong.len(), 2, "{wrong:?}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "script = \n");
}

#[test]
fn a_read_only_file_is_reported_and_stays() {
    let folder = game();
    let path = folder.path().join("config/models/platformer.toml");
    let mut permissions = path.metadata().unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&path, permissions).unwrap();
    let (_, wrong) = save(&folder, &[edit(TuningHome::Model, 540.0, true, 560.0)]);
    assert!(wrong[0].ends_with("is read-only"), "{wrong:?}");
    assert_eq!(fs::read_to_string(&path).unwrap(), MODEL);
}

#[test]
fn a_folder_that_takes_no_files_is_reported_and_the_file_stays() {
    let folder = game();
    let path = folder.path().join("config/models");
    let mut permissions = path.metadata().unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&path, permissions).unwrap();
    if tempfile::tempfile_in(&path).is_ok() {
        // The administrator may write everywhere.
        return;
    }
    let (saved, wrong) = save(&folder, &[edit(TuningHome::Model, 540.0, true, 560.0)]);
    assert!(saved.is_empty());
    assert!(wrong[0].contains("cannot write"), "{wrong:?}");
    assert_eq!(read(&folder, "config/models/platformer.toml"), MODEL);
}

#[cfg(unix)]
#[test]
fn a_link_stays_a_link_and_may_not_lead_out_of_the_game() {
    use std::os::unix::fs::symlink;
    let (folder, other) = (game(), game());
    let path = folder.path().join("config/models/platformer.toml");
    let inside = folder.path().join("config/numbers.toml");
    fs::rename(&path, &inside).unwrap();
    symlink(&inside, &path).unwrap();
    let change = [edit(TuningHome::Model, 540.0, true, 560.0)];
    assert_eq!(save(&folder, &change).0.len(), 1);
    assert!(path.is_symlink());
    let text = MODEL.replace("540.0", "560.0");
    assert_eq!(fs::read_to_string(&inside).unwrap(), text);
    let outside = other.path().join("config/models/platformer.toml");
    fs::remove_file(&path).unwrap();
    symlink(&outside, &path).unwrap();
    let (_, wrong) = save(&folder, &change);
    assert!(wrong[0].contains("leads out"), "{wrong:?}");
    assert_eq!(fs::read_to_string(&outside).unwrap(), MODEL);
}
