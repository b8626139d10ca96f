//! The threads that run the worlds of all clients.

use super::*;
use hangtime_script::STACK;
use std::collections::VecDeque;
use std::io;
use std::thread::{Builder, available_parallelism};

/// A thread for each processor, with a stack that is large enough for scripts. They give worlds turns, one after another,
/// in the order in which the worlds have become ready.
#[derive(Default)]
pub struct Pool {
    state: Mutex<PoolState>,
    /// Notified when a world is ready, or the pool is closed.
    changed: Condvar,
}

#[derive(Default)]
struct PoolState {
    ready: VecDeque<Arc<WorldSlot>>,
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

    /// Lets a world have a turn.
    pub fn schedule(&self, world: Arc<WorldSlot>) {
        self.state.lock().ready.push_back(world);
        self.changed.notify_one();
    }

    /// Ends the threads once no world is ready.
    pub fn close(&self) {
        self.state.lock().closed = true;
        self.changed.notify_all();
    }

    fn run(&self) {
        while let Some(world) = self.next() {
            if !world.parks() && world.turn() {
                self.schedule(world);
            }
        }
    }

    fn next(&self) -> Option<Arc<WorldSlot>> {
        let mut state = self.state.lock();
        loop {
            if let Some(world) = state.ready.pop_front() {
                return Some(world);
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
