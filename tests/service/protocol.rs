//! The page of the protocol and its JSON Schema.

use crate::folder::Folder;
use crate::session::Session;
use hangtime::project::{TEMPLATES, create_from_template};
use hangtime::service::{protocol_page, protocol_schema};
use serde_json::{Map, Value, json};
use std::path::Path;

/// Compares a committed page with the generated one; `HANGTIME_WRITE_DOCS` writes it.
fn compare(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    if std::env::var_os("HANGTIME_WRITE_DOCS").is_some() {
        std::fs::write(&path, text).expect("docs can be written");
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    let differs = text.lines().zip(committed.lines()).find(|(a, b)| a != b);
    assert!(
        committed == text,
        "{name} is stale: run `HANGTIME_WRITE_DOCS=1 cargo test --test service -- protocol`; first difference: {differs:?}"
    );
}

/// The longest text and the longest line of an example.
const LONGEST_TEXT: usize = 60;
const LONGEST_LINE: usize = 1200;

/// A message as the page shows it.
fn shown(mut message: Value) -> String {
    shorten(&mut message);
    let text = message.to_string();
    match text.char_indices().nth(LONGEST_LINE) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}

fn shorten(value: &mut Value) {
    match value {
        Value::String(text) if text.len() > LONGEST_TEXT && !text.contains(' ') => {
            text.truncate(20);
            text.push('…');
        }
        Value::Array(list) => list.iter_mut().for_each(shorten),
        Value::Object(members) => {
            for (key, member) in members {
                match key.as_str() {
                    // No two runs take the same time.
                    "ms" => *member = json!(1.5),
                    _ => shorten(member),
                }
            }
        }
        _ => {}
    }
}

/// Whether a value is as a schema says, or where it is not.
fn check(schema: &Value, all: &Value, value: &Value, place: &str) -> Result<(), String> {
    let wrong = |why: &str| Err(format!("{place}: {why}: {value}"));
    if let Some(reference) = schema["$ref"].as_str() {
        let name = reference.trim_start_matches("#/$defs/");
        return check(&all["$defs"][name], all, value, place);
    }
    for key in ["anyOf", "oneOf"] {
        if let Some(list) = schema[key].as_array()
            && !list.iter().any(|one| check(one, all, value, place).is_ok())
        {
            return wrong(key);
        }
    }
    if let Some(list) = schema["enum"].as_array()
        && !list.contains(value)
    {
        return wrong("enum");
    }
    if schema.get("const").is_some_and(|same| same != value) {
        return wrong("const");
    }
    let is = |name: &str| match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64(),
        "array" => value.is_array(),
        _ => value.is_object(),
    };
    let types: Vec<&str> = match &schema["type"] {
        Value::String(name) => vec![name],
        Value::Array(names) => names.iter().filter_map(Value::as_str).collect(),
        _ => vec![],
    };
    if !types.is_empty() && !types.into_iter().any(is) {
        return wrong("type");
    }
    if let Some(list) = value.as_array() {
        let length = list.len() as u64;
        let bound = |key: &str| schema[key].as_u64();
        if bound("maxItems").is_some_and(|most| length > most)
            || bound("minItems").is_some_and(|least| length < least)
        {
            return wrong("length");
        }
        if schema.get("items").is_some() {
            let mut items = list.iter().enumerate();
            items.try_for_each(|(i, item)| {
                check(&schema["items"], all, item, &format!("{place}[{i}]"))
            })?;
        }
    }
    match value.as_object() {
        Some(members) => check_members(schema, all, members, place),
        None => Ok(()),
    }
}

/// Whether the members of an object are as a schema says.
fn check_members(
    schema: &Value,
    all: &Value,
    members: &Map<String, Value>,
    place: &str,
) -> Result<(), String> {
    let wrong = |why: &str| Err(format!("{place}: {why}"));
    for name in schema["required"].as_array().into_iter().flatten() {
        if !members.contains_key(name.as_str().expect("a name")) {
            return wrong(&format!("lacks {name}"));
        }
    }
    for (name, member) in members {
        match schema["properties"].get(name) {
            Some(schema) => check(schema, all, member, &format!("{place}.{name}"))?,
            None if schema["additionalProperties"] == false => {
                return wrong(&format!("has {name}"));
            }
            None => {}
        }
    }
    Ok(())
}

/// Checks a message of a session against the schema.
fn check_message(schema: &Value, request: &Value, message: &Value) {
    if message["method"] == "world.trace" {
        // Filtered lines lack members.
        assert!(message["params"]["subscription"].is_u64(), "{message}");
        return;
    }
    if let Some(error) = message.get("error") {
        let codes: Vec<&Value> = schema["errors"]
            .as_array()
            .expect("errors")
            .iter()
            .map(|e| &e["code"])
            .collect();
        assert!(codes.contains(&&error["code"]), "{message}");
        check(
            &json!({"$ref": "#/$defs/ErrorData"}),
            schema,
            &error["data"],
            "data",
        )
        .expect("the schema of errors");
        return;
    }
    let method = &schema["methods"][request["method"].as_str().expect("a name")];
    check(&method["params"], schema, &request["params"], "params")
        .expect("the schema of the parameters");
    let mut result = message["result"].clone();
    // Filtered lines lack members.
    if let Some(result) = result.as_object_mut() {
        result.remove("observations");
    }
    check(&method["result"], schema, &result, "result").expect("the schema of the result");
}

/// All messages that answer a request. Another one about the same world shows where they end.
fn answers(session: &mut Session, request: &Value) -> Vec<Value> {
    session.send(&request.to_string());
    let mut found = Vec::new();
    if request["method"] == "shutdown" {
        found.push(session.read());
        return found;
    }
    loop {
        let message = session.read();
        let is_answer = message["id"] == request["id"];
        found.push(message);
        if is_answer {
            break;
        }
    }
    let world = request["params"]["world"].as_u64().unwrap_or(0);
    let observe = |id: &str, world: u64| json!({"jsonrpc": "2.0", "id": id, "method": "world.why", "params": {"world": world, "entity": "hero"}});
    session.send(&observe("end", world).to_string());
    loop {
        let message = session.read();
        if message["id"] == "end" {
            return found;
        }
        found.push(message);
    }
}

#[test]
fn the_protocol_page_and_its_schema_match_the_types_and_a_real_session() {
    let folder = Folder::empty();
    let mut templates = TEMPLATES.iter();
    let template = templates.find(|template| template.name == "platformer");
    let template = template.cloned().expect("a template");
    create_from_template(folder.root(), "hop", template).expect("a new game");
    let schema = protocol_schema();
    let mut session = Session::with_page(&folder.path("hop"));
    let mut snapshot = String::new();
    let page = protocol_page(&mut |request| {
        let mut request: Value = serde_json::from_str(request).expect("a good example");
        if request["params"]["snapshot"] == "SNAPSHOT" {
            request["params"]["snapshot"] = json!(snapshot);
        }
        let messages = answers(&mut session, &request);
        for message in &messages {
            check_message(&schema, &request, message);
            if let Some(text) = message["result"]["snapshot"].as_str() {
                snapshot = text.into();
            }
        }
        messages.into_iter().map(shown).collect()
    });
    compare("docs/protocol.md", &page);
    let schema = serde_json::to_string_pretty(&schema).expect("JSON");
    compare("docs/protocol.schema.json", &format!("{schema}\n"));
}

#[test]
fn the_checker_of_schemas_finds_what_is_wrong() {
    let all = json!({"$defs": {"A": {"type": "object", "required": ["x"], "additionalProperties": false,
        "properties": {"x": {"type": ["integer", "null"]}, "y": {"type": "array", "items": {"type": "number"}, "maxItems": 2}}}}});
    let schema = json!({"$ref": "#/$defs/A"});
    assert_eq!(
        check(&schema, &all, &json!({"x": 1, "y": [1.5, 2]}), ""),
        Ok(())
    );
    for wrong in [
        json!({}),
        json!({"x": "1"}),
        json!({"x": 1, "z": 1}),
        json!({"x": 1, "y": [1, 2, 3]}),
        json!({"x": 1, "y": ["a"]}),
        json!(5),
    ] {
        assert!(check(&schema, &all, &wrong, "").is_err(), "{wrong}");
    }
}
