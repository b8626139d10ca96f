//! An editor that speaks to `hangtime lsp`, for tests.

use crate::folder::Folder;
use serde_json::{Value, json};
use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

/// An editor that is connected to the server.
pub struct Editor {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    next: i64,
    pub folder: Folder,
    /// What was said, as lines: `→` to the server, `←` from it.
    log: Vec<String>,
}

impl Editor {
    pub fn start(folder: Folder) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_hangtime"))
            .arg("lsp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let to = child.stdin.take().expect("stdin");
        let from = BufReader::new(child.stdout.take().expect("stdout"));
        let mut editor = Self { child, to, from, next: 0, folder, log: Vec::new() };
        let root = editor.uri("");
        let folders = json!([{ "uri": root, "name": "game" }]);
        let started =
            editor.ask("initialize", json!({ "processId": null, "capabilities": {}, "workspaceFolders": folders }));
        assert_eq!(started["capabilities"]["hoverProvider"], true);
        editor.tell("initialized", json!({}));
        editor
    }

    pub fn uri(&self, file: &str) -> String {
        format!("file://{}/{file}", self.folder.root().display())
    }

    pub fn send(&mut self, message: &Value) {
        let text = message.to_string();
        self.log.push(format!("→ {text}"));
        write!(self.to, "Content-Length: {}\r\n\r\n{text}", text.len()).expect("the server reads");
        self.to.flush().expect("the server reads");
    }

    pub fn tell(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let id = self.next;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        loop {
            let message = self.receive();
            if message["id"] == id {
                assert!(message["error"].is_null(), "{message}");
                return message["result"].clone();
            }
        }
    }

    pub fn receive(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            self.from.read_line(&mut line).expect("the server writes");
            match line.trim() {
                "" => break,
                line => {
                    if let Some(n) = line.strip_prefix("Content-Length: ") {
                        length = n.parse().expect("a number");
                    }
                }
            }
        }
        let mut bytes = vec![0; length];
        self.from.read_exact(&mut bytes).expect("a message");
        let text = String::from_utf8(bytes).expect("text");
        self.log.push(format!("← {text}"));
        serde_json::from_str(&text).expect("JSON")
    }

    pub fn open(&mut self, file: &str, text: &str) -> Vec<String> {
        let uri = self.uri(file);
        let document = json!({ "uri": uri, "languageId": "rhai", "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
        self.messages_after(file)
    }

    pub fn change(&mut self, file: &str, text: &str) -> Vec<String> {
        let uri = self.uri(file);
        self.tell(
            "textDocument/didChange",
            json!({ "textDocument": { "uri": uri, "version": 2 }, "contentChanges": [{ "text": text }] }),
        );
        self.messages_after(file)
    }

    /// The messages about a text that was typed. Levels are checked when they are saved.
    fn messages_after(&mut self, file: &str) -> Vec<String> {
        match file.contains("levels/") && file.ends_with(".toml") {
            true => Vec::new(),
            false => self.messages_about(file),
        }
    }

    /// The next messages about a file, each with its line and column from 1.
    pub fn messages_about(&mut self, file: &str) -> Vec<String> {
        let uri = self.uri(file);
        loop {
            let message = self.receive();
            let params = &message["params"];
            if message["method"] == "textDocument/publishDiagnostics" && params["uri"] == uri.as_str() {
                let all = params["diagnostics"].as_array().expect("a list").iter();
                let one = |d: &Value| {
                    let start = &d["range"]["start"];
                    let at = |key: &str| start[key].as_u64().expect("a number") + 1;
                    format!("{}:{}: {}", at("line"), at("character"), d["message"].as_str().expect("text"))
                };
                return all.map(one).collect();
            }
        }
    }

    /// Asks about the place of `§` in a text, which is what the file holds now.
    pub fn at(&mut self, file: &str, marked: &str, method: &str) -> Value {
        let at = marked.find('§').expect("a mark");
        let before = &marked[..at];
        let line = before.matches('\n').count();
        let character = before.rsplit('\n').next().map_or(0, |l| l.encode_utf16().count());
        let text = marked.replace('§', "");
        if self.uri(file).ends_with(".rhai") || file.ends_with(".toml") {
            self.change(file, &text);
        }
        let uri = self.uri(file);
        let position = json!({ "line": line, "character": character });
        self.ask(method, json!({ "textDocument": { "uri": uri }, "position": position }))
    }

    pub fn completed(&mut self, file: &str, marked: &str) -> Vec<String> {
        let items = self.at(file, marked, "textDocument/completion");
        let items = items.as_array().expect("a list").iter();
        items.map(|item| item["label"].as_str().expect("a label").into()).collect()
    }

    pub fn hover(&mut self, file: &str, marked: &str) -> String {
        let found = self.at(file, marked, "textDocument/hover");
        found["contents"]["value"].as_str().unwrap_or_default().into()
    }

    /// The definitions, each as `file:line:column`.
    pub fn defined(&mut self, file: &str, marked: &str) -> Vec<String> {
        let root = self.uri("");
        let found = self.at(file, marked, "textDocument/definition");
        let found = found.as_array().expect("a list").iter();
        let one = |place: &Value| {
            let start = &place["range"]["start"];
            let at = |key: &str| start[key].as_u64().expect("a number") + 1;
            let uri = place["uri"].as_str().expect("an address").replace(&root, "");
            format!("{uri}:{}:{}", at("line"), at("character"))
        };
        found.map(one).collect()
    }

    pub fn stop(mut self) -> Vec<String> {
        self.ask("shutdown", Value::Null);
        self.tell("exit", Value::Null);
        let ended = self.child.wait().expect("it ends");
        assert!(ended.success(), "{ended}");
        self.log
    }
}
