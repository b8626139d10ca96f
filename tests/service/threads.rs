//! Which thread carries out a request is not seen by clients: the one that reads it, or one of the pool.

use crate::{
    folder::Folder,
    session::Session,
    sockets::{Wire, listening, request},
    worlds::counting,
};
use serde_json::{Value, json};
use std::{
    net::Shutdown,
    time::{Duration, Instant},
};

/// A level whose ticks take long enough for a step to change threads.
fn busy() -> Folder {
    Folder::with_script(
        "fn on_tick(me) { let x = 0; while x < 200 { x += 1; } this.n += 1; if this.n % 50 == 0 { print(`n ${this.n}`); } }",
    )
}

#[test]
fn a_step_that_changes_threads_is_like_short_ones() {
    let folder = busy();
    let mut session = Session::new(&folder);
    for ticks in [1, 2, 3, 100, 1_000] {
        let (long, short) = (session.create(), session.create());
        let at_once = session.result(
            "world.step",
            &json!({"world": long, "ticks": ticks, "inputs": "3\n40 right", "observe": {"every": 1}}),
        );
        let (mut printed, mut lines, mut last) = (Vec::new(), Vec::new(), Value::Null);
        let inputs = json!({"world": short, "ticks": 0, "inputs": "3\n40 right"});
        session.result("world.step", &inputs);
        for _ in 0..ticks {
            last = session.result("world.step", &json!({"world": short, "observe": {}}));
            printed.extend(last["printed"].as_array().cloned().unwrap_or_default());
            lines.extend(last["observations"].as_array().cloned().unwrap_or_default());
        }
        assert_eq!(at_once["tick"], ticks);
        assert_eq!(at_once["hash"], last["hash"]);
        assert_eq!(at_once["observations"], Value::Array(lines));
        let of_long = at_once["printed"].as_array().cloned().unwrap_or_default();
        assert_eq!(of_long, printed);
        assert_eq!(printed.len(), ticks / 50);
    }
}

#[test]
fn the_last_tick_of_a_step_that_changes_threads_is_explained() {
    let folder = busy();
    let mut session = Session::new(&folder);
    let world = session.create();
    session.result("world.step", &json!({"world": world, "ticks": 2_000}));
    let why = session.result("world.why", &json!({"world": world, "entity": "hero"}));
    assert_eq!((&why["tick"], &why["recorded"]), (&json!(2_000), &json!(true)));
}

#[test]
fn a_client_that_reads_only_at_the_end_gets_all_answers() {
    let folder = counting();
    let (_program, address) = listening(&folder, &[]);
    let mut wire = Wire::to(address);
    wire.tell(&request(0, "world.create", json!({"level": "level"})));
    // One write each, so that the service hears many of them alone. Their answers are more than the connection holds.
    const COUNT: u64 = 20_000;
    for id in 1..=COUNT {
        wire.send(&request(id, "world.step", json!({"world": 1, "observe": {}})));
    }
    for id in 1..=COUNT {
        let answer = wire.read().expect("an answer");
        assert_eq!((&answer["id"], &answer["result"]["tick"]), (&json!(id), &json!(id)));
    }
}

#[test]
fn a_client_that_dies_with_thousands_of_open_steps_leaves_no_worlds() {
    let folder = Folder::with_script("fn on_tick(me) { let x = 0; while x < 500 { x += 1; } }");
    let (_program, address) = listening(&folder, &["--most-worlds", "1"]);
    let mut wire = Wire::to(address);
    wire.tell(&request(0, "world.create", json!({"level": "level"})));
    // All of them together would take hours.
    let step = request(1, "world.step", json!({"world": 1, "ticks": 1_000_000}));
    for _ in 0..5_000 {
        wire.send(&step);
    }
    wire.stream.shutdown(Shutdown::Both).expect("closed");
    drop(wire);
    let mut wire = Wire::to(address);
    let until = Instant::now() + Duration::from_secs(60);
    while wire.tell(&request(0, "world.create", json!({"level": "level"}))).get("result").is_none() {
        assert!(Instant::now() < until, "the world of a dead client is left");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// How many threads a program has.
#[cfg(target_os = "linux")]
fn threads(program: &crate::sockets::Program) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", program.0.id())).expect("it runs");
    let count = status.lines().find_map(|line| line.strip_prefix("Threads:"));
    count.and_then(|count| count.trim().parse().ok()).expect("a number of threads")
}

#[test]
#[cfg(target_os = "linux")]
fn a_thousand_worlds_with_open_steps_share_a_few_threads() {
    const COUNT: u64 = 1_000;
    let folder = Folder::with_script("fn on_tick(me) { let x = 0; while x < 500 { x += 1; } this.n += 1; }");
    let (program, address) = listening(&folder, &[]);
    let (mut busy, mut other) = (Wire::to(address), Wire::to(address));
    for world in 1..=COUNT {
        let created = busy.tell(&request(world, "world.create", json!({"level": "level"})));
        assert_eq!(created["result"]["world"], world, "{created}");
    }
    // Another client is served in the meantime, also with steps that take longer than a turn.
    other.tell(&request(0, "world.create", json!({"level": "level"})));
    let before = threads(&program);
    for world in 1..=COUNT {
        busy.send(&request(world, "world.step", json!({"world": world, "ticks": 1_000_000})));
    }
    let stepped = other.tell(&request(1, "world.step", json!({"world": 1, "ticks": 20})));
    assert_eq!(stepped["result"]["tick"], 20, "{stepped}");
    // A thread that helped to open the level may have ended in the meantime.
    let now = threads(&program);
    assert!(now <= before, "{before} threads became {now}");
    let most = std::thread::available_parallelism().map_or(1, usize::from) as u64 + 16;
    assert!(before <= most, "{before} threads");
    for world in 1..=COUNT {
        busy.send(&json!({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": world}}).to_string());
    }
    // The first worlds have made ticks, and every step is answered.
    let mut moved = 0;
    for _ in 1..=COUNT {
        let canceled = busy.read().expect("an answer");
        assert_eq!(canceled["error"]["code"], -32800, "{canceled}");
        moved += u64::from(canceled["error"]["data"]["tick"].as_u64().is_some_and(|tick| tick > 0));
    }
    assert!(moved > 0);
}

#[test]
fn two_worlds_of_a_client_step_side_by_side() {
    let folder = Folder::with_script("fn on_tick(me) { let x = 0; while x < 500 { x += 1; } }");
    let mut session = Session::new(&folder);
    let (one, two) = (session.create(), session.create());
    let mut step = |id: &str, world: u64, ticks: u64| {
        session.send(
            &json!({"jsonrpc": "2.0", "id": id, "method": "world.step", "params": {"world": world, "ticks": ticks}})
                .to_string(),
        );
    };
    // The long step would take minutes, and the short one has several turns in the meantime.
    step("long", one, 1_000_000);
    step("short", two, 200);
    assert_eq!(session.read()["id"], "short");
    session.send(&json!({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": "long"}}).to_string());
    assert_eq!(session.read()["id"], "long");
}
