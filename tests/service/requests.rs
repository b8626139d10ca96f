//! The ids of requests, and the numbers of the worlds that they create.

use crate::{folder::Folder, session::Session, worlds::counting};
use hangtime::service::{ServiceLimits, ServiceOptions};
use serde_json::{Value, json};

#[test]
fn negative_ids_are_answered_and_fractional_ones_refused_under_their_own() {
    let folder = counting();
    let mut session = Session::new(&folder);
    let mut ask = |id: &str| {
        session.send(&format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"world.destroy","params":{{"world":7}}}}"#));
        session.read_line().expect("an answer")
    };
    for id in [
        "0",
        "-1",
        "-9223372036854775808",
        "18446744073709551615",
        "null",
        "\"\"",
        "\"-1\"",
        "\"\u{1F600} \\\"x\\\" \\n\"",
    ] {
        let answer = ask(id);
        assert!(answer.contains(&format!("\"id\":{id},")), "{answer}");
        assert!(answer.contains("-32003"), "{answer}");
    }
    for (id, echoed) in [
        ("1.5", "1.5"),
        ("-0.5e3", "-0.5e3"),
        ("1e2", "1e2"),
        ("18446744073709551616", "18446744073709551616"),
        ("-9223372036854775809", "-9223372036854775809"),
        ("1e308", "1e308"),
        ("1e999", "null"),
        ("true", "null"),
        ("[]", "null"),
        ("{\"a\":1}", "null"),
        (&"9".repeat(5000), "null"),
    ] {
        let answer = ask(id);
        assert!(answer.contains(&format!("\"id\":{echoed},")), "{answer}");
        let answer: Value = serde_json::from_str(&answer).expect("JSON");
        let error = &answer["error"];
        assert_eq!((&error["code"], &error["data"]["place"]), (&json!(-32600), &json!("id")));
        let message = error["message"].as_str().expect("a text");
        assert!(message.contains("must be a text, an integer or null"), "{message}");
        assert!(message.len() < 500, "{message}");
    }
}

#[test]
fn a_request_with_a_negative_id_can_be_canceled() {
    let folder = Folder::with_script("fn on_tick(me) { let x = 0; while x < 500 { x += 1; } }");
    let mut session = Session::new(&folder);
    let world = session.create();
    let step = json!({"world": world, "ticks": 1_000_000});
    session.send(&json!({"jsonrpc": "2.0", "id": -3, "method": "world.step", "params": step}).to_string());
    for id in [json!(-3.5), json!({}), json!(3)] {
        session.send(&json!({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": id}}).to_string());
    }
    session.send(&json!({"jsonrpc": "2.0", "id": 8, "method": "$/cancelRequest", "params": {"id": -3}}).to_string());
    let mut seen = [session.read(), session.read()];
    seen.sort_by_key(|answer| answer["id"].as_i64());
    assert_eq!((&seen[0]["id"], &seen[0]["error"]["code"]), (&json!(-3), &json!(-32800)));
    assert_eq!((&seen[1]["id"], &seen[1]["result"]), (&json!(8), &json!({})));
}

#[test]
fn every_request_for_a_world_takes_a_number_whatever_it_fails_of() {
    let folder = counting();
    folder.write("levels/broken.toml", "surfac = 1");
    let limits = ServiceLimits { worlds: 2, message: 20 << 20, ..ServiceLimits::default() };
    let options = ServiceOptions { limits, ..ServiceOptions::default() };
    let mut session = Session::with(&folder, options);
    let good = json!({"level": "level"});
    let long = json!({"level": "x".repeat(5 << 20)});
    let mut number = 0;
    for (method, params, code) in [
        ("world.create", &good, 0),
        ("world.create", &json!({"level": "broken"}), -32001),
        ("world.create", &json!({"level": "missing"}), -32001),
        ("world.create", &json!({"level": 7}), -32602),
        ("world.create", &long, -32004),
        ("world.fork", &json!({"world": 99}), -32003),
        ("world.fork", &json!({}), -32602),
        ("world.fork", &json!({"world": 1}), 0),
        ("world.fork", &json!({"world": 1}), -32004),
        ("world.create", &good, -32004),
    ] {
        number += 1;
        let answer = session.call(method, params);
        match code {
            0 => assert_eq!(answer["result"]["world"], number, "{answer}"),
            code => assert_eq!(answer["error"]["code"], code, "{answer}"),
        }
    }
    session.result("world.destroy", &json!({"world": 1}));
    // A request that is none takes no number.
    session.tell(r#"{"jsonrpc":"2.0","id":1.5,"method":"world.create","params":{"level":"level"}}"#);
    assert_eq!(session.result("world.create", &good)["world"], number + 1);
}

#[test]
fn initialize_lists_the_levels_in_subfolders_and_each_can_be_played() {
    let folder = counting();
    let text = std::fs::read_to_string(folder.path("levels/level.toml")).expect("a level");
    for name in ["caves/deep/one", "caves/two", "tests/three"] {
        folder.write(&format!("levels/{name}.toml"), &text);
    }
    let mut session = Session::new(&folder);
    let game = session.result("initialize", &json!({}))["game"].clone();
    let levels = game["levels"].as_array().expect("levels").clone();
    let expected =
        ["levels/level.toml", "levels/caves/deep/one.toml", "levels/caves/two.toml", "levels/tests/three.toml"];
    assert_eq!(json!(levels), json!(expected));
    for level in levels {
        session.result("world.create", &json!({"level": level}));
    }
}
