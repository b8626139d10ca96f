//! What a client sees of a world, and warnings about its inputs.

use crate::{
    folder::{Folder, LEVEL},
    session::Session,
    worlds::counting,
};
use serde_json::{Value, json};

#[test]
fn the_last_events_of_an_entity_are_those_of_its_kind_also_when_it_is_gone() {
    let folder =
        Folder::with_script("fn on_tick(me) { this.n += 1; if this.n == 7 { world::emit(\"boom\"); me.remove(); } }");
    folder.write("config/entities/rock.toml", "");
    folder
        .write("levels/level.toml", &format!("{LEVEL}[[entity]]\nkind = \"rock\"\nname = \"rock\"\nat = [-300, 19]\n"));
    let mut session = Session::new(&folder);
    let names = |events: &Value| {
        let events = events.as_array().expect("a list").iter();
        let events = events.filter(|event| event["entity"] == "hero");
        let names = events.map(|event| event["event"].as_str().expect("a name").to_string());
        names.collect::<Vec<_>>()
    };
    let all = session.create();
    let step = session.result("world.step", &json!({"world": all, "ticks": 20, "observe": {}}));
    let expected = names(&step["events"]);
    assert!(expected.iter().any(|name| name == "boom"), "{step}");
    let of_kind = session.create();
    session.result("world.trace.subscribe", &json!({"world": of_kind, "observe": {"kinds": ["hero"], "every": 20}}));
    session.read();
    let observe = json!({"kinds": ["hero"]});
    session.send(&json!({"jsonrpc": "2.0", "id": 9, "method": "world.step", "params": {"world": of_kind, "ticks": 20, "observe": observe}}).to_string());
    let (one, two) = (session.read(), session.read());
    let (notice, answer) = if one.get("id").is_some() { (two, one) } else { (one, two) };
    assert_eq!(names(&answer["result"]["events"]), expected);
    assert_eq!(names(&notice["params"]["line"]["events"]), expected);
    // Entities of other kinds have none of these events.
    let other = session.create();
    let observe = json!({"kinds": ["rock"]});
    let step = session.result("world.step", &json!({"world": other, "ticks": 20, "observe": observe}));
    assert_eq!(names(&step["events"]), [""; 0]);
}

#[test]
fn inputs_that_were_made_for_another_world_are_played_with_a_warning_for_each_line() {
    let folder = counting();
    let mut session = Session::new(&folder);
    let settings = json!({"platformer.jump_speed": 500});
    let start = json!({"level": "level", "seed": 7, "settings": settings});
    let world = session.result("world.create", &start)["world"].clone();
    let mut said = |inputs: &str| {
        let step = session.result("world.step", &json!({"world": world, "inputs": inputs}));
        let warnings = step["warnings"].as_array().cloned().unwrap_or_default();
        let lines = warnings.iter().map(|w| w["line"].as_u64().expect("a line"));
        lines.collect::<Vec<_>>()
    };
    assert_eq!(said("level levels/level.toml\nseed 7\nset platformer.jump_speed=500\n1 right"), [0; 0]);
    assert_eq!(said("level first\nseed 7\nset platformer.jump_speed=600\n1 right"), [1, 3]);
    assert_eq!(said("seed 8\n1 right"), [1]);
}

#[test]
fn a_filter_leaves_out_entities_and_members() {
    let folder = counting();
    let mut session = Session::new(&folder);
    let world = session.create();
    let seen =
        session.result("world.observe", &json!({"world": world, "observe": {"kinds": ["hero"], "fields": ["pos"]}}));
    let hero = &seen["entities"][0];
    assert_eq!(*hero, json!({"name": "hero", "pos": [-200.0, 19.0, 0.0]}));
    let none = session.result("world.observe", &json!({"world": world, "observe": {"entities": []}}));
    assert_eq!((&none["entities"], &none["events"]), (&json!([]), &json!([])));
}

#[test]
fn the_variables_of_a_levels_script_are_in_its_lines_whatever_is_filtered() {
    let folder = counting();
    let script = "script = \"rules.rhai\"\nvars = { coins = 3 }\n";
    folder.write("levels/level.toml", &format!("{script}{LEVEL}"));
    folder.write("scripts/rules.rhai", "fn on_tick(me) { this.coins += 1; }");
    let mut session = Session::new(&folder);
    let world = session.create();
    for (ticks, observe) in
        [json!({}), json!({"entities": []}), json!({"kinds": []}), json!({"fields": []}), json!({"every": 1})]
            .into_iter()
            .enumerate()
    {
        let params = json!({"world": world, "observe": observe});
        let step = session.result("world.step", &params);
        let line = &step["observations"][0];
        assert_eq!(line["level"], json!({"vars": {"coins": ticks + 4}}), "{line}");
    }
}
