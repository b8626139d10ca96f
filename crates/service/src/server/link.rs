//! What the threads that work for one client share.

use super::*;

/// Owns everything that belongs to one connection and drops it when the connection closes.
pub struct ClientLink {
    /// The service.
    pub service: Arc<ServiceShared>,
    /// The connection to the client.
    pub outbox: Outbox,
    /// The requests that have not been answered.
    pub requests: OpenRequests,
    /// The client's worlds, by their numbers.
    pub worlds: Mutex<BTreeMap<u64, Arc<WorldSlot>>>,
    /// Locked while a step of many worlds answers and lets go of them.
    pub letting_go: Mutex<()>,
    /// Whether the client may send requests.
    pub admission: Arc<Admission>,
    /// The connection, unless the client is on stdin and stdout.
    pub stream: Option<TcpStream>,
}

/// How many of the longest messages may wait before a client's next one is read.
const MESSAGES_WAITING: usize = 4;

impl ClientLink {
    /// A client without worlds whose answers go to `sink`.
    pub fn new(
        service: &Arc<ServiceShared>,
        sink: Box<dyn Sink>,
        framing: MessageFraming,
        stream: Option<TcpStream>,
        admission: Arc<Admission>,
    ) -> Arc<Self> {
        Arc::new(Self {
            service: service.clone(),
            outbox: Outbox::new(sink, framing, service.limits.waiting),
            requests: OpenRequests::new(service.limits.message.saturating_mul(MESSAGES_WAITING)),
            worlds: Mutex::default(),
            letting_go: Mutex::default(),
            admission,
            stream,
        })
    }
}
