//! The reference for people.

use super::language::{self, LanguageItem};
use super::shapes::shapes;
use super::ways::LanguageType;
use crate::script::host::api::{Access, Entry, Field, Kind, Names, Owner, Param, Topic, Type};
use crate::script::host::{EVENT, EVENTS, RULES, ScriptHook};
use crate::script::rhai::api_entries;
use std::fmt::Write as _;

const HEAD: &str = "\
# Script reference

All that scripts can call, read, write and answer, made from what is registered: `hangtime api` prints this
page, `hangtime api --format rhai` definitions for the language server of [Rhai](https://rhai.rs/book/)
([hangtime.d.rhai](hangtime.d.rhai)), and `hangtime api --format json` the same for programs.
[scripts.md](scripts.md) explains how behaviors work, [testing.md](testing.md) how tests do.

x points right and y up; in a top view y points north and z up. Lengths are px, times s, speeds px/s, angles
radians counter-clockwise from +x. Every parameter that is a number takes whole and floating ones. In the
examples `me` is the entity whose script it is and `this` its variables; in tests `t` is a level being played and
`hero` an entity of it.
";

const OWN_EVENTS: &str = "
### Events of one's own

`me.after(seconds, name)` and `world::emit(name)` tell `fn on_NAME(me)` or `fn on_NAME(me, event)`. The event has
`event`, `entity` and `tick`, and after `emit` also `data`. A name is up to 64 of a to z, 0 to 9 and _, not beginning
with a digit, and none of the names above.

```rust
fn on_alarm(me, event) { if event.entity != me.name { me.jump(); } }
```
";

const JSON: &str = "
## As JSON

`hangtime api --format json` prints one object: `api` (1; a larger number where fields have changed their
meaning), `version`, `hooks`, `entries`, `maps` and `language`. Fields may be added, not renamed.

* A hook has `name`, `kind` (`rule` or `event`), `parameters`, `about` (a map, or null), `answers`, `doc`, `example`.
* An entry has `topic`, `owner` (`me`, `world`, `entity`, `vec`, `test`, `snapshot`, `expectation` or empty), `name`, `kind`
  (`function`, `property`, `operator`), `room` (`behavior`, `test`, `both`), `signature`, `parameters` (each `name`,
  `type`, `unit`), `returns`, `unit`, `writable` and `why_not` (null for what is no property), `doc`, `example`.
* A map has `name` and `fields`, each with `name`, `type`, `unit`, `doc` and `always`.
* What the language brings has `of`, `name`, `property`, `signatures`, `ways`, `doc`, `example`. A way has `signature`, `on`
  (the type of what it is called on, or null), `parameters` (each `name` and `type`) and `returns`.

Types are `()`, `flag`, `whole`, `number`, `text`, `text:` and what it names, `vec`, `[each]`, `map:` and its name, `data`
(plain data), `me`, `entity`, `live` (an entity in a test), `test`, `snapshot`, `expectation`, `function`, `any`, and `one|other`.
What the language brings has also `array`, `map`, `range`, `character` (a single one, `'k'`) and `iterator` (what `for` goes
through); there a parameter that is `whole` takes no other numbers.
";

/// All of it as one page.
#[must_use]
pub fn markdown() -> String {
    let mut page = String::from(HEAD);
    write_hooks(&mut page);
    for topic in Topic::ALL {
        let _ = write!(page, "\n## {}\n\n{}\n", topic.title(), topic.intro());
        let entries: Vec<&Entry> = api_entries().iter().filter(|e| e.topic == topic).collect();
        write_properties(&mut page, &entries);
        write_calls(&mut page, &entries);
        write_operators(&mut page, &entries);
    }
    write_maps(&mut page);
    write_names(&mut page);
    write_language(&mut page);
    page + JSON
}

fn code(page: &mut String, text: &str) {
    let _ = write!(page, "\n```rust\n{text}\n```\n");
}

fn with_unit(what: &str, unit: &str) -> String {
    if unit.is_empty() {
        what.into()
    } else {
        format!("{what}, {unit}")
    }
}

fn write_hooks(page: &mut String) {
    *page += "\n## Rules\n\nA rule is asked; what it does not answer is decided by the files.\n";
    for rule in RULES {
        let _ = write!(
            page,
            "\n### `{}`\n\n{}\n\nAnswers {}.\n",
            rule.signature(),
            rule.doc,
            rule.answers.describe()
        );
        write_fields_of(page, rule);
        code(page, rule.example);
    }
    *page += "\n## Events\n\nAn event is told in the tick after it happened, before `on_tick`. Every event has these \
              fields, and those that are listed with it:\n";
    write_fields(page, EVENT.iter());
    for event in EVENTS {
        let _ = write!(page, "\n### `{}`\n\n{}\n", event.signature(), event.doc);
        write_fields_of(page, event);
        code(page, event.example);
    }
    *page += OWN_EVENTS;
}

fn write_fields_of(page: &mut String, hook: &ScriptHook) {
    let own = hook.about.map_or(&[][..], |shape| shape.own);
    if !own.is_empty() {
        write_fields(page, own.iter());
    }
}

fn write_fields<'f>(page: &mut String, fields: impl Iterator<Item = &'f Field>) {
    *page += "\n| field | holds | what it says |\n|---|---|---|\n";
    for field in fields {
        let holds = with_unit(&field.holds.describe(), field.unit);
        let doc = if field.always {
            field.doc.into()
        } else {
            format!("{}; not always there", field.doc)
        };
        let _ = writeln!(page, "| `{}` | {holds} | {doc} |", field.name);
    }
}

fn write_properties(page: &mut String, entries: &[&Entry]) {
    // What others show is what `me` shows.
    let shown = |e: &&&Entry| match e.owner {
        Owner::Entity => false,
        Owner::Live => e.name == "vars",
        _ => matches!(e.kind, Kind::Property(_)),
    };
    let properties: Vec<&&Entry> = entries.iter().filter(shown).collect();
    if properties.is_empty() {
        return;
    }
    *page += "\n| | holds | what it says | example |\n|---|---|---|---|\n";
    for entry in properties {
        let holds = with_unit(&entry.returns.describe(), entry.unit);
        let written = match entry.kind {
            Kind::Property(Access::ReadOnly(why)) => format!(" Not written: {}.", unbacked(why)),
            _ => String::new(),
        };
        let example = entry.example.replace('\n', " ").replace('|', "\\|");
        let _ = writeln!(
            page,
            "| `{}` | {holds} | {}{written} | `{example}` |",
            entry.signature(),
            entry.doc
        );
    }
}

fn unbacked(why: &str) -> &str {
    why.trim_end_matches('.')
}

/// Calls, all ways to call one under one heading.
fn write_calls(page: &mut String, entries: &[&Entry]) {
    let calls: Vec<&&Entry> = entries
        .iter()
        .filter(|e| e.kind == Kind::Function)
        .collect();
    let mut done: Vec<(Owner, &str)> = Vec::new();
    for first in &calls {
        let what = (first.owner, first.name);
        if done.contains(&what) {
            continue;
        }
        done.push(what);
        let ways: Vec<&&&Entry> = calls.iter().filter(|e| (e.owner, e.name) == what).collect();
        let signatures: Vec<String> = ways
            .iter()
            .map(|e| format!("`{}`", e.signature()))
            .collect();
        let _ = write!(page, "\n### {}\n", signatures.join(", "));
        for (number, way) in ways.iter().enumerate() {
            let _ = write!(page, "\n{}\n", way.doc);
            let takes = parameters(way.parameters);
            let answers = match way.returns {
                Type::Nothing => String::new(),
                of => format!("answers {}", with_unit(&of.describe(), way.unit)),
            };
            let facts: Vec<String> = [takes, answers]
                .into_iter()
                .filter(|t| !t.is_empty())
                .collect();
            let known = number > 0 && ways[0].returns == way.returns && way.parameters.is_empty();
            if !facts.is_empty() && !known {
                let _ = write!(page, "\n{}\n", facts.join("; "));
            }
            code(page, way.example);
        }
    }
}

fn parameters(list: &[Param]) -> String {
    let one = |p: &Param| format!("`{}` {}", p.name, with_unit(&p.takes.describe(), p.unit));
    list.iter().map(one).collect::<Vec<_>>().join(" · ")
}

fn write_operators(page: &mut String, entries: &[&Entry]) {
    let operators: Vec<&&Entry> = entries
        .iter()
        .filter(|e| e.kind == Kind::Operator)
        .collect();
    if operators.is_empty() {
        return;
    }
    *page += "\n### Operators\n\n`+=`, `-=`, `*=` and `/=` follow from these.\n\n| | takes | answers | what it says | example |\n|---|---|---|---|---|\n";
    for entry in operators {
        let _ = writeln!(
            page,
            "| `{}` | {} | {} | {} | `{}` |",
            entry.signature(),
            parameters(entry.parameters),
            entry.returns.describe(),
            entry.doc,
            entry.example
        );
    }
}

fn write_maps(page: &mut String) {
    *page += "\n## Maps\n\nWhat calls and properties answer that has fields.\n";
    for shape in shapes() {
        let _ = write!(page, "\n### {}\n", shape.name);
        write_fields(page, shape.fields());
    }
}

/// The words that texts can be one of, where they are few and the same in every game.
fn write_names(page: &mut String) {
    *page += "\n## Names\n\nTexts that the same words stand for in every game. Tunables are in [tunables.md](tunables.md), as \
              `platformer.jump_speed`.\n\n| | |\n|---|---|\n";
    for names in [Names::Action, Names::Axis, Names::Model, Names::HookState] {
        let words: Vec<String> = names.fixed().unwrap_or_default();
        let words: Vec<String> = words.iter().map(|w| format!("`\"{w}\"`")).collect();
        let _ = writeln!(page, "| {} | {} |", names.what(), words.join(" "));
    }
    *page += "| an action of a player | the same; `\"p2.jump\"` is that of the second player |\n";
}

fn write_language(page: &mut String) {
    *page += "\n## The language's own functions\n\nWhat [Rhai](https://rhai.rs/book/) brings itself and is there in scripts. Files, \
              clocks, `eval`, `curry` and `**` are not. What stands behind `→` is answered, and behind `//` what an example is \
              worth. A parameter that is `whole` takes no floating number, one that is `character` a single one in \
              single quotes, `'k'`; an `iterator` is what `for` goes through.\n";
    let mut of = "";
    for item in language::language() {
        if item.of != of {
            of = item.of;
            let _ = write!(
                page,
                "\n### Of {}\n\n| | what it does | example |\n|---|---|---|\n",
                OF.iter()
                    .find(|(k, _)| *k == of)
                    .map_or(of, |(_, name)| name)
            );
        }
        let example = item.example.replace('|', "\\|");
        let _ = writeln!(
            page,
            "| {} | {} | `{example}` |",
            written_ways(item),
            item.doc
        );
    }
}

/// All ways to call something, with what they answer: once behind those that answer the same.
fn written_ways(item: &LanguageItem) -> String {
    let alike = item.ways.chunk_by(|a, b| a.returns == b.returns);
    let each = alike.map(|ways| {
        let calls = ways.iter();
        let calls: Vec<String> = calls
            .map(|way| format!("`{}`", item.typed_signature(way)))
            .collect();
        match ways[0].returns {
            LanguageType::Nothing => calls.join(", "),
            of => format!("{} → {}", calls.join(", "), of.code()),
        }
    });
    each.collect::<Vec<_>>().join(", ")
}

const OF: [(&str, &str); 8] = [
    ("anything", "anything"),
    ("array", "arrays"),
    ("flag", "true and false"),
    ("function", "functions"),
    ("map", "maps"),
    ("number", "numbers"),
    ("range", "ranges"),
    ("text", "texts"),
];
