//! `hangtime lsp`: an editor session over stdin and stdout.

use crate::{editor_client::Editor, folder::Folder};
use serde_json::json;
use std::{
    io::Write as _,
    path::Path,
    process::{Command, Stdio},
};

const HERO: &str = "\
import \"lib/tools\" as tools;

const REACH = 40.0;

fn on_land(me, event) {
    this.hard(me, event.speed);
}

fn hard(me, speed) {
    if speed > REACH { tools::shout(me); }
    me.vel.x = 0;
    world::emit(\"thud\");
}
";

/// A game with a mistake in none of its files.
fn game() -> Folder {
    let folder = Folder::with_script(HERO);
    folder.write("scripts/lib/tools.rhai", "fn shout(me) { me.note(\"ow\"); }\n");
    folder.write("scripts/ears.rhai", "fn on_thud(me) { me.jump(); }\n");
    folder.write("config/entities/ears.toml", "script = \"ears.rhai\"\n");
    folder.write(
        "config/entities/hero.toml",
        "script = \"hero.rhai\"\nvars = { n = 0, coins = 0 }\n\n[platformer]\njump_speed = 500\n",
    );
    folder
}

const FILE: &str = "scripts/hero.rhai";

/// A function of an event, with what is written in it.
fn in_hook(code: &str) -> String {
    format!("fn on_land(me, event) {{\n    {code}\n}}\nfn hard(me, speed) {{ }}\n")
}

#[test]
fn an_editor_receives_messages_while_text_is_typed() {
    let mut editor = Editor::start(game());
    assert_eq!(editor.open(FILE, HERO), [""; 0]);
    let wrong = HERO.replace("event.speed", "event.sped");
    let said = editor.change(FILE, &wrong);
    assert_eq!(said, ["6:25: the event of on_land has no field `sped`, so this is `()`; did you mean `speed`?"]);
    // Code that does not parse has the message of the parser.
    let said = editor.change(FILE, &HERO.replace("= 40.0;", "= 40.0"));
    assert_eq!(said, ["3:19: a `;` is missing after this statement"]);
    assert_eq!(editor.change(FILE, HERO), [""; 0]);
    let kind = "config/entities/hero.toml";
    let said = editor.open(kind, "script = \"hero.rhai\"\n[platformer]\njump_sped = 3\n");
    assert_eq!(said, ["3:1: unknown key `jump_sped`; did you mean `jump_speed`?"]);
    let log = editor.stop();
    assert!(
        log.iter()
            .any(|line| line.starts_with("← ") && line.contains("shutdown") || line.contains("\"result\":null"))
    );
}

#[test]
fn messages_of_the_whole_game_follow_a_save_and_go_when_the_mistake_is_gone() {
    let mut editor = Editor::start(game());
    editor.open(FILE, HERO);
    let level = editor.folder.read("levels/level.toml");
    let save = |editor: &mut Editor, text: &str| {
        editor.folder.write("levels/level.toml", text);
        let uri = editor.uri("levels/level.toml");
        editor.tell("textDocument/didSave", json!({ "textDocument": { "uri": uri } }));
        editor.messages_about("levels/level.toml")
    };
    let said = save(&mut editor, &level.replace("kind =", "knd ="));
    assert!(said.iter().any(|m| m.contains("unknown key `knd`; did you mean `kind`?")), "{said:?}");
    assert_eq!(save(&mut editor, &level), [""; 0]);
    editor.stop();
}

#[test]
fn completion_knows_members_fields_variables_and_names() {
    let mut editor = Editor::start(game());
    editor.open(FILE, HERO);
    for (code, wanted, others) in [
        ("me.§", &["jump", "vel", "held", "remove"][..], &["speed", "create", "hold_jump"][..]),
        ("me.ju§", &["jump", "jump_to"], &["vel"]),
        ("me.vel.§", &["x", "y", "length"], &["jump"]),
        ("world::§", &["create", "tick", "entity"], &["jump"]),
        ("event.§", &["speed", "solid", "surface", "normal", "tick"], &["zone", "jump"]),
        ("this.§", &["coins", "n", "hard"], &["on_land", "jump"]),
        ("let h = world::entity(\"hero\");\n    h.§", &["x", "vel", "grounded"], &["jump"]),
        ("if me.held(\"§\") { }", &["jump", "left", "right"], &["hero", "move"]),
        ("world::create(\"§\", 0, 0);", &["hero", "ears"], &["jump"]),
        ("world::emit(\"§\");", &["thud"], &["land"]),
        ("let a = flo§", &["floor"], &["jump"]),
        ("t§", &["this"], &["t"]),
    ] {
        let found = editor.completed(FILE, &in_hook(code));
        for name in wanted {
            assert!(found.iter().any(|f| f == name), "{code}: no {name} in {found:?}");
        }
        for name in others {
            assert!(found.iter().all(|f| f != name), "{code}: {name}");
        }
    }
    let hooks = editor.completed(FILE, "fn §");
    assert!(hooks.contains(&"on_land".into()) && hooks.contains(&"model".into()), "{hooks:?}");
    let tools = editor.completed(FILE, &HERO.replace("tools::shout(me)", "tools::§"));
    assert_eq!(tools, ["shout"]);
    let kind = "config/entities/hero.toml";
    editor.open(kind, "");
    let keys = editor.completed(kind, "[platformer]\njump_§");
    assert!(keys.contains(&"jump_speed".into()) && !keys.contains(&"run_accel".into()), "{keys:?}");
    editor.stop();
}

#[test]
fn hover_shows_the_reference_with_units() {
    let mut editor = Editor::start(game());
    editor.open(FILE, HERO);
    for (code, wanted) in [
        ("me.v§el = vec(0, 0);", &["me.vel", "px/s", "can be written"][..]),
        ("me.aft§er(1, \"thud\");", &["me.after(seconds, name)", "(s)", "```rust"]),
        ("this.n = event.sp§eed;", &["`event.speed`: a number (px/s): the speed at which it hit the ground"]),
        ("this.n = world::t§ick();", &["world::tick()"]),
        ("this.n = flo§or(2.5);", &["Rounds down."]),
        ("me.vel.len§gth();", &["v.length()"]),
    ] {
        let text = editor.hover(FILE, &in_hook(code));
        for part in wanted {
            assert!(text.contains(part), "{code}: no {part} in {text}");
        }
    }
    assert!(editor.hover(FILE, &HERO.replace("on_land", "on_l§and")).contains("lands on ground"));
    assert_eq!(editor.hover(FILE, &in_hook("let zz§z = 1;")), "");
    let kind = "config/entities/hero.toml";
    editor.open(kind, "");
    let text = editor.hover(kind, "[platformer]\njump_§speed = 500\n");
    assert!(text.contains("platformer.jump_speed") && text.contains("px/s"), "{text}");
    editor.stop();
}

#[test]
fn definitions_are_found_in_all_files_of_the_game() {
    let mut editor = Editor::start(game());
    editor.open(FILE, HERO);
    for (from, to, places) in [
        ("this.hard", "this.ha§rd", &["scripts/hero.rhai:9:4"][..]),
        ("> REACH", "> REA§CH", &["scripts/hero.rhai:3:7"]),
        ("tools::shout", "tools::sh§out", &["scripts/lib/tools.rhai:1:4"]),
        ("tools::shout", "too§ls::shout", &["scripts/lib/tools.rhai:1:1"]),
        ("\"lib/tools\"", "\"lib/to§ols\"", &["scripts/lib/tools.rhai:1:1"]),
        ("\"thud\"", "\"th§ud\"", &["scripts/ears.rhai:1:4"]),
        ("me.vel", "me.ve§l", &[]),
    ] {
        assert_eq!(editor.defined(FILE, &HERO.replace(from, to)), places, "{to}");
    }
    let kind = "config/entities/hero.toml";
    editor.open(kind, "");
    assert_eq!(editor.defined(kind, "script = \"ea§rs.rhai\"\n"), ["scripts/ears.rhai:1:1"]);
    let level = "levels/level.toml";
    editor.open(level, "");
    let found = editor.defined(level, "[[entity]]\nkind = \"ea§rs\"\n");
    assert_eq!(found, ["config/entities/ears.toml:1:1"]);
    editor.stop();
}

#[test]
fn unfinished_and_broken_text_never_stops_the_server() {
    let mut editor = Editor::start(game());
    editor.open(FILE, HERO);
    let pieces =
        ["", "me.", "fn ", "\"", "`${", "world::", "/*", "this.call(", "größe.🪂", "((((", "fn on_tick(me) { me."];
    for piece in pieces {
        for text in [piece.to_string(), format!("{HERO}{piece}"), format!("{piece}{HERO}")] {
            let marked = format!("{text}§");
            editor.completed(FILE, &marked);
            editor.hover(FILE, &marked);
            editor.defined(FILE, &marked);
        }
    }
    // Positions beyond the text, and files that do not exist.
    let uri = editor.uri("scripts/none.rhai");
    for position in [json!({ "line": 0, "character": 0 }), json!({ "line": 9000, "character": 9000 })] {
        for uri in [uri.clone(), editor.uri(FILE), "untitled:1".into()] {
            let params = json!({ "textDocument": { "uri": uri }, "position": position });
            editor.ask("textDocument/completion", params);
        }
    }
    editor.stop();
}

#[test]
fn a_mistake_is_fixed_renamed_and_formatted_over_stdio() {
    let mut editor = Editor::start(game());
    editor.open(FILE, HERO);
    let wrong = HERO.replace("event.speed", "event.sped");
    editor.change(FILE, &wrong);
    let uri = editor.uri(FILE);
    let place = json!({ "line": 5, "character": 24 });
    let message = json!({
        "range": { "start": place, "end": { "line": 5, "character": 28 } },
        "message": "the event of on_land has no field `sped`, so this is `()`; did you mean `speed`?",
    });
    let params =
        json!({ "textDocument": { "uri": uri }, "range": message["range"], "context": { "diagnostics": [message] } });
    let actions = editor.ask("textDocument/codeAction", params);
    let edit = &actions[0]["edit"]["changes"][&uri][0];
    assert_eq!((&edit["newText"], &edit["range"]), (&json!("speed"), &message["range"]));
    editor.change(FILE, HERO);
    let renamed = editor.ask(
        "textDocument/rename",
        json!({ "textDocument": { "uri": uri }, "position": { "line": 8, "character": 4 }, "newName": "harder" }),
    );
    assert_eq!(renamed["documentChanges"][0]["edits"].as_array().map(Vec::len), Some(2));
    let options = json!({ "tabSize": 4, "insertSpaces": true });
    let edits = editor.ask("textDocument/formatting", json!({ "textDocument": { "uri": uri }, "options": options }));
    assert_eq!(edits, json!([]));
    let symbols = editor.ask("textDocument/documentSymbol", json!({ "textDocument": { "uri": uri } }));
    assert_eq!(symbols.as_array().map(Vec::len), Some(3));
    editor.stop();
}

#[test]
fn definition_files_next_to_the_scripts_are_skipped_by_check() {
    let folder = game();
    let entries = hangtime::script::rhai::api_entries(&hangtime::playtest::calls::calls_of_tests());
    let definitions = hangtime::script::rhai::reference::definitions(entries);
    for place in ["scripts/hangtime.d.rhai", "hangtime.d.rhai", "levels/tests/hangtime.d.rhai"] {
        folder.write(place, &definitions);
    }
    let checked = crate::program::run(folder.root(), &["check"]);
    let unused = "config/entities/ears.toml: warning: no level has an entity of this kind, and no script creates one\n";
    assert_eq!(crate::program::out(&checked), unused);
    assert_eq!(crate::program::code(&checked), 0);
    // It completes hooks with the fields of their events.
    assert!(definitions.contains("\nfn on_land(me: me, event: map_event_of_on_land) -> ?;\n"));
    assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/hangtime.d.rhai").exists());
}

#[test]
fn a_message_that_claims_to_be_endless_is_an_error() {
    let folder = Folder::with_script("");
    for (claim, said) in [("99999999999999", "99999999999999 bytes"), ("x", "not a whole number")] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_hangtime"))
            .args(["lsp"])
            .current_dir(folder.root())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut to = child.stdin.take().expect("stdin");
        write!(to, "Content-Length: {claim}\r\n\r\n").expect("the server reads");
        // Its input stays open.
        let ended = child.wait_with_output().expect("it ends");
        let error = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert_eq!(ended.status.code(), Some(2), "{error}");
        assert!(error.contains(said), "{error}");
        drop(to);
    }
}
