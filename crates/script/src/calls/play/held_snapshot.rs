//! A snapshot of a level that a test plays.

use super::record::HeldMemory;
use crate::Snapshot;
use std::sync::Arc;

/// A snapshot, which counts as memory that the test holds.
#[derive(Clone, Debug)]
pub struct HeldSnapshot {
    snapshot: Snapshot,
    _memory: Arc<HeldMemory>,
}

impl HeldSnapshot {
    pub(super) fn new(snapshot: Snapshot, memory: HeldMemory) -> Self {
        Self { snapshot, _memory: Arc::new(memory) }
    }

    pub(super) fn snapshot(&self) -> &Snapshot {
        &self.snapshot
    }
}
