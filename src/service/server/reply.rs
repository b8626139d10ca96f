//! Answers: exactly one for each request.

use super::outbox::{MessageFraming, Outbox};
use super::waiting::WaitingShare;
use crate::service::protocol::{ErrorKind, RpcError};
use jsonrpsee_types::{ErrorObjectOwned, Id, Response, ResponsePayload};
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The requests of a client that have not been answered, with what cancels them.
#[derive(Debug, Default)]
pub(super) struct OpenRequests {
    all: Mutex<OpenList>,
    /// Notified when none is left.
    changed: Condvar,
    /// Whether new requests are canceled at once, because the client or the service ends.
    ends: AtomicBool,
}

/// Open requests by their numbers. Nothing keeps a client from using an id twice.
#[derive(Debug, Default)]
struct OpenList {
    last: u64,
    open: BTreeMap<u64, OpenRequest>,
    /// How many threads wait until all are answered.
    patient: usize,
}

#[derive(Debug)]
struct OpenRequest {
    /// The id as text.
    id: String,
    canceled: Arc<AtomicBool>,
}

impl OpenRequests {
    /// Cancels the open requests with this id.
    pub fn cancel(&self, id: &str) {
        let all = locked(&self.all);
        for request in all.open.values().filter(|request| request.id == id) {
            request.canceled.store(true, Ordering::Relaxed);
        }
    }

    /// Cancels all requests, also those to come.
    pub fn cancel_all(&self) {
        self.ends.store(true, Ordering::Relaxed);
        for request in locked(&self.all).open.values() {
            request.canceled.store(true, Ordering::Relaxed);
        }
    }

    /// Whether all are answered.
    pub fn is_empty(&self) -> bool {
        self.count() == 0
    }

    /// The number of those that are not answered.
    pub fn count(&self) -> usize {
        locked(&self.all).open.len()
    }

    /// Waits until all are answered, at most for `patience`.
    pub fn wait(&self, patience: Duration) {
        let mut all = locked(&self.all);
        all.patient += 1;
        let waited = self
            .changed
            .wait_timeout_while(all, patience, |all| !all.open.is_empty());
        waited.unwrap_or_else(PoisonError::into_inner).0.patient -= 1;
    }

    /// Opens a request. Returns its number, and what says that it is canceled.
    fn open(&self, id: String) -> (u64, Arc<AtomicBool>) {
        let mut all = locked(&self.all);
        let canceled = Arc::new(AtomicBool::new(self.ends.load(Ordering::Relaxed)));
        all.last += 1;
        let number = all.last;
        let request = OpenRequest {
            id,
            canceled: canceled.clone(),
        };
        all.open.insert(number, request);
        (number, canceled)
    }

    fn close(&self, number: u64) {
        let mut all = locked(&self.all);
        all.open.remove(&number);
        // Notifying costs a call of the system, also if no thread waits.
        if all.open.is_empty() && all.patient > 0 {
            self.changed.notify_all();
        }
    }
}

/// The answers of a batch, which are sent together.
pub(super) struct BatchAnswers {
    outbox: Arc<Outbox>,
    answers: Mutex<Vec<Vec<u8>>>,
}

impl BatchAnswers {
    /// The answers of a batch, sent when all that hold them have answered.
    pub fn new(outbox: Arc<Outbox>) -> Arc<Self> {
        let answers = Mutex::default();
        Arc::new(Self { outbox, answers })
    }
}

impl Drop for BatchAnswers {
    fn drop(&mut self) {
        let answers = std::mem::take(&mut *locked(&self.answers));
        // A batch of notifications is not answered.
        if !answers.is_empty() {
            let joined = answers.join(&b',');
            self.outbox
                .send([b"[", joined.as_slice(), b"]"].concat(), None);
        }
    }
}

/// Where an answer goes.
#[derive(Clone)]
pub(super) enum ReplyTarget {
    /// To the client.
    Client(Arc<Outbox>),
    /// To the other answers of a batch.
    Batch(Arc<BatchAnswers>),
}

/// The answer that a request waits for. If it is dropped, the request is answered with an error.
pub(super) struct Reply {
    target: ReplyTarget,
    /// None for a notification, which gets no answer.
    id: Option<Id<'static>>,
    /// Its number among the open requests.
    number: u64,
    canceled: Arc<AtomicBool>,
    requests: Arc<OpenRequests>,
    answered: bool,
    /// What it and its message take of what may wait.
    _waiting: Option<(Arc<WaitingShare>, WaitingShare)>,
}

impl Reply {
    /// The answer to a request with this id, or to a notification.
    pub fn new(target: ReplyTarget, id: Option<Id<'_>>, requests: &Arc<OpenRequests>) -> Self {
        let key = id.as_ref().map_or_else(String::new, key_of);
        let (number, canceled) = requests.open(key);
        Self {
            target,
            number,
            canceled,
            id: id.map(Id::into_owned),
            requests: requests.clone(),
            answered: false,
            _waiting: None,
        }
    }

    /// The same answer, which holds what its message and it take until it is sent.
    pub fn holding(mut self, message: &Arc<WaitingShare>, own: WaitingShare) -> Self {
        self._waiting = Some((message.clone(), own));
        self
    }

    /// Whether the client has canceled the request, or is gone.
    pub fn is_canceled(&self) -> bool {
        self.canceled.load(Ordering::Relaxed) || self.outbox().is_closed()
    }

    fn outbox(&self) -> &Outbox {
        match &self.target {
            ReplyTarget::Client(outbox) => outbox,
            ReplyTarget::Batch(batch) => &batch.outbox,
        }
    }

    /// Whether binary frames can follow the answer.
    pub fn takes_binary(&self) -> bool {
        matches!(&self.target, ReplyTarget::Client(outbox) if outbox.framing() == MessageFraming::WebSocket)
    }

    /// Answers.
    pub fn send<T: Serialize>(self, result: Result<T, RpcError>) {
        match result {
            Ok(result) => self.succeed(&result, None),
            Err(error) => self.fail(error),
        }
    }

    /// Answers with a result, and the binary frame that follows it.
    pub fn succeed<T: Serialize>(mut self, result: &T, binary: Option<Vec<u8>>) {
        self.answer(ResponsePayload::success(result), binary);
    }

    /// Answers with an error.
    pub fn fail(mut self, error: RpcError) {
        self.refuse(error.object());
    }

    fn refuse(&mut self, error: ErrorObjectOwned) {
        self.answer(ResponsePayload::<()>::error(error), None);
    }

    fn answer<T: Serialize + Clone>(
        &mut self,
        payload: ResponsePayload<'_, T>,
        binary: Option<Vec<u8>>,
    ) {
        self.answered = true;
        let Some(id) = self.id.take() else {
            return self.requests.close(self.number);
        };
        let text = serde_json::to_vec(&Response::new(payload, id)).unwrap_or_default();
        match &self.target {
            ReplyTarget::Client(outbox) => outbox.send(text, binary),
            ReplyTarget::Batch(batch) => locked(&batch.answers).push(text),
        }
        self.requests.close(self.number);
    }
}

/// An id as text, by which cancellation finds its request.
pub(super) fn key_of(id: &Id<'_>) -> String {
    match id {
        Id::Null => "null".into(),
        Id::Number(number) => number.to_string(),
        Id::Str(text) => format!("\"{text}"),
    }
}

impl Drop for Reply {
    fn drop(&mut self) {
        if self.answered {
            return;
        }
        let error = match std::thread::panicking() {
            true => RpcError::new(
                ErrorKind::Internal,
                "hangtime itself failed here, and the world has ended; please report this bug",
            ),
            false => RpcError::new(ErrorKind::World, "the world has ended"),
        };
        self.refuse(error.object());
    }
}

#[cfg(test)]
mod tests {
    use super::{OpenRequests, Reply, ReplyTarget};
    use crate::service::server::job_thread::JobThread;
    use crate::service::server::outbox::{MessageFraming, Outbox};
    use crate::service::server::sink::OpaqueSink;
    use jsonrpsee_types::Id;
    use serde_json::Value;
    use std::io::{self, Write};
    use std::sync::{Arc, Mutex};

    #[derive(Clone, Default)]
    struct Written(Arc<Mutex<Vec<u8>>>);

    impl Write for Written {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().expect("no panic").extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_world_that_panics_ends_alone_and_all_of_its_requests_are_answered() {
        let written = Written::default();
        let sink = Box::new(OpaqueSink(Box::new(written.clone())));
        let outbox = Arc::new(Outbox::new(sink, MessageFraming::Lines, 1));
        let requests = Arc::new(OpenRequests::default());
        let reply = |id| {
            let target = ReplyTarget::Client(outbox.clone());
            Reply::new(target, Some(Id::Number(id)), &requests)
        };
        let broken = JobThread::start("broken", 1).expect("a thread");
        let other = JobThread::start("other", 2).expect("a thread");
        let first = reply(1);
        let sent = broken.jobs().send(Box::new(move |state: &mut i32| {
            let _reply = first;
            assert_eq!(*state, 2, "this panic is part of the test");
        }));
        assert!(sent);
        for (jobs, id) in [(broken.jobs(), 2), (other.jobs(), 3)] {
            let reply = reply(id);
            // The broken one may be gone already, and dropping the job answers.
            let _ = jobs.send(Box::new(move |state: &mut i32| reply.send(Ok(*state))));
        }
        broken.end();
        other.end();
        assert!(requests.is_empty());
        let text = String::from_utf8(written.0.lock().expect("no panic").clone());
        let text = text.expect("text");
        let mut answers: Vec<Value> = text
            .lines()
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect();
        answers.sort_by_key(|answer| answer["id"].as_u64());
        assert_eq!(answers.len(), 3, "{text}");
        assert_eq!(answers[0]["error"]["code"], -32603);
        assert_eq!(answers[1]["error"]["code"], -32003);
        assert_eq!(answers[2]["result"], 2);
    }
}
