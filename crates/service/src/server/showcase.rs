//! The worlds that clients may watch, whoever they belong to.
//!
//! A world's thread never waits for clients that watch: it looks at a flag after each tick, and while that is set it leaves a
//! picture, at most one in a while. Clients that watch wait on their own threads, and miss the ticks in between.

use super::outbox::Outbox;
use super::scene::{SceneTick, scene_of};
use crate::protocol::WorldLine;
use hangtime_game::Live;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The time between two pictures of a world: it costs the world the same, however many watch.
const SPACING: Duration = Duration::from_millis(33);

/// How long to wait for a world whose thread is busy with something else than ticks.
const PATIENCE: Duration = Duration::from_secs(1);

/// Asks a world's thread for a picture, once it does nothing else. Returns whether it will get to know.
pub(super) type PictureRequest = Box<dyn Fn(&Arc<WatchedWorld>) -> bool + Send + Sync>;

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The worlds that clients may watch.
#[derive(Default)]
pub(super) struct Showcase {
    state: Mutex<ShowcaseState>,
}

#[derive(Default)]
struct ShowcaseState {
    last: u64,
    worlds: BTreeMap<u64, Arc<WatchedWorld>>,
}

/// A world that can be watched, as clients that watch see it.
pub(super) struct WatchedWorld {
    number: u64,
    /// The level that it began with.
    level: String,
    /// The way to the client that it belongs to.
    owner: Arc<Outbox>,
    request: PictureRequest,
    /// Whether somebody waits for a picture.
    wanted: AtomicBool,
    /// Whether a job for a picture is on its way.
    asked: AtomicBool,
    state: Mutex<WatchedState>,
    changed: Condvar,
}

#[derive(Default)]
struct WatchedState {
    shown: Option<Arc<SceneTick>>,
    /// When that was made.
    since: Option<Instant>,
    /// How often something was shown.
    count: u64,
    ended: bool,
}

/// The place of a world in the showcase. Dropped with the world.
pub(super) struct WatchedPlace {
    showcase: Arc<Showcase>,
    world: Arc<WatchedWorld>,
}

impl Showcase {
    /// A place for a world that begins with this level, and belongs to the client that `owner` leads to.
    pub fn enter(self: &Arc<Self>, level: String, owner: &Arc<Outbox>, request: PictureRequest) -> WatchedPlace {
        let mut state = locked(&self.state);
        state.last += 1;
        let number = state.last;
        let world = Arc::new(WatchedWorld {
            number,
            level,
            owner: owner.clone(),
            request,
            wanted: AtomicBool::new(false),
            asked: AtomicBool::new(false),
            state: Mutex::default(),
            changed: Condvar::new(),
        });
        state.worlds.insert(number, world.clone());
        WatchedPlace { showcase: self.clone(), world }
    }

    /// The world with this number.
    pub fn find(&self, number: u64) -> Option<Arc<WatchedWorld>> {
        locked(&self.state).worlds.get(&number).cloned()
    }

    /// All worlds, as the client that `asks` leads to sees them.
    pub fn list(&self, asks: &Arc<Outbox>) -> Vec<WorldLine> {
        let state = locked(&self.state);
        let line = |world: &Arc<WatchedWorld>| WorldLine {
            watched: world.number,
            level: world.level.clone(),
            own: Arc::ptr_eq(&world.owner, asks),
        };
        state.worlds.values().map(line).collect()
    }
}

impl WatchedPlace {
    /// Shows the present tick, if somebody waits for one.
    pub fn show(&self, live: &Live) {
        self.world.show(live);
    }
}

impl Drop for WatchedPlace {
    fn drop(&mut self) {
        locked(&self.showcase.state).worlds.remove(&self.world.number);
        locked(&self.world.state).ended = true;
        self.world.changed.notify_all();
    }
}

impl WatchedWorld {
    /// Shows the world as it is when its thread has come to a request.
    pub fn answer(&self, live: Option<&Live>) {
        self.asked.store(false, Ordering::Relaxed);
        if let Some(live) = live {
            self.show(live);
        }
    }

    fn show(&self, live: &Live) {
        if !self.wanted.load(Ordering::Relaxed) {
            return;
        }
        let now = Instant::now();
        let mut state = locked(&self.state);
        let is_early = state.since.is_some_and(|since| now.duration_since(since) < SPACING);
        let tick = live.world().ticks();
        if is_early && state.shown.as_ref().is_none_or(|shown| shown.tick != tick) {
            // One of the next ticks is shown.
            return;
        }
        self.wanted.store(false, Ordering::Relaxed);
        if !is_early {
            drop(state);
            let shown = Arc::new(scene_of(live));
            state = locked(&self.state);
            (state.shown, state.since) = (Some(shown), Some(now));
        }
        state.count += 1;
        self.changed.notify_all();
    }

    /// Waits for the next picture of the world. `None` if the world has ended, or has never shown itself.
    pub fn watch(self: &Arc<Self>, is_canceled: impl Fn() -> bool) -> Option<Arc<SceneTick>> {
        let until = Instant::now() + PATIENCE;
        let mut state = locked(&self.state);
        let seen = state.count;
        while state.count == seen && !state.ended && !is_canceled() && Instant::now() < until {
            self.wanted.store(true, Ordering::Relaxed);
            self.ask();
            let waited = self.changed.wait_timeout(state, SPACING);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        state.shown.clone().filter(|_| !state.ended)
    }

    /// Asks the world's thread for a picture once it does nothing else. A world in the middle of a step shows one before.
    fn ask(self: &Arc<Self>) {
        if self.asked.swap(true, Ordering::Relaxed) {
            return;
        }
        // If very much else is to be done there, it is asked again later.
        if !(self.request)(self) {
            self.asked.store(false, Ordering::Relaxed);
        }
    }
}
