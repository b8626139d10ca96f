//! What a service allows its clients.

use crate::service::protocol::{ErrorKind, RpcError};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
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
}

/// The share of a world. It is given back when it is dropped.
#[derive(Debug)]
pub(super) struct WorldShare {
    used: Arc<ServiceUse>,
    memory: u64,
}

impl WorldShare {
    /// The share of a new world with this many entities.
    pub fn take(
        used: &Arc<ServiceUse>,
        limits: &ServiceLimits,
        entities: usize,
    ) -> Result<Self, RpcError> {
        let mut share = Self {
            used: used.clone(),
            memory: 0,
        };
        // From here on, dropping it gives it back.
        if used.worlds.fetch_add(1, Ordering::Relaxed) >= limits.worlds {
            let message = format!(
                "the service allows {} worlds at the same time; destroy one first",
                limits.worlds
            );
            return Err(RpcError::new(ErrorKind::Limit, message));
        }
        share.resize(entities);
        share.check(limits)?;
        Ok(share)
    }

    /// Notes how many entities the world has now.
    pub fn resize(&mut self, entities: usize) {
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
