//! The levels that test scripts play.

use super::heavy::{Divergence, HeavyTwin};
use crate::models::Action;
use crate::project::{
    Error, InputScript, Live, Project, Revision, SourceSet, Track, WhyHistory, files,
    within_deadline,
};
use crate::script::host::text::printable_name;
use crate::script::host::{
    Fault, PlayedInput, PlayedLevel, Playtest, PlaytestError, Reason, Settings, Snapshot,
    render_all,
};
use crate::sim::why::Watch;
use crate::sim::{EntityView, Event, EventKind, Inputs, MOST_PLAYERS, Value, World};
use glam::DVec2;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Opens levels for the tests of one file.
#[derive(Clone, Debug)]
pub struct TestLevels {
    project: Project,
    /// The folder of the test script. Levels and input files in it come first.
    folder: PathBuf,
    /// Where the first difference goes in heavy mode.
    heavy: Option<HeavyReport>,
}

/// The first difference that a test in heavy mode has found.
pub type HeavyReport = Arc<Mutex<Option<Divergence>>>;

impl TestLevels {
    /// Levels for a test script in `folder`.
    #[must_use]
    pub fn new(project: Project, folder: PathBuf) -> Self {
        Self {
            project,
            folder,
            heavy: None,
        }
    }

    /// The same levels in heavy mode: each has a twin that is saved and loaded before every tick.
    /// The first difference goes to `report`.
    #[must_use]
    pub fn heavy(self, report: HeavyReport) -> Self {
        Self {
            heavy: Some(report),
            ..self
        }
    }

    fn find(&self, name: &str) -> Result<PathBuf, PlaytestError> {
        self.project
            .find_level_from(&self.folder, name)
            .map_err(|error| on_one_line(&error))
    }
}

impl Playtest for TestLevels {
    fn play(
        &self,
        level: &str,
        settings: &Settings,
    ) -> Result<Box<dyn PlayedLevel>, PlaytestError> {
        let path = self.find(level)?;
        let revision = self
            .project
            .open_in_test(&path, settings)
            .map_err(|error| {
                let messages = render_all(&error.diagnostics(), false);
                PlaytestError(format!("`{level}` cannot be played:\n{messages}"))
            })?;
        let mut game = self.begin(Arc::new(revision), path, 0);
        let _ = game.live.take_faults();
        game.live.watch(Watch::All);
        game.progress.settings.clone_from(settings);
        Ok(Box::new(game))
    }
}

impl TestLevels {
    /// Starts a level under a revision. No entity is watched.
    pub(super) fn begin(&self, revision: Arc<Revision>, level: PathBuf, seed: u64) -> TestGame {
        let edges = revision.stage.level.terrain.edges().len() as u64;
        let sources = revision.scripts.source_bytes() as u64;
        let revision_memory = LEVEL_MEMORY + PER_SOURCE_BYTE * sources + EDGE_MEMORY * edges;
        let live = Live::new(revision, seed);
        let events = live.world().events().to_vec();
        let report = self.heavy.clone();
        let heavy = report.map(|report| (HeavyTwin::new(&live), report));
        TestGame {
            live,
            heavy,
            level,
            folder: self.folder.clone(),
            project: self.project.clone(),
            identity: Arc::new(()),
            revision_memory,
            progress: TestProgress {
                settings: Settings::new(),
                held: Inputs::none(),
                track: Track::default(),
                track_from: 0,
                events_memory: memory_of(&events),
                events,
                history: WhyHistory::new(MAX_HISTORY),
                reach: None,
            },
        }
    }
}

/// A level that a test plays.
pub(super) struct TestGame {
    live: Live,
    /// In heavy mode: its twin, and where the first difference goes.
    heavy: Option<(HeavyTwin, HeavyReport)>,
    level: PathBuf,
    folder: PathBuf,
    project: Project,
    /// Marks the snapshots of this level.
    identity: Arc<()>,
    /// About how much memory the built files take, bytes.
    revision_memory: u64,
    progress: TestProgress,
}

/// What a test has done and seen so far.
#[derive(Clone)]
struct TestProgress {
    settings: Settings,
    /// The input that the test holds. Presses are cleared after each tick.
    held: Inputs,
    /// An input file that is playing. While it lasts it replaces what is held.
    track: Track,
    track_from: u64,
    events: Vec<Event>,
    /// About how much memory the events take, bytes.
    events_memory: u64,
    /// Why the entities moved.
    history: WhyHistory,
    /// The largest x and y of each entity's center, if they are kept.
    reach: Option<BTreeMap<Arc<str>, DVec2>>,
}

/// About how much memory a level holds in addition to its files, bytes: the engine and its functions.
const LEVEL_MEMORY: u64 = 1 << 20;

/// About how many bytes of memory a byte of a level's files takes.
const PER_SOURCE_BYTE: u64 = 32;

/// About how much memory an edge of the terrain takes, bytes.
const EDGE_MEMORY: u64 = 512;

/// About how much memory an entity takes, bytes.
const ENTITY_MEMORY: u64 = 2048;

/// About how much memory an event takes, bytes, in addition to its data.
const EVENT_MEMORY: u64 = 160;

/// About how much memory a value in an event's data takes, bytes.
const VALUE_MEMORY: u64 = 64;

/// About how much memory the reasons of a step take, bytes.
const REASONS_MEMORY: u64 = 512;

/// About how much memory some events take, bytes.
fn memory_of(events: &[Event]) -> u64 {
    let data = |event: &Event| match &event.kind {
        EventKind::Signal { data, .. } => VALUE_MEMORY * data.count() + data.text(),
        EventKind::Note { text } => text.len() as u64,
        _ => 0,
    };
    events.iter().map(|event| EVENT_MEMORY + data(event)).sum()
}

/// The largest number of steps that are kept to explain how entities moved.
const MAX_HISTORY: usize = 20_000;

/// The state of a level and its test, as `snapshot` takes it.
struct TestSnapshot {
    /// The identity of the level.
    of: Arc<()>,
    world: World,
    revision: Arc<Revision>,
    progress: TestProgress,
}

/// The largest number of entities whose largest x and y are kept.
const MAX_REACH: usize = 10_000;

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
        self.note_reach();
    }

    fn note_reach(&mut self) {
        let Some(reach) = &mut self.progress.reach else {
            return;
        };
        let world = self.live.world();
        for entity in world.entities() {
            let at = world.body(entity).pos;
            if let Some(most) = reach.get_mut(&entity.name) {
                *most = most.max(at);
            } else if reach.len() < MAX_REACH {
                reach.insert(entity.name.clone(), at);
            }
        }
    }

    /// Makes one tick, in heavy mode with the twin.
    fn advance(&mut self, inputs: &Inputs) {
        let Some((twin, report)) = &mut self.heavy else {
            self.live.step(inputs);
            return;
        };
        if let Err(divergence) = twin.step(&mut self.live, inputs) {
            let mut report = report.lock().unwrap_or_else(PoisonError::into_inner);
            report.get_or_insert(divergence);
            // From here on, each difference would follow from the first.
            *twin = HeavyTwin::new(&self.live);
        }
    }
}

/// The message of an error about a name in a test.
fn on_one_line(error: &Error) -> PlaytestError {
    PlaytestError(printable_name(&error.to_string()).into_owned())
}

/// The messages of an error, with source lines.
fn rendered(error: &Error) -> PlaytestError {
    PlaytestError(render_all(&error.diagnostics(), false))
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
        self.progress.history.record(&self.live);
        self.note_reach();
        for player in 1..=MOST_PLAYERS {
            if self.progress.held.player(player).pressed != Default::default() {
                self.progress.held.player_mut(player).pressed = Default::default();
            }
        }
        let events = self.live.world().events();
        self.progress.events_memory += memory_of(events);
        self.progress.events.extend(events.iter().cloned());
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

    fn input(&mut self, file: &str) -> Result<PlayedInput, PlaytestError> {
        let level_folder = self.level.parent().unwrap_or(Path::new(""));
        let places = [self.folder.as_path(), level_folder];
        let text = files::read_from(self.project.folder(), &places, file)
            .map_err(|error| on_one_line(&error))?;
        let script = InputScript::parse(&text).map_err(|error| rendered(&error))?;
        self.progress.track = script.track(self.hz());
        self.progress.track_from = self.tick();
        Ok(PlayedInput {
            ticks: self.progress.track.length(),
            warnings: script.without_effect(&text),
        })
    }

    fn tune(&mut self, key: &str, value: &str) -> Result<(), PlaytestError> {
        let before = self.progress.settings.clone();
        // An earlier value of the same key has no effect any more.
        self.progress.settings.retain(|(earlier, _)| earlier != key);
        self.progress.settings.push((key.into(), value.into()));
        let (folder, level) = (self.project.folder().clone(), self.level.clone());
        let settings = self.progress.settings.clone();
        let number = self.live.revision().number + 1;
        let hz = self.hz();
        let built = within_deadline(move || {
            let sources = SourceSet::read(&folder, &level);
            Revision::build_in_test(&sources, &settings, number, Some(hz))
        });
        match built.and_then(|built| built) {
            Ok(revision) => {
                let revision = Arc::new(revision);
                if let Some((twin, _)) = &mut self.heavy {
                    twin.adopt(revision.clone());
                }
                self.live.adopt(revision);
                // The world's events of this tick now include the reload.
                let now = self.tick();
                let progress = &mut self.progress;
                progress.events.retain(|event| event.tick < now);
                let events = self.live.world().events();
                progress.events.extend(events.iter().cloned());
                progress.events_memory = memory_of(&progress.events);
                Ok(())
            }
            Err(error) => {
                self.progress.settings = before;
                Err(rendered(&error))
            }
        }
    }

    fn entity(&self, name: &str) -> Option<EntityView> {
        self.live.world().view_of(&self.live.revision().stage, name)
    }

    fn vars(&self, name: &str) -> BTreeMap<String, Value> {
        let entity = self
            .live
            .world()
            .entities()
            .iter()
            .find(|e| &*e.name == name);
        entity.map(|e| e.vars.0.to_plain()).unwrap_or_default()
    }

    fn level_vars(&self) -> BTreeMap<String, Value> {
        let vars = self.live.world().level_vars();
        vars.map(|vars| vars.0.to_plain()).unwrap_or_default()
    }

    fn names(&self) -> Vec<String> {
        self.live
            .world()
            .entities()
            .iter()
            .map(|e| e.name.to_string())
            .collect()
    }

    fn of_kind(&self, kind: &str) -> Vec<String> {
        let entities = self.live.world().entities().iter();
        let of_kind = entities.filter(|e| &*e.kind == kind);
        of_kind.map(|e| e.name.to_string()).collect()
    }

    fn events(&self) -> &[Event] {
        &self.progress.events
    }

    fn hash(&self) -> u64 {
        self.live.world().hash()
    }

    fn memory(&self) -> u64 {
        let revisions = 1 + self.progress.history.revisions();
        let history = self.progress.history.len() * REASONS_MEMORY;
        self.snapshot_memory() + history + revisions * self.revision_memory
    }

    fn snapshot_memory(&self) -> u64 {
        let entities = self.live.world().entities().len() as u64;
        self.progress.events_memory + entities * ENTITY_MEMORY
    }

    fn snapshot(&self) -> Snapshot {
        Snapshot(Arc::new(TestSnapshot {
            of: self.identity.clone(),
            world: self.live.world().clone(),
            revision: self.live.revision().clone(),
            progress: self.progress.clone(),
        }))
    }

    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), PlaytestError> {
        let snapshot = snapshot.0.downcast_ref::<TestSnapshot>();
        let Some(snapshot) = snapshot.filter(|s| Arc::ptr_eq(&s.of, &self.identity)) else {
            let message = "this snapshot was taken from another `play(…)`";
            return Err(PlaytestError(message.into()));
        };
        if !Arc::ptr_eq(&snapshot.revision, self.live.revision()) {
            self.live.adopt(snapshot.revision.clone());
        }
        self.live.restore(snapshot.world.clone());
        if let Some((twin, _)) = &mut self.heavy {
            *twin = HeavyTwin::new(&self.live);
        }
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
        self.live.take_faults()
    }

    fn reach(&self, name: &str) -> Option<DVec2> {
        self.progress.reach.as_ref()?.get(name).copied()
    }
}
