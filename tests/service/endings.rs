//! How connections and the program end.

use crate::{
    folder::Folder,
    session::Session,
    sockets::{Program, Wire, code, command, listening, pipes, request, signal, socket, told},
    worlds::counting,
};
use hangtime::service::ServiceOptions;
use serde_json::{Value, json};
use std::{
    fs::OpenOptions,
    io::{Read as _, Write as _},
    time::{Duration, Instant},
};
use tungstenite::{
    Message, WebSocket,
    protocol::{
        CloseFrame,
        frame::{
            Frame,
            coding::{CloseCode, Data, OpCode},
        },
    },
};

/// The code with which a service closes a WebSocket.
fn close_code<S: std::io::Read + std::io::Write>(socket: &mut WebSocket<S>) -> Option<CloseCode> {
    loop {
        match socket.read().expect("a frame") {
            Message::Close(frame) => return frame.map(|frame| frame.code),
            Message::Text(_) => {}
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_websocket_is_closed_with_a_code_that_says_why() {
    let folder = counting();
    let (mut program, address) = listening(&folder, &["--most-message", "1"]);
    let mut ended = socket(address);
    assert_eq!(told(&mut ended, &request(1, "shutdown", json!({})))["result"], json!({}));
    assert_eq!(close_code(&mut ended), Some(CloseCode::Normal));
    // The client's own.
    let mut closed = socket(address);
    told(&mut closed, &request(1, "initialize", json!({})));
    for reason in [CloseCode::Normal, CloseCode::Away] {
        let mut closed = socket(address);
        let frame = CloseFrame { code: reason, reason: "done".into() };
        closed.close(Some(frame)).expect("it reads");
        assert_eq!(close_code(&mut closed), Some(reason));
    }
    // Mistakes in frames.
    let text = |bytes: &[u8]| Frame::message(bytes.to_vec(), OpCode::Data(Data::Text), true);
    let mut reserved = text(b"{}");
    reserved.header_mut().rsv1 = true;
    let long = "x".repeat(3_000_000);
    for (frame, reason) in [
        (text(b"\xff\xfe"), CloseCode::Invalid),
        (reserved, CloseCode::Protocol),
        (text(long.as_bytes()), CloseCode::Size),
    ] {
        let mut wrong = socket(address);
        wrong.send(Message::Frame(frame)).expect("it reads");
        assert_eq!(close_code(&mut wrong), Some(reason));
    }
    let mut left = socket(address);
    told(&mut left, &request(1, "initialize", json!({})));
    signal(&program, "-TERM");
    assert_eq!(close_code(&mut left), Some(CloseCode::Away));
    assert_eq!(code(&mut program), Some(0));
}

#[test]
fn a_client_of_a_websocket_gets_its_last_answers_when_the_service_ends() {
    let folder = Folder::with_script("fn on_tick(me) { let x = 0; while x < 2000 { x += 1; } }");
    let (mut program, address) = listening(&folder, &[]);
    let mut client = socket(address);
    told(&mut client, &request(1, "world.create", json!({"level": "level"})));
    let step = request(2, "world.step", json!({"world": 1, "ticks": 1_000_000}));
    client.send(Message::text(step)).expect("it reads");
    // Its answer shows that the step has been read.
    told(&mut client, &request(3, "initialize", json!({})));
    signal(&program, "-TERM");
    let Message::Text(text) = client.read().expect("an answer") else {
        panic!("a text frame");
    };
    assert!(text.contains("-32800"), "{text}");
    assert_eq!(close_code(&mut client), Some(CloseCode::Away));
    assert_eq!(code(&mut program), Some(0));
}

#[test]
fn a_client_without_the_token_loses_its_place_also_if_it_keeps_sending() {
    let folder = counting();
    let (_program, address) = listening(&folder, &["--token", "secret", "--idle", "1", "--most-clients", "2"]);
    let until = Instant::now() + Duration::from_secs(60);
    // Requests, and bytes that never become one.
    let mut busy = Wire::to(address);
    let mut dripping = Wire::to(address);
    let mut websocket = socket(address);
    for stream in [&busy.stream, &dripping.stream] {
        let short = Some(Duration::from_millis(50));
        stream.set_read_timeout(short).expect("a timeout");
    }
    let is_over = |stream: &mut std::net::TcpStream, bytes: &[u8]| {
        let mut read = [0; 4096];
        loop {
            match stream.read(&mut read) {
                Ok(0) => return true,
                Ok(_) => {}
                Err(error) if matches!(error.kind(), std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut) => {
                    break;
                }
                Err(_) => return true,
            }
        }
        stream.write_all(bytes).is_err()
    };
    let line = format!("{}\n", request(1, "check", json!({})));
    let mut over = [false; 2];
    while over != [true; 2] {
        assert!(Instant::now() < until, "they keep their places: {over:?}");
        over[0] = over[0] || is_over(&mut busy.stream, line.as_bytes());
        over[1] = over[1] || is_over(&mut dripping.stream, b" ");
    }
    while let Ok(message) = websocket.read() {
        assert!(!matches!(message, Message::Binary(_)));
    }
    // One that has shown it stays as long as it talks.
    while !stays_for_two_seconds(address) {
        assert!(Instant::now() < until, "it loses its place");
    }
}

/// Whether a client keeps its place while it talks, for twice as long as it may be silent. On a machine that stands still for
/// so long, it may not have talked in time, and is given up.
fn stays_for_two_seconds(address: std::net::SocketAddr) -> bool {
    let mut known = Wire::to(address);
    known.tell(&request(1, "initialize", json!({"token": "secret"})));
    let since = Instant::now();
    while since.elapsed() < Duration::from_secs(2) {
        let line = format!("{}\n", request(2, "tests.list", json!({})));
        let written = known.stream.write_all(line.as_bytes());
        let answer = written.ok().and_then(|()| known.read());
        if answer.is_none_or(|answer| !answer["result"].is_object()) {
            return false;
        }
    }
    true
}

#[test]
fn a_client_that_reads_no_more_ends_the_program_with_code_2() {
    let folder = counting();
    let mut program = Program(command(&folder, &[]).spawn().expect("the program starts"));
    let (mut to, from) = pipes(&mut program);
    drop(from);
    // Its input stays open.
    writeln!(to, "{}", request(1, "initialize", json!({}))).expect("it reads");
    assert_eq!(code(&mut program), Some(2));
    let mut said = String::new();
    let mut stderr = program.0.stderr.take().expect("a pipe");
    stderr.read_to_string(&mut said).expect("text");
    assert!(said.starts_with("error: cannot write to stdout: "), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    if let Ok(full) = OpenOptions::new().write(true).open("/dev/full") {
        let mut child = command(&folder, &[]);
        let child = child.stdout(full).spawn().expect("the program starts");
        let mut program = Program(child);
        let mut to = program.0.stdin.take().expect("a pipe");
        writeln!(to, "{}", request(1, "initialize", json!({}))).expect("it reads");
        assert_eq!(code(&mut program), Some(2));
    }
}

#[test]
fn a_folder_without_levels_is_not_served() {
    let folder = Folder::empty();
    let refused = |said: &str| {
        for arguments in [&[][..], &["--listen", "127.0.0.1:0"], &["--web"]] {
            let ended = command(&folder, arguments).output().expect("the program starts");
            assert_eq!(ended.status.code(), Some(2));
            assert!(ended.stdout.is_empty());
            let error = String::from_utf8_lossy(&ended.stderr).into_owned();
            assert!(error.contains(said), "{error}");
        }
    };
    let said =
        "error: this folder is not a game: it has no levels/ with levels in it; `hangtime new NAME` makes a game";
    refused(said);
    folder.write("config/entities/hero.toml", "");
    folder.write("levels/notes.txt", "");
    refused(said);
    // A level in a subfolder is one.
    folder.write("levels/caves/one.toml", crate::folder::LEVEL);
    let ended = command(&folder, &[]).output().expect("the program starts");
    assert_eq!(ended.status.code(), Some(0));
}

#[test]
fn without_config_the_error_of_a_level_names_what_is_missing() {
    let folder = Folder::empty();
    folder.write("levels/level.toml", crate::folder::LEVEL);
    let mut session = crate::session::Session::new(&folder);
    let (code, _, data) = session.error("world.create", &json!({"level": "level"}));
    assert_eq!(code, -32001);
    let lines = data["diagnostics"].as_array().expect("diagnostics");
    let errors: Vec<&str> = lines
        .iter()
        .filter(|line| line["severity"] == "error")
        .filter_map(|line| line["message"].as_str())
        .collect();
    assert_eq!(errors, ["there is no config/entities/hero.toml"]);
}

#[test]
fn clients_cannot_raise_the_budgets_of_scripts_unless_their_settings_are_trusted() {
    let folder = counting();
    let raised = json!({"scripts.operations": 100_000_000_u64});
    let mut session = Session::new(&folder);
    let create = |settings: &Value| json!({"level": "level", "settings": settings});
    let (code, message, data) = session.error("world.create", &create(&raised));
    assert_eq!(code, -32001, "{message}");
    let said = data["diagnostics"][0]["message"].as_str().unwrap_or_default().to_string();
    assert!(said.contains("a client cannot raise `scripts.operations` above 20000"), "{data}");
    assert!(said.contains("--trust-settings"), "{said}");
    let world = session.create();
    assert_eq!(session.error("world.set", &json!({"world": world, "settings": raised})).0, -32001);
    // Less, or as much as the game's file says, is allowed.
    session.result("world.create", &create(&json!({"scripts.operations": 500})));
    folder.write("config/hangtime.toml", "[scripts]\noperations = 60000\n");
    session.result("world.create", &create(&json!({"scripts.operations": 60_000})));
    let trusting = ServiceOptions { trust_settings: true, ..ServiceOptions::default() };
    let mut trusted = Session::with(&folder, trusting);
    let world = trusted.result("world.create", &create(&raised))["world"].clone();
    // A snapshot brings its settings along.
    let saved = trusted.result("world.snapshot", &json!({"world": world}))["snapshot"].clone();
    let mut session = Session::new(&folder);
    let world = session.create();
    assert_eq!(session.error("world.restore", &json!({"world": world, "snapshot": saved})).0, -32001);
}

#[test]
fn a_tick_that_does_not_end_is_stopped_after_its_cancellation_and_its_world_ends() {
    // Compiled, and a script that is interpreted.
    for body in ["let x = 0; while true { x += 1; }", "let x = []; loop { x.push(1); x.clear(); }"] {
        // The second tick does not end.
        let folder = Folder::with_script(&format!("fn on_tick(me) {{ this.n += 1; if this.n > 1 {{ {body} }} }}"));
        let budgets = "[scripts]\noperations = 100000000\ntick_operations = 4000000000\n";
        folder.write("config/hangtime.toml", budgets);
        let heroes = "[[entity]]\nkind = \"hero\"\nat = [-500, 19]\n".repeat(30);
        folder.write("levels/level.toml", &format!("{}{heroes}", crate::folder::LEVEL));
        let mut session = Session::new(&folder);
        let (world, other) = (session.create(), session.create());
        let request = |id: u64, method: &str, params: Value| {
            json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string()
        };
        // A cancellation that comes between the two ticks leaves the world as it is. Then it is tried again.
        let mut world = world;
        for id in (1_000..).step_by(2) {
            session.result("world.trace.subscribe", &json!({"world": world}));
            session.send(&request(id, "world.step", json!({"world": world, "ticks": 2})));
            while session.read()["params"]["line"]["tick"] != 1 {}
            session.send(&request(id + 1, "$/cancelRequest", json!({"id": id})));
            let since = Instant::now();
            let answers = [next_answer(&mut session), next_answer(&mut session)];
            assert!(since.elapsed() < Duration::from_secs(60), "{:?}", since.elapsed());
            let step = answers.into_iter().find(|answer| answer["id"] == id).expect("its answer");
            assert_eq!(step["error"]["code"], -32800, "{step}");
            if step["error"]["message"].as_str().unwrap_or_default().contains("the world has ended") {
                break;
            }
            session.result("world.destroy", &json!({"world": world}));
            world = session.create();
        }
        assert_eq!(session.error("world.observe", &json!({"world": world})).0, -32003);
        assert_eq!(session.result("world.observe", &json!({"world": other}))["tick"], 0);
    }
}

/// The next message, without the lines of traces.
fn next_answer(session: &mut Session) -> Value {
    loop {
        let message = session.read();
        if message["method"] != "world.trace" {
            return message;
        }
    }
}
