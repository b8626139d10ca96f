//! The list of Rhai's own functions in the reference.

use crate::folder::{Folder, Game, on_large_stack};
use hangtime_rhai::{
    api_entries,
    reference::{self, LanguageItem, language},
};
use hangtime_script::calls::ForeignCalls;
use std::sync::Arc;

/// The errors of a statement in `on_tick`, when it is compiled or else when it runs.
fn errors(statement: &str) -> Vec<String> {
    let folder = Folder::with_script(&format!("fn on_tick(me) {{ {statement} }}"));
    match folder.open() {
        Ok(revision) => {
            let mut game = Game::new(Arc::new(revision));
            game.ticks(1);
            game.wrong()
        }
        Err(errors) => errors.iter().map(|d| d.headline()).collect(),
    }
}

fn names_of(of: &str) -> Vec<&'static str> {
    let items = language().iter().filter(|item| item.of == of);
    items.map(|item| item.name.as_str()).collect()
}

/// A value of each type that functions are listed under.
fn sample(of: &str) -> &'static str {
    match of {
        "array" => "[1]",
        "function" => "|x| x",
        "map" => "#{ a: 1 }",
        "number" => "1",
        "range" => "(0..3)",
        "text" => "\"text\"",
        other => panic!("nothing should be listed under `{other}`"),
    }
}

#[test]
fn listed_functions_exist() {
    on_large_stack(|| {
        let listed = language().iter().filter(|item| item.of != "anything");
        for LanguageItem { of, name, property } in listed {
            let call = if *property { "" } else { "()" };
            let statement = format!("let it = {}; it.{name}{call};", sample(of));
            for error in errors(&statement) {
                let missing = ["there is no function", "there is no property"];
                let missing = missing.iter().any(|why| error.contains(why));
                assert!(!missing, "{statement}: {error}");
            }
        }
    });
}

#[test]
fn a_function_that_does_not_exist_is_an_error() {
    on_large_stack(|| {
        let error = errors("let it = [1]; it.shuffle();").join("\n");
        assert!(error.contains("there is no function"), "{error}");
    });
}

#[test]
fn functions_are_listed_under_the_type_they_are_called_on() {
    assert_eq!(names_of("anything"), ["Fn", "call", "debug", "print", "to_string", "type_of"]);
    assert_eq!(names_of("range"), ["contains", "end", "is_empty", "is_exclusive", "is_inclusive", "start"]);
    for (of, name) in [
        ("array", "push"),
        ("array", "filter"),
        ("map", "keys"),
        ("text", "split"),
        ("number", "is_even"),
        ("number", "min"),
        ("function", "name"),
    ] {
        assert!(names_of(of).contains(&name), "{name} of {of}");
    }
}

#[test]
fn functions_that_hangtime_replaces_are_not_listed() {
    let numbers = names_of("number");
    for name in ["sin", "sqrt", "floor", "to_int", "to_float", "parse_int"] {
        assert!(!numbers.contains(&name), "{name}");
    }
}

#[test]
fn the_page_lists_functions_by_type() {
    let page = reference::markdown(api_entries(&ForeignCalls::none()));
    for row in ["| arrays | `all` `append` ", "| any value | `Fn` `call` "] {
        assert!(page.contains(row), "no row {row}");
    }
}

/// What the page says about Rhai's functions that differ from the book.
#[test]
fn differences_from_the_book_hold() {
    on_large_stack(|| {
        for (statement, message) in [
            ("eval(\"1\");", "eval"),
            ("let x = 2 ** 3;", "**"),
            ("timestamp();", "timestamp"),
            ("blob();", "blob"),
            ("sleep(1);", "sleep"),
            ("try { throw 1; } catch { }", "try"),
            ("parse_int(\"ff\", 16);", "parse_int"),
            ("\"5\".to_int();", "parse_int"),
            ("[2, 1].sort(|a, b| a.x);", "x"),
            ("[2, 1].dedup(|a, b| a.x);", "x"),
            ("#{ f: |x| x }.to_json();", "function"),
        ] {
            let errors = errors(statement);
            let error = errors.first().map_or("", String::as_str);
            assert!(error.contains(message), "{statement}: {error}");
        }
        assert_eq!(errors("let x = sqrt(4) + sin(1) + pow(2, 3);"), Vec::<String>::new());
    });
}
