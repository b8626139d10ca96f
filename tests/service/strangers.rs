//! Clients that do not show the token: they take little, and lose their place.

use crate::{
    sockets::{Program, Wire, listening, request, socket, told},
    worlds::counting,
};
use serde_json::json;
use std::{io::Write as _, time::Duration};
use tungstenite::{Message, protocol::frame::coding::CloseCode};

/// The most memory for a client that has not shown the token, KiB.
const MOST_MEMORY: u64 = 64;

/// A field of the program's memory, KiB: without the pages of files; none where the system does not say.
fn memory(program: &Program, field: &str) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{}/status", program.0.id())).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(field))?;
    line.trim().split(' ').next()?.parse().ok()
}

#[test]
fn clients_that_never_show_the_token_take_little_memory() {
    let folder = counting();
    let (program, address) = listening(&folder, &["--token", "secret"]);
    // Starts what all clients share.
    let mut known = Wire::to(address);
    let initialize = request(1, "initialize", json!({"token": "secret"}));
    assert!(known.tell(&initialize)["result"].is_object());
    let Some(before) = memory(&program, "RssAnon:") else { return };
    let endless = vec![b'x'; 4 << 20];
    let empty = vec![b'\n'; 1 << 20];
    let mut wires = Vec::new();
    for i in 0..60 {
        let mut wire = Wire::to(address);
        let short = Some(Duration::from_millis(200));
        wire.stream.set_write_timeout(short).expect("a timeout");
        // A line without an end, a short one without an end, and lines whose answers are not read. It may hang up.
        let _ = wire.stream.write_all(match i % 3 {
            0 => &endless,
            1 => &endless[..4_000],
            _ => &empty,
        });
        wires.push(wire);
    }
    // The service reads what they have sent while it serves another client.
    let most = (0..100).filter_map(|_| {
        assert!(known.tell(&initialize)["id"] == 1);
        memory(&program, "RssAnon:")
    });
    let taken = most.max().expect("as before").saturating_sub(before);
    assert!(taken <= 60 * MOST_MEMORY, "60 clients take {taken} KiB");
}

#[test]
fn messages_are_short_until_the_token_is_shown() {
    let folder = counting();
    let (_program, address) = listening(&folder, &["--token", "secret"]);
    let long = request(1, "world.create", json!({"level": "x".repeat(10_000)}));
    let initialize = request(2, "initialize", json!({"token": "secret"}));
    let mut wire = Wire::to(address);
    let refused = wire.tell(&long);
    assert_eq!(refused["error"]["code"], -32004, "{refused}");
    assert!(refused.to_string().contains("4096 bytes"), "{refused}");
    assert!(wire.tell(&initialize)["result"].is_object());
    assert_eq!(wire.tell(&long)["error"]["code"], -32001);

    let mut late = socket(address);
    assert!(told(&mut late, &initialize)["result"].is_object());
    assert_eq!(told(&mut late, &long)["error"]["code"], -32001);
    let mut early = socket(address);
    assert_eq!(told(&mut early, &long)["error"]["code"], -32004);
    let Message::Close(Some(close)) = early.read().expect("the end") else {
        panic!("it is not closed");
    };
    assert_eq!(close.code, CloseCode::Size);
}

#[test]
fn a_batch_does_not_show_the_token() {
    let folder = counting();
    let (_program, address) = listening(&folder, &["--token", "secret"]);
    let initialize = request(1, "initialize", json!({"token": "secret"}));
    let mut wire = Wire::to(address);
    let refused = wire.tell(&format!("[{initialize}{}]", ",1".repeat(900)));
    assert_eq!((&refused["id"], &refused["error"]["code"]), (&json!(null), &json!(-32005)), "{refused}");
    assert!(wire.tell(&initialize)["result"].is_object());
    assert!(wire.tell(&format!("[{initialize}]"))[0]["result"].is_object());
}

#[test]
fn a_client_without_the_token_that_does_not_read_makes_room_for_others() {
    let folder = counting();
    let (_program, address) = listening(&folder, &["--token", "secret", "--most-clients", "1"]);
    let mut stranger = Wire::to(address);
    let short = Some(Duration::from_millis(300));
    stranger.stream.set_write_timeout(short).expect("a timeout");
    // Each line has an answer, and more of them than a connection takes.
    let lines = vec![b'\n'; 1 << 20];
    let hangs_up = (0..100).any(|_| match stranger.stream.write_all(&lines) {
        Ok(()) => false,
        Err(error) => !matches!(error.kind(), std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut),
    });
    assert!(hangs_up, "it is still connected");
    let initialize = request(1, "initialize", json!({"token": "secret"}));
    let until = std::time::Instant::now() + Duration::from_secs(20);
    while Wire::to(address).tell(&initialize).get("result").is_none() {
        assert!(std::time::Instant::now() < until, "its place is taken");
        std::thread::sleep(Duration::from_millis(50));
    }
}
