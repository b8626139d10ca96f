//! The reference of Rhai's built-in functions: types, and examples that run.

use crate::docs::is_sentence;
use crate::folder::{Folder, on_large_stack};
use hangtime::script::rhai::reference::{self, LanguageItem, LanguageType, LanguageWay, language};

/// The errors of an example in `on_tick`, including a value that differs from the stated one.
fn failures(example: &str) -> Vec<String> {
    let script = match example.rsplit_once(" // ") {
        Some((code, worth)) => format!(
            "fn on_tick(me) {{\nlet got = {{ {code} }};\nlet said = {worth};\n\
             if type_of(got) != type_of(said) || got != said {{ throw `it is ${{got}}`; }}\n}}"
        ),
        None => format!("fn on_tick(me) {{ {example} }}"),
    };
    let folder = Folder::with_script(&script);
    let mut game = folder.game();
    game.ticks(1);
    game.wrong()
}

fn shown(item: &LanguageItem) -> String {
    format!("{} of {}", item.name, item.of)
}

#[test]
fn language_functions_have_descriptions_and_examples() {
    assert!(language().len() > 100, "{}", language().len());
    for item in language() {
        let what = shown(item);
        assert!(is_sentence(&item.doc), "{what}: {}", item.doc);
        assert!(!item.ways.is_empty(), "{what}");
        assert!(
            item.example.contains(&format!("{}(", item.name)),
            "{what} needs an example in `reference/phrases/`: {:?}",
            item.example
        );
        assert!(item.example.len() < 120, "{what}: {}", item.example);
        let quiet = ["print", "debug"].contains(&item.name.as_str());
        assert_eq!(item.example.contains(" // "), !quiet, "{what}");
    }
}

#[test]
fn language_examples_have_the_value_they_state() {
    on_large_stack(|| {
        let mut wrong = Vec::new();
        for item in language() {
            let failures = failures(item.example);
            if !failures.is_empty() {
                wrong.push(format!("{}: {}: {failures:?}", shown(item), item.example));
            }
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
    });
}

#[test]
fn a_language_example_with_a_wrong_value_is_found() {
    on_large_stack(|| {
        assert_eq!(failures("[1, 2].len() // 2"), Vec::<String>::new());
        assert!(failures("[1, 2].len() // 3")[0].contains("it is 2"));
        assert!(failures("[1, 2].len() // 2.0")[0].contains("it is 2"));
        assert!(failures("[1, 2].lne() // 2")[0].contains("lne"));
    });
}

/// Promises of the docs of built-in functions that their examples do not show.
const PROMISED: &[&str] = &[
    "let x = [1, 2, 9]; x.dedup(|a, b| b - a < 3); x // [1, 9]",
    "let x = [1, 2, 3, 4]; x.drain(1..3) // [2, 3]",
    "let x = [1, 2, 3, 4]; x.retain(1, 2); x // [2, 3]",
    "let x = [1, 2, 3]; x.extract(1) // [2, 3]",
    "[1].get(5) // ()",
    "[4, 5, 6].index_of(|x| x > 4) // 1",
    "[4, 5, 4].index_of(4, 1) // 2",
    "[4].index_of(5) // -1",
    "let x = []; x.push([1]); x // [[1]]",
    "[].pop() // ()",
    "[].shift() // ()",
    "[3].reduce(|sum, x| sum == ()) // true",
    "[3, 1, 2].order(|a, b| a < b) // [1, 2, 3]",
    "let x = [\"b\", \"a\"]; x.sort(); x // [\"a\", \"b\"]",
    "let x = [1, 2, 3]; x.splice(0..2, [8, 9]); x // [8, 9, 3]",
    "let x = #{ a: 1 }; x.remove(\"b\") // ()",
    "let low = []; for bit in 1.bits(0, 2) { low.push(bit); } low // [true, false]",
    "let x = []; for at in range(0.0, 1.0, 0.5) { x.push(at); } x // [0.0, 0.5]",
    "(0..=9).end() // 9",
    "\"key\".get(-1) // 'y'",
    "\"key\".get(3) // ()",
    "\"p2.p2\".index_of(\"p2\", 1) // 3",
    "\"key\".index_of(\"x\") // -1",
    "let x = \"level12\"; x.pop(2) // \"12\"",
    "\"\".pop() // ()",
    "\"red door\".split() // [\"red\", \"door\"]",
    "\"red\".split(1) // [\"r\", \"ed\"]",
    "\"a,b,c\".split(\",\", 2) // [\"a\", \"b,c\"]",
    "let x = \"level\"; x.crop(0..2); x // \"le\"",
];

#[test]
fn statements_of_the_language_docs_hold() {
    on_large_stack(|| {
        let wrong: Vec<_> = PROMISED.iter().map(|p| (p, failures(p))).collect();
        let wrong: Vec<_> = wrong.iter().filter(|(_, why)| !why.is_empty()).collect();
        assert!(wrong.is_empty(), "{wrong:#?}");
        for (refused, why) in [
            ("let x = \"cat\"; x.set(0, \"h\");", "set"),
            ("#{ f: |x| x }.to_json();", "function"),
            ("for x in range(0, 1, 0.5) { }", "range"),
        ] {
            let told = failures(refused);
            assert!(
                told.first().is_some_and(|t| t.contains(why)),
                "{refused}: {told:?}"
            );
        }
    });
}

/// The signatures of a function, as the page shows them.
fn ways(of: &str, name: &str) -> Vec<String> {
    let found = language().iter().find(|i| i.of == of && i.name == name);
    let item = found.unwrap_or_else(|| panic!("no {name} of {of}"));
    let shown = |way: &LanguageWay| format!("`{}`", item.typed_signature(way));
    let page = reference::markdown();
    let shown: Vec<String> = item.ways.iter().map(shown).collect();
    let row = page
        .lines()
        .find(|l| l.starts_with(&format!("| {}", shown[0])));
    assert!(
        shown
            .iter()
            .all(|way| row.is_some_and(|row| row.contains(way)))
    );
    let answered =
        |way: &LanguageWay| format!("{} → {}", item.typed_signature(way), way.returns.code());
    item.ways.iter().map(answered).collect()
}

#[test]
fn call_signatures_have_types() {
    for (of, name, expected) in [
        ("array", "chop", &["array.chop(len: whole) → ()"][..]),
        ("array", "len", &["array.len() → whole"]),
        ("array", "for_each", &["array.for_each(function) → ()"]),
        (
            "array",
            "index_of",
            &[
                "array.index_of(filter: function) → whole",
                "array.index_of(filter: function, start: whole) → whole",
                "array.index_of(value: any) → whole",
                "array.index_of(value: any, start: whole) → whole",
            ],
        ),
        ("number", "max", &["max(x: number, y: number) → number"]),
        ("text", "max", &["max(string1: text, string2: text) → text"]),
        ("text", "set", &["text.set(index: whole, character) → ()"]),
        (
            "text",
            "pop",
            &["text.pop() → any", "text.pop(len: whole) → text"],
        ),
        ("map", "filter", &["map.filter(filter: function) → map"]),
        (
            "range",
            "contains",
            &["range.contains(value: whole) → flag"],
        ),
        ("anything", "call", &["call(function, …) → any"]),
    ] {
        assert_eq!(ways(of, name), expected);
    }
    // It exists for single characters, and returns their code point.
    assert!(!language().iter().any(|i| i.name == "to_int"));
}

#[test]
fn iterators_are_only_accepted_by_loops() {
    let iterators: Vec<&str> = language()
        .iter()
        .filter(|item| {
            let mut ways = item.ways.iter();
            ways.any(|way| way.returns == LanguageType::Iterator)
        })
        .map(|item| item.name.as_str())
        .collect();
    assert_eq!(iterators, ["bits", "range", "chars"]);
}

#[test]
fn definitions_use_rhais_type_names() {
    let text = reference::definitions();
    for line in [
        "fn chop(array: Array, len: int) -> ();",
        "fn split(text: String, delimiter: String) -> Array;",
        "fn max(x: float, y: float) -> float;",
        "fn map(array: Array, function: FnPtr) -> Array;",
        "fn set(text: String, index: int, character: char) -> ();",
        "fn contains(range: range, value: int) -> bool;",
        "fn get(map: Map, property: String) -> ?;",
        "fn call(function: FnPtr, ...arguments: ?) -> ?;",
        "/// [1, 2, 3].map(|row| row * 32) // [32, 64, 96]",
    ] {
        assert!(text.lines().any(|l| l == line), "{line}");
    }
}

#[test]
fn json_lists_every_call_signature() {
    let all: serde_json::Value = serde_json::from_str(&reference::json()).expect("JSON");
    let list = all["language"].as_array().expect("a list");
    assert_eq!(list.len(), language().len());
    let chop = list.iter().find(|i| i["name"] == "chop").expect("chop");
    assert_eq!(
        chop["ways"],
        serde_json::json!([{
            "signature": "array.chop(len)",
            "on": "array",
            "parameters": [{ "name": "len", "type": "whole" }],
            "returns": "()",
        }])
    );
    assert_eq!(chop["signatures"], serde_json::json!(["array.chop(len)"]));
    assert!(chop["example"].as_str().is_some_and(|e| e.contains("chop")));
}
