//! The program on stdin and stdout, and on a port.

use crate::{folder::Folder, worlds::counting};
use serde_json::{Value, json};
use std::{
    io::{BufRead, BufReader, ErrorKind, Read, Write},
    net::{Shutdown, SocketAddr, TcpStream},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    time::{Duration, Instant},
};
use tungstenite::{Message, WebSocket, client::IntoClientRequest as _, stream::MaybeTlsStream};

/// A running `hangtime serve`. Killed when it is dropped.
pub struct Program(pub Child);

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

pub fn command(folder: &Folder, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hangtime"));
    command
        .arg("serve")
        .args(arguments)
        .current_dir(folder.root())
        .env_remove("HANGTIME_TOKEN")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// A program that listens on a port of its choice.
pub fn listening(folder: &Folder, arguments: &[&str]) -> (Program, SocketAddr) {
    let arguments = [&["--listen", "127.0.0.1:0"], arguments].concat();
    let mut child = command(folder, &arguments).spawn().expect("the program starts");
    let mut said = String::new();
    let stderr = child.stderr.take().expect("a pipe");
    let mut stderr = BufReader::new(stderr);
    stderr.read_line(&mut said).expect("text");
    let address = said.trim().strip_prefix("listening on ").expect("an address");
    let address = address.parse().expect("an address");
    (Program(child), address)
}

pub fn request(id: u64, method: &str, params: Value) -> String {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string()
}

/// A client over TCP.
pub struct Wire {
    pub stream: TcpStream,
    from: BufReader<TcpStream>,
}

impl Wire {
    pub fn to(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).expect("it listens");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a timeout");
        let from = BufReader::new(stream.try_clone().expect("a stream"));
        Self { stream, from }
    }

    pub fn send(&mut self, line: &str) {
        // In one piece: the system holds back a second one until the first is acknowledged.
        self.stream.write_all(format!("{line}\n").as_bytes()).expect("it reads");
    }

    pub fn read(&mut self) -> Option<Value> {
        let mut line = String::new();
        match self.from.read_line(&mut line) {
            // What was sent after the last message that is heard breaks the connection.
            Err(error) if error.kind() == ErrorKind::ConnectionReset => return None,
            read => read.expect("it writes"),
        };
        // A half-closed connection may have a space after its last answer.
        (!line.trim().is_empty()).then(|| serde_json::from_str(&line).expect("JSON"))
    }

    pub fn tell(&mut self, line: &str) -> Value {
        self.send(line);
        self.read().expect("an answer")
    }
}

pub type Socket = WebSocket<MaybeTlsStream<TcpStream>>;

pub fn socket(address: SocketAddr) -> Socket {
    tungstenite::connect(format!("ws://{address}/")).expect("a handshake").0
}

pub fn told(socket: &mut Socket, line: &str) -> Value {
    socket.send(Message::text(line)).expect("it reads");
    loop {
        match socket.read().expect("an answer") {
            Message::Text(text) => return serde_json::from_str(&text).expect("JSON"),
            Message::Pong(_) => {}
            other => panic!("{other:?}"),
        }
    }
}

/// Sends a signal to a program.
pub fn signal(program: &Program, name: &str) {
    let status = Command::new("kill").args([name, &program.0.id().to_string()]).status();
    assert!(status.expect("kill").success());
}

/// Waits for the end of a program and returns its exit code.
pub fn code(program: &mut Program) -> Option<i32> {
    let until = Instant::now() + Duration::from_secs(60);
    while Instant::now() < until {
        if let Some(status) = program.0.try_wait().expect("a status") {
            return status.code();
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    panic!("the program does not end");
}

pub fn pipes(program: &mut Program) -> (ChildStdin, BufReader<ChildStdout>) {
    let to = program.0.stdin.take().expect("a pipe");
    let from = program.0.stdout.take().expect("a pipe");
    (to, BufReader::new(from))
}

#[test]
fn the_program_serves_stdin_until_its_end_and_exits_with_0() {
    let folder = counting();
    let mut program = Program(command(&folder, &[]).spawn().expect("the program starts"));
    let (mut to, mut from) = pipes(&mut program);
    writeln!(to, "{}", request(1, "world.create", json!({"level": "level"}))).expect("it reads");
    writeln!(to, "{}", request(2, "world.step", json!({"world": 1, "ticks": 50}))).expect("it reads");
    drop(to);
    let mut text = String::new();
    from.read_to_string(&mut text).expect("text");
    assert_eq!(text.lines().count(), 2, "{text}");
    assert_eq!(code(&mut program), Some(0));
}

#[test]
fn shutdown_and_sigterm_end_the_program_with_0() {
    let folder = Folder::with_script("fn on_tick(me) { let x = 0; while x < 2000 { x += 1; } }");
    let mut program = Program(command(&folder, &[]).spawn().expect("the program starts"));
    let (mut to, mut from) = pipes(&mut program);
    writeln!(to, "{}", request(1, "shutdown", json!({}))).expect("it reads");
    assert_eq!(code(&mut program), Some(0));
    let mut text = String::new();
    from.read_to_string(&mut text).expect("text");
    assert_eq!(text, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n");
    drop(to);

    let mut program = Program(command(&folder, &[]).spawn().expect("the program starts"));
    let (mut to, mut from) = pipes(&mut program);
    writeln!(to, "{}", request(1, "world.create", json!({"level": "level"}))).expect("it reads");
    writeln!(to, "{}", request(2, "world.step", json!({"world": 1, "ticks": 1_000_000}))).expect("it reads");
    // The answer to what comes after it shows that the step has been read.
    writeln!(to, "{}", request(3, "initialize", json!({}))).expect("it reads");
    let mut line = String::new();
    while !line.contains("\"id\":3") {
        line.clear();
        from.read_line(&mut line).expect("an answer");
    }
    signal(&program, "-TERM");
    assert_eq!(code(&mut program), Some(0));
    let mut rest = String::new();
    from.read_to_string(&mut rest).expect("text");
    let is_canceled = |line: &str| line.contains("\"id\":2") && line.contains("-32800");
    assert!(rest.lines().any(is_canceled), "{rest}");

    let (mut program, address) = listening(&folder, &[]);
    let mut wire = Wire::to(address);
    wire.tell(&request(1, "world.create", json!({"level": "level"})));
    wire.send(&request(2, "world.step", json!({"world": 1, "ticks": 1_000_000})));
    assert!(wire.tell(&request(3, "initialize", json!({})))["result"].is_object());
    signal(&program, "-TERM");
    assert_eq!(wire.read().expect("an answer")["error"]["code"], -32800);
    assert_eq!(wire.read(), None);
    assert_eq!(code(&mut program), Some(0));
}

#[test]
fn tcp_and_websocket_have_the_same_methods_on_one_port() {
    let folder = counting();
    let (_program, address) = listening(&folder, &[]);
    let (mut wire, mut socket) = (Wire::to(address), socket(address));
    let create = request(1, "world.create", json!({"level": "level", "seed": 5}));
    let step = request(2, "world.step", json!({"world": 1, "ticks": 30, "inputs": "9 right jump"}));
    for line in [create.as_str(), &step, "nonsense", "[]"] {
        assert_eq!(wire.tell(line), told(&mut socket, line), "{line}");
    }
    socket.send(Message::Ping("hello".into())).expect("it reads");
    assert_eq!(socket.read().expect("a pong"), Message::Pong("hello".into()));
    socket.send(Message::binary(vec![1, 2, 3])).expect("it reads");
    let Message::Text(text) = socket.read().expect("an answer") else {
        panic!("a text frame");
    };
    assert!(text.contains("-32600"), "{text}");
    // Numbers in a binary frame.
    let observe = json!({"columns": ["pos.x", "pos.y"], "format": "binary"});
    let line = request(3, "world.step", json!({"world": 1, "observe": observe}));
    let answer = told(&mut socket, &line);
    let Message::Binary(bytes) = socket.read().expect("numbers") else {
        panic!("a binary frame");
    };
    assert_eq!(answer["result"]["columns"]["binary"], 16);
    let seen = told(&mut socket, &request(4, "world.observe", json!({"world": 1})));
    let x = f64::from_le_bytes(bytes[..8].try_into().expect("8 bytes"));
    assert_eq!(json!(x), seen["result"]["entities"][0]["pos"][0]);
    let answer = told(&mut socket, &request(5, "shutdown", json!({})));
    assert_eq!(answer["result"], json!({}));
    assert!(matches!(socket.read(), Ok(Message::Close(_)) | Err(_)));
}

#[test]
fn web_pages_of_other_hosts_are_refused_without_a_token() {
    let folder = counting();
    let (_program, address) = listening(&folder, &[]);
    for (name, value) in [("Origin", "https://example.com"), ("Host", "example.com")] {
        let mut request = format!("ws://{address}/").into_client_request().expect("a request");
        request.headers_mut().insert(name, value.parse().expect("a value"));
        let refused = tungstenite::connect(request).expect_err("another host");
        assert!(refused.to_string().contains("403"), "{name}: {refused}");
    }
    let mut request = format!("ws://{address}/").into_client_request().expect("a request");
    request.headers_mut().insert("Origin", "http://localhost:8000".parse().expect("a value"));
    tungstenite::connect(request).expect("a page of this machine");
    // A form that a page sends to the port: the service hangs up.
    let mut wire = Wire::to(address);
    wire.send(&format!("POST / HTTP/1.1\r\n{}", request_line()));
    let mut answer = String::new();
    wire.from.read_to_string(&mut answer).expect("an answer");
    assert!(answer.starts_with("HTTP/1.1 400 "), "{answer}");
}

fn request_line() -> String {
    request(1, "world.create", json!({"level": "level"}))
}

#[test]
fn beyond_loopback_a_token_is_needed() {
    let folder = counting();
    let refused = command(&folder, &["--listen", "0.0.0.0:0"]).output().expect("the program starts");
    assert_eq!(refused.status.code(), Some(2));
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(said.contains("token") && said.contains("127.0.0.1"), "{said}");
    let (_program, address) = listening(&folder, &["--token", "secret"]);
    let mut wire = Wire::to(address);
    assert_eq!(wire.tell(&request_line())["error"]["code"], -32005);
    assert!(wire.tell(&request(2, "initialize", json!({"token": "secret"})))["result"].is_object());
    // The first request took a number, too.
    assert_eq!(wire.tell(&request_line())["result"]["world"], 2);
    let mut wire = Wire::to(address);
    assert_eq!(wire.tell(&request(2, "initialize", json!({"token": "guess"})))["error"]["code"], -32005);
    assert_eq!(wire.read(), None);
}

#[test]
fn a_client_that_dies_leaves_no_worlds_and_a_half_closed_one_gets_its_answers() {
    let folder = Folder::with_script("fn on_tick(me) { let x = 0; while x < 500 { x += 1; } }");
    let (_program, address) = listening(&folder, &["--most-worlds", "3"]);
    for _ in 0..4 {
        let mut wire = Wire::to(address);
        for _ in 0..3 {
            let created = wire.tell(&request_line());
            assert!(created["result"].is_object(), "{created}");
        }
        assert_eq!(wire.tell(&request_line())["error"]["code"], -32004);
        wire.send(&request(7, "world.step", json!({"world": 1, "ticks": 300})));
        wire.stream.shutdown(Shutdown::Write).expect("half closed");
        assert_eq!(wire.read().expect("an answer")["result"]["tick"], 300);
        assert_eq!(wire.read(), None);
    }
    // In the middle of long steps, without reading.
    for _ in 0..4 {
        let mut wire = Wire::to(address);
        for world in 1..=3 {
            wire.send(&request_line());
            wire.send(&request(7, "world.step", json!({"world": world, "ticks": 1_000_000})));
        }
        wire.read();
        wire.stream.shutdown(Shutdown::Both).expect("closed");
        drop(wire);
        let mut wire = Wire::to(address);
        let until = Instant::now() + Duration::from_secs(60);
        while wire.tell(&request_line()).get("result").is_none() {
            assert!(Instant::now() < until, "worlds of a dead client are left");
            std::thread::sleep(Duration::from_millis(20));
        }
        wire.send(&request(9, "shutdown", json!({})));
        while wire.read().is_some() {}
    }
}

#[test]
fn a_client_that_does_not_read_does_not_hold_up_others() {
    let folder = counting();
    let (_program, address) = listening(&folder, &[]);
    let mut slow = Wire::to(address);
    slow.tell(&request_line());
    slow.stream.set_write_timeout(Some(Duration::from_millis(300))).expect("a timeout");
    let line = request(3, "world.step", json!({"world": 1, "ticks": 3000, "observe": {"every": 1}}));
    // Each answer has more than a megabyte.
    for _ in 0..40 {
        if slow.stream.write_all(format!("{line}\n").as_bytes()).is_err() {
            break;
        }
    }
    let mut wire = Wire::to(address);
    assert_eq!(wire.tell(&request_line())["result"]["world"], 1);
    let step = wire.tell(&request(4, "world.step", json!({"world": 1, "ticks": 100})));
    assert_eq!(step["result"]["tick"], 100);
    // It gets all of its answers once it reads.
    let answer = slow.read().expect("an answer");
    assert_eq!(answer["result"]["observations"].as_array().map(Vec::len), Some(3000));
}

#[test]
fn a_silent_client_is_disconnected() {
    let folder = counting();
    let (_program, address) = listening(&folder, &["--idle", "1"]);
    let mut wire = Wire::to(address);
    wire.tell(&request_line());
    assert_eq!(wire.read(), None);
    let mut socket = socket(address);
    told(&mut socket, &request_line());
    assert!(matches!(socket.read(), Ok(Message::Close(_))));
    assert!(socket.read().is_err());
}
