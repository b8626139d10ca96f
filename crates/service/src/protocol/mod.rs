//! The messages of the service: requests, answers and errors of JSON-RPC 2.0, as types.
//!
//! Its JSON Schema and its description in OpenRPC are made from these types and from the table of [`METHODS`].

mod errors;
mod id;
mod message;
mod methods;
mod notices;
mod observe;
mod openrpc;
mod params;
mod results;
mod scene;
mod schema;
mod step;
mod whole;
mod worlds;
use hangtime_script::prose;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

pub(super) use errors::*;
pub(super) use id::RequestId;
pub(super) use message::*;
pub(super) use methods::*;
pub(super) use notices::*;
pub(super) use observe::*;
pub(super) use openrpc::OpenRpcDocument;
pub use openrpc::protocol_openrpc;
pub(super) use params::*;
pub use results::DiagnosticLine;
pub(super) use results::*;
pub(super) use scene::*;
pub use schema::protocol_schema;
pub(super) use step::*;
pub(super) use whole::{whole, whole_if_any, whole_list};
pub(super) use worlds::*;

/// The version of the protocol.
pub(super) const PROTOCOL: u32 = 1;
