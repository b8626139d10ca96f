//! The values of a paused window at the lines of a script.

use crate::{client::Editor, folder::Folder};
use hangtime_game::{GameFolder, ShownMoment};
use lsp_server::Message;
use serde_json::{Value, json};
use std::collections::BTreeMap;

const HERO: &str = "scripts/hero.rhai";

const TEXT: &str = "fn on_tick(me) {\n    // this.coins stays as it is\n    this.coins += 1;\n    if me.x > this.coins && me.x < 9 { me.vel.x = \
                    this.best[0]; }\n    let other = world::entity(\"hero\");\n    other.me.x;\n    print(\"this.coins\");\n    me.hold(\"left\"); this.unknown = 2;\n}\n";

fn moment(values: &[(&str, &str)]) -> ShownMoment {
    let values = values.iter().map(|(name, value)| (name.to_string(), value.to_string()));
    ShownMoment { tick: 812, entity: "hero".into(), values: BTreeMap::from([(HERO.into(), values.collect())]) }
}

fn show(folder: &Folder, shown: Option<&ShownMoment>) {
    ShownMoment::write(&GameFolder::new(folder.root()), shown).expect("a file");
}

/// Lines, counted from 0, and texts of the hints in a range of lines.
fn hints(editor: &mut Editor, from: u32, to: u32) -> Vec<(u64, String)> {
    let range = json!({ "start": { "line": from, "character": 0 }, "end": { "line": to, "character": 0 } });
    let asked = json!({ "textDocument": { "uri": editor.uri(HERO) }, "range": range });
    let answer = editor.ask("textDocument/inlayHint", asked);
    let text = |hint: &Value| {
        let line = hint["position"]["line"].as_u64().expect("a line");
        let length = TEXT.lines().nth(line as usize).expect("the line").len() as u64;
        assert_eq!(hint["position"]["character"], length, "it is at the end of its line");
        assert_eq!(hint["tooltip"], "hero at tick 812");
        (line, hint["label"].as_str().expect("a text").to_string())
    };
    answer.as_array().map_or_else(Vec::new, |all| all.iter().map(text).collect())
}

#[test]
fn lines_show_the_values_of_the_moment_in_the_window() {
    let folder = Folder::with_script(TEXT);
    let values = moment(&[("coins", "3"), ("best", "[7,8]"), ("me.x", "12.5"), ("me.vel", "(3, 0)"), ("me.hold", "1")]);
    show(&folder, Some(&values));
    let mut editor = Editor::start(folder);
    editor.open(HERO, TEXT);
    let all = hints(&mut editor, 0, 99);
    let expected = [(2, "coins = 3"), (3, "x = 12.5, coins = 3, vel = (3, 0), best = [7,8]"), (7, "hold = 1")];
    assert_eq!(all, expected.map(|(line, text)| (line, text.to_string())));
    // An editor asks for the lines that it shows.
    assert_eq!(hints(&mut editor, 0, 2), [(2, "coins = 3".to_string())]);
    assert_eq!(hints(&mut editor, 4, 6), []);
    // Time runs again, or the window is closed.
    show(&editor.folder, None);
    assert_eq!(hints(&mut editor, 0, 99), []);
    editor.stop();
}

#[test]
fn hints_of_a_file_that_is_no_moment_are_none() {
    for text in [
        "",
        "{",
        "null",
        "[1]",
        "{\"tick\":-1,\"entity\":\"hero\",\"values\":{}}",
        "{\"tick\":1,\"entity\":2,\"values\":3}",
    ] {
        let folder = Folder::with_script(TEXT);
        folder.write(".hangtime/moment.json", text);
        let mut editor = Editor::start(folder);
        editor.open(HERO, TEXT);
        assert_eq!(hints(&mut editor, 0, 99), [], "{text}");
        editor.stop();
    }
}

#[test]
fn an_editor_that_can_is_asked_to_look_again_for_each_moment() {
    let mut editor = Editor::start_with(
        Folder::with_script(TEXT),
        json!({ "workspace": { "inlayHint": { "refreshSupport": true } } }),
    );
    // Once it has answered, it looks at the file.
    editor.open(HERO, TEXT);
    assert_eq!(hints(&mut editor, 0, 3), []);
    for (coins, shown) in [("1", true), ("2", true), ("2", false)] {
        let moment = moment(&[("coins", coins)]);
        show(&editor.folder, shown.then_some(&moment));
        loop {
            if let Message::Request(request) = editor.next() {
                assert_eq!(request.method, "workspace/inlayHint/refresh");
                break;
            }
        }
        editor.open(HERO, TEXT);
        let found = hints(&mut editor, 0, 3);
        assert_eq!(found.first().map(|(_, text)| text.clone()), shown.then(|| format!("coins = {coins}")));
    }
    editor.stop();
}
