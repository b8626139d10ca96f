//! What scripts see of the world beside their own entity.
//!
//! Scripts share no state with the world. What they look at is copied once for each phase, and only
//! if a script of the revision looks at all.

use super::arguments::{Fallible, wrong};
use super::me::Me;
use crate::level::{Absent, Transit};
use crate::script::rhai::engine::resolver::Sources;
use crate::sim::{Command, EntityView, Scene, Stage};
use rhai::{Dynamic, NativeCallContext};
use std::sync::{Arc, Mutex, MutexGuard};

/// What of the world the scripts of a revision look at, by what stands in them.
#[derive(Clone, Copy, Debug)]
pub(in crate::script::rhai) struct Interest {
    stage: bool,
    entities: bool,
}

impl Interest {
    /// That of these scripts.
    pub fn of(sources: &Sources) -> Self {
        let names = |word: &str| sources.values().any(|file| file.text.contains(word));
        let world = names("world");
        Self {
            stage: world || names("jump_to") || names("plan_jump"),
            // Who only asks for the time or a random number does not look at others.
            entities: world && ["entity", "all", "create"].into_iter().any(names),
        }
    }
}

/// What is seen in a phase.
#[derive(Default)]
pub(in crate::script::rhai) struct Sight {
    /// In the step from n to n+1 it is n.
    pub tick: u64,
    /// Seconds since the start.
    pub time: f64,
    /// Seconds that a tick takes.
    pub dt: f64,
    /// The stage; none where nobody looks.
    pub stage: Option<Stage>,
    /// Where its platforms stand, and which are there.
    pub standing: Transit,
    /// All entities as the phase began, by their numbers.
    pub entities: Vec<Arc<EntityView>>,
    /// Whether entities decide what to do; else rules answer inside a tick.
    pub deciding: bool,
    /// Whose turn it is.
    pub me: Option<Me>,
    /// From which all randomness follows.
    pub seed: u64,
    /// The number of the next entity that a script creates. It is never given twice, even if the hook
    /// that took it fails.
    pub next_id: u32,
    /// How many entities are alive that scripts have created, those of this phase included.
    pub created: usize,
    /// How many events were emitted in this phase.
    pub emitted: usize,
    /// The solids that are switched off.
    pub absent: Absent,
}

/// The handle through which native functions reach what is seen: the tag of a call.
#[derive(Clone, Default)]
pub(in crate::script::rhai) struct Outlook(Arc<Mutex<Sight>>);

impl Outlook {
    /// Shows a phase.
    pub fn open(&self, scene: &Scene<'_>, interest: Interest, deciding: bool) {
        let mut sight = self.lock();
        sight.tick = scene.tick;
        sight.time = scene.time;
        sight.dt = 1.0 / f64::from(scene.stage.hz);
        sight.deciding = deciding;
        sight.seed = scene.world.seed();
        sight.emitted = 0;
        // Numbers that a failed hook has taken in this phase are free again in the next: nobody has them.
        sight.next_id = scene.world.next_id();
        sight.created = if interest.entities {
            scene.world.created()
        } else {
            0
        };
        sight.stage = interest.stage.then(|| scene.stage.clone());
        if interest.stage {
            sight.standing = scene.world.standing(scene.stage);
            sight.absent = scene.world.absent().clone();
        }
        sight.entities.clear();
        if interest.entities {
            let entities = scene.world.entities().iter();
            let views = entities.map(|e| Arc::new(scene.world.view(scene.stage, e)));
            sight.entities.extend(views);
        }
    }

    /// What the running call sees.
    pub fn of(context: &NativeCallContext<'_>) -> Fallible<Self> {
        let tag = context.tag().cloned().unwrap_or(Dynamic::UNIT);
        match tag.try_cast::<Self>() {
            Some(outlook) => Ok(outlook),
            // The top level of a file runs before there is a world.
            None => wrong("the world is only seen inside functions".into()),
        }
    }

    pub fn lock(&self) -> MutexGuard<'_, Sight> {
        self.0
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl Sight {
    /// Gives back what a hook that failed has taken of what all share.
    pub fn give_back(&mut self, emitted: usize, created: usize) {
        self.emitted = self.emitted.saturating_sub(emitted);
        self.created = self.created.saturating_sub(created);
    }

    /// An error for `call` while rules answer inside a tick.
    pub fn in_event(&self, call: &str) -> Fallible<()> {
        if self.deciding {
            return Ok(());
        }
        wrong(format!(
            "`{call}` cannot be called while a tick asks a rule; call it in an event"
        ))
    }

    /// Whose turn it is.
    pub fn me(&self) -> Fallible<&Me> {
        match &self.me {
            Some(me) => Ok(me),
            None => wrong("the world is only seen inside functions".into()),
        }
    }

    /// Notes a command of whose turn it is.
    pub fn order(&self, command: Command) -> Fallible<()> {
        self.me()?.lock().order(command)
    }

    /// The stage.
    pub fn stage(&self) -> Fallible<&Stage> {
        match &self.stage {
            Some(stage) => Ok(stage),
            None => wrong("the world is only seen inside functions".into()),
        }
    }
}
