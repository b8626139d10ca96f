//! Projects of the LDtk editor.

use crate::{folder::Folder, maps};
use serde_json::{Value, json};

/// The level of [`game`].
pub const WORLD: &str = "levels/world.ldtk";

/// A game with this project.
pub fn game(project: &Value) -> Folder {
    maps::game_of(WORLD, &format!("{project:#}"))
}

/// A project with these levels. Its definitions: an IntGrid `Walls` (1), entities `Things` (2), tiles `Front` (3), and an
/// auto-layer `Moss` (4) of the IntGrid, all with cells of 16 px; entities by their uids in [`ENTITIES`]; and a tileset of
/// three tiles of 16 px, the first solid, the second a one-way platform, the third ice.
pub fn project(levels: &[Value]) -> Value {
    let layer = |uid: u32, name: &str, kind: &str| json!({ "uid": uid, "identifier": name, "__type": kind, "parallaxFactorX": 0, "parallaxFactorY": 0 });
    let mut layers = [
        layer(1, "Walls", "IntGrid"),
        layer(2, "Things", "Entities"),
        layer(3, "Front", "Tiles"),
        layer(4, "Moss", "AutoLayer"),
    ];
    layers[0]["intGridValues"] = json!([
        { "value": 1, "identifier": "solid", "groupUid": 0 },
        { "value": 2, "identifier": "one_way", "groupUid": 0 },
        { "value": 3, "identifier": "ice", "groupUid": 0 },
        { "value": 4, "identifier": "plank", "groupUid": 7 },
        { "value": 5, "identifier": "ladder", "groupUid": 0 },
        { "value": 6, "identifier": null, "groupUid": 0 },
    ]);
    layers[0]["intGridValuesGroups"] = json!([{ "uid": 7, "identifier": "one_way", "color": null }]);
    layers[3]["autoSourceLayerDefUid"] = json!(1);
    let entity = |(uid, name, mode, _): &(u32, &str, &str, &[&str])| json!({ "uid": uid, "identifier": name, "renderMode": mode });
    json!({
        "__header__": { "fileType": "LDtk Project JSON", "app": "LDtk" },
        "jsonVersion": "1.5.3",
        "identifierStyle": "Capitalize",
        "externalLevels": false,
        "defs": {
            "layers": layers,
            "entities": ENTITIES.iter().map(entity).collect::<Vec<_>>(),
            "tilesets": [{
                "uid": 20, "identifier": "Blocks", "relPath": "../pictures/blocks.png", "__cWid": 3, "__cHei": 1,
                "pxWid": 48, "pxHei": 16, "tileGridSize": 16, "spacing": 0, "padding": 0,
                "enumTags": [
                    { "enumValueId": "Solid", "tileIds": [0] },
                    { "enumValueId": "One_way", "tileIds": [1] },
                    { "enumValueId": "Ice", "tileIds": [2] },
                    { "enumValueId": "Damp", "tileIds": [0, 2] },
                ],
            }],
            "enums": [], "externalEnums": [], "levelFields": [],
        },
        "levels": levels,
        "worlds": [],
    })
}

/// The definitions of entities: uid, name, how LDtk draws them, and tags.
const ENTITIES: [(u32, &str, &str, &[&str]); 8] = [
    (10, "Hero", "Rectangle", &[]),
    (11, "Solid", "Rectangle", &[]),
    (12, "One_way", "Rectangle", &[]),
    (13, "Wind", "Rectangle", &["weather", "zone"]),
    (14, "Bounds", "Rectangle", &[]),
    (15, "Spawner", "Cross", &[]),
    (16, "Note", "Rectangle", &[]),
    (17, "Pool", "Ellipse", &["zone"]),
];

/// A level with these fields and layers, the first one in front.
pub fn level(name: &str, fields: &[Value], layers: &[Value]) -> Value {
    json!({
        "identifier": name, "iid": format!("iid-of-{name}"), "uid": 0, "pxWid": 256, "pxHei": 256, "worldX": 512, "worldY": 0,
        "fieldInstances": fields, "layerInstances": layers, "externalRelPath": null,
    })
}

/// A layer of the definition with this uid.
fn layer(uid: u32, name: &str, kind: &str, size: [usize; 2]) -> Value {
    json!({
        "__identifier": name, "__type": kind, "__cWid": size[0], "__cHei": size[1], "__gridSize": 16, "__opacity": 1,
        "__pxTotalOffsetX": 0, "__pxTotalOffsetY": 0, "__tilesetDefUid": if kind == "Entities" { None } else { Some(20) },
        "layerDefUid": uid, "visible": true, "intGridCsv": [], "gridTiles": [], "autoLayerTiles": [], "entityInstances": [],
    })
}

/// The layer `Walls` with these values.
pub fn walls(columns: usize, values: &[u32]) -> Value {
    let mut walls = layer(1, "Walls", "IntGrid", [columns, values.len() / columns]);
    walls["intGridCsv"] = json!(values);
    walls
}

/// The layer `Things` with these entities.
pub fn things(entities: &[Value]) -> Value {
    let mut things = layer(2, "Things", "Entities", [16, 16]);
    things["entityInstances"] = json!(entities);
    things
}

/// The layer `Front` with tiles: place in px, number, flips.
pub fn front(tiles: &[([i32; 2], u32, u8)]) -> Value {
    tiles_in(layer(3, "Front", "Tiles", [4, 4]), "gridTiles", tiles)
}

/// The layer `Moss` with tiles that rules have put there.
pub fn moss(tiles: &[([i32; 2], u32, u8)]) -> Value {
    tiles_in(layer(4, "Moss", "AutoLayer", [4, 4]), "autoLayerTiles", tiles)
}

fn tiles_in(mut layer: Value, key: &str, tiles: &[([i32; 2], u32, u8)]) -> Value {
    let tile =
        |(px, id, flips): &([i32; 2], u32, u8)| json!({ "px": px, "src": [id * 16, 0], "f": flips, "t": id, "d": [] });
    layer[key] = tiles.iter().map(tile).collect();
    layer
}

/// An entity whose top left corner is here.
pub fn entity(name: &str, at: [i32; 2], size: [u32; 2], fields: &[Value]) -> Value {
    let (uid, _, _, tags) =
        ENTITIES
            .iter()
            .find(|(_, known, ..)| *known == name)
            .copied()
            .unwrap_or((99, name, "", &[]));
    json!({
        "__identifier": name, "__grid": at.map(|at| at.div_euclid(16)), "__pivot": [0, 0], "__tags": tags, "__tile": null,
        "iid": format!("iid-{name}-{}-{}", at[0], at[1]), "defUid": uid, "px": at, "width": size[0], "height": size[1],
        "fieldInstances": fields,
    })
}

/// A field.
pub fn field(name: &str, kind: &str, value: Value) -> Value {
    json!({ "__identifier": name, "__type": kind, "__value": value, "defUid": 0 })
}
