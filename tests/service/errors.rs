//! What cannot be done, and what the service says then.

use crate::{
    folder::{Folder, LEVEL},
    session::Session,
    worlds::counting,
};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use flate2::{Compression, read::ZlibDecoder, write::ZlibEncoder};
use hangtime::service::{ServiceLimits, ServiceOptions};
use serde_json::{Value, json};
use std::io::{Read as _, Write as _};

/// Lines that are not requests: each with the code of the answer, its id, and a part of its message or place.
#[rustfmt::skip]
const BAD_LINES: &[(&str, i64, &str, &str)] = &[
    ("", -32700, "null", "line 1 column 0"),
    ("   ", -32700, "null", "not JSON"),
    ("{", -32700, "null", "line 1 column 1"),
    ("hello", -32700, "null", "not JSON"),
    (
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"check\"",
        -32700,
        "null",
        "not JSON",
    ),
    (
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"check\"} x",
        -32700,
        "null",
        "trailing",
    ),
    (
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"world.step\",\"params\":{\"world\":NaN}}",
        -32700,
        "null",
        "not JSON",
    ),
    ("1", -32600, "null", "not a request"),
    ("null", -32600, "null", "not a request"),
    ("[]", -32600, "null", "at least one"),
    ("[1", -32700, "null", "not JSON"),
    ("{\"id\":3,\"method\":\"check\"}", -32600, "3", "jsonrpc"),
    (
        "{\"jsonrpc\":\"1.0\",\"id\":3,\"method\":\"check\"}",
        -32600,
        "3",
        "2.0",
    ),
    ("{\"jsonrpc\":\"2.0\",\"id\":3}", -32600, "3", "method"),
    (
        "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":7}",
        -32600,
        "3",
        "not a request",
    ),
    (
        "{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"check\"}",
        -32600,
        "null",
        "a text, an integer or null",
    ),
    (
        "{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"check\"}",
        -32600,
        "1.5",
        "`id` is 1.5; it must be a text, an integer or null",
    ),
    (
        "{\"jsonrpc\":\"2.0\",\"id\":3,\"metod\":\"check\"}",
        -32600,
        "3",
        "did you mean `method` instead of `metod`?",
    ),
    (
        "{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"method\":\"world.steps\"}",
        -32601,
        "\"x\"",
        "did you mean `world.step`?",
    ),
    (
        "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"\"}",
        -32601,
        "3",
        "no method",
    ),
    (
        "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"world.step\"}",
        -32602,
        "3",
        "missing field `world`",
    ),
    (
        "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"world.step\",\"params\":7}",
        -32602,
        "3",
        "invalid type",
    ),
    (
        "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"world.step\",\"params\":{\"world\":1e999}}",
        -32602,
        "3",
        "out of range",
    ),
];

#[test]
fn every_bad_line_gets_one_error_with_its_code_and_the_service_continues() {
    let folder = counting();
    let mut session = Session::new(&folder);
    for (line, code, id, part) in BAD_LINES {
        let answer = session.tell(line);
        let error = &answer["error"];
        assert_eq!(error["code"], *code, "{line}: {answer}");
        assert_eq!(answer["id"].to_string(), *id, "{line}: {answer}");
        assert!(error.to_string().replace("\\\"", "\"").contains(part), "{line}: {answer}");
    }
    session.send_bytes(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}\n");
    assert_eq!(session.read()["error"]["code"], -32700);
    let world = session.create();
    session.result("world.step", &json!({"world": world}));
    assert_eq!(session.finish(), [""; 0]);
}

/// Requests about world 1 that cannot be carried out: method, parameters, the code and place of the error, and a part of
/// it.
#[rustfmt::skip]
const WRONG: &[(&str, &str, i64, &str, &str)] = &[
    ("world.create", r#"{"level": "levle"}"#, -32001, "params.level", "did you mean"),
    ("world.create", r#"{"level": "level", "seed": -1}"#, -32602, "params.seed", "-1"),
    ("world.create", r#"{"level": "level", "settings": {"platformer.jump_sped": 1}}"#, -32001, "", "jump_speed"),
    ("world.create", r#"{"level": "level", "settings": {"platformer.jump_speed": null}}"#, -32602, "params.settings.platformer.jump_speed", "takes a number"),
    ("world.create", r#"{"level": "level", "settings": {"platformer.jump_speed": "NaN"}}"#, -32001, "", "jump_speed"),
    ("world.step", r#"{"world": 99}"#, -32003, "params.world", "no world 99"),
    ("world.step", r#"{"world": 1, "tick": 5}"#, -32602, "params.tick", "did you mean `ticks`?"),
    ("world.step", r#"{"world": 1, "ticks": -5}"#, -32602, "params.ticks", "-5"),
    ("world.step", r#"{"world": 1, "ticks": 1.5}"#, -32602, "params.ticks", "1.5"),
    ("world.step", r#"{"world": 1, "ticks": 1000000000000}"#, -32004, "params.ticks", "1000000"),
    ("world.step", r#"{"world": 1, "inputs": "5 jmup"}"#, -32001, "", "did you mean `jump`?"),
    ("world.step", r#"{"world": 1, "inputs": [{"held": ["jmup"]}]}"#, -32602, "params.inputs[0].held[0]", "did you mean `jump`?"),
    ("world.step", r#"{"world": 1, "inputs": [{"held": [3]}]}"#, -32602, "params.inputs[0].held[0]", "invalid type"),
    ("world.step", r#"{"world": 1, "inputs": [{"player": 9}]}"#, -32602, "params.inputs[0].player", "1 to 8"),
    ("world.step", r#"{"world": 1, "inputs": [{"player": 1}, {"player": 1}]}"#, -32602, "params.inputs[1].player", "earlier"),
    ("world.step", r#"{"world": 1, "inputs": [{"held": ["left"]}, {"held": ["left"]}]}"#, -32602, "params.inputs[1].player", "`levels/level.toml` has no player 2; it has 1"),
    ("world.step", r#"{"world": 1, "inputs": "3 right\n5 p2.jump\n"}"#, -32602, "params.inputs", "has no player 2; it has 1"),
    ("world.step", r#"{"world": 1, "inputs": [{"move": [2, 0]}]}"#, -32602, "params.inputs[0].move", "between -1 and 1"),
    ("world.step", r#"{"world": 1, "inputs": 5}"#, -32602, "params.inputs", "the text of an input file"),
    ("world.step", r#"{"world": 1, "until": {"event": "jmup"}}"#, -32602, "params.until.event", "did you mean `jump`?"),
    ("world.step", r#"{"world": 1, "until": {"entity": "hero"}}"#, -32602, "params.until", "above"),
    ("world.step", r#"{"world": 1, "until": {"entity": "hero", "column": "pos.q", "above": 1}}"#, -32602, "params.until.column", "pos.x"),
    ("world.step", r#"{"world": 1, "until": {"entity": "hero", "column": "vars.m", "above": 1}}"#, -32602, "params.until.column", "there is no variable `m`; it can be `drawn` or `n`"),
    ("world.observe", r#"{"world": 1, "observe": {"columns": ["vars.n", "vars.drawm"]}}"#, -32602, "params.observe.columns[1]", "`observe.columns[1]`: there is no variable `drawm`; did you mean `drawn`?"),
    ("world.set", r#"{"world": 1, "settings": {"simulation.tick_hz": 120}}"#, -32602, "params.settings.simulation.tick_hz", "keeps its 60 ticks per second"),
    ("world.step", r#"{"world": 1, "observe": {"every": 0}}"#, -32602, "params.observe.every", "at least 1"),
    ("world.step", r#"{"world": 1, "ticks": 100000, "observe": {"every": 1}}"#, -32004, "params.observe", "at most 10000"),
    ("world.step", r#"{"world": 1, "observe": {"columns": ["pos.x"], "format": "binary"}}"#, -32602, "params.observe.format", "base64"),
    ("world.observe", r#"{"world": 1, "observe": {"entities": ["hreo"]}}"#, -32602, "params.observe.entities", "did you mean `hero`?"),
    ("world.observe", r#"{"world": 1, "observe": {"fields": ["poss"]}}"#, -32602, "params.observe.fields", "did you mean `pos`?"),
    ("world.restore", r#"{"world": 1, "snapshot": "???"}"#, -32002, "params.snapshot", "base64"),
    ("world.restore", r#"{"world": 1, "snapshot": "aGVsbG8="}"#, -32002, "params.snapshot", "not a snapshot"),
    ("world.set", r#"{"world": 1, "settings": {"simulation.gravty": 1}}"#, -32001, "", "gravity"),
    ("world.place", r#"{"world": 1, "entity": "hreo", "at": [0, 100]}"#, -32602, "params.entity", "did you mean `hero`?"),
    ("world.place", r#"{"world": 1, "entity": "hero", "at": [0, 1e300]}"#, -32602, "params.at", "at most 1000000 px, not [0.0, 1e300]"),
    ("world.place", r#"{"world": 1, "entity": "hero", "at": [0, 1e5]}"#, -32602, "params.at", "but `hero` has no room there; the level reaches from"),
    ("world.place", r#"{"world": 1, "entity": "hero", "at": [0]}"#, -32602, "params.at", "takes two numbers, or three in a top view, not 1"),
    ("world.place", r#"{"world": 1, "entity": "hero", "at": [0, 100, 5]}"#, -32602, "params.at", "always 0 in a side view"),
    ("world.place", r#"{"world": 1, "entity": "hero", "at": [0, 100], "velocity": [1e7, 0]}"#, -32602, "params.velocity", "at most 1000000 px/s"),
    ("world.place", r#"{"world": 1, "entity": "hero", "at": [0, 100], "vel": [1, 0]}"#, -32602, "params.vel", "unknown field `vel`"),
    ("world.place", r#"{"world": 99, "entity": "hero", "at": [0, 100]}"#, -32003, "params.world", "no world 99"),
    ("world.emit", r#"{"world": 1, "event": "on_alarm"}"#, -32602, "params.event", "write `alarm`"),
    ("world.emit", r#"{"world": 1, "event": "land"}"#, -32602, "params.event", "built-in event"),
    ("world.emit", r#"{"world": 1, "event": "No!"}"#, -32602, "params.event", "a-z"),
    ("world.emit", r#"{"world": 1, "event": "alarm", "data": [18446744073709551615]}"#, -32602, "params.data", "larger than an integer"),
    ("world.emit", r#"{"world": 1, "event": "alarm", "dat": 1}"#, -32602, "params.dat", "did you mean `data`?"),
    ("world.why", r#"{"world": 1, "entity": "hreo"}"#, -32602, "params.entity", "did you mean `hero`?"),
    ("world.fork", r#"{"world": 99}"#, -32003, "params.world", "no world 99"),
    ("world.destroy", r#"{"world": 99}"#, -32003, "params.world", "no world 99"),
    ("world.snapshot", r#"{"world": 1, "x": 1}"#, -32602, "params.x", "unknown field `x`"),
    ("world.trace.unsubscribe", r#"{"world": 1, "subscription": 5}"#, -32602, "params.subscription", "5"),
    ("query.cast", r#"{"world": 1, "from": [0, 0], "to": [1e300, 0]}"#, -32602, "params.to", "between"),
    ("query.cast", r#"{"world": 1, "from": [0, 0]}"#, -32602, "params", "missing field `to`"),
    ("query.cast", r#"{"world": 1, "from": [0, 0], "to": [1]}"#, -32602, "params.to", "invalid length"),
    ("query.sweep", r#"{"world": 1, "from": [0, 0], "to": [1, 0]}"#, -32602, "params.kind", "`half`"),
    ("query.sweep", r#"{"world": 1, "half": [0, 1], "from": [0, 0], "to": [1, 0]}"#, -32602, "params.half", "between"),
    ("query.sweep", r#"{"world": 1, "kind": "hreo", "from": [0, 0], "to": [1, 0]}"#, -32602, "params.kind", "did you mean `hero`?"),
    ("plan.jump", r#"{"world": 1, "entity": "hero", "to": [0, 0], "clearance": -1}"#, -32602, "params.clearance", "between"),
    ("tests.run", r#"{"jobs": 0}"#, -32602, "params.jobs", "between 1 and 64"),
    ("tests.list", r#"{"filter": ["/(/"]}"#, -32602, "params.filter[0]", "regular expression"),
    ("check", r#"{"paths": ["nowhere"]}"#, -32001, "", "nowhere"),
    ("world.step", r#"{"world": 1, "observe": {"columns": ["pos.x", "pos.w"]}}"#, -32602, "params.observe.columns[1]", "pos.w"),
    ("check", r#"{"paths": ["/etc"]}"#, -32001, "", "leads out of the game folder"),
    ("world.create", r#"{"level": "/etc/passwd"}"#, -32001, "params.level", "leads out of the game folder"),
    ("$/cancelRequest", r#"{"id": {}}"#, -32602, "params.id", "id"),
];

#[test]
fn wrong_parameters_are_errors_with_place_and_what_is_allowed() {
    let folder = counting();
    let mut session = Session::new(&folder);
    let w = session.create();
    let before = session.result("world.observe", &json!({"world": w}));
    for (method, params, code, place, part) in WRONG {
        let params = serde_json::from_str(params).expect("JSON");
        let (got, message, data) = session.error(method, &params);
        assert_eq!(got, *code, "{method} {params}: {message}");
        if !place.is_empty() {
            assert_eq!(data["place"], *place, "{method} {params}: {message}");
        }
        let all = format!("{message} {data}");
        assert!(all.contains(part), "{method} {params}: {all}");
    }
    // Nothing has happened to the world.
    assert_eq!(session.result("world.observe", &json!({"world": w})), before);
    assert_eq!(session.service.worlds(), 1);
}

#[test]
fn what_is_allowed_is_listed_once() {
    let folder = counting();
    let mut session = Session::new(&folder);
    let w = session.create();
    let (_, message, data) = session.error("world.step", &json!({"world": w, "tick": 5}));
    assert!(message.contains("did you mean `ticks`?"), "{message}");
    let allowed = data["allowed"].as_array().expect("a list");
    assert_eq!(allowed.iter().filter(|name| **name == "ticks").count(), 1, "{data}");
}

#[test]
fn whole_numbers_may_have_a_decimal_point() {
    let folder = counting();
    let mut session = Session::new(&folder);
    session.create();
    let line =
        r#"{"jsonrpc":"2.0","id":7,"method":"world.step","params":{"world":1.0,"ticks":3.0,"observe":{"every":2e0}}}"#;
    assert_eq!(session.tell(line)["result"]["tick"], 3);
    for (ticks, why) in [("2.5", "floating point `2.5`, expected an integer"), ("1e300", "expected an integer")] {
        let line =
            format!(r#"{{"jsonrpc":"2.0","id":7,"method":"world.step","params":{{"world":1,"ticks":{ticks}}}}}"#);
        let answer = session.tell(&line);
        assert_eq!(answer["error"]["data"]["place"], "params.ticks", "{answer}");
        assert!(answer["error"]["message"].as_str().is_some_and(|message| message.contains(why)), "{answer}");
    }
}

#[test]
fn other_members_of_a_request_are_left_alone_and_answers_are_ignored() {
    let folder = counting();
    let mut session = Session::new(&folder);
    session.create();
    // Tracing libraries add further members.
    let line = r#"{"jsonrpc":"2.0","id":7,"method":"world.step","params":{"world":1},"traceparent":"00-1"}"#;
    assert_eq!(session.tell(line)["result"]["tick"], 1);
    // The answer to the next line is the next one that comes.
    session.send(r#"{"jsonrpc":"2.0","id":3,"result":null}"#);
    session.send(r#"{"jsonrpc":"2.0","id":3,"result":{}}"#);
    session.send(r#"{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"no"}}"#);
    let line = r#"{"jsonrpc":"2.0","id":8,"method":"world.step","params":{"world":1}}"#;
    let answer = session.tell(line);
    assert_eq!((&answer["id"], &answer["result"]["tick"]), (&json!(8), &json!(2)));
}

#[test]
fn mistakes_in_files_come_as_diagnostics() {
    let folder = counting();
    folder.write("scripts/hero.rhai", "fn on_tick(me) {\n    this.n += ;\n}\n");
    let mut session = Session::new(&folder);
    let (code, _, data) = session.error("world.create", &json!({"level": "level"}));
    assert_eq!(code, -32001);
    let first = &data["diagnostics"][0];
    assert_eq!(
        (&first["file"], &first["line"], &first["severity"]),
        (&json!("scripts/hero.rhai"), &json!(2), &json!("error"))
    );
}

#[test]
fn script_errors_are_part_of_the_answer() {
    let folder =
        crate::folder::Folder::with_script("fn on_tick(me) { if this.n == 0 { this.n = 1; throw \"ouch\"; } }");
    let mut session = Session::new(&folder);
    let world = session.create();
    let step = session.result("world.step", &json!({"world": world, "ticks": 2}));
    let fault = &step["faults"][0];
    assert_eq!(
        (&fault["entity"], &fault["hook"], &fault["tick"]),
        (&json!("hero"), &json!("on_tick"), &json!(0)),
        "{step}"
    );
    assert!(fault["error"]["message"].as_str().expect("text").contains("ouch"), "{fault}");
}

#[test]
fn a_snapshot_of_another_level_is_refused_over_the_wire() {
    let folder = counting();
    folder.write("levels/other.toml", LEVEL);
    let mut session = Session::new(&folder);
    let other = session.result("world.create", &json!({"level": "other"}))["world"].clone();
    let saved = session.result("world.snapshot", &json!({"world": other}));
    let world = session.create();
    let (code, message, _) = session.error("world.restore", &json!({"world": world, "snapshot": saved["snapshot"]}));
    assert_eq!(code, -32002);
    assert!(message.contains("levels/other.toml") && message.contains("levels/level.toml"), "{message}");
}

#[test]
fn limits_refuse_worlds_memory_messages_and_ticks() {
    let folder = counting();
    let limits = ServiceLimits { worlds: 2, message: 1000, ticks: 50, ..ServiceLimits::default() };
    let mut session = Session::with(&folder, ServiceOptions { limits, ..ServiceOptions::default() });
    let (one, _two) = (session.create(), session.create());
    for (method, params) in [
        ("world.create", json!({"level": "level"})),
        ("world.fork", json!({"world": one})),
        ("world.step", json!({"world": one, "ticks": 51})),
    ] {
        let (code, message, _) = session.error(method, &params);
        assert_eq!(code, -32004, "{method}: {message}");
    }
    session.result("world.destroy", &json!({"world": one}));
    session.create();
    let long = format!(
        "{{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"check\",\"params\":{{\"paths\":[\"{}\"]}}}}",
        "x".repeat(5000)
    );
    let answer = session.tell(&long);
    assert_eq!((&answer["error"]["code"], &answer["id"]), (&json!(-32004), &Value::Null));
    session.result("initialize", &json!({}));
    let limits = ServiceLimits { memory: 1, ..ServiceLimits::default() };
    let mut session = Session::with(&folder, ServiceOptions { limits, ..ServiceOptions::default() });
    let (code, message, _) = session.error("world.create", &json!({"level": "level"}));
    assert_eq!(code, -32004, "{message}");
    assert_eq!(session.service.worlds(), 0);
}

#[test]
fn the_memory_limit_counts_what_worlds_are_built_into_once_for_all_that_share_it() {
    let folder = counting();
    let limits = ServiceLimits { memory: 8 << 20, ..ServiceLimits::default() };
    let options = ServiceOptions { limits, ..ServiceOptions::default() };
    let mut session = Session::with(&folder, options);
    // They share one revision.
    let shared: Vec<u64> = (0..20).map(|_| session.create()).collect();
    let with_speed = |speed: i32| json!({"level": "level", "settings": {"platformer.jump_speed": speed}});
    let mut own = Vec::new();
    let refused = loop {
        let answer = session.call("world.create", &with_speed(500 + own.len() as i32));
        match answer["result"]["world"].as_u64() {
            Some(world) => own.push(world),
            None => break answer,
        }
        assert!(own.len() < 8, "each takes a megabyte of the eight");
    };
    assert_eq!(refused["error"]["code"], -32004, "{refused}");
    // They give back all memory that they took, even if their settings have changed since.
    session.result("world.set", &json!({"world": own[0], "settings": {"platformer.jump_speed": 700}}));
    for world in own.drain(..).chain(shared) {
        session.result("world.destroy", &json!({"world": world}));
    }
    session.result("world.create", &with_speed(800));
}

/// A snapshot in which a part of its JSON is replaced.
pub fn changed(snapshot: &Value, from: &str, to: &str) -> String {
    let bytes = STANDARD.decode(snapshot.as_str().expect("a text")).expect("base64");
    let mut text = String::new();
    ZlibDecoder::new(&*bytes).read_to_string(&mut text).expect("JSON");
    assert!(text.contains(from), "{text}");
    let mut out = ZlibEncoder::new(Vec::new(), Compression::fast());
    out.write_all(text.replacen(from, to, 1).as_bytes()).expect("it fits");
    STANDARD.encode(out.finish().expect("it fits"))
}

#[test]
fn a_snapshot_that_is_larger_than_a_world_can_be_is_refused() {
    let folder = counting();
    let mut session = Session::new(&folder);
    let world = session.create();
    session.result("world.step", &json!({"world": world, "ticks": 3, "inputs": "5 right"}));
    let saved = session.result("world.snapshot", &json!({"world": world}))["snapshot"].clone();
    let before = session.result("world.observe", &json!({"world": world}));
    let values = vec!["{\"Int\":1}"; 600].join(",");
    let stretches = "[1,{\"players\":[]}],".repeat(600_000);
    let huge = vec!["{\"List\":[]}"; 6_000_000].join(",");
    for (from, to, part) in [
        ("\"n\":{\"Int\":3}", format!("\"n\":{{\"List\":[{values}]}}"), "603 values"),
        ("\"inputs\":[", format!("\"inputs\":[{stretches}"), "stretches of inputs"),
        ("\"n\":{\"Int\":3}", format!("\"n\":{{\"List\":[{huge}]}}"), "larger than 64 MB"),
    ] {
        let snapshot = changed(&saved, from, &to);
        let answer = session.call("world.restore", &json!({"world": world, "snapshot": snapshot}));
        let message = answer["error"]["message"].as_str().expect("an error");
        assert!(message.contains(part), "{message}");
    }
    assert_eq!(session.result("world.observe", &json!({"world": world})), before);
}

#[test]
fn an_answer_with_too_many_entities_in_its_lines_is_refused_before_anything_moves() {
    let crowd: String = (0..200)
        .map(|i| format!("[[entity]]\nkind = \"hero\"\nat = [{}, 19]\n", 10 * i - 900))
        .collect();
    let folder = counting();
    folder.write("levels/level.toml", &format!("{LEVEL}{crowd}"));
    let mut session = Session::new(&folder);
    let world = session.create();
    let request = |ticks: u64, observe: Value| json!({"world": world, "ticks": ticks, "observe": observe});
    let (code, message, _) = session.error("world.step", &request(2000, json!({"every": 1})));
    assert_eq!(code, -32004);
    assert!(message.contains("entities in lines"), "{message}");
    let one = json!({"every": 1, "entities": ["hero"]});
    let step = session.result("world.step", &request(2000, one));
    assert_eq!(step["tick"], 2000);
    assert_eq!(step["observations"].as_array().map(Vec::len), Some(2000));
}

#[test]
fn a_step_whose_lines_are_too_long_ends_after_a_whole_tick() {
    let folder = Folder::with_script(
        "fn on_tick(me) { if this.text == \"\" { let text = \"x\"; while text.len() < 2048 { text += text; } this.text = text; } }",
    );
    folder.write("config/entities/hero.toml", "script = \"hero.rhai\"\nvars = { text = \"\" }\n");
    let crowd: String = (0..24)
        .map(|i| format!("[[entity]]\nkind = \"hero\"\nat = [{}, 19]\n", 30 * i - 900))
        .collect();
    folder.write("levels/level.toml", &format!("{LEVEL}{crowd}"));
    let mut session = Session::new(&folder);
    let world = session.create();
    let fields = json!({"every": 1, "fields": ["vars"]});
    let request = json!({"world": world, "ticks": 9000, "observe": fields});
    let answer = session.call("world.step", &request);
    assert_eq!(answer["error"]["code"], -32004);
    let tick = answer["error"]["data"]["tick"].as_u64().expect("a tick");
    // 128 MB of lines with 25 texts of 2,048 bytes, and the rest of a line.
    let most = (128 << 20) / (25 * 2048);
    assert!(tick > most * 9 / 10 && tick <= most + 2, "{tick} of {most}");
    let line = session.result("world.observe", &json!({"world": world}));
    assert_eq!(line["tick"], tick);
}

#[test]
fn long_parameters_are_refused_unless_they_are_a_snapshot() {
    let folder = counting();
    let mut session = Session::new(&folder);
    let world = session.create();
    let long = "x".repeat(5 << 20);
    let (code, message, _) = session.error("world.step", &json!({"world": world, "inputs": long}));
    assert_eq!(code, -32004, "{message}");
    let (code, message, _) = session.error("world.restore", &json!({"world": world, "snapshot": long}));
    assert_eq!(code, -32002, "{message}");
    let crowd = vec![json!({}); 1_000_000];
    let (code, message, _) = session.error("world.step", &json!({"world": world, "inputs": crowd}));
    assert_eq!(code, -32602);
    assert!(message.contains("players are 1 to"), "{message}");
}

#[test]
fn a_token_is_needed_before_anything_else() {
    let folder = counting();
    let options = ServiceOptions { token: Some("secret".into()), ..ServiceOptions::default() };
    let mut session = Session::with(&folder, options.clone());
    assert_eq!(session.error("world.create", &json!({"level": "level"})).0, -32005);
    session.result("initialize", &json!({"token": "secret"}));
    session.create();
    for token in [json!({}), json!({"token": "wrong"}), json!({"token": ""})] {
        let mut session = Session::of(&session.service);
        assert_eq!(session.error("initialize", &token).0, -32005);
        assert_eq!(session.read_line(), None);
    }
}
