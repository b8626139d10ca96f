//! The worlds that all clients may watch: `world.list` and `world.watch`.
//!
//! A world never waits for clients that watch. After each tick it looks at a flag; while that is set it leaves a picture,
//! at most one in a while. Between its turns, the thread that waits for a picture makes it. Ticks in between are missed.

use super::link::ClientLink;
use super::reply::{Answer, Answered, Reply};
use super::scene::{SceneTick, scene_of};
use super::shared::ServiceShared;
use super::world_slot::WorldSlot;
use crate::protocol::{ErrorKind, RpcError, WatchParams, WorldLine};
use hangtime_game::Live;
use parking_lot::{Condvar, Mutex};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

/// The time between two pictures of a world: it costs the world the same, however many clients watch.
const SPACING: Duration = Duration::from_millis(33);

/// How long to wait for a world that is busy with something else than ticks.
const PATIENCE: Duration = Duration::from_secs(1);

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

/// A world as clients that watch see it.
pub(super) struct WatchedWorld {
    number: u64,
    /// The level that it began with.
    level: String,
    slot: Weak<WorldSlot>,
    /// Whether a client waits for a picture.
    wanted: AtomicBool,
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
    /// A place for a world that begins with this level.
    pub fn enter(self: &Arc<Self>, level: String, slot: &Arc<WorldSlot>) -> WatchedPlace {
        let mut state = self.state.lock();
        state.last += 1;
        let world = Arc::new(WatchedWorld {
            number: state.last,
            level,
            slot: Arc::downgrade(slot),
            wanted: AtomicBool::new(false),
            state: Mutex::default(),
            changed: Condvar::new(),
        });
        state.worlds.insert(world.number, world.clone());
        WatchedPlace { showcase: self.clone(), world }
    }

    /// All worlds, as this client sees them.
    pub fn list(&self, client: &Arc<ClientLink>) -> Vec<WorldLine> {
        let state = self.state.lock();
        let line = |world: &Arc<WatchedWorld>| WorldLine {
            watched: world.number,
            level: world.level.clone(),
            own: world.slot.upgrade().is_some_and(|slot| Arc::ptr_eq(&slot.link, client)),
        };
        state.worlds.values().map(line).collect()
    }
}

impl WatchedPlace {
    /// Shows the present tick, if a client waits for one.
    pub fn show(&self, live: &Live) {
        if self.world.wanted.load(Ordering::Relaxed) {
            self.world.show(live);
        }
    }
}

impl Drop for WatchedPlace {
    fn drop(&mut self) {
        self.showcase.state.lock().worlds.remove(&self.world.number);
        self.world.state.lock().ended = true;
        self.world.changed.notify_all();
    }
}

impl WatchedWorld {
    fn show(&self, live: &Live) {
        let now = Instant::now();
        let mut state = self.state.lock();
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
            state = self.state.lock();
            (state.shown, state.since) = (Some(shown), Some(now));
        }
        state.count += 1;
        self.changed.notify_all();
    }

    /// Waits for the next picture of the world. `None` if the world has ended, or has never shown itself.
    fn watch(&self, is_canceled: impl Fn() -> bool) -> Option<Arc<SceneTick>> {
        let until = Instant::now() + PATIENCE;
        let seen = self.state.lock().count;
        loop {
            self.wanted.store(true, Ordering::Relaxed);
            // A world that has a turn shows itself.
            if let Some(slot) = self.slot.upgrade()
                && let Some(world) = slot.world.try_lock()
                && let Some(world) = &*world
            {
                self.show(world.world.live());
            }
            let mut state = self.state.lock();
            if state.count == seen && !state.ended {
                self.changed.wait_for(&mut state, SPACING);
            }
            if state.count != seen || state.ended || is_canceled() || Instant::now() >= until {
                return state.shown.clone().filter(|_| !state.ended);
            }
        }
    }
}

/// Answers `world.watch` with the next picture.
pub(super) fn watch(service: &ServiceShared, params: &WatchParams, reply: &Reply) -> Answered {
    let world = service.showcase.state.lock().worlds.get(&params.watched).cloned();
    let shown = match reply.is_canceled() {
        true => None,
        false => world.and_then(|world| world.watch(|| reply.is_canceled())),
    };
    if reply.is_canceled() {
        let message = "the request was canceled before there was a picture";
        return Err(RpcError::new(ErrorKind::Canceled, message));
    }
    let shown = shown.ok_or_else(|| {
        let message = format!("the service has no world {} to watch; `world.list` lists them", params.watched);
        RpcError::new(ErrorKind::World, message).at("params.watched")
    })?;
    Ok(Answer::of(&shown.answer(params.stage_id.as_deref())))
}
