//! `hangtime lsp` with mods, with files that are not saved, and with messages that cannot be read.

use crate::{
    editor_client::Editor,
    mods::{add_mod, game},
};
use serde_json::json;

const BAT: &str = "\
import \"lib/wings\" as wings;
fn on_thud(me) { wings::flap(me); }
fn on_tick(me) { me.held(\"fire\"); this.n += 1; }
";
const FILE: &str = "mods/m/scripts/bat.rhai";

/// A game with a mod that has a script, a library, a kind, a level and a test.
fn with_mod() -> Editor {
    let folder = game();
    folder.write("config/hangtime.toml", "[keys]\nfire = \"KeyQ\"\n");
    folder.write(
        "scripts/hero.rhai",
        "fn on_tick(me) { this.n += 1; if me.held(\"fire\") { world::emit(\"thud\"); } }\n",
    );
    add_mod(&folder, "m", "");
    folder.write(FILE, BAT);
    folder.write("mods/m/scripts/lib/wings.rhai", "fn flap(me) { me.jump(); }\n");
    folder.write("mods/m/config/entities/bat.toml", "script = \"bat.rhai\"\nvars = { n = 0 }\n");
    folder.write("mods/m/levels/den.toml", &folder.read("levels/level.toml"));
    let test = "fn test_den() { let t = play(\"den\"); t.ticks(1); expect(t.tick).equals(1); }\n";
    folder.write("mods/m/levels/tests/den.rhai", test);
    Editor::start(folder)
}

#[test]
fn definitions_and_completions_find_the_files_of_mods() {
    let mut editor = with_mod();
    editor.open(FILE, BAT);
    for (from, marked, place) in [
        ("lib/wings\"", "lib/§wings\"", "mods/m/scripts/lib/wings.rhai:1:1"),
        ("::flap", "::fl§ap", "mods/m/scripts/lib/wings.rhai:1:4"),
    ] {
        assert_eq!(editor.defined(FILE, &BAT.replace(from, marked)), [place], "{marked}");
    }
    let found = editor.completed(FILE, &BAT.replace("wings::flap(me)", "wings::§"));
    assert_eq!(found, ["flap"]);
    let found = editor.completed(FILE, &BAT.replace("held(\"fire\")", "held(\"f§\")"));
    assert_eq!(found, ["fire"]);
    let hero = editor.folder.read("scripts/hero.rhai");
    editor.open("scripts/hero.rhai", &hero);
    let found = editor.defined("scripts/hero.rhai", &hero.replace("thud", "th§ud"));
    assert_eq!(found, [format!("{FILE}:2:4")]);
    let found = editor.defined("scripts/hero.rhai", &hero.replace("thud", "b§at"));
    assert_eq!(found, ["mods/m/config/entities/bat.toml:1:1"]);
    let kind = "mods/m/config/entities/bat.toml";
    let text = editor.folder.read(kind);
    editor.open(kind, &text);
    assert_eq!(editor.defined(kind, &text.replace("bat.", "b§at.")), [format!("{FILE}:1:1")]);
    let test = "mods/m/levels/tests/den.rhai";
    let text = editor.folder.read(test);
    editor.open(test, &text);
    let found = editor.completed(test, &text.replace("t.ticks(1)", "t.§"));
    assert!(found.iter().any(|name| name == "ticks"), "{found:?}");
    editor.stop();
}

#[test]
fn notifications_that_cannot_be_read_do_not_end_the_server() {
    let mut editor = with_mod();
    editor.tell(
        "textDocument/didOpen",
        json!({ "textDocument": { "uri": "file:///tmp/a b.rhai", "languageId": "rhai", "version": 1, "text": "" } }),
    );
    editor.tell("textDocument/didChange", json!({ "textDocument": {} }));
    editor.tell("textDocument/didClose", json!({}));
    editor.tell("textDocument/didSave", json!(3));
    assert_eq!(editor.open(FILE, BAT), [""; 0]);
    editor.stop();
}

#[test]
fn a_file_that_is_not_on_disk_keeps_its_messages_when_another_one_is_saved() {
    let mut editor = with_mod();
    let new = "scripts/new.rhai";
    let wrong = "fn on_tick(me) { me.jum(); }\n";
    let said = editor.open(new, wrong);
    assert!(said[0].contains("jum"), "{said:?}");
    let uri = editor.uri(FILE);
    editor.tell("textDocument/didSave", json!({ "textDocument": { "uri": uri } }));
    assert_eq!(editor.messages_about(new), said);
    editor.stop();
}

#[test]
fn levels_and_files_outside_of_the_game_are_not_checked_while_they_are_typed() {
    let mut editor = with_mod();
    for file in ["levels/new.toml", "levels/level.toml", "notes.toml", "mods/m/mod.toml"] {
        let uri = editor.uri(file);
        let document = json!({ "uri": uri, "languageId": "toml", "version": 1, "text": "x = 1\n" });
        editor.tell("textDocument/didOpen", json!({ "textDocument": document }));
    }
    editor.open(FILE, BAT);
    let log = editor.stop();
    let about = |line: &&String| line.starts_with("← ") && line.contains("publishDiagnostics");
    let wrong: Vec<&String> = log.iter().filter(about).filter(|line| line.contains("\"message\"")).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn of_many_changes_in_a_row_the_last_text_is_checked() {
    let mut editor = with_mod();
    editor.open(FILE, BAT);
    let uri = editor.uri(FILE);
    for count in 0..200 {
        let text = format!("{BAT}// {}\nfn on_land(me) {{ me.jum{count}(); }}\n", "x".repeat(count));
        editor.tell(
            "textDocument/didChange",
            json!({ "textDocument": { "uri": uri, "version": 2 }, "contentChanges": [{ "text": text }] }),
        );
    }
    loop {
        let said = editor.messages_about(FILE);
        if said.iter().any(|text| text.contains("jum199")) {
            break;
        }
    }
    // The last message was the last one.
    let known = editor.completed(FILE, &BAT.replace("this.n", "this.§"));
    assert!(known.iter().any(|name| name == "n"), "{known:?}");
    editor.stop();
}

#[test]
fn tunables_are_completed_below_headers_with_comments_and_after_arrays() {
    let mut editor = with_mod();
    let kind = "config/entities/hero.toml";
    for before in ["[platformer] # how it moves\n", "[platformer]\nx = [\n[1, 2],\n]\n", "[ platformer ]\n"] {
        let text = format!("{before}jump_sp§");
        let uri = editor.uri(kind);
        let document = json!({ "uri": uri, "languageId": "toml", "version": 1, "text": "" });
        editor.tell("textDocument/didOpen", json!({ "textDocument": document }));
        let found = editor.completed(kind, &text);
        assert!(found.iter().any(|name| name == "jump_speed"), "{before}: {found:?}");
    }
    editor.stop();
}
