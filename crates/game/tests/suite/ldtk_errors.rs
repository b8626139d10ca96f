//! Mistakes in projects of the LDtk editor: each names the file, the level, the part and the right name, and nothing panics
//! or takes long.

use crate::{
    folder::Folder,
    projects::{WORLD, entity, field, front, game, level, moss, project, things, walls},
    tiled::{open, wrong_in},
};
use proptest::prelude::*;
use serde_json::{Value, json};

/// A project with one of each layer.
fn sample() -> Value {
    let fields = [
        field("name", "String", json!("hero")),
        field("player", "Int", json!(1)),
        field("velocity_x", "Float", json!(30)),
        field("vars_n", "Int", json!(4)),
        field("vars_goal", "Point", json!({ "cx": 2, "cy": -3 })),
        field("vars_stops", "Array<Int>", json!([3, 5])),
        field("vars_self", "EntityRef", json!({ "entityIid": "iid-Hero-60--10", "levelIid": "iid-of-Cave" })),
    ];
    let lift = [
        field("path", "Array<Point>", json!([{ "cx": 16, "cy": -6 }, { "cx": 17, "cy": -7 }])),
        field("path_speed", "Float", json!(62.5)),
    ];
    let layers = [
        front(&[([0, 0], 0, 0), ([16, 0], 1, 1)]),
        things(&[entity("Hero", [60, -10], [20, 40], &fields), entity("Solid", [260, -20], [30, 10], &lift)]),
        moss(&[([0, 0], 2, 0)]),
        walls(2, &[1, 2, 3, 4]),
    ];
    let mut project = project(&[level("Cave", &[field("gravity", "Float", json!(900))], &layers)]);
    // A part of LDtk.
    project["defs"]["tilesets"][0]["relPath"] = Value::Null;
    project
}

/// The headlines of all errors, or of all warnings if it opens.
fn wrong(folder: &Folder) -> Vec<String> {
    wrong_in(folder, WORLD)
}

/// The start of a message about a field of the hero, and the field.
const HERO: &str = "level \"Cave\", layer \"Things\", entity \"Hero\" at row -1, column 3: ";
const FIELDS: &str = "/levels/0/layerInstances/1/entityInstances/0/fieldInstances";

/// Where a value of the project is replaced, and what the first message about that says.
fn mistakes() -> Vec<(String, Value, String)> {
    let hero = |at: &str, value: Value, message: &str| (format!("{FIELDS}{at}"), value, format!("{HERO}{message}"));
    let other = |at: &str, value: Value, message: &str| (at.to_string(), value, message.to_string());
    let layers = "/levels/0/layerInstances";
    let layer = |at: &str, value: Value, message: &str| (format!("{layers}{at}"), value, message.to_string());
    vec![
        hero("/1/__identifier", json!("playr"), "unknown key `playr`; did you mean `player`?"),
        hero("/1/__value", json!("one"), "the field `player` has the type `Int`, but its value is \"one\""),
        hero("/1/__value", json!(99), "`player` must be a whole number from 1 to 8"),
        hero("/2/__value", json!({}), "the field `velocity_x` has the type `Float`, but its value is {}"),
        hero("/4/__value", json!({ "cx": 1 }), "the field `vars_goal` has the type `Point`"),
        hero("/5/__value", json!([1, null]), "the field `vars_stops` has the type `Array<Int>`"),
        hero("/6/__value/entityIid", json!("none"), "no entity of this level has the iid `none`"),
        hero("/0/__value", json!("[1"), "`name` starts like a value of TOML, but is none"),
        hero("/3/__identifier", json!("platformer_jump_sped"), "unknown key `jump_sped`; did you mean `jump_speed`?"),
        layer(
            "/1/entityInstances/0/__identifier",
            json!("Heroo"),
            "entity \"Heroo\" at row -1, column 3: there is no class or kind `heroo`; did you mean `hero`?",
        ),
        layer(
            "/1/entityInstances/0/defUid",
            json!(77),
            "entity \"Hero\" at row -1, column 3: no entity definition has the uid 77",
        ),
        layer("/1/entityInstances/0/px", json!([1e300, 0]), "`px` takes a whole number from -2147483648 to"),
        layer("/1/entityInstances/0/px", json!([1, 2, 3]), "`px` takes two numbers"),
        layer("/1/entityInstances/0/__pivot", json!([0, 7]), "`__pivot` takes a number from 0 to 1, not 7"),
        layer(
            "/1/entityInstances/1/width",
            json!(0),
            "entity \"Solid\" at row -2, column 16: point 2 repeats the point before it",
        ),
        layer("/1/entityInstances/1/width", json!(-4), "`width` takes a whole number from 0 to 4294967295, not -4"),
        layer("/1/entityInstances/1/fieldInstances/1/__value", json!(-1), "`speed` is -1"),
        layer("/0/layerDefUid", json!(77), "layer \"Front\": no layer definition has the uid 77"),
        layer("/0/__tilesetDefUid", json!(77), "layer \"Front\": no tileset of this project has the uid 77"),
        layer("/0/__tilesetDefUid", Value::Null, "layer \"Front\": this layer has tiles, but no tileset"),
        layer(
            "/0/gridTiles/1/t",
            json!(8),
            "layer \"Front\": row 0, column 1, counted from 0: the tileset `Blocks` has no tile 8",
        ),
        layer("/0/gridTiles/1/t", json!("8"), "`t` takes a whole number from 0 to 4294967295, not \"8\""),
        layer("/0/__type", json!("Tile"), "`__type` cannot be `Tile`; did you mean `Tiles`?"),
        layer(
            "/3/intGridCsv",
            json!([1, 2, 3]),
            "layer \"Walls\": there are fewer values, 3, than the 4 that fit its width and height",
        ),
        layer("/3/intGridCsv", json!([1, 2, 3, 4, 1]), "there are more values, 5, than the 4"),
        layer(
            "/3/intGridCsv",
            json!([1, 9, 3, 8]),
            "layer \"Walls\": row 0, column 1, counted from 0: this IntGrid has no value 9; another one in this layer is unknown, too",
        ),
        layer("/3/__gridSize", json!(0), "the cells of a grid are at least 1 px wide and high"),
        layer("/3/__cWid", json!(65_535), "than the 131070 that fit"),
        layer("/3/__identifier", Value::Null, "`__identifier` is missing"),
        other(
            "/levels/0/fieldInstances/0/__identifier",
            json!("gravty"),
            "level \"Cave\": unknown key `gravty`; did you mean `gravity`?",
        ),
        other(
            "/levels/0/layerInstances",
            Value::Null,
            "level \"Cave\": this level has no layers, and names no file that has them",
        ),
        other("/levels/0/externalRelPath", json!("none.ldtkl"), "level \"Cave\": there is no file `none.ldtkl`"),
        other("/levels", json!([]), "this project has no level"),
        other("/levels/0", json!({}), "`identifier` is missing"),
        other(
            "/jsonVersion",
            json!("0.9.3"),
            "this project is of version \"0.9.3\" of LDtk's format; versions 1.x are read",
        ),
        other(
            "/jsonVersion",
            json!("2.0.0"),
            "this project is of version \"2.0.0\" of LDtk's format; versions 1.x are read",
        ),
        other("/jsonVersion", json!(1), "`jsonVersion` takes a text, not 1"),
        other("/defs", json!({}), "`layers` is missing"),
        other(
            "/defs/layers/0/parallaxFactorX",
            json!(0.5),
            "warning: level \"Cave\", layer \"Walls\": parallax has no effect",
        ),
        other(
            "/defs/layers/0/intGridValues/0/identifier",
            json!("soild"),
            "warning: layer \"Walls\": nothing is solid because of the name `soild`; did you mean `solid`?",
        ),
        other(
            "/defs/tilesets/0/enumTags/2/enumValueId",
            json!("Icee"),
            "warning: tileset \"Blocks\": nothing is solid because of the name `Icee`; did you mean `ice`?",
        ),
        other(
            "/defs/tilesets/0/tileGridSize",
            json!(0),
            "tileset \"Blocks\": the tiles of a picture are at least 1 px wide and high",
        ),
        other("/identifierStyle", json!("Loud"), "`identifierStyle` cannot be `Loud`"),
    ]
}

#[test]
fn mistakes_name_the_level_the_layer_and_the_entity() {
    assert_eq!(wrong(&game(&sample())), [""; 0]);
    let mut missed = Vec::new();
    for (at, value, message) in mistakes() {
        let mut project = sample();
        *project.pointer_mut(&at).unwrap_or_else(|| panic!("no {at}")) = value.clone();
        let found = wrong(&game(&project));
        let first = found.first().cloned().unwrap_or_default();
        // A mistake may have a consequence.
        if !first.contains(&message) || !first.starts_with("levels/world.ldtk:") || found.len() > 2 {
            missed.push(format!("{at} {value}\n  {message}\n  {found:#?}"));
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

#[test]
fn a_mistake_is_shown_at_its_line_and_column() {
    let mut project = sample();
    project["levels"][0]["layerInstances"][1]["entityInstances"][0]["fieldInstances"][1]["__identifier"] =
        json!("playr");
    let text = format!("{project:#}");
    let at = text.find("playr").expect("the field");
    let line = text[..at].matches('\n').count() + 1;
    let column = at - text[..at].rfind('\n').expect("a line");
    let found = wrong(&game(&project));
    assert!(found[0].starts_with(&format!("levels/world.ldtk:{line}:{column}: error: ")), "{found:?}");
    // A value of a wrong type in a list of thousands.
    let mut project = sample();
    project["levels"][0]["layerInstances"][3]["intGridCsv"] = json!([1, 2, "three", 4]);
    let text = format!("{project:#}");
    let at = text.find("\"three\"").expect("the value");
    let line = text[..at].matches('\n').count() + 1;
    let found = wrong(&game(&project));
    // In the quotes.
    let column = at + 1 - text[..at].rfind('\n').expect("a line");
    assert!(found[0].starts_with(&format!("levels/world.ldtk:{line}:{column}: error: ")), "{found:?}");
    assert!(found[0].contains("`intGridCsv` takes a whole number from 0 to 4294967295, not \"three\""), "{found:?}");
}

#[test]
fn other_files_are_refused() {
    let cut = format!("{:#}", sample());
    for (text, message) in [
        ("", "this file is empty"),
        ("hello", "expected value"),
        ("[]", "`levels/world.ldtk` takes an object, not []"),
        ("1", "`levels/world.ldtk` takes an object, not 1"),
        ("{}", "this is not a project of LDtk: it has no `jsonVersion`"),
        ("{\"jsonVersion\": \"1.5.3\"}", "`levels` is missing"),
        (&cut[..cut.len() / 2], "EOF while parsing"),
        (&"[".repeat(1_000_000), "EOF while parsing a list"),
        (&format!("{{\"jsonVersion\": {}", "{\"a\":".repeat(1_000_000)), "EOF while parsing"),
    ] {
        let folder = game(&json!({}));
        folder.write("levels/world.ldtk", text);
        let found = wrong(&folder);
        let first = found.first().cloned().unwrap_or_default();
        assert!(first.contains(message), "{message}\n{found:#?}");
    }
    let folder = game(&json!({}));
    folder.write("levels/world.ldtk", &" ".repeat(16 * 1024 * 1024 + 1));
    let found = wrong(&folder);
    assert!(found[0].contains("levels/world.ldtk") && found[0].contains("16"), "{found:?}");
}

#[test]
fn no_file_outside_of_the_game_folder_is_read() {
    let outside = Folder::empty();
    outside.write("Cave.ldtkl", &sample()["levels"][0].to_string());
    let path = outside.path("Cave.ldtkl");
    for source in [path.to_string_lossy().into_owned(), "../../../../../../../../etc/passwd".into()] {
        let mut project = sample();
        project["levels"][0]["externalRelPath"] = json!(source);
        let found = wrong(&game(&project));
        assert!(found.iter().any(|text| text.contains("leads out of the game folder")), "{found:#?}");
    }
}

/// Projects that would take much memory or time if nothing limited them.
#[test]
fn projects_made_to_take_much_memory_or_time_are_refused_quickly() {
    let mut all = Vec::new();
    let mut with = |at: &str, value: Value, message: &'static str| {
        let mut project = sample();
        *project.pointer_mut(at).unwrap_or_else(|| panic!("no {at}")) = value;
        all.push((project, message));
    };
    let tile = json!({ "px": [0, 0], "src": [0, 0], "f": 0, "t": 0 });
    with("/levels/0/layerInstances/0/gridTiles", json!(vec![tile; 2_000]), "more than 1000 layers");
    let checked: Vec<u32> = (0..60_000).map(|at| (at + at / 1000) % 2).collect();
    let mut walls = walls(1000, &checked);
    with("/levels/0/layerInstances/3", walls.clone(), "more than 25000 solids");
    walls["__cWid"] = json!(2_000);
    walls["__cHei"] = json!(1_001);
    walls["intGridCsv"] = json!(vec![0; 2_002_000]);
    with("/levels/0/layerInstances/3", walls, "can have at most 2000000 cells and tiles together");
    let item = json!(vec![0; 100_001]);
    with(&format!("{FIELDS}/5/__value"), item, "a field can have at most 100000 items");
    let corner = json!({ "cx": 0, "cy": 0 });
    let path = field("path", "Array<Point>", json!(vec![corner; 100_001]));
    with(
        "/levels/0/layerInstances/1/entityInstances/1/fieldInstances/0",
        path,
        "a field can have at most 100000 items",
    );
    let long = field("vars_a", "String", json!("x".repeat(64 * 300_000)));
    with(&format!("{FIELDS}/5"), long, "levels/world.ldtk");
    let levels: Vec<Value> = (0..1_001).map(|i| level(&format!("L{i}"), &[], &[])).collect();
    with("/levels", json!(levels), "a project can have at most 1000 levels");
    let tags = vec![json!({ "enumValueId": "solid", "tileIds": [0] }); 200];
    with("/defs/tilesets/0/enumTags", json!(tags), "a tileset can have at most 128 tags");
    for (project, message) in all {
        let folder = game(&json!({}));
        folder.write("levels/world.ldtk", &project.to_string());
        let found = wrong(&folder);
        let first = found.first().cloned().unwrap_or_default();
        assert!(first.contains(message), "{message}\n{found:#?}");
        // It is refused for what it is, not for the time that it takes.
        assert!(found.iter().all(|text| !text.contains("takes longer")), "{message}\n{found:#?}");
    }
}

/// All paths of values in a value.
fn places(value: &Value, at: &str, found: &mut Vec<String>) {
    found.push(at.to_string());
    match value {
        Value::Array(list) => list.iter().enumerate().for_each(|(i, item)| places(item, &format!("{at}/{i}"), found)),
        Value::Object(map) => map.iter().for_each(|(key, item)| places(item, &format!("{at}/{key}"), found)),
        _ => {}
    }
}

/// What a value is replaced by.
fn others() -> impl Strategy<Value = Option<Value>> {
    prop_oneof![
        Just(None),
        Just(Some(Value::Null)),
        any::<bool>().prop_map(|flag| Some(json!(flag))),
        any::<i64>().prop_map(|number| Some(json!(number))),
        (-20..70_000_i64).prop_map(|number| Some(json!(number))),
        any::<f64>().prop_map(|number| Some(json!(number))),
        prop::sample::select(vec![
            "solid",
            "Zone",
            "Bounds",
            "top_9",
            "../../x",
            "[1, 2",
            "{ a = 1 }",
            "Array<Point>",
            ""
        ])
        .prop_map(|text| Some(json!(text))),
        "\\PC{0,9}".prop_map(|text| Some(json!(text))),
        Just(Some(json!([]))),
        Just(Some(json!({}))),
        Just(Some(json!([[[]], { "cx": 1, "cy": -1 }]))),
    ]
}

/// The project opens, or the messages say which of its files is wrong and where.
fn check_refusal(folder: &Folder) -> Result<(), TestCaseError> {
    if let Err(wrong) = open(folder, WORLD) {
        prop_assert!(!wrong.is_empty());
        for wrong in wrong {
            prop_assert!(wrong.file_name().starts_with("levels/"), "{}", wrong.headline());
            // A file without any text has no places, and neither has one that is not read.
            let without = ["this file is empty", "leads out of the game folder"];
            let has_none = without.iter().any(|text| wrong.message.contains(text));
            prop_assert!(wrong.place.is_some() || has_none, "{}", wrong.headline());
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 400, ..ProptestConfig::default() })]

    /// A project with random values is a level, or is refused with messages that name the file.
    #[test]
    fn a_project_with_random_values_is_a_level_or_is_refused(
        changes in prop::collection::vec((any::<prop::sample::Index>(), others()), 1..4),
    ) {
        let mut project = sample();
        for (index, value) in changes {
            let mut all = Vec::new();
            places(&project, "", &mut all);
            let at = index.get(&all);
            let (parent, key) = at.rsplit_once('/').unwrap_or_default();
            match (value, project.pointer_mut(parent)) {
                (Some(value), _) => *project.pointer_mut(at).expect("a value") = value,
                (None, Some(Value::Object(map))) if !at.is_empty() => drop(map.remove(key)),
                (None, Some(Value::Array(list))) if !at.is_empty() => drop(list.remove(key.parse().expect("an index"))),
                (None, _) => {}
            }
        }
        let folder = game(&project);
        check_refusal(&folder)?;
    }

    /// The text of a project that is cut, or has other bytes, is refused or a level.
    #[test]
    fn a_damaged_project_is_a_level_or_is_refused(
        damages in prop::collection::vec((any::<prop::sample::Index>(), 0..4_u8, any::<char>()), 1..6),
    ) {
        let mut text: Vec<char> = sample().to_string().chars().collect();
        for (index, what, letter) in damages {
            let at = index.index(text.len());
            match what {
                0 => text.truncate(at + 1),
                1 => text[at] = letter,
                2 => text.insert(at, letter),
                _ => drop(text.remove(at)),
            }
            if text.is_empty() {
                text.push(letter);
            }
        }
        let folder = game(&json!({}));
        folder.write("levels/world.ldtk", &text.into_iter().collect::<String>());
        check_refusal(&folder)?;
    }
}
