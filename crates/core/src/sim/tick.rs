//! One tick, on one page.

use super::{
    adopt::adopt_stage,
    apply::{apply, apply_command},
    ask::{ask_grabs, ask_snaps},
    contacts::update_contacts,
    decide::decide,
    phases::are_alike,
    pushing::push_apart,
    reports::{ReportContext, emit_reports},
    resizing::change_stances,
    spawn::spawn_created,
    *,
};

impl World {
    /// Makes one tick: the step from [`World::ticks`] to the next.
    pub fn tick(&mut self, stage: &Stage, inputs: &Inputs, rules: &mut dyn Rules) {
        self.tick_with(stage, inputs, rules, &Serial);
    }

    /// Makes one tick, with the same results. What can be done at the same time is passed to `executor`.
    pub fn tick_with(&mut self, stage: &Stage, inputs: &Inputs, rules: &mut dyn Rules, executor: &dyn Executor) {
        let base = stage;
        self.restart_if_ordered(base);
        let changed = self.stage(base);
        let mut shared = &*changed;
        self.aside.sounding.begin_tick();
        self.aside.drawing.sprites.clear();
        let tuned = self.tuned_stage(shared);
        let stage = tuned.as_ref().unwrap_or(shared);
        self.aside.why.begin_tick(&self.population, self.tick);
        if rules.hears_players() {
            self.players.latch(inputs);
        }
        let in_a_row = self.plays_in_a_row(stage, rules);
        let has_stances = self.aside.overrides.traits.has_stances;
        // Player input becomes the intents of entities.
        let Population { lanes, entities, .. } = &mut self.population;
        // Later, if nothing reads them before.
        let unread = !stage.has_scripts() && stage.level.terrain.platforms().is_empty();
        let any_pending = || entities.iter().any(Entity::is_pending);
        debug_assert!(!self.aside.settled || !any_pending(), "an entity was changed unnoticed");
        let pending = !self.aside.settled && any_pending();
        let later = in_a_row && unread && !has_stances && !pending;
        self.aside.settled = later;
        if !later {
            lanes.latch(executor, inputs);
        }
        // Scripts receive the events of the last step and decide about this one.
        let decisions = decide(self, stage, rules);
        // Their commands take effect in entity order.
        apply(self, stage, decisions, pending);
        if has_stances {
            change_stances(self, stage);
        }
        self.aside.why.waits(&self.population);
        // Released, so that its profiles can change in place.
        drop(tuned);
        let rebuilt;
        if self.switches.stale {
            self.rebuild_level(base);
            rebuilt = self.stage(base);
            shared = &rebuilt;
        }
        let tuned = self.tuned_stage(shared);
        let stage = tuned.as_ref().unwrap_or(shared);
        self.search_routes(stage);
        // Bodies that carry are platforms, too.
        let own_platforms = stage.level.terrain.platforms().len();
        let extended = self.with_bodies(stage, self.aside.overrides.traits);
        let stage = extended.as_ref().unwrap_or(stage);
        // A platform's position follows from the time and from where scripts have sent it. A solid that is switched off is
        // not there.
        let mut transit = self.aside.buffers.transit.take().unwrap_or_default();
        self.switches.step_platforms(&mut transit, stage, own_platforms, self.tick);
        let around = stage.surroundings(self.tick, &transit);
        let rate = around.scaled.then_some(around.rate);
        if around.scaled {
            self.population.lanes.find_rates(&around);
        }
        self.record(TickPhase::Orders, stage, &around);
        self.aside.buffers.zones.trail.begin(&self.population, stage);
        // Where a platform turns, bodies near it are in another part of the tick.
        let in_a_row = in_a_row && transit.legs.is_empty() && self.joints.is_empty() && extended.is_none();
        let carries_in_a_row = in_a_row && are_alike(stage, &around);
        // Platforms carry their riders and push the bodies in their way.
        if extended.is_none() && !carries_in_a_row && !transit.steps.is_empty() {
            self.population.lanes.carry(executor, stage, &around);
            self.aside.buffers.zones.trail.carry(&self.population);
        }
        self.record(TickPhase::Platforms, stage, &around);
        if extended.is_some() {
            self.play_among(executor, stage, &mut transit, rules);
        } else if in_a_row {
            self.play_bodies(executor, stage, &around, rules, later.then_some(inputs))
        } else {
            self.play_phases(executor, stage, &around, rules)
        }
        if let Some(rate) = rate {
            self.population.lanes.run_clocks(rate);
        }
        self.finish_tick(stage, executor, in_a_row);
        if extended.is_some() {
            self.name_carriers(stage);
        }
        if !transit.is_plain() {
            transit.clear();
        }
        self.aside.buffers.transit = Some(transit);
        // A rule may have set overrides since; nothing may be pending between ticks.
        drop((extended, tuned));
        self.aside.overrides.settle(&mut self.population);
        if !self.switches.level.created.is_empty() {
            self.switches.forget_removed(base);
            if self.switches.stale {
                self.rebuild_level(base);
            }
        }
    }

    /// From contacts to settled bodies, phase by phase.
    fn play_phases(&mut self, executor: &dyn Executor, stage: &Stage, around: &Surroundings, rules: &mut dyn Rules) {
        // Contacts that are not known from the last step, then velocities.
        let strained = self.find_velocities(executor, stage, around);
        if !self.joints.is_empty() {
            self.tend_joints(stage, around.transit);
        }
        if self.aside.overrides.traits.hooks_entities && around.dt > 0.0 {
            self.catch_entities(stage, around);
        }
        // Strained ropes pull or snap.
        if strained {
            ask_snaps(self, false, stage, around, rules);
        }
        if !self.joints.is_empty() {
            self.pull_joints(stage, around);
        }
        self.record(TickPhase::Ropes, stage, around);
        // Positions. A body stops where it could grab something.
        let grasping = self.population.lanes.travel(executor, stage, around);
        self.record(TickPhase::Travel, stage, around);
        // It grabs, or completes its motion.
        if grasping {
            ask_grabs(self, stage, around, rules);
        }
        if !self.joints.is_empty() {
            self.hold_joints(stage, around);
        }
        self.record(TickPhase::Grab, stage, around);
        // Entities whose kinds push separate.
        if self.aside.overrides.traits.pushes && around.rate > 0.0 {
            push_apart(&mut self.population, &mut self.aside.buffers, executor, stage, around);
        }
        self.record(TickPhase::PushApart, stage, around);
        // Bodies in the air look for ground.
        self.population.lanes.settle(executor, stage, around);
        self.record(TickPhase::Settle, stage, around);
    }

    /// Whether all phases of a body can be played before the next one's: no script sees the others in between, nothing
    /// pushes bodies apart, and none carries others.
    fn plays_in_a_row(&self, stage: &Stage, rules: &dyn Rules) -> bool {
        let watched = !self.aside.why.is_off() || self.aside.phase_ended.is_some();
        let seen = stage.has_scripts() && rules.reads_others_within_ticks();
        let traits = self.aside.overrides.traits;
        !watched
            && !seen
            && self.joints.is_empty()
            && !traits.pushes
            && !traits.hooks_entities
            && !self.has_carriers(stage, traits)
    }

    /// The same as [`Self::play_phases`], one body after the other: a body's state then is in the fastest memory.
    fn play_bodies(
        &mut self,
        executor: &dyn Executor,
        stage: &Stage,
        around: &Surroundings,
        rules: &mut dyn Rules,
        latch: Option<&Inputs>,
    ) {
        let Self { tick, population: Population { lanes, entities, spawning, .. }, journal, aside, .. } = self;
        // What enters zones, and how entities are counted once others have spawned, is found out later.
        let ended = spawning.is_empty() && are_alike(stage, around);
        let context = ReportContext { entities, level: &stage.level, now: *tick + 1, ended };
        let events = (&mut aside.buffers.reports, &mut journal.events);
        let (any, ropes) = lanes.play(executor, (stage, around), latch, context, events);
        if ropes {
            ask_snaps(self, true, stage, around, rules);
            self.population.lanes.move_hanging(executor, stage, around);
        }
        if any {
            ask_grabs(self, stage, around, rules);
            self.population.lanes.settle_grasping(executor, stage, around);
        }
    }

    /// What bodies stand on and their velocities. Returns whether ropes may be strained.
    fn find_velocities(&mut self, executor: &dyn Executor, stage: &Stage, around: &Surroundings) -> bool {
        // The why log and a phase probe see the two phases one by one.
        if self.aside.why.is_off() && self.aside.phase_ended.is_none() {
            let lanes = &mut self.population.lanes;
            return lanes.sense_and_drive(executor, stage, around);
        }
        self.population.lanes.sense(executor, stage, around);
        self.record(TickPhase::Sense, stage, around);
        let strained = self.population.lanes.drive(executor, stage, around);
        self.record(TickPhase::Drive, stage, around);
        strained
    }

    /// The end of a tick: entities spawn, and what happened becomes events. The tick may have `ended` already for bodies
    /// that report nothing.
    fn finish_tick(&mut self, stage: &Stage, executor: &dyn Executor, ended: bool) {
        self.tick += 1;
        let now = self.tick;
        let spawns = !self.population.spawning.is_empty();
        if spawns {
            let standing = self.standing(stage);
            spawn_created(self, stage, &standing);
        }
        cross_zones(self, stage);
        update_contacts(self, executor, stage);
        let journal = &mut self.journal;
        self.switches.arrive(stage, now, |solid, point| {
            let solid = solid.clone();
            journal.emit_for_level(now, EventKind::Arrive { solid, point });
        });
        self.timers.fire(&self.population, journal, (stage, &self.switches.level), now);
        emit_reports(self, executor, stage, ended && !spawns);
        self.aside.buffers.events.sort(&mut self.journal);
        if let Some(ended) = self.aside.phase_ended {
            ended(TickPhase::Zones);
        }
    }

    /// Executes a command for an entity between two ticks, as its script could, for programs that drive
    /// a world from outside. Does nothing if the entity does not exist. Make a tick before the world is
    /// saved or its stage is changed.
    pub fn order(&mut self, stage: &Stage, entity: EntityId, command: &Command) {
        let changed = self.stage(stage);
        let tuned = self.tuned_stage(&changed);
        let stage = tuned.as_ref().unwrap_or(&changed);
        self.aside.settled = false;
        if let Some(index) = self.population.index_of(entity) {
            apply_command(self, stage, index, &None, command);
        }
        drop(tuned);
        self.aside.overrides.settle(&mut self.population);
    }

    /// Continues under `new` instead of `old`, between two ticks.
    ///
    /// Entities are matched by name. Those that still have a start keep position, velocity, timers,
    /// variables and held actions. They are moved out of solids that are new, and their rules are asked
    /// again. New starts spawn; entities whose start is missing despawn.
    pub fn adopt(&mut self, old: &Stage, new: &Stage) {
        adopt_stage(self, old, new);
    }

    /// Records what a phase did to the watched entities, and that it has ended.
    #[inline(always)]
    pub(super) fn record(&mut self, phase: TickPhase, stage: &Stage, around: &Surroundings) {
        if !self.aside.why.is_off() || self.aside.phase_ended.is_some() {
            self.record_phase(phase, stage, around);
        }
    }

    #[cold]
    fn record_phase(&mut self, phase: TickPhase, stage: &Stage, around: &Surroundings) {
        self.aside.why.record(phase, None, &self.population, stage, around);
        if let Some(ended) = self.aside.phase_ended {
            ended(phase);
        }
    }
}
