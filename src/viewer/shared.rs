//! What the game's thread and the window's share.

use super::latch::Latch;
use crate::level::Absent;
use crate::project::Revision;
use crate::sim::EntityView;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Instant;

/// What the window draws: the last two ticks, and what is to be said.
#[derive(Clone)]
pub(super) struct Published {
    pub revision: Arc<Revision>,
    /// The bodies one tick ago.
    pub before: Vec<EntityView>,
    /// The bodies now.
    pub now: Vec<EntityView>,
    /// Seconds since the level began.
    pub time: f64,
    /// The solids that are switched off.
    pub absent: Absent,
    /// When "now" was made.
    pub at: Instant,
    /// What is wrong, until it is mended.
    pub banner: String,
    /// Why the first player's entity moves as it does, while that is asked.
    pub why: String,
    pub paused: bool,
}

/// Shared between the two threads.
pub(super) struct Shared {
    published: Mutex<Published>,
    latch: Mutex<Latch>,
    /// The window asks for the level to begin anew.
    pub restart: AtomicBool,
    /// The window asks for time to stand still, or to go on.
    pub toggle_pause: AtomicBool,
    /// The window asks why the first player's entity moves as it does, or no more.
    pub toggle_why: AtomicBool,
    /// The window is closed.
    pub stop: AtomicBool,
}

impl Shared {
    pub fn new(revision: &Arc<Revision>) -> Self {
        Self {
            published: Mutex::new(Published {
                revision: revision.clone(),
                before: Vec::new(),
                now: Vec::new(),
                time: 0.0,
                absent: Absent::default(),
                at: Instant::now(),
                banner: String::new(),
                why: String::new(),
                paused: false,
            }),
            latch: Mutex::default(),
            restart: AtomicBool::new(false),
            toggle_pause: AtomicBool::new(false),
            toggle_why: AtomicBool::new(false),
            stop: AtomicBool::new(false),
        }
    }

    pub fn published(&self) -> MutexGuard<'_, Published> {
        self.published
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    pub fn latch(&self) -> MutexGuard<'_, Latch> {
        self.latch
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}
