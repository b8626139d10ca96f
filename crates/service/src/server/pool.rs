//! The threads that run the worlds of all clients.

use super::*;
use hangtime_script::STACK;
use std::thread::available_parallelism;

/// A thread for each processor, with a stack that is large enough for scripts. They give worlds turns, one after another,
/// in the order in which the worlds have become ready.
#[derive(Default)]
pub struct Pool {
    state: Mutex<PoolState>,
    /// Notified when a world is ready, or the pool is closed.
    changed: Condvar,
}

/// What a thread of the pool does next.
#[derive(Clone)]
pub enum PoolWork {
    /// A turn of a world.
    World(Arc<WorldSlot>),
    /// A turn of a step of many worlds. Several threads can have one at the same time.
    Joint(Arc<JointStep>),
}

impl PoolWork {
    /// Whether its turn waits until the client has read more; the outbox schedules it then.
    fn parks(&self) -> bool {
        match self {
            Self::World(world) => world.parks(),
            Self::Joint(step) => step.parks(),
        }
    }

    /// Lets the pool of its client's service give it a turn.
    pub fn schedule(self) {
        let link = match &self {
            Self::World(world) => &world.link,
            Self::Joint(step) => &step.link,
        };
        let service = link.service.clone();
        service.pool.schedule(self);
    }

    /// Carries out a turn. Returns whether something is left for another one.
    fn turn(&self) -> bool {
        match self {
            Self::World(world) => world.turn(),
            Self::Joint(step) => step.turn(false),
        }
    }
}

#[derive(Default)]
struct PoolState {
    ready: VecDeque<PoolWork>,
    threads: usize,
    closed: bool,
}

impl Pool {
    /// Starts the threads, unless they run.
    ///
    /// # Errors
    /// When the system starts not even one.
    pub fn start(self: &Arc<Self>) -> io::Result<()> {
        let mut state = self.state.lock();
        let wanted = available_parallelism().map_or(1, usize::from);
        while state.threads < wanted {
            let pool = self.clone();
            let started = script_thread("worlds").spawn(move || pool.run());
            match started {
                Ok(_) => state.threads += 1,
                Err(error) if state.threads == 0 => return Err(error),
                Err(_) => break,
            }
        }
        Ok(())
    }

    /// Lets a world, or a step of many, have a turn.
    pub fn schedule(&self, work: PoolWork) {
        self.state.lock().ready.push_back(work);
        self.changed.notify_one();
    }

    /// Schedules work for `most` threads, or for all if there are fewer.
    pub fn schedule_for_many(&self, work: &PoolWork, most: usize) {
        let mut state = self.state.lock();
        let count = state.threads.min(most);
        state.ready.extend(std::iter::repeat_n(work, count).cloned());
        drop(state);
        (0..count).for_each(|_| {
            self.changed.notify_one();
        });
    }

    /// The number of threads.
    pub fn threads(&self) -> usize {
        self.state.lock().threads.max(1)
    }

    /// Ends the threads once no world is ready.
    pub fn close(&self) {
        self.state.lock().closed = true;
        self.changed.notify_all();
    }

    fn run(&self) {
        while let Some(work) = self.next() {
            if !work.parks() && work.turn() {
                self.schedule(work);
            }
        }
    }

    fn next(&self) -> Option<PoolWork> {
        let mut state = self.state.lock();
        loop {
            if let Some(work) = state.ready.pop_front() {
                return Some(work);
            }
            if state.closed {
                return None;
            }
            self.changed.wait(&mut state);
        }
    }
}

/// A thread that is about to start, with a stack that is large enough for scripts.
pub fn script_thread(name: &str) -> Builder {
    Builder::new().name(name.into()).stack_size(STACK)
}
