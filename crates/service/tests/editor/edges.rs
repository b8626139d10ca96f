//! Texts and requests that are broken, empty, long, or not about the game.

use crate::{client::Editor, words::game};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

const FILE: &str = "scripts/hero.rhai";

const REQUESTS: [&str; 9] = [
    "completion",
    "hover",
    "definition",
    "signatureHelp",
    "references",
    "prepareRename",
    "rename",
    "documentSymbol",
    "formatting",
];

fn more() -> Value {
    json!({
        "context": { "includeDeclaration": true, "triggerKind": 1, "isRetrigger": false },
        "newName": "other",
        "options": { "tabSize": 4, "insertSpaces": true },
    })
}

#[test]
fn every_request_about_every_text_has_an_answer() {
    let mut editor = Editor::start(game());
    let pieces = [
        "",
        "\n",
        "\r\n",
        "\"",
        "'",
        "`",
        "`${",
        "`${`${",
        "\"\\",
        "/*",
        "/*/",
        "*/",
        "//",
        "#",
        "#\"",
        "##\"a\"#",
        "}",
        ")",
        "]",
        "(((",
        "fn",
        "fn ",
        "fn f",
        "fn f(",
        "|",
        "|a|",
        ",",
        ".",
        "::",
        "=",
        "==",
        "== \"a",
        "\"a\" ==",
        "this",
        "this.",
        "this.vars.",
        "vars.x",
        "import",
        "import \"",
        "switch x { \"a",
        "me.hold(\"",
        "größe.🪂",
        "🪂🪂(",
        "\u{feff}",
        "[[",
        "[[entity]]\nvars = {",
        "a = [[[",
        "[entity.vars]\nx",
        "kind = 'a",
        "\"\"\"",
        "'''a",
        "--[[",
        "[==[",
        "function(",
        "if a then",
        "end end",
    ];
    for file in [FILE, "levels/level.toml", "config/entities/bat.toml", "scripts/a.luau", "notes.txt"] {
        for piece in pieces {
            // Each request reads the game, so one text of each piece is enough where the file is not a script.
            let variants = if file == FILE { 3 } else { 1 };
            for text in [
                format!("{piece}§"),
                format!("fn on_tick(me) {{ me.jump(); }}\n{piece}§\nx = 1\n"),
                format!("§{piece}"),
            ]
            .into_iter()
            .take(variants)
            {
                for request in REQUESTS {
                    // A name that cannot be changed is an error, and nothing else is.
                    let answer = editor.try_at(file, &text, request, more());
                    assert!(answer.is_ok() || request == "rename", "{request} of {text:?} in {file}: {answer:?}");
                }
            }
        }
    }
    editor.stop();
}

#[test]
fn files_outside_of_the_game_and_positions_beyond_a_text_have_empty_answers() {
    let mut editor = Editor::start(game());
    for uri in
        ["untitled:1".to_string(), "file:///nowhere/a.rhai".into(), editor.uri("scripts/none.rhai"), editor.uri(FILE)]
    {
        for position in
            [json!({ "line": 0, "character": 0 }), json!({ "line": 4_000_000_000_u32, "character": 4_000_000_000_u32 })]
        {
            for request in REQUESTS {
                let mut params = more();
                params["textDocument"] = json!({ "uri": uri });
                params["position"] = position.clone();
                let answer = editor.try_ask(&format!("textDocument/{request}"), params);
                assert!(answer.is_ok() || request == "rename", "{request} {uri}: {answer:?}");
            }
        }
    }
    // A file outside that is open is edited by itself.
    let outside = "/../outside/a.rhai";
    let found = editor.completed(outside, "fn on_tick(me) { this.own = 1; this.§ }");
    assert_eq!(found, ["own"]);
    editor.stop();
}

#[test]
fn columns_count_utf_16_units_and_lines_may_end_as_on_windows() {
    let mut editor = Editor::start(game());
    for before in ["", "/* größe */ ", "/* 🪂🪂 */ ", "let größe = \"🪂\"; "] {
        for end in ["\n", "\r\n"] {
            let text = format!("fn on_tick(me) {{{end}    let n = 1; {before}let m = n§ + n;{end}}}{end}");
            let places = editor.try_at(FILE, &text, "references", more()).expect("places");
            let line = text.replace('§', "").lines().nth(1).expect("a line").to_string();
            let columns: Vec<usize> = line
                .match_indices('n')
                .filter(|(at, _)| line[*at..].starts_with("n ") || line[*at..].starts_with("n;"))
                .map(|(at, _)| line[..at].encode_utf16().count())
                .collect();
            let found: Vec<usize> = places
                .as_array()
                .expect("a list")
                .iter()
                .map(|it| it["range"]["start"]["character"].as_u64().expect("a column") as usize)
                .collect();
            assert_eq!(found, columns, "{text:?}");
            assert_eq!(columns.len(), 3);
        }
    }
    editor.stop();
}

/// A line of 64 KiB has 20,000 words: work for each pair of them would take much longer than this.
#[test]
fn long_lines_are_answered() {
    let mut editor = Editor::start(game());
    for piece in ["x + ", "\"a\", ", "me.hold(\"jump\"); ", "(", "{ ", "// ", "`${", "a = { b = [1], "] {
        for file in [FILE, "levels/level.toml"] {
            let text = piece.repeat((64 << 10) / piece.len());
            editor.open(file, &text);
            let mut params = more();
            params["textDocument"] = json!({ "uri": editor.uri(file) });
            params["position"] = json!({ "line": 0, "character": 0 });
            // The first answer waits for the check of the text.
            editor.ask("textDocument/hover", params.clone());
            params["position"]["character"] = text.len().into();
            for request in REQUESTS {
                let began = Instant::now();
                let _ = editor.try_ask(&format!("textDocument/{request}"), params.clone());
                let took = began.elapsed();
                assert!(took < Duration::from_secs(20), "{request} of {piece:?} in {file} took {took:?}");
            }
        }
    }
    editor.stop();
}
