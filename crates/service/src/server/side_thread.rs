//! A thread of a client for requests that take long and are not about one of its worlds.

use super::*;
use std::sync::mpsc::{Sender, channel};

/// Carries out requests one after another, on a thread that starts with the first of them and ends when this is dropped.
pub struct SideThread<R> {
    name: &'static str,
    service: Arc<ServiceShared>,
    run: SideWork<R>,
    sender: Option<Sender<(R, Reply)>>,
}

/// Carries out a request of a side thread.
type SideWork<R> = fn(&ServiceShared, R, &Reply) -> RequestResult;

impl<R: Send + 'static> SideThread<R> {
    /// No thread yet, for one that carries out requests with `run`.
    pub fn new(name: &'static str, service: &Arc<ServiceShared>, run: SideWork<R>) -> Self {
        Self { name, service: service.clone(), run, sender: None }
    }

    /// Carries out a request after the ones before it.
    pub fn submit(&mut self, request: R, reply: Reply) {
        if self.sender.is_none() {
            let (service, run) = (self.service.clone(), self.run);
            let (sender, received) = channel::<(R, Reply)>();
            let thread = script_thread(self.name).spawn(move || {
                for (request, reply) in received {
                    let run = AssertUnwindSafe(|| reply.begin().and_then(|()| run(&service, request, &reply)));
                    let answered = catch_unwind(run).unwrap_or_else(|_| {
                        let message = "hangtime itself failed here; please report this bug";
                        Err(ErrorKind::Internal.error(message))
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
pub fn no_thread(error: &io::Error) -> RpcError {
    ErrorKind::Limit.error(format!("the system starts no more threads: {error}"))
}
