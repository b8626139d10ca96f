//! Snapshots that no world has written.

use crate::{
    errors::changed,
    folder::{Folder, LEVEL},
    session::Session,
};
use serde_json::{Value, json};

/// A game whose hero has a mod's script above its own, and timers with data.
fn layered() -> Folder {
    let folder = Folder::with_script(
        "fn on_tick(me) { this.n += 1; if this.n % 40 == 1 { me.after(1.0, \"ring\", [41, 42]); } }\nfn on_ring(me, event) { }",
    );
    folder.write("levels/level.toml", LEVEL);
    folder.write("mods/extra/mod.toml", "name = \"extra\"\nversion = \"1\"\n");
    folder.write("mods/extra/config/entities/hero.toml", "scripts = [\"extra.rhai\"]\nvars = { luck = 77 }\n");
    folder.write("mods/extra/scripts/extra.rhai", "fn on_land(me) { this.luck += 0; }");
    folder
}

#[test]
fn a_snapshot_with_more_in_layers_or_timers_than_scripts_can_keep_is_refused() {
    let folder = layered();
    let mut session = Session::new(&folder);
    let world = session.create();
    session.result("world.step", &json!({"world": world, "ticks": 3}));
    let saved = session.result("world.snapshot", &json!({"world": world}))["snapshot"].clone();
    let before = session.result("world.observe", &json!({"world": world}));
    assert_eq!(before["entities"][0]["layers"]["extra"]["vars"]["luck"], 77, "{before}");
    let many = |count: usize| vec!["{\"Int\":1}"; count].join(",");
    let luck = |count: usize| format!("\"luck\":{{\"List\":[{}]}}", many(count));
    let data = |count: usize| format!("\"List\":[{}]", many(count));
    let long = format!("\"List\":[{{\"Text\":\"{}\"}}]", "x".repeat(513));
    let timer = "\"List\":[{\"Int\":41},{\"Int\":42}]";
    for (from, to, part) in [
        ("\"luck\":{\"Int\":77}", luck(600), Some("in the mod `extra` hold 602 values")),
        ("\"luck\":{\"Int\":77}", luck(500), None),
        (timer, data(16), Some("the data of a timer has 17 values")),
        (timer, data(15), None),
        (timer, long, Some("513 bytes of text")),
    ] {
        let snapshot = changed(&saved, from, &to);
        let answer = session.call("world.restore", &json!({"world": world, "snapshot": snapshot}));
        match part {
            None => assert!(answer["result"].is_object(), "{answer}"),
            Some(part) => {
                assert_eq!(answer["error"]["code"], -32002, "{answer}");
                let message = answer["error"]["message"].as_str().expect("a text");
                assert!(message.contains(part), "{message}");
            }
        }
        session.result("world.restore", &json!({"world": world, "snapshot": saved}));
        assert_eq!(session.result("world.observe", &json!({"world": world})), before);
    }
}

#[test]
fn a_snapshot_with_more_timers_than_a_level_can_have_is_refused() {
    let folder = layered();
    let mut session = Session::new(&folder);
    let world = session.create();
    session.result("world.step", &json!({"world": world, "ticks": 3}));
    let saved = session.result("world.snapshot", &json!({"world": world}))["snapshot"].clone();
    let timer = r#"{"due":1000,"entity":1,"name":"ring"},"#;
    for (count, fits) in [(16_383, true), (16_384, false)] {
        let timers = format!("\"timers\":[{}", timer.repeat(count));
        let snapshot = changed(&saved, "\"timers\":[", &timers);
        let answer = session.call("world.restore", &json!({"world": world, "snapshot": snapshot}));
        assert_eq!(answer["result"].is_object(), fits, "{answer}");
        if !fits {
            assert!(answer["error"]["message"].as_str().is_some_and(|text| text.contains("16385 timers")), "{answer}");
        }
    }
}

#[test]
fn inputs_out_of_range_are_refused_in_steps_and_snapshots() {
    let folder = crate::worlds::counting();
    let mut session = Session::new(&folder);
    for hz in [30, 60, 120, 240] {
        let settings = json!({"simulation.tick_hz": hz});
        let created = session.result("world.create", &json!({"level": "level", "settings": settings}));
        let world = created["world"].clone();
        for (field, at, is_good) in [
            ("aim", json!([1e6, -1e6]), true),
            ("aim", json!([1.1e6, 0]), false),
            ("aim", json!([0, -1e300]), false),
            ("move", json!([1, -1]), true),
            ("move", json!([0, 1.01]), false),
            ("move", json!([1e300, 0]), false),
        ] {
            let answer = session.call("world.step", &json!({"world": world, "inputs": [{field: at}]}));
            assert_eq!(answer["result"].is_object(), is_good, "{answer}");
            if !is_good {
                let place = format!("params.inputs[0].{field}");
                assert_eq!(answer["error"]["data"]["place"], place, "{answer}");
            }
        }
        // What a text can aim at counts as at most 1e8 px, so its snapshot has that.
        let inputs = "20 aim=3e300:7 move=0.5:1";
        session.result("world.step", &json!({"world": world, "ticks": 2, "inputs": inputs}));
        let saved = session.result("world.snapshot", &json!({"world": world}))["snapshot"].clone();
        let ends = |session: &mut Session| -> Vec<Value> {
            let step = json!({"world": world, "ticks": 1});
            (0..25).map(|_| session.result("world.step", &step)["hash"].clone()).collect()
        };
        let expected = ends(&mut session);
        session.result("world.restore", &json!({"world": world, "snapshot": saved}));
        assert_eq!(ends(&mut session), expected);
        let good = "\"stick\":[0.5,1.0],\"aim\":[100000000.0,";
        for wrong in [
            "\"stick\":[1.5,1.0],\"aim\":[1.0,",
            "\"stick\":[-1e300,1.0],\"aim\":[1.0,",
            "\"stick\":[0.5,1.0],\"aim\":[1e300,",
            "\"stick\":[0.5,1.0],\"aim\":[-100000001.0,",
            "\"stick\":[0.5,null],\"aim\":[1.0,",
        ] {
            let snapshot = changed(&saved, good, wrong);
            let before = session.result("world.observe", &json!({"world": world}));
            let (code, ..) = session.error("world.restore", &json!({"world": world, "snapshot": snapshot}));
            assert_eq!(code, -32002, "{wrong}");
            assert_eq!(session.result("world.observe", &json!({"world": world})), before);
        }
    }
}
