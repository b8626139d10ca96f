//! A world on its thread.

use super::job_thread::JobQueue;
use super::limits::{ServiceLimits, WorldShare};
use super::outbox::Outbox;
use super::showcase::WatchedPlace;
use super::subscription::Subscription;
use crate::ServedWorld;
use crate::protocol::WhyRecording;
use std::sync::{Arc, Weak};
use std::time::Instant;

/// A world on its thread; `None` before it is created, and if it cannot be.
pub(super) type RoomSlot = Option<Room>;

/// What brings jobs to a world's thread, until that is to end.
pub(super) type RoomJobs = Weak<JobQueue<RoomSlot>>;

/// A world with its client's subscriptions.
pub(super) struct Room {
    /// The number by which the client knows the world.
    pub number: u64,
    /// The world.
    pub world: ServedWorld,
    /// Which ticks are recorded for explanations.
    pub why: WhyRecording,
    /// Who follows it.
    pub subscriptions: Vec<Subscription>,
    /// The number of the last subscription.
    pub last_subscription: u64,
    /// What it takes of what the service allows.
    pub share: WorldShare,
    /// What the service allows.
    pub limits: ServiceLimits,
    /// The way to the client.
    pub outbox: Arc<Outbox>,
    /// What brings jobs to its thread.
    pub jobs: RoomJobs,
    /// While another thread than its own carries out a request: until when.
    pub lent_until: Option<Instant>,
    /// Where it shows itself to other clients, if it does.
    pub watched: Option<WatchedPlace>,
}

impl Room {
    /// The tick and the hash of the world.
    pub fn reached(&self) -> (u64, String) {
        let world = self.world.live().world();
        (world.ticks(), format!("{:016x}", world.hash()))
    }

    /// Notes how large the world is now.
    pub fn measure(&mut self) {
        self.share.measure(&self.world);
    }
}
