//! A world of a client and the requests that wait for it.

use super::*;

/// A world of a client, or a place for one that is to be created, and the requests that wait for it.
pub struct WorldSlot {
    /// The number by which the client knows the world.
    pub number: u64,
    /// The client.
    pub link: Arc<ClientLink>,
    /// `None` before the world is created, if it cannot be, and after its end. Locked during a turn.
    pub world: Mutex<Option<RunningWorld>>,
    queue: Mutex<WorkQueue>,
    /// Whether files were saved since the world read them last, if it follows them.
    has_saved_files: AtomicBool,
}

struct WorkQueue {
    waiting: VecDeque<WaitingWork>,
    /// Whether a thread gives the world turns, or will, or a step of many worlds holds it.
    is_busy: bool,
}

/// A request that waits for its turn.
enum WaitingWork {
    /// One about this world alone.
    Alone(WorldWork, Reply),
    /// One about many worlds. It takes the world over when it is its turn.
    Joint(Arc<JointStep>),
}

/// What a request does to a world.
pub enum WorldWork {
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

/// The answer to a request, or the rest of a step, which is for another turn.
pub type Outcome = ControlFlow<RequestResult, Box<RunningStep>>;

impl WorldWork {
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
            has_saved_files: AtomicBool::new(false),
        })
    }

    /// Carries out a request after the ones before it: `here`, if there are none, or in the pool.
    pub fn submit(self: &Arc<Self>, work: WorldWork, reply: Reply, here: bool) {
        let mut queue = self.queue.lock();
        queue.waiting.push_back(WaitingWork::Alone(work, reply));
        if mem::replace(&mut queue.is_busy, true) {
            return;
        }
        drop(queue);
        if !here || self.has_saved_files() || !self.is_quick() || self.turn() {
            self.schedule();
        }
    }

    /// Lets a step of many worlds hold this one after the requests before it. Returns whether it does already; if not,
    /// [`JointStep::arrive`] is called when it does.
    pub fn join(&self, step: &Arc<JointStep>) -> bool {
        let mut queue = self.queue.lock();
        if mem::replace(&mut queue.is_busy, true) {
            queue.waiting.push_back(WaitingWork::Joint(step.clone()));
            return false;
        }
        true
    }

    /// Continues with the requests that wait, after a step of many worlds that has held this one.
    pub fn leave(self: &Arc<Self>) {
        let mut queue = self.queue.lock();
        queue.is_busy = self.has_saved_files() || !queue.waiting.is_empty();
        if queue.is_busy {
            drop(queue);
            self.schedule();
        }
    }

    /// Whether the world reads files again before its next request.
    pub fn has_saved_files(&self) -> bool {
        self.has_saved_files.load(Ordering::Relaxed)
    }

    /// Whether no tick takes long.
    fn is_quick(&self) -> bool {
        self.world.lock().as_ref().is_none_or(RunningWorld::is_quick)
    }

    /// Lets the world read the files again before its next request.
    pub fn note_saved_files(self: &Arc<Self>) {
        self.has_saved_files.store(true, Ordering::Relaxed);
        let is_busy = mem::replace(&mut self.queue.lock().is_busy, true);
        if !is_busy {
            self.schedule();
        }
    }

    /// Reads saved files, unless a step is half done: a world reads them between two requests.
    pub fn read_saved_files(&self, world: &mut Option<RunningWorld>) {
        let Some(running) = world else { return };
        let is_stepping =
            || matches!(self.queue.lock().waiting.front(), Some(WaitingWork::Alone(WorldWork::Step(_), _)));
        if !self.has_saved_files() || is_stepping() || !self.has_saved_files.swap(false, Ordering::Relaxed) {
            return;
        }
        if catch_unwind(AssertUnwindSafe(|| running.follow_files())).is_err() {
            // As in `attempt`; the next request hears that there is no such world.
            let _ = catch_unwind(AssertUnwindSafe(|| drop(world.take())));
        }
    }

    /// Lets the pool give the world a turn.
    pub fn schedule(self: &Arc<Self>) {
        self.link.service.pool.schedule(PoolWork::World(self.clone()));
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
    pub fn forget(&self) {
        self.link.worlds.lock().remove(&self.number);
    }

    /// Whether the next turn waits until the client has read more; the outbox schedules it then.
    pub fn parks(self: &Arc<Self>) -> bool {
        let next = self.queue.lock();
        let for_lines = matches!(
            next.waiting.front(),
            Some(WaitingWork::Alone(WorldWork::Step(step), _)) if step.is_blocked
        );
        drop(next);
        self.link.outbox.parks(|| PoolWork::World(self.clone()), for_lines)
    }

    /// Carries out the request that waits first, or a slice of it. Returns whether something waits after that.
    pub fn turn(self: &Arc<Self>) -> bool {
        let mut world = self.world.lock();
        self.read_saved_files(&mut world);
        let next = self.queue.lock().waiting.pop_front();
        if let Some(WaitingWork::Joint(step)) = next {
            // It holds the world from here on.
            drop(world);
            step.arrive();
            return false;
        }
        if let Some(WaitingWork::Alone(work, reply)) = next {
            let forked = match &work {
                WorldWork::Fork(slot) => Some(slot.clone()),
                _ => None,
            };
            let outcome = match (&work, reply.begin()) {
                (WorldWork::Destroy | WorldWork::Step(_), _) | (_, Ok(())) => self.carry_out(&mut world, work, &reply),
                (_, Err(canceled)) => ControlFlow::Break(Err(canceled)),
            };
            match outcome {
                ControlFlow::Break(answered) => {
                    reply.send(answered);
                    if let Some(world) = &mut *world {
                        world.begin_subscriptions();
                    }
                }
                ControlFlow::Continue(step) => {
                    let rest = WaitingWork::Alone(WorldWork::Step(step), reply);
                    self.queue.lock().waiting.push_front(rest);
                }
            }
            if world.is_none() {
                self.forget();
            }
            if let Some(slot) = forked {
                slot.open();
            }
        }
        // Files may have been saved while the world was created, or during this turn.
        let has_saved_files = world.is_some() && self.has_saved_files();
        let mut queue = self.queue.lock();
        queue.is_busy = has_saved_files || !queue.waiting.is_empty();
        queue.is_busy
    }

    /// Carries out a request, or a slice of it. A world whose scripts had to be stopped in the middle of a tick ends.
    fn carry_out(self: &Arc<Self>, world: &mut Option<RunningWorld>, work: WorldWork, reply: &Reply) -> Outcome {
        let cancellation = reply.cancellation();
        let (outcome, is_stopped) =
            ending_scripts(move || cancellation.is_asked(), || self.attempt(world, work, reply));
        if !is_stopped {
            return outcome;
        }
        *world = None;
        let message =
            "the request was canceled; its scripts were stopped in the middle of a tick, so the world has ended";
        ControlFlow::Break(Err(ErrorKind::Canceled.error(message)))
    }

    /// Carries out a request, or a slice of it. A world that fails because of a bug ends alone.
    fn attempt(self: &Arc<Self>, world: &mut Option<RunningWorld>, work: WorldWork, reply: &Reply) -> Outcome {
        let carried_out = catch_unwind(AssertUnwindSafe(|| {
            ControlFlow::Break(match (work, &mut *world) {
                (WorldWork::Create(params, share), _) => {
                    RunningWorld::create(self, params, share).map(|created| world.insert(created).answer_created())
                }
                (_, None) => Err(no_such_world(self.number)),
                (WorldWork::Fork(slot), Some(world)) => {
                    world.fork(&slot).map(|forked| slot.world.lock().insert(forked).answer_created())
                }
                (WorldWork::Destroy, Some(_)) => {
                    *world = None;
                    Ok(Answer::of(&Done {}))
                }
                (WorldWork::Request(request), Some(world)) => return world.carry_out(*request, reply),
                (WorldWork::Step(step), Some(world)) => return world.proceed(step, reply),
                #[cfg(test)]
                (WorldWork::Panic, Some(_)) => panic!("this panic is part of the test"),
            })
        }));
        carried_out.unwrap_or_else(|_| {
            // The world may be in any state of disorder, and so may dropping it.
            let _ = catch_unwind(AssertUnwindSafe(|| drop(world.take())));
            ControlFlow::Break(Err(ErrorKind::Internal.error(FAILED)))
        })
    }
}

/// Why a world has ended in which a bug showed.
pub const FAILED: &str = "hangtime itself failed here, and the world has ended; please report this bug";

/// The error for a request about a world that the client does not have.
pub fn no_such_world(number: u64) -> RpcError {
    let message = format!("this client has no world {number}; `world.create` makes one");
    ErrorKind::World.error(message).at("params.world")
}

#[cfg(test)]
#[path = "../../tests/unit/server/world_slot.rs"]
mod tests;
