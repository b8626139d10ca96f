//! The world: everything that changes from tick to tick.

use super::{
    decide::Listener,
    journal::EventOrder,
    why::{Watch, WhyLog, WhyReport},
    zones::ZoneBuffers,
    *,
};

/// All mutable state, as plain data: a clone is a snapshot. It can be compared, hashed and saved.
/// [`SavedWorld`](super::SavedWorld) loads it.
#[derive(Clone, Debug, PartialEq)]
pub struct World {
    /// The number of ticks made.
    pub(super) tick: u64,
    /// The seed of all randomness.
    pub(super) seed: u64,
    /// The entities and their motion.
    pub(super) population: Population,
    /// Events.
    pub(super) journal: Journal,
    /// The state of the level's script.
    pub(super) level: LevelState,
    /// Scheduled events.
    pub(super) timers: Timers,
    /// Which solids are switched off.
    pub(super) switches: Switches,
    /// Which entities touch.
    pub(super) contacts: Contacts,
    /// What scripts keep beyond the level.
    pub(super) kept: KeptValues,
    /// What passes from level to level.
    pub(super) passage: Passage,
    /// The routes that scripts have asked for.
    pub(super) routes: Routes,
    /// Ropes and springs.
    pub(super) joints: Joints,
    /// What players hold, if scripts hear that.
    pub(super) players: Players,
    /// The hash of each surface's name: the world's hash uses these, so that it does not depend on
    /// the order of surfaces in the file.
    pub(super) surface_keys: Vec<u64>,
    pub(super) aside: Aside,
}

/// What belongs to a world but is not its state: it is neither saved nor hashed nor compared, and nothing in a tick depends
/// on it.
#[derive(Clone, Default)]
pub struct Aside {
    /// The stage with tuning overrides.
    pub overrides: OverrideCache,
    /// Memory that each tick reuses.
    pub buffers: TickBuffers,
    /// What scripts have drawn.
    pub drawing: Drawing,
    /// What can be heard of the last tick.
    pub sounding: Sounding,
    /// What is called at the end of each phase of a tick, on the thread that makes it. It costs a branch per phase while
    /// there is none. Layers above have clocks; this one has not.
    pub phase_ended: Option<fn(TickPhase)>,
    /// What moved the watched entities.
    pub why: WhyLog,
    /// The search for a route that continues in the next tick. It follows from the state.
    pub search: PendingSearch,
    /// Whether no entity has to be looked at as the next tick begins. What makes one pending clears this.
    pub settled: bool,
}

impl PartialEq for Aside {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl fmt::Debug for Aside {
    /// Without its content: worlds are also compared by their debug text.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Aside")
    }
}

/// Lists that each tick fills and empties. They keep their memory, so that in steady state a tick
/// does not allocate. A clone begins without any.
#[derive(Default)]
pub struct TickBuffers {
    /// Where the platforms are.
    pub transit: Option<Box<Transit>>,
    /// Sorts the events.
    pub events: EventOrder,
    /// What the bodies of each chunk report.
    pub reports: Vec<ChunkReports>,
    /// The paths of entities through zones.
    pub zones: ZoneBuffers,
    /// The questions of a phase with their answers.
    pub questions: Vec<(EntityId, Question, bool)>,
    /// What the script of each profile listens to.
    pub listeners: Vec<Option<Listener>>,
    /// The calls of the decide phase.
    pub calls: DecideCalls,
    /// The calls of rules within a tick.
    pub rule_calls: (Reused<RuleCall>, Reused<RuleReply>),
    /// The platforms that rested until scripts have called them in this tick.
    pub called: Vec<u32>,
    /// Finds the pairs of entities that push or touch each other.
    pub pairs: PairFinder,
    /// Pushes those pairs apart.
    pub pushes: PushBuffers,
    /// What joints pull on.
    pub joints: JointBuffers,
    /// The pairs that touched in the last tick.
    pub touched: Vec<(EntityId, EntityId)>,
    /// Bodies that others stand on and run into.
    pub carrying: CarryBuffers,
}

impl Clone for TickBuffers {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// The calls of the decide phase, each with its decision at the same index.
pub type DecideCalls = (Reused<Invocation>, Reused<Decision>);

impl World {
    /// The world at tick 0: all entities of the level, moved out of solids.
    pub fn new(stage: &Stage, seed: u64) -> Self {
        Self::begin(stage, seed, 0, Value::Unit)
    }

    /// A level that begins at this tick, after others were played, with what is handed over to its scripts.
    pub fn begin(stage: &Stage, seed: u64, tick: u64, handed: Value) -> Self {
        let mut world = Self {
            tick,
            seed,
            population: Population::default(),
            journal: Journal::default(),
            level: LevelState {
                has_script: stage.script.is_some(),
                vars: Vars::plain(stage.vars.clone()),
                ..LevelState::default()
            },
            timers: Timers::default(),
            switches: Switches::at_start(stage, tick),
            contacts: Contacts::default(),
            kept: KeptValues::default(),
            passage: Passage { handed, ..Passage::default() },
            routes: Routes::default(),
            joints: Joints::default(),
            players: Players::default(),
            surface_keys: surface_keys(stage),
            aside: Aside::default(),
        };
        if stage.script.is_some() {
            world.journal.emit_for_level(tick, EventKind::Birth);
        }
        if stage.zones().scale_time() {
            world.switches.expect_rates(stage, tick);
        }
        let standing = world.standing(stage);
        for index in 0..stage.starts.len() {
            spawn_start(&mut world, stage, &standing, index);
        }
        world.sense_all(stage);
        world.population.lanes.report(|_, _| {});
        cross_zones(&mut world, stage);
        world.journal.sort();
        world
    }

    /// The number of ticks made.
    pub const fn ticks(&self) -> u64 {
        self.tick
    }

    /// Seconds since the level began.
    pub fn seconds(&self, stage: &Stage) -> f64 {
        self.switches.level.seconds(self.tick, f64::from(stage.hz))
    }

    /// The time of an entity or, with [`EntityId::LEVEL`], of the level.
    pub(super) fn time_of(&self, stage: &Stage, id: EntityId) -> OwnTime {
        self.population.time(id, stage, &self.switches.level, self.tick)
    }

    /// The latest moment on the clock of an entity, or of the level, to which the current tick comes closest. What waits
    /// until then is due.
    pub fn reached(&self, stage: &Stage, id: EntityId) -> ClockTick {
        self.time_of(stage, id).reached()
    }

    /// The factor for the rate of the level's time that scripts have set: 1 for full rate, 0 if it stands still.
    pub fn time_scale(&self) -> f64 {
        self.switches.level.time_scale()
    }

    /// The seed of all randomness.
    pub const fn seed(&self) -> u64 {
        self.seed
    }

    /// The entities, sorted by id.
    #[inline]
    pub fn entities(&self) -> &[Entity] {
        &self.population.entities
    }

    /// The body of an entity of this world.
    #[inline]
    pub fn body(&self, entity: &Entity) -> &Body {
        self.population.lanes.body(entity)
    }

    /// What an entity of this world is doing.
    #[inline]
    pub fn mode(&self, entity: &Entity) -> Mode {
        self.population.lanes.mode(entity)
    }

    /// The hook of an entity of this world; an idle one if its model has none.
    #[inline]
    pub fn hook(&self, entity: &Entity) -> HookView {
        self.population.lanes.hook(entity)
    }

    /// The entities that touch, as pairs of ids, the lower one first; in ascending order.
    #[inline]
    pub fn touching_pairs(&self) -> impl Iterator<Item = (EntityId, EntityId)> {
        self.contacts.touching.iter().copied()
    }

    /// The number of living entities that scripts have spawned.
    pub fn created(&self) -> usize {
        self.population.created()
    }

    /// The data of all running timers.
    pub fn timer_data(&self) -> impl Iterator<Item = &Value> {
        self.timers.iter().map(|timer| &timer.data)
    }

    /// The number of running timers of all entities and the level.
    pub fn timer_count(&self) -> usize {
        self.timers.count()
    }

    /// The id that the next entity gets.
    pub const fn next_id(&self) -> u32 {
        self.population.next_id
    }

    /// The events of the last step, sorted by entity.
    #[inline]
    pub fn events(&self) -> &[Event] {
        &self.journal.events
    }

    /// The variables of the level's script; `None` if the level has no script.
    pub fn level_vars(&self) -> Option<&Vars> {
        self.level.has_script.then_some(&self.level.vars)
    }

    /// Whether a solid, an index into the level's solids, is switched on. Solids without a switch
    /// always are.
    pub fn is_present(&self, solid: u32) -> bool {
        !self.switches.level.absent.holds(solid)
    }

    /// What scripts have changed about the level.
    pub fn changes(&self) -> &LevelChanges {
        &self.switches.level
    }

    /// The stage with what scripts have changed about tuning and zones; `None` if they have changed neither.
    pub(super) fn tuned_stage(&mut self, stage: &Stage) -> Option<Stage> {
        let off = &self.switches.level.zones_off;
        self.aside.overrides.stage(&mut self.population, stage, off)
    }

    /// The platforms at the current tick, before anything moves.
    pub fn standing(&self, stage: &Stage) -> Transit {
        let (platforms, changes) = (self.level(stage).terrain.platforms(), &self.switches.level);
        Transit::standing(platforms, changes, self.tick, f64::from(stage.hz))
    }

    /// The visible state of an entity of this world.
    pub fn view(&self, stage: &Stage, entity: &Entity) -> EntityView {
        let mut view = EntityView::empty();
        self.write_view(stage, entity, &mut view);
        view
    }

    /// Writes the visible state of an entity of this world over a view, whose memory is reused.
    pub fn write_view(&self, stage: &Stage, entity: &Entity, view: &mut EntityView) {
        let stage = self.stage(stage);
        observe(view, entity, &self.population, (&*stage, self.changes(), self.tick), ViewParts::ALL);
    }

    /// The entity with this name, if it exists.
    pub fn entity(&self, name: &str) -> Option<&Entity> {
        let mut entities = self.population.entities.iter();
        entities.find(|e| &*e.name == name)
    }

    /// The visible state of the entity with this name, if it exists.
    pub fn view_of(&self, stage: &Stage, name: &str) -> Option<EntityView> {
        Some(self.view(stage, self.entity(name)?))
    }

    /// Watches these entities from the next tick on, for [`why`](Self::why). The selection is not
    /// state: it is cloned with the world, but neither saved nor hashed nor compared.
    pub fn watch(&mut self, watch: Watch) {
        self.aside.why.watch(watch);
    }

    /// Sets what is called at the end of each phase of a tick, on the thread that makes it, to measure the phases. It is
    /// not state: it is cloned with the world, but neither saved nor hashed nor compared.
    pub fn probe_phases(&mut self, ended: Option<fn(TickPhase)>) {
        self.aside.phase_ended = ended;
    }

    /// What scripts keep beyond the level.
    pub fn kept(&self) -> &KeptValues {
        &self.kept
    }

    /// The input of players in the last tick, as scripts hear it.
    pub fn players(&self) -> &Players {
        &self.players
    }

    /// The routes that scripts have asked for.
    pub fn routes(&self) -> &Routes {
        &self.routes
    }

    /// Searches for the routes that scripts have asked for, as long as a tick may.
    pub(super) fn search_routes(&mut self, stage: &Stage) {
        if !self.routes.is_empty() {
            self.routes.search(&mut self.aside.search, stage, &self.switches.level, self.tick);
        }
    }

    /// Begins with what an earlier level has kept, between two ticks.
    pub fn set_kept(&mut self, kept: KeptValues) {
        self.kept = kept;
    }

    /// About how much memory its timers take, and what scripts have drawn, bytes.
    pub fn extra_memory(&self) -> u64 {
        self.timers.memory() + self.frames().memory() + self.aside.drawing.memory()
    }

    /// What scripts have drawn. It is not state: it is cloned with the world, but neither saved nor hashed nor compared.
    pub fn drawing(&self) -> &Drawing {
        &self.aside.drawing
    }

    /// What can be heard of the last tick in addition to its events. It is not part of the state either.
    pub fn sounding(&self) -> &Sounding {
        &self.aside.sounding
    }

    /// Erases what scripts have drawn, after a change of the scripts. What sequences have drawn that still wait stays, and
    /// so does the camera while one waits.
    pub fn erase_drawing(&mut self) {
        let drawing = std::mem::take(&mut self.aside.drawing);
        if !self.frames().is_empty() {
            self.aside.drawing = drawing.after_change(self.tick, |id| !self.frames().of(id).is_empty());
        }
        self.aside.sounding.erase();
    }

    /// Which entities are watched.
    pub fn watched(&self) -> Watch {
        self.aside.why.watched()
    }

    /// What moved the watched entities in the last step, sorted by id.
    pub fn why(&self) -> impl Iterator<Item = &WhyReport> {
        self.aside.why.reports()
    }

    /// What moved the entity with this name in the last step; `None` if it is not watched.
    pub fn why_of(&self, name: &str) -> Option<&WhyReport> {
        self.why().find(|report| &*report.name == name)
    }
}

/// The hash of each surface's name.
pub fn surface_keys(stage: &Stage) -> Vec<u64> {
    stage.level.surfaces.iter().map(|name| Digest::of(name)).collect()
}

/// A list whose items stay when it is cleared, so that the next ones can use their memory.
pub struct Reused<T> {
    /// The items in use, and after them those that are kept.
    items: Vec<T>,
    used: usize,
}

impl<T> Default for Reused<T> {
    fn default() -> Self {
        Self { items: Vec::new(), used: 0 }
    }
}

impl<T> Reused<T> {
    /// Adds an item, to be overwritten: one that was in use before, or else a new one.
    #[inline]
    pub fn add(&mut self, new: impl FnOnce() -> T) -> &mut T {
        if self.used == self.items.len() {
            self.items.push(new());
        }
        self.used += 1;
        &mut self.items[self.used - 1]
    }

    /// The items in use.
    pub fn items(&mut self) -> &mut [T] {
        &mut self.items[..self.used]
    }

    /// Ends the use of all items.
    pub fn clear(&mut self) {
        self.used = 0;
    }
}
