//! The messages of the service: requests, answers and errors of JSON-RPC 2.0, as types.
//!
//! The page of the protocol and its JSON Schema are made from these types and from the table of [`METHODS`].

mod errors;
mod id;
mod message;
mod methods;
mod observe;
mod page;
mod params;
mod results;
mod scene;
mod schema;
mod step;

pub(super) use errors::{ErrorKind, RpcError};
pub(super) use id::RequestId;
pub(super) use message::{Incoming, ReadRequest, RpcRequest, read_message};
pub(super) use methods::{ClientRequest, DeskRequest, METHODS, Request, WorldRequest};
pub(super) use observe::{ColumnFormat, ObserveParams, WhenFull};
pub use page::{EXAMPLE_RULES, protocol_page};
pub(super) use params::*;
pub use results::DiagnosticLine;
pub(super) use results::*;
pub(super) use scene::{SceneResult, WatchParams, WorldLine, WorldListResult};
pub use schema::protocol_schema;
pub(super) use step::{HeldInput, InputsParam, StepParams, UntilParams};
