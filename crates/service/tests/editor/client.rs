//! An editor in the same process.

use crate::folder::Folder;
use hangtime_game::GameFolder;
use hangtime_script::STACK;
use hangtime_service::editor::serve_on;
use lsp_server::{Connection, Message, Notification, Request};
use serde_json::{Value, json};
use std::{
    path::Path,
    thread::{Builder, JoinHandle},
};

/// A connected editor.
pub struct Editor {
    connection: Connection,
    server: JoinHandle<()>,
    pub folder: Folder,
    root: String,
    asked: i32,
}

impl Editor {
    pub fn start(folder: Folder) -> Self {
        Self::start_with(folder, json!({}))
    }

    /// Starts as an editor that can do this.
    pub fn start_with(folder: Folder, capabilities: Value) -> Self {
        let root = folder.root().to_path_buf();
        Self::connect(folder, &root, capabilities)
    }

    /// Starts in another folder.
    pub fn start_in(folder: Folder, root: &Path) -> Self {
        Self::connect(folder, root, json!({}))
    }

    fn connect(folder: Folder, root: &Path, capabilities: Value) -> Self {
        let (server, connection) = Connection::memory();
        let game = GameFolder::new(root);
        let thread = Builder::new().stack_size(STACK);
        let server = thread.spawn(move || serve_on(&server, &game).expect("it ends in good order"));
        let server = server.expect("a thread");
        let root = root.display().to_string();
        let mut editor = Self { connection, server, folder, root, asked: 0 };
        editor.ask("initialize", json!({ "capabilities": capabilities }));
        editor.tell("initialized", json!({}));
        editor
    }

    pub fn uri(&self, file: &str) -> String {
        format!("file://{}/{file}", self.root)
    }

    pub fn tell(&self, method: &str, params: Value) {
        let message = Notification::new(method.into(), params);
        self.connection.sender.send(message.into()).expect("the server reads");
    }

    /// The next message of the server.
    pub fn next(&self) -> Message {
        self.connection.receiver.recv().expect("the server writes")
    }

    /// Asks, and returns the answer or the message of an error.
    pub fn try_ask(&mut self, method: &str, params: Value) -> Result<Value, String> {
        self.asked += 1;
        let request = Request::new(self.asked.into(), method.into(), params);
        self.connection.sender.send(request.into()).expect("the server reads");
        loop {
            if let Message::Response(answer) = self.connection.receiver.recv().expect("the server answers") {
                return match answer.error {
                    Some(error) => Err(error.message),
                    None => Ok(answer.result.unwrap_or_default()),
                };
            }
        }
    }

    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        self.try_ask(method, params).expect("an answer")
    }

    /// Opens a file with a text that need not be saved.
    pub fn open(&self, file: &str, text: &str) {
        let document = json!({ "uri": self.uri(file), "languageId": "rhai", "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
    }

    /// Types a text, and returns the messages about it.
    pub fn types(&self, file: &str, text: &str) -> Vec<Value> {
        // Messages about the game as it was saved come first.
        while self.connection.receiver.try_recv().is_ok() {}
        self.open(file, text);
        loop {
            let message = self.connection.receiver.recv().expect("the server writes");
            if let Message::Notification(said) = message
                && said.params["uri"] == self.uri(file)
            {
                return said.params["diagnostics"].as_array().expect("a list").clone();
            }
        }
    }

    /// Asks about the place of `§` in a text, with more parameters.
    pub fn try_at(&mut self, file: &str, marked: &str, method: &str, more: Value) -> Result<Value, String> {
        let before = &marked[..marked.find('§').expect("a mark")];
        let line = before.matches('\n').count();
        let character = before.rsplit('\n').next().map_or(0, |line| line.encode_utf16().count());
        self.open(file, &marked.replace('§', ""));
        let mut params = json!({
            "textDocument": { "uri": self.uri(file) },
            "position": { "line": line, "character": character },
        });
        for (key, value) in more.as_object().into_iter().flatten() {
            params[key] = value.clone();
        }
        self.try_ask(&format!("textDocument/{method}"), params)
    }

    pub fn at(&mut self, file: &str, marked: &str, method: &str) -> Value {
        self.try_at(file, marked, method, json!({})).expect("an answer")
    }

    /// The labels of what fits at the place.
    pub fn completed(&mut self, file: &str, marked: &str) -> Vec<String> {
        let items = self.at(file, marked, "completion");
        let items = items.as_array().expect("a list").iter();
        items.map(|item| item["label"].as_str().expect("a label").into()).collect()
    }

    pub fn stop(mut self) {
        self.ask("shutdown", Value::Null);
        self.tell("exit", Value::Null);
        self.server.join().expect("it ends");
    }
}

/// The byte at a position, by the rule of the protocol: lines, and UTF-16 code units in them.
pub fn byte_at(text: &str, position: &Value) -> usize {
    let line = position["line"].as_u64().expect("a line") as usize;
    let mut units = position["character"].as_u64().expect("a column") as usize;
    let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
    let mut at = start;
    for c in text[start..].chars() {
        if units == 0 {
            break;
        }
        units -= c.len_utf16();
        at += c.len_utf8();
    }
    at
}

/// A text with edits, which do not overlap.
pub fn edited(text: &str, edits: &Value) -> String {
    let mut all: Vec<(usize, usize, &str)> = edits
        .as_array()
        .expect("a list of edits")
        .iter()
        .map(|edit| {
            let at = |key: &str| byte_at(text, &edit["range"][key]);
            (at("start"), at("end"), edit["newText"].as_str().expect("a text"))
        })
        .collect();
    all.sort_unstable();
    let mut new = text.to_string();
    for (start, end, with) in all.into_iter().rev() {
        new.replace_range(start..end, with);
    }
    new
}
