//! The JSON Schema of the protocol.

use super::errors::{ErrorData, ErrorKind};
use super::methods::Method;
use super::params::{
    CancelParams, CastParams, CheckParams, CreateParams, DestroyParams, ForkParams, InitializeParams, JudgeParams,
    ObserveRequest, OverlapParams, PlanParams, ReloadParams, RestParams, RestoreParams, SetParams, ShutdownParams,
    SnapshotParams, SubscribeParams, SweepParams, TestListParams, TestRunParams, UnsubscribeParams, WhyParams,
};
use super::results::{
    CheckAnswer, ColumnData, CreateResult, Done, HitResult, InitializeResult, JudgeResult, OverlapResult, PlanResult,
    ReloadResult, RestResult, RestoreResult, SetResult, SnapshotResult, StepAnswer, SubscribeResult, TestListResult,
    TestRunResult, TraceNotice, WhyResult,
};
use super::scene::{SceneParams, SceneResult, WatchParams, WorldListParams, WorldListResult};
use super::step::StepParams;
use hangtime_play::TickLine;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value, json};

/// The types of the protocol.
pub(super) struct ProtocolTypes {
    /// Every type with a name.
    pub named: Map<String, Value>,
    /// The parameters and the result of each method, in the order of [`Method::ALL`].
    pub methods: Vec<(Method, Value, Value)>,
    /// The parameters of the notification `world.trace`.
    pub notice: Value,
}

impl ProtocolTypes {
    /// Collects them.
    pub fn collect() -> Self {
        let settings = SchemaSettings::draft2020_12();
        let mut read = settings.clone().for_deserialize().into_generator();
        let mut written = settings.for_serialize().into_generator();
        let methods = Method::ALL.into_iter();
        let methods = methods.map(|method| {
            let params = params_of(method, &mut read);
            let result = result_of(method, &mut written);
            (method, params, result)
        });
        let methods = methods.collect();
        let notice = named::<TraceNotice<'static>>(&mut written);
        named::<ErrorData>(&mut written);
        let mut all = read.take_definitions(true);
        all.append(&mut written.take_definitions(true));
        Self { named: all, methods, notice }
    }
}

fn named<T: JsonSchema>(generator: &mut SchemaGenerator) -> Value {
    generator.subschema_for::<T>().to_value()
}

fn params_of(method: Method, types: &mut SchemaGenerator) -> Value {
    match method {
        Method::Initialize => named::<InitializeParams>(types),
        Method::Create => named::<CreateParams>(types),
        Method::Step => named::<StepParams>(types),
        Method::Observe => named::<ObserveRequest>(types),
        Method::Scene => named::<SceneParams>(types),
        Method::Snapshot => named::<SnapshotParams>(types),
        Method::Restore => named::<RestoreParams>(types),
        Method::Fork => named::<ForkParams>(types),
        Method::Reload => named::<ReloadParams>(types),
        Method::Set => named::<SetParams>(types),
        Method::Why => named::<WhyParams>(types),
        Method::Judge => named::<JudgeParams>(types),
        Method::Subscribe => named::<SubscribeParams>(types),
        Method::Unsubscribe => named::<UnsubscribeParams>(types),
        Method::Destroy => named::<DestroyParams>(types),
        Method::List => named::<WorldListParams>(types),
        Method::Watch => named::<WatchParams>(types),
        Method::Sweep => named::<SweepParams>(types),
        Method::Cast => named::<CastParams>(types),
        Method::Overlap => named::<OverlapParams>(types),
        Method::RestPositions => named::<RestParams>(types),
        Method::PlanJump => named::<PlanParams>(types),
        Method::Check => named::<CheckParams>(types),
        Method::TestsList => named::<TestListParams>(types),
        Method::TestsRun => named::<TestRunParams>(types),
        Method::Cancel => named::<CancelParams>(types),
        Method::Shutdown => named::<ShutdownParams>(types),
    }
}

fn result_of(method: Method, types: &mut SchemaGenerator) -> Value {
    match method {
        Method::Initialize => named::<InitializeResult>(types),
        Method::Create | Method::Fork => named::<CreateResult>(types),
        Method::Step => named::<StepAnswer<'static>>(types),
        Method::Observe => {
            let forms = [named::<TickLine<'static>>(types), named::<ColumnData>(types)];
            json!({ "anyOf": forms })
        }
        Method::Scene | Method::Watch => named::<SceneResult>(types),
        Method::List => named::<WorldListResult>(types),
        Method::Snapshot => named::<SnapshotResult>(types),
        Method::Restore => named::<RestoreResult>(types),
        Method::Reload => named::<ReloadResult>(types),
        Method::Set => named::<SetResult>(types),
        Method::Why => named::<WhyResult>(types),
        Method::Judge => named::<JudgeResult>(types),
        Method::Subscribe => named::<SubscribeResult>(types),
        Method::Sweep | Method::Cast => named::<HitResult>(types),
        Method::Overlap => named::<OverlapResult>(types),
        Method::RestPositions => named::<RestResult>(types),
        Method::PlanJump => named::<PlanResult>(types),
        Method::Check => named::<CheckAnswer>(types),
        Method::TestsList => named::<TestListResult>(types),
        Method::TestsRun => named::<TestRunResult>(types),
        Method::Unsubscribe | Method::Destroy | Method::Cancel | Method::Shutdown => named::<Done>(types),
    }
}

/// The JSON Schema of all messages: `$defs` has the types, `methods` the parameters and the result of each method.
#[must_use]
pub fn protocol_schema() -> Value {
    let types = ProtocolTypes::collect();
    let mut methods = Map::new();
    for (method, params, result) in types.methods {
        methods
            .insert(method.name().into(), json!({ "description": method.about(), "params": params, "result": result }));
    }
    let mut named = types.named;
    // Lines with `observe.fields` have only its name and what is asked for.
    if let Some(required) = named.get_mut("EntityLine").and_then(|line| line.get_mut("required")) {
        *required = json!(["name"]);
    }
    let errors = ErrorKind::ALL.map(
        |kind| json!({ "code": kind.code(), "description": kind.about(), "data": { "$ref": "#/$defs/ErrorData" } }),
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
