//! A game that runs: a world under a revision, which can be exchanged between two ticks.

use super::Revision;
use crate::script::host::Fault;
use crate::script::rhai::ScriptRules;
use crate::sim::why::Watch;
use crate::sim::{EntityView, EventKind, Inputs, MOST_FAILURES, World};
use std::sync::Arc;

/// A world, the revision it runs under, and the rules of its scripts.
///
/// Scripts run on the thread that calls [`Live::step`]; it needs a stack of
/// [`crate::script::host::STACK`] bytes.
pub struct Live {
    revision: Arc<Revision>,
    world: World,
    rules: ScriptRules,
}

impl Live {
    /// The level at tick 0.
    #[must_use]
    pub fn new(revision: Arc<Revision>, seed: u64) -> Self {
        let world = World::new(&revision.stage, seed);
        let rules = ScriptRules::new(revision.scripts.clone());
        Self {
            revision,
            world,
            rules,
        }
    }

    /// Makes one tick.
    pub fn step(&mut self, inputs: &Inputs) {
        self.world
            .tick(&self.revision.stage, inputs, &mut self.rules);
    }

    /// Goes on under another revision, with all state kept.
    pub fn adopt(&mut self, revision: Arc<Revision>) {
        self.world.adopt(&self.revision.stage, &revision.stage);
        self.rules = ScriptRules::new(revision.scripts.clone());
        self.revision = revision;
    }

    /// Begins the level anew.
    pub fn restart(&mut self) {
        let watched = self.world.watched();
        self.world = World::new(&self.revision.stage, self.world.seed());
        self.world.watch(watched);
        self.rules = ScriptRules::new(self.revision.scripts.clone());
    }

    /// Goes back to a world as it was, such as a clone taken earlier.
    pub fn restore(&mut self, world: World) {
        let watched = self.world.watched();
        self.world = world;
        if self.world.watched() != watched {
            self.world.watch(watched);
        }
    }

    /// Watches these from the next tick on, so that [`Live::why`] can tell what moved them.
    pub fn watch(&mut self, watch: Watch) {
        self.world.watch(watch);
    }

    /// The revision that runs.
    #[must_use]
    pub fn revision(&self) -> &Arc<Revision> {
        &self.revision
    }

    /// The world.
    #[must_use]
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Seconds since the level began.
    #[must_use]
    pub fn time(&self) -> f64 {
        self.world.ticks() as f64 / f64::from(self.revision.stage.hz)
    }

    /// What can be seen of every entity, by id.
    pub fn views(&self) -> impl Iterator<Item = EntityView> + '_ {
        self.world
            .entities()
            .iter()
            .map(|e| self.world.view(&self.revision.stage, e))
    }

    /// What scripts have printed since this was last asked.
    pub fn take_printed(&mut self) -> Vec<String> {
        self.rules.take_printed()
    }

    /// Whose scripts have failed so often that they are not called any more since the last tick, as the
    /// user should read it.
    pub fn silenced(&self) -> impl Iterator<Item = String> + '_ {
        let events = self.world.events().iter();
        let silenced = events.filter(|event| event.kind == EventKind::Quarantine);
        silenced.map(|event| silenced_text(&event.name))
    }

    /// Whose scripts are not called any more.
    pub fn silent(&self) -> impl Iterator<Item = String> + '_ {
        let entities = self.world.entities().iter().filter(|e| e.quarantined());
        entities.map(|entity| silenced_text(&entity.name))
    }

    /// What went wrong in scripts since this was last asked.
    pub fn take_faults(&mut self) -> Vec<Fault> {
        let mut faults = self.rules.take_faults();
        for fault in &mut faults {
            fault.revision = self.revision.number;
        }
        faults
    }
}

fn silenced_text(name: &str) -> String {
    format!(
        "the script of `{name}` has failed {MOST_FAILURES} times in a row: it is not called any more until a file changes"
    )
}
