//! Messages are as the JSON Schema says.

use crate::{folder::Folder, page::EXAMPLE_RULES, session::Session};
use hangtime::{
    project::{TEMPLATES, create_from_template},
    service::protocol_schema,
};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// The game of `hangtime new hop`, in the folder `hop`, with the rules of the examples.
pub fn hop() -> Folder {
    let folder = Folder::empty();
    let mut templates = TEMPLATES.iter();
    let template = templates.find(|template| template.name == "platformer");
    let template = template.cloned().expect("a template");
    create_from_template(folder.root(), "hop", template).expect("a new game");
    let script = std::fs::read_to_string(folder.path("hop/scripts/hero.rhai")).expect("a script");
    folder.write("hop/scripts/hero.rhai", &format!("{script}\n{}\n", EXAMPLE_RULES.join("\n")));
    folder
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
    if let Some(number) = value.as_f64() {
        let bound = |key: &str| schema[key].as_f64();
        if bound("minimum").is_some_and(|least| number < least) || bound("maximum").is_some_and(|most| number > most) {
            return wrong("range");
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
        if bound("maxItems").is_some_and(|most| length > most) || bound("minItems").is_some_and(|least| length < least)
        {
            return wrong("length");
        }
        if schema.get("items").is_some() {
            let mut items = list.iter().enumerate();
            items.try_for_each(|(i, item)| check(&schema["items"], all, item, &format!("{place}[{i}]")))?;
        }
    }
    match value.as_object() {
        Some(members) => check_members(schema, all, members, place),
        None => Ok(()),
    }
}

/// Whether the members of an object are as a schema says.
fn check_members(schema: &Value, all: &Value, members: &Map<String, Value>, place: &str) -> Result<(), String> {
    let wrong = |why: &str| Err(format!("{place}: {why}"));
    for name in schema["required"].as_array().into_iter().flatten() {
        if !members.contains_key(name.as_str().expect("a name")) {
            return wrong(&format!("lacks {name}"));
        }
    }
    let others = &schema["additionalProperties"];
    // What lists its members has no others, unless it says so.
    let is_closed = others == false || (others.is_null() && schema.get("properties").is_some());
    for (name, member) in members {
        match schema["properties"].get(name) {
            Some(schema) => check(schema, all, member, &format!("{place}.{name}"))?,
            None if is_closed => return wrong(&format!("has {name}")),
            None if others.is_object() => check(others, all, member, &format!("{place}.{name}"))?,
            None => {}
        }
    }
    Ok(())
}

/// Checks a message of a session against the schema.
pub fn check_message(schema: &Value, request: &Value, message: &Value) {
    if let Some(name) = message["method"].as_str() {
        let notice = &schema["notifications"][name]["params"];
        check(notice, schema, &message["params"], "params").expect("the schema of the notification");
        return;
    }
    if let Some(error) = message.get("error") {
        let codes: Vec<&Value> = schema["errors"].as_array().expect("errors").iter().map(|e| &e["code"]).collect();
        assert!(codes.contains(&&error["code"]), "{message}");
        check(&json!({"$ref": "#/$defs/ErrorData"}), schema, &error["data"], "data").expect("the schema of errors");
        return;
    }
    let method = &schema["methods"][request["method"].as_str().expect("a name")];
    check(&method["params"], schema, &request["params"], "params").expect("the schema of the parameters");
    check(&method["result"], schema, &message["result"], "result").expect("the schema of the result");
}

/// A session that checks everything it sends and gets.
struct CheckedSession {
    session: Session,
    schema: Value,
    asked: BTreeSet<String>,
    last: u64,
}

impl CheckedSession {
    /// The result of a request.
    fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.last += 1;
        self.asked.insert(method.into());
        let id = self.last;
        let request = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        self.session.send(&request.to_string());
        loop {
            let mut message = self.session.read();
            check_message(&self.schema, &request, &message);
            if message["id"] == id {
                return message["result"].take();
            }
        }
    }
}

/// Two worlds, seen in all ways.
fn step_and_observe(game: &mut CheckedSession) {
    game.ask("initialize", &json!({"token": "unneeded"}));
    game.ask("rpc.discover", &json!({}));
    game.ask("world.create", &json!({"level": "first", "settings": {"platformer.jump_speed": 600}, "why": "all"}));
    game.ask("world.fork", &json!({"world": 1}));
    game.ask(
        "world.trace.subscribe",
        &json!({"world": 2, "observe": {"fields": ["pos", "vars"], "every": 5, "why": true}}),
    );
    game.ask("world.trace.subscribe", &json!({"world": 2, "when_full": "wait"}));
    for observe in [
        json!({}),
        json!({"every": 7}),
        json!({"fields": []}),
        json!({"fields": ["id", "kind", "model", "mode", "hook", "why"], "why": true, "every": 3}),
        json!({"entities": ["hero"], "kinds": ["hero"]}),
        json!({"columns": ["pos.x", "vars.used"], "every": 4}),
        json!({"columns": []}),
    ] {
        for world in [1, 2] {
            let inputs = "12 right\n9 right jump\n20 left";
            let params = json!({"world": world, "ticks": 40, "inputs": inputs, "observe": observe});
            let step = game.ask("world.step", &params);
            let shown = step["observations"].as_array().map_or(0, Vec::len);
            let columns = observe.get("columns").is_some();
            assert_eq!((shown > 0, step.get("columns").is_some()), (!columns, columns), "{step}");
            if observe.get("every").is_none() {
                game.ask("world.observe", &json!({"world": world, "observe": observe}));
            }
        }
    }
}

/// What else is asked about worlds.
fn ask_about_worlds(game: &mut CheckedSession) {
    game.ask(
        "world.step",
        &json!({"world": 1, "until": {"event": "land"}, "ticks": 60, "inputs": [{"pressed": ["jump"], "aim": [1, 2]}]}),
    );
    game.ask(
        "worlds.step",
        &json!({"worlds": [2, 1], "ticks": 200, "inputs": ["20 right\n5 right jump", null], "observe": {"columns": ["age"]}}),
    );
    game.ask("worlds.step", &json!({"worlds": [1, 2], "observe": {"columns": [], "kinds": ["hero"]}}));
    game.ask("world.scene", &json!({"world": 1}));
    game.ask("world.why", &json!({"world": 1, "entity": "hero"}));
    game.ask("world.judge", &json!({"world": 1, "entity": "hero"}));
    game.ask("world.list", &json!({}));
    game.ask("world.watch", &json!({"watched": 1}));
    let saved = game.ask("world.snapshot", &json!({"world": 1}));
    game.ask("world.restore", &json!({"world": 2, "snapshot": saved["snapshot"]}));
    game.ask("world.set", &json!({"world": 1, "settings": {"platformer.jump_speed": 540}}));
    game.ask("world.reload", &json!({"world": 1}));
    game.ask("world.place", &json!({"world": 1, "entity": "hero", "at": [100, 100, 0], "velocity": [0, 50]}));
    game.ask("world.emit", &json!({"world": 1, "event": "alarm", "data": {"x": [1, null]}}));
    game.ask("world.trace.unsubscribe", &json!({"world": 2, "subscription": 2}));
}

/// Questions about the terrain.
fn ask_about_terrain(game: &mut CheckedSession) {
    let hero = json!({"world": 1, "kind": "hero", "from": [100, 200], "to": [100, -200], "at": [100, 10]});
    for (method, left_out) in
        [("query.sweep", "at"), ("query.overlap", "from to"), ("query.cast", "kind at"), ("query.rest_positions", "at")]
    {
        let mut params = hero.clone();
        let members = params.as_object_mut().expect("an object");
        members.retain(|name, _| !left_out.split(' ').any(|left| left == name));
        game.ask(method, &params);
    }
    for own in [true, false] {
        game.ask("plan.jump", &json!({"world": 1, "entity": "hero", "to": [250, 0], "own": own}));
    }
}

#[test]
fn every_answer_is_as_the_schema_says_also_with_columns_and_fields() {
    let folder = hop();
    let (session, schema) = (Session::with_page(&folder.path("hop")), protocol_schema(false));
    let (asked, last) = (BTreeSet::new(), 0);
    let mut game = CheckedSession { session, schema, asked, last };
    step_and_observe(&mut game);
    ask_about_worlds(&mut game);
    ask_about_terrain(&mut game);
    game.ask("check", &json!({}));
    game.ask("tests.list", &json!({}));
    game.ask("tests.run", &json!({"filter": ["gap"]}));
    game.ask("$/cancelRequest", &json!({"id": 1}));
    game.ask("world.destroy", &json!({"world": 2}));
    game.ask("shutdown", &json!({}));
    let all = game.schema["methods"].as_object().expect("methods").keys().cloned();
    assert_eq!(game.asked, all.collect());
}

#[test]
fn the_checker_of_schemas_finds_what_is_wrong() {
    let all = json!({"$defs": {"A": {"type": "object", "required": ["x"], "additionalProperties": false,
        "properties": {"x": {"type": ["integer", "null"], "minimum": -2}, "y": {"type": "array", "items": {"type": "number"}, "maxItems": 2}}}}});
    let schema = json!({"$ref": "#/$defs/A"});
    assert_eq!(check(&schema, &all, &json!({"x": 1, "y": [1.5, 2]}), ""), Ok(()));
    for wrong in [
        json!({}),
        json!({"x": "1"}),
        json!({"x": 1, "z": 1}),
        json!({"x": 1, "y": [1, 2, 3]}),
        json!({"x": 1, "y": ["a"]}),
        json!({"x": -3}),
        json!(5),
    ] {
        assert!(check(&schema, &all, &wrong, "").is_err(), "{wrong}");
    }
}
