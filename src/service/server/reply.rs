//! Answers: exactly one for each request.

use super::outbox::{Framing, Outbox};
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
    all: Mutex<BTreeMap<String, Arc<AtomicBool>>>,
    /// Notified when none is left.
    changed: Condvar,
    /// Whether new requests are canceled at once, because the client or the service ends.
    ends: AtomicBool,
}

impl OpenRequests {
    /// Cancels the request with this id, if it is open.
    pub fn cancel(&self, id: &str) {
        if let Some(request) = locked(&self.all).get(id) {
            request.store(true, Ordering::Relaxed);
        }
    }

    /// Cancels all requests, also those to come.
    pub fn cancel_all(&self) {
        self.ends.store(true, Ordering::Relaxed);
        let all = locked(&self.all);
        all.values()
            .for_each(|request| request.store(true, Ordering::Relaxed));
    }

    /// Whether all are answered.
    pub fn is_empty(&self) -> bool {
        locked(&self.all).is_empty()
    }

    /// Waits until all are answered, at most for `patience`.
    pub fn wait(&self, patience: Duration) {
        let all = locked(&self.all);
        let waited = self
            .changed
            .wait_timeout_while(all, patience, |all| !all.is_empty());
        drop(waited);
    }

    fn open(&self, id: &str) -> Arc<AtomicBool> {
        let mut all = locked(&self.all);
        let request = Arc::new(AtomicBool::new(self.ends.load(Ordering::Relaxed)));
        all.insert(id.into(), request.clone());
        request
    }

    fn close(&self, id: &str, request: &Arc<AtomicBool>) {
        let mut all = locked(&self.all);
        // A client may have used the same id for another request in the meantime.
        if all.get(id).is_some_and(|open| Arc::ptr_eq(open, request)) {
            all.remove(id);
            if all.is_empty() {
                self.changed.notify_all();
            }
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
    /// The id as text.
    key: String,
    canceled: Arc<AtomicBool>,
    requests: Arc<OpenRequests>,
    answered: bool,
}

impl Reply {
    /// The answer to a request with this id, or to a notification.
    pub fn new(target: ReplyTarget, id: Option<Id<'_>>, requests: &Arc<OpenRequests>) -> Self {
        let key = id.as_ref().map_or_else(String::new, key_of);
        Self {
            target,
            canceled: requests.open(&key),
            key,
            id: id.map(Id::into_owned),
            requests: requests.clone(),
            answered: false,
        }
    }

    /// Whether the client has canceled the request, or is gone.
    pub fn is_canceled(&self) -> bool {
        self.canceled.load(Ordering::Relaxed)
    }

    /// Whether binary frames can follow the answer.
    pub fn takes_binary(&self) -> bool {
        matches!(&self.target, ReplyTarget::Client(outbox) if outbox.framing() == Framing::WebSocket)
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
            return self.requests.close(&self.key, &self.canceled);
        };
        let text = serde_json::to_vec(&Response::new(payload, id)).unwrap_or_default();
        match &self.target {
            ReplyTarget::Client(outbox) => outbox.send(text, binary),
            ReplyTarget::Batch(batch) => locked(&batch.answers).push(text),
        }
        self.requests.close(&self.key, &self.canceled);
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
