//! `world.list` and `world.watch`: the worlds of all clients, to look at.

use super::job_thread::{Job, JobThread};
use super::outbox::Outbox;
use super::reply::Reply;
use super::room::{Room, RoomSlot};
use super::shared::ServiceShared;
use super::showcase::{WatchedPlace, WatchedWorld};
use crate::protocol::{
    ErrorKind, Method, RpcError, SceneResult, WatchParams, WorldListParams, WorldListResult, read_params,
};
use serde_json::value::RawValue;
use std::sync::Arc;

/// A place in the showcase for a world, if clients may watch.
pub(super) fn take_in(shared: &ServiceShared, room: &Room) -> Option<WatchedPlace> {
    let jobs = room.jobs.clone();
    let request = move |world: &Arc<WatchedWorld>| {
        let world = world.clone();
        let job: Job<RoomSlot> = Box::new(move |slot: &mut RoomSlot| {
            world.answer(slot.as_ref().map(|room| room.world.live()));
        });
        jobs.upgrade().is_some_and(|jobs| jobs.send(job))
    };
    let level = room.world.live().revision().stage.level.name.to_string();
    let enter = || {
        let request = Box::new(request);
        shared.showcase.enter(level, &room.outbox, request)
    };
    shared.web.then(enter)
}

/// A client's thread that waits for pictures of worlds, started when it is needed.
#[derive(Default)]
pub(super) struct Watching(Option<JobThread<()>>);

impl Watching {
    /// Answers a request of the client that `asks` leads to.
    pub fn carry_out(
        &mut self,
        shared: &Arc<ServiceShared>,
        asks: &Arc<Outbox>,
        (method, params): (Method, Option<&RawValue>),
        reply: Reply,
    ) {
        if !shared.web {
            let message = format!("`{}` needs a service with `--web`", method.name());
            return reply.fail(RpcError::new(ErrorKind::Method, message).at("method"));
        }
        if method == Method::List {
            let read = read_params(params);
            return reply.send(read.map(|_: WorldListParams| WorldListResult { worlds: shared.showcase.list(asks) }));
        }
        let params: WatchParams = match read_params(params) {
            Ok(params) => params,
            Err(error) => return reply.fail(error),
        };
        if self.0.is_none() {
            match JobThread::start("watch", ()) {
                Ok(thread) => self.0 = Some(thread),
                Err(error) => {
                    let message = format!("the system starts no more threads: {error}");
                    return reply.fail(RpcError::new(ErrorKind::Limit, message));
                }
            }
        }
        let shared = shared.clone();
        let job: Job<()> = Box::new(move |()| {
            let seen = watch(&shared, &params, &reply);
            reply.send(seen);
        });
        let sent = self.0.as_ref().map(|thread| thread.jobs().send(job));
        if sent != Some(true) {
            // It has failed; the next request gets a new one.
            self.0 = None;
        }
    }

    /// Lets the thread finish, and waits for it.
    pub fn end(&mut self) {
        if let Some(thread) = self.0.take() {
            thread.end();
        }
    }
}

fn watch(shared: &ServiceShared, params: &WatchParams, reply: &Reply) -> Result<SceneResult, RpcError> {
    let world = shared.showcase.find(params.watched);
    let shown = world.and_then(|world| world.watch(|| reply.is_canceled()));
    if reply.is_canceled() {
        let message = "the request was canceled before there was a picture";
        return Err(RpcError::new(ErrorKind::Canceled, message));
    }
    match shown {
        Some(shown) => Ok(shown.answer(params.stage_id.as_deref())),
        None => {
            let message = format!("the service has no world {} to watch; `world.list` lists them", params.watched);
            Err(RpcError::new(ErrorKind::World, message).at("params.watched"))
        }
    }
}
