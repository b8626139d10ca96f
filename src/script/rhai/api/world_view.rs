//! What scripts can read of the world apart from their own entity.
//!
//! Scripts share no state with the world. What they read is copied once per phase, and only if some script of the
//! revision reads it.

use super::arguments::{Fallible, fail};
use super::me::Me;
use crate::level::{Absent, Transit};
use crate::script::rhai::engine::resolver::Sources;
use crate::sim::{Command, EntityView, Scene, Stage};
use rhai::{Dynamic, NativeCallContext};
use std::sync::{Arc, Mutex, MutexGuard};

/// Which parts of the world the scripts of a revision may read, judged by the words in their sources.
#[derive(Clone, Copy, Debug)]
pub(in crate::script::rhai) struct Interest {
    stage: bool,
    entities: bool,
}

impl Interest {
    /// The parts that these scripts may read.
    pub fn of(sources: &Sources) -> Self {
        let mentions = |word: &str| sources.values().any(|file| file.text.contains(word));
        let world = mentions("world");
        Self {
            stage: world || ["jump_to", "plan_jump", "place"].into_iter().any(mentions),
            // Scripts that only read the time or random numbers need no copy of the entities.
            entities: world && ["entity", "all", "create"].into_iter().any(mentions),
        }
    }
}

/// The world as of the start of a phase.
#[derive(Default)]
pub(in crate::script::rhai) struct WorldView {
    /// n in the step from tick n to n+1.
    pub tick: u64,
    /// Seconds since the start.
    pub time: f64,
    /// Length of a tick in seconds.
    pub dt: f64,
    /// The stage, if some script reads it.
    pub stage: Option<Stage>,
    /// Positions of its platforms, and which of its solids exist.
    pub standing: Transit,
    /// All entities, by id.
    pub entities: Vec<Arc<EntityView>>,
    /// Whether this is the decide phase; otherwise rules are being called in the middle of a tick.
    pub deciding: bool,
    /// The entity whose script runs.
    pub me: Option<Me>,
    /// Seed of the run.
    pub seed: u64,
    /// Id of the next entity that a script creates. No id is given out twice, even if the hook that took it fails.
    pub next_id: u32,
    /// How many live entities scripts have created, those of this phase included.
    pub created: usize,
    /// How many events were emitted in this phase.
    pub emitted: usize,
    /// How many timers are running, those of this phase included.
    pub timers: usize,
    /// Solids that are switched off.
    pub absent: Absent,
}

/// How native functions reach the [`WorldView`]: the tag of a call.
#[derive(Clone, Default)]
pub(in crate::script::rhai) struct WorldHandle(Arc<Mutex<WorldView>>);

impl WorldHandle {
    /// Copies the world at the start of a phase.
    pub fn open(&self, scene: &Scene<'_>, interest: Interest, deciding: bool) {
        let mut view = self.lock();
        view.tick = scene.tick;
        view.time = scene.time;
        view.dt = 1.0 / f64::from(scene.stage.hz);
        view.deciding = deciding;
        view.seed = scene.world.seed();
        view.emitted = 0;
        view.timers = scene.world.timer_count();
        // Ids that a failed hook took in the previous phase are free again: no entity got them.
        view.next_id = scene.world.next_id();
        view.created = if interest.entities {
            scene.world.created()
        } else {
            0
        };
        view.stage = interest.stage.then(|| scene.stage.clone());
        if interest.stage {
            view.standing = scene.world.standing(scene.stage);
            view.absent = scene.world.absent().clone();
        }
        view.entities.clear();
        if interest.entities {
            let entities = scene.world.entities().iter();
            let views = entities.map(|e| Arc::new(scene.world.view(scene.stage, e)));
            view.entities.extend(views);
        }
    }

    /// The handle of the running call.
    ///
    /// # Errors
    /// At the top level of a file, which runs before there is a world.
    pub fn of(context: &NativeCallContext<'_>) -> Fallible<Self> {
        let tag = context.tag().cloned().unwrap_or(Dynamic::UNIT);
        match tag.try_cast::<Self>() {
            Some(handle) => Ok(handle),
            None => outside_functions(),
        }
    }

    pub fn lock(&self) -> MutexGuard<'_, WorldView> {
        self.0
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

/// The error for calls that rules cannot make.
pub(in crate::script::rhai) fn not_in_rules(call: &str) -> String {
    format!("`{call}` cannot be called from a rule; call it from an event hook")
}

fn outside_functions<T>() -> Fallible<T> {
    fail("the world can only be read inside functions".into())
}

impl WorldView {
    /// Gives back what a failed hook has used of the limits that all scripts share.
    pub fn refund(&mut self, emitted: usize, created: usize, timers: usize) {
        self.timers = self.timers.saturating_sub(timers);
        self.emitted = self.emitted.saturating_sub(emitted);
        self.created = self.created.saturating_sub(created);
    }

    /// Checks that `call` may change the world now.
    ///
    /// # Errors
    /// In a rule, which is called in the middle of a tick.
    pub fn require_event(&self, call: &str) -> Fallible<()> {
        if self.deciding {
            return Ok(());
        }
        fail(not_in_rules(call))
    }

    /// The entity whose script runs.
    pub fn me(&self) -> Fallible<&Me> {
        self.me.as_ref().map_or_else(outside_functions, Ok)
    }

    /// Queues a command of the entity whose script runs.
    pub fn queue(&self, command: Command) -> Fallible<()> {
        self.me()?.lock().queue(command)
    }

    /// The stage.
    pub fn stage(&self) -> Fallible<&Stage> {
        self.stage.as_ref().map_or_else(outside_functions, Ok)
    }
}
