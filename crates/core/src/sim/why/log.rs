//! The why log: which entities are watched, and what is recorded of them.

use super::{
    refusals::{PressMemory, record_refusals},
    *,
};

/// The log of a world; empty while no entity is watched.
#[derive(Clone, Default)]
pub struct WhyLog(pub(super) Option<Box<WatchedEntities>>);

/// The watched entities.
#[derive(Clone, Default)]
pub struct WatchedEntities {
    watch: Watch,
    /// Sorted by id.
    pub list: Vec<WatchedEntity>,
    /// The current phase.
    pub phase: TickPhase,
    /// The layer whose commands are recorded; `None` for the lowest one.
    layer: Option<Arc<str>>,
}

/// A watched entity.
#[derive(Clone)]
pub struct WatchedEntity {
    pub report: WhyReport,
    /// The entries of the previous step.
    previous: Vec<WhyEntry>,
    /// Its motion after the last phase.
    pub last: Kinetics,
    pub memory: PressMemory,
}

impl WhyLog {
    /// Whether no entity is watched.
    #[inline]
    pub fn is_off(&self) -> bool {
        self.0.is_none()
    }

    /// Watches these entities from the next tick on.
    pub fn watch(&mut self, watch: Watch) {
        self.0 = match watch {
            Watch::Off => None,
            watch => Some(Box::new(WatchedEntities { watch, ..WatchedEntities::default() })),
        };
    }

    /// Which entities are watched.
    pub fn watched(&self) -> Watch {
        self.0.as_ref().map_or(Watch::Off, |log| log.watch.clone())
    }

    /// Whether an entity is watched in this step.
    pub fn watches(&self, id: EntityId) -> bool {
        let log = self.0.as_ref();
        log.is_some_and(|log| log.list.iter().any(|w| w.report.entity == id))
    }

    /// The reports of the last step, sorted by id.
    pub fn reports(&self) -> impl Iterator<Item = &WhyReport> {
        let log = self.0.iter();
        log.flat_map(|log| log.list.iter().map(|watched| &watched.report))
    }

    /// Clears the reports of the last step, which are not valid under a changed stage.
    pub fn clear(&mut self) {
        let log = self.0.iter_mut();
        log.flat_map(|log| &mut log.list).for_each(|watched| watched.report.entries.clear());
    }

    /// Begins the reports of the step from the tick `now`.
    pub fn begin_tick(&mut self, population: &Population, now: u64) {
        let Some(log) = &mut self.0 else { return };
        log.phase = TickPhase::Orders;
        let mut known = mem::take(&mut log.list).into_iter().peekable();
        for entity in population.entities.iter().filter(|e| log.watch.includes(e)) {
            while known.next_if(|w| w.report.entity < entity.id).is_some() {}
            let was = known.next_if(|w| w.report.entity == entity.id);
            let mut watched = was.unwrap_or_else(|| WatchedEntity::new(entity, now));
            watched.last = Kinetics::of(population.lanes.body(entity));
            let report = &mut watched.report;
            mem::swap(&mut report.entries, &mut watched.previous);
            report.entries.clear();
            report.path.clear();
            report.path.push(watched.last.pos.truncate());
            report.tick = now + 1;
            report.model = entity.model;
            report.profile = entity.profile as usize;
            log.list.push(watched);
        }
    }

    /// Commands recorded from now on come from this layer; `None` is the lowest one.
    pub fn set_layer(&mut self, layer: &Option<Arc<str>>) {
        if let Some(log) = &mut self.0 {
            log.layer.clone_from(layer);
        }
    }

    /// Records a command of an entity's script.
    #[inline]
    pub fn ordered(&mut self, entity: &Entity, command: &Command) {
        let Some(log) = &self.0 else { return };
        let mut order = WhyOrder { command: command.clone(), layer: log.layer.clone(), instead_of: None };
        let watched = log.list.iter().find(|w| w.report.entity == entity.id);
        let entries = watched.into_iter().flat_map(|w| w.report.entries.iter().rev());
        let mut orders = entries.filter_map(|entry| match &entry.detail {
            WhyDetail::Ordered(other) => Some(other),
            _ => None,
        });
        let other = orders.find(|other| other.command.writes_as(command));
        let other = other.filter(|other| other.layer != order.layer);
        order.instead_of = other.map(|other| (other.command.clone(), other.layer.clone()));
        self.add(entity, || WhyDetail::Ordered(order));
    }

    /// Records where the sequences of the watched entities wait.
    pub fn waits(&mut self, population: &Population) {
        for watched in self.0.iter_mut().flat_map(|log| &mut log.list) {
            let Some(index) = population.index_of(watched.report.entity) else { continue };
            for frame in population.entities[index].frames() {
                watched.add(TickPhase::Orders, WhyDetail::Waits(frame.at.clone(), frame.layer.clone()));
            }
        }
    }

    /// Records something else that explains an entity's motion.
    pub fn note(&mut self, entity: &Entity, text: &str) {
        self.add(entity, || WhyDetail::Noted(text.into()));
    }

    /// Records that a request of an entity was refused.
    pub fn refused(
        &mut self,
        entity: &Entity,
        what: &'static str,
        why: &str,
        causes: impl FnOnce(&Entity) -> Vec<Cause>,
    ) {
        self.add(entity, || WhyDetail::Refused { what, why: why.into(), causes: causes(entity) });
    }

    /// Records answers of an entity's rules.
    pub fn answered(&mut self, entity: &Entity, answers: Vec<(RuleAnswer, Option<Arc<str>>)>) {
        for (answer, layer) in answers {
            let origin = Origin::RuleOf(answer.rule(), layer);
            let (about, causes) = (String::new(), Vec::new());
            self.add(entity, || WhyDetail::Answered { answer, about, causes, origin });
        }
    }

    /// Adds an entry to an entity's report, if it is watched.
    #[inline]
    pub fn add(&mut self, entity: &Entity, detail: impl FnOnce() -> WhyDetail) {
        let Some(log) = &mut self.0 else { return };
        let place = log.list.binary_search_by_key(&entity.id, |watched| watched.report.entity);
        if let Ok(place) = place {
            log.list[place].add(log.phase, detail());
        }
    }
}

impl WatchedEntity {
    fn new(entity: &Entity, now: u64) -> Self {
        Self {
            report: WhyReport {
                entity: entity.id,
                name: entity.name.clone(),
                profile: 0,
                tick: now,
                model: entity.model,
                entries: Vec::new(),
                path: Vec::new(),
            },
            previous: Vec::new(),
            last: Kinetics::default(),
            memory: PressMemory { since: now, ..PressMemory::default() },
        }
    }

    /// Adds an entry to the report.
    pub fn add(&mut self, phase: TickPhase, detail: WhyDetail) {
        let lasts = |entry: &WhyEntry| entry.phase == phase && entry.detail.lasts_as(&detail);
        let repeated = self.previous.iter().any(lasts);
        self.report.entries.push(WhyEntry { phase, detail, repeated });
    }

    /// Adds a refusal to the report.
    pub fn refuse(&mut self, phase: TickPhase, what: &'static str, why: String, causes: Vec<Cause>) {
        self.add(phase, WhyDetail::Refused { what, why, causes });
    }
}

impl WhyLog {
    /// Records what a phase did to the watched entities, and begins the next one.
    pub fn record(
        &mut self,
        phase: TickPhase,
        only: Option<EntityId>,
        population: &Population,
        stage: &Stage,
        around: &Surroundings,
    ) {
        let Some(log) = &mut self.0 else { return };
        let lanes = &population.lanes;
        for watched in &mut log.list {
            let Some(index) = population.index_of(watched.report.entity) else {
                continue;
            };
            let entity = &population.entities[index];
            if only.is_some_and(|only| only != entity.id) {
                continue;
            }
            let body = lanes.body(entity);
            let after = match phase {
                TickPhase::Drive | TickPhase::Ropes => Kinetics::driven(body, &lanes.scratch(entity).motion),
                _ => Kinetics::of(body),
            };
            if after.pos != watched.last.pos {
                let report = &lanes.scratch(entity).report;
                let bend = report.details().bend.filter(|_| phase == TickPhase::Travel);
                let path = &mut watched.report.path;
                path.extend(bend.into_iter().chain([body.pos]));
            }
            if after != watched.last {
                let before = mem::replace(&mut watched.last, after);
                watched.add(phase, WhyDetail::Changed { before, after });
            }
            record_refusals(watched, phase, entity, lanes, stage, around);
        }
        log.phase = phase.next();
    }
}
