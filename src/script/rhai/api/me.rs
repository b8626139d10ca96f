//! `me`: the entity whose script runs.
//!
//! Reads return the entity's state as of the start of the phase, plus what the script has written since. Writes
//! queue commands, which take effect when the phase ends.

use super::arguments::{Fallible, fail};
use crate::level::View;
use crate::models::{Actions, Intent};
use crate::script::rhai::engine::budget::charge;
use crate::sim::{Command, EntityView, SharedView};
use std::sync::{Arc, Mutex, MutexGuard};

/// The largest number of commands of one entity in a tick. Without a limit, a script could fill the memory.
const MAX_COMMANDS: usize = 4096;

/// Operations charged for using a member of `me`.
const PER_MEMBER: u64 = 2;

/// Operations charged for an order, which is applied after the call.
const PER_ORDER: u64 = 7;

/// The error for members of `me` that need a body, in a level's own script.
pub(in crate::script::rhai) fn no_level_member(member: &str) -> String {
    format!("the level itself has no `{member}`")
}

/// State behind `me` while the calls of one entity run.
pub(in crate::script::rhai) struct MeState {
    /// Index of its profile in the stage.
    pub profile: usize,
    /// The view of the level.
    pub level_view: View,
    pub view: SharedView,
    pub intent: Intent,
    /// Actions it held in the previous tick.
    pub before: Actions,
    /// How many numbers its random stream has produced.
    pub random: u64,
    /// How many of its timers are running.
    pub timers: usize,
    /// Whether this is the level's own script, which has no body.
    pub level: bool,
    pub commands: Vec<Command>,
}

/// A point to roll back to when a hook fails: how many commands were queued, and what the script could read.
#[derive(Clone)]
pub(in crate::script::rhai) struct Checkpoint {
    commands: usize,
    timers: usize,
    view: SharedView,
    intent: Intent,
}

impl Checkpoint {
    /// How many commands were queued at this point.
    pub fn commands(&self) -> usize {
        self.commands
    }
}

impl MeState {
    /// The point that [`roll_back`](Self::roll_back) returns to.
    pub fn checkpoint(&self) -> Checkpoint {
        Checkpoint {
            commands: self.commands.len(),
            timers: self.timers,
            view: self.view.clone(),
            intent: self.intent,
        }
    }

    /// Drops the commands queued since. Random numbers that were drawn stay drawn.
    pub fn roll_back(&mut self, to: &Checkpoint) {
        self.commands.truncate(to.commands);
        self.timers = to.timers;
        self.view.clone_from(&to.view);
        self.intent = to.intent;
    }

    /// Queues a command.
    ///
    /// # Errors
    /// When there are too many.
    pub fn queue(&mut self, command: Command) -> Fallible<()> {
        if self.commands.len() >= MAX_COMMANDS {
            return fail(format!(
                "a script can give at most {MAX_COMMANDS} orders (`me.…`, `world::…`) per tick"
            ));
        }
        charge(PER_ORDER)?;
        self.commands.push(command);
        Ok(())
    }
}

/// The handle that scripts hold. All entities share one; its state is swapped before each entity's calls.
#[derive(Clone)]
pub(in crate::script::rhai) struct Me(Arc<Mutex<MeState>>);

impl Default for Me {
    /// A handle that belongs to no entity yet.
    fn default() -> Self {
        Self(Arc::new(Mutex::new(MeState {
            profile: 0,
            level_view: View::Side,
            view: EntityView::empty().into(),
            intent: Intent::default(),
            before: Actions::NONE,
            random: 0,
            timers: 0,
            level: false,
            commands: Vec::new(),
        })))
    }
}

impl Me {
    pub fn lock(&self) -> MutexGuard<'_, MeState> {
        self.0
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// The state, for a `member` that needs a body.
    ///
    /// # Errors
    /// In a level's own script.
    pub fn with_body(&self, member: &str) -> Fallible<MutexGuard<'_, MeState>> {
        charge(PER_MEMBER)?;
        let state = self.lock();
        if state.level {
            return fail(no_level_member(member));
        }
        Ok(state)
    }
}
