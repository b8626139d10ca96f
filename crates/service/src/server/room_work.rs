//! What requests do to a world, on its thread.

use super::filter::{ObservationFilter, why_lines};
use super::inputs::settings;
use super::queries;
use super::reply::Reply;
use super::room::Room;
use super::scene::scene_of;
use super::step_view::StepView;
use super::stepping;
use super::subscription::Subscription;
use crate::protocol::{
    AboutWorld, DiagnosticLine, Done, ErrorKind, FaultLine, JudgeParams, JudgeResult, Method, ObserveRequest,
    ReloadParams, ReloadResult, RestoreParams, RestoreResult, RpcError, SceneParams, SceneResult, SetParams, SetResult,
    SnapshotParams, SnapshotResult, SubscribeParams, SubscribeResult, UnsubscribeParams, WhenFull, WhyParams,
    WhyResult, read_params,
};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hangtime_core::sim::EntityId;
use hangtime_core::sim::why::Watch;
use hangtime_rhai::recording_prints;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

/// The most subscriptions to a world.
const MOST_SUBSCRIPTIONS: usize = 16;

/// What a request does to a world.
pub(super) type RoomWork = Box<dyn FnOnce(&mut Room, Reply) + Send>;

/// What a request is about, and what it does there.
///
/// # Errors
/// What is wrong with the parameters.
pub(super) fn prepare(method: Method, params: Option<&RawValue>) -> Result<(u64, RoomWork), RpcError> {
    match method {
        Method::Step => work(params, stepping::step),
        Method::Observe => work(params, observe),
        Method::Scene => answer(params, |room, params| Ok(scene(room, &params))),
        Method::Snapshot => answer(params, |room, _: SnapshotParams| snapshot(room)),
        Method::Restore => answer(params, restore),
        Method::Reload => answer(params, |room, _: ReloadParams| reload(room)),
        Method::Set => answer(params, set),
        Method::Why => answer(params, |room, params| why(room, &params)),
        Method::Judge => answer(params, |room, params| judge(room, &params)),
        Method::Subscribe => work(params, subscribe),
        Method::Unsubscribe => answer(params, |room, params| unsubscribe(room, &params)),
        Method::Sweep => answer(params, |room, params| queries::sweep(room, &params)),
        Method::Cast => answer(params, |room, params| queries::cast(room, &params)),
        Method::Overlap => answer(params, |room, params| queries::overlap(room, &params)),
        Method::RestPositions => answer(params, |room, params| queries::rest_positions(room, &params)),
        Method::PlanJump => answer(params, |room, params| queries::plan_jump(room, &params)),
        Method::Initialize
        | Method::Create
        | Method::Fork
        | Method::Destroy
        | Method::List
        | Method::Watch
        | Method::Check
        | Method::TestsList
        | Method::TestsRun
        | Method::Cancel
        | Method::Shutdown => Err(RpcError::new(ErrorKind::Internal, "this is no work of a world")),
    }
}

/// Whether a request takes so little time that another thread than the world's can carry it out. A step lets the world's
/// thread do what takes longer.
pub(super) fn is_short(method: Method) -> bool {
    matches!(
        method,
        Method::Step
            | Method::Observe
            | Method::Scene
            | Method::Why
            | Method::Judge
            | Method::Sweep
            | Method::Cast
            | Method::Overlap
    )
}

/// Work that answers itself.
fn work<T: AboutWorld + DeserializeOwned + Send + 'static>(
    params: Option<&RawValue>,
    run: fn(&mut Room, T, Reply),
) -> Result<(u64, RoomWork), RpcError> {
    let params: T = read_params(params)?;
    let number = params.world();
    let work = move |room: &mut Room, reply: Reply| match reply.is_canceled() {
        true => reply.fail(RpcError::new(ErrorKind::Canceled, "the request was canceled before it began")),
        false => run(room, params, reply),
    };
    Ok((number, Box::new(work)))
}

/// Work whose result is the answer.
fn answer<T: AboutWorld + DeserializeOwned + Send + 'static, R: Serialize + 'static>(
    params: Option<&RawValue>,
    run: fn(&mut Room, T) -> Result<R, RpcError>,
) -> Result<(u64, RoomWork), RpcError> {
    let params: T = read_params(params)?;
    let number = params.world();
    let work = move |room: &mut Room, reply: Reply| match reply.is_canceled() {
        true => reply.fail(RpcError::new(ErrorKind::Canceled, "the request was canceled before it began")),
        false => reply.send(run(room, params)),
    };
    Ok((number, Box::new(work)))
}

fn observe(room: &mut Room, request: ObserveRequest, reply: Reply) {
    let (live, observe) = (room.world.live(), &request.observe);
    if observe.every.is_some() {
        let message = "is for `world.step` and subscriptions; this shows the present tick";
        return reply.fail(RpcError::parameter("observe.every", message));
    }
    let mut view = match StepView::new(Some(observe), live, 0, reply.takes_binary()) {
        Ok(view) => view,
        Err(error) => return reply.fail(error),
    };
    view.look(live);
    match observe.columns.is_some() {
        true => {
            let (data, binary) = view.columns();
            reply.succeed(&data, binary);
        }
        false => reply.succeed(&view.take_lines().pop(), None),
    }
}

fn scene(room: &Room, params: &SceneParams) -> SceneResult {
    scene_of(room.world.live()).answer(params.stage_id.as_deref())
}

fn snapshot(room: &mut Room) -> Result<SnapshotResult, RpcError> {
    let bytes = room.world.snapshot()?;
    Ok(SnapshotResult { snapshot: STANDARD.encode(bytes) })
}

fn restore(room: &mut Room, params: RestoreParams) -> Result<RestoreResult, RpcError> {
    let bytes = STANDARD.decode(params.snapshot.as_bytes()).map_err(|error| {
        let message = format!("this is not a snapshot: it is not base64 ({error})");
        RpcError::new(ErrorKind::Snapshot, message).at("params.snapshot")
    })?;
    let before = room.world.fork();
    room.world.restore(&bytes)?;
    room.measure();
    if let Err(error) = room.share.check(&room.limits) {
        room.world = before;
        room.measure();
        return Err(error);
    }
    // What was recorded is of another tick.
    room.world.watch(Watch::Off);
    let (tick, hash) = room.reached();
    let tick_hz = room.world.hz();
    Ok(RestoreResult { tick, hash, tick_hz })
}

fn reload(room: &mut Room) -> Result<ReloadResult, RpcError> {
    let changes = room.world.reload()?;
    room.measure();
    let revision = room.world.live().revision();
    let (revision, warnings) = (revision.number, &revision.warnings);
    let warnings = warnings.iter().map(DiagnosticLine::of).collect();
    let (tick, hash) = room.reached();
    Ok(ReloadResult { revision, changed: changes.changed, tick, hash, warnings })
}

fn set(room: &mut Room, params: SetParams) -> Result<SetResult, RpcError> {
    let warnings = room.world.set(settings(params.settings)?)?;
    room.measure();
    let (tick, hash) = room.reached();
    Ok(SetResult {
        revision: room.world.live().revision().number,
        tick,
        hash,
        warnings: warnings.iter().map(DiagnosticLine::of).collect(),
    })
}

/// The entity with this name.
fn find_entity(room: &Room, name: &str) -> Result<EntityId, RpcError> {
    let entities = room.world.live().world().entities();
    let found = entities.iter().find(|e| *e.name == *name);
    found.map(|entity| entity.id).ok_or_else(|| {
        let known: Vec<&str> = entities.iter().map(|e| &*e.name).collect();
        RpcError::unknown("entity", ("entity", name), &known)
    })
}

fn why(room: &Room, params: &WhyParams) -> Result<WhyResult, RpcError> {
    find_entity(room, &params.entity)?;
    let live = room.world.live();
    Ok(WhyResult {
        tick: live.world().ticks(),
        recorded: live.world().why_of(&params.entity).is_some(),
        reasons: why_lines(live, &params.entity),
    })
}

fn judge(room: &mut Room, params: &JudgeParams) -> Result<JudgeResult, RpcError> {
    let id = find_entity(room, &params.entity)?;
    let live = room.world.live_mut();
    let (judgement, printed) = recording_prints(|| live.judge(id));
    // Those of all worlds with the same scripts. What this one printed was recorded.
    drop(live.take_printed());
    let faults = live.take_faults();
    Ok(JudgeResult {
        reward: judgement.reward,
        done: judgement.done,
        faults: faults.iter().map(FaultLine::of).collect(),
        printed: printed.lines,
        printed_left_out: printed.left_out,
    })
}

/// The subscription that a client asks for, under this number.
fn subscription(room: &Room, params: &SubscribeParams, number: u64) -> Result<Subscription, RpcError> {
    if room.subscriptions.len() >= MOST_SUBSCRIPTIONS {
        let message = format!("a world has at most {MOST_SUBSCRIPTIONS} subscriptions");
        return Err(RpcError::new(ErrorKind::Limit, message));
    }
    if params.observe.columns.is_some() {
        let message = "are for `world.step` and `world.observe`; subscriptions send lines";
        return Err(RpcError::parameter("observe.columns", message));
    }
    let every = params.observe.every.unwrap_or(1);
    if every == 0 {
        return Err(RpcError::parameter("observe.every", "is 0; it must be at least 1"));
    }
    let filter = ObservationFilter::new(&params.observe, room.world.live())?;
    let waits = params.when_full == WhenFull::Wait;
    Ok(Subscription::new(number, filter, every, waits))
}

fn subscribe(room: &mut Room, params: SubscribeParams, reply: Reply) {
    let number = room.last_subscription + 1;
    let mut subscription = match subscription(room, &params, number) {
        Ok(subscription) => subscription,
        Err(error) => return reply.fail(error),
    };
    room.last_subscription = number;
    reply.send(Ok(SubscribeResult { subscription: number }));
    // Like a trace, it begins with the state before anything moves.
    subscription.begin(room.number, room.world.live(), &room.outbox);
    room.subscriptions.push(subscription);
}

fn unsubscribe(room: &mut Room, params: &UnsubscribeParams) -> Result<Done, RpcError> {
    let before = room.subscriptions.len();
    room.subscriptions.retain(|s| s.number != params.subscription);
    if room.subscriptions.len() == before {
        let message = format!("is {}, which this world does not have", params.subscription);
        return Err(RpcError::parameter("subscription", message));
    }
    Ok(Done {})
}
