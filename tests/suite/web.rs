//! `web`: the page of a game, served from this machine or written to be uploaded.

use crate::{
    folder::Folder,
    program::{code, command, err, game, run},
};
use serde_json::Value;
use std::{
    fs,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::TcpStream,
    process::{Child, Stdio},
};

/// A game next to a page, which is as small as one can be.
fn game_with_page() -> Folder {
    let folder = game();
    folder.write("page/index.html", "<p>page</p>");
    folder.write("page/hangtime.wasm", "not really");
    folder.write("page/game.json", "null");
    folder
}

/// The running program, which ends with this.
struct Served {
    program: Child,
    port: u16,
}

impl Served {
    fn start(folder: &Folder) -> Self {
        let mut command = command(folder.root(), &["web", "--page", "page", "--port", "0"]);
        let mut program = command.stderr(Stdio::piped()).spawn().expect("the program starts");
        let mut line = String::new();
        BufReader::new(program.stderr.take().expect("its messages"))
            .read_line(&mut line)
            .expect("a line");
        let port = line.trim().trim_end_matches('/').rsplit(':').next().and_then(|port| port.parse().ok());
        Self { program, port: port.unwrap_or_else(|| panic!("no address: {line}")) }
    }

    /// The head and the body of the answer to a request.
    fn ask(&self, request: &str, host: &str) -> (String, String) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("it listens");
        write!(stream, "{request} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").expect("a request");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
        (head.to_string(), body.to_string())
    }

    fn get(&self, path: &str) -> (String, String) {
        self.ask(&format!("GET {path}"), &format!("127.0.0.1:{}", self.port))
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

#[test]
fn without_a_built_page_web_says_how_to_make_it() {
    let folder = game();
    let output = run(folder.root(), &["web", "--page", "nothing"]);
    assert_eq!(code(&output), 2);
    assert_eq!(
        err(&output),
        "error: no page was found in nothing. To make one, run `web/build` in a copy of hangtime's source code\n"
    );
}

#[test]
fn an_exported_page_has_the_files_of_the_game() {
    let folder = game_with_page();
    folder.write("scripts/note.txt", "no file of a game");
    let output = run(folder.root(), &["web", "--page", "page", "--export", "site"]);
    assert_eq!(code(&output), 0, "{}", err(&output));
    assert_eq!(fs::read_to_string(folder.path("site/index.html")).expect("the page"), "<p>page</p>");
    let packed = fs::read(folder.path("site/game.json")).expect("the game");
    let packed: Value = serde_json::from_slice(&packed).expect("JSON");
    let files = packed["files"].as_object().expect("files");
    for (name, text) in files {
        assert_eq!(text, &fs::read_to_string(folder.path(name)).expect("a file of the game"), "{name}");
    }
    let level = packed["level"].as_str().expect("a level");
    assert!(files.contains_key(level) && files.keys().any(|name| name.ends_with(".rhai")), "{packed}");
    assert!(!files.keys().any(|name| name.ends_with(".txt") || name.starts_with("page/")), "{packed}");
    // The same folder again is an update of the page; another folder with files is not.
    let again = run(folder.root(), &["web", "--page", "page", "--export", "site"]);
    assert_eq!(code(&again), 0, "{}", err(&again));
    let other = run(folder.root(), &["web", "--page", "page", "--export", "levels"]);
    assert_eq!(code(&other), 2);
    assert!(err(&other).contains("the folder has other files"), "{}", err(&other));
}

#[test]
fn outside_a_game_folder_the_page_has_the_built_in_game() {
    let folder = Folder::empty();
    folder.write("page/index.html", "");
    folder.write("page/game.json", "null");
    let output = run(folder.root(), &["web", "--page", "page", "--export", "site"]);
    assert_eq!(code(&output), 0, "{}", err(&output));
    assert_eq!(fs::read_to_string(folder.path("site/game.json")).expect("no game"), "null");
}

#[test]
fn the_page_is_served_with_the_files_as_they_are_to_this_machine_alone() {
    let folder = game_with_page();
    let served = Served::start(&folder);
    let (head, body) = served.get("/?embed");
    assert!(head.starts_with("HTTP/1.1 200") && head.contains("text/html"), "{head}");
    assert_eq!(body, "<p>page</p>");
    assert!(served.get("/hangtime.wasm").0.contains("application/wasm"));
    for text in ["fn on_tick(me) {}", "fn on_tick(me) { this.n += 2; }"] {
        folder.write("scripts/hero.rhai", text);
        let packed: Value = serde_json::from_str(&served.get("/game.json").1).expect("JSON");
        assert_eq!(packed["files"]["scripts/hero.rhai"], text);
    }
    for path in ["/nothing", "/../Cargo.toml", "/page/index.html", "/%2e%2e/levels"] {
        assert!(served.get(path).0.starts_with("HTTP/1.1 404"), "{path}");
    }
    let (head, _) = served.ask("GET /game.json", "evil.example");
    assert!(head.starts_with("HTTP/1.1 403"), "{head}");
    let (head, _) = served.ask("POST /game.json", &format!("localhost:{}", served.port));
    assert!(head.starts_with("HTTP/1.1 405"), "{head}");
}
