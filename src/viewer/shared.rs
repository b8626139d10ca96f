//! The data that the game thread and the window's thread share.

use super::latch::KeyLatch;
use super::spectacle::Spectacle;
use crate::level::Absent;
use crate::project::Revision;
use crate::sim::EntityView;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Instant;

/// The latest state for the window to draw: two ticks and the texts over them.
#[derive(Clone)]
pub(super) struct Published {
    pub revision: Arc<Revision>,
    /// The entities one tick ago.
    pub before: Vec<EntityView>,
    /// The entities now.
    pub now: Vec<EntityView>,
    /// Seconds since the level started.
    pub time: f64,
    /// The solids that are switched off.
    pub absent: Absent,
    /// The real time of the last tick.
    pub at: Instant,
    /// Errors to show; empty if there are none.
    pub banner: String,
    /// Why the first player's entity moves as it does; empty if the panel is closed.
    pub why: String,
    pub paused: bool,
    /// Camera, effects and overlays.
    pub spectacle: Spectacle,
}

/// Everything that the two threads share.
pub(super) struct SharedState {
    published: Mutex<Published>,
    latch: Mutex<KeyLatch>,
    /// Set by the window to restart the level.
    pub restart: AtomicBool,
    /// Set by the window to pause or resume.
    pub toggle_pause: AtomicBool,
    /// Set by the window to open or close the panel that explains motion.
    pub toggle_why: AtomicBool,
    /// Set when the window is closed.
    pub stop: AtomicBool,
}

impl SharedState {
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
                spectacle: Spectacle::default(),
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

    pub fn latch(&self) -> MutexGuard<'_, KeyLatch> {
        self.latch
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}
