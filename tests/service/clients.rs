//! Batches, notifications, cancellation, ends, and clients next to each other.

use crate::{folder::Folder, session::Session, watching::other_world, worlds::counting};
use hangtime::service::{ServiceLimits, ServiceOptions};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

fn request(id: impl Into<Value>, method: &str, params: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id.into(), "method": method, "params": params})
}

/// The answer in a batch with this id.
fn with_id(batch: &Value, id: impl Into<Value>) -> &Value {
    let id = id.into();
    let mut answers = batch.as_array().expect("a batch").iter();
    answers.find(|answer| answer["id"] == id).expect("an answer with this id")
}

#[test]
fn a_batch_is_answered_at_once_and_its_requests_run_in_order() {
    let folder = counting();
    let mut session = Session::new(&folder);
    let batch = json!([
        request(1, "world.create", &json!({"level": "level"})),
        request(2, "world.step", &json!({"world": 1, "ticks": 5})),
        request(3, "world.fork", &json!({"world": 1})),
        request(4, "world.step", &json!({"world": 2, "ticks": 5})),
        {"jsonrpc": "2.0", "method": "world.step", "params": {"world": 1}},
        7,
        request(5, "world.observe", &json!({"world": 1})),
    ]);
    let answers = session.tell(&batch.to_string());
    assert_eq!(answers.as_array().map(Vec::len), Some(6), "{answers}");
    assert_eq!(with_id(&answers, 2)["result"]["tick"], 5);
    assert_eq!(with_id(&answers, 4)["result"]["tick"], 10);
    assert_eq!(with_id(&answers, 5)["result"]["tick"], 6);
    assert_eq!(with_id(&answers, Value::Null)["error"]["code"], -32600);
    let many = json!(vec![1; 1001]);
    assert_eq!(session.tell(&many.to_string())["error"]["code"], -32004);
}

#[test]
fn notifications_are_carried_out_without_an_answer() {
    let folder = counting();
    let mut session = Session::new(&folder);
    let world = session.create();
    for method in ["world.step", "no.such.method", "world.observe"] {
        session.send(&json!({"jsonrpc": "2.0", "method": method, "params": {"world": world}}).to_string());
    }
    session.send(&json!([{"jsonrpc": "2.0", "method": "world.step", "params": {"world": world}}]).to_string());
    assert_eq!(session.result("world.observe", &json!({"world": world}))["tick"], 2);
}

#[test]
fn a_canceled_step_ends_after_a_whole_tick_and_other_worlds_do_not_wait() {
    let folder = Folder::with_script("fn on_tick(me) { let x = 0; while x < 2000 { x += 1; } this.n += 1; }");
    let mut session = Session::new(&folder);
    let (slow, other) = (session.create(), session.create());
    session.result("world.trace.subscribe", &json!({"world": slow, "observe": {"fields": ["pos"]}}));
    session.send(&request("slow", "world.step", &json!({"world": slow, "ticks": 1_000_000})).to_string());
    // A line of a tick shows that the step has begun.
    while session.read()["params"]["line"]["tick"] != 1 {}
    session.send(&request("later", "world.step", &json!({"world": slow})).to_string());
    session.send(&request("other", "world.step", &json!({"world": other, "ticks": 3})).to_string());
    assert_eq!(session.next_answer("other")["result"]["tick"], 3);
    session.send(&json!({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": "later"}}).to_string());
    session.send(&json!({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": "slow"}}).to_string());
    let canceled = session.next_answer("slow");
    assert_eq!(canceled["error"]["code"], -32800);
    let tick = canceled["error"]["data"]["tick"].as_u64().expect("a tick");
    assert!((1..1_000_000).contains(&tick), "{tick}");
    let hash = canceled["error"]["data"]["hash"].clone();
    let canceled = session.next_answer("later");
    assert_eq!(canceled["error"]["code"], -32800);
    assert_eq!(canceled["error"]["data"].get("tick"), None, "it had not begun");
    session.send(&request("seen", "world.observe", &json!({"world": slow})).to_string());
    let seen = session.next_answer("seen")["result"].take();
    assert_eq!(seen["tick"], tick);
    assert_eq!(seen["hash"], hash);
    assert_eq!(seen["entities"][0]["vars"]["n"], tick);
}

#[test]
fn the_end_of_the_input_waits_for_all_answers_and_ends_all_worlds() {
    let folder = counting();
    let mut session = Session::new(&folder);
    let service = session.service.clone();
    for id in 1..=20 {
        session.send(&request(id, "world.create", &json!({"level": "level", "seed": id})).to_string());
        session.send(&request(100 + id, "world.step", &json!({"world": id, "ticks": 200})).to_string());
    }
    // Without the end of its line.
    session.send_bytes(request("last", "check", &json!({})).to_string().as_bytes());
    let lines = session.finish();
    assert_eq!(lines.len(), 41);
    assert!(lines.iter().all(|line| line.contains("\"result\"")), "{lines:?}");
    assert_eq!((service.worlds(), service.clients()), (0, 0));
}

#[test]
fn what_follows_a_shutdown_in_its_batch_is_answered_and_not_carried_out() {
    let folder = counting();
    let mut session = Session::new(&folder);
    let batch = json!([
        request(1, "world.create", &json!({"level": "level"})),
        request(2, "shutdown", &json!({})),
        request(3, "world.create", &json!({"level": "level"})),
        {"jsonrpc": "2.0", "method": "world.create", "params": {"level": "level"}},
    ]);
    let answers = session.tell(&batch.to_string());
    assert_eq!(answers.as_array().map(Vec::len), Some(3), "{answers}");
    assert_eq!(with_id(&answers, 3)["error"]["code"], -32800);
    assert_eq!(session.read_line(), None);
    assert_eq!(session.service.worlds(), 0);
}

#[test]
fn requests_and_parameters_are_objects() {
    let folder = counting();
    let mut session = Session::new(&folder);
    let listed = json!([["2.0", 1, "world.create", {"level": "level"}]]);
    let answers = session.tell(&listed.to_string());
    assert_eq!(answers[0]["error"]["code"], -32600, "{answers}");
    let (code, message, data) = session.error("world.create", &json!(["level", 0]));
    assert_eq!((code, &data["place"]), (-32602, &json!("params")), "{message}");
    assert_eq!(session.service.worlds(), 0);
}

#[test]
fn shutdown_answers_last_and_ends_the_client() {
    let folder = counting();
    let mut session = Session::new(&folder);
    let mut other = Session::of(&session.service);
    other.create();
    let world = session.create();
    session.send(&request("s", "world.step", &json!({"world": world, "ticks": 500})).to_string());
    session.send(&request("end", "shutdown", &json!({})).to_string());
    assert_eq!(session.read()["id"], "s");
    assert_eq!(session.read()["id"], "end");
    assert_eq!(session.read_line(), None);
    assert_eq!(other.service.worlds(), 1);
    assert!(!other.service.wait(Duration::ZERO));
    other.result("world.step", &json!({"world": 1}));
    other.result("shutdown", &json!({"service": true}));
    assert!(other.service.wait(Duration::from_secs(10)));
}

#[test]
fn clients_do_not_see_each_others_worlds() {
    let folder = counting();
    let mut one = Session::new(&folder);
    let mut two = Session::of(&one.service);
    let (a, b) = (one.create(), two.create());
    assert_eq!((a, b), (1, 1));
    one.result("world.step", &json!({"world": 1, "ticks": 4}));
    assert_eq!(two.result("world.observe", &json!({"world": 1}))["tick"], 0);
    one.result("world.destroy", &json!({"world": 1}));
    assert_eq!(two.result("world.observe", &json!({"world": 1}))["tick"], 0);
}

#[test]
fn a_slow_subscriber_loses_lines_and_learns_how_many_or_lets_the_world_wait() {
    let folder = counting();
    let limits = ServiceLimits { waiting: 10, ..ServiceLimits::default() };
    for when_full in ["drop", "wait"] {
        let mut session = Session::with(&folder, ServiceOptions { limits, web: true, ..ServiceOptions::default() });
        let mut other = Session::of(&session.service);
        let (world, others) = (session.create(), other.create());
        let watched = other_world(&mut other);
        session.result("world.trace.subscribe", &json!({"world": world, "when_full": when_full}));
        let ticks = 2000;
        session.send(&request("s", "world.step", &json!({"world": world, "ticks": ticks})).to_string());
        // Nothing is read; others are served.
        other.result("world.step", &json!({"world": others, "ticks": 100}));
        if when_full == "drop" {
            // The world does not wait for the reader.
            let until = Instant::now() + Duration::from_secs(60);
            while other.result("world.watch", &json!({"watched": watched}))["tick"] != ticks {
                assert!(Instant::now() < until, "the world waits");
            }
        }
        let (mut seen, mut dropped, mut last) = (0, 0, None);
        loop {
            let message = session.read();
            if message["id"] == "s" {
                assert_eq!(message["result"]["tick"], ticks);
                break;
            }
            let params = &message["params"];
            let lost = params["dropped"].as_u64().unwrap_or(0);
            let tick = params["line"]["tick"].as_u64().expect("a tick");
            assert_eq!(Some(tick), last.map_or(Some(0), |last: u64| Some(last + lost + 1)));
            (seen, dropped, last) = (seen + 1, dropped + lost, Some(tick));
        }
        match when_full {
            "wait" => assert_eq!((seen, dropped), (ticks + 1, 0)),
            // A line counts the lines dropped before it; after the last one that was sent, more may have been dropped.
            _ => assert!(seen < ticks && (dropped > 0 || last < Some(ticks)), "{seen} seen, {dropped} dropped"),
        }
    }
}

#[test]
fn stopping_the_service_answers_what_runs() {
    let folder = Folder::with_script("fn on_tick(me) { let x = 0; while x < 2000 { x += 1; } }");
    let mut session = Session::new(&folder);
    let world = session.create();
    session.send(&request("s", "world.step", &json!({"world": world, "ticks": 1_000_000})).to_string());
    // Its answer shows that the step has been read.
    session.result("initialize", &json!({}));
    let since = Instant::now();
    session.service.stop();
    assert!(since.elapsed() < Duration::from_secs(30));
    let answer = session.read();
    assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!("s"), &json!(-32800)));
}

#[test]
fn requests_with_the_same_id_are_all_canceled() {
    let folder = Folder::with_script("fn on_tick(me) { let x = 0; while x < 2000 { x += 1; } this.n += 1; }");
    let mut session = Session::new(&folder);
    for _ in 0..2 {
        let world = session.create();
        let step = json!({"world": world, "ticks": 1_000_000});
        session.send(&request("same", "world.step", &step).to_string());
    }
    let cancel = json!({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": "same"}});
    session.send(&cancel.to_string());
    for _ in 0..2 {
        assert_eq!(session.read()["error"]["code"], -32800);
    }
}
