//! The world: all that changes from tick to tick.

use super::lane::{Bare, Lanes};
use super::meet::Meetings;
use super::why::WhyLog;
use super::{Digest, Entity, EntityId, Event, Happening, Question, Stage, Vars};
use crate::level::Transit;
use crate::models::{Body, Report};
use serde::{Deserialize, Serialize};
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
    /// The id that the next entity gets.
    pub(super) next_id: u32,
    /// The name of no surface, so that looking at a body in the air allocates nothing.
    pub(super) no_surface: Arc<str>,
    /// The same for the list of no zones.
    pub(super) no_zones: Arc<[Arc<str>]>,
    /// What the hash takes for each surface of the stage: its name's own hash, so that their order
    /// in the file does not show.
    pub(super) surface_keys: Vec<u64>,
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
        let mut world = Self {
            tick: 0,
            seed,
            entities: Vec::new(),
            lanes: Lanes::default(),
            events: Vec::new(),
            next_id: 1,
            no_surface: Arc::from(""),
            no_zones: Arc::from([]),
            surface_keys: surface_keys(stage),
            transit: Transit::default(),
            asked: Vec::new(),
            reported: Vec::new(),
            why: WhyLog::default(),
            touching: Vec::new(),
            meetings: Meetings::default(),
            zones_now: Vec::new(),
        };
        for index in 0..stage.starts.len() {
            world.create(stage, index);
        }
        let standing = stage.standing(0);
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

    /// Brings a start of the stage into the world.
    pub(super) fn create(&mut self, stage: &Stage, start_index: usize) {
        let start = &stage.starts[start_index];
        let profile = &stage.profiles[start.profile];
        let id = EntityId(self.next_id);
        self.next_id += 1;
        let mut body = start.body(profile.model);
        let fit = stage.fit(self.tick, start.profile, profile.model, &body);
        body.pos = fit.unwrap_or(start.at);
        let mover = Bare::new(id, start.profile as u32, body);
        let entity = Entity {
            id,
            name: start.name.clone(),
            kind: profile.kind.clone(),
            player: start.player,
            model: profile.model,
            place: self.lanes.push(profile.model, mover),
            profile: start.profile as u32,
            start: start_index as u32,
            born: self.tick,
            set_model: None,
            ruled_model: None,
            vars: Vars::plain(profile.vars.clone()),
            asked: None,
            model_due: false,
            refused: None,
            outside: false,
            jumping: false,
            zones: Box::default(),
        };
        self.events.push(Event {
            tick: self.tick,
            entity: id,
            name: entity.name.clone(),
            happening: Happening::Birth,
        });
        self.entities.push(entity);
    }

    /// Where in the list an entity is.
    pub(super) fn index_of(&self, id: EntityId) -> Option<usize> {
        self.entities.binary_search_by_key(&id, |e| e.id).ok()
    }

    /// Notes that something happened to the entity at `index`, to show at the end of this step.
    pub(super) fn note(&mut self, tick: u64, index: usize, happening: Happening) {
        let entity = &self.entities[index];
        self.events.push(Event {
            tick,
            entity: entity.id,
            name: entity.name.clone(),
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
