//! A client: its messages, its worlds, and where each request is carried out.

use super::describe::describe;
use super::desk;
use super::inputs::settings;
use super::job_thread::{Job, JobThread};
use super::limits::WorldShare;
use super::outbox::Outbox;
use super::reply::{BatchAnswers, OpenRequests, Reply, ReplyTarget, key_of};
use super::room::{Room, RoomSlot};
use super::room_work;
use super::shared::ServiceShared;
use super::waiting::{WaitingMessage, WaitingMessages};
use super::watching::{RoomJobs, Watching, take_in};
use crate::service::protocol::{
    CancelParams, CreateParams, CreateResult, DestroyParams, DiagnosticLine, Done, ErrorKind,
    ForkParams, Incoming, InitializeParams, Method, RpcError, RpcRequest, ShutdownParams,
    read_message, read_params,
};
use crate::service::{ServedGame, ServedWorld, WorldStart};
use jsonrpsee_types::Id;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The thread of a world that is not created yet.
struct StartedRoom {
    number: u64,
    jobs: SyncSender<Job<RoomSlot>>,
    /// The same, as far as watching needs it.
    until_end: RoomJobs,
}

/// The worlds of a client, by their numbers.
type Rooms = Arc<Mutex<BTreeMap<u64, JobThread<RoomSlot>>>>;

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What belongs to one client. All of it ends with the client.
pub(super) struct Client {
    shared: Arc<ServiceShared>,
    outbox: Arc<Outbox>,
    requests: Arc<OpenRequests>,
    /// Those of its messages that have not been answered.
    waiting: Arc<WaitingMessages>,
    rooms: Rooms,
    last_room: u64,
    /// Does what is not about a world.
    desk: Option<JobThread<Arc<ServedGame>>>,
    /// Waits for pictures of worlds.
    watching: Watching,
    /// Whether it has shown that it knows the token.
    admitted: bool,
}

impl Client {
    /// A client without worlds.
    pub fn new(
        shared: Arc<ServiceShared>,
        outbox: Arc<Outbox>,
        requests: Arc<OpenRequests>,
    ) -> Self {
        Self {
            admitted: !shared.needs_token(),
            waiting: WaitingMessages::new(shared.limits.message.saturating_mul(MESSAGES_WAITING)),
            shared,
            outbox,
            requests,
            rooms: Rooms::default(),
            last_room: 0,
            desk: None,
            watching: Watching::default(),
        }
    }

    /// Carries out a message, or lets other threads do that. Breaks off if the client is to be served no longer.
    pub fn receive(&mut self, message: &[u8]) -> ControlFlow<()> {
        let waiting = self.waiting.enter(message.len());
        match read_message(message) {
            Incoming::Dropped => ControlFlow::Continue(()),
            Incoming::One(request) => {
                let target = ReplyTarget::Client(self.outbox.clone());
                self.request(request, target, &waiting)
            }
            Incoming::Batch(requests) => {
                let target = ReplyTarget::Batch(BatchAnswers::new(self.outbox.clone()));
                let mut flow = ControlFlow::Continue(());
                for request in requests {
                    match flow {
                        ControlFlow::Continue(()) => {
                            flow = self.request(request, target.clone(), &waiting);
                        }
                        ControlFlow::Break(()) => self.skip(request, target.clone()),
                    }
                }
                flow
            }
        }
    }

    /// Answers a request of a batch after the one that has ended the client. It is not carried out.
    fn skip(&self, request: Result<RpcRequest<'_>, (Id<'static>, RpcError)>, target: ReplyTarget) {
        let (id, error) = match request {
            Ok(request) => {
                let message =
                    "not carried out, because an earlier request of the batch ends the connection";
                (request.id, RpcError::new(ErrorKind::Canceled, message))
            }
            Err((id, error)) => (Some(id), error),
        };
        Reply::new(target, id, &self.requests).fail(error);
    }

    /// Answers something that is not even a message.
    pub fn refuse(&self, error: RpcError) {
        let target = ReplyTarget::Client(self.outbox.clone());
        Reply::new(target, Some(Id::Null), &self.requests).fail(error);
    }

    fn request(
        &mut self,
        request: Result<RpcRequest<'_>, (Id<'static>, RpcError)>,
        target: ReplyTarget,
        message: &Arc<WaitingMessage>,
    ) -> ControlFlow<()> {
        let RpcRequest { id, method, params } = match request {
            Ok(request) => request,
            Err((id, error)) => {
                Reply::new(target, Some(id), &self.requests).fail(error);
                return ControlFlow::Continue(());
            }
        };
        let reply = Reply::new(target, id, &self.requests).of(message);
        let length = params.map_or(0, |params| params.get().len());
        if length > MOST_PARAMS && method != Method::Restore {
            let message = format!(
                "`params` has {length} bytes; only those of `world.restore` can have more than {MOST_PARAMS}"
            );
            reply.fail(RpcError::new(ErrorKind::Limit, message).at("params"));
            return ControlFlow::Continue(());
        }
        if !self.admitted && method != Method::Initialize {
            let message = "this service needs a token: send `initialize` with it first";
            reply.fail(RpcError::new(ErrorKind::Token, message));
            return ControlFlow::Continue(());
        }
        match method {
            Method::Initialize => return self.initialize(params, reply),
            Method::Shutdown => return self.shut_down(params, reply),
            Method::Cancel => reply.send(self.cancel(params)),
            Method::Create => self.create(params, reply),
            Method::Fork => self.fork(params, reply),
            Method::Destroy => self.destroy(params, reply),
            Method::Check | Method::TestsList | Method::TestsRun => {
                self.at_desk(method, params, reply);
            }
            Method::List | Method::Watch => {
                let request = (method, params);
                self.watching
                    .carry_out(&self.shared, &self.outbox, request, reply);
            }
            _ => self.in_room(method, params, reply),
        }
        ControlFlow::Continue(())
    }

    fn initialize(&mut self, params: Option<&RawValue>, reply: Reply) -> ControlFlow<()> {
        let params: InitializeParams = match read_params(params) {
            Ok(params) => params,
            Err(error) => {
                reply.fail(error);
                return ControlFlow::Continue(());
            }
        };
        if !self.admitted && !self.shared.admits(params.token.as_deref()) {
            let message = match params.token {
                Some(_) => "this is not the token of the service; the connection is closed",
                None => "this service needs a token; the connection is closed",
            };
            reply.fail(RpcError::new(ErrorKind::Token, message).at("params.token"));
            return ControlFlow::Break(());
        }
        self.admitted = true;
        let framing = self.outbox.framing();
        reply.send(Ok(describe(&self.shared, framing)));
        ControlFlow::Continue(())
    }

    fn shut_down(&mut self, params: Option<&RawValue>, reply: Reply) -> ControlFlow<()> {
        let params: ShutdownParams = match read_params(params) {
            Ok(params) => params,
            Err(error) => {
                reply.fail(error);
                return ControlFlow::Continue(());
            }
        };
        self.end_threads();
        reply.send(Ok(Done {}));
        if params.service {
            self.shared.end();
        }
        ControlFlow::Break(())
    }

    fn cancel(&self, params: Option<&RawValue>) -> Result<Done, RpcError> {
        let params: CancelParams = read_params(params)?;
        let id = Id::deserialize(&params.id);
        let id = id.map_err(|_| RpcError::parameter("id", "takes the id of a request"))?;
        self.requests.cancel(&key_of(&id));
        Ok(Done {})
    }

    /// Starts the thread of the next world.
    fn start_room(&mut self) -> Result<StartedRoom, RpcError> {
        let number = self.last_room + 1;
        let thread = JobThread::start(&format!("world {number}"), || None).map_err(|error| {
            RpcError::new(
                ErrorKind::Limit,
                format!("the system starts no more threads: {error}"),
            )
        })?;
        self.last_room = number;
        let started = StartedRoom {
            number,
            jobs: thread.jobs(),
            until_end: thread.jobs_until_end(),
        };
        locked(&self.rooms).insert(number, thread);
        Ok(started)
    }

    fn create(&mut self, params: Option<&RawValue>, reply: Reply) {
        let params: CreateParams = match read_params(params) {
            Ok(params) => params,
            Err(error) => return reply.fail(error),
        };
        // Before a thread is started for nothing.
        let share = match WorldShare::take(&self.shared.used, &self.shared.limits) {
            Ok(share) => share,
            Err(error) => return reply.fail(error),
        };
        let StartedRoom {
            number,
            jobs,
            until_end,
        } = match self.start_room() {
            Ok(started) => started,
            Err(error) => return reply.fail(error),
        };
        let (shared, outbox) = (self.shared.clone(), self.outbox.clone());
        let rooms = self.rooms.clone();
        let job = move |slot: &mut RoomSlot| {
            let mut created = Self::build(&shared, number, params, (share, outbox));
            match &mut created {
                Ok(room) => room.watched = take_in(&shared, room, until_end),
                Err(_) => drop(locked(&rooms).remove(&number)),
            }
            *slot = answer_created(created, reply);
        };
        // If the thread is gone, dropping the job answers.
        let _ = jobs.send(Box::new(job));
    }

    fn build(
        shared: &ServiceShared,
        number: u64,
        params: CreateParams,
        (mut share, outbox): (WorldShare, Arc<Outbox>),
    ) -> Result<Room, RpcError> {
        let start = WorldStart {
            level: params.level,
            seed: params.seed,
            settings: settings(params.settings)?,
        };
        let world = ServedWorld::create(&shared.game, &start)?;
        share.measure(&world);
        share.check(&shared.limits)?;
        Ok(Room {
            number,
            world,
            why: params.why,
            subscriptions: Vec::new(),
            last_subscription: 0,
            share,
            limits: shared.limits,
            outbox,
            watched: None,
        })
    }

    fn fork(&mut self, params: Option<&RawValue>, reply: Reply) {
        let original: ForkParams = match read_params(params) {
            Ok(params) => params,
            Err(error) => return reply.fail(error),
        };
        let found = locked(&self.rooms)
            .get(&original.world)
            .map(JobThread::jobs);
        let Some(original_jobs) = found else {
            return reply.fail(self.no_world(original.world));
        };
        let StartedRoom {
            number,
            jobs,
            until_end,
        } = match self.start_room() {
            Ok(started) => started,
            Err(error) => return reply.fail(error),
        };
        // The new world's thread waits for the original's, so that requests about the fork find it.
        let (hand_over, handed) = sync_channel(1);
        let _ = jobs.send(Box::new(move |slot: &mut RoomSlot| {
            *slot = handed.recv().ok()
        }));
        let (shared, rooms) = (self.shared.clone(), self.rooms.clone());
        let job = move |slot: &mut RoomSlot| {
            let mut forked = match slot {
                Some(room) => fork_room(room, number, &shared),
                None => Err(no_such_world(original.world)),
            };
            match &mut forked {
                Ok(room) => room.watched = take_in(&shared, room, until_end),
                Err(_) => drop(locked(&rooms).remove(&number)),
            }
            if let Some(room) = answer_created(forked, reply) {
                let _ = hand_over.send(room);
            }
        };
        self.bring(original.world, original_jobs, Box::new(job));
    }

    fn destroy(&mut self, params: Option<&RawValue>, reply: Reply) {
        let params: DestroyParams = match read_params(params) {
            Ok(params) => params,
            Err(error) => return reply.fail(error),
        };
        let Some(thread) = locked(&self.rooms).remove(&params.world) else {
            return reply.fail(self.no_world(params.world));
        };
        let job = move |slot: &mut RoomSlot| match slot.take() {
            Some(room) => {
                drop(room);
                reply.send(Ok(Done {}));
            }
            None => reply.fail(no_such_world(params.world)),
        };
        let _ = thread.jobs().send(Box::new(job));
    }

    /// Carries out a request about the game on the client's desk.
    fn at_desk(&mut self, method: Method, params: Option<&RawValue>, reply: Reply) {
        if self.desk.is_none() {
            let game = self.shared.game.clone();
            match JobThread::start("desk", move || game) {
                Ok(desk) => self.desk = Some(desk),
                Err(error) => {
                    let message = format!("the system starts no more threads: {error}");
                    return reply.fail(RpcError::new(ErrorKind::Limit, message));
                }
            }
        }
        let params = params.map(RawValue::to_owned);
        let job: Job<Arc<ServedGame>> = Box::new(move |game: &mut Arc<ServedGame>| {
            desk::carry_out(game, method, params.as_deref(), reply);
        });
        let sent = self.desk.as_ref().map(|desk| desk.jobs().send(job));
        if !matches!(sent, Some(Ok(()))) {
            // It has failed; the next request gets a new one.
            self.desk = None;
        }
    }

    /// Carries out a request about a world on its thread.
    fn in_room(&self, method: Method, params: Option<&RawValue>, reply: Reply) {
        let (number, work) = match room_work::prepare(method, params) {
            Ok(prepared) => prepared,
            Err(error) => return reply.fail(error),
        };
        let jobs = locked(&self.rooms).get(&number).map(JobThread::jobs);
        let Some(jobs) = jobs else {
            return reply.fail(self.no_world(number));
        };
        let job = move |slot: &mut RoomSlot| match slot {
            Some(room) => work(room, reply),
            None => reply.fail(no_such_world(number)),
        };
        self.bring(number, jobs, Box::new(job));
    }

    /// Brings a job to a world's thread. If that has failed, the world is forgotten, and dropping the job answers.
    fn bring(&self, number: u64, jobs: SyncSender<Job<RoomSlot>>, job: Job<RoomSlot>) {
        if jobs.send(job).is_err() {
            locked(&self.rooms).remove(&number);
        }
    }

    fn no_world(&self, number: u64) -> RpcError {
        let rooms = locked(&self.rooms);
        no_such_world(number).allowing(rooms.keys().take(MOST_NAMED).map(u64::to_string))
    }

    /// Lets all threads finish what they have begun, and waits for them.
    pub fn end_threads(&mut self) {
        let rooms = std::mem::take(&mut *locked(&self.rooms));
        let rooms: Vec<JobThread<RoomSlot>> = rooms.into_values().collect();
        for room in rooms {
            room.end();
        }
        if let Some(desk) = self.desk.take() {
            desk.end();
        }
        self.watching.end();
    }
}

/// How many of the longest messages may wait before a client's next one is read.
const MESSAGES_WAITING: usize = 4;

/// The longest parameters of requests other than `world.restore`, in bytes. Read, they take many times that.
const MOST_PARAMS: usize = 4 << 20;

/// The most worlds that an error lists.
const MOST_NAMED: usize = 20;

fn no_such_world(number: u64) -> RpcError {
    let message = format!("this client has no world {number}; `world.create` makes one");
    RpcError::new(ErrorKind::World, message).at("params.world")
}

/// A fork of a world, under another number.
fn fork_room(room: &Room, number: u64, shared: &ServiceShared) -> Result<Room, RpcError> {
    let mut share = WorldShare::take(&shared.used, &shared.limits)?;
    let world = room.world.fork();
    share.measure(&world);
    share.check(&shared.limits)?;
    Ok(Room {
        number,
        world,
        why: room.why,
        subscriptions: Vec::new(),
        last_subscription: 0,
        share,
        limits: room.limits,
        outbox: room.outbox.clone(),
        watched: None,
    })
}

/// Answers that a world is there, or why it is not.
fn answer_created(created: Result<Room, RpcError>, reply: Reply) -> RoomSlot {
    match created {
        Ok(room) => {
            let (tick, hash) = room.reached();
            let warnings = &room.world.live().revision().warnings;
            let result = CreateResult {
                world: room.number,
                tick,
                hash,
                tick_hz: room.world.hz(),
                warnings: warnings.iter().map(DiagnosticLine::of).collect(),
            };
            reply.send(Ok(result));
            Some(room)
        }
        Err(error) => {
            reply.fail(error);
            None
        }
    }
}
