//! The description of the service in OpenRPC, for tools that make clients and pages of it.

use super::*;

/// The version of OpenRPC.
const OPENRPC: &str = "1.3.2";

/// Where OpenRPC looks for types.
const TYPES: &str = "#/components/schemas/";

/// An OpenRPC document, which the schema of the protocol does not repeat.
#[derive(Serialize, JsonSchema)]
pub struct OpenRpcDocument(Map<String, Value>);

/// The OpenRPC document of the service: all methods with their parameters, results and errors, and in
/// `x-notifications` what the service sends.
pub fn protocol_openrpc() -> OpenRpcDocument {
    let mut types = ProtocolTypes::collect();
    types.loosen_lines();
    let methods = types.methods.iter().map(|(method, params, result)| {
        let general = ErrorKind::GENERAL.iter();
        let errors = method.errors.iter().chain(general.filter(|kind| !method.errors.contains(kind)));
        json!({
            "name": method.name,
            "description": method.about,
            "paramStructure": "by-name",
            "params": params_of(&types.named, params),
            "result": { "name": "result", "schema": result },
            "errors": errors.map(|kind| json!({ "$ref": format!("#/components/errors/{kind:?}") })).collect::<Vec<_>>(),
        })
    });
    let notices = types.notices.iter().map(|(notice, params)| {
        json!({ "name": notice.name, "description": notice.about, "params": params_of(&types.named, params) })
    });
    let errors = ErrorKind::ALL.iter().map(|(kind, about)| {
        let data = json!({ "$ref": "#/$defs/ErrorData" });
        (format!("{kind:?}"), json!({ "code": kind.code(), "message": about, "data": data }))
    });
    let mut document = Map::new();
    let mut add = |key: &str, value: Value| document.insert(key.into(), in_components(value));
    add("openrpc", json!(OPENRPC));
    add(
        "info",
        json!({
            "title": "hangtime serve",
            "description": "Runs the levels of a game for other programs, in lock-step.",
            "version": format!("{PROTOCOL}"),
            "license": { "name": env!("CARGO_PKG_LICENSE") },
        }),
    );
    add("methods", methods.collect());
    add("x-notifications", notices.collect());
    add("components", json!({ "schemas": types.named, "errors": errors.collect::<Map<_, _>>() }));
    OpenRpcDocument(document)
}

/// The parameters of a method, each on its own, the required ones first.
fn params_of(named: &Map<String, Value>, schema: &Value) -> Vec<Value> {
    let schema = named_schema(named, schema);
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    let members = schema["properties"].as_object().into_iter().flatten();
    let mut params: Vec<_> = members
        .map(|(name, member)| {
            let is_required = required.iter().any(|one| one == name);
            let about = &member["description"];
            json!({ "name": name, "description": about, "required": is_required, "schema": member })
        })
        .collect();
    params.sort_by_key(|param| param["required"] != true);
    params
}

/// The same with types where OpenRPC looks for them.
fn in_components(value: Value) -> Value {
    match value {
        Value::Object(members) => {
            let moved = members.into_iter().map(|(key, member)| {
                let member = match (key.as_str(), member.as_str().and_then(|name| name.strip_prefix("#/$defs/"))) {
                    ("$ref", Some(name)) => format!("{TYPES}{name}").into(),
                    _ => in_components(member),
                };
                (key, member)
            });
            Value::Object(moved.collect())
        }
        Value::Array(list) => list.into_iter().map(in_components).collect(),
        plain => plain,
    }
}
