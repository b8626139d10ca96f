//! Tests of `src/golden/changes.rs`.

use super::{TraceLine, apply, changes};
use serde_json::{Value, json};

fn line(value: Value) -> TraceLine {
    value.as_object().cloned().expect("an object")
}

#[test]
fn changes_make_every_line_of_the_line_before_it() {
    let hero = |x: f64, vars: Value| json!({ "id": 1, "name": "hero", "pos": [x, 19.0, 0.0], "vars": vars });
    let coin = json!({ "id": 7, "name": "coin", "pos": [0.0, 0.0, 0.0], "vars": {} });
    let level = |n: i64| json!({ "vars": { "n": n } });
    let lines = [
        json!({ "tick": 0, "hash": "a", "level": level(0), "entities": [hero(0.0, json!({ "a": 1, "b": null }))],
                "events": [{ "event": "birth" }] }),
        json!({ "tick": 1, "hash": "b", "level": level(0), "entities": [hero(0.0, json!({ "a": 2, "b": null })), coin],
                "events": [] }),
        json!({ "tick": 2, "hash": "c", "entities": [hero(4.5, json!({ "a": 2 })), coin], "events": [], "plays": "b.toml" }),
        json!({ "tick": 3, "hash": "d", "entities": [coin], "events": [] }),
        json!({ "tick": 4, "hash": "e", "level": level(1), "entities": [], "events": [{ "event": "death" }] }),
    ];
    let mut read = TraceLine::new();
    let mut before = TraceLine::new();
    for expected in lines.map(line) {
        apply(&mut read, changes(&before, &expected));
        assert_eq!(read, expected);
        before = expected;
    }
}

#[test]
fn what_stays_is_not_written() {
    let before = line(json!({ "tick": 3, "hash": "a", "time": 0.05, "events": [],
        "entities": [{ "id": 1, "pos": [0.5, 1.0, 0.0], "mode": "ground", "vars": { "n": 1, "long": "text" } }] }));
    let after = line(json!({ "tick": 4, "hash": "b", "time": 0.07, "events": [],
        "entities": [{ "id": 1, "pos": [0.5, 1.0, 0.0], "mode": "ground", "vars": { "n": 2, "long": "text" } }] }));
    let expected = json!({ "tick": 4, "hash": "b", "entities": [{ "id": 1, "set": { "n": 2 } }] });
    assert_eq!(Value::Object(changes(&before, &after)), expected);
}
