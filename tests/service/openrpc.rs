//! The OpenRPC document describes what the service does.

use crate::{session::Session, worlds::counting};
use hangtime::service::protocol_schema;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The document that a service with a page answers, and the names of its methods.
fn discovered() -> (Value, BTreeSet<String>) {
    let folder = counting();
    let mut session = Session::with_page(folder.root());
    let info = session.result("initialize", &json!({}));
    let methods = info["methods"].as_array().expect("methods").iter();
    let methods = methods.map(|name| name.as_str().expect("a name").to_string()).collect();
    (session.result("rpc.discover", &json!({})), methods)
}

/// Calls `visit` with every object below a value.
fn each_object(value: &Value, visit: &mut dyn FnMut(&serde_json::Map<String, Value>)) {
    match value {
        Value::Object(members) => {
            visit(members);
            members.values().for_each(|member| each_object(member, visit));
        }
        Value::Array(list) => list.iter().for_each(|item| each_object(item, visit)),
        _ => {}
    }
}

/// The names in a list of objects that have one each.
fn names(list: &Value) -> Vec<String> {
    let list = list.as_array().expect("a list").iter();
    list.map(|one| one["name"].as_str().expect("a name").to_string()).collect()
}

#[test]
fn the_document_has_every_method_of_the_service_once_and_no_other() {
    let (document, methods) = discovered();
    let described = names(&document["methods"]);
    assert_eq!(described.len(), methods.len());
    assert_eq!(described.into_iter().collect::<BTreeSet<_>>(), methods);
}

#[test]
fn every_reference_of_the_document_resolves() {
    let (document, _) = discovered();
    let mut references = 0;
    each_object(&document, &mut |members| {
        if let Some(reference) = members.get("$ref").and_then(Value::as_str) {
            let pointer = reference.strip_prefix('#').expect("a reference within the document");
            assert!(document.pointer(pointer).is_some(), "{reference}");
            references += 1;
        }
    });
    assert!(references > 100, "{references}");
}

#[test]
fn the_document_has_the_shape_of_openrpc() {
    let (document, _) = discovered();
    assert!(document["openrpc"].as_str().is_some_and(|version| version.starts_with("1.3.")));
    assert!(document["info"]["title"].is_string() && document["info"]["version"].is_string());
    // The only members that the specification has, and extensions.
    let known = ["openrpc", "info", "servers", "methods", "components", "externalDocs"];
    let members = document.as_object().expect("an object").keys();
    assert!(members.clone().all(|name| known.contains(&name.as_str()) || name.starts_with("x-")), "{members:?}");
    for method in document["methods"].as_array().expect("methods") {
        assert_eq!(method["paramStructure"], "by-name", "{method}");
        assert!(method["result"]["name"].is_string() && method["result"]["schema"].is_object(), "{method}");
        let params = method["params"].as_array().expect("params");
        assert!(params.iter().all(|param| param["name"].is_string() && param["schema"].is_object()), "{method}");
        // Optional parameters come after required ones.
        assert!(params.is_sorted_by_key(|param| param["required"] != true), "{method}");
        let names = names(&method["params"]);
        assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len(), "{method}");
        for error in method["errors"].as_array().expect("errors") {
            let pointer = error["$ref"].as_str().and_then(|reference| reference.strip_prefix('#'));
            let error = document.pointer(pointer.expect("a reference")).expect("an error");
            assert!(error["code"].is_i64() && error["message"].is_string(), "{error}");
        }
    }
}

#[test]
fn the_document_and_the_schema_have_the_same_parameters_and_notifications() {
    let (document, _) = discovered();
    let schema = protocol_schema(false);
    let of_schema = |params: &Value| {
        let name = params["$ref"].as_str().expect("a type").trim_start_matches("#/$defs/");
        let members = schema["$defs"][name]["properties"].as_object();
        members.into_iter().flatten().map(|(name, _)| name.clone()).collect::<BTreeSet<_>>()
    };
    for method in document["methods"].as_array().expect("methods") {
        let params: BTreeSet<_> = names(&method["params"]).into_iter().collect();
        let name = method["name"].as_str().expect("a name");
        assert_eq!(params, of_schema(&schema["methods"][name]["params"]), "{name}");
    }
    let notifications = schema["notifications"].as_object().expect("notifications");
    let described: BTreeSet<_> = names(&document["x-notifications"]).into_iter().collect();
    assert_eq!(described, notifications.keys().cloned().collect());
}
