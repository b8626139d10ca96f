//! The worlds that all clients may watch: `world.list` and `world.watch`.
//!
//! Between two turns of a world, a thread that waits for a picture makes it, at most one in a while, for all clients that
//! watch. The ticks in between are not seen.

use super::*;

/// The time between two pictures of a world: it costs the world the same, however many clients watch.
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
    /// The last picture, and when it was made.
    shown: Mutex<Option<(Instant, Arc<SceneTick>)>>,
    /// Held by the client that makes the next one.
    making: Mutex<()>,
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
    /// The next picture of the world, or the last one if the world is busy. `None` if it has ended, or has never had time
    /// for a picture.
    fn picture(&self) -> Option<Arc<SceneTick>> {
        let asked = Instant::now();
        // Clients that ask while another one waits get the same picture.
        if let Some(_making) = self.making.try_lock_for(PATIENCE) {
            let made = self.shown.lock().as_ref().map(|(made, _)| *made);
            if made.is_none_or(|made| made < asked) {
                std::thread::sleep(made.map_or(Duration::ZERO, |made| SPACING.saturating_sub(made.elapsed())));
                let slot = self.slot.upgrade()?;
                if let Some(world) = slot.world.try_lock_for(PATIENCE) {
                    let picture = scene_of(world.as_ref()?.world.live());
                    *self.shown.lock() = Some((Instant::now(), Arc::new(picture)));
                }
            }
        }
        self.shown.lock().as_ref().map(|(_, picture)| picture.clone())
    }
}

/// Answers `world.watch` with the next picture.
pub fn watch(service: &ServiceShared, params: WatchParams, _: &Reply) -> RequestResult {
    let world = service.showcase.state.lock().worlds.get(&params.watched).cloned();
    let picture = world.and_then(|world| world.picture()).ok_or_else(|| {
        let message = format!("the service has no world {} to watch; `world.list` lists them", params.watched);
        ErrorKind::World.error(message).at("params.watched")
    })?;
    Ok(Answer::of(&picture.answer(params.stage_id.as_deref())))
}
