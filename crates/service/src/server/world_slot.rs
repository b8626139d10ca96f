//! A world of a client and the requests that wait for it.

use super::limits::WorldShare;
use super::link::ClientLink;
use super::reply::{Answer, Answered, Reply};
use super::running_world::RunningWorld;
use super::stepping::RunningStep;
use crate::protocol::{CreateParams, Done, ErrorKind, RpcError, WorldRequest};
use parking_lot::Mutex;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// A world of a client, or a place for one that is to be created, and the requests that wait for it.
pub(super) struct WorldSlot {
    /// The number by which the client knows the world.
    pub number: u64,
    /// The client.
    pub link: Arc<ClientLink>,
    /// `None` before the world is created, if it cannot be, and after its end. Locked during a turn.
    pub world: Mutex<Option<RunningWorld>>,
    queue: Mutex<WorkQueue>,
}

#[derive(Default)]
struct WorkQueue {
    waiting: VecDeque<(Work, Reply)>,
    /// Whether a thread gives the world turns, or will.
    is_busy: bool,
}

/// What a request does to a world.
pub(super) enum Work {
    /// Creates it.
    Create(CreateParams, WorldShare),
    /// Creates a copy of it in another slot.
    Fork(Arc<WorldSlot>),
    /// Ends it.
    Destroy,
    /// Anything else.
    Request(Box<WorldRequest>),
    /// The rest of a step.
    Step(Box<RunningStep>),
    /// Fails, as a bug does.
    #[cfg(test)]
    Panic,
}

/// How a turn of a world has ended.
pub(super) enum Turn {
    /// Nothing waits for the world.
    Idle,
    /// Something waits.
    Ready,
    /// The rest of a step waits for the client to read lines of a subscription.
    Blocked,
}

/// What carrying out a request has come to.
pub(super) enum Outcome {
    /// It is done.
    Done(Answered),
    /// The rest of the step is for another turn.
    Later(Box<RunningStep>),
    /// The rest of the step is for a turn after the client has read lines of a subscription.
    Blocked(Box<RunningStep>),
}

impl Work {
    /// Whether a thread that has something else to do can carry it out.
    pub fn is_short(&self) -> bool {
        match self {
            Self::Fork(_) | Self::Destroy => true,
            Self::Create(..) | Self::Step(_) => false,
            Self::Request(request) => request.is_short(),
            #[cfg(test)]
            Self::Panic => true,
        }
    }
}

impl WorldSlot {
    /// A slot without a world. If it `is_reserved`, what is submitted waits for [`open`](Self::open).
    pub fn new(number: u64, link: &Arc<ClientLink>, is_reserved: bool) -> Arc<Self> {
        Arc::new(Self {
            number,
            link: link.clone(),
            world: Mutex::default(),
            queue: Mutex::new(WorkQueue { waiting: VecDeque::new(), is_busy: is_reserved }),
        })
    }

    /// Carries out a request after the ones before it: `here`, if there are none, or in the pool.
    pub fn submit(self: &Arc<Self>, work: Work, reply: Reply, here: bool) {
        let mut queue = self.queue.lock();
        queue.waiting.push_back((work, reply));
        if std::mem::replace(&mut queue.is_busy, true) {
            return;
        }
        drop(queue);
        if !here || !matches!(self.turn(), Turn::Idle) {
            self.schedule();
        }
    }

    /// Lets the pool give the world a turn.
    pub fn schedule(self: &Arc<Self>) {
        self.link.service.pool.schedule(self.clone());
    }

    /// Carries out what has waited for a fork. Without a world, that fails.
    fn open(self: &Arc<Self>) {
        if self.world.lock().is_none() {
            self.forget();
        }
        let mut queue = self.queue.lock();
        queue.is_busy = !queue.waiting.is_empty();
        if queue.is_busy {
            self.schedule();
        }
    }

    /// Takes the world out of the client's list.
    fn forget(&self) {
        self.link.worlds.lock().remove(&self.number);
    }

    /// Whether the next turn waits until the client has read more; the outbox schedules it then.
    pub fn parks(self: &Arc<Self>, for_lines: bool) -> bool {
        self.link.outbox.parks(self, for_lines)
    }

    /// Carries out the request that waits first, or a slice of it.
    pub fn turn(self: &Arc<Self>) -> Turn {
        let mut world = self.world.lock();
        let next = self.queue.lock().waiting.pop_front();
        let mut is_blocked = false;
        if let Some((work, reply)) = next {
            let forked = match &work {
                Work::Fork(slot) => Some(slot.clone()),
                _ => None,
            };
            let outcome = match reply.is_canceled() && !matches!(work, Work::Destroy | Work::Step(_)) {
                true => {
                    Outcome::Done(Err(RpcError::new(ErrorKind::Canceled, "the request was canceled before it began")))
                }
                false => self.carry_out(&mut world, work, &reply),
            };
            match outcome {
                Outcome::Done(answered) => {
                    reply.send(answered);
                    if let Some(world) = &mut *world {
                        world.begin_subscriptions();
                    }
                }
                Outcome::Later(step) => self.queue.lock().waiting.push_front((Work::Step(step), reply)),
                Outcome::Blocked(step) => {
                    is_blocked = true;
                    self.queue.lock().waiting.push_front((Work::Step(step), reply));
                }
            }
            if world.is_none() {
                self.forget();
            }
            if let Some(slot) = forked {
                slot.open();
            }
        }
        let mut queue = self.queue.lock();
        queue.is_busy = !queue.waiting.is_empty();
        match (queue.is_busy, is_blocked) {
            (false, _) => Turn::Idle,
            (true, false) => Turn::Ready,
            (true, true) => Turn::Blocked,
        }
    }

    /// Carries out a request, or a slice of it. A world that fails because of a bug ends alone.
    fn carry_out(self: &Arc<Self>, world: &mut Option<RunningWorld>, work: Work, reply: &Reply) -> Outcome {
        let carried_out = catch_unwind(AssertUnwindSafe(|| match (work, &mut *world) {
            (Work::Create(params, share), _) => Outcome::Done(
                RunningWorld::create(self, params, share).map(|created| world.insert(created).answer_created()),
            ),
            (_, None) => Outcome::Done(Err(no_such_world(self.number))),
            (Work::Fork(slot), Some(world)) => {
                Outcome::Done(world.fork(&slot).map(|forked| slot.world.lock().insert(forked).answer_created()))
            }
            (Work::Destroy, Some(_)) => {
                *world = None;
                Outcome::Done(Ok(Answer::of(&Done {})))
            }
            (Work::Request(request), Some(world)) => world.carry_out(*request, reply),
            (Work::Step(step), Some(world)) => world.proceed(step, reply),
            #[cfg(test)]
            (Work::Panic, Some(_)) => panic!("this panic is part of the test"),
        }));
        carried_out.unwrap_or_else(|_| {
            // The world may be in any state of disorder, and so may dropping it.
            let _ = catch_unwind(AssertUnwindSafe(|| drop(world.take())));
            let message = "hangtime itself failed here, and the world has ended; please report this bug";
            Outcome::Done(Err(RpcError::new(ErrorKind::Internal, message)))
        })
    }
}

/// The error for a request about a world that the client does not have.
pub(super) fn no_such_world(number: u64) -> RpcError {
    let message = format!("this client has no world {number}; `world.create` makes one");
    RpcError::new(ErrorKind::World, message).at("params.world")
}

#[cfg(test)]
mod tests {
    use super::{Work, WorldSlot};
    use crate::protocol::{Request, RequestId, WorldRequest};
    use crate::server::admission::Admission;
    use crate::server::limits::WorldShare;
    use crate::server::link::ClientLink;
    use crate::server::outbox::MessageFraming;
    use crate::server::reply::Reply;
    use crate::server::shared::{ServiceOptions, ServiceShared};
    use crate::server::sink::OpaqueSink;
    use crate::{ServedGame, protocol::Method};
    use parking_lot::Mutex;
    use serde_json::Value;
    use serde_json::value::RawValue;
    use std::io::{self, Write};
    use std::sync::Arc;
    use std::time::Duration;

    #[derive(Clone, Default)]
    struct Written(Arc<Mutex<Vec<u8>>>);

    impl Write for Written {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn request(world: u64, ticks: u64) -> Box<WorldRequest> {
        let params = format!(r#"{{"world":{world},"ticks":{ticks}}}"#);
        let params = RawValue::from_string(params).expect("JSON");
        let method = Method::find("world.step").expect("a method");
        match (method.read)(Some(&*params)) {
            Ok(Request::World(_, request)) => request,
            _ => panic!("a request about a world"),
        }
    }

    #[test]
    fn a_world_that_panics_ends_alone_and_all_of_its_requests_are_answered_in_order() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
        let game = Arc::new(ServedGame::load(folder).expect("a folder"));
        let service = ServiceShared::new(game, ServiceOptions::default());
        service.pool.start().expect("a thread");
        let written = Written::default();
        let sink = Box::new(OpaqueSink::new(Box::new(written.clone())));
        let admission = Admission::without_end(&service);
        let link = ClientLink::new(&service, sink, MessageFraming::Lines, None, admission);
        let sender = link.clone();
        let sender = std::thread::spawn(move || sender.outbox.run());
        let mut id = 0;
        let mut reply = || {
            id += 1;
            Reply::open(&link, None, Some(RequestId::read(&id.to_string()).expect("an id")), 0)
        };
        let slots = [1, 2].map(|number| {
            let slot = WorldSlot::new(number, &link, false);
            link.worlds.lock().insert(number, slot.clone());
            let share = WorldShare::take(&service.used, &service.limits).expect("room");
            let params = serde_json::from_str(r#"{"level":"playground"}"#).expect("parameters");
            slot.submit(Work::Create(params, share), reply(), false);
            slot
        });
        slots[0].submit(Work::Panic, reply(), false);
        for ticks in 1..=3 {
            for slot in &slots {
                slot.submit(Work::Request(request(slot.number, ticks)), reply(), true);
            }
        }
        link.requests.wait(0, Duration::from_secs(60));
        link.outbox.flush(Duration::from_secs(60));
        link.outbox.close();
        sender.join().expect("it only writes");
        assert_eq!(link.worlds.lock().keys().copied().collect::<Vec<_>>(), [2]);
        let text = String::from_utf8(written.0.lock().clone()).expect("text");
        let answers: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        let of = |wanted: [u64; 4]| {
            let of_world = answers.iter().filter(|answer| wanted.contains(&answer["id"].as_u64().unwrap_or(0)));
            of_world
                .map(|answer| (answer["error"]["code"].as_i64(), answer["result"]["tick"].as_u64()))
                .collect::<Vec<_>>()
        };
        assert_eq!(answers.len(), 9, "{text}");
        let ended = (Some(-32003), None);
        assert_eq!(of([3, 4, 6, 8]), [(Some(-32603), None), ended, ended, ended]);
        assert_eq!(of([2, 5, 7, 9]), [(None, Some(0)), (None, Some(1)), (None, Some(3)), (None, Some(6))]);
        assert_eq!(service.used.worlds(), 1);
    }
}
