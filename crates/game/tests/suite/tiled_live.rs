//! Maps of the Tiled editor while the game runs: saved files and settings take effect.

use crate::{
    folder::Folder,
    maps::{TILESET, game, layer, map},
    projects::{self, project},
    tiled::open,
};
use hangtime_core::tuning::Setting;
use hangtime_game::{Notice, Project, Reloader, TuningChange, TuningEdit, TuningGroup, TuningHome, save_tuning};
use std::time::{Duration, Instant};

/// Waits for the next notice of a reload.
pub fn notice(reloader: &Reloader) -> Notice {
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(120) {
        if let Some(notice) = reloader.notices().next() {
            return notice;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    panic!("the change had no effect");
}

#[test]
fn saving_a_map_or_its_tileset_takes_effect() {
    let text = map(" <tileset firstgid=\"1\" source=\"../art/set.tsx\"/>\n <layer id=\"1\" width=\"2\" height=\"1\">\
                    <data encoding=\"csv\">1,4</data></layer>\n");
    let folder = game(&text);
    folder.write("art/set.tsx", TILESET);
    let revision = open(&folder, "levels/level.tmx").unwrap_or_else(|wrong| panic!("{wrong:?}"));
    let reloader = Reloader::new(folder.root(), folder.path("levels/level.tmx"), vec![], &revision);
    folder.write("art/set.tsx", &TILESET.replace("\"ice\"", "\"stone\""));
    let Notice::Ready { revision, changed, .. } = notice(&reloader) else {
        panic!("the tileset is refused");
    };
    assert_eq!(changed, ["art/set.tsx"]);
    assert!(revision.stage.level.surfaces.iter().any(|name| &**name == "stone"));
    folder.write("levels/level.tmx", &text.replace("1,4", "1,1"));
    let Notice::Ready { revision, changed, .. } = notice(&reloader) else {
        panic!("the map is refused");
    };
    assert_eq!(changed, ["levels/level.tmx"]);
    assert_eq!(revision.stage.level.terrain.solids().len(), 1);
    // A save that is cut off keeps the last good revision.
    folder.write("levels/level.tmx", &text[..text.len() / 2]);
    let refused = notice(&reloader);
    assert!(matches!(refused, Notice::Broken(_)), "{refused:?}");
}

#[test]
fn a_setting_changes_the_level_of_a_map_as_it_changes_one_in_toml() {
    let folder = game(&map(&layer("  <object id=\"1\" type=\"hero\" x=\"0\" y=\"0\"><point/></object>\n")));
    let project = Project::load(folder.root()).expect("a folder");
    let settings = [("level.gravity".to_string(), "1234".to_string())];
    let opened = project.open(&folder.path("levels/level.tmx"), &settings);
    let revision = opened.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(revision.stage.gravity, 1234.0);
}

#[test]
fn numbers_are_not_saved_in_a_level_that_is_drawn_in_an_editor() {
    let map = game(&map(""));
    check_not_saved(&map, "levels/level.tmx", "levels/level.tmx is a map of Tiled; set the property there");
    let world = projects::game(&project(&[]));
    check_not_saved(&world, "levels/world.ldtk#Cave", "levels/world.ldtk is a project of LDtk; set the field there");
}

fn check_not_saved(folder: &Folder, level: &str, message: &str) {
    let file = level.split('#').next().expect("a name");
    let text = folder.read(file);
    let edit = TuningEdit {
        change: TuningChange {
            home: TuningHome::Level,
            group: TuningGroup::Simulation,
            name: "gravity",
            value: Setting::Number(900.0),
        },
        was: Setting::Number(3672.0),
        written: false,
    };
    let (saved, refused) = save_tuning(&folder.root().into(), level, &[edit]);
    assert!(saved.is_empty());
    assert_eq!(refused[0].to_string(), message);
    assert_eq!(folder.read(file), text);
}
