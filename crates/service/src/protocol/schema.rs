//! The JSON Schema of the protocol.

use super::*;
use schemars::generate::SchemaSettings;
use serde_json::{Map, json};

/// The types of the protocol.
pub(super) struct ProtocolTypes {
    /// Every type with a name.
    pub named: Map<String, Value>,
    /// Each method with its parameters and its result.
    pub methods: Vec<(&'static Method, Value, Value)>,
    /// The parameters of the notification `world.trace`.
    pub notice: Value,
}

impl ProtocolTypes {
    /// Collects them.
    pub fn collect() -> Self {
        let settings = SchemaSettings::draft2020_12();
        let mut read = settings.clone().for_deserialize().into_generator();
        let mut written = settings.for_serialize().into_generator();
        let methods = METHODS.iter().map(|method| {
            let (params, result) = (method.schemas)(&mut read, &mut written);
            (method, params, result)
        });
        let methods = methods.collect();
        let notice = written.subschema_for::<TraceNotice<'static>>().to_value();
        written.subschema_for::<ErrorData>();
        let mut all = read.take_definitions(true);
        all.append(&mut written.take_definitions(true));
        Self { named: all, methods, notice }
    }
}

/// The JSON Schema of all messages: `$defs` has the types, `methods` the parameters and the result of each method.
pub fn protocol_schema() -> Value {
    let types = ProtocolTypes::collect();
    let mut methods = Map::new();
    for (method, params, result) in types.methods {
        let about = json!({ "description": method.about, "params": params, "result": result });
        methods.insert(method.name.into(), about);
    }
    let mut named = types.named;
    // Lines with `observe.fields` have only its name and what is asked for.
    if let Some(required) = named.get_mut("EntityLine").and_then(|line| line.get_mut("required")) {
        *required = json!(["name"]);
    }
    let errors = ErrorKind::ALL.map(
        |(kind, about)| json!({ "code": kind.code(), "description": about, "data": { "$ref": "#/$defs/ErrorData" } }),
    );
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "The protocol of hangtime serve",
        "methods": methods,
        "notifications": { "world.trace": { "params": types.notice } },
        "errors": errors,
        "$defs": named,
    })
}
