//! What all clients of a service share.

use super::limits::{ServiceLimits, ServiceUse};
use super::link::ClientLink;
use super::pool::Pool;
use super::showcase::Showcase;
use crate::ServedGame;
use parking_lot::{Condvar, Mutex};
use std::net::Shutdown;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// How a service serves.
#[derive(Clone, Debug, Default)]
pub struct ServiceOptions {
    /// What it allows its clients.
    pub limits: ServiceLimits,
    /// What clients have to know.
    pub token: Option<String>,
    /// Whether its port has a web page, and clients may watch the worlds of others.
    pub web: bool,
}

/// What all clients of a service share.
pub(super) struct ServiceShared {
    /// The game.
    pub game: Arc<ServedGame>,
    /// What is allowed.
    pub limits: ServiceLimits,
    /// How much of it is in use.
    pub used: Arc<ServiceUse>,
    /// Whether there is a web page.
    pub web: bool,
    /// Why nothing more can be written to stdout, once that is so.
    pub lost_output: Arc<OnceLock<String>>,
    /// Shared by the connections whose first request is being read.
    pub heads: Arc<()>,
    /// The threads that run worlds.
    pub pool: Arc<Pool>,
    /// The worlds that clients may watch. Without a web page, there are none.
    pub showcase: Arc<Showcase>,
    /// The hash of the token: comparing hashes takes the same time for all wrong tokens.
    token: Option<blake3::Hash>,
    state: Mutex<ServiceState>,
    changed: Condvar,
}

#[derive(Default)]
struct ServiceState {
    /// Whether no more clients are served.
    ends: bool,
    last: u64,
    clients: Vec<(u64, Arc<ClientLink>)>,
}

/// A client that is served. Dropped when it is gone.
pub(super) struct ClientPlace {
    shared: Arc<ServiceShared>,
    number: u64,
}

/// How long clients have to read their last answers when the service ends.
pub(super) const PATIENCE: Duration = Duration::from_secs(2);

impl ServiceShared {
    /// A service of this game without clients.
    pub fn new(game: Arc<ServedGame>, options: ServiceOptions) -> Arc<Self> {
        let token = options.token.as_ref();
        Arc::new(Self {
            game,
            limits: options.limits,
            used: Arc::default(),
            web: options.web,
            lost_output: Arc::default(),
            heads: Arc::default(),
            pool: Arc::default(),
            showcase: Arc::default(),
            token: token.map(|token| blake3::hash(token.as_bytes())),
            state: Mutex::default(),
            changed: Condvar::new(),
        })
    }

    /// Whether clients need a token.
    pub fn needs_token(&self) -> bool {
        self.token.is_some()
    }

    /// Whether a client may be served that knows this token.
    pub fn admits(&self, token: Option<&str>) -> bool {
        let given = token.map(|token| blake3::hash(token.as_bytes()));
        self.token.is_none() || self.token == given
    }

    /// A place for a client; `None` if the service ends, or has too many.
    pub fn enter(self: &Arc<Self>, link: &Arc<ClientLink>) -> Option<ClientPlace> {
        let mut state = self.state.lock();
        if state.ends || state.clients.len() >= self.limits.clients {
            return None;
        }
        state.last += 1;
        let number = state.last;
        state.clients.push((number, link.clone()));
        Some(ClientPlace { shared: self.clone(), number })
    }

    /// Whether the service ends.
    pub fn ends(&self) -> bool {
        self.state.lock().ends
    }

    /// The number of clients.
    pub fn clients(&self) -> usize {
        self.state.lock().clients.len()
    }

    /// Ends the service once all clients are gone. No new ones are served.
    pub fn end(&self) {
        self.state.lock().ends = true;
        self.changed.notify_all();
    }

    /// Waits until the service ends, at most for `patience`. Returns whether it does.
    pub fn wait(&self, patience: Duration) -> bool {
        let mut state = self.state.lock();
        self.changed.wait_while_for(&mut state, |state| !state.ends, patience);
        state.ends
    }

    /// Ends the service: cancels what runs, sends the last answers, and closes the connections.
    pub fn stop(&self) {
        self.end();
        let links: Vec<Arc<ClientLink>> = self.state.lock().clients.iter().map(|(_, link)| link.clone()).collect();
        for link in &links {
            link.requests.cancel_all();
            if let Some(stream) = &link.stream {
                // The client's thread sees the end of its input. If the client is gone, so is the connection.
                let _ = stream.shutdown(Shutdown::Read);
            }
        }
        let until = Instant::now() + PATIENCE;
        let left = || until.saturating_duration_since(Instant::now());
        for link in &links {
            link.requests.wait(0, left());
            link.outbox.flush(left());
        }
        let is_connected = |state: &mut ServiceState| state.clients.iter().any(|(_, link)| link.stream.is_some());
        self.changed.wait_while_for(&mut self.state.lock(), is_connected, left());
        for link in &links {
            link.outbox.close();
            if let Some(stream) = &link.stream {
                let _ = stream.shutdown(Shutdown::Both);
            }
        }
    }
}

impl Drop for ServiceShared {
    fn drop(&mut self) {
        self.pool.close();
    }
}

impl Drop for ClientPlace {
    fn drop(&mut self) {
        let mut state = self.shared.state.lock();
        state.clients.retain(|(number, _)| *number != self.number);
        self.shared.changed.notify_all();
    }
}
