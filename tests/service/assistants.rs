//! `hangtime mcp` against everything that is not a well-made request: versions, errors, paths, sizes, torn lines.

use crate::{
    assistant::{Assistant, playground},
    folder::Folder,
    worlds::counting,
};
use hangtime::service::mcp::{MCP_VERSIONS, tool_table};
use serde_json::{Value, json};
use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

/// The parameters of a request of the version without a handshake.
fn stateless(params: &Value) -> Value {
    let mut params = params.clone();
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": MCP_VERSIONS[0],
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    params
}

fn code(answer: &Value) -> i64 {
    answer["error"]["code"].as_i64().unwrap_or_else(|| panic!("an error: {answer}"))
}

#[test]
fn the_version_is_negotiated() {
    let folder = counting();
    let mut assistant = Assistant::of(folder.root(), &[]);
    let mut version = |asked: &str| {
        let params = json!({"protocolVersion": asked, "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
        assistant.ask("initialize", params)["result"]["protocolVersion"].clone()
    };
    for known in &MCP_VERSIONS[1..] {
        assert_eq!(version(known), *known);
    }
    // A version that needs no handshake, one between two, ones beyond all.
    for (asked, answered) in [
        (MCP_VERSIONS[0], "2025-11-25"),
        ("2025-03-26", "2024-11-05"),
        ("2999-01-01", "2025-11-25"),
        ("1.0", "2025-11-25"),
    ] {
        assert_eq!(version(asked), answered, "{asked}");
    }
    assert_eq!(code(&assistant.ask("initialize", json!({}))), -32602);
}

#[test]
fn requests_without_a_handshake_say_their_version_and_get_complete_results() {
    let folder = counting();
    let mut assistant = Assistant::of(folder.root(), &[]);
    let found = assistant.ask("server/discover", stateless(&json!({})))["result"].take();
    assert_eq!(found["supportedVersions"], json!(MCP_VERSIONS));
    let listed = assistant.ask("tools/list", stateless(&json!({})))["result"].take();
    let told = assistant.ask("tools/call", stateless(&json!({"name": "list_files"})))["result"].take();
    for result in [&found, &listed, &told] {
        assert_eq!(result["resultType"], "complete");
        assert_eq!(result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "hangtime");
    }
    for result in [&found, &listed] {
        assert_eq!(result["cacheScope"], "private");
        assert!(result["ttlMs"].is_u64());
    }
    // With a handshake, results have none of that.
    let plain = assistant.ask("tools/list", json!({}))["result"].take();
    assert_eq!(plain.as_object().map(|all| all.keys().cloned().collect::<Vec<_>>()), Some(vec!["tools".to_string()]));
    assert_eq!(plain["tools"], listed["tools"]);
    let mut other = stateless(&json!({}));
    other["_meta"]["io.modelcontextprotocol/protocolVersion"] = "1900-01-01".into();
    let refused = assistant.ask("tools/list", other);
    assert_eq!(code(&refused), -32022);
    assert_eq!(refused["error"]["data"], json!({"supported": MCP_VERSIONS, "requested": "1900-01-01"}));
    assert_eq!(code(&assistant.ask("server/discover", json!({}))), -32602);
    let lacking = json!({"_meta": {"io.modelcontextprotocol/protocolVersion": MCP_VERSIONS[0]}});
    assert_eq!(code(&assistant.ask("tools/list", lacking)), -32602);
}

#[test]
fn every_tool_has_a_title_a_schema_and_hints_that_follow_from_write() {
    let folder = counting();
    for (arguments, writes) in [(&[][..], false), (&["--write"][..], true)] {
        let mut assistant = Assistant::of(folder.root(), arguments);
        let listed = assistant.ask("tools/list", json!({}))["result"]["tools"].take();
        for tool in listed.as_array().expect("tools") {
            let (name, schema) = (tool["name"].as_str().expect("a name"), &tool["inputSchema"]);
            assert!(!tool["title"].as_str().expect("a title").is_empty());
            assert!(tool["description"].as_str().expect("a description").len() > 40, "{name}");
            assert_eq!(schema["type"], "object", "{name}");
            assert_eq!(schema["additionalProperties"], false, "{name}");
            assert!(!schema.to_string().contains("$ref"), "{name}");
            for (argument, about) in schema["properties"].as_object().expect("arguments") {
                assert!(about["description"].is_string(), "{name}: {argument}");
            }
            let changes = writes && name == "propose_edit";
            assert_eq!(tool["annotations"]["readOnlyHint"], !changes, "{name}");
            assert_eq!(tool["annotations"]["destructiveHint"], changes, "{name}");
            assert_eq!(tool["annotations"]["openWorldHint"], false);
        }
    }
}

#[test]
fn the_page_lists_the_tools() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/agents.md");
    let page = std::fs::read_to_string(path).expect("the page");
    let (start, rest) = page.split_once("| tool | does | arguments |").expect("a table");
    let (_, end) = rest.split_once("\n\n").expect("an end");
    let current = format!("{start}{}\n{end}", tool_table());
    if std::env::var_os("HANGTIME_WRITE_DOCS").is_some() {
        std::fs::write(path, &current).expect("docs can be written");
    } else {
        assert!(
            page == current,
            "docs/agents.md is stale: run `HANGTIME_WRITE_DOCS=1 cargo test --test service -- page`"
        );
    }
    let versions = MCP_VERSIONS.map(|version| format!("`{version}`")).join(", ");
    assert!(page.contains(&versions), "the page names the versions {versions}");
}

#[test]
fn wrong_messages_are_answered_with_the_codes_of_json_rpc() {
    let folder = counting();
    let mut assistant = Assistant::of(folder.root(), &[]);
    let long = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"ping","params":{{"x":"{}"}}}}"#, "x".repeat(9 << 20));
    let deep = "[".repeat(100_000);
    for (line, expected) in [
        ("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"pi", -32700),
        ("", -32700),
        ("no json", -32700),
        ("7", -32600),
        ("{}", -32600),
        (&deep, -32600),
        (r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, -32600),
        (r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, -32600),
        (&long, -32600),
        (r#"{"jsonrpc":"2.0","id":1,"method":"tools/lst"}"#, -32601),
        (r#"{"jsonrpc":"2.0","id":1,"method":"resources/list"}"#, -32601),
        (r#"{"jsonrpc":"2.0","id":1,"method":"tools/call"}"#, -32602),
        (r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[]}"#, -32602),
        (r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":7}}"#, -32602),
        (r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_fil"}}"#, -32602),
    ] {
        let answer = assistant.tell(line);
        assert_eq!(code(&answer), expected, "{}: {answer}", &line[..line.len().min(80)]);
    }
    assistant.send(b"\xff\xfe\x00");
    assert_eq!(code(&assistant.read()), -32700);
    // What is wrong with arguments is for the assistant, which can do better.
    for (tool, arguments, part) in [
        ("read_file", json!({}), "missing field `path`"),
        ("read_file", json!({"path": 7}), "arguments.path"),
        ("read_file", json!({"file": "x"}), "unknown field `file`"),
        ("run_level", json!({"level": "level", "ticks": -1}), "arguments.ticks"),
        ("run_level", json!({"level": "level", "tick": 5}), "did you mean `ticks`?"),
        ("run_level", json!({"level": "levl"}), "did you mean `level`?"),
        ("run_level", json!({"level": "level", "entities": ["heros"]}), "did you mean `hero`?"),
        ("run_level", json!({"level": "level", "every": 0}), "`every`"),
        ("run_level", json!({"level": "level", "inputs": "5 jmp"}), "inputs:1:3"),
        ("run_level", json!({"level": "level", "settings": {"platformer.jump": 1}}), "platformer.jump"),
        ("measure_feel", json!({"kind": "her"}), "hero"),
        ("run_tests", json!({"filter": ["nothing has this name"]}), "no test matches"),
        ("search_reference", json!({"query": "qqqq"}), "nothing in the reference"),
    ] {
        let told = assistant.refused(tool, arguments);
        assert!(told.contains(part), "{part} in {told}");
    }
    // Notifications, answers and a request of nothing are heard without a word.
    for quiet in [
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}"#,
        r#"{"jsonrpc":"2.0","method":"tools/call","params":{"name":"list_files"}}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
    ] {
        assistant.send(quiet.as_bytes());
    }
    assert_eq!(assistant.ask("ping", json!({}))["result"], json!({}));
}

#[test]
fn nothing_outside_of_the_game_is_read_or_written() {
    let outside = Folder::empty();
    outside.write("secret.toml", "secret = 1\n");
    let folder = counting();
    folder.write("notes.txt", "not of the game\n");
    folder.write("levels/.hidden.toml", "x = 1\n");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(outside.path("secret.toml"), folder.path("levels/link.toml")).expect("a link");
        std::os::unix::fs::symlink(outside.root(), folder.path("levels/out")).expect("a link");
        std::os::unix::fs::symlink(outside.path("new.toml"), folder.path("levels/dangling.toml")).expect("a link");
    }
    let absolute = outside.path("secret.toml").display().to_string();
    let mut assistant = Assistant::of(folder.root(), &["--write"]);
    let listed = assistant.good("list_files", json!({}));
    assert!(!listed.contains("secret") && !listed.contains("notes") && !listed.contains("hidden"), "{listed}");
    for path in [
        "../secret.toml",
        "levels/../../secret.toml",
        "levels/./level.toml",
        "./levels/level.toml",
        "levels//level.toml",
        &absolute,
        "/etc/passwd",
        "levels/link.toml",
        "levels/out/secret.toml",
        "levels/dangling.toml",
        "notes.txt",
        "levels",
        "levels/",
        "",
        "levels/.hidden.toml",
        "levels/\0.toml",
        "C:\\windows\\win.ini",
        "file:///etc/passwd",
        ".git/config",
    ] {
        let told = assistant.refused("read_file", json!({"path": path}));
        assert!(!told.contains("secret = 1"), "{path}: {told}");
        assistant.refused("propose_edit", json!({"edits": [{"path": path, "text": "# mine\n"}]}));
        assistant.refused("propose_edit", json!({"edits": [{"path": path, "remove": true}]}));
    }
    for path in [
        "levels/new.exe",
        "levels/.new.toml",
        "scripts/run.sh",
        "levels/out/new.toml",
        "new.toml",
        "src/main.rs",
        "levels/level.toml/x.toml",
        "levels/x.png",
        "levels/x.trace",
        "mods/a.toml",
        "config/../new.toml",
    ] {
        let told = assistant.refused("propose_edit", json!({"edits": [{"path": path, "text": "# mine\n"}]}));
        assert!(told.contains("not a file that a game has"), "{path}: {told}");
    }
    for outside in ["..", "../", "/", "/etc", "../../etc"] {
        assistant.refused("check_game", json!({"paths": [outside]}));
        assistant.refused("run_level", json!({"level": outside}));
    }
    let told = assistant.refused("run_level", json!({"level": absolute}));
    assert!(!told.contains("secret = 1"), "{told}");
    assert_eq!(outside.read("secret.toml"), "secret = 1\n");
    let left: Vec<_> = std::fs::read_dir(outside.root()).expect("the folder").collect();
    assert_eq!(left.len(), 1);
    assert_eq!(folder.read("notes.txt"), "not of the game\n");
    assert_eq!(assistant.ask("ping", json!({}))["result"], json!({}));
}

#[test]
fn without_write_an_edit_is_only_checked() {
    let folder = counting();
    let before = folder.read("scripts/hero.rhai");
    let mut assistant = Assistant::of(folder.root(), &[]);
    let edit = |text: &str| json!({"edits": [{"path": "scripts/hero.rhai", "text": text}]});
    let told = assistant.good("propose_edit", edit("fn on_tick(me) { this.n += 2; }\n"));
    assert!(told.contains("Nothing was written") && told.contains("`--write`"), "{told}");
    let told = assistant.refused("propose_edit", edit("fn on_tick(me) {\n    this.n += ;\n}\n"));
    assert!(told.contains("scripts/hero.rhai:2:"), "{told}");
    assistant.good(
        "propose_edit",
        json!({"edits": [{"path": "levels/new.toml", "text": folder.read("levels/level.toml")}]}),
    );
    assistant.good("run_level", json!({"level": "level", "film": true, "pictures": [1], "ticks": 10}));
    assert_eq!(folder.read("scripts/hero.rhai"), before);
    assert!(!folder.path("levels/new.toml").exists());
}

#[test]
fn edits_are_taken_together_or_not_at_all() {
    let folder = counting();
    let mut assistant = Assistant::of(folder.root(), &["--write"]);
    let kind = "config/entities/hero.toml";
    let (before, script) = (folder.read(kind), folder.read("scripts/hero.rhai"));
    let old = "vars = { n = 0 }";
    // A script that another file needs, and a file that needs a new script.
    let told = assistant.refused("propose_edit", json!({"edits": [{"path": "scripts/hero.rhai", "remove": true}]}));
    assert!(told.contains("hero.rhai"), "{told}");
    let named = json!({"path": kind, "old": "hero.rhai", "new": "other.rhai"});
    assistant.refused("propose_edit", json!({"edits": [named]}));
    for (edit, part) in [
        (json!({"path": kind, "old": "nowhere", "new": ""}), "`old` is not in the file"),
        (json!({"path": kind, "old": "r", "new": ""}), "times"),
        (json!({"path": kind, "old": "", "new": "x"}), "an edit takes"),
        (json!({"path": kind}), "an edit takes"),
        (json!({"path": kind, "text": "", "remove": true}), "an edit takes"),
        (json!({"path": "levels/new.toml", "old": "a", "new": "b"}), "no such text"),
        (json!({"path": "levels/new.toml", "remove": true}), "not a file that a game has"),
    ] {
        let told = assistant.refused("propose_edit", json!({"edits": [edit]}));
        assert!(told.contains(part), "{part} in {told}");
    }
    assistant.refused("propose_edit", json!({"edits": []}));
    let many = vec![json!({"path": kind, "old": old, "new": old}); 21];
    assistant.refused("propose_edit", json!({"edits": many}));
    assert_eq!((folder.read(kind), folder.read("scripts/hero.rhai")), (before, script));
    assistant.good(
        "propose_edit",
        json!({"edits": [
            named,
            {"path": kind, "old": old, "new": "vars = { n = 5 }"},
            {"path": "scripts/other.rhai", "text": "fn on_tick(me) { this.n += 2; }\n"},
            {"path": "scripts/hero.rhai", "remove": true},
            {"path": "levels/tests/new/deep.toml", "text": folder.read("levels/level.toml")},
        ]}),
    );
    assert_eq!(folder.read("levels/tests/new/deep.toml"), folder.read("levels/level.toml"));
    assert!(!folder.path("scripts/hero.rhai").exists());
    let run = assistant.good("run_level", json!({"level": "level", "ticks": 10, "fields": ["vars"]}));
    // Each tick adds 2 to 5.
    assert!(run.contains(r#""vars":{"n":25}"#), "{run}");
}

#[test]
fn a_file_that_is_saved_while_an_edit_of_it_is_checked_stays() {
    let folder = playground();
    let path = "levels/tests/flat.toml";
    let before = folder.read(path);
    let mut assistant = Assistant::of(folder.root(), &["--write"]);
    let edits = json!({"edits": [{"path": path, "text": format!("{before}# by the assistant\n")}]});
    let is_answered = AtomicBool::new(false);
    let answer = std::thread::scope(|scope| {
        scope.spawn(|| {
            for save in 0..60_000 {
                // In one step: while a file is being written, two saves are the same empty file.
                folder.write("save.tmp", &format!("{before}# save {save}\n"));
                std::fs::rename(folder.path("save.tmp"), folder.path(path)).expect("a save");
                std::thread::sleep(Duration::from_millis(1));
                if is_answered.load(Ordering::Relaxed) {
                    break;
                }
            }
        });
        // The file is being saved again and again by now.
        while !folder.read(path).contains("# save") {}
        assistant.request("tools/call", json!({"name": "propose_edit", "arguments": edits}));
        let answer = assistant.read();
        is_answered.store(true, Ordering::Relaxed);
        answer
    });
    assert_eq!(answer["result"]["isError"], true, "{answer}");
    assert!(answer.to_string().contains("has changed while the edit was checked"), "{answer}");
    assert!(folder.read(path).contains("# save"));
}

#[test]
fn errors_that_were_there_before_do_not_refuse_an_edit_elsewhere() {
    let folder = counting();
    folder.write("levels/broken.toml", "surfce = 7\n");
    let mut assistant = Assistant::of(folder.root(), &["--write"]);
    let told = assistant.good("check_game", json!({}));
    assert!(told.contains("levels/broken.toml:1:1") && told.contains("errors: 1"), "{told}");
    let edit = json!({"edits": [{"path": "scripts/hero.rhai", "text": "fn on_tick(me) { this.n += 3; }\n"}]});
    assistant.good("propose_edit", edit);
    let mended = json!({"edits": [{"path": "levels/broken.toml", "old": "surfce = 7", "new": "surface = \"stone\""}]});
    assistant.good("propose_edit", mended);
    let told = assistant.good("check_game", json!({"paths": ["levels"]}));
    assert!(told.contains("errors: 0"), "{told}");
}

#[test]
fn answers_have_limits_and_say_how_to_get_the_rest() {
    let folder = counting();
    let lines: Vec<String> = (1..=5000).map(|line| format!("// line {line} of a long script")).collect();
    folder.write("scripts/long.rhai", &(lines.join("\n") + "\n"));
    folder.write("scripts/wide.rhai", &format!("// {}\n", "x".repeat(60_000)));
    folder.write_bytes("scripts/binary.rhai", b"\xff\x00\xfe");
    folder.write_bytes("sounds/noise.wav", &[0; 100]);
    folder.write_png("pictures/dot.png", (1, 1), &[[255, 0, 0, 255]]);
    let mut assistant = Assistant::of(folder.root(), &[]);
    // All lines of the long script come, in parts that each name the next.
    let (mut read, mut from) = (String::new(), 1);
    loop {
        let told = assistant.call("read_file", json!({"path": "scripts/long.rhai", "from_line": from}));
        assert!(told.text.len() < 30_000);
        read += told.content[0]["text"].as_str().expect("text");
        let Some(note) = told.content.get(1) else { break };
        let next = note["text"]
            .as_str()
            .and_then(|note| note.split("`from_line`: ").nth(1))
            .expect("the next line");
        from = next.trim_end_matches(')').parse().expect("a number");
    }
    assert_eq!(read, folder.read("scripts/long.rhai"));
    assert!(
        assistant
            .refused("read_file", json!({"path": "scripts/long.rhai", "from_line": 9000}))
            .contains("5000 lines")
    );
    assert!(
        assistant
            .refused("read_file", json!({"path": "scripts/wide.rhai"}))
            .contains("line 1 is longer")
    );
    assert!(
        assistant
            .refused("read_file", json!({"path": "scripts/binary.rhai"}))
            .contains("not text")
    );
    assert!(assistant.refused("read_file", json!({"path": "sounds/noise.wav"})).contains("not text"));
    assert_eq!(assistant.call("read_file", json!({"path": "pictures/dot.png"})).content[0]["mimeType"], "image/png");
    let edit = json!({"edits": [{"path": "scripts/binary.rhai", "old": "a", "new": "b"}]});
    assert!(assistant.refused("propose_edit", edit).contains("no such text"));
    std::fs::remove_file(folder.path("scripts/binary.rhai")).expect("it is there");
    for (arguments, part) in [
        (json!({"level": "level", "ticks": 36_001}), "at most 36000 ticks"),
        (json!({"level": "level", "ticks": 1201, "film": true}), "at most 1200 ticks"),
        (json!({"level": "level", "pictures": [1, 2, 3, 4, 5]}), "at most 4 pictures"),
        (json!({"level": "level", "ticks": 5, "pictures": [6]}), "ends at tick 5"),
        (json!({"level": "level", "inputs": "1 right\n".repeat(200_000)}), "inputs"),
    ] {
        let told = assistant.refused("run_level", arguments);
        assert!(told.contains(part), "{part} in {told}");
    }
    let told = assistant.good("run_level", json!({"level": "level", "ticks": 2000, "every": 1, "why": ["hero"]}));
    assert!(told.contains("more lines are left out; choose `entities` and `fields`, or a larger `every`"), "{told}");
    assert!(told.len() < 160_000, "{}", told.len());
}

#[test]
fn scripts_that_loop_print_and_fail_are_shown_and_end() {
    let script =
        "fn on_tick(me) {\n    print(\"a line of a script that prints much\");\n    loop { this.n += 1; }\n}\n";
    let folder = Folder::with_script(script);
    let mut assistant = Assistant::of(folder.root(), &[]);
    let told = assistant.good("run_level", json!({"level": "level", "ticks": 600}));
    assert!(
        told.contains("errors of scripts") && told.contains("scripts/hero.rhai:1:4") && told.contains("on line 3"),
        "{told}"
    );
    assert!(told.contains("a line of a script"), "{told}");
    assert!(told.len() < 60_000);
    assert_eq!(assistant.ask("ping", json!({}))["result"], json!({}));
}

#[test]
fn a_canceled_call_ends_without_an_answer_and_others_are_answered() {
    let folder = Folder::with_script("fn on_tick(me) { let x = 0; while x < 3000 { x += 1; } }");
    let mut assistant = Assistant::of(folder.root(), &[]);
    let long = json!({"name": "run_level", "arguments": {"level": "level", "ticks": 36_000, "film": false}});
    let began = Instant::now();
    let running = assistant.request("tools/call", long.clone());
    let waiting = assistant.request("tools/call", long);
    // Whatever runs, this is answered at once.
    let ping = assistant.request("ping", json!({}));
    assert_eq!(assistant.read()["id"], ping);
    for id in [waiting, running] {
        let canceled = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}});
        assistant.send(canceled.to_string().as_bytes());
    }
    assert!(assistant.good("list_files", json!({})).contains("levels/level.toml"));
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
    let (rest, code) = assistant.finish();
    assert_eq!((rest, code), (vec![], Some(0)));
}

#[test]
fn everything_that_was_asked_is_answered_before_the_program_ends() {
    let folder = counting();
    let mut assistant = Assistant::of(folder.root(), &[]);
    let call = json!({"name": "run_level", "arguments": {"level": "level", "ticks": 50}});
    let asked: Vec<u64> = (0..10).map(|_| assistant.request("tools/call", call.clone())).collect();
    let (lines, code) = assistant.finish();
    let ids = lines
        .iter()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON")["id"].as_u64().expect("an id"));
    assert_eq!((ids.collect::<Vec<_>>(), code), (asked, Some(0)));
}

#[test]
fn a_closed_pipe_ends_the_program_with_an_error() {
    let folder = playground();
    let assistant = Assistant::of(folder.root(), &[]);
    let Assistant { mut program, mut to, from, .. } = assistant;
    drop(from);
    let to = to.as_mut().expect("the input is open");
    use std::io::Write as _;
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "list_files"}});
    writeln!(to, "{call}").expect("the server reads");
    // Its input is still open.
    assert_eq!(program.0.wait().expect("it ends").code(), Some(2));
}

#[test]
fn a_folder_without_levels_is_refused_with_what_to_do() {
    let folder = Folder::empty();
    let assistant = Assistant::of(folder.root(), &[]);
    let (lines, code) = assistant.finish();
    assert_eq!((lines, code), (vec![], Some(2)));
}
