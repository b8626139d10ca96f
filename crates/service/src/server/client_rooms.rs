//! The worlds of a client, each with its thread.

use super::inputs::settings;
use super::job_thread::{Job, JobQueue, JobThread};
use super::limits::WorldShare;
use super::outbox::Outbox;
use super::reply::Reply;
use super::room::{Room, RoomJobs, RoomSlot};
use super::room_work;
use super::shared::ServiceShared;
use super::watching::take_in;
use crate::protocol::{
    CreateParams, CreateResult, DestroyParams, DiagnosticLine, Done, ErrorKind, ForkParams, Method, RpcError,
    read_params,
};
use crate::{ServedWorld, WorldStart};
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use std::sync::mpsc::sync_channel;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The worlds of a client, by their numbers.
type Rooms = Arc<Mutex<BTreeMap<u64, JobThread<RoomSlot>>>>;

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// How long a client's thread may carry out a step of a world. The rest of a longer one is for the world's thread, so that
/// the client's can hear what the client sends, such as a cancellation.
const LENT: Duration = Duration::from_millis(1);

/// The worlds of a client.
pub(super) struct ClientRooms {
    shared: Arc<ServiceShared>,
    outbox: Arc<Outbox>,
    rooms: Rooms,
    /// The number of the last world that a request was to create.
    last: u64,
}

impl ClientRooms {
    /// No worlds yet.
    pub fn new(shared: &Arc<ServiceShared>, outbox: &Arc<Outbox>) -> Self {
        Self { shared: shared.clone(), outbox: outbox.clone(), rooms: Rooms::default(), last: 0 }
    }

    /// Takes the next number, for the world that a request is to create. Clients count these requests, so one that fails
    /// takes a number, too.
    pub fn take_number(&mut self) {
        self.last += 1;
    }

    /// Starts the thread of the world that has the last number.
    fn start_room(&mut self) -> Result<(u64, Arc<JobQueue<RoomSlot>>), RpcError> {
        let number = self.last;
        let thread = JobThread::start(&format!("world {number}"), None)
            .map_err(|error| RpcError::new(ErrorKind::Limit, format!("the system starts no more threads: {error}")))?;
        let jobs = thread.jobs();
        locked(&self.rooms).insert(number, thread);
        Ok((number, jobs))
    }

    /// Creates a world.
    pub fn create(&mut self, params: Option<&RawValue>, reply: Reply) {
        let params: CreateParams = match read_params(params) {
            Ok(params) => params,
            Err(error) => return reply.fail(error),
        };
        // Before a thread is started for nothing.
        let share = match WorldShare::take(&self.shared.used, &self.shared.limits) {
            Ok(share) => share,
            Err(error) => return reply.fail(error),
        };
        let (number, jobs) = match self.start_room() {
            Ok(started) => started,
            Err(error) => return reply.fail(error),
        };
        let (shared, outbox) = (self.shared.clone(), self.outbox.clone());
        let (rooms, until_end) = (self.rooms.clone(), Arc::downgrade(&jobs));
        let job = move |slot: &mut RoomSlot| {
            let mut created = build(&shared, params, (share, outbox), (number, until_end));
            match &mut created {
                Ok(room) => room.watched = take_in(&shared, room),
                Err(_) => drop(locked(&rooms).remove(&number)),
            }
            *slot = answer_created(created, reply);
        };
        // If the thread is gone, dropping the job answers.
        let _ = jobs.send(Box::new(job));
    }

    /// Forks a world. `waits` is that of [`carry_out`](Self::carry_out).
    pub fn fork(&mut self, params: Option<&RawValue>, reply: Reply, waits: bool) {
        let original: ForkParams = match read_params(params) {
            Ok(params) => params,
            Err(error) => return reply.fail(error),
        };
        let found = locked(&self.rooms).get(&original.world).map(JobThread::jobs);
        let Some(original_jobs) = found else {
            return reply.fail(self.no_world(original.world));
        };
        let (number, jobs) = match self.start_room() {
            Ok(started) => started,
            Err(error) => return reply.fail(error),
        };
        // The new world's thread waits for the original's, so that requests about the fork find it.
        let (hand_over, handed) = sync_channel(1);
        let _ = jobs.send(Box::new(move |slot: &mut RoomSlot| *slot = handed.recv().ok()));
        let until_end = Arc::downgrade(&jobs);
        let (shared, rooms) = (self.shared.clone(), self.rooms.clone());
        let job = move |slot: &mut RoomSlot| {
            let mut forked = match slot {
                Some(room) => fork_room(room, (number, until_end), &shared),
                None => Err(no_such_world(original.world)),
            };
            match &mut forked {
                Ok(room) => room.watched = take_in(&shared, room),
                Err(_) => drop(locked(&rooms).remove(&number)),
            }
            if let Some(room) = answer_created(forked, reply) {
                let _ = hand_over.send(room);
            }
        };
        self.bring(original.world, &original_jobs, Box::new(job), waits);
    }

    /// Ends a world.
    pub fn destroy(&mut self, params: Option<&RawValue>, reply: Reply) {
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

    /// Carries out a request about a world, on its thread. If the client `waits` for the answer and sends nothing else, a
    /// short request is carried out on the thread that calls this.
    pub fn carry_out(&self, method: Method, params: Option<&RawValue>, reply: Reply, waits: bool) {
        let (number, work) = match room_work::prepare(method, params) {
            Ok(prepared) => prepared,
            Err(error) => return reply.fail(error),
        };
        let jobs = locked(&self.rooms).get(&number).map(JobThread::jobs);
        let Some(jobs) = jobs else {
            return reply.fail(self.no_world(number));
        };
        let is_lent = waits && room_work::is_short(method);
        let job = move |slot: &mut RoomSlot| match slot {
            Some(room) => work(room, reply),
            None => reply.fail(no_such_world(number)),
        };
        self.bring(number, &jobs, Box::new(job), is_lent);
    }

    /// Carries out a job of a world, here if the world `is_lent` and its thread has nothing to do, or else there. If it has
    /// failed, the world is forgotten, and dropping the job answers.
    fn bring(&self, number: u64, jobs: &JobQueue<RoomSlot>, job: Job<RoomSlot>, is_lent: bool) {
        let is_there = match is_lent {
            false => jobs.send(job),
            true => {
                let here = move |slot: &mut RoomSlot| {
                    let until = Instant::now() + LENT;
                    lend(slot, Some(until));
                    job(slot);
                    lend(slot, None);
                };
                // A subscription may wait for the client to read, and must not keep it from being heard.
                jobs.carry_out(Box::new(here), |slot| {
                    let room = slot.as_ref();
                    room.is_some_and(|room| room.subscriptions.is_empty())
                })
            }
        };
        if !is_there {
            locked(&self.rooms).remove(&number);
        }
    }

    fn no_world(&self, number: u64) -> RpcError {
        let rooms = locked(&self.rooms);
        no_such_world(number).allowing(rooms.keys().take(MOST_NAMED).map(u64::to_string))
    }

    /// Lets all threads finish what they have begun, and waits for them.
    pub fn end(&mut self) {
        let rooms = std::mem::take(&mut *locked(&self.rooms));
        for room in rooms.into_values().collect::<Vec<_>>() {
            room.end();
        }
    }
}

fn lend(slot: &mut RoomSlot, until: Option<Instant>) {
    if let Some(room) = slot {
        room.lent_until = until;
    }
}

/// A new world.
fn build(
    shared: &ServiceShared,
    params: CreateParams,
    (mut share, outbox): (WorldShare, Arc<Outbox>),
    (number, jobs): (u64, RoomJobs),
) -> Result<Room, RpcError> {
    let start = WorldStart { level: params.level, seed: params.seed, settings: settings(params.settings)? };
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
        jobs,
        lent_until: None,
        watched: None,
    })
}

/// The most worlds that an error lists.
const MOST_NAMED: usize = 20;

fn no_such_world(number: u64) -> RpcError {
    let message = format!("this client has no world {number}; `world.create` makes one");
    RpcError::new(ErrorKind::World, message).at("params.world")
}

/// A fork of a world, under another number.
fn fork_room(room: &Room, (number, jobs): (u64, RoomJobs), shared: &ServiceShared) -> Result<Room, RpcError> {
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
        jobs,
        lent_until: None,
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
