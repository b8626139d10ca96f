//! The page with a session of an editor is what an editor and the server say.

use crate::{api_reference::is_fresh, editor_client::Editor, folder::Folder};
use serde_json::Value;
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
    assert_eq!(editor.change(FILE, &mended), [""; 0]);
    let begun = mended.replace("me.jump", "me.§jump");
    assert!(editor.completed(FILE, &begun).contains(&"vel".into()));
    assert!(editor.hover(FILE, &mended.replace("me.jump", "me.ju§mp")).contains("Jumps now"));
    let called = mended.replace("this.hurt", "this.hu§rt");
    assert_eq!(editor.defined(FILE, &called), ["scripts/hero.rhai:5:4"]);
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
