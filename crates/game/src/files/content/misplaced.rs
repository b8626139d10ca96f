//! Keys that exist, but in another table: below a header a key belongs to the header's table.

use super::*;
use hangtime_script::elsewhere::{found, is_among};

/// The keys of a kind, apart from the tables of models and `body`, which a model's table has, too.
const KIND_KEYS: &str = "script scripts replaces model pushes mass carries time_scale vars stances expect sprite";

/// The keys of a level that its solids, zones and entities do not have.
const LEVEL_KEYS: &str = "view gravity bounds demo tiles";

/// The header of a table, such as `[platformer]`; none for one that is written in another way.
fn header(table: &Table) -> Option<&str> {
    let place = &table.place;
    let text = &place.file.text[place.span.start..];
    let line = text.lines().next().unwrap_or_default().trim_end();
    let end = line.find(']').map(|at| at + 1)?;
    let end = end + usize::from(line[end..].starts_with(']'));
    line.starts_with('[').then_some(&line[..end])
}

/// Where a key belongs that a model's table has, and the model does not.
pub(crate) fn key_of_model(model: ModelName, key: &str, table: &Table) -> Option<String> {
    if is_among(key, KIND_KEYS) {
        return Some(match header(table) {
            Some(header) => format!("; it belongs above `{header}`"),
            None => "; it is a key of the kind, not of a model".into(),
        });
    }
    let others: Vec<&str> = ModelName::with_tunable(key).iter().map(|model| model.as_str()).collect();
    if others.is_empty() {
        return None;
    }
    let (own, others) = (model.as_str(), others.join("` and `"));
    Some(format!("; it belongs to `{others}`, not to `{own}`"))
}

/// Where a key belongs that a kind or an entity has, outside of the tables of models.
pub(crate) fn key_of_kind(key: &str, is_entity: bool) -> Option<String> {
    if is_entity && let Some(hint) = key_of_entity(key) {
        return Some(hint);
    }
    let models = ModelName::with_tunable(key);
    let tables: Vec<String> = models.iter().map(|m| format!("[{}]", m.as_str())).collect();
    let belongs = || format!("; it belongs in the table of a model: `{}`", tables.join("` or `"));
    (!tables.is_empty()).then(belongs)
}

/// Where a key belongs that a solid, zone or entity of a level has.
fn key_of_level(key: &str) -> Option<String> {
    let of_level = is_among(key, LEVEL_KEYS) || is_among(key, "script surface");
    of_level.then(|| "; it is a key of the level and belongs above its first header".into())
}

/// Keys that other formats have for the place and size of things.
const BOXES: &str = "x y pos position location at size width height w h rect box radius";

/// What to write instead of a key that a solid or zone does not have.
pub(crate) fn key_of_outline(key: &str) -> Option<String> {
    if is_among(key, BOXES) {
        let right = "; write its corners: `points = [[0, 0], [100, 0], [100, 20], [0, 20]]`";
        return Some(right.into());
    }
    if matches!(key, "speed" | "loop") {
        return Some("; it is a key of `path`, as in `path = { points = [[0, 0], [0, 100]], speed = 60 }`".into());
    }
    key_of_level(key)
}

/// What to write instead of a key that a zone does not have.
pub(crate) fn key_of_zone(key: &str) -> Option<String> {
    let hints = [
        ("gravity", "; write `gravity_scale = 0.5`, a multiplier for the gravity of the level"),
        ("wind force accel acceleration push", "; write `external_accel = [100, 0]`, px/s²"),
        ("speed velocity belt", "; write `conveyor = [120, 0]`, px/s"),
    ];
    found(key, &hints).map_or_else(|| key_of_outline(key), |hint| Some(hint.into()))
}

/// What to write instead of a key that an entity does not have.
fn key_of_entity(key: &str) -> Option<String> {
    let hints = [
        ("x y pos position location", "; write `at = [100, 50]`"),
        ("type class prefab", "; write `kind = \"…\"`, the name of a file in config/entities/"),
        ("vel speed", "; write `velocity = [100, 0]`"),
        ("rotation angle", "; write `angle_deg = 90`"),
        ("size width height radius", "; an entity gets its size from its `body`"),
    ];
    found(key, &hints).map_or_else(|| key_of_level(key), |hint| Some(hint.into()))
}

/// What to write instead of a key that a level does not have.
pub(crate) fn key_at_top(key: &str) -> Option<String> {
    let hints = [
        ("platform platforms wall walls ground floor block solids", "; write `[[solid]]`, with a `path` if it moves"),
        ("player enemy enemies object actor entities npc", "; write `[[entity]]` with its `kind`"),
        ("area trigger region zones", "; write `[[zone]]`"),
        ("size width height", "; write `bounds = [left, bottom, right, top]`"),
    ];
    found(key, &hints).map(String::from)
}

/// Warns of keys below `[vars]` that look like keys of the kind or level whose variables these are.
pub(crate) fn keys_in_vars(parent: &Table, vars: &Table, of_level: bool, out: &mut Mistakes) {
    let Some(header) = header(vars) else {
        return;
    };
    for (key, node) in &vars.entries {
        let name = key.name.as_str();
        let exists = name == "script" || of_level == is_among(name, LEVEL_KEYS);
        if exists && parent.get(name).is_none() && is_meant_as_key(name, node) {
            let message =
                format!("below `{header}` this is a variable; to set the key `{name}`, write it above the header");
            out.warn(&key.place, message);
        }
    }
}

/// Whether the value of a variable is one that only makes sense for the key of this name.
fn is_meant_as_key(name: &str, node: &Node) -> bool {
    let text = node.text().unwrap_or_default();
    match name {
        "script" => LANGUAGES.of(text).is_some(),
        "demo" => text.ends_with(".input"),
        "model" => ModelName::parse(text).is_some(),
        "view" => matches!(text, "side" | "top"),
        "bounds" => node.items().len() == 4,
        _ => false,
    }
}
