//! An assistant of `hangtime mcp`: the whole of a task, from listing files to a test that proves an edit.

use crate::{folder::Folder, sockets::Program};
use hangtime::service::mcp::MCP_VERSIONS;
use serde_json::{Value, json};
use std::{
    fs,
    io::{BufRead, BufReader, Read as _, Write},
    path::{Path, PathBuf},
    process::{ChildStdin, ChildStdout, Command, Stdio},
};

/// A program that has started `hangtime mcp` for an assistant.
pub struct Assistant {
    pub program: Program,
    pub to: Option<ChildStdin>,
    pub from: BufReader<ChildStdout>,
    last: u64,
}

/// What a tool has answered.
pub struct Told {
    pub text: String,
    pub is_error: bool,
    /// All parts, the texts among them.
    pub content: Vec<Value>,
}

impl Assistant {
    /// An assistant of a game, whose program has these arguments after `mcp`.
    pub fn of(root: &Path, arguments: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_hangtime"))
            .arg("--root")
            .arg(root)
            .arg("mcp")
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let (to, from) = (child.stdin.take(), child.stdout.take().expect("a pipe"));
        Self { program: Program(child), to, from: BufReader::new(from), last: 0 }
    }

    pub fn send(&mut self, line: &[u8]) {
        let to = self.to.as_mut().expect("the input is open");
        to.write_all(line).and_then(|()| to.write_all(b"\n")).expect("the server reads");
    }

    /// The next message.
    pub fn read(&mut self) -> Value {
        let mut line = String::new();
        self.from.read_line(&mut line).expect("the server writes");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
    }

    /// The answer to a line.
    pub fn tell(&mut self, line: &str) -> Value {
        self.send(line.as_bytes());
        self.read()
    }

    /// Sends a request and returns its id.
    pub fn request(&mut self, method: &str, params: Value) -> u64 {
        self.last += 1;
        self.send(
            json!({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params})
                .to_string()
                .as_bytes(),
        );
        self.last
    }

    /// The answer to a request.
    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.request(method, params);
        let answer = self.read();
        assert_eq!(answer["id"], id, "{answer}");
        answer
    }

    /// What a tool answers.
    pub fn call(&mut self, tool: &str, arguments: Value) -> Told {
        let answer = self.ask("tools/call", json!({"name": tool, "arguments": arguments}));
        let result = &answer["result"];
        let content = result["content"].as_array().unwrap_or_else(|| panic!("{tool}: {answer}")).clone();
        let texts: Vec<&str> = content.iter().filter_map(|part| part["text"].as_str()).collect();
        Told { text: texts.join("\n"), is_error: result["isError"] == true, content }
    }

    /// The text that a tool answers without an error.
    pub fn good(&mut self, tool: &str, arguments: Value) -> String {
        let told = self.call(tool, arguments);
        assert!(!told.is_error, "{tool}: {}", told.text);
        told.text
    }

    /// The error of a tool.
    pub fn refused(&mut self, tool: &str, arguments: Value) -> String {
        let told = self.call(tool, arguments);
        assert!(told.is_error, "{tool}: {}", told.text);
        told.text
    }

    /// Closes stdin, and returns the rest of stdout and the exit code.
    pub fn finish(mut self) -> (Vec<String>, Option<i32>) {
        self.to = None;
        let lines = self.from.by_ref().lines().map(|line| line.expect("text")).collect();
        (lines, self.program.0.wait().expect("it ends").code())
    }
}

/// A copy of the built-in playground.
pub fn playground() -> Folder {
    let (folder, root) = (Folder::empty(), Path::new(env!("CARGO_MANIFEST_DIR")));
    let mut paths = ["config", "scripts", "levels"].map(PathBuf::from).to_vec();
    while let Some(path) = paths.pop() {
        let from = root.join(&path);
        if from.is_dir() {
            let names = fs::read_dir(from).expect("a folder").map(|entry| entry.expect("a file").file_name());
            paths.extend(names.map(|name| path.join(name)));
        } else {
            folder.write_bytes(path.to_str().expect("a plain name"), &fs::read(from).expect("a file"));
        }
    }
    folder
}

/// The number of a key in TOML.
fn number(toml: &str, key: &str) -> f64 {
    let table: toml::Table = toml.parse().expect("TOML");
    let value = table.get(key).unwrap_or_else(|| panic!("{key} in {toml}"));
    value.as_float().or(value.as_integer().map(|whole| whole as f64)).expect("a number")
}

/// How high the center of the hero rises in a run that traces every tick. Between two ticks it rises by v²/2g more.
fn apex(run: &str, gravity: f64) -> f64 {
    let trace = run.split("\ntrace:\n").nth(1).expect("a trace");
    let ticks = trace.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let heights: Vec<[f64; 2]> = ticks
        .map(|tick| ["pos", "vel"].map(|key| tick["entities"][0][key][1].as_f64().expect("a number")))
        .collect();
    let start = heights[0][0];
    let highest = heights.iter().rfind(|[_, up]| *up > 0.0).expect("it rises");
    highest[0] - start + highest[1] * highest[1] / (2.0 * gravity)
}

/// The height of a full jump: it rises with `speed` while the key is held, and then as far as a throw with that speed.
fn height(speed: f64, hold: f64, gravity: f64) -> f64 {
    speed * hold + speed * speed / (2.0 * gravity)
}

#[test]
fn an_assistant_makes_the_hero_jump_higher_and_proves_it_with_a_test() {
    let folder = playground();
    let mut assistant = Assistant::of(folder.root(), &["--write"]);
    let started = assistant.ask(
        "initialize",
        json!({"protocolVersion": MCP_VERSIONS[1], "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}),
    );
    assert_eq!(started["result"]["protocolVersion"], MCP_VERSIONS[1]);
    assistant.send(br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);

    // It finds the files and the number.
    let files = assistant.good("list_files", json!({}));
    for name in ["config/models/platformer.toml", "levels/playground.toml", "scripts/hero.rhai"] {
        assert!(files.lines().any(|line| line.starts_with(name)), "{name} in {files}");
    }
    let reference = assistant.good("search_reference", json!({"query": "jump height"}));
    assert!(reference.contains("platformer.jump_speed"), "{reference}");
    let item = assistant.good("search_reference", json!({"query": "platformer.jump_speed"}));
    assert!(item.contains("px/s"), "{item}");
    let model = assistant.good("read_file", json!({"path": "config/models/platformer.toml"}));
    let (speed, hold) = (number(&model, "jump_speed"), number(&model, "jump_hold_time"));
    let gravity = {
        let config = assistant.good("read_file", json!({"path": "config/hangtime.toml"}));
        let config: toml::Table = config.parse().expect("TOML");
        config["simulation"]["gravity"].as_float().expect("a number")
    };

    // It jumps as high as the numbers say.
    let jump = json!({
        "level": "playground", "inputs": "20\n60 jump\n", "entities": ["hero"], "fields": ["pos", "vel"], "every": 1,
    });
    let before = apex(&assistant.good("run_level", jump.clone()), gravity);
    assert!((before - height(speed, hold, gravity)).abs() < 1e-6, "{before}");

    // A slip is refused with its place, and a setting shows what an edit would do.
    let line = model.lines().find(|line| line.starts_with("jump_speed")).expect("the line");
    let row = 1 + model.lines().position(|other| other == line).expect("the line");
    let slip =
        json!({"edits": [{"path": "config/models/platformer.toml", "old": "jump_speed =", "new": "jump_sped ="}]});
    let refused = assistant.refused("propose_edit", slip);
    for part in [&format!("config/models/platformer.toml:{row}:1"), "jump_sped", "did you mean `jump_speed`?", "^"] {
        assert!(refused.contains(part), "{part} in {refused}");
    }
    assert_eq!(folder.read("config/models/platformer.toml"), model);
    let faster = 640.0;
    let mut tried = jump.clone();
    tried["settings"] = json!({"platformer.jump_speed": faster});
    let expected = height(faster, hold, gravity);
    let tried = apex(&assistant.good("run_level", tried), gravity);
    assert!((tried - expected).abs() < 1e-6, "{tried} instead of {expected}");

    // The edit, with the contracts that it breaks, and a test level that proves it.
    let kind = assistant.good("read_file", json!({"path": "config/entities/hero.toml"}));
    let (kept, contracts) = kind.split_once("[expect]").expect("contracts");
    assert!(contracts.contains("apex"), "{contracts}");
    let apex_line = format!("[expect]\napex = \"{expected:.2} ± 0.5\"\n");
    let level = "[[solid]]\nname = \"floor\"\npoints = [[-500, -100], [500, -100], [500, 0], [-500, 0]]\n\n\
                 [[entity]]\nkind = \"hero\"\nat = [0, 19]\nplayer = 1\n";
    let test = format!(
        "fn test_the_hero_jumps_{expected:.0}_px_high() {{\n    let t = play(\"high_jump.toml\");\n    \
         let hero = t.entity(\"hero\");\n    let start = hero.y;\n    t.hold(\"jump\");\n    t.run({hold} + 0.05);\n    \
         expect(hero.y - start + hero.vel.y * hero.vel.y / (2.0 * {gravity:?})).near({expected}, 0.001);\n}}\n"
    );
    let saved = assistant.good(
        "propose_edit",
        json!({"edits": [
            {"path": "config/models/platformer.toml", "old": line, "new": line.replacen("540.0", "640.0", 1)},
            {"path": "config/entities/hero.toml", "text": format!("{kept}{apex_line}")},
            {"path": "levels/tests/high_jump.toml", "text": level},
            {"path": "levels/tests/high_jump.rhai", "text": test},
        ]}),
    );
    assert!(saved.contains("saved levels/tests/high_jump.rhai"), "{saved}");
    assert_eq!(number(&folder.read("config/models/platformer.toml"), "jump_speed"), faster);
    assert_eq!(folder.read("levels/tests/high_jump.rhai"), test);
    let after = apex(&assistant.good("run_level", jump), gravity);
    assert!((after - expected).abs() < 1e-6, "{after} instead of {expected}");
    let tested = assistant.good("run_tests", json!({"filter": ["high_jump"]}));
    assert!(tested.starts_with("1 passed, 0 failed\n"), "{tested}");
    assert!(tested.contains(&format!("test_the_hero_jumps_{expected:.0}_px_high")), "{tested}");
    let contract = assistant.good("run_tests", json!({"filter": ["config/entities/hero.toml"]}));
    assert!(contract.starts_with("1 passed, 0 failed\n"), "{contract}");
    let feel = assistant.good("measure_feel", json!({"kind": "hero"}));
    let measured = feel.lines().find_map(|line| line.trim().strip_prefix("apex")).expect("an apex");
    assert!(measured.trim().starts_with(&format!("{expected:.2}")[..5]), "{measured}");
    let checked = assistant.good("check_game", json!({}));
    assert!(checked.contains("errors: 0"), "{checked}");
    let (rest, code) = assistant.finish();
    assert_eq!((rest, code), (vec![], Some(0)));
}

#[test]
fn a_failing_test_shows_its_line_and_its_values() {
    let folder = playground();
    let mut assistant = Assistant::of(folder.root(), &["--write"]);
    let test =
        "fn test_it_flies() {\n    let t = play(\"flat.toml\");\n    expect(t.entity(\"runner\").y).above(100);\n}\n";
    assistant.good("propose_edit", json!({"edits": [{"path": "levels/tests/fly.rhai", "text": test}]}));
    let failed = assistant.good("run_tests", json!({"filter": ["fly.rhai"]}));
    for part in ["0 passed, 1 failed", "levels/tests/fly.rhai:3:", "expected:", "got:      19"] {
        assert!(failed.contains(part), "{part} in {failed}");
    }
    assert!(!folder.path(".hangtime").exists(), "no recording is written");
}

#[test]
fn a_run_shows_pictures_a_film_and_why_a_jump_was_refused() {
    let folder = playground();
    let mut assistant = Assistant::of(folder.root(), &[]);
    // It jumps in the step to tick 21. A press 21 steps later is in the air, and longer before the landing than the buffer.
    let buffer = number(&folder.read("config/models/platformer.toml"), "jump_buffer");
    let told = assistant.call(
        "run_level",
        json!({
            "level": "playground", "inputs": "20\n17 jump\n4\n1 jump\n40\n", "why": ["hero"], "pictures": [0, 30], "film": true,
        }),
    );
    let why = told.text.split("\nwhy:\n").nth(1).expect("a part about why");
    let refused =
        format!("landing, buffer {:.0} (jump_buffer {buffer} s, config/models/platformer.toml:", buffer * 60.0);
    for part in ["jump refused: 21 ticks after its last jump, still in the air", &refused] {
        assert!(why.contains(part), "{part} in {why}");
    }
    let images: Vec<(&str, Vec<u8>)> = told.content[1..]
        .iter()
        .map(|part| {
            use base64::{Engine as _, engine::general_purpose::STANDARD};
            assert_eq!(part["type"], "image");
            let bytes = STANDARD.decode(part["data"].as_str().expect("base64")).expect("base64");
            (part["mimeType"].as_str().expect("a type"), bytes)
        })
        .collect();
    assert_eq!(images.iter().map(|(kind, _)| *kind).collect::<Vec<_>>(), ["image/png", "image/png", "image/gif"]);
    assert!(images[0].1.starts_with(b"\x89PNG") && images[2].1.starts_with(b"GIF8"));
    assert_ne!(images[0].1, images[1].1, "the hero has moved");
}
