//! `worlds.step`: many worlds in one request.

use crate::{
    folder::{Folder, LEVEL},
    session::Session,
    sockets::{Wire, listening, request, socket, told},
    worlds::counting,
};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use hangtime::service::{ServiceLimits, ServiceOptions};
use serde_json::{Value, json};
use std::{
    net::Shutdown,
    time::{Duration, Instant},
};
use tungstenite::Message;

/// A script that takes long enough for a step of many ticks to have several turns.
const BUSY: &str = "fn on_tick(me) { let x = 0; while x < 500 { x += 1; } this.n += 1; }";

/// The numbers of a block or of the columns of a step.
fn numbers(data: &Value) -> Vec<f64> {
    let bytes = STANDARD.decode(data.as_str().expect("text")).expect("base64");
    bytes
        .chunks_exact(8)
        .map(|b| f64::from_le_bytes(b.try_into().expect("8 bytes")))
        .collect()
}

/// The same bits, also of numbers that are none.
fn bits(numbers: &[f64]) -> Vec<u64> {
    numbers.iter().map(|x| x.to_bits()).collect()
}

/// A game with levels of one hero, of three entities, and of none with a player. Its hero counts, draws random numbers,
/// prints, emits and sometimes fails.
fn varied() -> Folder {
    let folder = Folder::with_script(
        "fn on_tick(me) {\n    this.n += 1;\n    this.drawn = world::random();\n    \
         if this.n % 3 == 0 { print(`n ${this.n}`); world::emit(\"third\"); }\n    \
         if this.n % 7 == 0 { this.n.missing(); }\n}\n",
    );
    let rock = |name: &str, x: i32| format!("[[entity]]\nkind = \"rock\"\nname = \"{name}\"\nat = [{x}, 19]\n");
    folder.write("config/entities/rock.toml", "");
    folder.write("levels/three.toml", &format!("{LEVEL}{}{}", rock("one", -400), rock("two", -300)));
    folder.write("levels/rocks.toml", &LEVEL.replace("kind = \"hero\"", "kind = \"rock\"").replace("player = 1\n", ""));
    folder
}

/// Worlds of different levels, seeds and tick rates. Returns how many there are.
fn create_varied(session: &mut Session) -> u64 {
    let mut count = 0;
    for (level, hz) in [("level", 60), ("three", 60), ("rocks", 30), ("level", 240), ("three", 30), ("level", 60)] {
        count += 1;
        let settings = json!({"simulation.tick_hz": hz});
        let why = if count % 2 == 0 { "all" } else { "last" };
        session.result("world.create", &json!({"level": level, "seed": count, "settings": settings, "why": why}));
    }
    count
}

/// The inputs of a world in a step.
fn inputs_of(world: u64, round: usize) -> Value {
    match (world as usize + round) % 4 {
        _ if world == 3 => Value::Null,
        0 => Value::Null,
        1 => json!("2 right\n3 right jump\n40 left"),
        2 => json!([{"held": ["left"], "pressed": ["jump"], "move": [0.25, 0]}]),
        _ => json!([{"player": 1, "held": ["right"], "aim": [50, 90]}]),
    }
}

#[test]
fn many_worlds_step_like_each_of_them_alone_bit_for_bit() {
    let folder = varied();
    let (mut together, mut alone) = (Session::new(&folder), Session::new(&folder));
    let count = create_varied(&mut together);
    create_varied(&mut alone);
    let worlds: Vec<u64> = (1..=count).rev().collect();
    for (round, (ticks, columns)) in
        [(1, json!(["pos.x", "vel.y"])), (3, json!(["pos.x"])), (0, json!([])), (200, json!(["age", "pos.y", "mode"]))]
            .into_iter()
            .enumerate()
    {
        let inputs: Vec<Value> = worlds.iter().map(|world| inputs_of(*world, round)).collect();
        let params = json!({"worlds": worlds, "ticks": ticks, "inputs": inputs, "observe": {"columns": columns}});
        let all = together.result("worlds.step", &params);
        let mut shown = Vec::new();
        for (place, world) in worlds.iter().enumerate() {
            let mut params = json!({"world": world, "ticks": ticks, "observe": {"columns": columns}});
            if !inputs[place].is_null() {
                params["inputs"] = inputs[place].clone();
            }
            let one = alone.result("world.step", &params);
            assert_eq!((&all["ticks"][place], &all["hashes"][place]), (&one["tick"], &one["hash"]), "world {world}");
            let left = all["inputs_left"].get(place).cloned().unwrap_or(json!(0));
            assert_eq!(left, one.get("inputs_left").cloned().unwrap_or(json!(0)));
            let reports = all["reports"].as_array().cloned().unwrap_or_default();
            let report = reports.into_iter().find(|report| report["world"] == *world).unwrap_or_default();
            for member in
                ["events", "faults", "printed", "warnings", "events_left_out", "faults_left_out", "printed_left_out"]
            {
                let expected = one.get(member).filter(|list| **list != json!([]));
                assert_eq!(report.get(member), expected, "world {world}: {member}");
            }
            let why = json!({"world": world, "entity": "hero"});
            if *world != 3 {
                let [all, one] = [together.result("world.why", &why), alone.result("world.why", &why)];
                match world % 2 {
                    0 => assert_eq!(all, one),
                    // Only where all ticks are.
                    _ => assert_eq!(all["recorded"], false),
                }
            }
            shown.push((*world, one["columns"]["rows"].clone(), numbers(&one["columns"]["data"])));
        }
        // A block for each list of entities, in the order of its first world.
        let blocks = all["columns"].as_array().expect("blocks").clone();
        let mut seen = Vec::new();
        for block in &blocks {
            let of_block: Vec<_> = shown.iter().filter(|(_, rows, _)| *rows == block["rows"]).collect();
            let worlds: Vec<u64> = of_block.iter().map(|(world, ..)| *world).collect();
            assert_eq!(block["worlds"], json!(worlds));
            seen.push(of_block[0].0);
            let expected: Vec<f64> = of_block.iter().flat_map(|(_, _, numbers)| numbers.clone()).collect();
            assert_eq!(bits(&numbers(&block["data"])), bits(&expected));
        }
        assert_eq!(blocks.len(), 3, "one hero, one rock, three entities");
        assert_eq!(seen, [6, 5, 3]);
    }
}

#[test]
fn hundreds_of_worlds_are_answered_in_the_order_of_the_request() {
    const COUNT: u64 = 300;
    let folder = counting();
    let mut session = Session::new(&folder);
    session.create();
    for world in 1..COUNT {
        assert_eq!(session.result("world.fork", &json!({"world": 1}))["world"], world + 1);
    }
    // They are in different ticks.
    for world in 1..=COUNT {
        session.result("world.step", &json!({"world": world, "ticks": world % 5}));
    }
    let worlds: Vec<u64> = (1..=COUNT).map(|place| 1 + (place * 7) % COUNT).collect();
    let params = json!({"worlds": worlds, "ticks": 3, "observe": {"columns": ["vars.n"]}});
    let all = session.result("worlds.step", &params);
    let ticks: Vec<u64> = worlds.iter().map(|world| world % 5 + 3).collect();
    assert_eq!(all["ticks"], json!(ticks));
    let block = &all["columns"][0];
    assert_eq!((&block["worlds"], &block["rows"]), (&json!(worlds), &json!(["hero"])));
    let counted: Vec<f64> = ticks.iter().map(|tick| *tick as f64).collect();
    assert_eq!(numbers(&block["data"]), counted);
    assert_eq!(all["columns"].as_array().map(Vec::len), Some(1));
    assert!(all.get("reports").is_none() && all.get("inputs_left").is_none(), "{all}");
}

#[test]
fn a_step_of_no_worlds_answers_empty_lists() {
    let folder = counting();
    let mut session = Session::new(&folder);
    // Before the first world, the pool has no threads.
    let nothing = json!({"ticks": [], "hashes": []});
    assert_eq!(session.result("worlds.step", &json!({"worlds": []})), nothing);
    assert_eq!(
        session.tell("[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"worlds.step\",\"params\":{\"worlds\":[]}}]")[0]["result"],
        nothing
    );
    session.create();
    let params = json!({"worlds": [], "ticks": 9, "inputs": [], "observe": {"columns": ["pos.x"]}});
    assert_eq!(session.result("worlds.step", &params), nothing);
}

/// Requests with a mistake: parameters, code, place, and a part of the message.
const MISTAKES: &[(&str, i64, &str, &str)] = &[
    (r#"{}"#, -32602, "params", "worlds"),
    (r#"{"worlds": 1}"#, -32602, "params.worlds", "array"),
    (r#"{"worlds": [1, -2]}"#, -32602, "params.worlds[1]", "integer of at least 0"),
    (r#"{"worlds": [1, 1.5]}"#, -32602, "params.worlds[1]", "integer of at least 0"),
    (r#"{"worlds": [1, 2, 99, 77]}"#, -32003, "params.worlds[2]", "no world 99"),
    (r#"{"worlds": [3, 1, 2, 1, 2]}"#, -32602, "params.worlds[3]", "is 1, as `worlds[1]` is"),
    (r#"{"worlds": [1, 2], "ticks": 1e9}"#, -32004, "params.ticks", "at most"),
    (r#"{"worlds": [1, 2], "until": {}}"#, -32602, "params.until", "unknown field"),
    (r#"{"worlds": [1, 2], "inputs": "1 right"}"#, -32602, "params.inputs", "array"),
    (r#"{"worlds": [1, 2], "inputs": [null]}"#, -32602, "params.inputs", "1 entries"),
    (r#"{"worlds": [1, 2], "inputs": [null, 7]}"#, -32602, "params.inputs[1]", "text of an input file"),
    (r#"{"worlds": [1, 2], "inputs": ["1 right", "1 rihgt"]}"#, -32001, "params.inputs[1]", "right"),
    (r#"{"worlds": [1, 2], "inputs": ["1 right", "1 p2.right"]}"#, -32602, "params.inputs[1]", "no player 2"),
    (
        r#"{"worlds": [1, 2], "inputs": ["1 right", [{"held": ["left", "rihgt"]}]]}"#,
        -32602,
        "params.inputs[1][0].held[1]",
        "right",
    ),
    (
        r#"{"worlds": [1, 2], "inputs": [[{}, {"move": [0, 9]}], null]}"#,
        -32602,
        "params.inputs[0][1].player",
        "no player 2",
    ),
    (
        r#"{"worlds": [1, 2], "inputs": [[{"move": [0, 9]}], null]}"#,
        -32602,
        "params.inputs[0][0].move",
        "between -1 and 1",
    ),
    (
        r#"{"worlds": [1, 3], "inputs": ["1 right", [{"held": ["left"]}]]}"#,
        -32602,
        "params.inputs[1][0].player",
        "no entity",
    ),
    (r#"{"worlds": [1, 2], "observe": {}}"#, -32602, "params.observe", "columns"),
    (r#"{"worlds": [1, 2], "observe": {"columns": ["pos.x", "pos.q"]}}"#, -32602, "params.observe.columns[1]", "pos.x"),
    (r#"{"worlds": [1, 2, 3], "observe": {"columns": ["vars.m"]}}"#, -32602, "params.worlds[0]", "world 1"),
    (
        r#"{"worlds": [1, 3], "observe": {"columns": ["pos.x"], "entities": ["two"]}}"#,
        -32602,
        "params.worlds[0]",
        "world 1: there is no entity `two`",
    ),
    (
        r#"{"worlds": [2, 3], "observe": {"columns": ["pos.x"], "entities": ["two"]}}"#,
        -32602,
        "params.worlds[1]",
        "world 3: there is no entity `two`",
    ),
    (r#"{"worlds": [1, 2], "observe": {"columns": ["pos.x"], "kinds": ["heor"]}}"#, -32602, "params.worlds[0]", "hero"),
    (
        r#"{"worlds": [1, 2], "observe": {"columns": ["pos.x"], "format": "binary"}}"#,
        -32602,
        "params.observe.format",
        "base64",
    ),
    (
        r#"{"worlds": [1, 2], "observe": {"columns": ["pos.x"], "every": 2}}"#,
        -32602,
        "params.observe.every",
        "unknown field",
    ),
];

#[test]
fn a_mistake_about_one_world_is_named_with_its_place_and_moves_none() {
    let folder = varied();
    let mut session = Session::new(&folder);
    create_varied(&mut session);
    // What is left of earlier inputs stays, too.
    let queued = json!({"worlds": [1, 2], "ticks": 0, "inputs": ["9 right", "8 left"]});
    assert_eq!(session.result("worlds.step", &queued)["inputs_left"], json!([9, 8]));
    for (params, code, place, said) in MISTAKES {
        let params: Value = serde_json::from_str(params).expect("JSON");
        let (found, message, data) = session.error("worlds.step", &params);
        assert_eq!((found, data["place"].as_str()), (*code, Some(*place)), "{params}: {message}");
        assert!(message.contains(said), "{params}: {message}");
    }
    let all = session.result("worlds.step", &json!({"worlds": [1, 2, 3], "ticks": 0}));
    assert_eq!((&all["ticks"], &all["inputs_left"]), (&json!([0, 0, 0]), &json!([9, 8, 0])));
}

#[test]
fn a_step_of_many_worlds_waits_for_the_requests_before_it_and_those_after_it_wait_for_it() {
    let folder = Folder::with_script(BUSY);
    let mut session = Session::new(&folder);
    for _ in 1..=4 {
        session.create();
    }
    let many = |worlds: Value, ticks: u64| json!({"worlds": worlds, "ticks": ticks});
    let one = |world: u64, ticks: u64| json!({"world": world, "ticks": ticks});
    // The first one has many turns.
    session.send(&request(1, "world.step", one(2, 2_000)));
    session.send(&request(2, "worlds.step", many(json!([1, 2, 3]), 10)));
    session.send(&request(3, "world.step", one(1, 100)));
    session.send(&request(4, "worlds.step", many(json!([3, 4, 1]), 1_000)));
    session.send(&request(5, "worlds.step", many(json!([4, 2]), 1)));
    session.send(&request(6, "world.step", one(4, 1)));
    let mut answers: Vec<Value> = (1..=6).map(|_| session.read()).collect();
    // Those about the same world are answered in their order.
    let place = |id: u64| answers.iter().position(|answer| answer["id"] == id).expect("an answer");
    for (before, after) in [(1, 2), (2, 3), (2, 4), (3, 4), (4, 5), (5, 6)] {
        assert!(place(before) < place(after), "{before} before {after}");
    }
    answers.sort_by_key(|answer| answer["id"].as_u64());
    let result = |id: usize, member: &str| answers[id - 1]["result"][member].clone();
    assert_eq!(result(1, "tick"), 2_000);
    assert_eq!(result(2, "ticks"), json!([10, 2_010, 10]));
    assert_eq!(result(3, "tick"), 110);
    assert_eq!(result(4, "ticks"), json!([1_010, 1_000, 1_110]));
    assert_eq!(result(5, "ticks"), json!([1_001, 2_011]));
    assert_eq!(result(6, "tick"), 1_002);
}

#[test]
fn requests_that_are_sent_without_waiting_are_carried_out_in_order() {
    const ROUNDS: u64 = 200;
    let folder = counting();
    let mut session = Session::new(&folder);
    let worlds: Vec<u64> = (0..40).map(|_| session.create()).collect();
    for round in 0..ROUNDS {
        session.send(&request(2 * round, "worlds.step", json!({"worlds": worlds})));
        session.send(&request(2 * round + 1, "world.step", json!({"world": worlds[(round % 40) as usize]})));
    }
    let mut ticks: Vec<u64> = vec![0; 40];
    let mut answers: Vec<Value> = (0..2 * ROUNDS).map(|_| session.read()).collect();
    answers.sort_by_key(|answer| answer["id"].as_u64());
    for (round, answer) in answers.chunks(2).enumerate() {
        ticks.iter_mut().for_each(|tick| *tick += 1);
        assert_eq!(answer[0]["result"]["ticks"], json!(ticks));
        ticks[round % 40] += 1;
        assert_eq!(answer[1]["result"]["tick"], ticks[round % 40]);
    }
}

#[test]
fn a_world_that_could_not_be_created_or_has_been_destroyed_is_named() {
    let folder = counting();
    let limits = ServiceLimits { worlds: 2, ..ServiceLimits::default() };
    let mut session = Session::with(&folder, ServiceOptions { limits, ..ServiceOptions::default() });
    let create = json!({"level": "level"});
    // A batch is read at once, so the numbers are known before the worlds are there.
    let batch = json!([
        {"jsonrpc": "2.0", "id": 1, "method": "world.create", "params": create},
        {"jsonrpc": "2.0", "id": 2, "method": "world.fork", "params": {"world": 1}},
        {"jsonrpc": "2.0", "id": 3, "method": "worlds.step", "params": {"worlds": [2, 1]}},
        {"jsonrpc": "2.0", "id": 4, "method": "world.fork", "params": {"world": 2}},
        {"jsonrpc": "2.0", "id": 5, "method": "worlds.step", "params": {"worlds": [1, 3]}},
        {"jsonrpc": "2.0", "id": 6, "method": "world.destroy", "params": {"world": 2}},
        {"jsonrpc": "2.0", "id": 7, "method": "worlds.step", "params": {"worlds": [1, 2]}},
        {"jsonrpc": "2.0", "id": 8, "method": "worlds.step", "params": {"worlds": [1]}},
    ]);
    let mut answers = session.tell(&batch.to_string());
    let answers = answers.as_array_mut().expect("a batch");
    answers.sort_by_key(|answer| answer["id"].as_u64());
    let error = |place: usize| (&answers[place]["error"]["code"], &answers[place]["error"]["data"]["place"]);
    assert_eq!(answers[2]["result"]["ticks"], json!([1, 1]));
    assert_eq!(answers[3]["error"]["code"], -32004);
    assert_eq!(error(4), (&json!(-32003), &json!("params.worlds[1]")));
    assert_eq!(answers[5]["result"], json!({}));
    assert_eq!(error(6), (&json!(-32003), &json!("params.worlds[1]")));
    assert_eq!(answers[7]["result"]["ticks"], json!([2]));
}

#[test]
fn a_canceled_step_ends_each_world_after_a_whole_tick_and_none_holds_what_was_held() {
    let folder = Folder::with_script(BUSY);
    let mut session = Session::new(&folder);
    let worlds: Vec<u64> = (0..20).map(|_| session.create()).collect();
    let other = session.create();
    let held = json!(vec![json!([{"held": ["right"]}]); 20]);
    // Lines show that it has begun.
    session.result("world.trace.subscribe", &json!({"world": worlds[0], "observe": {"fields": []}}));
    session.read();
    session.send(&request(100, "worlds.step", json!({"worlds": worlds, "ticks": 1_000_000, "inputs": held})));
    session.send(&request(101, "worlds.step", json!({"worlds": [worlds[3]]})));
    while session.read()["params"]["line"]["tick"] != 2 {}
    // Another world is served in the meantime.
    session.send(&request(102, "world.step", json!({"world": other, "ticks": 3})));
    loop {
        let message = session.read();
        if message.get("id").is_some() {
            assert_eq!((&message["id"], &message["result"]["tick"]), (&json!(102), &json!(3)));
            break;
        }
    }
    for id in [101, 100] {
        session.send(&json!({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": id}}).to_string());
    }
    let mut answer = || loop {
        let message = session.read();
        if message.get("id").is_some() {
            return message;
        }
    };
    let (canceled, later) = (answer(), answer());
    assert_eq!((&canceled["id"], &canceled["error"]["code"]), (&json!(100), &json!(-32800)));
    assert_eq!((&later["id"], &later["error"]["code"]), (&json!(101), &json!(-32800)));
    assert!(later["error"].get("data").is_none(), "it had not begun");
    let data = &canceled["error"]["data"];
    for (place, world) in worlds.iter().enumerate() {
        let seen = session.call("world.observe", &json!({"world": world}));
        let seen = &seen["result"];
        assert_eq!((&data["ticks"][place], &data["hashes"][place]), (&seen["tick"], &seen["hash"]));
        assert_eq!(seen["entities"][0]["vars"]["n"], seen["tick"]);
    }
    let made = data["ticks"].as_array().expect("ticks").iter();
    assert!(made.clone().any(|tick| *tick != 0) && made.clone().all(|tick| *tick != 1_000_000));
    let all = session.call("worlds.step", &json!({"worlds": &worlds[1..], "ticks": 0}));
    assert!(all["result"].get("inputs_left").is_none(), "{all}");
}

#[test]
fn a_tick_that_does_not_end_ends_its_world_after_the_cancellation_and_the_others_continue() {
    let folder = Folder::with_script("fn on_tick(me) { let x = 0; while true { x += 1; } }");
    let budgets = "[scripts]\noperations = 100000000\ntick_operations = 4000000000\n";
    folder.write("config/hangtime.toml", budgets);
    let heroes = "[[entity]]\nkind = \"hero\"\nat = [-500, 19]\n".repeat(30);
    folder.write("levels/endless.toml", &format!("{LEVEL}{heroes}"));
    folder.write("config/entities/rock.toml", "");
    folder.write("levels/level.toml", &LEVEL.replace("kind = \"hero\"", "kind = \"rock\""));
    let mut session = Session::new(&folder);
    let mut worlds: Vec<u64> = (0..40).map(|_| session.create()).collect();
    let endless = session.result("world.create", &json!({"level": "endless"}))["world"]
        .as_u64()
        .expect("a number");
    worlds.insert(17, endless);
    session.send(&request(1_000, "worlds.step", json!({"worlds": worlds, "ticks": 5})));
    // It begins in the meantime.
    std::thread::sleep(Duration::from_millis(500));
    session.send(&request(1_001, "$/cancelRequest", json!({"id": 1_000})));
    let (first, second) = (session.read(), session.read());
    let step = if first["id"] == 1_000 { first } else { second };
    let error = &step["error"];
    assert_eq!(error["code"], -32800, "{step}");
    assert!(error["message"].as_str().unwrap_or_default().contains("have ended"), "{step}");
    assert_eq!((&error["data"]["ticks"][17], &error["data"]["hashes"][17]), (&Value::Null, &Value::Null));
    assert_eq!(session.error("world.observe", &json!({"world": endless})).0, -32003);
    worlds.remove(17);
    let reached: Vec<Value> = (0..41)
        .filter(|place| *place != 17)
        .map(|place| error["data"]["ticks"][place].clone())
        .collect();
    let all = session.result("worlds.step", &json!({"worlds": worlds, "ticks": 1}));
    for (place, before) in reached.iter().enumerate() {
        let before = before.as_u64().expect("whole ticks");
        assert!(before <= 5, "{before}");
        assert_eq!(all["ticks"][place], before + 1);
    }
}

#[test]
fn a_world_whose_scripts_fail_reports_it_and_the_others_play_on() {
    let folder = varied();
    folder.write("scripts/hero.rhai", "fn on_tick(me) { this.n += 1; if me.name == \"bad\" { this.n.missing(); } }");
    folder.write("levels/bad.toml", &LEVEL.replace("kind = \"hero\"", "kind = \"hero\"\nname = \"bad\""));
    let mut session = Session::new(&folder);
    for level in ["level", "bad", "level"] {
        session.result("world.create", &json!({"level": level}));
    }
    let all = session.result("worlds.step", &json!({"worlds": [1, 2, 3], "ticks": 20}));
    assert_eq!(all["ticks"], json!([20, 20, 20]));
    let reports = all["reports"].as_array().expect("reports");
    assert_eq!(reports.len(), 1, "{all}");
    assert_eq!(reports[0]["world"], 2);
    assert_eq!(reports[0]["faults"][0]["entity"], "bad");
    // After ten failing ticks, the script is disabled.
    assert_eq!(reports[0]["faults"].as_array().map(Vec::len), Some(10));
}

#[test]
fn each_world_has_its_share_of_the_events_lines_and_errors_of_an_answer() {
    let folder = Folder::with_script(
        "fn on_tick(me) { for i in 0..30 { world::emit(\"many\"); print(\"line\"); } this.n += 1; }",
    );
    let mut session = Session::new(&folder);
    for (count, ticks) in [(3_u64, 200), (1, 400), (4, 100)] {
        let worlds: Vec<u64> = (0..count).map(|_| session.create()).collect();
        let all = session.result("worlds.step", &json!({"worlds": worlds, "ticks": ticks}));
        for (place, world) in worlds.iter().enumerate() {
            let alone = session.create();
            let one = session.result("world.step", &json!({"world": alone, "ticks": ticks}));
            let report = &all["reports"][place];
            assert_eq!(report["world"], *world);
            for (member, most) in [("events", 10_000), ("printed", 1_000)] {
                let left_out = format!("{member}_left_out");
                let list = |answer: &Value| answer[member].as_array().cloned().unwrap_or_default();
                let total = |answer: &Value| list(answer).len() as u64 + answer[&left_out].as_u64().unwrap_or(0);
                let (shared, whole) = (list(report), list(&one));
                assert_eq!(total(report), total(&one), "{member}");
                assert_eq!(shared.len() as u64, total(&one).min(most / count), "{member}");
                let common = shared.len().min(whole.len());
                assert_eq!(shared[..common], whole[..common]);
            }
        }
    }
}

#[test]
fn an_answer_has_no_more_numbers_than_those_of_a_step_of_one_world() {
    let folder = Folder::with_script("");
    let heroes = "[[entity]]\nkind = \"hero\"\nat = [-500, 19]\n".repeat(99);
    folder.write("levels/level.toml", &format!("{LEVEL}{heroes}"));
    let mut session = Session::new(&folder);
    let worlds: Vec<u64> = (0..10).map(|_| session.create()).collect();
    // 10 worlds, 100 entities and 4,194 columns are within 4,194,304 numbers.
    let step = |columns: usize, ticks: u64| json!({"worlds": worlds, "ticks": ticks, "observe": {"columns": vec!["age"; columns]}});
    let (code, message, data) = session.error("worlds.step", &step(4_195, 1));
    assert_eq!((code, &data["place"]), (-32004, &json!("params.observe")), "{message}");
    assert!(message.contains("fewer worlds"), "{message}");
    let all = session.result("worlds.step", &step(4_194, 0));
    assert_eq!(numbers(&all["columns"][0]["data"]).len(), 4_194_000);
    assert_eq!(all["ticks"], json!(vec![0; 10]));
}

#[test]
fn subscriptions_get_the_lines_of_a_step_of_many_worlds() {
    let folder = counting();
    let limits = ServiceLimits { waiting: 10, ..ServiceLimits::default() };
    let mut session = Session::with(&folder, ServiceOptions { limits, ..ServiceOptions::default() });
    let worlds: Vec<u64> = (0..5).map(|_| session.create()).collect();
    for world in &worlds {
        let params = json!({"world": world, "observe": {"fields": []}, "when_full": "wait"});
        session.result("world.trace.subscribe", &params);
        assert_eq!(session.read()["params"]["line"]["tick"], 0);
    }
    const TICKS: u64 = 500;
    session.send(&request(1, "worlds.step", json!({"worlds": worlds, "ticks": TICKS})));
    // Nothing is read for a while.
    std::thread::sleep(Duration::from_millis(200));
    let mut next = [1_u64; 5];
    loop {
        let message = session.read();
        if message.get("id").is_some() {
            assert_eq!(message["result"]["ticks"], json!(vec![TICKS; 5]));
            break;
        }
        let params = &message["params"];
        let world = params["world"].as_u64().expect("a number") as usize - 1;
        assert_eq!((&params["line"]["tick"], params.get("dropped")), (&json!(next[world]), None));
        next[world] += 1;
    }
    assert_eq!(next, [TICKS + 1; 5]);
}

#[test]
fn kinds_select_the_entities_and_events_of_each_world() {
    let folder = varied();
    let mut session = Session::new(&folder);
    create_varied(&mut session);
    let observe = json!({"columns": ["pos.x"], "kinds": ["rock"]});
    let worlds = [2, 3, 5];
    let all = session.result("worlds.step", &json!({"worlds": worlds, "ticks": 9, "observe": observe}));
    let blocks = all["columns"].as_array().expect("blocks").iter();
    let rows: Vec<&Value> = blocks.map(|block| &block["rows"]).collect();
    assert_eq!(rows, [&json!(["one", "two"]), &json!(["rock"])]);
    let mut alone = Session::new(&folder);
    create_varied(&mut alone);
    for world in worlds {
        let one = alone.result("world.step", &json!({"world": world, "ticks": 9, "observe": observe}));
        let reports = all["reports"].as_array().expect("reports");
        let report = reports.iter().find(|report| report["world"] == world);
        let events = report.and_then(|report| report.get("events")).cloned();
        assert_eq!(events.unwrap_or(json!([])), one["events"], "world {world}");
    }
}

#[test]
fn binary_blocks_follow_the_answer_in_one_frame() {
    let folder = varied();
    let (_program, address) = listening(&folder, &[]);
    let mut client = socket(address);
    for (id, level) in [(1, "three"), (2, "level"), (3, "three")] {
        told(&mut client, &request(id, "world.create", json!({"level": level})));
    }
    let step = |ticks: u64, format: &str| {
        let observe = json!({"columns": ["pos.x", "pos.y"], "format": format});
        request(9, "worlds.step", json!({"worlds": [1, 2, 3], "ticks": ticks, "observe": observe}))
    };
    let plain = told(&mut client, &step(4, "base64"));
    let expected = [numbers(&plain["result"]["columns"][0]["data"]), numbers(&plain["result"]["columns"][1]["data"])];
    let answer = told(&mut client, &step(0, "binary"));
    let blocks = answer["result"]["columns"].as_array().expect("blocks").clone();
    let Message::Binary(frame) = client.read().expect("a frame") else {
        panic!("a binary frame");
    };
    let mut from = 0;
    for (block, expected) in blocks.iter().zip(&expected) {
        let to = from + block["binary"].as_u64().expect("a length") as usize;
        let bytes: Vec<u8> = expected.iter().flat_map(|x| x.to_le_bytes()).collect();
        assert_eq!(frame[from..to], bytes);
        assert!(block.get("data").is_none());
        from = to;
    }
    assert_eq!((blocks.len(), from), (2, frame.len()));
}

#[test]
fn a_notification_steps_many_worlds_without_an_answer() {
    let folder = counting();
    let mut session = Session::new(&folder);
    let worlds: Vec<u64> = (0..3).map(|_| session.create()).collect();
    for _ in 0..4 {
        session.send(&json!({"jsonrpc": "2.0", "method": "worlds.step", "params": {"worlds": worlds}}).to_string());
    }
    session.send(&json!({"jsonrpc": "2.0", "method": "worlds.step", "params": {"worlds": [9]}}).to_string());
    assert_eq!(session.result("worlds.step", &json!({"worlds": worlds}))["ticks"], json!([5, 5, 5]));
}

#[test]
fn a_client_that_dies_in_a_step_of_many_worlds_leaves_none() {
    let folder = Folder::with_script(BUSY);
    let (_program, address) = listening(&folder, &["--most-worlds", "30"]);
    let mut wire = Wire::to(address);
    for world in 1..=30_u64 {
        wire.tell(&request(world, "world.create", json!({"level": "level"})));
    }
    let worlds: Vec<u64> = (1..=30).collect();
    for id in 100..110 {
        wire.send(&request(id, "worlds.step", json!({"worlds": worlds, "ticks": 1_000_000})));
    }
    wire.stream.shutdown(Shutdown::Both).expect("closed");
    drop(wire);
    let mut wire = Wire::to(address);
    let until = Instant::now() + Duration::from_secs(60);
    for _ in 0..30 {
        while wire.tell(&request(0, "world.create", json!({"level": "level"}))).get("result").is_none() {
            assert!(Instant::now() < until, "worlds of a dead client are left");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

#[test]
fn the_end_of_the_input_waits_for_a_step_of_many_worlds() {
    let folder = Folder::with_script(BUSY);
    let mut session = Session::new(&folder);
    let service = session.service.clone();
    let worlds: Vec<u64> = (0..10).map(|_| session.create()).collect();
    for id in 1..=3 {
        session.send(&request(id, "worlds.step", json!({"worlds": worlds, "ticks": 100})));
    }
    let lines = session.finish();
    let ticks: Vec<String> = [100, 200, 300].iter().map(|tick| json!(vec![*tick; 10]).to_string()).collect();
    assert_eq!(lines.len(), 3);
    for (line, ticks) in lines.iter().zip(&ticks) {
        assert!(line.contains(&format!("\"ticks\":{ticks}")), "{line}");
    }
    assert_eq!(service.worlds(), 0);
}

#[test]
fn worlds_that_follow_the_files_read_them_before_a_step_of_many() {
    let folder = counting();
    let mut session = Session::new(&folder);
    for _ in 0..2 {
        session.result("world.create", &json!({"level": "level", "reload": "saved"}));
    }
    folder.write("scripts/hero.rhai", "fn on_tick(me) { this.n = 100; }");
    for _ in 0..2 {
        assert_eq!(session.read()["method"], "world.files");
    }
    let params = json!({"worlds": [1, 2], "ticks": 2, "observe": {"columns": ["vars.n"]}});
    let all = session.result("worlds.step", &params);
    assert_eq!(numbers(&all["columns"][0]["data"]), [100.0, 100.0]);
}
