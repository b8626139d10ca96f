//! The data that the game thread and the window's thread share.

use super::pointer::Pointer;
use super::spectacle::Spectacle;
use super::tuning_link::TuningLink;
use hangtime_core::level::LevelChanges;
use hangtime_core::sim::{Drawing, EntityView};
use hangtime_draw::TickCount;
use hangtime_game::{Live, Revision};
use hangtime_workbench::{BenchPicture, KeyLatch, LevelMenu, WindowKey};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// The most keys that wait for a frame; more are dropped.
const MOST_PRESSED: usize = 256;

/// The latest state for the window to draw: two ticks and the texts over them.
#[derive(Clone)]
pub(super) struct Published {
    pub revision: Arc<Revision>,
    /// The entities one tick ago.
    pub before: Arc<Vec<EntityView>>,
    /// The entities now.
    pub now: Arc<Vec<EntityView>>,
    /// Seconds since the level started.
    pub time: f64,
    /// What scripts have changed about the level.
    pub changes: LevelChanges,
    /// What scripts have drawn.
    pub drawing: Drawing,
    /// The real time of the last tick.
    pub at: Instant,
    /// Errors to show; empty if there are none.
    pub banner: String,
    /// Why the picked entity moves as it does; empty if the panel is closed.
    pub why: String,
    pub paused: bool,
    /// Ghosts, the status, the log and the speed.
    pub bench: BenchPicture,
    /// Camera, effects and overlays.
    pub spectacle: Spectacle,
    /// The list of levels, if it is open.
    pub menu: Option<LevelMenu>,
    /// How well the game keeps its pace.
    pub ticks: TickCount,
    /// Why the chosen level cannot be opened, or that numbers are not saved; empty if nothing is to be said.
    pub alert: String,
}

impl Published {
    /// Shows the level as it is now, without its entities.
    pub fn follow(&mut self, live: &Live) {
        self.time = live.time();
        self.changes = live.world().changes().clone();
        self.drawing = live.world().drawing().clone();
        self.revision = live.revision().clone();
        self.at = Instant::now();
    }

    /// Closes what covers the game: the list of levels, a message, or the page of keys in a picture of this
    /// size. Returns whether there was something.
    pub fn close_page(&mut self, size: (u32, u32)) -> bool {
        if self.menu.take().is_some() || !self.alert.is_empty() {
            self.alert.clear();
            return true;
        }
        self.spectacle.close_help(&self.revision.config.keys, size)
    }
}

/// Everything that the two threads share.
pub(super) struct SharedState {
    published: Mutex<Published>,
    latch: Mutex<KeyLatch>,
    pointer: Mutex<Pointer>,
    /// The level to open next.
    level: Mutex<Option<PathBuf>>,
    /// The keys of the workbench that were pressed since the last frame.
    pressed: Mutex<Vec<WindowKey>>,
    /// What the tuning panel and the game thread tell each other.
    pub tuning: TuningLink,
    /// Set when the window is closed.
    pub stop: AtomicBool,
}

impl SharedState {
    pub fn new(revision: &Arc<Revision>) -> Self {
        Self {
            published: Mutex::new(Published {
                revision: revision.clone(),
                before: Arc::default(),
                now: Arc::default(),
                time: 0.0,
                changes: LevelChanges::default(),
                drawing: Drawing::default(),
                at: Instant::now(),
                banner: String::new(),
                why: String::new(),
                paused: false,
                bench: BenchPicture::default(),
                spectacle: Spectacle::default(),
                menu: None,
                ticks: TickCount::default(),
                alert: String::new(),
            }),
            latch: Mutex::default(),
            pointer: Mutex::default(),
            level: Mutex::default(),
            pressed: Mutex::default(),
            tuning: TuningLink::default(),
            stop: AtomicBool::new(false),
        }
    }

    pub fn published(&self) -> MutexGuard<'_, Published> {
        lock(&self.published)
    }

    /// Passes a key of the window on to the workbench.
    pub fn press(&self, key: WindowKey) {
        let mut pressed = lock(&self.pressed);
        if pressed.len() < MOST_PRESSED {
            pressed.push(key);
        }
    }

    /// Takes the keys of the workbench that were pressed since the last call, in their order.
    pub fn take_pressed(&self) -> Vec<WindowKey> {
        std::mem::take(&mut *lock(&self.pressed))
    }

    /// Asks the game to open another level.
    pub fn open_level(&self, level: PathBuf) {
        *lock(&self.level) = Some(level);
    }

    /// Takes the level to open next.
    pub fn take_level(&self) -> Option<PathBuf> {
        lock(&self.level).take()
    }

    pub fn pointer(&self) -> MutexGuard<'_, Pointer> {
        lock(&self.pointer)
    }

    pub fn latch(&self) -> MutexGuard<'_, KeyLatch> {
        lock(&self.latch)
    }
}

/// A thread that panicked leaves data behind that can still be drawn.
fn lock<T>(data: &Mutex<T>) -> MutexGuard<'_, T> {
    data.lock().unwrap_or_else(PoisonError::into_inner)
}
