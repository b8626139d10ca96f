//! Formatting changes spaces at the ends of lines, and nothing else.

use crate::{
    client::{Editor, edited},
    folder::Folder,
};
use serde_json::json;
use std::path::{Path, PathBuf};

fn formatted(editor: &mut Editor, file: &str, text: &str, options: serde_json::Value) -> String {
    editor.open(file, text);
    let params = json!({ "textDocument": { "uri": editor.uri(file) }, "options": options });
    edited(text, &editor.ask("textDocument/formatting", params))
}

fn usual() -> serde_json::Value {
    json!({ "tabSize": 4, "insertSpaces": true })
}

/// All scripts and TOML files of the repository's own game.
pub fn own_files() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut folders: Vec<PathBuf> = ["scripts", "config", "levels", "examples/lua", "examples/mods"]
        .map(|it| root.join(it))
        .into();
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path
                .extension()
                .is_some_and(|it| it == "rhai" || it == "toml" || (it == "luau" && cfg!(feature = "lua")))
            {
                let name = path.strip_prefix(&root).expect("below the root").display().to_string();
                found.push((name, std::fs::read_to_string(path).expect("a text")));
            }
        }
    }
    found.sort();
    found
}

#[test]
fn the_games_own_files_are_formatted() {
    let mut editor = Editor::start(Folder::empty());
    let files = own_files();
    assert!(files.len() > 100, "{}", files.len());
    let mut changed = String::new();
    for (name, text) in &files {
        let new = formatted(&mut editor, name, text, usual());
        for (old, new) in text.lines().zip(new.lines()).filter(|(old, new)| old != new).take(3) {
            changed += &format!("{name}\n  {old}\n  {new}\n");
        }
    }
    editor.stop();
    assert!(changed.is_empty(), "{changed}");
}

#[test]
fn only_spaces_at_the_ends_of_lines_change_and_a_second_time_nothing_does() {
    let mut editor = Editor::start(Folder::empty());
    let code = |text: &str| text.lines().map(str::trim).collect::<Vec<_>>().join("\n").trim_end().to_string();
    for (name, text) in own_files().iter().step_by(3) {
        let flat: String = text.lines().map(|line| format!("{}  \n", line.trim_start())).collect();
        let ragged: String = text
            .lines()
            .enumerate()
            .map(|(i, line)| format!("{}{line}\r\n", "\t ".repeat(i % 3)))
            .collect();
        for worse in [flat, ragged] {
            for options in
                [usual(), json!({ "tabSize": 2, "insertSpaces": true }), json!({ "tabSize": 8, "insertSpaces": false })]
            {
                let new = formatted(&mut editor, name, &worse, options.clone());
                assert_eq!(code(&new), code(&worse), "{name}");
                assert_eq!(new.contains("\r\n"), worse.contains("\r\n"), "{name}");
                assert_eq!(formatted(&mut editor, name, &new, options), new, "{name}");
            }
        }
    }
    editor.stop();
}

#[test]
fn lines_are_indented_by_what_is_open() {
    let mut editor = Editor::start(Folder::empty());
    for (file, text, right) in [
        ("scripts/a.rhai", "fn f() {\nif x {\ny();\n}\n}", "fn f() {\n    if x {\n        y();\n    }\n}\n"),
        (
            "scripts/a.rhai",
            "fn f() { g(#{\na: [\n1,\n],\n}); }\n",
            "fn f() { g(#{\n    a: [\n        1,\n    ],\n}); }\n",
        ),
        ("scripts/a.rhai", "let a = b\n+ c;\n    d();\n", "let a = b\n    + c;\nd();\n"),
        // Brackets in texts and comments do not count, and the spaces in them stay.
        (
            "scripts/a.rhai",
            "fn f() {\nlet a = \"{\"; // {\n/* {\n  {  \n*/\nlet b = `{\n  ${x}  \n {`;\n}\n",
            "fn f() {\n    let a = \"{\"; // {\n    /* {\n  {  \n*/\n    let b = `{\n  ${x}  \n {`;\n}\n",
        ),
        ("scripts/a.toml", "[a]\n  b = [\n1,\n  [2,\n3],\n]\n", "[a]\nb = [\n    1,\n    [2,\n        3],\n]\n"),
        ("scripts/a.toml", "a = \"\"\"\n  [  \n\"\"\"\n  b = 1", "a = \"\"\"\n  [  \n\"\"\"\nb = 1\n"),
        // What is not closed, or closed twice, is left alone.
        ("scripts/a.rhai", "fn f() {\n  x();  \n", "fn f() {\n  x();  \n"),
        ("scripts/a.rhai", "  )\n(\n", "  )\n(\n"),
        ("scripts/a.rhai", "( ]\n  x", "( ]\n  x"),
        ("scripts/a.rhai", "", ""),
        ("scripts/a.rhai", "  \n\t\n", "\n\n"),
    ] {
        assert_eq!(formatted(&mut editor, file, text, usual()), right, "{text}");
    }
    editor.stop();
}
