//! What all clients of a service share.

use super::*;

/// How a service serves.
#[derive(Clone, Default)]
pub struct ServiceOptions {
    /// What it allows its clients.
    pub limits: ServiceLimits,
    /// What clients have to know.
    pub token: Option<String>,
    /// Whether clients may watch the worlds of others, and play in the service with its page.
    pub web: bool,
    /// The files of the page.
    pub page: PageFiles,
    /// Whether the page may change the files of the game.
    pub writes: bool,
    /// Whether the settings of clients may raise script limits above the game's own.
    pub trust_settings: bool,
}

/// What all clients of a service share.
pub struct ServiceShared {
    /// The game.
    pub game: Arc<ServedGame>,
    /// What is allowed.
    pub limits: ServiceLimits,
    /// How much of it is in use.
    pub used: Arc<ServiceUse>,
    /// Whether clients may watch the worlds of others, and play in the service.
    pub web: bool,
    /// The files of the page.
    pub page: PageFiles,
    /// Whether the page may change the files of the game.
    pub writes: bool,
    /// Why nothing more can be written to stdout, once that is so.
    pub lost_output: Arc<OnceLock<String>>,
    /// The threads that run worlds.
    pub pool: Arc<Pool>,
    /// The worlds that clients may watch. Without a web page, there are none.
    pub showcase: Arc<Showcase>,
    /// The worlds that follow the files of the game.
    pub files: FileWatch,
    /// The hash of the token: comparing hashes takes the same time for all wrong tokens.
    token: Option<blake3::Hash>,
    /// Its clients, and whether it ends.
    pub state: Mutex<ServiceState>,
    /// Notified when a client is gone, or the service ends.
    pub changed: Condvar,
}

/// The clients of a service.
#[derive(Default)]
pub struct ServiceState {
    /// Whether no more clients are served.
    pub ends: bool,
    /// The clients that are served.
    pub clients: Vec<Arc<ClientLink>>,
}

/// A client that is served. Dropped when it is gone.
pub struct ClientPlace(Arc<ClientLink>);

/// How long clients have to read their last answers when the service ends.
pub const PATIENCE: Duration = Duration::from_secs(2);

impl ServiceShared {
    /// A service of this game without clients.
    pub fn new(game: Arc<ServedGame>, options: ServiceOptions) -> Arc<Self> {
        let game = if options.trust_settings { game } else { Arc::new(game.for_clients()) };
        Arc::new(Self {
            game,
            limits: options.limits,
            used: Arc::default(),
            web: options.web,
            page: options.page,
            writes: options.writes,
            lost_output: Arc::default(),
            pool: Arc::default(),
            showcase: Arc::default(),
            files: FileWatch::default(),
            token: options.token.map(|token| blake3::hash(token.as_bytes())),
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
    pub fn enter(&self, link: &Arc<ClientLink>) -> Option<ClientPlace> {
        let mut state = self.state.lock();
        if state.ends || state.clients.len() >= self.limits.clients {
            return None;
        }
        state.clients.push(link.clone());
        Some(ClientPlace(link.clone()))
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
}

impl Drop for ServiceShared {
    fn drop(&mut self) {
        self.pool.close();
    }
}

impl Drop for ClientPlace {
    fn drop(&mut self) {
        let service = &self.0.service;
        service.state.lock().clients.retain(|link| !Arc::ptr_eq(link, &self.0));
        service.changed.notify_all();
    }
}
