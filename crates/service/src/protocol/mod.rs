//! The messages of the service: requests, answers and errors of JSON-RPC 2.0, as types.
//!
//! The page of the protocol and its JSON Schema are made from these types.

mod errors;
mod guide;
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
pub(super) use message::{Incoming, RefusedRequest, RpcRequest, read_message, read_params};
pub(super) use methods::Method;
pub(super) use observe::{ColumnFormat, ObserveParams, WhenFull};
pub use page::{EXAMPLE_RULES, protocol_page};
pub(super) use params::{
    AboutWorld, CancelParams, CastParams, CheckParams, CreateParams, DestroyParams, ForkParams, InitializeParams,
    JudgeParams, ObserveRequest, OverlapParams, PlanParams, ReloadParams, RestParams, RestoreParams, SetParams,
    ShapeParams, ShutdownParams, SnapshotParams, SubscribeParams, SweepParams, TestListParams, TestRunParams,
    UnsubscribeParams, WhyParams, WhyRecording,
};
pub use results::DiagnosticLine;
pub(super) use results::{
    BoundKey, CheckAnswer, ColumnData, CreateResult, Done, FaultLine, GameInfo, HitLine, HitResult, InitializeResult,
    JudgeResult, LimitInfo, OverlapResult, PlanResult, ReloadResult, RestPlace, RestResult, RestoreResult, SetResult,
    SnapshotResult, StepAnswer, SubscribeResult, TestLine, TestListResult, TestRunResult, TraceNotice, WhyResult,
};
pub(super) use scene::{SceneParams, SceneResult, WatchParams, WorldLine, WorldListParams, WorldListResult};
pub use schema::protocol_schema;
pub(super) use step::{HeldInput, InputsParam, StepParams, UntilParams};
