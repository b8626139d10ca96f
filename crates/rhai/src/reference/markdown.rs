//! The reference page, `docs/api.md`.

use super::calls_page::write_topic;
use super::hooks_page::write_hooks;
use super::language::language;
use super::shapes::shapes;
use super::text::write_fields;
use hangtime_script::api::{Names, Topic};
use std::fmt::Write as _;

const HEAD: &str = "\
# Script reference

Everything that a script can define, read, write, and call. [scripts.md](scripts.md) explains how behaviors work,
[testing.md](testing.md) how tests work. This page is generated from the code: `hangtime api` prints it,
`hangtime api --format rhai` prints definitions for Rhai's language server ([hangtime.d.rhai](hangtime.d.rhai)), and
`hangtime api --format json` prints the same for programs.

## How to read this page

* **Hooks** are functions that you write and the game calls: [rules](#rules) and [events](#events).
* **`me`** is the entity whose script runs: its [state](#state), [queries](#queries), and [actions](#actions).
  `this` holds its variables.
* **`world::`** is everything else in the level: [entities](#world-entities), [time and terrain](#world-time-and-terrain),
  [random numbers](#world-random-numbers), [custom events](#world-custom-events), and [levels](#world-levels).
* **`t`** is a level that a [test](#tests-playing-a-level) plays. In the examples `hero` is an entity in it.
* [Vectors](#vectors), [math](#math), and [Rhai's own functions](#rhais-own-functions) work in all scripts.

x points right and y points up; in a top view y points north and z up. Lengths are in px, times in s, speeds in px/s,
and angles in radians, counterclockwise from +x. Wherever a number is expected you can pass a whole or a floating-point
number.
";

const LANGUAGE: &str = "
## Rhai's own functions

Scripts are written in Rhai, and [the Rhai book](https://rhai.rs/book/) describes the language. These functions of its
standard library are available:

| on | functions |
|---|---|
";

const DIFFERENCES: &str = "
What differs from the book:

* `eval`, `curry`, and the operator `**` are off; use a closure and `pow(x, y)`. There are no timestamps, no `sleep`, no
  files, and no BLOBs.
* `try` and `catch` work in tests only. In a behavior an error ends the hook.
* At the top level of a file only `const`, `import`, and functions are allowed. Functions can use the constants of their
  file. `import` finds files in `scripts/` only.
* The functions under [Math](#math) replace Rhai's. They accept whole numbers; `parse_int` takes no radix; `to_int` and
  `to_float` accept numbers only.
* An error in a function passed to `sort`, `dedup`, or `index_of` stops the call; Rhai would ignore it.
* `to_json` fails on values that are not plain data.
* The sizes of strings, arrays, and maps and the number of operations are limited by `[scripts]` in
  [tunables.md](tunables.md).
";

const JSON: &str = "
## As JSON

`hangtime api --format json` prints one object: `api` (1; it increases when a field changes its meaning), `version`,
`hooks`, `entries`, `maps`, and `language`. Later versions may add fields, but do not rename any.

* A hook has `name`, `kind` (`rule` or `event`), `parameters`, `about` (a map, or null), `answers` (its return type), `doc`,
  and `example`.
* An entry has `topic`, `owner` (`me`, `world`, `entity`, `vec`, `test`, `snapshot`, `expectation`, `missed expectation`, or
  empty), `name`, `kind` (`function`, `property`, or `operator`), `room` (`behavior`, `test`, or `both`), `signature`,
  `parameters` (each with `name`, `type`, and `unit`), `returns`, `unit`, `writable` and `why_not` (null unless it is a
  property), `doc`, and `example`.
* A map has `name` and `fields`, each with `name`, `type`, `unit`, `doc`, and `always` (false if the field is optional).
* A function of Rhai has `of` (the type it is called on), `name`, and `property` (true if it is read without parentheses).

Types are `()`, `flag`, `whole`, `number`, `text`, `text:` plus the kind of name, `vec`, `[element]`, `map:` plus its name,
`data` (plain data), `me`, `entity`, `live` (an entity in a test), `test`, `snapshot`, `expectation`, `function`, `any`, and
`one|other`.
";

/// The whole page.
pub fn markdown() -> String {
    let mut page = String::from(HEAD);
    write_hooks(&mut page);
    for topic in Topic::ALL {
        write_topic(&mut page, topic);
    }
    write_maps(&mut page);
    write_names(&mut page);
    write_language(&mut page);
    page + JSON
}

fn write_maps(page: &mut String) {
    *page += "\n## Maps\n\nMaps with fixed fields that calls and properties return.\n";
    for shape in shapes() {
        let _ = write!(page, "\n### {}\n", shape.name);
        write_fields(page, shape.fields());
    }
}

/// The names that are the same in every game.
fn write_names(page: &mut String) {
    *page += "\n## Names\n\nNames that are the same in every game. [tunables.md](tunables.md) lists the tunables; in a \
              script their names start with the model, as in `platformer.jump_speed`.\n\n| | |\n|---|---|\n";
    for names in [Names::Action, Names::Axis, Names::Model, Names::HookState] {
        let words: Vec<String> = names.fixed().unwrap_or_default();
        let words: Vec<String> = words.iter().map(|w| format!("`\"{w}\"`")).collect();
        let _ = writeln!(page, "| {} | {} |", names.what(), words.join(" "));
    }
    *page += "| a player's action or axis, in tests | the same; `\"p2.jump\"` is the second player's |\n";
}

fn write_language(page: &mut String) {
    *page += LANGUAGE;
    for group in language().chunk_by(|a, b| a.of == b.of) {
        let names: Vec<String> = group.iter().map(|item| format!("`{}`", item.name)).collect();
        let _ = writeln!(page, "| {} | {} |", plural(group[0].of), names.join(" "));
    }
    *page += DIFFERENCES;
}

fn plural(of: &str) -> String {
    match of {
        "anything" => "any value".into(),
        of => format!("{of}s"),
    }
}
