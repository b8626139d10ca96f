//! The page of the protocol and its JSON Schema.

use crate::{
    page::protocol_page,
    schema::{check_message, hop},
    session::Session,
};
use hangtime::service::{protocol_openrpc, protocol_schema};
use serde_json::{Value, json};
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
    let folder = hop();
    let schema = protocol_schema(false);
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
    let openrpc = serde_json::to_string_pretty(&protocol_openrpc()).expect("JSON");
    compare("docs/protocol.openrpc.json", &format!("{openrpc}\n"));
}
