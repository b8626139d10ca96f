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
    Request(WorldRequest),
    /// The rest of a step.
    Step(Box<RunningStep>),
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
            (Work::Request(request), Some(world)) => world.carry_out(request, reply),
            (Work::Step(step), Some(world)) => world.proceed(step, reply),
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
