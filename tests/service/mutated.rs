//! Thousands of damaged messages.

use crate::{dice::Dice, session::Session, worlds::counting};
use hangtime::service::{ServiceLimits, ServiceOptions};
use serde_json::{Value, json, value::RawValue};
use std::collections::{BTreeMap, BTreeSet};

/// How many messages are tried.
const MESSAGES: u64 = 10_000;

/// Good requests about world 1, which the damaged ones come from.
fn good(snapshot: &str) -> Vec<String> {
    let request = |method: &str, params: Value| {
        json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string()
    };
    vec![
        request("initialize", json!({})),
        request("world.create", json!({"level": "level", "seed": 3, "settings": {"simulation.gravity": 100}})),
        request("world.step", json!({"world": 1, "ticks": 3, "inputs": "2 right\n5 jump move=0.5:0\n"})),
        request(
            "world.step",
            json!({"world": 1, "ticks": 2, "inputs": [{"held": ["left"], "move": [0.5, -1], "aim": [3, 4]}],
            "until": {"event": "land", "entity": "hero"}, "observe": {"fields": ["pos"], "every": 1}}),
        ),
        request(
            "world.step",
            json!({"world": 1, "observe": {"columns": ["pos.x", "vars.n"]}, "until": [{"entity": "hero", "column": "pos.x", "above": 5}]}),
        ),
        request(
            "worlds.step",
            json!({"worlds": [1], "ticks": 2, "inputs": ["1 right\n"], "observe": {"columns": ["pos.x", "vars.n"]}}),
        ),
        request("worlds.step", json!({"worlds": [1, 2, 3], "ticks": 2, "inputs": [[{"held": ["left"]}], null, []]})),
        request(
            "world.observe",
            json!({"world": 1, "observe": {"entities": ["hero"], "kinds": ["hero"], "why": true}}),
        ),
        request("world.scene", json!({"world": 1, "stage_id": "0"})),
        request("world.list", json!({})),
        request("world.watch", json!({"watched": 77, "stage_id": "0"})),
        request("world.snapshot", json!({"world": 1})),
        request("world.restore", json!({"world": 1, "snapshot": snapshot})),
        request("world.fork", json!({"world": 1})),
        request("world.reload", json!({"world": 1})),
        request("world.set", json!({"world": 1, "settings": {"platformer.jump_speed": 400, "surfaces.ice.grip": 0.5}})),
        request("world.why", json!({"world": 1, "entity": "hero"})),
        request("world.judge", json!({"world": 1, "entity": "hero"})),
        request("world.destroy", json!({"world": 77})),
        request("query.sweep", json!({"world": 1, "kind": "hero", "from": [0, 50], "to": [100, -50]})),
        request("query.cast", json!({"world": 1, "from": [0, 50], "to": [100, -50]})),
        request("query.overlap", json!({"world": 1, "half": [5, 9], "at": [0, 0]})),
        request("query.rest_positions", json!({"world": 1, "kind": "hero", "from": [-50, -50], "to": [50, 50]})),
        request("plan.jump", json!({"world": 1, "entity": "hero", "to": [40, 0], "clearance": 20, "velocity": [1, 2]})),
        request("tests.list", json!({"filter": ["x"]})),
        request("$/cancelRequest", json!({"id": 5})),
        "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"world.observe\",\"params\":{\"world\":1}}]".into(),
    ]
}

const PIECES: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "\\",
    "null",
    "true",
    "-1",
    "1e308",
    "1e999",
    "0.5",
    "18446744073709551616",
    "NaN",
    "\u{7f}",
    "\\u0000",
    "\\ud800",
    "\"world\":",
    "\"id\":2,",
    "\"params\":",
    "world.",
    "[[[[",
    "é",
    " ",
    "\t",
    "9999999999",
];

/// Changes the first byte of this kind from `at` on, so that the message stays JSON.
fn swap(bytes: &mut [u8], at: usize, is_kind: fn(&u8) -> bool, to: u8) {
    if let Some(place) = bytes.iter().skip(at).position(is_kind) {
        bytes[at + place] = to;
    }
}

/// A damaged message: bytes changed, cut, doubled or inserted.
fn damaged(dice: &mut Dice, good: &[String]) -> Vec<u8> {
    let mut bytes = good[dice.below(good.len())].clone().into_bytes();
    for _ in 0..=dice.below(3) {
        let at = dice.below(bytes.len() + 1);
        match dice.below(10) {
            0 if at < bytes.len() => bytes[at] = dice.below(256) as u8,
            1 => bytes.truncate(at),
            2 => {
                let piece = PIECES[dice.below(PIECES.len())];
                bytes.splice(at..at, piece.bytes());
            }
            3 => {
                let end = (at + dice.below(20)).min(bytes.len());
                bytes.drain(at..end);
            }
            4 => {
                let end = (at + dice.below(30)).min(bytes.len());
                let part = bytes[at..end].to_vec();
                bytes.splice(at..at, part);
            }
            6 | 7 => swap(&mut bytes, at, u8::is_ascii_digit, b'0' + dice.below(10) as u8),
            8 => swap(&mut bytes, at, u8::is_ascii_lowercase, b'a' + dice.below(26) as u8),
            _ if at < bytes.len() => bytes[at] = b"0123456789-.e{}[]\",:"[dice.below(20)],
            _ => {}
        }
    }
    bytes.retain(|byte| *byte != b'\n');
    bytes
}

/// All answers to a message.
fn answers_to(session: &mut Session, number: u64, message: &[u8]) -> Vec<Value> {
    session.send_bytes(message);
    session.send_bytes(b"\n");
    // A message that has lost its id is a notification. This one shows where its answer would have been.
    let mark = format!("mark {number}");
    let params = json!({"world": 0});
    let end = json!({"jsonrpc": "2.0", "id": mark, "method": "world.observe", "params": params});
    session.send(&end.to_string());
    let mut answers = Vec::new();
    loop {
        let answer = session.read();
        if answer["id"] == mark {
            break;
        }
        // Lines of a trace that a damaged message has asked for are none.
        if answer.get("method").is_none() {
            answers.push(answer);
        }
    }
    // What takes another thread may be answered after the mark.
    if answers.is_empty() && !is_notification(message) {
        answers.push(session.read());
    }
    answers
}

#[test]
fn ten_thousand_damaged_messages_get_one_answer_each_and_hurt_nothing() {
    let folder = counting();
    let limits = ServiceLimits { ticks: 300, ..ServiceLimits::default() };
    let options = ServiceOptions { limits, ..ServiceOptions::default() };
    let mut session = Session::with(&folder, options);
    let mut other = Session::of(&session.service);
    let (world, others) = (session.create(), other.create());
    let saved = session.result("world.snapshot", &json!({"world": world}));
    let good = good(saved["snapshot"].as_str().expect("text"));
    let mut dice = Dice::new(20_261_123);
    let mut codes: BTreeSet<i64> = BTreeSet::new();
    let (mut results, mut silent) = (0, 0);
    for number in 0..MESSAGES {
        let message = damaged(&mut dice, &good);
        let text = String::from_utf8_lossy(&message).into_owned();
        let answers = answers_to(&mut session, number, &message);
        // One that repeats a member may be refused instead.
        let least = usize::from(!is_notification(&message));
        silent += 1 - least;
        assert!((least..=1).contains(&answers.len()), "{number}: {text}: {answers:?}");
        for answer in answers {
            let one = answer.as_array().map_or(&answer, |batch| &batch[0]);
            match one["error"]["code"].as_i64() {
                Some(code) => {
                    assert!(code != -32603, "{text}: {answer}");
                    codes.insert(code);
                }
                None => {
                    assert!(one.get("result").is_some(), "{text}: {answer}");
                    results += 1;
                    // Worlds that were asked for by the way.
                    if let Some(extra) = one["result"]["world"].as_u64() {
                        session.result("world.destroy", &json!({"world": extra}));
                    }
                }
            }
        }
    }
    assert!([-32700, -32600, -32601, -32602, -32003].iter().all(|code| codes.contains(code)), "{codes:?}");
    assert!(results > MESSAGES / 50, "only {results} were right");
    // A damaged message may have destroyed the world on purpose.
    let world = session.create();
    session.result("world.step", &json!({"world": world, "ticks": 5}));
    other.result("world.step", &json!({"world": others, "ticks": 5}));
    // A request that has lost its id makes worlds without an answer.
    assert!(session.service.worlds() <= 3 + silent, "{silent} notifications");
}

/// Whether JSON-RPC forbids an answer: good requests without an id. Their parameters are not read, as no answer
/// can say what is wrong with them, half of a surrogate pair for example.
fn is_notification(message: &[u8]) -> bool {
    let is_one = |value: &&RawValue| {
        let Ok(members) = serde_json::from_str::<BTreeMap<String, &RawValue>>(value.get()) else {
            return false;
        };
        let text = |name: &str| members.get(name).and_then(|value| serde_json::from_str::<String>(value.get()).ok());
        text("jsonrpc").as_deref() == Some("2.0") && text("method").is_some() && !members.contains_key("id")
    };
    match serde_json::from_slice::<Vec<&RawValue>>(message) {
        Ok(all) => !all.is_empty() && all.iter().all(is_one),
        Err(_) => serde_json::from_slice::<&RawValue>(message).is_ok_and(|value| is_one(&value)),
    }
}
