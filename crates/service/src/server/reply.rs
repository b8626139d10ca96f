//! Answers: exactly one for each request.

use super::*;

/// A result as JSON, and the binary frame that follows it.
pub struct Answer {
    json: Vec<u8>,
    binary: Option<Vec<u8>>,
}

/// What a request comes to.
pub type RequestResult = Result<Answer, RpcError>;

impl Answer {
    /// The answer with this result.
    pub fn of(result: &impl Serialize) -> Self {
        Self::with_binary(result, None)
    }

    /// The answer with this result, and the binary frame that follows it.
    pub fn with_binary(result: &impl Serialize, binary: Option<Vec<u8>>) -> Self {
        // Results are plain data, and writing into memory does not fail.
        Self { json: serde_json::to_vec(result).unwrap_or_default(), binary }
    }
}

/// Where the answer to a request goes.
pub struct Reply {
    link: Arc<ClientLink>,
    batch: Option<Arc<BatchAnswers>>,
    /// `None` for a notification, which gets no answer.
    id: Option<RequestId>,
    /// Its number among the open requests.
    number: u64,
    canceled: Arc<AtomicBool>,
}

impl Reply {
    /// Opens a request with parameters of this length.
    pub fn open(
        link: &Arc<ClientLink>,
        batch: Option<&Arc<BatchAnswers>>,
        id: Option<RequestId>,
        length: usize,
    ) -> Self {
        let (number, canceled) = link.requests.open(id.clone(), length);
        Self { link: link.clone(), batch: batch.cloned(), id, number, canceled }
    }

    /// The client.
    pub fn link(&self) -> &Arc<ClientLink> {
        &self.link
    }

    /// Whether the client has canceled the request, or is gone.
    pub fn is_canceled(&self) -> bool {
        self.canceled.load(Ordering::Relaxed) || self.link.outbox.is_closed()
    }

    /// What says later whether the client has canceled the request, or is gone.
    pub fn cancellation(&self) -> Cancellation {
        Cancellation { link: self.link.clone(), canceled: self.canceled.clone() }
    }

    /// Begins to carry out the request.
    ///
    /// # Errors
    /// If it is canceled.
    pub fn begin(&self) -> Result<(), RpcError> {
        if self.is_canceled() {
            Err(ErrorKind::Canceled.error("the request was canceled before it began"))
        } else {
            Ok(())
        }
    }

    /// Whether a binary frame can follow the answer.
    pub fn takes_binary(&self) -> bool {
        self.batch.is_none() && self.link.outbox.framing() == MessageFraming::WebSocket
    }

    /// Answers the request.
    pub fn send(self, answered: RequestResult) {
        match (&self.batch, &self.id) {
            (None, None) => {}
            (None, Some(id)) => {
                let (text, binary) = written(id, answered);
                self.link.outbox.send(text, binary);
            }
            (Some(batch), id) => {
                let text = id.as_ref().map(|id| (written(id, answered).0, || written(id, Err(no_room_in_batch())).0));
                let mut answers = batch.0.lock();
                if let Some((text, instead)) = text {
                    answers.add(text, instead);
                }
                answers.left -= 1;
                if answers.left == 0 && !answers.text.is_empty() {
                    answers.text.push(b']');
                    self.link.outbox.send(mem::take(&mut answers.text), None);
                }
            }
        }
        self.link.requests.close(self.number);
    }

    /// Answers with an error.
    pub fn fail(self, error: RpcError) {
        self.send(Err(error));
    }
}

/// What says whether the client has canceled a request, or is gone.
#[derive(Clone)]
pub struct Cancellation {
    link: Arc<ClientLink>,
    canceled: Arc<AtomicBool>,
}

impl Cancellation {
    /// Whether it has.
    pub fn is_asked(&self) -> bool {
        self.canceled.load(Ordering::Relaxed) || self.link.outbox.is_closed()
    }
}

/// The message with an answer.
fn written(id: &RequestId, answered: RequestResult) -> (Vec<u8>, Option<Vec<u8>>) {
    let (member, answer) = match answered {
        Ok(answer) => ("result", answer),
        Err(error) => ("error", Answer::of(&error.object())),
    };
    let mut text = Vec::with_capacity(answer.json.len() + 64);
    text.extend_from_slice(format!(r#"{{"jsonrpc":"2.0","id":{},"{member}":"#, id.json()).as_bytes());
    text.extend_from_slice(&answer.json);
    text.push(b'}');
    (text, answer.binary)
}

/// The most bytes of the answers of a batch. Answers that do not fit are replaced by short errors.
const MOST_BATCH_BYTES: usize = 128 << 20;

/// An answer that is at most this long always fits into a batch.
const SHORT: usize = 4096;

/// The answers of a batch, which are sent together with the last of them.
pub struct BatchAnswers(Mutex<BatchText>);

struct BatchText {
    /// The array of answers, without its end.
    text: Vec<u8>,
    /// How many requests are not answered.
    left: usize,
    /// The most bytes of answers that are not short.
    most: usize,
}

impl BatchAnswers {
    /// The answers of a batch of this many requests.
    pub fn of(requests: usize) -> Arc<Self> {
        Arc::new(Self(Mutex::new(BatchText { text: Vec::new(), left: requests, most: MOST_BATCH_BYTES })))
    }
}

impl BatchText {
    /// Adds an answer or, if there is no room for it, `instead`.
    fn add(&mut self, answer: Vec<u8>, instead: impl FnOnce() -> Vec<u8>) {
        self.text.push(if self.text.is_empty() { b'[' } else { b',' });
        if answer.len() <= SHORT || self.text.len() + answer.len() < self.most {
            self.text.extend_from_slice(&answer)
        } else {
            self.text.extend_from_slice(&instead())
        }
    }
}

fn no_room_in_batch() -> RpcError {
    let message = format!(
        "the answers of the batch have more than {} MB, so this one is left out; the request was carried out",
        MOST_BATCH_BYTES >> 20
    );
    ErrorKind::Limit.error(message)
}

#[cfg(test)]
#[path = "../../tests/unit/server/reply.rs"]
mod tests;
