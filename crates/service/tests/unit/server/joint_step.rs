//! Tests of `src/server/joint_step.rs`.

use crate::server::*;
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader};

#[test]
fn a_world_that_panics_ends_alone_and_the_others_of_its_step_continue() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let game = Arc::new(ServedGame::load(folder).expect("a folder"));
    let service = ServiceShared::new(game, ServiceOptions::default());
    let (answers, written) = std::io::pipe().expect("a pipe");
    let sink = Box::new(OpaqueSink::new(Box::new(written)));
    let admission = Admission::new(&service, false);
    let link = ClientLink::new(&service, sink, MessageFraming::Lines, None, admission);
    let sender = link.clone();
    let sender = std::thread::spawn(move || sender.outbox.run());
    let mut client = Client::new(&link);
    let mut answers = BufReader::new(answers).lines();
    let mut ask = |id: u64, method: &str, params: Value| {
        let text = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string();
        assert!(client.receive(text.as_bytes(), true).is_continue());
        let line = answers.next().expect("an answer").expect("text");
        let answer: Value = serde_json::from_str(&line).expect("JSON");
        assert_eq!(answer["id"], id);
        answer
    };
    for id in 1..=3 {
        ask(id, "world.create", json!({"level": "playground"}));
    }
    let slot = link.worlds.lock()[&2].clone();
    slot.world.lock().as_mut().expect("a world").panics = true;
    let observe = json!({"columns": ["age"], "entities": ["hero"]});
    let step = json!({"worlds": [3, 2, 1], "ticks": 6, "observe": observe});
    let all = ask(4, "worlds.step", step);
    let result = &all["result"];
    assert_eq!(result["ticks"], json!([6, null, 6]));
    assert!(result["hashes"][0].is_string() && result["hashes"][1].is_null(), "{all}");
    assert_eq!(result["columns"][0]["worlds"], json!([3, 2, 1]));
    let report = result["reports"].as_array().expect("reports").iter().find(|report| report["world"] == 2);
    assert!(report.expect("a report")["ended"].as_str().is_some_and(|why| why.contains("bug")), "{all}");
    assert_eq!(ask(5, "worlds.step", json!({"worlds": [2]}))["error"]["code"], -32003);
    assert_eq!(ask(6, "worlds.step", json!({"worlds": [1, 3]}))["result"]["ticks"], json!([7, 7]));
    assert_eq!(service.used.worlds(), 2);
    link.outbox.close();
    sender.join().expect("it only writes");
}
