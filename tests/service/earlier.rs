//! Worlds that earlier versions have saved.

use crate::{folder::Folder, session::Session};
use serde_json::{Value, json};
use std::{fs::read_to_string, path::Path};

#[test]
fn a_world_that_0_2_saved_continues_as_it_did_there() {
    let earlier = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/earlier");
    // The game is in a recording of the same day.
    let recording = read_to_string(earlier.join("jump-0.2.run")).expect("a recording");
    let revision: Value = serde_json::from_str(recording.lines().nth(1).expect("a revision")).expect("JSON");
    let folder = Folder::empty();
    for (name, file) in revision["files"].as_object().expect("files") {
        folder.write(name, file["text"].as_str().expect("a text"));
    }
    let mut session = Session::new(&folder);
    let world = session.result("world.create", &json!({"level": "first"}))["world"].clone();
    let snapshot = read_to_string(earlier.join("moment-0.2.txt")).expect("a snapshot");
    let restored = session.result("world.restore", &json!({"world": world, "snapshot": snapshot.trim()}));
    // What 0.2 has said about this moment, and a second later.
    assert_eq!((&restored["tick"], &restored["hash"]), (&json!(60), &json!("9ec9d400ea06eb5f")));
    let later = session.result("world.step", &json!({"world": world, "ticks": 60}));
    assert_eq!((&later["tick"], &later["hash"]), (&json!(120), &json!("2cf48ea60a1aeef1")));
}
