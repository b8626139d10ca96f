//! Projects of the LDtk editor as levels: they mean the same as TOML and as maps of Tiled.

use crate::{
    folder::Folder,
    maps::map,
    projects::{WORLD, entity, field, front, game, level, moss, project, things, walls},
    tiled::{check_same, opened},
};
use glam::DVec2;
use hangtime_core::{
    geometry::grid::Bounds,
    level::{Solid, View},
};
use hangtime_game::{Project, Revision};
use serde_json::{Value, json};

/// A game whose project has one level with these layers.
fn game_of(layers: &[Value]) -> Folder {
    game(&project(&[level("Cave", &[], layers)]))
}

/// One of each entity.
fn entities() -> Vec<Value> {
    let text = |name: &str, value: &str| field(name, "String", json!(value));
    let number = |name: &str, value: f64| field(name, "Float", json!(value));
    let mut hero = entity(
        "Hero",
        [60, -10],
        [20, 40],
        &[
            text("name", "hero"),
            field("player", "Int", json!(1)),
            number("velocity_x", 30.0),
            number("platformer_jump_speed", 600.0),
            text("vars_list", "[1, 2.5]"),
            text("vars_name", "x < y"),
            field("vars_n", "Int", json!(4)),
            field("vars_goal", "Point", json!({ "cx": 2, "cy": -3 })),
            field("vars_stops", "Array<Int>", json!([3, 5])),
            field("vars_friend", "EntityRef", json!({ "entityIid": "iid-Spawner--20--40", "levelIid": "iid-of-Cave" })),
            field("vars_door", "EntityRef", json!({ "entityIid": "far", "levelIid": "other" })),
            field("vars_color", "Color", json!("#ff8000")),
            field("script", "FilePath", Value::Null),
            field("icon", "Tile", json!({ "tilesetUid": 20, "x": 0, "y": 0, "w": 16, "h": 16 })),
        ],
    );
    // Its pivot is in the middle of its feet.
    hero["__pivot"] = json!([0.5, 1]);
    vec![
        entity("Solid", [-50, 10], [400, 40], &[text("name", "floor")]),
        entity(
            "Solid",
            [100, -6],
            [80, 16],
            &[text("name", "step"), field("surface", "LocalEnum.Ground", json!("Ice"))],
        ),
        entity("One_way", [200, -60], [30, 12], &[text("name", "shelf")]),
        entity(
            "Solid",
            [260, -20],
            [30, 10],
            &[
                text("name", "lift"),
                field("present", "Bool", json!(false)),
                field("path", "Array<Point>", json!([{ "cx": 16, "cy": -6 }, { "cx": 17, "cy": -7 }])),
                number("path_speed", 62.5),
                field("path_loop", "LocalEnum.Loop", json!("Once")),
            ],
        ),
        entity(
            "Wind",
            [0, -100],
            [60, 90],
            &[
                text("name", "wind"),
                number("external_accel_y", -520.5),
                number("gravity_scale", 0.5),
                text("surface", "ice"),
            ],
        ),
        hero,
        entity(
            "Spawner",
            [-20, -40],
            [20, 30],
            &[
                text("kind", "hero"),
                text("name", "friend"),
                text("body", "{ box = [32, 20] }"),
                text("model", "vessel"),
            ],
        ),
        entity("Note", [0, 0], [100, 20], &[]),
        entity("Bounds", [-300, -400], [1000, 900], &[]),
    ]
}

/// The TOML that means the same.
const SAME: &str = r##"
gravity = 1800
surface = "stone"
bounds = [-300, -500, 700, 400]
[[solid]]
name = "floor"
points = [[-50, -10], [350, -10], [350, -50], [-50, -50]]
[[solid]]
name = "step"
surface = "ice"
points = [[100, 6], [180, 6], [180, -10], [100, -10]]
[[solid]]
name = "shelf"
one_way = true
points = [[200, 60], [230, 60]]
[[solid]]
name = "lift"
points = [[260, 20], [290, 20], [290, 10], [260, 10]]
present = false
path = { points = [[0, 0], [0, 64], [16, 80]], speed = 62.5, loop = "once" }
[[zone]]
name = "wind"
points = [[0, 100], [60, 100], [60, 10], [0, 10]]
external_accel = [0, -520.5]
gravity_scale = 0.5
surface = "ice"
[[entity]]
kind = "hero"
name = "hero"
at = [60, 30]
player = 1
velocity = [30, 0]
vars = { list = [1, 2.5], name = "x < y", n = 4, goal = { vec = [40, 40] }, stops = [3, 5], friend = "friend", door = "far", color = "#ff8000" }
[entity.platformer]
jump_speed = 600
[[entity]]
kind = "hero"
name = "friend"
at = [-10, 25]
body = { box = [32, 20] }
model = "vessel"
"##;

#[test]
fn entities_and_fields_mean_what_their_toml_means() {
    let fields = [
        field("gravity", "Float", json!(1800)),
        field("surface", "String", json!("stone")),
        field("demo", "String", Value::Null),
    ];
    check_same(
        &game(&project(&[level("Cave", &fields, &[things(&entities())])])),
        WORLD,
        "levels/other/same.toml",
        SAME,
    );
}

#[test]
fn the_same_level_drawn_in_tiled_and_in_ldtk_is_one_level() {
    let tiled = map(r#" <properties><property name="gravity" type="float" value="900"/></properties>
 <tileset firstgid="1" source="set.tsx"/>
 <layer id="1" name="Walls" width="4" height="3" offsetx="8" offsety="-4">
  <data encoding="csv">0,0,0,0,1,1,0,4,1,1,1,1</data>
 </layer>
 <objectgroup id="2" name="Things">
  <object id="1" type="hero" x="20" y="-46" width="20" height="38">
   <properties><property name="player" type="int" value="1"/></properties>
  </object>
  <object id="2" name="pool" type="zone" x="30" y="-30" width="40" height="20">
   <properties><property name="gravity_scale" type="float" value="0.5"/></properties>
   <ellipse/>
  </object>
 </objectgroup>
"#);
    let mut walls = walls(4, &[0, 0, 0, 0, 1, 1, 0, 3, 1, 1, 1, 1]);
    (walls["__pxTotalOffsetX"], walls["__pxTotalOffsetY"]) = (json!(8), json!(-4));
    let things = things(&[
        entity("Hero", [20, -46], [20, 38], &[field("player", "Int", json!(1))]),
        entity(
            "Pool",
            [30, -30],
            [40, 20],
            &[field("name", "String", json!("pool")), field("gravity_scale", "Float", json!(0.5))],
        ),
    ]);
    let ldtk = project(&[level("Cave", &[field("gravity", "Float", json!(900))], &[things, walls])]);
    check_same(&game(&ldtk), WORLD, "levels/same.tmx", &tiled);
}

/// A solid of a level: left, bottom, right, top, whether it is one-way, and its surface.
type Block = (f64, f64, f64, f64, bool, String);

/// The solids of a level, sorted.
fn blocks(revision: &Revision) -> Vec<Block> {
    let level = &revision.stage.level;
    let block = |solid: &Solid| {
        let Bounds { min, max } = solid.bounds;
        (min.x, min.y, max.x, max.y, solid.one_way, level.surface_name(solid.surface).to_string())
    };
    let mut blocks: Vec<Block> = level.terrain.solids().iter().map(block).collect();
    blocks.sort_by(|a, b| a.partial_cmp(b).expect("numbers"));
    blocks
}

fn block(cells: [i32; 4], one_way: bool, surface: &str) -> Block {
    // Left, top, right and bottom in cells.
    let [left, top, right, bottom] = cells.map(|cell| f64::from(cell) * 16.0);
    (left, 0.0 - bottom, right, 0.0 - top, one_way, surface.into())
}

#[test]
fn values_of_an_int_grid_are_solid_if_their_names_say_so() {
    let values = [
        0, 2, 4, 5, //
        1, 1, 3, 6, //
        1, 1, 3, 0,
    ];
    let folder = game_of(&[walls(4, &values)]);
    let found = opened(&folder, WORLD);
    assert_eq!(found.warnings, []);
    // The two one-way cells are one line.
    let expected =
        [block([0, 1, 2, 3], false, "plain"), block([1, 0, 3, 0], true, "plain"), block([2, 1, 3, 3], false, "ice")];
    assert_eq!(blocks(&found), expected);
}

#[test]
fn tiles_are_solid_if_their_tags_say_so() {
    // On each other, flipped, and one that lies 8 px to the right of its cell.
    let tiles = [([0, 0], 0, 0), ([0, 0], 2, 0), ([16, 0], 1, 1), ([16, 16], 1, 2), ([24, 32], 0, 0)];
    let expected = [
        block([0, 0, 1, 1], false, "ice"),
        block([0, 0, 1, 1], false, "plain"),
        // Upside down, its top side is below.
        block([1, 2, 2, 2], true, "plain"),
        block([1, 0, 2, 0], true, "plain"),
        (24.0, -48.0, 40.0, -32.0, false, "plain".into()),
    ];
    for layer in [front(&tiles), moss(&tiles)] {
        assert_eq!(blocks(&opened(&game_of(&[layer]), WORLD)), expected);
    }
}

#[test]
fn tiles_that_are_smaller_than_their_cells_lie_at_the_pivot() {
    let mut small = project(&[level("Cave", &[], &[front(&[([16, 32], 0, 0)])])]);
    small["defs"]["tilesets"][0]["tileGridSize"] = json!(8);
    for (pivot, corner) in [([0.0, 0.0], [16.0, -32.0]), ([0.5, 1.0], [20.0, -40.0])] {
        (small["defs"]["layers"][2]["tilePivotX"], small["defs"]["layers"][2]["tilePivotY"]) =
            (json!(pivot[0]), json!(pivot[1]));
        let [left, top] = corner;
        let expected = (left, top - 8.0, left + 8.0, top, false, "plain".to_string());
        assert_eq!(blocks(&opened(&game(&small), WORLD)), [expected], "{pivot:?}");
    }
}

#[test]
fn names_of_tops_are_heights_in_a_top_view() {
    let mut project = project(&[level(
        "Yard",
        &[field("view", "LocalEnum.View", json!("Top"))],
        &[walls(2, &[1, 4]), things(&[entity("Hero", [0, 64], [20, 20], &[field("z", "Float", json!(7))])])],
    )]);
    let layer = &mut project["defs"]["layers"][0];
    layer["intGridValuesGroups"][0]["identifier"] = json!("top_24");
    layer["intGridValues"][3]["identifier"] = json!("stone");
    let found = opened(&game(&project), "levels/world.ldtk");
    assert_eq!(found.stage.level.view, View::Top);
    let tops: Vec<f64> = found.stage.level.terrain.solids().iter().map(|solid| solid.top).collect();
    assert_eq!(tops, [f64::INFINITY, 24.0]);
    let start = &found.stage.starts[0];
    assert_eq!((start.at, start.z), (DVec2::new(10.0, -74.0), 7.0));
}

/// A project of two levels, whose solids are on the left and on the right.
fn two() -> Value {
    project(&[level("Cave", &[], &[walls(2, &[1, 0])]), level("Cellar", &[], &[walls(2, &[0, 1])])])
}

#[test]
fn a_level_of_a_project_is_found_by_its_name() {
    let (cave, cellar) = (block([0, 0, 1, 1], false, "plain"), block([1, 0, 2, 1], false, "plain"));
    // The same in one world of several.
    let mut worlds = two();
    worlds["worlds"] = json!([{ "identifier": "World", "levels": worlds["levels"].take() }]);
    worlds["levels"] = json!([]);
    for project in [two(), worlds] {
        let folder = game(&project);
        let game = Project::load(folder.root()).expect("a folder");
        for (name, expected) in [
            ("world", &cave),
            ("world.ldtk", &cave),
            ("world#Cave", &cave),
            ("world#Cellar", &cellar),
            ("levels/world.ldtk#Cellar", &cellar),
        ] {
            let path = game.find_level(name).unwrap_or_else(|error| panic!("{error}"));
            let revision = game.open(&path, &[]).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(blocks(&revision), std::slice::from_ref(expected), "{name}");
            let expected = if name.contains('#') { "levels/world.ldtk#" } else { "levels/world.ldtk" };
            assert!(revision.stage.level.name.starts_with(expected), "{}", revision.stage.level.name);
            // The file is in it, and is what the level depends on.
            assert!(revision.used_files().contains("levels/world.ldtk"));
        }
        let names = ["levels/world.ldtk#Cave", "levels/world.ldtk#Cellar"].map(|name| folder.path(name));
        assert_eq!(game.all_levels(), names);
        let wrong = game.find_level("world#Cave").and_then(|_| game.find_level("wrld#Cellar"));
        let wrong = wrong.expect_err("no such level").to_string();
        assert!(wrong.contains("did you mean `world#Cellar`"), "{wrong}");
        let path = game.find_level("world#Celar").expect("the file");
        let wrong = game.open(&path, &[]).expect_err("no such level").to_string();
        assert!(wrong.contains("this project has no level `Celar`; did you mean `Cellar`?"), "{wrong}");
    }
    // A level in TOML, and then a map of Tiled, come first.
    let folder = game(&two());
    folder.write("levels/world.toml", "");
    folder.write("levels/world.tmx", "");
    let game = Project::load(folder.root()).expect("a folder");
    assert_eq!(game.find_level("world").expect("a level"), folder.path("levels/world.toml"));
    assert_eq!(game.find_level("world#Cave").expect("a level"), folder.path("levels/world.ldtk#Cave"));
}

#[test]
fn levels_in_separate_files_are_the_same() {
    let mut project = two();
    let levels = project["levels"].as_array_mut().expect("a list");
    let mut files = Vec::new();
    for level in levels {
        let path = format!("world/{}.ldtkl", level["identifier"].as_str().expect("a name"));
        files.push((format!("levels/{path}"), format!("{level:#}")));
        (level["layerInstances"], level["externalRelPath"]) = (Value::Null, json!(path));
    }
    let folder = game(&project);
    files.iter().for_each(|(name, text)| folder.write(name, text));
    let found = opened(&folder, "levels/world.ldtk#Cellar");
    assert_eq!(blocks(&found), [block([1, 0, 2, 1], false, "plain")]);
    // The other level's file is not read.
    let used: Vec<String> = found.files.keys().filter(|name| name.starts_with("levels/")).cloned().collect();
    assert_eq!(used, ["levels/world.ldtk", "levels/world/Cellar.ldtkl"]);
    let game = Project::load(folder.root()).expect("a folder");
    assert_eq!(game.all_levels().len(), 2);
}
