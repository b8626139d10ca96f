//! Tests of `src/server/world_slot.rs`.

use crate::server::*;
use serde_json::Value;
use std::io::{BufRead as _, BufReader};

#[test]
fn a_world_that_panics_ends_alone_and_all_of_its_requests_are_answered_in_order() {
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
    let mut request = |id: u64, method: &str, params: String| {
        let text = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{params}}}"#);
        assert!(client.receive(text.as_bytes(), true).is_continue());
    };
    for id in [1, 2] {
        request(id, "world.create", r#"{"level":"playground"}"#.into());
    }
    let slot = link.worlds.lock()[&1].clone();
    let id = RequestId::read("3").expect("an id");
    slot.submit(WorldWork::Panic, Reply::open(&link, None, Some(id), 0), false);
    for ticks in 1..=3 {
        for world in [1, 2] {
            // The world may have ended already.
            request(2 + 2 * ticks + world - 1, "world.step", format!(r#"{{"world":{world},"ticks":{ticks}}}"#));
        }
    }
    let lines = BufReader::new(answers).lines().take(9);
    let answers: Vec<Value> = lines.map(|line| serde_json::from_str(&line.expect("text")).expect("JSON")).collect();
    link.requests.wait(0, Duration::from_secs(60));
    link.outbox.close();
    sender.join().expect("it only writes");
    assert_eq!(link.worlds.lock().keys().copied().collect::<Vec<_>>(), [2]);
    let of = |wanted: [u64; 4]| {
        let of_world = answers.iter().filter(|answer| wanted.contains(&answer["id"].as_u64().unwrap_or(0)));
        of_world
            .map(|answer| (answer["error"]["code"].as_i64(), answer["result"]["tick"].as_u64()))
            .collect::<Vec<_>>()
    };
    let ended = (Some(-32003), None);
    assert_eq!(of([1, 4, 6, 8])[1..], [ended; 3]);
    assert_eq!(of([1, 3, 3, 3]), [(None, Some(0)), (Some(-32603), None)]);
    assert_eq!(of([2, 5, 7, 9]), [(None, Some(0)), (None, Some(1)), (None, Some(3)), (None, Some(6))]);
    assert_eq!(service.used.worlds(), 1);
}
