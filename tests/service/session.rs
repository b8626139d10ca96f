//! A client of a service in this process.

use crate::folder::Folder;
use hangtime::service::{ServedGame, Service, ServiceOptions};
use serde_json::{Value, json};
use std::{
    io::{BufRead, BufReader, PipeReader, PipeWriter, Write, pipe},
    path::Path,
    sync::Arc,
    thread::JoinHandle,
};

/// A client that sends lines to a service and reads its answers.
pub struct Session {
    pub service: Arc<Service>,
    to: Option<PipeWriter>,
    from: BufReader<PipeReader>,
    thread: Option<JoinHandle<()>>,
    last: u64,
}

impl Session {
    /// A client of the game in this folder.
    pub fn new(folder: &Folder) -> Self {
        Self::with(folder, ServiceOptions::default())
    }

    pub fn with(folder: &Folder, options: ServiceOptions) -> Self {
        Self::serving(folder.root(), options)
    }

    /// A client of the game at this path, with a service that has a page.
    pub fn with_page(root: &Path) -> Self {
        let web = true;
        Self::serving(root, ServiceOptions { web, ..ServiceOptions::default() })
    }

    fn serving(root: &Path, options: ServiceOptions) -> Self {
        let game = ServedGame::load(root).expect("a game folder");
        Self::of(&Arc::new(Service::new(Arc::new(game), options)))
    }

    /// Another client of a service.
    pub fn of(service: &Arc<Service>) -> Self {
        let (input, to) = pipe().expect("a pipe");
        let (from, output) = pipe().expect("a pipe");
        let serving = service.clone();
        let thread = std::thread::spawn(move || {
            let served = serving.serve(BufReader::new(input), Box::new(output));
            served.expect("a thread");
        });
        Self { service: service.clone(), to: Some(to), from: BufReader::new(from), thread: Some(thread), last: 0 }
    }

    /// Sends a line.
    pub fn send(&mut self, line: &str) {
        self.send_bytes(line.as_bytes());
        self.send_bytes(b"\n");
    }

    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let to = self.to.as_mut().expect("the input is open");
        to.write_all(bytes).expect("the service reads");
    }

    /// The next line, or `None` at the end.
    pub fn read_line(&mut self) -> Option<String> {
        let mut line = String::new();
        self.from.read_line(&mut line).expect("the service writes");
        (!line.is_empty()).then(|| line.trim_end().to_string())
    }

    /// The next message.
    pub fn read(&mut self) -> Value {
        let line = self.read_line().expect("an answer");
        serde_json::from_str(&line).expect("JSON")
    }

    /// The next message with an id, which must be this; lines of traces before it are skipped.
    pub fn next_answer(&mut self, id: &str) -> Value {
        loop {
            let message = self.read();
            if message["method"] != "world.trace" {
                assert_eq!(message["id"], id, "{message}");
                return message;
            }
        }
    }

    /// The answer to a line.
    pub fn tell(&mut self, line: &str) -> Value {
        self.send(line);
        self.read()
    }

    /// The answer to a request.
    pub fn call(&mut self, method: &str, params: &Value) -> Value {
        self.last += 1;
        let id = self.last;
        let answer = self.tell(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string());
        assert_eq!(answer["id"], id, "{answer}");
        answer
    }

    /// The result of a request that succeeds.
    pub fn result(&mut self, method: &str, params: &Value) -> Value {
        let mut answer = self.call(method, params);
        assert!(answer.get("error").is_none(), "{method} {params}: {answer}");
        answer["result"].take()
    }

    /// The error of a request that fails: its code, its message and its data.
    pub fn error(&mut self, method: &str, params: &Value) -> (i64, String, Value) {
        let answer = self.call(method, params);
        let error = &answer["error"];
        let code = error["code"].as_i64();
        let message = error["message"].as_str().unwrap_or_default().to_string();
        (code.unwrap_or_else(|| panic!("{method} {params}: {answer}")), message, error["data"].clone())
    }

    /// Creates a world of the level `level`.
    pub fn create(&mut self) -> u64 {
        let created = self.result("world.create", &json!({"level": "level", "seed": 7}));
        created["world"].as_u64().expect("a number")
    }

    /// Ends the input, and returns the rest of the output.
    pub fn finish(mut self) -> Vec<String> {
        self.to = None;
        let mut lines = Vec::new();
        while let Some(line) = self.read_line() {
            lines.push(line);
        }
        let thread = self.thread.take().expect("a thread");
        thread.join().expect("the service ends");
        lines
    }
}
