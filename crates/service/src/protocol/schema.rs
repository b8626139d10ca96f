//! The JSON Schema of the protocol.

use super::*;
use schemars::generate::SchemaSettings;

/// The types of the protocol.
pub struct ProtocolTypes {
    /// Every type with a name.
    pub named: Map<String, Value>,
    /// Each method with its parameters and its result.
    pub methods: Vec<(&'static Method, Value, Value)>,
    /// The parameters of each notification.
    pub notices: Vec<(&'static NoticeKind, Value)>,
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
        let notices = NOTICES.iter().map(|notice| (notice, (notice.schema)(&mut written))).collect();
        written.subschema_for::<ErrorData>();
        let mut all = read.take_definitions(true);
        all.append(&mut written.take_definitions(true));
        Self { named: all, methods, notices }
    }

    /// Lines with `observe.fields` have only their name and what is asked for.
    pub fn loosen_lines(&mut self) {
        if let Some(required) = self.named.get_mut("EntityLine").and_then(|line| line.get_mut("required")) {
            *required = json!(["name"]);
        }
    }
}

/// The type that a schema refers to.
pub fn named_schema<'a>(named: &'a Map<String, Value>, schema: &Value) -> &'a Value {
    let name = schema["$ref"].as_str().and_then(|name| name.rsplit('/').next());
    named.get(name.unwrap_or_default()).unwrap_or(&Value::Null)
}

/// The JSON Schema of all messages: `$defs` has the types, `methods` the parameters and the result of each method. With
/// `whole_lines`, lines of traces have all of their fields, as without `observe.fields`.
pub fn protocol_schema(whole_lines: bool) -> Value {
    let mut types = ProtocolTypes::collect();
    if !whole_lines {
        types.loosen_lines();
    }
    let mut methods = Map::new();
    for (method, params, result) in types.methods {
        let about = json!({ "description": method.about, "params": params, "result": result });
        methods.insert(method.name.into(), about);
    }
    let mut notifications = Map::new();
    for (notice, params) in types.notices {
        notifications.insert(notice.name.into(), json!({ "description": notice.about, "params": params }));
    }
    let errors = ErrorKind::ALL.map(
        |(kind, about)| json!({ "code": kind.code(), "description": about, "data": { "$ref": "#/$defs/ErrorData" } }),
    );
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "The protocol of hangtime serve",
        "methods": methods,
        "notifications": notifications,
        "errors": errors,
        "$defs": types.named,
    })
}
