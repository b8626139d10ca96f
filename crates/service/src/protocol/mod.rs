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

use super::*;
use hangtime_script::prose;
use schemars::{JsonSchema, SchemaGenerator};
use serde::{
    Deserializer,
    de::{SeqAccess, Visitor},
};
use serde_json::{Map, Value, json};
use std::fmt;

pub use errors::*;
pub use id::*;
pub use message::*;
pub use methods::*;
pub use notices::*;
pub use observe::*;
pub use openrpc::*;
pub use params::*;
pub use results::*;
pub use scene::*;
pub use schema::*;
pub use step::*;
pub use whole::*;
pub use worlds::*;

/// The version of the protocol.
pub const PROTOCOL: u32 = 1;
