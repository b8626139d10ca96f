//! The levels that test scripts play.

use super::{
    open_error::{NOT_PLAYED, about_name, is_timeout, rendered},
    test_progress::{ENTITY_MEMORY, REASONS_MEMORY, TestProgress},
    *,
};
use crate::editable_number::UsedTuning;
use hangtime_core::sim::MOST_PLAYERS;
use hangtime_game::TuningChange;
use hangtime_script::Language;

/// Opens levels for the tests of one file.
#[derive(Clone, Debug)]
pub struct TestLevels {
    project: Project,
    /// The folder of the test script. Levels and input files in it come first.
    folder: PathBuf,
    cache: Arc<LevelCache>,
    log: PlayLog,
    heavy: bool,
    /// Where the recording of the level that was opened last goes.
    recorded: Option<TestRecording>,
    /// Settings of a sweep, which win over tests' settings.
    swept: Settings,
    /// Numbers that replace those of every level, whatever sets them.
    tuned: Vec<TuningChange>,
    /// Gets what the levels use, if that is asked for.
    used: Option<Arc<Mutex<Vec<UsedLevel>>>>,
}

/// A revision that a test has played, and what it used of it.
pub type UsedLevel = (Arc<Revision>, UsedTuning);

impl TestLevels {
    /// Levels for a test script in `folder`.
    pub fn new(project: Project, folder: PathBuf) -> Self {
        let cache = project.level_cache();
        let (log, swept) = (PlayLog::default(), Settings::new());
        Self { project, folder, cache, log, heavy: false, recorded: None, swept, tuned: Vec::new(), used: None }
    }

    /// The same levels, recorded: `recording` gets the recording of the level that was opened last.
    pub fn recorded(self, recording: TestRecording) -> Self {
        Self { recorded: Some(recording), ..self }
    }

    /// The same levels, built by a cache that other tests use, too.
    pub fn cached(self, cache: Arc<LevelCache>) -> Self {
        Self { cache, ..self }
    }

    /// The same levels in heavy mode: each has a twin that is saved and loaded before every tick.
    pub fn heavy(self, heavy: bool) -> Self {
        Self { heavy, ..self }
    }

    /// The same levels with these settings, which win over tests' settings.
    pub(crate) fn swept(self, settings: Settings) -> Self {
        Self { swept: settings, ..self }
    }

    /// The same levels with these numbers, whatever sets them.
    pub(crate) fn tuned(self, changes: Vec<TuningChange>) -> Self {
        Self { tuned: changes, ..self }
    }

    /// The same levels, which report what they use.
    pub(crate) fn using(self, used: Arc<Mutex<Vec<UsedLevel>>>) -> Self {
        Self { used: Some(used), ..self }
    }

    /// A revision with the numbers that every level has.
    fn with_numbers(&self, revision: Arc<Revision>) -> Arc<Revision> {
        if self.tuned.is_empty() {
            return revision;
        }
        // A level without such a number stays as it is.
        revision.retuned(revision.number, &self.tuned).map_or(revision, Arc::new)
    }

    /// Reports what a level uses in this tick, if that is asked for.
    fn note_used(&self, live: &Live) {
        let Some(used) = &self.used else { return };
        let mut used = used.lock();
        let place = used.iter().position(|(revision, _)| Arc::ptr_eq(revision, live.revision()));
        let place = place.unwrap_or_else(|| {
            used.push((live.revision().clone(), UsedTuning::default()));
            used.len() - 1
        });
        used[place].1.note(live, None);
    }

    /// The language of a file, by its ending; the usual one if it has another ending.
    pub(crate) fn language_of(&self, file: &str) -> &'static dyn Language {
        let languages = self.project.folder().languages();
        languages.of(file).unwrap_or(languages.first())
    }

    /// What the levels report.
    pub fn log(&self) -> &PlayLog {
        &self.log
    }

    /// Opens a level with some settings.
    ///
    /// # Errors
    /// If the level or a setting is wrong.
    pub(crate) fn play(&self, name: &str, mut settings: Settings) -> Result<TestGame, CallRefusal> {
        let path = self.project.find_level_from(&self.folder, name).or_else(|error| {
            self.log.fail(false);
            about_name(&error)
        })?;
        settings.extend(self.swept.iter().cloned());
        let seed = match settings.iter().rev().find(|(key, _)| key == SEED) {
            None => 0,
            Some((_, seed)) => match seed.parse() {
                Ok(seed) => seed,
                Err(_) => return refuse(format!("`{SEED}` is {seed}; it must be a whole number from 0 on")),
            },
        };
        settings.retain(|(key, _)| key != SEED);
        let revision = self.cache.open(&path, (&settings, SettingsFrom::Test), 1, None).or_else(|error| {
            self.log.fail(is_timeout(&error));
            refuse(format!("`{name}`{NOT_PLAYED}{}", render_all(&error.diagnostics(), false)))
        })?;
        let mut game = self.begin(self.with_numbers(revision), path, seed);
        game.live.watch(Watch::All);
        game.progress.settings = settings;
        Ok(game)
    }

    /// Starts a level under a revision. No entity is watched.
    pub(crate) fn begin(&self, revision: Arc<Revision>, level: PathBuf, seed: u64) -> TestGame {
        let revision_memory = revision.memory();
        let place = self.log.open(|| revision.used_files());
        let (folder, from) = (self.project.folder().clone(), self.folder.clone());
        let settings = revision.settings.clone();
        let others = OtherLevels::of_test(folder, from, self.cache.clone(), settings);
        let mut live = Live::new(revision, seed);
        live.use_levels(Some(Arc::new(others)));
        self.note_used(&live);
        let progress = TestProgress::new(&live);
        TestGame {
            heavy: self.heavy.then(|| HeavyTwin::new(&live)),
            recorder: self.recorded.as_ref().and_then(|to| Recorder::start(to.begin(), &live).ok()),
            live,
            level,
            levels: self.clone(),
            place,
            identity: Arc::new(()),
            revision_memory,
            progress,
        }
    }
}

/// The key of the random seed among the settings of `play`.
pub const SEED: &str = "seed";

/// A level that a test plays.
pub struct TestGame {
    pub live: Live,
    /// Its twin, in heavy mode.
    heavy: Option<HeavyTwin>,
    recorder: Option<Recorder<SharedBytes>>,
    level: PathBuf,
    levels: TestLevels,
    /// Its place among all levels that the test has opened.
    place: usize,
    /// Marks the snapshots of this level.
    identity: Arc<()>,
    /// About how much memory the built files take, bytes.
    revision_memory: u64,
    pub progress: TestProgress,
}

/// The state of a level and its test. Only the same level can be restored from it.
pub struct TestSnapshot {
    /// The identity of the level.
    of: Arc<()>,
    world: World,
    revision: Arc<Revision>,
    level: PathBuf,
    progress: TestProgress,
}

impl TestGame {
    /// Plays this input from now on.
    pub fn follow(&mut self, track: Track) {
        self.progress.track = track;
        self.progress.track_from = self.tick();
    }

    /// Keeps the largest x and y of each entity from now on.
    pub fn keep_reach(&mut self) {
        self.progress.reach = Some(BTreeMap::new());
        self.progress.note_reach(self.live.world());
    }

    /// Makes one tick, in heavy mode with the twin.
    fn advance(&mut self, inputs: &Inputs) {
        if self.live.change_level() {
            self.heavy = self.heavy.take().map(|_| HeavyTwin::new(&self.live));
            let name = &self.live.revision().stage.level.name;
            self.level = self.levels.project.root().join(&**name);
            self.record_change();
        }
        match &mut self.heavy {
            None => {
                self.live.step(inputs);
            }
            Some(twin) => {
                if let Err(divergence) = twin.step(&mut self.live, inputs) {
                    self.levels.log.diverge(divergence);
                    // From here on, each difference would follow from the first.
                    *twin = HeavyTwin::new(&self.live);
                }
            }
        }
        if let Some(difference) = self.live.take_call_difference() {
            self.levels.log.diverge(difference.into());
        }
        self.record(|recorder, live| recorder.step(inputs, live.world()));
        self.levels.note_used(&self.live);
    }

    /// Changes the world between two ticks, and in heavy mode its twin.
    pub fn change<R>(&mut self, change: impl Fn(&mut Live) -> R) -> R {
        if let Some(twin) = &mut self.heavy {
            change(twin.twin());
        }
        let changed = change(&mut self.live);
        self.record_change();
        changed
    }

    /// Records that the world has changed between two ticks.
    fn record_change(&mut self) {
        self.record(|recorder, live| recorder.resume(live.revision(), live.world()));
    }

    /// Writes to the recording, which ends early if it cannot be written.
    fn record(&mut self, write: impl FnOnce(&mut Recorder<SharedBytes>, &Live) -> io::Result<()>) {
        self.recorder.take_if(|recorder| write(recorder, &self.live).is_err());
    }
}

impl Drop for TestGame {
    fn drop(&mut self) {
        // After a panic, the world may be in a state that cannot be hashed.
        if !std::thread::panicking() {
            if let Some(recorder) = self.recorder.take() {
                let _ = recorder.finish(self.live.world());
            }
            self.levels.log.close(self.place, self.live.world().hash());
        }
    }
}

impl TestGame {
    /// How many ticks have been played.
    pub fn tick(&self) -> u64 {
        self.live.world().ticks()
    }

    /// Ticks per second.
    pub fn hz(&self) -> u32 {
        self.live.revision().stage.hz
    }

    /// Plays one tick.
    pub fn step(&mut self) {
        let place = self.tick() - self.progress.track_from;
        let inputs = if place < self.progress.track.length() {
            self.progress.track.at(place)
        } else {
            self.progress.held.clone()
        };
        self.advance(&inputs);
        self.progress.emitted = 0;
        self.progress.history.record(&self.live);
        self.progress.note_reach(self.live.world());
        for player in 1..=MOST_PLAYERS {
            if self.progress.held.player(player).pressed != Default::default() {
                self.progress.held.player_mut(player).pressed = Default::default();
            }
        }
        self.progress.note_tick(&self.live);
    }

    /// Plays an input file from the next tick on. Returns its length in ticks, and warnings about lines that have no
    /// effect.
    ///
    /// # Errors
    /// If the file is wrong.
    pub fn input(&mut self, file: &str) -> Result<(u64, Vec<Diagnostic>), CallRefusal> {
        let level_folder = self.level.parent().unwrap_or(Path::new(""));
        let places = [self.levels.folder.as_path(), level_folder];
        let text = files::read_from(self.levels.project.folder(), &places, file).or_else(|error| {
            self.levels.log.fail(false);
            about_name(&error)
        })?;
        self.levels.log.use_file(&text.name);
        let actions = &self.live.revision().stage.actions;
        let script = InputScript::parse_with(&text, actions).or_else(|error| rendered(&error))?;
        self.follow(script.track(self.hz()));
        Ok((self.progress.track.length(), script.without_effect(&text)))
    }

    /// Changes a setting from now on and keeps all state, as a reload would.
    ///
    /// # Errors
    /// If the key or the value is wrong, or if it raises a limit of scripts.
    pub fn tune(&mut self, key: &str, value: String) -> Result<(), CallRefusal> {
        let mut settings = self.progress.settings.clone();
        // An earlier value of the same key has no effect any more.
        settings.retain(|(earlier, _)| earlier != key);
        settings.push((key.into(), value));
        let number = self.live.revision().number + 1;
        let revision = self
            .levels
            .cache
            .open(&self.level, (&settings, SettingsFrom::Test), number, Some(self.hz()));
        let revision = revision.or_else(|error| {
            self.levels.log.fail(is_timeout(&error));
            rendered(&error)
        })?;
        let revision = self.levels.with_numbers(revision);
        self.progress.settings = settings;
        if let Some(twin) = &mut self.heavy {
            twin.twin().adopt(revision.clone());
        }
        self.live.adopt(revision);
        self.record(|recorder, live| recorder.adopt(live.revision(), live.world()));
        // The world's events of this tick now include the reload.
        self.progress.refresh_events(self.live.world());
        Ok(())
    }

    /// About how much memory the level holds, bytes: its files as they are built, its state, and what the test has seen
    /// so far.
    pub fn memory(&self) -> u64 {
        let history = &self.progress.history;
        let revisions = (1 + history.revisions()) * self.revision_memory;
        self.snapshot_memory() + history.len() * REASONS_MEMORY + revisions
    }

    /// About how much memory a snapshot holds, bytes.
    pub fn snapshot_memory(&self) -> u64 {
        let world = self.live.world();
        let bodies = world.entities().len() as u64 * ENTITY_MEMORY;
        self.progress.events_memory + bodies + world.extra_memory()
    }

    /// Takes a snapshot: state, events, settings and held keys.
    pub fn snapshot(&self) -> TestSnapshot {
        TestSnapshot {
            of: self.identity.clone(),
            world: self.live.world().clone(),
            revision: self.live.revision().clone(),
            level: self.level.clone(),
            progress: self.progress.clone(),
        }
    }

    /// Restores a snapshot.
    ///
    /// # Errors
    /// If the snapshot is of another level.
    pub fn restore(&mut self, snapshot: &TestSnapshot) -> Result<(), CallRefusal> {
        if !Arc::ptr_eq(&snapshot.of, &self.identity) {
            return refuse("this snapshot was taken from another `play(…)`");
        }
        if Arc::ptr_eq(&snapshot.revision, self.live.revision()) {
            self.live.restore(snapshot.world.clone());
        } else {
            // It may be one of another level.
            let (revision, watched) = (snapshot.revision.clone(), self.live.world().watched());
            self.live.resume_with(revision, snapshot.world.clone());
            self.live.watch(watched);
            self.level.clone_from(&snapshot.level);
        }
        if let Some(twin) = &mut self.heavy {
            *twin = HeavyTwin::new(&self.live);
        }
        self.record_change();
        self.progress = snapshot.progress.clone();
        Ok(())
    }
}
