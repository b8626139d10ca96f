//! Playing in a service, as its page does: binary messages over a WebSocket.

use crate::{
    folder::Folder,
    sockets::{Socket, listening, request, socket, told},
    worlds::counting,
};
use flate2::read::DeflateDecoder;
use serde_json::{Value, json};
use std::{
    fs,
    io::Read as _,
    net::SocketAddr,
    time::{Duration, Instant},
};
use tungstenite::Message;

/// A page that is connected to a service.
struct Page {
    socket: Socket,
    /// The bytes after the text of the last answer.
    bytes: Vec<u8>,
}

impl Page {
    fn open(address: SocketAddr) -> Self {
        let mut socket = socket(address);
        told(&mut socket, &request(1, "initialize", json!({})));
        Self { socket, bytes: Vec::new() }
    }

    /// The answer to a message.
    fn tell(&mut self, message: Vec<u8>) -> Value {
        self.socket.send(Message::binary(message)).expect("it reads");
        let Message::Binary(deflated) = self.socket.read().expect("an answer") else {
            panic!("another answer");
        };
        let mut answer = Vec::new();
        DeflateDecoder::new(&deflated[..]).read_to_end(&mut answer).expect("it inflates");
        let (length, rest) = answer.split_first_chunk::<4>().expect("a length");
        let (text, bytes) = rest.split_at(u32::from_le_bytes(*length) as usize);
        self.bytes = bytes.into();
        serde_json::from_slice(text).expect("JSON")
    }

    /// The answer to calls, with these bytes after them.
    fn calls(&mut self, calls: Value, bytes: &[u8]) -> Value {
        let text = json!({"id": 7, "calls": calls}).to_string();
        let mut message = u32::try_from(text.len()).expect("short").to_le_bytes().to_vec();
        message.extend_from_slice(text.as_bytes());
        message.extend_from_slice(bytes);
        let answer = self.tell(message);
        assert_eq!(answer["id"], 7, "{answer}");
        answer
    }

    fn call(&mut self, name: &str, arguments: Value) -> Value {
        let answer = self.calls(json!([[name, arguments]]), &[]);
        assert_eq!(answer.get("error"), None, "{answer}");
        answer["value"].clone()
    }

    /// Writes a text into a file, and saves. Returns the messages.
    fn write(&mut self, path: &str, text: &str) -> Value {
        let write = json!(["write", [path, {"bytes": [0, text.len()]}]]);
        self.calls(json!([write, ["save", []]]), text.as_bytes())["value"].clone()
    }

    /// Waits for something to be seen in frames.
    fn until<R>(&mut self, what: &str, mut seen: impl FnMut(&Value) -> Option<R>) -> R {
        let until = Instant::now() + Duration::from_secs(60);
        while Instant::now() < until {
            let frame = self.call("frame", json!([null]));
            if let Some(found) = seen(&frame) {
                return found;
            }
        }
        panic!("{what} is never seen");
    }
}

/// A game whose hero runs at 100 px/s at once.
fn running_game() -> Folder {
    let folder = counting();
    folder.write("config/models/platformer.toml", "run_speed_min = 100.0\nrun_speed_max = 100.0\n");
    folder
}

#[test]
fn a_page_plays_in_the_service_with_keys_time_and_panel() {
    let folder = running_game();
    let (_program, address) = listening(&folder, &["--web"]);
    let mut page = Page::open(address);
    let started = page.call("start", json!([null, "", "", null]));
    assert_eq!((&started["ok"], &started["level"]), (&json!(true), &json!("levels/level.toml")), "{started}");
    let files = started["files"].as_array().expect("files");
    let script = files.iter().find(|file| file[0] == "scripts/hero.rhai").expect("a script");
    let at = |place: &Value| usize::try_from(place.as_u64().expect("a place")).expect("small");
    let (from, length) = (at(&script[1]["bytes"][0]), at(&script[1]["bytes"][1]));
    let written = fs::read(folder.path("scripts/hero.rhai")).expect("a script");
    assert_eq!(page.bytes[from..from + length], written);
    // Time passes by itself.
    page.call("resize", json!([64, 36]));
    let frame = page.until("the tenth tick", |frame| (frame["state"]["tick"].as_u64()? >= 10).then(|| frame.clone()));
    assert_eq!((&frame["width"], &frame["height"]), (&json!(64), &json!(36)));
    assert_eq!(page.bytes.len(), 64 * 36 * 4);
    // A key that is down for a second, after which time goes back to its middle.
    page.call("act", json!(["pause"]));
    page.call("frames", json!([2]));
    page.call("act", json!(["pause"]));
    let x = |state: &Value| state["x"].as_f64().expect("a number");
    let before = page.call("state", json!([]));
    page.call("press", json!(["ArrowRight"]));
    page.call("frames", json!([60]));
    let after = page.call("state", json!([]));
    assert!((x(&after) - x(&before) - 100.0).abs() < 5.0, "{before} {after}");
    let middle = after["position"].as_u64().expect("a position") - 30;
    page.call("show", json!([middle]));
    let shown = page.call("state", json!([]));
    assert_eq!((&shown["position"], &shown["paused"]), (&json!(middle), &json!(true)));
    assert!((x(&after) - x(&shown) - 50.0).abs() < 5.0, "{shown} {after}");
    // A number of the panel takes effect, and is not written by a service that does not write.
    for name in ["platformer.run_speed_min", "platformer.run_speed_max"] {
        page.call("tune", json!([name, 200.0, false, false]));
    }
    page.call("act", json!(["pause"]));
    page.call("frames", json!([10]));
    let before = page.call("state", json!([]));
    page.call("frames", json!([30]));
    let after = page.call("state", json!([]));
    assert!((x(&after) - x(&before) - 100.0).abs() < 10.0, "{before} {after}");
    page.call("panel_button", json!(["model"]));
    let saved = page.call("save_numbers", json!([]));
    assert!(saved["wrong"].to_string().contains("--write"), "{saved}");
    let refused = page.write("scripts/hero.rhai", "");
    assert_eq!((&refused[0]["file"], &refused[0]["severity"]), (&json!("scripts/hero.rhai"), &json!("error")));
    assert!(refused[0]["message"].to_string().contains("--write"), "{refused}");
    assert_eq!(fs::read(folder.path("scripts/hero.rhai")).expect("a script"), written);
    // The editor asks the same engine.
    let hover = page.call("hover", json!(["scripts/hero.rhai", "fn on_tick(me) { me.jump(); }", 22]));
    assert!(hover.to_string().contains("jump"), "{hover}");
}

#[test]
fn a_page_changes_files_of_the_game_if_the_service_writes_and_none_elsewhere() {
    let folder = running_game();
    let (_program, address) = listening(&folder, &["--web", "--write"]);
    let mut page = Page::open(address);
    page.call("start", json!([null, "", "", null]));
    let revision = page.call("state", json!([]))["revision"].clone();
    assert_eq!(page.write("config/models/platformer.toml", "run_speed_min = 321.0\n"), json!([]));
    assert_ne!(page.call("state", json!([]))["revision"], revision);
    let text = fs::read_to_string(folder.path("config/models/platformer.toml")).expect("a file");
    assert_eq!(text, "run_speed_min = 321.0\n");
    // What it has written itself is not news.
    for _ in 0..30 {
        assert_eq!(page.call("frame", json!([null]))["saved"], json!(null));
        std::thread::sleep(Duration::from_millis(10));
    }
    // A mistake is reported at its place, and the last good revision plays on.
    let messages = page.write("config/models/platformer.toml", "run_sped_min = 1.0\n");
    assert_eq!((&messages[0]["line"], &messages[0]["severity"]), (&json!(1), &json!("error")), "{messages}");
    assert_eq!(page.call("state", json!([]))["broken"], json!(true));
    page.call("write", json!(["scripts/mine.rhai", {"bytes": [0, 0]}]));
    assert!(folder.path("scripts/mine.rhai").is_file());
    page.call("write", json!(["scripts/mine.rhai", null]));
    assert!(!folder.path("scripts/mine.rhai").exists());
    for path in [
        "",
        "scripts",
        "hangtime.toml",
        "../escaped.toml",
        "config/../../escaped.toml",
        "/tmp/escaped.toml",
        ".hangtime/escaped.toml",
        "web/dist/escaped.js",
    ] {
        let refused = page.write(path, "x = 1");
        assert_eq!(refused[0]["file"], path, "{path:?} was written: {refused}");
    }
    #[cfg(unix)]
    {
        let outside = Folder::empty();
        std::os::unix::fs::symlink(outside.root(), folder.path("scripts/out")).expect("a link");
        let refused = page.write("scripts/out/escaped.rhai", "");
        assert_eq!(refused[0]["file"], "scripts/out/escaped.rhai", "{refused}");
        assert!(!outside.path("escaped.rhai").exists());
    }
}

#[test]
fn files_that_another_program_saves_reach_the_page() {
    let folder = running_game();
    let (_program, address) = listening(&folder, &["--web"]);
    let mut page = Page::open(address);
    page.call("start", json!([null, "", "", null]));
    let before = page.call("state", json!([]));
    folder.write("config/models/platformer.toml", "run_speed_min = 222.0\n");
    let saved = page.until("the file", |frame| frame["saved"].as_object().cloned());
    assert_eq!(saved["files"][0][0], "config/models/platformer.toml");
    assert_eq!(page.bytes[..22], *b"run_speed_min = 222.0\n");
    let after = page.call("state", json!([]));
    assert!(after["tick"].as_u64() >= before["tick"].as_u64());
    assert_ne!(after["revision"], before["revision"]);
    folder.write("config/models/platformer.toml", "run_speed_min = \n");
    let saved = page.until("the mistake", |frame| frame["saved"].as_object().cloned());
    assert_eq!(saved["messages"][0]["file"], "config/models/platformer.toml", "{saved:?}");
}

#[test]
fn a_page_watches_the_world_of_another_client_until_it_ends() {
    let folder = counting();
    let (_program, address) = listening(&folder, &["--web"]);
    let mut bot = socket(address);
    told(&mut bot, &request(1, "world.create", json!({"level": "level"})));
    told(&mut bot, &request(2, "world.step", json!({"world": 1, "ticks": 77})));
    let mut page = Page::open(address);
    page.call("start", json!([null, "", "", null]));
    let worlds = page.call("worlds", json!([]));
    assert_eq!(worlds, json!([[1, "levels/level.toml"]]));
    assert_eq!(page.call("watch", json!([5])), json!(false));
    assert_eq!(page.call("watch", json!([1])), json!(true));
    let frame = page.call("frame", json!([null]));
    assert_eq!(frame["state"]["tick"], 77);
    assert!(frame["pixels"].is_object());
    let step = told(&mut bot, &request(3, "world.step", json!({"world": 1, "inputs": "9 right"})));
    assert_eq!(step["result"]["tick"], 78);
    assert_eq!(page.call("frame", json!([null]))["state"]["tick"], 78);
    told(&mut bot, &request(4, "world.destroy", json!({"world": 1})));
    let frame =
        page.until("the end", |frame| (frame["effects"] == json!(["watched_world_ended"])).then(|| frame.clone()));
    assert_eq!(frame["state"]["level"], "levels/level.toml");
}

#[test]
fn broken_messages_of_a_page_have_an_error_and_the_next_one_an_answer() {
    let folder = counting();
    let (_program, address) = listening(&folder, &["--web"]);
    let mut page = Page::open(address);
    page.call("start", json!([null, "", "", null]));
    for broken in [
        vec![],
        vec![1, 2, 3],
        vec![255; 4],
        vec![255; 400],
        [&4_u32.to_le_bytes()[..], b"null"].concat(),
        [&2_u32.to_le_bytes()[..], b"{}"].concat(),
        [&1_u32.to_le_bytes()[..], &[0xC3]].concat(),
    ] {
        let answer = page.tell(broken.clone());
        assert!(answer["error"].is_string(), "{broken:?}: {answer}");
    }
    assert!(page.calls(json!([["no such call", []]]), &[])["error"].is_string());
    // Arguments that are missing, of other types or huge have some effect or none.
    let huge = [
        json!(null),
        json!(1e300),
        json!(-1),
        json!(u64::MAX),
        json!("\u{0}"),
        json!([[]]),
        json!({"bytes": [9, u64::MAX]}),
    ];
    for name in [
        "resize", "show", "tune", "point", "zoom", "pad", "press", "act", "watch", "open", "complete", "hover", "write",
    ] {
        for argument in &huge {
            page.calls(
                json!([[name, [argument, argument, argument, argument]], [name, []], ["frame", [argument]]]),
                &[],
            );
        }
    }
    // There still is something to see.
    page.call("open", json!(["level"]));
    page.call("resize", json!([64, 36]));
    page.call("frame", json!([null]));
    let (first, rest) = page.bytes[..64 * 36 * 4].split_at(4);
    assert!(rest.chunks(4).any(|pixel| pixel != first), "the picture has one color");
    page.call("start", json!([null, "", "", null]));
    assert_eq!(page.call("state", json!([]))["level"], "levels/level.toml");
}

#[test]
fn only_a_client_with_the_token_of_a_service_with_a_page_plays() {
    let folder = counting();
    for (arguments, is_web) in [(&["--web", "--token", "secret"][..], true), (&[], false)] {
        let (_program, address) = listening(&folder, arguments);
        let mut stranger = socket(address);
        stranger.send(Message::binary(vec![0; 8])).expect("it reads");
        let refused = stranger.read().expect("an answer").into_text().expect("text");
        assert!(refused.contains("text frames"), "{refused}");
        if is_web {
            told(&mut stranger, &request(1, "initialize", json!({"token": "secret"})));
            let mut page = Page { socket: stranger, bytes: Vec::new() };
            assert_eq!(page.call("start", json!([null, "", "", null]))["ok"], json!(true));
        }
    }
}
