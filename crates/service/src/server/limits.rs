//! What a service allows its clients.

use crate::ServedWorld;
use crate::protocol::{ErrorKind, RpcError};
use hangtime_game::Revision;
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

/// What a service allows its clients.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
#[derive(Debug, Default)]
pub(super) struct ServiceUse {
    worlds: AtomicUsize,
    memory: AtomicU64,
    /// The revisions that worlds play, by their addresses.
    revisions: Mutex<BTreeMap<usize, Weak<RevisionShare>>>,
}

/// The memory of what a level was built into. All worlds that play it hold it together, and it is given back with the
/// last of them.
#[derive(Debug)]
struct RevisionShare {
    used: Arc<ServiceUse>,
    /// Held, so that no other revision gets its address.
    revision: Arc<Revision>,
    memory: u64,
}

/// A world's share of what the service allows. Dropping it gives it back.
#[derive(Debug)]
pub(super) struct WorldShare {
    used: Arc<ServiceUse>,
    memory: u64,
    revision: Option<Arc<RevisionShare>>,
}

impl RevisionShare {
    /// The share of this revision, which other worlds may hold, too.
    fn of(revision: &Arc<Revision>, used: &Arc<ServiceUse>) -> Arc<Self> {
        let mut revisions = used.revisions.lock();
        let address = Arc::as_ptr(revision) as usize;
        if let Some(known) = revisions.get(&address).and_then(Weak::upgrade) {
            return known;
        }
        let memory = revision.memory();
        used.memory.fetch_add(memory, Ordering::Relaxed);
        let share = Arc::new(Self { used: used.clone(), revision: revision.clone(), memory });
        revisions.insert(address, Arc::downgrade(&share));
        share
    }
}

impl Drop for RevisionShare {
    fn drop(&mut self) {
        self.used.memory.fetch_sub(self.memory, Ordering::Relaxed);
        let mut revisions = self.used.revisions.lock();
        let address = Arc::as_ptr(&self.revision) as usize;
        // Another world may have taken a share of the same revision since the last one let go of this.
        if revisions.get(&address).is_some_and(|known| known.strong_count() == 0) {
            revisions.remove(&address);
        }
    }
}

impl WorldShare {
    /// The share of a new world, as long as nothing is known of its size.
    ///
    /// # Errors
    /// If there may be no more.
    pub fn take(used: &Arc<ServiceUse>, limits: &ServiceLimits) -> Result<Self, RpcError> {
        let mut share = Self { used: used.clone(), memory: 0, revision: None };
        // From here on, dropping it gives it back.
        if used.worlds.fetch_add(1, Ordering::Relaxed) >= limits.worlds {
            let message = format!("the service allows {} worlds at the same time; destroy one first", limits.worlds);
            return Err(RpcError::new(ErrorKind::Limit, message));
        }
        share.resize(0);
        share.check(limits)?;
        Ok(share)
    }

    /// Notes how large the world is now.
    pub fn measure(&mut self, world: &ServedWorld) {
        let live = world.live();
        self.resize(live.world().entities().len());
        let revision = live.revision();
        let same = |share: &Arc<RevisionShare>| Arc::ptr_eq(&share.revision, revision);
        if !self.revision.as_ref().is_some_and(same) {
            self.revision = Some(RevisionShare::of(revision, &self.used));
        }
    }

    fn resize(&mut self, entities: usize) {
        let memory = WORLD_MEMORY + ENTITY_MEMORY * entities as u64;
        self.used.memory.fetch_add(memory, Ordering::Relaxed);
        self.used.memory.fetch_sub(self.memory, Ordering::Relaxed);
        self.memory = memory;
    }

    /// Whether all worlds together may have the memory that they have.
    ///
    /// # Errors
    /// If they may not.
    pub fn check(&self, limits: &ServiceLimits) -> Result<(), RpcError> {
        let memory = self.used.memory.load(Ordering::Relaxed);
        if memory <= limits.memory {
            return Ok(());
        }
        let message = format!(
            "all worlds together would take about {} MB; the service allows {} MB",
            memory >> 20,
            limits.memory >> 20
        );
        Err(RpcError::new(ErrorKind::Limit, message))
    }
}

impl Drop for WorldShare {
    fn drop(&mut self) {
        self.used.worlds.fetch_sub(1, Ordering::Relaxed);
        self.used.memory.fetch_sub(self.memory, Ordering::Relaxed);
    }
}

impl ServiceUse {
    /// The number of worlds.
    pub fn worlds(&self) -> usize {
        self.worlds.load(Ordering::Relaxed)
    }
}
