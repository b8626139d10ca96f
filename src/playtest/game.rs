//! The games that test scripts play.

use crate::models::Action;
use crate::project::{Diary, InputScript, Live, Project, Revision, SourceSet, Track, files};
use crate::script::host::{Fault, PlayedLevel, Playtest, Reason, Settings, Snapshot, render_all};
use crate::sim::why::Watch;
use crate::sim::{EntityView, Event, Inputs, MOST_PLAYERS, Value, World};
use glam::DVec2;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Opens levels for the tests of one file.
#[derive(Clone, Debug)]
pub struct Tester {
    project: Project,
    /// Where the test script lies: levels and inputs beside it come first.
    beside: PathBuf,
}

impl Tester {
    /// For a test script in the folder `beside`.
    #[must_use]
    pub fn new(project: Project, beside: PathBuf) -> Self {
        Self { project, beside }
    }

    fn find(&self, name: &str) -> Result<PathBuf, String> {
        let here = self.beside.join(name);
        if here.is_file() {
            return Ok(here);
        }
        self.project
            .find_level(name)
            .map_err(|d| format!("`{name}`: {}", d.message))
    }
}

impl Playtest for Tester {
    fn play(&self, level: &str, settings: &Settings) -> Result<Box<dyn PlayedLevel>, String> {
        let path = self.find(level)?;
        let revision = self.project.open(&path, settings).map_err(|wrong| {
            format!("`{level}` cannot be played:\n{}", render_all(&wrong, false))
        })?;
        let mut live = Live::new(Arc::new(revision), 0);
        let events = live.world().events().to_vec();
        let _ = live.take_faults();
        live.watch(Watch::All);
        Ok(Box::new(TestGame {
            live,
            level: path,
            beside: self.beside.clone(),
            project: self.project.clone(),
            itself: Arc::new(()),
            course: Course {
                settings: settings.clone(),
                held: Inputs::none(),
                track: Track::default(),
                track_from: 0,
                events,
                diary: Diary::new(MOST_KEPT),
            },
        }))
    }
}

/// A level that a test plays.
struct TestGame {
    live: Live,
    level: PathBuf,
    beside: PathBuf,
    project: Project,
    /// By which its own moments are known.
    itself: Arc<()>,
    course: Course,
}

/// What a test has done and seen so far.
#[derive(Clone)]
struct Course {
    settings: Settings,
    /// What the test holds down; presses are taken out after a tick.
    held: Inputs,
    /// An input file that plays over what is held.
    track: Track,
    track_from: u64,
    events: Vec<Event>,
    /// Why everybody moved so far.
    diary: Diary,
}

/// Most steps of entities whose reasons are kept for a test.
const MOST_KEPT: usize = 20_000;

/// A moment of a level.
struct Moment {
    /// Which level's.
    of: Arc<()>,
    world: World,
    revision: Arc<Revision>,
    course: Course,
}

impl PlayedLevel for TestGame {
    fn tick(&self) -> u64 {
        self.live.world().ticks()
    }

    fn hz(&self) -> u32 {
        self.live.revision().stage.hz
    }

    fn step(&mut self) {
        let place = self.tick() - self.course.track_from;
        let inputs = if place < self.course.track.length() {
            self.course.track.at(place)
        } else {
            self.course.held.clone()
        };
        self.live.step(&inputs);
        self.course.diary.keep(&self.live);
        for player in 1..=MOST_PLAYERS {
            if self.course.held.player(player).pressed != Default::default() {
                self.course.held.player_mut(player).pressed = Default::default();
            }
        }
        self.course
            .events
            .extend(self.live.world().events().iter().cloned());
    }

    fn hold(&mut self, player: u8, action: Action) {
        self.course.held.player_mut(player).held.insert(action);
    }

    fn release(&mut self, player: u8, action: Action) {
        self.course.held.player_mut(player).held.remove(action);
    }

    fn press(&mut self, player: u8, action: Action) {
        self.course.held.player_mut(player).pressed.insert(action);
    }

    fn steer(&mut self, player: u8, stick: DVec2) {
        self.course.held.player_mut(player).stick = stick;
    }

    fn aim(&mut self, player: u8, point: DVec2) {
        self.course.held.player_mut(player).aim = Some(point);
    }

    fn input(&mut self, file: &str) -> Result<u64, String> {
        let beside_level = self.level.parent().unwrap_or(Path::new("")).join(file);
        let places = [self.beside.join(file), beside_level];
        let found = places.iter().find(|p| p.is_file());
        let name = found.map_or_else(|| file.to_string(), |p| p.display().to_string());
        let text = files::read(self.project.root(), &name)
            .map_err(|d| format!("`{file}`: {}", d.message))?;
        let script = InputScript::parse(&text).map_err(|wrong| render_all(&wrong, false))?;
        self.course.track = script.track(self.hz());
        self.course.track_from = self.tick();
        Ok(self.course.track.length())
    }

    fn tune(&mut self, key: &str, value: &str) -> Result<(), String> {
        self.course.settings.push((key.into(), value.into()));
        let sources = SourceSet::read(self.project.root(), &self.level);
        let number = self.live.revision().number + 1;
        let hz = self.hz();
        match Revision::build(&sources, &self.course.settings, number, Some(hz)) {
            Ok(revision) => {
                self.live.adopt(Arc::new(revision));
                // The events of this tick, with the reload among them.
                let now = self.tick();
                self.course.events.retain(|event| event.tick < now);
                self.course
                    .events
                    .extend(self.live.world().events().iter().cloned());
                Ok(())
            }
            Err(wrong) => {
                self.course.settings.pop();
                Err(render_all(&wrong, false))
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
        &self.course.events
    }

    fn hash(&self) -> u64 {
        self.live.world().hash()
    }

    fn snapshot(&self) -> Snapshot {
        Snapshot(Arc::new(Moment {
            of: self.itself.clone(),
            world: self.live.world().clone(),
            revision: self.live.revision().clone(),
            course: self.course.clone(),
        }))
    }

    fn restore(&mut self, moment: &Snapshot) -> Result<(), String> {
        let moment = moment.0.downcast_ref::<Moment>();
        let Some(moment) = moment.filter(|moment| Arc::ptr_eq(&moment.of, &self.itself)) else {
            return Err("this is a moment of another level that was played".into());
        };
        if !Arc::ptr_eq(&moment.revision, self.live.revision()) {
            self.live.adopt(moment.revision.clone());
        }
        self.live.restore(moment.world.clone());
        self.course = moment.course.clone();
        Ok(())
    }

    fn why(&self, name: &str) -> Vec<Reason> {
        self.live.why(name)
    }

    fn diary(&self, name: &str) -> Vec<Reason> {
        self.course.diary.of(name)
    }

    fn take_faults(&mut self) -> Vec<Fault> {
        self.live.take_faults()
    }
}
