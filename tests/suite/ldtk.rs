//! Projects of the LDtk editor in the program, and their pictures.

use crate::{
    folder::Folder,
    program::{code, err, out, run},
    projects::{self, entity, field, front, level, moss, project, things, walls},
    tiled_pictures::{folder as game_of_tiles, opened, painted},
};
use hangtime::project::{GameFolder, files::game_hash};
use serde_json::{Value, json};

/// A level with a hero above a floor, and a wall in one of its columns.
fn room(name: &str, wall: usize) -> Value {
    let mut values = vec![0; 16];
    (values[8 + wall], values[12], values[13], values[14], values[15]) = (1, 1, 1, 1, 1);
    let hero =
        entity("Hero", [22, 0], [20, 38], &[field("player", "Int", json!(1)), field("name", "String", json!("hero"))]);
    level(name, &[], &[things(&[hero]), walls(4, &values)])
}

fn game() -> Folder {
    let mut project = project(&[room("Cave", 3), room("Cellar", 0)]);
    project["defs"]["tilesets"][0]["relPath"] = Value::Null;
    // The second level is in a file that is not below `levels/`.
    let second = &mut project["levels"][1];
    let text = format!("{second:#}");
    (second["layerInstances"], second["externalRelPath"]) = (Value::Null, json!("../rooms/Cellar.ldtkl"));
    let folder = projects::game(&project);
    folder.write("rooms/Cellar.ldtkl", &text);
    folder
}

#[test]
fn every_command_takes_a_level_of_a_project() {
    let folder = game();
    let root = folder.root();
    let ran = |arguments: &[&str]| {
        let output = run(root, arguments);
        assert_eq!(code(&output), 0, "{arguments:?}\n{}{}", out(&output), err(&output));
        format!("{}{}", out(&output), err(&output))
    };
    let hash = |text: String| text.trim_end().rsplit(' ').next().unwrap_or_default().to_string();
    let first = hash(ran(&["run", "world", "--ticks", "60"]));
    assert_eq!(hash(ran(&["run", "world#Cave", "--ticks", "60"])), first);
    let second = hash(ran(&["run", "world#Cellar", "--ticks", "60", "--record", "a.run", "--png", "a.png"]));
    assert!(std::fs::read(folder.path("a.png")).expect("a picture").starts_with(b"\x89PNG"));
    // The recording has the files of the level, and needs no others.
    let replayed = {
        let elsewhere = Folder::empty();
        elsewhere.write_bytes("a.run", &std::fs::read(folder.path("a.run")).expect("a recording"));
        let output = run(elsewhere.root(), &["replay", "a.run"]);
        assert_eq!(code(&output), 0, "{}{}", out(&output), err(&output));
        format!("{}{}", out(&output), err(&output))
    };
    assert!(replayed.contains(&second), "{second} {replayed}");
    let test = "fn test_cellar() { let t = play(\"world#Cellar\"); t.ticks(60); expect(t.hash).equals(\"HASH\"); }\n";
    folder.write("levels/tests/a.rhai", &test.replace("HASH", &second));
    folder.write("walk.input", "level world.ldtk#Cellar  # the second one\n60\n");
    assert_eq!(hash(ran(&["run", "--input", "walk.input", "--ticks", "60"])), second);
    ran(&["check"]);
    ran(&["test"]);
    for format in ["toml", "tmx"] {
        folder.write(&format!("levels/copy.{format}"), &out(&run(root, &["export", "world#Cellar", "--to", format])));
        assert_eq!(hash(ran(&["run", &format!("copy.{format}"), "--ticks", "60"])), second);
        std::fs::remove_file(folder.path(&format!("levels/copy.{format}"))).expect("the copy");
    }
}

#[test]
fn check_looks_at_every_level_and_every_name() {
    let folder = game();
    folder.write("levels/tests/a.rhai", "fn test_a() { play(\"world#Celar\"); }\n");
    let file = folder.read("rooms/Cellar.ldtkl").replace("\"player\"", "\"playr\"");
    folder.write("rooms/Cellar.ldtkl", &file);
    let output = run(folder.root(), &["check"]);
    let said = format!("{}{}", out(&output), err(&output));
    assert_eq!(code(&output), 1, "{said}");
    assert!(said.contains("there is no level `world#Celar`; did you mean `world#Cellar`?"), "{said}");
    let at = file.find("playr").expect("the field");
    let line = file[..at].matches('\n').count() + 1;
    let message = "level \"Cellar\", layer \"Things\", entity \"Hero\" at row 0, column 1: unknown key `playr`";
    assert!(said.contains(&format!("rooms/Cellar.ldtkl:{line}:")) && said.contains(message), "{said}");
}

#[test]
fn files_of_levels_are_hashed_wherever_they_are() {
    let folder = game();
    let hash = || game_hash(&GameFolder::new(folder.root()));
    let first = hash();
    folder.write("rooms/Other.ldtkl", "{}");
    assert_eq!(hash(), first, "no project names it");
    folder.write("rooms/Cellar.ldtkl", "{}");
    assert_ne!(hash(), first);
}

/// A project that shows these tiles as the map of `tiled_pictures` does.
fn tiles(tiles: &[([i32; 2], u32, u8)], is_auto: bool) -> Folder {
    let folder = game_of_tiles([0; 6], "../pictures/set.png", "");
    std::fs::remove_file(folder.path("levels/level.tmx")).expect("the map");
    let fields =
        [field("surface", "String", json!("stone")), field("bounds", "String", json!("[-5000, -5000, 5000, 5000]"))];
    let mut layers = vec![if is_auto { moss(tiles) } else { front(tiles) }];
    if is_auto {
        layers.push(walls(3, &[0, 0, 1, 1, 0, 0]));
    }
    for layer in &mut layers {
        layer["__gridSize"] = json!(8);
    }
    let mut project = project(&[level("Cave", &fields, &layers)]);
    project["defs"]["tilesets"][0] = json!({
        "uid": 20, "identifier": "Set", "relPath": "../pictures/set.png", "__cWid": 3, "__cHei": 1, "pxWid": 30, "pxHei": 10,
        "tileGridSize": 8, "spacing": 2, "padding": 1,
        "enumTags": if is_auto { json!([]) } else { json!([{ "enumValueId": "Solid", "tileIds": [0] }]) },
    });
    folder.write("levels/level.ldtk", &project.to_string());
    folder
}

#[test]
fn tiles_look_as_the_same_tiles_of_a_map_of_tiled() {
    for flips in 0..4_u8 {
        let flagged = |tile: u32| tile | u32::from(flips & 1) << 31 | u32::from(flips & 2) << 29;
        let of_tiled = game_of_tiles(
            [1, 2, 3, 3, 0, 1].map(|tile| if tile > 0 { flagged(tile) } else { 0 }),
            "../pictures/set.png",
            "",
        );
        let placed =
            [([0, 0], 0, flips), ([8, 0], 1, flips), ([16, 0], 2, flips), ([0, 8], 2, flips), ([16, 8], 0, flips)];
        let of_ldtk = tiles(&placed, false);
        assert_eq!(painted(&of_ldtk, true).data(), painted(&of_tiled, true).data(), "{flips}");
    }
}

#[test]
fn tiles_of_rules_are_the_looks_of_their_int_grid() {
    let of_tiled = game_of_tiles([1, 2, 3, 3, 0, 1], "../pictures/set.png", "");
    let map = of_tiled.read("levels/level.tmx");
    // The third tile, which is transparent above its diagonal, is solid.
    of_tiled.write("levels/level.tmx", &map.replace("<tile id=\"0\">", "<tile id=\"2\">"));
    let of_ldtk = tiles(&[([0, 0], 0, 0), ([8, 0], 1, 0), ([16, 0], 2, 0), ([0, 8], 2, 0), ([16, 8], 0, 0)], true);
    assert_eq!(painted(&of_ldtk, true).data(), painted(&of_tiled, true).data());
    // So breaking its cells takes the tiles away.
    let revision = opened(&of_ldtk);
    assert_eq!(revision.art.layers[0].solids, revision.stage.level.tiles[0].solids);
}
