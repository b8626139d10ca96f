//! An editor session with scripts in Lua, without pipes.

#[expect(dead_code, reason = "shared with the tests of other crates")]
#[path = "../../../../tests/support/folder.rs"]
mod folder;

use folder::Folder;
use hangtime_game::GameFolder;
use hangtime_service::editor::serve_on;
use lsp_server::{Connection, Message, Notification, Request};
use serde_json::{Value, json};
use std::thread::JoinHandle;

const FILE: &str = "scripts/hero.luau";

const HERO: &str = "\
local tools = require('lib/tools')
local REACH = 40

function on_land(me, event)
    vars.hard = event.speed
    if event.speed > REACH then
        tools.shout(me)
    end
    world.emit('thud')
end
";

/// A connected editor.
struct Editor {
    connection: Connection,
    server: JoinHandle<()>,
    folder: Folder,
    asked: i32,
}

impl Editor {
    fn start() -> Self {
        let folder = Folder::with_script("");
        std::fs::remove_file(folder.path("scripts/hero.rhai")).expect("a file");
        folder.write("config/entities/hero.toml", "script = \"hero.luau\"\nvars = { coins = 0, hard = 0.0 }\n");
        folder.write(FILE, HERO);
        folder.write(
            "scripts/lib/tools.luau",
            "local tools = {}\n\nfunction tools.shout(me)\n    me:note('ow')\nend\n\nreturn tools\n",
        );
        folder.write("scripts/ears.luau", "function on_thud(me)\n    me:jump()\nend\n");
        let (server, connection) = Connection::memory();
        let game = GameFolder::new(folder.root());
        let server = std::thread::spawn(move || serve_on(&server, &game).expect("it ends in good order"));
        let mut editor = Self { connection, server, folder, asked: 0 };
        editor.ask("initialize", json!({ "capabilities": {} }));
        editor.tell("initialized", json!({}));
        editor
    }

    fn uri(&self, file: &str) -> String {
        format!("file://{}/{file}", self.folder.root().display())
    }

    fn tell(&self, method: &str, params: Value) {
        let message = Notification::new(method.into(), params);
        self.connection.sender.send(message.into()).expect("the server reads");
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.asked += 1;
        let request = Request::new(self.asked.into(), method.into(), params);
        self.connection.sender.send(request.into()).expect("the server reads");
        loop {
            if let Message::Response(answer) = self.connection.receiver.recv().expect("the server answers") {
                assert!(answer.error.is_none(), "{answer:?}");
                return answer.result.unwrap_or_default();
            }
        }
    }

    /// Types a text, and returns the messages about it.
    fn types(&self, text: &str) -> Vec<String> {
        let uri = self.uri(FILE);
        self.tell(
            "textDocument/didOpen",
            json!({ "textDocument": { "uri": uri, "languageId": "luau", "version": 1, "text": text } }),
        );
        loop {
            let Message::Notification(said) = self.connection.receiver.recv().expect("the server writes") else {
                continue;
            };
            if said.params["uri"] == uri {
                let all = said.params["diagnostics"].as_array().expect("a list").iter();
                return all.map(|one| one["message"].as_str().expect("a text").into()).collect();
            }
        }
    }

    /// Asks about the place of `§` in a text.
    fn at(&mut self, marked: &str, question: &str) -> Value {
        let before = &marked[..marked.find('§').expect("a mark")];
        let line = before.matches('\n').count();
        let character = before.len() - before.rfind('\n').map_or(0, |at| at + 1);
        // Messages about the game as it was saved may come first.
        self.types(&marked.replace('§', ""));
        let uri = self.uri(FILE);
        let position = json!({ "line": line, "character": character });
        // References, completion and signatures each need some of it.
        let context = json!({ "includeDeclaration": true, "triggerKind": 1, "isRetrigger": false });
        let params = json!({ "textDocument": { "uri": uri }, "position": position, "context": context });
        self.ask(&format!("textDocument/{question}"), params)
    }

    fn completed(&mut self, code: &str) -> Vec<String> {
        let items = self.at(&in_hook(code), "completion");
        items
            .as_array()
            .expect("a list")
            .iter()
            .map(|item| item["label"].as_str().expect("a label").into())
            .collect()
    }

    fn hover(&mut self, code: &str) -> String {
        self.at(&in_hook(code), "hover")["contents"]["value"].as_str().unwrap_or_default().into()
    }

    /// The definitions of what is at the place, each as `file:line`.
    fn defined(&mut self, marked: &str) -> Vec<String> {
        let root = self.uri("");
        let found = self.at(marked, "definition");
        let place = |place: &Value| {
            let line = place["range"]["start"]["line"].as_u64().expect("a number") + 1;
            format!("{}:{line}", place["uri"].as_str().expect("an address").replace(&root, ""))
        };
        found.as_array().expect("a list").iter().map(place).collect()
    }

    fn stop(mut self) {
        self.ask("shutdown", Value::Null);
        self.tell("exit", Value::Null);
        self.server.join().expect("it ends");
    }
}

/// A function of an event, with what is written in it.
fn in_hook(code: &str) -> String {
    format!(
        "local tools = require('lib/tools')\n\nfunction on_land(me, event)\n    {code}\nend\n\nfunction hard(speed)\nend\n"
    )
}

#[test]
fn completion_offers_what_fits_in_lua() {
    let mut editor = Editor::start();
    for (code, fits, does_not) in [
        ("me.§", "vel", "emit"),
        ("me:ju§", "jump", "vel"),
        ("me.vel = me.ve§l", "vel", "jump"),
        ("world.ca§", "cast", "jump"),
        ("hud.§", "text", "cast"),
        ("vars.§", "coins", "hard_"),
        ("tools.§", "shout", "jump"),
        ("event.§", "speed", "vel"),
        ("local other = world.entity('hero') other.§", "grounded", "emit"),
        ("world.emit('§')", "thud", "hero"),
        ("world.create(\"§\")", "hero", "thud"),
        ("va§", "vars", "this"),
        ("ha§", "hard", "jump"),
    ] {
        let found = editor.completed(code);
        assert!(found.iter().any(|label| label == fits), "{code}: {found:?}");
        assert!(found.iter().all(|label| label != does_not), "{code}: {found:?}");
    }
    // A hook is written with its end.
    let hooks = editor.at("function on_ju§", "completion");
    let jump = hooks
        .as_array()
        .expect("a list")
        .iter()
        .find(|item| item["label"] == "on_jump")
        .expect("a hook");
    assert_eq!(jump["insertText"], "on_jump(me, event)\n    $0\nend");
    assert!(editor.completed("fn on_§").is_empty());
    editor.stop();
}

#[test]
fn hover_says_names_as_lua_writes_them() {
    let mut editor = Editor::start();
    let jump = editor.hover("me:ju§mp()");
    assert!(jump.contains("me.jump()") && jump.contains("Jumps now"), "{jump}");
    let cast = editor.hover("world.ca§st(1, 2, 3, 4)");
    assert!(cast.contains("world.cast(") && !cast.contains("world::"), "{cast}");
    assert!(editor.hover("vars.hard = event.sp§eed").contains("px/s"));
    assert_eq!(editor.hover("me.nothi§ng"), "");
    editor.stop();
}

#[test]
fn definitions_are_found_across_files_in_lua() {
    let mut editor = Editor::start();
    for (marked, found) in [
        (HERO.replace("tools.shout", "tools.sho§ut"), "scripts/lib/tools.luau:3"),
        (HERO.replace("tools.shout", "to§ols.shout"), "scripts/lib/tools.luau:1"),
        (HERO.replace("'lib/tools'", "'lib/to§ols'"), "scripts/lib/tools.luau:1"),
        (HERO.replace("> REACH", "> RE§ACH"), "scripts/hero.luau:2"),
        (HERO.replace("'thud'", "'th§ud'"), "scripts/ears.luau:1"),
        (in_hook("ha§rd(event.speed)"), "scripts/hero.luau:7"),
    ] {
        assert_eq!(editor.defined(&marked), [found], "{marked}");
    }
    editor.stop();
}

#[test]
fn messages_follow_what_is_typed_in_lua() {
    let editor = Editor::start();
    let none: [&str; 0] = [];
    // The first messages are about the game as it is saved.
    editor.types(HERO);
    assert_eq!(editor.types(HERO), none);
    let said = editor.types(&HERO.replace("world.emit", "world.emitt"));
    assert!(said.len() == 1 && said[0].contains("`emit`"), "{said:?}");
    editor.stop();
}

/// The places that mean the name at the cursor, each as `file:line`, sorted.
fn referenced(editor: &mut Editor, marked: &str) -> String {
    let root = editor.uri("");
    let found = editor.at(marked, "references");
    let place = |place: &Value| {
        let line = place["range"]["start"]["line"].as_u64().expect("a number") + 1;
        format!("{}:{line}", place["uri"].as_str().expect("an address").replace(&root, ""))
    };
    let mut found: Vec<String> = found.as_array().expect("a list").iter().map(place).collect();
    found.sort();
    found.join(" ")
}

#[test]
fn names_are_found_and_signatures_shown_in_lua() {
    let mut editor = Editor::start();
    for (from, to, places) in [
        ("vars.hard", "vars.ha§rd", "config/entities/hero.toml:2 scripts/hero.luau:5"),
        ("tools.shout", "tools.sho§ut", "scripts/hero.luau:7 scripts/lib/tools.luau:3"),
        ("'thud'", "'th§ud'", "scripts/ears.luau:1 scripts/hero.luau:9"),
        ("(me, event)", "(me, ev§ent)", "scripts/hero.luau:4 scripts/hero.luau:5 scripts/hero.luau:6"),
        ("> REACH", "> RE§ACH", "scripts/hero.luau:2 scripts/hero.luau:6"),
    ] {
        assert_eq!(referenced(&mut editor, &HERO.replace(from, to)), places, "{to}");
    }
    let help = editor.at(&in_hook("me:after(1, §)"), "signatureHelp");
    let label = help["signatures"][0]["label"].as_str().expect("a label");
    assert!(label.starts_with("me:after(seconds: a number (s), name: "), "{label}");
    assert_eq!(help["activeParameter"], 1);
    let help = editor.at(&in_hook("hard(§)"), "signatureHelp");
    assert_eq!(help["signatures"][0]["label"], "function hard(speed)");
    for (code, fits) in [
        ("me.color = '§'", "gold"),
        ("me:text('a', 0, 0, 'b', { color = '§' })", "gold"),
        ("if event.surface == '§' then end", "ice"),
        ("local x = require('§')", "lib/tools"),
    ] {
        let found = editor.completed(code);
        assert!(found.iter().any(|label| label == fits), "{code}: {found:?}");
    }
    editor.stop();
}

#[test]
fn blocks_of_lua_are_indented() {
    let mut editor = Editor::start();
    for (text, right) in [
        (
            "if a then\nb()\nelseif c then\nd()\nelse\ne()\nend\n",
            "if a then\n  b()\nelseif c then\n  d()\nelse\n  e()\nend\n",
        ),
        ("local x = if a then b else c\ny()\n", "local x = if a then b else c\ny()\n"),
        ("f(function()\nrepeat\ng()\nuntil true\nend)\n", "f(function()\n  repeat\n    g()\n  until true\nend)\n"),
        ("local s = [[\n end\n]]\n--[[\n end ]]\nx()\n", "local s = [[\n end\n]]\n--[[\n end ]]\nx()\n"),
        ("if a then\nb()\n", "if a then\nb()\n"),
    ] {
        editor.types(text);
        let params = json!({
            "textDocument": { "uri": editor.uri(FILE) }, "options": { "tabSize": 2, "insertSpaces": true },
        });
        let edits = editor.ask("textDocument/formatting", params);
        let mut lines: Vec<String> = text.split('\n').map(String::from).collect();
        for edit in edits.as_array().expect("a list").iter().rev() {
            let at = |end: &str, key: &str| edit["range"][end][key].as_u64().expect("a number") as usize;
            let (from, to) = (at("start", "character"), at("end", "character"));
            lines[at("start", "line")].replace_range(from..to, edit["newText"].as_str().expect("a text"));
        }
        assert_eq!(lines.join("\n"), right);
    }
    editor.stop();
}
