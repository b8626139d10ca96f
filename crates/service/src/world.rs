//! A world that another program drives.

use super::{teleport::teleport, *};
use hangtime_core::sim::EventKind;
use hangtime_script::calls::{MAX_EMITTED, MOST_EVENT_DATA, check_custom_event};

/// The setting that no running world can change.
const TICK_HZ: &str = "simulation.tick_hz";

/// How a world begins.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WorldStart {
    /// The level, by its name or its path below the game folder.
    pub level: String,
    /// The seed of all random numbers.
    pub seed: u64,
    /// Settings that override the files, such as `("platformer.jump_speed", "600")`.
    pub settings: Settings,
}

/// A running level, with the inputs that it has yet to play.
///
/// Scripts run on the thread that calls [`step`](Self::step), [`restore`](Self::restore), [`reload`](Self::reload) or
/// [`set`](Self::set). It needs a stack of [`STACK`](hangtime_script::STACK) bytes.
pub struct ServedWorld {
    game: Arc<ServedGame>,
    live: Live,
    /// The level it was created with, and its path.
    start: (String, PathBuf),
    settings: Settings,
    queue: InputQueue,
}

impl ServedWorld {
    /// Starts a level at tick 0.
    ///
    /// # Errors
    /// If there is no such level, or files or settings have mistakes.
    pub fn create(game: &Arc<ServedGame>, start: &WorldStart) -> Result<Self, ServiceError> {
        let path = game.find_level(&start.level).map_err(|error| ServiceError::Level { error })?;
        let revision = game.revision(&path, &start.settings, 1, None)?;
        let name = revision.stage.level.name.to_string();
        let mut live = Live::new(revision, start.seed);
        live.use_levels(Some(game.other_levels(start.settings.clone())));
        Ok(Self {
            game: game.clone(),
            live,
            start: (name, path),
            settings: start.settings.clone(),
            queue: InputQueue::default(),
        })
    }

    /// The running level: its world, revision and views.
    pub fn live(&self) -> &Live {
        &self.live
    }

    /// The number of ticks made.
    pub fn tick(&self) -> u64 {
        self.live.world().ticks()
    }

    /// Ticks per second.
    pub fn hz(&self) -> u32 {
        self.live.revision().stage.hz
    }

    /// The settings that override the files.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The inputs that it has yet to play.
    pub fn inputs(&self) -> &InputQueue {
        &self.queue
    }

    /// Plays the lines of an input file from the present tick on, instead of what is left of earlier inputs. Returns
    /// warnings about lines without effect.
    ///
    /// # Errors
    /// The mistakes in the text. Earlier inputs stay.
    pub fn queue(&mut self, text: &str) -> Result<Vec<Diagnostic>, ServiceError> {
        let (queue, warnings) = self.read_inputs(text)?;
        self.play(queue);
        Ok(warnings)
    }

    /// Reads the lines of an input file, from the present tick on, for [`play`](Self::play). Also returns warnings about
    /// lines without effect.
    ///
    /// # Errors
    /// The mistakes in the text.
    pub fn read_inputs(&self, text: &str) -> Result<(InputQueue, Vec<Diagnostic>), ServiceError> {
        InputQueue::read(text, &self.live, &self.settings)
    }

    /// Plays these inputs instead of what is left of earlier ones.
    pub fn play(&mut self, queue: InputQueue) {
        self.queue = queue;
    }

    /// Plays these inputs in the next `ticks` ticks, instead of what is left of earlier ones. Presses happen in the first
    /// of them. After the last, nothing is held.
    pub fn hold(&mut self, inputs: Inputs, ticks: u64) {
        self.play(InputQueue::hold(inputs, ticks, self.tick()));
    }

    /// Ends what is [held](Self::hold) for a step that has ended early. Queued lines of an input file stay.
    pub fn let_go(&mut self) {
        if self.queue.is_held() {
            self.queue = InputQueue::default();
        }
    }

    /// Makes one tick with these inputs. What is queued stays, and its part for this tick is lost.
    pub fn step_with(&mut self, inputs: &Inputs) {
        self.live.step(inputs);
    }

    /// Makes up to `ticks` ticks with the queued inputs, and calls `each` after every one. Returns what `each` has broken
    /// off with, if it has.
    pub fn step<B>(&mut self, ticks: u64, mut each: impl FnMut(&mut Live) -> ControlFlow<B>) -> Option<B> {
        let none = Inputs::none();
        for _ in 0..ticks {
            let now = self.live.world().ticks();
            self.live.step(self.queue.at(now).unwrap_or(&none));
            if let ControlFlow::Break(reason) = each(&mut self.live) {
                return Some(reason);
            }
        }
        None
    }

    /// The same world again: from here on, both go their own ways.
    pub fn fork(&self) -> Self {
        let mut live = Live::resume(self.live.revision().clone(), self.live.world().clone());
        live.use_levels(self.live.levels().cloned());
        Self {
            game: self.game.clone(),
            live,
            start: self.start.clone(),
            settings: self.settings.clone(),
            queue: self.queue.clone(),
        }
    }

    /// Saves the world, with its settings and the inputs that it has yet to play. The bytes are compressed and mean
    /// nothing to others than [`restore`](Self::restore).
    ///
    /// # Errors
    /// If it cannot be written, which is a bug.
    pub fn snapshot(&self) -> Result<Vec<u8>, ServiceError> {
        let (revision, world) = (self.live.revision(), self.live.world());
        snapshot::write(&self.start.0, &self.settings, revision, world, &self.queue)
    }

    /// Continues with a snapshot of this or another world that was created with the same level: its state, settings and
    /// inputs. Files stay as this world has read them last, unless the snapshot has other settings or another level.
    ///
    /// # Errors
    /// If it is damaged, from another version or another level, or does not fit the files of now. The world stays as it
    /// was.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), ServiceError> {
        let mut saved = snapshot::read(bytes)?;
        if saved.start != self.start.0 {
            let names = [&saved.start, &self.start.0].map(|name| {
                let name = cut_name(name);
                printable_name(&name).into_owned()
            });
            return Err(ServiceError::Snapshot(format!(
                "the snapshot is one of the level `{}`; this world plays `{}`",
                names[0], names[1]
            )));
        }
        let revision = self.revision_of(&saved.level, saved.tick_hz, &saved.settings)?;
        let queue = saved.queue()?;
        let world = saved.world.check(&revision.stage).map_err(|error| {
            ServiceError::Snapshot(format!("the snapshot does not fit the files of the level: {error}"))
        })?;
        snapshot::check_sizes(&world, &revision)?;
        let queue = queue.moved_to(world.ticks());
        self.settings = saved.settings;
        self.queue = queue;
        if Arc::ptr_eq(&revision, self.live.revision()) {
            self.live.restore(world);
        } else {
            let watched = self.live.world().watched();
            self.live.resume_with(revision, world);
            self.live.watch(watched);
            self.live.use_levels(Some(self.game.other_levels(self.settings.clone())));
        }
        Ok(())
    }

    /// The revision of a level of the game with these settings: the present one, if it is the same.
    fn revision_of(&self, level: &str, hz: u32, settings: &Settings) -> Result<Arc<Revision>, ServiceError> {
        let present = self.live.revision();
        let stage = &present.stage;
        if (&*stage.level.name, stage.hz, &self.settings) == (level, hz, settings) {
            return Ok(present.clone());
        }
        let path = self.game.find_level(level)?;
        let revision = self.game.revision(&path, settings, 1, Some(hz))?;
        let name = &revision.stage.level.name;
        if **name == *level {
            Ok(revision)
        } else {
            Err(ServiceError::Snapshot(format!(
                "the snapshot plays the level `{}`, which the game no longer has",
                printable_name(&cut_name(level))
            )))
        }
    }

    /// Reads the files again and continues under what they say now. All state stays. Returns the files that are new, gone
    /// or different, by their paths below the game folder; if there are none, the revision stays the same.
    ///
    /// # Errors
    /// The mistakes in the files. The world continues under the files as they were.
    pub fn reload(&mut self) -> Result<Vec<String>, ServiceError> {
        let settings = self.settings.clone();
        let revision = self.rebuilt(&settings)?;
        let before = &self.live.revision().hashes;
        let names = before.keys().chain(revision.hashes.keys());
        let mut changed: Vec<String> =
            names.filter(|name| before.get(*name) != revision.hashes.get(*name)).cloned().collect();
        changed.sort();
        changed.dedup();
        if !changed.is_empty() {
            self.adopt(revision, settings);
        }
        Ok(changed)
    }

    /// Changes settings in the running world. Files that have changed since they were read take effect, too. All state
    /// stays.
    ///
    /// # Errors
    /// What is wrong with a setting. The world continues as it was.
    pub fn set(&mut self, changes: Settings) -> Result<Vec<Diagnostic>, ServiceError> {
        let hz = self.hz();
        let is_other = |value: &str| value.parse::<f64>() != Ok(f64::from(hz));
        if changes.iter().any(|(key, value)| key == TICK_HZ && is_other(value)) {
            let message =
                format!("a running world keeps its {hz} ticks per second; create another world to change that");
            return Err(ServiceError::parameter(format!("settings.{TICK_HZ}"), message));
        }
        let mut settings = self.settings.clone();
        settings.retain(|(key, _)| !changes.iter().any(|(changed, _)| changed == key));
        settings.extend(changes);
        let revision = self.rebuilt(&settings)?;
        let warnings = revision.warnings.clone();
        self.adopt(revision, settings);
        Ok(warnings)
    }

    /// The next revision of the running level, from the files as they are now.
    fn rebuilt(&self, settings: &Settings) -> Result<Arc<Revision>, ServiceError> {
        let present = self.live.revision();
        let path = if *present.stage.level.name == *self.start.0 {
            self.start.1.clone()
        } else {
            self.game.project().root().join(&*present.stage.level.name)
        };
        let hz = Some(present.stage.hz);
        self.game.revision(&path, settings, present.number + 1, hz)
    }

    fn adopt(&mut self, revision: Arc<Revision>, settings: Settings) {
        self.live.adopt(revision);
        self.live.use_levels(Some(self.game.other_levels(settings.clone())));
        self.settings = settings;
    }

    /// Teleports an entity between two ticks, out of solids, as a script's `me.place` does. `at` is the center, px, and in
    /// a top view the height of the feet, if it changes; `velocity`, px/s, sets its velocity. Returns false and does
    /// nothing if the point is outside of the level, or there is no room.
    ///
    /// # Errors
    /// Numbers that a script could not set. Nothing changes.
    pub fn place(&mut self, id: EntityId, at: &[f64], velocity: Option<&[f64]>) -> Result<bool, ServiceError> {
        let to = teleport(&self.live, at, velocity)?;
        Ok(self.live.place(id, to))
    }

    /// Emits an event between two ticks, like `world::emit` in a script. In the next tick, `fn on_NAME` runs in every script
    /// that defines it. Its entity is `level`.
    ///
    /// # Errors
    /// If scripts could not emit it: its name, its data, or the number of events that wait for the next tick.
    pub fn emit(&mut self, event: &str, data: Value) -> Result<(), ServiceError> {
        let name = check_custom_event("emit", event)
            .map_err(|refusal| ServiceError::parameter("event", refusal.to_string()))?;
        let (most_values, most_text) = MOST_EVENT_DATA;
        if data.count() > most_values as u64 || data.text() > most_text as u64 {
            let message = format!("event data can have at most {most_values} values and {most_text} bytes of text");
            return Err(ServiceError::parameter("data", message));
        }
        if !data.is_finite() {
            return Err(ServiceError::parameter("data", "event data can have finite numbers only"));
        }
        let events = self.live.world().events().iter();
        let waiting = events.filter(|event| matches!(event.kind, EventKind::Signal { .. })).count();
        if waiting >= MAX_EMITTED {
            let message =
                format!("{waiting} emitted events wait for the next tick, and there can be at most {MAX_EMITTED}");
            return Err(ServiceError::Limit(message));
        }
        self.live.emit(name.into(), data);
        Ok(())
    }

    /// The running level, to change how it runs.
    pub fn live_mut(&mut self) -> &mut Live {
        &mut self.live
    }
}
