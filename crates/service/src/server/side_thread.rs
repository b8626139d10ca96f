//! A thread of a client for requests that take long and are not about one of its worlds.

use super::reply::{Answered, Reply};
use crate::protocol::{ErrorKind, RpcError};
use hangtime_script::STACK;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Sender, channel};
use std::thread::Builder;

/// Carries out requests one after another, on a thread that starts with the first of them and ends when this is dropped.
pub(super) struct SideThread<R> {
    name: &'static str,
    sender: Option<Sender<(R, Reply)>>,
}

impl<R: Send + 'static> SideThread<R> {
    /// No thread yet.
    pub fn new(name: &'static str) -> Self {
        Self { name, sender: None }
    }

    /// Carries out a request with `run` after the ones before it. `run` is the same for all of them.
    pub fn submit(&mut self, request: R, reply: Reply, run: impl Fn(R, &Reply) -> Answered + Send + 'static) {
        if self.sender.is_none() {
            let (sender, received) = channel::<(R, Reply)>();
            let thread = Builder::new().name(self.name.into()).stack_size(STACK).spawn(move || {
                for (request, reply) in received {
                    let answered = catch_unwind(AssertUnwindSafe(|| run(request, &reply))).unwrap_or_else(|_| {
                        let message = "hangtime itself failed here; please report this bug";
                        Err(RpcError::new(ErrorKind::Internal, message))
                    });
                    reply.send(answered);
                }
            });
            if let Err(error) = thread {
                return reply.fail(no_thread(&error));
            }
            self.sender = Some(sender);
        }
        if let Some(sender) = &self.sender {
            // The thread lives for as long as its sender.
            let _ = sender.send((request, reply));
        }
    }
}

/// The error for a request that needs a thread.
pub(super) fn no_thread(error: &std::io::Error) -> RpcError {
    RpcError::new(ErrorKind::Limit, format!("the system starts no more threads: {error}"))
}
