//! What the methods answer.

use crate::{
    folder::{Folder, on_large_stack},
    session::Session,
    worlds::{counting, serve, start_at, world_at},
};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use hangtime::{
    playtest::{Observer as _, Trace, TraceOptions},
    project::{Live, Project},
    service::ServedWorld,
};
use serde_json::{Value, json};
use std::{
    io::{self, Write},
    ops::ControlFlow,
    sync::{Arc, Mutex},
};

const INPUT: &str = "20 right\n1 right jump\n30 left\n";

/// The hash of a world in this process after these ticks with the input.
fn expected(folder: &Folder, ticks: u64) -> String {
    let game = serve(folder);
    let found = Mutex::new(String::new());
    on_large_stack(|| {
        let mut world: ServedWorld = world_at(&game, 60);
        world.queue(INPUT).expect("good input");
        world.step(ticks, |_| ControlFlow::<()>::Continue(()));
        *found.lock().expect("one thread") = format!("{:016x}", world.live().world().hash());
    });
    found.into_inner().expect("one thread")
}

#[test]
fn a_step_answers_tick_hash_and_events_and_queued_inputs_continue() {
    let folder = counting();
    let mut session = Session::new(&folder);
    let world = session.create();
    let step = session.result("world.step", &json!({"world": world, "ticks": 10, "inputs": INPUT}));
    assert_eq!((&step["tick"], &step["inputs_left"]), (&json!(10), &json!(41)));
    assert_eq!(step["hash"], expected(&folder, 10));
    let step = session.result("world.step", &json!({"world": world, "ticks": 80}));
    assert_eq!(step["hash"], expected(&folder, 90));
    let names: Vec<&str> = step["events"]
        .as_array()
        .expect("events")
        .iter()
        .map(|event| event["event"].as_str().expect("a name"))
        .collect();
    assert!(names.contains(&"jump") && names.contains(&"land"), "{names:?}");
    assert_eq!(step["printed"], json!(["landed"]));
    assert!(step.get("inputs_left").is_none());
}

#[test]
fn held_actions_last_one_request() {
    let folder = counting();
    let mut session = Session::new(&folder);
    let (held, queued) = (session.create(), session.create());
    let inputs = json!([{"held": ["right"], "pressed": ["jump"], "move": [0.5, 0.0], "aim": [1.0, 2.0]}]);
    let a = session.result("world.step", &json!({"world": held, "ticks": 5, "inputs": inputs}));
    let text = "1 right !jump move=0.5:0 aim=1:2\n4 right move=0.5:0 aim=1:2\n";
    let b = session.result("world.step", &json!({"world": queued, "ticks": 5, "inputs": text}));
    assert_eq!(a, b);
    let a = session.result("world.step", &json!({"world": held, "ticks": 20}));
    let b = session.result("world.step", &json!({"world": queued, "ticks": 20}));
    assert_eq!(a, b);
}

#[test]
fn what_is_held_ends_with_its_step_also_if_that_ends_early() {
    let folder = counting();
    let mut session = Session::new(&folder);
    let (early, queued) = (session.create(), session.create());
    let until = json!({"entity": "hero", "column": "vars.n", "above": 3.5});
    let inputs = json!([{"held": ["right"]}]);
    let step = session.result("world.step", &json!({"world": early, "ticks": 200, "inputs": inputs, "until": until}));
    assert_eq!((&step["tick"], &step["inputs_left"]), (&json!(4), &Value::Null));
    session.result("world.step", &json!({"world": queued, "ticks": 4, "inputs": "4 right"}));
    let rest = |world| json!({"world": world, "ticks": 30});
    let a = session.result("world.step", &rest(early));
    let b = session.result("world.step", &rest(queued));
    assert_eq!(a["hash"], b["hash"]);
    // The lines of an input file play on.
    let step = session.result(
        "world.step",
        &json!({"world": queued, "ticks": 200, "inputs": "50 right", "until": {"entity": "hero", "column": "vars.n", "above": 39.5}}),
    );
    assert_eq!((&step["tick"], &step["inputs_left"]), (&json!(40), &json!(44)));
}

#[test]
fn until_ends_a_step_after_the_tick_in_which_it_holds() {
    let folder = counting();
    let mut session = Session::new(&folder);
    let world = session.create();
    let until = json!({"event": "jump", "entity": "hero"});
    let step = session.result("world.step", &json!({"world": world, "ticks": 100, "inputs": INPUT, "until": until}));
    assert_eq!((&step["tick"], &step["until"]), (&json!(21), &json!(true)));
    let until = json!([{"entity": "hero", "column": "vars.n", "above": 24.5}, {"event": "crush"}]);
    let step = session.result("world.step", &json!({"world": world, "ticks": 100, "until": until}));
    assert_eq!((&step["tick"], &step["until"]), (&json!(25), &json!(true)));
    let until = json!({"entity": "hero", "column": "pos.y", "below": -500.0});
    let step = session.result("world.step", &json!({"world": world, "ticks": 7, "until": until}));
    assert_eq!((&step["tick"], &step["until"]), (&json!(32), &json!(false)));
}

/// Collects what a trace writes.
#[derive(Clone, Default)]
struct Written(Arc<Mutex<Vec<u8>>>);

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("one thread").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The lines of a trace of the first ticks without input.
fn trace(folder: &Folder, ticks: u64) -> Vec<String> {
    let written = Written::default();
    let out = written.clone();
    on_large_stack(move || {
        let project = Project::load(folder.root()).expect("a folder");
        let start = start_at(60);
        let level = project.find_level("level").expect("a level");
        let revision = project.open(&level, &start.settings).expect("a good level");
        let mut live = Live::new(Arc::new(revision), start.seed);
        let mut trace = Trace::new(Box::new(out), TraceOptions::default());
        trace.observe(&mut live).expect("memory");
        for _ in 0..ticks {
            live.step(&Default::default());
            trace.observe(&mut live).expect("memory");
        }
    });
    let text = String::from_utf8(written.0.lock().expect("one thread").clone()).expect("text");
    text.lines().skip(1).map(str::to_string).collect()
}

#[test]
fn observations_and_subscriptions_are_the_lines_of_traces() {
    let folder = counting();
    let lines = trace(&folder, 12);
    let mut session = Session::new(&folder);
    let world = session.create();
    session.send(&format!(r#"{{"jsonrpc":"2.0","id":"a","method":"world.observe","params":{{"world":{world}}}}}"#));
    let text = session.read_line().expect("an answer");
    assert!(text.contains(&lines[0]), "{text}\n{}", lines[0]);
    let subscribed = session.result("world.trace.subscribe", &json!({"world": world}));
    assert_eq!(session.read()["params"]["line"], serde_json::from_str::<Value>(&lines[0]).expect("JSON"));
    session.send(
        &json!({"jsonrpc": "2.0", "id": "s", "method": "world.step",
        "params": {"world": world, "ticks": 12, "observe": {"every": 4}}})
        .to_string(),
    );
    for line in &lines[1..] {
        let notice = session.read();
        assert_eq!(notice["method"], "world.trace");
        assert_eq!(notice["params"]["subscription"], subscribed["subscription"]);
        assert_eq!(notice["params"]["line"], serde_json::from_str::<Value>(line).expect("JSON"));
    }
    let step = session.read();
    let seen = step["result"]["observations"].as_array().expect("lines");
    let wanted: Vec<Value> = [4, 8, 12].map(|n: usize| serde_json::from_str(&lines[n]).expect("JSON")).into();
    assert_eq!(*seen, wanted);
    session.result("world.trace.unsubscribe", &json!({"world": world, "subscription": subscribed["subscription"]}));
    session.result("world.step", &json!({"world": world, "ticks": 3}));
}

#[test]
fn columns_are_little_endian_numbers_in_base64() {
    let folder = counting();
    let mut session = Session::new(&folder);
    let world = session.create();
    let observe = json!({"columns": ["pos.x", "vars.n"], "every": 2});
    let step =
        session.result("world.step", &json!({"world": world, "ticks": 4, "inputs": "9 right", "observe": observe}));
    let columns = &step["columns"];
    assert_eq!(columns["ticks"], json!([2, 4]));
    assert_eq!(columns["rows"], json!(["hero"]));
    let bytes = STANDARD.decode(columns["data"].as_str().expect("text")).expect("base64");
    let numbers: Vec<f64> = bytes.chunks_exact(8).map(|b| f64::from_le_bytes(b.try_into().expect("8"))).collect();
    let seen = session.result("world.observe", &json!({"world": world}));
    assert_eq!(numbers.len(), 4);
    assert_eq!(json!(numbers[2]), seen["entities"][0]["pos"][0]);
    assert_eq!((numbers[1], numbers[3]), (2.0, 4.0));
}

#[test]
fn snapshots_forks_and_settings_work_over_the_wire() {
    let folder = counting();
    let mut session = Session::new(&folder);
    let world = session.create();
    session.result("world.step", &json!({"world": world, "ticks": 10, "inputs": INPUT}));
    let saved = session.result("world.snapshot", &json!({"world": world}));
    let fork = session.result("world.fork", &json!({"world": world}));
    assert_eq!((&fork["world"], &fork["tick"]), (&json!(2), &json!(10)));
    let end = session.result("world.step", &json!({"world": world, "ticks": 50}));
    let forked = session.result("world.step", &json!({"world": 2, "ticks": 50}));
    assert_eq!(end, forked);
    let restored = session.result("world.restore", &json!({"world": world, "snapshot": saved["snapshot"]}));
    assert_eq!((&restored["tick"], &restored["hash"]), (&json!(10), &fork["hash"]));
    assert_eq!(restored["tick_hz"], 60);
    let again = session.result("world.step", &json!({"world": world, "ticks": 50}));
    assert_eq!(end["hash"], again["hash"]);
    let set = session.result(
        "world.set",
        &json!({"world": world, "settings": {"simulation.gravity": 50, "platformer.jump_speed": "700"}}),
    );
    assert_eq!(set["revision"], 2);
    let seen = session.result("world.step", &json!({"world": world}));
    assert!(seen["tick"] == 61);
    let nothing = session.result("world.reload", &json!({"world": world}));
    assert_eq!((&nothing["changed"], &nothing["what"]), (&json!([]), &json!("")));
    folder.write("scripts/hero.rhai", "fn on_tick(me) { this.n = -1; }");
    let reloaded = session.result("world.reload", &json!({"world": world}));
    assert_eq!(reloaded["changed"], json!(["scripts/hero.rhai"]));
    assert_eq!(reloaded["what"], "hero.rhai: fn on_land removed, hero.rhai: fn on_tick changed");
    session.result("world.step", &json!({"world": world}));
    let seen = session.result("world.observe", &json!({"world": world, "observe": {"fields": ["vars"]}}));
    assert_eq!(seen["entities"][0]["vars"]["n"], -1);
    session.result("world.destroy", &json!({"world": world}));
    assert_eq!(session.error("world.step", &json!({"world": world})).0, -32003);
    assert_eq!(session.service.worlds(), 1);
}

#[test]
fn why_explains_the_last_tick_of_every_step() {
    let folder = counting();
    let mut session = Session::new(&folder);
    let world = session.create();
    let why = json!({"world": world, "entity": "hero"});
    assert_eq!(session.result("world.why", &why)["recorded"], false);
    session.result("world.step", &json!({"world": world, "ticks": 5, "inputs": "4\n1 jump\n"}));
    let explained = session.result("world.why", &why);
    assert_eq!((&explained["recorded"], &explained["tick"]), (&json!(true), &json!(5)));
    let text = explained["reasons"].to_string();
    assert!(text.contains("(0, 0) → (0, 540)"), "{text}");
    let off = session.result("world.create", &json!({"level": "level", "why": "off"}))["world"].clone();
    session.result("world.step", &json!({"world": off}));
    assert_eq!(session.result("world.why", &json!({"world": off, "entity": "hero"}))["recorded"], false);
}

#[test]
fn queries_answer_about_the_terrain() {
    let folder = counting();
    let mut session = Session::new(&folder);
    let world = session.create();
    let cast = session.result("query.cast", &json!({"world": world, "from": [-50, 100], "to": [-50, -300]}));
    let hit = &cast["hit"];
    assert_eq!(
        (&hit["solid"], &hit["surface"], &hit["normal"]),
        (&json!("floor"), &json!("stone"), &json!([0.0, 1.0]))
    );
    assert!(hit["point"][1].as_f64().expect("a number").abs() < 0.01);
    let sweep =
        session.result("query.sweep", &json!({"world": world, "half": [10, 19], "from": [50, 119], "to": [50, 0]}));
    let at = sweep["hit"]["at"][1].as_f64().expect("a number");
    assert!((at - 19.0).abs() < 1e-6, "{sweep}");
    assert_eq!(
        session.result("query.sweep", &json!({"world": world, "kind": "hero", "from": [0, 50], "to": [10, 50]}))["hit"],
        Value::Null
    );
    let over = session.result("query.overlap", &json!({"world": world, "kind": "hero", "at": [-500, 10]}));
    assert_eq!(over["overlaps"], true);
    let free = over["free"].as_array().expect("a place");
    let over = session.result("query.overlap", &json!({"world": world, "kind": "hero", "at": free}));
    assert_eq!(over["overlaps"], false);
    session.result("world.set", &json!({"world": world, "settings": {"platformer.rest_spacing": 8}}));
    let rests = session
        .result("query.rest_positions", &json!({"world": world, "kind": "hero", "from": [-100, 0], "to": [-60, 40]}));
    let places = rests["places"].as_array().expect("places");
    assert!(
        places.len() == 5 && places.iter().all(|place| place["mode"] == "ground" && place["solid"] == "floor"),
        "{rests}"
    );
}

#[test]
fn jumps_are_planned_from_where_an_entity_is() {
    let folder = counting();
    let mut session = Session::new(&folder);
    let world = session.create();
    let plan = session.result("plan.jump", &json!({"world": world, "entity": "hero", "to": [-120, 0]}));
    assert_eq!(plan["ok"], true, "{plan}");
    // Where a jump with these keys lands, a plan with the same keys must, too.
    session.result("world.fork", &json!({"world": world}));
    let until = json!({"event": "land"});
    let step = json!({"world": 2, "ticks": 90, "inputs": "90 right jump", "until": until, "observe": {}});
    let landed = session.result("world.step", &step);
    assert_eq!(landed["until"], true);
    let x = landed["observations"][0]["entities"][0]["pos"][0].clone();
    let to = json!({"world": world, "entity": "hero", "to": [x, 0], "own": true});
    let own = session.result("plan.jump", &to);
    assert_eq!((&own["ok"], &own["side"]), (&json!(true), &json!(1)), "{own}");
    let far = session.result("plan.jump", &json!({"world": world, "entity": "hero", "to": [900, 0], "own": true}));
    assert_eq!(far["ok"], false);
}

#[test]
fn initialize_says_what_the_service_and_the_game_have() {
    let folder = counting();
    let mut session = Session::new(&folder);
    let info = session.result("initialize", &json!({}));
    assert_eq!(info["protocol"], 1);
    assert_eq!(info["game"]["levels"], json!(["levels/level.toml"]));
    assert_eq!(info["binary"], false);
    let methods = info["methods"].as_array().expect("methods");
    for method in ["world.step", "query.sweep", "tests.run", "$/cancelRequest"] {
        assert!(methods.contains(&json!(method)), "{method}");
    }
}

#[test]
fn check_and_tests_answer_as_the_commands_do() {
    let folder = counting();
    folder.write(
        "levels/tests/hero.rhai",
        "fn test_good() { expect(1).equals(1); }\nfn test_bad() { expect(1).equals(2); }\n",
    );
    let mut session = Session::new(&folder);
    let report = session.result("check", &json!({}));
    assert_eq!(report["errors"], 0);
    let list = session.result("tests.list", &json!({"filter": ["bad"]}));
    assert_eq!(list["tests"][0]["name"], "levels/tests/hero.rhai::test_bad");
    let run = session.result("tests.run", &json!({}));
    assert_eq!((&run["passed"], &run["failed"]), (&json!(1), &json!(1)));
    let bad = run["cases"]
        .as_array()
        .expect("cases")
        .iter()
        .find(|case| case["outcome"] == "failed")
        .expect("one fails");
    assert_eq!((&bad["expected"], &bad["got"], &bad["line"]), (&json!("2"), &json!("1"), &json!(2)));
    folder.write("scripts/hero.rhai", "fn on_tick(me) { me.jumpp(); }");
    let report = session.result("check", &json!({"paths": ["scripts"]}));
    assert_eq!((&report["errors"], &report["diagnostics"][0]["line"]), (&json!(1), &json!(1)), "{report}");
}

#[test]
fn tests_of_a_client_write_into_the_game_folder_only_if_it_asks_for_that() {
    let folder = counting();
    folder
        .write("levels/tests/hero.rhai", "fn test_bad() { let t = play(\"level\"); t.run(1); expect(1).equals(2); }\n");
    let kind = folder.read("config/entities/hero.toml");
    folder.write("config/entities/hero.toml", &format!("{kind}[expect]\napex = \"≥ 1\"\n"));
    let mut session = Session::new(&folder);
    let run = session.result("tests.run", &json!({}));
    assert_eq!((&run["passed"], &run["failed"]), (&json!(1), &json!(1)), "{run}");
    assert!(!folder.path(".hangtime").exists(), "{run}");
    let run = session.result("tests.run", &json!({"save": true}));
    let recordings = run["cases"]
        .as_array()
        .expect("cases")
        .iter()
        .filter_map(|case| case["recording"].as_str());
    let recordings: Vec<&str> = recordings.collect();
    assert_eq!(recordings.len(), 1, "{run}");
    assert!(recordings[0].starts_with(".hangtime/failed/") && folder.path(recordings[0]).exists(), "{recordings:?}");
    assert!(folder.path(".hangtime/feel/hero.json").exists());
}

#[test]
fn worlds_of_one_game_print_only_their_own_lines() {
    let folder = Folder::with_script("fn on_tick(me) { print(`${world::random_int(0, 1000000)}`); }");
    let mut session = Session::new(&folder);
    let one = session.result("world.create", &json!({"level": "level", "seed": 1}))["world"].clone();
    let two = session.result("world.create", &json!({"level": "level", "seed": 2}))["world"].clone();
    let mut lines = Vec::new();
    for world in [&one, &two] {
        let step = session.result("world.step", &json!({"world": world, "ticks": 3}));
        let printed = step["printed"].as_array().expect("lines").clone();
        assert_eq!(printed.len(), 3);
        lines.push(printed);
    }
    assert_ne!(lines[0], lines[1]);
}
