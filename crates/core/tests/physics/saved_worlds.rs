//! Saved worlds from strangers: what is refused is named by its field. The fuzz target `worlds`
//! changes saved worlds at random.

use crate::ground::Ground;
use hangtime_core::sim::{MOST_TICKS, SavedWorld, World};
use serde_json::{Value, json};

/// A saved world of one hero on a floor, with one field changed.
fn refused(path: &str, value: Value) -> String {
    let ground = Ground::floor(60);
    let mut play = ground.play();
    play.run(0.5);
    let mut saved = serde_json::to_value(&play.world).expect("it is saved");
    *saved.pointer_mut(path).unwrap_or_else(|| panic!("{path} is there")) = value;
    let saved: SavedWorld = serde_json::from_value(saved).expect("it has all fields");
    saved.check(&play.stage).err().unwrap_or_else(|| panic!("{path} is accepted")).to_string()
}

/// A changed field, its new value, and the field that the error names.
type Row = (&'static str, Value, &'static str);

/// Fields of the world.
fn world_rows() -> Vec<Row> {
    let early = json!([{"due": 5, "entity": 1, "name": "x"}]);
    let stray = json!([{"due": 500, "entity": 4, "name": "x"}]);
    let movers = "population.lanes.platformer.movers";
    vec![
        ("/tick", json!(u64::MAX), "tick"),
        ("/tick", json!(MOST_TICKS + 1), "tick"),
        ("/surface_keys/0", json!(5), "surface_keys"),
        ("/population/next_id", json!(1), "population.entities[0].id"),
        ("/population/entities", json!([]), movers),
        ("/population/removed_starts", json!(["x"]), "population.removed_starts"),
        ("/level/has_script", json!(true), "level.has_script"),
        ("/switches/absent", json!([9]), "switches.absent"),
        ("/switches/key", json!(8), "switches.key"),
        ("/contacts/touching", json!([[1, 1]]), "contacts.touching[0]"),
        ("/timers", early, "timers[0].due"),
        ("/timers", stray, "timers[0].entity"),
    ]
}

/// Fields of its only entity.
fn entity_rows() -> Vec<Row> {
    vec![
        ("/place", json!(1), "place"),
        ("/profile", json!(7), "profile"),
        ("/start", json!(3), "start"),
        ("/name", json!("x"), "name"),
        ("/kind", json!("x"), "kind"),
        ("/born", json!(31), "born"),
        ("/zones", json!([0]), "zones"),
        ("/jumping", json!(true), "jumping"),
    ]
}

/// Fields of the motion of its only entity.
fn mover_rows() -> Vec<Row> {
    vec![
        ("/id", json!(2), "id"),
        ("/before", json!(16384), "before"),
        ("/intent/keys", json!(65535), "intent.keys"),
        ("/body/pos/0", json!(1e300), "body.pos[0]"),
        ("/body/vel/1", json!(-1e12), "body.vel[1]"),
        ("/body/z", json!(1), "body.z"),
        ("/body/surface", json!(9), "body.surface"),
        ("/body/facing", json!(0.5), "body.facing"),
        ("/body/ground/feature", json!({"Face": 4}), "body.ground.feature"),
        ("/body/ground/normal/1", json!(3.0), "body.ground.normal"),
        ("/body/jump/pressed", json!(900), "body.jump.pressed"),
        ("/body/windows/coyote_time", json!(-1.0), "body.windows.coyote_time"),
        ("/state/consumed", json!(32768), "state.consumed"),
        ("/state/hook/length", json!(-5.0), "state.hook.length"),
        ("/state/hook/platform", json!(0), "state.hook.platform"),
    ]
}

#[test]
fn a_refused_world_names_the_field() {
    let tables = [
        ("", "", world_rows()),
        ("/population/entities/0", "population.entities[0].", entity_rows()),
        ("/population/lanes/platformer/movers/0", "population.lanes.platformer.movers[0].", mover_rows()),
    ];
    for (at, part, rows) in tables {
        for (path, value, field) in rows {
            let error = refused(&format!("{at}{path}"), value);
            let start = format!("`{part}{field}` of the saved world ");
            assert!(error.starts_with(&start), "{path}: {error}");
        }
    }
}

#[test]
fn a_world_of_another_level_is_refused() {
    let world: World = Ground::floor(60).play().world;
    let saved = serde_json::to_string(&world).expect("it is saved");
    let saved: SavedWorld = serde_json::from_str(&saved).expect("it has all fields");
    let other = Ground::floor(60).surface(0.5).stage();
    let error = saved.check(&other).expect_err("it has another surface");
    assert_eq!(error.field, "surface_keys");
}
