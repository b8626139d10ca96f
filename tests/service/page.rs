//! The page of the protocol, from its schema, its description in OpenRPC and a session.

use hangtime::service::{Column, protocol_openrpc, protocol_schema};
use serde_json::{Map, Value};
use std::{collections::BTreeSet, fmt::Write as _};

/// The first part of the page.
const INTRO: &str = include_str!("intro.md");

/// The rules at the end of the script of `hero` in the examples.
pub const EXAMPLE_RULES: [&str; 2] = ["fn reward(me) { me.x / 100.0 }", "fn done(me) { me.x > 700.0 }"];

/// The parameters of the examples of each method, which are one session with the game of `hangtime new hop`. `SNAPSHOT`
/// is the snapshot that was taken last.
const EXAMPLES: [(&str, &[&str]); 31] = [
    ("initialize", &["{}"]),
    ("rpc.discover", &["{}"]),
    (
        "world.create",
        &[r#"{"level":"first","seed":1,"settings":{"platformer.jump_speed":600}}"#, r#"{"level":"first","seed":-1}"#],
    ),
    (
        "world.step",
        &[
            r#"{"world":1,"ticks":30,"inputs":"40 right\n1 right jump\n60 right"}"#,
            r#"{"world":1,"ticks":200,"until":{"event":"land","entity":"hero"},"observe":{"fields":["pos","vel","mode"]}}"#,
            r#"{"world":1,"ticks":4,"inputs":[{"held":["left"],"move":[0.5,0]}],"observe":{"columns":["pos.x","pos.y"],"every":2}}"#,
            r#"{"world":1,"ticks":4,"inputs":[{"held":["lfet"]}]}"#,
        ],
    ),
    ("world.observe", &[r#"{"world":1}"#]),
    ("world.scene", &[r#"{"world":1}"#]),
    ("world.snapshot", &[r#"{"world":1}"#]),
    ("world.restore", &[r#"{"world":1,"snapshot":"SNAPSHOT"}"#, r#"{"world":1,"snapshot":"aGVsbG8="}"#]),
    ("world.fork", &[r#"{"world":1}"#]),
    (
        "worlds.step",
        &[
            r#"{"worlds":[1,3],"ticks":2,"inputs":[[{"held":["right"]}],"1 jump\n5"],"observe":{"columns":["pos.x","pos.y"]}}"#,
            r#"{"worlds":[1,3],"inputs":[null,[{"held":["lfet"]}]]}"#,
            r#"{"worlds":[1,2]}"#,
        ],
    ),
    ("world.reload", &[r#"{"world":1}"#]),
    (
        "world.set",
        &[
            r#"{"world":1,"settings":{"platformer.jump_speed":540}}"#,
            r#"{"world":1,"settings":{"platformer.jump_sped":540}}"#,
        ],
    ),
    (
        "world.place",
        &[
            r#"{"world":3,"entity":"hero","at":[300,120],"velocity":[0,200]}"#,
            r#"{"world":3,"entity":"hero","at":[300,1e4]}"#,
        ],
    ),
    (
        "world.emit",
        &[r#"{"world":3,"event":"alarm","data":{"x":40,"loud":true}}"#, r#"{"world":3,"event":"on_alarm"}"#],
    ),
    ("world.why", &[r#"{"world":3,"entity":"hero"}"#]),
    ("world.judge", &[r#"{"world":1,"entity":"hero"}"#, r#"{"world":1,"entity":"heroe"}"#]),
    ("world.trace.subscribe", &[r#"{"world":3,"observe":{"fields":["pos"],"every":60}}"#]),
    ("world.trace.unsubscribe", &[r#"{"world":3,"subscription":1}"#]),
    ("world.destroy", &[r#"{"world":3}"#, r#"{"world":3}"#]),
    ("world.list", &["{}"]),
    ("world.watch", &[r#"{"watched":1}"#, r#"{"watched":7}"#]),
    ("query.sweep", &[r#"{"world":1,"kind":"hero","from":[100,200],"to":[100,-200]}"#]),
    ("query.cast", &[r#"{"world":1,"from":[700,100],"to":[900,100]}"#]),
    ("query.overlap", &[r#"{"world":1,"half":[10,19],"at":[100,10]}"#]),
    ("query.rest_positions", &[r#"{"world":1,"kind":"hero","from":[0,0],"to":[100,60]}"#]),
    (
        "plan.jump",
        &[
            r#"{"world":1,"entity":"hero","to":[250,0],"clearance":40}"#,
            r#"{"world":1,"entity":"hero","to":[700,0],"own":true}"#,
        ],
    ),
    ("check", &["{}"]),
    ("tests.list", &[r#"{"filter":["gap"]}"#]),
    ("tests.run", &[r#"{"filter":["=test_falling_into_the_gap_returns_to_the_start"]}"#]),
    ("$/cancelRequest", &[r#"{"id":1}"#]),
    ("shutdown", &["{}"]),
];

/// The page of the protocol. `answer` returns all messages that a service answers to a request, in a session with the
/// game of `hangtime new hop`.
pub fn protocol_page(answer: &mut dyn FnMut(&str) -> Vec<String>) -> String {
    let schema = protocol_schema(true);
    let openrpc = serde_json::to_value(protocol_openrpc()).expect("JSON");
    let named = schema["$defs"].as_object().expect("types");
    let mut page = INTRO.to_string();
    errors(&mut page, &schema, &openrpc);
    columns(&mut page);
    let _ = write!(
        page,
        "\n## Methods\n\nThe examples are one session with the game of `hangtime new hop`, with `{}` and `{}` at the end of \
         `scripts/hero.rhai`. `…` marks text that is cut.\n",
        EXAMPLE_RULES[0], EXAMPLE_RULES[1]
    );
    let mut id = 0;
    let mut shown = BTreeSet::new();
    for method in openrpc["methods"].as_array().expect("methods") {
        let name = text(method, "name");
        let _ = write!(page, "\n### `{name}`\n\n{}\n", text(method, "description"));
        let types = &schema["methods"][name];
        members(&mut page, "Parameters", definition(named, &types["params"], &mut shown));
        let result = &types["result"];
        match result.get("anyOf") {
            Some(_) => {
                let _ = write!(page, "\nResult: {}.\n", type_of(result));
            }
            None => members(&mut page, "Result", definition(named, result, &mut shown)),
        }
        // After its own errors come the others that any request can have, `Parse` first.
        let own = errors_of(method).into_iter().take_while(|error| *error != "Parse");
        let codes = own.map(|error| code_of(&openrpc, error).to_string());
        let _ = write!(page, "\nErrors: {}.\n", codes.collect::<Vec<_>>().join(", "));
        page += "\n```\n";
        let examples = EXAMPLES.iter().find(|(method, _)| *method == name);
        for params in examples.unwrap_or_else(|| panic!("`{name}` has no example")).1 {
            id += 1;
            let request = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{name}","params":{params}}}"#);
            let _ = writeln!(page, "→ {request}");
            for message in answer(&request) {
                let _ = writeln!(page, "← {message}");
            }
        }
        page += "```\n";
    }
    for notice in openrpc["x-notifications"].as_array().expect("notifications") {
        let name = text(notice, "name");
        let _ = write!(page, "\n### The notification `{name}`\n\n{}\n", text(notice, "description"));
        let params = &schema["notifications"][name]["params"];
        members(&mut page, "Parameters", definition(named, params, &mut shown));
    }
    page += "\n## Objects\n\nThey are parts of parameters, results and errors.\n";
    for (name, about) in named {
        if !shown.contains(name) {
            object(&mut page, name, about);
        }
    }
    page
}

/// The names of the errors that a method can have.
fn errors_of(method: &Value) -> Vec<&str> {
    let all = method["errors"].as_array().expect("errors").iter();
    all.map(|error| last_part(text(error, "$ref"))).collect()
}

fn code_of<'a>(openrpc: &'a Value, error: &str) -> &'a Value {
    &openrpc["components"]["errors"][error]["code"]
}

fn errors(page: &mut String, schema: &Value, openrpc: &Value) {
    let methods = openrpc["methods"].as_array().expect("methods");
    let general = |code: &Value| {
        methods
            .iter()
            .all(|method| errors_of(method).into_iter().any(|error| code_of(openrpc, error) == code))
    };
    let all = schema["errors"].as_array().expect("errors");
    let any = all.iter().map(|error| &error["code"]).filter(|code| general(code));
    let any: Vec<String> = any.map(Value::to_string).collect();
    let (last, others) = any.split_last().expect("errors that any request can have");
    let _ = write!(
        page,
        "\n## Errors\n\nAn error has a `code`, a `message` for people and, where there is more to say, `data`, an \
         [ErrorData](#errordata). Any request can have {} and {last}.\n\n| code | when |\n|---|---|\n",
        others.join(", ")
    );
    for error in all {
        let _ = writeln!(page, "| {} | {} |", error["code"], text(error, "description"));
    }
}

fn columns(page: &mut String) {
    *page += "\n## Columns\n\nNumbers of entities, for programs that read thousands of them, and for conditions: \
              `observe.columns` and `until.column`.\n\n| column | unit | number |\n|---|---|---|\n";
    for (name, unit, means) in Column::known() {
        let _ = writeln!(page, "| `{name}` | {unit} | {means} |");
    }
    *page += "| `vars.NAME` | | a variable of its script; true is 1, false is 0, and anything that is not a number is NaN |\n";
}

/// The last part of a reference: the name of a type.
fn last_part(reference: &str) -> &str {
    reference.rsplit('/').next().unwrap_or_default()
}

/// The type that a schema refers to.
fn definition<'a>(named: &'a Map<String, Value>, schema: &Value, shown: &mut BTreeSet<String>) -> &'a Value {
    let name = last_part(text(schema, "$ref"));
    // What is part of other types, too, is listed with the objects.
    if name != "TickLine" {
        shown.insert(name.into());
    }
    named.get(name).unwrap_or(&Value::Null)
}

fn text<'a>(schema: &'a Value, key: &str) -> &'a str {
    schema.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// The table of a type's members.
fn members(page: &mut String, title: &str, schema: &Value) {
    let Some(members) = schema.get("properties").and_then(Value::as_object) else {
        return;
    };
    if members.is_empty() {
        return;
    }
    let required = schema.get("required").and_then(Value::as_array);
    let _ = write!(page, "\n| {title} | type | |\n|---|---|---|\n");
    for (name, member) in members {
        let is_required = required.is_some_and(|all| all.iter().any(|one| one == name));
        let default = member.get("default").filter(|default| !default.is_null());
        let note = match (title, is_required, default) {
            ("Parameters", true, _) => " Required.".to_string(),
            ("Parameters", false, Some(default)) if plain(default) => {
                format!(" Default: `{default}`.")
            }
            ("Parameters", ..) | (_, true, _) => String::new(),
            (_, false, _) if is_request(schema) => " Optional.".to_string(),
            (_, false, _) => " Omitted if empty.".to_string(),
        };
        let about = text(member, "description").replace('\n', " ");
        let kind = type_of(member);
        let _ = writeln!(page, "| `{name}` | {kind} | {about}{note} |");
    }
}

/// Whether a type is part of requests: those take no members that are not listed.
fn is_request(schema: &Value) -> bool {
    schema.get("additionalProperties") == Some(&Value::Bool(false))
}

/// Whether a default says something.
fn plain(default: &Value) -> bool {
    match default {
        Value::Null => false,
        Value::Array(list) => !list.is_empty(),
        Value::Object(map) => !map.is_empty(),
        _ => true,
    }
}

fn object(page: &mut String, name: &str, schema: &Value) {
    let about = text(schema, "description").replace('\n', " ");
    let _ = write!(page, "\n### {name}\n\n{about}\n");
    members(page, "Member", schema);
    let choices = choices(schema);
    if !choices.is_empty() {
        page.push('\n');
    }
    for (name, about) in choices {
        let _ = writeln!(page, "* `{name}`: {about}");
    }
}

/// The names that a text can be, each with its meaning.
fn choices(schema: &Value) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let all = schema.get("oneOf").or_else(|| schema.get("anyOf"));
    for one in all.and_then(Value::as_array).into_iter().flatten() {
        let about = text(one, "description").replace('\n', " ");
        if let Some(name) = one.get("const").and_then(Value::as_str) {
            found.push((name.into(), about.clone()));
        }
        for name in one.get("enum").and_then(Value::as_array).into_iter().flatten() {
            found.push((name.as_str().unwrap_or_default().into(), about.clone()));
        }
    }
    found
}

/// Several values of a type in words.
fn several(schema: &Value) -> String {
    let one = type_of(schema);
    one.strip_prefix("array of ")
        .map_or_else(|| format!("{one}s"), |of| format!("arrays of {of}"))
}

/// A type in words.
fn type_of(schema: &Value) -> String {
    if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
        let name = last_part(reference);
        return format!("[{name}](#{})", name.to_lowercase());
    }
    if let Some(all) = schema.get("anyOf").or_else(|| schema.get("allOf")) {
        let all = all.as_array().into_iter().flatten().map(type_of);
        let all: Vec<String> = all.filter(|name| name != "null").collect();
        return all.join(" or ");
    }
    let names: Vec<&str> = match schema.get("type") {
        Some(Value::String(name)) => vec![name],
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        _ => return "any".into(),
    };
    let name = names.into_iter().find(|name| *name != "null").unwrap_or("null");
    match (name, schema.get("items")) {
        ("array", Some(items)) => {
            let bound = |key: &str| schema.get(key).and_then(Value::as_u64);
            match (bound("minItems"), bound("maxItems")) {
                (Some(least), Some(most)) if least < most => format!("array of {least} to {most} {}", several(items)),
                (_, Some(count)) => format!("array of {count} {}", several(items)),
                _ => format!("array of {}", type_of(items)),
            }
        }
        (name, _) => name.into(),
    }
}
