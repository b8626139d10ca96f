//! The page of the protocol, from its types.

use super::schema::{ProtocolTypes, named_schema};
use super::*;
use crate::Column;
use serde_json::Map;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The first part of the page.
const INTRO: &str = include_str!("intro.md");

/// The rules at the end of the script of `hero` in the examples.
pub const EXAMPLE_RULES: [&str; 2] = ["fn reward(me) { me.x / 100.0 }", "fn done(me) { me.x > 700.0 }"];

/// The page of the protocol. `answer` returns all messages that a service answers to a request, in a session with the
/// game of `hangtime new hop`.
pub fn protocol_page(answer: &mut dyn FnMut(&str) -> Vec<String>) -> String {
    let types = ProtocolTypes::collect();
    let mut page = INTRO.to_string();
    errors(&mut page);
    columns(&mut page);
    let _ = write!(
        page,
        "\n## Methods\n\nThe examples are one session with the game of `hangtime new hop`, with `{}` and `{}` at the end of \
         `scripts/hero.rhai`. `…` marks text that is cut.\n",
        EXAMPLE_RULES[0], EXAMPLE_RULES[1]
    );
    let mut id = 0;
    let mut shown = BTreeSet::new();
    for (method, params, result) in &types.methods {
        let _ = write!(page, "\n### `{}`\n\n{}\n", method.name, method.about);
        let params = definition(&types.named, params, &mut shown);
        members(&mut page, "Parameters", params);
        match result.get("anyOf") {
            Some(_) => {
                let _ = write!(page, "\nResult: {}.\n", type_of(result));
            }
            None => {
                let result = definition(&types.named, result, &mut shown);
                members(&mut page, "Result", result);
            }
        }
        let errors = method.errors.iter().map(|kind| kind.code().to_string());
        let _ = write!(page, "\nErrors: {}.\n", errors.collect::<Vec<_>>().join(", "));
        page += "\n```\n";
        for params in method.examples {
            id += 1;
            let name = method.name;
            let request = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{name}","params":{params}}}"#);
            let _ = writeln!(page, "→ {request}");
            for message in answer(&request) {
                let _ = writeln!(page, "← {message}");
            }
        }
        page += "```\n";
    }
    for (notice, params) in &types.notices {
        let _ = write!(page, "\n### The notification `{}`\n\n{}\n", notice.name, notice.about);
        let params = definition(&types.named, params, &mut shown);
        members(&mut page, "Parameters", params);
    }
    page += "\n## Objects\n\nThey are parts of parameters, results and errors.\n";
    for (name, about) in &types.named {
        if !shown.contains(name) {
            object(&mut page, name, about);
        }
    }
    page
}

fn errors(page: &mut String) {
    let general = ErrorKind::GENERAL.map(|kind| kind.code().to_string());
    let (last, others) = general
        .split_last()
        .map_or(("", String::new()), |(last, others)| (last, others.join(", ")));
    let _ = write!(
        page,
        "\n## Errors\n\nAn error has a `code`, a `message` for people and, where there is more to say, `data`, an \
         [ErrorData](#errordata). Any request can have {others} and {last}.\n\n| code | when |\n|---|---|\n"
    );
    for (kind, about) in ErrorKind::ALL {
        let _ = writeln!(page, "| {} | {about} |", kind.code());
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

/// The type that a schema refers to.
fn definition<'a>(named: &'a Map<String, Value>, schema: &Value, shown: &mut BTreeSet<String>) -> &'a Value {
    let name = schema["$ref"].as_str().and_then(|name| name.rsplit('/').next()).unwrap_or_default();
    // What is part of other types, too, is listed with the objects.
    if name != "TickLine" {
        shown.insert(name.into());
    }
    named_schema(named, schema)
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

/// A type in words.
fn type_of(schema: &Value) -> String {
    if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
        let name = reference.rsplit('/').next().unwrap_or_default();
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
                (Some(least), Some(most)) if least < most => format!("array of {least} to {most} {}s", type_of(items)),
                (_, Some(count)) => format!("array of {count} {}s", type_of(items)),
                _ => format!("array of {}", type_of(items)),
            }
        }
        (name, _) => name.into(),
    }
}
