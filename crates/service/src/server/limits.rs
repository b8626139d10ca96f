//! What a service allows its clients.

use super::*;

/// What a service allows its clients.
#[derive(Clone, Copy)]
pub struct ServiceLimits {
    /// The most worlds of all clients together.
    pub worlds: usize,
    /// The most memory of all worlds, in bytes, as it is estimated.
    pub memory: u64,
    /// The longest message, in bytes.
    pub message: usize,
    /// The most ticks of a request.
    pub ticks: u64,
    /// How long a client may be silent, over TCP and WebSocket, and how long it may take to read.
    pub idle: Option<Duration>,
    /// The most clients at the same time.
    pub clients: usize,
    /// The most lines of subscriptions that wait for a client.
    pub waiting: usize,
}

impl Default for ServiceLimits {
    fn default() -> Self {
        Self {
            worlds: 4096,
            memory: 2 << 30,
            message: 16 << 20,
            ticks: 1_000_000,
            idle: Some(Duration::from_secs(3600)),
            clients: 1024,
            waiting: 1024,
        }
    }
}

/// About how much memory an entity takes, and a world without entities, in bytes.
const ENTITY_MEMORY: u64 = 4096;
const WORLD_MEMORY: u64 = 128 << 10;

/// How much of what a service allows is in use.
#[derive(Default)]
pub struct ServiceUse(Mutex<UsedState>);

#[derive(Default)]
struct UsedState {
    worlds: usize,
    memory: u64,
    /// How many worlds play each revision, by its address. All of them hold it, so no other one gets the address.
    revisions: BTreeMap<usize, usize>,
}

/// A world's share of what the service allows. Dropping it gives it back. Worlds that play the same revision share the
/// memory of what the level was built into.
pub struct WorldShare {
    used: Arc<ServiceUse>,
    memory: u64,
    revision: Option<Arc<Revision>>,
}

impl UsedState {
    fn take(&mut self, revision: &Arc<Revision>) {
        let players = self.revisions.entry(Arc::as_ptr(revision) as usize).or_default();
        *players += 1;
        if *players == 1 {
            self.memory += revision.memory();
        }
    }

    fn give_back(&mut self, revision: &Arc<Revision>) {
        let address = Arc::as_ptr(revision) as usize;
        let players = self.revisions.entry(address).or_default();
        *players -= 1;
        if *players == 0 {
            self.memory -= revision.memory();
            self.revisions.remove(&address);
        }
    }
}

impl WorldShare {
    /// The share of a new world, as long as nothing is known of its size.
    ///
    /// # Errors
    /// If there may be no more.
    pub fn take(used: &Arc<ServiceUse>, limits: &ServiceLimits) -> Result<Self, RpcError> {
        let mut state = used.0.lock();
        if state.worlds >= limits.worlds {
            let message = format!("the service allows {} worlds at the same time; destroy one first", limits.worlds);
            return Err(ErrorKind::Limit.error(message));
        }
        state.worlds += 1;
        state.memory += WORLD_MEMORY;
        drop(state);
        let share = Self { used: used.clone(), memory: WORLD_MEMORY, revision: None };
        share.check(limits)?;
        Ok(share)
    }

    /// Notes how large the world is now.
    pub fn measure(&mut self, world: &ServedWorld) {
        let live = world.live();
        let memory = WORLD_MEMORY + ENTITY_MEMORY * live.world().entities().len() as u64;
        let revision = live.revision();
        let is_same = self.revision.as_ref().is_some_and(|known| Arc::ptr_eq(known, revision));
        if is_same && memory == self.memory {
            return;
        }
        let mut state = self.used.0.lock();
        state.memory = state.memory + memory - self.memory;
        self.memory = memory;
        if !is_same {
            state.take(revision);
            if let Some(before) = self.revision.replace(revision.clone()) {
                state.give_back(&before);
            }
        }
    }

    /// Whether all worlds together may have the memory that they have.
    ///
    /// # Errors
    /// If they may not.
    pub fn check(&self, limits: &ServiceLimits) -> Result<(), RpcError> {
        let memory = self.used.0.lock().memory;
        if memory <= limits.memory {
            return Ok(());
        }
        let message = format!(
            "all worlds together would take about {} MB; the service allows {} MB",
            memory >> 20,
            limits.memory >> 20
        );
        Err(ErrorKind::Limit.error(message))
    }
}

impl Drop for WorldShare {
    fn drop(&mut self) {
        let mut state = self.used.0.lock();
        state.worlds -= 1;
        state.memory -= self.memory;
        if let Some(revision) = &self.revision {
            state.give_back(revision);
        }
    }
}

impl ServiceUse {
    /// The number of worlds.
    pub fn worlds(&self) -> usize {
        self.0.lock().worlds
    }
}
