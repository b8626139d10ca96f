//! A running game: a world under a revision that can be exchanged between two ticks.

use super::other_levels::OtherLevels;
use crate::live::{
    build::revision::Revision,
    measure::{Profiler, TickProfile, phase_ends},
};
use hangtime_core::{
    models::saved::SavedError,
    sim::{
        DrawnForm, Entity, EntityId, EntityView, EventKind, Executor, Inputs, Judgement, KeptValues, MOST_FAILURES,
        SavedWorld, Serial, Teleport, Value, World, why::Watch,
    },
};
use hangtime_script::{
    CallCounts, CallDifference, Diagnostic, Fault, FaultQueue, GameNames, RecordedPrints, ScriptRules,
    api::Names,
    recording_prints,
    text::{cut_name, printable_name},
    unknown_name,
};
use std::{collections::BTreeSet, sync::Arc};

/// How many sounds, and how many pictures, are reported as missing: a script can make up any number of names.
const MOST_MISSING: usize = 16;

/// The least number of entities with which several threads are faster than one.
pub const MANY_ENTITIES: usize = 2_000;

/// A running level: the world, the revision it runs under, and the rules of its scripts.
///
/// Scripts run on the thread that calls [`Live::step`]. It needs a stack of
/// [`STACK`](hangtime_script::STACK) bytes.
pub struct Live {
    revision: Arc<Revision>,
    world: World,
    rules: ScriptRules,
    threads: Option<Arc<dyn Executor + Send + Sync>>,
    profiler: Option<Box<Profiler>>,
    /// The levels that scripts can play after this one.
    levels: Option<Arc<OtherLevels>>,
    /// Why a level could not be played since the last tick.
    refused_level: FaultQueue,
    /// The sounds, and the pictures, that scripts have named and that do not exist.
    missing: [BTreeSet<String>; 2],
    report: StepReport,
}

/// What a tick, or a [judgement](Live::judge), reports. The events of a tick are in [`World::events`].
#[derive(Clone, Debug, Default)]
pub struct StepReport {
    /// What scripts printed.
    pub printed: RecordedPrints,
    /// The errors of scripts, and why a level that a script wants to play cannot be played.
    pub faults: FaultQueue,
    /// A message for each script that was disabled because it kept failing.
    pub disabled: Vec<String>,
    /// Messages about the first thing that is not drawn and the first sound that is not played because there are too many, and
    /// about pictures and sounds that do not exist.
    pub unshown: Vec<String>,
}

impl Live {
    /// Starts the level at tick 0. The seed determines all random numbers.
    pub fn new(revision: Arc<Revision>, seed: u64) -> Self {
        let world = World::new(&revision.stage, seed);
        Self::resume(revision, world)
    }

    /// Continues a world of the revision's level.
    pub fn resume(revision: Arc<Revision>, world: World) -> Self {
        let rules = revision.scripts.rules();
        Self {
            revision,
            world,
            rules,
            threads: None,
            profiler: None,
            levels: None,
            refused_level: FaultQueue::default(),
            missing: Default::default(),
            report: StepReport::default(),
        }
    }

    /// Lets scripts play these levels after this one. Without them, an order to do so waits in the
    /// [world](World::level_order).
    pub fn use_levels(&mut self, levels: Option<Arc<OtherLevels>>) {
        self.levels = levels;
    }

    /// The levels that scripts can play after this one.
    pub fn levels(&self) -> Option<&Arc<OtherLevels>> {
        self.levels.as_ref()
    }

    /// Begins the level that a script wants to play, if there is one and it can be played; [`step`](Self::step) does so
    /// before its tick. Returns whether the world has changed: it is the other level's, or, if that cannot be played, no
    /// longer waits for it. The report of the next tick says why it cannot be played.
    pub fn change_level(&mut self) -> bool {
        // Looked for first: worlds of many threads count their references to the levels in one place.
        let Some(order) = self.world.level_order().cloned() else {
            return false;
        };
        let Some(levels) = self.levels.clone() else {
            return false;
        };
        let name = order.level.unwrap_or_default();
        let stage = &self.revision.stage;
        match levels.open(&name, self.revision.number, stage.hz) {
            Ok(revision) => {
                let (seed, tick) = (self.world.seed(), self.world.ticks());
                let handed = order.data.unwrap_or_default();
                let mut world = World::begin(&revision.stage, seed, tick, handed);
                world.take_over(&self.world, &stage.actions, &revision.stage.actions);
                let watched = self.world.watched();
                self.resume_with(revision, world);
                self.world.watch(watched);
            }
            Err(reason) => {
                let fault = self.drop_level(&name, &reason);
                self.refused_level.push(fault);
            }
        }
        true
    }

    /// Continues without the level that a script wants to play. The [report](Self::report) then says why.
    pub fn refuse_level(&mut self, name: &str, reason: &str) {
        let mut faults = FaultQueue::default();
        faults.push(self.drop_level(name, reason));
        self.report_on(RecordedPrints::default(), faults);
    }

    /// Forgets the level that a script wants to play. Returns why it is not played.
    fn drop_level(&mut self, name: &str, reason: &str) -> Fault {
        self.world.drop_level_order();
        let name = cut_name(name);
        let message = format!("`{}` cannot be played: {reason}", printable_name(&name));
        Fault {
            diagnostic: Diagnostic::about_file(&*self.revision.stage.level.name, message),
            entity: "level".into(),
            hook: "world::play_level".into(),
            tick: self.world.ticks().saturating_sub(1),
            revision: self.revision.number,
        }
    }

    /// Shares the ticks of worlds with at least [`MANY_ENTITIES`] among threads. It changes how long
    /// ticks take, and nothing else.
    pub fn use_threads(&mut self, threads: Option<Arc<dyn Executor + Send + Sync>>) {
        self.threads = threads;
    }

    /// Advances the world by one tick. Returns what there is to tell about it; [`report`](Self::report) has it until the next.
    pub fn step(&mut self, inputs: &Inputs) -> &StepReport {
        self.change_level();
        let ((), printed) = recording_prints(|| self.tick(inputs));
        let mut faults = self.rules.take_faults();
        faults.append(std::mem::take(&mut self.refused_level));
        self.report_on(printed, faults);
        self.report.disabled = self.newly_disabled();
        self.report.unshown = self.newly_unshown();
        self.note_missing();
        &self.report
    }

    fn tick(&mut self, inputs: &Inputs) {
        let many = self.world.entities().len() >= MANY_ENTITIES;
        let executor: &dyn Executor = match &self.threads {
            Some(threads) if many => &**threads,
            _ => &Serial,
        };
        let (world, rules, stage) = (&mut self.world, &mut self.rules, &self.revision.stage);
        let Some(profiler) = self.profiler.take() else {
            world.tick_with(stage, inputs, rules, executor);
            return;
        };
        // Either may be another one than in the last tick.
        world.probe_phases(Some(phase_ends));
        rules.probe_calls(Some(Profiler::call_probe()));
        let profiler = profiler.measure(|| world.tick_with(stage, inputs, rules, executor));
        world.probe_phases(None);
        self.profiler = Some(profiler);
    }

    /// Begins a report.
    fn report_on(&mut self, printed: RecordedPrints, mut faults: FaultQueue) {
        for fault in &mut faults.first {
            fault.revision = self.revision.number;
        }
        self.report = StepReport { printed, faults, ..StepReport::default() };
    }

    /// What the last tick, or a judgement or a refused level since then, reported.
    #[must_use]
    pub fn report(&self) -> &StepReport {
        &self.report
    }

    /// Asks the script of an entity how well the entity does. The simulation is the same whether or not it is asked. The
    /// [report](Self::report) is then the judgement's.
    pub fn judge(&mut self, entity: EntityId) -> Judgement {
        let (world, stage, rules) = (&mut self.world, &self.revision.stage, &mut self.rules);
        let (judgement, printed) = recording_prints(|| world.judge(entity, stage, rules));
        let faults = self.rules.take_faults();
        self.report_on(printed, faults);
        judgement
    }

    /// Continues with another world under another revision. Nothing is adopted.
    pub fn resume_with(&mut self, revision: Arc<Revision>, world: World) {
        self.rules = revision.scripts.rules();
        (self.revision, self.world) = (revision, world);
        self.measure(self.profiler.is_some());
    }

    /// Measures from now on where the time of ticks goes, or no longer. The game plays the same. What was measured so far
    /// is dropped.
    pub fn measure(&mut self, on: bool) {
        self.profiler = on.then(Profiler::new);
        if !on {
            self.rules.probe_calls(None);
        }
    }

    /// The number of ticks that were measured so far; none if nothing is measured.
    pub fn measured_ticks(&self) -> Option<u64> {
        self.profiler.as_ref().map(|profiler| profiler.ticks())
    }

    /// What was measured since [`measure`](Self::measure), or since the last revision was adopted. None if nothing is
    /// measured.
    pub fn profile(&self) -> Option<TickProfile> {
        let profiler = self.profiler.as_ref()?;
        Some(profiler.profile(self.revision.scripts.all()))
    }

    /// Switches to another revision and keeps all state. What scripts have drawn is erased if a script has changed.
    pub fn adopt(&mut self, revision: Arc<Revision>) {
        self.world.adopt(&self.revision.stage, &revision.stage);
        if !revision.has_scripts_of(&self.revision) {
            self.world.erase_drawing();
        }
        self.rules = revision.scripts.rules();
        self.revision = revision;
        self.missing = Default::default();
        if self.profiler.is_some() {
            // The ids of scripts are others now.
            self.measure(true);
        }
    }

    /// Restarts the level with the same seed at tick 0, with what was handed over when it began and what scripts have
    /// kept.
    pub fn restart(&mut self) {
        let (watched, kept) = (self.world.watched(), self.world.kept().clone());
        let handed = self.world.handed().clone();
        self.world = World::begin(&self.revision.stage, self.world.seed(), 0, handed);
        self.world.watch(watched);
        self.world.set_kept(kept);
        self.rules = self.revision.scripts.rules();
    }

    /// Replaces the world, for example with a clone taken earlier under the same revision.
    pub fn restore(&mut self, world: World) {
        let watched = self.world.watched();
        self.world = world;
        if self.world.watched() != watched {
            self.world.watch(watched);
        }
    }

    /// Moves an entity between two ticks; see [`World::place`].
    pub fn place(&mut self, id: EntityId, to: impl Into<Teleport>) -> bool {
        self.world.place(&self.revision.stage, id, to)
    }

    /// Begins with what an earlier level has kept; see [`World::set_kept`].
    pub fn set_kept(&mut self, kept: KeptValues) {
        self.world.set_kept(kept);
    }

    /// Emits an event between two ticks; see [`World::emit`].
    pub fn emit(&mut self, name: Arc<str>, data: Value) {
        self.world.emit(name, data);
    }

    /// Replaces the world with a saved one, once it has been checked.
    ///
    /// # Errors
    /// The first field that does not fit the level. The current world stays.
    pub fn load(&mut self, saved: SavedWorld) -> Result<(), SavedError> {
        self.restore(saved.check(&self.revision.stage)?);
        Ok(())
    }

    /// Chooses the entities that [`Live::why`] explains from the next tick on.
    pub fn watch(&mut self, watch: Watch) {
        self.world.watch(watch);
    }

    /// The revision that runs.
    pub fn revision(&self) -> &Arc<Revision> {
        &self.revision
    }

    /// The state of the game.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Seconds since the level started.
    pub fn time(&self) -> f64 {
        self.world.seconds(&self.revision.stage)
    }

    /// A view of every entity, in the order of their ids.
    pub fn views(&self) -> impl Iterator<Item = EntityView> + '_ {
        self.world.entities().iter().map(|e| self.world.view(&self.revision.stage, e))
    }

    /// The operations that all scripts have used in the last tick.
    pub fn script_operations(&self) -> u64 {
        self.rules.operations()
    }

    /// A message for each entity whose script the last tick disabled.
    fn newly_disabled(&self) -> Vec<String> {
        let events = self.world.events().iter();
        let disabled = events.filter(|event| event.kind == EventKind::Quarantine);
        let messages = disabled.flat_map(|event| match self.world.entity(&event.name) {
            Some(entity) => disabled_scripts(entity),
            None => vec![disabled_text(&event.name, "")],
        });
        messages.collect()
    }

    /// The messages about what is not drawn and not played, if that began in the last tick.
    fn newly_unshown(&self) -> Vec<String> {
        let refused = self.world.drawing().refused().into_iter().chain(self.world.sounding().refused());
        let new = refused.filter(|refused| refused.tick + 1 == self.world.ticks());
        new.map(|refused| refused.text.clone()).collect()
    }

    /// Adds a message for each sound and picture that a script names for the first time and that does not exist.
    fn note_missing(&mut self) {
        let Revision { art, sounds, .. } = &*self.revision;
        let asked = self.world.sounding().asked().iter();
        let mute = asked.filter(|asked| sounds.cue(asked.kind.as_deref(), &asked.order.name).is_none());
        let mute = mute.map(|asked| (Names::Sound, &*asked.order.name));
        let blank = self.world.drawing().sprites.iter().filter_map(|drawn| match &drawn.shape {
            DrawnForm::Sprite(it) if !art.sheets.contains_key(&it.picture) => Some((Names::Picture, &*it.picture)),
            _ => None,
        });
        for (names, name) in mute.chain(blank) {
            let missing = &mut self.missing[usize::from(matches!(names, Names::Picture))];
            if missing.len() >= MOST_MISSING || missing.contains(name) {
                continue;
            }
            missing.insert(name.into());
            let cues = sounds.kinds.values().chain([&sounds.game]).flat_map(|cues| cues.keys());
            let known = GameNames {
                sounds: cues.map(|name| name.to_string()).collect(),
                pictures: art.sheets.keys().map(|name| name.to_string()).collect(),
                ..GameNames::default()
            };
            self.report.unshown.extend(unknown_name(names, &printable_name(name), &known));
        }
    }

    /// A message for each script of an entity that is disabled because it kept failing.
    pub fn disabled(&self) -> impl Iterator<Item = String> + '_ {
        self.world.entities().iter().flat_map(disabled_scripts)
    }

    /// Takes the first script call since the last call that did something else when it was compiled. Only where
    /// scripts are executed [both ways](hangtime_script::Execution::BothWays).
    pub fn take_call_difference(&mut self) -> Option<CallDifference> {
        self.rules.take_call_difference()
    }

    /// How many calls of hooks were made in compiled code, and how many in the interpreter.
    pub fn call_counts(&self) -> CallCounts {
        self.rules.call_counts()
    }
}

/// The messages about the disabled scripts of an entity.
fn disabled_scripts(entity: &Entity) -> Vec<String> {
    let lowest = entity.lowest_disabled().then(String::new);
    let layers = entity.layers().iter().filter(|layer| layer.is_disabled());
    let layers = layers.map(|layer| format!(" in the mod `{}`", layer.name));
    let all = lowest.into_iter().chain(layers);
    all.map(|of| disabled_text(&entity.name, &of)).collect()
}

/// `of` names the mod of the script.
fn disabled_text(name: &str, of: &str) -> String {
    let name = cut_name(name);
    let name = printable_name(&name);
    format!(
        "the script of `{name}`{of} failed in {MOST_FAILURES} ticks in a row and is disabled until a \
         file changes or the level restarts"
    )
}
