//! The entities of a world with their motion.

use super::*;

/// The time of an entity, or of the level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OwnTime {
    /// The moment on its clock.
    pub now: ClockTick,
    /// The rate at which it passes.
    pub rate: f64,
    /// Whether all time has run at full rate.
    plain: bool,
}

impl OwnTime {
    /// The time of a level in tick `now`.
    pub fn of_level(changes: &LevelChanges, now: u64) -> Self {
        Self { now: ClockTick(changes.clock_at(now)), rate: changes.rate(), plain: changes.clock.is_none() }
    }

    /// With this as the time of the level, that of an entity.
    pub fn of(self, lanes: &Lanes, entity: &Entity, stage: &Stage) -> Self {
        if self.plain {
            return self;
        }
        let clock = lanes.clock(entity);
        let air = stage.zones().air_at(lanes.body(entity).pos);
        Self { now: clock.at(self.now), rate: clock.rate(self.rate, air.map_or(1.0, |air| air.time_scale)), ..self }
    }

    /// The latest moment to which this tick comes closest: half a tick later.
    pub fn reached(self) -> ClockTick {
        ClockTick(self.now.0 + 0.5 * self.rate)
    }
}

/// All entities with their motion.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Population {
    /// Sorted by id.
    pub entities: Vec<Entity>,
    /// Their motion, by model.
    pub lanes: Lanes,
    /// The id of the next entity.
    pub next_id: u32,
    /// The names of the level's own entities that scripts have despawned. A reload does not bring them
    /// back.
    pub removed_starts: BTreeSet<Arc<str>>,
    /// Entities that spawn at the end of the tick; empty between ticks.
    #[serde(skip)]
    pub spawning: Vec<Creation>,
}

impl Default for Population {
    fn default() -> Self {
        Self {
            entities: Vec::new(),
            lanes: Lanes::default(),
            next_id: 1,
            removed_starts: BTreeSet::new(),
            spawning: Vec::new(),
        }
    }
}

impl Population {
    /// The index of an entity, if it exists.
    pub fn index_of(&self, id: EntityId) -> Option<usize> {
        id.among(&self.entities)
    }

    /// The time in tick `now` of an entity or, with [`EntityId::LEVEL`], of the level.
    pub fn time(&self, id: EntityId, stage: &Stage, changes: &LevelChanges, now: u64) -> OwnTime {
        let level = OwnTime::of_level(changes, now);
        // Without a clock that scripts have set, all have the time of the level.
        match changes.clock.is_some().then(|| self.index_of(id)).flatten() {
            Some(index) => level.of(&self.lanes, &self.entities[index], stage),
            None => level,
        }
    }

    /// The body of the entity at `index`, to change it.
    pub fn body_at_mut(&mut self, index: usize) -> &mut Body {
        self.lanes.body_mut(&self.entities[index])
    }

    /// The number of entities that scripts have spawned, including those that spawn in this tick.
    pub fn created(&self) -> usize {
        let created = |e: &&Entity| e.is_created();
        self.entities.iter().filter(created).count() + self.spawning.len()
    }

    /// Adds an entity with a body at its start, moved out of solids.
    pub fn insert(&mut self, mut entity: Entity, start: &Start, stage: &Stage, standing: &Transit) {
        self.next_id = self.next_id.max(entity.id.0 + 1);
        let mut body = start.body(entity.model);
        let fit = stage.fit(standing, start.profile, entity.model, &body);
        body.pos = fit.unwrap_or(start.at);
        let mut mover = StatelessMover::new(&entity, body);
        mover.clock.scale = stage.profiles[start.profile].time_scale;
        let scratch = Scratch { pushed: true, ..Scratch::default() };
        entity.place = self.lanes.push(entity.model, (mover, scratch));
        self.entities.push(entity);
    }

    /// Removes the entity at `index` and its motion.
    pub fn remove(&mut self, index: usize) -> Entity {
        let entity = self.entities.remove(index);
        let (_, moved) = self.lanes.take(entity.model, entity.place);
        if let Some(other) = moved.and_then(|id| self.index_of(id)) {
            self.entities[other].place = entity.place;
        }
        entity
    }
}
