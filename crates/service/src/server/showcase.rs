//! The worlds that all clients may watch: `world.list` and `world.watch`.
//!
//! Between two turns of a world, a thread that waits for a picture copies it, at most once in a while, for all clients that
//! watch. The ticks in between are not seen.

use super::*;
use hangtime_core::sim::World;

/// The time between two copies of a world: it costs the world the same, however many clients watch.
const SPACING: Duration = Duration::from_millis(33);

/// How long to wait for a world that is busy with something else than ticks.
const PATIENCE: Duration = Duration::from_secs(1);

/// The worlds that clients may watch.
#[derive(Default)]
pub struct Showcase {
    state: Mutex<ShowcaseState>,
}

#[derive(Default)]
struct ShowcaseState {
    last: u64,
    worlds: BTreeMap<u64, Arc<WatchedWorld>>,
}

/// A world as clients that watch see it.
struct WatchedWorld {
    /// The level that it began with.
    level: String,
    slot: Weak<WorldSlot>,
    /// The last copy of it, and when it was made.
    shown: Mutex<Option<(Instant, Arc<WorldCopy>)>>,
    /// Held by the client that makes the next one.
    making: Mutex<()>,
}

/// A world as it was between two turns.
pub struct WorldCopy {
    revision: Arc<Revision>,
    world: World,
}

impl WorldCopy {
    /// A running level that is like this.
    pub fn live(&self) -> Live {
        Live::resume(self.revision.clone(), self.world.clone())
    }
}

/// The place of a world in the showcase. Dropped with the world.
pub struct WatchedPlace {
    showcase: Arc<Showcase>,
    number: u64,
}

impl Showcase {
    /// A place for a world that begins with this level.
    pub fn enter(self: &Arc<Self>, level: String, slot: &Arc<WorldSlot>) -> WatchedPlace {
        let mut state = self.state.lock();
        state.last += 1;
        let number = state.last;
        let world =
            WatchedWorld { level, slot: Arc::downgrade(slot), shown: Mutex::default(), making: Mutex::default() };
        state.worlds.insert(number, Arc::new(world));
        WatchedPlace { showcase: self.clone(), number }
    }

    /// A copy of a world, at most one in a while.
    pub fn copy(&self, number: u64) -> Option<Arc<WorldCopy>> {
        let world = self.state.lock().worlds.get(&number).cloned();
        world.and_then(|world| world.copy())
    }

    /// All worlds, as this client sees them.
    pub fn list(&self, client: &Arc<ClientLink>) -> Vec<WorldLine> {
        let state = self.state.lock();
        let line = |(number, world): (&u64, &Arc<WatchedWorld>)| WorldLine {
            watched: *number,
            level: world.level.clone(),
            own: world.slot.upgrade().is_some_and(|slot| Arc::ptr_eq(&slot.link, client)),
        };
        state.worlds.iter().map(line).collect()
    }
}

impl Drop for WatchedPlace {
    fn drop(&mut self) {
        self.showcase.state.lock().worlds.remove(&self.number);
    }
}

impl WatchedWorld {
    /// The next copy of the world, or the last one if the world is busy. `None` if it has ended, or has never had time for
    /// one.
    fn copy(&self) -> Option<Arc<WorldCopy>> {
        let asked = Instant::now();
        // Clients that ask while another one waits get the same copy.
        if let Some(_making) = self.making.try_lock_for(PATIENCE) {
            let made = self.shown.lock().as_ref().map(|(made, _)| *made);
            if made.is_none_or(|made| made < asked) {
                std::thread::sleep(made.map_or(Duration::ZERO, |made| SPACING.saturating_sub(made.elapsed())));
                let slot = self.slot.upgrade()?;
                if let Some(world) = slot.world.try_lock_for(PATIENCE) {
                    let live = world.as_ref()?.world.live();
                    let copy = WorldCopy { revision: live.revision().clone(), world: live.world().clone() };
                    *self.shown.lock() = Some((Instant::now(), Arc::new(copy)));
                }
            }
        }
        self.shown.lock().as_ref().map(|(_, copy)| copy.clone())
    }
}

/// Answers `world.watch` with the next picture.
pub fn watch(service: &ServiceShared, params: WatchParams, _: &Reply) -> RequestResult {
    let copy = service.showcase.copy(params.watched).ok_or_else(|| {
        let message = format!("the service has no world {} to watch; `world.list` lists them", params.watched);
        ErrorKind::World.error(message).at("params.watched")
    })?;
    Ok(Answer::of(&scene_of(&copy.live()).answer(params.stage_id.as_deref())))
}
