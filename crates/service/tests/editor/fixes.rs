//! Quick fixes for every "did you mean".

use crate::{
    check_table::{BEHAVIORS, LEVELS, LIBRARIES, Row, TESTS},
    client::{Editor, edited},
    named_game::game,
};
use serde_json::{Value, json};

/// The texts after each fix for a message.
fn fixed(editor: &mut Editor, file: &str, text: &str, message: &Value) -> Vec<String> {
    let uri = editor.uri(file);
    let params = json!({
        "textDocument": { "uri": uri }, "range": message["range"], "context": { "diagnostics": [message] },
    });
    let actions = editor.ask("textDocument/codeAction", params);
    let actions = actions.as_array().expect("a list").iter();
    actions.map(|action| edited(text, &action["edit"]["changes"][&uri])).collect()
}

/// Each wrong script of the check's table whose message has a better name is right after its first fix. Only
/// a message without a place in the text, or one that asks for other code than a name, has none.
#[test]
fn every_did_you_mean_has_a_fix_that_removes_the_message() {
    let mut editor = Editor::start(game());
    let mut tried = 0;
    let mut failed = String::new();
    let tables: [(&str, &[Row]); 4] = [
        ("scripts/a.rhai", BEHAVIORS),
        ("levels/tests/a.rhai", TESTS),
        ("scripts/gate.rhai", LEVELS),
        ("scripts/a.rhai", LIBRARIES),
    ];
    for (file, rows) in tables {
        for (marked, _, part, _) in rows.iter() {
            let text = marked.replace('§', "");
            let said = editor.types(file, &text);
            let has_hint = |it: &&Value| it["message"].as_str().is_some_and(|it| it.contains("did you mean"));
            let Some(message) = said.iter().find(has_hint) else {
                continue;
            };
            tried += 1;
            let Some(new) = fixed(&mut editor, file, &text, message).into_iter().next() else {
                failed += &format!("no fix for {part}: {text}\n");
                continue;
            };
            let left = editor.types(file, &new);
            if left.iter().any(|it| it["message"] == message["message"]) {
                failed += &format!("{part}: {new}\n");
            }
        }
    }
    editor.stop();
    assert!(tried >= 50, "{tried}");
    assert!(failed.is_empty(), "{failed}");
}

#[test]
fn fixes_replace_the_wrong_name_and_nothing_else() {
    let mut editor = Editor::start(game());
    // Columns count UTF-16 code units: `🪂` is two, `ß` one. Lines may end as on Windows.
    for (wrong, right) in [
        ("fn on_tick(me) { /* größe🪂 */ me.jmp(); }", "fn on_tick(me) { /* größe🪂 */ me.jump(); }"),
        ("\r\nfn on_tick(me) {\r\n    me.jmp();\r\n}\r\n", "\r\nfn on_tick(me) {\r\n    me.jump();\r\n}\r\n"),
        ("fn on_tick(me) { if me.grounded() { me.jump(); } }", "fn on_tick(me) { if me.grounded { me.jump(); } }"),
        ("fn on_lnd(me) { me.jump(); }", "fn on_land(me) { me.jump(); }"),
        (
            "fn on_tick(me) { me.tune(\"platformer.jump_sped\", 1); }",
            "fn on_tick(me) { me.tune(\"platformer.jump_speed\", 1); }",
        ),
    ] {
        let said = editor.types("scripts/a.rhai", wrong);
        let found: Vec<String> = said.iter().flat_map(|it| fixed(&mut editor, "scripts/a.rhai", wrong, it)).collect();
        assert_eq!(found.first().map(String::as_str), Some(right), "{said:?}");
    }
    for (wrong, right) in [
        ("[platformer]\njump_sped = 3\n", "[platformer]\njump_speed = 3\n"),
        ("modl = \"vessel\"\n", "model = \"vessel\"\n"),
    ] {
        let said = editor.types("config/entities/a.toml", wrong);
        let found: Vec<String> = said
            .iter()
            .flat_map(|it| fixed(&mut editor, "config/entities/a.toml", wrong, it))
            .collect();
        assert_eq!(found, [right], "{said:?}");
    }
    // A message of something else, or about a place that is no longer there, has none.
    for message in ["did you mean `", "did you mean ?", "`x` is not here; did you mean `y`?", ""] {
        let at = json!({ "line": 0, "character": 0 });
        let beyond = json!({ "line": 900, "character": 900 });
        for (start, end) in [(&at, &beyond), (&beyond, &at), (&at, &at)] {
            let message = json!({ "range": { "start": start, "end": end }, "message": message });
            assert_eq!(fixed(&mut editor, "scripts/a.rhai", "", &message), [""; 0]);
        }
    }
    editor.stop();
}
