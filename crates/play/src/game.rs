//! The levels that test scripts play.

use super::heavy::HeavyTwin;
use super::open_error::{is_timeout, on_one_line, rendered};
use super::play_log::PlayLog;
use super::test_progress::{ENTITY_MEMORY, MOST_EMITTED, REASONS_MEMORY, TestProgress};
use super::test_recording::{TestRecorder, TestRecording};
use super::test_sight::{self, SEED, seed_of};
use glam::DVec2;
use hangtime_core::models::{Action, OwnActions};
use hangtime_core::sim::why::Watch;
use hangtime_core::sim::{
    Drawn, DrawnColor, Entity, EntityId, EntityView, Event, EventKind, Inputs, MOST_KEPT, MOST_PLAYERS, Value, World,
};
use hangtime_game::{InputScript, LevelCache, Live, OtherLevels, Project, Revision, Track, files};
use hangtime_script::{
    Fault, PlayedInput, PlayedLevel, Playtest, PlaytestError, Reason, Settings, Snapshot, SolidView, render_all,
};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

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
}

impl TestLevels {
    /// Levels for a test script in `folder`.
    pub fn new(project: Project, folder: PathBuf) -> Self {
        let cache = Arc::new(LevelCache::new(project.folder().clone()));
        Self { project, folder, cache, log: PlayLog::default(), heavy: false, recorded: None }
    }

    /// The same levels, recorded: `recording` gets the one of the level that was opened last.
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

    /// What the levels report.
    pub fn log(&self) -> &PlayLog {
        &self.log
    }

    fn find(&self, name: &str) -> Result<PathBuf, PlaytestError> {
        let found = self.project.find_level_from(&self.folder, name);
        found.map_err(|error| {
            self.log.fail(false);
            on_one_line(&error)
        })
    }
}

impl Playtest for TestLevels {
    fn play(&self, level: &str, settings: &Settings) -> Result<Box<dyn PlayedLevel>, PlaytestError> {
        let path = self.find(level)?;
        let seed = seed_of(settings)?;
        let mut settings = settings.clone();
        settings.retain(|(key, _)| key != SEED);
        let revision = self.cache.open_in_test(&path, &settings, 1, None);
        let revision = revision.map_err(|error| {
            self.log.fail(is_timeout(&error));
            let messages = render_all(&error.diagnostics(), false);
            PlaytestError(format!("`{level}` cannot be played:\n{messages}"))
        })?;
        let mut game = self.begin(revision, path, seed);
        game.live.watch(Watch::All);
        game.progress.settings = settings;
        Ok(Box::new(game))
    }
}

impl TestLevels {
    /// Starts a level under a revision. No entity is watched.
    pub(super) fn begin(&self, revision: Arc<Revision>, level: PathBuf, seed: u64) -> TestGame {
        let revision_memory = revision.memory();
        let place = self.log.open(|| revision.used_files());
        let (folder, from) = (self.project.folder().clone(), self.folder.clone());
        let settings = revision.settings.clone();
        let others = OtherLevels::of_test(folder, from, self.cache.clone(), settings);
        let mut live = Live::new(revision, seed);
        live.use_levels(Some(Arc::new(others)));
        let progress = TestProgress::new(&live);
        TestGame {
            heavy: self.heavy.then(|| HeavyTwin::new(&live)),
            recorder: self.recorded.as_ref().and_then(|to| to.start(&live)),
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

/// A level that a test plays.
pub(super) struct TestGame {
    live: Live,
    /// Its twin, in heavy mode.
    heavy: Option<HeavyTwin>,
    recorder: Option<TestRecorder>,
    level: PathBuf,
    levels: TestLevels,
    /// Its place among all levels that the test has opened.
    place: usize,
    /// Marks the snapshots of this level.
    identity: Arc<()>,
    /// About how much memory the built files take, bytes.
    revision_memory: u64,
    progress: TestProgress,
}

/// The state of a level and its test, as `snapshot` takes it.
struct TestSnapshot {
    /// The identity of the level.
    of: Arc<()>,
    world: World,
    revision: Arc<Revision>,
    level: PathBuf,
    progress: TestProgress,
}

impl TestGame {
    /// Plays this input from now on.
    pub(super) fn follow(&mut self, track: Track) {
        self.progress.track = track;
        self.progress.track_from = self.tick();
    }

    /// Explains from now on why the entities move.
    pub(super) fn watch_all(&mut self) {
        self.live.watch(Watch::All);
    }

    /// Keeps the largest x and y of each entity from now on.
    pub(super) fn keep_reach(&mut self) {
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
        if let Some(recorder) = &mut self.recorder {
            recorder.step(inputs, self.live.world());
        }
    }

    /// Records that the world has changed between two ticks.
    fn record_change(&mut self) {
        if let Some(recorder) = &mut self.recorder {
            recorder.resume(self.live.revision(), self.live.world());
        }
    }
}

impl Drop for TestGame {
    fn drop(&mut self) {
        // After a panic, the world may be in a state that cannot be hashed.
        if !std::thread::panicking() {
            if let Some(recorder) = self.recorder.take() {
                recorder.finish(self.live.world());
            }
            self.levels.log.close(self.place, self.live.world().hash());
        }
    }
}

impl PlayedLevel for TestGame {
    fn tick(&self) -> u64 {
        self.live.world().ticks()
    }

    fn hz(&self) -> u32 {
        self.live.revision().stage.hz
    }

    fn step(&mut self) {
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

    fn own_actions(&self) -> OwnActions {
        self.live.revision().stage.actions.clone()
    }

    fn hold(&mut self, player: u8, action: Action) {
        self.progress.held.player_mut(player).held.insert(action);
    }

    fn release(&mut self, player: u8, action: Action) {
        self.progress.held.player_mut(player).held.remove(action);
    }

    fn press(&mut self, player: u8, action: Action) {
        self.progress.held.player_mut(player).pressed.insert(action);
    }

    fn steer(&mut self, player: u8, stick: DVec2) {
        self.progress.held.player_mut(player).stick = stick;
    }

    fn aim(&mut self, player: u8, point: DVec2) {
        self.progress.held.player_mut(player).aim = Some(point);
    }

    fn place(&mut self, name: &str, at: DVec2) -> Result<(), PlaytestError> {
        let id = test_sight::entity_to_place(&self.live, name, at)?;
        if !self.live.place(id, at) {
            let message = format!("there is no room for `{name}` at ({}, {})", at.x, at.y);
            return Err(PlaytestError(message));
        }
        if let Some(twin) = &mut self.heavy {
            twin.twin().place(id, at);
        }
        self.record_change();
        Ok(())
    }

    fn emit(&mut self, name: &str, data: Value) -> Result<(), PlaytestError> {
        if self.progress.emitted >= MOST_EMITTED {
            let message = format!("a test can emit at most {MOST_EMITTED} events per tick");
            return Err(PlaytestError(message));
        }
        self.progress.emitted += 1;
        self.live.emit(name.into(), data.clone());
        if let Some(twin) = &mut self.heavy {
            twin.twin().emit(name.into(), data.clone());
        }
        self.record_change();
        let event = Event {
            tick: self.tick(),
            entity: EntityId::LEVEL,
            name: "level".into(),
            kind: EventKind::Signal { name: name.into(), data },
        };
        self.progress.note_event(event, &self.live);
        Ok(())
    }

    fn keep(&mut self, name: &str, value: Value) -> Result<(), PlaytestError> {
        let mut kept = self.live.world().kept().clone();
        if !kept.set(name, value) {
            let message = format!("a game can keep at most {MOST_KEPT} values");
            return Err(PlaytestError(message));
        }
        if let Some(twin) = &mut self.heavy {
            twin.twin().set_kept(kept.clone());
        }
        self.live.set_kept(kept);
        self.record_change();
        Ok(())
    }

    fn kept(&self, name: &str) -> Value {
        let kept = self.live.world().kept().get(name);
        kept.cloned().unwrap_or_default()
    }

    fn input(&mut self, file: &str) -> Result<PlayedInput, PlaytestError> {
        let level_folder = self.level.parent().unwrap_or(Path::new(""));
        let places = [self.levels.folder.as_path(), level_folder];
        let text = files::read_from(self.levels.project.folder(), &places, file);
        let text = text.map_err(|error| {
            self.levels.log.fail(false);
            on_one_line(&error)
        })?;
        self.levels.log.use_file(&text.name);
        let script = InputScript::parse_with(&text, &self.own_actions()).map_err(|error| rendered(&error))?;
        self.progress.track = script.track(self.hz());
        self.progress.track_from = self.tick();
        Ok(PlayedInput { ticks: self.progress.track.length(), warnings: script.without_effect(&text) })
    }

    fn tune(&mut self, key: &str, value: &str) -> Result<(), PlaytestError> {
        let before = self.progress.settings.clone();
        // An earlier value of the same key has no effect any more.
        self.progress.settings.retain(|(earlier, _)| earlier != key);
        self.progress.settings.push((key.into(), value.into()));
        let number = self.live.revision().number + 1;
        let hz = self.hz();
        let settings = &self.progress.settings;
        let cache = &self.levels.cache;
        match cache.open_in_test(&self.level, settings, number, Some(hz)) {
            Ok(revision) => {
                if let Some(twin) = &mut self.heavy {
                    twin.twin().adopt(revision.clone());
                }
                self.live.adopt(revision);
                if let Some(recorder) = &mut self.recorder {
                    recorder.adopt(self.live.revision(), self.live.world());
                }
                // The world's events of this tick now include the reload.
                self.progress.refresh_events(self.live.world());
                Ok(())
            }
            Err(error) => {
                self.levels.log.fail(is_timeout(&error));
                self.progress.settings = before;
                Err(rendered(&error))
            }
        }
    }

    fn entity(&self, name: &str) -> Option<EntityView> {
        self.live.world().view_of(&self.live.revision().stage, name)
    }

    fn vars(&self, name: &str) -> BTreeMap<String, Value> {
        let entity = self.live.world().entity(name);
        entity.map(|e| e.vars.0.to_plain()).unwrap_or_default()
    }

    fn layers(&self, name: &str) -> BTreeMap<String, Value> {
        let entity = self.live.world().entity(name);
        entity.map(Entity::layer_values).unwrap_or_default()
    }

    fn level_vars(&self) -> BTreeMap<String, Value> {
        let vars = self.live.world().level_vars();
        vars.map(|vars| vars.0.to_plain()).unwrap_or_default()
    }

    fn solid(&self, name: &str) -> Option<SolidView> {
        test_sight::solid(&self.live, name)
    }

    fn shown(&self, by: Option<&str>, name: &str) -> Option<Arc<Drawn>> {
        test_sight::shown(&self.live, by, name)
    }

    fn looks(&self, name: &str) -> (Option<DrawnColor>, bool) {
        test_sight::looks(&self.live, name)
    }

    fn names(&self) -> Vec<String> {
        let entities = self.live.world().entities().iter();
        entities.map(|e| e.name.to_string()).collect()
    }

    fn of_kind(&self, kind: &str) -> Vec<String> {
        let entities = self.live.world().entities().iter();
        let of_kind = entities.filter(|e| &*e.kind == kind);
        of_kind.map(|e| e.name.to_string()).collect()
    }

    fn heard(&self, name: &str) -> Result<u64, PlaytestError> {
        self.progress.heard(name, &self.live.revision().sounds)
    }

    fn events(&self) -> &[Event] {
        &self.progress.events
    }

    fn hash(&self) -> u64 {
        self.live.world().hash()
    }

    fn memory(&self) -> u64 {
        let history = &self.progress.history;
        let revisions = (1 + history.revisions()) * self.revision_memory;
        self.snapshot_memory() + history.len() * REASONS_MEMORY + revisions
    }

    fn snapshot_memory(&self) -> u64 {
        let world = self.live.world();
        let bodies = world.entities().len() as u64 * ENTITY_MEMORY;
        self.progress.events_memory + bodies + world.extra_memory()
    }

    fn snapshot(&self) -> Snapshot {
        Snapshot(Arc::new(TestSnapshot {
            of: self.identity.clone(),
            world: self.live.world().clone(),
            revision: self.live.revision().clone(),
            level: self.level.clone(),
            progress: self.progress.clone(),
        }))
    }

    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), PlaytestError> {
        let snapshot = snapshot.0.downcast_ref::<TestSnapshot>();
        let Some(snapshot) = snapshot.filter(|s| Arc::ptr_eq(&s.of, &self.identity)) else {
            let message = "this snapshot was taken from another `play(…)`";
            return Err(PlaytestError(message.into()));
        };
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

    fn why(&self, name: &str) -> Vec<Reason> {
        self.live.why(name)
    }

    fn why_history(&self, name: &str) -> Vec<Reason> {
        self.progress.history.of(name)
    }

    fn take_faults(&mut self) -> Vec<Fault> {
        self.live.report().faults.first.clone()
    }

    fn reach(&self, name: &str) -> Option<DVec2> {
        self.progress.reach.as_ref()?.get(name).copied()
    }
}
