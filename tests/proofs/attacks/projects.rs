//! Projects of LDtk.

use super::{Attack, Game};
use crate::projects::{entity, field, front, level, project, things, walls};
use serde_json::{Value, json};

/// The project that an attack plays, if it writes one.
pub const PROJECT: &str = "levels/map.ldtk";

fn hero() -> Value {
    entity("Hero", [8, -40], [20, 38], &[field("kind", "String", json!("one"))])
}

/// An attack whose project has one level with these layers.
fn with_layers(name: &str, layers: impl Fn() -> Vec<Value> + Send + 'static) -> Attack {
    Attack::new(name, move |game| {
        let mut layers = layers();
        layers.push(things(&[hero()]));
        game.write(PROJECT, project(&[level("Cave", &[], &layers)]).to_string());
    })
}

/// An attack whose hero has this field.
fn with_field(name: &str, field: impl Fn() -> Value + Send + 'static) -> Attack {
    Attack::new(name, move |game| {
        let mut hero = hero();
        hero["fieldInstances"].as_array_mut().expect("a list").push(field());
        game.write(PROJECT, project(&[level("Cave", &[], &[things(&[hero])])]).to_string());
    })
}

/// An attack that replaces a value of a project.
fn with_value(name: &str, at: &'static str, value: impl Fn() -> Value + Send + 'static) -> Attack {
    Attack::new(name, move |game| {
        let mut project = project(&[level("Cave", &[], &[things(&[hero()])])]);
        *project.pointer_mut(at).expect("a value") = value();
        game.write(PROJECT, project.to_string());
    })
}

/// A project with this text in the place of its levels, which is not closed where the text is too long.
fn nested(game: &Game<'_>, text: &str) {
    let project = project(&[]).to_string();
    game.write(PROJECT, project.replacen("\"levels\":[]", &format!("\"levels\":[{text}]"), 1));
}

pub fn attacks() -> Vec<Attack> {
    vec![
        Attack::new("a project of 1,000,000 lists in each other", |game| nested(game, &"[".repeat(1_000_000))),
        Attack::new("a project of 490,000 closed lists in each other", |game| {
            nested(game, &format!("{}{}", "[".repeat(490_000), "]".repeat(490_000)));
        }),
        Attack::new("a project of 140,000 levels in each other", |game| {
            let (start, end) = ("{\"a\":".repeat(140_000), "}".repeat(140_000));
            nested(game, &format!("{{\"identifier\":\"Cave\",\"layerInstances\":{start}0{end}}}"));
        }),
        Attack::new("a project of 320,000 empty levels", |game| nested(game, &vec!["{}"; 320_000].join(","))),
        with_layers("490,000 values of a checkerboard", || {
            let checked: Vec<u32> = (0..490_000).map(|at| (at + at / 700) % 2).collect();
            vec![walls(700, &checked)]
        }),
        with_layers("a grid of 65,535 columns and rows without values", || {
            let mut walls = walls(1, &[1]);
            (walls["__cWid"], walls["__cHei"]) = (json!(65_535), json!(65_535));
            vec![walls]
        }),
        with_layers("17,000 tiles on each other", || vec![front(&vec![([0, 0], 0, 0); 17_000])]),
        with_layers("17,000 tiles, each on another place in its cell", || {
            let tiles: Vec<_> = (0..17_000).map(|at| ([at % 130, at / 130], 0, 0)).collect();
            let mut front = front(&tiles);
            front["__gridSize"] = json!(65_535);
            vec![front]
        }),
        with_layers("1,000 layers with a tile each", || {
            (0..999).map(|at| front(&[([at, 0], at as u32 % 3, 0)])).collect()
        }),
        with_layers("20,000 references to an entity with a long name", || {
            let mut named = entity("Note", [0, 0], [9, 9], &[field("name", "String", json!("x".repeat(256)))]);
            named["iid"] = json!("n");
            let reference = json!({ "entityIid": "n", "levelIid": "l" });
            let fields = [
                field("kind", "String", json!("one")),
                field("vars_a", "Array<EntityRef>", json!(vec![reference; 20_000])),
            ];
            vec![things(&[named, entity("Hero", [60, -40], [20, 38], &fields)])]
        }),
        with_layers("4,500 entities without anything", || {
            let mut empty = entity("Note", [0, 0], [0, 0], &[]);
            empty["iid"] = json!("");
            vec![things(&vec![empty; 4_500])]
        }),
        with_field("a field of 480,000 values", || field("vars_a", "Array<Int>", json!(vec![0; 480_000]))),
        with_field("a field of 55,000 points", || {
            field("vars_a", "Array<Point>", json!(vec![json!({ "cx": 1, "cy": 1 }); 55_000]))
        }),
        with_field("a field with 1 MB of a list of TOML in it", || {
            field("vars_a", "String", json!("[".repeat(900_000)))
        }),
        with_value("a tag of 140,000 tiles", "/defs/tilesets/0/enumTags/0/tileIds", || {
            json!((0..140_000).collect::<Vec<u32>>())
        }),
        with_value("50,000 definitions of entities", "/defs/entities", || {
            json!((0..50_000).map(|uid| json!({ "uid": uid })).collect::<Vec<_>>())
        }),
        with_value("14,000 values of a grid", "/defs/layers/0/intGridValues", || {
            json!(
                (0..14_000)
                    .map(|value| json!({ "value": value, "identifier": "solid" }))
                    .collect::<Vec<_>>()
            )
        }),
        with_value("a level that is its own project", "/levels/0/externalRelPath", || json!("map.ldtk")),
        Attack::new("levels that are each other's files", |game| {
            let mut cave = level("Cave", &[], &[]);
            cave["layerInstances"] = Value::Null;
            for (name, other) in [(PROJECT, "a.ldtkl"), ("levels/a.ldtkl", "b.ldtkl"), ("levels/b.ldtkl", "a.ldtkl")] {
                cave["externalRelPath"] = json!(other);
                let text = if name == PROJECT { project(&[cave.clone()]) } else { cave.clone() };
                game.write(name, text.to_string());
            }
        }),
        Attack::new("a project of 100 MB", |game| {
            game.write(PROJECT, "{");
            game.lengthen(PROJECT, 100_000_000);
        }),
    ]
}
