//! The world: all that changes from tick to tick.

use super::dress::Dressing;
use super::lane::Lanes;
use super::meet::Meetings;
use super::population::level_name;
use super::script_state::{LevelState, Timer};
use super::switch::absent_key;
use super::view::Shown;
use super::why::WhyLog;
use super::{Creation, Digest, Entity, EntityId, Event, EventKind, Question, Stage, Vars};
use crate::level::{Absent, Transit};
use crate::models::{Body, Report};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::sync::Arc;

/// All mutable state, as plain data: cloned for a snapshot, compared, hashed, saved and loaded.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct World {
    /// How many ticks were made.
    pub(super) tick: u64,
    /// From which all randomness follows.
    pub(super) seed: u64,
    /// By id.
    pub(super) entities: Vec<Entity>,
    pub(super) lanes: Lanes,
    /// What happened in the last step, by entity; scripts are told in the next.
    pub(super) events: Vec<Event>,
    /// Events of those who could not be told of them in their tick, for the next.
    pub(super) held_back: Vec<Event>,
    /// The names of those that the level began with and that scripts have removed: a reload does not bring
    /// them back.
    pub(super) gone: BTreeSet<Arc<str>>,
    /// What the level's own script keeps.
    pub(super) level: LevelState,
    /// Events to come, in the order in which they were set.
    pub(super) timers: Vec<Timer>,
    /// Who comes into the world when the tick is over; empty between ticks.
    #[serde(skip)]
    pub(super) waiting: Vec<Creation>,
    /// What was shown to scripts, to be used again.
    #[serde(skip)]
    pub(super) shown: Shown,
    /// The profiles of those with tunables of their own.
    #[serde(skip)]
    pub(super) dressing: Dressing,
    /// The id that the next entity gets.
    pub(super) next_id: u32,
    /// The name of no surface, so that looking at a body in the air allocates nothing.
    pub(super) no_surface: Arc<str>,
    /// The same for the list of no zones.
    pub(super) no_zones: Arc<[Arc<str>]>,
    /// What the hash takes for each surface of the stage: its name's own hash, so that their order
    /// in the file does not show.
    pub(super) surface_keys: Vec<u64>,
    /// The solids that are switched off, and what the hash takes for them.
    pub(super) absent: Absent,
    pub(super) absent_key: u64,
    /// The solids that were switched since the last step; empty between ticks.
    #[serde(skip)]
    pub(super) switched: Vec<u32>,
    /// Where the platforms are in the tick that is being made; empty between ticks.
    #[serde(skip)]
    pub(super) transit: Transit,
    /// What is asked in a phase; empty between phases.
    #[serde(skip)]
    pub(super) asked: Vec<(EntityId, Question, bool)>,
    /// Who touches whom, by their ids, the lower one first.
    pub(super) touching: Vec<(EntityId, EntityId)>,
    /// What finding that out uses again in every tick.
    #[serde(skip)]
    pub(super) meetings: Meetings,
    /// The zones at one place, while they are looked for; empty between ticks.
    #[serde(skip)]
    pub(super) zones_now: Vec<u16>,
    /// What models have reported, while it is told; empty between ticks.
    #[serde(skip)]
    pub(super) reported: Vec<(usize, Report)>,
    /// What moved those who are watched.
    #[serde(skip)]
    pub(super) why: WhyLog,
}

impl World {
    /// The world at tick 0: every start of the stage, placed out of solids and looked at once for
    /// what it stands on.
    #[must_use]
    pub fn new(stage: &Stage, seed: u64) -> Self {
        let absent = Absent::at_start(stage.level.terrain.solids());
        let mut world = Self {
            tick: 0,
            seed,
            entities: Vec::new(),
            lanes: Lanes::default(),
            events: Vec::new(),
            held_back: Vec::new(),
            gone: BTreeSet::new(),
            level: LevelState {
                has_script: stage.script.is_some(),
                vars: Vars::plain(stage.vars.clone()),
                ..LevelState::default()
            },
            timers: Vec::new(),
            waiting: Vec::new(),
            dressing: Dressing::default(),
            shown: Shown::default(),
            next_id: 1,
            no_surface: Arc::from(""),
            no_zones: Arc::from([]),
            surface_keys: surface_keys(stage),
            absent_key: absent_key(stage, &absent),
            absent,
            switched: Vec::new(),
            transit: Transit::default(),
            asked: Vec::new(),
            reported: Vec::new(),
            why: WhyLog::default(),
            touching: Vec::new(),
            meetings: Meetings::default(),
            zones_now: Vec::new(),
        };
        if stage.script.is_some() {
            world.note_of_level(0, EventKind::Birth);
        }
        for index in 0..stage.starts.len() {
            world.create(stage, index);
        }
        let standing = world.standing(stage);
        world.lanes.sense(stage, &stage.surroundings(0, &standing));
        world.lanes.report(|_, _, _| {});
        world.cross_zones(stage);
        world.sort_events();
        world
    }

    /// How many ticks were made.
    #[must_use]
    pub const fn ticks(&self) -> u64 {
        self.tick
    }

    /// From which all randomness follows.
    #[must_use]
    pub const fn seed(&self) -> u64 {
        self.seed
    }

    /// The entities, by id.
    #[must_use]
    pub fn entities(&self) -> &[Entity] {
        &self.entities
    }

    /// The motion that every entity has, whatever moves it.
    #[must_use]
    pub fn body(&self, entity: &Entity) -> &Body {
        self.lanes.body(entity)
    }

    /// What happened in the last step, by entity.
    #[must_use]
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// What the level's own script keeps; none where the level has no script.
    #[must_use]
    pub fn level_vars(&self) -> Option<&Vars> {
        self.level.has_script.then_some(&self.level.vars)
    }

    /// Where in the list an entity is.
    pub(super) fn index_of(&self, id: EntityId) -> Option<usize> {
        self.entities.binary_search_by_key(&id, |e| e.id).ok()
    }

    /// Notes that something happened to the entity at `index`, to show at the end of this step.
    pub(super) fn note(&mut self, tick: u64, index: usize, happening: EventKind) {
        let entity = &self.entities[index];
        self.events.push(Event {
            tick,
            entity: entity.id,
            name: entity.name.clone(),
            happening,
        });
    }
}

impl World {
    /// Notes that something happened to the level itself.
    pub(super) fn note_of_level(&mut self, tick: u64, happening: EventKind) {
        self.events.push(Event {
            tick,
            entity: EntityId::LEVEL,
            name: level_name(),
            happening,
        });
    }
}

/// A key for each surface of a stage, by its name.
pub(super) fn surface_keys(stage: &Stage) -> Vec<u64> {
    let key = |name: &Arc<str>| {
        let mut digest = Digest::new();
        digest.text(name);
        digest.finish()
    };
    stage.level.surfaces.iter().map(key).collect()
}
