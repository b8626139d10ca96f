//! From a line to requests.

use super::*;
use hangtime_script::{names::nearest, text::cut};
use jsonrpsee_types::TwoPointZero;
use serde::de::{DeserializeOwned, IgnoredAny};
use std::borrow::Cow;

/// The largest number of requests in a batch.
pub const MOST_IN_BATCH: usize = 1000;

/// The longest part of a message of `serde_json` that is passed on, in characters.
const MOST_EXPLAINED: usize = 400;

/// A request, or a notification if it has no id.
pub struct RpcRequest<'a> {
    /// Its id.
    pub id: Option<RequestId>,
    /// The name of the method, and its parameters; or the error to answer instead.
    pub call: Result<(Cow<'a, str>, Option<&'a RawValue>), RpcError>,
}

impl RpcRequest<'_> {
    fn wrong(id: RequestId, error: RpcError) -> Self {
        Self { id: Some(id), call: Err(error) }
    }
}

/// What a line holds.
pub struct Incoming<'a> {
    /// The requests, in order.
    pub requests: Vec<RpcRequest<'a>>,
    /// Whether their answers are one array.
    pub is_batch: bool,
}

/// The members of a request.
const MEMBERS: [&str; 4] = ["jsonrpc", "id", "method", "params"];

/// Other members are left alone, as JSON-RPC allows them.
#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(rename = "jsonrpc")]
    _version: TwoPointZero,
    #[serde(borrow, default, deserialize_with = "present")]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    method: Cow<'a, str>,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
}

/// An id that is there, even if it is null.
fn present<'de: 'a, 'a, D: Deserializer<'de>>(from: D) -> Result<Option<&'a RawValue>, D::Error> {
    <&RawValue>::deserialize(from).map(Some)
}

/// Reads a line.
pub fn read_message(line: &[u8]) -> Incoming<'_> {
    let wrong = |error| Incoming { requests: vec![RpcRequest::wrong(RequestId::null(), error)], is_batch: false };
    let text = match std::str::from_utf8(line) {
        Ok(text) => text,
        Err(error) => {
            let place = format!("byte {}", error.valid_up_to() + 1);
            return wrong(ErrorKind::Parse.error("this is not UTF-8").at(place));
        }
    };
    if !text.trim_start().starts_with('[') {
        return Incoming { requests: vec![read_request(text)], is_batch: false };
    }
    match serde_json::from_str::<BatchItems<'_>>(text) {
        Ok(all) if all.count == 0 => wrong(ErrorKind::Request.error("a batch needs at least one request")),
        Ok(all) if all.count > MOST_IN_BATCH => {
            let message = format!("a batch can have at most {MOST_IN_BATCH} requests; this one has {}", all.count);
            wrong(ErrorKind::Limit.error(message))
        }
        Ok(all) => {
            let requests = all.first.into_iter().map(|one| read_request(one.get()));
            Incoming { requests: requests.collect(), is_batch: true }
        }
        Err(error) => wrong(not_json(&error)),
    }
}

/// The items of a batch.
struct BatchItems<'a> {
    /// As many as a batch can have.
    first: Vec<&'a RawValue>,
    /// How many there are.
    count: usize,
}

impl<'de: 'a, 'a> Deserialize<'de> for BatchItems<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct BatchVisitor;

        impl<'de> Visitor<'de> for BatchVisitor {
            type Value = BatchItems<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an array of requests")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Self::Value, A::Error> {
                let (first, count) = first_items(list, MOST_IN_BATCH)?;
                Ok(BatchItems { first, count })
            }
        }

        from.deserialize_seq(BatchVisitor)
    }
}

/// The first items of an array, and how many it has: the rest takes no memory.
pub fn first_items<'de, T: Deserialize<'de>, A: SeqAccess<'de>>(
    mut list: A,
    most: usize,
) -> Result<(Vec<T>, usize), A::Error> {
    let mut first = Vec::new();
    while first.len() < most {
        match list.next_element()? {
            Some(item) => first.push(item),
            None => break,
        }
    }
    let mut count = first.len();
    while list.next_element::<IgnoredAny>()?.is_some() {
        count += 1;
    }
    Ok((first, count))
}

/// Reads a request.
fn read_request(text: &str) -> RpcRequest<'_> {
    // An array in a batch could be read as the members of an object in their order.
    if text.trim_start().starts_with('[') {
        let error = ErrorKind::Request.error("a request is an object, and this is an array");
        return RpcRequest::wrong(RequestId::null(), error);
    }
    let Envelope { id, method, params, .. } = match serde_json::from_str(text) {
        Ok(envelope) => envelope,
        Err(wrong) => {
            let members: BTreeMap<String, &RawValue> = serde_json::from_str(text).unwrap_or_default();
            let is_there = |member: &str| members.contains_key(member);
            let is_of_version = members.get("jsonrpc").is_some_and(|version| version.get() == "\"2.0\"");
            if is_of_version && is_there("result") != is_there("error") {
                // A service asks its clients for nothing. As little is answered to it as to a notification.
                return RpcRequest { id: None, call: Err(ErrorKind::Request.error("this is an answer")) };
            }
            let id = members.get("id").map_or(Ok(RequestId::null()), |id| RequestId::read(id.get()));
            // What is wrong with a request may come before what is wrong with the JSON.
            let is_json = serde_json::from_str::<&RawValue>(text);
            let error = is_json.map_or_else(|error| not_json(&error), |_| not_a_request(&members, &wrong));
            return RpcRequest::wrong(id.unwrap_or_else(|refused| refused), error);
        }
    };
    match id.map(|id| RequestId::read(id.get())).transpose() {
        Err(refused) => RpcRequest::wrong(refused, not_an_id(id)),
        Ok(id) => RpcRequest { id, call: Ok((method, params)) },
    }
}

/// Where in a text an error is.
fn place_of(error: &serde_json::Error) -> String {
    format!("line {} column {}", error.line(), error.column())
}

/// An error of `serde_json` without its place, and not too long.
fn explained(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let place = format!(" at {}", place_of(error));
    let text = text.strip_suffix(&place).unwrap_or(&text);
    in_terms_of_json(cut(text, MOST_EXPLAINED).into_owned())
}

/// The same text with JSON's names of types instead of Rust's.
fn in_terms_of_json(text: String) -> String {
    let Some((found, expected)) = text.split_once(", expected ") else {
        return text;
    };
    let expected = match expected {
        "u8" | "u16" | "u32" | "u64" | "usize" => "an integer of at least 0",
        "i8" | "i16" | "i32" | "i64" => "an integer",
        "f64" => "a number",
        "a sequence" => "an array",
        "a map" => "an object",
        expected if expected.starts_with("struct ") => "an object",
        expected => expected,
    };
    let found = found.replacen("invalid type: sequence", "invalid type: array", 1);
    let found = found.replacen("invalid type: map", "invalid type: object", 1);
    format!("{found}, expected {expected}")
}

fn not_json(error: &serde_json::Error) -> RpcError {
    let message = format!("this line is not JSON: {}", explained(error));
    ErrorKind::Parse.error(message).at(place_of(error))
}

fn not_a_request(members: &BTreeMap<String, &RawValue>, error: &serde_json::Error) -> RpcError {
    let explained = explained(error);
    let missing = explained.strip_prefix("missing field `").map_or("", |rest| rest.trim_end_matches('`'));
    // It may be one that is misspelled.
    let near = nearest(missing, members.keys().map(String::as_str).filter(|member| !MEMBERS.contains(member)));
    let near = near.map_or_else(String::new, |wrong| {
        format!("; did you mean `{missing}` instead of `{}`?", printable_name(&cut_name(wrong)))
    });
    let message = format!("this is not a request of JSON-RPC 2.0: {explained}{near}");
    ErrorKind::Request.error(message).at(place_of(error)).allowing([
        "jsonrpc: \"2.0\"",
        "id: a text, an integer or null",
        "method",
        "params",
    ])
}

fn not_an_id(id: Option<&RawValue>) -> RpcError {
    let id = cut_name(id.map_or("null", RawValue::get));
    let message = format!("`id` is {}; it must be a text, an integer or null", printable_name(&id));
    ErrorKind::Request.error(message).at("id").allowing(RequestId::ALLOWED)
}

/// The error for a method that is not one of these.
pub fn no_method(name: &str, names: impl Iterator<Item = &'static str> + Clone) -> RpcError {
    let name = cut_name(name);
    let near = suggestion(&name, names.clone());
    let message = format!("there is no method `{}`{near}", printable_name(&name));
    ErrorKind::Method.error(message).at("method").allowing(names)
}

/// Reads the parameters of a request. A request without `params` has all defaults.
pub fn read_params<T: DeserializeOwned>(params: Option<&RawValue>) -> Result<T, RpcError> {
    let text = params.map_or("{}", RawValue::get);
    if text.starts_with('[') {
        let message = "params: takes an object; an array does not say which parameter is which";
        return Err(ErrorKind::Params.error(message).at("params"));
    }
    let mut json = serde_json::Deserializer::from_str(text);
    serde_path_to_error::deserialize(&mut json).map_err(|error| {
        let path = error.path().to_string();
        let place = match path.as_str() {
            "." | "?" => "params".into(),
            path => format!("params.{}", cut(path, MOST_EXPLAINED)),
        };
        let explained = explained(error.inner());
        let allowed = expected_names(&explained);
        let message = with_nearest(explained);
        ErrorKind::Params.error(format!("{place}: {message}")).at(place).allowing(allowed)
    })
}

/// The names that `serde` expects instead of an unknown one.
fn expected_names(message: &str) -> Vec<String> {
    let unknown = message.starts_with("unknown field") || message.starts_with("unknown variant");
    let expected = message.split_once(", expected ").filter(|_| unknown);
    let names = expected.map_or("", |(_, names)| names).split('`');
    let names = names.skip(1).step_by(2);
    names.map(str::to_string).collect()
}

/// An explanation of `serde` with the nearest of the names that it lists.
fn with_nearest(message: String) -> String {
    let wrong = message.split('`').nth(1).unwrap_or_default();
    let names = expected_names(&message);
    match nearest(wrong, names.iter().map(String::as_str)) {
        Some(near) => format!("{message}; did you mean `{near}`?"),
        None => message,
    }
}
