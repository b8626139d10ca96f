//! The page with a session of an editor is what an editor and the server say.

use crate::{api_reference::is_fresh, editor_client::Editor, folder::Folder};
use serde_json::{Value, json};
use std::fmt::Write as _;

const FILE: &str = "scripts/hero.rhai";

const HERO: &str = "\
fn on_land(me, event) {
    this.hurt(me, event.sped);
}

fn hurt(me, speed) {
    if speed > 900 { me.jump(); }
}
";

/// The most items of a list that the page shows.
const SHOWN: usize = 3;

/// A message with its long lists cut.
fn cut(value: &mut Value) {
    match value {
        Value::Array(list) => {
            let more = list.len().saturating_sub(SHOWN);
            list.truncate(SHOWN);
            list.iter_mut().for_each(cut);
            if more > 0 {
                list.push(format!("… and {more} more").into());
            }
        }
        Value::Object(map) => map.values_mut().for_each(cut),
        _ => {}
    }
}

#[test]
fn docs_have_the_session_of_an_editor() {
    let folder = Folder::with_script("");
    // The file is good; what is typed is not.
    let mended = HERO.replace("sped", "speed");
    folder.write(FILE, &mended);
    let root = format!("file://{}", folder.root().display());
    let mut editor = Editor::start(folder);
    let said = editor.open(FILE, HERO);
    assert_eq!(said.len(), 1, "{said:?}");
    // The editor shows the message, and asks what mends it.
    let document = json!({ "uri": editor.uri(FILE) });
    let place = |start: u32, end: u32| json!({ "start": { "line": 1, "character": start }, "end": { "line": 1, "character": end } });
    let message = said[0].split_once(": ").expect("a place and a message").1;
    let shown = json!([{ "range": place(24, 28), "message": message, "severity": 1, "source": "hangtime" }]);
    let asked = json!({ "textDocument": document, "range": place(24, 28), "context": { "diagnostics": shown } });
    let fixes = editor.ask("textDocument/codeAction", asked);
    assert_eq!(fixes[0]["title"], "Replace `sped` with `speed`");
    assert_eq!(editor.change(FILE, &mended), [""; 0]);
    let begun = mended.replace("me.jump", "me.§jump");
    assert!(editor.completed(FILE, &begun).contains(&"vel".into()));
    assert!(editor.hover(FILE, &mended.replace("me.jump", "me.ju§mp")).contains("Jumps now"));
    let called = mended.replace("this.hurt", "this.hu§rt");
    assert_eq!(editor.defined(FILE, &called), ["scripts/hero.rhai:5:4"]);
    let arguments = editor.at(FILE, &mended.replace("me.jump()", "me.push(1, §"), "textDocument/signatureHelp");
    assert_eq!(arguments["activeParameter"], 1);
    editor.change(FILE, &mended);
    let name = json!({ "textDocument": document, "position": { "line": 4, "character": 4 }, "newName": "bruise" });
    let renamed = editor.ask("textDocument/rename", name).to_string();
    assert_eq!(renamed.matches("bruise").count(), 2, "a function and its call: {renamed}");
    // A window that is paused says what the scripts of its tick hold.
    let moment = json!({ "tick": 812, "entity": "hero", "values": { FILE: { "hits": "3", "me.vel": "(120, -40)" } } });
    editor.folder.write(".hangtime/moment.json", &moment.to_string());
    editor.change(FILE, &mended.replace("me.jump();", "this.hits += 1; me.vel.y = 90;"));
    let whole = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 7, "character": 0 } });
    let hints = editor.ask("textDocument/inlayHint", json!({ "textDocument": document, "range": whole }));
    assert_eq!(hints[0]["label"], "hits = 3, vel = (120, -40)");
    let mut page = String::from(
        "A session of an editor with `hangtime lsp`, shown in docs/editors.md. `→` is what the editor says and `←` what the\n\
         server answers. Headers are left out, and long lists are cut. A test plays the session again and compares.\n\n",
    );
    for line in editor.stop() {
        let (way, text) = line.split_once(' ').expect("a way and a message");
        let mut message: Value =
            serde_json::from_str(&text.replace(&root, "file:///mygame")).expect("a message is JSON");
        cut(&mut message);
        let _ = writeln!(page, "{way} {message}");
    }
    is_fresh("docs/editor-session.txt", &page);
}
