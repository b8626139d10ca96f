//! Answers: exactly one for each request.

use super::outbox::{MessageFraming, Outbox};
use super::waiting::WaitingShare;
use crate::protocol::{ErrorKind, RequestId, RpcError};
use jsonrpsee_types::{ErrorObjectOwned, TwoPointZero};
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
        let waited = self.changed.wait_timeout_while(all, patience, |all| !all.open.is_empty());
        waited.unwrap_or_else(PoisonError::into_inner).0.patient -= 1;
    }

    /// Opens a request. Returns its number, and what says that it is canceled.
    fn open(&self, id: String) -> (u64, Arc<AtomicBool>) {
        let mut all = locked(&self.all);
        let canceled = Arc::new(AtomicBool::new(self.ends.load(Ordering::Relaxed)));
        all.last += 1;
        let number = all.last;
        let request = OpenRequest { id, canceled: canceled.clone() };
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

/// The most bytes of the answers of a batch. Those that do not fit are replaced by short errors.
const MOST_BATCH_BYTES: usize = 128 << 20;

/// An answer that is at most this long always fits into a batch.
const SHORT: usize = 4096;

/// The answers of a batch, which are sent together.
pub(super) struct BatchAnswers {
    outbox: Arc<Outbox>,
    /// The array of answers, without its end.
    text: Mutex<Vec<u8>>,
    /// The most bytes of answers that are not short.
    most: usize,
}

impl BatchAnswers {
    /// The answers of a batch, sent when all that hold them have answered.
    pub fn new(outbox: Arc<Outbox>) -> Arc<Self> {
        Self::with_room(outbox, MOST_BATCH_BYTES)
    }

    fn with_room(outbox: Arc<Outbox>, most: usize) -> Arc<Self> {
        let text = Mutex::default();
        Arc::new(Self { outbox, text, most })
    }

    /// Adds an answer or, if there is no room for it, `instead`.
    fn add(&self, answer: Vec<u8>, instead: impl FnOnce() -> Vec<u8>) {
        let mut text = locked(&self.text);
        let before = if text.is_empty() { b'[' } else { b',' };
        text.push(before);
        match answer.len() <= SHORT || text.len() + answer.len() < self.most {
            true => text.extend_from_slice(&answer),
            false => text.extend_from_slice(&instead()),
        }
    }
}

impl Drop for BatchAnswers {
    fn drop(&mut self) {
        let mut text = std::mem::take(&mut *locked(&self.text));
        // A batch of notifications is not answered.
        if !text.is_empty() {
            text.push(b']');
            self.outbox.send(text, None);
        }
    }
}

fn no_room_in_batch() -> RpcError {
    let message = format!(
        "the answers of the batch have more than {} MB, so this one is left out; the request was carried out",
        MOST_BATCH_BYTES >> 20
    );
    RpcError::new(ErrorKind::Limit, message)
}

/// An answer as it is written.
#[derive(Serialize)]
struct WrittenAnswer<'a, T> {
    jsonrpc: TwoPointZero,
    id: &'a RequestId,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<&'a T>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorObjectOwned>,
}

impl<'a, T: Serialize> WrittenAnswer<'a, T> {
    fn text(id: &'a RequestId, answer: Result<&'a T, ErrorObjectOwned>) -> Vec<u8> {
        let (result, error) = match answer {
            Ok(result) => (Some(result), None),
            Err(error) => (None, Some(error)),
        };
        let jsonrpc = TwoPointZero;
        let answer = Self { jsonrpc, id, result, error };
        // Answers are plain data, and writing into memory does not fail.
        serde_json::to_vec(&answer).unwrap_or_default()
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
    id: Option<RequestId>,
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
    pub fn new(target: ReplyTarget, id: Option<RequestId>, requests: &Arc<OpenRequests>) -> Self {
        let key = id.as_ref().map_or_else(String::new, RequestId::key);
        let (number, canceled) = requests.open(key);
        Self { target, number, canceled, id, requests: requests.clone(), answered: false, _waiting: None }
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
        self.answer(Ok(result), binary);
    }

    /// Answers with an error.
    pub fn fail(mut self, error: RpcError) {
        self.refuse(error.object());
    }

    fn refuse(&mut self, error: ErrorObjectOwned) {
        self.answer::<()>(Err(error), None);
    }

    fn answer<T: Serialize>(&mut self, answer: Result<&T, ErrorObjectOwned>, binary: Option<Vec<u8>>) {
        self.answered = true;
        let Some(id) = self.id.take() else {
            return self.requests.close(self.number);
        };
        let text = WrittenAnswer::text(&id, answer);
        match &self.target {
            ReplyTarget::Client(outbox) => outbox.send(text, binary),
            ReplyTarget::Batch(batch) => {
                batch.add(text, || WrittenAnswer::<()>::text(&id, Err(no_room_in_batch().object())))
            }
        }
        self.requests.close(self.number);
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
    use super::{BatchAnswers, OpenRequests, Reply, ReplyTarget, SHORT};
    use crate::protocol::RequestId;
    use crate::server::job_thread::JobThread;
    use crate::server::outbox::{MessageFraming, Outbox};
    use crate::server::sink::OpaqueSink;
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
            Reply::new(target, Some(RequestId::Integer(id)), &requests)
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
        let mut answers: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        answers.sort_by_key(|answer| answer["id"].as_u64());
        assert_eq!(answers.len(), 3, "{text}");
        assert_eq!(answers[0]["error"]["code"], -32603);
        assert_eq!(answers[1]["error"]["code"], -32003);
        assert_eq!(answers[2]["result"], 2);
    }

    #[test]
    fn answers_that_do_not_fit_into_that_of_their_batch_are_errors() {
        let written = Written::default();
        let sink = Box::new(OpaqueSink(Box::new(written.clone())));
        let outbox = Arc::new(Outbox::new(sink, MessageFraming::Lines, 1));
        let requests = Arc::new(OpenRequests::default());
        let room = 100_000;
        let batch = BatchAnswers::with_room(outbox, room);
        let long = "x".repeat(room * 2 / 5);
        for (id, result) in (1..).zip([&*long, "short", &long, &long, "short"]) {
            let target = ReplyTarget::Batch(batch.clone());
            let id = Some(RequestId::Integer(id));
            Reply::new(target, id, &requests).send(Ok(result));
        }
        drop(batch);
        let text = std::mem::take(&mut *written.0.lock().expect("no panic"));
        assert!(text.len() < room + 5 * SHORT, "{}", text.len());
        let answers: Vec<Value> = serde_json::from_slice(&text).expect("JSON");
        let seen = answers.iter().map(|answer| {
            let result = answer["result"].as_str().map(str::len);
            (answer["id"].as_u64(), result, answer["error"]["code"].as_i64())
        });
        let expected = [
            (Some(1), Some(long.len()), None),
            (Some(2), Some(5), None),
            (Some(3), Some(long.len()), None),
            (Some(4), None, Some(-32004)),
            (Some(5), Some(5), None),
        ];
        assert!(seen.eq(expected));
    }
}
